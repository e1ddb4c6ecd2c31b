// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp at hardening level off: preconditions are trusted, and nothing panics.

#define ARENITE_HARDENING ARENITE_HARDENING_OFF
#include "arena_typical.cpp"
