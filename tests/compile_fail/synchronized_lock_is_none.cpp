// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a lock has lock\(\) and unlock\(\)

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

struct Key {
  void lock() {}
};

int main() {
#ifdef ARENITE_COMPILE_FAIL
  arenite::Synchronized<arenite::Arena<64>, Key> arena;
#else
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#endif
  return arena.used() == 0 ? 0 : 1;
}
