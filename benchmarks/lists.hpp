// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Lists of buffers to measure planners with: made up, of any length, the same on every machine.

#include <arenite/buffer.hpp>

#include <cstddef>
#include <cstdint>

namespace lists {

/// Marsaglia's xorshift32, not the standard library's generators: it is a few instructions on an MCU.
class Random {
 public:
  constexpr std::uint32_t below(std::uint32_t limit) noexcept {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % limit;
  }

 private:
  std::uint32_t state_ = 2463534242u;
};

/// Fills a list as a model would, whose operators run one after the other and leave one tensor each: buffer i is born
/// at step i and lives for 1 to 2 * alive - 1 steps, so that `alive` live at a step on average. Sizes are multiples of
/// 16 up to 64000.
constexpr void fill(arenite::Buffer* buffers, std::size_t count, std::uint32_t alive) noexcept {
  Random random;
  for (std::size_t i = 0; i < count; ++i) {
    buffers[i].size = 16 * (1 + random.below(4000));
    buffers[i].first = static_cast<arenite::Step>(i);
    buffers[i].last = static_cast<arenite::Step>(i + random.below(2 * alive - 1));
  }
}

}  // namespace lists
