// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::greedy;
using arenite::Index;
using arenite::kMaxBuffers;
using arenite::kNoIndex;
using arenite::linear;
using arenite::Plan;
using arenite::plan;
using arenite::plan_bytes;
using arenite::Planner;
using arenite::PlanRef;
using arenite::Status;
using planning::Buffers;
using planning::kSizeMax;
using planning::Offsets;

// --- the table, by the compiler and at run time
// -----------------------------------------------------------------------

// What a strategy is to answer.
template <std::size_t N>
struct Expected {
  std::array<std::size_t, N> offsets;
  std::size_t size;
};

template <class Strategy, std::size_t N>
constexpr Expected<N> expected(const planning::Case<N>& c) {
  constexpr bool kGreedy = std::is_same_v<Strategy, greedy>;
  Expected<N> result{{}, kGreedy ? c.answer.greedy : c.answer.linear};
  for (std::size_t i = 0; i < N; ++i) result.offsets[i] = kGreedy ? c.rows[i].greedy : c.rows[i].linear;
  return result;
}

template <class Strategy, class P, std::size_t N>
constexpr bool is_right(const P& answer, const planning::Case<N>& c) {
  const Expected<N> right = expected<Strategy>(c);
  bool result = answer.status() == Status::kOk && answer.culprit() == kNoIndex && answer.count() == N &&
                answer.size() == right.size && answer.alignment() == c.answer.alignment;
  for (std::size_t i = 0; result && i < N; ++i) {
    const std::size_t size = c.rows[i].buffer.size;
    result = answer.offset(i) == right.offsets[i] && answer.size(i) == size &&
             answer.end(i) == right.offsets[i] + size && answer.extent(i) == size;
  }
  return result;
}

template <class Strategy, std::size_t N>
constexpr bool array_form_is_right(const planning::Case<N>& c) {
  const std::array<Buffer, N> buffers = c.buffers();
  const Plan<N> answer = plan<Strategy>(buffers);
  return is_right<Strategy>(answer, c) && answer.lower_bound() == c.answer.lower_bound && answer.verify(buffers).ok() &&
         answer.proven() == (answer.size() == c.answer.lower_bound);
}

template <class Strategy, std::size_t N>
constexpr bool planner_form_is_right(const planning::Case<N>& c) {
  Planner<N, Strategy> planner;
  for (std::size_t i = 0; i < N; ++i) {
    if (planner.add(c.rows[i].buffer) != Status::kOk) return false;
  }
  const PlanRef answer = planner.plan();
  std::array<Index, arenite::verify_scratch(N)> scratch{};  // more than the lower bound takes
  return is_right<Strategy>(answer, c) && answer.lower_bound(scratch.data()) == c.answer.lower_bound &&
         answer.verify(scratch.data()).ok();
}

// The compiler names the number of the case that is wrong.
template <std::size_t I>
constexpr bool check_case() {
  constexpr const auto& kCase = std::get<I>(planning::kCases);
  static_assert(array_form_is_right<greedy>(kCase));
  static_assert(array_form_is_right<linear>(kCase));
  static_assert(planner_form_is_right<greedy>(kCase));
  static_assert(planner_form_is_right<linear>(kCase));
  return true;
}

template <std::size_t... I>
constexpr bool check_cases(std::index_sequence<I...>) {
  return (check_case<I>() && ...);
}
static_assert(check_cases(std::make_index_sequence<std::tuple_size_v<decltype(planning::kCases)>>()));

TEST(Planner, EachCaseFromAnArray) {
  planning::for_each_case(planning::kCases, [](const auto& c) {
    EXPECT_TRUE(array_form_is_right<greedy>(c)) << c.name;
    EXPECT_TRUE(array_form_is_right<linear>(c)) << c.name;
  });
}

TEST(Planner, EachCaseWithAPlanner) {
  planning::for_each_case(planning::kCases, [](const auto& c) {
    EXPECT_TRUE(planner_form_is_right<greedy>(c)) << c.name;
    EXPECT_TRUE(planner_form_is_right<linear>(c)) << c.name;
  });
}

TEST(Planner, EachCaseInMemoryHandedIn) {
  planning::for_each_case(planning::kCases, [](const auto& c) {
    const auto list = c.buffers();
    const Buffers buffers(list.begin(), list.end());
    const planning::Planned<greedy> reused(buffers);
    EXPECT_TRUE(planning::is_sound(*reused, buffers)) << c.name;
    EXPECT_TRUE(is_right<greedy>(*reused, c)) << c.name;
    const planning::Planned<linear> apart(buffers);
    EXPECT_TRUE(planning::is_sound(*apart, buffers)) << c.name;
    EXPECT_TRUE(is_right<linear>(*apart, c)) << c.name;
  });
}

// One planner for all cases, one after the other: nothing is left of the last.
TEST(Planner, EachCaseWithTheSamePlanner) {
  static Planner<64, greedy> planner;
  planning::for_each_case(planning::kCases, [](const auto& c) {
    planner.clear();
    EXPECT_EQ(planner.count(), 0u);
    for (const planning::Row& row : c.rows) EXPECT_EQ(planner.add(row.buffer), Status::kOk);
    EXPECT_EQ(planner.count(), c.rows.size());
    EXPECT_TRUE(is_right<greedy>(planner.plan(), c)) << c.name;
    EXPECT_TRUE(is_right<greedy>(planner.plan(), c)) << c.name << ", planned again";
  });
}

TEST(Planner, TakesACommonAlignment) {
  constexpr Buffer kBuffers[] = {{3, 0, 1}, {3, 0, 1}};
  static_assert(plan(kBuffers).size() == 19);
  static_assert(plan(with_alignment(kBuffers, 2)).size() == 7 && plan(with_alignment(kBuffers, 2)).offset(0) == 4);
  static_assert(plan(with_alignment(kBuffers, 1)).size() == 6);
  static_assert(plan(with_alignment(kBuffers, 64)).size() == 67 &&
                plan(with_alignment(kBuffers, 64)).alignment() == 64);
  static_assert(plan<linear>(with_alignment(kBuffers, 1)).offset(1) == 3);
}

// --- refused
// ----------------------------------------------------------------------------------------------------------

template <std::size_t N>
constexpr bool planner_refuses(const planning::RefusedCase<N>& c) {
  Planner<N, greedy> planner;
  for (const Buffer& buffer : c.buffers) {
    if (planner.add(buffer) != Status::kOk) return false;  // looked at only by plan()
  }
  const PlanRef answer = planner.plan();
  return answer.status() == c.status && answer.culprit() == c.culprit && answer.size() == 0 &&
         answer.verify(nullptr).status == c.status && answer.verify(nullptr).first == c.culprit &&
         answer.lower_bound(nullptr) == 0;
}

template <std::size_t... I>
constexpr bool planner_refuses_all(std::index_sequence<I...>) {
  return (planner_refuses(std::get<I>(planning::kRefused)) && ...);
}
static_assert(planner_refuses_all(std::make_index_sequence<std::tuple_size_v<decltype(planning::kRefused)>>()));

TEST(Planner, RefusesWithStatusAndCulprit) {
  planning::for_each_case(planning::kRefused, [](const auto& c) {
    EXPECT_TRUE(planner_refuses(c)) << c.name;

    const auto from_array = plan<greedy>(c.buffers);
    EXPECT_EQ(from_array.status(), c.status) << c.name;
    EXPECT_EQ(from_array.culprit(), c.culprit) << c.name;
    EXPECT_EQ(from_array.size(), 0u) << c.name;
    EXPECT_EQ(from_array.lower_bound(), 0u) << c.name;
    EXPECT_FALSE(from_array.proven()) << c.name;
    EXPECT_EQ(from_array.verify(c.buffers).status, c.status) << c.name;
    EXPECT_EQ(from_array.verify(c.buffers).first, c.culprit) << c.name;

    EXPECT_EQ(plan<linear>(c.buffers).status(), c.status) << c.name;
    EXPECT_EQ(plan<linear>(c.buffers).culprit(), c.culprit) << c.name;

    const Buffers buffers(c.buffers.begin(), c.buffers.end());
    const planning::Planned<> in_memory(buffers);
    EXPECT_EQ(in_memory->status(), c.status) << c.name;
    EXPECT_EQ(in_memory->culprit(), c.culprit) << c.name;
    EXPECT_EQ(in_memory->size(), 0u) << c.name;
  });
}

// A shape of 65536 x 65536 floats: right where addresses have 64 bits, refused where they have fewer, never zero bytes.
TEST(Planner, AShapeWhoseSizeDoesNotFit) {
  Planner<1> planner;
  const std::size_t bytes = arenite::multiply_saturated(arenite::multiply_saturated(65536, 65536), 4);
  ASSERT_EQ(planner.add({bytes, 0, 0}), Status::kOk);
#if SIZE_MAX > 0xFFFFFFFF
  EXPECT_EQ(planner.plan().status(), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 17179869184u);
#else
  EXPECT_EQ(planner.plan().status(), Status::kSizeOverflow);
  EXPECT_EQ(planner.plan().culprit(), 0);
#endif
}

// --- Planner
// ----------------------------------------------------------------------------------------------------------

TEST(Planner, RefusesOneMoreThanItsCapacity) {
  static Planner<64> planner;
  static_assert(Planner<64>::capacity() == 64);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(planner.count(), i);
    EXPECT_EQ(planner.add({32, static_cast<arenite::Step>(i), static_cast<arenite::Step>(i + 1)}), Status::kOk);
  }
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(planner.add({1000, 0, 100}), Status::kTooManyBuffers);
    EXPECT_EQ(planner.count(), 64u);
    const PlanRef answer = planner.plan();
    EXPECT_EQ(answer.status(), Status::kOk);
    EXPECT_EQ(answer.count(), 64u);
    EXPECT_EQ(answer.size(), 64u);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(answer.offset(i), i % 2 == 1 ? 0u : 32u) << i;
  }
  planner.clear();
  EXPECT_EQ(planner.count(), 0u);
  EXPECT_EQ(planner.plan().size(), 0u);
  EXPECT_EQ(planner.plan().count(), 0u);
  EXPECT_EQ(planner.add({1000, 0, 100}), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 1000u);
}

TEST(Planner, TakesMoreBuffersAfterAPlan) {
  Planner<3> planner;
  ASSERT_EQ(planner.add({100, 0, 1, 1}), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 100u);
  ASSERT_EQ(planner.add({80, 1, 2, 1}), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 180u);
  ASSERT_EQ(planner.add({60, 2, 3, 1}), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 180u);
}

TEST(Planner, PlansAfterItRefused) {
  Planner<2> planner;
  ASSERT_EQ(planner.add({100, 1, 0, 1}), Status::kOk);
  EXPECT_EQ(planner.plan().status(), Status::kInvalidLifetime);
  planner.clear();
  ASSERT_EQ(planner.add({100, 0, 1, 1}), Status::kOk);
  EXPECT_EQ(planner.plan().status(), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 100u);
}

TEST(Planner, WithoutCapacity) {
  Planner<0> planner;
  EXPECT_EQ(planner.add({1, 0, 0}), Status::kTooManyBuffers);
  EXPECT_EQ(planner.count(), 0u);
  EXPECT_EQ(planner.plan().status(), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 0u);
}

static_assert(!std::is_copy_constructible_v<Planner<4>> && !std::is_copy_assignable_v<Planner<4>>);
static_assert(!std::is_move_constructible_v<Planner<4>> && !std::is_move_assignable_v<Planner<4>>);

// In .bss, so that its kilobytes take no flash and no start-up code.
Planner<16> untouched_planner;

TEST(Planner, IsAllZeroBitsWhenConstantInitialised) {
  static const unsigned char zeros[sizeof(untouched_planner)] = {};
  EXPECT_EQ(std::memcmp(&untouched_planner, zeros, sizeof(zeros)), 0);
}

// On a 32-bit target, the description of the buffer included.
template <std::size_t N>
constexpr bool is_small() {
  return sizeof(std::size_t) != 4 ||
         (sizeof(Planner<N>) <= 24 * N + 8 && sizeof(Planner<N>) <= (22 * N + 4 + 3) / 4 * 4);
}
static_assert(is_small<1>() && is_small<2>() && is_small<31>() && is_small<32>() && is_small<256>() &&
              is_small<1000>());

// --- memory handed in
// -------------------------------------------------------------------------------------------------

static_assert(plan_bytes(0) == 0 && plan_bytes<linear>(0) == 0);
static_assert(plan_bytes(100) == 100 * (sizeof(std::size_t) + 3 * sizeof(Index)));
static_assert(plan_bytes<linear>(100) == 100 * sizeof(std::size_t));
static_assert(sizeof(std::size_t) != 4 || plan_bytes(100) == 1000);
static_assert(plan_bytes(kMaxBuffers) == kMaxBuffers * plan_bytes(1));
static_assert(plan_bytes(kMaxBuffers + 1) == kSizeMax && plan_bytes(kSizeMax) == kSizeMax);

constexpr Buffer kThree[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 2, 3, 1}};

class Memory : public testing::Test {
 protected:
  static constexpr std::size_t kBytes = plan_bytes(3);

  Memory() { std::memset(bytes_, 0xA5, sizeof(bytes_)); }

  unsigned char* memory() { return bytes_ + kGuard; }

  // Whether nothing outside of memory()[begin..end-1] was written.
  bool untouched(std::size_t begin, std::size_t end) const {
    for (std::size_t i = 0; i < sizeof(bytes_); ++i) {
      if ((i < kGuard + begin || i >= kGuard + end) && bytes_[i] != 0xA5) return false;
    }
    return true;
  }

  static constexpr std::size_t kGuard = 64;
  alignas(64) unsigned char bytes_[kGuard + kBytes + kGuard];
};

TEST_F(Memory, ThatIsJustEnough) {
  const PlanRef answer = plan(kThree, 3, memory(), kBytes);
  EXPECT_EQ(answer.status(), Status::kOk);
  EXPECT_EQ(answer.size(), 180u);
  EXPECT_EQ(answer.offset(0), 0u);
  EXPECT_EQ(answer.offset(1), 100u);
  EXPECT_EQ(answer.offset(2), 0u);
  EXPECT_TRUE(untouched(0, kBytes));
}

TEST_F(Memory, BehindTheOffsetsIsFreeAgain) {
  const PlanRef answer = plan(kThree, 3, memory(), kBytes);
  std::memset(memory() + 3 * sizeof(std::size_t), 0xFF, kBytes - 3 * sizeof(std::size_t));
  EXPECT_EQ(answer.offset(1), 100u);
  EXPECT_TRUE(planning::is_sound(answer, Buffers(std::begin(kThree), std::end(kThree))));
}

TEST_F(Memory, ThatIsTooShort) {
  for (std::size_t bytes = 0; bytes < kBytes; ++bytes) {
    const PlanRef answer = plan(kThree, 3, memory(), bytes);
    EXPECT_EQ(answer.status(), Status::kOutOfMemory);
    EXPECT_EQ(answer.culprit(), kNoIndex);
    EXPECT_EQ(answer.size(), 0u);
    EXPECT_EQ(answer.count(), 0u);
  }
  EXPECT_TRUE(untouched(0, 0));

  EXPECT_EQ(plan<linear>(kThree, 3, memory(), 3 * sizeof(std::size_t)).status(), Status::kOk);
  EXPECT_EQ(plan<linear>(kThree, 3, memory(), 3 * sizeof(std::size_t) - 1).status(), Status::kOutOfMemory);
}

TEST_F(Memory, ThatIsMisaligned) {
  for (std::size_t shift = 1; shift < alignof(std::size_t); ++shift) {
    EXPECT_EQ(plan(kThree, 3, memory() + shift, kBytes).status(), Status::kMisaligned) << shift;
  }
  EXPECT_TRUE(untouched(0, 0));
  EXPECT_EQ(plan(kThree, 3, memory() + alignof(std::size_t), kBytes).status(), Status::kOk);
  EXPECT_TRUE(untouched(alignof(std::size_t), alignof(std::size_t) + kBytes));
}

TEST_F(Memory, ThatIsNull) {
  EXPECT_EQ(plan(kThree, 3, nullptr, kBytes).status(), Status::kNullMemory);
  EXPECT_EQ(plan(kThree, 3, nullptr, 0).status(), Status::kNullMemory);
  EXPECT_EQ(plan(nullptr, 3, memory(), kBytes).status(), Status::kNullMemory);
  EXPECT_TRUE(untouched(0, 0));
}

TEST_F(Memory, ForMoreBuffersThanAnIndexCounts) {
  EXPECT_EQ(plan(kThree, kMaxBuffers + 1, memory(), kSizeMax).status(), Status::kTooManyBuffers);
  EXPECT_EQ(plan(kThree, kSizeMax, memory(), kSizeMax).status(), Status::kTooManyBuffers);
  EXPECT_TRUE(untouched(0, 0));
}

TEST_F(Memory, ForNoBuffersIsNotNeeded) {
  for (const PlanRef& answer :
       {plan(nullptr, 0, nullptr, 0), plan(kThree, 0, memory(), 0), plan(kThree, 0, memory() + 1, 0),
        plan(kThree, 0, nullptr, kBytes), plan(nullptr, 0, memory() + 1, kBytes)}) {
    EXPECT_EQ(answer.status(), Status::kOk);
    EXPECT_EQ(answer.size(), 0u);
    EXPECT_EQ(answer.alignment(), 1u);
    EXPECT_EQ(answer.count(), 0u);
    EXPECT_TRUE(answer.verify(nullptr).ok());
    EXPECT_EQ(answer.lower_bound(nullptr), 0u);
  }
  EXPECT_TRUE(untouched(0, 0));
}

// --- a strategy of the user's
// -----------------------------------------------------------------------------------------

// In the order in which they are born, each at the lowest offset at which it fits. Written as a user would, with what
// is public only.
struct by_first_step {
  static constexpr std::size_t scratch(std::size_t count) noexcept { return count; }

  static constexpr bool place(const Buffer* buffers, std::size_t count, std::size_t* offsets, Index* order) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t k = i;
      for (; k > 0 && buffers[order[k - 1]].first > buffers[i].first; --k) order[k] = order[k - 1];
      order[k] = static_cast<Index>(i);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const Buffer& buffer = buffers[order[k]];
      std::size_t offset = 0;
      for (std::size_t j = 0; j < k && buffer.size != 0;) {
        const Buffer& other = buffers[order[j]];
        const std::size_t other_offset = offsets[order[j]];
        ++j;
        if (!overlap_in_time(buffer, other) || offset >= other_offset + other.size) continue;
        if (other_offset >= offset + buffer.size) continue;
        offset = arenite::align_up(other_offset + other.size, buffer.alignment.bytes());
        j = 0;  // once more from the start: another may be in the way now
      }
      if (offset > arenite::kMaxSize - buffer.size) return false;
      offsets[order[k]] = offset;
    }
    return true;
  }
};

TEST(Strategy, OfTheUsersPlansInEveryForm) {
  static constexpr Buffer kList[] = {{10, 2, 3, 1}, {20, 0, 1, 1}, {30, 1, 2, 1}};
  constexpr auto kPlan = plan<by_first_step>(kList);
  static_assert(kPlan.offset(0) == 0 && kPlan.offset(1) == 0 && kPlan.offset(2) == 20 && kPlan.size() == 50);
  static_assert(kPlan.verify(kList).ok() && kPlan.proven());
  static_assert(plan<greedy>(kList).offset(2) == 0, "greedy lays them out in another way");

  Planner<3, by_first_step> planner;
  for (const Buffer& buffer : kList) ASSERT_EQ(planner.add(buffer), Status::kOk);
  static_assert(plan_bytes<by_first_step>(3) == 3 * (sizeof(std::size_t) + sizeof(Index)));
  const planning::Planned<by_first_step> in_memory(Buffers(std::begin(kList), std::end(kList)));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(planner.plan().offset(i), kPlan.offset(i));
    EXPECT_EQ(in_memory->offset(i), kPlan.offset(i));
  }
  EXPECT_EQ(planner.plan().size(), 50u);
}

TEST(Strategy, OfTheUsersGetsOnlyBuffersThatAreValid) {
  planning::for_each_case(planning::kRefused, [](const auto& c) {
    EXPECT_EQ(plan<by_first_step>(c.buffers).status(), c.status) << c.name;
    EXPECT_EQ(plan<by_first_step>(c.buffers).culprit(), c.culprit) << c.name;
  });
}

TEST(Strategy, OfTheUsersIsSound) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 5000 : 200); ++round) {
    const Buffers buffers = planning::random_list(random, {0, 40, 0, 30, 20, 20, 4});
    const planning::Planned<by_first_step> answer(buffers);
    ASSERT_TRUE(planning::is_sound(*answer, buffers));
  }
}

// Gets the scratch that it asks for, and no other memory is written to.
struct much_scratch {
  static constexpr std::size_t scratch(std::size_t count) noexcept { return 7 * count + 5; }

  static constexpr bool place(const Buffer* buffers, std::size_t count, std::size_t* offsets, Index* scratch) noexcept {
    for (std::size_t i = 0; i < much_scratch::scratch(count); ++i) scratch[i] = 0;
    return linear::place(buffers, count, offsets, nullptr);
  }
};

TEST(Strategy, OfTheUsersGetsItsScratch) {
  static_assert(plan<much_scratch>(kThree).size() == 240);
  static_assert(plan_bytes<much_scratch>(3) == 3 * sizeof(std::size_t) + 26 * sizeof(Index));
  const planning::Planned<much_scratch> in_memory(Buffers(std::begin(kThree), std::end(kThree)));
  EXPECT_EQ(in_memory->offset(2), 180u);
  Planner<3, much_scratch> planner;
  for (const Buffer& buffer : kThree) ASSERT_EQ(planner.add(buffer), Status::kOk);
  EXPECT_EQ(planner.plan().size(), 240u);
}

// --- the forms that the compiler does, at run time -------------------------------------------------------------------

TEST(Planner, ArraysWithConstraintsAtRunTime) {
  std::array<Buffer, 3> list = {Buffer{100, 0, 1, 4}, Buffer{80, 1, 2, 4}, Buffer{60, 2, 3, 4}};
  std::array<arenite::Constraint, 2> rules = {arenite::pinned(1, 8), arenite::alias(2, 0, 40)};
  const Buffer buffers[] = {list[0], list[1], list[2]};
  const arenite::Constraint constraints[] = {rules[0], rules[1]};
  // Buffers 0 and 2 are one piece of 100 bytes that lives from 0 to 3, above buffer 1.
  const auto check_plan = [&](const Plan<3>& answer) {
    ASSERT_EQ(answer.status(), Status::kOk);
    EXPECT_EQ(answer.offset(1), 8u);
    EXPECT_EQ(answer.offset(0), 88u);
    EXPECT_EQ(answer.offset(2), 128u);
    EXPECT_EQ(answer.size(), 188u);
    EXPECT_TRUE(answer.verify(buffers, constraints).ok());
  };
  check_plan(plan(buffers, constraints));
  check_plan(plan(list, rules));
  check_plan(plan(buffers, rules));
  check_plan(plan(list, constraints));
  const std::array<Buffer, 3> pieces = arenite::pieces_of(buffers, constraints);
  EXPECT_EQ(pieces[0], (Buffer{100, 0, 3, 4}));
  EXPECT_EQ(pieces[1], (Buffer{80, 1, 2, 4}));
  EXPECT_EQ(pieces[2], (Buffer{0, 0, 0, 1}));
  const arenite::Constraint wrong[] = {arenite::pinned(1, 2)};
  EXPECT_EQ(arenite::pieces_of(buffers, wrong), list) << "the list itself, where it would be refused";
  Buffer invalid[] = {list[0], list[1], list[2]};
  invalid[0].last = 0;
  invalid[0].first = 1;
  EXPECT_EQ(arenite::pieces_of(invalid, constraints)[2], list[2]);
}

TEST(Planner, OfNothingWithConstraintsInMemoryHandedIn) {
  const arenite::Constraint range[] = {arenite::reserved(0, 16)};
  const arenite::ConstraintList none(nullptr, 0);
  const PlanRef empty = plan(nullptr, 0, none, nullptr, 0);
  EXPECT_EQ(empty.status(), Status::kOk);
  EXPECT_EQ(empty.size(), 0u);
  EXPECT_TRUE(arenite::validate(nullptr, 0, none, nullptr, 0).ok());

  const Buffer one[] = {{8, 0, 0, 1}};
  alignas(std::size_t) unsigned char memory[512];
  EXPECT_EQ(plan(one, 1, none, memory, sizeof memory).size(), 8u);
  EXPECT_EQ(plan(one, 1, range, memory, sizeof memory).offset(0), 16u);
  EXPECT_EQ(plan(one, 0, range, memory, sizeof memory).status(), Status::kOk);
  EXPECT_TRUE(arenite::validate(one, 1, none, memory, sizeof memory).ok());
  EXPECT_TRUE(arenite::validate(one, 0, range, memory, sizeof memory).ok());
  EXPECT_EQ(arenite::validate(one, 1, range, memory, 1).status, Status::kOutOfMemory);
  EXPECT_EQ(arenite::validate(one, 1, range, nullptr, sizeof memory).status, Status::kNullMemory);
}

TEST(Planner, MemoryForMoreThanAnIndexCounts) {
  const volatile std::size_t most = kMaxBuffers;
  EXPECT_LT(plan_bytes(most / 2, most - most / 2), kSizeMax);
  EXPECT_EQ(plan_bytes(most, 1), kSizeMax);
  EXPECT_EQ(plan_bytes(most + 1, 0), kSizeMax);
  EXPECT_EQ(plan_bytes(0, most + 1), kSizeMax);
}

TEST(Planner, SaysItsCapacity) {
  const Planner<5> planner;
  EXPECT_EQ(planner.capacity(), 5u);
}

}  // namespace
