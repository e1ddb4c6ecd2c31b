// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What a strategy plans: a list of buffers, or one of which the first few lie already, `Around` which the others are
/// to be placed. A type of its own, so that a program without such lists holds no code for them.
///
/// Pure: safe from any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../buffer.hpp"
#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// A list whose first `fixed` buffers lie already: they have bytes, their offsets are given, by ascending offset,
/// sound, and without a collision. A strategy leaves them as they are.
struct Around {
  const Buffer* buffers;
  std::size_t fixed;
};

/// All buffers of a list of either kind. O(1).
[[nodiscard]] constexpr const Buffer* buffers_of(const Buffer* list) noexcept { return list; }
[[nodiscard]] constexpr const Buffer* buffers_of(const Around& list) noexcept { return list.buffers; }

/// How many of the list lie already. O(1).
[[nodiscard]] constexpr std::size_t fixed_in(const Buffer* /*list*/) noexcept { return 0; }
[[nodiscard]] constexpr std::size_t fixed_in(const Around& list) noexcept { return list.fixed; }

/// The lowest offset, from a given one on, at which the buffer shares no byte with those that lie already and live at
/// its steps. They come by ascending offset, so what is passed stays below. O(fixed).
[[nodiscard]] constexpr std::size_t step_over(const Buffer* /*list*/, const std::size_t* /*offsets*/,
                                              const Buffer& /*buffer*/, std::size_t offset) noexcept {
  return offset;
}
[[nodiscard]] constexpr std::size_t step_over(const Around& list, const std::size_t* offsets, const Buffer& buffer,
                                              std::size_t offset) noexcept {
  for (std::size_t i = 0; i < list.fixed; ++i) {
    const std::size_t end = offsets[i] + list.buffers[i].size;
    if (overlap_in_time(buffer, list.buffers[i]) && offsets[i] < offset + buffer.size && offset < end) {
      offset = end + ((0 - end) & buffer.alignment.mask());
    }
  }
  return offset;
}

}  // namespace ARENITE_ABI
}  // namespace arenite
