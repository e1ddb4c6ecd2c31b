// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*buffer_alignment_is_zero_or_not_a_power_of_two

#include <arenite/planner.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Buffer kBuffers[] = {{100, 0, 1, 0}};
#else
constexpr arenite::Buffer kBuffers[] = {{100, 0, 1, 1}};
#endif
constexpr auto kPlan = arenite::plan(kBuffers);

int main() { return kPlan.size() == 100 ? 0 : 1; }
