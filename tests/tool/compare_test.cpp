// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "json.hpp"
#include "models.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

// Where TFLM's planner puts the largest first, in the way of the others: 48 bytes where 32 are enough.
constexpr char kHead[] = "id,name,first,last,size,alignment,offset\n";
constexpr char kGiven[] =
    "0,a,0,0,16,16,32\n"
    "1,b,0,1,16,16,16\n"
    "2,c,1,2,16,16,0\n";

Json compared(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "compare");
  arguments.insert(arguments.end(), {"--format", "json"});
  return Json::parse(run_tool(arguments).out);
}

TEST(Compare, OfOneFileIsWhatItGivesAgainstTheSearch) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv", std::string(kHead) + kGiven);
  const Result result = run_tool({"compare", plan});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.err, "");
  const std::string expected = "B needs 16 bytes less than A: 32 for 48\n\n  A: " + plan + "\n  B: " + plan +
                               "\n\n"
                               "                                     A                   B               B - A\n"
                               "  strategy                       given              search\n"
                               "  size                              48                  32                 -16"
                               "     -33.3 %\n"
                               "  lower bound                       32                  32\n"
                               "  proven best                       no                 yes\n"
                               "  without reuse                     48                  48\n"
                               "  buffers                            3                   3\n"
                               "  peak                              32                  32\n"
                               "  at step                            0                   0\n";
  EXPECT_EQ(result.out.substr(0, expected.size()), expected);
}

TEST(Compare, OfAModelIsWhatTheDeviceDoesAgainstTheSearch) {
  const Folder folder;
  const Json json = compared({folder.file("m.tflite", chain().bytes())});
  EXPECT_EQ(json["a"]["strategy"], "greedy");
  EXPECT_EQ(json["b"]["strategy"], "search");
  EXPECT_EQ(json["a"]["size"], 320);
  EXPECT_EQ(json["a"]["model"]["weights"], 4096);
  EXPECT_EQ(json["a"]["peak"]["bytes"], 320);
  EXPECT_EQ(json["a"]["without_reuse"], 384);
  EXPECT_EQ(json["needs_more"], false);
  EXPECT_EQ(json["a"]["notes"].size(), 1u);
}

TEST(Compare, SaysWhatIsToBeKnownOfEachSideOrOfBoth) {
  const Folder folder;
  const std::string model = folder.file("m.tflite", chain().bytes());
  const std::string list = folder.file("list.csv", "first,last,size\n0,1,100\n");
  const auto notes_of = [](const std::string& a, const std::string& b) {
    const std::string out = run_tool({"compare", a, b}).out;
    return out.substr(std::min(out.find("\nNote"), out.size()));
  };
  const std::string scratch =
      "Scratch that kernels ask for on the device is not in this figure: give it by --scratch or --trace.\n";
  EXPECT_EQ(notes_of(model, model), "\nNote: " + scratch);
  EXPECT_EQ(notes_of(model, list), "\nNote on A: " + scratch);
  EXPECT_EQ(notes_of(list, model), "\nNote on B: " + scratch);
  EXPECT_EQ(notes_of(list, list), "");
}

TEST(Compare, AnswersNoWhereTheSecondNeedsMore) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv", std::string(kHead) + kGiven);
  const Result more = run_tool({"compare", plan, "--strategies", "search,linear"});
  EXPECT_EQ(more.code, kNo);
  EXPECT_EQ(more.out.substr(0, more.out.find('\n')), "B needs 16 bytes more than A: 48 for 32");
  const Result same = run_tool({"compare", plan, "--strategies", "linear,linear"});
  EXPECT_EQ(same.code, kYes);
  EXPECT_EQ(same.out.substr(0, same.out.find('\n')), "B needs as much as A: 48 bytes");
}

TEST(Compare, TakesWhatGivesOffsetsAsItIs) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv", std::string(kHead) + kGiven);
  const std::string list = folder.file("list.csv", "first,last,size\n0,1,48\n");
  const Json json = compared({plan, list});
  EXPECT_EQ(json["a"]["strategy"], "given");
  EXPECT_EQ(json["b"]["strategy"], "search");
  EXPECT_EQ(json["a"]["size"], 48);
}

TEST(Compare, PlansAroundOffsetsAsTheDeviceDoes) {
  const Folder folder;
  const std::string some = folder.file("some.csv", std::string(kHead) + "0,a,0,0,16,16,32\n1,b,0,1,16,16,\n");
  const Json json = compared({some, some});
  EXPECT_EQ(json["a"]["strategy"], "given and greedy");
  EXPECT_EQ(json["a"]["size"], 48);
}

TEST(Compare, ListsWhatMoved) {
  const Folder folder;
  const std::string a = folder.file("a.csv", std::string(kHead) + kGiven);
  const std::string b = folder.file("b.csv", std::string(kHead) +
                                                 "0,a,0,0,16,16,0\n"
                                                 "1,b,0,1,16,16,16\n"
                                                 "2,c,1,2,16,16,0\n");
  const Result result = run_tool({"compare", a, b});
  const std::string list =
      "\n1 moved:\n"
      "            16  at           32 -> 0             a\n";
  EXPECT_EQ(result.out.substr(result.out.size() - list.size()), list);
  const Json json = compared({a, b});
  EXPECT_EQ(json["unchanged"], 2);
  ASSERT_EQ(json["moved"].size(), 1u);
  EXPECT_EQ(json["moved"][0]["name"], "a");
  EXPECT_EQ(json["moved"][0]["a"]["offset"], 32);
  EXPECT_EQ(json["moved"][0]["b"]["offset"], 0);
}

TEST(Compare, FindsBuffersByNameWhereIdsDiffer) {
  const Folder folder;
  const std::string a = folder.file("a.csv", std::string(kHead) +
                                                 "0,in,0,0,16,16,0\n"
                                                 "1,twice,0,1,16,16,16\n"
                                                 "2,twice,1,2,16,16,0\n"
                                                 "3,old,2,2,32,16,16\n");
  const std::string b = folder.file("b.csv", std::string(kHead) +
                                                 "7,new,0,0,8,8,0\n"
                                                 "8,in,0,1,16,32,32\n"
                                                 "1,twice,0,1,16,16,16\n"
                                                 "9,twice,1,3,64,16,64\n");
  const Json json = compared({a, b});
  ASSERT_EQ(json["only_in_a"].size(), 1u);
  EXPECT_EQ(json["only_in_a"][0]["name"], "old");
  ASSERT_EQ(json["only_in_b"].size(), 1u);
  EXPECT_EQ(json["only_in_b"][0]["name"], "new");
  ASSERT_EQ(json["changed"].size(), 2u);
  EXPECT_EQ(json["changed"][0]["name"], "in");
  EXPECT_EQ(json["changed"][1]["a"]["id"], 2);
  EXPECT_EQ(json["changed"][1]["b"]["id"], 9);
  EXPECT_EQ(json["unchanged"], 1);
  const std::string out = run_tool({"compare", a, b}).out;
  EXPECT_NE(out.find("\n1 only in A:\n            32  steps 2..2          at           16  old\n"), std::string::npos)
      << out;
  EXPECT_NE(out.find("\n1 only in B:\n             8  steps 0..0          at            0  new\n"), std::string::npos)
      << out;
  EXPECT_NE(out.find("\n2 changed:\n"
                     "  in: size 16, steps 0..0 -> 0..1, alignment 16 -> 32, at 0 -> 32\n"
                     "  twice: size 16 -> 64, steps 1..2 -> 1..3, at 0 -> 64\n"),
            std::string::npos)
      << out;
}

// A buffer without a name is called by its number, which says nothing where the numbers differ.
TEST(Compare, FindsBuffersWithoutNamesByNumber) {
  const Folder folder;
  const std::string a = folder.file("a.csv", "id,first,last,size\n1,0,0,16\n2,0,0,16\n");
  const std::string b = folder.file("b.csv", "id,first,last,size\n2,0,0,16\n3,0,0,16\n");
  const Json json = compared({a, b});
  EXPECT_EQ(json["only_in_a"][0]["name"], "1");
  EXPECT_EQ(json["only_in_b"][0]["name"], "3");
}

TEST(Compare, CutsLongListsAndKeepsTheTerminalClean) {
  const Folder folder;
  std::string rows = "name,first,last,size\n";
  for (int i = 0; i < 14; ++i)
    rows += "\x1b[31m" + std::string(i == 0 ? 5000 : 1, 'x') + std::to_string(i) + ",0,0,1\n";
  const std::string a = folder.file("a.csv", rows);
  const std::string b = folder.file("b.csv", "first,last,size\n0,0,1\n");
  const std::string out = run_tool({"compare", a, b}).out;
  EXPECT_NE(out.find("14 only in A:"), std::string::npos);
  EXPECT_NE(out.find("  and 2 more\n"), std::string::npos);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find(std::string(100, 'x')), std::string::npos);
}

TEST(Compare, RefusesBadInput) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv", std::string(kHead) + kGiven);
  const std::string overlap = folder.file("o.csv", std::string(kHead) + "0,a,0,1,16,16,0\n1,b,1,2,16,16,0\n");
  EXPECT_EQ(run_tool({"compare", plan, "/no/such/file"}).err, "arenite: /no/such/file: No such file or directory\n");
  EXPECT_EQ(run_tool({"compare", "-", "-"}).err, "arenite: standard input: can be one of the two only\n");
  const Result bad = run_tool({"compare", plan, overlap});
  EXPECT_EQ(bad.code, kBad);
  EXPECT_EQ(bad.err, "arenite: " + overlap + ": buffer 0 'a': shares bytes with buffer 1 'b' while both live\n");
  EXPECT_EQ(run_tool({"compare", plan, "--strategies", "magic,search"}).err,
            "arenite: " + plan + ": there is no strategy 'magic'\n");
  EXPECT_EQ(run_tool({"compare", plan, plan, plan}).code, kBad);
  EXPECT_EQ(run_tool({"compare", plan, "--strategies", "search"}).code, kBad);
}

TEST(Compare, OfNothingIsNothing) {
  const Folder folder;
  const std::string a = folder.file("a.csv", "first,last,size\n");
  const Result result = run_tool({"compare", a, a});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out.substr(0, result.out.find('\n')), "B needs as much as A: 0 bytes");
}

}  // namespace
}  // namespace arenite::tool::test
