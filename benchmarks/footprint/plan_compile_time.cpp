// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A plan made by the compiler: what is left of it are its offsets, here read by an index that is known at run time
// only.

#include <arenite/planner.hpp>

#include <cstdint>

#include "../../examples/person_detection/buffers.hpp"

namespace {

constexpr auto kOffsets = arenite::plan<arenite::greedy>(person_detection::kBuffers).offsets_only();
static_assert(kOffsets.count() == 32 && kOffsets.offset(1) == 55296 && kOffsets.offset(30) == 256);

volatile std::uint32_t input;

}  // namespace

int main() { return static_cast<int>(kOffsets.offset(input)); }
