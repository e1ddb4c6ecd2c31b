// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A model of four tensors, of which one operator wants scratch: what the programs with a session have in common.

#include <arenite/session.hpp>

#include <cstddef>
#include <cstdint>

namespace session_model {

inline constexpr std::size_t kColumns = 2304;

inline constexpr arenite::Buffer kBuffers[] = {{27648, 0, 1}, {55296, 1, 2}, {18432, 2, 3}, {64, 3, 3}};
inline constexpr arenite::Buffer kAll[] = {{27648, 0, 1}, {55296, 1, 2}, {18432, 2, 3}, {64, 3, 3}, {kColumns, 1, 1}};

struct OperatorData {
  std::int32_t multiplier;
  std::int32_t shift;
};

// What the compiler may not know.
inline volatile std::size_t tensor;
inline volatile std::uintptr_t output;

inline int run(const arenite::SessionApi<arenite::Unobserved>& session, OperatorData* data,
               const arenite::Scratch& columns) {
  std::int8_t* const input = session.data<std::int8_t>(tensor);
  std::int8_t* const scratch = session.data<std::int8_t>(columns);
  if (data == nullptr || input == nullptr || scratch == nullptr) return 1;
  data->shift = input[0];
  output = reinterpret_cast<std::uintptr_t>(scratch);
  return 0;
}

}  // namespace session_model
