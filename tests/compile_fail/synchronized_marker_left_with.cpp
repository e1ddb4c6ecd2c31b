// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a marker is released under the lock that it was made under

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  const auto marker = arena.with([](auto& bare) { return bare.mark(); });
  return arena.with([&](auto& bare) { return bare.release(marker); }) == arenite::Status::kOk ? 0 : 1;
#else
  return arena.with([](auto& bare) { return bare.release(bare.mark()); }) == arenite::Status::kOk ? 0 : 1;
#endif
}
