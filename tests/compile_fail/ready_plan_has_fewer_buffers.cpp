// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: plan_was_made_for_other_buffers

#include <arenite/session.hpp>

constexpr arenite::Buffer kPlanned[] = {{48, 0, 1}, {96, 1, 2}};
constexpr auto kPlan = arenite::plan(kPlanned);

#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Buffer kTensors[] = {{48, 0, 1}, {96, 1, 2}, {0, 2, 2}};
#else
constexpr arenite::Buffer kTensors[] = {{48, 0, 1}};
#endif
static_assert(arenite::ready(kPlan, kTensors).status() == arenite::Status::kOk);

int main() { return 0; }
