// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The best plan that can be found, for the desk: where `plan` is not at the lower bound and bytes are dear.
///
///     const auto found = arenite::host::search(buffers.data(), buffers.size());
///     if (found.proven()) ...                   // no plan is smaller than found.size
///
/// First greedy orders; where these are above the lower bound, branch and bound (search/fit.hpp), which tries the lower
/// bound itself and then narrows the gap from both sides, in turns with a search of the neighbourhood of the best plan.
/// Spans of time that have nothing to do with each other are solved apart. In spans of more than 2048 buffers greedy
/// orders are improved instead.
///
/// Never worse than `greedy`. Deterministic: the same list and options give the same answer on every machine, unless a
/// time limit or the callback ends the search. Host only: uses the heap, exceptions (`std::bad_alloc`, and what the
/// callback throws) and up to a few MiB of stack. Safe from any thread: one search uses one thread and no state
/// outside.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../constraint.hpp"
#include "../plan.hpp"
#include "../planner.hpp"
#include "../planner/around.hpp"
#include "../planner/pieces.hpp"
#include "../status.hpp"
#include "../version.hpp"
#include "search/fit.hpp"
#include "search/memo.hpp"
#include "search/order.hpp"
#include "search/problem.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {

/// What is known at some point of a search. Sizes in bytes.
struct SearchProgress {
  std::size_t size = 0;         ///< Of the best plan so far; the largest number where there is none.
  std::size_t lower_bound = 0;  ///< No plan is smaller.
  std::uint64_t work = 0;       ///< Elementary steps so far.
  double seconds = 0;
};

struct SearchOptions {
  /// Bytes that are enough: the search ends with the first plan that fits. Zero: look for the smallest plan.
  std::size_t capacity = 0;

  /// Elementary steps after which the search ends, about 3 ns each. The greedy plan is made in any case. By default
  /// 1200000000; in lists of more than 2048 buffers in proportion less, but at least 200 a buffer: one more order.
  std::optional<std::uint64_t> work = std::nullopt;

  /// Time after which the search ends; looked at every few milliseconds. Zero: no limit.
  double seconds = 0;

  /// Called where there is news, and every few milliseconds; false ends the search.
  std::function<bool(const SearchProgress&)> progress = nullptr;
};

struct SearchResult {
  /// `kOk`; `kOutOfMemory` if the plan does not fit into the capacity that was given; or why the list was refused, as
  /// by `plan`, or `kTooManyBuffers`, or `kNullMemory`. There are offsets unless the list was refused.
  Status status = Status::kOk;
  Index culprit = kNoIndex;          ///< The buffer for which the list was refused, or `kNoIndex`.
  std::vector<std::size_t> offsets;  ///< Of each buffer, in bytes; zero for buffers without bytes.
  std::size_t size = 0;              ///< Of the block, in bytes.
  Alignment alignment = 1;           ///< Of the block.
  std::size_t lower_bound = 0;       ///< The largest size that is known to be needed.
  std::size_t capacity = 0;          ///< That was given, or zero.
  std::uint64_t work = 0;
  double seconds = 0;
  unsigned threads = 1;

  /// True if and only if the list was refused: there is no plan.
  [[nodiscard]] bool refused() const noexcept { return status != Status::kOk && status != Status::kOutOfMemory; }

  /// True if and only if no plan can be smaller.
  [[nodiscard]] bool proven() const noexcept { return !refused() && size == lower_bound; }

  /// Bytes by which the plan is larger than the capacity: zero if it fits, or none was given, or the list was refused.
  /// If `proven()`, this is exactly what is missing; if not, another plan may need less.
  [[nodiscard]] std::size_t missing() const noexcept { return status == Status::kOutOfMemory ? size - capacity : 0; }

  /// True if and only if it is proven that no plan fits into the capacity.
  [[nodiscard]] bool impossible() const noexcept { return status == Status::kOutOfMemory && lower_bound > capacity; }

  /// The plan, for these same buffers. Valid as long as they and this result stay where they are.
  [[nodiscard]] PlanRef plan(const Buffer* buffers) const noexcept {
    if (refused()) return {PlanSummary(status, culprit), buffers, nullptr, 0};
    return {PlanSummary(size, alignment), buffers, offsets.data(), offsets.size(), lower_bound};
  }
};

namespace detail {

/// Most buffers in a span that is searched.
inline constexpr std::size_t kMostSearched = 2048;

/// A span in the course of a search: its best packing so far, what is known of it, and the means to find a better one.
class SpanSearch {
 public:
  /// Nothing of `size` bytes or more is of interest.
  SpanSearch(const Span& span, std::size_t size, Meter& meter)
      : span_(span), size_(size), lower_bound_(span.lower_bound), meter_(meter) {
    std::iota(std::begin(turns_), std::end(turns_), std::size_t{0});
  }

  [[nodiscard]] const Span& span() const noexcept { return span_; }
  [[nodiscard]] bool placed() const noexcept { return !offsets_.empty(); }  // whether there is a packing
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t lower_bound() const noexcept { return lower_bound_; }
  [[nodiscard]] const std::vector<std::size_t>& offsets() const noexcept { return offsets_; }  // of the tasks, in bytes
  [[nodiscard]] bool searchable() const noexcept {
    constexpr std::size_t kMostUnits = Fitter<std::int64_t>::kMost / 2;
    return span_.tasks.size() <= kMostSearched && span_.obstacles.size() <= kMostSearched &&
           span_.total <= kMostUnits && size_ / span_.unit <= kMostUnits;
  }

  /// Takes over a packing if it is better; offsets in bytes, by task.
  template <class OffsetOf>
  void offer(OffsetOf offset_of) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < span_.tasks.size(); ++i) end = std::max(end, offset_of(i) + span_.tasks[i].bytes);
    if (end >= size_) return;
    size_ = end;
    offsets_.resize(span_.tasks.size());
    for (std::size_t i = 0; i < span_.tasks.size(); ++i) offsets_[i] = offset_of(i);
  }

  /// One round of all strategies, each with so much work. Whatever is found or proven is kept.
  Outcome probe(std::size_t capacity, std::uint64_t work) {
    if (size_ <= capacity) return Outcome::kFits;
    if (lower_bound_ > capacity) return Outcome::kFails;
    if (!searchable()) return Outcome::kStopped;
    const std::size_t units = (capacity - 1) / span_.unit + 1;
    if (units <= Fitter<std::int16_t>::kMost) return probe_with<std::int16_t>(capacity, work);
    if (units <= Fitter<std::int32_t>::kMost) return probe_with<std::int32_t>(capacity, work);
    return probe_with<std::int64_t>(capacity, work);
  }

  /// Searches the neighbourhood of the best packing (large neighbourhood search, Shaw 1998), with so much work, and as
  /// much again after each success, until it is no larger than `aim`. There is a packing.
  ///
  /// Some of the lowest buffers stay, and branch and bound places the others anew: mostly within less, now and then
  /// within as much, which is another packing to go on from. Turned upside down, the highest are those that stay.
  void refine(std::size_t aim, std::uint64_t work) {
    if (!searchable()) return;
    const std::size_t units = (size_ - 1) / span_.unit + 1;
    if (units <= Fitter<std::int16_t>::kMost) return refine_with<std::int16_t>(aim, work);
    if (units <= Fitter<std::int32_t>::kMost) return refine_with<std::int32_t>(aim, work);
    return refine_with<std::int64_t>(aim, work);
  }

 private:
  void prepare() {
    if (hash_ != nullptr) return;
    hash_ = std::make_unique<StateHash>(span_.tasks.size());
    if (!span_.obstacles.empty()) bans_ = bans_of(span_);
  }

  template <class Value>
  void refine_with(std::size_t aim, std::uint64_t work) {
    prepare();
    Fitter<Value> fitter(span_, bans_, *hash_, memo_, meter_);
    std::vector<std::size_t> found(span_.tasks.size());
    const std::uint64_t limit = meter_.limit;
    std::uint64_t end = meter_.work + work;
    while (size_ > aim && meter_.work < end && !meter_.spent()) {
      if (next_random(random_) % 2 == 0) turn();
      const bool less = next_random(random_) % 4 != 0;
      const std::size_t capacity = less ? former_size(size_) : size_;
      const std::vector<std::uint32_t> kept =
          lowest(static_cast<std::size_t>(next_random(random_) % found.size()), capacity);
      for (const std::uint32_t i : kept) found[i] = offsets_[i] / span_.unit;
      const Strategy& strategy = kStrategies[next_random(random_) % std::size(kStrategies)];
      meter_.limit = std::min(limit, meter_.work + kTry);
      const Outcome outcome = fitter.fit_over(kept, capacity, strategy, found.data());
      meter_.limit = limit;
      if (outcome != Outcome::kFits) continue;
      if (less) end = meter_.work + work;
      size_ = capacity + 1;
      offer([&](std::size_t i) { return found[i] * span_.unit; });
    }
  }

  // So many tasks with the lowest offsets, without those that end above the capacity.
  [[nodiscard]] std::vector<std::uint32_t> lowest(std::size_t count, std::size_t capacity) {
    std::vector<std::uint32_t> order = tasks_by([&](std::uint32_t i) { return offsets_[i]; });
    order.resize(count);
    order.erase(std::remove_if(order.begin(), order.end(),
                               [&](std::uint32_t i) { return offsets_[i] + span_.tasks[i].bytes > capacity; }),
                order.end());
    return order;
  }

  // Turns the packing upside down, and pushes it down. Not where that could make it larger.
  void turn() {
    if (span_.aligned || !span_.exact || !span_.obstacles.empty()) return;
    std::vector<std::size_t> tops(span_.sections);
    for (const std::uint32_t i :
         tasks_by([&](std::uint32_t k) { return size_ - offsets_[k] - span_.tasks[k].bytes; })) {
      const Task& task = span_.tasks[i];
      const auto first = tops.begin() + static_cast<std::ptrdiff_t>(task.first);
      const auto end = tops.begin() + static_cast<std::ptrdiff_t>(task.end);
      offsets_[i] = *std::max_element(first, end);
      std::fill(first, end, offsets_[i] + task.bytes);
      meter_.work += task.end - task.first;
    }
    size_ = *std::max_element(tops.begin(), tops.end());
  }

  template <class Key>
  [[nodiscard]] std::vector<std::uint32_t> tasks_by(Key key) {
    std::vector<std::uint32_t> order(span_.tasks.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      // Those of equal offset or end are never alive together: the order of the list does not matter.
      return key(a) != key(b) ? key(a) < key(b) : span_.tasks[a].first < span_.tasks[b].first;
    });
    meter_.work += 16 * order.size();
    return order;
  }

  template <class Value>
  Outcome probe_with(std::size_t capacity, std::uint64_t work) {
    prepare();
    Fitter<Value> fitter(span_, bans_, *hash_, memo_, meter_);
    std::vector<std::size_t> found(span_.tasks.size());
    const std::uint64_t limit = meter_.limit;
    Outcome outcome = Outcome::kStopped;
    for (std::size_t& turn : turns_) {
      meter_.limit = std::min(limit, meter_.work + work);
      outcome = fitter.fit(capacity, kStrategies[turn], found.data());
      meter_.limit = limit;
      if (outcome == Outcome::kFits) std::rotate(turns_, &turn, &turn + 1);  // what helped is tried first from now on
      if (outcome != Outcome::kStopped || meter_.spent()) break;
    }
    if (outcome == Outcome::kFits) offer([&](std::size_t i) { return found[i] * span_.unit; });
    if (outcome == Outcome::kFails) lower_bound_ = next_size(capacity);
    return outcome;
  }

  // The least size above one that is too small.
  [[nodiscard]] std::size_t next_size(std::size_t size) const noexcept {
    return span_.exact ? (size / span_.unit + 1) * span_.unit : size + 1;
  }

  // The greatest size below one.
  [[nodiscard]] std::size_t former_size(std::size_t size) const noexcept {
    return span_.exact ? (size - 1) / span_.unit * span_.unit : size - 1;
  }

  static constexpr std::uint64_t kTry = 1500000;

  const Span& span_;
  std::size_t turns_[std::size(kStrategies)] = {};
  std::size_t size_;
  std::size_t lower_bound_;
  std::vector<std::size_t> offsets_;
  std::vector<std::vector<Ban>> bans_;
  Memo memo_;
  std::uint64_t random_ = 3;  // others find other plans
  std::unique_ptr<StateHash> hash_;
  Meter& meter_;
};

/// One search, from the list to the answer. The first `fixed` buffers lie at `offsets`, soundly and within `kMaxSize`,
/// and stay there; their ends do not count in the size and the lower bound of the answer. Both are at least `floor`: so
/// many bytes are needed anyway.
class Search {
 public:
  Search(const Buffer* buffers, std::size_t count, std::size_t fixed, const std::size_t* offsets, std::size_t floor,
         const SearchOptions& options)
      : buffers_(buffers),
        count_(count),
        fixed_(fixed),
        fixed_offsets_(offsets),
        floor_(floor),
        options_(options),
        start_(std::chrono::steady_clock::now()) {
    meter_.limit = options.work.value_or(default_work(count));
    meter_.between_asks = 1u << 20;
    meter_.next_ask = meter_.between_asks;
    meter_.go_on = [this] { return report(); };
  }

  SearchResult run() {
    SearchResult result;
    FirstFit first_fit(buffers_, count_, fixed_, fixed_offsets_);
    const bool greedy = first_fit.greedy();
    const std::size_t most = greedy ? first_fit.size() : most_size();
    if (most <= kMaxSize) find(first_fit, greedy, most);
    if (most <= kMaxSize && placed()) {
      fill(result);
    } else {
      result.status = Status::kSizeOverflow;
    }
    result.work = meter_.work;
    result.seconds = seconds();
    return result;
  }

 private:
  [[nodiscard]] static std::uint64_t default_work(std::size_t count) noexcept {
    constexpr std::uint64_t kMost = 1200000000;
    if (count <= kMostSearched) return kMost;
    return std::max<std::uint64_t>(kMost / count * kMostSearched, std::uint64_t{200} * count);
  }

  // No plan is larger, unless it is one that lies above what reaches to the end of the address space, or nearly so.
  // Above `kMaxSize` if there is no such size, or nothing that does.
  [[nodiscard]] std::size_t most_size() const noexcept {
    std::size_t total = 0;
    for (std::size_t i = fixed_; i < count_; ++i) {
      total = add_saturated(total, add_saturated(buffers_[i].size, buffers_[i].alignment.mask()));
    }
    std::size_t top = 0;
    bool any = false;
    for (std::size_t i = 0; i < fixed_; ++i) {
      const std::size_t end = fixed_offsets_[i] + buffers_[i].size;
      const bool to_the_end = add_saturated(end, total) > kMaxSize;
      any = any || to_the_end;
      if (!to_the_end) top = std::max(top, end);
    }
    return any ? add_saturated(top, total) : kMaxSize + 1;
  }

  void find(FirstFit& first_fit, bool greedy, std::size_t most) {
    spans_ = make_spans(buffers_, count_, fixed_, fixed_offsets_, most + 1);
    searches_.reserve(spans_.size());
    for (const Span& span : spans_) searches_.emplace_back(span, most + 1, meter_);
    if (greedy) offer(first_fit);
    if (!news()) return;
    orders(first_fit);
    improve(first_fit);
    minimise();
  }

  // --- what is known -------------------------------------------------------------------------------------------------

  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t most = floor_;
    for (const SpanSearch& search : searches_) most = std::max(most, search.size());
    return most;
  }
  // Whether there is a plan.
  [[nodiscard]] bool placed() const noexcept {
    return std::all_of(searches_.begin(), searches_.end(), [](const SpanSearch& search) { return search.placed(); });
  }
  [[nodiscard]] std::size_t lower_bound() const noexcept {
    std::size_t most = floor_;
    for (const SpanSearch& search : searches_) most = std::max(most, search.lower_bound());
    return most;
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  // Whether the search has reached its end.
  [[nodiscard]] bool done() {
    const std::size_t best = size();
    return meter_.spent() || best <= lower_bound() || (best <= options_.capacity && placed());
  }

  // Tells the user, and asks whether to go on.
  [[nodiscard]] bool report() {
    const double now = options_.seconds > 0 || options_.progress ? seconds() : 0;
    if (options_.seconds > 0 && now >= options_.seconds) return false;
    if (!options_.progress) return true;
    return options_.progress({placed() ? size() : arenite::detail::kSizeMax, lower_bound(), meter_.work, now});
  }
  bool news() {
    meter_.cancelled = meter_.cancelled || !report();
    return !meter_.cancelled;
  }

  // --- greedy orders -------------------------------------------------------------------------------------------------

  void offer(const FirstFit& first_fit) {
    for (SpanSearch& search : searches_) {
      search.offer([&](std::size_t i) { return first_fit.offsets()[search.span().tasks[i].buffer]; });
    }
  }

  // Whether there is work left for so many orders more, if they take as much as the last.
  [[nodiscard]] bool affords(const FirstFit& first_fit, std::uint64_t orders) {
    return !done() && meter_.limit - meter_.work >= orders * first_fit.work();
  }

  void orders(FirstFit& first_fit) {
    for (std::size_t k = 0; k < kOrders && affords(first_fit, 1); ++k) {
      if (first_fit.by(static_cast<Order>(k), spans_)) offer(first_fit);
      meter_.work += first_fit.work();
      if (!news()) return;
    }
  }

  // The largest of the spans that are too large to be searched: only `improve` can do something about them.
  [[nodiscard]] std::size_t unsearchable_size() const noexcept {
    std::size_t most = 0;
    for (const SpanSearch& search : searches_) most = search.searchable() ? most : std::max(most, search.size());
    return most;
  }

  // Buffers that end above the bound come earlier, as long as there is work left and a span that is not to be searched
  // is what decides.
  void improve(FirstFit& first_fit) {
    if (unsearchable_size() < size() || !affords(first_fit, 2)) return;
    if (!first_fit.by(Order::kLoadThenSize, spans_)) return;
    meter_.work += first_fit.work();
    while (unsearchable_size() == size() && affords(first_fit, 1)) {
      const std::size_t best = size();
      if (!first_fit.again(std::max(lower_bound(), best - best / 16 - 1))) return;
      meter_.work += first_fit.work();
      offer(first_fit);
      if (!news()) return;
    }
  }

  // --- branch and bound ----------------------------------------------------------------------------------------------

  // All spans within one capacity, the smallest first.
  Outcome probe(std::size_t capacity, std::uint64_t work) {
    std::vector<SpanSearch*> open;
    for (SpanSearch& search : searches_) {
      if (search.size() > capacity) open.push_back(&search);
    }
    std::stable_sort(open.begin(), open.end(), [](const SpanSearch* a, const SpanSearch* b) {
      return a->span().tasks.size() < b->span().tasks.size();
    });
    for (SpanSearch* const search : open) {
      const Outcome outcome = search->probe(capacity, work);
      if (outcome != Outcome::kFits) return outcome;
    }
    return Outcome::kFits;
  }

  // Refines the largest span. What others need anyway is small enough.
  void refine(std::uint64_t work) {
    const auto largest = std::max_element(searches_.begin(), searches_.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::size_t aim = std::max(lower_bound(), options_.capacity);
    for (auto search = searches_.begin(); search != searches_.end(); ++search) {
      if (search != largest) aim = std::max(aim, std::min(search->size(), largest->size() - 1));
    }
    largest->refine(aim, work);
  }

  // Rounds with ever more work: the aim itself, then halfway between what was not found now and the best, a few times,
  // then the neighbourhood of the best, with some times that work: a proof comes so much later, at most.
  // While it is open whether there is a plan within the capacity, the first rounds look for nothing else.
  void minimise() {
    for (std::uint64_t work = kFirstRound; !done() && unsearchable_size() < size(); work *= 2) {
      const std::uint64_t start = meter_.work;
      std::size_t below = std::max({lower_bound(), unsearchable_size(), std::min(options_.capacity, size() - 1)});
      Outcome outcome = probe(below, work);
      const bool open = options_.capacity >= lower_bound();
      unsigned stopped = 0;
      while (!done() && news() && (!open || work > kLastRoundForCapacity)) {
        if (outcome == Outcome::kStopped && ++stopped == kStopsInRound) break;
        if (outcome == Outcome::kFails) below = lower_bound() - 1;
        if (size() - below <= 1) break;
        below += (size() - below) / 2;
        outcome = probe(below, work);
      }
      if (done() || !placed() || work <= (open ? kLastRoundForCapacity : kLastRoundForLuck)) continue;
      refine(kRefinements * (meter_.work - start));
      if (!news()) return;
    }
  }

  void fill(SearchResult& result) const {
    result.offsets.assign(fixed_offsets_, fixed_offsets_ + fixed_);
    result.offsets.resize(count_);
    for (const SpanSearch& search : searches_) {
      const std::vector<Task>& tasks = search.span().tasks;
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        result.offsets[tasks[i].buffer] = search.offsets()[i];
        const Alignment alignment = buffers_[tasks[i].buffer].alignment;
        if (alignment.log2() > result.alignment.log2()) result.alignment = alignment;
      }
    }
    result.size = size();
    result.lower_bound = lower_bound();
    result.capacity = options_.capacity;
    if (options_.capacity != 0 && result.size > options_.capacity) result.status = Status::kOutOfMemory;
  }

  static constexpr std::uint64_t kFirstRound = 300000;
  static constexpr std::uint64_t kLastRoundForCapacity = 16 * kFirstRound;
  static constexpr unsigned kStopsInRound = 3;
  static constexpr std::uint64_t kLastRoundForLuck = 4 * kFirstRound;
  static constexpr std::uint64_t kRefinements = 3;

  const Buffer* buffers_;
  std::size_t count_;
  std::size_t fixed_;
  const std::size_t* fixed_offsets_;
  std::size_t floor_;
  const SearchOptions& options_;
  std::chrono::steady_clock::time_point start_;
  Meter meter_;
  std::vector<Span> spans_;
  std::vector<SpanSearch> searches_;
};

/// What is wrong with a list of buffers, or `kOk`.
[[nodiscard]] inline Verdict check(const Buffer* buffers, std::size_t count) noexcept {
  if (count > kMaxBuffers) return {Status::kTooManyBuffers, kNoIndex, kNoIndex};
  if (buffers == nullptr && count != 0) return {Status::kNullMemory, kNoIndex, kNoIndex};
  return validate(buffers, count);
}

[[nodiscard]] inline SearchResult refused(const Verdict& verdict) {
  SearchResult result;
  result.status = verdict.status;
  result.culprit = verdict.first;
  return result;
}

}  // namespace detail

/// Looks for the smallest plan, or for any that fits into a capacity.
///
/// Where the capacity turns out to be too small, the search goes on for the smallest plan, so that the shortfall can be
/// told: see `missing()` and `impossible()`. Refused as by `plan<greedy>`. The greedy plan takes O(n log n) with a
/// bounded number of buffers alive at a step; the search ends with its budget.
[[nodiscard]] inline SearchResult search(const Buffer* buffers, std::size_t count, const SearchOptions& options = {}) {
  const Verdict verdict = detail::check(buffers, count);
  return verdict.ok() ? detail::Search(buffers, count, 0, nullptr, 0, options).run() : detail::refused(verdict);
}

/// \copydoc search
[[nodiscard]] inline SearchResult search(BufferList buffers, const SearchOptions& options = {}) {
  return search(buffers.data(), buffers.count(), options);
}

/// Likewise with constraints, see `constraint.hpp`. Refused as by `plan`, but that a list for which greedy ends above
/// `kMaxSize`, because of a range that reaches that far, is refused (`kSizeOverflow`) only if nothing else is found
/// below the range; and with more than `kMaxBuffers` buffers and constraints in all, `kTooManyBuffers`.
[[nodiscard]] inline SearchResult search(BufferList buffers, ConstraintList constraints,
                                         const SearchOptions& options = {}) {
  const std::size_t count = buffers.count();
  const std::size_t most = add_saturated(count, constraints.count());
  Verdict verdict = detail::check(buffers.data(), count);
  if (most > kMaxBuffers) verdict = {Status::kTooManyBuffers, kNoIndex, kNoIndex};
  if (constraints.data() == nullptr && constraints.count() != 0) verdict = {Status::kNullMemory, kNoIndex, kNoIndex};
  if (!verdict.ok()) return detail::refused(verdict);

  std::vector<Buffer> list(most);
  std::vector<std::size_t> places(most);
  std::vector<Index> owners(constraints.count());
  std::vector<Index> roots(count);
  std::vector<Index> slots(count);
  std::vector<std::size_t> offsets(count);
  arenite::detail::Pieces pieces({list.data(), places.data(), owners.data(), roots.data(), slots.data()});
  verdict = pieces.make(buffers.data(), count, constraints, offsets.data());
  if (!verdict.ok()) return detail::refused(verdict);

  const std::size_t fixed = arenite::fixed_in(pieces.list());
  SearchResult result =
      detail::Search(list.data(), pieces.count(), fixed, places.data(), pieces.pinned_end(), options).run();
  if (result.refused()) return result;
  std::copy(result.offsets.begin(), result.offsets.end(), places.begin());
  pieces.back(count, constraints, offsets.data());
  result.offsets = std::move(offsets);
  result.alignment = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (buffers[i].size != 0 && buffers[i].alignment.log2() > result.alignment.log2()) {
      result.alignment = buffers[i].alignment;
    }
  }
  return result;
}

}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
