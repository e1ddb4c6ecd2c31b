// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/host/search.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::Constraint;
using arenite::Index;
using arenite::kMaxSize;
using arenite::Status;
using arenite::Step;
using arenite::Verdict;
using arenite::host::search;
using arenite::host::SearchOptions;
using arenite::host::SearchProgress;
using arenite::host::SearchResult;
using planning::Buffers;
using planning::Exhaustive;
using planning::Offsets;
using planning::Order;
using planning::Planned;
using planning::Random;

// --- checks ----------------------------------------------------------------------------------------------------------

std::size_t greedy_size(const Buffers& buffers) { return Planned<>(buffers)->size(); }

SearchResult search_list(const Buffers& buffers, const SearchOptions& options = {}) {
  return search(buffers.data(), buffers.size(), options);
}

// All that an answer has to be, but for the best.
testing::AssertionResult is_sound(const SearchResult& result, const Buffers& buffers, std::size_t capacity = 0) {
  const auto failure = [&] {
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\n";
  };
  const bool fits = capacity == 0 || result.size <= capacity;
  if (result.status != (fits ? Status::kOk : Status::kOutOfMemory)) {
    return failure() << "status: " << arenite::to_string(result.status);
  }
  // The plan of the result knows what is proven; that the rest of it is right is looked at without this.
  const arenite::PlanSummary summary(result.size, result.alignment);
  const testing::AssertionResult sound =
      planning::is_sound({summary, buffers.data(), result.offsets.data(), buffers.size()}, buffers);
  if (!sound) return sound;
  const arenite::PlanRef plan = result.plan(buffers.data());
  if (plan.size() != result.size || plan.alignment() != result.alignment.bytes() || plan.count() != buffers.size()) {
    return failure() << "its plan says something else";
  }
  if (planning::lower_bound_of(plan) != result.lower_bound) return failure() << "its plan has another bound";
  if (result.size > greedy_size(buffers)) return failure() << result.size << " bytes, more than greedy";
  if (result.lower_bound > result.size) return failure() << "its lower bound is " << result.lower_bound;
  if (result.lower_bound < planning::most_alive(buffers.data(), buffers.size())) {
    return failure() << result.lower_bound << " bytes as lower bound, and more are alive at a step";
  }
  if (result.threads != 1) return failure() << result.threads << " threads";
  return testing::AssertionSuccess();
}

// --- the best plan, by trying all ------------------------------------------------------------------------------------

TEST(Exhaustive, AgreesWithTheSecondMethod) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 500; ++round) {
    const Buffers buffers = planning::random_list(random, {1, 5, 1, 6, 5, 4, 2});
    const std::size_t best = Exhaustive(buffers).best();
    Offsets offsets(buffers.size());
    ASSERT_TRUE(planning::fits_by_trial(buffers, best, offsets)) << planning::describe(buffers.data(), buffers.size());
    ASSERT_FALSE(planning::fits_by_trial(buffers, best - 1, offsets))
        << planning::describe(buffers.data(), buffers.size());
  }
}

// Searches a list without and with capacities, and compares with the best there is.
testing::AssertionResult is_best(const Buffers& buffers) {
  const auto failure = [&] {
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\n";
  };
  const std::size_t best = Exhaustive(buffers).best();
  const SearchResult result = search_list(buffers);
  testing::AssertionResult sound = is_sound(result, buffers);
  if (!sound) return sound;
  if (!result.proven()) return failure() << "not proven";
  if (result.size != best) return failure() << result.size << " bytes as proven, and " << best << " suffice";

  for (const std::size_t capacity : {best, best + 1, best - 1, best / 2 + 1}) {
    if (capacity == 0 || capacity > best + 1) continue;
    SearchOptions options;
    options.capacity = capacity;
    const SearchResult within = search_list(buffers, options);
    sound = is_sound(within, buffers, capacity);
    if (!sound) return sound;
    if (capacity >= best && within.status != Status::kOk) return failure() << "does not fit into " << capacity;
    if (capacity >= best) continue;
    if (!within.proven()) return failure() << "shortfall not exact for " << capacity;
    if (within.size != best) return failure() << within.size << " bytes, not " << best << ", for " << capacity;
  }
  return testing::AssertionSuccess();
}

TEST(Search, BestOfSmallLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 4000 : 400;
  for (int round = 0; round < kRounds; ++round) {
    // Without alignment, with one for all, and with several; sizes that have a common divisor, and sizes that don't.
    const auto steps = static_cast<std::uint32_t>(random.between(0, 12));
    Buffers buffers =
        planning::random_list(random, {1, 7, random.below(2), random.between(1, 40), steps, steps, random.below(5)});
    const std::size_t factor = random.below(3) == 0 ? random.between(1, 24) : 1;
    const std::size_t alignment = std::size_t{1} << random.below(6);
    const bool same = random.below(2) == 0;
    for (Buffer& buffer : buffers) {
      buffer.size *= factor;
      if (same) buffer.alignment = alignment;
    }
    ASSERT_TRUE(is_best(buffers));
  }
}

// Lists in which the bound is often out of reach: few sizes, many buffers that overlap.
TEST(Search, BestOfTightLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 4000 : 400;
  int above = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Buffers buffers = planning::random_list(random, {6, 7, 1, 5, 7, 7, round % 4 == 0 ? 2u : 0u});
    ASSERT_TRUE(is_best(buffers));
    above += search_list(buffers).size > planning::most_alive(buffers.data(), buffers.size());
  }
  EXPECT_GT(above, kRounds / 100);  // there is something to be proven
}

// --- lists with a known plan -----------------------------------------------------------------------------------------

struct Packed {
  Buffers buffers;
  std::size_t capacity;
};

// Cuts a rectangle of steps and bytes into buffers: there is a plan without a gap. Each buffer is aligned to something
// that its offset in this plan is a multiple of.
void cut(Random& random, Buffers& buffers, std::uint32_t pieces, std::uint32_t first, std::uint32_t last,
         std::uint32_t offset, std::uint32_t size, std::uint32_t alignment) {
  if (pieces > 1 && last - first + size > 1) {
    const std::uint32_t part = pieces / 2 + (pieces > 3 ? random.below(pieces / 4) : 0);
    if (random.below(2) == 0 ? last > first : size == 1) {
      const std::uint32_t middle = random.between(first, last - 1);
      cut(random, buffers, part, first, middle, offset, size, alignment);
      return cut(random, buffers, pieces - part, middle + 1, last, offset, size, alignment);
    }
    if (size > 1) {
      const std::uint32_t low = random.between(1, size - 1);
      cut(random, buffers, part, first, last, offset, low, alignment);
      return cut(random, buffers, pieces - part, first, last, offset + low, size - low, alignment);
    }
  }
  std::uint32_t own = 1;
  while (2 * own <= alignment && offset % (2 * own) == 0) own *= 2;
  buffers.push_back({size, static_cast<Step>(first), static_cast<Step>(last), own});
}

Packed packed_list(Random& random, std::uint32_t pieces) {
  Packed packed;
  const std::uint32_t size = random.between(20, 400);
  const std::uint32_t factor = random.between(1, 8);
  const std::uint32_t alignment = 1u << (random.below(2) == 0 ? 0 : random.below(6));
  cut(random, packed.buffers, pieces, 0, random.between(5, 60), 0, size, alignment);
  packed.capacity = std::size_t{size} * factor;
  for (std::size_t i = packed.buffers.size(); i > 1; --i) {
    std::swap(packed.buffers[i - 1], packed.buffers[random.below(static_cast<std::uint32_t>(i))]);
  }
  for (Buffer& buffer : packed.buffers) buffer.size *= factor;  // offsets are so many times larger, and still aligned
  return packed;
}

// --- around buffers that have their place ----------------------------------------------------------------------------

// The first `fixed` buffers have a place.
struct Furnished {
  Buffers buffers;
  std::size_t fixed;
  Offsets offsets;
};

std::string describe(const Furnished& list) {
  std::string text = planning::describe(list.buffers.data(), list.buffers.size()) + "\noffsets of the first:";
  for (std::size_t i = 0; i < list.fixed; ++i) text += " " + std::to_string(list.offsets[i]);
  return text + "\n";
}

bool has_room(const Furnished& list, std::size_t offset, const Buffer& buffer, const Offsets& offsets,
              std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if (planning::share_a_step(buffer, list.buffers[k]) &&
        planning::share_a_byte(buffer, offset, list.buffers[k], offsets[k])) {
      return false;
    }
  }
  return true;
}

// Up to so many fixed buffers below `highest`, beside a random list; some of them aligned.
Furnished furnished_list(Random& random, std::uint32_t most_fixed, std::uint32_t highest,
                         const planning::Shape& shape) {
  Furnished list;
  planning::Shape fixed_shape = shape;
  fixed_shape.count_least = fixed_shape.count_most = random.between(0, most_fixed);
  for (const Buffer& buffer : planning::random_list(random, fixed_shape)) {
    const std::size_t offset = random.below(highest) * buffer.alignment.bytes();
    if (!has_room(list, offset, buffer, list.offsets, list.offsets.size())) continue;
    list.buffers.push_back(buffer);
    list.offsets.push_back(offset);
  }
  list.fixed = list.buffers.size();
  for (const Buffer& buffer : planning::random_list(random, shape)) list.buffers.push_back(buffer);
  return list;
}

SearchResult search_around(const Furnished& list, const SearchOptions& options = {}) {
  return arenite::host::detail::Search(list.buffers.data(), list.buffers.size(), list.fixed, list.offsets.data(), 0,
                                       options)
      .run();
}

std::size_t highest_end(const Furnished& list, const Offsets& offsets) {
  std::size_t end = 0;
  for (std::size_t i = list.fixed; i < list.buffers.size(); ++i) {
    if (list.buffers[i].size != 0) end = std::max(end, offsets[i] + list.buffers[i].size);
  }
  return end;
}

// The largest first, of equal sizes the later-added first, each at the lowest offset that is free.
std::size_t greedy_size(const Furnished& list) {
  Order order;
  for (std::size_t i = list.fixed; i < list.buffers.size(); ++i) order.push_back(static_cast<Index>(i));
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return list.buffers[a].size != list.buffers[b].size ? list.buffers[a].size > list.buffers[b].size : a > b;
  });
  Furnished placed{
      {list.buffers.begin(), list.buffers.begin() + static_cast<std::ptrdiff_t>(list.fixed)}, list.fixed, list.offsets};
  for (const Index index : order) {
    const Buffer& buffer = list.buffers[index];
    std::size_t offset = 0;
    while (!has_room(placed, offset, buffer, placed.offsets, placed.offsets.size())) {
      offset += buffer.alignment.bytes();
    }
    placed.buffers.push_back(buffer);
    placed.offsets.push_back(offset);
  }
  return highest_end(placed, placed.offsets);
}

testing::AssertionResult lies_well(const Offsets& offsets, const Furnished& list) {
  const auto failure = [&] { return testing::AssertionFailure() << describe(list); };
  if (offsets.size() != list.buffers.size()) return failure() << offsets.size() << " offsets";
  for (std::size_t i = 0; i < list.buffers.size(); ++i) {
    if (i < list.fixed && offsets[i] != list.offsets[i]) return failure() << "buffer " << i << " was moved";
    if (offsets[i] % list.buffers[i].alignment.bytes() != 0) return failure() << i << " is misaligned";
    if (!has_room(list, offsets[i], list.buffers[i], offsets, i)) return failure() << i << " collides";
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult is_sound_around(const SearchResult& result, const Furnished& list, std::size_t capacity = 0) {
  const auto failure = [&] { return testing::AssertionFailure() << describe(list); };
  const bool fits = capacity == 0 || result.size <= capacity;
  if (result.status != (fits ? Status::kOk : Status::kOutOfMemory)) {
    return failure() << "status: " << arenite::to_string(result.status);
  }
  const testing::AssertionResult lies = lies_well(result.offsets, list);
  if (!lies) return lies;
  if (result.size != highest_end(list, result.offsets)) return failure() << "wrong size " << result.size;
  if (result.size > greedy_size(list)) return failure() << result.size << " bytes, more than greedy";
  if (result.lower_bound > result.size) return failure() << "its lower bound is " << result.lower_bound;
  return testing::AssertionSuccess();
}

// The least size of all plans, by trying every offset of every buffer.
std::size_t best_around(const Furnished& list, std::size_t enough = kMaxSize) {
  std::size_t capacity = 0;
  Offsets offsets = list.offsets;
  offsets.resize(list.buffers.size());
  while (!planning::fits_by_trial(list.buffers, capacity, offsets, list.fixed) && capacity <= enough) ++capacity;
  return capacity;
}

testing::AssertionResult is_best_around(const Furnished& list, std::size_t best) {
  const auto failure = [&] { return testing::AssertionFailure() << describe(list); };
  const SearchResult result = search_around(list);
  testing::AssertionResult sound = is_sound_around(result, list);
  if (!sound) return sound;
  if (!result.proven()) return failure() << "not proven, " << result.lower_bound << " to " << result.size;
  if (result.size != best) return failure() << result.size << " bytes as proven, and " << best << " is best";
  for (const std::size_t capacity : {best, best + 1, best - 1, best / 2 + 1}) {
    if (capacity == 0 || capacity > best + 1) continue;
    SearchOptions options;
    options.capacity = capacity;
    const SearchResult within = search_around(list, options);
    sound = is_sound_around(within, list, capacity);
    if (!sound) return sound;
    if (capacity >= best && within.status != Status::kOk) return failure() << "does not fit into " << capacity;
    if (capacity >= best) continue;
    if (!within.proven() || within.size != best) return failure() << within.size << " bytes for " << capacity;
  }
  return testing::AssertionSuccess();
}

TEST(SearchAround, BestOfSmallLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 6000 : 600;
  int above = 0;  // what is live at one step, and how high it reaches around what is in the way
  int moved = 0;  // by what is in the way
  for (int round = 0; round < kRounds; ++round) {
    const auto steps = random.between(0, 15);
    const Furnished list = furnished_list(random, 12, random.between(1, 16),
                                          {1, 6, 0, random.between(1, 6), steps, steps, random.below(3)});
    const std::size_t best = best_around(list);
    ASSERT_TRUE(is_best_around(list, best));
    SearchOptions greedy;
    greedy.work = 0;
    above += search_around(list, greedy).lower_bound < best;
    Furnished alone = list;
    alone.fixed = 0;
    alone.offsets.clear();
    alone.buffers.erase(alone.buffers.begin(), alone.buffers.begin() + static_cast<std::ptrdiff_t>(list.fixed));
    moved += search_around(alone).size < best;
  }
  EXPECT_GT(above, kRounds / 100);
  EXPECT_GT(moved, kRounds / 10);
}

// Few sizes and lifetimes, so that there are twins; and the same on another scale.
TEST(SearchAround, BestOfTightLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 4000 : 400;
  for (int round = 0; round < kRounds; ++round) {
    const bool aligned = random.below(4) == 0;
    Furnished list = furnished_list(random, 4, 10, {4, 6, 1, 3, 4, 4, aligned ? 2u : 0u});
    const std::size_t best = best_around(list);
    ASSERT_TRUE(is_best_around(list, best));
    if (aligned) continue;
    const std::size_t scale = random.between(2, 50);
    for (Buffer& buffer : list.buffers) buffer.size *= scale;
    for (std::size_t& offset : list.offsets) offset *= scale;
    ASSERT_TRUE(is_best_around(list, best * scale));
  }
}

// Sizes that have a common divisor, which the offsets of the fixed ones have not.
TEST(SearchAround, BestOfListsWithAUnit) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 2000 : 200;
  for (int round = 0; round < kRounds; ++round) {
    Furnished list = furnished_list(random, 3, 12, {1, 4, 1, 3, 3, 3, 1});
    const std::size_t divisor = random.between(2, 4);
    const bool same = random.below(2) == 0;
    for (std::size_t i = list.fixed; i < list.buffers.size(); ++i) {
      Buffer& buffer = list.buffers[i];
      buffer.size *= divisor;
      if (same) buffer.alignment = 4;
    }
    ASSERT_TRUE(is_best_around(list, best_around(list)));
  }
}

// Two buffers that look the same, but for two bytes in the way of one of them, less than the unit: it has to come
// first.
TEST(SearchAround, ObstaclesSmallerThanTheUnit) {
  const Furnished list{{{2, 3, 3, 1}, {2, 1, 1, 1}, {2, 0, 0, 1}, {3, 2, 3, 4}, {4, 0, 2, 4}}, 3, {5, 9, 9}};
  ASSERT_TRUE(is_best_around(list, 8));
  EXPECT_EQ(greedy_size(list), 11u);
}

// Ranges that reach to the end of the address space: what the greedy orders put above them has to go elsewhere.
TEST(SearchAround, RangesToTheEnd) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 1000 : 200;
  int impossible = 0;
  int beyond_greedy = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto steps = random.between(0, 7);
    Furnished list = furnished_list(random, 2, 4, {2, 4, 0, 4, steps, steps, random.below(3)});
    const std::size_t bottom = random.between(3, 8);
    const auto first = static_cast<Step>(random.between(0, steps));
    const Buffer range{kMaxSize - bottom, first, static_cast<Step>(random.between(first, steps)), 1};
    if (!has_room(list, bottom, range, list.offsets, list.fixed)) continue;
    list.buffers.insert(list.buffers.begin(), range);
    list.offsets.insert(list.offsets.begin(), bottom);
    ++list.fixed;

    constexpr std::size_t kEnough = 24;
    const std::size_t best = best_around(list, kEnough);
    const SearchResult result = search_around(list);
    if (best > kEnough) {
      ASSERT_EQ(result.status, Status::kSizeOverflow) << describe(list);
      ASSERT_TRUE(result.offsets.empty());
      ++impossible;
      continue;
    }
    ASSERT_EQ(result.status, Status::kOk) << describe(list);
    ASSERT_TRUE(lies_well(result.offsets, list)) << describe(list);
    ASSERT_EQ(result.size, best) << describe(list);
    ASSERT_TRUE(result.proven()) << describe(list);
    SearchOptions greedy;
    greedy.work = 0;
    beyond_greedy += search_around(list, greedy).refused();
  }
  EXPECT_GT(impossible, kRounds / 100);
  EXPECT_GT(beyond_greedy, kRounds / 100);
}

// A plan of this size is known: that from which some buffers were taken as fixed.
TEST(SearchAround, NeverRefutesWhatIsPossible) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 1000 : 100;
  int found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Packed packed = packed_list(random, random.between(5, 60));
    SearchOptions options;
    options.work = 2000000;
    const SearchResult result = search_list(packed.buffers, options);
    if (result.size != packed.capacity) continue;
    Furnished list;
    list.fixed = random.between(1, 8);
    list.fixed = std::min(list.fixed, packed.buffers.size());
    list.buffers = packed.buffers;
    list.offsets.assign(result.offsets.begin(), result.offsets.begin() + static_cast<std::ptrdiff_t>(list.fixed));
    const SearchResult around = search_around(list, options);
    ASSERT_TRUE(is_sound_around(around, list));
    ASSERT_LE(around.lower_bound, packed.capacity) << describe(list);
    found += around.size <= packed.capacity;
  }
  EXPECT_GT(found, kRounds / 2);
}

TEST(SearchAround, ProofsByASecondMethod) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kTight = ARENITE_THOROUGH_TESTS ? 500 : 50;
  int tight = 0;
  for (int round = 0; tight < kTight; ++round) {
    ASSERT_LT(round, 1000 * kTight) << tight;
    const std::uint32_t room = random.between(5, 60);
    const std::uint32_t steps = random.between(6, 20);
    Furnished list = furnished_list(random, 6, room, {0, 0, 1, room, steps - 1, steps, 0});
    for (const Buffer& buffer : planning::dense_list(random, random.between(6, 12), room, steps)) {
      list.buffers.push_back(buffer);
    }
    SearchOptions greedy;
    greedy.work = 0;
    const SearchResult result = search_around(list);
    ASSERT_TRUE(is_sound_around(result, list));
    ASSERT_TRUE(result.proven()) << describe(list);
    if (result.size == search_around(list, greedy).lower_bound) continue;
    ++tight;
    planning::PairByPair by_pairs(list.buffers, list.offsets);
    ASSERT_TRUE(by_pairs.fits(result.size)) << describe(list);
    ASSERT_FALSE(by_pairs.fits(result.size - 1)) << describe(list);
  }
}

TEST(SearchAround, RandomLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 500 : 50); ++round) {
    const std::uint32_t steps = random.any_length(1000);
    const std::uint32_t size = 1u << random.below(10);
    const Furnished list = furnished_list(random, 60, 10 * size, {0, 100, 0, size, steps, steps, random.below(7)});
    SearchOptions options;
    options.work = 300000;
    ASSERT_TRUE(is_sound_around(search_around(list, options), list));
  }
}

// --- larger lists ----------------------------------------------------------------------------------------------------

// A plan of this size is known: who finds that it is impossible is wrong.
TEST(Search, NeverRefutesWhatIsPossible) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 2000 : 100;
  int found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Packed packed = packed_list(random, random.between(5, 60));
    SearchOptions options;
    options.work = 2000000;
    const SearchResult result = search_list(packed.buffers, options);
    ASSERT_TRUE(is_sound(result, packed.buffers));
    ASSERT_LE(result.lower_bound, packed.capacity) << planning::describe(packed.buffers.data(), packed.buffers.size());
    found += result.size == packed.capacity;
  }
  EXPECT_GT(found, kRounds * 3 / 4);
}

TEST(Search, RandomLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 500 : 50); ++round) {
    const std::uint32_t steps = random.any_length(planning::kLastStep);
    const Buffers buffers = planning::random_list(
        random, {0, 200, 0, 1u << random.below(20), steps, random.any_length(steps), random.below(7)});
    SearchOptions options;
    options.work = 300000;
    ASSERT_TRUE(is_sound(search_list(buffers, options), buffers));
  }
}

// Refines greedy packings of spans. All that it does to them is sound, and it makes many smaller.
TEST(SpanSearch, Refine) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 300 : 15;
  namespace host = arenite::host::detail;
  int improved[2] = {};
  for (int round = 0; round < kRounds; ++round) {
    for (const std::uint32_t most_fixed : {0u, 20u}) {
      const std::uint32_t size = 1u << random.between(3, 10);
      const std::uint32_t logs = random.below(2) == 0 ? 0 : random.below(7);
      const Furnished list = furnished_list(random, most_fixed, 4 * size, {20, 80, 1, size, 40, 20, logs});
      Offsets offsets = list.offsets;
      host::FirstFit first_fit(list.buffers.data(), list.buffers.size(), list.fixed, offsets.data());
      ASSERT_TRUE(first_fit.greedy());
      offsets = first_fit.offsets();
      const std::size_t end = first_fit.size();
      host::Meter meter;
      meter.limit = 3000000;
      meter.next_ask = meter.limit;
      for (const host::Span& span :
           host::make_spans(list.buffers.data(), list.buffers.size(), list.fixed, offsets.data(), end + 1)) {
        host::SpanSearch search(span, end + 1, meter);
        search.offer([&](std::size_t i) { return offsets[span.tasks[i].buffer]; });
        const std::size_t before = search.size();
        search.refine(span.lower_bound, 300000);
        ASSERT_LE(search.size(), before) << describe(list);
        ASSERT_GE(search.size(), span.lower_bound) << describe(list);
        ASSERT_EQ(search.lower_bound(), span.lower_bound);  // it proves nothing
        std::size_t highest = 0;
        for (std::size_t i = 0; i < span.tasks.size(); ++i) {
          offsets[span.tasks[i].buffer] = search.offsets()[i];
          highest = std::max(highest, search.offsets()[i] + span.tasks[i].bytes);
        }
        ASSERT_EQ(search.size(), highest) << describe(list);
        improved[most_fixed != 0] += search.size() < before;
      }
      ASSERT_TRUE(lies_well(offsets, list));
    }
  }
  EXPECT_GT(improved[0], kRounds / 3);
  EXPECT_GT(improved[1], kRounds / 3);
}

// Spans of time apart from each other: each is as small as it can be, and the largest counts.
TEST(Search, SpansApart) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 50; ++round) {
    Buffers all;
    std::size_t best = 0;
    for (std::uint32_t span = 0; span < 10; ++span) {
      Buffers buffers = planning::random_list(random, {1, 6, 1, 9, 7, 7, 1});
      best = std::max(best, Exhaustive(buffers).best());
      for (Buffer& buffer : buffers) {
        buffer.first += static_cast<Step>(100 * span);
        buffer.last += static_cast<Step>(100 * span);
        all.push_back(buffer);
      }
    }
    const SearchResult result = search_list(all);
    ASSERT_TRUE(is_sound(result, all));
    ASSERT_TRUE(result.proven());
    ASSERT_EQ(result.size, best);
  }
}

TEST(Search, TooManyForTheSearch) {
  Random random;
  SCOPED_TRACE(random.seed());
  SearchOptions options;
  options.work = 10000000;
  int better = 0;
  for (int round = 0; round < 4; ++round) {
    const Buffers buffers = planning::random_list(random, {5000, 5000, 0, 5000, 5000, 300, 4});
    const SearchResult result = search_list(buffers, options);
    EXPECT_TRUE(is_sound(result, buffers));
    EXPECT_LE(result.work, options.work);
    better += result.size < greedy_size(buffers) ? 1 : 0;
  }
  EXPECT_GT(better, 0);
}

// --- the table -------------------------------------------------------------------------------------------------------

TEST(Search, Table) {
  planning::for_each_case(planning::kCases, [](const auto& c) {
    SCOPED_TRACE(c.name);
    const auto list = c.buffers();
    const Buffers buffers(list.begin(), list.end());
    const SearchResult result = search_list(buffers);
    EXPECT_TRUE(is_sound(result, buffers));
    EXPECT_TRUE(result.proven());
    EXPECT_EQ(result.alignment.bytes(), c.answer.alignment);
    if (c.answer.alignment == 1) {
      EXPECT_EQ(result.size, c.answer.lower_bound);
    }
  });
}

TEST(Search, Refused) {
  planning::for_each_case(planning::kRefused, [](const auto& c) {
    SCOPED_TRACE(c.name);
    const SearchResult result = search(c.buffers);
    EXPECT_EQ(result.status, c.status);
    EXPECT_EQ(result.culprit, c.culprit);
    EXPECT_TRUE(result.refused());
    EXPECT_FALSE(result.proven());
    EXPECT_TRUE(result.offsets.empty());
    EXPECT_EQ(result.plan(c.buffers.data()).status(), c.status);
  });
  EXPECT_EQ(search(nullptr, 1).status, Status::kNullMemory);
  EXPECT_EQ(search(nullptr, arenite::kMaxBuffers + 1).status, Status::kTooManyBuffers);
  EXPECT_EQ(search(nullptr, 0).status, Status::kOk);
}

// --- options ---------------------------------------------------------------------------------------------------------

// The first list, of such lists, that takes more than a little work.
const Buffers& hard_list() {
  static const Buffers buffers = [] {
    SearchOptions options;
    options.work = 2000000;
    for (Random random(1);;) {
      Buffers list = packed_list(random, 150).buffers;
      if (!search_list(list, options).proven()) return list;
    }
  }();
  return buffers;
}

TEST(Search, SameWorkSameAnswer) {
  const Buffers& buffers = hard_list();
  for (const std::uint64_t work : {0u, 1000u, 300000u, 3000000u}) {
    SearchOptions options;
    options.work = work;
    const SearchResult one = search_list(buffers, options);
    options.progress = [](const SearchProgress&) { return true; };
    options.seconds = 1000;
    const SearchResult other = search_list(buffers, options);
    EXPECT_EQ(one.offsets, other.offsets);
    EXPECT_EQ(one.lower_bound, other.lower_bound);
    EXPECT_EQ(one.work, other.work);
    EXPECT_TRUE(is_sound(one, buffers));
  }
}

TEST(Search, WithoutWorkThePlanIsGreedy) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.work = 0;
  const SearchResult result = search_list(buffers, options);
  EXPECT_EQ(result.offsets, planning::offsets_of(*Planned<>(buffers)));
  EXPECT_EQ(result.work, 0u);
}

TEST(Search, ProgressOnlyGetsBetter) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.work = 10000000;
  std::vector<SearchProgress> seen;
  options.progress = [&seen](const SearchProgress& progress) {
    seen.push_back(progress);
    return true;
  };
  const SearchResult result = search_list(buffers, options);
  ASSERT_GT(seen.size(), 1u);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].size, result.size);
    EXPECT_LE(seen[i].lower_bound, result.lower_bound);
    EXPECT_LE(seen[i].work, result.work);
    if (i == 0) continue;
    EXPECT_LE(seen[i].size, seen[i - 1].size);
    EXPECT_GE(seen[i].lower_bound, seen[i - 1].lower_bound);
    EXPECT_GE(seen[i].work, seen[i - 1].work);
    EXPECT_GE(seen[i].seconds, seen[i - 1].seconds);
  }
}

TEST(Search, Cancel) {
  const Buffers& buffers = hard_list();
  for (const int calls : {1, 2, 5}) {
    SearchOptions options;
    int called = 0;
    options.progress = [&called, calls](const SearchProgress&) { return ++called < calls; };
    const SearchResult result = search_list(buffers, options);
    EXPECT_TRUE(is_sound(result, buffers));
    EXPECT_LE(called, calls);  // and never again
  }
}

TEST(Search, TimeLimitDoesReturn) {
  Random random(3);
  const Buffers buffers = planning::random_list(random, {400, 400, 1, 100000, 200, 50, 0});
  SearchOptions options;
  options.work = std::numeric_limits<std::uint64_t>::max();
  options.seconds = 0.05;
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(is_sound(result, buffers));
  EXPECT_TRUE(result.proven() || result.seconds >= 0.05);
}

// At most 8 bytes are live at a step, and 9 are needed.
constexpr Buffer kAboveItsBound[] = {{4, 3, 6, 1}, {1, 0, 3, 1}, {3, 0, 1, 1}, {1, 2, 3, 1},
                                     {4, 6, 7, 1}, {4, 0, 0, 1}, {1, 1, 4, 1}, {3, 1, 2, 1}};

TEST(Search, Shortfall) {
  constexpr std::size_t kBest = 9;
  constexpr std::size_t kBound = 8;
  SearchOptions options;
  for (std::size_t capacity = 1; capacity <= kBest + 1; ++capacity) {
    SCOPED_TRACE(capacity);
    options.capacity = capacity;
    const SearchResult result = search(kAboveItsBound, options);
    EXPECT_EQ(result.capacity, capacity);
    EXPECT_EQ(result.status, capacity < kBest ? Status::kOutOfMemory : Status::kOk);
    EXPECT_EQ(result.missing(), capacity < kBest ? kBest - capacity : 0);
    EXPECT_EQ(result.impossible(), capacity < kBest);
    EXPECT_FALSE(result.refused());
  }
  // Without work it is known what is missing at least and at most.
  options.capacity = kBound - 1;
  options.work = 0;
  const SearchResult greedy = search(kAboveItsBound, options);
  EXPECT_EQ(greedy.missing(), greedy.size - options.capacity);
  EXPECT_TRUE(greedy.impossible());
  options.capacity = kBound;
  EXPECT_FALSE(search(kAboveItsBound, options).impossible());

  EXPECT_EQ(search(kAboveItsBound).missing(), 0u);
  EXPECT_FALSE(search(kAboveItsBound).impossible());
}

TEST(Search, NothingIsMissingWhereTheListIsRefused) {
  constexpr Buffer kTooMuch[] = {{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}};
  SearchOptions options;
  options.capacity = 10;
  const SearchResult result = search(kTooMuch, options);
  EXPECT_EQ(result.status, Status::kSizeOverflow);
  EXPECT_EQ(result.missing(), 0u);
  EXPECT_FALSE(result.impossible());
}

TEST(Search, CapacityStopsEarly) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.capacity = kMaxSize;
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(is_sound(result, buffers, options.capacity));
  EXPECT_EQ(result.work, 0u);
}

// --- constraints -----------------------------------------------------------------------------------------------------

using Constraints = std::vector<Constraint>;

SearchResult search_with(const Buffers& buffers, const Constraints& constraints, const SearchOptions& options = {}) {
  return search({buffers.data(), buffers.size()}, {constraints.data(), constraints.size()}, options);
}

testing::AssertionResult is_sound_with(const SearchResult& result, const Buffers& buffers,
                                       const Constraints& constraints) {
  const std::size_t count = buffers.size();
  Buffers pieces(count);
  Offsets places(count);
  std::vector<Index> scratch(arenite::verify_scratch(count) + count);
  const Verdict verdict =
      arenite::verify(buffers.data(), result.offsets.data(), count, {constraints.data(), constraints.size()},
                      result.size, result.alignment, {pieces.data(), places.data(), scratch.data()});
  if (!verdict.ok()) {
    return testing::AssertionFailure() << planning::describe(buffers.data(), count) << "\n"
                                       << arenite::to_string(verdict.status) << ", " << verdict.first << " and "
                                       << verdict.second;
  }
  return testing::AssertionSuccess();
}

TEST(SearchWithConstraints, Pinned) {
  const Buffers buffers = {{4, 0, 1, 1}, {4, 0, 1, 1}, {4, 1, 2, 1}};
  const SearchResult result = search_with(buffers, {arenite::pinned(0, 2)});
  EXPECT_TRUE(is_sound_with(result, buffers, {arenite::pinned(0, 2)}));
  EXPECT_EQ(result.offsets[0], 2u);
  EXPECT_EQ(result.size, 14u);
  EXPECT_TRUE(result.proven());
  EXPECT_EQ(result.plan(buffers.data()).lower_bound(nullptr), 14u);

  // What is pinned counts, and nothing needs to be below that.
  const SearchResult high = search_with(buffers, {arenite::pinned(0, 100)});
  EXPECT_EQ(high.size, 104u);
  EXPECT_TRUE(high.proven());
}

TEST(SearchWithConstraints, Reserved) {
  const Buffers buffers = {{4, 0, 0, 4}, {6, 0, 1, 2}, {3, 1, 1, 1}};
  const Constraints both_ends = {arenite::reserved(0, 3), arenite::reserved(14, kMaxSize - 14)};
  const SearchResult result = search_with(buffers, both_ends);
  EXPECT_TRUE(is_sound_with(result, buffers, both_ends));
  EXPECT_EQ(result.size, 14u);
  EXPECT_TRUE(result.proven());

  // Only while somebody else has it.
  const Constraints at_first = {arenite::reserved(0, 5, 0, 0)};
  const SearchResult later = search_with({{4, 0, 0, 1}, {9, 1, 1, 1}}, at_first);
  EXPECT_EQ(later.offsets, (Offsets{5, 0}));
}

TEST(SearchWithConstraints, Alias) {
  // A view of the last four bytes that lives on keeps all twelve.
  const Buffers buffers = {{12, 0, 1, 4}, {4, 1, 3, 4}, {8, 2, 3, 8}};
  const Constraints view = {arenite::alias(1, 0, 8)};
  const SearchResult result = search_with(buffers, view);
  EXPECT_TRUE(is_sound_with(result, buffers, view));
  EXPECT_EQ(result.offsets[1], result.offsets[0] + 8);
  EXPECT_EQ(result.size, 20u);
  EXPECT_EQ(result.alignment.bytes(), 8u);
  EXPECT_TRUE(result.proven());
}

TEST(SearchWithConstraints, Capacity) {
  const Buffers buffers = {{4, 0, 1, 1}, {4, 0, 1, 1}, {4, 1, 2, 1}};
  SearchOptions options;
  options.capacity = 12;
  EXPECT_EQ(search_with(buffers, {arenite::pinned(0, 4)}, options).status, Status::kOk);
  const SearchResult result = search_with(buffers, {arenite::pinned(0, 3)}, options);
  EXPECT_EQ(result.status, Status::kOutOfMemory);
  EXPECT_EQ(result.missing(), 3u);
  EXPECT_TRUE(result.proven());
  EXPECT_TRUE(result.impossible());
}

TEST(SearchWithConstraints, Refused) {
  const Buffers buffers = {{4, 0, 1}, {4, 1, 2}};
  const SearchResult overlap = search_with(buffers, {arenite::pinned(0, 0), arenite::pinned(1, 0)});
  EXPECT_EQ(overlap.status, Status::kOverlap);
  EXPECT_EQ(overlap.culprit, 0u);
  EXPECT_TRUE(overlap.offsets.empty());
  EXPECT_EQ(search_with(buffers, {arenite::alias(1, 1)}).status, Status::kCycle);
  EXPECT_EQ(search_with(buffers, {arenite::alias(2, 1)}).status, Status::kOutOfBounds);
  EXPECT_EQ(search_with(buffers, {arenite::reserved(1, kMaxSize)}).status, Status::kSizeOverflow);
  EXPECT_EQ(search_with(buffers, {arenite::reserved(0, kMaxSize)}).status, Status::kSizeOverflow);
  EXPECT_EQ(search_with({{4, 1, 0}}, {arenite::pinned(0, 1)}).status, Status::kInvalidLifetime);
  EXPECT_EQ(search({nullptr, 0}, {nullptr, 1}).status, Status::kNullMemory);
  EXPECT_EQ(search({nullptr, 1}, {nullptr, 0}).status, Status::kNullMemory);
  const Constraint one = arenite::pinned(0, 0);
  EXPECT_EQ(search({buffers.data(), 2}, {&one, arenite::kMaxBuffers - 1}).status, Status::kTooManyBuffers);
  EXPECT_EQ(search({nullptr, 0}, {nullptr, 0}).status, Status::kOk);
}

// Aliases lie in one other buffer each, so that the pieces are plain to see.
TEST(SearchWithConstraints, BestOfSmallLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 3000 : 300;
  int refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Buffers buffers = planning::random_list(random, {2, 7, 0, 4, 6, 6, random.below(3)});
    Buffers pieces = buffers;
    Constraints constraints;
    const auto count = static_cast<std::uint32_t>(buffers.size());
    for (std::uint32_t i = count / 2; i < count; ++i) {
      if (random.below(3) != 0) continue;
      Buffer& piece = pieces[random.below(count / 2)];
      const std::size_t delta = random.below(3) * buffers[i].alignment.bytes();
      constraints.push_back(arenite::alias(i, static_cast<std::size_t>(&piece - pieces.data()), delta));
      piece.size = std::max(piece.size, delta + buffers[i].size);
      piece.first = std::min(piece.first, buffers[i].first);
      piece.last = std::max(piece.last, buffers[i].last);
      if (buffers[i].alignment.log2() > piece.alignment.log2()) piece.alignment = buffers[i].alignment;
      pieces[i].size = 0;
    }
    Furnished list;
    std::size_t pinned_end = 0;
    for (std::uint32_t i = 0; i < count / 2; ++i) {
      if (random.below(3) != 0) continue;
      const std::size_t place = random.below(6) * pieces[i].alignment.bytes();
      constraints.push_back(arenite::pinned(i, place));
      pinned_end = std::max(pinned_end, place + pieces[i].size);
      list.buffers.push_back(pieces[i]);
      list.offsets.push_back(place);
      pieces[i].size = 0;
    }
    if (random.below(2) == 0) {
      constraints.push_back(arenite::reserved(random.below(9), random.between(1, 4), 1, 4));
      list.buffers.push_back({constraints.back().size, 1, 4, 1});
      list.offsets.push_back(constraints.back().offset);
    }
    list.fixed = list.buffers.size();
    list.buffers.insert(list.buffers.end(), pieces.begin(), pieces.end());

    const SearchResult result = search_with(buffers, constraints);
    bool collision = false;
    for (std::size_t k = 0; k < list.fixed; ++k) {
      collision = collision || !has_room(list, list.offsets[k], list.buffers[k], list.offsets, k);
    }
    ASSERT_EQ(result.refused(), collision) << describe(list);
    refused += collision;
    if (collision) continue;
    ASSERT_TRUE(is_sound_with(result, buffers, constraints));
    ASSERT_TRUE(result.proven()) << describe(list);
    ASSERT_EQ(result.size, std::max(pinned_end, best_around(list))) << describe(list);
  }
  EXPECT_LT(refused, kRounds / 2);
}

// --- proofs ----------------------------------------------------------------------------------------------------------

TEST(PairByPair, AgreesWithTrial) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 500; ++round) {
    const Buffers buffers = planning::random_list(random, {1, 5, 0, 6, 5, 4, 2});
    planning::PairByPair by_pairs(buffers);
    for (std::size_t capacity = 0; capacity < 24; ++capacity) {
      Offsets offsets(buffers.size());
      ASSERT_EQ(by_pairs.fits(capacity), planning::fits_by_trial(buffers, capacity, offsets))
          << capacity << " for " << planning::describe(buffers.data(), buffers.size());
    }
  }
}

// What is said to be the best is a size that suffices, and one byte less does not: by a method that shares no idea with
// the search. Where the bound is below the best size, this is a proof that no sum gives.
testing::AssertionResult is_proof(const Buffers& buffers, const SearchResult& result) {
  const auto failure = [&] {
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\n";
  };
  const testing::AssertionResult sound = is_sound(result, buffers);
  if (!sound) return sound;
  planning::PairByPair by_pairs(buffers);
  if (!by_pairs.fits(result.size)) return failure() << "does not fit into " << result.size;
  if (by_pairs.fits(result.size - 1)) return failure() << "fits into " << result.size - 1;
  return testing::AssertionSuccess();
}

TEST(Search, ProofsByASecondMethod) {
  Random random;
  SCOPED_TRACE(random.seed());
  constexpr int kTight = ARENITE_THOROUGH_TESTS ? 2000 : 100;
  int tight = 0;
  for (int round = 0; tight < kTight; ++round) {
    ASSERT_LT(round, 1000 * kTight) << tight;
    Buffers buffers = planning::dense_list(random, random.between(9, 16), random.between(5, 60), random.between(6, 20));
    // Some with an alignment for some: then even fewer are at the bound.
    if (round % 16 == 0) {
      for (Buffer& buffer : buffers) buffer.alignment = std::size_t{1} << random.below(3);
    }
    const SearchResult result = search_list(buffers);
    ASSERT_TRUE(result.proven()) << planning::describe(buffers.data(), buffers.size());
    if (result.size == planning::most_needed(buffers.data(), buffers.size())) continue;
    ++tight;
    ASSERT_TRUE(is_proof(buffers, result));
  }
}

// Without any work the bound is that of sums: at least the bound of plans, as the search cuts the list into spans.
TEST(Search, BoundIsAtLeastThatOfPlans) {
  Random random;
  SCOPED_TRACE(random.seed());
  int above = 0;
  for (int round = 0; round < 500; ++round) {
    Buffers buffers = planning::random_list(random, {0, 10, 0, 40, 15, 6, random.below(4)});
    const std::size_t least = std::size_t{1} << random.below(4);
    for (Buffer& buffer : buffers) buffer.alignment = std::max(least, buffer.alignment.bytes());
    SearchOptions options;
    options.work = 0;
    const SearchResult result = search_list(buffers, options);
    ASSERT_LE(planning::lower_bound_of(result.plan(buffers.data())), result.lower_bound);
    ASSERT_TRUE(planning::PairByPair(buffers).fits(result.size));
    ASSERT_TRUE(result.lower_bound == 0 || !planning::PairByPair(buffers).fits(result.lower_bound - 1))
        << planning::describe(buffers.data(), buffers.size());
    above += result.lower_bound > planning::most_alive(buffers.data(), buffers.size());
  }
  EXPECT_GT(above, 100);
}

// Where the order of the list would mislead a planner that follows it.
TEST(Search, OrderOfTheListDoesNotDecide) {
  const Buffers buffers = {{7, 0, 1, 1}, {6, 4, 4, 1}, {6, 1, 3, 1}, {6, 2, 4, 1}};
  planning::Order order = {0, 1, 2, 3};
  do {
    Buffers list;
    for (const Index index : order) list.push_back(buffers[index]);
    const SearchResult result = search_list(list);
    EXPECT_TRUE(is_sound(result, list));
    EXPECT_TRUE(result.proven());
    EXPECT_EQ(result.size, 13u);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Wherever it is asked whether to go on, it ends there, with a plan, and asks no more.
TEST(Search, EndsWhereverItIsTold) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.work = 8000000;
  int most = 0;
  options.progress = [&most](const SearchProgress&) { return ++most != 0; };
  const SearchResult whole = search_list(buffers, options);
  EXPECT_TRUE(is_sound(whole, buffers));
  EXPECT_EQ(whole.offsets, search_list(buffers, options).offsets);
  most /= 2;  // it was asked as often twice
  std::size_t former = greedy_size(buffers);
  for (const int last : {1, 2, 3, 4, 8, most / 2, most - 1}) {
    int calls = 0;
    options.progress = [&calls, last](const SearchProgress&) { return ++calls != last; };
    const SearchResult result = search_list(buffers, options);
    EXPECT_EQ(calls, last);
    EXPECT_TRUE(is_sound(result, buffers));
    EXPECT_LE(result.size, former) << last;
    EXPECT_GE(result.size, whole.size);
    EXPECT_LE(result.work, whole.work);
    former = result.size;
  }
}

// The search of the neighbourhood of a plan is asked, too, and begins after some 74 million steps here.
TEST(Search, EndsInTheMiddleOfRefinement) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  constexpr std::uint64_t kEnough = 76000000;
  bool told = false;
  options.progress = [&told](const SearchProgress& progress) {
    EXPECT_FALSE(told) << "and never again";
    told = progress.work >= kEnough;
    return !told;
  };
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(told);
  EXPECT_TRUE(is_sound(result, buffers));
  EXPECT_GE(result.work, kEnough);
  EXPECT_LT(result.work, kEnough + 4000000);
}

// Where the orders of a list that is too long for anything else are made better and better.
TEST(Search, EndsAmongTheOrdersOfALongList) {
  Random random(1);
  const Buffers buffers = planning::random_list(random, {5000, 5000, 0, 5000, 5000, 300, 4});
  for (const std::size_t last : {std::size_t{2}, arenite::host::detail::kOrders, arenite::host::detail::kOrders + 2}) {
    std::size_t calls = 0;
    SearchOptions options;
    options.progress = [&calls, last](const SearchProgress&) { return ++calls != last; };
    const SearchResult result = search_list(buffers, options);
    EXPECT_EQ(calls, last);
    EXPECT_TRUE(is_sound(result, buffers));
  }
}

// Sizes that no common divisor makes small: they are counted in 32 bits, and in 64.
TEST(Search, BestOfListsOfLargeSizes) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 100; ++round) {
    Buffers buffers = planning::random_list(random, {6, 7, 1, 5, 7, 7, 0});
    const std::size_t scale = std::size_t{1} << (round % 2 == 0 ? 20 : sizeof(std::size_t) > 4 ? 40 : 24);
    for (Buffer& buffer : buffers) buffer.size *= scale;
    buffers[0].size += 1;
    ASSERT_TRUE(is_best(buffers));
  }
}

TEST(SpanSearch, RefinesLargeSizes) {
  Random random;
  SCOPED_TRACE(random.seed());
  namespace host = arenite::host::detail;
  int improved = 0;
  for (int round = 0; round < 24; ++round) {
    Buffers buffers = planning::random_list(random, {30, 60, 1, 500, 40, 20, 0});
    const std::size_t scale = std::size_t{1} << (round % 2 == 0 ? 16 : sizeof(std::size_t) > 4 ? 40 : 18);
    const std::size_t alignment = round % 4 < 2 ? 1 : 64;  // of which the sizes are no multiples
    for (Buffer& buffer : buffers) {
      buffer.size = buffer.size * scale + 1 + random.below(2);
      buffer.alignment = alignment;
    }
    host::FirstFit first_fit(buffers.data(), buffers.size(), 0, nullptr);
    ASSERT_TRUE(first_fit.greedy());
    Offsets offsets = first_fit.offsets();
    const std::size_t end = first_fit.size();
    std::size_t highest = 0;
    host::Meter meter;
    meter.limit = 1000000;
    meter.next_ask = meter.limit;
    for (const host::Span& span : host::make_spans(buffers.data(), buffers.size(), 0, nullptr, end + 1)) {
      host::SpanSearch search(span, end + 1, meter);
      search.offer([&](std::size_t i) { return offsets[span.tasks[i].buffer]; });
      const std::size_t before = search.size();
      search.refine(span.lower_bound, 300000);
      ASSERT_LE(search.size(), before);
      ASSERT_GE(search.size(), span.lower_bound);
      for (std::size_t i = 0; i < span.tasks.size(); ++i) {
        offsets[span.tasks[i].buffer] = search.offsets()[i];
        highest = std::max(highest, search.offsets()[i] + span.tasks[i].bytes);
      }
      improved += search.size() < before;
    }
    const arenite::PlanSummary summary(highest, alignment);
    ASSERT_TRUE(planning::is_sound({summary, buffers.data(), offsets.data(), buffers.size()}, buffers));
  }
  EXPECT_GT(improved, 0);
}

// While it is open whether the capacity suffices, nothing but that is looked for.
TEST(Search, ACapacityThatStaysOpen) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.work = 3000000;
  options.capacity = search_list(buffers, options).lower_bound + 3;
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(is_sound(result, buffers, options.capacity));
  EXPECT_FALSE(result.impossible());
  EXPECT_GT(result.missing(), 0u);
  EXPECT_GE(result.work, *options.work);
}

// No time at all is over when it is first looked at.
TEST(Search, TimeThatIsOverAtOnce) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.seconds = std::numeric_limits<double>::min();
  int calls = 0;
  options.progress = [&calls](const SearchProgress&) { return ++calls != 0; };
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(is_sound(result, buffers));
  EXPECT_EQ(result.offsets, planning::offsets_of(*Planned<>(buffers)));
  EXPECT_EQ(calls, 0) << "time is looked at first";
}

}  // namespace
