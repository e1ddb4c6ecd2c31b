// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// planner_best_of.cpp that verifies its plan.

#include "planner_program.hpp"

namespace {

arenite::Planner<32> planner;
arenite::Index scratch[arenite::verify_scratch(32)];

}  // namespace

int main() {
  if (planner_program::run(planner) != 0) return 1;
  return planner.plan().verify(scratch).ok() ? 0 : 1;
}
