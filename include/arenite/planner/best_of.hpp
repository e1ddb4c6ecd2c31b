// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The best of several greedy plans. Which order of placing is right depends on the list, and each takes little time:
/// so try some, and keep what takes the fewest bytes.
///
///     constexpr auto kPlan = arenite::plan<arenite::best_of_eight>(kBuffers);
///     using Mine = arenite::best_of<arenite::by_area, arenite::strip<arenite::by_last>>;
///
/// Never worse than `greedy`, which is always among them. A plan of as many bytes as are alive at one step is best, and
/// ends it: where `greedy` is
/// the first member, a list that it plans best has its plan, offset by offset. Deterministic to the last tie: the same
/// offsets on every compiler and target. Pure: safe from any thread and any interrupt that has its own memory.

#include <cstddef>
#include <type_traits>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"
#include "fit.hpp"
#include "lower_bound.hpp"
#include "orders.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

template <Fit kHow, class Order>
struct Member {
  static constexpr Fit kFit = kHow;
  using OrderType = Order;
};

}  // namespace detail

/// A member of `best_of`: in this order, each at the lowest offset at which it fits. Of equal keys the later-added
/// comes first, as in TensorFlow Lite Micro; by size it is `greedy`. An order by itself stands for this, too.
template <class Order>
struct lowest_gap : detail::Member<detail::Fit::kLowestGap, Order> {};

/// A member of `best_of`: in this order, each at that offset at which the fewest bytes lie between it and the next
/// buffer above; at the lowest of several such, and above all others only where it fits nowhere below. Of equal keys
/// the later-added comes first.
template <class Order>
struct smallest_gap : detail::Member<detail::Fit::kSmallestGap, Order> {};

/// A member of `best_of`: strip packing, from the floor up, see `detail::pack_strip`. The next one is always what would
/// come to rest lowest on what lies already; this order says which of several. Of equal keys the earlier-added comes
/// first.
template <class Order>
struct strip : detail::Member<detail::Fit::kStrip, Order> {};

namespace detail {

template <class Member, class = void>
struct ToMember {
  using Type = lowest_gap<Member>;
};
template <class Member>
struct ToMember<Member, std::void_t<typename Member::OrderType>> {
  using Type = Member;
};

/// The strategy, of members that are no bare orders. Its scratch: a list of the buffers, and the best offsets so far.
template <class... Members>
struct Portfolio {
  [[nodiscard]] static constexpr std::size_t scratch(std::size_t count) noexcept { return 3 * count; }

  /// The first `members` of them are tried.
  template <class List>
  [[nodiscard]] static constexpr bool place(List list, std::size_t count, std::size_t* offsets, Index* scratch,
                                            unsigned members = sizeof...(Members)) noexcept {
    constexpr std::size_t kNone = kMaxSize + 1;
    const Buffer* const buffers = buffers_of(list);
    const std::size_t fixed = fixed_in(list);
    Index* const next = scratch;
    Index* const best = scratch + count;  // the offsets of the best so far, two halves each
    const std::size_t bound = bound_of(list, count, offsets, scratch);
    for (std::size_t i = 0; i < fixed; ++i) save(best, i, offsets[i]);
    std::size_t limit = kNone;
    for (unsigned member = 0; member < members; ++member) {
      unsigned number = 0;
      (void)((number++ == member && (Members::OrderType::keys(buffers, count, offsets, next), true)) || ...);
      const Fit fit = kFits[member];
      const Index head = link_by_key(list, count, offsets, fit == Fit::kStrip, next);
      for (std::size_t i = 0; i < fixed; ++i) offsets[i] = saved(best, i);
      if (kAny<Fit::kStrip> && fit == Fit::kStrip) {
        if (!pack_strip(list, offsets, head, next, limit)) continue;
      } else {
        if (!fit_into_gaps(list, offsets, head, next, kAny<Fit::kSmallestGap> ? fit : Fit::kLowestGap, limit)) continue;
      }
      limit = 0;
      for (std::size_t i = fixed; i < count; ++i) {
        const std::size_t offset = offsets[i];
        if (offset + buffers[i].size > limit) limit = offset + buffers[i].size;
        save(best, i, offset);
      }
      if (limit <= bound) return true;
    }
    if (limit == kNone) return false;
    for (std::size_t i = fixed; i < count; ++i) offsets[i] = saved(best, i);
    return true;
  }

 private:
  // A plan of this size is best. The offsets of those that lie already are still there.
  [[nodiscard]] static constexpr std::size_t bound_of(const Buffer* buffers, std::size_t count, std::size_t* sums,
                                                      Index* /*scratch*/) noexcept {
    return sum_alive(buffers, count, sums, false);
  }
  [[nodiscard]] static constexpr std::size_t bound_of(const Around& list, std::size_t count, const std::size_t* offsets,
                                                      Index* scratch) noexcept {
    return lower_bound(list, count, offsets, scratch);
  }

  static constexpr Fit kFits[sizeof...(Members)] = {Members::kFit...};
  template <Fit kFit>
  static constexpr bool kAny = ((Members::kFit == kFit) || ...);
};

/// Puts `greedy` first, unless it is among the members.
template <class... Members>
using PortfolioWithGreedy = std::conditional_t<(std::is_same_v<Members, lowest_gap<by_size>> || ...),
                                               Portfolio<Members...>, Portfolio<lowest_gap<by_size>, Members...>>;

}  // namespace detail

/// A strategy: the smallest plan of the members, the first of several such; what is not named is not linked. Members
/// are tried in the order given, until a plan takes no more than what is alive at one step, or what is needed around
/// buffers that lie already. A member is an order (see `orders.hpp`), or how to
/// use one: `lowest_gap`, `smallest_gap`, `strip`. `by_size` is put in front of the members if it is not among them.
/// There is no plan if and only if no member has one.
///
/// O(n^2) a member at most, for lists of some hundred buffers: for more `greedy` is faster. The default limits of g++
/// 12 and clang++ 14 on constant expressions allow for 150 buffers with eight members and for 256 with three.
template <class... Members>
struct best_of : detail::PortfolioWithGreedy<typename detail::ToMember<Members>::Type...> {};

/// The eight members that are the best together on lists of real models and on random ones. On 107 lists of real models
/// `greedy` is at the lower bound for 80, with the second member for 105, with the fourth for all; the others, and the
/// last with an engine of its own, bring something for lists that are less regular. `benchmarks/plot` prints the table.
using best_of_eight = best_of<by_size, strip<by_last>, strip<by_conflicts>, strip<by_peak>, strip<by_area>,
                              strip<by_first>, strip<by_lifetime>, smallest_gap<by_peak>>;

/// The strategy of `plan` where none is named: `best_of_eight` for up to 150 buffers, the first two of its members
/// for up to 256, `greedy` for more. That is what the default limits of the compilers allow for, and it is the same at
/// run time, so that a list has the same plan everywhere. Never worse than `greedy`. For long lists at run time
/// `best_of_eight` itself may be better.
struct standard {
  static constexpr std::size_t kMostForEight = 150;
  static constexpr std::size_t kMostForTwo = 256;

  [[nodiscard]] static constexpr std::size_t scratch(std::size_t count) noexcept {
    return best_of_eight::scratch(count);
  }

  /// \copydoc linear::place
  template <class List>
  [[nodiscard]] static constexpr bool place(List list, std::size_t count, std::size_t* offsets,
                                            Index* scratch) noexcept {
    return place(list, count, offsets, scratch, count);
  }

  /// The same for pieces that were made of a list of another length: of buffers and constraints together.
  template <class List>
  [[nodiscard]] static constexpr bool place(List list, std::size_t count, std::size_t* offsets, Index* scratch,
                                            std::size_t length) noexcept {
    const unsigned members = length <= kMostForEight ? 8 : length <= kMostForTwo ? 2 : 1;
    return best_of_eight::place(list, count, offsets, scratch, members);
  }
};

}  // namespace ARENITE_ABI
}  // namespace arenite
