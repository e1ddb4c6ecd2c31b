// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The answer of a planner: where each buffer lies in one block, how large the block is, and how good that is.
///
/// A plan is a plain value and knows neither the planner that made it nor the arena it will be placed in. Three forms
/// serve the same calls: `Plan<N>` holds offsets and sizes, `PlanOffsets<N>` only the offsets, `PlanRef` looks at a
/// plan that was made at run time in memory of the user's. Reading a plan is safe from any thread and any interrupt.

#include <array>
#include <cstddef>
#include <type_traits>

#include "align.hpp"
#include "buffer.hpp"
#include "planner/lower_bound.hpp"
#include "planner/verify.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// What every plan knows of itself. All sizes in bytes.
class PlanSummary {
 public:
  constexpr PlanSummary() noexcept = default;

  /// A plan that was refused: no bytes, and the reason.
  constexpr explicit PlanSummary(Status status, Index culprit = kNoIndex) noexcept
      : status_(status), culprit_(culprit) {}

  constexpr PlanSummary(std::size_t size, Alignment alignment) noexcept : size_(size), alignment_(alignment) {}

  /// Of the block: the highest end of a buffer.
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  /// What the base address of the block is to be a multiple of: the largest alignment of a buffer.
  [[nodiscard]] constexpr std::size_t alignment() const noexcept { return alignment_.bytes(); }

  /// True if and only if there is a plan and a block of `capacity` bytes is enough for it. O(1).
  [[nodiscard]] constexpr bool fits(std::size_t capacity) const noexcept {
    return status_ == Status::kOk && size_ <= capacity;
  }

  /// By how many bytes the plan is larger than `capacity`: zero if it fits, and if there is no plan. Where the plan is
  /// `proven()`, it is exactly what is missing; where not, another plan may need less, but each one is missing at least
  /// `lower_bound() - capacity`, where that is above zero. O(1).
  [[nodiscard]] constexpr std::size_t missing(std::size_t capacity) const noexcept {
    return size_ > capacity ? size_ - capacity : 0;
  }

  /// `kOk`, or why there is no plan. What was refused has size 0, and an arena does not take it.
  [[nodiscard]] constexpr Status status() const noexcept { return status_; }

  /// The buffer for which the list was refused, or `kNoIndex`.
  [[nodiscard]] constexpr Index culprit() const noexcept { return culprit_; }

 private:
  std::size_t size_ = 0;
  Alignment alignment_ = 1;
  Status status_ = Status::kOk;
  Index culprit_ = kNoIndex;
};

namespace detail {

/// A base of its own, so that the table stands first: a table at the start of an object is read with less code.
template <std::size_t N>
struct OffsetTable {
  std::array<std::size_t, N> table_;  // NOLINT(readability-identifier-naming): private in what derives from it
};

}  // namespace detail

/// The offsets of a plan without the sizes: the least that a finished plan can cost in flash. 4 * N bytes and a summary
/// of 12 on a 32-bit target, and nothing for offsets that are read with constant indices.
template <std::size_t N>
class PlanOffsets : private detail::OffsetTable<N>, public PlanSummary {
 public:
  constexpr PlanOffsets(const PlanSummary& summary, std::size_t lower_bound,
                        const std::array<std::size_t, N>& offsets) noexcept
      : detail::OffsetTable<N>{offsets}, PlanSummary(summary), lower_bound_(lower_bound) {}

  [[nodiscard]] static constexpr std::size_t count() noexcept { return N; }

  /// No plan for this list is smaller: `arenite::lower_bound`, or more where a search has proved it.
  [[nodiscard]] constexpr std::size_t lower_bound() const noexcept { return lower_bound_; }

  /// True if and only if the size equals the lower bound: no plan can be smaller.
  [[nodiscard]] constexpr bool proven() const noexcept { return status() == Status::kOk && size() == lower_bound_; }

  /// Bytes from the start of the block to the buffer. The index is less than `count()`.
  template <class I>
  [[nodiscard]] constexpr std::size_t offset(I index) const noexcept {
    return this->table_[detail::to_index(index)];
  }

  /// The offsets themselves, `count()` of them.
  [[nodiscard]] constexpr const std::size_t* offsets() const noexcept { return this->table_.data(); }

  /// Bytes that may be used from the buffer's offset on, as far as is known here: to the end of the block.
  template <class I>
  [[nodiscard]] constexpr std::size_t extent(I index) const noexcept {
    return size() - offset(index);
  }

 private:
  std::size_t lower_bound_;
};

/// A plan for N buffers, a literal type: `constexpr auto kPlan = arenite::plan(kBuffers);`. 8 * N bytes and the summary
/// on a 32-bit target, where it is not only used in constant expressions.
template <std::size_t N>
class Plan : public PlanOffsets<N> {
 public:
  constexpr Plan(const PlanSummary& summary, std::size_t lower_bound, const std::array<std::size_t, N>& offsets,
                 const std::array<std::size_t, N>& sizes) noexcept
      : PlanOffsets<N>(summary, lower_bound, offsets), sizes_(sizes) {}

  /// Bytes of the buffer, as asked for. The index is less than `count()`.
  template <class I>
  [[nodiscard]] constexpr std::size_t size(I index) const noexcept {
    return sizes_[detail::to_index(index)];
  }
  using PlanSummary::size;

  /// The sizes themselves, `count()` of them.
  [[nodiscard]] constexpr const std::size_t* sizes() const noexcept { return sizes_.data(); }

  /// Bytes from the start of the block to the end of the buffer.
  template <class I>
  [[nodiscard]] constexpr std::size_t end(I index) const noexcept {
    return this->offset(index) + size(index);
  }

  /// Bytes that may be used from the buffer's offset on: its size.
  template <class I>
  [[nodiscard]] constexpr std::size_t extent(I index) const noexcept {
    return size(index);
  }

  /// The same plan without the sizes, for a program that has them elsewhere.
  [[nodiscard]] constexpr const PlanOffsets<N>& offsets_only() const& noexcept { return *this; }
  [[nodiscard]] constexpr PlanOffsets<N> offsets_only() && noexcept { return *this; }

  /// Checks this plan against its buffers, see `arenite::verify`; a plan that was refused says why once more. Takes
  /// 6 * N indices on the stack where it runs at run time.
  template <std::size_t M>
  [[nodiscard]] constexpr Verdict verify(const Buffer (&buffers)[M]) const noexcept {
    static_assert(M == N, "a plan is verified against the list that it was made for");
    return verify_list(buffers);
  }
  [[nodiscard]] constexpr Verdict verify(const std::array<Buffer, N>& buffers) const noexcept {
    return verify_list(buffers.data());
  }

  /// Likewise with constraints. `kMismatch` if there are not `count()` buffers. Takes N buffers, N words and 7 * N
  /// indices on the stack where it runs at run time.
  [[nodiscard]] constexpr Verdict verify(const BufferList& buffers, const ConstraintList& constraints) const noexcept {
    if (this->status() != Status::kOk) return {this->status(), this->culprit(), kNoIndex};
    if (buffers.count() != N) return {Status::kMismatch, kNoIndex, kNoIndex};
    std::array<Buffer, N> pieces{};
    std::array<std::size_t, N> places{};
    std::array<Index, verify_scratch(N) + N> scratch{};
    return arenite::verify(buffers.data(), this->offsets(), N, constraints, size(), this->alignment(),
                           {pieces.data(), places.data(), scratch.data()});
  }

 private:
  constexpr Verdict verify_list(const Buffer* buffers) const noexcept {
    if (this->status() != Status::kOk) return {this->status(), this->culprit(), kNoIndex};
    std::array<Index, verify_scratch(N)> scratch{};
    return arenite::verify(buffers, this->offsets(), N, size(), this->alignment(), scratch.data());
  }

  std::array<std::size_t, N> sizes_;
};

/// A plan made at run time: it looks at the buffers and offsets in memory of the user's, and is valid as long as they
/// stay there unchanged. Six words on a 32-bit target; passed by value.
class PlanRef : public PlanSummary {
 public:
  constexpr PlanRef() noexcept = default;
  constexpr PlanRef(const PlanSummary& summary, const Buffer* buffers, const std::size_t* offsets, std::size_t count,
                    std::size_t bound = 0) noexcept
      : PlanSummary(summary),
        buffers_(buffers),
        offsets_(offsets),
        bound_(summary.status() == Status::kOk ? bound : 0),
        count_(summary.status() == Status::kOk && !detail::is_null(buffers) && !detail::is_null(offsets) ? count : 0) {}

  /// Zero if the plan was refused, or has no buffers or no offsets.
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }

  /// Bytes from the start of the block to the buffer. The index is less than `count()`.
  template <class I>
  [[nodiscard]] constexpr std::size_t offset(I index) const noexcept {
    return offsets_[detail::to_index(index)];
  }

  /// The offsets themselves: what must not lie where the plan is placed.
  [[nodiscard]] constexpr const std::size_t* offsets() const noexcept { return offsets_; }

  /// The buffers that it was made for, `count()` of them.
  [[nodiscard]] constexpr const Buffer* buffers() const noexcept { return buffers_; }

  /// Bytes of the buffer, as asked for. The index is less than `count()`.
  template <class I>
  [[nodiscard]] constexpr std::size_t size(I index) const noexcept {
    return buffers_[detail::to_index(index)].size;
  }
  using PlanSummary::size;

  /// Bytes from the start of the block to the end of the buffer.
  template <class I>
  [[nodiscard]] constexpr std::size_t end(I index) const noexcept {
    return offset(index) + size(index);
  }

  /// Bytes that may be used from the buffer's offset on: its size.
  template <class I>
  [[nodiscard]] constexpr std::size_t extent(I index) const noexcept {
    return size(index);
  }

  /// No plan for this list is smaller: `arenite::lower_bound`, or more where a search has proved it; zero if the list
  /// was refused. Worked out when asked for, so that a program that does not ask does not hold the code: O(n log n).
  /// `scratch` has `lower_bound_scratch(count())` entries. Where it is known already, nothing is worked out.
  [[nodiscard]] constexpr std::size_t lower_bound(Index* scratch) const noexcept {
    if (status() != Status::kOk || bound_ != 0) return bound_;
    return arenite::lower_bound(buffers_, count_, scratch);
  }

  /// The lower bound if it is known without work, as with constraints, or where a search has reached it; else zero.
  [[nodiscard]] constexpr std::size_t known_lower_bound() const noexcept { return bound_; }

  /// True if and only if the size equals the lower bound: no plan can be smaller. As `lower_bound`.
  [[nodiscard]] constexpr bool proven(Index* scratch) const noexcept {
    return status() == Status::kOk && size() == lower_bound(scratch);
  }

  /// Checks this plan against its buffers, see `arenite::verify`; a plan that was refused says why once more. For lists
  /// without aliases. `scratch` has `verify_scratch(count())` entries.
  [[nodiscard]] constexpr Verdict verify(Index* scratch) const noexcept {
    if (status() != Status::kOk) return {status(), culprit(), kNoIndex};
    return arenite::verify(buffers_, offsets_, count_, size(), alignment(), scratch);
  }

  /// Likewise against the constraints that it was made with.
  [[nodiscard]] constexpr Verdict verify(const ConstraintList& constraints, const VerifyMemory& memory) const noexcept {
    if (status() != Status::kOk) return {status(), culprit(), kNoIndex};
    return arenite::verify(buffers_, offsets_, count_, constraints, size(), alignment(), memory);
  }

 private:
  const Buffer* buffers_ = nullptr;
  const std::size_t* offsets_ = nullptr;
  std::size_t bound_ = 0;  // what is known to be needed; zero if it is not known yet
  std::size_t count_ = 0;
};

}  // namespace ARENITE_ABI
}  // namespace arenite
