// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// How many bytes any plan needs: that many must be there at the worst of all steps. So a plan of this size is proven
/// best. No heap, no recursion, usable in constant expressions. Pure: safe from any thread and any interrupt that has
/// its own memory.
///
/// Alignment is counted as far as it is for all: where each offset is a multiple of some alignment, all that live at
/// one step take whole multiples of it, but for the topmost. Where that is not all, the best plan may be larger.

#include <cstddef>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"
#include "sort.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// Index entries that `lower_bound` needs as scratch.
[[nodiscard]] constexpr std::size_t lower_bound_scratch(std::size_t count) noexcept { return 3 * count; }

namespace detail {

/// Goes through time: for each buffer, by ascending first step, `bury(index)` for all that have died until then, and
/// then `bear(index)`. The most is alive after some call of `bear`. `births` and `deaths` have `count` entries each.
template <class Bear, class Bury>
constexpr void sweep(const Buffer* buffers, std::size_t count, Index* births, Index* deaths, Bear bear,
                     Bury bury) noexcept {
  for (const bool last : {false, true}) {  // one sort in the program, not two
    sort_by_key([=](Index index) { return last ? buffers[index].last : buffers[index].first; }, last ? deaths : births,
                count);
  }
  std::size_t dead = 0;
  for (std::size_t born = 0; born < count; ++born) {
    while (buffers[deaths[dead]].last < buffers[births[born]].first) bury(deaths[dead++]);
    bear(births[born]);
  }
}

/// The least alignment of a buffer that has bytes: each offset can be thought of as a multiple of it.
[[nodiscard]] constexpr Alignment least_alignment(const Buffer* buffers, std::size_t count) noexcept {
  Alignment least = kMaxSize + 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (buffers[i].size != 0 && buffers[i].alignment.log2() < least.log2()) least = buffers[i].alignment;
  }
  return least;
}

/// Indices with the largest `key(index)` on top: a binary heap (Williams, 1964).
template <class Key>
class LargestOnTop {
 public:
  constexpr LargestOnTop(Key key, Index* memory) noexcept : key_(key), heap_(memory) {}

  [[nodiscard]] constexpr bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] constexpr Index top() const noexcept { return heap_[0]; }

  /// O(log n).
  constexpr void push(Index index) noexcept {
    std::size_t hole = count_++;
    for (; hole > 0 && key_(heap_[(hole - 1) / 2]) < key_(index); hole = (hole - 1) / 2) {
      heap_[hole] = heap_[(hole - 1) / 2];
    }
    heap_[hole] = index;
  }

  /// O(log n). Not empty.
  constexpr void pop() noexcept {
    const Index entry = heap_[--count_];
    std::size_t hole = 0;
    for (std::size_t child = 1; child < count_; child = 2 * hole + 1) {
      if (child + 1 < count_ && key_(heap_[child]) < key_(heap_[child + 1])) ++child;
      if (key_(heap_[child]) <= key_(entry)) break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = entry;
  }

 private:
  Key key_;
  Index* heap_;
  std::size_t count_ = 0;
};
template <class Key>
LargestOnTop(Key, Index*) -> LargestOnTop<Key>;

}  // namespace detail

/// The most bytes that are needed at one step, where each buffer takes whole multiples of the least alignment in the
/// list, but for one: the topmost, at best the one with the most padding. At most `kMaxSize` where there is a plan; the
/// largest `size_t` where even a sum does not fit into one.
///
/// O(n log n), by a sweep over births and deaths. The buffers are sound (see `validate`); `scratch` has
/// `lower_bound_scratch(count)` entries.
[[nodiscard]] constexpr std::size_t lower_bound(const Buffer* buffers, std::size_t count, Index* scratch) noexcept {
  // No sum wraps where there is a plan: without one padding it is at most kMaxSize, and no padding is more than that.
  const std::size_t mask = detail::least_alignment(buffers, count).mask();
  const auto padding = [buffers, mask](Index index) { return (0 - buffers[index].size) & mask; };
  detail::LargestOnTop padded(padding, scratch + 2 * count);  // those that were born, and some that are dead

  std::size_t live = 0;
  std::size_t most = 0;
  detail::sweep(
      buffers, count, scratch, scratch + count,
      [&](Index born) {
        const std::size_t size = buffers[born].size + padding(born);
        live += size;
        if (live < size) most = detail::kSizeMax;
        if (padding(born) != 0) padded.push(born);
        if (live <= most) return;
        while (!padded.empty() && buffers[padded.top()].last < buffers[born].first) padded.pop();
        const std::size_t needed = padded.empty() ? live : live - padding(padded.top());
        if (needed > most) most = needed;
      },
      [&](Index dead) { live -= buffers[dead].size + padding(dead); });
  return most;
}

/// The same around buffers that lie already: no plan has all of the others end below this. Where those end that lie
/// already does not count. At each step the others need as many bytes between and above them as they have, here without
/// padding; each by itself needs a place between or above them; and they need what they do without them.
///
/// O(n log n + n * fixed). Saturates, as above. `scratch` has `lower_bound_scratch(count)` entries.
[[nodiscard]] constexpr std::size_t lower_bound(const Around& list, std::size_t count, const std::size_t* offsets,
                                                Index* scratch) noexcept {
  const Buffer* const buffers = list.buffers;
  const std::size_t fixed = list.fixed;
  std::size_t most = lower_bound(buffers + fixed, count - fixed, scratch);
  for (std::size_t i = fixed; i < count; ++i) {
    const std::size_t end = step_over(list, offsets, buffers[i], 0) + buffers[i].size;
    if (end > most && buffers[i].size != 0) most = end;
  }

  std::size_t live = 0;  // bytes of those that do not lie yet; their sum fits, or `most` says so already
  detail::sweep(
      buffers, count, scratch, scratch + count,
      [&](Index born) {
        if (born >= fixed) live += buffers[born].size;
        std::size_t end = live;  // of as many free bytes
        for (std::size_t k = 0; k < fixed && offsets[k] < end; ++k) {
          if (alive_at(buffers[k], buffers[born].first)) end = add_saturated(end, buffers[k].size);
        }
        if (end > most) most = end;
      },
      [&](Index dead) {
        if (dead >= fixed) live -= buffers[dead].size;
      });
  return most;
}

}  // namespace ARENITE_ABI
}  // namespace arenite
