// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What a plan has to be, written from the definitions and without a line of the planners: slow and plain. And random
/// lists of buffers to compare the two on.

#include <arenite/buffer.hpp>
#include <arenite/plan.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "seed.hpp"

namespace planning {

using arenite::Buffer;
using arenite::Index;
using arenite::PlanRef;
using arenite::Step;
using Buffers = std::vector<Buffer>;
using Offsets = std::vector<std::size_t>;
using Order = std::vector<Index>;

// --- random lists ---------------------------------------------------------------------------------------------------

/// A generator of its own, so that a seed gives the same numbers everywhere: xorshift (Marsaglia, 2003).
class Random {
 public:
  explicit Random(std::uint32_t seed = arenite_test::seed_of_this_run()) : seed_(seed), state_(seed * 2654435769u + 1) {
    if (state_ == 0) state_ = 1;
  }

  std::uint32_t seed() const { return seed_; }

  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }

  /// From 0 to `end` - 1; `end` is above zero.
  std::uint32_t below(std::uint32_t end) { return next() % end; }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1); }

  /// From 0 to `most`, small numbers as often as large ones: every number of bits is as likely.
  std::uint32_t any_length(std::uint32_t most) {
    std::uint32_t bits = 0;
    while (bits < 32 && most >> bits != 0) ++bits;
    const std::uint32_t length = below(bits + 1);
    const std::uint32_t value = length == 0 ? 0 : next() >> (32 - length);
    return value > most ? most : value;
  }

 private:
  std::uint32_t seed_;
  std::uint32_t state_;
};

/// What random lists look like; each property is between the numbers given.
struct Shape {
  std::uint32_t count_least, count_most;
  std::uint32_t size_least, size_most;
  std::uint32_t last_step;     // all steps are at most this
  std::uint32_t longest;       // from the first step to the last; short lifetimes are as frequent as long ones
  unsigned largest_alignment;  // log2; all powers of two up to it
};

/// `random` has the calls of `Random`.
template <class Source>
Buffers random_list(Source& random, const Shape& shape) {
  Buffers buffers(random.between(shape.count_least, shape.count_most));
  for (Buffer& buffer : buffers) {
    buffer.size = random.between(shape.size_least, shape.size_most);
    const std::uint32_t first = random.between(0, shape.last_step);
    const std::uint32_t length = random.any_length(shape.longest);
    buffer.first = static_cast<Step>(first);
    buffer.last = static_cast<Step>(length > shape.last_step - first ? shape.last_step : first + length);
    buffer.alignment = std::size_t{1} << random.between(0, shape.largest_alignment);
  }
  return buffers;
}

/// Lists in which as many bytes are alive as there is room for, at most steps: those for which the most alive does not
/// always suffice. As many buffers as find room, `count` at most.
inline Buffers dense_list(Random& random, std::size_t count, std::uint32_t room, std::uint32_t steps) {
  std::vector<std::size_t> alive(steps);
  Buffers buffers;
  for (int tries = 0; tries < 1000 && buffers.size() < count; ++tries) {
    const std::size_t size = random.between(1, room * 2 / 3);
    const std::uint32_t first = random.below(steps);
    const std::uint32_t last = random.between(first, steps - 1);
    std::size_t most = 0;
    for (std::uint32_t step = first; step <= last; ++step) most = std::max(most, alive[step]);
    if (most + size > room) continue;
    for (std::uint32_t step = first; step <= last; ++step) alive[step] += size;
    buffers.push_back({size, static_cast<Step>(first), static_cast<Step>(last), 1});
  }
  return buffers;
}

inline Order random_order(Random& random, std::size_t count) {
  Order order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<Index>(i);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

/// The list as it would be written in a source, for the message of a failed test.
inline std::string describe(const Buffer* buffers, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count && i < 200; ++i) {
    text += "{" + std::to_string(buffers[i].size) + ", " + std::to_string(buffers[i].first) + ", " +
            std::to_string(buffers[i].last) + ", " + std::to_string(buffers[i].alignment.bytes()) + "}, ";
  }
  return text;
}

// --- definitions ----------------------------------------------------------------------------------------------------

inline bool share_a_step(const Buffer& a, const Buffer& b) { return !(a.last < b.first || b.last < a.first); }

inline bool share_a_byte(const Buffer& a, std::size_t offset_a, const Buffer& b, std::size_t offset_b) {
  if (a.size == 0 || b.size == 0) return false;
  return offset_a < offset_b + b.size && offset_b < offset_a + a.size;
}

/// Indices of the largest first; of equal sizes the later-added first.
inline void largest_first(const Buffer* buffers, std::size_t count, Index* order) {
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rank = 0;
    for (std::size_t j = 0; j < count; ++j) {
      rank += buffers[j].size > buffers[i].size || (buffers[j].size == buffers[i].size && j > i);
    }
    order[rank] = static_cast<Index>(i);
  }
}

/// First fit, from the definition: in this order, each at the first multiple of its alignment at which it collides with
/// none that was placed before.
inline void first_fit(const Buffer* buffers, std::size_t count, const Index* order, std::size_t* offsets) {
  for (std::size_t k = 0; k < count; ++k) {
    const Buffer& buffer = buffers[order[k]];
    const auto collides = [&](std::size_t offset) {
      for (std::size_t j = 0; j < k; ++j) {
        const Buffer& other = buffers[order[j]];
        if (share_a_step(buffer, other) && share_a_byte(buffer, offset, other, offsets[order[j]])) return true;
      }
      return false;
    };
    std::size_t offset = 0;
    while (collides(offset)) offset += buffer.alignment.bytes();
    offsets[order[k]] = offset;
  }
}

/// The same for larger lists: looks only at the ends of others, by ascending offset. O(n^2).
inline Offsets first_fit_of_many(const Buffers& buffers, const Order& order) {
  Offsets offsets(buffers.size());
  Order placed;  // by ascending offset
  for (const Index index : order) {
    const Buffer& buffer = buffers[index];
    const std::size_t alignment = buffer.alignment.bytes();
    std::size_t offset = 0;
    for (const Index other : placed) {
      if (!share_a_step(buffer, buffers[other])) continue;
      if (offsets[other] >= offset + buffer.size) break;
      const std::size_t end = offsets[other] + buffers[other].size;
      if (end > offset) offset = (end + alignment - 1) / alignment * alignment;
    }
    offsets[index] = buffer.size == 0 ? 0 : offset;
    placed.insert(std::upper_bound(placed.begin(), placed.end(), offsets[index],
                                   [&](std::size_t value, Index other) { return value < offsets[other]; }),
                  index);
  }
  return offsets;
}

inline Order largest_first(const Buffers& buffers) {
  Order order(buffers.size());
  largest_first(buffers.data(), buffers.size(), order.data());
  return order;
}

/// The most bytes that live at one step. The most is reached at some buffer's first step, so only these are looked at.
inline std::size_t most_alive(const Buffer* buffers, std::size_t count) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t alive = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (buffers[j].first <= buffers[i].first && buffers[i].first <= buffers[j].last) alive += buffers[j].size;
    }
    most = std::max(most, alive);
  }
  return most;
}

/// The same where each but one takes whole multiples of the least alignment of the list; the one is that which makes
/// the sum least.
inline std::size_t most_needed(const Buffer* buffers, std::size_t count) {
  std::size_t unit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t alignment = buffers[i].alignment.bytes();
    if (buffers[i].size != 0 && (unit == 0 || alignment < unit)) unit = alignment;
  }
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t alive = 0;
    std::size_t saved = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (buffers[j].size == 0 || buffers[i].first < buffers[j].first || buffers[j].last < buffers[i].first) continue;
      const std::size_t padded = (buffers[j].size + unit - 1) / unit * unit;
      alive += padded;
      saved = std::max(saved, padded - buffers[j].size);
    }
    most = std::max(most, alive - saved);
  }
  return most;
}

/// Whether no two buffers collide.
inline bool all_apart(const Buffer* buffers, const std::size_t* offsets, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (share_a_step(buffers[i], buffers[j]) && share_a_byte(buffers[i], offsets[i], buffers[j], offsets[j])) {
        return false;
      }
    }
  }
  return true;
}

// --- whether there is a plan ----------------------------------------------------------------------------------------

/// By trying every offset of every buffer, but for the first `placed`, which have theirs and may end anywhere.
inline bool fits_by_trial(const Buffers& buffers, std::size_t capacity, Offsets& offsets, std::size_t placed = 0) {
  if (placed == buffers.size()) return true;
  const Buffer& buffer = buffers[placed];
  for (offsets[placed] = 0; offsets[placed] + buffer.size <= capacity; offsets[placed] += buffer.alignment.bytes()) {
    bool apart = true;
    for (std::size_t k = 0; k < placed && apart; ++k) {
      apart = !share_a_step(buffer, buffers[k]) || !share_a_byte(buffer, offsets[placed], buffers[k], offsets[k]);
    }
    if (apart && fits_by_trial(buffers, capacity, offsets, placed + 1)) return true;
  }
  return false;
}

/// Every plan can be pushed down until each buffer rests on others or on the ground, and be built from the ground up:
/// so the best is found by placing the buffers in every order, each over all that were placed before and live with it.
class Exhaustive {
 public:
  explicit Exhaustive(const Buffers& buffers) : buffers_(buffers), offsets_(buffers.size()), placed_(buffers.size()) {
    place_rest(0, 0);
  }
  std::size_t best() const { return best_; }

 private:
  void place_rest(std::size_t count, std::size_t size) {
    if (size >= best_) return;
    if (count == buffers_.size()) {
      best_ = size;
      return;
    }
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (placed_[i]) continue;
      std::size_t offset = 0;
      for (std::size_t k = 0; k < buffers_.size(); ++k) {
        if (!placed_[k] || buffers_[k].size == 0 || !share_a_step(buffers_[i], buffers_[k])) continue;
        offset = std::max(offset, offsets_[k] + buffers_[k].size);
      }
      const std::size_t alignment = buffers_[i].alignment.bytes();
      offsets_[i] = (offset + alignment - 1) / alignment * alignment;
      placed_[i] = true;
      place_rest(count + 1, std::max(size, buffers_[i].size == 0 ? 0 : offsets_[i] + buffers_[i].size));
      placed_[i] = false;
    }
  }

  const Buffers& buffers_;
  Offsets offsets_;
  std::vector<bool> placed_;
  std::size_t best_ = std::numeric_limits<std::size_t>::max();
};

/// By deciding, pair by pair of those that overlap in time, which one lies below the other. What is decided leaves each
/// buffer a range of offsets, as operations have in a job shop: longest paths in a disjunctive graph (Roy and Sussmann,
/// 1964). No idea of the library's searches is in it, which place buffers one by one. For some 14 buffers.
class PairByPair {
 public:
  /// The first buffers, as many as there are `places`, lie there, and may end anywhere.
  explicit PairByPair(const Buffers& buffers, const Offsets& places = {}) : buffers_(buffers), places_(places) {}

  bool fits(std::size_t capacity) {
    const std::size_t count = buffers_.size();
    State state{places_, places_, std::vector<char>(count * count)};
    for (std::size_t i = places_.size(); i < count; ++i) {
      if (buffers_[i].size > capacity) return false;
      state.low.push_back(0);
      state.high.push_back(down(capacity - buffers_[i].size, i));
      // Of two that are the same, the first may as well be the lower one.
      for (std::size_t j = places_.size(); j < i; ++j) state.below[j * count + i] = buffers_[i] == buffers_[j];
    }
    return fits(std::move(state));
  }

  /// The least capacity into which they fit, by trying all.
  std::size_t best() {
    std::size_t capacity = 0;
    while (!fits(capacity)) ++capacity;
    return capacity;
  }

  std::uint64_t decisions() const { return decisions_; }

 private:
  struct State {
    Offsets low;   // of the range of offsets that is left to a buffer
    Offsets high;  // inclusive
    std::vector<char> below;
  };

  std::size_t down(std::size_t offset, std::size_t i) const { return offset - offset % buffers_[i].alignment.bytes(); }
  std::size_t end(const Offsets& offsets, std::size_t i) const { return offsets[i] + buffers_[i].size; }
  bool concerned(std::size_t i, std::size_t j) const {
    return i != j && buffers_[i].size != 0 && buffers_[j].size != 0 && share_a_step(buffers_[i], buffers_[j]);
  }

  // Narrows the ranges, and decides what they leave no choice for, until nothing changes. False if a range is empty.
  bool settle(State& state) const {
    const std::size_t count = buffers_.size();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
          if (!concerned(i, j)) continue;
          char& below = state.below[i * count + j];
          if (!below && (state.below[j * count + i] || end(state.low, j) <= state.high[i])) continue;
          below = true;
          const std::size_t low = down(end(state.low, i) + buffers_[j].alignment.mask(), j);
          if (low > state.high[j]) return false;
          const std::size_t high = down(state.high[j] - buffers_[i].size, i);
          changed = changed || low > state.low[j] || high < state.high[i];
          state.low[j] = std::max(state.low[j], low);
          state.high[i] = std::min(state.high[i], high);
        }
      }
    }
    return true;
  }

  bool fits(State state) {
    if (!settle(state)) return false;
    // Each at its lowest offset is a plan, unless two that are not decided collide there: then those with the least
    // room to move.
    const std::size_t count = buffers_.size();
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t one = 0;
    std::size_t other = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!concerned(i, j) || state.below[i * count + j] || state.below[j * count + i]) continue;
        if (!share_a_byte(buffers_[i], state.low[i], buffers_[j], state.low[j])) continue;
        const std::size_t room = state.high[i] - state.low[i] + state.high[j] - state.low[j];
        if (room >= least) continue;
        least = room;
        one = i;
        other = j;
      }
    }
    if (one == other) return true;
    ++decisions_;
    State next = state;
    next.below[one * count + other] = true;
    if (fits(std::move(next))) return true;
    state.below[other * count + one] = true;
    return fits(std::move(state));
  }

  const Buffers& buffers_;
  Offsets places_;
  std::uint64_t decisions_ = 0;
};

// --- plans ----------------------------------------------------------------------------------------------------------

/// A plan made at run time, with its memory: exactly the bytes that it takes, full of rubbish, so that the address
/// sanitizer sees when one more is touched.
template <class Strategy = arenite::greedy>
class Planned {
 public:
  explicit Planned(const Buffers& buffers, unsigned char rubbish = 0xA5)
      : memory_(arenite::plan_bytes<Strategy>(buffers.size()), rubbish),
        plan_(arenite::plan<Strategy>(buffers.data(), buffers.size(), memory_.data(), memory_.size())) {}
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;

  const PlanRef& operator*() const { return plan_; }
  const PlanRef* operator->() const { return &plan_; }

 private:
  std::vector<unsigned char> memory_;
  PlanRef plan_;
};

template <class Plan>
Offsets offsets_of(const Plan& plan) {
  Offsets offsets(plan.count());
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = plan.offset(i);
  return offsets;
}

inline arenite::Verdict verdict_on(const PlanRef& plan) {
  Order scratch(arenite::verify_scratch(plan.count()));
  return plan.verify(scratch.data());
}

inline std::size_t lower_bound_of(const PlanRef& plan) {
  Order scratch(arenite::lower_bound_scratch(plan.count()));
  return plan.lower_bound(scratch.data());
}

/// Whether a plan is all that a plan for these buffers has to be; for EXPECT_TRUE. One that was searched for may have
/// proved that more is needed than its buffers show.
inline testing::AssertionResult is_sound(const PlanRef& plan, const Buffers& buffers, bool searched = false) {
  const auto failure = [&buffers] {
    return testing::AssertionFailure() << describe(buffers.data(), buffers.size()) << "\n";
  };
  if (plan.status() != arenite::Status::kOk) return failure() << "refused: " << arenite::to_string(plan.status());
  if (plan.culprit() != arenite::kNoIndex) return failure() << "culprit " << plan.culprit();
  if (plan.count() != buffers.size()) return failure() << plan.count() << " buffers";

  const Offsets offsets = offsets_of(plan);
  std::size_t end = 0;
  std::size_t alignment = 1;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::size_t own = buffers[i].alignment.bytes();
    if (offsets[i] % own != 0) return failure() << "buffer " << i << " is misaligned at " << offsets[i];
    if (plan.size(i) != buffers[i].size) return failure() << "buffer " << i << " has " << plan.size(i) << " bytes";
    end = std::max(end, offsets[i] + buffers[i].size);
    if (buffers[i].size != 0) alignment = std::max(alignment, own);
  }
  if (plan.size() != end) return failure() << "its size is " << plan.size() << ", the highest end " << end;
  if (plan.alignment() != alignment) return failure() << "its alignment is " << plan.alignment();
  if (!all_apart(buffers.data(), offsets.data(), buffers.size())) return failure() << "two buffers collide";

  const arenite::Verdict verdict = verdict_on(plan);
  if (!verdict.ok()) {
    return failure() << "verify: " << arenite::to_string(verdict.status) << ", " << verdict.first << " and "
                     << verdict.second;
  }
  const std::size_t most = most_needed(buffers.data(), buffers.size());
  const std::size_t bound = lower_bound_of(plan);
  if (bound < most || (bound > most && !searched)) return failure() << "its lower bound is " << bound;
  if (plan.size() < bound) return failure() << plan.size() << " bytes are less than its lower bound";
  return testing::AssertionSuccess();
}

}  // namespace planning
