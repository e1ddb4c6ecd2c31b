// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What the fuzz targets share: a fuzzer's bytes as numbers, a check that is there in every build, and the count of
/// calls, which is printed at the end.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace fuzz {

/// The calls of the library that were made, of one kind: printed as `arena: 1234567 calls` when the program ends.
class Calls {
 public:
  explicit Calls(const char* name) : name_(name) {}
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() { std::fprintf(stderr, "%s: %llu calls\n", name_, count_); }

  void add(std::size_t count = 1) { count_ += count; }

 private:
  const char* name_;
  unsigned long long count_ = 0;
};

/// Ends the program if `what` says that something is wrong.
inline void expect_nothing(const char* what) {
  if (what == nullptr) return;
  std::fprintf(stderr, "Wrong: %s\n", what);
  std::abort();
}
inline void expect(bool good, const char* what) { expect_nothing(good ? nullptr : what); }

/// Numbers out of a fuzzer's bytes, with the calls of `planning::Random`. Zero when there are no more bytes.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  [[nodiscard]] bool empty() { return bytes_.remaining_bytes() == 0; }

  /// From 0 to `end` - 1; `end` is above zero.
  std::uint32_t below(std::size_t end) {
    return bytes_.ConsumeIntegralInRange<std::uint32_t>(0, static_cast<std::uint32_t>(end - 1));
  }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + below(std::size_t{most} - least + 1);
  }

  /// From 0 to `most`, small numbers as often as large ones.
  std::uint32_t any_length(std::uint32_t most) {
    return below(below(2) == 0 ? std::min<std::size_t>(most, 3) + 1 : std::size_t{most} + 1);
  }

  /// Any number at all, often near a power of two.
  std::size_t any_size() {
    if (below(2) == 0) return bytes_.ConsumeIntegral<std::size_t>();
    return (std::size_t{1} << below(64)) + below(5) - 2;
  }

 private:
  FuzzedDataProvider bytes_;
};

}  // namespace fuzz
