// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A plan made by the compiler, of which only the size and offsets with constant indices are used: they are numbers in
// the code, and no table is left.

#include <arenite/planner.hpp>

#include <cstddef>
#include <cstdint>

#include "../../examples/person_detection/buffers.hpp"

namespace {

constexpr auto kPlan = arenite::plan<arenite::greedy>(person_detection::kBuffers);
static_assert(kPlan.size() == 73728 && kPlan.offset(1) == 55296 && kPlan.offset(2) == 36864 &&
              kPlan.offset(6) == 18432);

std::byte memory[kPlan.size()];

// Somebody who uses the buffers.
volatile std::uintptr_t output;

}  // namespace

int main() {
  output = reinterpret_cast<std::uintptr_t>(memory + kPlan.offset(1));
  output = reinterpret_cast<std::uintptr_t>(memory + kPlan.offset(2));
  output = reinterpret_cast<std::uintptr_t>(memory + kPlan.offset(6));
  output = kPlan.size();
  return 0;
}
