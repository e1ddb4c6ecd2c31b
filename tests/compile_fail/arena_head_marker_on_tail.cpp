// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Each end has markers of its own type.
//
// expect: (cannot convert|no known conversion from|no viable conversion from) .*Marker<.*Marker<.*kTail

#include <arenite/arena.hpp>

int main() {
  arenite::Arena<64> arena;
  const auto marker = arena.head().mark();
#ifdef ARENITE_COMPILE_FAIL
  return arena.release(marker) == arenite::Status::kOk ? 0 : 1;
#else
  return arena.head().release(marker) == arenite::Status::kOk ? 0 : 1;
#endif
}
