// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/greedy.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::greedy;
using arenite::Index;
using arenite::linear;
using planning::Buffers;
using planning::Offsets;
using planning::Planned;
using planning::Step;

// What the table says of `greedy` is checked in planner_test.cpp, for each way of planning.

static_assert(greedy::scratch(0) == 0 && greedy::scratch(100) == 300);

Offsets plan_offsets(const Buffers& buffers) {
  const Planned<> plan(buffers);
  EXPECT_TRUE(planning::is_sound(*plan, buffers));
  return planning::offsets_of(*plan);
}

testing::AssertionResult agrees(const Buffers& buffers, const Offsets& expected) {
  const Planned<> plan(buffers);
  const testing::AssertionResult sound = planning::is_sound(*plan, buffers);
  if (!sound) return sound;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (plan->offset(i) == expected[i]) continue;
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\nbuffer " << i
                                       << " lies at " << plan->offset(i) << ", not at " << expected[i];
  }
  return testing::AssertionSuccess();
}

// --- lists whose plans are known, of any length
// -----------------------------------------------------------------------

constexpr std::size_t kCounts[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 256, 300};

TEST(Greedy, ChainOfEqualSizesTakesTwoPlaces) {
  for (const std::size_t count : kCounts) {
    Buffers buffers;
    for (std::size_t i = 0; i < count; ++i) {
      buffers.push_back({48, static_cast<Step>(i), static_cast<Step>(i + 1)});
    }
    const Offsets offsets = plan_offsets(buffers);  // the last one is placed first
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(offsets[i], (count - 1 - i) % 2 * 48) << count << ", " << i;
  }
}

TEST(Greedy, AllAliveLieOnTopOfEachOther) {
  for (const std::size_t count : kCounts) {
    Buffers buffers;
    for (std::size_t i = 0; i < count; ++i) buffers.push_back({32, static_cast<Step>(i), static_cast<Step>(count)});
    const Offsets offsets = plan_offsets(buffers);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(offsets[i], (count - 1 - i) * 32) << count << ", " << i;
  }
}

TEST(Greedy, NoneAliveTogetherAllLieAtZero) {
  for (const std::size_t count : kCounts) {
    Buffers buffers;
    for (std::size_t i = 0; i < count; ++i) {
      buffers.push_back({i + 1, static_cast<Step>(2 * i), static_cast<Step>(2 * i + 1), 1});
    }
    const Offsets offsets = plan_offsets(buffers);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(offsets[i], 0u) << count << ", " << i;
  }
}

// One that lives from the first step to the last, over or under those that come and go.
TEST(Greedy, OneLivesThroughAll) {
  for (const std::size_t count : kCounts) {
    for (const std::size_t size : {10u, 100u}) {
      Buffers buffers;
      for (std::size_t i = 0; i < count; ++i) buffers.push_back({50, static_cast<Step>(i), static_cast<Step>(i), 1});
      buffers.push_back({size, 0, static_cast<Step>(count - 1), 1});
      const Offsets offsets = plan_offsets(buffers);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(offsets[i], size > 50 ? 100u : 0u) << count << ", " << i;
      ASSERT_EQ(offsets[count], size > 50 ? 0u : 50u) << count;
    }
  }
}

TEST(Greedy, PersonDetection) {
  const Buffers buffers(std::begin(person_detection::kBuffers), std::end(person_detection::kBuffers));
  const Planned<> plan(buffers);
  EXPECT_TRUE(planning::is_sound(*plan, buffers));
  EXPECT_EQ(plan->size(), 73728u);
  EXPECT_EQ(planning::lower_bound_of(*plan), 55296u);
}

// --- against the definition
// -------------------------------------------------------------------------------------------

// Every list of `count` buffers with sizes from `least_size` to 3, lifetimes within three steps and these alignments.
void check_every_list(std::size_t count, std::size_t least_size, const std::vector<std::size_t>& alignments) {
  Buffers all;
  for (std::size_t size = least_size; size <= 3; ++size) {
    for (Step first = 0; first < 3; ++first) {
      for (Step last = first; last < 3; ++last) {
        for (const std::size_t alignment : alignments) all.push_back({size, first, last, alignment});
      }
    }
  }
  constexpr std::size_t kMost = 4;
  ASSERT_LE(count, kMost);
  std::array<std::size_t, kMost> digits{};
  std::array<Buffer, kMost> list;
  std::array<Index, kMost> order{};
  std::array<std::size_t, kMost> expected{};
  alignas(std::size_t) std::array<unsigned char, arenite::plan_bytes<greedy>(kMost)> memory{};
  std::array<Index, arenite::verify_scratch(kMost)> scratch{};
  for (bool more = true; more;) {
    for (std::size_t i = 0; i < count; ++i) list[i] = all[digits[i]];
    planning::largest_first(list.data(), count, order.data());
    planning::first_fit(list.data(), count, order.data(), expected.data());
    const arenite::PlanRef plan = arenite::plan<greedy>(list.data(), count, memory.data(), memory.size());
    bool right = plan.verify(scratch.data()).ok();
    for (std::size_t i = 0; i < count; ++i) right = right && plan.offset(i) == expected[i];
    right = right && plan.lower_bound(scratch.data()) == planning::most_needed(list.data(), count);
    ASSERT_TRUE(right) << planning::describe(list.data(), count);
    more = false;
    for (std::size_t i = 0; i < count && !more; ++i) {
      more = ++digits[i] < all.size();
      if (!more) digits[i] = 0;
    }
  }
}

TEST(Greedy, EveryListOfAFewBuffers) {
  check_every_list(0, 0, {1});
  check_every_list(1, 0, {1, 2, 4});
  check_every_list(2, 0, {1, 2, 4});
#if ARENITE_THOROUGH_TESTS
  check_every_list(3, 0, {1, 2, 4});
  check_every_list(4, 1, {1, 4});
#else
  check_every_list(3, 1, {2});
#endif
}

TEST(Greedy, RandomShortLists) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 50000 : 500); ++round) {
    const std::uint32_t steps = random.any_length(40);
    const Buffers buffers = planning::random_list(random, {0, 20, 0, random.between(1, 20), steps, steps, 4});
    const planning::Order order = planning::largest_first(buffers);
    Offsets expected(buffers.size());
    planning::first_fit(buffers.data(), buffers.size(), order.data(), expected.data());
    ASSERT_TRUE(agrees(buffers, expected));
  }
}

TEST(Greedy, RandomLongLists) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  constexpr std::uint32_t kLong[] = {300, 1000, 5000};
  for (const std::uint32_t count : kLong) {
    if (sizeof(void*) == 4 && count > 300) break;
    const std::uint32_t kLongest[] = {3, 40, count};
    for (const std::uint32_t longest : kLongest) {
      const Buffers buffers = planning::random_list(random, {count, count, 0, 20000, count, longest, 5});
      ASSERT_TRUE(agrees(buffers, planning::first_fit_of_many(buffers, planning::largest_first(buffers))));
    }
  }
}

// --- properties
// -------------------------------------------------------------------------------------------------------

// No size is too large for the place that no other buffer can have: without padding greedy is never above linear. (With
// padding it may be, see the table.)
TEST(Greedy, IsNeverAboveLinearWithoutPadding) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 20000 : 300); ++round) {
    Buffers buffers = planning::random_list(random, {0, 40, 0, 30, 20, 20, 4});
    for (Buffer& buffer : buffers) buffer.size *= 16;
    const Planned<greedy> reused(buffers);
    const Planned<linear> apart(buffers);
    ASSERT_LE(reused->size(), apart->size()) << planning::describe(buffers.data(), buffers.size());
  }
}

TEST(Greedy, DependsOnNothingButTheList) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 2000 : 100); ++round) {
    const Buffers buffers = planning::random_list(random, {0, 100, 0, 50, 60, 60, 4});
    const Planned<> once(buffers, 0x00);
    const Planned<> twice(buffers, 0xFF);
    const Buffers copy = buffers;  // elsewhere
    const Planned<> thrice(copy, 0x5A);
    ASSERT_EQ(planning::offsets_of(*once), planning::offsets_of(*twice));
    ASSERT_EQ(planning::offsets_of(*once), planning::offsets_of(*thrice));
  }
}

// Time moved, or stretched: the same who lives with whom, so the same plan, however the lifetimes fall into the tree.
TEST(Greedy, DependsOnlyOnWhoLivesWithWhom) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 5000 : 200); ++round) {
    const Buffers buffers = planning::random_list(random, {1, 100, 0, 50, 60, 60, 4});
    Buffers moved = buffers;
    Buffers stretched = buffers;
    const auto by = static_cast<Step>(random.below(60000));
    const auto times = static_cast<Step>(random.between(1, 1000));
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      moved[i].first = static_cast<Step>(buffers[i].first + by);
      moved[i].last = static_cast<Step>(buffers[i].last + by);
      stretched[i].first = static_cast<Step>(buffers[i].first * times);
      stretched[i].last = static_cast<Step>(buffers[i].last * times);
    }
    const Offsets offsets = plan_offsets(buffers);
    ASSERT_EQ(offsets, plan_offsets(moved)) << planning::describe(buffers.data(), buffers.size());
    ASSERT_EQ(offsets, plan_offsets(stretched)) << planning::describe(buffers.data(), buffers.size());
  }
}

#if SIZE_MAX > 0xFFFFFFFF
TEST(Greedy, AHundredThousandBuffers) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  const Buffers buffers = planning::random_list(random, {100000, 100000, 0, 100000, 100000, 60, 6});
  const Planned<> plan(buffers);
  ASSERT_EQ(plan->status(), arenite::Status::kOk);
  EXPECT_TRUE(planning::verdict_on(*plan).ok());
  EXPECT_LE(planning::lower_bound_of(*plan), plan->size());
}
#endif

}  // namespace
