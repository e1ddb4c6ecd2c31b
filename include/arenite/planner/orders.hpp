// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Orders in which `best_of` takes buffers: by the size, by the end, by what lives beside them.
///
/// An order is a type with one function, which gives each buffer a number, its key: of two buffers that with the larger
/// key comes first. Of equal keys the earlier-added or the later-added comes first: which of them is up to the member
/// of `best_of` that uses the order. The keys of a list are the same on every target. Pure: safe from any thread and
/// any interrupt that has its own memory.

#include <cstddef>

#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// An offset in two indices, for strategies whose scratch is made of these.
inline constexpr unsigned kHalf = sizeof(std::size_t) * 4;
static_assert(sizeof(Index) * 2 == sizeof(std::size_t), "an offset fits into two indices");

constexpr void save(Index* halves, std::size_t i, std::size_t offset) noexcept {
  halves[2 * i] = static_cast<Index>(offset);
  halves[2 * i + 1] = static_cast<Index>(offset >> kHalf);
}
[[nodiscard]] constexpr std::size_t saved(const Index* halves, std::size_t i) noexcept {
  return halves[2 * i] | static_cast<std::size_t>(halves[2 * i + 1]) << kHalf;
}

/// Links those of the buffers that have bytes, and do not lie already, into a list by descending key, and returns its
/// first one. Of equal keys the later-added comes first, or, with `earlier`, the earlier-added. The key of a buffer
/// without bytes becomes zero. The keys are at most `kMaxSize`. `next` has `count` entries.
///
/// Insertion sort from the back: O(n) for lists that are in order, O(n^2) at most, as the strategies that need it, and
/// a fraction of the code of a faster sort.
template <class List>
constexpr Index link_by_key(List list, std::size_t count, std::size_t* keys, bool earlier, Index* next) noexcept {
  const Buffer* const buffers = buffers_of(list);
  Index head = kNoIndex;
  for (std::size_t i = count; i-- > fixed_in(list);) {
    if (buffers[i].size == 0) {
      keys[i] = 0;
      continue;
    }
    Index* link = &head;
    const std::size_t key = keys[i] + earlier;
    while (*link != kNoIndex && keys[*link] >= key) link = &next[*link];
    next[i] = *link;
    *link = static_cast<Index>(i);
  }
  return head;
}

/// The unit in which sizes are counted, as a shift, so that sums and products of them are the same on every target: the
/// least for which the bits of the largest size in units, and those of the number of buffers or of the most steps,
/// whichever are more, are 31 or fewer together. With sizes below 1 MiB and at most 2047 buffers and steps it is a
/// byte. O(n).
constexpr unsigned unit_of(const Buffer* buffers, std::size_t count) noexcept {
  std::size_t sizes = 0;
  std::size_t times = count;
  for (std::size_t i = 0; i < count; ++i) {
    sizes |= buffers[i].size;
    times |= static_cast<std::size_t>(buffers[i].last - buffers[i].first) + 1;
  }
  std::size_t limit = 0x7FFFFFFF;
  for (; times != 0; times >>= 1) limit >>= 1;
  unsigned shift = 0;
  while (sizes >> shift > limit) ++shift;
  return shift;
}

/// For each buffer the bytes that live at its first step, or, with `throughout`, at one of its steps, itself included,
/// and then in units of `unit_of`. Returns the largest. Sums that do not fit into a `size_t` wrap. O(n^2).
constexpr std::size_t sum_alive(const Buffer* buffers, std::size_t count, std::size_t* sums, bool throughout) noexcept {
  const unsigned shift = throughout ? unit_of(buffers, count) : 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Step first = buffers[i].first;
    const Step last = throughout ? buffers[i].last : first;
    std::size_t sum = 0;
    for (const Buffer* other = buffers; other != buffers + count; ++other)  // without braces: see `fit.hpp`
      sum += ((other->first <= last) & (first <= other->last)) != 0 ? other->size >> shift : 0;
    sums[i] = sum;
    if (sum > most) most = sum;
  }
  return most;
}

}  // namespace detail

/// The largest comes first.
struct by_size {
  /// Writes the key of each buffer, at most `kMaxSize`. `scratch` has `count` entries. O(n).
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* /*scratch*/) noexcept {
    for (const Buffer* buffer = buffers; buffer != buffers + count; ++buffer) *keys++ = buffer->size;
  }
};

/// What lives for the most steps comes first.
struct by_lifetime {
  /// \copydoc by_size::keys
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* /*scratch*/) noexcept {
    for (const Buffer* buffer = buffers; buffer != buffers + count; ++buffer) {
      *keys++ = static_cast<std::size_t>(buffer->last - buffer->first) + 1;
    }
  }
};

/// The largest product of size and number of steps comes first. Sizes count in the unit of `detail::unit_of`: in
/// most lists that an MCU can hold, a byte.
struct by_area {
  /// \copydoc by_size::keys
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* /*scratch*/) noexcept {
    const unsigned shift = detail::unit_of(buffers, count);
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = (buffers[i].size >> shift) * (static_cast<std::size_t>(buffers[i].last - buffers[i].first) + 1);
    }
  }
};

/// What shares its lifetime with the most bytes comes first: the sum of the sizes of those that live at one of its
/// steps, itself included. Sizes count in the unit of `detail::unit_of`: in most lists that an MCU can hold, a byte.
struct by_conflicts {
  /// Writes the key of each buffer, at most `kMaxSize`. `scratch` has `count` entries. O(n^2).
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* /*scratch*/) noexcept {
    (void)detail::sum_alive(buffers, count, keys, true);
  }
};

/// What is born first comes first.
struct by_first {
  /// \copydoc by_size::keys
  // Not inlined, as `by_peak` has to do the same.
  [[gnu::noinline]] static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys,
                                               Index* /*scratch*/) noexcept {
    for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<std::size_t>(kNoIndex - buffers[i].first);
  }
};

/// What lives at the fullest step comes first: the most bytes that live at one of its steps.
struct by_peak {
  /// \copydoc by_conflicts::keys
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* scratch) noexcept {
    by_first::keys(buffers, count, keys, scratch);
    Index own = detail::link_by_key(buffers, count, keys, true, scratch);
    (void)detail::sum_alive(buffers, count, keys, false);
    // By ascending first step, so that a key is not read once it has been raised.
    for (; own != kNoIndex; own = scratch[own]) {
      for (Index other = scratch[own]; other != kNoIndex && buffers[other].first <= buffers[own].last;
           other = scratch[other])
        if (keys[other] > keys[own]) keys[own] = keys[other];
    }
  }
};

/// What dies last comes first.
struct by_last {
  /// \copydoc by_size::keys
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* /*scratch*/) noexcept {
    for (const Buffer* buffer = buffers; buffer != buffers + count; ++buffer) *keys++ = buffer->last;
  }
};

}  // namespace ARENITE_ABI
}  // namespace arenite
