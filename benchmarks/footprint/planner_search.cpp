// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The same with a search for the best plan.

#include "planner_program.hpp"

namespace {

arenite::Planner<32, arenite::search<>> planner;

}  // namespace

int main() { return planner_program::run(planner); }
