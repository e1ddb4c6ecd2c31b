// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What a plan is to keep to, beside sizes and lifetimes: buffers whose place is given, ranges that belong to somebody
/// else, buffers that are one piece of memory. A short list, given with the buffers.
///
///     constexpr arenite::Constraint kConstraints[] = {
///         arenite::pinned(0, 128),       // buffer 0 lies at offset 128
///         arenite::reserved(0, 64),      // no buffer touches the first 64 bytes
///         arenite::alias(2, 1, 16),      // buffer 2 lies within buffer 1, from its byte 16 on
///     };
///     constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);
///
/// Plain data: 24 bytes each on a 32-bit target. Whether constraints make sense, by themselves and together, is looked
/// at by who plans: see `plan(buffers, constraints)`. All here is O(1). Safe from any thread and any interrupt that has
/// its own list.

#include <array>
#include <cstddef>
#include <cstdint>

#include "buffer.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// One of them; made by `pinned`, `reserved` and `alias`.
struct Constraint {
  enum class Kind : std::uint8_t { kReserved, kPinned, kAlias };

  Kind kind = Kind::kReserved;  ///< No bytes of it, by default: that asks for nothing.
  Step first = 0;               ///< `kReserved`: first step at which the range is somebody else's.
  Step last = 0;                ///< `kReserved`: the last one, inclusive.
  std::size_t buffer = 0;       ///< `kPinned`, `kAlias`: which buffer.
  std::size_t of = 0;           ///< `kAlias`: the buffer in which it lies.
  std::size_t offset = 0;       ///< Bytes from the start of the block, for `kAlias` from the start of `of`.
  std::size_t size = 0;         ///< `kReserved`: bytes.
};

/// The buffer, named by an integer or an enumerator, lies at this offset of the block: a multiple of its alignment.
template <class I>
[[nodiscard]] constexpr Constraint pinned(I buffer, std::size_t offset) noexcept {
  return {Constraint::Kind::kPinned, 0, 0, detail::to_index(buffer), 0, offset, 0};
}

/// No buffer that lives at one of these steps, all of them where none are given, touches this range. The range does not
/// count in the size of the plan, and may reach beyond it.
[[nodiscard]] constexpr Constraint reserved(std::size_t offset, std::size_t size, Step first = 0,
                                            Step last = static_cast<Step>(-1)) noexcept {
  return {Constraint::Kind::kReserved, first, last, 0, 0, offset, size};
}

/// The buffer lies within another one, `offset` bytes behind its start, as a view or the result of an operator that
/// works in place does. With all that lie in it, directly or not, it is one piece of memory: as long as the one that
/// ends last, alive from the first step of any of them to the last of any.
template <class I, class J>
[[nodiscard]] constexpr Constraint alias(I buffer, J of, std::size_t offset = 0) noexcept {
  return {Constraint::Kind::kAlias, 0, 0, detail::to_index(buffer), detail::to_index(of), offset, 0};
}

/// A look at a list of constraints that lies elsewhere: an array, a `std::array`, or `{pointer, count}`. Two words.
class ConstraintList {
 public:
  constexpr ConstraintList(const Constraint* constraints, std::size_t count) noexcept
      : constraints_(constraints), count_(count) {}
  template <std::size_t N>
  constexpr ConstraintList(const Constraint (&constraints)[N]) noexcept  // NOLINT: implicit on purpose
      : constraints_(constraints), count_(N) {}
  template <std::size_t N>
  constexpr ConstraintList(const std::array<Constraint, N>& constraints) noexcept  // NOLINT: implicit on purpose
      : constraints_(constraints.data()), count_(N) {}

  [[nodiscard]] constexpr const Constraint* data() const noexcept { return constraints_; }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
  [[nodiscard]] constexpr const Constraint& operator[](std::size_t i) const noexcept { return constraints_[i]; }
  [[nodiscard]] constexpr const Constraint* begin() const noexcept { return constraints_; }
  [[nodiscard]] constexpr const Constraint* end() const noexcept { return constraints_ + count_; }

 private:
  const Constraint* constraints_;
  std::size_t count_;
};

}  // namespace ARENITE_ABI
}  // namespace arenite
