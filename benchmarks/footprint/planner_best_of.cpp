// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The same with the best of eight plans.

#include "planner_program.hpp"

namespace {

arenite::Planner<32, arenite::best_of_eight> planner;

}  // namespace

int main() { return planner_program::run(planner); }
