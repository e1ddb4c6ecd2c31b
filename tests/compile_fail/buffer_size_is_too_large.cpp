// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*sizes_overflow_the_address_space

#include <arenite/planner.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Buffer kBuffers[] = {{arenite::kMaxSize + 1, 0, 1}};
#else
constexpr arenite::Buffer kBuffers[] = {{arenite::kMaxSize, 0, 1}};
#endif
constexpr auto kPlan = arenite::plan(kBuffers);

int main() { return kPlan.size() == arenite::kMaxSize ? 0 : 1; }
