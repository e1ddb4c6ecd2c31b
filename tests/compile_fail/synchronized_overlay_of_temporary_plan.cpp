// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of|call to|use) (a )?deleted (member )?function.*overlay

#include <arenite/adapters/synchronized.hpp>
#include <arenite/planner.hpp>

struct Lock {
  void lock() {}
  void unlock() {}
};

constexpr arenite::Buffer kBuffers[] = {{16, 0, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);

int main() {
  arenite::Synchronized<arenite::Arena<64>, Lock> arena;
#ifdef ARENITE_COMPILE_FAIL
  const auto view = arena.overlay(arenite::plan(kBuffers));
#else
  const auto view = arena.overlay(kPlan);
#endif
  return view ? 0 : 1;
}
