// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: the alignment of an arena is a power of two

#include <arenite/arena.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr unsigned kAlignment = 24;
#else
constexpr unsigned kAlignment = 32;
#endif

int main() {
  arenite::Arena<64, kAlignment> arena;
  return arena.used() == 0 ? 0 : 1;
}
