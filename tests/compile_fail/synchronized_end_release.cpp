// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of|call to|use) (a )?deleted (member )?function.*release

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  arena.with([&](auto& inner) { arena.head().release(inner.head().mark()); });
  return 0;
#else
  return arena.with([](auto& inner) { return inner.head().release(inner.head().mark()); }) == arenite::Status::kOk ? 0
                                                                                                                   : 1;
#endif
}
