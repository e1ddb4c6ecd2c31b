// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/linear.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <iterator>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::kMaxSize;
using arenite::linear;
using planning::Buffers;

// What the table says of `linear` is checked in planner_test.cpp, for each way of planning.

static_assert(linear::scratch(0) == 0 && linear::scratch(1000) == 0);

// With all lifetimes forgotten the list has to be planned as before: nothing is reused.
TEST(Linear, ForgetsLifetimes) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 5000 : 200); ++round) {
    const Buffers buffers = planning::random_list(random, {0, 30, 0, 40, 20, 20, 5});
    const planning::Planned<linear> plan(buffers);
    ASSERT_TRUE(planning::is_sound(*plan, buffers));

    Buffers all_alive = buffers;
    for (Buffer& buffer : all_alive) {
      buffer.first = 0;
      buffer.last = 20;
    }
    const planning::Planned<linear> other(all_alive);
    ASSERT_TRUE(planning::is_sound(*other, all_alive));
    ASSERT_EQ(planning::offsets_of(*plan), planning::offsets_of(*other));

    // Each at the first multiple of its alignment after the one before.
    std::size_t end = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].size == 0) continue;
      ASSERT_GE(plan->offset(i), end);
      ASSERT_LT(plan->offset(i) - end, buffers[i].alignment.bytes());
      end = plan->offset(i) + buffers[i].size;
    }
    ASSERT_EQ(plan->size(), end);
  }
}

TEST(Linear, ZeroBytesDoNotPad) {
  const Buffer buffers[] = {{3, 0, 0, 1}, {0, 0, 0, 64}, {3, 0, 0, 1}};
  std::array<std::size_t, 3> offsets{9, 9, 9};
  ASSERT_TRUE(linear::place(buffers, 3, offsets.data(), nullptr));
  EXPECT_EQ(offsets, (std::array<std::size_t, 3>{0, 0, 3}));
}

// Reuse would make these lists fit.
TEST(Linear, RefusesASumThatOverflows) {
  std::array<std::size_t, 3> offsets{};
  const Buffer apart[] = {{kMaxSize, 0, 0, 1}, {1, 1, 1, 1}};
  EXPECT_FALSE(linear::place(apart, 2, offsets.data(), nullptr));

  const Buffer wrapping[] = {{kMaxSize, 0, 0, 1}, {kMaxSize, 1, 1, 1}, {kMaxSize, 2, 2, 1}};
  EXPECT_FALSE(linear::place(wrapping, 3, offsets.data(), nullptr));

  const Buffer padded[] = {{kMaxSize, 0, 0, 1}, {1, 1, 1, planning::kTop}};
  EXPECT_FALSE(linear::place(padded, 2, offsets.data(), nullptr));

  const Buffer exact[] = {{kMaxSize - 1, 0, 0, 1}, {1, 1, 1, 1}, {0, 2, 2, planning::kTop}};
  EXPECT_TRUE(linear::place(exact, 3, offsets.data(), nullptr));
  EXPECT_EQ(offsets, (std::array<std::size_t, 3>{0, kMaxSize - 1, 0}));

  const planning::Planned<linear> plan(Buffers(std::begin(apart), std::end(apart)));
  EXPECT_EQ(plan->status(), arenite::Status::kSizeOverflow);
  EXPECT_EQ(plan->size(), 0u);
}

}  // namespace
