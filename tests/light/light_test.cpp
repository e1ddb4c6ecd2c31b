// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Tests of the stand-in for GoogleTest, most of which must fail: CMakeLists.txt compares what is printed.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace {

struct Opaque {
  bool operator==(const Opaque&) const { return false; }
};

testing::AssertionResult no_result(bool success) {
  if (success) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no " << 4 << " of " << true;
}

TEST(Fails, Expectations) {
  EXPECT_EQ(1 + 1, 3);
  EXPECT_NE(7u, 7u) << "said";
  EXPECT_LT(-3, -3);
  EXPECT_LE(-2, -3);
  EXPECT_GT(2, 2);
  EXPECT_GE(2, 3);
  EXPECT_TRUE(false);
  EXPECT_FALSE(true);
  EXPECT_TRUE(no_result(false)) << "more";
  EXPECT_STREQ("abc", "abd");
  EXPECT_STRNE("abc", "abc");
  ADD_FAILURE() << "by " << std::string("hand");
  EXPECT_TRUE(HasFailure());
  EXPECT_FALSE(HasFatalFailure());
}

TEST(Fails, EqualStopsIt) {
  ASSERT_EQ(1, 2);
  ADD_FAILURE() << "unreachable";
}

TEST(Fails, TrueStopsIt) {
  ASSERT_TRUE(false);
  ADD_FAILURE() << "unreachable";
}

TEST(Fails, FailStopsIt) {
  FAIL() << 5;
  ADD_FAILURE() << "unreachable";
}

void fail() { EXPECT_TRUE(false); }

TEST(Fails, InAnotherFunction) {
  SCOPED_TRACE(testing::Message() << "outer " << 1);
  { SCOPED_TRACE("gone"); }
  SCOPED_TRACE(std::string("inner"));
  fail();
}

TEST(Fails, Values) {
  EXPECT_EQ(reinterpret_cast<const int*>(std::uintptr_t{64}), nullptr);
  EXPECT_EQ(std::numeric_limits<std::uint64_t>::max(), 0u);
  EXPECT_EQ(std::numeric_limits<std::int64_t>::min(), 0);
  EXPECT_EQ(static_cast<std::uint8_t>(255), static_cast<std::int8_t>(-1));
  EXPECT_EQ('a', 'b');
  EXPECT_EQ(std::string("text"), "other");
  EXPECT_EQ(Opaque(), Opaque());
  ADD_FAILURE() << std::string(2000, 'a');
}

class FailsInFixture : public testing::Test {
 protected:
  void SetUp() override { FAIL() << "set up"; }
  void TearDown() override { ADD_FAILURE() << "torn down"; }
};

TEST_F(FailsInFixture, SetUpStopsIt) { ADD_FAILURE() << "unreachable"; }

#if defined(__cpp_exceptions)
TEST(Fails, Throws) {
  EXPECT_THROW(static_cast<void>(0), std::logic_error);
  EXPECT_THROW(throw 1, std::logic_error);
  throw std::logic_error("not caught");
}
#endif

TEST(Skipped, IsSaid) {
  GTEST_SKIP() << "for a reason";
  ADD_FAILURE() << "unreachable";
}

TEST(Passes, Everything) {
  int evaluated = 0;
  EXPECT_EQ(++evaluated, 1) << "unreachable " << ++evaluated;
  EXPECT_EQ(evaluated, 1);
  if (evaluated == 2)
    EXPECT_TRUE(false);
  else
    EXPECT_TRUE(no_result(true));
  ASSERT_STREQ("abc", std::string("abc").c_str());
  EXPECT_STRNE("abc", nullptr);
#if defined(__cpp_exceptions)
  EXPECT_THROW(throw std::logic_error(""), std::exception);
#endif
  ASSERT_NE(&evaluated, nullptr);
}

}  // namespace
