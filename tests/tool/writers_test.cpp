// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The text of what is written; `emitted_test` compiles and runs it.

#include "writers.hpp"

#include <arenite/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "model.hpp"
#include "models.hpp"
#include "names.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

Problem list(const std::string& csv) { return load_bytes("list.csv", csv); }
Problem chain_problem() { return load_bytes("models/chain.tflite", chain().bytes()); }

std::string written(const Problem& problem, const std::string& output, const std::string& kind = "") {
  return plan_file(problem, make_layout(problem), output, kind);
}

std::string error_of(const Problem& problem, const std::string& output, const std::string& kind = "") {
  try {
    (void)written(problem, output, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string version() {
  return std::to_string(ARENITE_VERSION_MAJOR) + "." + std::to_string(ARENITE_VERSION_MINOR) + "." +
         std::to_string(ARENITE_VERSION_PATCH);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// --- kinds -----------------------------------------------------------------------------------------------------------

TEST(PlanFile, IsWhatItsNameSays) {
  const Problem problem = chain_problem();
  EXPECT_EQ(written(problem, "a.csv").substr(0, 3), "id,");
  EXPECT_EQ(written(problem, "a.b/c.json").substr(0, 1), "{");
  EXPECT_TRUE(has(written(problem, "a.hpp"), "arenite::Plan<3> kPlan"));
  EXPECT_TRUE(has(written(problem, "a.h"), "arenite::Plan<3> kPlan"));
}

TEST(PlanFile, IsWhatItIsToldToBe) {
  const Problem problem = chain_problem();
  EXPECT_EQ(written(problem, "a.hpp", "csv").substr(0, 3), "id,");
  EXPECT_EQ(written(problem, "-", "json").substr(0, 1), "{");
  EXPECT_TRUE(has(written(problem, "plan", "cpp"), "arenite::Plan<3> kPlan"));
  EXPECT_TRUE(has(written(problem, "a.h", "tflm"), "tflite::BufferPlan"));
}

TEST(PlanFile, RefusesANameThatDoesNotTell) {
  const std::string what =
      ": the name does not tell what to write: end it in .csv, .json, .hpp or .h, or say --as csv, json, cpp or tflm";
  for (const std::string name : {"plan", "plan.txt", "a.csv/plan"}) {
    EXPECT_EQ(error_of(chain_problem(), name), name + what);
  }
  EXPECT_EQ(error_of(chain_problem(), "-"), "standard output" + what);
  EXPECT_EQ(error_of(chain_problem(), "a.csv", "xml"), "a.csv: there is no kind 'xml': say csv, json, cpp or tflm");
}

// --- C++ -------------------------------------------------------------------------------------------------------------

TEST(CppPlan, IsAHeaderToCheckIn) {
  Problem problem = list(
      "name,first,last,size,alignment,offset\n"
      "image,0,1,100,16,0\n"
      "hidden layer,1,2,200,4,100\n");
  LayoutOptions options;
  options.strategy = "given";
  const std::string expected =
      "// Made by arenite " + version() +
      " from list.csv, strategy given: do not edit.\n"
      "//\n"
      "// 300 bytes for 2 buffers; no plan is smaller.\n"
      "//\n"
      "//     arenite::Arena<list_plan::kPlan.size() + 1024> arena;  // 1024: whatever else it is to hold\n"
      "//     auto buffers = arena.overlay(list_plan::kPlan);\n"
      "//     auto* first = buffers.data<std::int8_t>(list_plan::kImage);\n"
      "\n"
      "#pragma once\n"
      "\n"
      "#include <arenite/buffer.hpp>\n"
      "#include <arenite/plan.hpp>\n"
      "\n"
      "#include <cstddef>\n"
      "\n"
      "namespace list_plan {\n"
      "\n"
      "// Bytes, first step, last step, alignment.\n"
      "inline constexpr arenite::Buffer kBuffers[] = {\n"
      "    {100, 0, 1, 16},  // 0 at 0: image\n"
      "    {200, 1, 2, 4},   // 1 at 100: hidden layer\n"
      "};\n"
      "\n"
      "inline constexpr std::size_t kImage = 0;  // image\n"
      "inline constexpr std::size_t kHiddenLayer = 1;  // hidden layer\n"
      "\n"
      "// Size and alignment of the block, lower bound, offsets, sizes.\n"
      "inline constexpr arenite::Plan<2> kPlan(\n"
      "    arenite::PlanSummary(300, 16), 300,\n"
      "    {{0, 100}},\n"
      "    {{100, 200}});\n"
      "\n"
      "static_assert(kPlan.verify(kBuffers).ok(), \"the plan is not one for these buffers\");\n"
      "\n"
      "}  // namespace list_plan\n";
  EXPECT_EQ(cpp_of(problem, make_layout(problem, options), "-"), expected);
}

TEST(CppPlan, SaysWhatIsKnownOfItsSize) {
  Problem problem = list("first,last,size,offset\n0,0,16,16\n");
  LayoutOptions options;
  options.strategy = "given";
  EXPECT_TRUE(
      has(cpp_of(problem, make_layout(problem, options), ""), "// 32 bytes for 1 buffer; no plan has less than 16.\n"));
  EXPECT_TRUE(
      has(written(chain_problem(), "a.hpp"), "// What kernels ask for as scratch on the device is not in it.\n"));
}

TEST(CppPlan, NamesInputsAndOutputsOfAModel) {
  const std::string one = written(chain_problem(), "a.hpp");
  EXPECT_TRUE(has(one, "inline constexpr std::size_t kInput = 0;  // input\n"));
  EXPECT_TRUE(has(one, "inline constexpr std::size_t kOutput = 2;  // output\n"));
  EXPECT_FALSE(has(one, "kHidden"));

  ModelBuilder model = chain();
  const auto second = model.tensor({1, 16}, "serving_default_x:0");
  model.graph({0, second}, {2, 3});
  const std::string two = written(load_bytes("m", model.bytes()), "a.hpp");
  EXPECT_TRUE(has(two, "kInputInput = 0;"));
  EXPECT_TRUE(has(two, "kInputServingDefaultX0 = 3;"));
  EXPECT_TRUE(has(two, "kOutputHidden = 1;"));
}

TEST(CppPlan, NamesEachConstantOnce) {
  const std::string text = written(
      list("name,first,last,size\nbuffers,0,0,1\nplan,0,0,1\na b,0,0,1\na-b,0,0,1\na b_3,0,0,1\n???,0,0,1\n"), "a.hpp");
  EXPECT_TRUE(has(text, "kBuffers_0 = 0;"));
  EXPECT_TRUE(has(text, "kPlan_1 = 1;"));
  EXPECT_TRUE(has(text, "kAB = 2;"));
  EXPECT_TRUE(has(text, "kAB_3 = 3;"));
  EXPECT_TRUE(has(text, "kAB3 = 4;"));
  EXPECT_FALSE(has(text, " k = "));
}

TEST(CppPlan, TellsATargetThatIsTooSmall) {
  const auto refusals = [](const std::string& text) {
    return text.find("static_assert(kPlan") - text.find("static_assert(");
  };
  const std::string fits = written(list("first,last,size,alignment\n0,65535,2147483647,1\n"), "a.hpp");
  EXPECT_EQ(refusals(fits), 0u);
  EXPECT_TRUE(
      has(written(list("first,last,size\n0,65536,1\n"), "a.hpp"),
          "static_assert(65536 <= static_cast<arenite::Step>(-1), \"this target has no steps beyond 65535\");\n"));
  EXPECT_TRUE(has(written(list("first,last,size,alignment\n0,1,2147483648,1\n"), "a.hpp"),
                  "static_assert(2147483648 <= arenite::kMaxSize, \"this target has no blocks of so many bytes\");\n"));
  EXPECT_TRUE(has(written(list("first,last,size,alignment\n0,1,0,4294967296\n"), "a.hpp"),
                  "static_assert(4294967296 <= arenite::kMaxSize, \"this target has no blocks of so many bytes\");\n"));
  std::string many = "first,last,size\n";
  for (int i = 0; i < 65535; ++i) many += "0,0,0\n";
  EXPECT_TRUE(has(written(list(many), "a.hpp"),
                  "static_assert(65535 <= arenite::kMaxBuffers, \"this target has no lists of so many buffers\");\n"));
}

TEST(CppPlan, LeavesALongListUnchecked) {
  std::string rows = "first,last,size\n";
  for (std::size_t i = 0; i < kMostChecked; ++i) rows += "0,0,1\n";
  EXPECT_TRUE(has(written(list(rows), "a.hpp"), "static_assert(kPlan.verify(kBuffers).ok()"));
  rows += "0,0,1\n";
  const std::string text = written(list(rows), "a.hpp");
  EXPECT_FALSE(has(text, "static_assert"));
  EXPECT_TRUE(has(text, "// Too long for some compilers to check by themselves"));
}

TEST(CppPlan, RefusesAListOfNothing) {
  EXPECT_EQ(error_of(list("first,last,size\n"), "a.hpp"),
            "list.csv: has no buffers: a C++ array of none cannot be written");
}

// --- BufferPlan ------------------------------------------------------------------------------------------------------

TEST(TflmPlan, HasTheOffsetsInTheOrderOfTheModel) {
  const std::string text = written(chain_problem(), "a.h", "tflm");
  EXPECT_TRUE(has(text, "#include \"tensorflow/lite/micro/memory_planner/memory_plan_struct.h\"\n"));
  EXPECT_TRUE(has(text, "inline constexpr std::size_t kBytes = 320;\n"));
  EXPECT_TRUE(has(text, "namespace a_plan {\n"));
  EXPECT_FALSE(has(text, "arenite/"));
}

TEST(TflmPlan, RefusesWhatItCannotHold) {
  const Problem problem = list("name,first,last,size,alignment,offset\na,0,0,16,16,2147483648\n");
  LayoutOptions options;
  options.strategy = "given";
  try {
    (void)buffer_plan_of(problem, make_layout(problem, options), "a.h");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "list.csv: buffer 0 'a': lies at 2147483648, and a BufferPlan ends at 2147483647");
  }
}

TEST(TflmPlan, RefusesAModelThatCarriesAPlan) {
  ModelBuilder model = chain();
  std::vector<std::uint8_t> payload;
  for (const std::int32_t word : {1, 1, 4, 208, -1, 0, 208}) {
    for (int byte = 0; byte < 4; ++byte) payload.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
  }
  model.metadata(std::string(kOfflinePlanName), payload);
  const Problem problem = load_bytes("m.tflite", model.bytes());
  EXPECT_EQ(error_of(problem, "a.h", "tflm"),
            "m.tflite: carries an offline plan, which TensorFlow Lite Micro does not give to the planner that reads a "
            "BufferPlan: take the model without it");
}

// --- names -----------------------------------------------------------------------------------------------------------

TEST(Names, ForAComment) {
  EXPECT_EQ(comment_of("model/conv2d;x:0"), "model/conv2d;x:0");
  EXPECT_EQ(comment_of("a*/b\\\nc\r\x01\x7f?"
                       "?/\xC3\xA4\""),
            "a_/b__c_____/___");
  EXPECT_EQ(comment_of(std::string(1000, 'x')), std::string(72, 'x') + "...");
}

TEST(Names, ForATerminal) {
  EXPECT_EQ(clean_name("na\xC3\xAFve"), "na\xC3\xAFve");
  EXPECT_EQ(clean_name("\x1b[2J\n\x7f\xC2\x9B"), "?[2J???");
}

TEST(Names, ForAConstant) {
  EXPECT_EQ(camel_of("serving_default_x:0"), "ServingDefaultX0");
  EXPECT_EQ(camel_of("conv2D 1"), "Conv2D1");
  EXPECT_EQ(camel_of("\xC3\xA4"), "");
  EXPECT_EQ(camel_of(std::string(1000, 'x')).size(), 48u);
}

TEST(Names, ForANamespace) {
  const std::pair<const char*, const char*> cases[] = {
      {"models/vww.tflite", "vww_plan"},
      {"vww_plan.hpp", "vww_plan"},
      {"plan.hpp", "plan"},
      {"C:\\models\\a-b.c.hpp", "a_b_c_plan"},
      {"3d pose.hpp", "plan_3d_pose"},
      {"class.hpp", "class_plan"},
      {"__x__.hpp", "x_plan"},
      {"_plan.hpp", "plan"},
      {"\xC3\xA4.hpp", "plan"},
      {"standard input", "standard_input_plan"},
      {"", "plan"},
  };
  for (const auto& [path, name] : cases) EXPECT_EQ(namespace_of(path), name) << path;
}

}  // namespace
}  // namespace arenite::tool::test
