// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Places buffers one after the other, each at the lowest offset at which it fits among those placed before. The engine
/// of the strategies that differ only in the order of placing.
///
/// Two buffers can only collide if they live at the same step, so the placed ones are kept in a tree of time spans,
/// each level with nodes four times as long as the level below (a loose quadtree, Thatcher Ulrich 2000, in one
/// dimension). A buffer is kept in the node of its first step, at the finest level at which it ends there or in the
/// next node. A query looks at the nodes under its lifetime and one before, at each level. The buffers of a node are a
/// list by offset, so that what lies too high is not looked at.
///
/// With at most k buffers alive at a step, placing one takes O(k log n), in practice O(k); where all live at the same
/// time, O(n). Pure: safe from any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// Places all buffers, the last of `order` first, and writes their offsets; zero bytes are placed at zero. Those that
/// lie already are the last of the order. True if and only if each of the others ends within `kMaxSize`. `offsets`,
/// `order`, `next` and `heads` have `count` entries each; the order is consumed, and its entries serve as scratch.
template <class List>
constexpr bool first_fit(List list, std::size_t count, std::size_t* offsets, Index* order, Index* next,
                         Index* heads) noexcept {
  const Buffer* const buffers = buffers_of(list);
  // Step s belongs to leaf (leaves + s) >> shift, and the parent of node k is node k / 4. A leaf is at least twice as
  // long as a mean lifetime: few lists that are long are walked faster than many that are short.
  std::size_t steps = 0;
  std::size_t lifetimes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    steps |= buffers[i].last;
    lifetimes += static_cast<std::size_t>(buffers[i].last - buffers[i].first) + 1;
    heads[i] = kNoIndex;
  }
  std::size_t leaves = 2;
  while (leaves <= steps) leaves *= 2;
  unsigned shift = 0;
  while (((leaves | lifetimes) >> shift) > count / 2) ++shift;  // and as many nodes as there are heads

  for (Index* consumed = order + count; consumed != order;) {
    Index* const cursors = consumed--;  // one entry for each buffer placed, enough for one for each list
    const Index index = *consumed;
    const Buffer buffer = buffers[index];

    // The lists that can hold a buffer alive together with this one, and the list of its own.
    Index* home = nullptr;
    Index* cursors_end = cursors;
    std::size_t first = (leaves + buffer.first) >> shift;
    std::size_t last = (leaves + buffer.last) >> shift;
    for (;; first /= 4, last /= 4) {
      if (home == nullptr && last - first <= 1) home = heads + first;
      const bool leftmost = (first & (first - 1)) == 0;
      for (std::size_t node = leftmost ? first : first - 1; node <= last; ++node) {
        if (heads[node] != kNoIndex) *cursors_end++ = heads[node];
      }
      if (last <= 1) break;
    }

    // Raise the offset over whatever is in the way, until nothing is. What a list has passed can't come into the way
    // again, as the offset never falls. No branch on who lives at the same time: nothing could predict it.
    const std::size_t mask = buffer.alignment.mask();
    const bool lies = index < fixed_in(list);
    std::size_t offset = lies ? offsets[index] : 0;
    for (bool moved = !lies; moved;) {
      const std::size_t before = offset;
      for (Index* cursor = cursors; cursor != cursors_end; ++cursor) {
        Index other = *cursor;
        for (; other != kNoIndex && offsets[other] < offset + buffer.size; other = next[other]) {
          const std::size_t end = offsets[other] + buffers[other].size;
          const std::size_t taken = end & (std::size_t{0} - overlap_in_time(buffer, buffers[other]));
          const std::size_t free = (taken + mask) & ~mask;
          if (free > offset) offset = free;
        }
        *cursor = other;
      }
      moved = offset != before;
    }
    if (offset + buffer.size > kMaxSize) return false;  // cannot wrap: the offset is at most kMaxSize + 1
    offsets[index] = offset;

    while (*home != kNoIndex && offsets[*home] < offset) home = &next[*home];
    next[index] = *home;
    *home = index;
  }
  return true;
}

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
