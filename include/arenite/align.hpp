// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Size and alignment arithmetic in which no overflow goes unnoticed.
///
/// Sizes and alignments are in bytes. Every function is `constexpr`, constant in time and free of side effects: safe
/// from any thread and any interrupt.

#include <cstddef>
#include <cstdint>

#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

namespace detail {

/// Whether there is no memory. In a constant expression there is some: g++ 12 does not compare what it does not know.
[[nodiscard]] constexpr bool is_null(const void* pointer) noexcept {
  return !__builtin_is_constant_evaluated() && pointer == nullptr;
}

/// Stands for "more than there can be". Not by `std::numeric_limits`: `max` is a macro in some worlds.
inline constexpr std::size_t kSizeMax = static_cast<std::size_t>(-1);

}  // namespace detail

/// Largest size of one buffer, plan or block: as for any C++ object, a difference of pointers must be able to hold it.
/// Two sizes of at most this can be added without wrapping.
inline constexpr std::size_t kMaxSize = detail::kSizeMax / 2;

/// Alignment where none is given: what TensorFlow Lite Micro uses for its buffers and SIMD kernels ask for.
inline constexpr std::size_t kDefaultAlignment = 16;

/// True if and only if `value` is a power of two (zero is none).
[[nodiscard, gnu::always_inline]] constexpr bool is_power_of_two(std::size_t value) noexcept {
  return value != 0 && (value & (value - 1)) == 0;
}

/// Bytes from `value` up to the next multiple of `alignment`, a power of two. Cannot overflow, wherever `value` lies.
[[nodiscard, gnu::always_inline]] constexpr std::size_t padding_up(std::uintptr_t value,
                                                                   std::size_t alignment) noexcept {
  return static_cast<std::size_t>((~value + 1) & (static_cast<std::uintptr_t>(alignment) - 1));
}

/// `value` rounded up to a multiple of `alignment`, a power of two. The caller knows that the result fits.
[[nodiscard]] constexpr std::size_t align_up(std::size_t value, std::size_t alignment) noexcept {
  return (value + (alignment - 1)) & ~(alignment - 1);
}

/// a + b, or the largest `size_t` where the sum does not fit.
[[nodiscard]] constexpr std::size_t add_saturated(std::size_t a, std::size_t b) noexcept {
  const std::size_t sum = a + b;
  return sum < a ? detail::kSizeMax : sum;
}

/// a * b, or the largest `size_t` where the product does not fit.
[[nodiscard]] constexpr std::size_t multiply_saturated(std::size_t a, std::size_t b) noexcept {
  return b != 0 && a > detail::kSizeMax / b ? detail::kSizeMax : a * b;
}

/// An alignment in one byte, so that a table of buffers stays small. Any number may be written where one is expected;
/// zero and what is not a power of two are remembered as invalid, and refused by whoever uses it. The default is all
/// zero bits, so that a table of default buffers stays in .bss.
class Alignment {
 public:
  constexpr Alignment() noexcept = default;
  constexpr Alignment(std::size_t bytes) noexcept : code_(encode(bytes)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] constexpr bool valid() const noexcept { return code_ != kInvalid; }

  /// In bytes; zero if and only if it is not valid. O(1).
  [[nodiscard]] constexpr std::size_t bytes() const noexcept { return valid() ? mask() + 1 : 0; }

  /// Of a valid one.
  [[nodiscard]] constexpr unsigned log2() const noexcept { return static_cast<unsigned>(code_ ^ kDefaultLog2); }

  /// Bytes less one: what the low bits of an aligned address are and-ed with to see that they are zero. Of a valid one.
  [[nodiscard]] constexpr std::size_t mask() const noexcept { return (static_cast<std::size_t>(1) << log2()) - 1; }

  [[nodiscard]] friend constexpr bool operator==(Alignment a, Alignment b) noexcept { return a.code_ == b.code_; }
  [[nodiscard]] friend constexpr bool operator!=(Alignment a, Alignment b) noexcept { return a.code_ != b.code_; }

 private:
  static constexpr std::uint8_t kDefaultLog2 = 4;
  static constexpr std::uint8_t kInvalid = 0xFF;
  static_assert(kDefaultAlignment == 1u << kDefaultLog2);

  static constexpr std::uint8_t encode(std::size_t bytes) noexcept {
    if (!is_power_of_two(bytes)) return kInvalid;
    unsigned exponent = 0;
    while ((bytes >>= 1) != 0) ++exponent;
    return static_cast<std::uint8_t>(exponent ^ kDefaultLog2);
  }

  std::uint8_t code_ = 0;  // log2, exclusive-or log2 of the default
};

}  // namespace ARENITE_ABI
}  // namespace arenite
