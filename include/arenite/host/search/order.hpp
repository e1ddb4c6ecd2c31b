// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Plans for a list of any length, by first fit in one order after the other: fixed orders, then better ones out of
/// what went wrong in the last ("squeaky wheel" optimisation, Joslin and Clements 1999).
///
/// Host only: uses the heap. One thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../align.hpp"
#include "../../buffer.hpp"
#include "../../version.hpp"
#include "placed.hpp"
#include "problem.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {
namespace detail {

/// The orders, each the greatest first; ties by what stands behind, then the later-added first, as `greedy` has them.
enum class Order : std::uint8_t {
  kLoadThenSize,  // the most bytes live at one step of its life
  kArea,          // size times length
  kLengthThenSize,
  kSizeThenLength,
  kFirst,  // the earliest first
};
inline constexpr std::size_t kOrders = 5;

class FirstFit {
 public:
  /// The first `fixed` of the buffers have a place already, at `offsets`.
  FirstFit(const Buffer* buffers, std::size_t count, std::size_t fixed, const std::size_t* offsets)
      : buffers_(buffers), fixed_(fixed), offsets_(offsets, offsets + fixed), placed_(buffers, count) {
    offsets_.resize(count);
  }

  /// Steps of work that the last call took.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

  /// Places as `arenite::greedy` does, with the same offsets. False if a buffer would end above `kMaxSize`, as for all
  /// functions here.
  [[nodiscard]] bool greedy() {
    keys_.clear();
    for (std::size_t i = fixed_; i < offsets_.size(); ++i) add_key(i, buffers_[i].size, 0);
    return sort_and_place();
  }

  [[nodiscard]] bool by(Order order, const std::vector<Span>& spans) {
    keys_.clear();
    std::vector<std::size_t> load;
    for (const Span& span : spans) {
      if (order == Order::kLoadThenSize) load = load_of(span);
      for (std::size_t i = 0; i < span.tasks.size(); ++i) {
        const Task& task = span.tasks[i];
        const Buffer& buffer = buffers_[task.buffer];
        const std::size_t length = buffer.last - buffer.first + std::size_t{1};
        switch (order) {
          case Order::kLoadThenSize:
            add_key(task.buffer, load[i], task.bytes);
            break;
          case Order::kArea:
            add_key(task.buffer, multiply_saturated(task.bytes, length), task.bytes);
            break;
          case Order::kLengthThenSize:
            add_key(task.buffer, length, task.bytes);
            break;
          case Order::kSizeThenLength:
            add_key(task.buffer, task.bytes, length);
            break;
          case Order::kFirst:
            add_key(task.buffer, arenite::detail::kSizeMax - buffer.first, task.bytes);
            break;
        }
      }
    }
    return sort_and_place();
  }

  /// Places again, in the last order but that buffers which ended above `limit` come earlier by half of their way.
  /// False also if there is none.
  [[nodiscard]] bool again(std::size_t limit) {
    struct Turn {
      std::size_t turn;
      Index index;
    };
    std::vector<Turn> others;
    std::vector<Turn> troubled;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Index index = order_[k];
      if (offsets_[index] + buffers_[index].size > limit) {
        troubled.push_back({k, index});
      } else {
        others.push_back({2 * k + 2, index});
      }
    }
    if (troubled.empty()) return false;
    auto next = order_.begin();
    auto other = others.begin();
    for (const Turn& one : troubled) {
      for (; other != others.end() && other->turn <= one.turn; ++other) *next++ = other->index;
      *next++ = one.index;
    }
    for (; other != others.end(); ++other) *next++ = other->index;
    return place();
  }

  [[nodiscard]] const std::vector<std::size_t>& offsets() const noexcept { return offsets_; }

  /// The highest end of those that had no place.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t most = 0;
    for (const Index index : order_) most = std::max(most, offsets_[index] + buffers_[index].size);
    return most;
  }

 private:
  struct Key {
    std::size_t major;
    std::size_t minor;
    Index index;
  };

  void add_key(std::size_t index, std::size_t major, std::size_t minor) {
    if (buffers_[index].size != 0) keys_.push_back({major, minor, static_cast<Index>(index)});
  }

  [[nodiscard]] bool sort_and_place() {
    std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
      if (a.major != b.major) return a.major > b.major;
      return a.minor != b.minor ? a.minor > b.minor : a.index > b.index;
    });
    order_.clear();
    for (const Key& key : keys_) order_.push_back(key.index);
    return place();
  }

  [[nodiscard]] bool place() {
    const std::uint64_t before = placed_.work();
    placed_.clear();
    for (std::size_t i = 0; i < fixed_; ++i) {
      if (buffers_[i].size != 0) placed_.insert(buffers_[i], offsets_[i]);
    }
    bool fits = true;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Index index = order_[k];
      // Buffers that come one after the other lie anywhere in time: in long lists, what each needs is far away.
      if (k + 16 < order_.size()) __builtin_prefetch(&buffers_[order_[k + 16]]);
      if (k + 3 < order_.size()) placed_.prefetch(buffers_[order_[k + 3]]);
      const std::size_t offset = placed_.lowest_offset(buffers_[index]);
      fits = offset + buffers_[index].size <= kMaxSize;
      if (!fits) break;
      offsets_[index] = offset;
      placed_.insert(buffers_[index], offset);
    }
    work_ = placed_.work() - before;
    return fits;
  }

  // Of each task of a span: how high the units live in one of its sections reach at least, the most of its sections.
  // By a table of the most in each stretch of 2^k sections.
  static std::vector<std::size_t> load_of(const Span& span) {
    std::vector<std::vector<std::size_t>> most(1);
    most[0].resize(span.sections + std::size_t{1});
    for (const Task& task : span.tasks) {
      most[0][task.first] += task.size;
      most[0][task.end] -= task.size;
    }
    for (std::size_t s = 1; s < most[0].size(); ++s) most[0][s] += most[0][s - 1];
    if (!span.obstacles.empty()) {
      ObstacleSweep sweep(span);
      for (std::uint32_t s = 0; s < span.sections; ++s) most[0][s] = sweep.reach(s, most[0][s]);
    }
    std::size_t longest = 0;
    for (const Task& task : span.tasks) longest = std::max<std::size_t>(longest, task.end - task.first);
    for (std::size_t reach = 1; 2 * reach <= longest; reach *= 2) {
      const std::vector<std::size_t>& half = most.back();
      std::vector<std::size_t> whole(half.size() - reach);
      for (std::size_t s = 0; s < whole.size(); ++s) whole[s] = std::max(half[s], half[s + reach]);
      most.push_back(std::move(whole));
    }
    std::vector<std::size_t> load;
    load.reserve(span.tasks.size());
    for (const Task& task : span.tasks) {
      std::size_t k = 0;
      while (std::size_t{2} << k <= task.end - task.first) ++k;
      load.push_back(std::max(most[k][task.first], most[k][task.end - (std::size_t{1} << k)]));
    }
    return load;
  }

  const Buffer* buffers_;
  std::size_t fixed_;
  std::vector<std::size_t> offsets_;
  std::vector<Index> order_;  // of placing
  std::vector<Key> keys_;
  Placed placed_;
  std::uint64_t work_ = 0;
};

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
