// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/first_fit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::kMaxSize;
using planning::Buffers;
using planning::kLastStep;
using planning::Offsets;
using planning::Order;
using planning::Step;

// `order` says who is placed first; the engine takes it from the back. Everything has exactly the room that it needs.
bool place(const Buffers& buffers, Order order, Offsets& offsets) {
  std::reverse(order.begin(), order.end());
  offsets.assign(buffers.size(), 12345);
  Order next(buffers.size(), 7);
  Order heads(buffers.size(), 7);
  return arenite::detail::first_fit(buffers.data(), buffers.size(), offsets.data(), order.data(), next.data(),
                                    heads.data());
}

Offsets placed(const Buffers& buffers, const Order& order) {
  Offsets offsets;
  EXPECT_TRUE(place(buffers, order, offsets));
  return offsets;
}

testing::AssertionResult agrees(const Buffers& buffers, const Order& order, const Offsets& expected) {
  const Offsets offsets = placed(buffers, order);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (offsets[i] == expected[i]) continue;
    auto failure = testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "order";
    for (const Index index : order) failure << " " << index;
    return failure << ": buffer " << i << " lies at " << offsets[i] << ", not at " << expected[i];
  }
  return testing::AssertionSuccess();
}

Offsets by_definition(const Buffers& buffers, const Order& order) {
  Offsets offsets(buffers.size());
  planning::first_fit(buffers.data(), buffers.size(), order.data(), offsets.data());
  return offsets;
}

Order in_order(std::size_t count) {
  Order order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<Index>(i));
  return order;
}

TEST(FirstFit, PlacesTheLastOfTheOrderFirst) {
  const Buffers buffers = {{10, 0, 0, 1}, {20, 0, 0, 1}, {30, 0, 0, 1}};
  EXPECT_EQ(placed(buffers, {0, 1, 2}), (Offsets{0, 10, 30}));
  EXPECT_EQ(placed(buffers, {2, 0, 1}), (Offsets{30, 40, 0}));
}

// A small one that comes first leaves gaps that none of the greedy lists has.
TEST(FirstFit, UsesGapsOfAnyOrder) {
  const Buffers buffers = {{4, 0, 0, 1}, {8, 0, 9, 1}, {4, 9, 9, 1}, {3, 9, 9, 1}, {1, 9, 9, 1}, {1, 9, 9, 1}};
  EXPECT_EQ(placed(buffers, {0, 1, 2, 3, 4, 5}), (Offsets{0, 4, 0, 12, 15, 16}));
  EXPECT_EQ(placed(buffers, {0, 1, 3, 2, 4, 5}), (Offsets{0, 4, 12, 0, 3, 16}));
}

TEST(FirstFit, ZeroBytesLieAtZeroAndAreInNobodysWay) {
  const Buffers buffers = {{0, 0, 0, 64}, {8, 0, 0, 1}, {0, 0, 0, 1}, {8, 0, 0, 1}};
  EXPECT_EQ(placed(buffers, {0, 1, 2, 3}), (Offsets{0, 0, 0, 8}));
  EXPECT_EQ(placed(buffers, {3, 2, 1, 0}), (Offsets{0, 8, 0, 0}));
}

TEST(FirstFit, NothingToPlace) {
  Offsets offsets;
  EXPECT_TRUE(place({}, {}, offsets));
}

TEST(FirstFit, RefusesWhatEndsAboveTheLargestSize) {
  Offsets offsets;
  EXPECT_TRUE(place({{kMaxSize, 0, 0, 1}, {kMaxSize, 1, 1, 1}}, {0, 1}, offsets));
  EXPECT_TRUE(place({{kMaxSize - 1, 0, 0, 1}, {1, 0, 0, 1}}, {0, 1}, offsets));
  EXPECT_EQ(offsets, (Offsets{0, kMaxSize - 1}));
  EXPECT_FALSE(place({{kMaxSize, 0, 0, 1}, {1, 0, 0, 1}}, {0, 1}, offsets));
  EXPECT_FALSE(place({{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}}, {0, 1}, offsets));
  EXPECT_FALSE(place({{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, planning::kTop}}, {0, 1}, offsets)) << "no wrap";
  EXPECT_FALSE(place({{1, 0, 0, 1}, {1, 0, 0, planning::kTop}}, {0, 1}, offsets)) << "the offset itself is too large";
  EXPECT_TRUE(place({{kMaxSize, 0, 0, 1}, {0, 0, 0, planning::kTop}}, {0, 1}, offsets)) << "zero bytes fit";
}

// The definition tries every offset, the other oracle only the ends of buffers: they have to agree before the second
// one may judge longer lists.
TEST(FirstFit, TheOraclesAgree) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 5000 : 200); ++round) {
    const Buffers buffers = planning::random_list(random, {0, 16, 0, 12, random.below(12), 12, 3});
    const Order order = planning::random_order(random, buffers.size());
    ASSERT_EQ(by_definition(buffers, order), planning::first_fit_of_many(buffers, order));
  }
}

TEST(FirstFit, RandomShortLists) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 100000 : 1000); ++round) {
    const std::uint32_t steps = random.any_length(60);
    const Buffers buffers = planning::random_list(random, {0, 24, 0, 12, steps, steps, 3});
    const Order order = planning::random_order(random, buffers.size());
    ASSERT_TRUE(agrees(buffers, order, by_definition(buffers, order)));
  }
}

// From flat to deep: any number of buffers, any number of steps up to the largest, lifetimes of any length, so that
// every level of the tree of time spans is in use.
TEST(FirstFit, RandomListsOfAnyShape) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 10000 : 100); ++round) {
    const std::uint32_t steps = random.any_length(kLastStep);
    const Buffers buffers = planning::random_list(random, {0, random.any_length(300), 0, random.any_length(1000), steps,
                                                           random.any_length(steps), random.below(7)});
    const Order order = planning::random_order(random, buffers.size());
    ASSERT_TRUE(agrees(buffers, order, planning::first_fit_of_many(buffers, order)));
  }
}

// Each pair of lifetimes within a few steps collides or not as it has to, wherever in the tree the two are kept. The
// other buffers of the list, without bytes, only make the tree deep: flat for 2, a leaf for each step for 1024.
TEST(FirstFit, EveryPairOfLifetimes) {
  constexpr Step kSteps = ARENITE_THOROUGH_TESTS ? 20 : 9;
  for (const std::size_t count : {2u, 64u, 1024u}) {
    Buffers buffers(count);
    const Order order = in_order(count);
    Offsets offsets;
    for (Step a = 0; a < kSteps; ++a) {
      for (Step b = a; b < kSteps; ++b) {
        for (Step c = 0; c < kSteps; ++c) {
          for (Step d = c; d < kSteps; ++d) {
            buffers[0] = {10, a, b, 1};
            buffers[1] = {10, c, d, 1};
            ASSERT_TRUE(place(buffers, order, offsets));
            const bool together = planning::share_a_step(buffers[0], buffers[1]);
            ASSERT_EQ(offsets[1], together ? 10u : 0u) << count << ": " << a << " " << b << " " << c << " " << d;
          }
        }
      }
    }
  }
}

// The steps of all lifetimes together are more than a word of a 32-bit target can count. Of zero bytes, as placing them
// is quick then.
TEST(FirstFit, ManyLongLifetimes) {
  for (const std::size_t count : {1u, 2u, 32767u, 32768u}) {
    Buffers buffers(count, {0, 0, kLastStep, 1});
    buffers.front() = {1, 0, kLastStep - 1, 1};
    buffers.back().size = 1;
    const Offsets offsets = placed(buffers, in_order(count));
    EXPECT_EQ(offsets.front(), 0u);
    EXPECT_EQ(offsets.back(), count == 1 ? 0u : 1u);
  }
}

TEST(FirstFit, ManyBuffers) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  constexpr std::uint32_t kCount = sizeof(void*) > 4 ? 4000 : 800;
  constexpr std::uint32_t kLongest[] = {1, 8, 100, kCount};
  for (const std::uint32_t longest : kLongest) {
    const Buffers buffers = planning::random_list(random, {kCount, kCount, 0, 5000, kCount, longest, 6});
    const Order order = planning::random_order(random, buffers.size());
    ASSERT_TRUE(agrees(buffers, order, planning::first_fit_of_many(buffers, order)));
  }
}

}  // namespace
