// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The same with the best of eight plans.

#include <arenite/planner.hpp>

#include <cstddef>

namespace {

arenite::Planner<32, arenite::best_of_eight> planner;

// What the compiler may not know.
const arenite::Buffer* volatile buffers;  // the device knows where they come from
volatile std::size_t index;
volatile std::size_t output;

}  // namespace

int main() {
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
