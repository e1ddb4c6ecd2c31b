// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Planning on the device, as it is by default: buffers that are not known before are added one by one.

#include "planner_program.hpp"

namespace {

arenite::Planner<32> planner;

}  // namespace

int main() { return planner_program::run(planner); }
