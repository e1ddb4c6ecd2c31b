// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// From buffers with constraints to pieces of memory, which a strategy places as it places buffers: aliases are merged
/// into one piece, and what has a place already, pinned pieces and reserved ranges, comes first. And back.
///
/// No heap, no recursion. Pure: safe from any thread and any interrupt that has its own memory.

#include <cstddef>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../constraint.hpp"
#include "../status.hpp"
#include "../version.hpp"
#include "around.hpp"
#include "verify.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// The memory of `Pieces`, for `count` buffers and `constraints` constraints.
struct PiecesMemory {
  Buffer* pieces;       ///< `count + constraints`
  std::size_t* places;  ///< `count + constraints`
  Index* owners;        ///< `constraints`
  Index* roots;         ///< `count`
  Index* slots;         ///< `count`
};

class Pieces {
 public:
  constexpr explicit Pieces(const PiecesMemory& memory) noexcept : memory_(memory) {}

  /// Cuts a list of sound buffers into pieces. `deltas` gets where in its piece each buffer begins. Refused as
  /// `validate(buffers, constraints)` says. O(n) with aliases of a bounded depth, and O(c^2) for c that lie already.
  constexpr Verdict make(const Buffer* buffers, std::size_t count, const ConstraintList& constraints,
                         std::size_t* deltas) noexcept {
    Verdict verdict = find_roots(count, constraints, deltas);
    if (verdict.ok()) verdict = take_preplaced(constraints, count, deltas);
    if (!verdict.ok()) return verdict;
    preplaced_ = fixed_;
    for (std::size_t i = 0; i < count; ++i) {
      if (memory_.roots[i] == i && memory_.slots[i] == kNoIndex) open(i);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Status status = merge(buffers[i], deltas[i], memory_.pieces[memory_.slots[memory_.roots[i]]]);
      if (status != Status::kOk) return {status, static_cast<Index>(i), kNoIndex};
    }
    verdict = settle();
    if (verdict.ok()) shorten(buffers, count);
    return verdict;
  }

  /// What a strategy is to place, and where.
  [[nodiscard]] constexpr Around list() const noexcept { return {memory_.pieces, fixed_}; }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
  [[nodiscard]] constexpr std::size_t* places() const noexcept { return memory_.places; }

  /// The piece of which the buffer is the one that lies in no other, or no bytes. The buffer was one of `make`.
  [[nodiscard]] constexpr Buffer piece_at(std::size_t index) const noexcept {
    return memory_.roots[index] == index ? memory_.pieces[memory_.slots[index]] : Buffer{0, 0, 0, 1};
  }

  /// The highest end of a pinned piece.
  [[nodiscard]] constexpr std::size_t pinned_end() const noexcept {
    std::size_t most = 0;
    for (std::size_t k = 0; k < preplaced_; ++k) {
      const std::size_t end = memory_.places[k] + memory_.pieces[k].size;
      if (memory_.owners[k] != kNoIndex && end > most) most = end;
    }
    return most;
  }

  /// Once the pieces are placed: from where each buffer begins in its piece to where it begins in the block. O(n).
  constexpr void back(std::size_t count, const ConstraintList& constraints, std::size_t* offsets) const noexcept {
    // Pieces without bytes have no place of their own that a strategy would keep.
    for (const Constraint& constraint : constraints) {
      if (constraint.kind != Constraint::Kind::kPinned) continue;
      memory_.places[memory_.slots[memory_.roots[constraint.buffer]]] = constraint.offset - offsets[constraint.buffer];
    }
    for (std::size_t i = 0; i < count; ++i) offsets[i] += memory_.places[memory_.slots[memory_.roots[i]]];
  }

 private:
  // Every buffer that lies in another one is led to the one that lies in none.
  constexpr Verdict find_roots(std::size_t count, const ConstraintList& constraints, std::size_t* deltas) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      memory_.roots[i] = static_cast<Index>(i);
      memory_.slots[i] = kNoIndex;
      deltas[i] = 0;
    }
    for (const Constraint& constraint : constraints) {
      if (constraint.kind == Constraint::Kind::kReserved) continue;
      const auto index = static_cast<Index>(constraint.buffer);
      if (constraint.buffer >= count) return {Status::kOutOfBounds, kNoIndex, kNoIndex};
      if (constraint.kind != Constraint::Kind::kAlias) continue;
      if (constraint.of >= count) return {Status::kOutOfBounds, index, kNoIndex};
      if (constraint.of == constraint.buffer) return {Status::kCycle, index, index};
      if (memory_.roots[index] != index) return {Status::kContradiction, index, memory_.roots[index]};
      if (constraint.offset > kMaxSize) return {Status::kSizeOverflow, index, kNoIndex};
      memory_.roots[index] = static_cast<Index>(constraint.of);
      deltas[index] = constraint.offset;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Index parent = memory_.roots[i];
      std::size_t steps = 0;
      for (std::size_t at = memory_.roots[i]; memory_.roots[at] != at; at = memory_.roots[at]) {
        if (memory_.roots[at] == i) return {Status::kCycle, static_cast<Index>(i), parent};
        if (++steps > count)
          return {Status::kCycle, static_cast<Index>(at), memory_.roots[at]};  // one that `i` leads to
        deltas[i] = add_saturated(deltas[i], deltas[at]);
        memory_.roots[i] = memory_.roots[at];
      }
      if (deltas[i] > kMaxSize) return {Status::kSizeOverflow, static_cast<Index>(i), kNoIndex};
    }
    return {};
  }

  constexpr void open(std::size_t root) noexcept {
    memory_.slots[root] = static_cast<Index>(count_);
    memory_.places[count_] = 0;
    memory_.pieces[count_++] = {0, static_cast<Step>(-1), 0, 1};
  }

  // Pinned pieces and reserved ranges, as they come.
  constexpr Verdict take_preplaced(const ConstraintList& constraints, std::size_t buffers,
                                   const std::size_t* deltas) noexcept {
    for (const Constraint& constraint : constraints) {
      if (constraint.kind == Constraint::Kind::kAlias) continue;
      if (constraint.kind == Constraint::Kind::kReserved) {
        if (constraint.last < constraint.first) return {Status::kInvalidLifetime, kNoIndex, kNoIndex};
        if (constraint.size > kMaxSize || constraint.offset > kMaxSize - constraint.size) {
          return {Status::kSizeOverflow, kNoIndex, kNoIndex};
        }
        if (constraint.size == 0) continue;
        if (count_ + buffers >= kMaxBuffers) return {Status::kTooManyBuffers, kNoIndex, kNoIndex};
        memory_.pieces[count_] = {constraint.size, constraint.first, constraint.last, 1};
        memory_.places[count_] = constraint.offset;
        memory_.owners[count_++] = kNoIndex;
        continue;
      }
      const auto index = static_cast<Index>(constraint.buffer);
      const Index root = memory_.roots[index];
      if (constraint.offset < deltas[index]) return {Status::kOutOfBounds, index, root};
      const std::size_t place = constraint.offset - deltas[index];
      if (memory_.slots[root] == kNoIndex) {
        memory_.owners[count_] = root;
        open(root);
        memory_.places[count_ - 1] = place;
      } else if (memory_.places[memory_.slots[root]] != place) {
        return {Status::kContradiction, index, root};
      }
    }
    fixed_ = count_;
    return {};
  }

  static constexpr Status merge(const Buffer& buffer, std::size_t delta, Buffer& piece) noexcept {
    if ((delta & buffer.alignment.mask()) != 0) return Status::kMisaligned;
    if (delta > kMaxSize - buffer.size) return Status::kSizeOverflow;
    if (delta + buffer.size > piece.size) piece.size = delta + buffer.size;
    if (buffer.first < piece.first) piece.first = buffer.first;
    if (buffer.last > piece.last) piece.last = buffer.last;
    if (buffer.alignment.log2() > piece.alignment.log2()) piece.alignment = buffer.alignment;
    return Status::kOk;
  }

  // What lies already, by ascending offset, those without bytes behind the others; and whether it can lie so.
  constexpr Verdict settle() noexcept {
    const auto behind = [this](std::size_t k, std::size_t other) {
      const bool empty = memory_.pieces[k].size == 0;
      const bool other_empty = memory_.pieces[other].size == 0;
      return empty != other_empty ? empty : memory_.places[k] > memory_.places[other];
    };
    for (std::size_t k = 0; k < preplaced_; ++k) {
      if ((memory_.places[k] & memory_.pieces[k].alignment.mask()) != 0) {
        return {Status::kMisaligned, memory_.owners[k], kNoIndex};
      }
      if (memory_.places[k] > kMaxSize - memory_.pieces[k].size) {
        return {Status::kSizeOverflow, memory_.owners[k], kNoIndex};
      }
      for (std::size_t hole = k; hole > 0 && behind(hole - 1, hole); --hole) exchange(hole - 1, hole);
    }
    fixed_ = 0;
    while (fixed_ < preplaced_ && memory_.pieces[fixed_].size != 0) ++fixed_;
    for (std::size_t k = 0; k < preplaced_; ++k) {
      if (memory_.owners[k] != kNoIndex) memory_.slots[memory_.owners[k]] = static_cast<Index>(k);
    }
    for (std::size_t k = 0; k < fixed_; ++k) {
      const std::size_t end = memory_.places[k] + memory_.pieces[k].size;
      for (std::size_t other = k + 1; other < fixed_ && memory_.places[other] < end; ++other) {
        if (!overlap_in_time(memory_.pieces[k], memory_.pieces[other])) continue;
        return {Status::kOverlap, memory_.owners[k], memory_.owners[other]};
      }
    }
    return {};
  }

  // Of what is reserved only the steps of the buffers matter, and one behind them: strategies are quick where lifetimes
  // are short.
  constexpr void shorten(const Buffer* buffers, std::size_t count) noexcept {
    Step end = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (buffers[i].last >= end)
        end = buffers[i].last == static_cast<Step>(-1) ? buffers[i].last : static_cast<Step>(buffers[i].last + 1);
    }
    for (std::size_t k = 0; k < fixed_; ++k) {
      if (memory_.pieces[k].first > end) memory_.pieces[k].first = end;
      if (memory_.pieces[k].last > end) memory_.pieces[k].last = end;
    }
  }

  constexpr void exchange(std::size_t one, std::size_t other) noexcept {
    const Buffer piece = memory_.pieces[one];
    const std::size_t place = memory_.places[one];
    const Index owner = memory_.owners[one];
    memory_.pieces[one] = memory_.pieces[other];
    memory_.places[one] = memory_.places[other];
    memory_.owners[one] = memory_.owners[other];
    memory_.pieces[other] = piece;
    memory_.places[other] = place;
    memory_.owners[other] = owner;
  }

  PiecesMemory memory_;
  std::size_t count_ = 0;
  std::size_t preplaced_ = 0;  // pinned and reserved
  std::size_t fixed_ = 0;      // those of them that have bytes
};

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
