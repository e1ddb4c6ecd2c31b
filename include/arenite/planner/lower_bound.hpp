// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The most bytes live at one step: no plan can be smaller, so a plan of this size is proven best.
///
/// Alignment is not counted: with padding between buffers the best plan may be larger than the bound. Pure: safe from
/// any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../buffer.hpp"
#include "../version.hpp"
#include "sort.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// Index entries that `lower_bound` needs as scratch.
[[nodiscard]] constexpr std::size_t lower_bound_scratch(std::size_t count) noexcept { return 2 * count; }

/// Sweeps over births and deaths, O(n log n). The buffers are sound (see `validate`), and the sum of what lives at one
/// step fits into a `size_t`, as it does where there is a plan. `scratch` has `lower_bound_scratch(count)` entries.
[[nodiscard]] constexpr std::size_t lower_bound(const Buffer* buffers, std::size_t count, Index* scratch) noexcept {
  Index* const births = scratch;
  Index* const deaths = scratch + count;
  detail::sort_by_key([buffers](Index index) { return buffers[index].first; }, births, count);
  detail::sort_by_key([buffers](Index index) { return buffers[index].last; }, deaths, count);

  std::size_t live = 0;
  std::size_t most = 0;
  std::size_t dead = 0;
  for (std::size_t born = 0; born < count; ++born) {
    const Buffer& buffer = buffers[births[born]];
    while (buffers[deaths[dead]].last < buffer.first) live -= buffers[deaths[dead++]].size;
    live += buffer.size;
    if (live > most) most = live;
  }
  return most;
}

}  // namespace ARENITE_ABI
}  // namespace arenite
