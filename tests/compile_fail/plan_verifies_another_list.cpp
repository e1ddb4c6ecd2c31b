// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a plan is verified against the list that it was made for

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{100, 0, 1, 1}, {80, 1, 2, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);

#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Buffer kOther[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 2, 3, 1}};
#else
constexpr arenite::Buffer kOther[] = {{100, 0, 1, 1}, {60, 1, 3, 1}};
#endif
static_assert(kPlan.verify(kOther).ok());

int main() { return kPlan.size() == 180 ? 0 : 1; }
