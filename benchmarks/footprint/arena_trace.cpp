// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp with an observer that prints each event as a line.

#include <arenite/arenite.hpp>

// A serial line, say.
static volatile char line;
static void put(char c) { line = c; }
static void log(const arenite::Event& event) { arenite::print_event(put, event); }

#define OBSERVER arenite::Trace<log>
#include "arena_typical.cpp"
