// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Planning on the device, as it is by default, around what is pinned and reserved, and with aliases.

#include <arenite/planner.hpp>

#include <cstddef>

namespace {

constexpr std::size_t kBuffers = 32;
constexpr std::size_t kConstraints = 4;

// What the compiler may not know.
const arenite::Buffer* volatile buffers;  // the device knows where they come from
const arenite::Constraint* volatile constraints;
volatile std::size_t index;
volatile std::size_t output;

alignas(std::size_t) std::byte memory[arenite::plan_bytes(kBuffers, kConstraints)];

}  // namespace

int main() {
  const arenite::PlanRef plan = arenite::plan(buffers, kBuffers, {constraints, kConstraints}, memory, sizeof memory);
  if (plan.status() != arenite::Status::kOk) return 1;
  output = plan.offset(index);
  output = plan.size();
  return 0;
}
