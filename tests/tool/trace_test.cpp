// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "trace.hpp"

#include <arenite/arena.hpp>
#include <arenite/observers/guard.hpp>
#include <arenite/observers/trace.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "json.hpp"
#include "model.hpp"
#include "models.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

using Buffers = std::vector<Buffer>;

// A line as TFLM's planner prints it.
std::string planned(int id, const std::string& size, int offset, int first, int last) {
  return "a (id=" + std::to_string(id) + "): size=" + size + ", offset=" + std::to_string(offset) +
         ", first_used=" + std::to_string(first) + " last_used=" + std::to_string(last) + "\n";
}

// What TFLM prints for chain(), with the offsets of its greedy planner.
std::string chain_log(const std::string& scratch = "") {
  return planned(0, "112", 208, 0, 1) + planned(1, "208", 0, 1, 2) + planned(2, "64", 208, 2, 2) + scratch;
}

std::string error_of(const std::string& text) {
  try {
    (void)read_trace("log", text, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string mismatch_of(const ModelBuilder& model, const std::string& log) {
  Problem problem = load_bytes("m.tflite", model.bytes());
  try {
    add_scratch(problem, read_trace("log", log, {}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// --- TensorFlow Lite Micro's planner ---------------------------------------------------------------------------------

TEST(PlannerLog, IsAListWithOffsets) {
  const Problem problem = read_trace("log", chain_log(), {});
  EXPECT_EQ(problem.source, "log");
  EXPECT_EQ(problem.buffers, (Buffers{{112, 0, 1, 16}, {208, 1, 2, 16}, {64, 2, 2, 16}}));
  ASSERT_EQ(problem.offsets.size(), 3u);
  EXPECT_EQ(problem.offsets[0], 208u);
  EXPECT_EQ(problem.offsets[1], 0u);
  EXPECT_EQ(problem.rows[1].id, 1u);
  EXPECT_EQ(problem.rows[1].name, "buffer 1");
  EXPECT_EQ(problem.rows[1].bytes, 208u);
  EXPECT_TRUE(problem.notes.empty());
}

TEST(PlannerLog, IsFoundAmongWhatALogPutsAroundIt) {
  const std::string log =
      "boot 1.2\r\n"
      "\x1b[0;32mI (312) task(id=3): tflm: * (id=0): size=16, offset=0, first_used=4 last_used=4\x1b[0m\r\n"
      "worker (id=7) sleeps\r\n"
      "[00:12.5] b (id=1): size=32, offset=16, first_used=1 last_used=5\r\n"
      "   0: ...................... (0k)";
  const Problem problem = read_trace("log", log, {});
  EXPECT_EQ(problem.buffers, (Buffers{{16, 4, 4, 16}, {32, 1, 5, 16}}));
}

TEST(PlannerLog, TakesTheAlignmentThatIsAskedFor) {
  LoadOptions options;
  options.alignment = 64;
  EXPECT_EQ(read_trace("log", planned(0, "64", 0, 0, 0), options).buffers[0].alignment.bytes(), 64u);
}

TEST(PlannerLog, OfSeveralPlansIsTheLast) {
  const Problem problem = read_trace("log", planned(5, "16", 0, 0, 0) + planned(0, "x", 0, 0, 0) + chain_log(), {});
  EXPECT_EQ(problem.buffers.size(), 3u);
  ASSERT_EQ(problem.notes.size(), 1u);
  EXPECT_EQ(problem.notes[0], "The log holds 3 plans: this is the last, from line 3 on.");
}

TEST(PlannerLog, ShiftsWhatIsBeforeTheFirstStep) {
  const Problem problem = read_trace("log", planned(0, "16", 0, -1, -1) + planned(1, "32", 16, 0, 3), {});
  EXPECT_EQ(problem.buffers, (Buffers{{16, 0, 0, 16}, {32, 1, 4, 16}}));
  ASSERT_EQ(problem.notes.size(), 1u);
  EXPECT_EQ(problem.notes[0], "Steps are one later than in the log, where -1 is before the first.");
}

TEST(PlannerLog, MayHaveABufferWithoutOffset) {
  const Problem problem = read_trace("log", planned(0, "16", -1, 0, 0), {});
  ASSERT_EQ(problem.offsets.size(), 1u);
  EXPECT_FALSE(problem.offsets[0].has_value());
}

TEST(PlannerLog, RefusesWhatMakesNoSense) {
  const std::string good = planned(0, "16", 0, 0, 1);
  const std::pair<std::string, std::string> cases[] = {
      {planned(0, "-16", 0, 0, 1), "log: line 1: size -16 is negative"},
      {planned(0, "99999999999999999999", 0, 0, 1), "log: line 1: size 99999999999999999999 is too large"},
      {planned(0, "9223372036854775808", 0, 0, 1), "log: line 1: size 9223372036854775808 is too large"},
      {planned(0, "-99999999999999999999", 0, 0, 1), "log: line 1: size -99999999999999999999 is negative"},
      {planned(0, "16", -2, 0, 1), "log: line 1: offset -2 is negative"},
      {planned(0, "16", 0, -2, 1), "log: line 1: first_used -2 is negative"},
      {planned(0, "16", 0, 2, 1), "log: line 1: the lifetime ends before it begins"},
      {"a (id=0): size=16, offset=0, first_used=0 last_used=4294967295",
       "log: line 1: last_used 4294967295 is too large"},
      {good + "\n" + planned(2, "16", 0, 0, 1), "log: line 3: id 2 where 1 is next: lines are missing"},
      {planned(1, "16", 0, 0, 1), "log: line 1: id 1 where 0 is next: lines are missing"},
      {good + planned(-1, "16", 0, 0, 1), "log: line 2: the id is no number of a buffer"},
      {good + "b (id=1): size=16, off", "log: line 2: ', offset=' is missing: the line is cut short or garbled"},
      {good + "b (id=1): size=", "log: line 2: size is no whole number: the line is cut short or garbled"},
      {good + "b (id=1): size=1x6, offset=0, first_used=0 last_used=1",
       "log: line 2: size is no whole number: the line is cut short or garbled"},
  };
  for (const auto& [log, error] : cases) EXPECT_EQ(error_of(log), error);
}

TEST(Trace, RefusesAFileWithoutALine) {
  for (const std::string& text : {std::string(), std::string("a (id=0)"), std::string(1000, '\0'),
                                  std::string("arena request denied\nthe arena step by step\nsubarena mark head\n")}) {
    EXPECT_EQ(error_of(text),
              "log: has no line of TensorFlow Lite Micro's planner, such as 'a (id=0): size=64, offset=0, first_used=0 "
              "last_used=1', and none of an arena's trace");
  }
}

TEST(Trace, RefusesAFileWithBothKinds) {
  EXPECT_EQ(error_of(chain_log() + "arena open temp\n"),
            "log: has lines of TensorFlow Lite Micro's planner and of an arena: which of them is it?");
}

// --- the trace of an arena -------------------------------------------------------------------------------------------

std::string trace_text;
void log_event(const Event& event) {
  print_event([](char c) { trace_text += c; }, event);
}

// Uses an arena of this type and returns what it printed.
template <class A, class Use>
std::string trace_of(Use use) {
  trace_text.clear();
  A arena;
  use(arena);
  return trace_text;
}

using Traced = Arena<1024, 16, Trace<log_event>>;

TEST(ArenaTrace, IsAStepForEachLineAndABufferForEachRequest) {
  const std::string text = trace_of<Traced>([](auto& arena) {
    (void)arena.as(Kind::kOperatorData).allocate(3, 1);  // step 0, to the end
    const auto marker = arena.mark();                    // 1
    (void)arena.allocate(12, 4);                         // 2..4
    (void)arena.allocate(8, 4);                          // 3..4
    (void)arena.release(marker);                         // 4
    (void)arena.allocate(20, 4);                         // 5, to the end
  });
  const Problem problem = read_trace("log", text, {});
  EXPECT_EQ(problem.buffers, (Buffers{{3, 0, 5, 1}, {12, 2, 4, 4}, {8, 3, 4, 4}, {20, 5, 5, 4}}));
  ASSERT_EQ(problem.steps.size(), 6u);
  EXPECT_EQ(problem.steps[2], "line 3: request tail size 12");
  EXPECT_EQ(problem.steps[1], "line 2: mark tail");
  EXPECT_EQ(problem.rows[0].name, "tail request 0 (operator data)");
  EXPECT_EQ(problem.rows[3].name, "tail request 3");
  EXPECT_TRUE(problem.offsets.empty());
  EXPECT_TRUE(problem.notes.empty());
}

TEST(ArenaTrace, EndsTempWithItsScope) {
  const std::string text = trace_of<Traced>([](auto& arena) {
    auto outer = arena.temp(Kind::kScratch);  // step 0
    (void)outer.allocate(10, 2);              // 1..5
    {
      auto inner = outer.temp();   // 2
      (void)inner.allocate(6, 2);  // 3..4
    }                              // 4
  });                              // 5
  const Problem problem = read_trace("log", text, {});
  EXPECT_EQ(problem.buffers, (Buffers{{10, 1, 5, 2}, {6, 3, 4, 2}}));
  EXPECT_EQ(problem.rows[0].name, "temp request 0 (scratch)");
  EXPECT_EQ(problem.rows[1].name, "temp request 1");
}

constexpr Buffer kSmall[] = {{40, 0, 1, 4}};
constexpr Buffer kLarge[] = {{100, 0, 1, 32}};
constexpr auto kFirst = plan(kSmall);
constexpr auto kSecond = plan(kLarge);

TEST(ArenaTrace, HasOneBufferForAllPlansInTheOverlay) {
  const std::string text = trace_of<Arena<1024, 32, Trace<log_event>>>([](auto& arena) {
    (void)arena.head().allocate(5, 1);  // 0..5
    (void)arena.overlay(kFirst);        // 1..3
    (void)arena.overlay(kSecond);       // 2
    (void)arena.release_overlay();      // 3
    (void)arena.overlay(kFirst);        // 4..5
    (void)arena.reset();                // 5, and 6 for the tail
  });
  const Problem problem = read_trace("log", text, {});
  EXPECT_EQ(problem.buffers, (Buffers{{5, 0, 5, 1}, {100, 1, 3, 32}, {40, 4, 5, 4}}));
  EXPECT_EQ(problem.rows[1].name, "overlay request 0");
  EXPECT_EQ(problem.rows[2].name, "overlay request 1");
}

TEST(ArenaTrace, KnowsFencesAsPadding) {
  const std::string text = trace_of<Arena<1024, 16, Observers<Trace<log_event>, Guard<8>>>>([](auto& arena) {
    const auto marker = arena.mark();
    (void)arena.allocate(12, 4);
    (void)arena.release(marker);
    auto temp = arena.temp();
    (void)temp.allocate(12, 4);
  });
  EXPECT_EQ(read_trace("log", text, {}).buffers, (Buffers{{12, 1, 2, 4}, {12, 4, 5, 4}}));
}

TEST(ArenaTrace, NotesWhatWasRefused) {
  const std::string text = trace_of<Traced>([](auto& arena) {
    (void)arena.allocate(static_cast<std::size_t>(-1), 16);
    (void)arena.allocate(8, 3);
    (void)arena.allocate(0, 1);
    (void)arena.allocate(8, 8);
  });
  const Problem problem = read_trace("log", text, {});
  EXPECT_EQ(problem.buffers, (Buffers{{0, 2, 2, 1}, {8, 3, 3, 8}}));
  ASSERT_EQ(problem.notes.size(), 1u);
  EXPECT_EQ(problem.notes[0], "Requests that the arena refused are not in this figure: 2.");
}

TEST(ArenaTrace, TakesStepsOfAPlanAsLinesAndNamesOtherKinds) {
  const Problem problem = read_trace("log",
                                     "I (3): arena request head size 8 align 8 kind 7 at 0 padding 0\r\n"
                                     "I (4): arena step 1 of 2 buffers size 64\r\n",
                                     {});
  EXPECT_EQ(problem.buffers, (Buffers{{8, 0, 1, 8}}));
  EXPECT_EQ(problem.rows[0].name, "head request 0 (kind 7)");
  EXPECT_EQ(problem.steps[1], "line 2: step 1");
}

TEST(ArenaTrace, RefusesWhatMakesNoSense) {
  const std::string missing = ": lines are missing, the arena began anew, or there are several arenas in this trace";
  const std::string first = "arena request tail size 16 align 4 kind 0 at 100 padding 0\n";
  const std::pair<std::string, std::string> cases[] = {
      {first + "arena request tail size 16 align 4 kind 0 at 90 padding 0\n",
       "log: line 2: these bytes are those of line 1, not given back" + missing},
      {first + first, "log: line 2: these bytes are those of line 1, not given back" + missing},
      {first + "arena release tail size 20 at 96\n",
       "log: line 2: gives back 20 bytes where the lines before ask for 16" + missing},
      {"arena release tail size 20 at 96\n",
       "log: line 1: gives back 20 bytes where the lines before ask for 0" + missing},
      {first + "arena release head size 16 at 100\n",
       "log: line 2: bytes of the tail are among them, from line 1" + missing},
      {first + "arena close temp size 16 at 100\n",
       "log: line 2: bytes of the tail are among them, from line 1" + missing},
      {"arena request overlay size 16 align 4 kind 0 at 8 padding 0\n"
       "arena request overlay size 16 align 4 kind 0 at 12 padding 0\n",
       "log: line 2: the overlay begins at 12, but at 8 in line 1" + missing},
      {"arena request overlay size 16 align 4 kind 0 at 8 padding 12\n",
       "log: line 1: the padding begins before the arena"},
      {"arena request tail size 16 align 3 kind 0 at 96 padding 0\n", "log: line 1: alignment 3 is no power of two"},
      {"arena request tail size 16 align 0 kind 0 at 96 padding 0\n", "log: line 1: alignment 0 is no power of two"},
      {"arena request tail size 99999999999999999999 align 1 kind 0 at 96 padding 0\n",
       "log: line 1: size 18446744073709551615 is too large"},
      {"arena request tail size 16 align 4 kind 256 at 96 padding 0\n", "log: line 1: kind 256 is too large"},
      {"arena request tail size -1 align 4 kind 0 at 96 padding 0\n", "log: line 1: size -1 is negative"},
      {"arena request tail size 16 align 4 kind 0\n",
       "log: line 1: ' at ' is missing: the line is cut short or garbled"},
      {"arena request tail\n", "log: line 1: ' size ' is missing: the line is cut short or garbled"},
      {"arena release tail size 9223372036854775808 at 0\n", "log: line 1: size 9223372036854775808 is too large"},
  };
  for (const auto& [log, error] : cases) EXPECT_EQ(error_of(log), error);
}

// --- scratch for a model ---------------------------------------------------------------------------------------------

TEST(ScratchOfATrace, ComesBehindTheBuffersOfTheModel) {
  const Folder folder;
  const std::string log = folder.file("log", chain_log(planned(3, "32", 272, 1, 1) + planned(4, "48", 272, 2, 2)));
  LoadOptions options;
  options.trace = log;
  const Problem problem = load_bytes("m.tflite", chain().bytes(), options);
  ASSERT_EQ(problem.buffers.size(), 5u);
  EXPECT_EQ(problem.buffers[3], (Buffer{32, 1, 1, 16}));
  EXPECT_EQ(problem.buffers[4], (Buffer{48, 2, 2, 16}));
  EXPECT_EQ(problem.rows[3].id, 4u);  // behind four tensors
  EXPECT_EQ(problem.rows[4].id, 5u);
  EXPECT_EQ(problem.rows[3].name, "scratch of 0 FULLY_CONNECTED");
  EXPECT_EQ(problem.rows[4].name, "scratch of 1 SOFTMAX");
  EXPECT_EQ(problem.rows[3].role, Role::kScratch);
  EXPECT_TRUE(problem.offsets.empty());
  EXPECT_TRUE(problem.model->scratch_given);
  EXPECT_TRUE(problem.notes.empty());
}

TEST(ScratchOfATrace, MayBeNone) {
  const Folder folder;
  LoadOptions options;
  options.trace = folder.file("log", chain_log());
  const Problem problem = load_bytes("m.tflite", chain().bytes(), options);
  EXPECT_EQ(problem.buffers.size(), 3u);
  EXPECT_TRUE(problem.model->scratch_given);
  EXPECT_TRUE(problem.notes.empty());
}

TEST(ScratchOfATrace, IsNotAddedTwice) {
  Problem problem = load_bytes("m.tflite", chain().bytes());
  const Problem trace = read_trace("log", chain_log(planned(3, "32", 272, 1, 1)), {});
  add_scratch(problem, trace);
  add_scratch(problem, trace);
  EXPECT_EQ(problem.buffers.size(), 4u);
}

TEST(ScratchOfATrace, HasNoOffsetWhereTheModelCarriesAPlan) {
  ModelBuilder model = chain();
  std::vector<std::uint8_t> payload;
  for (const std::int32_t word : {1, 1, 4, 208, -1, 0, 208}) {
    for (int byte = 0; byte < 4; ++byte) payload.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
  }
  model.metadata(std::string(kOfflinePlanName), payload);
  Problem problem = load_bytes("m.tflite", model.bytes());
  add_scratch(problem, read_trace("log", chain_log(planned(3, "32", 272, 1, 1)), {}));
  ASSERT_EQ(problem.offsets.size(), 4u);
  EXPECT_EQ(problem.offsets[1], 0u);
  EXPECT_FALSE(problem.offsets[3].has_value());
}

// The steps of a model with a tensor that nothing creates are one later, in both.
TEST(ScratchOfATrace, IsFoundWhereStepsAreShifted) {
  ModelBuilder model = chain();
  (void)model.tensor({1, 20}, "lost");
  Problem problem = load_bytes("m.tflite", model.bytes());
  ASSERT_EQ(problem.buffers.back().first, 0u);
  add_scratch(problem, read_trace("log", chain_log(planned(3, "32", 0, -1, -1) + planned(4, "32", 272, 1, 1)), {}));
  ASSERT_EQ(problem.buffers.size(), 5u);
  EXPECT_EQ(problem.buffers[4], (Buffer{32, 2, 2, 16}));
  EXPECT_EQ(problem.rows[4].name, "scratch of 0 FULLY_CONNECTED");
}

TEST(ScratchOfATrace, RefusesTheTraceOfAnotherModel) {
  EXPECT_EQ(
      mismatch_of(chain(), planned(0, "128", 0, 0, 1)),
      "log: buffer 0: has 128 bytes, but buffer 0 'input' of m.tflite has 112: is it the trace of another model?");
  EXPECT_EQ(mismatch_of(chain(), planned(0, "112", 0, 0, 1) + planned(1, "208", 0, 1, 3)),
            "log: buffer 1: lives at steps 1..3, but buffer 1 'hidden' of m.tflite at steps 1..2: is it the trace of "
            "another model?");
  EXPECT_EQ(mismatch_of(chain(), planned(0, "112", 0, 0, 1)),
            "log: has 1 buffers, and nothing for buffer 1 'hidden' of m.tflite");
  EXPECT_EQ(mismatch_of(chain(), chain_log(planned(3, "16", 0, 1, 9))),
            "log: buffer 3: lives at steps 1..9, but m.tflite has 3 steps");
}

TEST(ScratchOfATrace, RefusesThatOfAnOperatorThatNeverRuns) {
  const std::string error =
      "log: buffer 3: is scratch of an operator that never runs, one of a subgraph that is never called: TensorFlow "
      "Lite Micro plans it with a size that it never sets";
  EXPECT_EQ(mismatch_of(chain(), chain_log(planned(3, "16", 0, -1, -1))), error);
}

// --- the command -----------------------------------------------------------------------------------------------------

TEST(TraceCommand, AnswersAsPlanDoes) {
  const Folder folder;
  const std::string log = folder.file("log", chain_log(planned(3, "64", 272, 1, 1)));
  const Result result = run_tool({"trace", log});
  EXPECT_EQ(result.code, kYes);
  // 112 + 208 + 64 at step 1.
  EXPECT_EQ(result.out.substr(0, result.out.find('\n')), "384 bytes for the planned buffers, proven best");
  EXPECT_EQ(run_tool({"trace", log, "--capacity", "383"}).code, kNo);
  const Json json = Json::parse(run_tool({"trace", log, "--format", "json"}).out);
  EXPECT_EQ(json["size"], 384u);
  EXPECT_EQ(json["buffers"][3]["name"], "buffer 3");
}

TEST(TraceCommand, ComparesWithWhatTheDeviceDid) {
  const Folder folder;
  const std::string log = folder.file("log", planned(0, "16", 32, 0, 0) + planned(1, "16", 0, 1, 1));
  EXPECT_EQ(Json::parse(run_tool({"trace", log, "--format", "json"}).out)["size"], 16u);
  EXPECT_EQ(Json::parse(run_tool({"trace", log, "--strategy", "given", "--format", "json"}).out)["size"], 48u);
}

TEST(TraceCommand, WritesThePlan) {
  const Folder folder;
  const Result result = run_tool({"trace", folder.file("log", chain_log()), "-o", folder.path("plan.csv")});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(folder.read("plan.csv").substr(0, 42), "id,name,first,last,size,alignment,offset\n0");
}

TEST(TraceCommand, RefusesAFileThatIsNotThere) {
  const Result result = run_tool({"trace", "/no/such/file"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "arenite: /no/such/file: No such file or directory\n");
}

TEST(ArenaTrace, ManyPlansOverManyBuffersAreReadAtOnce) {
  constexpr int kCount = 100000;
  std::string text;
  for (int i = 0; i < kCount; ++i) {
    text += "arena request head size 16 align 16 kind 0 at " + std::to_string(16 * i) + " padding 0\n";
  }
  const std::string end = std::to_string(16 * kCount);
  for (int i = 0; i < kCount; ++i) {
    text += "arena request overlay size " + std::to_string(1 + i) + " align 16 kind 0 at " + end + " padding 0\n";
  }
  const Problem problem = read_trace("log", text + "arena release overlay size 100000 at " + end + "\n", {});
  ASSERT_EQ(problem.buffers.size(), std::size_t{kCount} + 1);
  EXPECT_EQ(problem.buffers.back().size, std::size_t{kCount});
  EXPECT_EQ(problem.buffers.back().last, Step{2 * kCount});
}

// There is nothing left to plan then.
TEST(TraceCommand, BuffersThatAllHaveOffsetsTakeNoTime) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += planned(i, "16", 16 * (i % 2), i, i + 1);
  const Folder folder;
  const Result result = run_tool({"trace", folder.file("log", text), "--strategy", "given", "--format", "json"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(Json::parse(result.out)["tflm_greedy"], 32);
}

TEST(TraceCommand, RefusesAnAlignmentThatIsNone) {
  const Folder folder;
  const Result result = run_tool({"trace", folder.file("log", chain_log()), "--alignment", "3"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_NE(result.err.find("--alignment: '3' is no power of two"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace arenite::tool::test
