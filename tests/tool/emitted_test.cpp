// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Headers that the tool has written, in a program.

#include <arenite/arena.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aligned.hpp"
#include "chain.hpp"
#include "chain_tflm.h"
#include "hostile.h"
#include "hostile_tflm.h"
#include "long.hpp"
#include "longer.hpp"
#include "nothing_tflm.h"
#include "one_tflm.h"

namespace {

TEST(EmittedPlan, IsUsedWithAnArena) {
  static_assert(chain_plan::kPlan.size() == 320 && chain_plan::kPlan.proven());
  static arenite::Arena<chain_plan::kPlan.size()> arena;
  const auto buffers = arena.overlay(chain_plan::kPlan);
  auto* const input = buffers.data<std::int8_t>(chain_plan::kInput);
  auto* const output = buffers.data<std::int8_t>(chain_plan::kOutput, 50);
  ASSERT_NE(input, nullptr);
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(buffers.size(chain_plan::kInput), 112u);
  EXPECT_EQ(buffers.size(chain_plan::kOutput), 64u);
  EXPECT_EQ(reinterpret_cast<std::byte*>(input), arena.data() + chain_plan::kPlan.offset(0));
  EXPECT_EQ(buffers.data<std::int8_t>(1, 209), nullptr);
}

TEST(EmittedPlan, SurvivesHostileNames) {
  EXPECT_EQ(hostile_plan::kPlan.count(), 16u);
  // Each lives with the next one: 24 bytes at 0, 24 at 32.
  EXPECT_EQ(hostile_plan::kPlan.size(), 56u);
  EXPECT_EQ(hostile_plan::kInt, 8u);
}

TEST(EmittedPlan, KeepsAlignments) {
  static_assert(aligned_plan::kPlan.alignment() == 4096);
  static arenite::Arena<aligned_plan::kPlan.size(), aligned_plan::kPlan.alignment()> arena;
  const auto buffers = arena.overlay(aligned_plan::kPlan);
  EXPECT_NE(buffers.data<std::byte>(aligned_plan::kPage, 100), nullptr);
  EXPECT_NE(buffers.data<std::byte>(aligned_plan::kByte, 1), nullptr);
  EXPECT_EQ(buffers.size(aligned_plan::kNothing), 0u);
}

TEST(EmittedPlan, IsSoundWhateverItsLength) {
  EXPECT_TRUE(long_plan::kPlan.verify(long_plan::kBuffers).ok());
  EXPECT_TRUE(longer_plan::kPlan.verify(longer_plan::kBuffers).ok());
  EXPECT_EQ(long_plan::kPlan.count(), 512u);
  EXPECT_EQ(longer_plan::kPlan.count(), 513u);
}

// The offsets, as TFLM reads them: through the struct, behind its end.
[[gnu::noinline]] std::vector<std::int32_t> offsets_of(const tflite::BufferPlan* plan) {
  std::vector<std::int32_t> offsets;
  for (std::int32_t i = 0; i < plan->buffer_count; ++i) offsets.push_back(plan->buffer_plan_entries[i].offset);
  return offsets;
}

template <std::size_t N>
std::vector<std::int32_t> offsets_of(const arenite::Plan<N>& plan) {
  std::vector<std::int32_t> offsets;
  for (std::size_t i = 0; i < N; ++i) offsets.push_back(static_cast<std::int32_t>(plan.offset(i)));
  return offsets;
}

TEST(EmittedBufferPlan, IsReadAsTheStruct) {
  EXPECT_EQ(offsets_of(chain_tflm_plan::kBufferPlan), offsets_of(chain_plan::kPlan));
  EXPECT_EQ(offsets_of(hostile_tflm_plan::kBufferPlan), offsets_of(hostile_plan::kPlan));
  EXPECT_EQ(offsets_of(one_tflm_plan::kBufferPlan), std::vector<std::int32_t>{0});
  EXPECT_TRUE(offsets_of(nothing_tflm_plan::kBufferPlan).empty());
  static_assert(chain_tflm_plan::kBytes == 320 && nothing_tflm_plan::kBytes == 0);
}

}  // namespace
