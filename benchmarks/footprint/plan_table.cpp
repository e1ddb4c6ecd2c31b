// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of plan_compile_time.cpp: the same offsets in a bare table.

#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t kOffsets[32] = {0,    55296, 36864, 0, 36864, 0, 18432, 0, 18432, 0, 9216, 0, 9216, 0, 4608, 0,
                                      4608, 0,     4608,  0, 4608,  0, 4608,  0, 4608,  0, 2304, 0, 2304, 0, 256,  0};

volatile std::uint32_t input;

}  // namespace

int main() { return static_cast<int>(kOffsets[input]); }
