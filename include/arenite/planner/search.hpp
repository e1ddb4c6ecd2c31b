// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A small search for the best plan, on the device and in the compiler: without heap, without recursion, in memory
/// handed in, and bounded by a count of steps.
///
///     constexpr auto kPlan = arenite::plan<arenite::search<50000>>(kBuffers);
///
/// Push the buffers of any packing down until each rests on the ground or on another: it can be rebuilt by placing them
/// from the ground up, each at its *release*, the lowest offset above all that were placed and live together with it.
/// So a state is what was placed, in its order, and a step is to choose what is next: branch and bound in the canonical
/// order of MiniMalloc (Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine
/// Learning", ASPLOS 2023).
///
/// 1. Offsets never fall along the way, and of equal offsets the lower *rank* is first. What has a lower release than
///    that is *blocked*: it must come to rest on something that is not placed yet.
/// 2. *Lifting*: so it lies at least on the lowest of these; along chains by Dijkstra's algorithm.
/// 3. What lives at one step lies one over the other. Stacked by ascending release, lifted, they reach least high (as
///    with Jackson's rule for one machine): a state in which that is too high at some step fails.
/// 4. A buffer that would fit below the next choice will never be there: the choice fails.
/// 5. Equal buffers have the same rank: where one failed, the other is not tried.
/// 6. A choice that lies on the last one, and would better or as well have been chosen before it, fails.
/// 7. Where nothing that is left lives on both sides of some point in time, the parts are solved one after the other,
///    and a part that fails fails the choice that parted it from others.
///
/// All of it holds around buffers that have a place already: a release steps over them. 4 and 6 need a proof that they
/// do not exclude each other: of all packings within a size there is one in which the offsets, compared one by one in
/// the order of ranks, are the least. Who moves a buffer down, or a lower rank down and a higher one up, makes them
/// less: so there is none that 4 or 6 would move, and it is never pruned.
///
/// Deterministic: the same offsets on every compiler and target. Pure: safe from any thread and any interrupt that has
/// its own memory.

#include <cstddef>
#include <utility>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"
#include "best_of.hpp"
#include "orders.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// Entries of scratch for each buffer.
inline constexpr std::size_t kSearchScratch = 8;

/// One search. Few statements in the inner loops, as in `fit.hpp`.
template <class List>
class CanonicalSearch {
 public:
  /// `offsets` are those of a packing. `scratch` has `kSearchScratch` entries a buffer.
  constexpr CanonicalSearch(List list, std::size_t count, std::size_t* offsets, Index* scratch,
                            std::size_t work) noexcept
      : list_(list),
        buffers_(buffers_of(list)),
        offsets_(offsets),
        order_(scratch),
        next_(scratch + count),
        rank_(scratch + 2 * count),
        ends_(scratch + 3 * count),
        heaps_(scratch + 4 * count),
        best_(scratch + 6 * count),
        count_(count),
        fixed_(fixed_in(list)),
        work_(work) {}

  /// Makes the packing smaller, as far as it can be and need be: one of `bound` is small enough. Raises `bound` to what
  /// is known to be needed, which is the size of the packing if it is proven best.
  constexpr void run(std::size_t& bound) noexcept {
    keep();
    const std::size_t alive = sum_alive(buffers_ + fixed_, count_ - fixed_, offsets_ + fixed_, false);
    if (alive > bound) bound = alive;
    if (size_ > bound) {
      rank();
      link_by_birth();
      if (exhaust(bound) && size_ > bound) bound = size_;
    }
    for (std::size_t i = fixed_; i < count_; ++i) offsets_[i] = saved(best_, i);
  }

 private:
  /// In `offsets_`, a bit that no offset has. What is not placed has its release there; with this bit, its release has
  /// to be worked out anew: it is not known, or the buffer is blocked and has its lifted release there.
  static constexpr std::size_t kMark = kMaxSize + 1;

  // --- places --------------------------------------------------------------------------------------------------------

  [[nodiscard]] constexpr std::size_t top_of(std::size_t index) const noexcept {
    return offsets_[index] + buffers_[index].size;
  }

  /// The lowest offset from `top` on at which the buffer can lie: aligned, and on none that is fixed.
  [[nodiscard]] constexpr std::size_t rest(const Buffer& buffer, std::size_t top) noexcept {
    spend(fixed_);
    return step_over(list_, offsets_, buffer, top + ((0 - top) & buffer.alignment.mask()));
  }

  /// The release of a buffer, one of those placed left out.
  [[nodiscard]] constexpr std::size_t release_of(const Buffer& buffer, std::size_t top, Index without) noexcept {
    for (std::size_t k = 0; k < depth_; ++k)
      if ((buffers_[order_[k]].first <= buffer.last) & (buffer.first <= buffers_[order_[k]].last) &
          (top_of(order_[k]) > top) & (order_[k] != without))
        top = top_of(order_[k]);
    spend(depth_);
    return rest(buffer, top);
  }

  /// Remembers a packing that is better than all before.
  constexpr void keep() noexcept {
    size_ = 0;
    for (std::size_t i = fixed_; i < count_; ++i) {
      if (buffers_[i].size == 0) offsets_[i] = 0;
      if (buffers_[i].size != 0 && top_of(i) > size_) size_ = top_of(i);
      save(best_, i, offsets_[i]);
    }
  }

  // --- orders --------------------------------------------------------------------------------------------------------

  /// Ranks by `by_conflicts`; equal buffers share one.
  constexpr void rank() noexcept {
    (void)sum_alive(buffers_ + fixed_, count_ - fixed_, offsets_ + fixed_, true);
    std::size_t ranks = 0;
    for (Index index = link_by_key(list_, count_, offsets_, true, next_); index != kNoIndex; index = next_[index]) {
      order_[ranks] = index;
      std::size_t rank = 0;
      while (buffers_[order_[rank]] != buffers_[index]) ++rank;
      rank_[index] = static_cast<Index>(rank);
      ++ranks;
    }
  }

  /// Links what has bytes by ascending first step.
  constexpr void link_by_birth() noexcept {
    for (std::size_t i = count_; i-- > fixed_;) {
      if (buffers_[i].size == 0) continue;
      Index* link = &head_;
      while (*link != kNoIndex && buffers_[*link].first < buffers_[i].first) link = &next_[*link];
      next_[i] = *link;
      *link = static_cast<Index>(i);
      offsets_[i] = kSizeMax;
    }
  }

  // --- search --------------------------------------------------------------------------------------------------------

  constexpr void spend(std::size_t steps) noexcept { work_ -= steps < work_ ? steps : work_; }

  /// True if and only if the packing is of `bound` or proven best. Each turn looks at one state.
  constexpr bool exhaust(std::size_t bound) noexcept {
    while (work_ != 0) {
      if (head_ == kNoIndex) {
        keep();
        if (size_ <= bound) return true;
        std::size_t highest = 0;  // the first one that is too high from now on
        while (top_of(order_[highest]) != size_) ++highest;
        take_back(highest);
        continue;
      }
      const Index choice = examine();
      if (choice != kNoIndex) {
        put(choice);
        continue;
      }
      const std::size_t parted = part();
      if (work_ != 0 && parted == 0) return true;
      if (parted != 0) take_back(parted - 1);
    }
    return false;
  }

  /// How many were placed when the part that is next was parted from others: the last of them parted it. Zero if it
  /// never was one with others.
  [[nodiscard]] constexpr std::size_t part() const noexcept {
    std::size_t parted = depth_;
    while (parted != 0 && ends_[parted - 1] < buffers_[head_].first) --parted;
    return parted;
  }

  /// Whatever is not above the one that was placed as number `placed` - 1 is blocked from now on.
  constexpr void block(std::size_t placed) noexcept {
    blocked_offset_ = placed == 0 ? 0 : offsets_[order_[placed - 1]];
    blocked_rank_ = placed == 0 ? 0 : rank_[order_[placed - 1]] + std::size_t{1};
  }

  /// Places a buffer at its release.
  constexpr void put(Index choice) noexcept {
    Index* link = &head_;
    while (*link != choice) link = &next_[*link];
    *link = next_[choice];
    order_[depth_] = choice;
    ends_[depth_++] = end_;
    const Buffer& buffer = buffers_[choice];
    for (Index other = head_; other != kNoIndex && buffers_[other].first <= buffer.last; other = next_[other]) {
      spend(1);
      if (!overlap_in_time(buffer, buffers_[other])) continue;
      const std::size_t offset = rest(buffers_[other], top_of(choice));
      if (offsets_[other] < offset) offsets_[other] = offset;
    }
    if (head_ != kNoIndex) block(part());
  }

  /// Takes back what was placed as number `placed` and later; at its release it failed.
  constexpr void take_back(std::size_t placed) noexcept {
    block(placed + 1);
    while (depth_ > placed) {
      const Index index = order_[--depth_];
      Index* link = &head_;
      while (*link != next_[index]) link = &next_[*link];
      *link = index;
      const Buffer& buffer = buffers_[index];
      for (Index other = head_; other != kNoIndex && buffers_[other].first <= buffer.last; other = next_[other]) {
        spend(1);
        if (overlap_in_time(buffer, buffers_[other])) offsets_[other] = kSizeMax;
      }
    }
  }

  /// What is to be placed next, or none if the state fails. Only looks at the part that is next: what is connected, by
  /// its lifetimes, to the first of those not placed.
  constexpr Index examine() noexcept {
    Index* const queue = order_ + depth_;  // of the part, the blocked ones first
    std::size_t waiting = 0;
    std::size_t blocked = 0;
    std::size_t unit = 0;  // a mask, as all of these
    Index choice = kNoIndex;
    do {
      waiting = 0;
      blocked = 0;
      unit = kMaxSize;
      choice = kNoIndex;
      end_ = buffers_[head_].last;
      std::size_t least = kSizeMax;
      std::size_t least_top = kSizeMax;
      for (Index index = head_; index != kNoIndex && buffers_[index].first <= end_; index = next_[index]) {
        const Buffer& buffer = buffers_[index];
        if (offsets_[index] >= kMark) offsets_[index] = release_of(buffer, 0, kNoIndex);
        const std::size_t release = offsets_[index];
        if (release + buffer.size >= size_) return kNoIndex;  // also a release of kMark itself
        end_ = buffer.last > end_ ? buffer.last : end_;
        least_top = release + buffer.size < least_top ? release + buffer.size : least_top;
        unit &= buffer.alignment.mask();
        heaps_[std::size_t{2} * index] = 0;
        heaps_[std::size_t{2} * index + 1] = 0;
        queue[waiting++] = index;
        if (release < blocked_offset_ || (release == blocked_offset_ && rank_[index] < blocked_rank_)) {
          queue[waiting - 1] = queue[blocked];
          queue[blocked++] = index;
        } else if (release < least || (release == least && rank_[index] < rank_[choice])) {
          least = release;
          choice = index;
        }
      }
      spend(waiting);
      if (least >= least_top || work_ == 0) return kNoIndex;
    } while (belongs_below(choice));
    for (std::size_t i = 0; i < blocked; ++i) offsets_[queue[i]] = kSizeMax;
    return stack(queue, waiting, blocked, size_ > kMaxSize - unit ? 0 : unit) ? choice : kNoIndex;
  }

  /// Whether the buffer lies on the one placed last, and the two the other way round do no harm: it has the lower rank,
  /// and what is not placed would not have to lie higher. If so, it is blocked.
  constexpr bool belongs_below(Index index) noexcept {
    if (depth_ == 0) return false;
    const Index below = order_[depth_ - 1];
    const Buffer& upper = buffers_[index];
    const Buffer& lower = buffers_[below];
    if (rank_[index] >= rank_[below] || !overlap_in_time(upper, lower)) return false;
    if (rest(upper, top_of(below)) != offsets_[index]) return false;
    const std::size_t top =
        release_of(lower, release_of(upper, 0, below) + upper.size, below) + lower.size;  // the other way round
    if (top > top_of(index)) return false;
    for (Index other = head_; other != kNoIndex && buffers_[other].first <= lower.last; other = next_[other]) {
      spend(1);
      if (overlap_in_time(lower, buffers_[other]) && !overlap_in_time(upper, buffers_[other]) &&
          (offsets_[other] >= kMark || offsets_[other] < top))
        return false;
    }
    blocked_offset_ = offsets_[index];
    blocked_rank_ = rank_[index] + std::size_t{1};
    return true;
  }

  /// Lifts the blocked ones, and stacks all, for each step at which one is born. False if one of the stacks is too
  /// high.
  ///
  /// All offsets are multiples of the least alignment, so each buffer but the topmost takes its padding, too: a stack
  /// has the largest padding of its buffers in the bits that are free for it.
  constexpr bool stack(Index* queue, std::size_t waiting, std::size_t blocked, std::size_t unit) noexcept {
    while (waiting != 0 && work_ != 0) {
      std::size_t least = kMaxSize;
      for (std::size_t i = 0; i < waiting; ++i)
        least = (offsets_[queue[i]] & kMaxSize) < least ? offsets_[queue[i]] & kMaxSize : least;
      spend(waiting);
      if (least >= size_) return false;
      for (std::size_t i = waiting; i-- > 0;) {
        const Index index = queue[i];
        if ((offsets_[index] & kMaxSize) != least) continue;
        queue[i] = queue[--waiting];
        if (i < blocked) {
          queue[i] = queue[--blocked];
          queue[blocked] = queue[waiting];
        }
        const Buffer& buffer = buffers_[index];
        const std::size_t top = least + buffer.size;
        if (top >= size_) return false;

        const std::size_t padding = (0 - buffer.size) & unit;
        std::size_t steps = blocked;
        for (Index born = index; born != kNoIndex && buffers_[born].first <= buffer.last; born = next_[born]) {
          Index* const heap = heaps_ + std::size_t{2} * born;
          const std::size_t old = heap[0] | static_cast<std::size_t>(heap[1]) << kHalf;
          const std::size_t most = (old & unit) > padding ? old & unit : padding;
          const std::size_t high = ((old & ~unit) > least ? old & ~unit : least) + buffer.size + padding;
          if (high - most >= size_) return false;
          heap[0] = static_cast<Index>(high | most);
          heap[1] = static_cast<Index>((high | most) >> kHalf);
          ++steps;
        }
        for (std::size_t k = 0; k < blocked; ++k) {
          if (!overlap_in_time(buffers_[queue[k]], buffer)) continue;
          const std::size_t offset = rest(buffers_[queue[k]], top);
          const std::size_t lifted = offset < kMaxSize ? offset | kMark : kSizeMax;
          if (lifted < offsets_[queue[k]]) offsets_[queue[k]] = lifted;
        }
        spend(steps);
      }
    }
    return true;
  }

  List list_;
  const Buffer* buffers_;
  std::size_t* offsets_;
  Index* order_;  // what is placed, in its order; behind it, for `examine`, what is not
  Index* next_;   // of those not placed, by ascending first step
  Index* rank_;   // of each
  Index* ends_;   // of the part that each of those placed was chosen from: its last step
  Index* heaps_;  // for each not placed, how high those born before it and alive with it reach; two halves
  Index* best_;   // offsets, two halves each
  std::size_t count_;
  std::size_t fixed_;
  std::size_t work_;                // what is left
  std::size_t size_ = 0;            // of the best
  std::size_t depth_ = 0;           // how many are placed
  Index head_ = kNoIndex;           // of those not placed
  Step end_ = 0;                    // of the part that is next
  std::size_t blocked_offset_ = 0;  // what has a lower release is blocked, or the same and a lower rank than this
  std::size_t blocked_rank_ = 0;
};

}  // namespace detail

/// A strategy: the best plan there is, if it can be found and proven within so many elementary steps. `First` runs
/// first, and only if its plan takes more than the bytes that are alive at one step there is a search: never worse than
/// `First`, so never worse than `greedy`. There is no plan if and only if `First` has none.
///
/// Time: that of `First`, O(n^2), and `kWork` steps of a few instructions each, where the last state that is looked at
/// may take O(n * (depth + fixed)) steps more.
///
/// What is proven best within the default: lists of up to 8 buffers, and mostly of up to some 48 if their alignments
/// agree. Where these differ, padding makes proofs long from some 16 buffers on. `quality_benchmark --small` prints how
/// many of random lists are proven.
///
/// In constant expressions the default limits of g++ 12 and clang++ 14 allow for `search<50000>`, which is enough for
/// most lists of 8 and for longer ones with one alignment, with up to 100 buffers.
template <std::size_t kWork = 4000000, class First = best_of_eight>
struct search {
  static constexpr bool kProves = true;

  /// 16 bytes a buffer on a 32-bit target, so that it is 32 in all with the buffer and its offset.
  [[nodiscard]] static constexpr std::size_t scratch(std::size_t count) noexcept {
    const std::size_t own = detail::kSearchScratch * count;
    return First::scratch(count) > own ? First::scratch(count) : own;
  }

  /// `bound`, where given, is a size that need not be undercut, and is raised to what is known to be needed: to the
  /// size of the plan if it is proven best.
  template <class List, class = decltype(First::place(std::declval<List>(), std::size_t{}, std::declval<std::size_t*>(),
                                                      std::declval<Index*>()))>
  [[nodiscard]] static constexpr bool place(List list, std::size_t count, std::size_t* offsets, Index* scratch,
                                            std::size_t* bound = nullptr) noexcept {
    if (!First::place(list, count, offsets, scratch)) return false;
    std::size_t needed = bound != nullptr ? *bound : 0;
    detail::CanonicalSearch<List>(list, count, offsets, scratch, kWork).run(needed);
    if (bound != nullptr) *bound = needed;
    return true;
  }
};

}  // namespace ARENITE_ABI
}  // namespace arenite
