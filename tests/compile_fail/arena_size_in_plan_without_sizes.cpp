// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: this plan has no sizes

#include <arenite/arena.hpp>
#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{16, 0, 0}};
constexpr auto kPlan = arenite::plan(kBuffers);

int main() {
  arenite::Arena<64> arena;
#ifdef ARENITE_COMPILE_FAIL
  const auto view = arena.overlay(kPlan.offsets_only());
#else
  const auto view = arena.overlay(kPlan);
#endif
  return view.size(0) == 16 ? 0 : 1;
}
