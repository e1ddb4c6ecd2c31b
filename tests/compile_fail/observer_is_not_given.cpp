// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Somebody has to have what an observer recorded.
//
// expect: an observer with members is given too

#include <arenite/arena.hpp>

struct Log : arenite::Observer {
  int events = 0;
};

int main() {
  arenite::ArenaState state;
  std::byte memory[64];
  Log log;
#ifdef ARENITE_COMPILE_FAIL
  const arenite::BasicArenaRef<Log> arena(state, memory, sizeof(memory));
#else
  const arenite::BasicArenaRef<Log> arena(state, memory, sizeof(memory), log);
#endif
  return static_cast<int>(arena.used()) + log.events;
}
