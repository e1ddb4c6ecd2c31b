// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What a scope without a name allocates is gone at the end of the statement.
//
// expect: (use of|call to) deleted (member )?function '[^']*(TempScope::)?allocate

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  return arena.temp().allocate(8, 4) != nullptr ? 0 : 1;
#else
  arenite::TempScope temp = arena.temp();
  return temp.allocate(8, 4) != nullptr ? 0 : 1;
#endif
}
