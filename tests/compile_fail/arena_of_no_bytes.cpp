// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: an arena has at least one byte

#include <arenite/arena.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr unsigned kBytes = 0;
#else
constexpr unsigned kBytes = 1;
#endif

int main() {
  arenite::Arena<kBytes> arena;
  return arena.used() == 0 ? 0 : 1;
}
