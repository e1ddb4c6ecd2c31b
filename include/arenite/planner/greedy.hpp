// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The strategy of TensorFlow Lite Micro's `GreedyMemoryPlanner`: largest first, each at the lowest offset at which it
/// fits; of equal sizes the later-added first, as there. The answer is the same, offset by offset.
///
/// See Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020), *Greedy by size*. Pure:
/// safe from any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"
#include "first_fit.hpp"
#include "sort.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// \copydoc linear
struct greedy {
  [[nodiscard]] static constexpr std::size_t scratch(std::size_t count) noexcept { return 3 * count; }

  /// O(n log n) with a bounded number of buffers alive at a step, O(n^2) where all live at the same time.
  template <class List>
  [[nodiscard]] static constexpr bool place(List list, std::size_t count, std::size_t* offsets,
                                            Index* scratch) noexcept {
    const auto key = [list](Index index) {
      return index < fixed_in(list) ? kMaxSize + 1 : buffers_of(list)[index].size;
    };
    detail::sort_by_key(key, scratch, count);
    return detail::first_fit(list, count, offsets, scratch, scratch + count, scratch + 2 * count);
  }
};

}  // namespace ARENITE_ABI
}  // namespace arenite
