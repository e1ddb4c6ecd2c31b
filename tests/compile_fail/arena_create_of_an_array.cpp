// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: create<T> is for objects, create_array<T> for arrays

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  return arena.create<int[3]>() != nullptr ? 0 : 1;
#else
  return arena.create_array<int>(3) != nullptr ? 0 : 1;
#endif
}
