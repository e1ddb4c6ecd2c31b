// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Planning on the device, by whatever planner: buffers that are not known before are added one by one.

#include <arenite/planner.hpp>

#include <cstddef>

namespace planner_program {

// What the compiler may not know.
static const arenite::Buffer* volatile buffers;  // the device knows where they come from
static volatile std::size_t index;
static volatile std::size_t output;

template <class Planner>
[[gnu::always_inline]] inline int run(Planner& planner) {
  const arenite::Buffer* const list = buffers;
  for (std::size_t i = 0; i < 32; ++i) {
    if (planner.add(list[i]) != arenite::Status::kOk) return 1;
  }
  const arenite::PlanRef plan = planner.plan();
  if (plan.status() != arenite::Status::kOk) return 1;
  output = plan.offset(index);
  output = plan.size();
  return 0;
}

}  // namespace planner_program
