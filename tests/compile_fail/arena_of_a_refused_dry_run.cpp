// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: the dry run that counted this size was refused

#include <arenite/arena.hpp>
#include <arenite/dry_run.hpp>

#include <cstddef>

constexpr std::size_t bytes() {
  arenite::DryRun run;
#ifdef ARENITE_COMPILE_FAIL
  (void)run.allocate(64, 3);
#else
  (void)run.allocate(64, 4);
#endif
  return run.required();
}

int main() {
  static arenite::Arena<bytes()> arena;
  return arena.used() == 0 ? 0 : 1;
}
