// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Real models, from a folder: the tool's answers, and its lists against those that TensorFlow Lite Micro's own planner
// was asked for with the same models.
//
// usage: tool_real_models_test MODELS [PROBLEMS]      folders

#include <gtest/gtest.h>
#include <arenite/align.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "input.hpp"
#include "layout.hpp"
#include "model_file.hpp"
#include "problem.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

// From the command line.
std::string models_folder;
std::string problems_folder;

struct Expected {
  const char* model;
  std::size_t size;     // of the best plan, without scratch
  std::size_t tflm;     // what TFLM's greedy planner needs
  std::size_t buffers;  // that are planned
  const char* list;     // what TFLM's planner was asked for; empty: not known
  std::size_t scratch;  // how many of these are scratch: they come last
  bool floats = false;  // the list is of the same network with floats in place of bytes: other sizes
};

constexpr Expected kExpected[] = {
    {"basic_pitch_nmp", 4843520, 5388416, 223, "spotify_basic-pitch__nmp", 24},
    {"esphome_alexa", 14864, 21216, 68, "esphome_micro-wake-word-models__alexa", 0},
    {"mlperf_tiny_ad", 768, 768, 11, "", 0},
    {"mlperf_tiny_ic", 49152, 49152, 17, "mlcommons_tiny__ic_model_quant_data.pretrainedResnet_quant_tflite", 0},
    {"mlperf_tiny_kws", 16000, 16000, 14, "mlcommons_tiny__kws_model_data.g_kws_model_data", 0},
    {"mlperf_tiny_vww", 55296, 73728, 32, "mlcommons_tiny__vww_model_data.g_person_detect_model_data", 0},
    {"openmv_blazeface_front_128", 344064, 442368, 77, "openmv_openmv__blazeface_front_128", 0},
    {"tflm_hello_world_int8", 32, 32, 4, "", 0},
    {"tflm_keyword_scrambled_8bit", 288, 288, 16, "tensorflow_tflite-micro__keyword_scrambled", 14},
    {"tflm_micro_speech_quantized", 5968, 5968, 5, "", 0},
    {"tflm_person_detect", 55296, 55296, 32, "", 0},
    {"tflm_trained_lstm_int8", 1344, 1344, 5, "tensorflow_tflite-micro__trained_lstm", 4, true},
};

class RealModel : public testing::TestWithParam<Expected> {
 protected:
  [[nodiscard]] static std::string path() { return models_folder + "/" + GetParam().model + ".tflite"; }
};

TEST_P(RealModel, HasTheBestPlanAndTflmsFigure) {
  const Problem problem = load(path());
  EXPECT_EQ(problem.buffers.size(), GetParam().buffers);
  const Layout layout = make_layout(problem);
  EXPECT_EQ(layout.size, GetParam().size);
  EXPECT_TRUE(layout.proven());
  EXPECT_EQ(tflm_layout(problem).size, GetParam().tflm);
}

TEST_P(RealModel, HasTheBuffersThatTflmAsksFor) {
  if (*GetParam().list == '\0') return;  // TFLM was not asked
  if (problems_folder.empty()) GTEST_SKIP() << "no folder of problem lists is given";
  const Problem problem = load(path());
  const Problem list = load(problems_folder + "/real/" + GetParam().list + ".csv");
  ASSERT_EQ(list.buffers.size(), problem.buffers.size() + GetParam().scratch);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const std::size_t size = GetParam().floats ? align_up(4 * problem.rows[i].bytes, 16) : problem.buffers[i].size;
    EXPECT_EQ(size, list.buffers[i].size) << problem.rows[i].name;
    EXPECT_EQ(problem.buffers[i].first, list.buffers[i].first) << problem.rows[i].name;
    EXPECT_EQ(problem.buffers[i].last, list.buffers[i].last) << problem.rows[i].name;
  }
}

// The scratch that is in the list, given on the command line, makes the list.
TEST_P(RealModel, WithItsScratchIsTheWholeList) {
  if (*GetParam().list == '\0' || GetParam().floats) return;
  if (problems_folder.empty()) GTEST_SKIP() << "no folder of problem lists is given";
  const Problem list = load(problems_folder + "/real/" + GetParam().list + ".csv");
  LoadOptions options;
  for (std::size_t i = list.buffers.size() - GetParam().scratch; i < list.buffers.size(); ++i) {
    options.scratch.push_back({0, std::size_t{list.buffers[i].first} - 1, list.buffers[i].size});
  }
  const Problem problem = load(path(), options);
  ASSERT_EQ(problem.buffers.size(), list.buffers.size());
  for (std::size_t i = 0; i < list.buffers.size(); ++i) EXPECT_EQ(problem.buffers[i], list.buffers[i]) << i;
}

TEST_P(RealModel, CarriesItsPlanAndNothingElseHasChanged) {
  const Folder folder;
  const std::string out = folder.path("planned.tflite");
  const Result embed = run_tool({"embed", path(), "-o", out});
  ASSERT_EQ(embed.code, kYes) << embed.err;
  EXPECT_EQ(run_tool({"verify", out, "--capacity", std::to_string(GetParam().size)}).code, kYes);
  expect_same_model(read_file(path()), folder.read("planned.tflite"));
  const Problem problem = load(out);
  EXPECT_EQ(tflm_layout(problem).size, GetParam().size) << "so much is needed on the device";
  for (const auto& offset : problem.offsets) EXPECT_TRUE(offset.has_value());
}

INSTANTIATE_TEST_SUITE_P(Models, RealModel, testing::ValuesIn(kExpected),
                         [](const auto& chosen) { return std::string(chosen.param.model); });

// No model of the folder goes unnoticed.
TEST(RealModels, AreAllKnown) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(models_folder)) {
    if (entry.path().extension() == ".tflite") found.push_back(entry.path().stem().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> known;
  for (const Expected& expected : kExpected) known.emplace_back(expected.model);
  EXPECT_EQ(found, known);
}

}  // namespace
}  // namespace arenite::tool::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: tool_real_models_test MODELS [PROBLEMS]\n";
    return 2;
  }
  arenite::tool::test::models_folder = argv[1];
  if (argc == 3) arenite::tool::test::problems_folder = argv[2];
  return RUN_ALL_TESTS();
}
