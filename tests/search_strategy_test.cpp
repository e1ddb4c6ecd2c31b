// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Around;
using arenite::best_of_eight;
using arenite::Buffer;
using arenite::greedy;
using arenite::Index;
using arenite::plan;
using arenite::search;
using arenite::Status;
using arenite::Step;
using planning::Buffers;
using planning::Exhaustive;
using planning::Offsets;
using planning::Planned;
using planning::Random;

#if defined(__unix__)
constexpr bool kBoard = false;
#else
constexpr bool kBoard = true;  // an emulated one has less time
#endif

// --- answers ---------------------------------------------------------------------------------------------------------

// All that an answer has to be, but for the best. What is proven may be above the most bytes at one step.
testing::AssertionResult is_sound(const arenite::PlanRef& plan, const Buffers& buffers) {
  const auto failure = [&] {
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\n";
  };
  if (plan.status() != Status::kOk || plan.count() != buffers.size()) return failure() << "refused";
  const Offsets offsets = planning::offsets_of(plan);
  if (!planning::all_apart(buffers.data(), offsets.data(), buffers.size())) return failure() << "two buffers collide";
  if (!planning::verdict_on(plan).ok()) return failure() << "not sound";
  if (planning::lower_bound_of(plan) > plan.size()) return failure() << "smaller than what is needed";
  return testing::AssertionSuccess();
}

// A release may be rounded up above all that is allowed.
TEST(SearchStrategy, NeverEndsAboveWhatTheFirstPlanDoes) {
  constexpr std::size_t kHuge = arenite::kMaxSize + 1;  // as an alignment
  const Buffers lists[] = {
      {{4, 2, 2, kHuge}, {2, 0, 1, 1}, {9, 0, 0, 2}, {19, 1, 2, 8}},
      {{10, 2, 3, kHuge}, {16, 0, 0, 4}, {11, 0, 1, 1}, {2, 1, 2, 8}, {3, 0, 1, 8}},
      {{1, 5, 9, 131072}, {3, 1, 5, 32}, {arenite::kMaxSize - 54, 5, 8, 16}},
  };
  for (const Buffers& list : lists) {
    const Planned<search<>> found(list);
    ASSERT_TRUE(is_sound(*found, list));
    EXPECT_LE(found->size(), Planned<best_of_eight>(list)->size());
  }
}

bool is_proven(const arenite::PlanRef& plan) {
  std::vector<Index> scratch(arenite::lower_bound_scratch(plan.count()));
  return plan.proven(scratch.data());
}

// Searches a list and compares with the best there is; what `greedy` has to be improved for.
template <class Strategy = search<4000000, greedy>>
testing::AssertionResult is_best(const Buffers& buffers) {
  const Planned<Strategy> planned(buffers);
  const testing::AssertionResult sound = is_sound(*planned, buffers);
  if (!sound) return sound;
  const auto failure = [&] {
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\n";
  };
  const std::size_t best = Exhaustive(buffers).best();
  if (planned->size() != best) return failure() << planned->size() << " bytes, and " << best << " suffice";
  if (!is_proven(*planned)) return failure() << "not proven";
  return testing::AssertionSuccess();
}

// Every list of some buffers on a grid.
void each_list(std::size_t count, std::size_t sizes, Step steps, unsigned alignments) {
  std::vector<Buffer> kinds;
  for (std::size_t size = 1; size <= sizes; ++size) {
    for (Step first = 0; first < steps; ++first) {
      for (Step last = first; last < steps; ++last) {
        for (unsigned k = 0; k < alignments; ++k) kinds.push_back({size, first, last, std::size_t{1} << 2 * k});
      }
    }
  }
  std::vector<std::size_t> kind(count);
  Buffers buffers(count);
  for (;;) {
    for (std::size_t i = 0; i < count; ++i) buffers[i] = kinds[kind[i]];
    ASSERT_TRUE(is_best(buffers));
    std::size_t i = 0;
    while (i < count && kind[i] + 1 == kinds.size()) ++i;
    if (i == count) return;
    std::fill_n(kind.begin(), i + 1, kind[i] + 1);  // those before are at least that: every multiset once
  }
}

TEST(SearchStrategy, BestOfAllListsOnGrids) {
  each_list(3, 2, 2, 2);
  if (kBoard) return;
  each_list(3, 3, 3, 2);
  each_list(4, 2, 3, 1);
  each_list(5, 2, 2, 2);
  if (!ARENITE_THOROUGH_TESTS) return;
  each_list(4, 3, 3, 2);
  each_list(6, 2, 2, 2);
  each_list(8, 2, 2, 1);
}

TEST(SearchStrategy, BestOfSmallLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  const int rounds = kBoard ? 20 : ARENITE_THOROUGH_TESTS ? 3000 : 300;
  int above_greedy = 0;
  int above_bound = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t steps = random.between(0, 12);
    const std::uint32_t most = kBoard ? 6 : 8;
    Buffers buffers = planning::random_list(
        random, {1, most, random.below(2), random.between(1, 300), steps, steps, random.below(2) * random.below(9)});
    if (random.below(3) == 0) {
      for (Buffer& buffer : buffers) buffer.alignment = 16;
    }
    ASSERT_TRUE(is_best(buffers));
    ASSERT_TRUE(is_best<search<>>(buffers));
    const std::size_t size = Planned<search<>>(buffers)->size();
    above_greedy += size < Planned<greedy>(buffers)->size();
    above_bound += size > planning::most_alive(buffers.data(), buffers.size());
  }
  EXPECT_GT(above_greedy, rounds / 50);  // there is something to be found, and to be proven
  EXPECT_GT(above_bound, rounds / 50);
}

// Few sizes and many that overlap, so that the bound is often out of reach; equal ones among them.
TEST(SearchStrategy, BestOfTightLists) {
  Random random;
  SCOPED_TRACE(random.seed());
  const int rounds = kBoard ? 20 : ARENITE_THOROUGH_TESTS ? 5000 : 500;
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t count = kBoard ? 6 : 8;
    ASSERT_TRUE(is_best(planning::random_list(random, {count - 1, count, 1, random.between(2, 6), 7, 7, 0})));
  }
}

// Lists in which two that lie on each other must not be exchanged, for the sake of a third; random ones seldom are.
TEST(SearchStrategy, BestWhereAnExchangeDoesHarm) {
  EXPECT_TRUE(is_best({{6, 1, 3, 1}, {2, 0, 2, 2}, {4, 0, 0, 1}, {3, 3, 3, 4}, {5, 2, 4, 8}}));
  EXPECT_TRUE(is_best({{3, 5, 7, 8},
                       {2, 0, 2, 1},
                       {1, 7, 7, 8},
                       {1, 7, 7, 1},
                       {2, 3, 6, 4},
                       {4, 4, 4, 1},
                       {1, 6, 9, 4},
                       {4, 2, 2, 4}}));
}

#if defined(__unix__)
// Lists that take many steps: each order has other padding.
TEST(SearchStrategy, BestOfTheHardestListsOfEight) {
  EXPECT_TRUE(is_best({{131, 6, 7, 1},
                       {193, 5, 6, 64},
                       {97, 5, 10, 32},
                       {258, 1, 11, 128},
                       {249, 5, 7, 8},
                       {10, 4, 6, 128},
                       {131, 0, 6, 128},
                       {7, 2, 6, 128}}));
  EXPECT_TRUE(is_best({{157, 2, 10, 4},
                       {285, 6, 6, 4},
                       {51, 4, 7, 16},
                       {294, 0, 6, 32},
                       {70, 1, 6, 32},
                       {39, 0, 6, 32},
                       {234, 1, 7, 32},
                       {27, 4, 6, 16}}));
  EXPECT_TRUE(is_best({{97, 0, 9, 32},
                       {194, 0, 6, 32},
                       {59, 1, 11, 8},
                       {188, 0, 6, 8},
                       {5, 0, 4, 32},
                       {86, 3, 9, 16},
                       {269, 0, 5, 32},
                       {289, 3, 3, 1}}));
}
#endif

// --- around buffers that lie already ---------------------------------------------------------------------------------

TEST(SearchStrategy, BestAroundOthers) {
  Random random;
  SCOPED_TRACE(random.seed());
  const int rounds = kBoard ? 20 : ARENITE_THOROUGH_TESTS ? 5000 : 500;
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t alignment = random.below(2) * 2;
    Buffers buffers;
    Offsets offsets;
    std::size_t offset = 0;
    for (std::uint32_t k = random.below(3); k > 0; --k) {
      buffers.push_back(planning::random_list(random, {1, 1, 1, 4, 5, 5, 0}).front());
      offset += random.below(4);
      offsets.push_back(offset);
      offset += buffers.back().size;
    }
    const std::size_t fixed = buffers.size();
    const Buffers others = planning::random_list(random, {1, 5, 1, 6, 5, 5, alignment});
    buffers.insert(buffers.end(), others.begin(), others.end());
    offsets.resize(buffers.size());
    std::vector<Index> scratch(search<>::scratch(buffers.size()), Index{0xA5A5});

    const Offsets before = offsets;
    std::size_t bound = 0;
    ASSERT_TRUE((search<4000000, greedy>::place(Around{buffers.data(), fixed}, buffers.size(), offsets.data(),
                                                scratch.data(), &bound)));
    std::size_t size = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      ASSERT_EQ(offsets[i] % (i < fixed ? 1 : buffers[i].alignment.bytes()), 0u);
      ASSERT_TRUE(i >= fixed || offsets[i] == before[i]);
      if (i >= fixed) size = std::max(size, offsets[i] + buffers[i].size);
    }
    const std::string list = planning::describe(buffers.data(), buffers.size());
    ASSERT_TRUE(planning::all_apart(buffers.data(), offsets.data(), buffers.size())) << list;
    ASSERT_EQ(size, bound) << list;
    Offsets tried = before;
    ASSERT_FALSE(planning::fits_by_trial(buffers, size - 1, tried, fixed))
        << list << fixed << " lie already, at least " << size;
  }
}

// --- larger lists ----------------------------------------------------------------------------------------------------

// Spans of time apart from each other: each is as small as it can be, and the largest counts.
TEST(SearchStrategy, SpansApart) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (kBoard ? 3 : 50); ++round) {
    Buffers all;
    std::size_t best = 0;
    for (std::uint32_t span = 0; span < 8; ++span) {
      Buffers buffers = planning::random_list(random, {1, 6, 1, 9, 7, 7, 1});
      best = std::max(best, Exhaustive(buffers).best());
      for (Buffer& buffer : buffers) {
        buffer.first = static_cast<Step>(buffer.first + 100 * span);
        buffer.last = static_cast<Step>(buffer.last + 100 * span);
        all.push_back(buffer);
      }
    }
    const Planned<search<4000000, greedy>> planned(all);
    ASSERT_TRUE(is_sound(*planned, all));
    ASSERT_EQ(planned->size(), best);
    ASSERT_TRUE(is_proven(*planned));
  }
}

TEST(SearchStrategy, IsNeverWorseThanTheFirst) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (kBoard ? 5 : 200); ++round) {
    const std::uint32_t steps = random.any_length(200);
    const Buffers buffers = planning::random_list(
        random, {0, random.between(1, 60), 0, random.any_length(100000), steps, random.any_length(steps), 6});
    const Planned<search<3000>> planned(buffers);
    ASSERT_TRUE(is_sound(*planned, buffers));
    ASSERT_LE(planned->size(), Planned<best_of_eight>(buffers)->size());
    ASSERT_LE((Planned<search<3000, greedy>>(buffers)->size()), Planned<greedy>(buffers)->size());
  }
}

TEST(SearchStrategy, EndsWhereItsWorkEnds) {
  Random random(13);
  const Buffers buffers = planning::random_list(random, {200, 200, 1, 5000, 300, 200, 5});
  const Planned<search<20000>> planned(buffers);
  EXPECT_TRUE(is_sound(*planned, buffers));
  EXPECT_FALSE(is_proven(*planned));
  EXPECT_LE(planned->size(), Planned<best_of_eight>(buffers)->size());
}

TEST(SearchStrategy, NeedsNotUndercutTheBound) {
  const Buffer buffers[] = {{7, 0, 1, 1}, {6, 4, 4, 1}, {6, 1, 3, 1}, {6, 2, 4, 1}};
  std::array<std::size_t, 4> offsets{};
  std::array<Index, search<>::scratch(4)> scratch{};
  std::size_t bound = 19;
  const Buffer* const list = buffers;
  EXPECT_TRUE((search<4000000, greedy>::place(list, 4, offsets.data(), scratch.data(), &bound)));
  EXPECT_EQ(bound, 19u);
  EXPECT_TRUE((search<4000000, greedy>::place(list, 4, offsets.data(), scratch.data())));
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size = std::max(size, offsets[i] + buffers[i].size);
  EXPECT_EQ(size, 13u);
}

// --- by the compiler, within its default limits ----------------------------------------------------------------------

using InConstants = search<50000, greedy>;

constexpr Buffer kOrderDecides[] = {{7, 0, 1, 1}, {6, 4, 4, 1}, {6, 1, 3, 1}, {6, 2, 4, 1}};
constexpr Buffer kOtherOrder[] = {{7, 0, 1, 1}, {6, 2, 4, 1}, {6, 1, 3, 1}, {6, 4, 4, 1}};
static_assert(plan<greedy>(kOtherOrder).size() == 19 && plan<InConstants>(kOtherOrder).size() == 13);
static_assert(plan<InConstants>(kOrderDecides).size() == 13 && plan<InConstants>(kOrderDecides).proven());
static_assert(plan<InConstants>(kOrderDecides).verify(kOrderDecides).ok());

// The bound, 17, is out of reach, and that is proven.
constexpr Buffer kPadded[] = {{5, 0, 0, 8}, {5, 0, 0, 8}, {4, 0, 0, 4}};
static_assert(plan<InConstants>(kPadded).size() == 20 && plan<InConstants>(kPadded).proven());

constexpr auto kPersonDetection = plan<InConstants>(person_detection::kBuffers);
static_assert(kPersonDetection.size() == 55296 && kPersonDetection.proven());
static_assert(kPersonDetection.verify(person_detection::kBuffers).ok());

// All of the work, for a list that is not proven.
template <std::size_t N>
constexpr std::array<Buffer, N> make_hard() {
  std::array<Buffer, N> buffers{};
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < N; ++i) {
    state = state * 1664525 + 1013904223;  // Numerical Recipes' generator
    buffers[i] = {1 + (state >> 8) % 200, static_cast<Step>((state >> 20) % 8),
                  static_cast<Step>(8 + (state >> 24) % 8), std::size_t{1} << (state >> 16) % 6};
  }
  return buffers;
}

constexpr auto kHard = make_hard<24>();
constexpr auto kHardPlan = plan<search<50000>>(kHard);
static_assert(!kHardPlan.proven());

TEST(SearchStrategy, PlansAsByTheCompiler) {
  const Buffers hard(kHard.begin(), kHard.end());
  const Planned<search<50000>> planned(hard);
  EXPECT_TRUE(is_sound(*planned, hard));
  EXPECT_EQ(planning::offsets_of(*planned), planning::offsets_of(kHardPlan));
}

// --- the same everywhere ---------------------------------------------------------------------------------------------

// FNV-1a (Fowler, Noll and Vo). Numbers of this program on a 64-bit host; they hold on every target.
TEST(SearchStrategy, PlansTheSameEverywhere) {
  Random random(2026);
  std::uint32_t hash = 2166136261u;
  for (int round = 0; round < 100; ++round) {
    const Buffers buffers = planning::random_list(random, {0, 30, 0, 5000, 30, 30, 5});
    const Planned<search<3000, greedy>> planned(buffers, 0xFF);
    for (std::size_t i = 0; i < planned->count(); ++i) {
      hash = (hash ^ static_cast<std::uint32_t>(planned->offset(i))) * 16777619u;
    }
  }
  EXPECT_EQ(hash, 2244381408u);
}

// --- first strategies of the user's ----------------------------------------------------------------------------------

struct Nowhere {
  static constexpr std::size_t scratch(std::size_t) noexcept { return 0; }
  template <class List>
  static constexpr bool place(List, std::size_t, std::size_t*, Index*) noexcept {
    return false;
  }
};

struct Wasteful {
  static constexpr std::size_t scratch(std::size_t count) noexcept { return 50 * count + 7; }
  template <class List>
  static constexpr bool place(List list, std::size_t count, std::size_t* offsets, Index* scratch) noexcept {
    for (std::size_t i = 0; i < Wasteful::scratch(count); ++i) scratch[i] = 0;
    return arenite::linear::place(list, count, offsets, scratch);
  }
};

TEST(SearchStrategy, TakesAFirstPlanOfTheUsers) {
  Buffer buffers[] = {{10, 0, 1, 1}, {20, 1, 2, 1}, {30, 2, 3, 1}};
  buffers[2].size = 40;
  const auto nowhere = arenite::plan<arenite::search<1000, Nowhere>>(buffers);
  EXPECT_EQ(nowhere.status(), arenite::plan<Nowhere>(buffers).status());
  EXPECT_EQ(nowhere.status(), Status::kSizeOverflow);
  const auto better = arenite::plan<arenite::search<1000, Wasteful>>(buffers);
  EXPECT_EQ(arenite::plan<Wasteful>(buffers).size(), 70u);
  EXPECT_EQ(better.size(), 60u);
  EXPECT_EQ((arenite::search<1000, Wasteful>::scratch(3)), 157u);
}

}  // namespace
