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
  const auto marker = arena.with([](auto& inner) { return inner.head().mark(); });
#ifdef ARENITE_COMPILE_FAIL
  arena.head().release(marker);
  return 0;
#else
  return arena.with([&](auto& inner) { return inner.head().release(marker); }) == arenite::Status::kOk ? 0 : 1;
#endif
}
