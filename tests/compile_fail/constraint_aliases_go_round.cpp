// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*aliases_lie_in_each_other

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{64, 0, 2}, {64, 1, 3}, {64, 2, 4}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Constraint kConstraints[] = {arenite::alias(0, 1), arenite::alias(1, 2), arenite::alias(2, 0)};
#else
constexpr arenite::Constraint kConstraints[] = {arenite::alias(0, 1), arenite::alias(1, 2)};
#endif
constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);

int main() { return kPlan.size() == 64 ? 0 : 1; }
