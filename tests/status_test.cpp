// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/status.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

namespace {

using arenite::Status;
using arenite::to_string;

constexpr Status kAll[] = {
    Status::kOk,
    Status::kOutOfMemory,
    Status::kInvalidAlignment,
    Status::kSizeOverflow,
    Status::kNullMemory,
    Status::kTempOpen,
    Status::kNotOnTop,
    Status::kScopeOrder,
    Status::kMarkerOrder,
    Status::kMarkerAlien,
    Status::kLoaded,
    Status::kOtherMemory,
    Status::kInvalidLifetime,
    Status::kTooManyBuffers,
    Status::kOverlap,
    Status::kMisaligned,
    Status::kOutOfBounds,
    Status::kMismatch,
    Status::kContradiction,
    Status::kStale,
    Status::kReadBeforeWritten,
    Status::kWrittenTwice,
    Status::kConstantWritten,
    Status::kCycle,
    Status::kBadNesting,
    Status::kDamaged,
};

TEST(Status, IsOneByteAndZeroIsOk) {
  static_assert(sizeof(Status) == 1);
  static_assert(Status() == Status::kOk && static_cast<int>(Status::kOk) == 0);
}

TEST(Status, EachHasWordsOfItsOwn) {
  for (const Status a : kAll) {
    EXPECT_GT(std::strlen(to_string(a)), 0u);
    EXPECT_STRNE(to_string(a), "unknown status") << static_cast<int>(a);
    for (const Status b : kAll) {
      if (a == b) continue;
      EXPECT_STRNE(to_string(a), to_string(b));
    }
  }
}

TEST(Status, NoneIsForgotten) {
  // They are numbered without a gap, and the first number after them has no words.
  constexpr std::size_t kCount = sizeof(kAll) / sizeof(kAll[0]);
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(static_cast<std::size_t>(kAll[i]), i);
  EXPECT_STREQ(to_string(static_cast<Status>(kCount)), "unknown status");
  EXPECT_STREQ(to_string(static_cast<Status>(255)), "unknown status");
}

TEST(Status, WordsAreConstants) {
  constexpr const char* kWords = to_string(Status::kOutOfMemory);
  EXPECT_STREQ(kWords, "out of memory");
}

TEST(Failure, IsNothingByDefault) {
  constexpr arenite::Failure kNone;
  static_assert(kNone.what == Status::kOk && kNone.requested == 0 && kNone.alignment == 0);
  static_assert(kNone.available == 0 && kNone.missing == 0 && kNone.required == 0);
}

Status first_reason = Status::kOk;
Status second_reason = Status::kOk;

TEST(Panic, CallsTheHookThatIsSet) {
  const auto first = [](Status reason) noexcept { first_reason = reason; };
  const auto second = [](Status reason) noexcept { second_reason = reason; };

  EXPECT_EQ(arenite::set_panic_hook(first), nullptr) << "the default is null";
  arenite::detail::panic(Status::kScopeOrder);
  EXPECT_EQ(first_reason, Status::kScopeOrder);

  EXPECT_EQ(arenite::set_panic_hook(second), static_cast<arenite::PanicHook>(first)) << "the former one";
  arenite::detail::panic(Status::kMarkerAlien);
  EXPECT_EQ(first_reason, Status::kScopeOrder) << "no longer called";
  EXPECT_EQ(second_reason, Status::kMarkerAlien);

  EXPECT_EQ(arenite::set_panic_hook(nullptr), static_cast<arenite::PanicHook>(second));
  EXPECT_EQ(arenite::set_panic_hook(nullptr), nullptr);
}

}  // namespace
