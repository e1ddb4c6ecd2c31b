// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a temp scope closes under the lock

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  const auto temp = arena.with([](auto& bare) { return bare.temp(); });
#else
  arena.with([](auto& bare) { const auto temp = bare.temp(); });
#endif
}
