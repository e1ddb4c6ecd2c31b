// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*constraint_is_out_of_bounds

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{64, 0, 2}, {64, 1, 3}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(2, 0)};
#else
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(1, 0)};
#endif
constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);

int main() { return kPlan.size() == 128 ? 0 : 1; }
