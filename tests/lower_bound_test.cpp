// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/lower_bound.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
using planning::Buffers;

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

// Step by step, which is what the bound is: the most bytes at one step.
TEST(LowerBound, IsTheLargestSumOfAStep) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 30000 : 500); ++round) {
    const Buffers buffers = planning::random_list(random, {0, random.between(1, 60), 0, 50, 40, 40, 4});
    std::size_t most = 0;
    for (planning::Step step = 0; step <= 40; ++step) {
      std::size_t alive = 0;
      for (const Buffer& buffer : buffers) {
        if (buffer.first <= step && step <= buffer.last) alive += buffer.size;
      }
      if (alive > most) most = alive;
    }
    ASSERT_EQ(bound(buffers), most) << planning::describe(buffers.data(), buffers.size());
  }
}

TEST(LowerBound, DoesNotCountAlignment) { EXPECT_EQ(bound({{3, 0, 1, 64}, {3, 0, 1, 64}, {3, 1, 2, 64}}), 9u); }

TEST(LowerBound, DeathComesAfterTheLastStep) {
  EXPECT_EQ(bound({{5, 0, 3}, {7, 3, 9}}), 12u);
  EXPECT_EQ(bound({{5, 0, 3}, {7, 4, 9}}), 7u);
  constexpr planning::Step kLast = planning::kLastStep;
  EXPECT_EQ(bound({{5, 0, kLast}, {7, kLast, kLast}, {9, kLast - 1, kLast - 1}}), 14u);
}

TEST(LowerBound, LargeSizesDoNotWrap) {
  EXPECT_EQ(bound({{arenite::kMaxSize, 0, 0}, {arenite::kMaxSize, 1, 1}}), arenite::kMaxSize);
  EXPECT_EQ(bound({{arenite::kMaxSize, 0, 0}, {arenite::kMaxSize, 0, 0}}), 2 * arenite::kMaxSize);
}

TEST(LowerBound, WritesOnlyItsScratch) {
  const Buffer buffers[] = {{1, 0, 1}, {2, 1, 2}, {3, 2, 3}};
  std::array<Index, arenite::lower_bound_scratch(3) + 2> scratch{};
  scratch.fill(77);
  EXPECT_EQ(arenite::lower_bound(buffers, 3, scratch.data() + 1), 5u);
  EXPECT_EQ(scratch.front(), 77);
  EXPECT_EQ(scratch.back(), 77);
}

}  // namespace
