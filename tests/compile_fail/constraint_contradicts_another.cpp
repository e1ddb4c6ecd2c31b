// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*constraints_contradict_each_other

#include <arenite/planner.hpp>

// As one piece, both begin where the other does.
constexpr arenite::Buffer kBuffers[] = {{64, 0, 2}, {64, 1, 3}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Constraint kConstraints[] = {arenite::alias(1, 0), arenite::pinned(0, 32), arenite::pinned(1, 64)};
#else
constexpr arenite::Constraint kConstraints[] = {arenite::alias(1, 0), arenite::pinned(0, 32), arenite::pinned(1, 32)};
#endif
constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);

int main() { return kPlan.size() == 96 ? 0 : 1; }
