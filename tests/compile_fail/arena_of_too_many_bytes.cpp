// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: at most what a pointer difference can hold

#include <arenite/arena.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr std::size_t kBytes = arenite::kMaxSize + 1;
#else
constexpr std::size_t kBytes = 1024;
#endif

int main() {
  static arenite::Arena<kBytes> arena;
  return arena.used() == 0 ? 0 : 1;
}
