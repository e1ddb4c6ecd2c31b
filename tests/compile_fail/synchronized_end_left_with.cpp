// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: an end is used under the lock

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  const auto tail = arena.with([](auto& bare) { return bare.tail(); });
#else
  const auto tail = arena.tail();
#endif
  return tail.allocate(8, 4) != nullptr ? 0 : 1;
}
