// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: ARENITE_HARDENING is ARENITE_HARDENING_OFF, ARENITE_HARDENING_STANDARD or ARENITE_HARDENING_DEBUG

#ifdef ARENITE_COMPILE_FAIL
#define ARENITE_HARDENING 1
#else
#define ARENITE_HARDENING ARENITE_HARDENING_DEBUG
#endif
#include <arenite/version.hpp>

int main() { return arenite::kHardening == arenite::Hardening::kDebug ? 0 : 1; }
