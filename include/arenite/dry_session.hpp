// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What a session takes of its arena, counted by a `DryRun`: by the compiler, or by a program before it has the memory.
/// The calls are those of a session, so that a set-up written once serves both:
///
///     template <class Arena, class Session>
///     constexpr bool set_up(Arena& arena, Session& session) {
///       return session.begin(arena, 40) == arenite::Status::kOk && session.commit(kBuffers) == arenite::Status::kOk;
///     }
///     constexpr std::size_t size() {
///       arenite::DryRun arena;
///       arenite::DrySession<40> session;
///       return set_up(arena, session) ? arena.required() : 0;
///     }
///     arenite::Arena<size()> arena;
///
/// What is refused makes `required()` of the dry run the largest `size_t`. `share` counts each table, as it cannot look
/// into them: equal ones too. Pure: safe from any thread and any interrupt that has its own.

#include <array>
#include <cstddef>

#include "align.hpp"
#include "buffer.hpp"
#include "dry_run.hpp"
#include "lifetimes.hpp"
#include "plan.hpp"
#include "planner.hpp"
#include "planner/greedy.hpp"
#include "session.hpp"
#include "session_core.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
/// What a dry session shares with a `DryReadySession`.
class DrySessionApi {
 public:
  template <class T>
  constexpr bool variable(std::size_t count = 1, unsigned char /*value*/ = 0) noexcept {
    return keep(multiply_saturated(count, sizeof(T)), alignof(T));
  }
  template <class T>
  constexpr bool variable(const T* /*image*/, std::size_t count) noexcept {
    return variable<T>(count);
  }
  constexpr bool share(const void* /*bytes*/, std::size_t size, std::size_t alignment) noexcept {
    return keep(size, alignment);
  }

 protected:
  constexpr DrySessionApi() noexcept = default;
  ~DrySessionApi() = default;

  constexpr bool keep(std::size_t size, std::size_t alignment) noexcept {
    return persistent_->allocate(add_saturated(detail::record_of(size), sizeof(detail::Kept)),
                                 detail::with_record(alignment));
  }
  [[nodiscard]] static constexpr Status status_of(bool granted) noexcept {
    return granted ? Status::kOk : Status::kOutOfMemory;
  }

  DryRun* persistent_ = nullptr;
  DryRun* planned_ = nullptr;
};

/// A dry run of a `Session` of at most `kCapacity` buffers: a literal type of some 60 bytes for each of them.
template <std::size_t kCapacity, class Strategy = greedy>
class DrySession : public DrySessionApi {
 public:
  static_assert(0 < kCapacity && kCapacity <= kMaxBuffers, "more buffers than an Index can count, or none");

  constexpr DrySession() noexcept = default;

  constexpr Status begin(DryRun& arena, std::size_t capacity) noexcept { return begin(arena, arena, capacity); }
  constexpr Status begin(DryRun& persistent, DryRun& planned, std::size_t capacity) noexcept {
    if (capacity - 1 >= kCapacity) return Status::kTooManyBuffers;
    persistent_ = &persistent;
    planned_ = &planned;
    capacity_ = capacity;
    return replan();
  }
  constexpr Status replan() noexcept {
    scratches_ = 0;
    is_prepared_ = true;
    if (has_table_[next_]) return Status::kOk;
    has_table_[next_] = true;
    return status_of(take_table(sizeof(Buffer) + sizeof(std::size_t)));
  }

  constexpr Scratch scratch(std::size_t size, Step step, Alignment alignment = kDefaultAlignment) noexcept {
    return scratch(Buffer{size, step, step, alignment});
  }
  constexpr Scratch scratch(const Buffer& buffer) noexcept {
    if (scratches_ < capacity_) buffers_[capacity_ - 1 - scratches_] = buffer;
    ++scratches_;
    return {};
  }

  constexpr Status commit(const BufferList& buffers) noexcept {
    Status status = ready(buffers.count());
    if (status != Status::kOk) return status;
    for (std::size_t i = 0; i < buffers.count(); ++i) buffers_[i] = buffers[i];
    if (is_unchanged(buffers.count(), false)) return adopt();
    PlanSummary plan;
    planned_->in_temp([&](DryRun::Temp& temp) { plan = plan_next(temp); });
    return place(plan, buffers.count(), false);
  }

  constexpr Status commit(const Graph& graph, GraphSummary* why = nullptr) noexcept {
    const std::size_t count = graph.tensor_count;
    Status status = ready(count);
    if (status != Status::kOk) return status;
    if (!has_places_[next_]) {
      has_places_[next_] = true;
      if (!take_table(2 * sizeof(std::size_t))) return Status::kOutOfMemory;
    }
    PlanSummary plan;
    bool unchanged = false;
    planned_->in_temp([&](DryRun::Temp& temp) {
      const std::size_t bytes = count * (sizeof(std::size_t) + sizeof(Index));
      if (bytes != 0) status = status_of(temp.allocate(bytes, alignof(std::size_t)));
      std::array<Index, kCapacity> roots{};
      const GraphSummary answer = lifetimes(graph.tensors, count, graph.ops, graph.op_count, graph.inputs,
                                            graph.outputs, buffers_.data(), roots.data(), offsets_.data());
      if (why != nullptr) *why = answer;
      if (status == Status::kOk) status = answer.status;
      if (status != Status::kOk) return;
      unchanged = is_unchanged(count, true);
      if (!unchanged) plan = plan_next(temp);
      status = plan.status();
      for (std::size_t i = 0; i < count && status == Status::kOk; ++i) {
        if (roots[i] == i) status = keep_tensor(graph.tensors[i], buffers_[i].alignment, kept_[i]);
      }
    });
    if (status != Status::kOk) return status;
    return unchanged ? adopt() : place(plan, count, true);
  }

 private:
  struct KeptTensor {
    std::size_t size = 0;
    std::size_t alignment = 0;
    TensorKind kind = TensorKind::kActivation;
  };

  constexpr bool take_table(std::size_t entry) noexcept {
    return persistent_->allocate(capacity_ * entry, alignof(std::size_t));
  }

  [[nodiscard]] constexpr Status ready(std::size_t tensors) const noexcept {
    if (!is_prepared_) return Status::kStale;
    return add_saturated(tensors, scratches_) <= capacity_ ? Status::kOk : Status::kTooManyBuffers;
  }

  [[nodiscard]] constexpr bool is_unchanged(std::size_t tensors, bool is_graph) noexcept {
    for (std::size_t i = tensors; i < capacity_ - scratches_; ++i) buffers_[i] = {};
    if (!is_committed_ || tensors != tensors_ || is_graph != is_graph_) return false;
    for (std::size_t i = 0; i < capacity_; ++i) {
      const Buffer& a = buffers_[i];
      const Buffer& b = in_use_[i];
      if (a.size != b.size || a.first != b.first || a.last != b.last || a.alignment != b.alignment) return false;
    }
    return true;
  }

  [[nodiscard]] constexpr PlanSummary plan_next(DryRun::Temp& temp) noexcept {
    const std::size_t bytes = Strategy::scratch(capacity_) * sizeof(Index);
    if (bytes != 0 && !temp.allocate(bytes, alignof(std::size_t))) return PlanSummary(Status::kOutOfMemory);
    std::array<std::size_t, kCapacity> offsets{};
    std::array<Index, Strategy::scratch(kCapacity)> scratch{};
    return detail::make_plan<Strategy>(buffers_.data(), capacity_, offsets.data(), scratch.data());
  }

  constexpr Status keep_tensor(const Tensor& tensor, Alignment alignment, KeptTensor& kept) noexcept {
    if (tensor.kind != TensorKind::kVariable && tensor.kind != TensorKind::kKept) return Status::kOk;
    const bool is_there = kept.kind == tensor.kind && kept.size >= tensor.size && kept.alignment >= alignment.bytes();
    if (is_there) return Status::kOk;
    kept = {tensor.size, alignment.bytes(), tensor.kind};
    return status_of(keep(tensor.size, alignment.bytes()));
  }

  constexpr Status place(const PlanSummary& plan, std::size_t tensors, bool is_graph) noexcept {
    if (plan.status() != Status::kOk) return plan.status();
    if (!planned_->overlay(plan)) return Status::kOutOfMemory;
    for (std::size_t i = 0; i < capacity_; ++i) in_use_[i] = buffers_[i];
    tensors_ = tensors;
    is_graph_ = is_graph;
    is_committed_ = true;
    next_ = 1 - next_;
    return adopt();
  }
  constexpr Status adopt() noexcept {
    is_prepared_ = false;
    return Status::kOk;
  }

  std::array<Buffer, kCapacity> buffers_{};  // of the plan that is prepared, and of the one in use
  std::array<Buffer, kCapacity> in_use_{};
  std::array<std::size_t, kCapacity> offsets_{};
  std::array<KeptTensor, kCapacity> kept_{};
  bool has_table_[2] = {};
  bool has_places_[2] = {};  // of tensors
  std::size_t next_ = 0;     // which of the tables is for the next plan
  std::size_t capacity_ = 0;
  std::size_t scratches_ = 0;
  std::size_t tensors_ = 0;  // of the plan in use
  bool is_graph_ = false;
  bool is_committed_ = false;
  bool is_prepared_ = false;
};

/// A dry run of a `ReadySession`.
class DryReadySession : public DrySessionApi {
 public:
  constexpr DryReadySession() noexcept = default;

  constexpr Status begin(DryRun& arena, const ReadyPlan& plan) noexcept { return begin(arena, arena, plan); }
  constexpr Status begin(DryRun& persistent, DryRun& planned, const ReadyPlan& plan) noexcept {
    persistent_ = &persistent;
    planned_ = &planned;
    return replan(plan);
  }
  constexpr Status replan(const ReadyPlan& plan) noexcept {
    plan_ = &plan;
    scratches_ = 0;
    refused_ = plan.status();
    return refused_;
  }

  constexpr Scratch scratch(std::size_t size, Step step, Alignment alignment = kDefaultAlignment) noexcept {
    return scratch(Buffer{size, step, step, alignment});
  }
  constexpr Scratch scratch(const Buffer& buffer) noexcept {
    const detail::PlanView& view = plan_->view();
    const std::size_t index = view.tensors + scratches_++;
    if (index >= view.count || !detail::fits(view, index, buffer)) refused_ = Status::kMismatch;
    return {};
  }

  constexpr Status commit() noexcept {
    const detail::PlanView& view = plan_->view();
    if (refused_ != Status::kOk) return refused_;
    if (view.tensors + scratches_ != view.count) return Status::kMismatch;
    return status_of(view.size == 0 || planned_->overlay(view.size, view.alignment));
  }

 private:
  const ReadyPlan* plan_ = nullptr;
  std::size_t scratches_ = 0;
  Status refused_ = Status::kOk;
};

}  // namespace ARENITE_ABI
}  // namespace arenite
