// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <string>

#include "json.hpp"
#include "models.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

// chain() needs 112 + 208 = 320 bytes. The list of 100 and 300 bytes needs 404: the smaller one begins at 304.

constexpr char kNote[] =
    "Scratch that kernels ask for on the device is not in this figure: give it by --scratch or --trace.";

TEST(Check, SaysOkInOneLine) {
  const Folder folder;
  const std::string model = folder.file("a.tflite", chain().bytes());
  const Result result = run_tool({"check", model, "--budget", "1KiB"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "ok            320 of 1024          704 free     proven best  " + model + "\n\nNote on " +
                            model + ": " + kNote + "\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(run_tool({"check", model, "--budget", "1KiB", "--scratch", "0:16"}).out.find("Note"), std::string::npos);
}

TEST(Check, IsExactAtTheBudget) {
  const Folder folder;
  const std::string model = folder.file("a.tflite", chain().bytes());
  EXPECT_EQ(run_tool({"check", model, "--budget", "320"}).code, kYes);
  const Result over = run_tool({"check", model, "--budget", "319"});
  EXPECT_EQ(over.code, kNo);
  EXPECT_EQ(over.out, "OVER          320 of 319            1 missing  proven best  " + model + "\n\nNote on " + model +
                          ": " + kNote + "\n");
  EXPECT_EQ(over.err, "");
}

TEST(Check, LooksAtAllAndSumsUp) {
  const Folder folder;
  const std::string model = folder.file("a.tflite", chain().bytes());
  const std::string bad = folder.file("b.tflite", "no model");
  const std::string list = folder.file("c.csv", "first,last,size\n0,1,100\n1,2,300\n");
  const Result result = run_tool({"check", model, bad, list, "--budget", "350"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_EQ(result.out, "ok            320 of 350           30 free     proven best  " + model +
                            "\n"
                            "bad" +
                            std::string(57, ' ') + bad +
                            "\n"
                            "OVER          404 of 350           54 missing  proven best  " +
                            list + "\n1 ok, 1 over, 1 bad\n\nNote on " + model + ": " + kNote + "\n");
  EXPECT_EQ(result.err.substr(0, 9 + bad.size()), "arenite: " + bad);
}

TEST(Check, SaysOnceWhatIsToBeKnownOfSeveral) {
  const Folder folder;
  const std::string a = folder.file("a.tflite", chain().bytes());
  const std::string b = folder.file("b.tflite", chain().bytes());
  const Result result = run_tool({"check", a, b, a, "--budget", "1KiB"});
  const std::string end = "\n3 ok, 0 over, 0 bad\n\nNote on " + a + " and 2 more: " + kNote + "\n";
  EXPECT_EQ(result.out.substr(result.out.size() - end.size()), end);
}

TEST(Check, SaysWhatIsNotProven) {
  const Folder folder;
  // One after the other, each at a multiple of 16: 0, 112 and 320.
  const std::string model = folder.file("a.csv", "first,last,size\n0,0,100\n0,1,200\n1,1,150\n");
  const Result result = run_tool({"check", model, "--budget", "1000", "--strategy", "linear"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "ok            470 of 1000          530 free     not proven   " + model + "\n");
}

TEST(Check, IsJsonToo) {
  const Folder folder;
  const std::string model = folder.file("a.tflite", chain().bytes());
  const std::string list = folder.file("c.csv", "first,last,size\n0,1,100\n1,2,300\n");
  const Result result = run_tool({"check", model, "/no/such/file", list, "--budget", "350", "--format", "json"});
  EXPECT_EQ(result.code, kBad);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["budget"], 350);
  EXPECT_EQ(json["ok"], 1);
  EXPECT_EQ(json["over"], 1);
  EXPECT_EQ(json["bad"], 1);
  EXPECT_EQ(json["models"][0], (Json{{"file", model},
                                     {"status", "ok"},
                                     {"size", 320},
                                     {"free", 30},
                                     {"lower_bound", 320},
                                     {"proven", true},
                                     {"notes", {kNote}}}));
  EXPECT_EQ(
      json["models"][1],
      (Json{{"file", "/no/such/file"}, {"status", "bad"}, {"error", "/no/such/file: No such file or directory"}}));
  EXPECT_EQ(json["models"][2]["status"], "over");
  EXPECT_EQ(json["models"][2]["missing"], 54);
  EXPECT_EQ(json["models"][2]["notes"], Json::array());
}

TEST(Check, NeedsABudget) {
  const Folder folder;
  EXPECT_EQ(run_tool({"check", folder.file("a.tflite", chain().bytes())}).code, kBad);
}

// A chain of tensors, of which no two share bytes: 384.
TEST(Check, JudgesAModelByThePlanThatItCarries) {
  const Folder folder;
  const std::string model = folder.file("chain.tflite", chain().bytes());
  const std::string planned = folder.path("planned.tflite");
  ASSERT_EQ(run_tool({"embed", model, "--strategy", "linear", "-o", planned}).code, kYes);
  EXPECT_EQ(run_tool({"check", model, "--budget", "320"}).code, kYes);
  EXPECT_EQ(run_tool({"check", planned, "--budget", "320"}).code, kNo);
  EXPECT_EQ(run_tool({"check", planned, "--budget", "384"}).code, kYes);
}

TEST(Check, APlanThatIsNotValidIsBad) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata("OfflineMemoryAllocation", {1, 0, 0, 0});
  const Result result = run_tool({"check", folder.file("short.tflite", model.bytes()), "--budget", "1MiB"});
  EXPECT_EQ(result.code, kBad);
  EXPECT_NE(result.err.find("carries an offline plan that is not valid"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace arenite::tool::test
