// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (ignoring return(ed)? value .*|nodiscard)

#include <arenite/planner.hpp>

int main() {
  arenite::Planner<4> planner;
#ifdef ARENITE_COMPILE_FAIL
  planner.add({100, 0, 1});
#else
  if (planner.add({100, 0, 1}) != arenite::Status::kOk) return 1;
#endif
  return planner.plan().size() == 100 ? 0 : 1;
}
