// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The seed of the random tests: the same in every run, so that what passes today does not fail tomorrow by chance. Set
/// ARENITE_TEST_SEED to another number to see other cases, or to `random` for new ones in each run.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace arenite_test {

inline std::uint32_t seed_of_this_run() {
  static const std::uint32_t seed = [] {
    const char* const given = std::getenv("ARENITE_TEST_SEED");
    unsigned long result = given != nullptr ? std::strtoul(given, nullptr, 10) : 1;
#if defined(__unix__)
    if (given != nullptr && std::strcmp(given, "random") == 0) {
      result = static_cast<unsigned long>(std::time(nullptr)) & 0x7FFFFFFFu;
    }
#endif
    std::printf("ARENITE_TEST_SEED=%lu\n", result);
    return static_cast<std::uint32_t>(result);
  }();
  return seed;
}

}  // namespace arenite_test
