// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp with an observer that counts blocks and bytes for each kind, and prints the table.

#include <arenite/arenite.hpp>

// A serial line, say.
static volatile char line;
static void put(char c) { line = c; }

#define OBSERVER arenite::Recorder<>
#define AT_END arenite::print_record(put, arena.observer());
#include "arena_typical.cpp"
