// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*pinned_buffers_or_reserved_ranges_overlap

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{64, 0, 2}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(0, 0), arenite::reserved(63, 1, 2, 2)};
#else
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(0, 0), arenite::reserved(63, 1, 3, 3)};
#endif
constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);

int main() { return kPlan.size() == 64 ? 0 : 1; }
