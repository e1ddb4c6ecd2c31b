// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

// A stand-in for GoogleTest: that part of it which our tests use, by the same names. CMake takes it where
// ARENITE_LIGHT_TESTS is on. The tests do not know the difference. What it is for:
//
// - RISC-V: Debian's toolchain has no C++ library, and GoogleTest needs streams, locales and more of one.
// - Small microcontrollers: version_test at -Os takes 15 KB of flash on RISC-V and 53 KB on a Cortex-M0, where newlib's
//   printf is most of it; with GoogleTest it takes 370 KB on a Cortex-M4.
// - Time: with g++ -O2, align_test compiles in 0.2 s instead of 1.9 s, session_test in 13 s instead of 30 s.
//
// What it leaves out: choosing tests by name, parameters, death tests, matchers, threads, reports in XML. Messages of
// more than kMostText characters are cut. It is for our tests and no one else's: nothing here is installed.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace testing {

class AssertionResult;

namespace light {

// A value as it is printed: few kinds, so that one function prints them all.
struct Value {
  enum class Kind { kUnknown, kSigned, kUnsigned, kBool, kCharacter, kPointer, kText };

  Kind kind = Kind::kUnknown;
  std::uint64_t bits = 0;  // the number, or the length of the text
  const char* text = nullptr;
};

template <class T, class = void>
inline constexpr bool kIsString = false;
template <class T>
inline constexpr bool
    kIsString<T, std::enable_if_t<std::is_convertible_v<decltype(std::declval<const T&>().data()), const char*> &&
                                  std::is_convertible_v<decltype(std::declval<const T&>().size()), std::size_t>>> =
        true;

Value value_of_text(const char* text);  // null is none

template <class T>
Value value_of(const T& value) {
  using Kind = Value::Kind;
  if constexpr (std::is_same_v<T, bool>) {
    return {Kind::kBool, value, nullptr};
  } else if constexpr (std::is_same_v<T, char>) {
    return {Kind::kCharacter, static_cast<unsigned char>(value), nullptr};
  } else if constexpr (std::is_integral_v<T>) {
    return {std::is_signed_v<T> ? Kind::kSigned : Kind::kUnsigned, static_cast<std::uint64_t>(value), nullptr};
  } else if constexpr (std::is_enum_v<T>) {
    return value_of(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_null_pointer_v<T>) {
    return {Kind::kPointer, 0, nullptr};
  } else if constexpr (std::is_pointer_v<T>) {
    return {Kind::kPointer, reinterpret_cast<std::uintptr_t>(value), nullptr};
  } else if constexpr (std::is_array_v<T> && std::is_same_v<std::remove_cv_t<std::remove_extent_t<T>>, char>) {
    return value_of_text(value);
  } else if constexpr (kIsString<T>) {
    return {Kind::kText, value.size(), value.data()};
  } else {
    return {};
  }
}

inline constexpr std::size_t kMostText = 1000;

// Text of limited length, on the stack.
class Text {
 public:
  void add(const Value& value);
  const char* c_str() const { return text_; }

  // So that it costs nothing where nothing is written, only the first character is.
  Text() { text_[0] = '\0'; }
  Text(const Text& other) { *this = other; }
  Text& operator=(const Text& other);

 private:
  void add(const char* text, std::size_t size);
  void add_number(std::uint64_t number, unsigned base);

  std::size_t size_ = 0;
  char text_[kMostText + sizeof "..."];
};

}  // namespace light

// What is streamed into it behind an assertion.
class Message {
 public:
  template <class T>
  Message& operator<<(const T& value) {
    text_.add(light::value_of(value));
    return *this;
  }
  Message& operator<<(const char* text) {
    text_.add(light::value_of_text(text));
    return *this;
  }
  Message& operator<<(const Message& other) { return *this << other.text_.c_str(); }

  const char* c_str() const { return text_.c_str(); }

 private:
  light::Text text_;
};

class AssertionResult {
 public:
  explicit AssertionResult(bool success) : success_(success) {}

  explicit operator bool() const { return success_; }
  const char* message() const { return message_.c_str(); }

  template <class T>
  AssertionResult& operator<<(const T& value) {
    message_ << value;
    return *this;
  }
  AssertionResult& operator<<(const char* text) {
    message_ << text;
    return *this;
  }

 private:
  bool success_;
  Message message_;
};

inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }

// What fixtures derive from.
class Test {
 public:
  Test() = default;
  Test(const Test&) = delete;
  Test& operator=(const Test&) = delete;

  virtual void SetUp() {}
  virtual void TearDown() {}

  // Of the test that runs.
  static bool HasFailure();
  static bool HasFatalFailure();
  static bool IsSkipped();

 protected:
  ~Test() = default;
};

namespace light {

// A test, as a part of the list of all.
struct Case {
  Case(const char* suite, const char* name, void (*run)());  // adds it to the list

  const char* suite;
  const char* name;
  void (*run)();
  const Case* next = nullptr;
};

template <class T>
void run() {
  T test;
  Test& base = test;
  base.SetUp();
  if (!Test::HasFatalFailure() && !Test::IsSkipped()) test.TestBody();
  base.TearDown();
}

class Trace {
 public:
  Trace(const char* file, int line, const Message& message);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

 private:
  friend void print_traces();

  const char* file_;
  int line_;
  Message message_;
  const Trace* outer_;
};

enum class Severity { kNonFatal, kFatal, kSkip };

// What did not hold. Assigned to, for two reasons: the message is complete by then, and `return` before it works.
struct Failure {
  const char* file;
  int line;
  const char* what;
  Severity severity;

  void operator=(const Message& message) const;
};

// Keeps the values of a comparison that did not hold for the Failure that follows.
void note(const Value& left, const Value& right);
void note(const char* text);

template <class A, class B>
bool eq(const A& a, const B& b) {
  if (a == b) return true;
  note(value_of(a), value_of(b));
  return false;
}
template <class A, class B>
bool ne(const A& a, const B& b) {
  if (a != b) return true;
  note(value_of(a), value_of(b));
  return false;
}
template <class A, class B>
bool lt(const A& a, const B& b) {
  if (a < b) return true;
  note(value_of(a), value_of(b));
  return false;
}
template <class A, class B>
bool le(const A& a, const B& b) {
  if (a <= b) return true;
  note(value_of(a), value_of(b));
  return false;
}
template <class A, class B>
bool gt(const A& a, const B& b) {
  if (a > b) return true;
  note(value_of(a), value_of(b));
  return false;
}
template <class A, class B>
bool ge(const A& a, const B& b) {
  if (a >= b) return true;
  note(value_of(a), value_of(b));
  return false;
}
bool streq(const char* a, const char* b);
bool strne(const char* a, const char* b);

template <class T>
bool is(const T& condition, bool expected) {
  return static_cast<bool>(condition) == expected;
}
inline bool is(bool condition, bool expected) { return condition == expected; }
bool is(const AssertionResult& condition, bool expected);

#if defined(__cpp_exceptions)
template <class E, class F>
bool throws(const F& statement) {
  try {
    statement();
    note("nothing was thrown");
  } catch (const E&) {
    return true;
  } catch (...) {
    note("something else was thrown");
  }
  return false;
}
#endif

}  // namespace light
}  // namespace testing

// The switch keeps an `if` around an assertion apart from its `else`.
#define ARENITE_LIGHT_CHECK_(condition, what, on_failure, severity)                                          \
  switch (0)                                                                                                 \
  case 0:                                                                                                    \
  default:                                                                                                   \
    if (condition)                                                                                           \
      ;                                                                                                      \
    else                                                                                                     \
      on_failure ::testing::light::Failure{__FILE__, __LINE__, what, ::testing::light::Severity::severity} = \
          ::testing::Message()
#define ARENITE_LIGHT_EXPECT_(condition, what) ARENITE_LIGHT_CHECK_(condition, what, , kNonFatal)
#define ARENITE_LIGHT_ASSERT_(condition, what) ARENITE_LIGHT_CHECK_(condition, what, return, kFatal)

#define EXPECT_TRUE(a) ARENITE_LIGHT_EXPECT_(::testing::light::is(a, true), #a)
#define EXPECT_FALSE(a) ARENITE_LIGHT_EXPECT_(::testing::light::is(a, false), "not " #a)
#define EXPECT_EQ(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::eq(a, b), #a " == " #b)
#define EXPECT_NE(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::ne(a, b), #a " != " #b)
#define EXPECT_LT(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::lt(a, b), #a " < " #b)
#define EXPECT_LE(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::le(a, b), #a " <= " #b)
#define EXPECT_GT(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::gt(a, b), #a " > " #b)
#define EXPECT_GE(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::ge(a, b), #a " >= " #b)
#define EXPECT_STREQ(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::streq(a, b), #a " and " #b ": the same text")
#define EXPECT_STRNE(a, b) ARENITE_LIGHT_EXPECT_(::testing::light::strne(a, b), #a " and " #b ": not the same text")

#define ASSERT_TRUE(a) ARENITE_LIGHT_ASSERT_(::testing::light::is(a, true), #a)
#define ASSERT_FALSE(a) ARENITE_LIGHT_ASSERT_(::testing::light::is(a, false), "not " #a)
#define ASSERT_EQ(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::eq(a, b), #a " == " #b)
#define ASSERT_NE(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::ne(a, b), #a " != " #b)
#define ASSERT_LT(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::lt(a, b), #a " < " #b)
#define ASSERT_LE(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::le(a, b), #a " <= " #b)
#define ASSERT_GT(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::gt(a, b), #a " > " #b)
#define ASSERT_GE(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::ge(a, b), #a " >= " #b)
#define ASSERT_STREQ(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::streq(a, b), #a " and " #b ": the same text")
#define ASSERT_STRNE(a, b) ARENITE_LIGHT_ASSERT_(::testing::light::strne(a, b), #a " and " #b ": not the same text")

#define ADD_FAILURE() ARENITE_LIGHT_CHECK_(false, "failed", , kNonFatal)
#define FAIL() ARENITE_LIGHT_CHECK_(false, "failed", return, kFatal)
#define GTEST_SKIP() ARENITE_LIGHT_CHECK_(false, "skipped", return, kSkip)

#if defined(__cpp_exceptions)
#define EXPECT_THROW(statement, type) \
  ARENITE_LIGHT_EXPECT_(::testing::light::throws<type>([&] { statement; }), #statement " throws " #type)
#endif

#define ARENITE_LIGHT_JOIN_2_(a, b) a##b
#define ARENITE_LIGHT_JOIN_(a, b) ARENITE_LIGHT_JOIN_2_(a, b)
#define SCOPED_TRACE(message)                                                                           \
  const ::testing::light::Trace ARENITE_LIGHT_JOIN_(arenite_light_trace_, __LINE__)(__FILE__, __LINE__, \
                                                                                    ::testing::Message() << (message))

#define ARENITE_LIGHT_TEST_(suite, name, fixture)                                                                    \
  class suite##_##name##_Test : public fixture {                                                                     \
   public:                                                                                                           \
    void TestBody();                                                                                                 \
  };                                                                                                                 \
  static ::testing::light::Case suite##_##name##_case(#suite, #name, &::testing::light::run<suite##_##name##_Test>); \
  void suite##_##name##_Test::TestBody()

#define TEST(suite, name) ARENITE_LIGHT_TEST_(suite, name, ::testing::Test)
#define TEST_F(fixture, name) ARENITE_LIGHT_TEST_(fixture, name, fixture)
