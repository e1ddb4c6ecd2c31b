// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What is asked for: a `Buffer` is a size, a lifetime and an alignment. A list of them is the input of a planner.
///
/// Plain data: 12 bytes on a 32-bit target. Safe from any thread and any interrupt that has its own list.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "align.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

static_assert(sizeof(std::size_t) >= 4, "Arenite needs a size_t of at least 32 bits");

/// A point in the order of execution: half the bits of a `size_t`, 16 on a 32-bit target.
using Step = std::conditional_t<(sizeof(std::size_t) > 4), std::uint32_t, std::uint16_t>;

/// Position in a list of buffers; as wide as a `Step`.
using Index = Step;

/// Most buffers in one list: 65534 on a 32-bit target. The largest `Index` stands for "none".
inline constexpr std::size_t kMaxBuffers = static_cast<Index>(-1) - 1u;

/// No index.
inline constexpr Index kNoIndex = static_cast<Index>(-1);

namespace detail {

/// An index as a user may write it, an integer or an enumerator, as a `size_t`. What is negative or wider than that
/// becomes huge.
template <class I>
[[nodiscard]] constexpr std::size_t to_index(I index) noexcept {
  static_assert(std::is_integral_v<I> || std::is_enum_v<I>, "a buffer is named by an integer or an enumerator");
  const std::size_t result = static_cast<std::size_t>(index);
  return static_cast<I>(result) == index ? result : kSizeMax;
}

}  // namespace detail

struct Buffer {
  std::size_t size = 0;  ///< Bytes. Zero is fine and takes no memory.
  Step first = 0;        ///< First step at which the bytes must be there.
  Step last = 0;         ///< Last step at which they must; inclusive, so `first == last` lives for one step.
  Alignment alignment = kDefaultAlignment;  ///< Of the address: any power of two from 1.
};

/// True if and only if they ask for the same.
[[nodiscard]] constexpr bool operator==(const Buffer& a, const Buffer& b) noexcept {
  return a.size == b.size && a.first == b.first && a.last == b.last && a.alignment == b.alignment;
}
[[nodiscard]] constexpr bool operator!=(const Buffer& a, const Buffer& b) noexcept { return !(a == b); }

/// True if and only if the step belongs to the buffer's lifetime.
[[nodiscard]] constexpr bool alive_at(const Buffer& buffer, std::size_t step) noexcept {
  return buffer.first <= step && step <= buffer.last;
}

/// True if and only if some step belongs to both lifetimes. Without a branch, as nothing could predict it.
[[nodiscard]] constexpr bool overlap_in_time(const Buffer& a, const Buffer& b) noexcept {
  return ((a.first <= b.last) & (b.first <= a.last)) != 0;
}

/// A look at a list of buffers that lies elsewhere: an array, a `std::array`, or `{pointer, count}`. Two words.
class BufferList {
 public:
  constexpr BufferList(const Buffer* buffers, std::size_t count) noexcept : buffers_(buffers), count_(count) {}
  template <std::size_t N>
  constexpr BufferList(const Buffer (&buffers)[N]) noexcept  // NOLINT: implicit on purpose
      : buffers_(buffers), count_(N) {}
  template <std::size_t N>
  constexpr BufferList(const std::array<Buffer, N>& buffers) noexcept  // NOLINT: implicit on purpose
      : buffers_(buffers.data()), count_(N) {}

  [[nodiscard]] constexpr const Buffer* data() const noexcept { return buffers_; }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
  [[nodiscard]] constexpr const Buffer& operator[](std::size_t i) const noexcept { return buffers_[i]; }

 private:
  const Buffer* buffers_;
  std::size_t count_;
};

/// The same buffers, each with this alignment: `plan(with_alignment(kBuffers, 4))`. O(N).
template <std::size_t N>
[[nodiscard]] constexpr std::array<Buffer, N> with_alignment(std::array<Buffer, N> buffers,
                                                             Alignment alignment) noexcept {
  for (Buffer& buffer : buffers) buffer.alignment = alignment;
  return buffers;
}

/// \copydoc with_alignment
template <std::size_t N>
[[nodiscard]] constexpr std::array<Buffer, N> with_alignment(const Buffer (&buffers)[N], Alignment alignment) noexcept {
  std::array<Buffer, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = buffers[i];
  return with_alignment(result, alignment);
}

}  // namespace ARENITE_ABI
}  // namespace arenite
