// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a plan is verified against the list that it was made for

#include <arenite/planner.hpp>

#include <array>

constexpr auto kPlan = arenite::plan(std::array<arenite::Buffer, 0>{});

int main() {
#ifdef ARENITE_COMPILE_FAIL
  constexpr arenite::Buffer kOther[] = {{100, 0, 1, 1}};
  return kPlan.verify(kOther).ok() ? 0 : 1;
#else
  return kPlan.verify(std::array<arenite::Buffer, 0>{}).ok() ? 0 : 1;
#endif
}
