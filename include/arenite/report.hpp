// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Where the memory goes: as data, as text, as a picture, as CSV and JSON.
///
///     constexpr auto kUsage = arenite::usage(kPlan, kBuffers);                 // numbers, by the compiler
///     static_assert(kUsage.unused_per_mille < 50);
///     arenite::print_usage([](char c) { uart_put(c); }, arena);                // text, through whatever takes a char
///     arenite::print_map([](char c) { uart_put(c); }, kPlan, kBuffers);
///
/// A *sink* is anything that can be called with a `char`. Nothing is buffered and nothing allocated: no heap, no stdio,
/// some 100 bytes of stack. All texts are plain ASCII (but for names, which are the user's), end in a newline, and are
/// the same for the same numbers on every target, so that they can be compared by `diff`. Everything but the reading of
/// an arena works in the compiler, too. What is not called is not linked, and names of buffers are in the program only
/// if it gives them.
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
#include "plan.hpp"
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

// --- numbers ---------------------------------------------------------------------------------------------------------

/// A plan in numbers; all sizes in bytes. `size == lower_bound + unused`, always.
struct PlanUsage {
  Status status = Status::kOk;       ///< Not `kOk`: there is no plan for these buffers, and all numbers are zero.
  std::size_t buffers = 0;           ///< How many, those without bytes included.
  std::size_t size = 0;              ///< What is planned: the highest end of a buffer, padding included.
  std::size_t without_reuse = 0;     ///< Sum of all buffers, without padding: if each had bytes of its own. Saturates.
  std::size_t saved = 0;             ///< `without_reuse - size`, or zero where padding takes more than reuse saves.
  std::size_t lower_bound = 0;       ///< The most bytes alive at one step, without padding: no plan is smaller.
  Step peak_step = 0;                ///< The first step at which so many are alive; see `for_each_live`.
  std::size_t unused = 0;            ///< Planned bytes that nobody has at that step: how far it is from the bound.
  std::size_t unused_per_mille = 0;  ///< The same in thousandths of the lower bound, rounded down. Saturates.
  std::size_t constants = 0;         ///< In flash, as `lifetimes` counted them; zero if it was not asked.
  std::size_t variables = 0;         ///< Persistent and not in the plan, likewise, without padding.
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

/// A plan and the arena it was placed in.
struct MemoryUsage {
  PlanUsage plan;
  ArenaUsage arena;
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

/// `kOk`, or why the plan is none for these buffers, as far as the counts tell.
template <class P>
[[nodiscard]] constexpr Status match(const P& plan, const BufferList& buffers) noexcept {
  if (plan.status() != Status::kOk) return plan.status();
  return plan.count() == buffers.count() ? Status::kOk : Status::kOutOfBounds;
}

}  // namespace detail

/// The numbers of a plan of any form and the buffers it was made for; `graph`, where there is one, tells of what is not
/// in the plan. O(n^2), without memory of its own: in the compiler some 300 buffers within clang's default limits.
///
/// The status is that of the plan if it was refused, `kOutOfBounds` if it has not as many buffers as the list, and
/// `kOverlap` if it is smaller than its lower bound.
template <class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
[[nodiscard]] constexpr PlanUsage usage(const P& plan, const BufferList& buffers,
                                        const GraphSummary& graph = {}) noexcept {
  PlanUsage result;
  result.status = detail::match(plan, buffers);
  if (result.status != Status::kOk) return result;
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    result.without_reuse = add_saturated(result.without_reuse, buffers[i].size);
    // The most is first reached where somebody is born.
    const std::size_t live = live_at(buffers, buffers[i].first);
    const bool earlier = live == result.lower_bound && buffers[i].first < result.peak_step;
    if (live <= result.lower_bound && !earlier) continue;
    result.lower_bound = live;
    result.peak_step = buffers[i].first;
  }
  const std::size_t size = static_cast<const PlanSummary&>(plan).size();
  if (size < result.lower_bound) {
    result = {};
    result.status = Status::kOverlap;
    return result;
  }
  result.buffers = buffers.count();
  result.size = size;
  if (result.without_reuse > size) result.saved = result.without_reuse - size;
  result.unused = size - result.lower_bound;
  result.unused_per_mille = detail::per_mille(result.unused, result.lower_bound);
  result.constants = graph.constants;
  result.variables = graph.variables;
  return result;
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

/// Both at once.
template <class A, class P, class = decltype(std::declval<const A&>().required(Region::kHead)),
          class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
[[nodiscard]] MemoryUsage usage(const A& arena, const P& plan, const BufferList& buffers,
                                const GraphSummary& graph = {}) noexcept {
  return {usage(plan, buffers, graph), usage(arena)};
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

/// `plan 180 without reuse 240 lower bound 180 peak step 1`; `constants 640 variables 8` if there are any. If there is
/// no plan, the one line `no plan: ` and why. O(1).
template <class Sink>
constexpr void print_usage(Sink&& sink, const PlanUsage& plan) {
  const detail::WriterOver<Sink> out(sink);
  if (plan.status != Status::kOk) return detail::print_refused(out, plan.status);
  out.text("plan ").number(plan.size).text(" without reuse ").number(plan.without_reuse);
  out.text(" lower bound ").number(plan.lower_bound).text(" peak step ").number(plan.peak_step).put('\n');
  if (plan.constants == 0 && plan.variables == 0) return;
  out.text("constants ").number(plan.constants).text(" variables ").number(plan.variables).put('\n');
}

/// The line of `print_usage`, captions, and a row for each buffer: its index, size, first and last step, offset, and
/// its name if there are names: `names`, if it is given, has an entry for each buffer, which may be null. A star marks
/// those alive at the peak step. O(n^2).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_plan(Sink&& sink, const P& plan, const BufferList& buffers, const char* const* names = nullptr) {
  const detail::WriterOver<Sink> out(sink);
  const PlanUsage numbers = usage(plan, buffers);
  print_usage(sink, numbers);
  if (numbers.status != Status::kOk) return;
  out.text("    id       size  first   last     offset").text(names == nullptr ? "" : " name").put('\n');
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    const Buffer& buffer = buffers[i];
    out.put(alive_at(buffer, numbers.peak_step) ? '*' : ' ').number(i, 5).put(' ').number(buffer.size, 10);
    out.put(' ').number(buffer.first, 6).put(' ').number(buffer.last, 6).put(' ').number(plan.offset(i), 10);
    if (names != nullptr && names[i] != nullptr) out.put(' ').text(names[i]);
    out.put('\n');
  }
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
/// buffer. Only the captions if there is no plan. Names as above; quoted where they must be. O(n).
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
    out.number(buffer.alignment.bytes()).put(',').number(plan.offset(i)).put('\n');
  }
}

/// The plan as one JSON object, with a line for each buffer:
///
///     {"status":"ok","size":180,"alignment":1,"without_reuse":240,"lower_bound":180,"peak_step":1,"buffers":[
///     {"id":0,"name":"image","first":0,"last":1,"size":100,"alignment":1,"offset":0}
///     ]}
///
/// If there is no plan, the status says why, and there are no buffers. Names as above, and in UTF-8. O(n^2).
template <class Sink, class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
constexpr void print_json(Sink&& sink, const P& plan, const BufferList& buffers, const char* const* names = nullptr) {
  const detail::WriterOver<Sink> out(sink);
  const PlanUsage numbers = usage(plan, buffers);
  out.text("{\"status\":\"").text(to_string(numbers.status)).text("\",\"size\":").number(numbers.size);
  out.text(",\"alignment\":").number(plan.alignment()).text(",\"without_reuse\":").number(numbers.without_reuse);
  out.text(",\"lower_bound\":").number(numbers.lower_bound).text(",\"peak_step\":").number(numbers.peak_step);
  out.text(",\"buffers\":[\n");
  for (std::size_t i = 0; i < numbers.buffers; ++i) {
    const Buffer& buffer = buffers[i];
    out.text("{\"id\":").number(i);
    if (names != nullptr) {
      out.text(",\"name\":");
      detail::print_json_string(out, names[i]);
    }
    out.text(",\"first\":").number(buffer.first).text(",\"last\":").number(buffer.last);
    out.text(",\"size\":").number(buffer.size).text(",\"alignment\":").number(buffer.alignment.bytes());
    out.text(",\"offset\":").number(plan.offset(i)).text(i + 1 < numbers.buffers ? "},\n" : "}\n");
  }
  out.text("]}\n");
}

/// An arena's numbers as one JSON object of one line: `{"capacity":3000,"used":1248,"peak":1248,"required":1248,
/// "failures":0,"regions":{"head":{"used":0,"peak":0,"required":0},...}}`. O(1).
template <class Sink>
constexpr void print_json(Sink&& sink, const ArenaUsage& arena) {
  const detail::WriterOver<Sink> out(sink);
  const auto numbers = [&out](const RegionUsage& usage) {
    out.text("\"used\":").number(usage.used).text(",\"peak\":").number(usage.peak);
    out.text(",\"required\":").number(usage.required);
  };
  const auto region = [&out, &numbers](const char* name, const RegionUsage& usage, const char* behind) {
    out.put('"').text(name).text("\":{");
    numbers(usage);
    out.text(behind);
  };
  out.text("{\"capacity\":").number(arena.capacity).put(',');
  numbers(arena.all);
  out.text(",\"failures\":").number(arena.failures).text(",\"regions\":{");
  region("head", arena.head, "},");
  region("overlay", arena.overlay, "},");
  region("temp", arena.temp, "},");
  region("tail", arena.tail, "}}}\n");
}

}  // namespace ARENITE_ABI
}  // namespace arenite
