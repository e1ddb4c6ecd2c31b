// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/lifetimes.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph_model.hpp"
#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::Op;
using arenite::OpKind;
using arenite::Status;
using arenite::Tensor;
using arenite::TensorKind;
using arenite::TensorList;

constexpr Tensor bytes(std::size_t size) { return {size, TensorKind::kActivation, 1}; }
constexpr Tensor constant(std::size_t size) { return {size, TensorKind::kConstant, 1}; }
constexpr Tensor variable(std::size_t size) { return {size, TensorKind::kVariable, 1}; }
constexpr Tensor kept(std::size_t size) { return {size, TensorKind::kKept, 1}; }
constexpr Tensor external(std::size_t size) { return {size, TensorKind::kExternal, 1}; }
constexpr Tensor view(std::size_t size, Index of, std::size_t offset) {
  return {size, TensorKind::kActivation, 1, of, offset};
}

// --- what the planner needs for a graph, at compile time and at run time ---------------------------------------------

template <std::size_t T, std::size_t O>
struct Graph {
  Tensor tensors[T];
  Op ops[O];
  TensorList inputs;
  TensorList outputs;
};

template <std::size_t T, std::size_t O>
constexpr std::size_t planned(const Graph<T, O>& graph) {
  const auto lives = arenite::lifetimes(graph.tensors, graph.ops, graph.inputs, graph.outputs);
  const auto plan = arenite::plan(lives.buffers());
  return plan.verify(lives.buffers()).ok() ? plan.size() : 0;
}

#define EXPECT_PLANNED(graph, expected)        \
  do {                                         \
    static_assert(planned(graph) == expected); \
    const auto at_run_time = graph;            \
    EXPECT_EQ(planned(at_run_time), expected); \
  } while (false)

TEST(Lifetimes, AChainNeedsTwoNeighbours) {
  static constexpr Graph<4, 3> kChain = {
      {bytes(100), bytes(100), bytes(100), bytes(100)}, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3}};
  EXPECT_PLANNED(kChain, 200u);
}

TEST(Lifetimes, AnInputNamedAmongTheOutputsIsKept) {
  static constexpr Graph<4, 3> kKept = {
      {bytes(100), bytes(100), bytes(100), bytes(100)}, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3, 0}};
  EXPECT_PLANNED(kKept, 300u);
}

TEST(Lifetimes, OutputsThatNobodyReadsHaveAPlaceWhereTheyAreWritten) {
  static constexpr Graph<3, 3> kUnread = {
      {bytes(64), bytes(64), bytes(8)}, {{{}, {2}}, {{2}, {}}, {{}, {0, 1}}}, {}, {}};
  EXPECT_PLANNED(kUnread, 128u);
  constexpr auto kLives = arenite::lifetimes(kUnread.tensors, kUnread.ops, {}, {});
  static_assert(kLives.buffers()[0].first == 2 && kLives.buffers()[0].last == 2);
}

TEST(Lifetimes, AnUnusedInputHasAPlaceWhenItIsFilled) {
  static constexpr Graph<3, 2> kUnused = {{bytes(32), bytes(100), bytes(1)}, {{{1}, {2}}, {{2}, {}}}, {0, 1}, {}};
  EXPECT_PLANNED(kUnused, 133u);
  constexpr auto kLives = arenite::lifetimes(kUnused.tensors, kUnused.ops, kUnused.inputs, {});
  static_assert(kLives.buffers()[0].size == 32 && kLives.buffers()[0].last == 0);
}

TEST(Lifetimes, ScratchSharesWithNothingOfItsOperator) {
  static constexpr Graph<3, 3> kScratch = {
      {bytes(64), bytes(32), bytes(16)}, {{{}, {0}}, {{0}, {1}, {2}}, {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kScratch, 112u);
  constexpr auto kLives = arenite::lifetimes(kScratch.tensors, kScratch.ops, {}, {});
  static_assert(kLives.buffers()[2].first == 1 && kLives.buffers()[2].last == 1);
}

TEST(Lifetimes, ConstantsAndVariablesAreCountedAndNotPlanned) {
  static constexpr Graph<4, 2> kModel = {
      {bytes(100), constant(4096), variable(24), bytes(100)}, {{{0, 1, 2, -1}, {3}}, {{3}, {2}}}, {0}, {}};
  EXPECT_PLANNED(kModel, 200u);
  constexpr auto kLives = arenite::lifetimes(kModel.tensors, kModel.ops, kModel.inputs, {});
  static_assert(kLives.constants == 4096 && kLives.variables == 24);
}

TEST(Lifetimes, KeptTensorsAreCountedAndNotPlanned) {
  constexpr auto model = [](const Tensor& second) {
    return Graph<4, 3>{
        {bytes(100), second, view(10, 1, 4), bytes(100)}, {{{0}, {1}}, {{2}, {3}}, {{1, 3}, {}}}, {0}, {}};
  };
  static constexpr auto kModel = model(kept(50));
  EXPECT_PLANNED(kModel, 100u);
  constexpr auto kLives = arenite::lifetimes(kModel.tensors, kModel.ops, kModel.inputs, {});
  static_assert(kLives.kept == 50 && kLives.variables == 0 && kLives.constants == 0);
  static_assert(kLives.buffers()[1].size == 0 && kLives.buffers()[2].size == 0 && kLives.root(2) == 1);
  // The same as an activation, and as a variable.
  static constexpr auto kComesAndGoes = model(bytes(50));
  EXPECT_PLANNED(kComesAndGoes, 150u);
  static constexpr auto kVariable = model(variable(50));
  EXPECT_PLANNED(kVariable, 100u);
  static_assert(arenite::lifetimes(kComesAndGoes.tensors, kComesAndGoes.ops, {0}, {}).kept == 0);
  static_assert(arenite::lifetimes(kVariable.tensors, kVariable.ops, {0}, {}).kept == 0);
}

TEST(Lifetimes, KeptInputsAndOutputsOfTheGraphAreNotPlannedEither) {
  static constexpr Graph<3, 2> kEnds = {{kept(100), bytes(20), kept(30)}, {{{0}, {1}}, {{1}, {2}}}, {0}, {2, 0}};
  EXPECT_PLANNED(kEnds, 20u);
  static_assert(arenite::lifetimes(kEnds.tensors, kEnds.ops, kEnds.inputs, kEnds.outputs).kept == 130);
}

TEST(Lifetimes, BytesOfKeptTensorsSaturate) {
  constexpr Tensor kTensors[] = {kept(arenite::kMaxSize), kept(arenite::kMaxSize), kept(arenite::kMaxSize)};
  constexpr Op kOps[] = {{{}, {0, 1, 2}}};
  static_assert(arenite::lifetimes(kTensors, kOps, {}, {}).kept == static_cast<std::size_t>(-1));
}

TEST(Lifetimes, ExternalTensorsAreCountedAndNotPlanned) {
  static constexpr Graph<4, 3> kModel = {
      {bytes(100), external(50), view(10, 1, 4), bytes(100)}, {{{0}, {1}}, {{2}, {3}}, {{1, 3}, {}}}, {0}, {}};
  EXPECT_PLANNED(kModel, 100u);
  constexpr auto kLives = arenite::lifetimes(kModel.tensors, kModel.ops, {0}, {});
  static_assert(kLives.external == 50 && kLives.kept == 0 && kLives.variables == 0 && kLives.constants == 0);
  static_assert(kLives.buffers()[1].size == 0 && kLives.buffers()[2].size == 0 && kLives.root(2) == 1);
  // Inputs and outputs of the graph, or neither: filled by the user beforehand.
  static constexpr Graph<3, 2> kEnds = {
      {external(100), bytes(20), external(30)}, {{{0}, {1}}, {{1}, {2}}}, {0}, {2, 0}};
  EXPECT_PLANNED(kEnds, 20u);
  static_assert(arenite::lifetimes(kEnds.tensors, kEnds.ops, {0}, {2, 0}).external == 130);
  static_assert(arenite::lifetimes(kEnds.tensors, kEnds.ops, {}, {}).external == 130);
  constexpr Tensor kHuge[] = {external(arenite::kMaxSize), external(arenite::kMaxSize), external(arenite::kMaxSize)};
  static_assert(arenite::lifetimes(kHuge, {{{}, {0, 1, 2}}}, {}, {}).external == static_cast<std::size_t>(-1));
}

TEST(Lifetimes, TheWholeStepsOfAGraphWithoutOperators) {
  constexpr Tensor kTensors[] = {bytes(10), bytes(20)};
  constexpr const Op* kNone = nullptr;
  Buffer buffers[2];
  Index roots[2];
  std::size_t offsets[2];
  const auto summary = arenite::lifetimes(kTensors, 2, kNone, 0, {0}, {0}, buffers, roots, offsets);
  EXPECT_EQ(summary.status, Status::kOk);
  EXPECT_EQ(buffers[0].size, 10u);
  EXPECT_EQ(buffers[1].size, 0u);  // of which nobody knows
}

// --- views and in-place operators ------------------------------------------------------------------------------------

TEST(Lifetimes, ATensorLivesAsLongAsItsViews) {
  static constexpr Graph<3, 6> kView = {
      {bytes(64), view(16, 0, 16), bytes(64)}, {{{}, {0}}, {}, {{0}, {}}, {{}, {2}}, {{2}, {}}, {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kView, 128u);
  constexpr auto kLives = arenite::lifetimes(kView.tensors, kView.ops, {}, {});
  constexpr auto kPlan = arenite::plan(kLives.buffers());
  static_assert(kLives.root(1) == 0 && kLives.offset(kPlan, 1) == kPlan.offset(0) + 16);
}

TEST(Lifetimes, AnAliasNamedAsOutputKeepsItsTensor) {
  static constexpr Graph<3, 3> kAlias = {
      {bytes(64), view(64, 0, 0), bytes(50)}, {{{}, {0}}, {{}, {2}}, {{2}, {}}}, {}, {1}};
  EXPECT_PLANNED(kAlias, 114u);
}

TEST(Lifetimes, SlicesWrittenApartMakeOneTensor) {
  static constexpr Graph<3, 3> kConcat = {
      {bytes(100), view(60, 0, 0), view(40, 0, 60)}, {{{}, {1}}, {{}, {2}}, {{0}, {}}}, {}, {}};
  EXPECT_PLANNED(kConcat, 100u);
}

TEST(Lifetimes, AnOutputTakesThePlaceOfAnInputThatNobodyNeedsLater) {
  static constexpr Graph<2, 3> kRelu = {
      {bytes(100), bytes(100)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kRelu, 100u);
  static constexpr Graph<2, 4> kReadAgain = {
      {bytes(100), bytes(100)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}, {{0}, {}}}, {}, {}};
  EXPECT_PLANNED(kReadAgain, 200u);
  static constexpr Graph<2, 3> kLarger = {
      {bytes(100), bytes(101)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kLarger, 201u);
  static constexpr Graph<3, 4> kSeenThroughAView = {
      {bytes(100), bytes(100), view(10, 0, 0)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}, {{2}, {}}}, {}, {}};
  EXPECT_PLANNED(kSeenThroughAView, 200u);
  static constexpr Graph<2, 1> kAnOutput = {{bytes(100), bytes(100)}, {Op::in_place({0}, {1})}, {0}, {0, 1}};
  EXPECT_PLANNED(kAnOutput, 200u);
  static constexpr Graph<2, 2> kOfAConstant = {
      {constant(100), bytes(100)}, {Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kOfAConstant, 100u);
}

TEST(Lifetimes, InPlaceOperatorsChain) {
  static constexpr Graph<4, 5> kChain = {
      {bytes(100), bytes(100), bytes(90), bytes(80)},
      {{{}, {0}}, Op::in_place({0}, {1}), Op::in_place({1}, {2}), Op::in_place({2}, {3}), {{3}, {}}},
      {},
      {}};
  EXPECT_PLANNED(kChain, 100u);
  constexpr auto kLives = arenite::lifetimes(kChain.tensors, kChain.ops, {}, {});
  static_assert(kLives.root(3) == 0 && kLives.buffers()[0].first == 0 && kLives.buffers()[0].last == 4);
}

TEST(Lifetimes, AKeptTensorGivesItsPlaceToNobodyAndTakesNone) {
  static constexpr Graph<2, 3> kFrom = {
      {kept(100), bytes(100)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kFrom, 100u);
  static_assert(arenite::lifetimes(kFrom.tensors, kFrom.ops, {}, {}).root(1) == 1);
  static constexpr Graph<2, 3> kTo = {{bytes(100), kept(100)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kTo, 100u);
  constexpr auto kTaken = arenite::lifetimes(kTo.tensors, kTo.ops, {}, {});
  static_assert(kTaken.root(1) == 1 && kTaken.kept == 100 && kTaken.buffers()[0].last == 1);
  // Through a view, whose own kind does not matter: it is kept as its tensor is, or planned as that is.
  static constexpr Graph<3, 3> kFromView = {
      {kept(100), view(50, 0, 0), bytes(50)}, {{{}, {0}}, Op::in_place({1}, {2}), {{2}, {}}}, {}, {}};
  EXPECT_PLANNED(kFromView, 50u);
  static_assert(arenite::lifetimes(kFromView.tensors, kFromView.ops, {}, {}).root(2) == 2);
  static constexpr Graph<3, 3> kFromViewSaidToBe = {{bytes(100), {50, TensorKind::kKept, 1, 0, 0}, bytes(50)},
                                                    {{{}, {0}}, Op::in_place({1}, {2}), {{2}, {}}},
                                                    {},
                                                    {}};
  EXPECT_PLANNED(kFromViewSaidToBe, 100u);
  constexpr auto kSaid = arenite::lifetimes(kFromViewSaidToBe.tensors, kFromViewSaidToBe.ops, {}, {});
  static_assert(kSaid.root(2) == 0 && kSaid.kept == 0);
}

TEST(Lifetimes, AnExternalTensorGivesItsPlaceToNobodyAndTakesNone) {
  static constexpr Graph<2, 3> kFrom = {
      {external(100), bytes(100)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kFrom, 100u);
  static_assert(arenite::lifetimes(kFrom.tensors, kFrom.ops, {}, {}).root(1) == 1);
  static constexpr Graph<2, 3> kTo = {
      {bytes(100), external(100)}, {{{}, {0}}, Op::in_place({0}, {1}), {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kTo, 100u);
  static_assert(arenite::lifetimes(kTo.tensors, kTo.ops, {}, {}).root(1) == 1);
  static_assert(arenite::lifetimes(kTo.tensors, kTo.ops, {}, {}).buffers()[0].last == 1);
  // A view is what its tensor is, whatever its own kind.
  static constexpr Graph<2, 2> kSaid = {
      {bytes(100), {50, TensorKind::kExternal, 1, 0, 8}}, {{{}, {0}}, {{1}, {}}}, {}, {}};
  EXPECT_PLANNED(kSaid, 100u);
  static_assert(arenite::lifetimes(kSaid.tensors, kSaid.ops, {}, {}).external == 0);
}

// --- nested graphs ---------------------------------------------------------------------------------------------------

TEST(Lifetimes, ABodyLiesOnTopOfWhatTheCallerHolds) {
  static constexpr Graph<2, 6> kCall = {
      {bytes(100), bytes(50)},
      {{{0}, {}}, Op::call({}, {}), Op::body({}, {}), {{}, {1}}, Op::end(), {{0}, {}}},
      {0},
      {}};
  EXPECT_PLANNED(kCall, 150u);
}

TEST(Lifetimes, ExclusiveBranchesShareMemory) {
  static constexpr Graph<3, 8> kBranch = {
      {bytes(100), bytes(80), bytes(60)},
      {{{0}, {}}, Op::branch({}, {}), Op::body({}, {}), {{}, {1}}, Op::body({}, {}), {{}, {2}}, Op::end(), {{0}, {}}},
      {0},
      {}};
  EXPECT_PLANNED(kBranch, 180u);
}

TEST(Lifetimes, OutputsOfAnEarlierBodyStayAlive) {
  static constexpr Graph<4, 7> kBranch = {
      {bytes(10), bytes(80), bytes(60), bytes(10)},
      {Op::branch({0}, {3}), Op::body({}, {1}), {{}, {1}}, Op::body({}, {2}), {{}, {2}}, Op::end(), {{3}, {}}},
      {0},
      {}};
  EXPECT_PLANNED(kBranch, 160u);
}

TEST(Lifetimes, WhatALoopReadsLivesToItsEnd) {
  // Tensor 0 is read early in the loop, tensor 1 written after that: the next turn reads 0 again.
  static constexpr Graph<2, 6> kLoop = {
      {bytes(64), bytes(64)}, {{{}, {0}}, Op::loop({}, {}), Op::body({}, {}), {{0}, {}}, {{}, {1}}, Op::end()}, {}, {}};
  EXPECT_PLANNED(kLoop, 128u);
  // The same in a call, which runs once.
  static constexpr Graph<2, 6> kCall = {
      {bytes(64), bytes(64)}, {{{}, {0}}, Op::call({}, {}), Op::body({}, {}), {{0}, {}}, {{}, {1}}, Op::end()}, {}, {}};
  EXPECT_PLANNED(kCall, 64u);
}

TEST(Lifetimes, InputsOfABodyInALoopLiveOverAllOfIt) {
  constexpr Tensor kTensors[] = {bytes(8), bytes(8), bytes(8), bytes(8)};
  constexpr Op kOps[] = {Op::loop({0}, {3}), Op::body({}, {}), {{0}, {}}, Op::body({1}, {2}),
                         {{1}, {2}},         {{}, {}},         Op::end()};
  constexpr auto kLives = arenite::lifetimes(kTensors, kOps, {0}, {3});
  static_assert(kLives.buffers()[1].first == 0 && kLives.buffers()[1].last == 6);
  static_assert(kLives.buffers()[2].first == 4 && kLives.buffers()[2].last == 6);
  static_assert(kLives.buffers()[0].last == 6 && kLives.buffers()[3].first == 0);
}

constexpr Op nested(OpKind kind, const TensorList& scratch) {
  return kind == OpKind::kCall     ? Op::call({}, {}, scratch)
         : kind == OpKind::kBranch ? Op::branch({}, {}, scratch)
                                   : Op::loop({}, {}, scratch);
}

// A scratch of 64 bytes, a body that works with 50 and another one with 40, and 64 bytes after all of that.
template <OpKind kKind>
void expect_scratch_over_all_bodies() {
  static constexpr Graph<4, 8> kGraph = {
      {bytes(64), bytes(50), bytes(40), bytes(64)},
      {{}, nested(kKind, {0}), Op::body({}, {}), {{}, {1}}, Op::body({}, {}), {{}, {2}}, Op::end(), {{}, {3}}},
      {},
      {}};
  EXPECT_PLANNED(kGraph, 114u);
  constexpr auto kLives = arenite::lifetimes(kGraph.tensors, kGraph.ops, {}, {});
  static_assert(kLives.buffers()[0].first == 1 && kLives.buffers()[0].last == 6);
  static_assert(kLives.buffers()[1].last == 3 && kLives.buffers()[2].last == 5 && kLives.buffers()[3].first == 7);
}

TEST(Lifetimes, ScratchOfACallerLivesOverAllOfItsBodies) {
  expect_scratch_over_all_bodies<OpKind::kCall>();
  expect_scratch_over_all_bodies<OpKind::kBranch>();
  expect_scratch_over_all_bodies<OpKind::kLoop>();
}

TEST(Lifetimes, ScratchOfAnInnerCallerLivesToItsOwnEnd) {
  constexpr Tensor kTensors[] = {bytes(8), bytes(8), bytes(8)};
  constexpr Op kOps[] = {Op::branch({}, {}, {0}),
                         Op::body({}, {}),
                         Op::call({}, {}, {1}),
                         Op::body({}, {}),
                         {{}, {2}},
                         Op::end(),
                         {{}, {}},
                         Op::end()};
  constexpr auto kLives = arenite::lifetimes(kTensors, kOps, {}, {});
  static_assert(kLives.buffers()[0].first == 0 && kLives.buffers()[0].last == 7);
  static_assert(kLives.buffers()[1].first == 2 && kLives.buffers()[1].last == 5);
}

TEST(Lifetimes, ABodyDoesNotTakeThePlaceOfItsCallersScratch) {
  static constexpr Graph<2, 5> kInPlace = {
      {bytes(64), bytes(50)},
      {Op::call({}, {}, {0}), Op::body({}, {}), Op::in_place({0}, {1}), {{1}, {}}, Op::end()},
      {},
      {}};
  EXPECT_PLANNED(kInPlace, 114u);
}

// --- the plan as the tensors see it ----------------------------------------------------------------------------------

enum Name {
  kImage,
  kWeights,
  kBias,
  kState,
  kMap,
  kInner,
  kRelu,
  kSlice,
  kMemory,
  kPart,
  kScores,
  kUnused,
  kFrame,
  kRow,
  kNames
};
constexpr Tensor kEachKind[kNames] = {
    {80, TensorKind::kActivation, 16},  // kImage
    constant(40),                       // kWeights
    view(10, kWeights, 8),              // kBias
    variable(24),                       // kState
    bytes(64),                          // kMap
    view(60, kMap, 4),                  // kInner
    bytes(58),                          // kRelu, in place of kInner
    view(20, kRelu, 16),                // kSlice
    kept(12),                           // kMemory
    view(4, kMemory, 8),                // kPart
    bytes(32),                          // kScores
    bytes(8),                           // kUnused
    external(96),                       // kFrame
    view(16, kFrame, 16),               // kRow
};
constexpr Op kUseEachKind[] = {{{kImage, kWeights, kBias, kState, kFrame}, {kMap}},
                               Op::in_place({kInner}, {kRelu}),
                               {{kSlice}, {kMemory, kState, kRow}},
                               {{kPart, kRelu}, {kScores}}};

constexpr bool lies(const arenite::Plan<kNames>& places, Name tensor, std::size_t offset, std::size_t size) {
  return places.offset(tensor) == offset && places.size(tensor) == size;
}

constexpr bool right_places(const arenite::Plan<kNames>& places, const arenite::Plan<kNames>& plan) {
  const bool planned = lies(places, kImage, 0, 80) && lies(places, kMap, 80, 64) && lies(places, kInner, 84, 60) &&
                       lies(places, kRelu, 84, 58) && lies(places, kSlice, 100, 20) && lies(places, kScores, 0, 32);
  const bool elsewhere = lies(places, kWeights, 0, 0) && lies(places, kBias, 0, 0) && lies(places, kState, 0, 0) &&
                         lies(places, kMemory, 0, 0) && lies(places, kPart, 0, 0) && lies(places, kUnused, 0, 0) &&
                         lies(places, kFrame, 0, 0) && lies(places, kRow, 0, 0);
  return planned && elsewhere && places.size() == 144 && places.size() == plan.size() && places.alignment() == 16 &&
         places.status() == Status::kOk && places.lower_bound() == plan.lower_bound() && places.proven();
}

TEST(Lifetimes, ResolvesThePlanToWhereEachTensorLies) {
  constexpr auto kLives = arenite::lifetimes(kEachKind, kUseEachKind, {kImage}, {kScores});
  constexpr auto kPlan = arenite::plan(kLives.buffers());
  static_assert(kLives.root(kRelu) == kMap && kLives.root(kSlice) == kMap);
  static_assert(right_places(kLives.resolve(kPlan, kEachKind), kPlan));
  static_assert(right_places(kLives.resolve(kPlan.offsets_only(), kEachKind), kPlan));

  const auto lives = arenite::lifetimes(kEachKind, kUseEachKind, {kImage}, {kScores});
  const auto plan = arenite::plan(lives.buffers());
  const auto places = lives.resolve(plan, kEachKind);
  EXPECT_TRUE(right_places(places, plan));
  EXPECT_TRUE(right_places(lives.resolve(plan.offsets_only(), kEachKind), plan));
  for (std::size_t i = 0; i < kNames; ++i) {
    EXPECT_EQ(places.offset(i), places.size(i) == 0 ? 0 : lives.offset(plan, i)) << i;
  }

  // Without reuse, other offsets and the same sizes.
  const auto apart = arenite::plan<arenite::linear>(lives.buffers());
  const auto resolved = lives.resolve(apart, kEachKind);
  EXPECT_EQ(resolved.size(), 176u);
  EXPECT_EQ(resolved.lower_bound(), 144u);
  EXPECT_FALSE(resolved.proven());
  for (std::size_t i = 0; i < kNames; ++i) {
    EXPECT_EQ(resolved.offset(i), places.size(i) == 0 ? 0 : lives.offset(apart, i)) << i;
    EXPECT_EQ(resolved.size(i), places.size(i)) << i;
  }
}

// A plan of the user's: what `resolve` asks for, and no more.
struct OwnPlan : arenite::PlanSummary {
  using PlanSummary::PlanSummary;
  [[nodiscard]] constexpr std::size_t offset(std::size_t index) const { return 1000 * (index + 1); }
  [[nodiscard]] constexpr std::size_t lower_bound() const { return status() == Status::kOk ? 77 : 0; }
};

TEST(Lifetimes, ResolvesAPlanOfTheUsers) {
  constexpr auto kLives = arenite::lifetimes(kEachKind, kUseEachKind, {kImage}, {kScores});
  constexpr auto kPlaces = kLives.resolve(OwnPlan(20000, 64), kEachKind);
  static_assert(kPlaces.status() == Status::kOk && kPlaces.size() == 20000 && kPlaces.alignment() == 64);
  static_assert(kPlaces.lower_bound() == 77 && kPlaces.culprit() == arenite::kNoIndex);
  static_assert(lies(kPlaces, kImage, 1000, 80) && lies(kPlaces, kSlice, 5020, 20) && lies(kPlaces, kState, 0, 0));
}

TEST(Lifetimes, APlanThatWasRefusedStaysSo) {
  constexpr auto kLives = arenite::lifetimes(kEachKind, kUseEachKind, {kImage}, {kScores});
  constexpr auto kPlaces = kLives.resolve(OwnPlan(Status::kSizeOverflow, Index{4}), kEachKind);
  static_assert(kPlaces.status() == Status::kSizeOverflow && kPlaces.culprit() == 4);
  static_assert(kPlaces.size() == 0 && kPlaces.lower_bound() == 0 && !kPlaces.proven());

  const auto lives = arenite::lifetimes(kEachKind, kUseEachKind, {kImage}, {kScores});
  const auto places = lives.resolve(OwnPlan(Status::kSizeOverflow, Index{4}), kEachKind);
  EXPECT_EQ(places.status(), Status::kSizeOverflow);
  EXPECT_EQ(places.culprit(), 4u);
  for (std::size_t i = 0; i < kNames; ++i) {
    EXPECT_EQ(places.offset(i), 0u) << i;
    EXPECT_EQ(places.size(i), 0u) << i;
  }
}

// --- a graph of 100 operators in the compiler, within its default limits ---------------------------------------------

template <std::size_t N>
constexpr Graph<N + 1, N> chain_with_skips() {
  Graph<N + 1, N> graph{};
  graph.tensors[0] = {1000};
  for (std::size_t i = 0; i < N; ++i) {
    const int step = static_cast<int>(i);
    graph.tensors[i + 1] = {1000 + i * 37 % 900};
    graph.ops[i] = i % 3 == 0 && i > 3 ? Op{{step, step - 2}, {step + 1}} : Op{{step}, {step + 1}};
  }
  graph.inputs = {0};
  graph.outputs = {static_cast<int>(N)};
  return graph;
}

TEST(Lifetimes, AHundredOperatorsInTheCompiler) {
  static constexpr auto kGraph = chain_with_skips<100>();
  constexpr std::size_t kPlanned = planned(kGraph);
  static_assert(kPlanned != 0);
  EXPECT_EQ(planned(kGraph), kPlanned);

  static constexpr auto kLives = arenite::lifetimes(kGraph.tensors, kGraph.ops, kGraph.inputs, kGraph.outputs);
  static constexpr auto kPlan = arenite::plan(kLives.buffers());
  constexpr auto kPlaces = kLives.resolve(kPlan, kGraph.tensors);
  for (std::size_t i = 0; i < kPlaces.count(); ++i) {
    EXPECT_EQ(kPlaces.offset(i), kPlan.offset(i)) << i;
    EXPECT_EQ(kPlaces.size(i), kPlan.size(i)) << i;
  }
}

// --- what is refused -------------------------------------------------------------------------------------------------

template <std::size_t T, std::size_t O>
arenite::GraphSummary refusal(const Tensor (&tensors)[T], const Op (&ops)[O], const TensorList& inputs = {},
                              const TensorList& outputs = {}) {
  Buffer buffers[T];
  Index roots[T];
  std::size_t offsets[T];
  const auto summary = arenite::lifetimes(tensors, T, ops, O, inputs, outputs, buffers, roots, offsets);
  for (const Buffer& buffer : buffers) EXPECT_TRUE(summary.status == Status::kOk || buffer.size == 0);
  return summary;
}

void expect_refused(const arenite::GraphSummary& summary, Status status, int tensor, int op) {
  EXPECT_EQ(summary.status, status) << arenite::to_string(summary.status);
  EXPECT_EQ(summary.tensor, static_cast<Index>(tensor));
  EXPECT_EQ(summary.op, static_cast<Index>(op));
}

TEST(Lifetimes, NamesWhatIsWrong) {
  const Tensor two[] = {bytes(4), bytes(4)};
  expect_refused(refusal(two, {{{0}, {1}}, {{}, {0}}}), Status::kReadBeforeWritten, 0, 0);
  expect_refused(refusal(two, {{{1}, {}}}, {0}), Status::kReadBeforeWritten, 1, 0);
  expect_refused(refusal(two, {{{0}, {}}}, {0}, {1}), Status::kReadBeforeWritten, 1, -1);
  expect_refused(refusal(two, {{{}, {0}}, {{}, {0}}}), Status::kWrittenTwice, 0, 1);
  expect_refused(refusal(two, {{{}, {0}}}, {0}), Status::kWrittenTwice, 0, 0);
  expect_refused(refusal(two, {{{}, {0, 0}}}), Status::kWrittenTwice, 0, 0);
  expect_refused(refusal(two, {{{2}, {}}}), Status::kOutOfBounds, 2, 0);
  expect_refused(refusal(two, {{{}, {2}}}), Status::kOutOfBounds, 2, 0);
  expect_refused(refusal(two, {{{}, {}, {2}}}), Status::kOutOfBounds, 2, 0);
  expect_refused(refusal(two, {{{}, {}}}, {7}), Status::kOutOfBounds, 7, -1);
  expect_refused(refusal(two, {{{}, {}}}, {}, {7}), Status::kOutOfBounds, 7, -1);
  expect_refused(refusal(two, {{{1}, {1}}}), Status::kCycle, 1, 0);
  expect_refused(refusal(two, {{{1}, {0}}, {{0}, {1}}}), Status::kCycle, 1, 0);
  expect_refused(refusal({constant(4)}, {{{}, {0}}}), Status::kConstantWritten, 0, 0);
  expect_refused(refusal(two, {{{}, {}, {0}}, {{}, {}, {0}}}), Status::kWrittenTwice, 0, 1);
}

TEST(Lifetimes, ChecksKeptTensorsAsActivations) {
  const Tensor two[] = {kept(4), bytes(4)};
  expect_refused(refusal(two, {{{0}, {1}}, {{}, {0}}}), Status::kReadBeforeWritten, 0, 0);
  expect_refused(refusal(two, {{{}, {1}}}, {}, {0}), Status::kReadBeforeWritten, 0, -1);
  expect_refused(refusal(two, {{{0}, {1}}, {{1}, {0}}}), Status::kCycle, 0, 0);
  expect_refused(refusal(two, {{{}, {0}}, {{}, {0}}}), Status::kWrittenTwice, 0, 1);
  expect_refused(refusal(two, {{{}, {0}}}, {0}), Status::kWrittenTwice, 0, 0);
  expect_refused(refusal(two, {{{}, {0}}, {{0}, {1}}}), Status::kOk, -1, -1);
  expect_refused(refusal({kept(4), view(4, 0, 0)}, {{{1}, {}}, {{}, {0}}}), Status::kReadBeforeWritten, 1, 0);
  expect_refused(refusal({kept(4), view(4, 0, 0)}, {{{}, {1}}, {{}, {1}}}), Status::kWrittenTwice, 1, 1);
  // A variable has its value from the former run.
  const Tensor state[] = {variable(4), bytes(4)};
  expect_refused(refusal(state, {{{0}, {1}}, {{1}, {0}}, {{}, {0}}}, {0}, {0}), Status::kOk, -1, -1);
}

TEST(Lifetimes, ChecksNothingOfExternalTensors) {
  const Tensor two[] = {external(4), bytes(4)};
  expect_refused(refusal(two, {{{0}, {1}}, {{1}, {0}}, {{}, {0}}}, {0}, {0}), Status::kOk, -1, -1);
  expect_refused(refusal({external(4), view(4, 0, 0)}, {{{1}, {1}}, {{}, {0, 1}}}), Status::kOk, -1, -1);
  // But what they are, and where.
  expect_refused(refusal({external(arenite::kMaxSize + 1)}, {{{}, {}}}), Status::kSizeOverflow, 0, -1);
  expect_refused(refusal({external(4), view(4, 0, 1)}, {{{}, {}}}), Status::kOutOfBounds, 1, -1);
}

TEST(Lifetimes, RefusesViewsThatDoNotFit) {
  expect_refused(refusal({bytes(10), view(5, 0, 6)}, {{{}, {}}}), Status::kOutOfBounds, 1, -1);
  expect_refused(refusal({bytes(10), view(5, 2, 0)}, {{{}, {}}}), Status::kOutOfBounds, 1, -1);
  expect_refused(refusal({view(5, 1, 0), view(5, 0, 0)}, {{{}, {}}}), Status::kCycle, 0, -1);
  expect_refused(refusal({bytes(10), {4, TensorKind::kActivation, 4, 0, 2}}, {{{}, {}}}), Status::kMisaligned, 1, -1);
  expect_refused(refusal({{4, TensorKind::kActivation, 3}}, {{{}, {}}}), Status::kInvalidAlignment, 0, -1);
  expect_refused(refusal({bytes(arenite::kMaxSize + 1)}, {{{}, {}}}), Status::kSizeOverflow, 0, -1);
}

TEST(Lifetimes, RefusesWrongNesting) {
  const Tensor one[] = {bytes(4)};
  expect_refused(refusal(one, {Op::end()}), Status::kBadNesting, -1, 0);
  expect_refused(refusal(one, {Op::body({}, {})}), Status::kBadNesting, -1, 0);
  expect_refused(refusal(one, {Op::loop({}, {})}), Status::kBadNesting, -1, 0);
  const std::vector<Op> deep(arenite::detail::GraphWalk::kMaxDepth + 1, Op::call({}, {}));
  Buffer buffers[1];
  Index roots[1];
  std::size_t offsets[1];
  const auto summary = arenite::lifetimes(one, 1, deep.data(), deep.size(), {}, {}, buffers, roots, offsets);
  EXPECT_EQ(summary.status, Status::kBadNesting);
}

TEST(TensorList, HoldsSevenAndLooksAtMore) {
  const Tensor tensors[10] = {bytes(1), bytes(1), bytes(1), bytes(1), bytes(1),
                              bytes(1), bytes(1), bytes(1), bytes(1), bytes(1)};
  expect_refused(refusal(tensors, {{{}, {0, 1, 2, 3, 4, 5, 6, 7}}}), Status::kTooManyBuffers, -1, 0);
  static constexpr Index kAll[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  expect_refused(refusal(tensors, {{{}, {kAll, 10}}, {{kAll, 10}, {}}}), Status::kOk, -1, -1);
}

// --- against a simulation that marks every byte ----------------------------------------------------------------------

TEST(Lifetimes, RandomGraphsKeepTheirBytes) {
  planning::Random random;
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 20000 : 500); ++round) {
    const graph_model::AnyGraph graph = graph_model::RandomGraph<planning::Random>(random).graph;
    const graph_model::Lives lives(graph);
    ASSERT_EQ(lives.summary.status, Status::kOk) << to_string(lives.summary.status) << " " << lives.summary.tensor;
    const char* const what = graph_model::run_in_planned_memory(graph, lives, random);
    ASSERT_EQ(what, nullptr) << what << ", round " << round << ", seed " << random.seed();
  }
}

// An output may not take a place in which one of its views would be misaligned.
TEST(Lifetimes, InPlaceLooksAtTheViewsOfTheOutput) {
  for (const std::size_t alignment : {std::size_t{16}, std::size_t{32}, std::size_t{64}}) {
    // Tensor 1 is 16 bytes into tensor 0, tensor 3 is tensor 2 by another name.
    const Tensor tensors[] = {
        {256}, {128, TensorKind::kActivation, 16, 0, 16}, {64}, {64, TensorKind::kActivation, alignment, 2, 0}, {4}};
    const Op ops[] = {{{}, {0}}, Op::in_place({1}, {2}), {{3}, {4}}};
    const auto lives = arenite::lifetimes(tensors, ops, {}, {4});
    ASSERT_EQ(lives.status, Status::kOk);
    EXPECT_EQ(lives.root(2), alignment == 16 ? 0 : 2) << alignment;
    const auto plan = arenite::plan(lives.buffers());
    EXPECT_TRUE(plan.verify(lives.buffers()).ok());
    EXPECT_EQ(lives.offset(plan, 3) % alignment, 0u);
    EXPECT_GE(plan.alignment(), alignment);
  }
}

// Nor that of a tensor of which the operator reads another part.
TEST(Lifetimes, InPlaceLooksAtTheOtherInputs) {
  for (const std::size_t offset : {0u, 16u}) {
    const Tensor tensors[] = {{64}, {48, TensorKind::kActivation, 16, 0, offset}, {48}, {4}};
    const Op ops[] = {{{}, {0}}, Op::in_place({0, 1}, {2}), {{2}, {3}}};
    const auto lives = arenite::lifetimes(tensors, ops, {}, {3});
    ASSERT_EQ(lives.status, Status::kOk);
    EXPECT_EQ(lives.root(2), offset == 0 ? 0 : 2);
  }
}

// A body's input that is a view lives since its tensor does.
TEST(Lifetimes, InputsOfABodyInALoopMayBeViewsOfWhatWasThereBefore) {
  const Tensor tensors[] = {bytes(16), view(8, 0, 0), bytes(16), bytes(4)};
  const Op ops[] = {{{}, {}, {0}}, {{}, {2}}, Op::loop({}, {}), Op::body({1}, {1}), {{1, 2}, {3}}, Op::end()};
  const auto lives = arenite::lifetimes(tensors, ops, {}, {});
  ASSERT_EQ(lives.status, Status::kOk);
  EXPECT_EQ(lives.buffers()[0].first, 0u);
  EXPECT_EQ(lives.buffers()[0].last, 5u);
}

// Nor that of a tensor beside which a part of the output was alive already, as somebody else wrote it.
TEST(Lifetimes, InPlaceLooksAtWhatThereIsOfTheOutput) {
  for (const bool before : {false, true}) {
    const Tensor tensors[] = {{32}, {32}, {8, TensorKind::kActivation, 8, 1, 0}, {4}};
    const Op ops[] = {{{}, {0}}, {{}, {before ? 2 : -1}}, Op::in_place({0}, {1}), {{1, 2}, {3}}};
    const auto lives = arenite::lifetimes(tensors, ops, {}, {3});
    ASSERT_EQ(lives.status, Status::kOk);
    EXPECT_EQ(lives.root(1), before ? 1 : 0);
    EXPECT_EQ(lives.root(2), before ? 1 : 0);
  }
}

TEST(Lifetimes, InPlaceLooksAtWhatElseItsOperatorWrites) {
  // A table, a view of its bytes 16 to 31, and the result: over the view, unless the table is written, too.
  const Tensor tensors[] = {{64}, {16, TensorKind::kActivation, 16, 0, 16}, {16}};
  const Op alone[] = {Op::in_place({1}, {2}), {{2}, {}}};
  const Op output[] = {Op::in_place({1}, {2, 0}), {{2}, {}}};
  const Op scratch[] = {Op::in_place({1}, {2}, {0}), {{2}, {}}};
  EXPECT_EQ(arenite::lifetimes(tensors, alone, {1}, {2}).root(2), 0u);
  const Op optional[] = {Op::in_place({1}, {2, -1}, {-1}), {{2}, {}}};  // an output and scratch that are not there
  EXPECT_EQ(arenite::lifetimes(tensors, optional, {1}, {2}).root(2), 0u);
  for (const Op* const ops : {output, scratch}) {
    const Op both[] = {ops[0], ops[1]};
    const auto lives = arenite::lifetimes(tensors, both, {1}, {2});
    ASSERT_EQ(lives.status, Status::kOk);
    EXPECT_EQ(lives.root(2), 2u);
  }
}

TEST(Lifetimes, WithoutMemoryAreRefused) {
  const Tensor tensor[] = {{4}};
  const Op op[] = {{{}, {0}}};
  arenite::Buffer buffer[1];
  arenite::Index root[1];
  std::size_t offset[1];
  EXPECT_EQ(arenite::lifetimes(nullptr, 1, op, 1, {}, {}, buffer, root, offset).status, Status::kNullMemory);
  EXPECT_EQ(arenite::lifetimes(tensor, 1, nullptr, 1, {}, {}, buffer, root, offset).status, Status::kNullMemory);
  EXPECT_EQ(arenite::lifetimes(nullptr, 0, nullptr, 0, {}, {}, nullptr, nullptr, nullptr).status, Status::kOk);
  const Op lost[] = {{arenite::TensorList(nullptr, 100), {0}}};
  EXPECT_EQ(arenite::lifetimes(tensor, 1, lost, 1, {}, {}, buffer, root, offset).status, Status::kTooManyBuffers);
}

// --- what only odd programs do, at run time
// ---------------------------------------------------------------------------

// Where the compiler would have named a function, a program gets the status.
TEST(Lifetimes, ArraysAreRefusedAtRunTimeToo) {
  const auto status_of = [](const auto& tensors, const auto& ops) {
    const auto lives = arenite::lifetimes(tensors, ops, {}, {});
    for (const Buffer& buffer : lives.buffers()) EXPECT_EQ(buffer.size, 0u);
    return lives.status;
  };
  const Op nothing[] = {{{}, {}}};
  const Tensor one[] = {bytes(4)};
  const Tensor odd[] = {{4, TensorKind::kActivation, 3}};
  EXPECT_EQ(status_of(odd, nothing), Status::kInvalidAlignment);
  const Tensor large[] = {bytes(arenite::kMaxSize + 1)};
  EXPECT_EQ(status_of(large, nothing), Status::kSizeOverflow);
  const Tensor beyond[] = {bytes(4), view(4, 0, 1)};
  EXPECT_EQ(status_of(beyond, nothing), Status::kOutOfBounds);
  const Tensor far[] = {bytes(4), view(0, 0, 5)};
  EXPECT_EQ(status_of(far, nothing), Status::kOutOfBounds) << "of nothing, behind the end";
  const Tensor at_the_end[] = {bytes(4), view(0, 0, 4)};
  EXPECT_EQ(status_of(at_the_end, nothing), Status::kOk);
  const Tensor misaligned[] = {bytes(8), {4, TensorKind::kActivation, 4, 0, 2}};
  EXPECT_EQ(status_of(misaligned, nothing), Status::kMisaligned);
  const Op reads[] = {{{0}, {}}};
  EXPECT_EQ(status_of(one, reads), Status::kReadBeforeWritten);
  const Op writes_twice[] = {{{}, {0}}, {{}, {0}}};
  EXPECT_EQ(status_of(one, writes_twice), Status::kWrittenTwice);
  const Tensor fixed[] = {constant(4)};
  const Op writes[] = {{{}, {0}}};
  EXPECT_EQ(status_of(fixed, writes), Status::kConstantWritten);
  const Op circle[] = {{{0}, {0}}};
  EXPECT_EQ(status_of(one, circle), Status::kCycle);
  const Op ends[] = {Op::end()};
  EXPECT_EQ(status_of(one, ends), Status::kBadNesting);
  const Op many[] = {{{}, {0, 0, 0, 0, 0, 0, 0, 0}}};
  EXPECT_EQ(status_of(one, many), Status::kTooManyBuffers);
}

TEST(Lifetimes, TooManyAreRefusedBeforeAnythingIsLookedAt) {
  const Tensor tensor[] = {bytes(4)};
  const Op op[] = {{{}, {0}}};
  Buffer buffer[1];
  Index root[1];
  std::size_t offset[1];
  constexpr std::size_t kMany = arenite::kMaxBuffers + 1;
  EXPECT_EQ(arenite::lifetimes(tensor, 1, op, kMany, {}, {}, buffer, root, offset).status, Status::kTooManyBuffers);
  EXPECT_EQ(arenite::lifetimes(tensor, 1, nullptr, kMany, {}, {}, buffer, root, offset).status,
            Status::kTooManyBuffers);
  EXPECT_EQ(arenite::lifetimes(nullptr, kMany, op, 1, {}, {}, buffer, root, offset).status, Status::kTooManyBuffers);
}

// The first fault is named, and what comes after it is not looked at.
TEST(Lifetimes, NamesTheFirstOfSeveralFaults) {
  const Tensor three[] = {bytes(4), constant(4), bytes(4)};
  expect_refused(refusal(three, {{{0, 2}, {}}}), Status::kReadBeforeWritten, 0, 0);
  expect_refused(refusal(three, {{{}, {1, 2, 2}}}), Status::kConstantWritten, 1, 0);
  expect_refused(refusal(three, {{{}, {0, 7, 1}}}), Status::kOutOfBounds, 7, 0);
  expect_refused(refusal(three, {{{}, {7, 9}}}), Status::kOutOfBounds, 7, 0);
  expect_refused(refusal({bytes(arenite::kMaxSize + 1), {4, TensorKind::kActivation, 3}}, {{{}, {}}}),
                 Status::kSizeOverflow, 0, -1);
  // In a loop: a body fills its input, and does not write its output.
  expect_refused(refusal(three, {Op::loop({}, {}), Op::body({2}, {0}), Op::body({}, {}), Op::end()}),
                 Status::kReadBeforeWritten, 0, 3);
}

TEST(Lifetimes, ABodyHasNoScratch) {
  const Tensor one[] = {bytes(4)};
  const Op body{{}, {}, {0}, OpKind::kBody};
  expect_refused(refusal(one, {Op::call({}, {}), body, Op::end()}), Status::kBadNesting, -1, 1);
}

// What is not there is -1 wherever a tensor may stand.
TEST(Lifetimes, TakeWhatIsNotThereEverywhere) {
  const Tensor three[] = {bytes(16), bytes(8), variable(4)};
  expect_refused(refusal(three, {{{-1}, {-1, 0}, {-1}}, {{0, -1}, {1}}}, {-1}, {1, -1}), Status::kOk, -1, -1);
  expect_refused(refusal(three, {Op::loop({}, {}), Op::body({-1, 2, 0}, {-1, 0}), Op::end()}), Status::kOk, -1, -1);
  // Neither operator has a place to take.
  for (const Op& op : {Op::in_place({}, {1}), Op::in_place({0}, {}), Op::in_place({-1}, {1}), Op::in_place({0}, {-1}),
                       Op::in_place({}, {})}) {
    const Op ops[] = {{{}, {0}}, op};
    const auto lives = arenite::lifetimes(three, ops, {}, {});
    ASSERT_EQ(lives.status, Status::kOk);
    EXPECT_EQ(lives.root(0), 0u);
    EXPECT_EQ(lives.root(1), 1u);
  }
  // A cycle is found where others are missing.
  expect_refused(refusal(three, {{{-1, 1}, {-1, 0}}, {{-1, 0}, {1, -1}}}), Status::kCycle, 1, 0);
}

// The output of an operator in place is a tensor of which the input is a view: it lies there already.
TEST(Lifetimes, InPlaceOfAViewOfItself) {
  const Tensor tensors[] = {bytes(16), view(8, 0, 8), bytes(4)};
  const Op ops[] = {{{}, {1}}, Op::in_place({1}, {0}), {{0}, {2}}};
  const auto lives = arenite::lifetimes(tensors, ops, {}, {2});
  ASSERT_EQ(lives.status, Status::kOk);
  EXPECT_EQ(lives.root(0), 0u);
  EXPECT_EQ(lives.root(1), 0u);
  EXPECT_EQ(lives.buffers()[0].size, 16u);
  EXPECT_EQ(lives.buffers()[0].first, 0u);
  EXPECT_EQ(lives.buffers()[0].last, 2u);
  const auto plan = arenite::plan(lives.buffers());
  EXPECT_EQ(lives.offset(plan, 1), lives.offset(plan, 0) + 8);

  const Op last[] = {{{}, {1}}, Op::in_place({1}, {0})};  // where nobody reads it later
  const auto ends = arenite::lifetimes(tensors, last, {}, {});
  ASSERT_EQ(ends.status, Status::kOk);
  EXPECT_EQ(ends.root(0), 0u);
  EXPECT_EQ(ends.root(1), 0u);
  EXPECT_EQ(ends.offset(arenite::plan(ends.buffers()), 1), 8u);
}

TEST(TensorList, MadeAtRunTimeHoldsSeven) {
  const auto list_of = [](int from) {
    return std::pair(TensorList{from, from + 1, from + 2, from + 3, from + 4, from + 5, -1},
                     TensorList{from, from + 1, from + 2, from + 3, from + 4, from + 5, from + 6, from + 7});
  };
  volatile int from = 3;
  const auto [seven, eight] = list_of(from);
  EXPECT_TRUE(seven.complete());
  ASSERT_EQ(seven.count(), 7u);
  EXPECT_EQ(seven[0], 3u);
  EXPECT_EQ(seven[5], 8u);
  EXPECT_EQ(seven[6], arenite::kNoIndex);
  EXPECT_FALSE(eight.complete());
}

}  // namespace
