// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: ignoring return value.*(allocate|nodiscard)

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  arena.allocate(8, 4);
#else
  (void)arena.allocate(8, 4);
#endif
  return arena.used() == 8 ? 0 : 1;
}
