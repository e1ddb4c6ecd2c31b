// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: narrowing

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {
#ifdef ARENITE_COMPILE_FAIL
    {-8, 0, 1},
#else
    {8, 0, 1},
#endif
};
constexpr auto kPlan = arenite::plan(kBuffers);

int main() { return kPlan.size() == 8 ? 0 : 1; }
