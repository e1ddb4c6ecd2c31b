// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*pinned_buffer_or_alias_is_misaligned

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{64, 0, 2, 4}, {8, 1, 3, 8}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Constraint kConstraints[] = {arenite::alias(1, 0, 12)};
#else
constexpr arenite::Constraint kConstraints[] = {arenite::alias(1, 0, 16)};
#endif
constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);

int main() { return kPlan.size() == 64 ? 0 : 1; }
