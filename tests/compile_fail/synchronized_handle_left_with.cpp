// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: the arena stays in the function that gets it

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Arena<64> memory;
  arenite::Synchronized<arenite::ArenaRef, Lock> arena(memory);
#ifdef ARENITE_COMPILE_FAIL
  const auto inner = arena.with([](auto& bare) { return bare; });
  return inner.used() == 0 ? 0 : 1;
#else
  return arena.with([](auto bare) { return bare.used(); }) == 0 ? 0 : 1;
#endif
}
