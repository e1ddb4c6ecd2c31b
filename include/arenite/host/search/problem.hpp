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
#include <map>
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

/// Bytes that are taken in some sections, by a buffer that has its place already.
struct Obstacle {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::size_t bottom = 0;  // bytes
  std::size_t top = 0;
};

struct Span {
  std::vector<Task> tasks;          // in the order of the list
  std::vector<Obstacle> obstacles;  // by their bottoms
  std::size_t unit = 1;             // bytes
  std::uint32_t sections = 0;
  bool exact = true;            // sizes are multiples of the unit
  bool aligned = false;         // some mask is not zero
  std::size_t total = 0;        // units of all tasks; what fits into these needs no care for overflow
  std::size_t lower_bound = 0;  // bytes; no plan for this span is smaller

  // Rounded up to units, as sizes are, the ends of obstacles and of buffers around them keep their order.
  [[nodiscard]] std::size_t units(std::size_t bytes) const noexcept { return bytes / unit + (bytes % unit != 0); }
};

/// Offsets, in units, at which a task would meet an obstacle; `to` is the first one behind.
struct Ban {
  std::size_t from = 0;
  std::size_t to = 0;

  friend bool operator==(const Ban& a, const Ban& b) noexcept { return a.from == b.from && a.to == b.to; }
};

/// The bans of each task, from the lowest up, with a gap between any two. O(tasks * obstacles).
inline std::vector<std::vector<Ban>> bans_of(const Span& span) {
  std::vector<std::vector<Ban>> all(span.tasks.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Task& task = span.tasks[i];
    for (const Obstacle& obstacle : span.obstacles) {  // by `from`, too
      if (obstacle.end <= task.first || task.end <= obstacle.first) continue;
      const std::size_t from = obstacle.bottom < task.bytes ? 0 : (obstacle.bottom - task.bytes) / span.unit + 1;
      const std::size_t to = span.units(obstacle.top);
      if (from >= to) continue;
      if (!all[i].empty() && from <= all[i].back().to) {
        all[i].back().to = std::max(all[i].back().to, to);
      } else {
        all[i].push_back({from, to});
      }
    }
  }
  return all;
}

/// The largest unit for these tasks. A buffer that rests on others lies at a sum of sizes, or at such a sum over the
/// top of an obstacle, each rounded up to an alignment: at a multiple of the least alignment, of the greatest power of
/// two that divides all sizes and tops, and, where no alignment asks for more than these give by themselves, of their
/// greatest common divisor. Obstacles that end at `ceiling` or above do not matter: nobody has to lie there.
inline void choose_unit(Span& span, const Buffer* buffers, std::size_t ceiling) {
  std::size_t sizes = 0;
  std::size_t least = kMaxSize + 1;
  std::size_t most = 1;
  for (const Task& task : span.tasks) {
    sizes = std::gcd(sizes, task.bytes);
    least = std::min(least, buffers[task.buffer].alignment.bytes());
    most = std::max(most, buffers[task.buffer].alignment.bytes());
  }
  std::size_t divisor = sizes;
  for (const Obstacle& obstacle : span.obstacles) {
    if (obstacle.top < ceiling) divisor = std::gcd(divisor, obstacle.top);
  }
  const std::size_t power = divisor & (~divisor + 1);
  span.unit = most <= power ? divisor : std::max(least, power);
  span.exact = sizes % span.unit == 0;

  for (Task& task : span.tasks) {
    const std::size_t alignment = buffers[task.buffer].alignment.bytes();
    task.size = span.units(task.bytes);
    task.mask = most <= power || alignment <= span.unit ? 0 : alignment / span.unit - 1;
    span.aligned = span.aligned || task.mask != 0;
    span.total = add_saturated(span.total, task.size);
  }
}

/// The obstacles of one section after the other.
class ObstacleSweep {
 public:
  explicit ObstacleSweep(const Span& span) : span_(span) {
    for (const Obstacle& obstacle : span.obstacles) {
      if (span.units(obstacle.bottom) < span.units(obstacle.top)) births_.push_back(&obstacle);
    }
    std::stable_sort(births_.begin(), births_.end(),
                     [](const Obstacle* a, const Obstacle* b) { return a->first < b->first; });
  }

  /// How high so many units reach at least in a section, around its obstacles. Sections in ascending order.
  [[nodiscard]] std::size_t reach(std::uint32_t section, std::size_t units) {
    for (; born_ < births_.size() && births_[born_]->first <= section; ++born_) {
      alive_[span_.units(births_[born_]->bottom)] = births_[born_];  // who was there is gone
    }
    for (auto next = alive_.begin(); next != alive_.end() && next->first < units;) {
      if (next->second->end <= section) {
        next = alive_.erase(next);
      } else {
        units += span_.units(next->second->top) - next->first;
        ++next;
      }
    }
    return units;
  }

 private:
  const Span& span_;
  std::vector<const Obstacle*> births_;
  std::map<std::size_t, const Obstacle*> alive_;  // by their bottoms in units; and some that are gone
  std::size_t born_ = 0;
};

/// The most bytes live in one section, each buffer padded to units; the topmost may do without its padding. Where there
/// are obstacles, how high these bytes reach around them. The sum fits, as there is a plan. O(n log n), without
/// obstacles; each section looks at those in the way.
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
  ObstacleSweep sweep(span);
  for (std::uint32_t s = 0; s < span.sections; ++s) {
    live += change[s];
    span.lower_bound = std::max(span.lower_bound, sweep.reach(s, live) * span.unit - padding[s]);
  }
}

/// The steps at which something is born or dies, numbered from zero: just as they are, unless there are many more steps
/// than buffers.
class Timeline {
 public:
  Timeline(const Buffer* buffers, std::size_t count) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < count; ++i) last = std::max<std::size_t>(last, buffers[i].last);
    size_ = count == 0 ? 0 : last + 1;
    if (last / 4 <= count) return;
    steps_.reserve(2 * count);
    for (std::size_t i = 0; i < count; ++i) {
      steps_.push_back(buffers[i].first);
      steps_.push_back(buffers[i].last);
    }
    std::sort(steps_.begin(), steps_.end());
    steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
    size_ = steps_.size();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t number(Step step) const noexcept {
    if (steps_.empty()) return step;
    return static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
  }

 private:
  std::size_t size_ = 0;
  std::vector<Step> steps_;
};

/// Cuts a sound list into spans, by time. The first `fixed` buffers lie at `offsets` and are obstacles, unless they lie
/// at `ceiling` or above; these do not hold a span together. Buffers without bytes are in none. O(n log n), and where
/// there are obstacles and many spans, the number of obstacles in each.
inline std::vector<Span> make_spans(const Buffer* buffers, std::size_t count, std::size_t fixed,
                                    const std::size_t* offsets, std::size_t ceiling) {
  const Timeline timeline(buffers, count);
  std::vector<Index> obstacles;
  for (std::size_t i = 0; i < fixed; ++i) {
    if (buffers[i].size != 0 && offsets[i] < ceiling) obstacles.push_back(static_cast<Index>(i));
  }

  // What happens at each step, and from that its place: the section of those that are born there, the one in which
  // those end that die there, and the span. A section ends with the first death after a birth.
  struct Moment {
    std::uint32_t births = 0;  // of buffers that are to be placed; then the section
    std::uint32_t deaths = 0;  // and the same
    std::uint32_t span = 0;
    bool birth = false;  // of anything
    bool death = false;
  };
  std::vector<Moment> moments(timeline.size());
  for (std::size_t i = fixed; i < count; ++i) {
    if (buffers[i].size == 0) continue;
    Moment& birth = moments[timeline.number(buffers[i].first)];
    ++birth.births;
    birth.birth = true;
    Moment& death = moments[timeline.number(buffers[i].last)];
    ++death.deaths;
    death.death = true;
  }
  for (const Index i : obstacles) {
    moments[timeline.number(buffers[i].first)].birth = true;
    moments[timeline.number(buffers[i].last)].death = true;
  }

  struct Bounds {
    std::size_t first, last;  // moments
    std::uint32_t sections, tasks;
  };
  std::vector<Bounds> bounds;
  std::uint32_t alive = 0;
  bool born = false;  // since the last death
  for (std::size_t t = 0; t < moments.size(); ++t) {
    Moment& moment = moments[t];
    if (alive == 0) {
      if (moment.births == 0) continue;
      bounds.push_back({t, t, 0, 0});
    }
    Bounds& span = bounds.back();
    alive += moment.births - moment.deaths;
    span.tasks += moment.births;
    moment.span = static_cast<std::uint32_t>(bounds.size() - 1);
    moment.births = span.sections;
    born = born || moment.birth;
    if (moment.death && born) {
      ++span.sections;
      born = false;
    }
    moment.deaths = span.sections;
    span.last = t;
  }

  std::vector<Span> spans(bounds.size());
  for (std::size_t k = 0; k < spans.size(); ++k) {
    spans[k].sections = bounds[k].sections;
    spans[k].tasks.reserve(bounds[k].tasks);
  }
  for (std::size_t i = fixed; i < count; ++i) {
    if (buffers[i].size == 0) continue;
    const Moment& birth = moments[timeline.number(buffers[i].first)];
    Task task;
    task.buffer = static_cast<Index>(i);
    task.bytes = buffers[i].size;
    task.first = birth.births;
    task.end = moments[timeline.number(buffers[i].last)].deaths;
    spans[birth.span].tasks.push_back(task);
  }
  std::stable_sort(obstacles.begin(), obstacles.end(), [&](Index a, Index b) { return offsets[a] < offsets[b]; });
  for (const Index i : obstacles) {
    const std::size_t first = timeline.number(buffers[i].first);
    const std::size_t last = timeline.number(buffers[i].last);
    auto span = std::partition_point(bounds.begin(), bounds.end(), [&](const Bounds& b) { return b.last < first; });
    for (; span != bounds.end() && span->first <= last; ++span) {
      Obstacle obstacle;
      obstacle.first = first <= span->first ? 0 : moments[first].births;
      obstacle.end = last >= span->last ? span->sections : moments[last].deaths;
      obstacle.bottom = offsets[i];
      obstacle.top = offsets[i] + buffers[i].size;
      spans[static_cast<std::size_t>(span - bounds.begin())].obstacles.push_back(obstacle);
    }
  }
  for (Span& span : spans) {
    choose_unit(span, buffers, ceiling);
    bound_from_below(span);
  }
  return spans;
}

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
