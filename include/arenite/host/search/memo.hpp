// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// States that are known to lead nowhere, so that a search that comes to one again by another way turns back at once.
///
/// A state is the set of unplaced buffers with the least offset of each. It is known by 128 bits of a universal hash
/// (multilinear, Carter and Wegman 1979): two states that differ have the same with a chance of about 2^-128, for which
/// a proof may be taken as one.
///
/// Host only: uses the heap. One thread at a time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {
namespace detail {

/// Sum over the unplaced buffers; the order does not matter.
struct StateKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

/// SplitMix64 (Steele, Lea and Flood, 2014).
inline std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// What a buffer adds to a key: a linear function of its offset, one for each buffer.
class StateHash {
 public:
  explicit StateHash(std::size_t tasks) : terms_(tasks) {
    std::uint64_t seed = 0;
    for (Term& term : terms_) {
      term = {next_random(seed), next_random(seed) | 1, next_random(seed), next_random(seed) | 1};
    }
  }

  void add(StateKey& key, std::size_t task, std::uint64_t offset) const noexcept {
    const Term& term = terms_[task];
    key.low += term.low + term.low_factor * offset;
    key.high += term.high + term.high_factor * offset;
  }

 private:
  struct Term {
    std::uint64_t low, low_factor, high, high_factor;
  };
  std::vector<Term> terms_;
};

/// A table of states with the largest capacity for which each is known to fail. Grows to a fixed size, then forgets.
class Memo {
 public:
  /// True if and only if the state is known to fail within this capacity.
  [[nodiscard]] bool fails(const StateKey& key, std::size_t capacity) const noexcept {
    if (entries_.empty()) return false;
    const Entry* const bucket = &entries_[bucket_of(key)];
    for (std::size_t i = 0; i < kWays; ++i) {
      if (bucket[i].key.low == key.low && bucket[i].key.high == key.high) return bucket[i].capacity >= capacity;
    }
    return false;
  }

  void insert(const StateKey& key, std::size_t capacity) {
    if (2 * used_ >= entries_.size() && entries_.size() < kMost) grow();
    put({key, capacity});
  }

 private:
  static constexpr std::size_t kWays = 4;
  static constexpr std::size_t kLeast = std::size_t{1} << 10;
  static constexpr std::size_t kMost = std::size_t{1} << 21;  // 48 MiB

  struct Entry {
    StateKey key;
    std::size_t capacity = 0;  // zero: empty, as nothing is sought within no bytes
  };

  [[nodiscard]] std::size_t bucket_of(const StateKey& key) const noexcept {
    // The high bits are the good ones.
    return static_cast<std::size_t>((key.low ^ (key.low >> 29)) * 0x9E3779B97F4A7C15u >> 32) &
           (entries_.size() - kWays);
  }

  // The newest stands first in its bucket, and the oldest goes.
  void put(const Entry& entry) noexcept {
    Entry* const bucket = &entries_[bucket_of(entry.key)];
    std::size_t hole = 0;
    while (hole + 1 < kWays && bucket[hole].capacity != 0 &&
           (bucket[hole].key.low != entry.key.low || bucket[hole].key.high != entry.key.high)) {
      ++hole;
    }
    if (bucket[hole].capacity == 0) ++used_;
    for (; hole > 0; --hole) bucket[hole] = bucket[hole - 1];
    bucket[0] = entry;
  }

  void grow() {
    std::vector<Entry> former(entries_.empty() ? kLeast : 4 * entries_.size());
    former.swap(entries_);
    used_ = 0;
    for (const Entry& entry : former) {
      if (entry.capacity != 0) put(entry);
    }
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
