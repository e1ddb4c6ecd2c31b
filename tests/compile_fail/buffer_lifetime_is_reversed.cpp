// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*lifetime_ends_before_it_begins

#include <arenite/planner.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Buffer kBuffers[] = {{100, 0, 1}, {4, 5, 3}};
#else
constexpr arenite::Buffer kBuffers[] = {{100, 0, 1}, {4, 3, 5}};
#endif
constexpr auto kPlan = arenite::plan(kBuffers);

int main() { return kPlan.size() == 100 ? 0 : 1; }
