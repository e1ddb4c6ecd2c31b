// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp and the map of its plan, as text.

#include <arenite/arenite.hpp>

// A serial line, say.
static volatile char line;
static void put(char c) { line = c; }

#define AT_END arenite::print_map(put, kPlan, kBuffers);
#include "arena_typical.cpp"
