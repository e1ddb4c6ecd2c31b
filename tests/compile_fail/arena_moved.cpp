// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of|call to) deleted (function|constructor).*Arena

#include <arenite/arena.hpp>

#include <utility>

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  arenite::Arena<64> other = std::move(arena);
#else
  const arenite::ArenaRef other = arena;
#endif
  return other.used() == 0 ? 0 : 1;
}
