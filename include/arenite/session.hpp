// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The set-up of a model in an arena, step by step, in the order in which an inference engine does it:
///
///     arenite::Session<> session;                              // all zero: .bss, no start-up code
///     session.begin(arena, 40);                                // of at most 40 tensors and scratch buffers
///     auto* state = arena.create<FilterState>();               // persistent, while operators are prepared
///     auto columns = session.scratch(2304, step);              // memory for one operator: a handle
///     { auto temp = arena.temp(); ... }                        // memory for the preparation itself
///     auto* history = session.variable<std::int8_t>(64);       // keeps its value from run to run, zero at first
///     if (session.commit(graph) != arenite::Status::kOk) ...   // lifetimes, plan, overlay
///     session.data<std::int8_t>(kImage), session.data<std::int8_t>(columns)
///
/// `Session` plans at run time. `ReadySession` takes a plan made beforehand and checks it against what is asked for:
/// then no planner is linked.
///
/// A session takes no other RAM: what it needs to know later lies on the tail of its arena, and what it needs for
/// planning in a temp scope.
///
/// Several sessions in one arena are models that never run at the same time: what they hold for good adds up, and the
/// overlay, which they share, is as large as the largest. They are unloaded in reverse order, with whatever was put on
/// the tail since they began; all can be used, one at a time. Only the *latest* session can be changed: that after
/// whose `begin` nothing was marked on the tail, by another session or the program, that is not released again.
///
/// Scratch that is refused is remembered, and `commit` then is refused with its status. A commit that is refused leaves
/// the plan in use, its handles and its data as they were.
///
/// No call is safe against another on the same session or its arenas that runs at the same time, be it in a thread or
/// in an interrupt. `data`, `size` and what else only reads may run beside each other, while nobody changes the session
/// or gives back what it holds.

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "align.hpp"
#include "arena.hpp"
#include "arena_core.hpp"
#include "buffer.hpp"
#include "lifetimes.hpp"
#include "observer.hpp"
#include "observers/fences.hpp"
#include "plan.hpp"
#include "planner.hpp"
#include "planner/greedy.hpp"
#include "session_core.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// A graph as it is known at run time: `tensors` and `ops` are looked at during `commit` only.
struct Graph {
  const Tensor* tensors = nullptr;
  std::size_t tensor_count = 0;
  const Op* ops = nullptr;
  std::size_t op_count = 0;
  TensorList inputs;
  TensorList outputs;
};

/// A session that plans at run time, by `Strategy`. `O` is the observer of its arenas.
template <class Strategy = greedy, class O = DefaultObserver>
class Session : public SessionApi<O> {
  static_assert(!std::is_base_of_v<Observer, Strategy>, "the observer is the second: Session<arenite::greedy, Watch>");

 public:
  constexpr Session() noexcept = default;

  /// Begins a model of at most `capacity` tensors and scratch buffers together, and takes a table for so many from the
  /// tail: 16 bytes each on a 32-bit target. O(1).
  ///
  /// Refused, and nothing changed, if and only if a model is begun (`kLoaded`: unload it first), `capacity` is
  /// zero or above `kMaxBuffers` (`kTooManyBuffers`), or the table is refused.
  [[nodiscard]] Status begin(BasicArenaRef<O> arena, std::size_t capacity) noexcept {
    return begin(arena, arena, capacity);
  }

  /// The same in two memories: what is kept goes to the tail of `persistent`, overlay and temp are those of `planned`.
  [[nodiscard]] Status begin(BasicArenaRef<O> persistent, BasicArenaRef<O> planned, std::size_t capacity) noexcept {
    if (capacity - 1 >= kMaxBuffers) return Status::kTooManyBuffers;
    Status status = this->start(persistent, planned);
    if (status != Status::kOk) return status;
    capacity_ = capacity;
    for (Table& table : tables_) table.list = nullptr;
    next_ = tables_;
    status = prepare_next();
    if (status != Status::kOk) this->forget();
    return status;
  }

  /// Begins the preparation of another plan for the same model, with other sizes for one. Scratch is asked for anew;
  /// what is persistent stays. Until the next `commit` succeeds, the plan in use and its handles stay valid. Takes
  /// another table from the tail, once. O(1).
  ///
  /// Refused, and nothing changed, if and only if this is not the latest session (`kMarkerOrder`; `kStale` if it is
  /// not begun), or the table is refused.
  [[nodiscard]] Status replan() noexcept { return this->is_latest() ? prepare_next() : this->ready(); }

  /// Asks for scratch that lives during one step, with bytes of its own there. The handle can be used after `commit`.
  /// An empty handle if and only if there is no more room in the table, this is not the latest session, or nothing
  /// is prepared. O(1).
  Scratch scratch(std::size_t size, Step step, Alignment alignment = kDefaultAlignment) noexcept {
    return scratch(Buffer{size, step, step, alignment});
  }

  /// The same for several steps.
  Scratch scratch(const Buffer& buffer) noexcept {
    // From the end of the table, as nobody knows yet how many tensors there are.
    const std::size_t index = capacity_ - 1 - this->scratches_;
    if (this->ready() != Status::kOk) return {};
    if (index >= capacity_) return this->refuse_scratch(Status::kTooManyBuffers);
    ::new (static_cast<void*>(next_->list + index)) Buffer(buffer);
    return this->next_scratch(index);
  }

  /// Plans these buffers and the scratch, and reserves the overlay. Buffer i is tensor i for `data`. Works in a temp
  /// scope of `Strategy::scratch(capacity)` indices. A list that is equal to the one in use, with the same scratch,
  /// keeps its plan. Where the observer wants fences, each buffer has one behind it. Time: the strategy's.
  ///
  /// Refused if and only if scratch was refused (`kTooManyBuffers`) or there is no room in the table for so many
  /// buffers (likewise), this is not the latest session (`kMarkerOrder`; `kStale` if it is not begun, or nothing
  /// was prepared since the last commit), `arenite::plan` refuses the list (`culprit()` tells the buffer), there is no
  /// room in an arena (`kOutOfMemory` and its kin, see `last_failure()` there), or a temp scope is open (`kTempOpen`).
  /// It can then be tried again.
  [[nodiscard]] Status commit(const BufferList& buffers) noexcept {
    Status status = is_prepared(buffers.count());
    if (status != Status::kOk) return status;
    if (buffers.data() == nullptr && buffers.count() != 0) return Status::kNullMemory;
    for (std::size_t i = 0; i < buffers.count(); ++i) {
      ::new (static_cast<void*>(next_->list + i)) Buffer(buffers[i]);
    }
    next_->offsets = offsets_of(*next_);
    next_->sizes = nullptr;
    next_->buffers = next_->list;
    if (is_unchanged(buffers.count())) return adopt();
    {
      WorkingMemory memory(this->planned_);
      status = plan_next(memory);
    }
    return status == Status::kOk ? place_next() : status;
  }

  /// Works out the lifetimes of a graph, and commits them. Variables and kept tensors get their place on the tail, each
  /// once, zeroed; `data` finds them, and all tensors but constants and external ones. Takes another 8 bytes of the
  /// tail for each entry of the table, and another 6 bytes a tensor of temp while it plans, on a 32-bit target.
  ///
  /// Refused as above, and if and only if `lifetimes` refuses the graph; `why`, if given, gets its answer.
  [[nodiscard]] Status commit(const Graph& graph, GraphSummary* why = nullptr) noexcept {
    const std::size_t count = graph.tensor_count;
    if (why != nullptr) *why = {};
    Status status = is_prepared(count);
    if (status != Status::kOk) return status;
    if (next_->tensors_at == nullptr) {
      next_->tensors_at = static_cast<std::size_t*>(this->take(capacity_ * 2 * sizeof(std::size_t)));
      if (next_->tensors_at == nullptr) return this->why(this->persistent_);
    }
    next_->offsets = next_->tensors_at;
    next_->sizes = next_->tensors_at + capacity_;
    detail::Rollback<O, detail::kTail> rollback(this->persistent_);  // of new variables
    detail::Kept* const kept = this->kept_;
    bool unchanged = false;
    {
      WorkingMemory memory(this->planned_);
      void* const block = memory.take(count * (sizeof(std::size_t) + sizeof(Index)));
      if (block == nullptr) return this->why(this->planned_);
      auto* const offsets = static_cast<std::size_t*>(block);
      auto* const roots = reinterpret_cast<Index*>(offsets + count);
      const GraphSummary answer = lifetimes(graph.tensors, count, graph.ops, graph.op_count, graph.inputs,
                                            graph.outputs, next_->list, roots, offsets);
      if (why != nullptr) *why = answer;
      if (answer.status != Status::kOk) return answer.status;
      unchanged = is_unchanged(count);
      if (!unchanged) status = plan_next(memory);
      if (status == Status::kOk) status = keep_tensors(graph, roots);
      if (status == Status::kOk) find_tensors(graph, unchanged ? other() : *next_, roots, offsets);
    }
    if (status == Status::kOk) status = unchanged ? adopt() : place_next();
    if (status == Status::kOk) return status;
    this->kept_ = kept;
    rollback.arm();
    return status;
  }

  /// The plan in use, for reports: as many buffers as the table has, tensors first, then some without bytes, then the
  /// scratch, the last one first. Of no buffers, and `kStale`, if there is none.
  [[nodiscard]] PlanRef plan() const noexcept {
    if (!*this) return PlanRef(PlanSummary(Status::kStale), nullptr, nullptr, 0);
    const Table& table = in_use();
    return {PlanSummary(table.size, table.alignment), table.list, offsets_of(table), capacity_};
  }

  /// Tells the arena's observer that a step begins, see `ArenaApi::enter`. `kStale` if and only if there is no valid
  /// plan. Until another step or `unload`, an observer may look at the tables: a persistent memory of its own is reset
  /// after that.
  Status enter(Step step) noexcept {
    if (!*this) return Status::kStale;
    const Table& table = in_use();
    this->tell_step(table.list, offsets_of(table), step);
    return Status::kOk;
  }

  /// How often a plan was made, since this object was.
  [[nodiscard]] std::size_t plans() const noexcept { return plans_; }

  /// The buffer for which the last plan was refused, as `plan()` has it; `kNoIndex` if none was.
  [[nodiscard]] Index culprit() const noexcept { return static_cast<Index>(culprit_ - 1); }

 private:
  using typename SessionApi<O>::WorkingMemory;

  struct Table : detail::PlanView {
    Buffer* list = nullptr;             // of all buffers, and behind them, their offsets; null: not there yet
    std::size_t* tensors_at = nullptr;  // of a graph: offsets of the tensors, and then their sizes, views included
  };

  [[nodiscard]] std::size_t* offsets_of(const Table& table) const noexcept {
    return reinterpret_cast<std::size_t*>(table.list + capacity_);
  }
  [[nodiscard]] const Table& in_use() const noexcept { return static_cast<const Table&>(*this->view_); }
  [[nodiscard]] Table& other() noexcept { return *(next_ == tables_ ? tables_ + 1 : tables_); }

  [[nodiscard]] Status prepare_next() noexcept {
    if (next_->list == nullptr) {
      next_->list = static_cast<Buffer*>(this->take(capacity_ * (sizeof(Buffer) + sizeof(std::size_t))));
      if (next_->list == nullptr) return this->why(this->persistent_);
      next_->tensors_at = nullptr;
      next_->count = capacity_;
    }
    this->prepare();
    return Status::kOk;
  }

  [[nodiscard]] Status is_prepared(std::size_t tensors) noexcept {
    culprit_ = 0;
    const Status status = this->ready();
    if (status != Status::kOk) return status;
    if (detail::ArenaCore::open_temps(*this->planned_.state) != 0) return Status::kTempOpen;
    return tensors <= capacity_ - this->scratches_ ? Status::kOk : Status::kTooManyBuffers;
  }

  /// Puts buffers of no bytes between the tensors and the scratch. Whether then what is prepared is what is in use.
  [[nodiscard]] bool is_unchanged(std::size_t tensors) noexcept {
    Buffer* next = next_->list;
    Buffer* const end = next + capacity_;
    for (Buffer* empty = next + tensors; empty != end - this->scratches_; ++empty) {
      ::new (static_cast<void*>(empty)) Buffer();
    }
    next_->tensors = tensors;
    if (!*this) return false;
    const Table& table = in_use();
    if (table.tensors != tensors || (table.sizes == nullptr) != (next_->sizes == nullptr)) return false;
    for (const Buffer* now = table.list; next != end; ++now, ++next) {
      if (*now != *next) return false;
    }
    return true;
  }

  /// The answer of a planner, in the form in which it is kept.
  struct Outcome {
    constexpr explicit Outcome(Status why, Index index = kNoIndex) noexcept
        : status(why), culprit(static_cast<Index>(index + 1)) {}
    constexpr Outcome(std::size_t bytes, Alignment widest) noexcept : size(bytes), alignment(widest.mask() + 1) {}

    std::size_t size = 0;
    std::size_t alignment = 1;
    Status status = Status::kOk;
    Index culprit = 0;  // and one; zero: none
  };

  [[nodiscard]] Status plan_next(WorkingMemory& memory) noexcept {
    auto* const scratch = static_cast<Index*>(memory.take(Strategy::scratch(capacity_) * sizeof(Index)));
    if (scratch == nullptr) return this->why(this->planned_);
    if (!add_fences()) return Status::kSizeOverflow;
    Outcome outcome = detail::make_plan<Strategy, Outcome>(next_->list, capacity_, offsets_of(*next_), scratch);
    take_fences();
    culprit_ = outcome.culprit;
    next_->size = outcome.size;
    next_->alignment = outcome.alignment;
    return outcome.status;
  }

  /// Where an observer wants fences, each planned buffer has one behind it. False if a size is too large for that.
  [[nodiscard]] bool add_fences() noexcept {
    if constexpr (O::kFence != 0) {
      for (std::size_t i = 0; i < capacity_; ++i) {
        culprit_ = static_cast<Index>(i + 1);
        if (next_->list[i].size > kMaxSize - O::kFence) return false;
      }
      for (std::size_t i = 0; i < capacity_; ++i) {
        if (next_->list[i].size != 0) next_->list[i].size += O::kFence;
      }
    }
    return true;
  }
  void take_fences() noexcept {
    if constexpr (O::kFence != 0) {
      for (std::size_t i = 0; i < capacity_; ++i) {
        if (next_->list[i].size != 0) next_->list[i].size -= O::kFence;
      }
    }
  }

  [[nodiscard]] Status place_next() noexcept {
    const Status status = this->place(*next_);
    if (status != Status::kOk) return status;
    next_ = &other();
    ++plans_;
    return adopt();
  }

  /// What was prepared is in use now: the scratch that was asked for is that of the plan in use.
  [[nodiscard]] Status adopt() noexcept {
    culprit_ = 0;
    this->serial_ = this->pending_;
    this->refused_ = Status::kStale;
    return Status::kOk;
  }

  // --- graphs --------------------------------------------------------------------------------------------------------

  [[nodiscard]] const detail::Kept* find(Index index, const Tensor& tensor, Alignment alignment) const noexcept {
    for (const detail::Kept* kept = this->kept_; kept != nullptr; kept = kept->next) {
      const bool same = kept->tensor == index && kept->is_variable == (tensor.kind == TensorKind::kVariable);
      if (same && kept->size >= tensor.size && this->is_aligned(kept->data, alignment.bytes())) return kept;
    }
    return nullptr;
  }

  /// Gives a place to each variable and kept tensor that has none.
  [[nodiscard]] Status keep_tensors(const Graph& graph, const Index* roots) noexcept {
    for (std::size_t i = 0; i < graph.tensor_count; ++i) {
      const Tensor& tensor = graph.tensors[i];
      const Index index = static_cast<Index>(i);
      const Alignment alignment = next_->list[i].alignment;  // that of its views, too
      if (roots[i] != i || !detail::is_persistent(tensor) || find(index, tensor, alignment) != nullptr) continue;
      detail::Kept* const kept = this->keep(tensor.size, alignment.bytes(), Kind::kVariable);
      if (kept == nullptr) return this->why(this->persistent_);
      kept->tensor = index;
      kept->is_variable = tensor.kind == TensorKind::kVariable;
      detail::reset(*kept);
    }
    return Status::kOk;
  }

  /// From where the buffers are to where the tensors are, and how large they are.
  void find_tensors(const Graph& graph, const Table& table, const Index* roots, const std::size_t* offsets) noexcept {
    // Where `place` will put it.
    const ArenaState& planned = *this->planned_.state;
    const std::uintptr_t base = table.size == 0 ? reinterpret_cast<std::uintptr_t>(detail::ArenaCore::base(planned))
                                                : detail::ArenaCore::overlay_address(planned, table.alignment);
    std::size_t* const sizes = table.tensors_at + capacity_;
    for (std::size_t i = 0; i < capacity_; ++i) {
      sizes[i] = table.list[i].size;
      table.tensors_at[i] = offsets_of(table)[i];
      if (i >= graph.tensor_count) continue;  // scratch
      const Index root = roots[i];
      const bool kept = detail::is_persistent(graph.tensors[root]);
      if (!kept && table.list[root].size == 0) continue;
      sizes[i] = graph.tensors[i].size;
      if (kept) {
        const detail::Kept* const there = find(root, graph.tensors[root], table.list[root].alignment);
        if (there == nullptr) __builtin_unreachable();  // `keep_tensors` gave it a place
        table.tensors_at[i] = reinterpret_cast<std::uintptr_t>(there->data) - base + offsets[i];
      } else {
        table.tensors_at[i] = offsets_of(table)[root] + offsets[i];
      }
    }
  }

  Table* next_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t plans_ = 0;
  Index culprit_ = 0;  // and one; zero: none
  Table tables_[2];    // of the plan in use and of the one that is prepared
};

// --- a plan made beforehand ------------------------------------------------------------------------------------------

/// A plan made beforehand in the form that a session takes, see `ready`. A literal type of eight words, which looks at
/// the plan.
class ReadyPlan {
 public:
  /// `kOk`, or why it is refused.
  [[nodiscard]] constexpr Status status() const noexcept { return status_; }

  /// The buffer for which it is, or `kNoIndex`.
  [[nodiscard]] constexpr Index culprit() const noexcept { return culprit_; }

  // For the implementation.
  constexpr ReadyPlan(const PlanSummary& plan, const detail::PlanView& view, const BufferList& tensors) noexcept
      : view_(view), status_(plan.status()) {
    if (status_ != Status::kOk) return;
    if (view.count < view.tensors) status_ = Status::kMismatch;
    if (view.size > kMaxSize) status_ = Status::kSizeOverflow;
    if (!is_power_of_two(view.alignment)) status_ = Status::kInvalidAlignment;
    for (std::size_t i = 0; i < view.count && status_ == Status::kOk; ++i) {
      const std::size_t size = view.size_of(i);
      const bool ends_outside = view.offsets[i] > view.size || size > view.size - view.offsets[i];
      if (size != 0 && ends_outside) status_ = Status::kOutOfBounds;
      if (i < view.tensors && !detail::fits(view, i, tensors[i])) status_ = Status::kMismatch;
      if (status_ != Status::kOk) culprit_ = static_cast<Index>(i);
    }
  }
  [[nodiscard]] constexpr const detail::PlanView& view() const noexcept { return view_; }

 private:
  detail::PlanView view_;
  Status status_ = Status::kOk;
  Index culprit_ = kNoIndex;
};

namespace detail {

// Where a plan is refused in a constant expression, the compiler's message names this function.
inline void plan_was_made_for_other_buffers() noexcept {}

}  // namespace detail

/// Checks a plan against the tensors that it is for, and hands it to a `ReadySession`: what it has behind the tensors
/// is scratch, in the order in which it will be asked for. The plan must outlive it. O(count).
///
///     constexpr auto kPlan = arenite::plan(kBuffers);             // tensors and scratch
///     constexpr auto kReady = arenite::ready(kPlan, kTensors);    // the tensors among them
///
/// Refused if and only if the plan itself was, it has fewer buffers, one that is smaller or less aligned than its
/// tensor (`kMismatch`), one that ends outside of the planned block (`kOutOfBounds`), or is none that a planner makes
/// (`kSizeOverflow`, `kInvalidAlignment`): a compile error in a constant expression. Whether buffers overlap that live
/// at the same step is for `Plan::verify`: in a `static_assert` for a plan made by the compiler.
template <std::size_t N>
[[nodiscard]] constexpr ReadyPlan ready(const Plan<N>& plan, const BufferList& tensors) noexcept {
  const ReadyPlan result(
      plan, {plan.offsets(), plan.sizes(), nullptr, N, tensors.count(), plan.PlanSummary::size(), plan.alignment()},
      tensors);
  if (result.status() != Status::kOk) detail::plan_was_made_for_other_buffers();
  return result;
}
template <std::size_t N>
ReadyPlan ready(const Plan<N>&& plan, const BufferList& tensors) = delete;

/// \copydoc ready
///
/// For a plan that comes in at run time, and the arena in which it will be placed. Refused also if its offsets lie
/// there: neither on the head nor on the tail, but in that arena (`kOverlap`).
template <class A>
[[nodiscard]] ReadyPlan ready(const PlanRef& plan, const BufferList& tensors, const A& planned) noexcept {
  PlanSummary summary = static_cast<const PlanSummary&>(plan);
  if (plan.count() != 0 && planned.is_in_the_middle(plan.offsets())) summary = PlanSummary(Status::kOverlap);
  return {summary,
          {plan.offsets(), nullptr, plan.buffers(), plan.count(), tensors.count(), summary.size(), summary.alignment()},
          tensors};
}

/// A session whose plan was made beforehand, by the compiler or a tool: `begin(arena, kReady)`. It takes nothing of the
/// arena but the overlay and what it is asked for. What is asked for is checked against the plan.
template <class O = DefaultObserver>
class ReadySession : public SessionApi<O> {
 public:
  constexpr ReadySession() noexcept = default;

  /// Begins a model. `plan` is looked at as long as the session uses it. O(1).
  ///
  /// Refused, and nothing changed, if and only if a model is begun (`kLoaded`: unload it first), or the plan was
  /// refused (its status).
  [[nodiscard]] Status begin(BasicArenaRef<O> arena, const ReadyPlan& plan) noexcept {
    return begin(arena, arena, plan);
  }
  Status begin(BasicArenaRef<O> arena, const ReadyPlan&& plan) = delete;

  /// The same in two memories: what is kept goes to the tail of `persistent`, overlay and temp are those of `planned`.
  [[nodiscard]] Status begin(BasicArenaRef<O> persistent, BasicArenaRef<O> planned, const ReadyPlan& plan) noexcept {
    if (plan.status() != Status::kOk) return plan.status();
    const Status status = this->start(persistent, planned);
    if (status == Status::kOk) prepare_for(plan);
    return status;
  }
  Status begin(BasicArenaRef<O> persistent, BasicArenaRef<O> planned, const ReadyPlan&& plan) = delete;

  /// Begins the preparation of another plan for the same model. Scratch is asked for anew; what is persistent stays.
  /// Until the next `commit` succeeds, the plan in use and its handles stay valid. O(1).
  ///
  /// Refused, and nothing changed, if and only if this is not the latest session (`kMarkerOrder`; `kStale` if it is
  /// not begun), or the plan was refused (its status).
  [[nodiscard]] Status replan(const ReadyPlan& plan) noexcept {
    if (!this->is_latest()) return this->ready();
    if (plan.status() == Status::kOk) prepare_for(plan);
    return plan.status();
  }
  Status replan(const ReadyPlan&& plan) = delete;

  /// Asks for the next scratch of the plan. The handle can be used after `commit`. An empty handle if and only if the
  /// plan has no more, or what it has is smaller or less aligned, or no model is begun. The steps are those of the
  /// plan. O(1).
  Scratch scratch(std::size_t size, Step step, Alignment alignment = kDefaultAlignment) noexcept {
    return scratch(Buffer{size, step, step, alignment});
  }
  Scratch scratch(const Buffer& buffer) noexcept {
    if (!this->is_begun()) return {};
    const std::size_t index = next_->tensors + this->scratches_;
    if (index >= next_->count || !detail::fits(*next_, index, buffer)) return this->refuse_scratch(Status::kMismatch);
    return this->next_scratch(index);
  }

  /// Reserves the overlay. O(1). It can be tried again if it is refused, and then nothing changed: if and only if
  /// - scratch was refused, or the plan has some that was not asked for (`kMismatch`);
  /// - this is not the latest session (`kMarkerOrder`; `kStale` if it is not begun);
  /// - the overlay is (`kOutOfMemory` and its kin, see the arena's `last_failure()`; `kTempOpen`): a plan without bytes
  ///   asks for none.
  [[nodiscard]] Status commit() noexcept {
    const Status status = this->ready();
    if (status != Status::kOk) return status;
    if (next_->tensors + this->scratches_ != next_->count) return Status::kMismatch;
    return this->place(*next_);
  }

  /// Tells the arena's observer that a step begins, see `ArenaApi::enter`. `buffers` are those of the plan, tensors and
  /// scratch. `kStale` if and only if there is no valid plan, `kOutOfBounds` if there are not as many buffers in it.
  Status enter(const BufferList& buffers, Step step) noexcept {
    if (!*this) return Status::kStale;
    if (buffers.count() != this->view_->count) return Status::kOutOfBounds;
    this->tell_step(buffers.data(), this->view_->offsets, step);
    return Status::kOk;
  }

 private:
  void prepare_for(const ReadyPlan& plan) noexcept {
    next_ = &plan.view();
    this->prepare();
  }

  const detail::PlanView* next_ = nullptr;  // the plan that is prepared
};

}  // namespace ARENITE_ABI
}  // namespace arenite
