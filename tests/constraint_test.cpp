// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Plans with constraints: named cases by the compiler, then random lists against a model that is written from the
// definitions.

#include <arenite/constraint.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "constraint_model.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::alias;
using arenite::best_of;
using arenite::best_of_eight;
using arenite::Buffer;
using arenite::by_area;
using arenite::by_peak;
using arenite::by_size;
using arenite::Constraint;
using arenite::ConstraintList;
using arenite::greedy;
using arenite::Index;
using arenite::kMaxBuffers;
using arenite::kMaxSize;
using arenite::kNoIndex;
using arenite::linear;
using arenite::pinned;
using arenite::plan;
using arenite::plan_bytes;
using arenite::PlanRef;
using arenite::reserved;
using arenite::search;
using arenite::smallest_gap;
using arenite::Status;
using arenite::Step;
using arenite::strip;
using arenite::validate;
using arenite::Verdict;
using planning::Buffers;
using planning::Offsets;
using planning::Random;
using Constraints = std::vector<Constraint>;

// --- named cases -----------------------------------------------------------------------------------------------------

// What each strategy needs; the lower bound; all of them sound.
template <std::size_t N, std::size_t C>
constexpr bool needs(std::size_t greedy_size, std::size_t lower_bound, const Buffer (&buffers)[N],
                     const Constraint (&constraints)[C]) {
  const auto first = plan(buffers, constraints);
  const auto apart = plan<linear>(buffers, constraints);
  const auto best = plan<best_of_eight>(buffers, constraints);
  const auto stripped = plan<best_of<strip<by_size>>>(buffers, constraints);
  return first.size() == greedy_size && best.size() <= greedy_size && stripped.size() <= greedy_size &&
         first.lower_bound() == lower_bound && best.lower_bound() == lower_bound &&
         first.verify(buffers, constraints).ok() && apart.verify(buffers, constraints).ok() &&
         best.verify(buffers, constraints).ok() && stripped.verify(buffers, constraints).ok();
}

constexpr Buffer kTwo[] = {{64, 0, 1, 1}, {64, 2, 3, 1}};
constexpr Buffer kThree[] = {{32, 0, 2, 1}, {32, 0, 2, 1}, {16, 0, 2, 1}};

TEST(Pinned, LieWhereTheyAre) {
  constexpr Buffer kOne[] = {{64, 0, 1}};
  constexpr Constraint kAt128[] = {pinned(0, 128)};
  static_assert(plan(kOne, kAt128).offset(0) == 128 && plan(kOne, kAt128).size() == 192);
  static_assert(needs(192, 192, kOne, kAt128));
  constexpr Constraint kAt0[] = {pinned(1, 0)};
  static_assert(needs(64, 64, kTwo, kAt0));
}

TEST(Pinned, OthersLieAround) {
  constexpr Constraint kAt32[] = {pinned(0, 32)};
  static_assert(needs(80, 80, kThree, kAt32));
  constexpr Constraint kAt31[] = {pinned(0, 31)};  // the hole below is one byte too short
  static_assert(needs(95, 95, kThree, kAt31));
  constexpr Constraint kAt33[] = {pinned(0, 33)};
  static_assert(needs(81, 80, kThree, kAt33));
  constexpr Buffer kLong[] = {{32, 0, 2, 1}, {48, 0, 2, 1}};
  static_assert(needs(112, 112, kLong, kAt32));
  constexpr Buffer kAligned[] = {{32, 0, 2, 1}, {32, 0, 2, 16}};
  constexpr Constraint kAt24[] = {pinned(0, 24)};
  static_assert(needs(96, 96, kAligned, kAt24));  // 56 is no multiple of 16
}

TEST(Pinned, MayShareBytesAtOtherSteps) {
  constexpr Constraint kBoth[] = {pinned(0, 0), pinned(1, 32)};
  static_assert(needs(96, 96, kTwo, kBoth));
  constexpr Buffer kTogether[] = {{64, 0, 2, 1}, {64, 2, 3, 1}};
  constexpr Verdict kVerdict = validate(kTogether, kBoth);
  static_assert(kVerdict.status == Status::kOverlap && kVerdict.first == 0 && kVerdict.second == 1);
  constexpr Constraint kApart[] = {pinned(1, 64), pinned(0, 0)};
  static_assert(needs(128, 128, kTogether, kApart));
}

TEST(Pinned, WithoutBytesAreInNobodysWay) {
  constexpr Buffer kBuffers[] = {{0, 0, 9, 4}, {200, 0, 9, 1}};
  constexpr Constraint kAt100[] = {pinned(0, 100)};
  static_assert(needs(200, 200, kBuffers, kAt100));
  static_assert(plan(kBuffers, kAt100).offset(0) == 100);
  constexpr Constraint kAt300[] = {pinned(0, 300)};
  static_assert(plan(kBuffers, kAt300).offset(0) == 300 && plan(kBuffers, kAt300).size() == 300);
}

TEST(Pinned, AreTheFirstToBePlaced) {
  // Larger ones that come first by size do not take a pinned one's place, whatever the order of the list.
  constexpr Buffer kBuffers[] = {{500, 0, 3, 1}, {10, 1, 1, 1}, {500, 2, 2, 1}, {20, 0, 0, 1}};
  constexpr Constraint kConstraints[] = {pinned(3, 490), pinned(1, 0)};
  static_assert(plan(kBuffers, kConstraints).offset(0) == 510);
  static_assert(needs(1010, 1010, kBuffers, kConstraints));
}

TEST(Reserved, IsNotTouched) {
  constexpr Buffer kBuffers[] = {{100, 0, 1, 1}, {100, 2, 3, 1}};
  constexpr Constraint kFront[] = {reserved(0, 64)};
  static_assert(needs(164, 164, kBuffers, kFront));
  constexpr Constraint kFrontAtFirst[] = {reserved(0, 64, 0, 1)};
  static_assert(needs(164, 164, kBuffers, kFrontAtFirst));
  static_assert(plan(kBuffers, kFrontAtFirst).offset(1) == 0);
}

TEST(Reserved, MayBeMetAtBothEnds) {
  constexpr Buffer kBuffers[] = {{64, 0, 0, 1}, {64, 0, 0, 1}};
  constexpr Constraint kBetween[] = {reserved(64, 32)};
  static_assert(needs(160, 160, kBuffers, kBetween));
  constexpr Constraint kShorter[] = {reserved(63, 33)};  // what is below is too short
  static_assert(needs(224, 128 + 33, kBuffers, kShorter));
}

TEST(Reserved, DoesNotCountInTheSize) {
  constexpr Buffer kBuffers[] = {{64, 0, 0, 1}, {36, 0, 0, 1}};
  constexpr Constraint kAbove[] = {reserved(100, 28)};
  static_assert(needs(100, 100, kBuffers, kAbove));
  constexpr Constraint kOneLower[] = {reserved(99, 29)};
  static_assert(needs(164, 128 + 1, kBuffers, kOneLower));
  constexpr Constraint kFar[] = {reserved(kMaxSize - 1, 1), reserved(4000, 0)};
  static_assert(needs(100, 100, kBuffers, kFar));
}

TEST(Alias, IsOnePieceWithTheOther) {
  constexpr Buffer kBuffers[] = {{64, 0, 2}, {16, 0, 5}, {64, 3, 4}};
  constexpr Constraint kView[] = {alias(1, 0, 16)};
  static_assert(needs(128, 128, kBuffers, kView));
  static_assert(plan(kBuffers, kView).offset(1) == plan(kBuffers, kView).offset(0) + 16);
  constexpr Buffer kChain[] = {{8, 0, 1, 4}, {8, 1, 2, 4}, {40, 2, 3, 8}, {5, 3, 3, 1}};
  constexpr Constraint kInEachOther[] = {alias(2, 1, 0), alias(1, 0, 8)};
  static_assert(needs(48 + 5, 48 + 5, kChain, kInEachOther));
  static_assert(plan(kChain, kInEachOther).offset(2) == plan(kChain, kInEachOther).offset(0) + 8);
}

TEST(Alias, IsPinnedWithItsPiece) {
  constexpr Buffer kBuffers[] = {{64, 0, 1, 8}, {16, 1, 2, 8}, {8, 2, 2, 8}};
  constexpr Constraint kConstraints[] = {alias(1, 0, 16), pinned(1, 48)};
  static_assert(plan(kBuffers, kConstraints).offset(0) == 32);
  static_assert(plan(kBuffers, kConstraints).offset(2) == 0);
  static_assert(needs(96, 96, kBuffers, kConstraints));
  constexpr Constraint kTwice[] = {alias(1, 0, 16), pinned(1, 48), pinned(0, 32)};
  static_assert(needs(96, 96, kBuffers, kTwice));
}

enum class Tensor : std::uint8_t { kImage, kView, kScores };

TEST(Constraints, NameBuffersAsPlansDo) {
  constexpr Buffer kBuffers[] = {{64, 0, 1, 1}, {16, 1, 2, 1}, {10, 2, 3, 1}};
  constexpr Constraint kConstraints[] = {alias(Tensor::kView, Tensor::kImage, 48), pinned(Tensor::kScores, 0)};
  static_assert(plan(kBuffers, kConstraints).offset(Tensor::kView) == 58);
  static_assert(pinned(-1, 0).buffer > kMaxBuffers);
}

// What is left of an array that is not filled asks for nothing.
TEST(Constraints, AskForNothingByDefault) {
  constexpr Buffer kBuffers[] = {{64, 0, 1, 1}, {64, 0, 1, 1}};
  constexpr Constraint kConstraints[4] = {pinned(1, 0)};
  static_assert(needs(128, 128, kBuffers, kConstraints));
  constexpr Constraint kNone[2] = {};
  static_assert(plan(kBuffers, kNone).offset(1) == plan(kBuffers).offset(1));
  static_assert(plan(kBuffers, kNone).offset(0) == plan(kBuffers).offset(0));
}

TEST(Constraints, ComeInArraysOfEitherKind) {
  constexpr std::array<Buffer, 2> kBuffers = {Buffer{64, 0, 1, 1}, Buffer{64, 0, 1, 1}};
  constexpr std::array<Constraint, 1> kConstraints = {pinned(0, 64)};
  constexpr Constraint kPlain[] = {pinned(0, 64)};
  static_assert(plan(kBuffers, kConstraints).verify(kBuffers, kConstraints).ok());
  static_assert(plan(kBuffers, kPlain).verify(kBuffers, kPlain).ok());
  static_assert(plan(kTwo, kConstraints).verify(kTwo, kConstraints).ok());
  static_assert(plan(kTwo, kPlain).verify(kThree, kPlain).status == Status::kMismatch);
  static_assert(validate(kBuffers, kConstraints).ok() && validate(kTwo, kPlain).ok());
}

// A plan of N buffers and C constraints is planned in one way, whoever counts the pieces.
TEST(Constraints, TheDefaultIsTheSameAtRunTime) {
  constexpr std::size_t kCount = 200;
  constexpr auto kMake = [] {
    std::array<Buffer, kCount> buffers{};
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < kCount; ++i) {
      state = state * 1664525 + 1013904223;  // Numerical Recipes' generator
      const auto first = static_cast<Step>(state >> 24);
      buffers[i] = {1 + (state >> 8) % 1000, first, static_cast<Step>(first + (state >> 16) % 16), 1};
    }
    return buffers;
  };
  constexpr std::array<Buffer, kCount> kBuffers = kMake();
  constexpr auto kMakeAliases = [] {
    std::array<Constraint, 60> constraints{};
    for (std::size_t i = 0; i < 60; ++i) constraints[i] = alias(2 * i + 1, 2 * i);
    return constraints;
  };
  constexpr std::array<Constraint, 60> kConstraints = kMakeAliases();
  const auto by_array = plan(kBuffers, kConstraints);
  std::vector<std::size_t> memory(plan_bytes(kCount, 60) / sizeof(std::size_t) + 1);
  const PlanRef by_pointer =
      plan(kBuffers.data(), kCount, kConstraints, memory.data(), memory.size() * sizeof(std::size_t));
  EXPECT_EQ(planning::offsets_of(by_array), planning::offsets_of(by_pointer));
}

static_assert(sizeof(std::size_t) != 4 || (plan_bytes(10, 0) == 300 && plan_bytes(10, 1) == 324));
static_assert(sizeof(std::size_t) != 4 || sizeof(Constraint) == 24);

// --- what is refused -------------------------------------------------------------------------------------------------

template <std::size_t N, std::size_t C>
void expect_refused(const Buffer (&buffers)[N], const Constraint (&constraints)[C], Status status,
                    Index first = kNoIndex, Index second = kNoIndex) {
  const Verdict verdict = validate(buffers, constraints);
  EXPECT_EQ(verdict.status, status);
  EXPECT_EQ(verdict.first, first);
  EXPECT_EQ(verdict.second, second);
  const auto by_array = plan(buffers, constraints);
  EXPECT_EQ(by_array.status(), status);
  EXPECT_EQ(by_array.culprit(), first);
  EXPECT_EQ(by_array.size(), 0u);
  EXPECT_FALSE(by_array.proven());
  std::vector<std::size_t> memory(plan_bytes(N, C) / sizeof(std::size_t) + 1);
  const PlanRef by_pointer =
      plan(buffers, N, ConstraintList(constraints), memory.data(), memory.size() * sizeof(std::size_t));
  EXPECT_EQ(by_pointer.status(), status);
  EXPECT_EQ(by_pointer.culprit(), first);
  EXPECT_EQ(by_pointer.count(), 0u);
  EXPECT_EQ(by_pointer.known_lower_bound(), 0u);
  const Verdict again =
      validate(buffers, N, ConstraintList(constraints), memory.data(), memory.size() * sizeof(std::size_t));
  EXPECT_EQ(again.status, status);
  EXPECT_EQ(again.first, first);
  EXPECT_EQ(again.second, second);
}

TEST(ConstraintRefusals, SayWhatAndWho) {
  const Buffer buffers[] = {{64, 0, 2, 16}, {64, 1, 3, 16}, {8, 0, 3, 4}};
  expect_refused(buffers, {pinned(0, 0), pinned(1, 32)}, Status::kOverlap, 0, 1);
  expect_refused(buffers, {pinned(1, 32), pinned(0, 0)}, Status::kOverlap, 0, 1);
  expect_refused(buffers, {pinned(1, 32), reserved(40, 1)}, Status::kOverlap, 1);
  expect_refused(buffers, {reserved(0, 2), reserved(1, 2)}, Status::kOverlap);
  expect_refused(buffers, {pinned(1, 8)}, Status::kMisaligned, 1);
  expect_refused(buffers, {alias(1, 0, 8)}, Status::kMisaligned, 1);
  expect_refused(buffers, {pinned(3, 0)}, Status::kOutOfBounds);
  expect_refused(buffers, {pinned(static_cast<std::size_t>(-1), 0)}, Status::kOutOfBounds);
  expect_refused(buffers, {alias(3, 0)}, Status::kOutOfBounds);
  expect_refused(buffers, {alias(1, 3)}, Status::kOutOfBounds, 1);
  expect_refused(buffers, {alias(1, 0, 16), pinned(1, 0)}, Status::kOutOfBounds, 1, 0);
  expect_refused(buffers, {alias(2, 2)}, Status::kCycle, 2, 2);
  expect_refused(buffers, {alias(0, 1), alias(1, 0)}, Status::kCycle, 0, 1);
  expect_refused(buffers, {alias(0, 1), alias(1, 2), alias(2, 1)}, Status::kCycle, 2, 1);  // 0 only leads to it
  expect_refused(buffers, {alias(0, 1), alias(1, 2), alias(2, 0)}, Status::kCycle, 0, 1);
  expect_refused(buffers, {alias(2, 0), alias(2, 1)}, Status::kContradiction, 2, 0);
  expect_refused(buffers, {pinned(2, 4), pinned(2, 8)}, Status::kContradiction, 2, 2);
  expect_refused(buffers, {alias(1, 0), pinned(0, 16), pinned(1, 32)}, Status::kContradiction, 1, 0);
  expect_refused(buffers, {reserved(0, 1, 3, 2)}, Status::kInvalidLifetime);
}

TEST(ConstraintRefusals, SizesThatAreTooLarge) {
  const Buffer buffers[] = {{64, 0, 2, 1}, {64, 1, 3, 1}};
  expect_refused(buffers, {pinned(0, kMaxSize - 63)}, Status::kSizeOverflow, 0);
  expect_refused(buffers, {pinned(0, static_cast<std::size_t>(-1))}, Status::kSizeOverflow, 0);
  expect_refused(buffers, {alias(0, 1, kMaxSize - 63)}, Status::kSizeOverflow, 0);
  expect_refused(buffers, {alias(0, 1, static_cast<std::size_t>(-1))}, Status::kSizeOverflow, 0);
  expect_refused(buffers, {reserved(1, kMaxSize)}, Status::kSizeOverflow);
  expect_refused(buffers, {reserved(kMaxSize + 1, 1)}, Status::kSizeOverflow);
  const auto no_room = plan(buffers, {{reserved(0, kMaxSize - 63)}});
  EXPECT_EQ(no_room.status(), Status::kSizeOverflow);
  EXPECT_EQ(no_room.culprit(), kNoIndex);
  const auto highest = plan(buffers, {{pinned(0, kMaxSize - 64)}});
  EXPECT_EQ(highest.status(), Status::kOk);
  EXPECT_EQ(highest.size(), kMaxSize);
  const auto barely = plan<greedy>(kTwo, {{reserved(0, kMaxSize - 64)}});
  EXPECT_EQ(barely.status(), Status::kOk);
  EXPECT_EQ(barely.size(), kMaxSize);
}

TEST(ConstraintRefusals, TheListComesFirst) {
  const Buffer buffers[] = {{64, 0, 2, 1}, {64, 3, 2, 1}};
  expect_refused(buffers, {pinned(7, 0)}, Status::kInvalidLifetime, 1);
}

TEST(ConstraintRefusals, MemoryThatWillNotDo) {
  const Constraint constraints[] = {pinned(0, 0), reserved(64, 8)};
  const std::size_t needed = plan_bytes(2, 2);
  std::vector<std::size_t> memory(needed / sizeof(std::size_t) + 2);
  EXPECT_EQ(plan(kTwo, 2, constraints, memory.data(), needed).status(), Status::kOk);
  EXPECT_EQ(plan(kTwo, 2, constraints, memory.data(), needed - 1).status(), Status::kOutOfMemory);
  EXPECT_EQ(plan(kTwo, 2, constraints, nullptr, needed).status(), Status::kNullMemory);
  EXPECT_EQ(plan(nullptr, 2, constraints, memory.data(), needed).status(), Status::kNullMemory);
  EXPECT_EQ(plan(kTwo, 2, ConstraintList(nullptr, 1), memory.data(), needed).status(), Status::kNullMemory);
  EXPECT_EQ(plan(kTwo, 2, constraints, reinterpret_cast<char*>(memory.data()) + 1, needed).status(),
            Status::kMisaligned);
  EXPECT_EQ(plan(nullptr, 0, ConstraintList(nullptr, 0), nullptr, 0).status(), Status::kOk);
  EXPECT_EQ(plan(nullptr, 0, ConstraintList(constraints + 1, 1), memory.data(), needed).status(), Status::kOk);
  EXPECT_EQ(plan(kTwo, kMaxBuffers, constraints, memory.data(), needed).status(), Status::kTooManyBuffers);
  EXPECT_EQ(plan_bytes(kMaxBuffers, 1), static_cast<std::size_t>(-1));
  EXPECT_EQ(plan_bytes(0, static_cast<std::size_t>(-1)), static_cast<std::size_t>(-1));
}

// --- against a model -------------------------------------------------------------------------------------------------

using constraint_model::Answer;
using constraint_model::Model;
using constraint_model::Problem;
using constraint_model::random_problem;
using constraint_model::verify;

template <class Strategy>
Answer sound_answer(const Problem& problem, const Model& model) {
  const Answer answer = constraint_model::answer<Strategy>(problem, model);
  EXPECT_EQ(answer.wrong, nullptr) << answer.wrong << problem.text();
  return answer;
}

#if ARENITE_THOROUGH_TESTS
constexpr int kRounds = 20000;
#elif defined(__unix__)
constexpr int kRounds = 4000;
#else
constexpr int kRounds = 300;
#endif

TEST(Constraints, ShortListsAgreeWithTheModel) {
  Random random;
  SCOPED_TRACE(testing::Message() << "seed " << random.seed());
  int accepted = 0;
  int best_is_best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Problem problem = random_problem(random, 5, 6, 3, 4);
    const Model model(problem);
    const Answer first = sound_answer<greedy>(problem, model);
    ASSERT_EQ(first.status == Status::kOk, model.accepted()) << problem.text();
    const Answer apart = sound_answer<linear>(problem, model);
    const Answer best = sound_answer<best_of_eight>(problem, model);
    const Answer searched = sound_answer<search<>>(problem, model);
    const Answer gaps = sound_answer<best_of<by_size, smallest_gap<by_peak>, strip<by_area>>>(problem, model);
    ASSERT_EQ(apart.status, first.status);
    ASSERT_EQ(best.status, first.status);
    ASSERT_EQ(gaps.status, first.status);
    ASSERT_EQ(searched.status, first.status);
    if (!model.accepted()) continue;
    ++accepted;
    const std::size_t least = model.best();
    ASSERT_LE(first.lower_bound, least) << problem.text();
    ASSERT_EQ(best.lower_bound, first.lower_bound) << problem.text();
    ASSERT_LE(least, best.size) << problem.text();
    ASSERT_EQ(searched.size, least) << problem.text();
    ASSERT_EQ(searched.lower_bound, least) << problem.text();
    ASSERT_LE(best.size, first.size) << problem.text();
    ASSERT_LE(gaps.size, first.size) << problem.text();
    ASSERT_LE(least, apart.size) << problem.text();
    best_is_best += best.size == least ? 1 : 0;
  }
  EXPECT_GT(accepted, kRounds / 8);
  EXPECT_GT(best_is_best, accepted * 9 / 10);
}

TEST(Constraints, VerifySeesWhatTheModelSees) {
  Random random;
  SCOPED_TRACE(testing::Message() << "seed " << random.seed());
  int sound = 0;
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Problem problem = random_problem(random, 5, 6, 3, 4);
    const Model model(problem);
    if (!model.accepted()) continue;
    ++accepted;
    Offsets offsets(problem.buffers.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = random.below(24) & ~std::uint32_t{random.below(4)};
    for (const Constraint& c : problem.constraints) {  // most of them as they should be, so that it depends on the rest
      if (c.kind == Constraint::Kind::kPinned && random.below(8) != 0) offsets[c.buffer] = c.offset;
    }
    for (const Constraint& c : problem.constraints) {
      if (c.kind == Constraint::Kind::kAlias && random.below(8) != 0) offsets[c.buffer] = offsets[c.of] + c.offset;
    }
    const bool expected = model.is_sound(offsets);
    sound += expected ? 1 : 0;
    ASSERT_EQ(verify(problem, offsets, 1000).ok(), expected) << problem.text();
  }
  EXPECT_GT(sound, accepted / 20);
  EXPECT_GT(accepted - sound, accepted / 4);
}

TEST(Constraints, LongListsAgreeWithTheModel) {
  Random random;
  SCOPED_TRACE(testing::Message() << "seed " << random.seed());
  int accepted = 0;
  for (int round = 0; round < kRounds / 20; ++round) {
    const Problem problem = random_problem(random, 60, 100, 30, 4);
    const Model model(problem);
    const Answer first = sound_answer<greedy>(problem, model);
    ASSERT_EQ(first.status == Status::kOk, model.accepted()) << problem.text();
    if (!model.accepted()) continue;
    ++accepted;
    const Answer best = sound_answer<best_of_eight>(problem, model);
    ASSERT_LE(best.size, first.size);
    ASSERT_LE(first.lower_bound, best.size);
    (void)sound_answer<linear>(problem, model);
    const Answer searched = sound_answer<search<20000>>(problem, model);
    ASSERT_LE(searched.size, best.size);
    ASSERT_LE(searched.lower_bound, searched.size);
    ASSERT_LE(first.lower_bound, searched.lower_bound);
  }
  EXPECT_GT(accepted, kRounds / 200);
}

// Ranges that are reserved for good do not make lifetimes long, by which strategies look for neighbours.
TEST(Reserved, ForGoodIsForAsLongAsAnyBufferLives) {
  constexpr Buffer kBuffers[] = {{64, 3, 3, 1}, {64, 5, 9, 1}};
  constexpr Constraint kConstraints[] = {reserved(0, 8), reserved(8, 8, 4), reserved(16, 8, 10),
                                         reserved(24, 8, 11, 12)};
  static_assert(plan(kBuffers, kConstraints).offset(0) == 8 && plan(kBuffers, kConstraints).offset(1) == 16);
  std::array<Buffer, 6> pieces{};
  Offsets places(6);
  Offsets deltas(2);
  std::array<Index, 4> owners{};
  std::array<Index, 2> roots{};
  std::array<Index, 2> slots{};
  arenite::detail::Pieces cut({pieces.data(), places.data(), owners.data(), roots.data(), slots.data()});
  ASSERT_TRUE(cut.make(kBuffers, 2, kConstraints, deltas.data()).ok());
  ASSERT_EQ(arenite::fixed_in(cut.list()), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LE(pieces[k].last, 10) << k;
  EXPECT_EQ(pieces[2].first, 10);
  EXPECT_EQ(pieces[3].first, 10);
}

// --- a strategy that knows nothing of it -----------------------------------------------------------------------------

struct Plain {
  static constexpr std::size_t scratch(std::size_t) noexcept { return 0; }
  static constexpr bool place(const Buffer* buffers, std::size_t count, std::size_t* offsets, Index* scratch) noexcept {
    return linear::place(buffers, count, offsets, scratch);
  }
};
static_assert(plan<Plain>(kTwo).size() == 128);

TEST(ConstraintLists, ShowWhatTheyLookAt) {
  const std::array<Constraint, 3> constraints = {pinned(1, 64), reserved(0, 16, 2, 3), alias(2, 0, 8)};
  const ConstraintList list = constraints;
  ASSERT_EQ(list.count(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(&list[i], &constraints[i]);
  EXPECT_EQ(list[0].kind, Constraint::Kind::kPinned);
  EXPECT_EQ(list[1].last, 3u);
  EXPECT_EQ(list[2].offset, 8u);
}

TEST(Reserved, RangesThatAreTooLargeAtRunTime) {
  const Buffer buffers[] = {{8, 0, 0, 1}};
  Offsets memory(100);
  const auto status_of = [&](const Constraint& constraint) {
    const Constraint constraints[] = {constraint};
    return validate(buffers, 1, constraints, memory.data(), memory.size() * sizeof(std::size_t)).status;
  };
  EXPECT_EQ(status_of(reserved(0, kMaxSize)), Status::kOk);
  EXPECT_EQ(status_of(reserved(0, kMaxSize + 1)), Status::kSizeOverflow);
  EXPECT_EQ(status_of(reserved(1, kMaxSize)), Status::kSizeOverflow);
  EXPECT_EQ(status_of(reserved(kMaxSize, 1)), Status::kSizeOverflow);
  EXPECT_EQ(status_of(reserved(kMaxSize, 0)), Status::kOk);
}

TEST(Aliases, ThatAddUpToTooMuch) {
  const Buffer buffers[] = {{8, 0, 0, 1}, {8, 0, 0, 1}, {8, 0, 0, 1}};
  Offsets memory(200);
  const Constraint constraints[] = {alias(2, 1, kMaxSize), alias(1, 0, 1)};
  const Verdict verdict = validate(buffers, 3, constraints, memory.data(), memory.size() * sizeof(std::size_t));
  EXPECT_EQ(verdict.status, Status::kSizeOverflow);
  EXPECT_EQ(verdict.first, 2u);
}

// A range that is reserved for good ends with the last step that there is.
TEST(Reserved, ForBuffersThatLiveToTheLastStep) {
  constexpr Step kLast = static_cast<Step>(-1);
  const Buffer buffers[] = {{8, kLast, kLast, 1}, {8, 0, 1, 1}};
  const Constraint constraints[] = {reserved(0, 16, kLast), reserved(16, 8, 0, 0)};
  const auto answer = plan(buffers, constraints);
  ASSERT_EQ(answer.status(), Status::kOk);
  EXPECT_EQ(answer.offset(0), 16u);
  EXPECT_EQ(answer.offset(1), 0u);
}

// What has no bytes needs no place above a range.
TEST(Reserved, DoNotRaiseTheBoundForBuffersWithoutBytes) {
  Buffer buffers[] = {{0, 0, 0, 1}, {8, 5, 5, 1}};
  const Constraint constraints[] = {reserved(0, 100, 0, 0)};
  const auto without = plan(buffers, constraints);
  EXPECT_EQ(without.size(), 8u);
  EXPECT_EQ(without.lower_bound(), 8u);
  buffers[0].size = 1;
  const auto with = plan(buffers, constraints);
  EXPECT_EQ(with.size(), 101u);
  EXPECT_EQ(with.lower_bound(), 101u);
}

}  // namespace
