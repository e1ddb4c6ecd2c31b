// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Nor does a part of it.
//
// expect: the observer stays in the function that gets the arena

#include <arenite/adapters/synchronized.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};
struct Log : arenite::Observer {
  int events = 0;
};
using Logs = arenite::Observers<Log>;

int main() {
  arenite::Synchronized<arenite::Arena<64, 16, Logs>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  const auto& log = arena.with([](auto& bare) -> Log& { return bare.observer(); });
#else
  const auto log = arena.with([](auto& bare) -> Log { return bare.observer(); });
#endif
  return log.events;
}
