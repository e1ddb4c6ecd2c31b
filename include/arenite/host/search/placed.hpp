// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Placed buffers, and the lowest offset at which one more fits among them. The same answers as `first_fit` of the
/// core, in the same tree of time spans (see there); made for long lists: what a query looks at lies side by side in
/// memory, and takes twice the room.
///
/// Host only: uses the heap. One thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../align.hpp"
#include "../../buffer.hpp"
#include "../../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {
namespace detail {

class Placed {
 public:
  /// For these buffers, none of which is placed so far.
  Placed(const Buffer* buffers, std::size_t count) {
    std::size_t steps = 0;
    std::size_t lifetimes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      steps |= buffers[i].last;
      lifetimes += std::size_t{buffers[i].last} - buffers[i].first + 1;
    }
    while (leaves_ <= steps) leaves_ *= 2;
    // A leaf is at least twice as long as a mean lifetime.
    while (((leaves_ | lifetimes) >> shift_) > count / 2) ++shift_;
    nodes_.resize((leaves_ >> shift_) * 2 + 1);
  }

  void clear() noexcept {
    for (std::vector<Entry>& node : nodes_) node.clear();
  }

  /// The lowest offset of a buffer of at least one byte; above `kMaxSize` less its size where there is none.
  [[nodiscard]] std::size_t lowest_offset(const Buffer& buffer) {
    cursors_.clear();
    std::size_t first = (leaves_ + buffer.first) >> shift_;
    std::size_t last = (leaves_ + buffer.last) >> shift_;
    for (;; first /= 4, last /= 4) {
      const bool leftmost = (first & (first - 1)) == 0;
      for (std::size_t node = leftmost ? first : first - 1; node <= last; ++node) {
        const std::vector<Entry>& entries = nodes_[node];
        if (!entries.empty()) cursors_.push_back({entries.data(), entries.data() + entries.size()});
      }
      if (last <= 1) break;
    }

    // No branch on who lives at the same time: nothing could predict it.
    const std::size_t size = buffer.size;
    const std::size_t born = buffer.first;
    const std::size_t dies = buffer.last;
    const std::size_t mask = buffer.alignment.mask();
    std::size_t offset = 0;
    std::size_t before = 0;
    do {
      before = offset;
      for (Cursor& cursor : cursors_) {
        const Entry* entry = cursor.next;
        for (; entry != cursor.end && entry->offset < offset + size; ++entry) {
          std::size_t free = (entry->end + mask) & ~mask;
          free = entry->first <= dies ? free : 0;
          free = entry->last >= born ? free : 0;
          offset = free > offset ? free : offset;
        }
        work_ += static_cast<std::uint64_t>(entry - cursor.next);
        cursor.next = entry;
      }
    } while (offset != before);
    return offset;
  }

  /// Fetches most of what `lowest_offset` is going to look at.
  void prefetch(const Buffer& buffer) const noexcept {
    const std::size_t first = (leaves_ + buffer.first) >> shift_;
    const std::size_t last = (leaves_ + buffer.last) >> shift_;
    for (std::size_t node = first - (first != 0); node <= last; ++node) {
      const auto* line = reinterpret_cast<const char*>(nodes_[node].data());
      const auto* end = line + std::min<std::size_t>(nodes_[node].size() * sizeof(Entry), 1024);
      for (; line < end; line += 64) __builtin_prefetch(line);
    }
  }

  /// Puts a buffer of at least one byte at an offset.
  void insert(const Buffer& buffer, std::size_t offset) {
    std::size_t first = (leaves_ + buffer.first) >> shift_;
    std::size_t last = (leaves_ + buffer.last) >> shift_;
    for (; last - first > 1; first /= 4, last /= 4) {
    }
    std::vector<Entry>& node = nodes_[first];
    const auto behind = std::upper_bound(node.begin(), node.end(), offset,
                                         [](std::size_t value, const Entry& entry) { return value < entry.offset; });
    work_ += 64 + static_cast<std::uint64_t>(node.end() - behind) / 4;
    node.insert(behind, {offset, offset + buffer.size, buffer.first, buffer.last});
  }

  /// Entries looked at so far; about.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

 private:
  struct Entry {
    std::size_t offset, end;
    Step first, last;
  };
  struct Cursor {
    const Entry* next;
    const Entry* end;
  };

  std::size_t leaves_ = 2;
  unsigned shift_ = 0;
  std::vector<std::vector<Entry>> nodes_;
  std::vector<Cursor> cursors_;
  std::uint64_t work_ = 0;
};

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
