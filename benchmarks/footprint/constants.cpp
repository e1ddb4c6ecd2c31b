// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of plan_constant_index.cpp: the same numbers, written by hand.

#include <cstddef>
#include <cstdint>

namespace {

std::byte memory[73728];

volatile std::uintptr_t output;

}  // namespace

int main() {
  output = reinterpret_cast<std::uintptr_t>(memory + 55296);
  output = reinterpret_cast<std::uintptr_t>(memory + 36864);
  output = reinterpret_cast<std::uintptr_t>(memory + 18432);
  output = 73728;
  return 0;
}
