// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/lifetimes.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

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

// A random graph with calls, branches, loops, scratch, views and in-place operators.
class RandomGraph {
 public:
  explicit RandomGraph(planning::Random& random) : random_(random) {
    std::vector<Index> visible;
    for (unsigned i = below(3); i > 0; --i) visible.push_back(make());
    inputs = visible;
    block(visible, 0);
    for (const Index tensor : visible) {
      if (below(4) == 0) outputs.push_back(tensor);
    }
  }

  std::vector<Tensor> tensors;
  std::vector<Op> ops;
  std::vector<Index> inputs;
  std::vector<Index> outputs;

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_.below(limit)); }

  Index make() {
    constexpr std::size_t kAlignments[] = {1, 1, 4, 16};
    tensors.push_back({1 + below(40), TensorKind::kActivation, kAlignments[below(4)]});
    return static_cast<Index>(tensors.size() - 1);
  }
  int any_of(const std::vector<Index>& from) {
    return from.empty() || below(8) == 0 ? -1 : static_cast<int>(from[below(static_cast<unsigned>(from.size()))]);
  }

  void block(std::vector<Index>& visible, unsigned depth) {
    for (unsigned i = 1 + below(5); i > 0; --i) {
      if (depth < 2 && below(4) == 0) {
        nested(visible, depth);
        continue;
      }
      const TensorList in = {any_of(visible), any_of(visible)};
      const Index out = make();
      const TensorList scratch = below(3) == 0 ? TensorList{static_cast<int>(make())} : TensorList{};
      ops.push_back(below(3) == 0 ? Op::in_place(in, {static_cast<int>(out)}, scratch)
                                  : Op{in, {static_cast<int>(out)}, scratch});
      visible.push_back(out);
      if (below(4) == 0) {  // a slice of it
        const std::size_t size = tensors[out].size;
        const std::size_t offset = below(static_cast<unsigned>(size));
        tensors.push_back({size - offset, TensorKind::kActivation, 1, out, offset});
        visible.push_back(static_cast<Index>(tensors.size() - 1));
      }
    }
  }

  void nested(std::vector<Index>& visible, unsigned depth) {
    const int in = any_of(visible);
    const Index out = make();
    const TensorList outs = {static_cast<int>(out)};
    const unsigned kind = below(3);
    ops.push_back(kind == 0 ? Op::call({in}, outs) : kind == 1 ? Op::branch({in}, outs) : Op::loop({in}, outs));
    for (unsigned bodies = 1 + below(2); bodies > 0; --bodies) {
      std::vector<Index> inner = visible;
      const Index body_input = make();
      inner.push_back(body_input);
      const std::size_t body = ops.size();
      ops.push_back(Op::body({static_cast<int>(body_input)}, {}));
      block(inner, depth + 1);
      ops[body].outputs = {static_cast<int>(inner.back())};
    }
    ops.push_back(Op::end());
    visible.push_back(out);
  }

  planning::Random& random_;
};

// Runs a graph in planned memory: each tensor that is written fills its bytes with values of its own, and each that is
// read must still have them. A view is its tensor's bytes.
class Simulation {
 public:
  Simulation(const RandomGraph& graph, const std::vector<std::size_t>& places, std::size_t size,
             planning::Random& random)
      : graph_(graph), places_(places), memory_(size), random_(random) {
    for (const Index tensor : graph.inputs) write(tensor);
    run(0, graph.ops.size());
    for (const Index tensor : graph.outputs) read(tensor);
  }
  bool intact = true;

 private:
  // The tensor that a view is a view of, by the graph and not by what took whose place.
  Index owner(Index tensor) const {
    while (graph_.tensors[tensor].view_of != arenite::kNoIndex) tensor = graph_.tensors[tensor].view_of;
    return tensor;
  }
  void write(Index tensor) {
    if (tensor == arenite::kNoIndex) return;
    tensor = owner(tensor);
    for (std::size_t i = 0; i < graph_.tensors[tensor].size; ++i) memory_[places_[tensor] + i] = tensor;
  }
  void read(Index tensor) {
    if (tensor == arenite::kNoIndex) return;
    const Index whole = owner(tensor);
    for (std::size_t i = 0; i < graph_.tensors[tensor].size; ++i) {
      if (memory_[places_[tensor] + i] != whole) intact = false;
    }
  }
  template <class Do>
  static void each(const TensorList& list, Do todo) {
    for (std::size_t i = 0; i < list.count(); ++i) todo(list[i]);
  }
  void read_all(const TensorList& list) {
    each(list, [this](Index tensor) { read(tensor); });
  }
  void write_all(const TensorList& list) {
    each(list, [this](Index tensor) { write(tensor); });
  }

  std::size_t end_of(std::size_t begin) const {
    std::size_t depth = 1;
    for (std::size_t i = begin + 1;; ++i) {
      const OpKind kind = graph_.ops[i].kind;
      if (kind == OpKind::kCall || kind == OpKind::kBranch || kind == OpKind::kLoop) ++depth;
      if (kind == OpKind::kEnd && --depth == 0) return i;
    }
  }

  void run(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Op& op = graph_.ops[i];
      if (op.kind == OpKind::kPlain || op.kind == OpKind::kInPlace) {
        write_all(op.scratch);
        read_all(op.inputs);
        write_all(op.outputs);
        read_all(op.scratch);
        continue;
      }
      const std::size_t last = end_of(i);
      run_bodies(i, last);
      i = last;
    }
  }

  void run_bodies(std::size_t caller, std::size_t end) {
    const Op& op = graph_.ops[caller];
    std::vector<std::size_t> bodies;
    std::size_t depth = 0;
    for (std::size_t i = caller + 1; i < end; ++i) {
      const OpKind kind = graph_.ops[i].kind;
      if (kind == OpKind::kBody && depth == 0) bodies.push_back(i);
      if (kind == OpKind::kCall || kind == OpKind::kBranch || kind == OpKind::kLoop) ++depth;
      if (kind == OpKind::kEnd) --depth;
    }
    bodies.push_back(end);
    read_all(op.inputs);
    const std::size_t count = bodies.size() - 1;
    const std::size_t chosen = random_.below(static_cast<std::uint32_t>(count));
    if (op.kind == OpKind::kLoop) {
      for (std::size_t k = 0; k < count; ++k) write_all(graph_.ops[bodies[k]].inputs);
    }
    for (int turn = 0; turn < (op.kind == OpKind::kLoop ? 3 : 1); ++turn) {
      for (std::size_t k = 0; k < count; ++k) {
        if (op.kind == OpKind::kBranch && k != chosen) continue;
        if (op.kind != OpKind::kLoop) write_all(graph_.ops[bodies[k]].inputs);
        run(bodies[k] + 1, bodies[k + 1]);
      }
      if (op.kind == OpKind::kLoop) {
        for (std::size_t k = 0; k < count; ++k) read_all(graph_.ops[bodies[k]].inputs);  // the next turn needs them
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (op.kind == OpKind::kBranch && k != chosen) continue;
      read_all(graph_.ops[bodies[k]].outputs);
    }
    read_all(op.inputs);
    write_all(op.outputs);
  }

  const RandomGraph& graph_;
  const std::vector<std::size_t>& places_;
  std::vector<Index> memory_;
  planning::Random& random_;
};

TEST(Lifetimes, RandomGraphsKeepTheirBytes) {
  planning::Random random;
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 20000 : 500); ++round) {
    const RandomGraph graph(random);
    const std::size_t count = graph.tensors.size();
    std::vector<Buffer> buffers(count);
    std::vector<Index> roots(count);
    std::vector<std::size_t> offsets(count);
    const auto summary = arenite::lifetimes(
        graph.tensors.data(), count, graph.ops.data(), graph.ops.size(), {graph.inputs.data(), graph.inputs.size()},
        {graph.outputs.data(), graph.outputs.size()}, buffers.data(), roots.data(), offsets.data());
    ASSERT_EQ(summary.status, Status::kOk) << arenite::to_string(summary.status) << " " << summary.tensor;

    std::vector<std::size_t> memory(arenite::plan_bytes(count) / sizeof(std::size_t) + 1);
    const auto plan = arenite::plan(buffers.data(), count, memory.data(), memory.size() * sizeof(std::size_t));
    ASSERT_EQ(plan.status(), Status::kOk);
    std::vector<Index> scratch(arenite::verify_scratch(count));
    ASSERT_TRUE(plan.verify(scratch.data()).ok());

    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = plan.offset(roots[i]) + offsets[i];
    const Simulation simulation(graph, places, plan.size(), random);
    ASSERT_TRUE(simulation.intact) << "round " << round;
  }
}

}  // namespace
