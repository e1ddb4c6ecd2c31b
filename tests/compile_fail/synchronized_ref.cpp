// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (no viable conversion|conversion from).*Synchronized

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  arenite::ArenaRef ref = arena;
  return ref.used() == 0 ? 0 : 1;
#else
  return arena.with([](arenite::ArenaRef ref) { return ref.used(); }) == 0 ? 0 : 1;
#endif
}
