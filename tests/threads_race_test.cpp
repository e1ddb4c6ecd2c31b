// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Two threads in one arena, for ThreadSanitizer: it is to see that `unlocked` is a race, and that `locked` is none.

#include <arenite/adapters/synchronized.hpp>
#include <arenite/arena.hpp>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

struct NoLock {
  void lock() {}
  void unlock() {}
};

template <class Lock>
int run() {
  static arenite::Synchronized<arenite::Arena<4096>, Lock> arena;
  const auto work = [] {
    for (int i = 0; i < 100; ++i) (void)arena.allocate(8, 8);
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  return arena.check() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "locked") == 0) return run<std::mutex>();
  if (argc == 2 && std::strcmp(argv[1], "unlocked") == 0) return run<NoLock>();
  std::fputs("usage: threads_race_test locked|unlocked\n", stderr);
  return 2;
}
