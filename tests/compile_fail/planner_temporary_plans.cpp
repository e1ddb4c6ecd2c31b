// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The plan looks into the planner, which would be gone.
//
// expect: (as 'this' argument discards qualifiers|'this' argument to member function 'plan' is an rvalue)

#include <arenite/planner.hpp>

int main() {
#ifdef ARENITE_COMPILE_FAIL
  return arenite::Planner<4>().plan().size() == 0 ? 0 : 1;
#else
  arenite::Planner<4> planner;
  return planner.plan().size() == 0 ? 0 : 1;
#endif
}
