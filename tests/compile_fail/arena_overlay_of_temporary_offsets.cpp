// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The offsets of a plan that dies are a value, which would be gone too.
//
// expect: (use of|call to) deleted (member )?function '[^']*overlay

#include <arenite/arena.hpp>
#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{16, 0, 0}};
constexpr auto kPlan = arenite::plan(kBuffers);

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  return arena.overlay(arenite::plan(kBuffers).offsets_only()) ? 0 : 1;
#else
  return arena.overlay(kPlan.offsets_only()) ? 0 : 1;
#endif
}
