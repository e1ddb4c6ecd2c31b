// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: ignoring return(ed)? value

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  arena.temp();
#else
  const arenite::TempScope temp = arena.temp();
#endif
  return static_cast<int>(arena.open_temps()) - 1;
}
