// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The one sort of the planners: indices by a key, ties by index, so that the order is the same on every target.
///
/// Heap sort (Williams, 1964): O(n log n) in every case, in place, no recursion, little code, and few enough steps for
/// the constant evaluators of g++ and clang++. Pure: safe from any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../buffer.hpp"
#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// Writes 0..count-1 to `order`, by ascending `key(index)`, equal keys by ascending index.
template <class Key>
[[gnu::always_inline]] constexpr void sort_by_key(Key key, Index* order, std::size_t count) noexcept {
  const auto before = [key](Index one, Index other) {
    return key(one) != key(other) ? key(one) < key(other) : one < other;
  };
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<Index>(i);

  // While `root` is above zero the heap is built, from its last parent to its top; then its top is taken, from the end
  // of the order to the front. Either way one entry is sifted down.
  std::size_t root = count / 2;
  std::size_t end = count;
  while (end > 1) {
    Index entry = 0;
    if (root > 0) {
      entry = order[--root];
    } else {
      entry = order[--end];
      order[end] = order[0];
    }
    for (std::size_t hole = root;;) {
      Index largest = entry;
      std::size_t from = hole;
      for (std::size_t child = 2 * hole + 1; child < end && child <= 2 * hole + 2; ++child) {
        if (!before(largest, order[child])) continue;
        largest = order[child];
        from = child;
      }
      order[hole] = largest;
      if (from == hole) break;
      hole = from;
    }
  }
}

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
