// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Graphs by numbers that somebody chooses, and a simulation that runs them in planned memory and marks every byte. For
/// the tests and for the fuzzer.

#include <arenite/lifetimes.hpp>
#include <arenite/planner.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace graph_model {

using arenite::Buffer;
using arenite::Index;
using arenite::Op;
using arenite::OpKind;
using arenite::Status;
using arenite::Tensor;
using arenite::TensorKind;
using arenite::TensorList;

struct AnyGraph {
  std::vector<Tensor> tensors;
  std::vector<Op> ops;
  std::vector<Index> inputs;
  std::vector<Index> outputs;
};

inline std::string describe(const TensorList& list) {
  std::string text = " {";
  for (std::size_t i = 0; i < list.count(); ++i) {
    text += (i == 0 ? "" : ", ") + (list[i] == arenite::kNoIndex ? "-1" : std::to_string(list[i]));
  }
  return text + "}";
}

/// A tensor, or an operator with its inputs, outputs and scratch, in a line.
inline std::string describe(const AnyGraph& graph) {
  static constexpr const char* kTensors[] = {"activation", "kept", "variable", "external", "constant"};
  static constexpr const char* kOps[] = {"plain", "in place", "call", "branch", "loop", "body", "end"};
  std::string text;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const Tensor& tensor = graph.tensors[i];
    text += "\n  tensor " + std::to_string(i) + ": " + kTensors[static_cast<std::size_t>(tensor.kind)] + " of " +
            std::to_string(tensor.size) + " bytes at " + std::to_string(tensor.alignment.bytes());
    if (tensor.view_of == arenite::kNoIndex) continue;
    text += ", view of " + std::to_string(tensor.view_of) + " at " + std::to_string(tensor.view_offset);
  }
  for (const Op& op : graph.ops) {
    text += std::string("\n  ") + kOps[static_cast<std::size_t>(op.kind)] + describe(op.inputs) + describe(op.outputs) +
            describe(op.scratch);
  }
  return text + "\n  graph" + describe(TensorList(graph.inputs.data(), graph.inputs.size())) +
         describe(TensorList(graph.outputs.data(), graph.outputs.size()));
}

// A random graph with calls, branches, loops, scratch, views, in-place operators, and tensors that are kept or
// external. `random` has the calls of `planning::Random`.
template <class Random>
class RandomGraph {
 public:
  explicit RandomGraph(Random& random) : random_(random) {
    std::vector<Index> visible;
    for (unsigned i = below(3); i > 0; --i) visible.push_back(make());
    graph.inputs = visible;
    block(visible, 0);
    for (const Index tensor : visible) {
      if (below(4) == 0) graph.outputs.push_back(tensor);
    }
  }

  AnyGraph graph;

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_.below(limit)); }

  Index make() {
    constexpr std::size_t kAlignments[] = {1, 1, 4, 16};
    constexpr TensorKind kElsewhere[] = {TensorKind::kKept, TensorKind::kExternal};
    const TensorKind kind = below(6) == 0 ? kElsewhere[below(2)] : TensorKind::kActivation;
    graph.tensors.push_back({1 + below(40), kind, kAlignments[below(4)]});
    return static_cast<Index>(graph.tensors.size() - 1);
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
      graph.ops.push_back(below(3) == 0 ? Op::in_place(in, {static_cast<int>(out)}, scratch)
                                        : Op{in, {static_cast<int>(out)}, scratch});
      visible.push_back(out);
      if (below(4) == 0) {  // a slice of it
        const std::size_t size = graph.tensors[out].size;
        const std::size_t offset = below(static_cast<unsigned>(size));
        graph.tensors.push_back({size - offset, TensorKind::kActivation, 1, out, offset});
        visible.push_back(static_cast<Index>(graph.tensors.size() - 1));
      }
    }
  }

  void nested(std::vector<Index>& visible, unsigned depth) {
    const int in = any_of(visible);
    const Index out = make();
    const TensorList outs = {static_cast<int>(out)};
    std::vector<Index> own;  // scratch, which the bodies may read
    if (below(2) == 0) own.push_back(make());
    const TensorList scratch = own.empty() ? TensorList{} : TensorList{static_cast<int>(own[0])};
    const unsigned kind = below(3);
    graph.ops.push_back(kind == 0   ? Op::call({in}, outs, scratch)
                        : kind == 1 ? Op::branch({in}, outs, scratch)
                                    : Op::loop({in}, outs, scratch));
    for (unsigned bodies = 1 + below(2); bodies > 0; --bodies) {
      std::vector<Index> inner = visible;
      inner.insert(inner.end(), own.begin(), own.end());
      const Index body_input = make();
      inner.push_back(body_input);
      const std::size_t body = graph.ops.size();
      graph.ops.push_back(Op::body({static_cast<int>(body_input)}, {}));
      block(inner, depth + 1);
      graph.ops[body].outputs = {static_cast<int>(inner.back())};
    }
    graph.ops.push_back(Op::end());
    visible.push_back(out);
  }

  Random& random_;
};

// Runs a graph in planned memory: each tensor that is written fills its bytes with values of its own, and each that is
// read must still have them. A view is its tensor's bytes. Then another model overwrites all that is planned, and what
// is kept or external must be there still. `in_order`: each body runs once, as they stand in the list, though it is one
// of a branch or a loop.
template <class Random>
class Simulation {
 public:
  Simulation(const AnyGraph& graph, const std::vector<std::size_t>& places, std::size_t planned, std::size_t size,
             Random& random, bool in_order)
      : graph_(graph),
        places_(places),
        memory_(size),
        written_(graph.tensors.size()),
        random_(random),
        in_order_(in_order) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {  // what has a value from outside
      const TensorKind kind = graph.tensors[owner(static_cast<Index>(i))].kind;
      if (kind != TensorKind::kActivation && kind != TensorKind::kKept) write(static_cast<Index>(i));
    }
    for (const Index tensor : graph.inputs) write(tensor);
    run(0, graph.ops.size());
    for (const Index tensor : graph.outputs) read(tensor);
    for (std::size_t i = 0; i < planned; ++i) memory_[i] = arenite::kNoIndex;
    for (std::size_t i = 0; i < written_.size(); ++i) {
      if (written_[i] && graph.tensors[i].kind != TensorKind::kActivation) read(static_cast<Index>(i));
    }
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
    written_[tensor] = true;
    for (std::size_t i = 0; i < graph_.tensors[tensor].size; ++i) memory_[places_[tensor] + i] = tensor;
  }
  void read(Index tensor) {
    if (tensor == arenite::kNoIndex) return;
    const Index whole = owner(tensor);
    if (in_order_ && !written_[whole]) return;  // an output of the operator whose body this is
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

  // Scratch that shares the bytes of an input has what the outputs leave of them.
  void read_scratch(const Op& op) {
    each(op.scratch, [&](Index tensor) {
      bool shared = false;
      each(op.inputs, [&](Index input) {
        if (tensor != arenite::kNoIndex && input != arenite::kNoIndex) shared = shared || owner(input) == owner(tensor);
      });
      if (!shared) read(tensor);
    });
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
        read_scratch(op);
        continue;
      }
      const std::size_t last = end_of(i);
      write_all(op.scratch);
      run_bodies(i, last);
      read_scratch(op);
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
    const bool is_loop = op.kind == OpKind::kLoop && !in_order_;
    const bool is_branch = op.kind == OpKind::kBranch && !in_order_;
    const std::size_t chosen = is_branch ? random_.below(static_cast<std::uint32_t>(count)) : 0;
    if (is_loop) {
      for (std::size_t k = 0; k < count; ++k) write_all(graph_.ops[bodies[k]].inputs);
    }
    for (int turn = 0; turn < (is_loop ? 3 : 1); ++turn) {
      run(caller + 1, bodies[0]);
      for (std::size_t k = 0; k < count; ++k) {
        if (is_branch && k != chosen) continue;
        if (!is_loop) write_all(graph_.ops[bodies[k]].inputs);
        run(bodies[k] + 1, bodies[k + 1]);
      }
      for (std::size_t k = 0; k < count && is_loop; ++k) read_all(graph_.ops[bodies[k]].inputs);  // for the next turn
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (is_branch && k != chosen) continue;
      read_all(graph_.ops[bodies[k]].outputs);
    }
    read_all(op.inputs);
    write_all(op.outputs);
  }

  const AnyGraph& graph_;
  const std::vector<std::size_t>& places_;
  std::vector<Index> memory_;
  std::vector<bool> written_;
  Random& random_;
  bool in_order_;
};

// What `lifetimes` says of a graph.
struct Lives {
  explicit Lives(const AnyGraph& graph)
      : buffers(graph.tensors.size()), roots(graph.tensors.size()), offsets(graph.tensors.size()) {
    summary =
        arenite::lifetimes(graph.tensors.data(), graph.tensors.size(), graph.ops.data(), graph.ops.size(),
                           {graph.inputs.data(), graph.inputs.size()}, {graph.outputs.data(), graph.outputs.size()},
                           buffers.data(), roots.data(), offsets.data());
  }

  std::vector<Buffer> buffers;
  std::vector<Index> roots;
  std::vector<std::size_t> offsets;
  arenite::GraphSummary summary;
};

// Plans a graph of which `lives` was said, and runs it, see `Simulation`. Null, or what is wrong. More than `most`
// bytes are only planned, and with a tensor of that size or alignment there may be no plan.
template <class Random>
const char* run_in_planned_memory(const AnyGraph& graph, const Lives& lives, Random& random, bool in_order = false,
                                  std::size_t most = 1 << 20) {
  const std::size_t count = graph.tensors.size();
  std::vector<std::size_t> memory(arenite::plan_bytes<arenite::greedy>(count) / sizeof(std::size_t) + 1);
  const auto plan =
      arenite::plan<arenite::greedy>(lives.buffers.data(), count, memory.data(), memory.size() * sizeof(std::size_t));
  for (const Tensor& tensor : graph.tensors) {
    const bool large = tensor.size > most || tensor.alignment.bytes() > most;
    if (plan.status() == Status::kSizeOverflow && large) return nullptr;
  }
  if (plan.status() != Status::kOk) return "the plan is refused";
  std::vector<Index> scratch(arenite::verify_scratch(count));
  if (!plan.verify(scratch.data()).ok()) return "the plan is none";

  // What is not planned lies behind what is planned, each with bytes of its own.
  std::vector<std::size_t> starts(count);
  std::size_t size = plan.size();
  for (std::size_t i = 0; i < plan.count(); ++i) {
    starts[i] = plan.offset(i);
    if (graph.tensors[i].kind == TensorKind::kActivation || graph.tensors[i].view_of != arenite::kNoIndex) continue;
    if (lives.buffers[i].size != 0) return "what is not to be planned is planned";
    starts[i] = size;
    size = arenite::add_saturated(size, graph.tensors[i].size);
  }
  if (size > most) return nullptr;
  const arenite::GraphSummary& summary = lives.summary;
  if (summary.kept + summary.external + summary.variables + summary.constants != size - plan.size()) {
    return "bytes that are not planned";
  }
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = starts[lives.roots[i]] + lives.offsets[i];
  return Simulation<Random>(graph, places, plan.size(), size, random, in_order).intact ? nullptr
                                                                                       : "a byte was overwritten";
}

}  // namespace graph_model
