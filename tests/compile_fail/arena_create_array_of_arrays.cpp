// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: create_array<T> is for arrays of objects, not of arrays

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  return arena.create_array<int[2]>(3) != nullptr ? 0 : 1;
#else
  return arena.create_array<int>(6) != nullptr ? 0 : 1;
#endif
}
