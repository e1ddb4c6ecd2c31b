// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/align.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace {

using arenite::add_saturated;
using arenite::align_up;
using arenite::Alignment;
using arenite::is_power_of_two;
using arenite::kMaxSize;
using arenite::multiply_saturated;
using arenite::padding_up;

constexpr std::size_t kSizeMax = std::numeric_limits<std::size_t>::max();
constexpr std::uintptr_t kAddressMax = std::numeric_limits<std::uintptr_t>::max();
constexpr std::size_t kTop = kMaxSize + 1;  // the largest power of two

static_assert(kMaxSize == static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()));

TEST(Align, PowersOfTwo) {
  static_assert(is_power_of_two(1) && is_power_of_two(16) && is_power_of_two(kTop));
  static_assert(!is_power_of_two(0) && !is_power_of_two(6) && !is_power_of_two(24) && !is_power_of_two(kSizeMax));
  for (std::size_t value = 0; value < 5000; ++value) {
    unsigned ones = 0;
    for (std::size_t bits = value; bits != 0; bits /= 2) ones += bits % 2;
    ASSERT_EQ(is_power_of_two(value), ones == 1) << value;
  }
  for (std::size_t power = 4; power != 0; power *= 2) {
    EXPECT_TRUE(is_power_of_two(power));
    EXPECT_FALSE(is_power_of_two(power - 1));
    EXPECT_FALSE(is_power_of_two(power + 1));
    EXPECT_FALSE(is_power_of_two(power + power / 2));
  }
}

TEST(Align, RoundingInASmallRange) {
  static_assert(align_up(13, 8) == 16 && padding_up(13, 8) == 3);
  for (std::size_t alignment = 1; alignment <= 256; alignment *= 2) {
    std::size_t multiple = 0;  // the last one that was passed
    for (std::size_t value = 0; value <= 600; ++value) {
      if (value % alignment == 0) multiple = value;
      const std::size_t next = multiple == value ? value : multiple + alignment;
      ASSERT_EQ(align_up(value, alignment), next) << value << ", " << alignment;
      ASSERT_EQ(padding_up(value, alignment), next - value) << value << ", " << alignment;
    }
  }
}

TEST(Align, RoundingAtTheEndOfTheAddressSpace) {
  // The next multiple may be the one past the last address: its distance is still right.
  static_assert(padding_up(kAddressMax, 1) == 0);
  static_assert(padding_up(kAddressMax, 16) == 1);
  static_assert(padding_up(kAddressMax - 3, 16) == 4);
  static_assert(padding_up(kAddressMax - 15, 16) == 0);
  static_assert(padding_up(kTop, kTop) == 0 && padding_up(kTop + 1, kTop) == kTop - 1);
  static_assert(padding_up(1, kTop) == kTop - 1 && padding_up(0, kTop) == 0);

  static_assert(align_up(kMaxSize, 1) == kMaxSize);
  static_assert(align_up(kMaxSize, 16) == kTop);
  static_assert(align_up(kMaxSize, kTop) == kTop && align_up(1, kTop) == kTop && align_up(0, kTop) == 0);
}

TEST(Align, SumsSaturate) {
  static_assert(add_saturated(0, 0) == 0);
  static_assert(add_saturated(2, 3) == 5);
  static_assert(add_saturated(kSizeMax, 0) == kSizeMax && add_saturated(0, kSizeMax) == kSizeMax);
  static_assert(add_saturated(kSizeMax - 1, 1) == kSizeMax);
  static_assert(add_saturated(kSizeMax, 1) == kSizeMax && add_saturated(1, kSizeMax) == kSizeMax);
  static_assert(add_saturated(kTop, kTop) == kSizeMax);
  static_assert(add_saturated(kTop, kTop - 1) == kSizeMax);
  static_assert(add_saturated(kSizeMax, kSizeMax) == kSizeMax);
  static_assert(add_saturated(kMaxSize, kMaxSize) == kSizeMax - 1);
}

TEST(Align, ProductsSaturate) {
  static_assert(multiply_saturated(6, 7) == 42);
  static_assert(multiply_saturated(0, kSizeMax) == 0 && multiply_saturated(kSizeMax, 0) == 0);
  static_assert(multiply_saturated(1, kSizeMax) == kSizeMax && multiply_saturated(kSizeMax, 1) == kSizeMax);
  static_assert(multiply_saturated(kMaxSize, 2) == kSizeMax - 1);
  static_assert(multiply_saturated(kTop, 2) == kSizeMax && multiply_saturated(2, kTop) == kSizeMax);
  static_assert(multiply_saturated(kSizeMax / 3, 3) == kSizeMax / 3 * 3);
  static_assert(multiply_saturated(kSizeMax / 3 + 1, 3) == kSizeMax);
  static_assert(multiply_saturated(kSizeMax, kSizeMax) == kSizeMax);

  // A shape of 65536 x 65536 floats: never zero bytes.
  constexpr std::size_t kShape = multiply_saturated(multiply_saturated(65536, 65536), 4);
#if SIZE_MAX > 0xFFFFFFFF
  static_assert(kShape == 17179869184);
#else
  static_assert(kShape == kSizeMax);
#endif
}

// In a constant expression there is always memory, so that what asks for it compiles with every compiler.
TEST(Align, NoMemoryIsSeenAtRunTimeOnly) {
  static_assert(!arenite::detail::is_null(nullptr));
  const void* volatile none = nullptr;
  const int one = 1;
  EXPECT_TRUE(arenite::detail::is_null(none));
  EXPECT_FALSE(arenite::detail::is_null(&one));
}

TEST(Alignment, HoldsEveryPowerOfTwo) {
  unsigned powers = 0;
  for (std::size_t bytes = 1; bytes != 0; bytes *= 2) {
    const Alignment alignment = bytes;
    EXPECT_TRUE(alignment.valid()) << bytes;
    EXPECT_EQ(alignment.bytes(), bytes);
    EXPECT_EQ(alignment.mask(), bytes - 1);
    EXPECT_EQ(alignment.log2(), powers);
    ++powers;
  }
  EXPECT_EQ(powers, static_cast<unsigned>(std::numeric_limits<std::size_t>::digits));
}

TEST(Alignment, RemembersThatItIsInvalid) {
  static_assert(!Alignment(0).valid() && Alignment(0).bytes() == 0);
  static_assert(!Alignment(kSizeMax).valid() && Alignment(kSizeMax).bytes() == 0);
  for (std::size_t bytes = 0; bytes < 2000; ++bytes) {
    const Alignment alignment = bytes;
    ASSERT_EQ(alignment.valid(), is_power_of_two(bytes)) << bytes;
    ASSERT_EQ(alignment.bytes(), is_power_of_two(bytes) ? bytes : 0) << bytes;
  }
  EXPECT_FALSE(Alignment(kTop + 1).valid());
  EXPECT_FALSE(Alignment(kTop + kTop / 2).valid());
}

TEST(Alignment, IsSixteenWhereNoneIsGiven) {
  static_assert(arenite::kDefaultAlignment == 16);
  static_assert(Alignment() == Alignment(16) && Alignment().bytes() == 16 && Alignment().mask() == 15);
}

TEST(Alignment, IsOneByteWhoseDefaultIsZero) {
  static_assert(sizeof(Alignment) == 1 && alignof(Alignment) == 1);
  static_assert(std::is_trivially_copyable_v<Alignment>);
  static const Alignment alignment;
  unsigned char byte = 0xFF;
  std::memcpy(&byte, &alignment, 1);
  EXPECT_EQ(byte, 0);
}

TEST(Alignment, ComparesByBytes) {
  static_assert(Alignment(8) == Alignment(8) && !(Alignment(8) != Alignment(8)));
  static_assert(Alignment(8) != Alignment(16) && !(Alignment(8) == Alignment(16)));
  static_assert(Alignment(1) != Alignment(0));
  static_assert(Alignment(0) == Alignment(3), "neither is an alignment");
  static_assert(Alignment(32) == 32 && 32 == Alignment(32));
}

// The compiler does most of these; here the machine does.
TEST(Alignment, ComparesAtRunTimeAsTheCompilerDoes) {
  for (std::size_t a = 0; a <= 64; ++a) {
    for (std::size_t b = 0; b <= 64; ++b) {
      const bool same = is_power_of_two(a) || is_power_of_two(b) ? a == b : true;
      ASSERT_EQ(Alignment(a) == Alignment(b), same) << a << ' ' << b;
      ASSERT_EQ(Alignment(a) != Alignment(b), !same) << a << ' ' << b;
    }
  }
}

TEST(Align, AProductWithNothingIsNothing) {
  for (const std::size_t a : {std::size_t{0}, std::size_t{1}, kMaxSize, kSizeMax}) {
    EXPECT_EQ(multiply_saturated(a, 0), 0u) << a;
    EXPECT_EQ(multiply_saturated(0, a), 0u) << a;
  }
}

}  // namespace
