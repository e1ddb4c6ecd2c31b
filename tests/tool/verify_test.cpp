// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "json.hpp"
#include "model_file.hpp"
#include "models.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

// The model with this plan in it.
std::string carrying(ModelBuilder model, const std::vector<std::int64_t>& payload) {
  model.metadata("OfflineMemoryAllocation", words(payload));
  return model.bytes();
}

Result verify(const Folder& folder, const std::string& bytes, const std::vector<std::string>& more = {},
              const std::string& name = "in.tflite") {
  std::vector<std::string> arguments = {"verify", folder.file(name, bytes)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_tool(arguments);
}

// That a plan for the chain is not valid, with exactly these findings.
void expect_findings(const std::vector<std::int64_t>& payload, const std::vector<std::string>& findings,
                     const std::vector<std::string>& more = {}) {
  const Folder folder;
  const Result result = verify(folder, carrying(chain(), payload), more);
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(result.err, "");
  std::string expected =
      "not valid: " + std::to_string(findings.size()) + (findings.size() == 1 ? " fault" : " faults") + "\n\n";
  for (const std::string& finding : findings) expected += "  " + finding + "\n";
  EXPECT_EQ(result.out, expected);
}

TEST(Verify, AGoodPlanIsValid) {
  const Folder folder;
  const Result result = verify(folder, carrying(chain(), {1, 1, 4, 0, -1, 112, 0}));
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "valid: 320 bytes, proven best\n\n  lower bound 320, placed 3 of 3 buffers\n");
  EXPECT_EQ(result.err, "");
}

TEST(Verify, SaysHowFarAPlanIsFromTheBest) {
  const Folder folder;
  const Result result = verify(folder, carrying(chain(), {0, 7, 4, 0, -1, 112, 320}));  // as Vela writes it
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "valid: 384 bytes, at most 64 above the best\n\n  lower bound 320, placed 3 of 3 buffers\n");
}

TEST(Verify, AModelWithoutAPlanIsNo) {
  const Folder folder;
  Result result = verify(folder, chain().bytes());
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(result.out, folder.path("in.tflite") + ": carries no offline plan\n");
  result = verify(folder, chain().bytes(), {"--format", "json"});
  EXPECT_EQ(result.code, kNo);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["kind"], "no_plan");
}

TEST(Verify, PayloadsOfAWrongLength) {
  expect_findings({}, {"the plan in the model has 0 bytes, which is less than its head of 12: TensorFlow Lite Micro "
                       "reads past its end"});
  expect_findings({1, 1},
                  {"the plan in the model has 8 bytes, which is less than its head of 12: TensorFlow Lite Micro "
                   "reads past its end"});
  expect_findings({1, 1, 4, 0, -1},
                  {"the plan in the model has 20 bytes of 28: TensorFlow Lite Micro reads past its end"});
  expect_findings({1, 1, 4, 0, -1, 112, 0, 0}, {"the plan in the model has 32 bytes, and 28 are needed for 4 offsets"});
}

TEST(Verify, APayloadOfHalfAWord) {
  const Folder folder;
  ModelBuilder model = chain();
  std::vector<std::uint8_t> payload = words({1, 1, 4, 0, -1, 112, 0});
  payload.pop_back();
  model.metadata("OfflineMemoryAllocation", payload);
  const Result result = verify(folder, model.bytes());
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(result.out,
            "not valid: 1 fault\n\n"
            "  the plan in the model has 27 bytes of 28: TensorFlow Lite Micro reads past its end\n");
}

TEST(Verify, AnEntryWithoutData) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata("OfflineMemoryAllocation", {});
  model.parts.metadata.back()->buffer = 0;
  EXPECT_EQ(verify(folder, model.bytes()).out.substr(0, 18), "not valid: 1 fault");
}

TEST(Verify, ACountThatIsNotThatOfTheTensors) {
  expect_findings(
      {1, 1, 3, 0, -1, 112},
      {"the plan says that it has 3 offsets, and the model has 4 tensors: TensorFlow Lite Micro refuses it"});
  expect_findings({1, 1, 5, 0, -1, 112, 0},
                  {"the plan says that it has 5 offsets, and the model has 4 tensors: TensorFlow Lite Micro refuses it",
                   "the plan in the model has 28 bytes, and 32 are needed for 5 offsets"});
  expect_findings({1, 1, 0xFFFFFFFF, 0, -1, 112, 0},
                  {"the plan says that it has 4294967295 offsets, and the model has 4 tensors: TensorFlow Lite Micro "
                   "refuses it",
                   "the plan in the model has 28 bytes, and 17179869192 are needed for 4294967295 offsets"});
}

TEST(Verify, AnUnknownVersion) {
  expect_findings({2, 1, 4, 0, -1, 112, 0}, {"the plan's version is 2; known are 0 and 1"});
}

TEST(Verify, AnOffsetBelowZero) {
  expect_findings({1, 1, 4, 0, -1, -16, 0},
                  {"tensor 2 'hidden' has the offset -16, which is before the start of the arena"});
  expect_findings({1, 1, 4, 0, -1, -2147483648LL, 0},
                  {"tensor 2 'hidden' has the offset -2147483648, which is before the start of the arena"});
}

TEST(Verify, AnOffsetThatIsNotAligned) {
  expect_findings({1, 1, 4, 0, -1, 120, 0}, {"tensor 2 'hidden' has the offset 120, which is no multiple of 16"});
  // TensorFlow Lite Micro does not care for what is said here.
  expect_findings({1, 1, 4, 0, -1, 120, 0}, {"tensor 2 'hidden' has the offset 120, which is no multiple of 16"},
                  {"--alignment", "8"});
  expect_findings({1, 1, 4, 0, -1, 144, 0}, {"tensor 2 'hidden' has the offset 144, which is no multiple of 32"},
                  {"--alignment", "32"});
}

TEST(Verify, AnEndThatNoIntHolds) {
  expect_findings({1, 1, 4, 0, -1, 2147483632, 0},
                  {"tensor 2 'hidden' ends at 2147483840, and 2147483647 is the most that can be"});
}

TEST(Verify, AnEndBeyondTheCapacity) {
  expect_findings({1, 1, 4, 0, -1, 112, 0}, {"tensor 2 'hidden' ends at 320, beyond the capacity of 319"},
                  {"--capacity", "319"});
  const Folder folder;
  EXPECT_EQ(verify(folder, carrying(chain(), {1, 1, 4, 0, -1, 112, 0}), {"--capacity", "320"}).code, kYes);
}

TEST(Verify, WhatTheDevicePlacesCountsForTheCapacity) {
  expect_findings(
      {1, 1, 4, 0, -1, 112, -1},
      {"2 buffers have no offset and will be placed on the device, so TensorFlow Lite Micro needs 832 bytes "
       "in all, beyond the capacity of 600"},
      {"--capacity", "600", "--scratch", "1:512"});
}

TEST(Verify, BuffersThatShareBytesWhileBothLive) {
  expect_findings(
      {1, 1, 4, 0, -1, 96, 0},
      {"tensor 0 'input' (112 bytes at 0) and tensor 2 'hidden' (208 bytes at 96) share 16 bytes from 96 on "
       "while both live, at step 1"});
}

TEST(Verify, AllFaultsAtOnce) {
  expect_findings(
      {3, 1, 4, 8, -1, 16, 16},
      {"the plan's version is 3; known are 0 and 1", "tensor 0 'input' has the offset 8, which is no multiple of 16",
       "tensor 0 'input' (112 bytes at 8) and tensor 2 'hidden' (208 bytes at 16) share 104 bytes from 16 "
       "on while both live, at step 1",
       "tensor 2 'hidden' (208 bytes at 16) and tensor 3 'output' (64 bytes at 16) share 64 bytes from 16 "
       "on while both live, at step 2"});
}

TEST(Verify, FaultsAsJson) {
  const Folder folder;
  const Result result = verify(folder, carrying(chain(), {1, 1, 4, 8, -1, 16, 240}), {"--format", "json"});
  EXPECT_EQ(result.code, kNo);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["faults"], 2);
  EXPECT_EQ(json["overlaps"], 1);
  ASSERT_EQ(json["findings"].size(), 2u);
  EXPECT_EQ(json["findings"][0]["kind"], "misaligned");
  EXPECT_EQ(json["findings"][0]["tensors"], Json::array({0}));
  EXPECT_EQ(json["findings"][0]["numbers"], Json::object({{"offset", 8}, {"alignment", 16}}));
  EXPECT_EQ(json["findings"][1]["kind"], "overlap");
  EXPECT_EQ(json["findings"][1]["tensors"], Json::array({0, 2}));
  EXPECT_EQ(json["findings"][1]["numbers"], Json::object({{"begin", 16}, {"end", 120}, {"first", 1}, {"last", 1}}));
  EXPECT_TRUE(json["findings"][1]["text"].is_string());
}

TEST(Verify, AVersionAloneIsAnObjectOfNumbers) {
  const Folder folder;
  const Json json = Json::parse(verify(folder, carrying(chain(), {9, 1, 4, 0, -1, 112, 0}), {"--format", "json"}).out);
  EXPECT_EQ(json["findings"][0]["numbers"], Json::object({{"version", 9}}));
}

TEST(Verify, AGoodPlanAsJson) {
  const Folder folder;
  const Json json =
      Json::parse(verify(folder, carrying(chain(), {1, 1, 4, 0, -1, 112, 320}), {"--format", "json"}).out);
  EXPECT_EQ(json["valid"], true);
  EXPECT_EQ(json["size"], 384);
  EXPECT_EQ(json["lower_bound"], 320);
  EXPECT_EQ(json["proven"], false);
  EXPECT_EQ(json["placed"], 3);
  EXPECT_EQ(json["plan"], "metadata 'OfflineMemoryAllocation'");
  EXPECT_EQ(json["findings"], Json::array());
}

TEST(Verify, AConstantWithAnOffsetIsARemark) {
  const Folder folder;
  const Result result = verify(folder, carrying(chain(), {1, 1, 4, 0, 0, 112, 0}));
  EXPECT_EQ(result.code, kYes);
  EXPECT_NE(result.out.find("Note: 1 tensor has an offset that TensorFlow Lite Micro ignores, as it does not plan "
                            "constants and the like: tensor 1 'weights'.\n"),
            std::string::npos)
      << result.out;
}

TEST(Verify, TensorsWithoutAnOffsetAreARemark) {
  const Folder folder;
  const Result result = verify(folder, carrying(chain(), {1, 1, 4, -1, -1, 112, -1}));
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out,
            "valid: 320 bytes, proven best\n\n  lower bound 320, placed 1 of 3 buffers\n\n"
            "Note: 2 buffers have no offset and will be placed on the device, so TensorFlow Lite Micro needs 320 bytes "
            "in all.\n");
}

TEST(Verify, AVariableWithAnOffset) {
  const Folder folder;
  ModelBuilder model;
  const auto input = model.tensor({1, 64}, "input");
  const auto state = model.variable({1, 32}, "state");
  const auto output = model.tensor({1, 64}, "output");
  model.op(tflite::BuiltinOperator::SVDF, {input, state}, {output});
  model.graph({input}, {output});
  const Result result = verify(folder, carrying(std::move(model), {1, 1, 3, 0, 128, 64}));
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(result.out,
            "not valid: 1 fault\n\n"
            "  tensor 1 'state' is a variable and has the offset 128: activations may overwrite what it keeps between "
            "runs\n");
}

TEST(Verify, AVariableOfALaterSubgraphWithoutMemory) {
  const Folder folder;
  ModelBuilder model;
  const auto input = model.tensor({1, 64}, "input");
  const auto output = model.tensor({1, 64}, "output");
  model.op(tflite::BuiltinOperator::RELU, {input}, {output});
  model.call_once(1);
  model.graph({input}, {output});
  model.subgraph("init");
  model.variable({1, 16}, "first");
  model.variable({1, 16}, "second");
  const Result bad = verify(folder, carrying(model, {1, 2, 4, -1, 64, -1, -1}));
  EXPECT_EQ(bad.code, kNo);
  EXPECT_EQ(
      bad.out,
      "not valid: 1 fault\n\n"
      "  subgraph 1, tensor 1 'second' is a variable and gets no memory: TensorFlow Lite Micro looks at the offset "
      "of subgraph 0, tensor 1 'output' for it, which is 64\n");
  EXPECT_EQ(verify(folder, carrying(model, {1, 2, 4, -1, -1, -1, -1})).code, kYes);
}

TEST(Verify, TwoPlansInOneFileAreBadInput) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata("OfflineMemoryAllocation", words({1, 1, 4, 0, -1, 112, 0}));
  const Result result = verify(folder, carrying(std::move(model), {1, 1, 4, 0, -1, 112, 0}));
  EXPECT_EQ(result.code, kBad);
  EXPECT_EQ(result.err,
            "arenite: " + folder.path("in.tflite") + ": metadata 'OfflineMemoryAllocation': is there twice\n");
}

TEST(Verify, APlanOfAFileOfItsOwn) {
  const Folder folder;
  const std::string model = chain().bytes();
  const std::string good = folder.file("good.csv",
                                       "id,name,first,last,size,offset\n"
                                       "0,input,0,1,112,0\n2,hidden,1,2,208,112\n3,output,2,2,64,0\n"
                                       "4,scratch of 0,1,1,64,320\n");
  Result result = verify(folder, model, {"--plan", good});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(
      result.out,
      "valid: 320 bytes, proven best\n\n  lower bound 320, placed 3 of 3 buffers\n\n"
      "Note: 1 buffer of the plan is no tensor of the model: TensorFlow Lite Micro places scratch on the device.\n");
  const std::string bad = folder.file("bad.json", R"({"buffers": [)"
                                                  R"({"id": 0, "first": 0, "last": 1, "size": 112, "offset": 0},)"
                                                  R"({"id": 1, "first": 0, "last": 1, "size": 4096, "offset": 0},)"
                                                  R"({"id": 2, "first": 5, "last": 6, "size": 200, "offset": 0}]})");
  result = verify(folder, model, {"--plan", bad});
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(
      result.out,
      "not valid: 2 faults\n\n"
      "  tensor 3 'output' is not in the plan\n"
      "  tensor 0 'input' (112 bytes at 0) and tensor 2 'hidden' (208 bytes at 0) share 112 bytes from 0 on while "
      "both live, at step 1\n\n"
      "Note: 1 tensor has an offset that TensorFlow Lite Micro ignores, as it does not plan constants and the "
      "like: tensor 1 'weights'.\n");
  // The plan in the file is not looked at then.
  EXPECT_EQ(verify(folder, carrying(chain(), {1}), {"--plan", good}).code, kYes);
}

TEST(Verify, APlanThatTheToolHasWritten) {
  const Folder folder;
  const std::string model = folder.file("model.tflite", chain().bytes());
  ASSERT_EQ(run_tool({"plan", model, "-o", folder.path("plan.csv")}).code, kYes);
  EXPECT_EQ(run_tool({"verify", model, "--plan", folder.path("plan.csv")}).code, kYes);
  EXPECT_EQ(run_tool({"verify", folder.path("plan.csv")}).code, kYes);
}

TEST(Verify, ListsOfBuffers) {
  const Folder folder;
  Result result = verify(folder, "first,last,size,offset\n0,1,100,0\n1,2,50,128\n", {}, "list.csv");
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, "valid: 178 bytes, at most 16 above the best\n\n  lower bound 162, placed 2 of 2 buffers\n");
  result = verify(folder,
                  "id,name,first,last,size,alignment,offset\n"
                  "7,a,0,1,100,4,2\n8,b,1,1,10,1,101\n9,c,1,1,10,1,\n10,d,1,1,0,1,\n"
                  "11,e,5,6,10,1,9223372036854775800\n",
                  {"--capacity", "110"}, "list.csv");
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(
      result.out,
      "not valid: 6 faults\n\n"
      "  buffer 7 'a' has the offset 2, which is no multiple of 4\n"
      "  buffer 8 'b' ends at 111, beyond the capacity of 110\n"
      "  buffer 9 'c' has no offset\n"
      "  buffer 11 'e' ends at 9223372036854775810, and 9223372036854775807 is the most that can be\n"
      "  buffer 11 'e' ends at 9223372036854775810, beyond the capacity of 110\n"
      "  buffer 7 'a' (100 bytes at 2) and buffer 8 'b' (10 bytes at 101) share 1 byte from 101 on while both live, "
      "at step 1\n");
  result = verify(folder, "first,last,size\n0,1,100\n", {}, "list.csv");
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(result.out, folder.path("list.csv") + ": gives no offsets\n");
}

TEST(Verify, AListWithAPlanOfItsOwn) {
  const Folder folder;
  const std::string list = "id,name,first,last,size\n1,a,0,1,16\n2,b,1,2,16\n";
  const std::string plan = folder.file("plan.csv", "id,name,first,last,size,offset\n2,b,1,2,32,16\n3,c,0,0,1,0\n");
  const Result result = verify(folder, list, {"--plan", plan}, "list.csv");
  EXPECT_EQ(result.code, kNo);
  EXPECT_EQ(result.out,
            "not valid: 3 faults\n\n  buffer 1 'a' is not in the plan\n"
            "  buffer 2 'b' has 16 bytes, and 32 in the plan\n"
            "  the plan has a buffer 3 'c' that is not in " +
                folder.path("list.csv") + "\n");
}

TEST(Verify, UnreadableInputIsBad) {
  const Folder folder;
  EXPECT_EQ(verify(folder, "", {}, "list.csv").code, kBad);
  EXPECT_EQ(run_tool({"verify", folder.path("none.tflite")}).code, kBad);
  EXPECT_EQ(verify(folder, chain().bytes(), {"--plan", folder.path("none.csv")}).code, kBad);
  EXPECT_EQ(verify(folder, chain().bytes(), {"--plan", folder.file("empty.csv", "")}).code, kBad);
  EXPECT_EQ(verify(folder, "TFL3TFL3TFL3").code, kBad);
}

struct Box {
  std::size_t first, last, size, offset;
};

std::string csv(const std::vector<Box>& boxes) {
  std::string text = "first,last,size,offset,alignment\n";
  for (const Box& box : boxes) {
    text += std::to_string(box.first) + "," + std::to_string(box.last) + "," + std::to_string(box.size) + "," +
            std::to_string(box.offset) + ",1\n";
  }
  return text;
}

// All pairs, by looking at each.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const std::vector<Box>& boxes) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      const Box& one = boxes[a];
      const Box& other = boxes[b];
      if (one.last < other.first || other.last < one.first || one.size == 0 || other.size == 0) continue;
      if (one.offset + one.size <= other.offset || other.offset + other.size <= one.offset) continue;
      pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

TEST(Verify, FindsExactlyThePairsThatShareBytes) {
  std::mt19937 random(7);
  const auto number = [&random](std::size_t least, std::size_t most) { return least + random() % (most - least + 1); };
  for (int round = 0; round < 60; ++round) {
    const Folder folder;
    std::vector<Box> boxes(number(1, 24));
    for (Box& box : boxes) {
      box.first = number(0, 12);
      box.last = box.first + number(0, 6);
      box.size = number(0, 9);
      box.offset = number(0, 40);
    }
    const auto expected = pairs_of(boxes);
    const Json json = Json::parse(verify(folder, csv(boxes), {"--format", "json"}, "list.csv").out);
    EXPECT_EQ(json["overlaps"], expected.size()) << csv(boxes);
    if (expected.size() > 100) continue;
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const Json& finding : json["findings"]) {
      ASSERT_EQ(finding["kind"], "overlap");
      found.emplace_back(finding["tensors"][0], finding["tensors"][1]);
    }
    EXPECT_EQ(found, expected) << csv(boxes);
  }
}

TEST(Verify, CountsPairsThatItDoesNotList) {
  const Folder folder;
  constexpr std::size_t kCount = 3000;  // all in one place
  const std::vector<Box> boxes(kCount, Box{0, 0, 1, 0});
  const Result result = verify(folder, csv(boxes), {}, "list.csv");
  EXPECT_EQ(result.code, kNo);
  constexpr std::size_t kPairs = kCount * (kCount - 1) / 2;
  EXPECT_EQ(result.out.substr(0, result.out.find('\n')), "not valid: " + std::to_string(kPairs) + " faults");
  const std::string rest =
      "  and " + std::to_string(kPairs - 100) + " more pairs of buffers that share bytes while both live\n";
  EXPECT_EQ(result.out.substr(result.out.size() - rest.size()), rest);
}

TEST(Verify, ALongListIsNoTrouble) {
  // Each shares bytes with the one before it and the one after.
  const Folder folder;
  constexpr std::size_t kCount = 60000;
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < kCount; ++i) boxes.push_back({0, 9, 16, 12 * i});
  const Json json = Json::parse(verify(folder, csv(boxes), {"--format", "json"}, "list.csv").out);
  EXPECT_EQ(json["overlaps"], kCount - 1);
  EXPECT_EQ(json["findings"].size(), 100u);
}

}  // namespace
}  // namespace arenite::tool::test
