// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// There is no handle to a watched arena that leaves its observer behind.
//
// expect: (conversion from|no viable conversion from) .*Arena<.*ArenaRef

#include <arenite/arena.hpp>

struct Log : arenite::Observer {
  int events = 0;
};

int main() {
  arenite::Arena<64, 16, Log> arena;
#ifdef ARENITE_COMPILE_FAIL
  const arenite::ArenaRef handle = arena;
#else
  const arenite::BasicArenaRef<Log> handle = arena;
#endif
  return handle.used() == 0 ? 0 : 1;
}
