// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The patterns that `Guard` and `Fences` write into memory, for the implementation. Each call is O(bytes), and not
/// safe against another, in a thread or in an interrupt, that uses the same bytes at the same time.

#include <cstddef>

#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

// As addresses these are odd; as numbers they are large or tiny, and not zero.
inline constexpr std::byte kFreshPattern{0xA5};
inline constexpr std::byte kFreedPattern{0xDD};
inline constexpr std::byte kFencePattern{0xBD};

// Where AddressSanitizer watches too, these bytes may be poisoned. Volatile, so that no compiler makes it a call.

[[gnu::no_sanitize_address, gnu::noinline]] inline void fill(std::byte* bytes, std::size_t count,
                                                             std::byte pattern) noexcept {
  volatile std::byte* const to = bytes;
  for (std::size_t i = 0; i < count; ++i) to[i] = pattern;
}

/// The first byte that is another one; null if there is none.
[[nodiscard, gnu::no_sanitize_address, gnu::noinline]] inline const std::byte* find_other(const std::byte* bytes,
                                                                                          std::size_t count,
                                                                                          std::byte pattern) noexcept {
  const volatile std::byte* const from = bytes;
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] != pattern) return bytes + i;
  }
  return nullptr;
}

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
