// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: what is locked is an arena

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

struct NoArena {};

int main() {
#ifdef ARENITE_COMPILE_FAIL
  arenite::Synchronized<NoArena, Lock> arena;
#else
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#endif
  return arena.capacity() == 64 ? 0 : 1;
}
