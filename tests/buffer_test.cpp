// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/buffer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::overlap_in_time;
using arenite::Step;
using arenite::with_alignment;

static_assert(std::is_aggregate_v<Buffer> && std::is_trivially_copyable_v<Buffer>);
static_assert(std::is_standard_layout_v<Buffer>);
#if SIZE_MAX > 0xFFFFFFFF
static_assert(sizeof(Step) == 4 && sizeof(Buffer) == 24);
static_assert(arenite::kMaxBuffers == 4294967294);
#else
static_assert(sizeof(Step) == 2 && sizeof(Buffer) == 12);
static_assert(arenite::kMaxBuffers == 65534);
#endif
static_assert(std::is_same_v<Step, Index> && std::is_unsigned_v<Step>);
static_assert(arenite::kNoIndex == std::numeric_limits<Index>::max());
static_assert(arenite::kMaxBuffers + 1 == arenite::kNoIndex);

TEST(Buffer, IsEmptyAndAlignedBy16WhereNothingIsSaid) {
  constexpr Buffer kBuffer;
  static_assert(kBuffer.size == 0 && kBuffer.first == 0 && kBuffer.last == 0 && kBuffer.alignment == 16);
  constexpr Buffer kSize{100};
  static_assert(kSize.size == 100 && kSize.first == 0 && kSize.last == 0 && kSize.alignment == 16);
  constexpr Buffer kLifetime{100, 3, 7};
  static_assert(kLifetime.first == 3 && kLifetime.last == 7 && kLifetime.alignment == 16);
  constexpr Buffer kAll{100, 3, 7, 4};
  static_assert(kAll.alignment == 4);
}

// A table of buffers that is filled later belongs into .bss.
TEST(Buffer, IsAllZeroBitsByDefault) {
  static const std::array<Buffer, 3> buffers;
  static const unsigned char zeros[sizeof(buffers)] = {};
  EXPECT_EQ(std::memcmp(&buffers, zeros, sizeof(buffers)), 0);
}

TEST(Buffer, OverlapsInTimeWhereAStepIsShared) {
  static_assert(overlap_in_time({1, 0, 1}, {1, 1, 2}), "both ends are inclusive");
  static_assert(!overlap_in_time({1, 0, 1}, {1, 2, 3}));
  static_assert(overlap_in_time({1, 0, 9}, {1, 4, 5}) && overlap_in_time({1, 4, 5}, {1, 0, 9}));
  constexpr Step kLast = std::numeric_limits<Step>::max();
  static_assert(overlap_in_time({1, kLast, kLast}, {1, 0, kLast}));
  static_assert(!overlap_in_time({1, kLast, kLast}, {1, 0, kLast - 1}));

  constexpr Step kEnd = 6;
  for (Step a = 0; a < kEnd; ++a) {
    for (Step b = a; b < kEnd; ++b) {
      for (Step c = 0; c < kEnd; ++c) {
        for (Step d = c; d < kEnd; ++d) {
          bool shared = false;
          for (Step step = 0; step < kEnd; ++step) shared |= a <= step && step <= b && c <= step && step <= d;
          ASSERT_EQ(overlap_in_time({1, a, b}, {1, c, d}), shared) << a << b << c << d;
        }
      }
    }
  }
}

TEST(Buffer, TakeACommonAlignment) {
  constexpr Buffer kBuffers[] = {{3, 0, 1}, {5, 1, 2, 64}, {0, 4, 7, 1}};
  constexpr std::array<Buffer, 3> kByFour = with_alignment(kBuffers, 4);
  static_assert(kByFour[0].alignment == 4 && kByFour[1].alignment == 4 && kByFour[2].alignment == 4);
  static_assert(kByFour[0].size == 3 && kByFour[1].size == 5 && kByFour[2].size == 0);
  static_assert(kByFour[1].first == 1 && kByFour[1].last == 2 && kByFour[2].first == 4 && kByFour[2].last == 7);

  constexpr std::array<Buffer, 3> kByOne = with_alignment(kByFour, 1);
  static_assert(kByOne[0].alignment == 1 && kByOne[2].alignment == 1 && kByOne[1].size == 5);
  static_assert(kByFour[0].alignment == 4, "the list given stays as it is");

  static_assert(!with_alignment(kBuffers, 3)[1].alignment.valid(), "refused by whoever uses it");
  static_assert(with_alignment(std::array<Buffer, 0>{}, 8).empty());
}

// The same of lists that the compiler does not see through.
TEST(Buffer, TakeACommonAlignmentAtRunTime) {
  Buffer buffers[] = {{3, 0, 1}, {5, 1, 2, 64}, {0, 4, 7, 1}};
  buffers[0].size = 4;
  const std::array<Buffer, 3> by_four = with_alignment(buffers, 4);
  const Buffer expected[] = {{4, 0, 1, 4}, {5, 1, 2, 4}, {0, 4, 7, 4}};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(by_four[i], expected[i]) << i;
  EXPECT_EQ(buffers[1].alignment, 64u) << "the list given stays as it is";
  EXPECT_EQ(with_alignment(by_four, 32)[2], (Buffer{0, 4, 7, 32}));
}

TEST(Buffer, AreTheSameIfAllIsTheSame) {
  const Buffer buffer{3, 1, 2, 8};
  EXPECT_TRUE(buffer == (Buffer{3, 1, 2, 8}));
  EXPECT_FALSE(buffer != (Buffer{3, 1, 2, 8}));
  for (const Buffer& other : {Buffer{4, 1, 2, 8}, Buffer{3, 0, 2, 8}, Buffer{3, 1, 3, 8}, Buffer{3, 1, 2, 4}}) {
    EXPECT_FALSE(buffer == other);
    EXPECT_TRUE(buffer != other);
  }
}

// An index that a list cannot have is none of its buffers, whatever its type.
TEST(Index, OfAnyTypeIsTheSameOrHuge) {
  constexpr auto kMost = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(arenite::detail::to_index(7), 7u);
  EXPECT_EQ(arenite::detail::to_index(-1), kMost);
  EXPECT_EQ(arenite::detail::to_index(std::uint64_t{7}), 7u);
  const std::uint64_t wide = std::uint64_t{1} << 32;
  EXPECT_EQ(arenite::detail::to_index(wide), sizeof(std::size_t) > 4 ? static_cast<std::size_t>(wide) : kMost);
  EXPECT_EQ(arenite::detail::to_index(wide + 1), sizeof(std::size_t) > 4 ? static_cast<std::size_t>(wide + 1) : kMost);
}

}  // namespace
