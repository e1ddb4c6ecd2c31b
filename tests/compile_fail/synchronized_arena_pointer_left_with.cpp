// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: the arena stays in the function that gets it

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  auto* const inner = arena.with([](auto& bare) { return &bare; });
  return inner->used() == 0 ? 0 : 1;
#else
  return arena.with([](auto& bare) { return bare.contains(&bare); }) ? 1 : 0;
#endif
}
