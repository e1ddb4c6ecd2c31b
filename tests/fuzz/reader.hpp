// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What the targets for readers of files share: whatever the bytes, they are read or refused, and what is read can be
/// planned, and written and read again.

#include <cstddef>
#include <cstdint>
#include <string>

#include "error.hpp"
#include "input.hpp"
#include "problem.hpp"

namespace fuzz {

constexpr std::size_t kMostBuffers = 200;  // more take too long for a fuzzer

[[nodiscard]] bool is_same(const arenite::tool::Problem& a, const arenite::tool::Problem& b);

/// Plans what was read, checks the plan, writes it as CSV and as JSON, and reads both.
void plan_and_read_again(const arenite::tool::Problem& problem, Calls& calls);

/// Reads bytes as one kind of file.
template <class Read>
void attempt(const std::uint8_t* data, std::size_t size, Read read) {
  try {
    read(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const arenite::tool::InputError&) {
  }
}

}  // namespace fuzz
