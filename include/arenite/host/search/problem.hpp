// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A list of buffers as the search looks at it: cut into spans of time that have nothing to do with each other, time
/// counted in sections, and bytes in units. Nothing that a plan could use is lost.
///
/// A *span* is a stretch of time at whose ends nothing is alive. A *section* is a largest set of buffers alive
/// together: it ends with the first death after a birth, and the lifetime of each buffer is a range of sections. A
/// *unit* divides every offset at which a buffer that rests on others can lie.
///
/// Host only: uses the heap. Reading is safe from any thread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../../align.hpp"
#include "../../buffer.hpp"
#include "../../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {
namespace detail {

/// A buffer within a span. Sections are counted from the start of the span; the end is exclusive.
struct Task {
  Index buffer = 0;         // position in the list that was given
  std::uint32_t first = 0;  // section
  std::uint32_t end = 0;
  std::size_t bytes = 0;  // at least 1
  std::size_t size = 0;   // in units, rounded up
  std::size_t mask = 0;   // alignment in units, less one
};

struct Span {
  std::vector<Task> tasks;  // in the order of the list
  std::size_t unit = 1;     // bytes
  std::uint32_t sections = 0;
  bool exact = true;            // sizes are multiples of the unit
  bool aligned = false;         // some mask is not zero
  std::size_t total = 0;        // units of all tasks; what fits into these needs no care for overflow
  std::size_t lower_bound = 0;  // bytes; no plan for this span is smaller
};

/// The largest unit for these tasks. A buffer that rests on others lies at a sum of sizes, each rounded up to an
/// alignment: at a multiple of the least alignment, of the greatest power of two that divides all sizes, and, where no
/// alignment asks for more than sizes give by themselves, of the greatest common divisor of the sizes.
inline void choose_unit(Span& span, const Buffer* buffers) {
  std::size_t divisor = 0;
  std::size_t least = kMaxSize + 1;
  std::size_t most = 1;
  for (const Task& task : span.tasks) {
    divisor = std::gcd(divisor, task.bytes);
    least = std::min(least, buffers[task.buffer].alignment.bytes());
    most = std::max(most, buffers[task.buffer].alignment.bytes());
  }
  const std::size_t power = divisor & (~divisor + 1);
  span.unit = most <= power ? divisor : std::max(least, power);
  span.exact = divisor % span.unit == 0;

  for (Task& task : span.tasks) {
    const std::size_t alignment = buffers[task.buffer].alignment.bytes();
    task.size = (task.bytes - 1) / span.unit + 1;
    task.mask = most <= power || alignment <= span.unit ? 0 : alignment / span.unit - 1;
    span.aligned = span.aligned || task.mask != 0;
    span.total = add_saturated(span.total, task.size);
  }
}

/// The most bytes live in one section, each buffer padded to units; the topmost may do without its padding. The sum
/// fits, as there is a plan. O(n log n).
inline void bound_from_below(Span& span) {
  std::vector<std::size_t> change(span.sections + std::size_t{1});  // of what is live; wraps below zero
  for (const Task& task : span.tasks) {
    change[task.first] += task.size;
    change[task.end] -= task.size;
  }

  // The largest padding of a buffer in each section: largest first, each takes the sections that are still free. From
  // a section that is taken, `next` leads to one further on.
  std::vector<std::size_t> padding(span.sections);
  if (!span.exact) {
    const auto padding_of = [&](const Task* task) { return task->size * span.unit - task->bytes; };
    std::vector<const Task*> order;
    for (const Task& task : span.tasks) order.push_back(&task);
    std::stable_sort(order.begin(), order.end(),
                     [&](const Task* a, const Task* b) { return padding_of(a) > padding_of(b); });
    std::vector<std::uint32_t> next(span.sections + std::size_t{1});
    std::iota(next.begin(), next.end(), 0u);
    for (const Task* task : order) {
      std::uint32_t section = task->first;
      while (section < task->end) {
        if (next[section] != section) {
          next[section] = next[next[section]];
          section = next[section];
        } else {
          padding[section] = padding_of(task);
          next[section] = section + 1;
        }
      }
    }
  }

  std::size_t live = 0;
  for (std::uint32_t s = 0; s < span.sections; ++s) {
    live += change[s];
    span.lower_bound = std::max(span.lower_bound, live * span.unit - padding[s]);
  }
}

/// Cuts a sound list into spans, by time. Buffers without bytes are in none. O(n log n), and O(n * sections) where
/// alignment makes padding.
inline std::vector<Span> make_spans(const Buffer* buffers, std::size_t count) {
  std::vector<Index> births;
  births.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (buffers[i].size != 0) births.push_back(static_cast<Index>(i));
  }
  std::vector<Index> deaths = births;
  std::stable_sort(births.begin(), births.end(), [&](Index a, Index b) { return buffers[a].first < buffers[b].first; });
  std::stable_sort(deaths.begin(), deaths.end(), [&](Index a, Index b) { return buffers[a].last < buffers[b].last; });

  std::vector<Span> spans;
  std::vector<Task> tasks(count);
  std::vector<Index> members;
  std::uint32_t section = 0;
  bool born = false;  // since the last death
  std::size_t begun = 0;
  std::size_t dead = 0;
  const auto bury = [&](Index index) {
    if (born) ++section;
    born = false;
    tasks[index].end = section;
  };
  const auto finish = [&] {
    if (members.empty()) return;
    std::sort(members.begin(), members.end());
    Span& span = spans.emplace_back();
    span.sections = section;
    for (const Index index : members) span.tasks.push_back(tasks[index]);
    choose_unit(span, buffers);
    bound_from_below(span);
    members.clear();
    section = 0;
  };
  for (const Index index : births) {
    while (dead < deaths.size() && buffers[deaths[dead]].last < buffers[index].first) bury(deaths[dead++]);
    if (dead == begun) finish();
    ++begun;
    members.push_back(index);
    tasks[index].buffer = index;
    tasks[index].bytes = buffers[index].size;
    tasks[index].first = section;
    born = true;
  }
  while (dead < deaths.size()) bury(deaths[dead++]);
  finish();
  return spans;
}

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
