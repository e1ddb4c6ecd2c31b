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

#include "align.hpp"
#include "buffer.hpp"
#include "plan.hpp"
#include "planner/best_of.hpp"
#include "planner/greedy.hpp"
#include "planner/linear.hpp"
#include "planner/lower_bound.hpp"
#include "planner/verify.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// The one way from buffers to offsets. `offsets` has `count` entries, `scratch` `Strategy::scratch(count)`. A caller
/// keeps the answer in a variable that is not const: g++ never takes a const class apart into registers.
template <class Strategy, class Result = PlanSummary>
[[nodiscard]] constexpr Result make_plan(const Buffer* buffers, std::size_t count, std::size_t* offsets,
                                         Index* scratch) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const Status status = validate(buffers[i]);
    if (status != Status::kOk) return Result(status, static_cast<Index>(i));
  }
  if (!Strategy::place(buffers, count, offsets, scratch)) return Result(Status::kSizeOverflow);

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

// Where a list is refused in a constant expression, the compiler's message names one of these functions. Outside of
// constant expressions they do nothing, and the plan carries the status.
inline void buffer_alignment_is_zero_or_not_a_power_of_two() noexcept {}
inline void buffer_lifetime_ends_before_it_begins() noexcept {}
inline void buffer_sizes_overflow_the_address_space() noexcept {}

constexpr void refuse_in_constant_expression(Status status) noexcept {
  if (status == Status::kInvalidAlignment) buffer_alignment_is_zero_or_not_a_power_of_two();
  if (status == Status::kInvalidLifetime) buffer_lifetime_ends_before_it_begins();
  if (status == Status::kSizeOverflow) buffer_sizes_overflow_the_address_space();
}

template <class Strategy, std::size_t N>
[[nodiscard]] constexpr Plan<N> plan_list(const Buffer* buffers) noexcept {
  static_assert(N <= kMaxBuffers, "more buffers than an Index can count");
  constexpr std::size_t kStrategy = Strategy::scratch(N);
  constexpr std::size_t kBound = lower_bound_scratch(N);
  std::array<std::size_t, N> offsets{};
  std::array<std::size_t, N> sizes{};
  std::array<Index, (kStrategy > kBound ? kStrategy : kBound)> scratch{};
  const PlanSummary summary = make_plan<Strategy>(buffers, N, offsets.data(), scratch.data());
  if (summary.status() != Status::kOk) {
    refuse_in_constant_expression(summary.status());
    return {summary, 0, offsets, sizes};
  }
  for (std::size_t i = 0; i < N; ++i) sizes[i] = buffers[i].size;
  return {summary, lower_bound(buffers, N, scratch.data()), offsets, sizes};
}

}  // namespace detail

/// Plans a list of buffers. Time: the strategy's, O(n log n) for `greedy` with buffers as in real models.
///
/// Refused if and only if a lifetime ends before it begins, an alignment is zero or not a power of two, or the bytes
/// live at one step, or the plan, exceed `kMaxSize`: a compile error in a constant expression, and at run time a plan
/// with that status and no bytes. At run time it takes about 22 * N bytes of stack on a 32-bit target; see `Planner`
/// for memory that is counted.
template <class Strategy = greedy, std::size_t N>
[[nodiscard]] constexpr Plan<N> plan(const Buffer (&buffers)[N]) noexcept {
  return detail::plan_list<Strategy, N>(buffers);
}

/// \copydoc plan
template <class Strategy = greedy, std::size_t N>
[[nodiscard]] constexpr Plan<N> plan(const std::array<Buffer, N>& buffers) noexcept {
  return detail::plan_list<Strategy, N>(buffers.data());
}

/// Bytes of memory that `plan` takes for `count` buffers, the list itself not included: 10 * count on a 32-bit target
/// with `greedy`, 4 * count with `linear`. Saturates.
template <class Strategy = greedy>
[[nodiscard]] constexpr std::size_t plan_bytes(std::size_t count) noexcept {
  if (count > kMaxBuffers) return detail::kSizeMax;
  return count * sizeof(std::size_t) + Strategy::scratch(count) * sizeof(Index);
}

/// Plans at run time, in memory handed in. The plan looks at `buffers` and at the front of `memory` (its offsets,
/// `count` words), which must outlive it and its views unchanged; what lies behind is free again. So `memory` may lie
/// on the head or tail of an arena, but not in a temp scope, where the plan itself will be placed.
///
/// Refused, with that status, if and only if the list is (see above), there are more than `kMaxBuffers`, or `buffers`
/// or `memory` is null (`kNullMemory`), `memory` is not aligned as a `size_t` (`kMisaligned`) or has less than
/// `plan_bytes<Strategy>(count)` bytes (`kOutOfMemory`). An empty list needs no memory.
template <class Strategy = greedy>
[[nodiscard]] PlanRef plan(const Buffer* buffers, std::size_t count, void* memory, std::size_t bytes) noexcept {
  Status status = Status::kOk;
  if (bytes < plan_bytes<Strategy>(count)) status = Status::kOutOfMemory;
  if (count > kMaxBuffers) status = Status::kTooManyBuffers;
  if (padding_up(reinterpret_cast<std::uintptr_t>(memory), alignof(std::size_t)) != 0) status = Status::kMisaligned;
  if (memory == nullptr || buffers == nullptr) status = Status::kNullMemory;
  if (count == 0) return {PlanSummary(), nullptr, nullptr, 0};
  if (status != Status::kOk) return {PlanSummary(status), buffers, nullptr, 0};
  auto* const offsets = static_cast<std::size_t*>(memory);
  auto* const scratch = reinterpret_cast<Index*>(offsets + count);
  return {detail::make_plan<Strategy>(buffers, count, offsets, scratch), buffers, offsets, count};
}

/// A planner with memory of its own for `Capacity` buffers: (22 * Capacity + 4) bytes on a 32-bit target, all zero bits
/// when constant-initialised. One thread at a time, not from an interrupt while another call runs.
template <std::size_t Capacity, class Strategy = greedy>
class Planner {
 public:
  static_assert(Capacity <= kMaxBuffers, "more buffers than an Index can count");

  constexpr Planner() noexcept = default;
  Planner(const Planner&) = delete;  // plans look into it
  Planner& operator=(const Planner&) = delete;

  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return Capacity; }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }

  /// Adds a buffer; its index is the number of buffers added before. O(1). Refused with `kTooManyBuffers` if and only
  /// if `count() == capacity()`; the buffer itself is looked at by `plan()`. Ends the validity of an earlier plan.
  constexpr Status add(const Buffer& buffer) noexcept {
    if (count_ == Capacity) return Status::kTooManyBuffers;
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
    PlanSummary summary = detail::make_plan<Strategy>(buffers_.data(), count_, offsets_.data(), scratch_.data());
    return {summary, buffers_.data(), offsets_.data(), count_};
  }

  /// Forgets the buffers. O(1).
  constexpr void clear() noexcept { count_ = 0; }

 private:
  std::size_t count_ = 0;
  std::array<Buffer, Capacity> buffers_{};
  std::array<std::size_t, Capacity> offsets_{};
  std::array<Index, Strategy::scratch(Capacity)> scratch_{};
};

}  // namespace ARENITE_ABI
}  // namespace arenite
