// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: plan_was_made_for_other_buffers

#include <arenite/session.hpp>

constexpr arenite::Buffer kPlanned[] = {{48, 0, 1, 16}, {96, 1, 2, 16}};
constexpr auto kPlan = arenite::plan(kPlanned);

#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Buffer kTensors[] = {{48, 0, 1, 16}, {96, 1, 2, 32}};
#else
constexpr arenite::Buffer kTensors[] = {{48, 0, 1, 16}, {96, 1, 2, 8}};
#endif
constexpr auto kReady = arenite::ready(kPlan, kTensors);

int main() { return kReady.status() == arenite::Status::kOk ? 0 : 1; }
