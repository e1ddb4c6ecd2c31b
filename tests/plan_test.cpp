// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/plan.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::kNoIndex;
using arenite::Plan;
using arenite::PlanOffsets;
using arenite::PlanRef;
using arenite::PlanSummary;
using arenite::Status;
using arenite::Verdict;

constexpr Buffer kBuffers[] = {{100, 0, 1, 4}, {80, 1, 2, 8}, {60, 2, 3, 1}};
constexpr std::size_t kOffsets[] = {0, 104, 0};
constexpr Plan<3> kPlan(PlanSummary(184, 8), 180, {0, 104, 0}, {100, 80, 60});

enum Plain { kFirst, kSecond, kThird };
enum class Scoped : std::uint8_t { kInput, kHidden, kOutput };

// --- what is known of every plan ------------------------------------------------------------------------------------

TEST(PlanSummary, IsAnEmptyPlanByDefault) {
  constexpr PlanSummary kEmpty;
  static_assert(kEmpty.size() == 0 && kEmpty.alignment() == 1);
  static_assert(kEmpty.status() == Status::kOk && kEmpty.culprit() == kNoIndex);
}

TEST(PlanSummary, ARefusedPlanHasNoBytes) {
  constexpr PlanSummary kRefused(Status::kInvalidLifetime, 3);
  static_assert(kRefused.size() == 0 && kRefused.alignment() == 1);
  static_assert(kRefused.status() == Status::kInvalidLifetime && kRefused.culprit() == 3);
  static_assert(PlanSummary(Status::kSizeOverflow).culprit() == kNoIndex);
}

// --- reading --------------------------------------------------------------------------------------------------------

template <class P>
constexpr bool reads_right(const P& plan) {
  return plan.count() == 3 && plan.size() == 184 && plan.alignment() == 8 && plan.status() == Status::kOk &&
         plan.culprit() == kNoIndex && plan.offset(0) == 0 && plan.offset(1) == 104 && plan.offset(2) == 0;
}

template <class P>
constexpr bool sizes_read_right(const P& plan) {
  return plan.size(0) == 100 && plan.size(1) == 80 && plan.size(2) == 60 && plan.end(0) == 100 && plan.end(1) == 184 &&
         plan.end(2) == 60 && plan.extent(0) == 100 && plan.extent(1) == 80 && plan.extent(2) == 60;
}

// An index may have any integer type, or be an enumerator.
template <class P>
constexpr bool indices_read_right(const P& plan) {
  return plan.offset(kSecond) == 104 && plan.offset(Scoped::kHidden) == 104 && plan.offset(std::uint8_t{1}) == 104 &&
         plan.offset(1u) == 104 && plan.offset(1L) == 104 && plan.offset(std::size_t{1}) == 104 &&
         plan.extent(kThird) == plan.extent(2) && plan.extent(Scoped::kOutput) == plan.extent(2);
}

constexpr PlanRef kRef(PlanSummary(184, 8), kBuffers, kOffsets, 3);

TEST(Plan, IsReadInEveryForm) {
  static_assert(reads_right(kPlan) && sizes_read_right(kPlan) && indices_read_right(kPlan));
  static_assert(reads_right(kRef) && sizes_read_right(kRef) && indices_read_right(kRef));
  static_assert(reads_right(kPlan.offsets_only()) && indices_read_right(kPlan.offsets_only()));
  static_assert(kPlan.size(Scoped::kOutput) == 60 && kPlan.end(kSecond) == 184);
  static_assert(kRef.size(Scoped::kOutput) == 60 && kRef.end(kSecond) == 184);

  const Plan<3> copy = kPlan;
  EXPECT_TRUE(reads_right(copy) && sizes_read_right(copy) && indices_read_right(copy));
  const PlanRef ref = kRef;
  EXPECT_TRUE(reads_right(ref) && sizes_read_right(ref) && indices_read_right(ref));
}

TEST(PlanOffsets, KnowNoSizesButTheBlocks) {
  constexpr PlanOffsets<3> kOnly = kPlan.offsets_only();
  static_assert(kOnly.extent(0) == 184 && kOnly.extent(1) == 80 && kOnly.extent(2) == 184);
  static_assert(kOnly.lower_bound() == 180);
  // Of a plan that stays it is a view, of one that dies a value.
  static_assert(std::is_same_v<decltype(kPlan.offsets_only()), const PlanOffsets<3>&>);
  static_assert(std::is_same_v<decltype(Plan<3>(kPlan).offsets_only()), PlanOffsets<3>>);
  static_assert(reads_right(Plan<3>(kPlan).offsets_only()));
}

TEST(Plan, IsProvenWhereItsSizeIsTheLowerBound) {
  static_assert(!kPlan.proven() && kPlan.lower_bound() == 180);
  static_assert(Plan<1>(PlanSummary(8, 1), 8, {0}, {8}).proven());
  static_assert(!Plan<1>(PlanSummary(9, 1), 8, {1}, {8}).proven());
  static_assert(Plan<0>(PlanSummary(), 0, {}, {}).proven());
  static_assert(!Plan<1>(PlanSummary(Status::kSizeOverflow), 0, {0}, {0}).proven(), "no plan, though 0 is 0");
}

TEST(Plan, SaysWhatACapacityIsMissing) {
  static_assert(kPlan.fits(184) && kPlan.missing(184) == 0);
  static_assert(!kPlan.fits(183) && kPlan.missing(183) == 1);
  static_assert(kPlan.fits(arenite::kMaxSize) && kPlan.missing(arenite::kMaxSize) == 0);
  static_assert(kPlan.fits(static_cast<std::size_t>(-1)) && kPlan.missing(static_cast<std::size_t>(-1)) == 0);
  static_assert(!kPlan.fits(0) && kPlan.missing(0) == 184);
  static_assert(!kRef.fits(183) && kRef.missing(183) == 1 && kPlan.offsets_only().missing(180) == 4);
  static_assert(PlanSummary(arenite::kMaxSize, 1).missing(arenite::kMaxSize - 1) == 1);

  // One byte too much. It is proven that nobody needs less.
  constexpr Buffer kTooMuch[] = {{65, 0, 1, 1}, {128, 1, 1, 1}};
  constexpr auto kProven = arenite::plan(kTooMuch);
  static_assert(kProven.proven() && kProven.missing(193) == 0 && kProven.missing(192) == 1);

  constexpr PlanSummary kNothing;
  static_assert(kNothing.fits(0) && kNothing.missing(0) == 0);
  constexpr PlanSummary kRefused(Status::kInvalidAlignment, 2);
  static_assert(!kRefused.fits(1000) && kRefused.missing(0) == 0, "there is no plan that could be short of bytes");
}

TEST(PlanRef, IsAnEmptyPlanByDefault) {
  constexpr PlanRef kEmpty;
  static_assert(kEmpty.count() == 0 && kEmpty.size() == 0 && kEmpty.alignment() == 1);
  static_assert(kEmpty.status() == Status::kOk && kEmpty.verify(nullptr).ok() && kEmpty.lower_bound(nullptr) == 0);
}

// --- verifying ------------------------------------------------------------------------------------------------------

constexpr Verdict verify_with(const PlanRef& plan) {
  Index scratch[arenite::verify_scratch(3)] = {};
  return plan.verify(scratch);
}

constexpr bool is(const Verdict& verdict, Status status, Index first = kNoIndex, Index second = kNoIndex) {
  return verdict.status == status && verdict.first == first && verdict.second == second;
}

TEST(Plan, VerifiesItselfAgainstItsBuffers) {
  static_assert(kPlan.verify(kBuffers).ok());
  static_assert(kPlan.verify(std::array<Buffer, 3>{kBuffers[0], kBuffers[1], kBuffers[2]}).ok());
  static_assert(kPlan.verify({kBuffers[0], kBuffers[1], kBuffers[2]}).ok());
  static_assert(verify_with(kRef).ok());
  static_assert(Plan<0>(PlanSummary(), 0, {}, {}).verify(std::array<Buffer, 0>{}).ok());
  EXPECT_TRUE(kPlan.verify(kBuffers).ok());
  EXPECT_TRUE(verify_with(kRef).ok());
}

TEST(Plan, VerifiesItselfAgainstOthers) {
  constexpr Buffer kLonger[] = {{100, 0, 1, 4}, {80, 1, 2, 8}, {60, 1, 3, 1}};
  static_assert(is(kPlan.verify(kLonger), Status::kOverlap, 0, 2));
  constexpr Buffer kLarger[] = {{105, 0, 1, 4}, {80, 1, 2, 8}, {60, 2, 3, 1}};
  static_assert(is(kPlan.verify(kLarger), Status::kOverlap, 0, 1));
  constexpr Buffer kTooLarge[] = {{100, 0, 1, 4}, {81, 1, 2, 8}, {60, 2, 3, 1}};
  static_assert(is(kPlan.verify(kTooLarge), Status::kOutOfBounds, 1));
  constexpr Buffer kAligned[] = {{100, 0, 1, 4}, {80, 1, 2, 8}, {60, 2, 3, 16}};
  static_assert(is(kPlan.verify(kAligned), Status::kMisaligned, 2), "0 is a multiple of 16, but the base is none");
  constexpr Buffer kInvalid[] = {{100, 0, 1, 4}, {80, 3, 2, 8}, {60, 2, 3, 1}};
  static_assert(is(kPlan.verify(kInvalid), Status::kInvalidLifetime, 1));
}

TEST(PlanRef, VerifiesOffsetsFromElsewhere) {
  static constexpr std::size_t kTampered[] = {0, 96, 0};
  static_assert(is(verify_with(PlanRef(PlanSummary(184, 8), kBuffers, kTampered, 3)), Status::kOverlap, 0, 1));
  static_assert(is(verify_with(PlanRef(PlanSummary(183, 8), kBuffers, kOffsets, 3)), Status::kOutOfBounds, 1));
  static_assert(is(verify_with(PlanRef(PlanSummary(184, 4), kBuffers, kOffsets, 3)), Status::kMisaligned, 1));
}

TEST(Plan, ThatWasRefusedSaysWhyOnceMore) {
  constexpr PlanSummary kRefused(Status::kInvalidAlignment, 2);
  static_assert(is(Plan<3>(kRefused, 0, {}, {}).verify(kBuffers), Status::kInvalidAlignment, 2));
  static_assert(is(PlanRef(kRefused, kBuffers, nullptr, 0).verify(nullptr), Status::kInvalidAlignment, 2));
  static_assert(PlanRef(kRefused, kBuffers, nullptr, 3).lower_bound(nullptr) == 0);
  static_assert(PlanRef(kRefused, kBuffers, kOffsets, 3).count() == 0, "no buffer of it can be had");
}

// --- cost -----------------------------------------------------------------------------------------------------------

static_assert(std::is_trivially_copyable_v<Plan<7>> && std::is_trivially_copyable_v<PlanRef>);
static_assert(sizeof(PlanSummary) == 2 * sizeof(void*));
static_assert(sizeof(PlanRef) == 6 * sizeof(void*));
static_assert(sizeof(PlanOffsets<7>) == sizeof(PlanSummary) + (1 + 7) * sizeof(std::size_t));
static_assert(sizeof(Plan<7>) == sizeof(PlanSummary) + (1 + 2 * 7) * sizeof(std::size_t));

// --- at run time, where the compiler does not know the plan
// -----------------------------------------------------------

TEST(Plan, AtRunTimeSaysTheSame) {
  Buffer buffers[] = {{100, 0, 1, 4}, {80, 1, 2, 8}, {60, 2, 3, 1}};
  Plan<3> plan = kPlan;
  EXPECT_TRUE(reads_right(plan));
  EXPECT_TRUE(sizes_read_right(plan));
  EXPECT_TRUE(plan.fits(184));
  EXPECT_FALSE(plan.fits(183));
  EXPECT_TRUE(reads_right(Plan<3>(plan).offsets_only()));
  EXPECT_EQ(&plan.offsets_only(), static_cast<const PlanOffsets<3>*>(&plan));
  buffers[2].last = 5;
  EXPECT_TRUE(is(plan.verify(buffers), Status::kOk));
  buffers[2].first = 1;
  EXPECT_TRUE(is(plan.verify(buffers), Status::kOverlap, 0, 2));
}

TEST(Plan, AtRunTimeThatWasRefused) {
  Buffer buffers[] = {{100, 0, 1, 4}, {80, 1, 2, 8}, {60, 4, 3, 1}};
  const Plan<3> plan = arenite::plan(buffers);
  EXPECT_EQ(plan.status(), Status::kInvalidLifetime);
  EXPECT_EQ(plan.culprit(), 2u);
  EXPECT_FALSE(plan.fits(1000));
  EXPECT_TRUE(is(plan.verify(buffers), Status::kInvalidLifetime, 2));
  EXPECT_TRUE(is(plan.verify(buffers, {nullptr, 0}), Status::kInvalidLifetime, 2));
  const PlanRef ref(plan, buffers, kOffsets, 3);
  EXPECT_TRUE(is(ref.verify(nullptr), Status::kInvalidLifetime, 2));
  EXPECT_TRUE(is(ref.verify({nullptr, 0}, {}), Status::kInvalidLifetime, 2));
  EXPECT_FALSE(ref.proven(nullptr));
  EXPECT_EQ(ref.lower_bound(nullptr), 0u);
}

TEST(Plan, AtRunTimeVerifiesConstraints) {
  const Buffer buffers[] = {{100, 0, 1, 4}, {80, 1, 2, 8}, {60, 2, 3, 1}};
  const arenite::Constraint constraints[] = {arenite::pinned(1, 104), arenite::reserved(184, 8)};
  const Plan<3> plan = arenite::plan(buffers, constraints);
  EXPECT_TRUE(is(plan.verify(buffers, constraints), Status::kOk));
  const arenite::Constraint others[] = {arenite::pinned(1, 96)};
  EXPECT_TRUE(is(plan.verify(buffers, others), Status::kMismatch, 1));
  const arenite::Constraint of_nobody[] = {arenite::pinned(3, 96)};
  EXPECT_TRUE(is(plan.verify(buffers, of_nobody), Status::kOutOfBounds));
  const arenite::Constraint in_nobody[] = {arenite::alias(2, 3)};
  EXPECT_TRUE(is(plan.verify(buffers, in_nobody), Status::kOutOfBounds));
  EXPECT_TRUE(is(plan.verify({buffers, 2}, constraints), Status::kMismatch));
}

}  // namespace
