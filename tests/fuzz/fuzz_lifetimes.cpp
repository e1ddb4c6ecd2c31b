// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for graphs: sound ones with calls, branches and loops run in planned memory, where a simulation
// marks every byte; then the same with something wrong, which is refused if and only if the definitions say so. What is
// not refused runs too.

#include <arenite/lifetimes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "../graph_model.hpp"
#include "input.hpp"

namespace {

using arenite::Index;
using arenite::kMaxSize;
using arenite::kNoIndex;
using arenite::Op;
using arenite::OpKind;
using arenite::Status;
using arenite::Tensor;
using arenite::TensorKind;
using arenite::TensorList;
using fuzz::Input;
using graph_model::AnyGraph;
using graph_model::Lives;

fuzz::Calls calls("lifetimes");

void expect_nothing(const char* what, const AnyGraph& graph) {
  if (what != nullptr) std::fprintf(stderr, "graph:%s\n", graph_model::describe(graph).c_str());
  fuzz::expect_nothing(what);
}
void expect(bool good, const char* what, const AnyGraph& graph) { expect_nothing(good ? nullptr : what, graph); }

// --- what the definitions say ----------------------------------------------------------------------------------------

class Definitions {
 public:
  explicit Definitions(const AnyGraph& graph)
      : graph_(graph), whole_(graph.tensors.size()), written_(graph.tensors.size()), there_(graph.tensors.size()) {
    find_wholes();
    if (!sound_) return;
    for (const Index tensor : graph.inputs) write(tensor);
    for (std::size_t i = 0; i < graph.ops.size() && sound_; ++i) make(i);
    if (!open_.empty()) sound_ = false;
    for (const Index tensor : graph.outputs) read(tensor);
  }

  [[nodiscard]] bool sound() const { return sound_; }

 private:
  void find_wholes() {
    const std::size_t count = graph_.tensors.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Tensor& tensor = graph_.tensors[i];
      if (!tensor.alignment.valid() || tensor.size > kMaxSize) sound_ = false;
    }
    for (std::size_t i = 0; i < count && sound_; ++i) {
      std::size_t at = i;
      std::size_t offset = 0;
      for (std::size_t steps = 0; graph_.tensors[at].view_of != kNoIndex; ++steps) {
        const std::size_t next = graph_.tensors[at].view_of;
        offset = arenite::add_saturated(offset, graph_.tensors[at].view_offset);
        if (next >= count || steps > count) {
          sound_ = false;
          return;
        }
        at = next;
      }
      const std::size_t end = arenite::add_saturated(offset, graph_.tensors[i].size);
      if (end > graph_.tensors[at].size || offset % graph_.tensors[i].alignment.bytes() != 0) sound_ = false;
      whole_[i] = at;
    }
  }

  // None at all, and what is in it, are what a list may name.
  bool names(Index tensor) {
    if (tensor != kNoIndex && tensor >= whole_.size()) sound_ = false;
    return sound_ && tensor != kNoIndex;
  }
  // Whether it has no value before somebody writes it.
  bool begins_empty(Index tensor) const {
    const TensorKind kind = graph_.tensors[whole_[tensor]].kind;
    return kind == TensorKind::kActivation || kind == TensorKind::kKept;
  }
  void read(Index tensor) {
    if (!names(tensor)) return;
    if (begins_empty(tensor) && !there_[whole_[tensor]]) sound_ = false;
  }
  void write(Index tensor) {
    if (!names(tensor)) return;
    if (graph_.tensors[whole_[tensor]].kind == TensorKind::kConstant) sound_ = false;
    if (begins_empty(tensor) && written_[tensor]) sound_ = false;
    written_[tensor] = true;
    there_[whole_[tensor]] = true;
  }
  void read_all(const TensorList& list) {
    for (std::size_t i = 0; i < list.count(); ++i) read(list[i]);
  }
  void write_all(const TensorList& list) {
    for (std::size_t i = 0; i < list.count(); ++i) write(list[i]);
  }

  void make(std::size_t i) {
    const Op& op = graph_.ops[i];
    if (op.kind == OpKind::kBody) {
      if (open_.empty() || op.scratch.count() != 0) {
        sound_ = false;
        return;
      }
      open_.back().push_back(i);
      write_all(op.inputs);
      for (std::size_t k = 0; k < op.outputs.count(); ++k) names(op.outputs[k]);
    } else if (op.kind == OpKind::kEnd) {
      if (open_.empty()) {
        sound_ = false;
        return;
      }
      for (std::size_t k = 1; k < open_.back().size(); ++k) read_all(graph_.ops[open_.back()[k]].outputs);
      open_.pop_back();
    } else {
      read_all(op.inputs);
      write_all(op.outputs);
      write_all(op.scratch);
      if (op.kind != OpKind::kPlain && op.kind != OpKind::kInPlace) open_.push_back({i});
      if (open_.size() > 16) sound_ = false;
    }
  }

  const AnyGraph& graph_;
  std::vector<std::size_t> whole_;  // of each tensor: the one of which it is a view in the end
  std::vector<bool> written_;
  std::vector<bool> there_;                     // of those that are no views
  std::vector<std::vector<std::size_t>> open_;  // operators with bodies, each with those
  bool sound_ = true;
};

// --- graphs ----------------------------------------------------------------------------------------------------------

Index any_tensor(Input& input, const AnyGraph& graph) {
  if (input.below(8) == 0) return static_cast<Index>(input.any_size());
  return input.below(graph.tensors.size() + 1);
}

TensorList with_another(Input& input, const AnyGraph& graph, const TensorList& list) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < list.count(); ++i) indices.push_back(static_cast<int>(list[i]));
  indices.resize(3, -1);
  indices[input.below(3)] = static_cast<int>(any_tensor(input, graph));
  return {indices[0], indices[1], indices[2]};
}

void change(Input& input, AnyGraph& graph) {
  Tensor& tensor = graph.tensors[input.below(graph.tensors.size())];
  const std::size_t at = input.below(graph.ops.size());
  Op& op = graph.ops[at];
  switch (input.below(14)) {
    case 0:
      tensor.size = input.below(2) == 0 ? input.below(64) : input.any_size();
      break;
    case 1:
      tensor.kind = static_cast<TensorKind>(input.below(5));
      break;
    case 2:
      tensor.alignment = input.below(2) == 0 ? std::size_t{1} << input.below(6) : input.any_size();
      break;
    case 3:
      tensor.view_of = any_tensor(input, graph);
      break;
    case 4:
      tensor.view_offset = input.below(2) == 0 ? input.below(40) : input.any_size();
      break;
    case 5:
      op.kind = static_cast<OpKind>(input.below(7));
      break;
    case 6:
      op.inputs = with_another(input, graph, op.inputs);
      break;
    case 7:
      op.outputs = with_another(input, graph, op.outputs);
      break;
    case 8:
      op.scratch = with_another(input, graph, op.scratch);
      break;
    case 9:
      graph.inputs.push_back(any_tensor(input, graph));
      break;
    case 10:
      graph.outputs.push_back(any_tensor(input, graph));
      break;
    case 11:
      std::swap(op, graph.ops[input.below(graph.ops.size())]);
      break;
    case 12:
      graph.ops.erase(graph.ops.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    default:
      graph.ops.insert(graph.ops.begin() + static_cast<std::ptrdiff_t>(at), Op(op));
  }
}

void check_changed(Input& input, const AnyGraph& graph) {
  const Lives lives(graph);
  calls.add();
  const bool sound = Definitions(graph).sound();
  expect((lives.summary.status == Status::kOk) == sound, "refused, or not, against the definitions", graph);
  if (sound) return expect_nothing(graph_model::run_in_planned_memory(graph, lives, input, true, 1 << 14), graph);
  expect(std::all_of(lives.buffers.begin(), lives.buffers.end(), [](const auto& buffer) { return buffer.size == 0; }),
         "a graph that is refused has buffers", graph);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const AnyGraph graph = graph_model::RandomGraph<Input>(input).graph;
  const Lives lives(graph);
  calls.add();
  expect(lives.summary.status == Status::kOk, "a sound graph is refused", graph);
  expect(Definitions(graph).sound(), "a sound graph is none by the definitions", graph);
  expect_nothing(graph_model::run_in_planned_memory(graph, lives, input), graph);
  AnyGraph changed = graph;
  for (int i = 0; i < 16 && !input.empty() && !changed.ops.empty(); ++i) {
    change(input, changed);
    check_changed(input, changed);
    if (input.below(3) != 0) changed = graph;
  }
  return 0;
}
