// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Where the memory goes: as data, as text, as a picture, as CSV and JSON.
///
///     constexpr auto kUsage = arenite::usage(kPlan, kBuffers);  // numbers, by the compiler
///     static_assert(kUsage.unused_per_mille < 50);
///     void put(char c) { uart_put(c); }
///     arenite::print_usage(put, arena);                         // text, through whatever takes a char
///     arenite::print_usage(put, arenite::usage(arena, kUsage, arena.observer()));  // and what the bytes are for
///     arenite::print_map(put, kPlan, kBuffers);
///     arenite::print_steps(put, kPlan, kBuffers);               // live and unused bytes, step by step
///
/// A *sink* is anything that can be called with a `char`. Nothing is buffered and nothing allocated: no heap, no stdio,
/// some 100 bytes of stack beside the numbers. All texts are plain ASCII (but for names, which are the user's), end in
/// a newline, and are the same for the same numbers on every target, so that they can be compared by `diff`. Everything
/// but the reading of an arena works in the compiler, too. What is not called is not linked, and names of buffers are
/// in the program only if it gives them.
///
/// Reads plans, lists and arenas and changes none. Safe from any thread and any interrupt for plans; an arena may not
/// be used by somebody else while its numbers are read. The sink is called in the caller's context.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "align.hpp"
#include "arena_core.hpp"
#include "buffer.hpp"
#include "lifetimes.hpp"
#include "observer.hpp"
#include "plan.hpp"
#include "planner/lower_bound.hpp"
#include "status.hpp"
#include "text.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

// --- who is alive ----------------------------------------------------------------------------------------------------

/// Calls `visit(index, buffer)` for each buffer whose lifetime holds the step, in the order of the list. O(n).
template <class Visit>
constexpr void for_each_live(const BufferList& buffers, Step step, Visit visit) {
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    if (alive_at(buffers[i], step)) visit(i, buffers[i]);
  }
}

/// Bytes of the buffers whose lifetime holds the step, without padding. Saturates. O(n).
[[nodiscard]] constexpr std::size_t live_at(const BufferList& buffers, Step step) noexcept {
  std::size_t live = 0;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    if (alive_at(buffers[i], step)) live = add_saturated(live, buffers[i].size);
  }
  return live;
}

// --- who is scratch --------------------------------------------------------------------------------------------------

// A plan does not know which of its buffers are scratch. `usage` asks whatever is called with an index and answers a
// bool: one of these three, or what the program knows.

/// No buffer is.
struct NoScratch {
  constexpr bool operator()(std::size_t) const noexcept { return false; }
};

/// Those from an index on, as in the plan of a session: `ScratchFrom{tensors}`.
struct ScratchFrom {
  std::size_t first;
  constexpr bool operator()(std::size_t buffer) const noexcept { return buffer >= first; }
};

namespace detail {

template <class Root>
[[nodiscard]] constexpr bool is_scratch_of(const Op* ops, std::size_t op_count, Root root, std::size_t buffer) {
  for (std::size_t i = 0; i < op_count; ++i) {
    const TensorList& scratch = ops[i].scratch;
    for (std::size_t k = 0; k < scratch.count(); ++k) {
      if (scratch[k] != kNoIndex && root(scratch[k]) == buffer) return true;
    }
  }
  return false;
}

}  // namespace detail

/// Those that a graph has as scratch of its operators. A view makes scratch of the buffer that it lies in. Looks at
/// operators and graph, which must outlive it; each question takes O(operators + their scratch).
template <std::size_t O, std::size_t T>
[[nodiscard]] constexpr auto scratch_of(const Op (&ops)[O], const Lifetimes<T>& graph) noexcept {
  return [&ops, &graph](std::size_t buffer) noexcept {
    return detail::is_scratch_of(
        ops, O, [&graph](Index tensor) { return graph.root(tensor); }, buffer);
  };
}
template <std::size_t O, std::size_t T>
constexpr auto scratch_of(const Op (&ops)[O], const Lifetimes<T>&& graph) noexcept = delete;

/// \copydoc scratch_of
[[nodiscard]] constexpr auto scratch_of(const Op* ops, std::size_t op_count, const Index* roots) noexcept {
  return [ops, op_count, roots](std::size_t buffer) noexcept {
    return detail::is_scratch_of(
        ops, op_count, [roots](Index tensor) { return roots[tensor]; }, buffer);
  };
}

// --- numbers ---------------------------------------------------------------------------------------------------------

/// A plan in numbers; all sizes in bytes. `size == live + unused`, and `live <= lower_bound <= size`, always. Where
/// buffers are aliases, each byte of them counts once if the list is that of `pieces_of(buffers, constraints)`.
struct PlanUsage {
  Status status = Status::kOk;       ///< Not `kOk`: there is no plan for these buffers, and all numbers are zero.
  std::size_t buffers = 0;           ///< How many, those without bytes included.
  std::size_t size = 0;              ///< What is planned: the highest end of a buffer, padding included.
  std::size_t without_reuse = 0;     ///< Sum of all buffers, without padding: if each had bytes of its own. Saturates.
  std::size_t saved = 0;             ///< `without_reuse - size`, or zero where padding takes more than reuse saves.
  std::size_t lower_bound = 0;       ///< No plan is smaller: what the plan says, or what `arenite::lower_bound` does.
  std::size_t live = 0;              ///< The most bytes alive at one step, without padding.
  std::size_t scratch = 0;           ///< How many of these are scratch, as far as `usage` was told.
  Step peak_step = 0;                ///< The first step at which so many are alive; see `for_each_live`.
  std::size_t unused = 0;            ///< Planned bytes that nobody has at that step.
  std::size_t unused_per_mille = 0;  ///< The same in thousandths of `live`, rounded down. Saturates.
  std::size_t constants = 0;         ///< In flash, as `lifetimes` counted them; zero if it was not asked.
  std::size_t variables = 0;         ///< Persistent and not in the plan, likewise, without padding.
  std::size_t kept = 0;              ///< Of tensors that outlive the run, likewise.
  std::size_t external = 0;          ///< In memory of the user's, likewise: in no arena.

  /// True if and only if no plan can be smaller, as far as the bound tells.
  [[nodiscard]] constexpr bool proven() const noexcept { return status == Status::kOk && size == lower_bound; }
};

/// What a plan has at steps at which the same buffers are alive, one after the other. Sizes in bytes, without padding.
struct StepUsage {
  Step first = 0;
  Step last = 0;            ///< Inclusive.
  std::size_t buffers = 0;  ///< How many are alive, those without bytes not counted.
  std::size_t live = 0;     ///< What they have.
  std::size_t unused = 0;   ///< Of the planned bytes, what nobody has.
};

/// A region of an arena in bytes, padding between its blocks included.
struct RegionUsage {
  std::size_t used = 0;      ///< Taken now.
  std::size_t peak = 0;      ///< The most that was taken at the same time.
  std::size_t required = 0;  ///< What would have been needed for all requests, failed ones included.
};

/// An arena in numbers; each is what the arena's function of that name says. The regions' `used` add up to that of all.
/// `peak` and `required` of all may be less than the sum, where regions were not largest at the same time; `required`
/// may also be more, by the padding that the end of an arena of just that size takes.
struct ArenaUsage {
  std::size_t capacity = 0;  ///< Bytes of memory.
  RegionUsage all;
  RegionUsage head;
  RegionUsage overlay;
  RegionUsage temp;
  RegionUsage tail;
  std::size_t failures = 0;  ///< Requests refused.

  /// Bytes that stay until a marker or a reset: head and tail.
  [[nodiscard]] constexpr std::size_t persistent() const noexcept { return head.used + tail.used; }
};

/// Bytes by what they are for.
struct MemorySplit {
  std::size_t tensors = 0;        ///< Planned tensors, but for scratch; variables and kept ones.
  std::size_t weights = 0;        ///< Constants that were brought into RAM.
  std::size_t scratch = 0;        ///< What operators work with.
  std::size_t operator_data = 0;  ///< What they keep.
  std::size_t metadata = 0;       ///< Tables about tensors.
  std::size_t other = 0;          ///< Of kinds of the user's, and what nobody tells of.
  std::size_t padding = 0;        ///< What nobody has: in front of blocks, fences, what is free in a plan.

  [[nodiscard]] constexpr std::size_t total() const noexcept {
    return tensors + weights + scratch + operator_data + metadata + other + padding;
  }
};

/// A plan, the arena it was placed in, and who has the bytes. Always, `persistent.total() == arena.persistent()` and
/// `planned.total() == arena.overlay.used`. Weights in flash are `plan.constants`.
struct MemoryUsage {
  PlanUsage plan;
  ArenaUsage arena;

  /// Head and tail, as a recorder tells; all is `other` without one.
  MemorySplit persistent;

  /// The overlay at the peak step of the plan. `padding` is all that no buffer of it has there: gaps in the plan, what
  /// lies in front of it, and what a larger plan takes more. All is `other` where the plan does not fit in, as one
  /// that is not in its place.
  MemorySplit planned;
};

namespace detail {

/// Thousandths that `part` is of `whole`, rounded down, digit by digit: no product that could overflow, no 64-bit
/// division. Both are at most `kMaxSize`. Saturates; zero if `whole` is.
[[nodiscard]] constexpr std::size_t per_mille(std::size_t part, std::size_t whole) noexcept {
  if (whole == 0) return 0;
  std::size_t result = part / whole;
  std::size_t rest = part % whole;
  for (int digit = 0; digit < 3; ++digit) {
    result = multiply_saturated(result, 10);
    std::size_t next = 0;
    for (int i = 0; i < 10; ++i) {
      next += rest;
      if (next < whole) continue;
      next -= whole;
      result = add_saturated(result, 1);
    }
    rest = next;
  }
  return result;
}

/// The part of a split that a kind belongs to.
[[nodiscard]] constexpr std::size_t& part_of(MemorySplit& split, Kind kind) noexcept {
  switch (kind) {
    case Kind::kMetadata:
      return split.metadata;
    case Kind::kOperatorData:
      return split.operator_data;
    case Kind::kScratch:
      return split.scratch;
    case Kind::kVariable:
      return split.tensors;
    case Kind::kWeights:
      return split.weights;
    case Kind::kOther:
    case Kind::kUser:
      break;
  }
  return split.other;
}

/// Splits the `used` bytes of a region by kind. What a recorder took are all of them: where it has told so many, there
/// are no more kinds. What it does not know, if it is one of another arena, is `other`; what it knows too much, none.
template <class R>
constexpr void split_region(MemorySplit& split, Region region, std::size_t used, const R& recorder) noexcept {
  if constexpr (!std::is_same_v<R, Unobserved>) {
    for (unsigned i = 0; i < 256 && used != 0; ++i) {
      const auto kind = static_cast<Kind>(i);
      const auto count = recorder.of(region, kind);
      const std::size_t taken = count.taken < used ? count.taken : used;
      const std::size_t requested = count.requested < taken ? count.requested : taken;
      part_of(split, kind) += requested;
      split.padding += taken - requested;
      used -= taken;
    }
  } else {
    (void)region;
    (void)recorder;
  }
  split.other += used;
}

/// `kOk`, or why the plan is none for these buffers, as far as the counts tell.
template <class P>
[[nodiscard]] constexpr Status match(const P& plan, const BufferList& buffers) noexcept {
  if (plan.status() != Status::kOk) return plan.status();
  return plan.count() == buffers.count() ? Status::kOk : Status::kOutOfBounds;
}

/// Where a buffer lies, for rows of a table: what has no bytes is nowhere, whatever the plan holds for it.
template <class P>
[[nodiscard]] constexpr std::size_t offset_of(const P& plan, const BufferList& buffers, std::size_t index) noexcept {
  return buffers[index].size == 0 ? 0 : plan.offset(index);
}

template <class P, class = void>
inline constexpr bool knows_lower_bound = false;
template <class P>
inline constexpr bool knows_lower_bound<P, std::void_t<decltype(std::declval<const P&>().lower_bound())>> = true;

/// The lower bound of a plan. Where only scratch would tell it, this does without: O(n^2). Saturates.
template <class P>
[[nodiscard]] constexpr std::size_t lower_bound_of(const P& plan, const BufferList& buffers) noexcept {
  if constexpr (knows_lower_bound<P>) {
    return plan.lower_bound();
  } else {
    if (plan.known_lower_bound() != 0) return plan.known_lower_bound();
    const std::size_t mask = least_alignment(buffers.data(), buffers.count()).mask();
    std::size_t most = 0;
    for (std::size_t i = 0; i < buffers.count(); ++i) {
      std::size_t needed = 0;
      std::size_t largest = 0;
      for_each_live(buffers, buffers[i].first, [&](std::size_t, const Buffer& buffer) {
        const std::size_t padding = (0 - buffer.size) & mask;
        needed = add_saturated(needed, buffer.size + padding);
        if (padding > largest) largest = padding;
      });
      if (needed - largest > most) most = needed - largest;
    }
    return most;
  }
}

}  // namespace detail

/// The numbers of a plan of any form and the buffers it was made for; `graph`, where there is one, tells of what is not
/// in the plan, and `is_scratch`, see `scratch_of`, of what in it is scratch. O(n^2), without memory of its own: in the
/// compiler some 300 buffers within clang's default limits.
///
/// The status is that of the plan if it was refused, `kOutOfBounds` if it has not as many buffers as the list, and
/// `kOverlap` if it is smaller than what is alive at some step, or than its lower bound.
template <class P, class S = NoScratch, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
[[nodiscard]] constexpr PlanUsage usage(const P& plan, const BufferList& buffers, const GraphSummary& graph = {},
                                        const S& is_scratch = {}) noexcept {
  PlanUsage result;
  result.status = detail::match(plan, buffers);
  if (result.status != Status::kOk) return result;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    result.without_reuse = add_saturated(result.without_reuse, buffers[i].size);
    // The most is first reached where somebody is born.
    const std::size_t live = live_at(buffers, buffers[i].first);
    const bool earlier = live == result.live && buffers[i].first < result.peak_step;
    if (live <= result.live && !earlier) continue;
    result.live = live;
    result.peak_step = buffers[i].first;
  }
  const std::size_t size = static_cast<const PlanSummary&>(plan).size();
  result.lower_bound = detail::lower_bound_of(plan, buffers);
  if (result.lower_bound < result.live) result.lower_bound = result.live;
  if (size < result.lower_bound) {
    result = {};
    result.status = Status::kOverlap;
    return result;
  }
  result.buffers = buffers.count();
  result.size = size;
  if (result.without_reuse > size) result.saved = result.without_reuse - size;
  result.unused = size - result.live;
  result.unused_per_mille = detail::per_mille(result.unused, result.live);
  result.constants = graph.constants;
  result.variables = graph.variables;
  result.kept = graph.kept;
  result.external = graph.external;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    if (buffers[i].size == 0 || !alive_at(buffers[i], result.peak_step)) continue;
    if (is_scratch(i)) result.scratch += buffers[i].size;
  }
  return result;
}

/// What a plan of any form has at a step, and from when until when that is so; after the last death, until the last
/// `Step`. Zero bytes at all steps if the plan is none for these buffers, as far as the counts tell. O(n).
template <class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
[[nodiscard]] constexpr StepUsage usage_at(const P& plan, const BufferList& buffers, Step step) noexcept {
  StepUsage result;
  result.last = static_cast<Step>(-1);
  if (detail::match(plan, buffers) != Status::kOk) return result;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    const Buffer& buffer = buffers[i];
    if (buffer.size == 0) continue;
    if (step < buffer.first) {
      if (buffer.first <= result.last) result.last = static_cast<Step>(buffer.first - 1);
    } else if (buffer.last < step) {
      if (buffer.last >= result.first) result.first = static_cast<Step>(buffer.last + 1);
    } else {
      if (buffer.first > result.first) result.first = buffer.first;
      if (buffer.last < result.last) result.last = buffer.last;
      result.live = add_saturated(result.live, buffer.size);
      ++result.buffers;
    }
  }
  const std::size_t size = static_cast<const PlanSummary&>(plan).size();
  if (size > result.live) result.unused = size - result.live;
  return result;
}

/// Calls `visit(usage)` with the `StepUsage` of all steps from 0 to the last at which a buffer is alive that has bytes,
/// in their order: once for steps in a row at which the same buffers are alive, so at most 2n times, however large the
/// steps are. Never if the plan is none for these buffers, as far as the counts tell. O(n^2), without memory of its
/// own.
template <class P, class Visit, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void for_each_step_usage(const P& plan, const BufferList& buffers, Visit visit) {
  if (detail::match(plan, buffers) != Status::kOk) return;
  std::size_t end = 0;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    const std::size_t gone = static_cast<std::size_t>(buffers[i].last) + 1;
    if (buffers[i].size != 0 && gone > end) end = gone;
  }
  for (std::size_t step = 0; step < end;) {
    const StepUsage steps = usage_at(plan, buffers, static_cast<Step>(step));
    visit(steps);
    step = static_cast<std::size_t>(steps.last) + 1;
  }
}

/// The numbers of an `Arena` or `ArenaRef` at this moment. O(1).
template <class A, class = decltype(std::declval<const A&>().required(Region::kHead))>
[[nodiscard]] ArenaUsage usage(const A& arena) noexcept {
  const auto region = [&arena](Region which) {
    return RegionUsage{arena.used(which), arena.peak(which), arena.required(which)};
  };
  ArenaUsage result;
  result.capacity = arena.capacity();
  result.all = {arena.used(), arena.peak(), arena.required()};
  result.head = region(Region::kHead);
  result.overlay = region(Region::kOverlay);
  result.temp = region(Region::kTemp);
  result.tail = region(Region::kTail);
  result.failures = arena.failures();
  return result;
}

/// The numbers of an arena and of a plan, which the compiler can have worked out, and who has the bytes of both.
/// `recorder` is a `Recorder<>`, or anything else with `of(Region, Kind)`: `usage(arena, kUsage, arena.observer())`,
/// which also is right where the arena has no observer. Without a plan, `usage(arena, {}, arena.observer())`. O(kinds).
template <class R = Unobserved>
[[nodiscard]] constexpr MemoryUsage usage(const ArenaUsage& arena, const PlanUsage& plan,
                                          const R& recorder = {}) noexcept {
  MemoryUsage result{plan, arena, {}, {}};
  detail::split_region(result.persistent, Region::kHead, arena.head.used, recorder);
  detail::split_region(result.persistent, Region::kTail, arena.tail.used, recorder);
  if (plan.size != 0 && plan.size <= arena.overlay.used) {
    result.planned.scratch = plan.scratch;
    result.planned.tensors = plan.live - plan.scratch;
    result.planned.padding = arena.overlay.used - plan.live;
  } else {
    result.planned.other = arena.overlay.used;
  }
  return result;
}

/// \copydoc usage
template <class A, class R = Unobserved, class = decltype(std::declval<const A&>().required(Region::kHead))>
[[nodiscard]] MemoryUsage usage(const A& arena, const PlanUsage& plan, const R& recorder = {}) noexcept {
  return usage(usage(arena), plan, recorder);
}

// --- text ------------------------------------------------------------------------------------------------------------

namespace detail {

template <class Sink>
using WriterOver = Writer<std::remove_reference_t<Sink>>;

[[nodiscard]] constexpr std::size_t digits(std::size_t value) noexcept {
  std::size_t result = 1;
  while ((value /= 10) != 0) ++result;
  return result;
}

template <class Out>
constexpr void print_refused(const Out& out, Status status) {
  out.text("no plan: ").text(to_string(status)).put('\n');
}

/// A name in double quotes, which are doubled inside, if it holds what separates fields (RFC 4180).
template <class Out>
constexpr void print_csv_field(const Out& out, const char* name) {
  bool quote = false;
  for (const char* c = name; c != nullptr && *c != '\0'; ++c) {
    if (*c == ',' || *c == '"' || *c == '\n' || *c == '\r') quote = true;
  }
  if (!quote) {
    out.text(name);
    return;
  }
  out.put('"');
  for (const char* c = name; *c != '\0'; ++c) {
    if (*c == '"') out.put('"');
    out.put(*c);
  }
  out.put('"');
}

/// A JSON string (RFC 8259). Bytes from 0x80 on are passed on: a name is taken to be UTF-8.
template <class Out>
constexpr void print_json_string(const Out& out, const char* name) {
  constexpr char kHex[] = "0123456789abcdef";
  out.put('"');
  for (const char* c = name; c != nullptr && *c != '\0'; ++c) {
    const unsigned code = static_cast<unsigned char>(*c);
    if (*c == '"' || *c == '\\') {
      out.put('\\').put(*c);
    } else if (code < 0x20) {
      out.text("\\u00").put(kHex[code / 16]).put(kHex[code % 16]);
    } else {
      out.put(*c);
    }
  }
  out.put('"');
}

template <class Out>
constexpr void print_json_region(const Out& out, const RegionUsage& usage) {
  out.text("\"used\":").number(usage.used).text(",\"peak\":").number(usage.peak);
  out.text(",\"required\":").number(usage.required);
}

template <class Out>
constexpr void print_json_arena(const Out& out, const ArenaUsage& arena) {
  const auto region = [&out](const char* before, const RegionUsage& usage) {
    out.text(before);
    print_json_region(out, usage);
  };
  out.text("{\"capacity\":").number(arena.capacity).put(',');
  print_json_region(out, arena.all);
  out.text(",\"failures\":").number(arena.failures);
  region(",\"regions\":{\"head\":{", arena.head);
  region("},\"overlay\":{", arena.overlay);
  region("},\"temp\":{", arena.temp);
  region("},\"tail\":{", arena.tail);
  out.text("}}}");
}

template <class Out>
constexpr void print_json_split(const Out& out, const MemorySplit& split) {
  out.text("{\"tensors\":").number(split.tensors).text(",\"weights\":").number(split.weights);
  out.text(",\"scratch\":").number(split.scratch).text(",\"operator_data\":").number(split.operator_data);
  out.text(",\"metadata\":").number(split.metadata).text(",\"other\":").number(split.other);
  out.text(",\"padding\":").number(split.padding).put('}');
}

/// Without the brace behind it.
template <class Out>
constexpr void print_json_plan(const Out& out, const PlanUsage& plan) {
  out.text("{\"status\":\"").text(to_string(plan.status)).text("\",\"size\":").number(plan.size);
  out.text(",\"without_reuse\":").number(plan.without_reuse).text(",\"saved\":").number(plan.saved);
  out.text(",\"lower_bound\":").number(plan.lower_bound).text(",\"unused\":").number(plan.unused);
  out.text(",\"unused_per_mille\":").number(plan.unused_per_mille).text(",\"peak_step\":").number(plan.peak_step);
}

/// The picture of a plan, cell by cell.
template <class P>
class Map {
 public:
  constexpr Map(const P& plan, const BufferList& buffers, std::size_t columns) noexcept
      : plan_(plan), buffers_(buffers) {
    for (std::size_t i = 0; i < buffers.count(); ++i) {
      if (buffers[i].last > last_) last_ = buffers[i].last;
    }
    label_ = 2 * digits(last_) + 1;
    if (label_ < kLeastLabel) label_ = kLeastLabel;
    const std::size_t most = columns + kLeastLabel > label_ ? columns + kLeastLabel - label_ : 1;
    if (size() != 0) cell_ = (size() - 1) / most + 1;
    columns_ = size() == 0 ? 0 : (size() - 1) / cell_ + 1;
  }

  template <class Out>
  constexpr void print(const Out& out) const {
    const std::size_t ruler = columns_ + 1 - (columns_ + 1 > digits(size()) ? digits(size()) : columns_);
    out.fill(' ', label_ - 4).text("step 0").fill(' ', ruler).number(size()).put('\n');
    for (std::size_t from = 0; from <= last_ && buffers_.count() != 0;) {
      std::size_t next = change_after(from);
      while (next <= last_ && same(from, next)) next = change_after(next);
      print_row(out, from, next - 1);
      from = next;
    }
    out.text("a column is ").number(cell_).text(cell_ == 1 ? " byte" : " bytes").text(", a dot is free\n");
  }

 private:
  static constexpr std::size_t kLeastLabel = 5;

  [[nodiscard]] constexpr std::size_t size() const noexcept { return static_cast<const PlanSummary&>(plan_).size(); }

  /// The last of the buffers that have bytes in this cell, or as many as there are.
  [[nodiscard]] constexpr std::size_t owner(std::size_t step, std::size_t column) const noexcept {
    const std::size_t begin = column * cell_;
    for (std::size_t i = buffers_.count(); i > 0; --i) {
      const Buffer& buffer = buffers_[i - 1];
      if (buffer.size == 0 || !alive_at(buffer, step)) continue;
      const std::size_t offset = plan_.offset(i - 1);
      if (offset < begin + cell_ && begin < offset + buffer.size) return i - 1;
    }
    return buffers_.count();
  }
  [[nodiscard]] constexpr bool same(std::size_t step, std::size_t other) const noexcept {
    for (std::size_t column = 0; column < columns_; ++column) {
      if (owner(step, column) != owner(other, column)) return false;
    }
    return true;
  }

  /// The next step at which somebody is born or gone; one after the last if there is none.
  [[nodiscard]] constexpr std::size_t change_after(std::size_t step) const noexcept {
    std::size_t next = last_ + 1;
    for (std::size_t i = 0; i < buffers_.count(); ++i) {
      const std::size_t born = buffers_[i].first;
      const std::size_t gone = static_cast<std::size_t>(buffers_[i].last) + 1;
      if (buffers_[i].size == 0) continue;
      if (born > step && born < next) next = born;
      if (gone > step && gone < next) next = gone;
    }
    return next;
  }

  template <class Out>
  constexpr void print_row(const Out& out, std::size_t from, std::size_t to) const {
    constexpr char kNames[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (from == to) {
      out.number(from, label_);
    } else {
      out.number(from, label_ - 1 - digits(to)).put('-').number(to);
    }
    out.text(" |");
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::size_t index = owner(from, column);
      out.put(index == buffers_.count() ? '.' : kNames[index % (sizeof(kNames) - 1)]);
    }
    out.text("|\n");
  }

  const P& plan_;
  BufferList buffers_;
  std::size_t last_ = 0;     // step
  std::size_t label_ = 0;    // characters in front of the picture
  std::size_t cell_ = 1;     // bytes in a column
  std::size_t columns_ = 0;  // that are needed
};

}  // namespace detail

/// `arena 3000 used 1248 peak 1248 required 1248`, where 3000 is the capacity, a line of these words for each region,
/// and `failures 2` if there were any. O(1).
template <class Sink>
constexpr void print_usage(Sink&& sink, const ArenaUsage& arena) {
  const detail::WriterOver<Sink> out(sink);
  out.text("arena ").number(arena.capacity);
  out.text(" used ").number(arena.all.used).text(" peak ").number(arena.all.peak);
  out.text(" required ").number(arena.all.required).put('\n');
  const auto region = [&out](const char* name, const RegionUsage& usage) {
    out.text(name).text(" used ").number(usage.used, 8).text(" peak ").number(usage.peak, 8);
    out.text(" required ").number(usage.required, 8).put('\n');
  };
  region("  head   ", arena.head);
  region("  overlay", arena.overlay);
  region("  temp   ", arena.temp);
  region("  tail   ", arena.tail);
  if (arena.failures != 0) out.text("failures ").number(arena.failures).put('\n');
}

/// \copydoc print_usage
template <class Sink, class A, class = decltype(std::declval<const A&>().required(Region::kHead))>
void print_usage(Sink&& sink, const A& arena) {
  print_usage(sink, usage(arena));
}

/// `plan 180 without reuse 240 saved 60 lower bound 180 unused 0 per mille 0 peak step 1`, and a line `weights in flash
/// 640 variables 8 kept 0 external 0` if there are any. If there is no plan, the one line `no plan: ` and why. O(1).
template <class Sink>
constexpr void print_usage(Sink&& sink, const PlanUsage& plan) {
  const detail::WriterOver<Sink> out(sink);
  if (plan.status != Status::kOk) return detail::print_refused(out, plan.status);
  out.text("plan ").number(plan.size).text(" without reuse ").number(plan.without_reuse);
  out.text(" saved ").number(plan.saved).text(" lower bound ").number(plan.lower_bound);
  out.text(" unused ").number(plan.unused).text(" per mille ").number(plan.unused_per_mille);
  out.text(" peak step ").number(plan.peak_step).put('\n');
  if (plan.constants == 0 && plan.variables == 0 && plan.kept == 0 && plan.external == 0) return;
  out.text("weights in flash ").number(plan.constants).text(" variables ").number(plan.variables);
  out.text(" kept ").number(plan.kept).text(" external ").number(plan.external).put('\n');
}

/// The lines of the arena, a table of who has the bytes, and the lines of the plan. O(1).
///
///     bytes           persistent    planned
///       tensors               64        176
///       weights               99          0
///       scratch                8         48
///       operator data         37          0
///       metadata              24          0
///       other                 10          0
///       padding                5          5
///       all                  247        229
template <class Sink>
constexpr void print_usage(Sink&& sink, const MemoryUsage& usage) {
  const detail::WriterOver<Sink> out(sink);
  const auto row = [&out](const char* name, std::size_t persistent, std::size_t planned) {
    out.text("  ").text(name).number(persistent, 10).put(' ').number(planned, 10).put('\n');
  };
  print_usage(sink, usage.arena);
  out.text("bytes           persistent    planned\n");
  row("tensors       ", usage.persistent.tensors, usage.planned.tensors);
  row("weights       ", usage.persistent.weights, usage.planned.weights);
  row("scratch       ", usage.persistent.scratch, usage.planned.scratch);
  row("operator data ", usage.persistent.operator_data, usage.planned.operator_data);
  row("metadata      ", usage.persistent.metadata, usage.planned.metadata);
  row("other         ", usage.persistent.other, usage.planned.other);
  row("padding       ", usage.persistent.padding, usage.planned.padding);
  row("all           ", usage.persistent.total(), usage.planned.total());
  print_usage(sink, usage.plan);
}

/// The line of `print_usage`, captions, and a row for each buffer that has bytes: its index, size, first and last step,
/// offset, and its name if there are names: `names`, if it is given, has an entry for each buffer, which may be null. A
/// star marks those alive at the peak step. O(n^2).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_plan(Sink&& sink, const P& plan, const BufferList& buffers, const char* const* names = nullptr) {
  const detail::WriterOver<Sink> out(sink);
  const PlanUsage numbers = usage(plan, buffers);
  print_usage(sink, numbers);
  if (numbers.status != Status::kOk) return;
  out.text("    id       size  first   last     offset").text(names == nullptr ? "" : " name").put('\n');
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    const Buffer& buffer = buffers[i];
    if (buffer.size == 0) continue;
    out.put(alive_at(buffer, numbers.peak_step) ? '*' : ' ').number(i, 5).put(' ').number(buffer.size, 10);
    out.put(' ').number(buffer.first, 6).put(' ').number(buffer.last, 6).put(' ').number(plan.offset(i), 10);
    if (names != nullptr && names[i] != nullptr) out.put(' ').text(names[i]);
    out.put('\n');
  }
}

/// The line of `print_usage`, captions, and a row for steps in a row at which the same buffers are alive, see
/// `for_each_step_usage`: the first and the last of them, how many buffers, how many bytes they have, and how many of
/// the planned ones nobody has. A star marks the peak step. O(n^2).
///
///      first   last buffers       live     unused
///          0      0       1        100         80
///     *    1      1       2        180          0
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_steps(Sink&& sink, const P& plan, const BufferList& buffers) {
  const detail::WriterOver<Sink> out(sink);
  const PlanUsage numbers = usage(plan, buffers);
  print_usage(sink, numbers);
  if (numbers.status != Status::kOk) return;
  out.text(" first   last buffers       live     unused\n");
  for_each_step_usage(plan, buffers, [&](const StepUsage& steps) {
    const bool peak = steps.live != 0 && steps.first <= numbers.peak_step && numbers.peak_step <= steps.last;
    out.put(peak ? '*' : ' ').number(steps.first, 5).put(' ').number(steps.last, 6);
    out.put(' ').number(steps.buffers, 7).put(' ').number(steps.live, 10).put(' ').number(steps.unused, 10).put('\n');
  });
}

/// A picture: steps downwards, addresses across.
///
///      step 0                                                          180
///         0 |0000000000000000000000000000000000..........................|
///         1 |000000000000000000000000000000000111111111111111111111111111|
///       2-3 |22222222222222222222........................................|
///     a column is 3 bytes, a dot is free
///
/// A buffer is a digit or a letter: 0 to 9, a to z, A to Z, and from the start again. Where several have bytes in one
/// column, the last of them shows. Steps at which the same buffers show are one line. No line of it is longer than
/// `columns` + 8 characters, if there are at least 44 columns; where steps have three digits or more, their numbers
/// take place from the picture. If there is no plan, the line `no plan: ` and why. O(changes * columns * n).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_map(Sink&& sink, const P& plan, const BufferList& buffers, std::size_t columns = 64) {
  const detail::WriterOver<Sink> out(sink);
  const Status status = detail::match(plan, buffers);
  if (status != Status::kOk) return detail::print_refused(out, status);
  detail::Map<P>(plan, buffers, columns).print(out);
}

// --- for other programs ----------------------------------------------------------------------------------------------

/// A table with the captions `id,first,last,size,alignment,offset`, with names `id,name,first,...`, and a row for each
/// buffer; the offset of one without bytes is 0. Only the captions if there is no plan. Names as above; quoted where
/// they must be. O(n).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_csv(Sink&& sink, const P& plan, const BufferList& buffers, const char* const* names = nullptr) {
  const detail::WriterOver<Sink> out(sink);
  out.text("id,").text(names == nullptr ? "" : "name,").text("first,last,size,alignment,offset\n");
  if (detail::match(plan, buffers) != Status::kOk) return;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    const Buffer& buffer = buffers[i];
    out.number(i).put(',');
    if (names != nullptr) {
      detail::print_csv_field(out, names[i]);
      out.put(',');
    }
    out.number(buffer.first).put(',').number(buffer.last).put(',').number(buffer.size).put(',');
    out.number(buffer.alignment.bytes()).put(',');
    out.number(detail::offset_of(plan, buffers, i)).put('\n');
  }
}

/// The plan as one JSON object, with a line for each buffer:
///
///     {"status":"ok","size":180,"without_reuse":240,"saved":60,"lower_bound":180,"unused":0,"unused_per_mille":0,
///     "peak_step":1,"alignment":1,"buffers":[
///     {"id":0,"name":"image","first":0,"last":1,"size":100,"alignment":1,"offset":0}
///     ]}
///
/// (the first two lines are one). The offset of a buffer without bytes is 0. If there is no plan, the status says why,
/// and there are no buffers. Names as above, and in UTF-8. O(n^2).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_json(Sink&& sink, const P& plan, const BufferList& buffers, const char* const* names = nullptr) {
  const detail::WriterOver<Sink> out(sink);
  const PlanUsage numbers = usage(plan, buffers);
  detail::print_json_plan(out, numbers);
  out.text(",\"alignment\":").number(plan.alignment()).text(",\"buffers\":[\n");
  for (std::size_t i = 0; i < numbers.buffers; ++i) {
    const Buffer& buffer = buffers[i];
    out.text("{\"id\":").number(i);
    if (names != nullptr) {
      out.text(",\"name\":");
      detail::print_json_string(out, names[i]);
    }
    out.text(",\"first\":").number(buffer.first).text(",\"last\":").number(buffer.last);
    out.text(",\"size\":").number(buffer.size).text(",\"alignment\":").number(buffer.alignment.bytes());
    out.text(",\"offset\":").number(detail::offset_of(plan, buffers, i)).text(i + 1 < numbers.buffers ? "},\n" : "}\n");
  }
  out.text("]}\n");
}

/// A table with the captions `first,last,buffers,live,unused` and the rows of `print_steps`. Only the captions if there
/// is no plan. O(n^2).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_steps_csv(Sink&& sink, const P& plan, const BufferList& buffers) {
  const detail::WriterOver<Sink> out(sink);
  out.text("first,last,buffers,live,unused\n");
  for_each_step_usage(plan, buffers, [&out](const StepUsage& steps) {
    out.number(steps.first).put(',').number(steps.last).put(',').number(steps.buffers).put(',');
    out.number(steps.live).put(',').number(steps.unused).put('\n');
  });
}

/// The same as one JSON object, which begins as that of a plan, with a line for each row:
///
///     {"status":"ok","size":180,"without_reuse":240,"saved":60,"lower_bound":180,"unused":0,"unused_per_mille":0,
///     "peak_step":1,"steps":[
///     {"first":0,"last":0,"buffers":1,"live":100,"unused":80}
///     ]}
///
/// (the first two lines are one). If there is no plan, the status says why, and there are no rows. O(n^2).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_steps_json(Sink&& sink, const P& plan, const BufferList& buffers) {
  const detail::WriterOver<Sink> out(sink);
  const PlanUsage numbers = usage(plan, buffers);
  detail::print_json_plan(out, numbers);
  out.text(",\"steps\":[");
  const char* before = "\n{\"first\":";
  if (numbers.status == Status::kOk) {
    for_each_step_usage(plan, buffers, [&](const StepUsage& steps) {
      out.text(before).number(steps.first).text(",\"last\":").number(steps.last);
      out.text(",\"buffers\":").number(steps.buffers).text(",\"live\":").number(steps.live);
      out.text(",\"unused\":").number(steps.unused).put('}');
      before = ",\n{\"first\":";
    });
  }
  out.text("\n]}\n");
}

/// An arena's numbers as one JSON object of one line: `{"capacity":3000,"used":1248,"peak":1248,"required":1248,
/// "failures":0,"regions":{"head":{"used":0,"peak":0,"required":0},...}}`. O(1).
template <class Sink>
constexpr void print_json(Sink&& sink, const ArenaUsage& arena) {
  const detail::WriterOver<Sink> out(sink);
  detail::print_json_arena(out, arena);
  out.put('\n');
}

/// All of it as one JSON object of one line: `{"arena":{...},"persistent":{...},"planned":{...},"plan":{...}}`, where
/// `arena` is as above, the next two have a number for each row of the table in text, `"tensors":64` to `"padding":4`,
/// and `plan` has what that of a plan has in front of its alignment, and `constants`, `variables`, `kept` and
/// `external`. O(1).
template <class Sink>
constexpr void print_json(Sink&& sink, const MemoryUsage& usage) {
  const detail::WriterOver<Sink> out(sink);
  out.text("{\"arena\":");
  detail::print_json_arena(out, usage.arena);
  out.text(",\"persistent\":");
  detail::print_json_split(out, usage.persistent);
  out.text(",\"planned\":");
  detail::print_json_split(out, usage.planned);
  out.text(",\"plan\":");
  detail::print_json_plan(out, usage.plan);
  out.text(",\"constants\":").number(usage.plan.constants).text(",\"variables\":").number(usage.plan.variables);
  out.text(",\"kept\":").number(usage.plan.kept).text(",\"external\":").number(usage.plan.external).text("}}\n");
}

}  // namespace ARENITE_ABI
}  // namespace arenite
