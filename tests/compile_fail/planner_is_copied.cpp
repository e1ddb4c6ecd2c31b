// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of deleted function|call to deleted constructor)

#include <arenite/planner.hpp>

int main() {
  arenite::Planner<4> planner;
#ifdef ARENITE_COMPILE_FAIL
  arenite::Planner<4> copy(planner);  // its plans would look into the original
#else
  arenite::Planner<4> copy;
#endif
  return planner.count() == copy.count() ? 0 : 1;
}
