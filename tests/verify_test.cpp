// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/verify.hpp>

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
using arenite::kNoIndex;
using arenite::Status;
using arenite::validate;
using arenite::Verdict;
using planning::Buffers;
using planning::Offsets;

Verdict check(const Buffers& buffers, const Offsets& offsets, std::size_t size, arenite::Alignment alignment) {
  std::vector<Index> scratch(arenite::verify_scratch(buffers.size()));
  return arenite::verify(buffers.data(), offsets.data(), buffers.size(), size, alignment, scratch.data());
}

constexpr bool is(const Verdict& verdict, Status status, Index first = kNoIndex, Index second = kNoIndex) {
  return verdict.status == status && verdict.first == first && verdict.second == second;
}

// --- single buffers -------------------------------------------------------------------------------------------------

TEST(Validate, TakesOneBuffer) {
  static_assert(validate(Buffer{}) == Status::kOk);
  static_assert(validate(Buffer{kMaxSize, 0, planning::kLastStep, planning::kTop}) == Status::kOk);
  static_assert(validate(Buffer{4, 5, 5, 1}) == Status::kOk);
  static_assert(validate(Buffer{4, 5, 4, 1}) == Status::kInvalidLifetime);
  static_assert(validate(Buffer{4, 4, 5, 0}) == Status::kInvalidAlignment);
  static_assert(validate(Buffer{4, 4, 5, 12}) == Status::kInvalidAlignment);
  static_assert(validate(Buffer{kMaxSize + 1, 0, 0, 1}) == Status::kSizeOverflow);
  static_assert(validate(Buffer{planning::kSizeMax, 0, 0, 1}) == Status::kSizeOverflow);
}

TEST(Validate, NamesTheFirstOfAList) {
  static_assert(is(validate(nullptr, 0), Status::kOk));
  static constexpr Buffer kBuffers[] = {{1, 0, 0}, {1, 1, 1}, {1, 2, 1}, {1, 0, 0, 3}};
  static_assert(is(validate(kBuffers, 2), Status::kOk));
  static_assert(is(validate(kBuffers, 3), Status::kInvalidLifetime, 2));
  static_assert(is(validate(kBuffers, 4), Status::kInvalidLifetime, 2));
  static_assert(is(validate(kBuffers + 3, 1), Status::kInvalidAlignment, 0));
}

// --- each fault -----------------------------------------------------------------------------------------------------

TEST(Verify, TakesWhatIsRight) {
  EXPECT_TRUE(is(check({}, {}, 0, 1), Status::kOk));
  EXPECT_TRUE(is(check({{8, 0, 0, 8}}, {0}, 8, 8), Status::kOk));
  EXPECT_TRUE(is(check({{8, 0, 0, 8}}, {64}, 1000, 64), Status::kOk)) << "with room before, after and for alignment";
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 1, 2, 1}}, {8, 0}, 16, 1), Status::kOk));
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 2, 3, 1}}, {0, 0}, 8, 1), Status::kOk));
}

TEST(Verify, RefusesUnsoundBuffers) {
  planning::for_each_case(planning::kRefused, [](const auto& c) {
    if (c.culprit == kNoIndex) return;  // not a fault of one buffer
    const Buffers buffers(c.buffers.begin(), c.buffers.end());
    EXPECT_TRUE(is(check(buffers, Offsets(buffers.size()), kMaxSize, 64), c.status, c.culprit)) << c.name;
  });
}

TEST(Verify, NamesAMisalignedBuffer) {
  EXPECT_TRUE(is(check({{4, 0, 0, 1}, {4, 1, 1, 8}}, {3, 12}, 100, 8), Status::kMisaligned, 1));
  EXPECT_TRUE(is(check({{4, 0, 0, 1}, {4, 1, 1, 4}}, {3, 12}, 100, 4), Status::kOk));
  EXPECT_TRUE(is(check({{4, 0, 0}}, {1}, 100, 16), Status::kMisaligned, 0));
  EXPECT_TRUE(is(check({{0, 0, 0}}, {8}, 100, 16), Status::kMisaligned, 0)) << "zero bytes have an address too";
}

// The base counts: an offset that is a multiple of 16 is worth nothing at a base that is none.
TEST(Verify, NamesABufferThatNeedsABetterBase) {
  EXPECT_TRUE(is(check({{4, 0, 0, 8}, {4, 1, 1, 16}}, {0, 0}, 100, 8), Status::kMisaligned, 1));
  EXPECT_TRUE(is(check({{4, 0, 0, 8}, {4, 1, 1, 16}}, {0, 0}, 100, 16), Status::kOk));
  EXPECT_TRUE(is(check({{4, 0, 0, 1}}, {0}, 100, 0), Status::kMisaligned, 0)) << "0 is no alignment";
  EXPECT_TRUE(is(check({{0, 0, 0, 4096}, {16, 0, 0, 4}}, {0, 0}, 16, 4), Status::kOk)) << "but not for zero bytes";
  EXPECT_TRUE(is(check({{0, 0, 0, 16}, {16, 0, 0, 4}}, {16, 0}, 16, 4), Status::kOk));
  EXPECT_TRUE(is(check({{0, 0, 0, 16}, {16, 0, 0, 4}}, {8, 0}, 16, 4), Status::kMisaligned, 0)) << "the offset counts";
  EXPECT_TRUE(is(check({{1, 0, 0, 16}, {16, 1, 1, 4}}, {0, 0}, 16, 4), Status::kMisaligned, 0));
  EXPECT_TRUE(is(check({{4, 0, 0, 1}}, {0}, 100, 24), Status::kMisaligned, 0));
}

TEST(Verify, NamesABufferOutOfBounds) {
  EXPECT_TRUE(is(check({{4, 0, 0, 1}, {8, 1, 1, 1}}, {0, 92}, 100, 1), Status::kOk));
  EXPECT_TRUE(is(check({{4, 0, 0, 1}, {8, 1, 1, 1}}, {0, 93}, 100, 1), Status::kOutOfBounds, 1));
  EXPECT_TRUE(is(check({{8, 0, 0, 1}}, {0}, 7, 1), Status::kOutOfBounds, 0));
  EXPECT_TRUE(is(check({{0, 0, 0, 1}}, {100}, 100, 1), Status::kOk));
  EXPECT_TRUE(is(check({{0, 0, 0, 1}}, {101}, 100, 1), Status::kOutOfBounds, 0));
  EXPECT_TRUE(is(check({{8, 0, 0, 1}}, {planning::kSizeMax - 3}, 100, 1), Status::kOutOfBounds, 0)) << "no wrap";
  EXPECT_TRUE(is(check({{8, 0, 0, 1}}, {planning::kSizeMax - 3}, planning::kSizeMax, 1), Status::kOutOfBounds, 0));
  EXPECT_TRUE(is(check({{kMaxSize, 0, 0, 1}}, {1}, kMaxSize, 1), Status::kOutOfBounds, 0));
}

TEST(Verify, RefusesMoreBuffersThanAnIndexCounts) {
  EXPECT_TRUE(is(arenite::verify(nullptr, nullptr, arenite::kMaxBuffers + 1, 0, 1, nullptr), Status::kTooManyBuffers));
  EXPECT_TRUE(is(arenite::verify(nullptr, nullptr, planning::kSizeMax, 0, 1, nullptr), Status::kTooManyBuffers));
  // So many are looked at, and the first is unsound.
  constexpr Buffer kReversed = {1, 2, 1};
  constexpr std::size_t kOffset = 0;
  EXPECT_TRUE(
      is(arenite::verify(&kReversed, &kOffset, arenite::kMaxBuffers, 0, 1, nullptr), Status::kInvalidLifetime, 0));
}

// --- collisions -----------------------------------------------------------------------------------------------------

TEST(Verify, SeesAByteThatIsSharedAtOneStep) {
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 1, 2, 1}}, {0, 8}, 16, 1), Status::kOk));
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 1, 2, 1}}, {0, 7}, 16, 1), Status::kOverlap, 0, 1));
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 1, 2, 1}}, {7, 0}, 16, 1), Status::kOverlap, 1, 0)) << "by offset";
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 2, 3, 1}}, {0, 7}, 16, 1), Status::kOk)) << "never alive together";
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 2, 3, 1}}, {7, 0}, 16, 1), Status::kOk));
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {8, 0, 1, 1}}, {0, 0}, 8, 1), Status::kOverlap, 0, 1));
  EXPECT_TRUE(is(check({{9, 0, 5, 1}, {1, 2, 3, 1}}, {0, 4}, 9, 1), Status::kOverlap, 0, 1)) << "one inside the other";
  constexpr planning::Step kLast = planning::kLastStep;
  EXPECT_TRUE(is(check({{8, 0, kLast, 1}, {8, kLast, kLast, 1}}, {0, 7}, 16, 1), Status::kOverlap, 0, 1));
  EXPECT_TRUE(is(check({{8, 0, kLast - 1, 1}, {8, kLast, kLast, 1}}, {0, 7}, 16, 1), Status::kOk));
}

TEST(Verify, ZeroBytesCollideWithNothing) {
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {0, 0, 1, 1}}, {0, 4}, 8, 1), Status::kOk));
  EXPECT_TRUE(is(check({{0, 0, 1, 1}, {8, 0, 1, 1}}, {0, 0}, 8, 1), Status::kOk));
  EXPECT_TRUE(is(check({{8, 0, 1, 1}, {0, 0, 1, 1}, {8, 0, 1, 1}}, {0, 8, 7}, 16, 1), Status::kOverlap, 0, 2));
}

TEST(Verify, NamesTheFirstPairByOffset) {
  //                           50 at 50,     50 at 0,      10 at 45 collides with both of them
  EXPECT_TRUE(is(check({{50, 0, 9, 1}, {50, 0, 9, 1}, {10, 3, 3, 1}}, {50, 0, 45}, 100, 1), Status::kOverlap, 1, 2));
  // Two pairs: the lower one is named.
  EXPECT_TRUE(is(check({{8, 0, 0, 1}, {8, 0, 0, 1}, {8, 0, 0, 1}, {8, 0, 0, 1}}, {40, 47, 10, 3}, 100, 1),
                 Status::kOverlap, 3, 2));
}

// A buffer that reaches high at few steps, and one that lies above it but ends lower, at the steps beside: the first
// must not be forgotten when the second one comes.
TEST(Verify, RemembersWhatReachesHigherBesideALaterOne) {
  const Buffers buffers = {{1, 0, 7, 1}, {1, 1, 1, 1}, {1, 2, 2, 1}, {90, 3, 3, 1},
                           {1, 4, 4, 1}, {1, 5, 5, 1}, {1, 6, 6, 1}, {1, 7, 7, 1}};
  EXPECT_TRUE(is(check(buffers, {60, 0, 50, 10, 1, 2, 3, 4}, 101, 1), Status::kOverlap, 3, 0));
  EXPECT_TRUE(is(check(buffers, {100, 0, 50, 10, 1, 2, 3, 4}, 101, 1), Status::kOk));
}

// One that begins after another and ends before it, below and then above: at every place among so many buffers.
TEST(Verify, SeesOneThatLivesWithinAnother) {
  for (planning::Step count = 3; count <= 9; ++count) {
    for (planning::Step outer = 0; outer < count - 2; ++outer) {
      for (planning::Step outer_last = outer + 2; outer_last < count; ++outer_last) {
        for (planning::Step inner = outer + 1; inner < outer_last; ++inner) {
          for (planning::Step inner_last = inner; inner_last < outer_last; ++inner_last) {
            SCOPED_TRACE(testing::Message()
                         << count << ": " << outer << ".." << outer_last << ", " << inner << ".." << inner_last);
            Buffers buffers;
            for (planning::Step step = 0; step < count; ++step) buffers.push_back({0, step, step, 1});
            buffers[outer] = {10, outer, outer_last, 1};
            buffers[inner] = {10, inner, inner_last, 1};
            const auto with_offsets = [&](std::size_t of_outer, std::size_t of_inner) {
              Offsets offsets(count);
              offsets[outer] = of_outer;
              offsets[inner] = of_inner;
              return check(buffers, offsets, 20, 1);
            };
            ASSERT_TRUE(is(with_offsets(9, 0), Status::kOverlap, inner, outer));
            ASSERT_TRUE(is(with_offsets(0, 9), Status::kOverlap, outer, inner));
            ASSERT_TRUE(is(with_offsets(10, 0), Status::kOk));
            ASSERT_TRUE(is(with_offsets(0, 10), Status::kOk));
          }
        }
      }
    }
  }
}

// --- constraints ----------------------------------------------------------------------------------------------------

// The scratch is full of what was there before, as a user's is.
Verdict check(const Buffers& buffers, const Offsets& offsets, const std::vector<arenite::Constraint>& constraints,
              std::size_t size) {
  const std::size_t count = buffers.size();
  Buffers pieces(count, Buffer{100, 0, planning::kLastStep, 1});
  Offsets places(count, 3);
  std::vector<Index> scratch(arenite::verify_scratch(count) + count, kNoIndex);
  return arenite::verify(buffers.data(), offsets.data(), count, {constraints.data(), constraints.size()}, size, 16,
                         {pieces.data(), places.data(), scratch.data()});
}

TEST(VerifyConstraints, RefusesThoseOfBuffersThatAreNotThere) {
  const Buffers buffers = {{4, 0, 0, 1}, {4, 1, 1, 1}};
  const auto with = [&](const arenite::Constraint& constraint) { return check(buffers, {0, 0}, {constraint}, 8); };
  EXPECT_TRUE(with(arenite::pinned(1, 0)).ok());
  EXPECT_TRUE(is(with(arenite::pinned(2, 0)), Status::kOutOfBounds));
  EXPECT_TRUE(with(arenite::alias(0, 1)).ok());
  EXPECT_TRUE(is(with(arenite::alias(2, 1)), Status::kOutOfBounds));
  EXPECT_TRUE(is(with(arenite::alias(0, 2)), Status::kOutOfBounds));
}

TEST(VerifyConstraints, NamesWhoLiesElsewhere) {
  const Buffers buffers = {{4, 0, 0, 1}, {4, 1, 1, 1}};
  const auto with = [&](std::size_t a, std::size_t b, const arenite::Constraint& constraint) {
    return check(buffers, {a, b}, {constraint}, 100);
  };
  EXPECT_TRUE(with(0, 8, arenite::pinned(1, 8)).ok());
  EXPECT_TRUE(is(with(0, 9, arenite::pinned(1, 8)), Status::kMismatch, 1)) << "without another one";
  EXPECT_TRUE(with(4, 8, arenite::alias(1, 0, 4)).ok());
  EXPECT_TRUE(is(with(4, 9, arenite::alias(1, 0, 4)), Status::kMismatch, 1, 0));
  EXPECT_TRUE(is(with(4, 0, arenite::alias(1, 0, std::size_t{0} - 4)), Status::kMismatch, 1, 0)) << "not backwards";
}

TEST(VerifyConstraints, WhatAKindDoesNotHaveIsNotLookedAt) {
  const Buffers buffers = {{4, 0, 0, 1}, {4, 0, 0, 1}};
  arenite::Constraint pin = arenite::pinned(0, 0);
  pin.of = 99;
  pin.size = 8;
  EXPECT_TRUE(check(buffers, {0, 4}, {pin}, 8).ok());
}

// Each alias is listed before the one that it hangs on, and the last one of the list is another piece.
TEST(VerifyConstraints, ALongChainIsOnePiece) {
  const Buffers buffers(6, Buffer{4, 0, 0, 1});
  const std::vector<arenite::Constraint> chain = {arenite::alias(3, 2), arenite::alias(2, 1), arenite::alias(1, 0),
                                                  arenite::alias(5, 4)};
  EXPECT_TRUE(check(buffers, {0, 0, 0, 0, 4, 4}, chain, 8).ok());
  EXPECT_TRUE(is(check(buffers, {0, 0, 0, 0, 3, 3}, chain, 8), Status::kOverlap, 0, 4));
}

// It uses what it asks for, and not one entry more.
TEST(Verify, NeedsSoMuchScratch) {
  for (std::size_t count = 1; count < 20; ++count) {
    const std::size_t needed = arenite::verify_scratch(count);
    constexpr Index kUntouched = 0x1234;
    std::vector<Index> scratch(needed + 8, kUntouched);
    const Buffers buffers(count);
    const Offsets offsets(count);
    EXPECT_TRUE(arenite::verify(buffers.data(), offsets.data(), count, 0, 16, scratch.data()).ok());
    EXPECT_NE(scratch[needed - 1], kUntouched) << count;
    for (std::size_t i = needed; i < scratch.size(); ++i) ASSERT_EQ(scratch[i], kUntouched) << count;
  }
}

TEST(Verify, IsDoneByTheCompiler) {
  static constexpr Buffer kBuffers[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 2, 3, 1}};
  constexpr auto verify = [](std::size_t a, std::size_t b, std::size_t c) {
    const std::size_t offsets[] = {a, b, c};
    Index scratch[arenite::verify_scratch(3)] = {};
    return arenite::verify(kBuffers, offsets, 3, 180, 1, scratch);
  };
  static_assert(verify(0, 100, 0).ok());
  static_assert(is(verify(0, 99, 0), Status::kOverlap, 0, 1));
  static_assert(is(verify(0, 100, 41), Status::kOverlap, 2, 1));
  static_assert(is(verify(0, 101, 0), Status::kOutOfBounds, 1));
  static_assert(verify(80, 0, 80).ok());
}

// --- against all pairs ----------------------------------------------------------------------------------------------

// Whether the verdict names the right pair: it collides, the first is not above the second, and no two that come before
// the second, by offset and then by index, collide.
bool is_first_collision(const Verdict& verdict, const Buffer* buffers, const std::size_t* offsets, std::size_t count) {
  const auto collide = [=](std::size_t a, std::size_t b) {
    return planning::share_a_step(buffers[a], buffers[b]) &&
           planning::share_a_byte(buffers[a], offsets[a], buffers[b], offsets[b]);
  };
  const auto before = [=](std::size_t a, std::size_t b) {
    return offsets[a] != offsets[b] ? offsets[a] < offsets[b] : a < b;
  };
  if (verdict.first >= count || verdict.second >= count) return false;
  if (!before(verdict.first, verdict.second) || !collide(verdict.first, verdict.second)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!before(i, verdict.second)) continue;
    for (std::size_t j = 0; j < count; ++j) {
      if (before(j, i) && collide(i, j)) return false;
    }
  }
  return true;
}

testing::AssertionResult agrees(const Buffer* buffers, const std::size_t* offsets, std::size_t count, Index* scratch) {
  const Verdict verdict = arenite::verify(buffers, offsets, count, kMaxSize, 64, scratch);
  const bool ok = planning::all_apart(buffers, offsets, count);
  if (ok ? is(verdict, Status::kOk)
         : verdict.status == Status::kOverlap && is_first_collision(verdict, buffers, offsets, count)) {
    return testing::AssertionSuccess();
  }
  auto failure = testing::AssertionFailure() << planning::describe(buffers, count) << "offsets";
  for (std::size_t i = 0; i < count; ++i) failure << " " << offsets[i];
  return failure << ": " << arenite::to_string(verdict.status) << " " << verdict.first << " " << verdict.second;
}

// Every list of `count` buffers with these sizes, lifetimes within these steps, and offsets below `most_offset`.
void check_every_list(std::size_t count, std::size_t least_size, std::size_t most_size, planning::Step steps,
                      std::size_t offset_end) {
  Buffers buffers;
  Offsets offsets;
  for (std::size_t size = least_size; size <= most_size; ++size) {
    for (planning::Step first = 0; first < steps; ++first) {
      for (planning::Step last = first; last < steps; ++last) {
        for (std::size_t offset = 0; offset < offset_end; ++offset) {
          buffers.push_back({size, first, last, 1});
          offsets.push_back(offset);
        }
      }
    }
  }
  std::array<std::size_t, 5> digits{};
  std::array<Buffer, 5> list;
  std::array<std::size_t, 5> places{};
  std::array<Index, arenite::verify_scratch(5)> scratch{};
  ASSERT_LE(count, list.size());
  for (bool more = true; more;) {
    for (std::size_t i = 0; i < count; ++i) {
      list[i] = buffers[digits[i]];
      places[i] = offsets[digits[i]];
    }
    ASSERT_TRUE(agrees(list.data(), places.data(), count, scratch.data()));
    more = false;
    for (std::size_t i = 0; i < count && !more; ++i) {
      more = ++digits[i] < buffers.size();
      if (!more) digits[i] = 0;
    }
  }
}

TEST(Verify, EveryListOfAFewBuffers) {
  check_every_list(1, 0, 2, 3, 4);
  check_every_list(2, 0, 3, 3, 4);
#if ARENITE_THOROUGH_TESTS
  check_every_list(3, 0, 2, 3, 4);
  check_every_list(4, 1, 2, 3, 3);
  check_every_list(5, 1, 2, 2, 2);
#else
  check_every_list(3, 1, 2, 2, 3);
#endif
}

// Offsets thrown at random, so sparse that a collision is about as likely as none.
TEST(Verify, RandomOffsets) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  int collisions = 0;
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 100000 : 1500;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint32_t steps = random.between(0, 40);
    const Buffers buffers = planning::random_list(random, {2, random.between(2, 48), 0, 9, steps, steps, 3});
    const std::uint32_t count = static_cast<std::uint32_t>(buffers.size());
    const std::uint32_t range = random.between(1, 4 * count * count);
    Offsets offsets;
    for (const Buffer& buffer : buffers) offsets.push_back(random.below(range) * 4 & ~buffer.alignment.mask());
    std::vector<Index> scratch(arenite::verify_scratch(count));
    ASSERT_TRUE(agrees(buffers.data(), offsets.data(), count, scratch.data()));
    collisions += !planning::all_apart(buffers.data(), offsets.data(), count);
  }
  EXPECT_GT(collisions, kRounds / 10);
  EXPECT_LT(collisions, kRounds - kRounds / 10);
}

// A plan that is right, of which one buffer is then moved: by a byte, by an alignment, or anywhere.
TEST(Verify, PlansThatWereTamperedWith) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 10000 : 200); ++round) {
    const std::uint32_t steps = random.between(0, 60);
    const Buffers buffers = planning::random_list(random, {1, random.between(1, 64), 1, 40, steps, random.below(9), 2});
    const std::uint32_t count = static_cast<std::uint32_t>(buffers.size());
    const planning::Planned<> plan(buffers);
    const Offsets offsets = planning::offsets_of(*plan);
    std::vector<Index> scratch(arenite::verify_scratch(count));
    ASSERT_TRUE(agrees(buffers.data(), offsets.data(), count, scratch.data()));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t mask = buffers[i].alignment.mask();
      const std::size_t before = offsets[i];
      for (const std::size_t after : {before + mask + 1, before - mask - 1, before + 16, before - 16,
                                      std::size_t{random.between(0, static_cast<std::uint32_t>(plan->size()))}}) {
        if (after > before + 16) continue;  // wrapped
        Offsets tampered = offsets;
        tampered[i] = after & ~mask;
        ASSERT_TRUE(agrees(buffers.data(), tampered.data(), count, scratch.data()));
      }
    }
  }
}

// One byte too low, for each buffer of a long list: the one below it, and nothing else, is in the way.
TEST(Verify, LongLists) {
  constexpr std::size_t kCount = sizeof(void*) > 4 ? 5000 : 600;
  Buffers buffers;
  Offsets offsets;
  for (std::size_t i = 0; i < kCount; ++i) {
    buffers.push_back({10, static_cast<planning::Step>(i), static_cast<planning::Step>(i + 2), 1});
    offsets.push_back(i % 3 * 10);
  }
  EXPECT_TRUE(check(buffers, offsets, 30, 1).ok());
  for (std::size_t i = 0; i < kCount; i += 97) {
    if (i % 3 == 0) continue;
    offsets[i] -= 1;
    const Verdict verdict = check(buffers, offsets, 30, 1);
    EXPECT_EQ(verdict.status, Status::kOverlap);
    EXPECT_EQ(verdict.second, i);
    // The two that are ten lower and alive together: one before, or one and two after; of these the first may be any.
    const std::size_t distance = verdict.first > i ? verdict.first - i : i - verdict.first;
    EXPECT_TRUE(distance == 1 || distance == 2) << verdict.first;
    EXPECT_EQ(offsets[verdict.first], offsets[i] + 1 - 10);
    offsets[i] += 1;
  }
}

}  // namespace
