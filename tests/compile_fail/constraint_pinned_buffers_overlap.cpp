// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: non-.?constexpr.? function .*pinned_buffers_or_reserved_ranges_overlap

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{64, 0, 2}, {64, 1, 3}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(0, 0), arenite::pinned(1, 48)};
#else
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(0, 0), arenite::pinned(1, 64)};
#endif
constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);

int main() { return kPlan.size() == 128 ? 0 : 1; }
