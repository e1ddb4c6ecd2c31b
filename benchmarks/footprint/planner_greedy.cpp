// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Planning on the device by one order, that of TensorFlow Lite Micro.

#include "planner_program.hpp"

namespace {

arenite::Planner<32, arenite::greedy> planner;

}  // namespace

int main() { return planner_program::run(planner); }
