// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: an arena never calls destructors: say Destructor::kSkip if this one need not run

#include <arenite/arena.hpp>

struct Log {
#ifdef ARENITE_COMPILE_FAIL
  ~Log() {}
#endif
  int lines = 0;
};

int main() {
  arenite::Arena<64> arena;
  return arena.head().create_array<Log>(2) != nullptr ? 0 : 1;
}
