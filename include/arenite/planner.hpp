// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The front door of the planners: a list of buffers in, a plan out, at compile time or at run time by the same code.
///
///     constexpr auto kPlan = arenite::plan(kBuffers);                    // by the compiler
///     constexpr auto kApart = arenite::plan<arenite::linear>(kBuffers);  // with another strategy
///     arenite::Planner<64> planner;                                      // on the device, 22 bytes a buffer
///
/// Deterministic: the same list gives the same offsets on every compiler and target. No heap, no recursion, no
/// exceptions. Pure but for the memory handed in: safe from any thread and any interrupt that has its own.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "align.hpp"
#include "buffer.hpp"
#include "constraint.hpp"
#include "plan.hpp"
#include "planner/around.hpp"
#include "planner/best_of.hpp"
#include "planner/greedy.hpp"
#include "planner/linear.hpp"
#include "planner/lower_bound.hpp"
#include "planner/pieces.hpp"
#include "planner/search.hpp"
#include "planner/verify.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

template <class Strategy, class = void>
inline constexpr bool proves = false;
template <class Strategy>
inline constexpr bool proves<Strategy, std::enable_if_t<Strategy::kProves>> = true;

template <class Strategy, class List, class = void>
struct CanPlan : std::false_type {};
template <class Strategy, class List>
struct CanPlan<Strategy, List,
               std::void_t<decltype(Strategy::place(std::declval<List>(), std::size_t{}, std::declval<std::size_t*>(),
                                                    std::declval<Index*>()))>> : std::true_type {};

/// Runs a strategy on what was made of a list of this length. One that proves something raises `bound` to what is
/// needed in any case.
template <class Strategy, class List>
[[nodiscard]] constexpr bool place(List list, std::size_t count, std::size_t* offsets, Index* scratch,
                                   [[maybe_unused]] std::size_t length, [[maybe_unused]] std::size_t& bound) noexcept {
  if constexpr (proves<Strategy>) {
    return Strategy::place(list, count, offsets, scratch, &bound);
  } else if constexpr (std::is_same_v<Strategy, standard>) {
    return Strategy::place(list, count, offsets, scratch, length);
  } else {
    return Strategy::place(list, count, offsets, scratch);
  }
}

/// What a plan of these offsets says of itself.
template <class Result>
[[nodiscard]] constexpr Result summarize(const Buffer* buffers, std::size_t count,
                                         const std::size_t* offsets) noexcept {
  constexpr Alignment kByte = 1;
  Alignment alignment = kByte;
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (buffers[i].size == 0) continue;  // nobody uses its address
    const std::size_t end = offsets[i] + buffers[i].size;
    if (end > size) size = end;
    if (buffers[i].alignment.log2() > alignment.log2()) alignment = buffers[i].alignment;
  }
  return {size, alignment};
}

/// The one way from buffers to offsets. `offsets` has `count` entries, `scratch` `Strategy::scratch(count)`. `bound`
/// becomes what the strategy has proved to be needed. A caller keeps the answer in a variable that is not const: g++
/// never takes a const class apart into registers.
template <class Strategy, class Result = PlanSummary>
[[nodiscard]] constexpr Result make_plan(const Buffer* buffers, std::size_t count, std::size_t* offsets, Index* scratch,
                                         std::size_t& bound) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const Status status = validate(buffers[i]);
    if (status != Status::kOk) return Result(status, static_cast<Index>(i));
  }
  if (!place<Strategy>(buffers, count, offsets, scratch, count, bound)) return Result(Status::kSizeOverflow);
  return summarize<Result>(buffers, count, offsets);
}
template <class Strategy, class Result = PlanSummary>
[[nodiscard]] constexpr Result make_plan(const Buffer* buffers, std::size_t count, std::size_t* offsets,
                                         Index* scratch) noexcept {
  std::size_t bound = 0;
  return make_plan<Strategy, Result>(buffers, count, offsets, scratch, bound);
}

/// The bound if the plan has reached it. Otherwise zero: then the plan works out its lower bound when it is asked.
[[nodiscard]] constexpr std::size_t proven_size(const PlanSummary& summary, std::size_t bound) noexcept {
  return bound == summary.size() ? bound : 0;
}

/// Index entries of scratch for pieces.
template <class Strategy>
[[nodiscard]] constexpr std::size_t scratch_for(std::size_t pieces) noexcept {
  const std::size_t strategy = Strategy::scratch(pieces);
  const std::size_t bound = lower_bound_scratch(pieces);
  return strategy > bound ? strategy : bound;
}

/// The way from buffers with constraints to offsets, and to the lower bound. `scratch` has `scratch_for` entries.
template <class Strategy>
[[nodiscard]] constexpr PlanSummary make_plan(const Buffer* buffers, std::size_t count,
                                              const ConstraintList& constraints, std::size_t* offsets,
                                              const PiecesMemory& memory, Index* scratch, std::size_t& bound) noexcept {
  static_assert(CanPlan<Strategy, Around>::value, "this strategy can't plan around buffers that lie already");
  Verdict verdict = validate(buffers, count);
  Pieces pieces(memory);
  if (verdict.ok()) verdict = pieces.make(buffers, count, constraints, offsets);
  if (!verdict.ok()) return PlanSummary(verdict.status, verdict.first);
  bound = pieces.pinned_end();
  if (!place<Strategy>(pieces.list(), pieces.count(), pieces.places(), scratch, count + constraints.count(), bound)) {
    return PlanSummary(Status::kSizeOverflow);
  }
  const std::size_t needed = lower_bound(pieces.list(), pieces.count(), pieces.places(), scratch);
  if (needed > bound) bound = needed;
  pieces.back(count, constraints, offsets);
  PlanSummary summary = summarize<PlanSummary>(buffers, count, offsets);
  std::size_t size = summary.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (offsets[i] > size) size = offsets[i];  // of one without bytes
  }
  return {size, summary.alignment()};
}

// Where a list is refused in a constant expression, the compiler's message names one of these functions. Outside of
// constant expressions they do nothing, and the plan carries the status.
inline void buffer_alignment_is_zero_or_not_a_power_of_two() noexcept {}
inline void lifetime_ends_before_it_begins() noexcept {}
inline void sizes_overflow_the_address_space() noexcept {}
inline void pinned_buffers_or_reserved_ranges_overlap() noexcept {}
inline void pinned_buffer_or_alias_is_misaligned() noexcept {}
inline void constraint_is_out_of_bounds() noexcept {}
inline void constraints_contradict_each_other() noexcept {}
inline void aliases_lie_in_each_other() noexcept {}

constexpr void refuse_in_constant_expression(Status status) noexcept {
  if (status == Status::kInvalidAlignment) buffer_alignment_is_zero_or_not_a_power_of_two();
  if (status == Status::kInvalidLifetime) lifetime_ends_before_it_begins();
  if (status == Status::kSizeOverflow) sizes_overflow_the_address_space();
  if (status == Status::kOverlap) pinned_buffers_or_reserved_ranges_overlap();
  if (status == Status::kMisaligned) pinned_buffer_or_alias_is_misaligned();
  if (status == Status::kOutOfBounds) constraint_is_out_of_bounds();
  if (status == Status::kContradiction) constraints_contradict_each_other();
  if (status == Status::kCycle) aliases_lie_in_each_other();
}

template <std::size_t N>
[[nodiscard]] constexpr Plan<N> finished_plan(const Buffer* buffers, const PlanSummary& summary, std::size_t bound,
                                              const std::array<std::size_t, N>& offsets) noexcept {
  std::array<std::size_t, N> sizes{};
  if (summary.status() != Status::kOk) {
    refuse_in_constant_expression(summary.status());
    return {summary, 0, offsets, sizes};
  }
  for (std::size_t i = 0; i < N; ++i) sizes[i] = buffers[i].size;
  return {summary, bound, offsets, sizes};
}

/// The same strategy where the compiler has to be quick.
template <class Strategy, std::size_t N>
using InCompiler =
    std::conditional_t<std::is_same_v<Strategy, standard> && (N > standard::kMostForTwo), greedy, Strategy>;

template <class Chosen, std::size_t N>
[[nodiscard]] constexpr Plan<N> plan_list(const Buffer* buffers) noexcept {
  static_assert(N <= kMaxBuffers, "more buffers than an Index can count");
  using Strategy = InCompiler<Chosen, N>;
  std::array<std::size_t, N> offsets{};
  std::array<Index, scratch_for<Strategy>(N)> scratch{};
  std::size_t bound = 0;
  const PlanSummary summary = make_plan<Strategy>(buffers, N, offsets.data(), scratch.data(), bound);
  if (summary.status() == Status::kOk) {
    const std::size_t needed = lower_bound(buffers, N, scratch.data());
    if (needed > bound) bound = needed;
  }
  return finished_plan<N>(buffers, summary, bound, offsets);
}

template <class T, std::size_t N>
[[nodiscard]] constexpr std::array<T, N> to_array(const T (&elements)[N]) noexcept {
  std::array<T, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = elements[i];
  return result;
}

/// The memory of a plan with constraints, of its own.
template <std::size_t N, std::size_t C>
struct PiecesArrays {
  std::array<Buffer, N + C> pieces{};
  std::array<std::size_t, N + C> places{};
  std::array<Index, C> owners{};
  std::array<Index, N> roots{};
  std::array<Index, N> slots{};

  [[nodiscard]] constexpr PiecesMemory memory() noexcept {
    return {pieces.data(), places.data(), owners.data(), roots.data(), slots.data()};
  }
};

template <class Chosen, std::size_t N, std::size_t C>
[[nodiscard]] constexpr Plan<N> plan_list(const Buffer* buffers, const Constraint* constraints) noexcept {
  using Strategy = InCompiler<Chosen, N + C>;
  static_assert(N + C <= kMaxBuffers, "more buffers than an Index can count");
  PiecesArrays<N, C> arrays;
  std::array<std::size_t, N> offsets{};
  std::array<Index, scratch_for<Strategy>(N + C)> scratch{};
  std::size_t bound = 0;
  const PlanSummary summary = make_plan<Strategy>(buffers, N, ConstraintList(constraints, C), offsets.data(),
                                                  arrays.memory(), scratch.data(), bound);
  return finished_plan<N>(buffers, summary, bound, offsets);
}

}  // namespace detail

/// Plans a list of buffers, by `standard` unless another strategy is named. Time: the strategy's, O(n^2) for
/// `standard`, O(n log n) for `greedy` with buffers as in real models. The compilers' default limits on constant
/// expressions allow for 256 buffers, and for more where few of them are alive at a time; `-fconstexpr-ops-limit` (GCC)
/// and `-fconstexpr-steps` (Clang) raise them.
///
/// Refused if and only if a lifetime ends before it begins, an alignment is zero or not a power of two, or the bytes
/// live at one step, or the plan, exceed `kMaxSize`: a compile error in a constant expression, and at run time a plan
/// with that status and no bytes. At run time it takes about 22 * N bytes of stack on a 32-bit target; see `Planner`
/// for memory that is counted.
template <class Strategy = standard, std::size_t N>
[[nodiscard]] constexpr Plan<N> plan(const Buffer (&buffers)[N]) noexcept {
  return detail::plan_list<Strategy, N>(buffers);
}

/// \copydoc plan
template <class Strategy = standard, std::size_t N>
[[nodiscard]] constexpr Plan<N> plan(const std::array<Buffer, N>& buffers) noexcept {
  return detail::plan_list<Strategy, N>(buffers.data());
}

/// Plans a list of buffers with constraints: see `constraint.hpp`. Time: the strategy's, and the square of the number
/// of constraints. The size is the highest end of a buffer; reserved ranges do not count in it.
///
/// Refused if and only if the list is refused without constraints, or
/// - a constraint names a buffer that there is not, or a buffer pinned at an offset below where it begins in its piece:
///   `kOutOfBounds`,
/// - a pinned buffer, or an alias in its piece, is not at a multiple of its alignment: `kMisaligned`,
/// - a piece of memory or a reserved range ends above `kMaxSize`: `kSizeOverflow`,
/// - a reserved range ends before it begins: `kInvalidLifetime`,
/// - pinned pieces or reserved ranges share a byte at a step: `kOverlap`,
/// - a buffer is the alias of two, or its piece is pinned at two offsets: `kContradiction`,
/// - aliases lie in each other: `kCycle`.
/// `validate(buffers, constraints)` names both buffers concerned.
template <class Strategy = standard, std::size_t N, std::size_t C>
[[nodiscard]] constexpr Plan<N> plan(const Buffer (&buffers)[N], const Constraint (&constraints)[C]) noexcept {
  return detail::plan_list<Strategy, N, C>(buffers, constraints);
}

/// \copydoc plan
template <class Strategy = standard, std::size_t N, std::size_t C>
[[nodiscard]] constexpr Plan<N> plan(const std::array<Buffer, N>& buffers,
                                     const Constraint (&constraints)[C]) noexcept {
  return detail::plan_list<Strategy, N, C>(buffers.data(), constraints);
}

/// \copydoc plan
template <class Strategy = standard, std::size_t N, std::size_t C>
[[nodiscard]] constexpr Plan<N> plan(const Buffer (&buffers)[N],
                                     const std::array<Constraint, C>& constraints) noexcept {
  return detail::plan_list<Strategy, N, C>(buffers, constraints.data());
}

/// \copydoc plan
template <class Strategy = standard, std::size_t N, std::size_t C>
[[nodiscard]] constexpr Plan<N> plan(const std::array<Buffer, N>& buffers,
                                     const std::array<Constraint, C>& constraints) noexcept {
  return detail::plan_list<Strategy, N, C>(buffers.data(), constraints.data());
}

/// What `plan` says of a list with constraints before it places anything, with the buffers concerned: for `kOverlap`
/// both pieces, each by the buffer in which its others lie, `kNoIndex` for a reserved range; for `kCycle`, and for an
/// alias of two, the alias and a buffer in which it lies; for a piece that is pinned at two offsets, or below its
/// start, the buffer and its piece; else the one buffer, or none where there is none of that index. O(n) with aliases
/// of a bounded depth, and the square of the number of constraints.
template <std::size_t N, std::size_t C>
[[nodiscard]] constexpr Verdict validate(const std::array<Buffer, N>& buffers,
                                         const std::array<Constraint, C>& constraints) noexcept {
  detail::PiecesArrays<N, C> arrays;
  std::array<std::size_t, N> offsets{};
  const Verdict verdict = validate(buffers.data(), N);
  return verdict.ok() ? detail::Pieces(arrays.memory()).make(buffers.data(), N, constraints, offsets.data()) : verdict;
}

/// \copydoc validate
template <std::size_t N, std::size_t C>
[[nodiscard]] constexpr Verdict validate(const Buffer (&buffers)[N], const Constraint (&constraints)[C]) noexcept {
  return validate(detail::to_array(buffers), detail::to_array(constraints));
}

/// The list as reports take it (report.hpp), for which a byte is alive once: each piece of memory in place of the
/// buffer in which its others lie, and those without bytes. The list as it is if `validate` refuses it. As `validate`.
template <std::size_t N, std::size_t C>
[[nodiscard]] constexpr std::array<Buffer, N> pieces_of(const std::array<Buffer, N>& buffers,
                                                        const std::array<Constraint, C>& constraints) noexcept {
  detail::PiecesArrays<N, C> arrays;
  std::array<std::size_t, N> offsets{};
  std::array<Buffer, N> result = buffers;
  detail::Pieces pieces(arrays.memory());
  if (!validate(buffers.data(), N).ok() || !pieces.make(buffers.data(), N, constraints, offsets.data()).ok()) {
    return result;
  }
  for (std::size_t i = 0; i < N; ++i) result[i] = pieces.piece_at(i);
  return result;
}

/// \copydoc pieces_of
template <std::size_t N, std::size_t C>
[[nodiscard]] constexpr std::array<Buffer, N> pieces_of(const Buffer (&buffers)[N],
                                                        const Constraint (&constraints)[C]) noexcept {
  return pieces_of(detail::to_array(buffers), detail::to_array(constraints));
}

/// Bytes of memory that `plan` takes for `count` buffers, the list itself not included: 10 * count on a 32-bit target
/// with `standard` or `greedy`, 4 * count with `linear`, 20 * count with `search`. Saturates.
template <class Strategy = standard>
[[nodiscard]] constexpr std::size_t plan_bytes(std::size_t count) noexcept {
  if (count > kMaxBuffers) return detail::kSizeMax;
  return count * sizeof(std::size_t) + Strategy::scratch(count) * sizeof(Index);
}

namespace detail {

/// Whether memory handed in will do.
[[nodiscard]] inline Status check_memory(const Buffer* buffers, std::size_t count, const void* memory,
                                         std::size_t bytes, std::size_t needed) noexcept {
  Status status = Status::kOk;
  if (bytes < needed) status = Status::kOutOfMemory;
  if (count > kMaxBuffers) status = Status::kTooManyBuffers;
  if (padding_up(reinterpret_cast<std::uintptr_t>(memory), alignof(std::size_t)) != 0) status = Status::kMisaligned;
  if (memory == nullptr || buffers == nullptr) status = Status::kNullMemory;
  return status;
}

}  // namespace detail

/// Plans at run time, in memory handed in. The plan looks at `buffers` and at the front of `memory` (its offsets,
/// `count` words), which must outlive it and its views unchanged; what lies behind is free again. So `memory` may lie
/// on the head or tail of an arena, but not in a temp scope, where the plan itself will be placed.
///
/// Refused, with that status, if and only if the list is (see above), there are more than `kMaxBuffers`, or `buffers`
/// or `memory` is null (`kNullMemory`), `memory` is not aligned as a `size_t` (`kMisaligned`) or has less than
/// `plan_bytes<Strategy>(count)` bytes (`kOutOfMemory`). An empty list needs no memory.
template <class Strategy = standard>
[[nodiscard]] PlanRef plan(const Buffer* buffers, std::size_t count, void* memory, std::size_t bytes) noexcept {
  const Status status = detail::check_memory(buffers, count, memory, bytes, plan_bytes<Strategy>(count));
  if (count == 0) return {PlanSummary(), nullptr, nullptr, 0};
  if (status != Status::kOk) return {PlanSummary(status), buffers, nullptr, 0};
  auto* const offsets = static_cast<std::size_t*>(memory);
  auto* const scratch = reinterpret_cast<Index*>(offsets + count);
  std::size_t bound = 0;
  PlanSummary summary = detail::make_plan<Strategy>(buffers, count, offsets, scratch, bound);
  return {summary, buffers, offsets, count, detail::proven_size(summary, bound)};
}

/// Bytes of memory that `plan` takes for `count` buffers with so many constraints: 30 * count and 24 for each
/// constraint on a 32-bit target with `standard` or `greedy`. Saturates.
template <class Strategy = standard>
[[nodiscard]] constexpr std::size_t plan_bytes(std::size_t count, std::size_t constraints) noexcept {
  if (count > kMaxBuffers || constraints > kMaxBuffers - count) return detail::kSizeMax;
  const std::size_t pieces = count + constraints;
  return pieces * (sizeof(Buffer) + sizeof(std::size_t)) + count * (sizeof(std::size_t) + 2 * sizeof(Index)) +
         (constraints + detail::scratch_for<Strategy>(pieces)) * sizeof(Index);
}

namespace detail {

/// The memory of a plan with constraints, handed in: the offsets, then what `Pieces` needs, then scratch.
struct ConstrainedMemory {
  ConstrainedMemory(void* memory, std::size_t count, std::size_t constraints) noexcept
      : offsets(static_cast<std::size_t*>(memory)) {
    pieces.places = offsets + count;
    pieces.pieces = reinterpret_cast<Buffer*>(pieces.places + count + constraints);
    pieces.roots = reinterpret_cast<Index*>(pieces.pieces + count + constraints);
    pieces.slots = pieces.roots + count;
    pieces.owners = pieces.slots + count;
    scratch = pieces.owners + constraints;
  }

  std::size_t* offsets;
  PiecesMemory pieces{};
  Index* scratch;
};

/// Whether there are lists to be planned, and memory for it.
template <class Strategy>
[[nodiscard]] Status check_lists(const Buffer* buffers, std::size_t count, const ConstraintList& constraints,
                                 const void* memory, std::size_t bytes) noexcept {
  const std::size_t needed = plan_bytes<Strategy>(count, constraints.count());
  if (constraints.count() != 0 && constraints.data() == nullptr) return Status::kNullMemory;
  if (count == 0) buffers = static_cast<const Buffer*>(memory);  // no list is needed
  return check_memory(buffers, add_saturated(count, constraints.count()), memory, bytes, needed);
}

}  // namespace detail

/// Plans a list with constraints at run time, as above. The plan looks at the buffers and the front of the memory; its
/// lower bound is known. It does not look at the constraints again. Refused as above, and if the list is refused with
/// constraints; they are not null unless there are none (`kNullMemory`).
template <class Strategy = standard>
[[nodiscard]] PlanRef plan(const Buffer* buffers, std::size_t count, const ConstraintList& constraints, void* memory,
                           std::size_t bytes) noexcept {
  if (count == 0 && constraints.count() == 0) return {PlanSummary(), nullptr, nullptr, 0};
  const Status status = detail::check_lists<Strategy>(buffers, count, constraints, memory, bytes);
  if (status != Status::kOk) return {PlanSummary(status), buffers, nullptr, 0};
  const detail::ConstrainedMemory parts(memory, count, constraints.count());
  std::size_t bound = 0;
  PlanSummary summary =
      detail::make_plan<Strategy>(buffers, count, constraints, parts.offsets, parts.pieces, parts.scratch, bound);
  return {summary, buffers, parts.offsets, count, bound};
}

/// What `validate` says of arrays, of lists at run time: it names both buffers. `memory` is that of `plan`, which may
/// be used again; refused as there where it will not do.
[[nodiscard]] inline Verdict validate(const Buffer* buffers, std::size_t count, const ConstraintList& constraints,
                                      void* memory, std::size_t bytes) noexcept {
  if (count == 0 && constraints.count() == 0) return {};
  const Status status = detail::check_lists<linear>(buffers, count, constraints, memory, bytes);
  if (status != Status::kOk) return {status, kNoIndex, kNoIndex};
  const detail::ConstrainedMemory parts(memory, count, constraints.count());
  const Verdict verdict = validate(buffers, count);
  return verdict.ok() ? detail::Pieces(parts.pieces).make(buffers, count, constraints, parts.offsets) : verdict;
}

/// A planner with memory of its own for `kCapacity` buffers: (22 * kCapacity + 4) bytes on a 32-bit target, with
/// `search` (32 * kCapacity + 4); all zero bits when constant-initialised. One thread at a time, not from an interrupt
/// while another call runs.
template <std::size_t kCapacity, class Strategy = standard>
class Planner {
 public:
  static_assert(kCapacity <= kMaxBuffers, "more buffers than an Index can count");

  constexpr Planner() noexcept = default;
  Planner(const Planner&) = delete;  // plans look into it
  Planner& operator=(const Planner&) = delete;

  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return kCapacity; }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }

  /// Adds a buffer; its index is the number of buffers added before. O(1). Refused with `kTooManyBuffers` if and only
  /// if `count() == capacity()`; the buffer itself is looked at by `plan()`. Ends the validity of an earlier plan.
  constexpr Status add(const Buffer& buffer) noexcept {
    if (count_ == kCapacity) return Status::kTooManyBuffers;
    Buffer& added = buffers_[count_++];  // member by member: the compiler calls memcpy for nine bytes
    added.size = buffer.size;
    added.first = buffer.first;
    added.last = buffer.last;
    added.alignment = buffer.alignment;
    return Status::kOk;
  }

  /// Plans the buffers added so far. Refused if and only if `arenite::plan` refuses the list; `culprit()` then is the
  /// index of the buffer. The plan, and views of it, are valid until the next call that is not const.
  [[nodiscard]] constexpr PlanRef plan() & noexcept {
    std::size_t bound = 0;
    PlanSummary summary = detail::make_plan<Strategy>(buffers_.data(), count_, offsets_.data(), scratch_.data(), bound);
    return {summary, buffers_.data(), offsets_.data(), count_, detail::proven_size(summary, bound)};
  }

  /// Forgets the buffers. O(1).
  constexpr void clear() noexcept { count_ = 0; }

 private:
  std::size_t count_ = 0;
  std::array<Buffer, kCapacity> buffers_{};
  std::array<std::size_t, kCapacity> offsets_{};
  std::array<Index, Strategy::scratch(kCapacity)> scratch_{};
};

}  // namespace ARENITE_ABI
}  // namespace arenite
