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
/// What is refused whatever the size of the arena, whether its answer is looked at or not, makes `required()` of the
/// dry run the largest `size_t`. More than a session takes is counted where it finds what it has already: `share`
/// counts each table, equal ones too, as it cannot look into them; and a tensor that is kept at some alignment counts
/// again when it needs a larger one, though it may lie there by luck. A dry session does not know of the others in its
/// arena, nor of a `reset` there.
///
/// Pure: safe from any thread and any interrupt that has its own.

#include <array>
#include <cstddef>
#include <type_traits>

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
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "a variable is plain data: it is set byte by byte");
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

  /// Begins: refused if it has begun.
  constexpr Status start(DryRun& persistent, DryRun& planned) noexcept {
    if (is_begun()) return refuse(persistent, planned, Status::kLoaded);
    persistent_ = &persistent;
    planned_ = &planned;
    return Status::kOk;
  }
  [[nodiscard]] constexpr bool is_begun() const noexcept { return persistent_ != nullptr; }
  [[nodiscard]] constexpr Status ready() const noexcept { return is_begun() ? refused_ : Status::kStale; }

  constexpr void prepare() noexcept {
    scratches_ = 0;
    refused_ = Status::kOk;
  }

  constexpr bool keep(std::size_t size, std::size_t alignment) noexcept {
    return is_begun() && persistent_->allocate(add_saturated(detail::record_of(size), sizeof(detail::Kept)),
                                               detail::with_record(alignment));
  }

  /// Whether the overlay may be changed. Changes nothing then.
  [[nodiscard]] constexpr bool has_no_temp() const noexcept { return planned_->overlay(0, 1); }

  /// Tells the dry runs that no arena would do.
  static constexpr Status refuse(DryRun& persistent, DryRun& planned, Status status) noexcept {
    persistent.refuse();
    planned.refuse();
    return status;
  }
  constexpr Status refuse(Status status) const noexcept {
    return is_begun() ? refuse(*persistent_, *planned_, status) : status;
  }
  constexpr bool refuse_scratch(Status status) noexcept {
    refused_ = refuse(status);
    return false;
  }

  DryRun* persistent_ = nullptr;
  DryRun* planned_ = nullptr;
  Status refused_ = Status::kOk;  // why scratch was
  std::size_t scratches_ = 0;
};

/// A dry run of a `Session` of at most `kCapacity` buffers: a literal type of some 80 bytes for each of them on a
/// 64-bit machine.
template <std::size_t kCapacity, class Strategy = greedy>
class DrySession : public DrySessionApi {
 public:
  static_assert(0 < kCapacity && kCapacity <= kMaxBuffers, "more buffers than an Index can count, or none");

  constexpr DrySession() noexcept = default;

  constexpr Status begin(DryRun& arena, std::size_t capacity) noexcept { return begin(arena, arena, capacity); }
  constexpr Status begin(DryRun& persistent, DryRun& planned, std::size_t capacity) noexcept {
    if (capacity - 1 >= kCapacity) return refuse(persistent, planned, Status::kTooManyBuffers);
    const Status status = start(persistent, planned);
    if (status != Status::kOk) return status;
    capacity_ = capacity;
    return replan();
  }
  constexpr Status replan() noexcept {
    if (!is_begun()) return Status::kStale;
    if (!has_table_[next_]) take_table(sizeof(Buffer) + sizeof(std::size_t));
    has_table_[next_] = true;
    prepare();
    return Status::kOk;
  }

  constexpr bool scratch(std::size_t size, Step step, Alignment alignment = kDefaultAlignment) noexcept {
    return scratch(Buffer{size, step, step, alignment});
  }
  constexpr bool scratch(const Buffer& buffer) noexcept {
    const Status status = ready();
    if (status != Status::kOk) return refuse(status) == Status::kOk;
    if (scratches_ == capacity_) return refuse_scratch(Status::kTooManyBuffers);
    buffers_[capacity_ - 1 - scratches_++] = buffer;
    return true;
  }

  constexpr Status commit(const BufferList& buffers) noexcept {
    const Status status = is_prepared(buffers.count());
    if (status != Status::kOk) return refuse(status);
    for (std::size_t i = 0; i < buffers.count(); ++i) buffers_[i] = buffers[i];
    if (is_unchanged(buffers.count(), false)) return adopt();
    PlanSummary plan;
    planned_->in_temp([&](DryRun::Temp& temp) { plan = plan_next(temp); });
    return place(plan, buffers.count(), false);
  }

  constexpr Status commit(const Graph& graph, GraphSummary* why = nullptr) noexcept {
    const std::size_t count = graph.tensor_count;
    if (why != nullptr) *why = {};
    Status status = is_prepared(count);
    if (status != Status::kOk) return refuse(status);
    if (!has_places_[next_]) take_table(2 * sizeof(std::size_t));
    has_places_[next_] = true;
    PlanSummary plan;
    bool unchanged = false;
    planned_->in_temp([&](DryRun::Temp& temp) {
      temp.allocate(count * (sizeof(std::size_t) + sizeof(Index)), alignof(std::size_t));
      std::array<Index, kCapacity> roots{};
      const GraphSummary answer = lifetimes(graph.tensors, count, graph.ops, graph.op_count, graph.inputs,
                                            graph.outputs, buffers_.data(), roots.data(), offsets_.data());
      if (why != nullptr) *why = answer;
      status = answer.status;
      if (status != Status::kOk) return;
      unchanged = is_unchanged(count, true);
      if (!unchanged) plan = plan_next(temp);
      status = plan.status();
      if (status != Status::kOk) return;
      for (std::size_t i = 0; i < count; ++i) {
        if (roots[i] == i) keep_tensor(static_cast<Index>(i), graph.tensors[i], buffers_[i].alignment.bytes());
      }
    });
    if (status != Status::kOk) return refuse(status);
    return unchanged ? adopt() : place(plan, count, true);
  }

 private:
  struct KeptTensor {
    std::size_t size = 0;
    std::size_t alignment = 0;
    Index tensor = kNoIndex;
    TensorKind kind = TensorKind::kActivation;
  };

  constexpr void take_table(std::size_t entry) noexcept {
    persistent_->allocate(capacity_ * entry, alignof(std::size_t));
  }

  [[nodiscard]] constexpr Status is_prepared(std::size_t tensors) const noexcept {
    const Status status = ready();
    if (status != Status::kOk) return status;
    if (!has_no_temp()) return Status::kTempOpen;
    return tensors <= capacity_ - scratches_ ? Status::kOk : Status::kTooManyBuffers;
  }

  [[nodiscard]] constexpr bool is_unchanged(std::size_t tensors, bool is_graph) noexcept {
    for (std::size_t i = tensors; i < capacity_ - scratches_; ++i) buffers_[i] = {};
    if (!is_committed_ || releases_ != planned_->releases() || tensors != tensors_ || is_graph != is_graph_)
      return false;
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (buffers_[i] != in_use_[i]) return false;
    }
    return true;
  }

  [[nodiscard]] constexpr PlanSummary plan_next(DryRun::Temp& temp) noexcept {
    temp.allocate(Strategy::scratch(capacity_) * sizeof(Index), alignof(std::size_t));
    const std::size_t fence = planned_->fence();
    std::array<Buffer, kCapacity> fenced = buffers_;
    for (std::size_t i = 0; i < capacity_ && fence != 0; ++i) {
      if (fenced[i].size > kMaxSize - fence) return PlanSummary(Status::kSizeOverflow);
      if (fenced[i].size != 0) fenced[i].size += fence;
    }
    std::array<std::size_t, kCapacity> offsets{};
    std::array<Index, Strategy::scratch(kCapacity)> scratch{};
    return detail::make_plan<Strategy>(fenced.data(), capacity_, offsets.data(), scratch.data());
  }

  constexpr void keep_tensor(Index index, const Tensor& tensor, std::size_t alignment) noexcept {
    if (!detail::is_persistent(tensor)) return;
    alignment = detail::with_record(alignment);
    std::size_t place = kept_count_;  // of one that this one can stand for, or behind all
    for (std::size_t i = 0; i < kept_count_; ++i) {
      const KeptTensor& kept = kept_[i];
      if (kept.tensor != index || kept.kind != tensor.kind) continue;
      if (kept.size >= tensor.size && kept.alignment >= alignment) return;
      if (kept.size <= tensor.size && kept.alignment <= alignment) place = i;
    }
    if (place < kept_.size()) kept_[place] = {tensor.size, alignment, index, tensor.kind};
    if (place == kept_count_ && place < kept_.size()) ++kept_count_;
    keep(tensor.size, alignment);
  }

  constexpr Status place(const PlanSummary& plan, std::size_t tensors, bool is_graph) noexcept {
    if (plan.status() != Status::kOk) return refuse(plan.status());
    planned_->overlay(plan);
    for (std::size_t i = 0; i < capacity_; ++i) in_use_[i] = buffers_[i];
    tensors_ = tensors;
    is_graph_ = is_graph;
    is_committed_ = true;
    releases_ = planned_->releases();
    next_ = 1 - next_;
    return adopt();
  }
  constexpr Status adopt() noexcept {
    refused_ = Status::kStale;
    return Status::kOk;
  }

  std::array<Buffer, kCapacity> buffers_{};  // of the plan that is prepared, and of the one in use
  std::array<Buffer, kCapacity> in_use_{};
  std::array<std::size_t, kCapacity> offsets_{};
  std::array<KeptTensor, kCapacity> kept_{};  // one that does not fit in is counted again when it is needed again
  std::size_t kept_count_ = 0;
  bool has_table_[2] = {};
  bool has_places_[2] = {};  // of tensors
  std::size_t next_ = 0;     // which of the tables is for the next plan
  std::size_t capacity_ = 0;
  std::size_t tensors_ = 0;  // of the plan in use
  bool is_graph_ = false;
  std::size_t releases_ = 0;  // of the overlay, before
  bool is_committed_ = false;
};

/// A dry run of a `ReadySession`.
class DryReadySession : public DrySessionApi {
 public:
  constexpr DryReadySession() noexcept = default;

  constexpr Status begin(DryRun& arena, const ReadyPlan& plan) noexcept { return begin(arena, arena, plan); }
  Status begin(DryRun& arena, const ReadyPlan&& plan) = delete;
  constexpr Status begin(DryRun& persistent, DryRun& planned, const ReadyPlan& plan) noexcept {
    if (plan.status() != Status::kOk) return refuse(persistent, planned, plan.status());
    const Status status = start(persistent, planned);
    return status == Status::kOk ? replan(plan) : status;
  }
  Status begin(DryRun& persistent, DryRun& planned, const ReadyPlan&& plan) = delete;
  constexpr Status replan(const ReadyPlan& plan) noexcept {
    if (!is_begun()) return Status::kStale;
    if (plan.status() != Status::kOk) return refuse(plan.status());
    next_ = &plan.view();
    prepare();
    return Status::kOk;
  }
  Status replan(const ReadyPlan&& plan) = delete;

  constexpr bool scratch(std::size_t size, Step step, Alignment alignment = kDefaultAlignment) noexcept {
    return scratch(Buffer{size, step, step, alignment});
  }
  constexpr bool scratch(const Buffer& buffer) noexcept {
    if (!is_begun()) return false;
    const std::size_t index = next_->tensors + scratches_;
    if (index >= next_->count || !detail::fits(*next_, index, buffer)) return refuse_scratch(Status::kMismatch);
    ++scratches_;
    return true;
  }

  constexpr Status commit() noexcept {
    const Status status = ready();
    if (status != Status::kOk) return refuse(status);
    if (next_->tensors + scratches_ != next_->count) return refuse(Status::kMismatch);
    const bool granted = next_->size == 0 || planned_->overlay(next_->size, next_->alignment);
    return granted ? Status::kOk : Status::kTempOpen;
  }

 private:
  const detail::PlanView* next_ = nullptr;  // the plan that is prepared
};

}  // namespace ARENITE_ABI
}  // namespace arenite
