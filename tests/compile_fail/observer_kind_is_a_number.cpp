// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Where nobody watches, too: the program is right or wrong with any observer.
//
// expect: a kind is an enumerator

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  return arena.as(3).allocate(4, 4) == nullptr ? 1 : 0;
#else
  return arena.as(arenite::Kind::kScratch).allocate(4, 4) == nullptr ? 1 : 0;
#endif
}
