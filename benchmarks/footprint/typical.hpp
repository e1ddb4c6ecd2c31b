// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What the twins of arena_typical.cpp have in common with it: a plan, an object, a row of scratch.

#include <arenite/planner.hpp>

#include <cstddef>
#include <cstdint>

namespace typical {

inline constexpr arenite::Buffer kBuffers[] = {
    {27648, 0, 1},
    {55296, 1, 2},
    {18432, 2, 3},
};
inline constexpr auto kPlan = arenite::plan(kBuffers);

struct Filter {
  explicit Filter(std::int32_t gain_at_start) noexcept : gain(gain_at_start) {}
  std::int32_t gain;
  std::int32_t state = 0;
};

inline constexpr std::size_t kRow = 96 * sizeof(std::int32_t);

// What the compiler may not know.
static volatile std::int32_t input;
static volatile std::int32_t output;

}  // namespace typical
