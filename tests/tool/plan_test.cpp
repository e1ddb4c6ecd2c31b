// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The command `plan`, and what all commands share of the command line.

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "models.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

using nlohmann::json;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Five buffers; greedy needs 30, and 20 suffice.
constexpr char kGreedyIsNotBest[] =
    "name,first,last,size,alignment\n"
    "a,0,1,10,1\n"
    "b,1,3,8,1\n"
    "c,2,4,7,1\n"
    "d,3,5,5,1\n"
    "e,4,5,8,1\n";

TEST(Plan, AnswersInTheFirstLine) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("chain.tflite", chain().bytes())});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(first_line(result.out), "320 bytes for the planned buffers, proven best");
  EXPECT_EQ(result.err, "");
}

TEST(Plan, TellsEverythingOfAModel) {
  const Folder folder;
  EXPECT_EQ(
      run_tool({"plan", folder.file("chain.tflite", chain().bytes())}).out,
      "320 bytes for the planned buffers, proven best\n"
      "\n"
      "  lower bound                      320  no plan is smaller\n"
      "  without reuse                    384  each buffer by itself\n"
      "  TensorFlow Lite Micro            320  its greedy planner\n"
      "  buffers                            3\n"
      "  weights                         4096  in flash\n"
      "  variables                          0  in the arena, beside the plan\n"
      "  operators                          2\n"
      "  subgraphs                          1\n"
      "\n"
      "Most bytes are alive at step 1 (0 FULLY_CONNECTED): 320\n"
      "           208  steps 1..2       hidden\n"
      "           112  steps 0..1       input\n"
      "\n"
      "Note: Scratch that kernels ask for on the device is not in this figure: give it by --scratch or --trace.\n");
}

TEST(Plan, TellsTheSameAsJson) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("chain.tflite", chain().bytes()), "--format", "json"});
  EXPECT_EQ(result.code, kYes);
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer["size"], 320);
  EXPECT_EQ(answer["lower_bound"], 320);
  EXPECT_EQ(answer["proven"], true);
  EXPECT_EQ(answer["without_reuse"], 384);
  EXPECT_EQ(answer["tflm_greedy"], 320);
  EXPECT_EQ(answer["strategy"], "search");
  EXPECT_EQ(answer["peak"]["bytes"], 320);
  EXPECT_EQ(answer["peak"]["step"], 1);
  EXPECT_EQ(answer["peak"]["name"], "0 FULLY_CONNECTED");
  EXPECT_EQ(answer["peak"]["alive"], json({2, 0}));
  EXPECT_EQ(answer["model"]["weights"], 4096);
  EXPECT_EQ(answer["model"]["variables"], 0);
  EXPECT_EQ(answer["model"]["operators"], 2);
  EXPECT_EQ(answer["model"]["subgraphs"], 1);
  EXPECT_EQ(answer["model"]["tensors"], 4);
  EXPECT_EQ(answer["model"]["scratch_given"], false);
  EXPECT_EQ(answer["model"]["offline_plan"], false);
  ASSERT_EQ(answer["buffers"].size(), 3u);
  EXPECT_EQ(answer["buffers"][1]["name"], "hidden");
  EXPECT_EQ(answer["buffers"][1]["id"], 2);
  EXPECT_EQ(answer["buffers"][1]["size"], 208);
  EXPECT_EQ(answer["notes"].size(), 1u);
  EXPECT_FALSE(answer.contains("capacity"));
}

TEST(Plan, SaysHowFarFromTheBestItMayBe) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  const Result greedy = run_tool({"plan", list, "--strategy", "greedy"});
  EXPECT_EQ(greedy.code, kYes);
  EXPECT_EQ(first_line(greedy.out), "30 bytes for the planned buffers, at most 10 above the best");
  const Result best = run_tool({"plan", list});
  EXPECT_EQ(first_line(best.out), "20 bytes for the planned buffers, proven best");
  EXPECT_NE(best.out.find("  TensorFlow Lite Micro             30  its greedy planner\n"), std::string::npos);
}

TEST(Plan, StrategiesByName) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  const auto size = [&](const std::string& strategy) {
    return json::parse(run_tool({"plan", list, "--strategy", strategy, "--format", "json"}).out)["size"];
  };
  EXPECT_EQ(size("search"), 20);
  EXPECT_EQ(size("greedy"), 30);
  EXPECT_EQ(size("linear"), 38);
  EXPECT_LE(size("best_of_eight"), 30);
}

TEST(Plan, FitsIntoACapacity) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("chain.tflite", chain().bytes()), "--capacity", "320"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_NE(result.out.find("\nfits into 320: 0 free\n"), std::string::npos);
}

TEST(Plan, CapacityDoesNotChangeThePlan) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("list.csv", kGreedyIsNotBest), "--capacity", "35"});
  EXPECT_EQ(first_line(result.out), "20 bytes for the planned buffers, proven best");
}

TEST(Plan, WhatDoesNotFitIsNotWritten) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  EXPECT_EQ(run_tool({"plan", list, "--capacity", "19", "-o", folder.path("plan.hpp")}).code, kNo);
  EXPECT_FALSE(std::filesystem::exists(folder.path("plan.hpp")));
  EXPECT_EQ(run_tool({"plan", list, "--capacity", "20", "-o", folder.path("plan.hpp")}).code, kYes);
  EXPECT_TRUE(std::filesystem::exists(folder.path("plan.hpp")));
}

TEST(Plan, SaysWhatIsMissing) {
  const Folder folder;
  const std::string model = folder.file("chain.tflite", chain().bytes());
  const Result text = run_tool({"plan", model, "--capacity", "319"});
  EXPECT_EQ(text.code, kNo);
  EXPECT_NE(text.out.find("\ndoes not fit into 319: 1 missing, and no plan fits\n"), std::string::npos);
  const Result data = run_tool({"plan", model, "--capacity", "0.25KiB", "--format", "json"});
  EXPECT_EQ(data.code, kBad);  // no number of bytes
  const json answer = json::parse(run_tool({"plan", model, "--capacity", "300", "--format", "json"}).out);
  EXPECT_EQ(answer["capacity"], 300);
  EXPECT_EQ(answer["fits"], false);
  EXPECT_EQ(answer["missing"], 20);
}

TEST(Plan, CapacityHasUnits) {
  const Folder folder;
  const std::string list = folder.file("list.csv", "first,last,size\n0,0,65536\n");
  for (const char* size : {"65536", "64K", "64k", "64KB", "64KiB"}) {
    EXPECT_EQ(run_tool({"plan", list, "--capacity", size}).code, kYes) << size;
  }
  EXPECT_EQ(run_tool({"plan", list, "--capacity", "65535"}).code, kNo);
  EXPECT_EQ(run_tool({"plan", list, "--capacity", "1MiB"}).code, kYes);
}

TEST(Plan, ScratchIsPlannedToo) {
  const Folder folder;
  const std::string model = folder.file("chain.tflite", chain().bytes());
  const Result result = run_tool({"plan", model, "--scratch", "0:1000", "--scratch", "1:17"});
  EXPECT_EQ(first_line(result.out), "1328 bytes for the planned buffers, proven best");
  EXPECT_NE(result.out.find("          1008  steps 1..1       scratch of 0\n"), std::string::npos);
  EXPECT_EQ(result.out.find("--scratch"), std::string::npos) << "nothing is missing any more";
}

TEST(Plan, AlignmentRoundsTensorsUp) {
  const Folder folder;
  const std::string model = folder.file("chain.tflite", chain().bytes());
  EXPECT_EQ(first_line(run_tool({"plan", model, "--alignment", "1"}).out),
            "300 bytes for the planned buffers, proven best");
  EXPECT_EQ(first_line(run_tool({"plan", model, "--alignment", "256"}).out),
            "512 bytes for the planned buffers, proven best");
}

TEST(Plan, WritesAPlanThatItCanRead) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  for (const char* const name : {"plan.csv", "plan.json"}) {
    EXPECT_EQ(run_tool({"plan", list, "-o", folder.path(name)}).code, kYes);
    const Result again = run_tool({"plan", folder.path(name), "--strategy", "given", "--format", "json"});
    EXPECT_EQ(again.code, kYes) << again.err;
    EXPECT_EQ(json::parse(again.out)["size"], 20);
    EXPECT_EQ(json::parse(again.out)["buffers"][2]["name"], "c");
  }
}

TEST(Plan, WritesItInPlaceOfTheAnswer) {
  const Folder folder;
  const std::string list = folder.file("list.csv", "first,last,size\n0,0,5\n");
  const Result result = run_tool({"plan", list, "-o", "-", "--as", "csv"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "id,name,first,last,size,alignment,offset\n0,\"0\",0,0,5,16,0\n");
}

TEST(Plan, AKindOfFileNeedsAFile) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("list.csv", "first,last,size\n0,0,5\n"), "--as", "csv"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_NE(result.err.find("--as requires --output"), std::string::npos) << result.err;
}

TEST(Plan, WhatIsNotGivenIsNotUsed) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  const Result result = run_tool({"plan", list, "--strategy", "given"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_EQ(result.err, "arenite: " + list + ": gives no offsets\n");
}

TEST(Plan, OffsetsThatOverlapAreRefused) {
  const Folder folder;
  const std::string list = folder.file("list.csv", "name,first,last,size,offset\na,0,1,16,0\nb,1,2,16,0\n");
  const Result result = run_tool({"plan", list, "--strategy", "given"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_EQ(result.err, "arenite: " + list + ": buffer 0 'a': shares bytes with buffer 1 'b' while both live\n");
}

TEST(Plan, EmptyListNeedsNothing) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("list.csv", "first,last,size\n")});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(first_line(result.out), "0 bytes for the planned buffers, proven best");
}

TEST(Plan, ListThatCannotBePlannedIsRefused) {
  const Folder folder;
  const std::string huge = "9223372036854775807";
  const std::string list = folder.file("list.csv", "first,last,size\n0,0," + huge + "\n0,0," + huge + "\n");
  const Result result = run_tool({"plan", list});
  EXPECT_EQ(result.code, kBad);
  EXPECT_NE(result.err.find("size overflow"), std::string::npos) << result.err;
}

TEST(CommandLine, BadUsageIsRefusedWithAReason) {
  const Folder folder;
  const std::string list = folder.file("list.csv", "first,last,size\n0,0,5\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"fly"}, "fly"},
      {{"plan"}, "MODEL is required"},
      {{"plan", list, list}, "not expected"},
      {{"plan", list, "--strategy", "luck"}, "luck not in {search,best_of_eight,greedy,linear,given}"},
      {{"plan", list, "--format", "xml"}, "xml"},
      {{"plan", list, "--capacity", "-1"}, "'-1' is no number of bytes above 0"},
      {{"plan", list, "--capacity", "0"}, "'0' is no number of bytes above 0"},
      {{"plan", list, "--capacity", "many"}, "many"},
      {{"plan", list, "--capacity", "99999999999GiB"}, "overflow"},
      {{"plan", list, "--alignment", "12"}, "'12' is no power of two"},
      {{"plan", list, "--alignment", "0"}, "'0' is no power of two"},
      {{"plan", list, "--time-limit", "-1"}, "--time-limit"},
      {{"plan", list, "--scratch", "5"}, "'5' is not OP:BYTES"},
      {{"plan", list, "--scratch", "0:-5"}, "'0:-5' is not OP:BYTES"},
      {{"plan", list, "--scratch", "0/:5"}, "'0/:5' is not OP:BYTES"},
      {{"plan", list, "--scratch", "0:5"}, "scratch can be added to a .tflite model only"},
      {{"plan", list, "-o", folder.path("no/such/folder.csv")}, "No such file or directory"},
      {{"plan", folder.path("nothing.csv")}, "nothing.csv: No such file or directory"},
      {{"plan", folder.path("")}, "Is a directory"},
  };
  for (const auto& [arguments, reason] : cases) {
    const Result result = run_tool(arguments);
    EXPECT_EQ(result.code, kBad) << reason;
    EXPECT_EQ(result.out, "") << reason;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  }
}

TEST(CommandLine, WithoutACommandItTeaches) {
  const Result result = run_tool({});
  EXPECT_EQ(result.code, kBad);
  EXPECT_NE(result.err.find("How large the arena's planned region must be"), std::string::npos);
}

TEST(CommandLine, HelpIsNoFailure) {
  const Result all = run_tool({"--help"});
  EXPECT_EQ(all.code, kYes);
  EXPECT_NE(all.out.find("Exit codes: 0 done"), std::string::npos);
  const Result plan = run_tool({"plan", "--help"});
  EXPECT_EQ(plan.code, kYes);
  EXPECT_NE(plan.out.find("search: looks for the smallest plan"), std::string::npos);
  EXPECT_NE(plan.out.find("arenite plan model.tflite --capacity 64KiB"), std::string::npos);
  EXPECT_EQ(all.err + plan.err, "");
}

TEST(CommandLine, KnowsItsVersion) {
  const Result result = run_tool({"--version"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "arenite " PROJECT_VERSION "\n");
}

TEST(Plan, SaysNothingOnTheWayToAPipe) {
  const Folder folder;
  const Result result = run_tool({"plan", folder.file("list.csv", kGreedyIsNotBest)});
  EXPECT_EQ(result.err, "");
}

TEST(Progress, IsOneLineThatIsTakenBack) {
  std::ostringstream out;
  ProgressLine line(out);
  line.show({100, 80, 1, 0.1});
  EXPECT_EQ(out.str(), "") << "too early";
  line.show({100, 80, 2, 0.6});
  EXPECT_EQ(out.str(), "\r\x1b[K0 s: 100 bytes so far, at least 80");
  line.show({99, 80, 3, 0.65});
  EXPECT_EQ(out.str(), "\r\x1b[K0 s: 100 bytes so far, at least 80") << "too often";
  out.str("");
  line.show({static_cast<std::size_t>(-1), 80, 4, 12.5});
  EXPECT_EQ(out.str(), "\r\x1b[K12 s: at least 80");
  out.str("");
  line.clear();
  line.clear();
  EXPECT_EQ(out.str(), "\r\x1b[K");
}

TEST(CommandLine, ATimeLimitIsANumberAboveZero) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  for (const char* const limit : {"nan", "inf", "0", "-1", "soon"}) {
    const Result result = run_tool({"plan", list, "--time-limit", limit});
    EXPECT_EQ(result.code, kBad) << limit;
    EXPECT_EQ(first_line(result.err), std::string("--time-limit: '") + limit + "' is no number of seconds above 0");
  }
  EXPECT_EQ(run_tool({"plan", list, "--time-limit", "1.5"}).code, kYes);
}

TEST(CommandLine, SaysWhenItsAnswerCannotBeWritten) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full";
  std::ostringstream err;
  Streams streams{full, err};
  const char* const argv[] = {"arenite", "plan", list.c_str()};
  EXPECT_EQ(run(3, argv, streams), kBad);
  EXPECT_EQ(err.str(), "arenite: standard output: cannot be written\n");
}

// Nothing may have more than so many bytes while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int);
};

TEST(Plan, LeavesNoHalfFile) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kGreedyIsNotBest);
  const std::string old = folder.file("plan.hpp", "old");
  const FileLimit limit(100);
  for (const std::string& output : {old, folder.path("new.hpp")}) {
    EXPECT_EQ(run_tool({"plan", list, "-o", output}).code, kBad);
  }
  EXPECT_EQ(run_tool({"map", list, "-o", folder.path("map.svg")}).code, kBad);
  EXPECT_EQ(folder.read("plan.hpp"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder.path("new.hpp")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("map.svg")));
}

// Its work grows with the square of how many there are.
TEST(Plan, AsksTflmsPlannerOnlyWhereItEnds) {
  std::string text = "first,last,size\n";
  for (int i = 0; i < 30000; ++i) text += "0,1," + std::to_string(1 + i % 97) + "\n";
  const Folder folder;
  const std::string list = folder.file("list.csv", text);
  const Result result = run_tool({"plan", list, "--strategy", "linear", "--format", "json"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(json::parse(result.out)["tflm_greedy"], nullptr);
}

}  // namespace
}  // namespace arenite::tool::test
