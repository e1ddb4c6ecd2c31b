// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: ignoring return(ed)? value

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  arena.reset();
#else
  (void)arena.reset();
#endif
  return arena.used() == 0 ? 0 : 1;
}
