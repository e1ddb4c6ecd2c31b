// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Numbers in text, for several readers.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace arenite::tool {

/// A whole number of digits only, nothing around it; nothing if it is none, or above `most`.
[[nodiscard]] inline std::optional<std::uint64_t> number_from(std::string_view text,
                                                              std::uint64_t most = UINT64_MAX) noexcept {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > most) return std::nullopt;
  return value;
}

}  // namespace arenite::tool
