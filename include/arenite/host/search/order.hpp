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
#include <numeric>
#include <vector>

#include "../../align.hpp"
#include "../../buffer.hpp"
#include "../../planner/first_fit.hpp"
#include "../../version.hpp"
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
  FirstFit(const Buffer* buffers, std::size_t count)
      : buffers_(buffers), count_(count), offsets_(count), order_(count), scratch_(2 * count) {}

  /// What a call of `place` takes, in the search's steps of work; about.
  [[nodiscard]] std::uint64_t work() const noexcept { return std::uint64_t{256} * count_; }

  /// Places as `arenite::greedy` does, with the same offsets; only sorts faster. False if a buffer would end above
  /// `kMaxSize`, as for all functions here.
  [[nodiscard]] bool greedy() {
    keys_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) keys_[i] = {buffers_[i].size, 0};
    sort();
    return place();
  }

  [[nodiscard]] bool by(Order order, const std::vector<Span>& spans) {
    keys_.resize(count_);
    std::vector<std::size_t> load;
    for (const Span& span : spans) {
      if (order == Order::kLoadThenSize) load = load_of(span);
      for (std::size_t i = 0; i < span.tasks.size(); ++i) {
        const Task& task = span.tasks[i];
        const std::size_t length = buffers_[task.buffer].last - buffers_[task.buffer].first + std::size_t{1};
        Key& key = keys_[task.buffer];
        switch (order) {
          case Order::kLoadThenSize:
            key = {load[i], task.bytes};
            break;
          case Order::kArea:
            key = {multiply_saturated(task.bytes, length), task.bytes};
            break;
          case Order::kLengthThenSize:
            key = {length, task.bytes};
            break;
          case Order::kSizeThenLength:
            key = {task.bytes, length};
            break;
          case Order::kFirst:
            key = {arenite::detail::kSizeMax - buffers_[task.buffer].first, task.bytes};
            break;
        }
      }
    }
    sort();
    return place();
  }

  /// Places again, in the last order but that buffers which ended above `limits[i]` come earlier by half of their way.
  /// False also if there is none.
  [[nodiscard]] bool again(const std::vector<std::size_t>& limits) {
    positions_.resize(count_);
    bool any = false;
    for (std::size_t k = 0; k < count_; ++k) {
      const Index index = order_[k];  // the last one is placed first
      const std::size_t turn = 2 * (count_ - k);
      const bool trouble = offsets_[index] + buffers_[index].size > limits[index] && buffers_[index].size != 0;
      positions_[index] = trouble ? turn / 2 - 1 : turn;
      any = any || trouble;
    }
    if (!any) return false;
    std::stable_sort(order_.begin(), order_.end(), [this](Index a, Index b) { return positions_[a] > positions_[b]; });
    return place();
  }

  [[nodiscard]] const std::vector<std::size_t>& offsets() const noexcept { return offsets_; }

 private:
  struct Key {
    std::size_t major = 0;
    std::size_t minor = 0;
  };

  // The least first, as the last of an order is placed first.
  void sort() {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::stable_sort(order_.begin(), order_.end(), [this](Index a, Index b) {
      const Key& one = keys_[a];
      const Key& other = keys_[b];
      return one.major != other.major ? one.major < other.major : one.minor < other.minor;
    });
  }

  [[nodiscard]] bool place() {
    std::vector<Index> consumed = order_;
    return arenite::detail::first_fit(buffers_, count_, offsets_.data(), consumed.data(), scratch_.data(),
                                      scratch_.data() + count_);
  }

  // Of each task of a span: the most units live in one of its sections. By a table of the most in each stretch of
  // 2^k sections.
  static std::vector<std::size_t> load_of(const Span& span) {
    std::vector<std::vector<std::size_t>> most(1);
    most[0].resize(span.sections + std::size_t{1});
    for (const Task& task : span.tasks) {
      most[0][task.first] += task.size;
      most[0][task.end] -= task.size;
    }
    for (std::size_t s = 1; s < most[0].size(); ++s) most[0][s] += most[0][s - 1];
    for (std::size_t reach = 1; 2 * reach <= span.sections; reach *= 2) {
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
  std::size_t count_;
  std::vector<std::size_t> offsets_;
  std::vector<Index> order_;
  std::vector<Index> scratch_;
  std::vector<Key> keys_;
  std::vector<std::size_t> positions_;
};

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
