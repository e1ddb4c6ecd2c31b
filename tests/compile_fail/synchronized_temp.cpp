// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of|call to|use) (a )?deleted (member )?function.*temp

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  auto temp = arena.temp();
#else
  arena.in_temp([](auto& temp) { (void)temp.allocate(8, 4); });
#endif
  return arena.used() == 0 ? 0 : 1;
}
