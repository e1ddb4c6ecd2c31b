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
using arenite::Index;
using arenite::kMaxSize;
using arenite::Status;
using arenite::Step;
using arenite::host::search;
using arenite::host::SearchOptions;
using arenite::host::SearchProgress;
using arenite::host::SearchResult;
using planning::Buffers;
using planning::Offsets;
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
  const testing::AssertionResult sound = planning::is_sound(result.plan(buffers.data()), buffers);
  if (!sound) return sound;
  if (result.size > greedy_size(buffers)) return failure() << result.size << " bytes, more than greedy";
  if (result.lower_bound > result.size) return failure() << "its lower bound is " << result.lower_bound;
  if (result.lower_bound < planning::most_alive(buffers.data(), buffers.size())) {
    return failure() << result.lower_bound << " bytes as lower bound, and more are alive at a step";
  }
  if (result.threads != 1) return failure() << result.threads << " threads";
  return testing::AssertionSuccess();
}

// --- the best plan, by trying all ------------------------------------------------------------------------------------

// Every plan can be pushed down until each buffer rests on others or on the ground, and be built from the ground up: so
// the best is found by placing the buffers in every order, each over all that were placed before and live with it.
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
        if (!placed_[k] || buffers_[k].size == 0 || !planning::share_a_step(buffers_[i], buffers_[k])) continue;
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

// --- larger lists ----------------------------------------------------------------------------------------------------

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
  const Buffers buffers = planning::random_list(random, {5000, 5000, 0, 5000, 5000, 300, 4});
  SearchOptions options;
  options.work = 40 * 256 * 5000;
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(is_sound(result, buffers));
  EXPECT_LT(result.size, greedy_size(buffers));
  EXPECT_LE(result.work, options.work);
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

TEST(Search, CapacityStopsEarly) {
  const Buffers& buffers = hard_list();
  SearchOptions options;
  options.capacity = kMaxSize;
  const SearchResult result = search_list(buffers, options);
  EXPECT_TRUE(is_sound(result, buffers, options.capacity));
  EXPECT_EQ(result.work, 0u);
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

}  // namespace
