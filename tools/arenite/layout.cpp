// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "layout.hpp"

#include <arenite/planner.hpp>
#include <arenite/report.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"

namespace arenite::tool {
namespace {

std::string place_of(const Problem& problem, Index index) {
  return index < problem.rows.size()
             ? "buffer " + std::to_string(problem.rows[index].id) + " '" + problem.rows[index].name + "'"
             : "";
}

[[noreturn]] void refuse(const Problem& problem, Status status, Index culprit) {
  throw InputError(problem.source, place_of(problem, culprit), to_string(status));
}

std::size_t bound_of(const Problem& problem) {
  std::vector<Index> scratch(lower_bound_scratch(problem.buffers.size()));
  return lower_bound(problem.buffers.data(), problem.buffers.size(), scratch.data());
}

// The size and alignment of a block follow from where its buffers end.
Layout finish(const Problem& problem, std::string strategy, std::vector<std::size_t> offsets, std::size_t bound) {
  Layout layout;
  layout.strategy = std::move(strategy);
  layout.lower_bound = bound;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.size == 0) continue;
    layout.size = std::max(layout.size, offsets[i] + buffer.size);
    layout.alignment = std::max(layout.alignment, buffer.alignment.bytes());
  }
  layout.offsets = std::move(offsets);
  return layout;
}

void check(const Problem& problem) {
  if (problem.buffers.size() > kMaxBuffers) refuse(problem, Status::kTooManyBuffers, kNoIndex);
  const Verdict verdict = validate(problem.buffers.data(), problem.buffers.size());
  if (!verdict.ok()) refuse(problem, verdict.status, verdict.first);
}

template <class Strategy>
Layout plan_by(const Problem& problem, const LayoutOptions& options) {
  const std::size_t count = problem.buffers.size();
  std::vector<std::size_t> memory(plan_bytes<Strategy>(count) / sizeof(std::size_t) + 1);
  const PlanRef found =
      arenite::plan<Strategy>(problem.buffers.data(), count, memory.data(), memory.size() * sizeof memory[0]);
  if (found.status() != Status::kOk) refuse(problem, found.status(), found.culprit());
  std::vector<std::size_t> offsets(found.offsets(), found.offsets() + count);
  return finish(problem, options.strategy, std::move(offsets), bound_of(problem));
}

Layout search(const Problem& problem, const LayoutOptions& options) {
  host::SearchOptions search;
  search.seconds = options.seconds;
  search.progress = options.progress;
  host::SearchResult found = host::search(problem.list(), search);
  if (found.refused()) refuse(problem, found.status, found.culprit);
  return finish(problem, options.strategy, std::move(found.offsets), found.lower_bound);
}

Layout given(const Problem& problem, const LayoutOptions& options) {
  if (problem.offsets.empty()) throw InputError(problem.source, "", "gives no offsets");
  std::vector<std::size_t> offsets(problem.buffers.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (!problem.offsets[i] && problem.buffers[i].size != 0) {
      throw InputError(problem.source, place_of(problem, static_cast<Index>(i)), "has no offset");
    }
    offsets[i] = problem.offsets[i].value_or(0);
    if (offsets[i] > kMaxSize) refuse(problem, Status::kSizeOverflow, static_cast<Index>(i));
  }
  Layout layout = finish(problem, options.strategy, std::move(offsets), bound_of(problem));
  std::vector<Index> scratch(verify_scratch(problem.buffers.size()));
  const Verdict verdict = verify(problem.buffers.data(), layout.offsets.data(), problem.buffers.size(), layout.size,
                                 layout.alignment, scratch.data());
  if (verdict.status == Status::kOverlap) {
    throw InputError(problem.source, place_of(problem, verdict.first),
                     "shares bytes with " + place_of(problem, verdict.second) + " while both live");
  }
  if (!verdict.ok()) refuse(problem, verdict.status, verdict.first);
  return layout;
}

struct Strategy {
  StrategyName name;
  Layout (*plan)(const Problem&, const LayoutOptions&);
};

constexpr Strategy kStrategies[] = {
    {{"search", "looks for the smallest plan, and mostly proves that there is none"}, search},
    {{"best_of_eight", "the smallest of eight quick plans, as a device can make it"}, plan_by<best_of_eight>},
    {{"greedy", "the largest buffer first: what TensorFlow Lite Micro does"}, plan_by<greedy>},
    {{"linear", "one after the other, nothing shared"}, plan_by<linear>},
    {{"given", "where the file itself says: a plan, or a model that carries one"}, given},
};

}  // namespace

const std::vector<StrategyName>& strategies() {
  static const std::vector<StrategyName> kNames = [] {
    std::vector<StrategyName> result;
    for (const Strategy& strategy : kStrategies) result.push_back(strategy.name);
    return result;
  }();
  return kNames;
}

Layout make_layout(const Problem& problem, const LayoutOptions& options) {
  check(problem);
  for (const Strategy& strategy : kStrategies) {
    if (options.strategy == strategy.name.name) return strategy.plan(problem, options);
  }
  throw InputError(problem.source, "", "there is no strategy '" + options.strategy + "'");
}

std::string proof_of(std::size_t size, std::size_t lower_bound) {
  return size == lower_bound ? "proven best" : "at most " + std::to_string(size - lower_bound) + " above the best";
}

Layout tflm_layout(const Problem& problem) {
  LayoutOptions options;
  options.strategy = "greedy";
  if (problem.offsets.empty()) return make_layout(problem, options);
  check(problem);
  bool all = true;
  for (std::size_t i = 0; i < problem.offsets.size(); ++i) {
    all = all && (problem.offsets[i] || problem.buffers[i].size == 0);
  }
  if (all) return given(problem, options);  // nothing is left to plan
  std::vector<Constraint> pins;
  for (std::size_t i = 0; i < problem.offsets.size(); ++i) {
    if (problem.offsets[i]) pins.push_back(pinned(i, *problem.offsets[i]));
  }
  const std::size_t count = problem.buffers.size();
  const ConstraintList constraints{pins.data(), pins.size()};
  std::vector<std::size_t> memory(plan_bytes<greedy>(count, pins.size()) / sizeof(std::size_t) + 1);
  const PlanRef found = arenite::plan<greedy>(problem.buffers.data(), count, constraints, memory.data(),
                                              memory.size() * sizeof memory[0]);
  if (found.status() != Status::kOk) refuse(problem, found.status(), found.culprit());
  std::vector<std::size_t> offsets(found.offsets(), found.offsets() + count);
  return finish(problem, options.strategy, std::move(offsets), bound_of(problem));
}

Peak peak_of(const Problem& problem) {
  Peak peak;
  std::vector<std::pair<std::uint64_t, std::size_t>> events;  // twice the step, one more for an end; buffer
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.size == 0) continue;
    events.emplace_back(std::uint64_t{2} * buffer.first, i);
    events.emplace_back(std::uint64_t{2} * buffer.last + 1, i);
  }
  std::sort(events.begin(), events.end());
  std::size_t live = 0;
  for (const auto& [when, index] : events) {
    if (when % 2 != 0) {
      live -= problem.buffers[index].size;
    } else {
      live = add_saturated(live, problem.buffers[index].size);
      if (live > peak.bytes) {
        peak.bytes = live;
        peak.step = static_cast<Step>(when / 2);
      }
    }
  }
  for_each_live(problem.list(), peak.step, [&](std::size_t i, const Buffer& buffer) {
    if (buffer.size != 0) peak.alive.push_back(i);
  });
  std::stable_sort(peak.alive.begin(), peak.alive.end(),
                   [&](std::size_t a, std::size_t b) { return problem.buffers[a].size > problem.buffers[b].size; });
  return peak;
}

}  // namespace arenite::tool
