// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of|call to|use) (a )?deleted (member )?function.*observer

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  arena.observer();
#else
  arena.with([](auto& inner) { (void)inner.observer(); });
#endif
}
