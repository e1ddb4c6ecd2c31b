// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Reports: the same exact texts by the compiler and at run time, and numbers that add up to the byte.

#include <arenite/arena.hpp>
#include <arenite/lifetimes.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/planner.hpp>
#include <arenite/report.hpp>
#include <arenite/session.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::Index;
using arenite::Kind;
using arenite::MemorySplit;
using arenite::MemoryUsage;
using arenite::Op;
using arenite::PlanRef;
using arenite::PlanUsage;
using arenite::Region;
using arenite::Status;
using arenite::Step;
using arenite::Tensor;
using arenite::TensorKind;

// The list K1 of the field cases.
constexpr Buffer kBuffers[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 2, 3, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);
constexpr const char* kNames[] = {"image", "feature map", "scores"};

// A graph with all that there is: scratch, one a view, constants, variables, kept and external tensors.
enum Name { kIn, kWeights, kMiddle, kColumns, kState, kOut, kReshaped, kStrip, kGone, kFrame, kGraphTensors };
constexpr Tensor kTensors[] = {
    {96},
    {640, TensorKind::kConstant},
    {80},
    {48},
    {8, TensorKind::kVariable},
    {16, TensorKind::kKept},
    {80, TensorKind::kActivation, 16, kMiddle},
    {16, TensorKind::kActivation, 16, kColumns, 32},
    {30},
    {400, TensorKind::kExternal},
};
constexpr Op kOps[] = {
    {{kIn, kWeights, kState, kFrame}, {kMiddle}, {kColumns, -1, kStrip}},
    {{kReshaped}, {kOut}, {kGone}},
};
constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {kIn}, {kOut});
constexpr auto kGraphPlan = arenite::plan(kGraph.buffers());
constexpr PlanUsage kGraphUsage =
    arenite::usage(kGraphPlan, kGraph.buffers(), kGraph, arenite::scratch_of(kOps, kGraph));

enum class Mine : std::uint8_t { kFilter = static_cast<std::uint8_t>(Kind::kUser), kLog };
using Mines = arenite::Recorder<static_cast<std::size_t>(Mine::kLog) + 1>;

void expect_split(const MemorySplit& split, const MemorySplit& expected) {
  EXPECT_EQ(split.tensors, expected.tensors);
  EXPECT_EQ(split.weights, expected.weights);
  EXPECT_EQ(split.scratch, expected.scratch);
  EXPECT_EQ(split.operator_data, expected.operator_data);
  EXPECT_EQ(split.metadata, expected.metadata);
  EXPECT_EQ(split.other, expected.other);
  EXPECT_EQ(split.padding, expected.padding);
  EXPECT_EQ(split.total(), expected.total());
}

// A sink that works in the compiler, too. Never full: one that would be fails to compile, or the test.
struct Text {
  char characters[2048] = {};
  std::size_t count = 0;

  constexpr void operator()(char c) { characters[count++] = c; }
  [[nodiscard]] constexpr bool is(const char* expected) const {
    std::size_t i = 0;
    for (; i < count && expected[i] != '\0'; ++i) {
      if (expected[i] != characters[i]) return false;
    }
    return i == count && expected[i] == '\0';
  }
};

// What `print` prints, at run time. One type of sink, so that what prints is compiled once.
struct ToString {
  std::string* text;
  void operator()(char c) const { *text += c; }
};
template <class Print>
std::string printed(Print print) {
  std::string text;
  print(ToString{&text});
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  return lines;
}

// The same call at compile time and at run time.
#define EXPECT_PRINTED(expected, call, ...)                                                 \
  do {                                                                                      \
    static_assert([] {                                                                      \
      Text text;                                                                            \
      call(text, __VA_ARGS__);                                                              \
      return text.is(expected);                                                             \
    }());                                                                                   \
    EXPECT_EQ(printed([&](auto sink) { call(sink, __VA_ARGS__); }), std::string(expected)); \
  } while (false)

// --- numbers ---------------------------------------------------------------------------------------------------------

TEST(Usage, OfAPlanIsDataForTheCompiler) {
  constexpr PlanUsage kUsage = arenite::usage(kPlan, kBuffers);
  static_assert(kUsage.status == Status::kOk);
  static_assert(kUsage.buffers == 3);
  static_assert(kUsage.size == 180 && kUsage.size == kPlan.size());
  static_assert(kUsage.without_reuse == 240);
  static_assert(kUsage.saved == 60);
  static_assert(kUsage.lower_bound == 180 && kUsage.lower_bound == kPlan.lower_bound() && kUsage.proven());
  static_assert(kUsage.live == 180);
  static_assert(kUsage.peak_step == 1);
  static_assert(kUsage.unused == 0 && kUsage.unused_per_mille == 0);
  static_assert(kUsage.constants == 0 && kUsage.variables == 0);

  constexpr PlanUsage kApart = arenite::usage(arenite::plan<arenite::linear>(kBuffers), kBuffers);
  static_assert(kApart.size == 240 && kApart.saved == 0 && !kApart.proven() && kApart.live == 180);
  static_assert(kApart.unused == 60 && kApart.unused_per_mille == 333);
}

TEST(Usage, TakesAnyFormOfPlanAndList) {
  constexpr std::array<Buffer, 3> kArray = arenite::with_alignment(kBuffers, 1);
  static_assert(arenite::usage(kPlan, kArray).size == 180);
  static_assert(arenite::usage(kPlan.offsets_only(), {kBuffers, 3}).size == 180);

  arenite::Planner<4> planner;
  for (const Buffer& buffer : kBuffers) ASSERT_EQ(planner.add(buffer), Status::kOk);
  const PlanRef plan = planner.plan();
  const PlanUsage usage = arenite::usage(plan, {plan.buffers(), plan.count()});
  EXPECT_EQ(usage.size, 180u);
  EXPECT_EQ(usage.peak_step, 1u);
}

TEST(Usage, CountsWhatAGraphKeepsOutOfThePlan) {
  static_assert(kGraphUsage.constants == 640 && kGraphUsage.variables == 8 && kGraphUsage.kept == 16);
  static_assert(kGraphUsage.external == 400);
  static_assert(kGraphUsage.without_reuse == 96 + 80 + 48 + 30 && kGraphUsage.peak_step == 0);
  static_assert(kGraphUsage.size == 224 && kGraphUsage.lower_bound == 224 && kGraphUsage.saved == 30);
  EXPECT_PRINTED(
      "plan 224 without reuse 254 saved 30 lower bound 224 unused 0 per mille 0 peak step 0\n"
      "weights in flash 640 variables 8 kept 16 external 400\n",
      arenite::print_usage, kGraphUsage);
  static constexpr PlanUsage kApart = arenite::usage(arenite::plan<arenite::linear>(kBuffers), kBuffers);
  EXPECT_PRINTED("plan 240 without reuse 240 saved 0 lower bound 180 unused 60 per mille 333 peak step 1\n",
                 arenite::print_usage, kApart);
  // Each of them makes the line.
  static constexpr PlanUsage kConstants = arenite::usage(kPlan, kBuffers, {Status::kOk, 0, 0, 1, 0, 0, 0});
  static constexpr PlanUsage kVariables = arenite::usage(kPlan, kBuffers, {Status::kOk, 0, 0, 0, 2, 0, 0});
  static constexpr PlanUsage kKept = arenite::usage(kPlan, kBuffers, {Status::kOk, 0, 0, 0, 0, 3, 0});
  static constexpr PlanUsage kExternal = arenite::usage(kPlan, kBuffers, {Status::kOk, 0, 0, 0, 0, 0, 4});
  const auto second = [](const PlanUsage& usage) {
    return lines_of(printed([&](auto sink) { arenite::print_usage(sink, usage); })).at(1);
  };
  EXPECT_EQ(second(kConstants), "weights in flash 1 variables 0 kept 0 external 0");
  EXPECT_EQ(second(kVariables), "weights in flash 0 variables 2 kept 0 external 0");
  EXPECT_EQ(second(kKept), "weights in flash 0 variables 0 kept 3 external 0");
  EXPECT_EQ(second(kExternal), "weights in flash 0 variables 0 kept 0 external 4");
}

TEST(Usage, KnowsWhoIsScratch) {
  static_assert(kGraphUsage.scratch == 48, "a view of scratch counts once; scratch of another step is gone");
  static_assert(arenite::usage(kGraphPlan, kGraph.buffers(), kGraph).scratch == 0, "nobody said so");
  static_assert(arenite::usage(kPlan, kBuffers, {}, arenite::ScratchFrom{0}).scratch == 180);
  static_assert(arenite::usage(kPlan, kBuffers, {}, arenite::ScratchFrom{1}).scratch == 80);
  static_assert(arenite::usage(kPlan, kBuffers, {}, arenite::ScratchFrom{2}).scratch == 0, "not at the peak");
  static_assert(arenite::usage(kPlan, kBuffers, {}, [](std::size_t i) { return i == 0; }).scratch == 100);

  static constexpr auto kScratch = arenite::scratch_of(kOps, kGraph);
  static constexpr bool kExpected[kGraphTensors] = {false, false, false, true, false, false, false, false, true};
  Index roots[kGraphTensors];
  for (Index i = 0; i < kGraphTensors; ++i) roots[i] = kGraph.root(i);
  const auto from_roots = arenite::scratch_of(kOps, std::size(kOps), roots);
  for (std::size_t i = 0; i < kGraphTensors; ++i) {
    EXPECT_EQ(kScratch(i), kExpected[i]) << i;
    EXPECT_EQ(from_roots(i), kExpected[i]) << i;
  }

  // Scratch of a loop, and a scratch whose two views are all that operators name.
  static constexpr Tensor kLoopTensors[] = {{10},
                                            {20},
                                            {40},
                                            {50},
                                            {500},
                                            {80},
                                            {16, TensorKind::kActivation, 16, 5},
                                            {16, TensorKind::kActivation, 16, 5, 16}};
  static constexpr Op kLoopOps[] = {Op::loop({0}, {1}, {2}), Op::body({3}, {4}), {{3}, {4}, {6, 7}}, Op::end()};
  static constexpr auto kLoop = arenite::lifetimes(kLoopTensors, kLoopOps, {0}, {1});
  static constexpr PlanUsage kUsage =
      arenite::usage(arenite::plan(kLoop.buffers()), kLoop.buffers(), kLoop, arenite::scratch_of(kLoopOps, kLoop));
  static_assert(kUsage.peak_step == 2 && kUsage.live == 10 + 20 + 40 + 50 + 500 + 80);
  static_assert(kUsage.scratch == 40 + 80);
}

TEST(Usage, WhatIsNoPlanForTheBuffersSaysSo) {
  const auto refused = [](Status status, const arenite::PlanUsage& usage) {
    EXPECT_EQ(usage.status, status);
    EXPECT_EQ(usage.buffers + usage.size + usage.without_reuse + usage.saved + usage.unused, 0u);
    EXPECT_EQ(usage.live + usage.lower_bound, 0u);
    EXPECT_FALSE(usage.proven());
  };
  Buffer wrong[] = {{100, 0, 1}, {4, 5, 3}};
  refused(Status::kInvalidLifetime, arenite::usage(arenite::plan(wrong), wrong));
  refused(Status::kOutOfBounds, arenite::usage(kPlan, {kBuffers, 2}));
  const Buffer larger[] = {{100, 0, 1}, {80, 1, 2}, {200, 2, 3}};
  refused(Status::kOverlap, arenite::usage(kPlan, larger));

  const auto plan = arenite::plan(wrong);
  const std::string line = "no plan: lifetime ends before it begins\n";
  EXPECT_EQ(printed([&](auto sink) { arenite::print_plan(sink, plan, wrong); }), line);
  EXPECT_EQ(printed([&](auto sink) { arenite::print_map(sink, plan, wrong); }), line);
  EXPECT_EQ(printed([&](auto sink) { arenite::print_csv(sink, plan, wrong); }),
            "id,first,last,size,alignment,offset\n");
  EXPECT_EQ(
      printed([&](auto sink) { arenite::print_json(sink, plan, wrong); }),
      "{\"status\":\"lifetime ends before it begins\",\"size\":0,\"without_reuse\":0,\"saved\":0,\"lower_bound\":0,"
      "\"unused\":0,\"unused_per_mille\":0,\"peak_step\":0,\"alignment\":1,\"buffers\":[\n]}\n");
}

TEST(Usage, PerMilleIsRoundedDownAndNeverWraps) {
  using arenite::detail::per_mille;
  static_assert(per_mille(0, 0) == 0 && per_mille(5, 0) == 0);
  static_assert(per_mille(1, 3) == 333 && per_mille(2, 3) == 666 && per_mille(3, 3) == 1000 &&
                per_mille(10, 3) == 3333);
  static_assert(per_mille(arenite::kMaxSize, arenite::kMaxSize) == 1000);
  static_assert(per_mille(arenite::kMaxSize - 1, arenite::kMaxSize) == 999);
  static_assert(per_mille(arenite::kMaxSize, 1) == arenite::detail::kSizeMax);
  planning::Random random;
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t part = random.any_length(0x7FFFFFFF);
    const std::uint32_t whole = 1 + random.any_length(0x7FFFFFFE);
    const std::uint64_t exact = std::uint64_t{part} * 1000 / whole;
    if (exact <= 0xFFFFFFFFu) {
      ASSERT_EQ(per_mille(part, whole), exact) << part << " of " << whole;
    }
  }
}

TEST(Live, TellsWhoIsThere) {
  static_assert(arenite::live_at(kBuffers, 0) == 100);
  static_assert(arenite::live_at(kBuffers, 1) == 180);
  static_assert(arenite::live_at(kBuffers, 2) == 140);
  static_assert(arenite::live_at(kBuffers, 3) == 60);
  static_assert(arenite::live_at(kBuffers, 4) == 0);
  std::vector<std::size_t> live;
  arenite::for_each_live(kBuffers, 1, [&live](std::size_t index, const Buffer& buffer) {
    EXPECT_EQ(&buffer, &kBuffers[index]);
    live.push_back(buffer.size);
  });
  EXPECT_EQ(live, (std::vector<std::size_t>{100, 80}));
}

// Padding that no plan can do without is unused, and does not make a plan worse than the bound.
TEST(Usage, KnowsPaddingThatAllNeed) {
  static constexpr Buffer kPadded[] = {{3, 0, 0, 2}, {3, 0, 0, 2}};
  constexpr PlanUsage kUsage = arenite::usage(arenite::plan(kPadded), kPadded);
  static_assert(kUsage.size == 7 && kUsage.lower_bound == 7 && kUsage.live == 6 && kUsage.unused == 1);
  static_assert(kUsage.proven() && kUsage.unused_per_mille == 166);

  // A plan that does not know its bound, and one that claims less than what is alive.
  constexpr std::size_t kOffsets[] = {0, 4};
  static_assert(arenite::usage(PlanRef({7, 2}, kPadded, kOffsets, 2), kPadded).lower_bound == 7);
  static_assert(arenite::usage(arenite::Plan<2>({7, 2}, 1, {0, 4}, {3, 3}), kPadded).lower_bound == 6);
  static_assert(arenite::usage(PlanRef({6, 2}, kPadded, kOffsets, 2), kPadded).status == Status::kOverlap);
}

constexpr bool is(const arenite::StepUsage& steps, Step first, Step last, std::size_t buffers, std::size_t live,
                  std::size_t unused) {
  return steps.first == first && steps.last == last && steps.buffers == buffers && steps.live == live &&
         steps.unused == unused;
}

TEST(StepUsage, OfK1) {
  constexpr Step kLast = planning::kLastStep;
  static_assert(is(arenite::usage_at(kPlan, kBuffers, 0), 0, 0, 1, 100, 80));
  static_assert(is(arenite::usage_at(kPlan, kBuffers, 1), 1, 1, 2, 180, 0), "the peak");
  static_assert(is(arenite::usage_at(kPlan, kBuffers, 2), 2, 2, 2, 140, 40));
  static_assert(is(arenite::usage_at(kPlan, kBuffers, 3), 3, 3, 1, 60, 120));
  static_assert(is(arenite::usage_at(kPlan, kBuffers, 4), 4, kLast, 0, 0, 180));
  static_assert(is(arenite::usage_at(kPlan, kBuffers, kLast), 4, kLast, 0, 0, 180));

  // The peak as data: where, how much, and who.
  constexpr PlanUsage kUsage = arenite::usage(kPlan, kBuffers);
  static_assert(is(arenite::usage_at(kPlan, kBuffers, kUsage.peak_step), 1, 1, 2, kUsage.live, kUsage.unused));
  static_assert([] {
    std::size_t sizes[2] = {};
    std::size_t count = 0;
    arenite::for_each_live(kBuffers, kUsage.peak_step,
                           [&](std::size_t, const Buffer& buffer) { sizes[count++] = buffer.size; });
    return count == 2 && sizes[0] == 100 && sizes[1] == 80;
  }());
}

TEST(StepUsage, OfWhatIsNoPlanIsNothing) {
  constexpr Step kLast = planning::kLastStep;
  static_assert(is(arenite::usage_at(kPlan, {kBuffers, 2}, 1), 0, kLast, 0, 0, 0));
  static_assert(is(arenite::usage_at(PlanRef(), {nullptr, 0}, 7), 0, kLast, 0, 0, 0));
  int visits = 0;
  const auto visit = [&visits](const arenite::StepUsage&) { ++visits; };
  arenite::for_each_step_usage(kPlan, {kBuffers, 2}, visit);
  arenite::for_each_step_usage(PlanRef(), {nullptr, 0}, visit);
  EXPECT_EQ(visits, 0);
  // Larger than the plan: nobody checks but `usage`, and nothing wraps.
  static constexpr Buffer kLarger[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {200, 2, 3, 1}};
  static_assert(is(arenite::usage_at(kPlan, kLarger, 3), 3, 3, 1, 200, 0));
}

TEST(StepUsage, OfRandomPlansIsRightAtEachStep) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 300; ++round) {
    const planning::Shape shape = {0, 20, 0, random.between(1, 500), random.between(0, 40), 20, random.below(4)};
    const planning::Buffers buffers = planning::random_list(random, shape);
    SCOPED_TRACE(planning::describe(buffers.data(), buffers.size()));
    const planning::Planned<> plan(buffers);
    const arenite::BufferList list(buffers.data(), buffers.size());
    const auto who = [&](std::size_t step) {
      std::vector<std::size_t> alive;
      arenite::for_each_live(list, static_cast<Step>(step), [&](std::size_t index, const Buffer& buffer) {
        if (buffer.size != 0) alive.push_back(index);
      });
      return alive;
    };

    std::size_t next = 0;
    std::vector<std::size_t> before(1, buffers.size());
    arenite::for_each_step_usage(*plan, list, [&](const arenite::StepUsage& steps) {
      ASSERT_EQ(steps.first, next);
      ASSERT_LE(steps.first, steps.last);
      EXPECT_NE(who(steps.first), before) << "or it would be one with those before";
      before = who(steps.first);
      for (std::size_t step = steps.first; step <= steps.last; ++step) {
        EXPECT_EQ(who(step), before);
        EXPECT_EQ(steps.live, arenite::live_at(list, static_cast<Step>(step)));
        EXPECT_TRUE(is(arenite::usage_at(*plan, list, static_cast<Step>(step)), steps.first, steps.last, before.size(),
                       steps.live, plan->size() - steps.live));
      }
      next = std::size_t{steps.last} + 1;
    });
    for (std::size_t step = next; step < 100; ++step) EXPECT_TRUE(who(step).empty());
    EXPECT_TRUE(next == 0 || !who(next - 1).empty());
  }
}

// A row for where somebody is born or gone, not for each step there is.
TEST(StepUsage, DoesNotCountSteps) {
  constexpr Step kLast = planning::kLastStep;
  static constexpr Buffer kFar[] = {{10, 5, kLast, 1}, {0, 7, 9, 1}, {20, kLast - 3, kLast - 1, 1}};
  static constexpr auto kFarPlan = arenite::plan(kFar);
  static_assert([] {
    constexpr std::size_t kRows = 4;
    arenite::StepUsage rows[kRows] = {};
    std::size_t count = 0;
    arenite::for_each_step_usage(kFarPlan, kFar, [&](const arenite::StepUsage& steps) { rows[count++] = steps; });
    return count == kRows && is(rows[0], 0, 4, 0, 0, 30) && is(rows[1], 5, kLast - 4, 1, 10, 20) &&
           is(rows[2], kLast - 3, kLast - 1, 2, 30, 0) && is(rows[3], kLast, kLast, 1, 10, 20);
  }());
}

TEST(Usage, OfRandomPlansAddsUpToTheByte) {
  planning::Random random;
  for (int round = 0; round < 300; ++round) {
    const planning::Shape shape = {0, 40, 0, random.between(1, 5000), random.between(0, 60), 20, random.below(8)};
    const planning::Buffers buffers = planning::random_list(random, shape);
    SCOPED_TRACE(planning::describe(buffers.data(), buffers.size()));
    const planning::Planned<> plan(buffers);
    const arenite::BufferList list(buffers.data(), buffers.size());
    const PlanUsage usage = arenite::usage(*plan, list);
    ASSERT_EQ(usage.status, Status::kOk);
    ASSERT_EQ(usage.buffers, buffers.size());
    ASSERT_EQ(usage.size, plan->size());
    ASSERT_EQ(usage.lower_bound, planning::lower_bound_of(*plan));
    ASSERT_EQ(usage.size, usage.live + usage.unused);
    ASSERT_LE(usage.live, usage.lower_bound);
    ASSERT_EQ(usage.proven(), usage.size == usage.lower_bound);
    std::size_t sum = 0;
    for (const Buffer& buffer : buffers) sum += buffer.size;
    ASSERT_EQ(usage.without_reuse, sum);
    ASSERT_EQ(usage.saved, sum > usage.size ? sum - usage.size : 0u);

    // At no step are more alive, and at no earlier one as many.
    std::size_t visited = 0;
    arenite::for_each_live(list, usage.peak_step, [&](std::size_t, const Buffer& buffer) { visited += buffer.size; });
    ASSERT_EQ(visited, usage.live);
    for (Step step = 0; step < 100; ++step) {
      const std::size_t live = arenite::live_at(list, step);
      ASSERT_TRUE(step < usage.peak_step ? live < usage.live : live <= usage.live);
    }

    // Bytes that nobody has at the peak, one by one.
    std::vector<bool> taken(usage.size);
    arenite::for_each_live(list, usage.peak_step, [&](std::size_t index, const Buffer& buffer) {
      for (std::size_t k = 0; k < buffer.size; ++k) taken[plan->offset(index) + k] = true;
    });
    std::size_t free = 0;
    for (const bool byte : taken) free += byte ? 0 : 1;
    ASSERT_EQ(free, usage.unused);
  }
}

TEST(Usage, OfAnArenaIsWhatTheArenaSays) {
  Arena<3000> arena;
  ASSERT_NE(arena.allocate(1000, 8), nullptr);
  ASSERT_NE(arena.head().allocate(8, 4), nullptr);
  ASSERT_TRUE(arena.overlay(kPlan));
  arena.in_temp([](auto& temp) { EXPECT_NE(temp.allocate(500, 4), nullptr); });
  ASSERT_EQ(arena.allocate(5000, 4), nullptr);
  const arenite::MemoryUsage memory = arenite::usage(arena, arenite::usage(kPlan, kBuffers));
  EXPECT_EQ(memory.plan.size, memory.arena.overlay.used);
  const arenite::ArenaUsage& usage = memory.arena;
  EXPECT_EQ(usage.capacity, 3000u);
  EXPECT_EQ(usage.all.used, arena.used());
  EXPECT_EQ(usage.all.peak, arena.peak());
  EXPECT_EQ(usage.all.required, arena.required());
  EXPECT_EQ(usage.all.used, usage.head.used + usage.overlay.used + usage.temp.used + usage.tail.used);
  EXPECT_EQ(usage.persistent(), 1008u);
  EXPECT_EQ(usage.overlay.used, 180u);
  EXPECT_EQ(usage.temp.used, 0u);
  EXPECT_EQ(usage.temp.peak, 500u);
  EXPECT_EQ(usage.tail.required, arena.required(Region::kTail));
  EXPECT_EQ(usage.failures, 1u);
}

// --- who has the bytes -----------------------------------------------------------------------------------------------

// A recorder that works in the compiler: 1 of 2 bytes of kind 0, 2 of 4 of kind 1, and so on, up to a kind of the
// user's; beyond that table it answers as for kind 0, as a `Recorder` does.
struct Literal {
  struct Count {
    std::size_t requested;
    std::size_t taken;
  };
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Mine::kLog) + 1;
  static constexpr std::size_t kTaken = kKinds * (kKinds + 1);
  [[nodiscard]] constexpr Count of(Region region, Kind kind) const {
    const std::size_t i = static_cast<std::size_t>(kind) < kKinds ? static_cast<std::size_t>(kind) : 0;
    return region == Region::kTail ? Count{i + 1, 2 * (i + 1)} : Count{0, 0};
  }
};

constexpr arenite::ArenaUsage of_arena(std::size_t head, std::size_t overlay, std::size_t tail) {
  arenite::ArenaUsage usage;
  usage.head.used = head;
  usage.overlay.used = overlay;
  usage.tail.used = tail;
  return usage;
}
constexpr bool equal(const MemorySplit& a, const MemorySplit& b) {
  return a.tensors == b.tensors && a.weights == b.weights && a.scratch == b.scratch &&
         a.operator_data == b.operator_data && a.metadata == b.metadata && a.other == b.other && a.padding == b.padding;
}

TEST(Memory, IsSplitByTheCompiler) {
  constexpr Literal kRecorder;
  constexpr auto kOf = [](const arenite::ArenaUsage& arena, const PlanUsage& plan = {}) {
    return arenite::usage(arena, plan, Literal());
  };
  static_assert(equal(kOf(of_arena(0, 0, Literal::kTaken)).persistent, {5, 6, 4, 3, 2, 1 + 7 + 8, 36}));
  static_assert(kOf(of_arena(0, 0, Literal::kTaken)).persistent.total() == Literal::kTaken);
  // A recorder of another arena: what it does not know is nobody's, and what it knows too much is not there.
  static_assert(kOf(of_arena(500, 0, Literal::kTaken)).persistent.other == 16 + 500);
  static_assert(equal(kOf(of_arena(0, 0, 9)).persistent, {0, 0, 0, 3, 2, 1, 3}));
  static_assert(equal(kOf(of_arena(0, 0, 8)).persistent, {0, 0, 0, 2, 2, 1, 3}));
  for (std::size_t used = 0; used < 2000; ++used) {
    ASSERT_EQ(arenite::usage(of_arena(1, 2, used), {}, kRecorder).persistent.total(), used + 1);
  }
  static_assert(equal(arenite::usage(of_arena(20, 30, 40), {}).persistent, {0, 0, 0, 0, 0, 60, 0}));

  // The overlay: the plan, what is more than it, and none.
  static_assert(equal(kOf(of_arena(0, 224, 0), kGraphUsage).planned, {176, 0, 48, 0, 0, 0, 0}));
  static_assert(equal(kOf(of_arena(0, 230, 0), kGraphUsage).planned, {176, 0, 48, 0, 0, 0, 6}));
  static_assert(equal(kOf(of_arena(0, 223, 0), kGraphUsage).planned, {0, 0, 0, 0, 0, 223, 0}));
  static_assert(equal(kOf(of_arena(0, 223, 0)).planned, {0, 0, 0, 0, 0, 223, 0}));
  static_assert(equal(kOf(of_arena(9, 0, 0), kGraphUsage).planned, {}));
  constexpr PlanUsage kApart = arenite::usage(arenite::plan<arenite::linear>(kBuffers), kBuffers);
  static_assert(equal(kOf(of_arena(0, 240, 0), kApart).planned, {180, 0, 0, 0, 0, 0, 60}), "a gap in the plan");
  static_assert(equal(kOf(of_arena(0, 239, 0), kApart).planned, {0, 0, 0, 0, 0, 239, 0}), "it is not there");
  static_assert(kOf(of_arena(1, 2, 3), kApart).plan.size == 240 && kOf(of_arena(1, 2, 3), kApart).arena.head.used == 1);
}

// The example of the header and of the guide.
template <class A>
void set_up(A& arena) {
  ASSERT_NE(arena.head().as(Kind::kMetadata).allocate(24, 8), nullptr);
  ASSERT_NE(arena.head().as(Kind::kWeights).allocate(99, 1), nullptr);
  ASSERT_NE(arena.as(Kind::kVariable).allocate(64, 8), nullptr);
  ASSERT_NE(arena.as(Kind::kOperatorData).allocate(37, 4), nullptr);
  ASSERT_NE(arena.as(Mine::kLog).allocate(10, 4), nullptr);
  ASSERT_NE(arena.as(Kind::kScratch).allocate(8, 4), nullptr);
  ASSERT_TRUE(arena.overlay(kGraphPlan));
  arena.in_temp([](auto& temp) { EXPECT_NE(temp.allocate(500, 4), nullptr); });
}

TEST(Memory, AsText) {
  Arena<3000, 16, Mines> arena;
  set_up(arena);
  const MemoryUsage usage = arenite::usage(arena, kGraphUsage, arena.observer());
  expect_split(usage.persistent, {64, 99, 8, 37, 24, 10, 5});
  expect_split(usage.planned, {176, 0, 48, 0, 0, 0, 5});
  EXPECT_EQ(printed([&](auto sink) { arenite::print_usage(sink, usage); }),
            "arena 3000 used 476 peak 976 required 976\n"
            "  head    used      123 peak      123 required      123\n"
            "  overlay used      229 peak      229 required      229\n"
            "  temp    used        0 peak      500 required      500\n"
            "  tail    used      124 peak      124 required      124\n"
            "bytes           persistent    planned\n"
            "  tensors               64        176\n"
            "  weights               99          0\n"
            "  scratch                8         48\n"
            "  operator data         37          0\n"
            "  metadata              24          0\n"
            "  other                 10          0\n"
            "  padding                5          5\n"
            "  all                  247        229\n"
            "plan 224 without reuse 254 saved 30 lower bound 224 unused 0 per mille 0 peak step 0\n"
            "weights in flash 640 variables 8 kept 16 external 400\n");
  EXPECT_EQ(printed([&](auto sink) { arenite::print_json(sink, usage); }),
            "{\"arena\":{\"capacity\":3000,\"used\":476,\"peak\":976,\"required\":976,\"failures\":0,\"regions\":{"
            "\"head\":{\"used\":123,\"peak\":123,\"required\":123},"
            "\"overlay\":{\"used\":229,\"peak\":229,\"required\":229},"
            "\"temp\":{\"used\":0,\"peak\":500,\"required\":500},"
            "\"tail\":{\"used\":124,\"peak\":124,\"required\":124}}},"
            "\"persistent\":{\"tensors\":64,\"weights\":99,\"scratch\":8,\"operator_data\":37,\"metadata\":24,"
            "\"other\":10,\"padding\":5},"
            "\"planned\":{\"tensors\":176,\"weights\":0,\"scratch\":48,\"operator_data\":0,\"metadata\":0,"
            "\"other\":0,\"padding\":5},"
            "\"plan\":{\"status\":\"ok\",\"size\":224,\"without_reuse\":254,\"saved\":30,\"lower_bound\":224,"
            "\"unused\":0,\"unused_per_mille\":0,\"peak_step\":0,\"constants\":640,\"variables\":8,\"kept\":16,"
            "\"external\":400}}\n");
}

// The texts of numbers that are nowhere zero and nowhere the same.
TEST(Memory, AsTextInTheCompiler) {
  static constexpr MemoryUsage kUsage = [] {
    MemoryUsage usage;
    usage.arena.capacity = 9;
    usage.persistent = {1, 2, 3, 4, 5, 6, 7};
    usage.planned = {10, 20, 30, 40, 50, 60, 1234567890};
    usage.plan.status = Status::kStale;
    return usage;
  }();
  EXPECT_PRINTED(
      "arena 9 used 0 peak 0 required 0\n"
      "  head    used        0 peak        0 required        0\n"
      "  overlay used        0 peak        0 required        0\n"
      "  temp    used        0 peak        0 required        0\n"
      "  tail    used        0 peak        0 required        0\n"
      "bytes           persistent    planned\n"
      "  tensors                1         10\n"
      "  weights                2         20\n"
      "  scratch                3         30\n"
      "  operator data          4         40\n"
      "  metadata               5         50\n"
      "  other                  6         60\n"
      "  padding                7 1234567890\n"
      "  all                   28 1234568100\n"
      "no plan: released, or not begun or prepared\n",
      arenite::print_usage, kUsage);
  static constexpr MemoryUsage kJson = arenite::usage(of_arena(1, 224, Literal::kTaken), kGraphUsage, Literal());
  EXPECT_PRINTED(
      "{\"arena\":{\"capacity\":0,\"used\":0,\"peak\":0,\"required\":0,\"failures\":0,\"regions\":{"
      "\"head\":{\"used\":1,\"peak\":0,\"required\":0},\"overlay\":{\"used\":224,\"peak\":0,\"required\":0},"
      "\"temp\":{\"used\":0,\"peak\":0,\"required\":0},\"tail\":{\"used\":72,\"peak\":0,\"required\":0}}},"
      "\"persistent\":{\"tensors\":5,\"weights\":6,\"scratch\":4,\"operator_data\":3,\"metadata\":2,\"other\":17,"
      "\"padding\":36},"
      "\"planned\":{\"tensors\":176,\"weights\":0,\"scratch\":48,\"operator_data\":0,\"metadata\":0,\"other\":0,"
      "\"padding\":0},"
      "\"plan\":{\"status\":\"ok\",\"size\":224,\"without_reuse\":254,\"saved\":30,\"lower_bound\":224,"
      "\"unused\":0,\"unused_per_mille\":0,\"peak_step\":0,\"constants\":640,\"variables\":8,\"kept\":16,\"external\":"
      "400}}\n",
      arenite::print_json, kJson);
}

// The same set-up where nobody watches: all that is persistent is of no kind.
TEST(Memory, WithoutARecorder) {
  Arena<3000> arena;
  set_up(arena);
  const MemoryUsage usage = arenite::usage(arena, kGraphUsage);
  expect_split(usage.persistent, {0, 0, 0, 0, 0, 247, 0});
  expect_split(usage.planned, {176, 0, 48, 0, 0, 0, 5});
  expect_split(arenite::usage(arena, kGraphUsage, arena.observer()).persistent, usage.persistent);
  expect_split(arenite::usage(ArenaRef(arena), kGraphUsage).persistent, usage.persistent);
  ASSERT_EQ(arena.release_overlay(), Status::kOk);
  expect_split(arenite::usage(arena, kGraphUsage).planned, {});
  ASSERT_NE(arena.overlay(100, 1), nullptr);  // somebody else's
  expect_split(arenite::usage(arena, kGraphUsage).planned, {0, 0, 0, 0, 0, 100, 0});
}

template <std::size_t kFenceBytes>
struct Fence : arenite::Observer {
  static constexpr std::size_t kFence = kFenceBytes;
};

// A random graph, and what is scratch in it as it was made.
struct RandomGraph {
  struct Life {
    std::size_t tensor;
    std::size_t first;
    std::size_t last;
  };
  std::vector<Tensor> tensors;
  std::vector<Op> ops;
  std::vector<Life> scratch;
  std::vector<Buffer> buffers;
  std::vector<Index> roots;
  std::vector<std::size_t> offsets;
  arenite::GraphSummary summary;

  explicit RandomGraph(planning::Random& random) {
    struct Call {
      std::size_t from;  // its scratch, among all
      std::size_t to;
    };
    std::vector<Call> calls;
    std::vector<int> written = {add(random)};
    while (tensors.size() < 40 || !calls.empty()) {
      const std::uint32_t what = random.below(5);
      const std::size_t step = ops.size();
      if (!calls.empty() && (what == 0 || tensors.size() >= 40)) {
        for (std::size_t i = calls.back().from; i < calls.back().to; ++i) scratch[i].last = step;
        calls.pop_back();
        ops.push_back(Op::end());
        continue;
      }
      const int in = written[random.below(static_cast<std::uint32_t>(written.size()))];
      int named[3] = {-1, -1, -1};
      const std::size_t from = scratch.size();
      for (std::uint32_t n = random.below(3); n > 0; --n) {
        const int root = add(random);
        scratch.push_back({static_cast<std::size_t>(root), step, step});
        named[n] = root;
        if (random.below(3) != 0) continue;
        named[random.below(2) == 0 ? n : 0] = static_cast<int>(tensors.size());  // instead of it, or beside it
        tensors.push_back(
            {tensors[scratch.back().tensor].size / 2, TensorKind::kActivation, 1, static_cast<Index>(root)});
      }
      const int out = add(random);
      written.push_back(out);
      const arenite::TensorList list = {named[0], named[1], named[2]};
      if (what != 1 || calls.size() == 3) {
        ops.push_back({{in}, {out}, list});
        continue;
      }
      calls.push_back({from, scratch.size()});
      ops.push_back(random.below(2) == 0 ? Op::call({in}, {out}, list) : Op::loop({in}, {out}, list));
      ops.push_back(Op::body({}, {}));
    }
    buffers.resize(tensors.size());
    roots.resize(tensors.size());
    offsets.resize(tensors.size());
    summary = arenite::lifetimes(tensors.data(), tensors.size(), ops.data(), ops.size(), {written.front()},
                                 {written.back()}, buffers.data(), roots.data(), offsets.data());
  }

 private:
  int add(planning::Random& random) {
    tensors.push_back({random.between(1, 60), TensorKind::kActivation, std::size_t{1} << random.below(5)});
    return static_cast<int>(tensors.size() - 1);
  }
};

// Random requests of random kinds and plans of random graphs in an arena, which are counted here once more.
template <class O>
class Watched {
 public:
  explicit Watched(planning::Random& random)
      : random_(random), graph_(random), plan_(graph_.buffers), list_(graph_.buffers.data(), graph_.buffers.size()) {
    usage_ = arenite::usage(*plan_, list_, graph_.summary,
                            arenite::scratch_of(graph_.ops.data(), graph_.ops.size(), graph_.roots.data()));
  }

  void run() {
    ASSERT_EQ(graph_.summary.status, Status::kOk);
    ASSERT_EQ(usage_.status, Status::kOk);
    for (std::uint32_t i = random_.below(6); i > 0; --i) take(arena_.head());
    check();
    const std::byte* const above = arena_.data() + arena_.used(Region::kHead);
    if (random_.below(4) == 0) {
      ASSERT_NE(arena_.overlay(random_.between(1, 2000), std::size_t{1} << random_.below(8)), nullptr);
      check();
    }
    const auto overlay = arena_.overlay(*plan_);
    ASSERT_TRUE(overlay);
    placed_ = static_cast<std::size_t>(overlay.base() - above);
    for (std::uint32_t i = random_.below(6); i > 0; --i) take(arena_.tail());
    check();
    const std::array<std::size_t, kKinds> before = requested_;
    const auto marker = arena_.mark();
    for (std::uint32_t i = random_.below(6); i > 0; --i) take(arena_.tail());
    check();
    arena_.in_temp([this](auto& temp) {
      (void)temp.allocate(random_.below(40), 1);
      check();
    });
    if (random_.below(2) == 0) {
      ASSERT_EQ(arena_.release(marker), Status::kOk);
      requested_ = before;
      check();
    }
    ASSERT_EQ(arena_.release_overlay(), Status::kOk);
    placed_ = kNowhere;
    check();
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Mine::kLog) + 1;

  template <class End>
  void take(End end) {
    const std::size_t kind = random_.below(kKinds + 1);  // and one that is beyond the table
    const std::size_t size = random_.below(5) == 0 ? 0 : random_.below(2) == 0 ? random_.below(30) : random_.below(800);
    if (end.as(static_cast<Kind>(kind)).allocate(size, std::size_t{1} << random_.below(7)) == nullptr) return;
    requested_[kind == kKinds ? 0 : kind] += size;
  }

  [[nodiscard]] std::size_t of(Kind kind) const { return requested_[static_cast<std::size_t>(kind)]; }

  void check() {
    const MemoryUsage usage = arenite::usage(arena_, usage_, static_cast<const Mines&>(arena_.observer()));
    MemorySplit persistent = {
        of(Kind::kVariable),
        of(Kind::kWeights),
        of(Kind::kScratch),
        of(Kind::kOperatorData),
        of(Kind::kMetadata),
        of(Kind::kOther) + of(static_cast<Kind>(Mine::kFilter)) + of(static_cast<Kind>(Mine::kLog)),
        0};
    persistent.padding = arena_.used(Region::kHead) + arena_.used(Region::kTail) - persistent.total();
    expect_split(usage.persistent, persistent);
    ASSERT_EQ(usage.persistent.total(), usage.arena.persistent());
    ASSERT_EQ(usage.planned.total(), arena_.used(Region::kOverlay));
    if (placed_ == kNowhere) return;

    MemorySplit planned;
    for (const RandomGraph::Life& life : graph_.scratch) {
      if (life.first <= usage_.peak_step && usage_.peak_step <= life.last)
        planned.scratch += graph_.tensors[life.tensor].size;
    }
    // Byte by byte, from the end of the head.
    std::vector<bool> taken(arena_.used(Region::kOverlay));
    arenite::for_each_live(list_, usage_.peak_step, [&](std::size_t index, const Buffer& buffer) {
      planned.tensors += buffer.size;
      for (std::size_t k = 0; k < buffer.size; ++k) taken.at(placed_ + plan_->offset(index) + k) = true;
    });
    planned.tensors -= planned.scratch;
    for (const bool byte : taken) planned.padding += byte ? 0 : 1;
    expect_split(usage.planned, planned);
  }

  planning::Random& random_;
  RandomGraph graph_;
  planning::Planned<> plan_;
  arenite::BufferList list_;
  PlanUsage usage_;
  Arena<12000, 64, O> arena_;      // room for the plans whatever the head takes, not always for the tail
  std::size_t placed_ = kNowhere;  // bytes from the end of the head to the plan
  std::array<std::size_t, kKinds> requested_ = {};
};

TEST(Memory, OfRandomArenasAddsUpToTheByte) {
  planning::Random random;
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    std::make_unique<Watched<Mines>>(random)->run();
    std::make_unique<Watched<arenite::Observers<Fence<2>, Mines, Fence<16>>>>(random)->run();
  }
}

TEST(Memory, OfASession) {
  Arena<1000, 16, arenite::Recorder<>> arena;
  arenite::Session<arenite::greedy, arenite::Recorder<>> session;
  const auto of = [&] {
    const PlanRef plan = session.plan();
    const PlanUsage usage =
        arenite::usage(plan, {plan.buffers(), plan.count()}, {}, arenite::ScratchFrom{std::size(kBuffers)});
    return arenite::usage(arena, usage, arena.observer());
  };
  ASSERT_EQ(session.begin(arena, 8), Status::kOk);
  EXPECT_EQ(of().plan.status, Status::kStale);
  (void)session.scratch(30, 1, 1);
  (void)session.scratch(200, 3, 1);
  (void)session.scratch(20, 3, 1);
  ASSERT_EQ(session.commit(kBuffers), Status::kOk);
  const MemoryUsage usage = of();
  EXPECT_EQ(usage.plan.buffers, 8u);
  EXPECT_EQ(usage.plan.peak_step, 3u);
  expect_split(usage.planned, {60, 0, 220, 0, 0, 0, arena.used(Region::kOverlay) - 280});
  expect_split(usage.persistent, {0, 0, 0, 0, 8 * (sizeof(Buffer) + sizeof(std::size_t)), 0, usage.persistent.padding});
  EXPECT_EQ(usage.persistent.total(), arena.used(Region::kTail));
  // Six of eight have bytes, and so a row; but other programs count.
  const PlanRef plan = session.plan();
  const auto lines = [&](auto print) { return lines_of(printed(print)).size(); };
  EXPECT_EQ(lines([&](auto sink) { arenite::print_plan(sink, plan, {plan.buffers(), plan.count()}); }), 2u + 6);
  EXPECT_EQ(lines([&](auto sink) { arenite::print_csv(sink, plan, {plan.buffers(), plan.count()}); }), 1u + 8);
}

// --- text ------------------------------------------------------------------------------------------------------------

TEST(Writer, WritesTextNumbersAndPadding) {
  constexpr auto kWrite = [](auto& sink) {
    arenite::Writer out(sink);
    out.put('a').text("bc").text(nullptr).number(0).fill('-', 3).number(42, 5).number(123456, 3);
  };
  static_assert([=] {
    Text text;
    kWrite(text);
    return text.is("abc0---   42123456");
  }());
  std::string most;
  auto sink = [&most](char c) { most += c; };
  arenite::Writer(sink).number(arenite::detail::kSizeMax);
  EXPECT_EQ(most, std::to_string(arenite::detail::kSizeMax));
}

std::string through_a_function;
void append(char c) { through_a_function += c; }

TEST(Writer, TakesAnySink) {
  through_a_function.clear();
  arenite::Writer(append).text("f");
  arenite::print_csv(append, kPlan, kBuffers);
  void (*pointer)(char) = append;
  arenite::print_usage(pointer, arenite::usage(kPlan, kBuffers));
  EXPECT_EQ(lines_of(through_a_function).size(), 5u);

  Text text;  // one with a state is not copied
  arenite::print_usage(text, arenite::usage(kPlan, kBuffers));
  EXPECT_EQ(text.count, 85u);
}

TEST(PrintUsage, OfAnArena) {
  Arena<3000> arena;
  ASSERT_NE(arena.allocate(1000, 8), nullptr);
  ASSERT_NE(arena.head().allocate(68, 4), nullptr);
  ASSERT_TRUE(arena.overlay(kPlan));
  const std::string text =
      "arena 3000 used 1248 peak 1248 required 1248\n"
      "  head    used       68 peak       68 required       68\n"
      "  overlay used      180 peak      180 required      180\n"
      "  temp    used        0 peak        0 required        0\n"
      "  tail    used     1000 peak     1000 required     1000\n";
  EXPECT_EQ(printed([&](auto sink) { arenite::print_usage(sink, arena); }), text);
  EXPECT_EQ(printed([&](auto sink) { arenite::print_usage(sink, ArenaRef(arena)); }), text);
  EXPECT_EQ(printed([&](auto sink) { arenite::print_usage(sink, arenite::usage(arena)); }), text);
  EXPECT_EQ(printed([&](auto sink) { arenite::print_json(sink, arenite::usage(arena)); }),
            "{\"capacity\":3000,\"used\":1248,\"peak\":1248,\"required\":1248,\"failures\":0,\"regions\":{"
            "\"head\":{\"used\":68,\"peak\":68,\"required\":68},"
            "\"overlay\":{\"used\":180,\"peak\":180,\"required\":180},"
            "\"temp\":{\"used\":0,\"peak\":0,\"required\":0},"
            "\"tail\":{\"used\":1000,\"peak\":1000,\"required\":1000}}}\n");
}

TEST(PrintUsage, NamesFailures) {
  Arena<16> arena;
  ASSERT_EQ(arena.allocate(40, 4), nullptr);
  ASSERT_EQ(arena.allocate(24, 4), nullptr);
  EXPECT_EQ(printed([&](auto sink) { arenite::print_usage(sink, arena); }),
            "arena 16 used 0 peak 0 required 64\n"
            "  head    used        0 peak        0 required        0\n"
            "  overlay used        0 peak        0 required        0\n"
            "  temp    used        0 peak        0 required        0\n"
            "  tail    used        0 peak        0 required       64\n"
            "failures 2\n");
}

// F4: what was asked for as 1 and 4 bytes takes 8, as is said with `peak` and `required`.
TEST(PrintUsage, CountsPadding) {
  Arena<16> arena;
  ASSERT_NE(arena.allocate(1, 1), nullptr);
  ASSERT_NE(arena.allocate(4, 4), nullptr);
  const std::string text = printed([&](auto sink) { arenite::print_usage(sink, arena); });
  EXPECT_EQ(lines_of(text).front(), "arena 16 used 8 peak 8 required 8");
}

TEST(PrintPlan, HasARowForEachBufferAndMarksThePeak) {
  EXPECT_PRINTED(
      "plan 180 without reuse 240 saved 60 lower bound 180 unused 0 per mille 0 peak step 1\n"
      "    id       size  first   last     offset\n"
      "*    0        100      0      1          0\n"
      "*    1         80      1      2        100\n"
      "     2         60      2      3          0\n",
      arenite::print_plan, kPlan, kBuffers);
  EXPECT_PRINTED(
      "plan 180 without reuse 240 saved 60 lower bound 180 unused 0 per mille 0 peak step 1\n"
      "    id       size  first   last     offset name\n"
      "*    0        100      0      1          0 image\n"
      "*    1         80      1      2        100 feature map\n"
      "     2         60      2      3          0 scores\n",
      arenite::print_plan, kPlan, kBuffers, kNames);
}

TEST(PrintPlan, KeepsLongNumbersApart) {
  static constexpr Buffer kWide[] = {{2000000000, 65534, 65535, 4096}};
  EXPECT_PRINTED(
      "plan 2000000000 without reuse 2000000000 saved 0 lower bound 2000000000 unused 0 per mille 0 peak step 65534\n"
      "    id       size  first   last     offset\n"
      "*    0 2000000000  65534  65535          0\n",
      arenite::print_plan, arenite::plan(kWide), kWide);
}

// Nobody uses the address of a buffer without bytes: a plan can hold any number for it.
TEST(PrintPlan, HasNoRowForABufferWithoutBytes) {
  static constexpr Buffer kHollow[] = {{0, 0, 1, 1}, {80, 1, 2, 1}, {0, 2, 3, 1}};
  static constexpr arenite::Plan<3> kRubbish(arenite::PlanSummary(80, 1), 80, {777, 0, 888}, {0, 80, 0});
  EXPECT_PRINTED(
      "plan 80 without reuse 80 saved 0 lower bound 80 unused 0 per mille 0 peak step 1\n"
      "    id       size  first   last     offset name\n"
      "*    1         80      1      2          0 feature map\n",
      arenite::print_plan, kRubbish, kHollow, kNames);
  EXPECT_PRINTED(
      "id,first,last,size,alignment,offset\n"
      "0,0,1,0,1,0\n"
      "1,1,2,80,1,0\n"
      "2,2,3,0,1,0\n",
      arenite::print_csv, kRubbish, kHollow);
  EXPECT_PRINTED(
      "{\"status\":\"ok\",\"size\":80,\"without_reuse\":80,\"saved\":0,\"lower_bound\":80,\"unused\":0,"
      "\"unused_per_mille\":0,\"peak_step\":1,\"alignment\":1,\"buffers\":[\n"
      "{\"id\":0,\"first\":0,\"last\":1,\"size\":0,\"alignment\":1,\"offset\":0},\n"
      "{\"id\":1,\"first\":1,\"last\":2,\"size\":80,\"alignment\":1,\"offset\":0},\n"
      "{\"id\":2,\"first\":2,\"last\":3,\"size\":0,\"alignment\":1,\"offset\":0}\n"
      "]}\n",
      arenite::print_json, kRubbish, kHollow);
}

// --- the map ---------------------------------------------------------------------------------------------------------

TEST(PrintMap, IsAPictureOfK1) {
  EXPECT_PRINTED(
      " step 0                                                          180\n"
      "    0 |0000000000000000000000000000000000..........................|\n"
      "    1 |000000000000000000000000000000000111111111111111111111111111|\n"
      "    2 |22222222222222222222.............111111111111111111111111111|\n"
      "    3 |22222222222222222222........................................|\n"
      "a column is 3 bytes, a dot is free\n",
      arenite::print_map, kPlan, kBuffers);
  EXPECT_PRINTED(
      " step 0      180\n"
      "    0 |00000...|\n"
      "    1 |00001111|\n"
      "    2 |222.1111|\n"
      "    3 |222.....|\n"
      "a column is 23 bytes, a dot is free\n",
      arenite::print_map, kPlan, kBuffers, 8);
}

TEST(PrintMap, MergesEqualRowsAndLeavesHoles) {
  static constexpr Buffer kFew[] = {{2, 3, 999, 1}, {2, 5, 6, 1}, {0, 9, 2000, 1}};
  EXPECT_PRINTED(
      "     step 0    4\n"
      "      0-2 |....|\n"
      "      3-4 |..00|\n"
      "      5-6 |1100|\n"
      "    7-999 |..00|\n"
      "1000-2000 |....|\n"
      "a column is 1 byte, a dot is free\n",
      arenite::print_map, arenite::plan(kFew), kFew);
  // One that hides behind a later one makes no row of its own; two whose letters are the same do.
  static constexpr Buffer kHidden[] = {{1, 0, 0, 1}, {1, 1, 1, 1}, {99, 0, 1, 1}};
  EXPECT_PRINTED(
      " step 0 100\n"
      "  0-1 |2|\n"
      "a column is 100 bytes, a dot is free\n",
      arenite::print_map, arenite::plan(kHidden), kHidden, 1);
}

TEST(PrintMap, OfNothing) {
  static constexpr Buffer kEmpty[] = {{0, 0, 3}, {0, 2, 5}};
  EXPECT_PRINTED(
      " step 0 0\n"
      "  0-5 ||\n"
      "a column is 1 byte, a dot is free\n",
      arenite::print_map, arenite::plan(kEmpty), kEmpty);
  const std::vector<Buffer> none;
  const planning::Planned<> plan(none);
  EXPECT_EQ(printed([&](auto sink) {
              arenite::print_map(sink, *plan, {none.data(), 0});
            }),
            " step 0 0\na column is 1 byte, a dot is free\n");
  EXPECT_EQ(printed([&](auto sink) {
              arenite::print_json(sink, *plan, {none.data(), 0});
            }),
            "{\"status\":\"ok\",\"size\":0,\"without_reuse\":0,\"saved\":0,\"lower_bound\":0,\"unused\":0,"
            "\"unused_per_mille\":0,\"peak_step\":0,\"alignment\":1,\"buffers\":[\n]}\n");
}

TEST(PrintMap, HasMoreBuffersThanLetters) {
  std::vector<Buffer> buffers(64, Buffer{1, 0, 0, 1});
  const planning::Planned<arenite::linear> plan(buffers);
  EXPECT_EQ(lines_of(printed([&](auto sink) {
              arenite::print_map(sink, *plan, {buffers.data(), 64});
            })).at(1),
            "    0 |0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01|");
}

TEST(PrintMap, ShowsTheLastStepThereCanBe) {
  constexpr Step kLast = static_cast<Step>(-1);
  const Buffer buffers[] = {{64, 0, kLast, 1}, {64, kLast, kLast, 1}};
  const auto plan = arenite::plan(buffers);
  const auto lines = lines_of(printed([&](auto sink) { arenite::print_map(sink, plan, buffers); }));
  ASSERT_EQ(lines.size(), 4u);
  const std::string last = std::to_string(kLast);
  EXPECT_NE(lines[1].find(" 0-" + std::to_string(kLast - 1) + " |"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find(" " + last + " |"), std::string::npos) << lines[2];
}

// Each cell of each row against the bytes that it stands for.
TEST(PrintMap, OfRandomPlansIsRightInEachCell) {
  planning::Random random;
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t last_step = random.any_length(1500);
    const planning::Shape shape = {1, 40, 0, random.between(1, 3000), last_step, last_step, random.below(6)};
    const planning::Buffers buffers = planning::random_list(random, shape);
    const std::size_t columns = random.between(32, 100);
    SCOPED_TRACE(planning::describe(buffers.data(), buffers.size()));
    const planning::Planned<> plan(buffers);
    const std::string text = printed([&](auto sink) {
      arenite::print_map(sink, *plan, {buffers.data(), buffers.size()}, columns);
    });
    const auto lines = lines_of(text);
    for (const std::string& line : lines) ASSERT_LE(line.size(), columns + 8) << text;

    const std::string legend = "a column is ";
    ASSERT_EQ(lines.back().substr(0, legend.size()), legend);
    const std::size_t cell = std::stoul(lines.back().substr(legend.size()));
    std::size_t expected_step = 0;
    for (std::size_t row = 1; row + 1 < lines.size(); ++row) {
      const std::string& line = lines[row];
      const std::size_t bar = line.find('|');
      const std::string label = line.substr(0, bar);
      const std::size_t dash = label.find('-');
      const std::size_t from = std::stoul(label);
      const std::size_t to = dash == std::string::npos ? from : std::stoul(label.substr(dash + 1));
      ASSERT_EQ(from, expected_step) << text;
      expected_step = to + 1;
      ASSERT_EQ(line.size(), bar + 2 + (plan->size() + cell - 1) / cell);
      for (std::size_t step = from; step <= to; ++step) {
        for (std::size_t column = 0; bar + 1 + column < line.size() - 1; ++column) {
          char owner = '.';
          for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].size == 0 || buffers[i].first > step || buffers[i].last < step) continue;
            if (plan->offset(i) >= (column + 1) * cell || plan->end(i) <= column * cell) continue;
            owner = static_cast<char>(i < 10 ? '0' + i : i < 36 ? 'a' + (i - 10) : 'A' + (i - 36));
          }
          ASSERT_EQ(line[bar + 1 + column], owner) << "step " << step << " column " << column << "\n" << text;
        }
      }
    }
    std::size_t last = 0;
    for (const Buffer& buffer : buffers) last = std::max<std::size_t>(last, buffer.last);
    ASSERT_EQ(expected_step, last + 1);
  }
}

// --- for other programs ----------------------------------------------------------------------------------------------

TEST(PrintCsv, IsATable) {
  EXPECT_PRINTED(
      "id,first,last,size,alignment,offset\n"
      "0,0,1,100,1,0\n"
      "1,1,2,80,1,100\n"
      "2,2,3,60,1,0\n",
      arenite::print_csv, kPlan, kBuffers);
}

TEST(PrintCsv, QuotesNamesThatNeedIt) {
  static constexpr const char* kAwkward[] = {"a,b", "say \"x\"", nullptr};
  EXPECT_PRINTED(
      "id,name,first,last,size,alignment,offset\n"
      "0,\"a,b\",0,1,100,1,0\n"
      "1,\"say \"\"x\"\"\",1,2,80,1,100\n"
      "2,,2,3,60,1,0\n",
      arenite::print_csv, kPlan, kBuffers, kAwkward);
}

TEST(PrintJson, IsAnObject) {
  EXPECT_PRINTED(
      "{\"status\":\"ok\",\"size\":180,\"without_reuse\":240,\"saved\":60,\"lower_bound\":180,\"unused\":0,"
      "\"unused_per_mille\":0,\"peak_step\":1,\"alignment\":1,\"buffers\":[\n"
      "{\"id\":0,\"first\":0,\"last\":1,\"size\":100,\"alignment\":1,\"offset\":0},\n"
      "{\"id\":1,\"first\":1,\"last\":2,\"size\":80,\"alignment\":1,\"offset\":100},\n"
      "{\"id\":2,\"first\":2,\"last\":3,\"size\":60,\"alignment\":1,\"offset\":0}\n"
      "]}\n",
      arenite::print_json, kPlan, kBuffers);
}

TEST(PrintJson, EscapesNames) {
  static constexpr Buffer kOne[] = {{100, 0, 1, 4}};
  static constexpr const char* kAwkward[] = {"\"\\/\x1F\n\x7F\xC3\xA9"};
  EXPECT_PRINTED(
      "{\"status\":\"ok\",\"size\":100,\"without_reuse\":100,\"saved\":0,\"lower_bound\":100,\"unused\":0,"
      "\"unused_per_mille\":0,\"peak_step\":0,\"alignment\":4,\"buffers\":[\n"
      "{\"id\":0,\"name\":\"\\\"\\\\/\\u001f\\u000a\x7F\xC3\xA9\",\"first\":0,\"last\":1,\"size\":100,\"alignment\":4,"
      "\"offset\":0}\n"
      "]}\n",
      arenite::print_json, arenite::plan(kOne), kOne, kAwkward);
}

// --- with constraints ------------------------------------------------------------------------------------------------

// A byte that two buffers share is alive once.
TEST(Usage, OfPlansWithConstraints) {
  constexpr Buffer kList[] = {{64, 0, 1, 1}, {16, 1, 3, 1}, {40, 0, 3, 1}, {20, 2, 3, 1}};
  constexpr arenite::Constraint kConstraints[] = {arenite::alias(1, 0, 8), arenite::pinned(2, 80),
                                                  arenite::reserved(64, 16)};
  constexpr auto kMade = arenite::plan(kList, kConstraints);
  constexpr auto kPieces = arenite::pieces_of(kList, kConstraints);
  static_assert(kPieces[0] == Buffer{64, 0, 3, 1} && kPieces[1].size == 0 && kPieces[2] == kList[2]);
  constexpr PlanUsage kUsage = arenite::usage(kMade, kPieces);
  static_assert(kMade.size() == 140 && kMade.proven());
  static_assert(kUsage.status == Status::kOk && kUsage.proven() && kUsage.size == 140 && kUsage.live == 124);
  static_assert(kUsage.peak_step == 2 && kUsage.unused == 16);

  // At run time the plan knows its bound as well.
  std::vector<std::size_t> memory(arenite::plan_bytes(4, 3) / sizeof(std::size_t) + 1);
  const PlanRef made = arenite::plan(kList, 4, kConstraints, memory.data(), memory.size() * sizeof(std::size_t));
  EXPECT_TRUE(arenite::usage(made, kPieces).proven());
  EXPECT_EQ(arenite::usage(made, kPieces).lower_bound, 140u);

  constexpr arenite::Constraint kRefused[] = {arenite::alias(1, 9)};
  static_assert(arenite::pieces_of(kList, kRefused)[1] == kList[1]);
}

// --- step by step ----------------------------------------------------------------------------------------------------

TEST(PrintSteps, HasARowForEachChangeAndMarksThePeak) {
  EXPECT_PRINTED(
      "plan 180 without reuse 240 saved 60 lower bound 180 unused 0 per mille 0 peak step 1\n"
      " first   last buffers       live     unused\n"
      "     0      0       1        100         80\n"
      "*    1      1       2        180          0\n"
      "     2      2       2        140         40\n"
      "     3      3       1         60        120\n",
      arenite::print_steps, kPlan, kBuffers);
  EXPECT_PRINTED(
      "first,last,buffers,live,unused\n"
      "0,0,1,100,80\n"
      "1,1,2,180,0\n"
      "2,2,2,140,40\n"
      "3,3,1,60,120\n",
      arenite::print_steps_csv, kPlan, kBuffers);
  EXPECT_PRINTED(
      "{\"status\":\"ok\",\"size\":180,\"without_reuse\":240,\"saved\":60,\"lower_bound\":180,\"unused\":0,"
      "\"unused_per_mille\":0,\"peak_step\":1,\"steps\":[\n"
      "{\"first\":0,\"last\":0,\"buffers\":1,\"live\":100,\"unused\":80},\n"
      "{\"first\":1,\"last\":1,\"buffers\":2,\"live\":180,\"unused\":0},\n"
      "{\"first\":2,\"last\":2,\"buffers\":2,\"live\":140,\"unused\":40},\n"
      "{\"first\":3,\"last\":3,\"buffers\":1,\"live\":60,\"unused\":120}\n"
      "]}\n",
      arenite::print_steps_json, kPlan, kBuffers);
}

TEST(PrintSteps, OfNothingAndOfWhatIsNoPlan) {
  static constexpr Buffer kEmpty[] = {{0, 3, 9, 1}};
  EXPECT_PRINTED(
      "plan 0 without reuse 0 saved 0 lower bound 0 unused 0 per mille 0 peak step 0\n"
      " first   last buffers       live     unused\n",
      arenite::print_steps, arenite::plan(kEmpty), kEmpty);
  EXPECT_PRINTED("first,last,buffers,live,unused\n", arenite::print_steps_csv, arenite::plan(kEmpty), kEmpty);
  EXPECT_PRINTED(
      "{\"status\":\"ok\",\"size\":0,\"without_reuse\":0,\"saved\":0,\"lower_bound\":0,\"unused\":0,"
      "\"unused_per_mille\":0,\"peak_step\":0,\"steps\":[\n]}\n",
      arenite::print_steps_json, arenite::plan(kEmpty), kEmpty);

  static constexpr Buffer kLarger[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {200, 2, 3, 1}};
  EXPECT_PRINTED("no plan: buffers overlap\n", arenite::print_steps, kPlan, kLarger);
  EXPECT_PRINTED(
      "{\"status\":\"buffers overlap\",\"size\":0,\"without_reuse\":0,\"saved\":0,\"lower_bound\":0,\"unused\":0,"
      "\"unused_per_mille\":0,\"peak_step\":0,\"steps\":[\n]}\n",
      arenite::print_steps_json, kPlan, kLarger);
}

// --- what only odd lists have ----------------------------------------------------------------------------------------

// Of steps at which as much is alive it is the first, wherever its buffers stand in the list.
TEST(Usage, ThePeakIsTheFirstOfSeveral) {
  const Buffer buffers[] = {{8, 5, 5, 1}, {8, 1, 1, 1}, {8, 3, 3, 1}, {7, 0, 0, 1}};
  const auto numbers = arenite::usage(arenite::plan(buffers), buffers);
  EXPECT_EQ(numbers.live, 8u);
  EXPECT_EQ(numbers.peak_step, 1u);
}

TEST(Usage, AtAStepOfWhatIsNoPlanAtRunTime) {
  const Buffer buffers[] = {{100, 0, 1, 1}, {80, 1, 2, 1}};
  EXPECT_TRUE(is(arenite::usage_at(kPlan, {buffers, 2}, 1), 0, planning::kLastStep, 0, 0, 0));
}

TEST(Usage, KnowsWhoIsScratchAtRunTime) {
  const auto is_scratch = arenite::scratch_of(kOps, kGraph);
  std::size_t scratch = 0;
  for (std::size_t i = 0; i < kGraphTensors; ++i) scratch += is_scratch(i) ? 1u : 0u;
  EXPECT_EQ(scratch, 2u);
  EXPECT_TRUE(is_scratch(3));
  EXPECT_TRUE(is_scratch(8));
}

TEST(PrintSteps, HasARowForStepsAtWhichNobodyLives) {
  static constexpr Buffer kApart[] = {{8, 0, 0, 1}, {8, 2, 2, 1}};
  EXPECT_PRINTED(
      "plan 8 without reuse 16 saved 8 lower bound 8 unused 0 per mille 0 peak step 0\n"
      " first   last buffers       live     unused\n"
      "*    0      0       1          8          0\n"
      "     1      1       0          0          8\n"
      "     2      2       1          8          0\n",
      arenite::print_steps, arenite::plan(kApart), kApart);
}

TEST(PrintPlan, LeavesOutNamesThatAreNotThere) {
  static constexpr const char* kSome[] = {nullptr, "b", nullptr};
  EXPECT_PRINTED(
      "plan 180 without reuse 240 saved 60 lower bound 180 unused 0 per mille 0 peak step 1\n"
      "    id       size  first   last     offset name\n"
      "*    0        100      0      1          0\n"
      "*    1         80      1      2        100 b\n"
      "     2         60      2      3          0\n",
      arenite::print_plan, kPlan, kBuffers, kSome);
}

TEST(PrintCsv, QuotesNamesOfSeveralLines) {
  static constexpr const char* kLines[] = {"a\nb", "c\rd", "e f"};
  EXPECT_PRINTED(
      "id,name,first,last,size,alignment,offset\n"
      "0,\"a\nb\",0,1,100,1,0\n"
      "1,\"c\rd\",1,2,80,1,100\n"
      "2,e f,2,3,60,1,0\n",
      arenite::print_csv, kPlan, kBuffers, kLines);
}

TEST(PrintJson, HasAnEmptyNameForOneThatIsNotThere) {
  static constexpr Buffer kOne[] = {{100, 0, 1, 4}};
  const char* none[] = {nullptr};
  EXPECT_NE(printed([&none](auto sink) {
              arenite::print_json(sink, arenite::plan(kOne), kOne, none);
            }).find("{\"id\":0,\"name\":\"\",\"first\":0,"),
            std::string::npos);
}

// The label of the steps has its width, however few columns are asked for.
TEST(PrintMap, HasAtLeastOneColumn) {
  const Buffer buffers[] = {{64, 1000, 2000, 1}};
  const auto plan = arenite::plan(buffers);
  for (const std::size_t columns : {0u, 1u}) {
    const auto lines = lines_of(printed([&](auto sink) { arenite::print_map(sink, plan, buffers, columns); }));
    ASSERT_GE(lines.size(), 3u);
    EXPECT_NE(lines[2].find("1000-2000 |0|"), std::string::npos) << lines[2];
    EXPECT_EQ(lines.back(), "a column is 64 bytes, a dot is free");
  }
}

}  // namespace
