// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/lower_bound.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::kMaxSize;
using planning::Buffers;
using planning::Offsets;

std::size_t bound(const Buffers& buffers) {
  std::vector<Index> scratch(arenite::lower_bound_scratch(buffers.size()), arenite::kNoIndex);
  return arenite::lower_bound(buffers.data(), buffers.size(), scratch.data());
}

TEST(LowerBound, IsRightForEachCase) {
  planning::for_each_case(planning::kCases, [](const auto& c) {
    const auto buffers = c.buffers();
    EXPECT_EQ(bound(Buffers(buffers.begin(), buffers.end())), c.answer.lower_bound) << c.name;
  });
}

// Step by step, which is what the bound is: the most bytes at one step, padded but for one.
TEST(LowerBound, IsTheLargestSumOfAStep) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  int above = 0;
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 30000 : 500); ++round) {
    Buffers buffers = planning::random_list(random, {0, random.between(1, 60), 0, 50, 40, 40, random.below(5)});
    const std::size_t least = std::size_t{1} << random.below(5);
    for (Buffer& buffer : buffers) {
      if (buffer.alignment.bytes() < least && random.below(20) != 0) buffer.alignment = least;
    }
    std::size_t unit = 16;
    for (const Buffer& buffer : buffers) {
      if (buffer.size != 0) unit = std::min(unit, buffer.alignment.bytes());
    }
    std::size_t most = 0;
    for (planning::Step step = 0; step <= 40; ++step) {
      std::size_t alive = 0;
      std::size_t saved = 0;
      for (const Buffer& buffer : buffers) {
        if (step < buffer.first || buffer.last < step) continue;
        std::size_t padded = buffer.size;
        while (padded % unit != 0) ++padded;
        alive += padded;
        saved = std::max(saved, padded - buffer.size);
      }
      most = std::max(most, alive - saved);
    }
    ASSERT_EQ(bound(buffers), most) << planning::describe(buffers.data(), buffers.size());
    ASSERT_EQ(planning::most_needed(buffers.data(), buffers.size()), most);
    ASSERT_LE(planning::most_alive(buffers.data(), buffers.size()), most);
    above += most > planning::most_alive(buffers.data(), buffers.size());
  }
  EXPECT_GT(above, 100);
}

TEST(LowerBound, CountsThePaddingThatAllHave) {
  constexpr Buffer kTwice[] = {{3, 0, 0, 2}, {3, 0, 0, 2}};
  constexpr auto kOf = [](const auto& buffers) {
    Index scratch[9] = {};
    return arenite::lower_bound(buffers, std::size(buffers), scratch);
  };
  static_assert(kOf(kTwice) == 7);
  EXPECT_EQ(bound({{3, 0, 1, 64}, {3, 0, 1, 64}, {3, 1, 2, 64}}), 131u);
  EXPECT_EQ(bound({{5, 0, 1, 8}, {1, 0, 1, 8}}), 9u) << "the one with more padding is on top";
  EXPECT_EQ(bound({{1, 0, 0, 8}, {5, 0, 1, 8}, {5, 1, 1, 8}}), 13u) << "which is dead by then";
  EXPECT_EQ(bound({{1, 0, 0, 8}, {8, 0, 0, 8}}), 9u);
  EXPECT_EQ(bound({{3, 0, 1, 64}, {3, 0, 1, 64}, {3, 1, 2, 1}}), 9u) << "one of them can lie anywhere";
  EXPECT_EQ(bound({{3, 0, 1, 64}, {3, 0, 1, 64}, {0, 1, 2, 1}}), 67u) << "but one without bytes does not lie";
}

// Never above the best size.
TEST(LowerBound, IsBelowTheBestSize) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  int reached = 0;
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 4000 : 400;
  for (int round = 0; round < kRounds; ++round) {
    Buffers buffers = planning::random_list(random, {0, 7, 0, 9, 6, 6, random.below(4)});
    const std::size_t least = std::size_t{1} << random.below(4);
    for (Buffer& buffer : buffers) buffer.alignment = std::max(least, buffer.alignment.bytes());
    const std::size_t best = planning::PairByPair(buffers).best();
    ASSERT_LE(bound(buffers), best) << planning::describe(buffers.data(), buffers.size());
    reached += bound(buffers) == best;
  }
  EXPECT_GT(reached, kRounds / 2);
}

TEST(LowerBound, DeathComesAfterTheLastStep) {
  EXPECT_EQ(bound({{5, 0, 3, 1}, {7, 3, 9, 1}}), 12u);
  EXPECT_EQ(bound({{5, 0, 3, 1}, {7, 4, 9, 1}}), 7u);
  constexpr planning::Step kLast = planning::kLastStep;
  EXPECT_EQ(bound({{5, 0, kLast, 1}, {7, kLast, kLast, 1}, {9, kLast - 1, kLast - 1, 1}}), 14u);
}

TEST(LowerBound, LargeSizesDoNotWrap) {
  constexpr std::size_t kNone = arenite::detail::kSizeMax;
  EXPECT_EQ(bound({{kMaxSize, 0, 0}, {kMaxSize, 1, 1}}), kMaxSize);
  EXPECT_EQ(bound({{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}}), 2 * kMaxSize);
  EXPECT_EQ(bound({{kMaxSize, 0, 0}, {kMaxSize, 0, 0}}), kNone) << "padded, the sum does not fit";
  EXPECT_EQ(bound({{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}, {2, 0, 0, 1}}), kNone);
  EXPECT_EQ(bound({{kMaxSize, 0, 1, 1}, {kMaxSize, 0, 1, 1}, {3, 0, 0, 1}, {1, 1, 1, 1}}), kNone) << "nor later on";

  // Plans of the largest size, and of a sum that fits only without the padding of the topmost.
  EXPECT_EQ(bound({{kMaxSize - 16, 0, 0}, {1, 0, 0}}), kMaxSize - 14);
  EXPECT_EQ(bound({{kMaxSize - 15, 0, 0}, {15, 0, 0}}), kMaxSize);
  EXPECT_EQ(bound({{kMaxSize, 0, 0, kMaxSize + 1}}), kMaxSize);
  EXPECT_EQ(bound({{1, 0, 0, kMaxSize + 1}, {0, 0, 0, 1}}), 1u);
}

// --- with fixed places -----------------------------------------------------------------------------------------------

// The first buffers lie at the places given. They come by ascending offset, and have bytes.
std::size_t bound(const Buffers& buffers, const Offsets& places) {
  std::vector<std::pair<std::size_t, Buffer>> fixed;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (buffers[i].size != 0) fixed.emplace_back(places[i], buffers[i]);
  }
  std::stable_sort(fixed.begin(), fixed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Buffers list;
  Offsets offsets;
  for (const auto& [place, buffer] : fixed) {
    list.push_back(buffer);
    offsets.push_back(place);
  }
  list.insert(list.end(), buffers.begin() + static_cast<std::ptrdiff_t>(places.size()), buffers.end());
  std::vector<Index> scratch(arenite::lower_bound_scratch(list.size()), arenite::kNoIndex);
  return arenite::lower_bound(arenite::Around{list.data(), fixed.size()}, list.size(), offsets.data(), scratch.data());
}

// The end of the buffer that can't lie as low as the others, each tried by itself.
std::size_t highest_alone(const Buffers& buffers, const Offsets& places) {
  std::size_t most = 0;
  for (std::size_t i = places.size(); i < buffers.size(); ++i) {
    Buffers list(buffers.begin(), buffers.begin() + static_cast<std::ptrdiff_t>(places.size()));
    list.push_back(buffers[i]);
    Offsets offsets = places;
    offsets.push_back(0);
    std::size_t end = buffers[i].size;
    while (!planning::fits_by_trial(list, end, offsets, places.size())) ++end;
    most = std::max(most, end);
  }
  return most;
}

// From the definition: byte by byte upwards until so many were free, at every step.
std::size_t free_bytes_end(const Buffers& buffers, const Offsets& places, planning::Step last_step) {
  std::size_t most = 0;
  for (std::size_t step = 0; step <= last_step; ++step) {
    std::size_t needed = 0;
    for (std::size_t i = places.size(); i < buffers.size(); ++i) {
      if (arenite::alive_at(buffers[i], step)) needed += buffers[i].size;
    }
    std::size_t end = 0;
    for (; needed != 0; ++end) {
      bool taken = false;
      for (std::size_t i = 0; i < places.size(); ++i) {
        taken = taken || (arenite::alive_at(buffers[i], step) && places[i] <= end && end < places[i] + buffers[i].size);
      }
      if (!taken) --needed;
    }
    most = std::max(most, end);
  }
  return most;
}

TEST(LowerBound, AroundFixedPlaces) {
  EXPECT_EQ(bound({{32, 0, 2, 1}, {32, 0, 2, 1}, {16, 0, 2, 1}}, {32}), 80u);
  EXPECT_EQ(bound({{32, 0, 2, 1}, {32, 0, 2, 1}}, {32}), 32u) << "below is room";
  EXPECT_EQ(bound({{32, 0, 2, 1}, {33, 0, 2, 1}}, {32}), 97u);
  EXPECT_EQ(bound({{64, 0, 9, 1}, {100, 0, 1, 1}, {100, 2, 3, 1}}, {0}), 164u);
  EXPECT_EQ(bound({{64, 1, 1, 1}, {100, 0, 0, 1}, {50, 0, 1, 1}}, {0}), 150u);
  EXPECT_EQ(bound({{64, 1, 1, 1}, {100, 0, 1, 1}}, {0}), 164u) << "the most is where the fixed one is born";
  EXPECT_EQ(bound({{64, 0, 0, 1}, {100, 1, 1, 1}}, {0}), 100u);
  EXPECT_EQ(bound({{64, 0, 0, 1}}, {1000}), 0u) << "where fixed ones end does not count";
  EXPECT_EQ(bound({{64, 0, 0, 1}, {0, 0, 0, 1}}, {0}), 0u);
  EXPECT_EQ(bound({{0, 0, 0, 1}, {5, 0, 0, 1}}, {0}), 5u);
  EXPECT_EQ(bound({{10, 0, 0, 1}, {10, 0, 0, 1}, {1, 0, 0, 1}, {11, 0, 0, 1}}, {20, 0}), 30u + 11)
      << "below is too little room";
  EXPECT_EQ(bound({{10, 0, 0, 1}, {10, 0, 0, 1}, {1, 0, 0, 1}, {10, 0, 0, 1}}, {20, 0}), 31u);
  EXPECT_EQ(bound({{4, 0, 0, 4}, {3, 0, 0, 2}, {3, 0, 0, 2}}, {400}), 7u) << "the padding of the others";
  EXPECT_EQ(bound({{kMaxSize, 0, 0, 1}, {5, 0, 0, 1}}, {0}), kMaxSize + 5);
  EXPECT_EQ(bound({{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}, {2, 0, 0, 1}}, {0}), arenite::detail::kSizeMax);
}

TEST(LowerBound, WithoutFixedPlacesItIsTheSame) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 100; ++round) {
    const Buffers buffers = planning::random_list(random, {0, 40, 0, 50, 40, 40, 3});
    ASSERT_EQ(bound(buffers, {}), bound(buffers));
  }
}

// Some buffers with a place, which lie apart where they overlap in time, in front of others.
Buffers random_fixed(planning::Random& random, std::size_t most_fixed, std::uint32_t most_free, Offsets& places) {
  Buffers fixed;
  for (int tries = 0; tries < 20 && fixed.size() < most_fixed; ++tries) {
    const Buffer buffer = planning::random_list(random, {1, 1, 0, 8, 6, 6, 2}).front();
    const std::size_t place =
        buffer.alignment.bytes() * random.below(24 / static_cast<std::uint32_t>(buffer.alignment.bytes()));
    fixed.push_back(buffer);
    places.push_back(place);
    if (planning::all_apart(fixed.data(), places.data(), fixed.size())) continue;
    fixed.pop_back();
    places.pop_back();
  }
  const Buffers free = planning::random_list(random, {0, most_free, 0, 7, 6, 6, random.below(3)});
  fixed.insert(fixed.end(), free.begin(), free.end());
  return fixed;
}

TEST(LowerBound, AroundFixedPlacesIsWhereEnoughBytesAreFree) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  int above = 0;
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 30000 : 500); ++round) {
    Offsets places;
    const Buffers buffers = random_fixed(random, random.below(8), 12, places);
    const Buffers free(buffers.begin() + static_cast<std::ptrdiff_t>(places.size()), buffers.end());
    const std::size_t expected =
        std::max({free_bytes_end(buffers, places, 6), highest_alone(buffers, places), bound(free)});
    ASSERT_EQ(bound(buffers, places), expected) << planning::describe(buffers.data(), buffers.size());
    above += expected > bound(free);
  }
  EXPECT_GT(above, 100);
}

TEST(LowerBound, AroundFixedPlacesIsBelowTheBestSize) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  int reached = 0;
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 4000 : 400;
  for (int round = 0; round < kRounds; ++round) {
    Offsets places;
    const Buffers buffers = random_fixed(random, 3, 4, places);
    const std::size_t best = planning::PairByPair(buffers, places).best();
    Offsets offsets = places;
    offsets.resize(buffers.size());
    ASSERT_TRUE(planning::fits_by_trial(buffers, best, offsets, places.size()));
    ASSERT_TRUE(best == 0 || !planning::fits_by_trial(buffers, best - 1, offsets, places.size()));
    ASSERT_LE(bound(buffers, places), best) << planning::describe(buffers.data(), buffers.size());
    reached += bound(buffers, places) == best;
  }
  EXPECT_GT(reached, kRounds / 2);
}

TEST(LowerBound, WritesOnlyItsScratch) {
  const Buffer buffers[] = {{1, 0, 1}, {2, 1, 2}, {3, 2, 3}};
  std::array<Index, arenite::lower_bound_scratch(3) + 2> scratch{};
  scratch.fill(77);
  EXPECT_EQ(arenite::lower_bound(buffers, 3, scratch.data() + 1), 18u);
  EXPECT_EQ(scratch.front(), 77);
  EXPECT_EQ(scratch.back(), 77);
  const std::size_t place = 0;
  scratch.fill(77);
  EXPECT_EQ(arenite::lower_bound(arenite::Around{buffers, 1}, 3, &place, scratch.data() + 1), 18u);
  EXPECT_EQ(scratch.front(), 77);
  EXPECT_EQ(scratch.back(), 77);
}

}  // namespace
