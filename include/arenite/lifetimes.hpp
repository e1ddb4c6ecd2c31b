// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// From operators to lifetimes: tensors with sizes, and operators that read and write them, become a list of buffers to
/// plan, in the compiler or on the device.
///
///     constexpr arenite::Tensor kTensors[] = {{27648}, {18432}, {640, arenite::TensorKind::kConstant}, {10}};
///     constexpr arenite::Op kOps[] = {{{0, 2}, {1}}, {{1}, {3}}};    // inputs, outputs
///     constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {0}, {3});
///     constexpr auto kPlan = arenite::plan(kGraph.buffers());
///
/// The position of an operator in the list is its step. Buffer i is tensor i, so that a tensor's index is its index in
/// the plan too; what takes no planned memory of its own (constants, variables, kept and external tensors, views) is a
/// buffer of no bytes.
///
/// Pure: safe from any thread and any interrupt that has its own memory. No heap, no recursion. O(tensors + uses), and
/// O(tensors) more for each loop and in-place operator.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>  // std::initializer_list

#include "align.hpp"
#include "buffer.hpp"
#include "plan.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

enum class TensorKind : std::uint8_t {
  kActivation,  ///< Comes and goes: planned.
  kKept,        ///< Outlives the run, as an output that no other model may overwrite: persistent, counted, and never
                ///< planned. Written in each run, once and before it is read, as an activation is.
  kVariable,    ///< Keeps its value between runs: likewise, but read and written as the user likes.
  kExternal,    ///< Lies in memory of the user's, an input in a camera's frame for one: takes none of ours, and is
                ///< counted. Read and written likewise, from run to run at another address.
  kConstant,    ///< Stays where it is, in flash: takes no RAM, and is counted. Never written.
};

struct Tensor {
  std::size_t size = 0;  ///< Bytes.
  TensorKind kind = TensorKind::kActivation;
  Alignment alignment = kDefaultAlignment;
  Index view_of = kNoIndex;     ///< A tensor whose bytes these are: a reshape, a slice. Its kind is that of the other.
  std::size_t view_offset = 0;  ///< Where in it they begin.
};

namespace detail {

/// Whether a tensor has bytes of its own for good, which no plan has. Of a view, its root says so.
[[nodiscard]] constexpr bool is_persistent(const Tensor& tensor) noexcept {
  return tensor.kind == TensorKind::kVariable || tensor.kind == TensorKind::kKept;
}

}  // namespace detail

/// Indices of tensors. Up to seven are held here; a longer list is looked at where it lies, and must outlive this.
/// Negative numbers stand for optional inputs that are not there.
class TensorList {
 public:
  constexpr TensorList() noexcept = default;
  constexpr TensorList(std::initializer_list<int> indices) noexcept {
    for (const int index : indices) {
      if (count_ == kInline) {
        overflowed_ = true;
        return;
      }
      own_[count_++] = index < 0 ? kNoIndex : static_cast<Index>(index);
    }
  }
  constexpr TensorList(const Index* indices, std::size_t count) noexcept
      : elsewhere_(indices),
        count_(static_cast<Index>(count)),
        overflowed_(count > kMaxBuffers || (count != 0 && detail::is_null(indices))) {}

  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
  [[nodiscard]] constexpr Index operator[](std::size_t i) const noexcept {
    return elsewhere_ != nullptr ? elsewhere_[i] : own_[i];
  }

  /// False if more indices were written down than are held.
  [[nodiscard]] constexpr bool complete() const noexcept { return !overflowed_; }

 private:
  static constexpr std::size_t kInline = 7;
  const Index* elsewhere_ = nullptr;
  Index own_[kInline] = {};
  Index count_ = 0;
  bool overflowed_ = false;
};

enum class OpKind : std::uint8_t {
  kPlain,
  kInPlace,  ///< The first output may take the place of the first input, where nobody needs that later.
  kCall,     ///< Runs its bodies once.
  kBranch,   ///< Runs one of its bodies.
  kLoop,     ///< Runs its bodies again and again.
  kBody,     ///< Begins a body of the call, branch or loop it stands in.
  kEnd,      ///< Ends that call, branch or loop.
};

/// An operator. Scratch is what it works with: tensors that live exactly during it, and during all of its bodies.
///
/// A nested graph is written between its operator and an end, each body behind a marker of its own:
///
///     Op::branch({2}, {3}), Op::body({10}, {11}), {{10}, {11}}, Op::body({20}, {21}), {{20}, {21}}, Op::end()
///
/// What the caller holds stays alive over all of it, the operator's inputs and outputs too. A body's inputs are filled
/// where it begins, and its outputs are there until the end; in a loop, its inputs live over all of the loop, and so
/// does what comes from before and is read in it. Bodies share memory otherwise.
struct Op {
  TensorList inputs;
  TensorList outputs;
  TensorList scratch = {};
  OpKind kind = OpKind::kPlain;

  [[nodiscard]] static constexpr Op in_place(TensorList inputs, TensorList outputs, TensorList scratch = {}) noexcept {
    return {inputs, outputs, scratch, OpKind::kInPlace};
  }
  [[nodiscard]] static constexpr Op call(TensorList inputs, TensorList outputs, TensorList scratch = {}) noexcept {
    return {inputs, outputs, scratch, OpKind::kCall};
  }
  [[nodiscard]] static constexpr Op branch(TensorList inputs, TensorList outputs, TensorList scratch = {}) noexcept {
    return {inputs, outputs, scratch, OpKind::kBranch};
  }
  [[nodiscard]] static constexpr Op loop(TensorList inputs, TensorList outputs, TensorList scratch = {}) noexcept {
    return {inputs, outputs, scratch, OpKind::kLoop};
  }
  [[nodiscard]] static constexpr Op body(TensorList inputs, TensorList outputs) noexcept {
    return {inputs, outputs, {}, OpKind::kBody};
  }
  [[nodiscard]] static constexpr Op end() noexcept { return {{}, {}, {}, OpKind::kEnd}; }
};

/// What there is to know about a graph but for the single tensors.
struct GraphSummary {
  Status status = Status::kOk;  ///< `kOk`, or why the graph was refused.
  Index tensor = kNoIndex;      ///< The tensor for which it was, if one is to blame.
  Index op = kNoIndex;          ///< The operator at which it was, if one is.
  std::size_t constants = 0;    ///< Bytes of constants, in flash. Saturates.
  std::size_t variables = 0;    ///< Bytes of variables, without padding between them. Saturates.
  std::size_t kept = 0;         ///< Bytes of what is kept, likewise.
  std::size_t external = 0;     ///< Bytes in memory of the user's, likewise.
};

namespace detail {

/// A graph at work: `buffers`, `roots` and `offsets` have an entry for each tensor.
class GraphWalk {
 public:
  static constexpr std::size_t kMaxDepth = 16;

  constexpr GraphWalk(const Tensor* tensors, std::size_t tensor_count, const Op* ops, std::size_t op_count,
                      Buffer* buffers, Index* roots, std::size_t* offsets) noexcept
      : tensors_(tensors),
        tensor_count_(tensor_count),
        ops_(ops),
        op_count_(op_count),
        buffers_(buffers),
        roots_(roots),
        offsets_(offsets) {}

  constexpr GraphSummary run(const TensorList& inputs, const TensorList& outputs) noexcept {
    if (tensor_count_ > kMaxBuffers || op_count_ > kMaxBuffers) fail(Status::kTooManyBuffers, kNoIndex);
    if ((tensor_count_ != 0 && is_null(tensors_)) || (op_count_ != 0 && is_null(ops_))) {
      fail(Status::kNullMemory, kNoIndex);
      tensor_count_ = 0;
    }
    if (ok()) find_roots();
    write_all(inputs, 0);
    for (std::size_t i = 0; i < op_count_ && ok(); ++i) {
      op_ = static_cast<Index>(i);
      step(ops_[i], op_);
    }
    if (ok() && depth_ != 0) fail(Status::kBadNesting, kNoIndex);
    op_ = kNoIndex;
    read_all(outputs, static_cast<Step>(op_count_ == 0 ? 0 : op_count_ - 1));
    for (std::size_t i = 0; i < outputs.count() && ok(); ++i) {
      if (outputs[i] != kNoIndex) buffers_[roots_[outputs[i]]].size |= kOutput;
    }
    for (std::size_t i = 0; i < op_count_ && ok(); ++i) {
      if (ops_[i].kind == OpKind::kInPlace) take_place(ops_[i], static_cast<Step>(i));
    }
    finish();
    return summary_;
  }

 private:
  // While the graph is walked, the size of a buffer holds what happened to its tensor.
  static constexpr std::size_t kWritten = 1;  // by an operator, a body or the caller
  static constexpr std::size_t kAlive = 2;    // it, or a view of it, was written
  static constexpr std::size_t kOutput = 4;   // it, or a view of it, is an output of the graph
  static constexpr std::size_t kInParts = 8;  // several of it and its views were written

  [[nodiscard]] constexpr bool ok() const noexcept { return summary_.status == Status::kOk; }
  constexpr void fail(Status status, Index tensor) noexcept {
    if (!ok()) return;
    summary_.status = status;
    summary_.tensor = tensor;
    summary_.op = op_;
  }

  constexpr void find_roots() noexcept {
    for (std::size_t i = 0; i < tensor_count_ && ok(); ++i) {
      const Index tensor = static_cast<Index>(i);
      if (!tensors_[i].alignment.valid()) return fail(Status::kInvalidAlignment, tensor);
      if (tensors_[i].size > kMaxSize) return fail(Status::kSizeOverflow, tensor);
      std::size_t root = i;
      std::size_t offset = 0;
      for (std::size_t hops = 0; tensors_[root].view_of != kNoIndex; ++hops) {
        if (hops == tensor_count_) return fail(Status::kCycle, tensor);
        offset = add_saturated(offset, tensors_[root].view_offset);
        root = tensors_[root].view_of;
        if (root >= tensor_count_) return fail(Status::kOutOfBounds, tensor);
      }
      const std::size_t whole = tensors_[root].size;
      if (offset > whole || tensors_[i].size > whole - offset) return fail(Status::kOutOfBounds, tensor);
      if ((offset & tensors_[i].alignment.mask()) != 0) return fail(Status::kMisaligned, tensor);
      roots_[i] = static_cast<Index>(root);
      offsets_[i] = offset;
      buffers_[i] = {};
    }
  }

  [[nodiscard]] constexpr bool known(const TensorList& list) noexcept {
    if (!list.complete()) fail(Status::kTooManyBuffers, kNoIndex);
    for (std::size_t i = 0; i < list.count() && ok(); ++i) {
      if (list[i] != kNoIndex && list[i] >= tensor_count_) fail(Status::kOutOfBounds, list[i]);
    }
    return ok();
  }
  [[nodiscard]] constexpr bool is_planned(Index tensor) const noexcept {
    return tensors_[roots_[tensor]].kind == TensorKind::kActivation;
  }
  /// Whether it has no value until something writes it.
  [[nodiscard]] constexpr bool begins_empty(Index tensor) const noexcept {
    const TensorKind kind = tensors_[roots_[tensor]].kind;
    return kind == TensorKind::kActivation || kind == TensorKind::kKept;
  }

  constexpr void read(Index tensor, Step step) noexcept {
    if (tensor == kNoIndex || !begins_empty(tensor)) return;
    Buffer& root = buffers_[roots_[tensor]];
    if (root.size == 0) return fail(reaches(tensor) ? Status::kCycle : Status::kReadBeforeWritten, tensor);
    if (step > root.last) root.last = step;
  }
  constexpr void read_all(const TensorList& list, Step step) noexcept {
    if (!ok() || !known(list)) return;
    for (std::size_t i = 0; i < list.count() && ok(); ++i) read(list[i], step);
  }

  constexpr void write(Index tensor, Step step) noexcept {
    if (tensor == kNoIndex) return;
    const TensorKind kind = tensors_[roots_[tensor]].kind;
    if (kind == TensorKind::kConstant) return fail(Status::kConstantWritten, tensor);
    if (!begins_empty(tensor)) return;
    if ((buffers_[tensor].size & kWritten) != 0) return fail(Status::kWrittenTwice, tensor);
    Buffer& root = buffers_[roots_[tensor]];
    if (root.size == 0) root.first = step;
    if (step > root.last) root.last = step;
    root.size |= root.size == 0 ? kAlive : kInParts;
    buffers_[tensor].size |= kWritten;
  }
  constexpr void write_all(const TensorList& list, Step step) noexcept {
    if (!ok() || !known(list)) return;
    for (std::size_t i = 0; i < list.count() && ok(); ++i) write(list[i], step);
  }

  constexpr void step(const Op& op, Step step) noexcept {
    if (op.kind == OpKind::kEnd) return end(step);
    if (op.kind == OpKind::kBody) {
      if (depth_ == 0 || op.scratch.count() != 0) return fail(Status::kBadNesting, kNoIndex);
      write_all(op.inputs, step);
      (void)known(op.outputs);
      return;
    }
    // Inputs before outputs: an operator that reads what it alone writes is a cycle.
    read_all(op.inputs, step);
    write_all(op.outputs, step);
    write_all(op.scratch, step);
    if (op.kind != OpKind::kPlain && op.kind != OpKind::kInPlace) {
      if (depth_ == kMaxDepth) return fail(Status::kBadNesting, kNoIndex);
      callers_[depth_++] = step;
    }
  }

  constexpr void end(Step end) noexcept {
    if (depth_ == 0) return fail(Status::kBadNesting, kNoIndex);
    const Step begin = callers_[--depth_];
    const Op& caller = ops_[begin];
    read_all(caller.inputs, end);
    read_all(caller.outputs, end);
    read_all(caller.scratch, end);
    std::size_t depth = 0;
    for (std::size_t i = static_cast<std::size_t>(begin) + 1; i < end && ok(); ++i) {
      const OpKind kind = ops_[i].kind;
      if (kind == OpKind::kCall || kind == OpKind::kBranch || kind == OpKind::kLoop) ++depth;
      if (kind == OpKind::kEnd) --depth;
      if (kind != OpKind::kBody || depth != 0) continue;
      read_all(ops_[i].outputs, end);
      if (caller.kind != OpKind::kLoop) continue;
      read_all(ops_[i].inputs, end);
      for (std::size_t k = 0; k < ops_[i].inputs.count() && ok(); ++k) {
        const Index input = ops_[i].inputs[k];
        if (input == kNoIndex || !is_planned(input)) continue;
        Buffer& root = buffers_[roots_[input]];
        if (root.first > begin) root.first = begin;
      }
    }
    if (caller.kind != OpKind::kLoop) return;
    for (std::size_t i = 0; i < tensor_count_; ++i) {
      Buffer& buffer = buffers_[i];
      if (buffer.size != 0 && roots_[i] == i && buffer.first <= begin && buffer.last >= begin) buffer.last = end;
    }
  }

  /// Whether an operator writes these, from the i-th on, into bytes of this root.
  [[nodiscard]] constexpr bool writes_beside(const TensorList& list, std::size_t i, Index root) const noexcept {
    for (; i < list.count(); ++i) {
      if (list[i] != kNoIndex && roots_[list[i]] == root) return true;
    }
    return false;
  }

  /// The first output takes the place of the first input, if that is last needed here.
  constexpr void take_place(const Op& op, Step step) noexcept {
    if (op.inputs.count() == 0 || op.outputs.count() == 0) return;
    const Index from = op.inputs[0];
    const Index to = op.outputs[0];
    if (from == kNoIndex || to == kNoIndex || !is_planned(from) || !is_planned(to) || roots_[to] != to) return;
    const Index root = roots_[from];
    Buffer& place = buffers_[root];
    if (place.last != step || (place.size & kOutput) != 0 || root == to) return;
    if ((buffers_[to].size & kInParts) != 0) return;  // some of it may have been there before
    if (tensors_[to].size > tensors_[from].size) return;
    if (writes_beside(op.outputs, 1, root) || writes_beside(op.scratch, 0, root)) return;
    for (std::size_t i = 1; i < op.inputs.count(); ++i) {
      // Another part of the same bytes, which it still reads when it has begun to write.
      const Index other = op.inputs[i];
      if (other != kNoIndex && roots_[other] == root && offsets_[other] != offsets_[from]) return;
    }
    for (std::size_t i = 0; i < tensor_count_; ++i) {
      const bool moves = roots_[i] == to;  // itself and its views
      if (moves && ((offsets_[from] + offsets_[i]) & tensors_[i].alignment.mask()) != 0) return;
    }
    if (buffers_[to].last > place.last) place.last = buffers_[to].last;
    place.size |= buffers_[to].size;
    for (std::size_t i = 0; i < tensor_count_; ++i) {
      if (roots_[i] != to) continue;
      roots_[i] = root;
      offsets_[i] += offsets_[from];
    }
  }

  constexpr void finish() noexcept {
    for (std::size_t i = 0; i < tensor_count_; ++i) {
      const Tensor& tensor = tensors_[i];
      if (!ok()) {
        buffers_[i] = {};
        continue;
      }
      const bool root = roots_[i] == i;
      if (root && tensor.kind != TensorKind::kActivation) {
        std::size_t& bytes = unplanned(tensor.kind);
        bytes = add_saturated(bytes, tensor.size);
      }
      const bool planned = root && tensor.kind == TensorKind::kActivation && buffers_[i].size != 0;
      if (!planned) buffers_[i] = {};
      if (planned) buffers_[i].size = tensor.size;
      if (root) buffers_[i].alignment = tensor.alignment;
    }
    for (std::size_t i = 0; i < tensor_count_ && ok(); ++i) {
      Buffer& root = buffers_[roots_[i]];
      if (tensors_[i].alignment.log2() > root.alignment.log2()) root.alignment = tensors_[i].alignment;
    }
  }

  /// Where bytes that are not planned are counted.
  [[nodiscard]] constexpr std::size_t& unplanned(TensorKind kind) noexcept {
    if (kind == TensorKind::kConstant) return summary_.constants;
    if (kind == TensorKind::kVariable) return summary_.variables;
    return kind == TensorKind::kKept ? summary_.kept : summary_.external;
  }

  /// Whether the tensor that is missing at this operator is made, later, out of what the operator makes. Only asked
  /// when the graph is refused anyway: forgets what was found so far.
  [[nodiscard]] constexpr bool reaches(Index tensor) noexcept {
    if (op_ == kNoIndex) return false;
    for (std::size_t i = 0; i < tensor_count_; ++i) buffers_[i].size = 0;
    const auto any = [this](const TensorList& list) {
      for (std::size_t i = 0; i < list.count(); ++i) {
        if (list[i] < tensor_count_ && buffers_[roots_[list[i]]].size != 0) return true;
      }
      return false;
    };
    const auto mark = [this](const TensorList& list) {
      bool news = false;
      for (std::size_t i = 0; i < list.count(); ++i) {
        if (list[i] >= tensor_count_ || buffers_[roots_[list[i]]].size != 0) continue;
        buffers_[roots_[list[i]]].size = 1;
        news = true;
      }
      return news;
    };
    bool news = mark(ops_[op_].outputs);
    while (news) {
      news = false;
      for (std::size_t i = 0; i < op_count_; ++i) {
        if (any(ops_[i].inputs) && mark(ops_[i].outputs)) news = true;
      }
    }
    return buffers_[roots_[tensor]].size != 0;
  }

  const Tensor* tensors_;
  std::size_t tensor_count_;
  const Op* ops_;
  std::size_t op_count_;
  Buffer* buffers_;
  Index* roots_;
  std::size_t* offsets_;
  Index op_ = kNoIndex;
  Step callers_[kMaxDepth] = {};
  std::size_t depth_ = 0;
  GraphSummary summary_;
};

// Where a graph is refused in a constant expression, the compiler's message names one of these functions.
inline void tensor_alignment_is_zero_or_not_a_power_of_two() noexcept {}
inline void tensor_size_overflows_the_address_space() noexcept {}
inline void tensor_index_or_view_is_out_of_range() noexcept {}
inline void tensor_view_is_misaligned() noexcept {}
inline void tensor_is_read_before_it_is_written() noexcept {}
inline void tensor_is_written_twice() noexcept {}
inline void constant_tensor_is_written() noexcept {}
inline void graph_has_a_cycle() noexcept {}
inline void graph_is_nested_in_a_wrong_way() noexcept {}
inline void graph_has_too_many_tensors() noexcept {}

constexpr void refuse_graph_in_constant_expression(Status status) noexcept {
  if (status == Status::kInvalidAlignment) tensor_alignment_is_zero_or_not_a_power_of_two();
  if (status == Status::kSizeOverflow) tensor_size_overflows_the_address_space();
  if (status == Status::kOutOfBounds) tensor_index_or_view_is_out_of_range();
  if (status == Status::kMisaligned) tensor_view_is_misaligned();
  if (status == Status::kReadBeforeWritten) tensor_is_read_before_it_is_written();
  if (status == Status::kWrittenTwice) tensor_is_written_twice();
  if (status == Status::kConstantWritten) constant_tensor_is_written();
  if (status == Status::kCycle) graph_has_a_cycle();
  if (status == Status::kBadNesting) graph_is_nested_in_a_wrong_way();
  if (status == Status::kTooManyBuffers) graph_has_too_many_tensors();
}

}  // namespace detail

/// Lifetimes of a graph, in memory handed in: `buffers`, `roots` and `offsets` have `tensor_count` entries each. Then
/// `buffers` is what to plan, and tensor i lies at the offset of buffer `roots[i]` plus `offsets[i]`.
///
/// - Inputs of the graph live from step 0 to their last use, and at step 0 if they have none. To keep one to the end,
///   name it among the outputs as well.
/// - Outputs of the graph live to the last step; an output of an operator that nobody reads lives for that step.
///
/// Refused, with the tensor and operator in the answer and all buffers empty, if and only if
/// - an index is out of range, or a view reaches beyond its tensor (`kOutOfBounds`) or begins where it is not aligned
///   (`kMisaligned`); views go round in a circle (`kCycle`);
/// - a tensor is read before it is written: `kCycle` if it is made, later, out of what reads it, else
///   `kReadBeforeWritten`; it is written twice (`kWrittenTwice`) or a constant (`kConstantWritten`);
/// - bodies and ends don't match their operators, are nested more than 16 deep, or a body has scratch, which belongs to
///   its operator (`kBadNesting`);
/// - an alignment is not a power of two (`kInvalidAlignment`), a size is above `kMaxSize` (`kSizeOverflow`), there are
///   more than `kMaxBuffers` tensors or operators, or a list of tensors holds more than it can (`kTooManyBuffers`), or
///   there is no memory where some should be (`kNullMemory`).
[[nodiscard]] constexpr GraphSummary lifetimes(const Tensor* tensors, std::size_t tensor_count, const Op* ops,
                                               std::size_t op_count, const TensorList& inputs,
                                               const TensorList& outputs, Buffer* buffers, Index* roots,
                                               std::size_t* offsets) noexcept {
  return detail::GraphWalk(tensors, tensor_count, ops, op_count, buffers, roots, offsets).run(inputs, outputs);
}

/// The lifetimes of T tensors, a literal type.
template <std::size_t T>
class Lifetimes : public GraphSummary {
 public:
  constexpr Lifetimes(const GraphSummary& summary, const std::array<Buffer, T>& buffers,
                      const std::array<Index, T>& roots, const std::array<std::size_t, T>& offsets) noexcept
      : GraphSummary(summary), buffers_(buffers), roots_(roots), offsets_(offsets) {}

  /// What to plan: one for each tensor, some without bytes.
  [[nodiscard]] constexpr const std::array<Buffer, T>& buffers() const noexcept { return buffers_; }

  /// The tensor whose memory this one has: itself, but for views and for what took the place of its input.
  [[nodiscard]] constexpr Index root(std::size_t index) const noexcept { return roots_[index]; }

  /// Where the tensor lies in the planned block, views included.
  template <class P>
  [[nodiscard]] constexpr std::size_t offset(const P& plan, std::size_t index) const noexcept {
    return plan.offset(roots_[index]) + offsets_[index];
  }

  /// The plan as the tensors see it, by the compiler: one table for the program, with which views and what took the
  /// place of its input need no second look-up, and `overlay.data<T>(tensor)` is right for each that is planned.
  ///
  ///     constexpr auto kPlaces = kGraph.resolve(arenite::plan(kGraph.buffers()), kTensors);
  ///
  /// `offset(i)` is that of this class, `size(i)` the tensor's own size, both zero if it is not in planned memory;
  /// block, status and lower bound are those of the plan, which was made for `buffers()`. Several tensors may have the
  /// same bytes at the same step: verify and draw the plan itself. A plan that was refused stays refused. O(T).
  template <class P>
  [[nodiscard]] constexpr Plan<T> resolve(const P& plan, const Tensor (&tensors)[T]) const noexcept {
    const PlanSummary& summary = plan;
    std::array<std::size_t, T> offsets{};
    std::array<std::size_t, T> sizes{};
    for (std::size_t i = 0; i < T && summary.status() == Status::kOk; ++i) {
      if (buffers_[roots_[i]].size == 0) continue;
      offsets[i] = offset(plan, i);
      sizes[i] = tensors[i].size;
    }
    return {summary, plan.lower_bound(), offsets, sizes};
  }

 private:
  std::array<Buffer, T> buffers_;
  std::array<Index, T> roots_;
  std::array<std::size_t, T> offsets_;
};

/// \copydoc lifetimes
template <std::size_t T, std::size_t O>
[[nodiscard]] constexpr Lifetimes<T> lifetimes(const Tensor (&tensors)[T], const Op (&ops)[O], const TensorList& inputs,
                                               const TensorList& outputs) noexcept {
  std::array<Buffer, T> buffers{};
  std::array<Index, T> roots{};
  std::array<std::size_t, T> offsets{};
  const GraphSummary summary =
      lifetimes(tensors, T, ops, O, inputs, outputs, buffers.data(), roots.data(), offsets.data());
  detail::refuse_graph_in_constant_expression(summary.status);
  return {summary, buffers, roots, offsets};
}

}  // namespace ARENITE_ABI
}  // namespace arenite
