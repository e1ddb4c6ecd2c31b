// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What is read of a .tflite model: sizes, lifetimes, and everything that can be wrong with a file.

#include "model.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "models.hpp"

namespace arenite::tool::test {
namespace {

using tflite::BuiltinOperator;
using tflite::TensorType;

Problem read(const std::string& bytes, const LoadOptions& options = {}) {
  return problem_of(Model("m.tflite", bytes), options);
}

// What is wrong with this file; nothing if it is read.
std::string refusal(const std::string& bytes, const LoadOptions& options = {}) {
  try {
    static_cast<void>(read(bytes, options));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// "name first..last size", one a line.
std::string buffers_of(const Problem& problem) {
  std::string text;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    text += problem.rows[i].name + ' ' + std::to_string(buffer.first) + ".." + std::to_string(buffer.last) + ' ' +
            std::to_string(buffer.size) + '\n';
  }
  return text;
}

bool has_note(const Problem& problem, const std::string& part) {
  for (const std::string& note : problem.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

// --- lifetimes -------------------------------------------------------------------------------------------------------

TEST(Lifetimes, EachOperatorIsAStep) {
  const Problem problem = read(chain().bytes());
  EXPECT_EQ(buffers_of(problem),
            "input 0..1 112\n"
            "hidden 1..2 208\n"
            "output 2..2 64\n");
  EXPECT_EQ(problem.steps, (std::vector<std::string>{"start", "0 FULLY_CONNECTED", "1 SOFTMAX"}));
  EXPECT_EQ(problem.rows[0].role, Role::kInput);
  EXPECT_EQ(problem.rows[1].role, Role::kActivation);
  EXPECT_EQ(problem.rows[2].role, Role::kOutput);
  EXPECT_EQ(problem.rows[0].id, 0u);
  EXPECT_EQ(problem.rows[1].id, 2u) << "the weights have number 1";
  EXPECT_EQ(problem.rows[1].bytes, 200u);
  ASSERT_EQ(problem.rows[1].uses.size(), 2u);
  EXPECT_EQ(problem.rows[1].uses[0].step, 1u);
  EXPECT_TRUE(problem.rows[1].uses[0].writes);
  EXPECT_EQ(problem.rows[1].uses[1].step, 2u);
  EXPECT_FALSE(problem.rows[1].uses[1].writes);
}

TEST(Lifetimes, OutputsLiveToTheEndAndInputsFromTheStart) {
  ModelBuilder model;
  const auto a = model.tensor({16}, "a");
  const auto late = model.tensor({16}, "late");
  const auto unread = model.tensor({16}, "unread");
  const auto early = model.tensor({16}, "early");
  const auto b = model.tensor({16}, "b");
  const auto c = model.tensor({16}, "c");
  model.op(BuiltinOperator::RELU, {a}, {early});
  model.op(BuiltinOperator::RELU, {early}, {b});
  model.op(BuiltinOperator::ADD, {b, late}, {c});
  model.graph({a, late, unread}, {early, c});
  EXPECT_EQ(buffers_of(read(model.bytes())),
            "a 0..1 16\n"
            "late 0..3 16\n"
            "unread 0..0 16\n"
            "early 1..3 16\n"
            "b 2..3 16\n"
            "c 3..3 16\n");
}

TEST(Lifetimes, BranchesTakeStepsOneAfterTheOther) {
  ModelBuilder model;
  const auto condition = model.tensor({1}, "condition", TensorType::BOOL);
  const auto x = model.tensor({32}, "x");
  const auto y = model.tensor({32}, "y");
  const auto z = model.tensor({32}, "z");
  model.if_op({condition, x}, {y}, 1, 2);
  model.op(BuiltinOperator::RELU, {y}, {z});
  model.graph({condition, x}, {z});
  for (const char* const name : {"then", "else"}) {
    model.subgraph(name);
    const auto in = model.tensor({32}, std::string(name) + " in");
    const auto out = model.tensor({32}, std::string(name) + " out");
    model.op(BuiltinOperator::RELU, {in}, {out});
    model.graph({in}, {out});
  }
  const Problem problem = read(model.bytes());
  EXPECT_EQ(buffers_of(problem),
            "condition 0..5 16\n"
            "x 0..5 32\n"
            "y 1..6 32\n"
            "z 6..6 32\n"
            "then in 2..3 32\n"
            "then out 3..3 32\n"
            "else in 4..5 32\n"
            "else out 5..5 32\n");
  EXPECT_EQ(problem.steps, (std::vector<std::string>{"start", "0/0 IF", "0/0 IF: enter subgraph 1", "1/0 RELU",
                                                     "0/0 IF: enter subgraph 2", "2/0 RELU", "0/1 RELU"}));
  EXPECT_EQ(problem.rows[4].id, 4u) << "numbers go on through the subgraphs";
  EXPECT_EQ(problem.rows[4].role, Role::kActivation);
}

TEST(Lifetimes, LoopsHaveConditionAndBody) {
  ModelBuilder model;
  const auto x = model.tensor({32}, "x");
  const auto y = model.tensor({32}, "y");
  model.while_op({x}, {y}, 1, 2);
  model.graph({x}, {y});
  model.subgraph("condition");
  const auto in = model.tensor({32}, "c in");
  const auto go_on = model.tensor({1}, "c out", TensorType::BOOL);
  model.op(BuiltinOperator::LESS, {in}, {go_on});
  model.graph({in}, {go_on});
  model.subgraph("body");
  const auto before = model.tensor({32}, "b in");
  const auto after = model.tensor({32}, "b out");
  model.op(BuiltinOperator::RELU, {before}, {after});
  model.graph({before}, {after});
  EXPECT_EQ(buffers_of(read(model.bytes())),
            "x 0..5 32\n"
            "y 1..5 32\n"
            "c in 2..3 32\n"
            "c out 3..3 16\n"
            "b in 4..5 32\n"
            "b out 5..5 32\n");
}

TEST(Lifetimes, AGraphThatIsCalledTwiceLivesFromTheFirstToTheLast) {
  ModelBuilder model;
  const auto x = model.tensor({16}, "x");
  const auto y = model.tensor({16}, "y");
  model.call_once(1);
  model.call_once(1);
  model.op(BuiltinOperator::RELU, {x}, {y});
  model.graph({x}, {y});
  model.subgraph("init");
  const auto a = model.tensor({16}, "a");
  const auto b = model.tensor({16}, "b");
  model.op(BuiltinOperator::RELU, {a}, {b});
  model.graph({}, {});
  const Problem problem = read(model.bytes());
  EXPECT_EQ(buffers_of(problem),
            "x 1..8 16\n"  // one later: `a` has no writer, and lives before the first step
            "y 8..8 16\n"
            "a 0..7 16\n"
            "b 4..7 16\n");
  EXPECT_EQ(problem.steps.front(), "never created");
  EXPECT_EQ(problem.steps.size(), 9u);
}

TEST(Lifetimes, WhatNobodyUsesLivesBeforeTheFirstStep) {
  ModelBuilder model = chain();
  model.tensor({33}, "unused");
  EXPECT_EQ(buffers_of(read(model.bytes())),
            "input 1..2 112\n"
            "hidden 2..3 208\n"
            "output 3..3 64\n"
            "unused 0..0 48\n");
}

TEST(Lifetimes, GraphsThatNobodyCallsLiveBeforeTheFirstStep) {
  ModelBuilder model = chain();
  model.subgraph("orphan");
  const auto a = model.tensor({16}, "a");
  const auto b = model.tensor({16}, "b");
  model.op(BuiltinOperator::RELU, {a}, {b});
  model.graph({a}, {b});
  const Problem problem = read(model.bytes());
  EXPECT_EQ(buffers_of(problem),
            "input 1..2 112\n"
            "hidden 2..3 208\n"
            "output 3..3 64\n"
            "a 0..0 16\n"
            "b 0..0 16\n");
  EXPECT_TRUE(has_note(problem, "Subgraph 1 is never called"));
}

TEST(Lifetimes, CodesInAByteAreFollowedToo) {
  ModelBuilder model;
  model.call_once(1);
  model.parts.operator_codes[0]->builtin_code = BuiltinOperator::ADD;
  model.parts.operator_codes[0]->deprecated_builtin_code = static_cast<std::int8_t>(BuiltinOperator::WHILE);
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = 1;
  options.body_subgraph_index = 1;
  model.parts.subgraphs[0]->operators[0]->builtin_options.Set(std::move(options));
  model.subgraph();
  EXPECT_EQ(read(model.bytes()).steps.size(), 4u);
}

// --- what is planned -------------------------------------------------------------------------------------------------

TEST(Planned, ConstantsAndVariablesAreNot) {
  ModelBuilder model = chain();
  const auto state = model.variable({30}, "state");
  model.parts.subgraphs[0]->operators[1]->inputs.push_back(state);
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.buffers.size(), 3u);
  ASSERT_TRUE(problem.model.has_value());
  EXPECT_EQ(problem.model->weights, 4096u);
  EXPECT_EQ(problem.model->variables, 32u);
  EXPECT_EQ(problem.model->operators, 2u);
  EXPECT_EQ(problem.model->subgraphs, 1u);
  EXPECT_EQ(problem.model->tensors, 5u);
}

TEST(Planned, WeightsInTwoTensorsCountOnce) {
  ModelBuilder model = chain();
  model.constant(100);
  model.parts.subgraphs[0]->tensors.back()->buffer = model.parts.subgraphs[0]->tensors[1]->buffer;
  EXPECT_EQ(read(model.bytes()).model->weights, 4096u);
}

TEST(Planned, WeightsOutsideOfTheFlatBufferAreWeights) {
  ModelBuilder model = chain();
  tflite::BufferT& buffer = *model.parts.buffers[1];
  buffer.data.clear();
  buffer.offset = 1000000;
  buffer.size = 5000;
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.buffers.size(), 3u);
  EXPECT_EQ(problem.model->weights, 5000u);
}

TEST(Planned, HandlesOfResourceVariablesAreNot) {
  ModelBuilder model = chain();
  tflite::VarHandleOptionsT options;
  options.shared_name = "state";
  const auto handle = model.tensor({}, "handle", TensorType::RESOURCE);
  const auto again = model.tensor({}, "again", TensorType::RESOURCE);
  model.op(BuiltinOperator::VAR_HANDLE, {}, {handle}).builtin_options.Set(options);
  model.op(BuiltinOperator::VAR_HANDLE, {}, {again}).builtin_options.Set(options);
  model.op(BuiltinOperator::ASSIGN_VARIABLE, {handle, 2}, {});
  model.op(BuiltinOperator::ASSIGN_VARIABLE, {again, 2}, {});
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.buffers.size(), 3u);
  EXPECT_EQ(problem.model->variables, 208u) << "one variable, of the size of `hidden`";
}

TEST(Planned, TensorsWithoutBytesAreNot) {
  ModelBuilder model = chain();
  model.tensor({0}, "nothing");
  model.tensor({65536, 65536, 65536, 65536, 0}, "nothing, and no overflow on the way");
  EXPECT_EQ(read(model.bytes()).buffers.size(), 3u);
}

TEST(Planned, SizesAreRoundedUpToTheAlignment) {
  LoadOptions options;
  options.alignment = 64;
  const Problem problem = read(chain().bytes(), options);
  EXPECT_EQ(buffers_of(problem), "input 0..1 128\nhidden 1..2 256\noutput 2..2 64\n");
  EXPECT_EQ(problem.buffers[0].alignment.bytes(), 64u);
}

TEST(Planned, BytesByType) {
  const std::vector<std::pair<TensorType, std::size_t>> cases = {
      {TensorType::BOOL, 5},       {TensorType::INT8, 5},    {TensorType::UINT8, 5},    {TensorType::INT4, 5},
      {TensorType::INT16, 10},     {TensorType::UINT16, 10}, {TensorType::FLOAT16, 10}, {TensorType::BFLOAT16, 10},
      {TensorType::INT32, 20},     {TensorType::UINT32, 20}, {TensorType::FLOAT32, 20}, {TensorType::RESOURCE, 20},
      {TensorType::INT64, 40},     {TensorType::UINT64, 40}, {TensorType::FLOAT64, 40}, {TensorType::COMPLEX64, 40},
      {TensorType::COMPLEX128, 80}};
  for (const auto& [type, bytes] : cases) {
    ModelBuilder model;
    model.tensor({5}, "x", type);
    EXPECT_EQ(read(model.bytes()).rows[0].bytes, bytes) << tflite::EnumNameTensorType(type);
  }
}

TEST(Planned, AScalarHasOneElement) {
  ModelBuilder model;
  model.tensor({}, "scalar", TensorType::FLOAT32);
  EXPECT_EQ(read(model.bytes()).rows[0].bytes, 4u);
}

TEST(Planned, LargeShapesDoNotWrap) {
  ModelBuilder model;
  model.tensor({65536, 65536}, "large", TensorType::FLOAT32);
  EXPECT_EQ(read(model.bytes()).rows[0].bytes, 17179869184u);
}

TEST(Planned, ScratchLivesWithItsOperator) {
  LoadOptions options;
  options.scratch = {{0, 1, 20}, {0, 0, 100}, {0, 1, 30}};
  const Problem problem = read(chain().bytes(), options);
  EXPECT_EQ(buffers_of(problem),
            "input 0..1 112\n"
            "hidden 1..2 208\n"
            "output 2..2 64\n"
            "scratch of 0 1..1 112\n"
            "scratch of 1 2..2 32\n"
            "scratch of 1 2..2 32\n");
  EXPECT_EQ(problem.rows[3].role, Role::kScratch);
  EXPECT_EQ(problem.rows[3].id, 4u) << "behind the tensors";
  EXPECT_TRUE(problem.model->scratch_given);
}

TEST(Planned, ScratchOfACallLivesThroughTheCalledGraphs) {
  ModelBuilder model;
  model.call_once(1);
  model.subgraph();
  const auto a = model.tensor({16}, "a");
  model.op(BuiltinOperator::RELU, {}, {a});
  model.op(BuiltinOperator::RELU, {a}, {});
  LoadOptions options;
  options.scratch = {{0, 0, 16}, {1, 1, 16}};
  EXPECT_EQ(buffers_of(read(model.bytes(), options)), "a 3..4 16\nscratch of 0/0 1..4 16\nscratch of 1/1 4..4 16\n");
}

TEST(Planned, NamesAreFitForATerminal) {
  ModelBuilder model;
  model.tensor({16}, "\x1b[2J\nname");
  model.tensor({16});
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.rows[0].name, "?[2J?name");
  EXPECT_EQ(problem.rows[1].name, "1");
}

TEST(Planned, OperatorsNeedNoKernel) {
  ModelBuilder model = chain();
  model.parts.operator_codes[0]->builtin_code = static_cast<BuiltinOperator>(4711);
  model.parts.operator_codes[1]->builtin_code = BuiltinOperator::CUSTOM;
  model.parts.operator_codes[1]->custom_code = "MyOp";
  EXPECT_EQ(read(model.bytes()).steps, (std::vector<std::string>{"start", "0 operator code 4711", "1 MyOp"}));
}

TEST(Planned, OffsetsComeFromTheOfflinePlan) {
  ModelBuilder model = chain();
  model.metadata("OfflineMemoryAllocation", {1, 0, 0,    0,    1,    0,    0, 0, 4, 0, 0,    0,    0xD0, 0,
                                             0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.offsets, (std::vector<std::optional<std::size_t>>{208, 0, std::nullopt}));
  EXPECT_TRUE(problem.model->has_offline_plan);
}

TEST(Planned, AVariableWithAnOffsetIsPlannedAsTflmDoes) {
  ModelBuilder model;
  const auto x = model.tensor({16}, "x");
  const auto state = model.variable({16}, "state");
  const auto y = model.tensor({16}, "y");
  model.op(BuiltinOperator::ADD, {x, state}, {y});
  model.graph({x}, {y});
  model.metadata("OfflineMemoryAllocation",
                 {1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
  const Problem problem = read(model.bytes());
  EXPECT_EQ(buffers_of(problem), "x 1..2 16\nstate 0..2 16\ny 2..2 16\n");
  EXPECT_EQ(problem.model->variables, 0u);
}

TEST(Planned, AnUnsoundOfflinePlanIsLeftOut) {
  ModelBuilder model = chain();
  model.metadata("OfflineMemoryAllocation", {1, 0, 0, 0});
  const Problem problem = read(model.bytes());
  EXPECT_TRUE(problem.offsets.empty());
  EXPECT_TRUE(has_note(problem, "arenite verify"));
}

// --- refusals --------------------------------------------------------------------------------------------------------

TEST(Refused, WhatIsNoModel) {
  EXPECT_EQ(refusal(""), "m.tflite: ends after 0 bytes: no .tflite model");
  EXPECT_EQ(refusal("TFL3"), "m.tflite: ends after 4 bytes: no .tflite model");
  EXPECT_EQ(refusal("something else"), "m.tflite: byte 4: should be 'TFL3': no .tflite model");
  EXPECT_EQ(refusal(std::string("\xFF\xFF\xFF\xFFTFL3", 8)),
            "m.tflite: is damaged or cut short: an offset in the FlatBuffer points outside of it");
}

TEST(Refused, IndicesThatLeadNowhere) {
  struct Case {
    void (*bend)(ModelBuilder&);
    const char* message;
  };
  const Case cases[] = {
      {[](ModelBuilder& m) { m.parts.subgraphs.clear(); }, "m.tflite: has no subgraph"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->tensors[2]->buffer = 9; },
       "m.tflite: tensor 2 'hidden': its data is buffer 9, and the file has 2"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->operators[1]->opcode_index = 7; },
       "m.tflite: subgraph 0, operator 1: its code is number 7, and the file has 2"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->operators[1]->inputs[0] = 4; },
       "m.tflite: subgraph 0, operator 1, inputs: there is no tensor 4"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->operators[1]->inputs[0] = -2; },
       "m.tflite: subgraph 0, operator 1, inputs: there is no tensor -2"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->operators[1]->outputs[0] = -1; },
       "m.tflite: subgraph 0, operator 1, outputs: there is no tensor -1"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->operators[1]->intermediates = {4}; },
       "m.tflite: subgraph 0, operator 1, intermediates: there is no tensor 4"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->inputs[0] = 2147483647; },
       "m.tflite: subgraph 0, inputs: there is no tensor 2147483647"},
      {[](ModelBuilder& m) { m.parts.subgraphs[0]->outputs[0] = -2147483647 - 1; },
       "m.tflite: subgraph 0, outputs: there is no tensor -2147483648"},
      {[](ModelBuilder& m) { m.call_once(1); }, "m.tflite: operator 2 CALL_ONCE: there is no subgraph 1"},
      {[](ModelBuilder& m) { m.call_once(-2); }, "m.tflite: operator 2 CALL_ONCE: there is no subgraph -2"},
      {[](ModelBuilder& m) { m.op(BuiltinOperator::IF, {}, {}); },
       "m.tflite: operator 2 IF: does not say which subgraphs it calls"},
      {[](ModelBuilder& m) { m.call_once(0); }, "m.tflite: subgraph 0: calls itself: it would never end"},
  };
  for (const Case& one : cases) {
    ModelBuilder model = chain();
    one.bend(model);
    EXPECT_EQ(refusal(model.bytes()), one.message);
  }
}

TEST(Refused, SizesThatNobodyKnows) {
  const std::vector<std::pair<TensorType, std::string>> cases = {
      {TensorType::STRING, "STRING"},
      {TensorType::VARIANT, "VARIANT"},
      {static_cast<TensorType>(99), "number 99"},
  };
  for (const auto& [type, name] : cases) {
    ModelBuilder model = chain();
    model.tensor({4}, "text", type);
    EXPECT_EQ(refusal(model.bytes()), "m.tflite: tensor 4 'text': its type is " + name +
                                          ", of which nobody knows the size before the model runs");
  }
}

TEST(Refused, StringsThatAreConstantAreNot) {
  ModelBuilder model = chain();
  model.constant(20);
  model.parts.subgraphs[0]->tensors.back()->type = TensorType::STRING;
  EXPECT_EQ(refusal(model.bytes()), "");
}

TEST(Refused, ShapesThatAreNoSize) {
  ModelBuilder model = chain();
  model.subgraph("second");
  model.tensor({1, -1, 3}, "dynamic");
  EXPECT_EQ(refusal(model.bytes()), "m.tflite: subgraph 1, tensor 0 'dynamic': a dimension is -1: its size is dynamic");
  ModelBuilder huge = chain();
  huge.tensor({2147483647, 2147483647, 2147483647}, "huge");
  EXPECT_EQ(refusal(huge.bytes()), "m.tflite: tensor 4 'huge': has more bytes than can be addressed");
  ModelBuilder exact = chain();  // 2^63 - 1 bytes, which cannot be rounded up
  exact.tensor({7, 7, 73, 127, 337, 92737, 649657}, "exact");
  EXPECT_EQ(refusal(exact.bytes()), "m.tflite: tensor 4 'exact': has more bytes than can be addressed");
}

TEST(Refused, ScratchOfNoOperator) {
  LoadOptions options;
  options.scratch = {{0, 2, 16}};
  EXPECT_EQ(refusal(chain().bytes(), options),
            "m.tflite: scratch of operator 2: subgraph 0 has 2 operators, counted from 0");
  options.scratch = {{1, 0, 16}};
  EXPECT_EQ(refusal(chain().bytes(), options), "m.tflite: scratch of operator 0: there is no subgraph 1");
}

TEST(Refused, ScratchThatTflmWouldPlanWithoutASize) {
  ModelBuilder model = chain();
  model.subgraph("orphan");
  model.op(BuiltinOperator::RELU, {}, {});
  LoadOptions options;
  options.scratch = {{1, 0, 16}};
  EXPECT_NE(refusal(model.bytes(), options).find("scratch of operator 1/0: its subgraph is never called"),
            std::string::npos);
}

TEST(Refused, CallsThatTakeForEver) {
  ModelBuilder model;
  for (std::int32_t i = 0; i < 40; ++i) {  // each calls the next one twice
    model.call_once(i + 1);
    model.call_once(i + 1);
    model.subgraph();
  }
  EXPECT_EQ(refusal(model.bytes()),
            "m.tflite: its graphs call each other so often that they take more than 65536 steps");
  ModelBuilder deep;
  for (std::int32_t i = 0; i < 100; ++i) {
    deep.call_once(i + 1);
    deep.subgraph();
  }
  EXPECT_EQ(refusal(deep.bytes()), "m.tflite: subgraph 64: is called from more than 64 others");
}

TEST(Refused, TwoOfflinePlans) {
  ModelBuilder model = chain();
  model.metadata("OfflineMemoryAllocation", {1});
  model.metadata("OfflineMemoryAllocation", {1});
  EXPECT_EQ(refusal(model.bytes()), "m.tflite: metadata 'OfflineMemoryAllocation': is there twice");
  model.parts.metadata.pop_back();
  model.parts.metadata[0]->buffer = 77;
  EXPECT_EQ(refusal(model.bytes()),
            "m.tflite: metadata 'OfflineMemoryAllocation': its data is buffer 77, and the file has 4");
}

// --- damage ----------------------------------------------------------------------------------------------------------

// A model with something of everything.
std::string rich() {
  ModelBuilder model = chain();
  model.variable({8}, "state");
  model.call_once(1);
  model.metadata("OfflineMemoryAllocation", std::vector<std::uint8_t>(32, 0xFF));
  model.subgraph("init");
  const auto handle = model.tensor({}, "handle", TensorType::RESOURCE);
  const auto value = model.tensor({2, 3}, "value");
  tflite::VarHandleOptionsT options;
  options.shared_name = "v";
  model.op(BuiltinOperator::VAR_HANDLE, {}, {handle}).builtin_options.Set(options);
  model.op(BuiltinOperator::ASSIGN_VARIABLE, {handle, value}, {});
  return model.bytes();
}

// It is read, or refused: nothing else.
void try_to_read(const std::string& bytes) {
  try {
    const Problem problem = read(bytes);
    ASSERT_EQ(problem.buffers.size(), problem.rows.size());
    for (const Buffer& buffer : problem.buffers) {
      ASSERT_LE(buffer.first, buffer.last);
      ASSERT_LT(buffer.last, problem.steps.size());
    }
  } catch (const InputError&) {
  }
}

TEST(Damaged, CutShortAnywhere) {
  const std::string bytes = rich();
  for (std::size_t size = 0; size < bytes.size(); ++size) try_to_read(bytes.substr(0, size));
  try_to_read(bytes);
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_NE(refusal(bytes.substr(0, bytes.size() / 2)), "");
}

TEST(Damaged, AnyByteOfTheTables) {
  const std::string bytes = rich();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned change : {0x01u, 0x80u, 0xFFu}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ change);
      try_to_read(damaged);
    }
  }
}

TEST(Damaged, AtAnyAddress) {
  const std::string bytes = chain().bytes();
  const std::string expected = buffers_of(read(bytes));
  for (std::size_t shift = 0; shift < 16; ++shift) {
    const std::string shifted = std::string(shift, 'x') + bytes;
    EXPECT_EQ(buffers_of(problem_of(Model("m.tflite", std::string_view(shifted).substr(shift)), {})), expected);
  }
}

// --- small files that say much: their tables share lists and names ---------------------------------------------------

class SharedModel {
 public:
  flatbuffers::FlatBufferBuilder builder;
  std::string name = "t";
  std::string custom = "op";
  std::vector<std::int32_t> shape = {4};
  std::vector<std::int32_t> inputs = {0};   // of each operator
  std::vector<std::int32_t> intermediates;  // of each operator
  std::vector<std::int32_t> graph_inputs = {0};
  std::size_t tensors = 2;
  std::size_t operators = 1;

  std::string bytes() {
    const auto tensor =
        tflite::CreateTensor(builder, builder.CreateVector(shape), TensorType::INT8, 0, builder.CreateString(name));
    const auto op = tflite::CreateOperator(builder, 0, builder.CreateVector(inputs),
                                           builder.CreateVector(std::vector<std::int32_t>{1}),
                                           tflite::BuiltinOptions::NONE, 0, builder.CreateVector(intermediates));
    const auto graph = tflite::CreateSubGraph(
        builder, builder.CreateVector(std::vector<flatbuffers::Offset<tflite::Tensor>>(tensors, tensor)),
        builder.CreateVector(graph_inputs), builder.CreateVector(std::vector<std::int32_t>{1}),
        builder.CreateVector(std::vector<flatbuffers::Offset<tflite::Operator>>(operators, op)));
    const auto code = tflite::CreateOperatorCode(builder, 32, builder.CreateString(custom), 1, BuiltinOperator::CUSTOM);
    const auto buffer = tflite::CreateBuffer(builder);
    tflite::FinishModelBuffer(
        builder, tflite::CreateModel(builder, 3, builder.CreateVector(&code, 1), builder.CreateVector(&graph, 1), 0,
                                     builder.CreateVector(&buffer, 1)));
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
  }
};

TEST(Shared, LongNamesAreCut) {
  SharedModel model;
  model.name = std::string(999, 'n') + "\xC3\xA4" + std::string(1000000, 'n');
  model.custom = std::string(1000000, 'c');
  model.tensors = 5000;
  model.operators = 5000;
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.rows[0].name, std::string(999, 'n') + "...");
  EXPECT_EQ(problem.steps[2], "0 " + std::string(100, 'c') + "...");
}

TEST(Shared, ListsThatComeToTooMuch) {
  SharedModel model;
  model.inputs.assign(1000000, 0);
  model.operators = 60000;
  EXPECT_EQ(refusal(model.bytes()),
            "m.tflite: subgraph 0, operator 16, inputs: its lists, with those before, have more than 16777216 entries");
}

TEST(Shared, ListsThatAreWalkedTooOften) {
  SharedModel model;
  model.inputs.assign(1000000, 0);
  model.operators = 6;
  EXPECT_EQ(refusal(model.bytes()),
            "m.tflite: subgraph 0: its operators, with those before, read and write tensors more than 4194304 times");
}

TEST(Shared, AShapeOfManyDimensions) {
  SharedModel model;
  model.shape.assign(1000000, 1);
  model.tensors = 200000;
  EXPECT_EQ(refusal(model.bytes()), "m.tflite: tensor 0 't': has 1000000 dimensions, and 64 are the most that can be");
}

TEST(Shared, ManyInputsOfManyTensorsAreReadAtOnce) {
  SharedModel model;
  model.graph_inputs.assign(100000, 0);
  model.tensors = 100000;
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.rows[0].role, Role::kInput);
  EXPECT_EQ(problem.rows[1].role, Role::kOutput);
  EXPECT_EQ(problem.rows[2].role, Role::kActivation);
}

TEST(Shared, IntermediatesAreToldOnce) {
  SharedModel model;
  model.intermediates.assign(1000, 0);
  model.operators = 1000;
  const Problem problem = read(model.bytes());
  EXPECT_EQ(problem.notes.size(), 2u);
  EXPECT_TRUE(has_note(problem, "tensor 0 't' is an intermediate that is not empty, and there are 999999 more."));
}

TEST(Shared, MuchScratchForMuchWork) {
  SharedModel model;
  model.operators = 50000;
  LoadOptions options;
  for (std::size_t i = 0; i < 50000; ++i) options.scratch.push_back({0, 49999 - i, i + 1});
  const Problem problem = read(model.bytes(), options);
  ASSERT_EQ(problem.buffers.size(), 50002u);
  EXPECT_EQ(problem.buffers[2].first, 1u);
  EXPECT_EQ(problem.rows[2].bytes, 50000u);
}

}  // namespace
}  // namespace arenite::tool::test
