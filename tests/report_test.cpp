// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Reports: the same exact texts by the compiler and at run time, and numbers that add up to the byte.

#include <arenite/arena.hpp>
#include <arenite/lifetimes.hpp>
#include <arenite/planner.hpp>
#include <arenite/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "planning_oracle.hpp"

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::PlanRef;
using arenite::PlanUsage;
using arenite::Region;
using arenite::Status;
using arenite::Step;

// The list K1 of the field cases.
constexpr Buffer kBuffers[] = {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 2, 3, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);
constexpr const char* kNames[] = {"image", "feature map", "scores"};

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

// What `print` prints, at run time.
template <class Print>
std::string printed(Print print) {
  std::string text;
  print([&text](char c) { text += c; });
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
  static_assert(kUsage.lower_bound == 180 && kUsage.lower_bound == kPlan.lower_bound());
  static_assert(kUsage.peak_step == 1);
  static_assert(kUsage.unused == 0 && kUsage.unused_per_mille == 0);
  static_assert(kUsage.constants == 0 && kUsage.variables == 0);

  constexpr PlanUsage kApart = arenite::usage(arenite::plan<arenite::linear>(kBuffers), kBuffers);
  static_assert(kApart.size == 240 && kApart.saved == 0);
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
  static constexpr arenite::Tensor kTensors[] = {
      {100}, {640, arenite::TensorKind::kConstant}, {100}, {8, arenite::TensorKind::kVariable}};
  static constexpr arenite::Op kOps[] = {{{0, 1, 3}, {2}}};
  static constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {0}, {2});
  static constexpr auto kGraphPlan = arenite::plan(kGraph.buffers());
  static constexpr PlanUsage kUsage = arenite::usage(kGraphPlan, kGraph.buffers(), kGraph);
  static_assert(kUsage.constants == 640 && kUsage.variables == 8);
  static_assert(kUsage.without_reuse == 200 && kUsage.lower_bound == 200);
  static_assert(kUsage.size == 212 && kUsage.unused == 12 && kUsage.unused_per_mille == 60);
  EXPECT_PRINTED(
      "plan 212 without reuse 200 lower bound 200 peak step 0\n"
      "constants 640 variables 8\n",
      arenite::print_usage, kUsage);
}

TEST(Usage, WhatIsNoPlanForTheBuffersSaysSo) {
  const auto refused = [](Status status, const arenite::PlanUsage& usage) {
    EXPECT_EQ(usage.status, status);
    EXPECT_EQ(usage.buffers + usage.size + usage.without_reuse + usage.saved + usage.lower_bound + usage.unused, 0u);
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
  EXPECT_EQ(printed([&](auto sink) { arenite::print_json(sink, plan, wrong); }),
            "{\"status\":\"lifetime ends before it begins\",\"size\":0,\"alignment\":1,\"without_reuse\":0,"
            "\"lower_bound\":0,\"peak_step\":0,\"buffers\":[\n]}\n");
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
    ASSERT_EQ(usage.size, usage.lower_bound + usage.unused);
    std::size_t sum = 0;
    for (const Buffer& buffer : buffers) sum += buffer.size;
    ASSERT_EQ(usage.without_reuse, sum);
    ASSERT_EQ(usage.saved, sum > usage.size ? sum - usage.size : 0u);

    // At no step are more alive, and at no earlier one as many.
    std::size_t visited = 0;
    arenite::for_each_live(list, usage.peak_step, [&](std::size_t, const Buffer& buffer) { visited += buffer.size; });
    ASSERT_EQ(visited, usage.lower_bound);
    for (Step step = 0; step < 100; ++step) {
      const std::size_t live = arenite::live_at(list, step);
      ASSERT_TRUE(step < usage.peak_step ? live < usage.lower_bound : live <= usage.lower_bound);
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
  const arenite::MemoryUsage memory = arenite::usage(arena, kPlan, kBuffers);
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
  EXPECT_EQ(text.count, 55u);
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
      "plan 180 without reuse 240 lower bound 180 peak step 1\n"
      "    id       size  first   last     offset\n"
      "*    0        100      0      1          0\n"
      "*    1         80      1      2        100\n"
      "     2         60      2      3          0\n",
      arenite::print_plan, kPlan, kBuffers);
  EXPECT_PRINTED(
      "plan 180 without reuse 240 lower bound 180 peak step 1\n"
      "    id       size  first   last     offset name\n"
      "*    0        100      0      1          0 image\n"
      "*    1         80      1      2        100 feature map\n"
      "     2         60      2      3          0 scores\n",
      arenite::print_plan, kPlan, kBuffers, kNames);
}

TEST(PrintPlan, KeepsLongNumbersApart) {
  static constexpr Buffer kWide[] = {{2000000000, 65534, 65535, 4096}};
  EXPECT_PRINTED(
      "plan 2000000000 without reuse 2000000000 lower bound 2000000000 peak step 65534\n"
      "    id       size  first   last     offset\n"
      "*    0 2000000000  65534  65535          0\n",
      arenite::print_plan, arenite::plan(kWide), kWide);
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
            "{\"status\":\"ok\",\"size\":0,\"alignment\":1,\"without_reuse\":0,\"lower_bound\":0,\"peak_step\":0,"
            "\"buffers\":[\n]}\n");
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
      "{\"status\":\"ok\",\"size\":180,\"alignment\":1,\"without_reuse\":240,\"lower_bound\":180,\"peak_step\":1,"
      "\"buffers\":[\n"
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
      "{\"status\":\"ok\",\"size\":100,\"alignment\":4,\"without_reuse\":100,\"lower_bound\":100,\"peak_step\":0,"
      "\"buffers\":[\n"
      "{\"id\":0,\"name\":\"\\\"\\\\/\\u001f\\u000a\x7F\xC3\xA9\",\"first\":0,\"last\":1,\"size\":100,\"alignment\":4,"
      "\"offset\":0}\n"
      "]}\n",
      arenite::print_json, arenite::plan(kOne), kOne, kAwkward);
}

}  // namespace
