// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a buffer is named by an integer or an enumerator

#include <arenite/planner.hpp>

constexpr arenite::Buffer kBuffers[] = {{100, 0, 1, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);

int main() {
#ifdef ARENITE_COMPILE_FAIL
  return static_cast<int>(kPlan.offset(kBuffers));
#else
  return static_cast<int>(kPlan.offset(kBuffers[0].first));
#endif
}
