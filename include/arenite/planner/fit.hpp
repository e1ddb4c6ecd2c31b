// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The engines of `best_of`: where each buffer is placed, given the order. For lists of some hundred buffers: O(n^2),
/// one index of scratch a buffer, little code.
///
/// And few steps for the constant evaluator of clang++, which counts statements, braces among them, but not what stands
/// in an expression: hence the long expressions, and no braces, in the inner loops. Pure: safe from any thread and any
/// interrupt that has its own memory.

#include <cstddef>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// How a member of `best_of` places its buffers.
enum class Fit : unsigned char { kLowestGap, kSmallestGap, kStrip };

/// Places the buffers of the list from `head` on, one after the other, around those that lie already: at the lowest
/// offset at which it fits among those placed before; for `kSmallestGap`, at that at which the fewest bytes lie from
/// the offset to the next buffer above, the lowest of several such, and above all others if and only if it fits nowhere
/// below. True if and only if each ends below `limit`, which is at most `kMaxSize` + 1. The list is consumed.
template <class List>
constexpr bool fit_into_gaps(List list, std::size_t* offsets, Index head, Index* next, Fit fit,
                             std::size_t limit) noexcept {
  const Buffer* const buffers = buffers_of(list);
  Index lowest = kNoIndex;  // those placed, by ascending offset
  for (std::size_t i = fixed_in(list); i-- > 0;) {
    next[i] = lowest;
    lowest = static_cast<Index>(i);
  }
  while (head != kNoIndex) {
    const Index index = head;
    const Buffer& buffer = buffers[index];
    const std::size_t mask = buffer.alignment.mask();
    head = next[index];

    std::size_t gap = kSizeMax;
    std::size_t offset = 0;  // of the gap
    std::size_t above = 0;   // all that was looked at
    for (Index other = lowest; other != kNoIndex; other = next[other]) {
      if (!((buffers[other].first <= buffer.last) & (buffer.first <= buffers[other].last))) continue;
      if (offsets[other] >= above + buffer.size && offsets[other] - above < gap) {
        gap = offsets[other] - above;
        offset = above;
        if (fit == Fit::kLowestGap) break;
      }
      const std::size_t end = offsets[other] + buffers[other].size;
      above = end > above ? end + ((0 - end) & mask) : above;
    }
    if (gap == kSizeMax) offset = above;
    if (offset + buffer.size >= limit) return false;  // cannot wrap: the offset is at most kMaxSize + 1
    offsets[index] = offset;

    Index* link = &lowest;
    while (*link != kNoIndex && offsets[*link] < offset) link = &next[*link];
    next[index] = *link;
    *link = index;
  }
  return true;
}

/// Packs the buffers of the list from `head` on as a strip, from the floor up. Time runs along the strip. What is
/// placed next is always what would come to rest lowest, on the floor or on those that were placed before or lie
/// already, its padding included; of several the first in the list. True if and only if each ends below `limit`, which
/// is at most `kMaxSize` + 1. The list is consumed.
///
/// It is the best fit of Burke, Kendall and Whitwell, "A New Placement Heuristic for the Orthogonal Stock-Cutting
/// Problem" (2004), for rectangles whose place along the strip is given, as Sekiyama et al. apply it to tensors in
/// "Profile-guided memory optimization for deep neural networks" (2018). The lowest resting place is looked for among
/// the buffers, so that no skyline has to be kept.
template <class List>
constexpr bool pack_strip(List list, std::size_t* offsets, Index head, Index* next, std::size_t limit) noexcept {
  const Buffer* const buffers = buffers_of(list);
  for (Index index = head; index != kNoIndex; index = next[index]) offsets[index] = 0;  // what it would come to rest on
  Step first = 0;                                                                       // of what was placed last
  Step last = 0;
  std::size_t top = 0;
  while (head != kNoIndex) {
    Index* lowest = &head;
    std::size_t least = kSizeMax;  // where that one would lie: padded
    for (Index* link = &head; *link != kNoIndex; link = &next[*link]) {
      offsets[*link] = ((buffers[*link].first <= last) & (first <= buffers[*link].last) & (offsets[*link] < top)) != 0
                           ? top
                           : offsets[*link];
      if (offsets[*link] < least) {
        const std::size_t mask = buffers[*link].alignment.mask();
        const std::size_t offset =
            step_over(list, offsets, buffers[*link], offsets[*link] + ((0 - offsets[*link]) & mask));
        if (offset >= least) continue;
        least = offset;
        lowest = link;
      }
    }
    const Index index = *lowest;
    first = buffers[index].first;
    last = buffers[index].last;
    top = least + buffers[index].size;  // cannot wrap: the offset is at most kMaxSize + 1
    if (top >= limit) return false;
    offsets[index] = least;
    *lowest = next[index];
  }
  return true;
}

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
