// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// How many buffers the compiler plans within its default limits on constant expressions: that this file compiles,
// without an option that raises them, is the test. And that it plans as the same code does at run time.

#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::plan;
using arenite::Step;

// As in real models: each output is read by the next operator, every fourth one by a later one too.
template <std::size_t N>
constexpr std::array<Buffer, N> make_model() {
  std::array<Buffer, N> buffers{};
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < N; ++i) {
    state = state * 1664525 + 1013904223;  // Numerical Recipes' generator
    const std::uint32_t random = state >> 8;
    buffers[i].size = 1 + random % 4000;
    buffers[i].first = static_cast<Step>(i);
    buffers[i].last = static_cast<Step>(i + 1 + (i % 4 == 0 ? random / 4096 % 60 : 0));
    buffers[i].alignment = std::size_t{1} << (i % 5);
  }
  return buffers;
}

template <std::size_t N>
constexpr std::array<Buffer, N> make_all_alive() {
  std::array<Buffer, N> buffers{};
  for (std::size_t i = 0; i < N; ++i) buffers[i] = {16 * (1 + i % 7), 0, 9};
  return buffers;
}

// Each value that a size or an offset has, in one number (FNV-1a, Fowler, Noll and Vo).
template <class P>
constexpr std::uint32_t fingerprint(const P& plan) {
  std::uint32_t hash = 2166136261;
  for (std::size_t i = 0; i < plan.count(); ++i) {
    hash = (hash ^ static_cast<std::uint32_t>(plan.size(i))) * 16777619;
    hash = (hash ^ static_cast<std::uint32_t>(plan.offset(i))) * 16777619;
  }
  return hash;
}

constexpr auto k256 = make_model<256>();
constexpr auto kPlan256 = plan<arenite::greedy>(k256);
static_assert(kPlan256.verify(k256).ok());

constexpr auto k512 = make_model<512>();
constexpr auto kPlan512 = plan<arenite::greedy>(k512);
static_assert(kPlan512.verify(k512).ok());

constexpr auto kAllAlive = make_all_alive<256>();
constexpr auto kAllAlivePlan = plan<arenite::greedy>(kAllAlive);
static_assert(kAllAlivePlan.verify(kAllAlive).ok() && kAllAlivePlan.proven());
// 256 = 36 * 7 + 4: 37 times the sizes 1 to 4, 36 times the sizes 5 to 7.
static_assert(kAllAlivePlan.size() == 16 * (37 * (1 + 2 + 3 + 4) + 36 * (5 + 6 + 7)));

constexpr auto kLinear512 = plan<arenite::linear>(k512);
static_assert(kLinear512.verify(k512).ok() && kLinear512.lower_bound() == kPlan512.lower_bound());

template <std::size_t N>
void check(const std::array<Buffer, N>& buffers, const arenite::Plan<N>& by_compiler) {
  const planning::Buffers list(buffers.begin(), buffers.end());
  const planning::Planned<> at_run_time(list);
  EXPECT_TRUE(planning::is_sound(*at_run_time, list));
  const planning::Offsets expected = planning::first_fit_of_many(list, planning::largest_first(list));
  for (std::size_t i = 0; i < N; ++i) {
    ASSERT_EQ(by_compiler.offset(i), expected[i]) << i;
    ASSERT_EQ(at_run_time->offset(i), expected[i]) << i;
  }
  EXPECT_EQ(by_compiler.size(), at_run_time->size());
  EXPECT_EQ(by_compiler.alignment(), at_run_time->alignment());
  EXPECT_EQ(by_compiler.lower_bound(), planning::lower_bound_of(*at_run_time));
}

TEST(CompileTime, PlansAsAtRunTime) {
  check(k256, kPlan256);
  check(k512, kPlan512);
  check(kAllAlive, kAllAlivePlan);
}

// --- the best of several orders --------------------------------------------------------------------------------------

// No plan is at the lower bound, as there is padding; all live together, and are sorted the wrong way round.
template <std::size_t N>
constexpr std::array<Buffer, N> make_worst() {
  std::array<Buffer, N> buffers{};
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < N; ++i) {
    state = state * 1664525 + 1013904223;
    buffers[i] = {1 + (N - i) * 100, static_cast<Step>(N - i), static_cast<Step>(2 * N + i),
                  std::size_t{1} << (state >> 8) % 5};
  }
  return buffers;
}

// Each lives for up to 69 steps, as no model's does.
template <std::size_t N>
constexpr std::array<Buffer, N> make_long_lived() {
  std::array<Buffer, N> buffers{};
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < N; ++i) {
    state = state * 1664525 + 1013904223;
    buffers[i] = {16 * (1 + (state >> 8) % 4000), static_cast<Step>(i), static_cast<Step>(i + (state >> 20) % 69)};
  }
  return buffers;
}

using arenite::best_of_eight;
using Three = arenite::best_of<arenite::by_size, arenite::strip<arenite::by_last>, arenite::strip<arenite::by_area>>;

constexpr auto kWorst150 = make_worst<150>();
constexpr auto kWorst150Plan = plan<best_of_eight>(kWorst150);

constexpr auto kLongLived150 = make_long_lived<150>();
constexpr auto kLongLived150Plan = plan<best_of_eight>(kLongLived150);
static_assert(kLongLived150Plan.verify(kLongLived150).ok());
static_assert(kLongLived150Plan.size() < plan<arenite::greedy>(kLongLived150).size());

constexpr auto kWorst256 = make_worst<256>();
constexpr auto kWorst256Plan = plan<Three>(kWorst256);

template <class Strategy, std::size_t N>
void check_best_of(const std::array<Buffer, N>& buffers, const arenite::Plan<N>& by_compiler) {
  const planning::Buffers list(buffers.begin(), buffers.end());
  const planning::Planned<Strategy> at_run_time(list);
  EXPECT_TRUE(planning::is_sound(*at_run_time, list));
  EXPECT_EQ(planning::offsets_of(by_compiler), planning::offsets_of(*at_run_time));
  EXPECT_LE(by_compiler.size(), planning::Planned<arenite::greedy>(list)->size());
}

TEST(CompileTime, PlansTheBestOfSeveralAsAtRunTime) {
  check_best_of<best_of_eight>(kWorst150, kWorst150Plan);
  check_best_of<best_of_eight>(kLongLived150, kLongLived150Plan);
  check_best_of<Three>(kWorst256, kWorst256Plan);
}

// --- the strategy where none is named --------------------------------------------------------------------------------

// As many orders as a list of this length affords, the same at run time.
template <std::size_t N, class Same>
constexpr auto kList = make_model<N>();
template <std::size_t N, class Same>
constexpr auto kByDefault = plan(kList<N, Same>);

template <std::size_t N, class Same>
void check_default() {
  constexpr const auto& kPlan = kByDefault<N, Same>;
  const planning::Buffers list(kList<N, Same>.begin(), kList<N, Same>.end());
  EXPECT_EQ(planning::offsets_of(kPlan), planning::offsets_of(*planning::Planned<arenite::standard>(list)));
  EXPECT_EQ(planning::offsets_of(kPlan), planning::offsets_of(*planning::Planned<Same>(list)));
  EXPECT_LE(kPlan.size(), planning::Planned<arenite::greedy>(list)->size());
  arenite::Planner<N> planner;
  for (const Buffer& buffer : list) ASSERT_EQ(planner.add(buffer), arenite::Status::kOk);
  EXPECT_EQ(planning::offsets_of(kPlan), planning::offsets_of(planner.plan()));
}

TEST(CompileTime, TheDefaultIsWhatTheLengthAffords) {
  using Two = arenite::best_of<arenite::by_size, arenite::strip<arenite::by_last>>;
  check_default<150, arenite::best_of_eight>();
  check_default<151, Two>();
  check_default<256, Two>();
  check_default<257, arenite::greedy>();
  check_default<400, arenite::greedy>();
}

// The same on every compiler and target: these numbers come from a program of its own, in another language.
TEST(CompileTime, PlansTheSameEverywhere) {
  static_assert(kPlan256.size() == 32893 && fingerprint(kPlan256) == 1538137237);
  static_assert(kPlan512.size() == 40220 && fingerprint(kPlan512) == 400308526);
}

}  // namespace
