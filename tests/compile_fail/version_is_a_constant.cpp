// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (assignment of read-only variable|cannot assign to variable) '(arenite::)?(v[0-9_]+::)?kVersion'

#include <arenite/version.hpp>

int main() {
#ifdef ARENITE_COMPILE_FAIL
  arenite::kVersion = 1;
#endif
  return arenite::kVersion > 0 ? 0 : 1;
}
