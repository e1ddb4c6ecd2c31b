// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Checks offsets against the buffers they were made for, however they were made: by a planner, by a tool, by hand.
///
/// Shares no code with the strategies but the sort, so that a fault there is seen here. O(n log n), no recursion, no
/// heap, usable in a `static_assert`. Pure: safe from any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../constraint.hpp"
#include "../status.hpp"
#include "../version.hpp"
#include "sort.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// What a check of a plan found: nothing, or the first fault with the buffers it concerns.
struct Verdict {
  Status status = Status::kOk;
  Index first = kNoIndex;   ///< The buffer at fault; of a colliding pair the one at the lower offset.
  Index second = kNoIndex;  ///< The other one of a colliding pair.

  [[nodiscard]] constexpr bool ok() const noexcept { return status == Status::kOk; }
};

/// Whether a buffer by itself is sound: `kInvalidAlignment`, `kInvalidLifetime`, or `kSizeOverflow` where its size is
/// above `kMaxSize`. O(1).
[[nodiscard]] constexpr Status validate(const Buffer& buffer) noexcept {
  if (!buffer.alignment.valid()) return Status::kInvalidAlignment;
  if (buffer.last < buffer.first) return Status::kInvalidLifetime;
  if (buffer.size > kMaxSize) return Status::kSizeOverflow;
  return Status::kOk;
}

/// Whether each buffer of a list is sound: the first that is not. O(n). There are at most `kMaxBuffers`.
[[nodiscard]] constexpr Verdict validate(const Buffer* buffers, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const Status status = validate(buffers[i]);
    if (status != Status::kOk) return {status, static_cast<Index>(i), kNoIndex};
  }
  return {};
}

/// Index entries that `verify` needs as scratch.
[[nodiscard]] constexpr std::size_t verify_scratch(std::size_t count) noexcept { return 6 * count; }

namespace detail {

/// For each step at which some buffer begins: which of the buffers seen so far reaches highest there.
///
/// A segment tree over the buffers in order of their first step, bottom-up, in two arrays of 2 * count entries. Ends
/// only rise, as the buffers come by ascending offset and none collided so far: a new one is the highest wherever it
/// lives. Only a node that reaches beyond its lifetime may hold a higher one.
///
/// Who lives at some of the positions begin..end-1 lives at one of the two ends, and covers a node above that; or it
/// lives between them, so that its last position is below one of the nodes that begin..end-1 is made of.
class Skyline {
 public:
  constexpr Skyline(std::size_t count, Index* memory) noexcept
      : count_(count), covering_(memory), ending_(memory + 2 * count) {
    for (std::size_t i = 0; i < 4 * count; ++i) memory[i] = kNoIndex;
  }

  /// Makes `index` the highest at the positions begin..end-1.
  template <class End>
  constexpr void raise(std::size_t begin, std::size_t end, Index index, End end_of) noexcept {
    std::size_t left = begin + count_;
    std::size_t right = end + count_;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) covering_[left++] = index;
      if (right % 2 != 0) covering_[--right] = index;
    }
    // A node that already holds a higher one stands below nodes that do too.
    for (std::size_t node = (end - 1 + count_) / 2; node > 0; node /= 2) {
      if (ending_[node] != kNoIndex && end_of(ending_[node]) > end_of(index)) break;
      ending_[node] = index;
    }
  }

  /// The buffer with the highest end at the positions begin..end-1, or `kNoIndex`.
  template <class End>
  constexpr Index highest(std::size_t begin, std::size_t end, End end_of) const noexcept {
    Index best = kNoIndex;
    const auto consider = [&best, end_of](Index index) {
      if (index != kNoIndex && (best == kNoIndex || end_of(index) > end_of(best))) best = index;
    };
    std::size_t left = begin + count_;
    std::size_t right = end + count_;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) consider(ending_[left++]);
      if (right % 2 != 0) consider(ending_[--right]);
    }
    for (std::size_t node = begin + count_; node > 0; node /= 2) consider(covering_[node]);
    for (std::size_t node = end - 1 + count_; node > 0; node /= 2) consider(covering_[node]);
    return best;
  }

 private:
  std::size_t count_;
  Index* covering_;  // the highest that lives at all positions of a node
  Index* ending_;    // the highest whose last position is one of a node, above the leaves
};

/// Whether each buffer lies where it may, whatever the others do.
constexpr Verdict verify_each(const Buffer* buffers, const std::size_t* offsets, std::size_t count, std::size_t size,
                              Alignment alignment) noexcept {
  if (count > kMaxBuffers) return {Status::kTooManyBuffers, kNoIndex, kNoIndex};
  const Verdict sound = validate(buffers, count);
  if (!sound.ok()) return sound;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t own = buffers[i].alignment.bytes();
    Status status = Status::kOk;
    if ((offsets[i] & (own - 1)) != 0) status = Status::kMisaligned;
    if (buffers[i].size != 0 && alignment.bytes() < own) status = Status::kMisaligned;
    if (offsets[i] > size || buffers[i].size > size - offsets[i]) status = Status::kOutOfBounds;
    if (status != Status::kOk) return {status, static_cast<Index>(i), kNoIndex};
  }
  return {};
}

/// Whether two buffers that overlap in time share a byte; the pair that comes first by offset.
constexpr Verdict find_overlap(const Buffer* buffers, const std::size_t* offsets, std::size_t count,
                               Index* scratch) noexcept {
  Index* const by_offset = scratch;
  Index* const by_birth = scratch + count;
  Index* const tree = scratch + 2 * count;
  const auto birth = [buffers](Index index) { return buffers[index].first; };
  sort_by_key(birth, by_birth, count);
  sort_by_key([offsets](Index index) { return offsets[index]; }, by_offset, count);

  // Position of the first buffer, by birth, that begins at `step` or later.
  const auto position = [=](std::size_t step) {
    std::size_t low = 0;
    std::size_t high = count;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (birth(by_birth[middle]) < step) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const auto end_of = [=](Index index) { return offsets[index] + buffers[index].size; };

  Skyline skyline(count, tree);
  for (std::size_t k = 0; k < count; ++k) {
    const Index index = by_offset[k];
    if (buffers[index].size == 0) continue;
    const std::size_t begin = position(buffers[index].first);
    const std::size_t end = position(static_cast<std::size_t>(buffers[index].last) + 1);
    const Index below = skyline.highest(begin, end, end_of);
    if (below != kNoIndex && end_of(below) > offsets[index]) return {Status::kOverlap, below, index};
    skyline.raise(begin, end, index, end_of);
  }
  return {};
}

/// Whether pinned buffers and aliases lie where they should.
constexpr Verdict verify_places(const std::size_t* offsets, std::size_t count,
                                const ConstraintList& constraints) noexcept {
  for (const Constraint& constraint : constraints) {
    if (constraint.kind == Constraint::Kind::kReserved) continue;
    const bool is_alias = constraint.kind == Constraint::Kind::kAlias;
    if (constraint.buffer >= count || (is_alias && constraint.of >= count)) {
      return {Status::kOutOfBounds, kNoIndex, kNoIndex};
    }
    const std::size_t from = is_alias ? offsets[constraint.of] : 0;
    const std::size_t offset = offsets[constraint.buffer];
    if (offset < from || offset - from != constraint.offset) {
      return {Status::kMismatch, static_cast<Index>(constraint.buffer),
              is_alias ? static_cast<Index>(constraint.of) : kNoIndex};
    }
  }
  return {};
}

/// Whether no buffer touches what is reserved.
constexpr Verdict verify_reserved(const Buffer* buffers, const std::size_t* offsets, std::size_t count,
                                  const ConstraintList& constraints) noexcept {
  for (const Constraint& range : constraints) {
    if (range.kind != Constraint::Kind::kReserved || range.size == 0) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const Buffer& buffer = buffers[i];
      if (buffer.size == 0 || buffer.last < range.first || range.last < buffer.first) continue;
      const bool above = offsets[i] >= range.offset && offsets[i] - range.offset >= range.size;
      const bool below = range.offset >= offsets[i] && range.offset - offsets[i] >= buffer.size;
      if (!above && !below) return {Status::kOverlap, static_cast<Index>(i), kNoIndex};
    }
  }
  return {};
}

}  // namespace detail

/// Whether these offsets are a plan of `size` bytes at a base aligned to `alignment`. Fails if and only if
/// - there are more than `kMaxBuffers`: `kTooManyBuffers`,
/// - a buffer is not sound by itself (see `validate`),
/// - an offset is not a multiple of the buffer's alignment, or, unless it has no bytes, `alignment` is none of it:
///   `kMisaligned`,
/// - a buffer ends after `size`: `kOutOfBounds`,
/// - two buffers that overlap in time share a byte: `kOverlap`, with the pair that comes first by offset.
/// O(n log n) time; `scratch` has `verify_scratch(count)` entries.
[[nodiscard]] constexpr Verdict verify(const Buffer* buffers, const std::size_t* offsets, std::size_t count,
                                       std::size_t size, Alignment alignment, Index* scratch) noexcept {
  const Verdict verdict = detail::verify_each(buffers, offsets, count, size, alignment);
  return verdict.ok() ? detail::find_overlap(buffers, offsets, count, scratch) : verdict;
}

/// What `verify` needs as scratch for a list with constraints: so many entries of each.
struct VerifyMemory {
  Buffer* pieces;       ///< `count`
  std::size_t* places;  ///< `count`
  Index* scratch;       ///< `verify_scratch(count) + count`
};

/// Likewise, for a list with constraints. Buffers that are one piece of memory may share bytes, and nothing else may
/// touch the piece from the first step of any of them to the last of any. Fails if and only if one of the above holds,
/// with pieces in place of buffers, each named by its first buffer, or
/// - a constraint names a buffer that there is not: `kOutOfBounds`, without a buffer,
/// - a pinned buffer lies elsewhere, or an alias not where it should in the other: `kMismatch`,
/// - a piece touches a reserved range at its steps: `kOverlap`, with that piece alone.
/// O(n log n + n * r + a^2) for r reserved ranges and a aliases.
[[nodiscard]] constexpr Verdict verify(const Buffer* buffers, const std::size_t* offsets, std::size_t count,
                                       const ConstraintList& constraints, std::size_t size, Alignment alignment,
                                       const VerifyMemory& memory) noexcept {
  Verdict verdict = detail::verify_each(buffers, offsets, count, size, alignment);
  if (verdict.ok()) verdict = detail::verify_places(offsets, count, constraints);
  if (!verdict.ok()) return verdict;

  // Each buffer belongs to the piece of the first buffer that it can be led to.
  Index* const piece_of = memory.scratch + verify_scratch(count);
  for (std::size_t i = 0; i < count; ++i) piece_of[i] = static_cast<Index>(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Constraint& constraint : constraints) {
      if (constraint.kind != Constraint::Kind::kAlias) continue;
      Index& one = piece_of[constraint.buffer];
      Index& other = piece_of[constraint.of];
      changed = changed || one != other;
      one = other = one < other ? one : other;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    memory.pieces[i] = {};
    memory.places[i] = 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    Buffer& piece = memory.pieces[piece_of[i]];
    std::size_t& place = memory.places[piece_of[i]];
    const bool opens = piece_of[i] == i;
    const std::size_t begin = opens || offsets[i] < place ? offsets[i] : place;
    const std::size_t end = offsets[i] + buffers[i].size;
    const std::size_t before = place + piece.size;
    piece.size = (opens || end > before ? end : before) - begin;
    piece.first = opens || buffers[i].first < piece.first ? buffers[i].first : piece.first;
    piece.last = opens || buffers[i].last > piece.last ? buffers[i].last : piece.last;
    place = begin;
  }
  verdict = detail::verify_reserved(memory.pieces, memory.places, count, constraints);
  return verdict.ok() ? detail::find_overlap(memory.pieces, memory.places, count, memory.scratch) : verdict;
}

}  // namespace ARENITE_ABI
}  // namespace arenite
