// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The part of the stand-in for GoogleTest that is compiled once: the list of tests, main(), and all that prints. The
// program's exit code is 0 only if at least one test ran, and none failed.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "gtest/gtest.h"

namespace testing {
namespace light {
namespace {

const Case* first_case;
const Case** end_of_cases = &first_case;

// Of the test that runs.
bool failed;
bool failed_fatally;
bool skipped;

const Trace* innermost_trace;
Text noted;

}  // namespace

// --- text ------------------------------------------------------------------------------------------------------------

Value value_of_text(const char* text) { return {Value::Kind::kText, text != nullptr ? std::strlen(text) : 0, text}; }

Text& Text::operator=(const Text& other) {
  size_ = other.size_;
  std::memcpy(text_, other.text_, std::strlen(other.text_) + 1);
  return *this;
}

void Text::add(const char* text, std::size_t size) {
  const std::size_t room = kMostText - size_;
  if (size > room) size = room;
  if (size != 0) std::memcpy(text_ + size_, text, size);
  size_ += size;
  if (size_ == kMostText) {
    std::memcpy(text_ + size_, "...", sizeof "...");
  } else {
    text_[size_] = '\0';
  }
}

void Text::add_number(std::uint64_t number, unsigned base) {
  char digits[20];
  std::size_t at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  add(digits + at, sizeof digits - at);
}

void Text::add(const Value& value) {
  using Kind = Value::Kind;
  switch (value.kind) {
    case Kind::kUnknown:
      add("(a value that is not printed)", 29);
      break;
    case Kind::kSigned:
      if (value.bits >> 63 != 0) {
        add("-", 1);
        add_number(0 - value.bits, 10);
      } else {
        add_number(value.bits, 10);
      }
      break;
    case Kind::kUnsigned:
      add_number(value.bits, 10);
      break;
    case Kind::kBool:
      value.bits != 0 ? add("true", 4) : add("false", 5);
      break;
    case Kind::kCharacter: {
      const char c = static_cast<char>(value.bits);
      add(&c, 1);
      break;
    }
    case Kind::kPointer:
      add("0x", 2);
      add_number(value.bits, 16);
      break;
    case Kind::kText:
      value.text != nullptr ? add(value.text, static_cast<std::size_t>(value.bits)) : add("(null)", 6);
  }
}

// --- assertions ------------------------------------------------------------------------------------------------------

namespace {

// In a comparison a character is a number like others.
Value as_number(Value value) {
  if (value.kind == Value::Kind::kCharacter) value.kind = Value::Kind::kUnsigned;
  return value;
}

bool same(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::strcmp(a, b) == 0;
}

}  // namespace

void note(const Value& left, const Value& right) {
  noted = Text();
  noted.add(as_number(left));
  noted.add(value_of_text(" and "));
  noted.add(as_number(right));
}

void note(const char* text) {
  noted = Text();
  noted.add(value_of_text(text));
}

bool streq(const char* a, const char* b) {
  if (same(a, b)) return true;
  note(value_of_text(a), value_of_text(b));
  return false;
}

bool strne(const char* a, const char* b) {
  if (!same(a, b)) return true;
  note(value_of_text(a), value_of_text(b));
  return false;
}

bool is(const AssertionResult& condition, bool expected) {
  if (static_cast<bool>(condition) == expected) return true;
  note(condition.message());
  return false;
}

Trace::Trace(const char* file, int line, const Message& message)
    : file_(file), line_(line), message_(message), outer_(innermost_trace) {
  innermost_trace = this;
}

Trace::~Trace() { innermost_trace = outer_; }

void print_traces() {
  for (const Trace* trace = innermost_trace; trace != nullptr; trace = trace->outer_) {
    std::printf("  in %s:%d: %s\n", trace->file_, trace->line_, trace->message_.c_str());
  }
}

void Failure::operator=(const Message& message) const {
  const char* const result = severity == Severity::kSkip ? "skipped" : "failed";
  std::printf("%s:%d: %s: %s\n", file, line, result, what);
  if (noted.c_str()[0] != '\0') std::printf("  %s\n", noted.c_str());
  if (message.c_str()[0] != '\0') std::printf("  %s\n", message.c_str());
  noted = Text();

  if (severity == Severity::kSkip) {
    skipped = true;
    return;
  }
  print_traces();
  failed = true;
  if (severity == Severity::kFatal) failed_fatally = true;
}

// --- tests -----------------------------------------------------------------------------------------------------------

Case::Case(const char* its_suite, const char* its_name, void (*its_run)())
    : suite(its_suite), name(its_name), run(its_run) {
  *end_of_cases = this;
  end_of_cases = &next;
}

namespace {

void run_case(const Case& test) {
  failed = failed_fatally = skipped = false;
#if defined(__cpp_exceptions)
  try {
    test.run();
  } catch (...) {
    std::printf("%s.%s: failed: an exception was not caught\n", test.suite, test.name);
    failed = true;
  }
#else
  test.run();
#endif
}

int run_all() {
  unsigned count = 0;
  unsigned count_skipped = 0;
  unsigned count_failed = 0;
  for (const Case* test = first_case; test != nullptr; test = test->next) {
    std::printf("%s.%s\n", test->suite, test->name);
    std::fflush(stdout);  // whatever the test does to the program
    run_case(*test);
    ++count;
    if (failed) {
      ++count_failed;
      std::printf("%s.%s failed\n", test->suite, test->name);
    } else if (skipped) {
      ++count_skipped;
    }
  }
  std::printf("%u tests: %u passed, %u skipped, %u failed\n", count, count - count_skipped - count_failed,
              count_skipped, count_failed);
  return count > count_skipped && count_failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace light

bool Test::HasFailure() { return light::failed; }
bool Test::HasFatalFailure() { return light::failed_fatally; }
bool Test::IsSkipped() { return light::skipped; }

}  // namespace testing

int main() { return testing::light::run_all(); }
