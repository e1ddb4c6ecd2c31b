// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What the parts of the benchmark program share. A benchmark is named job/competitor/parameters: the table at the end
/// of a run has a row for each job and a column for each competitor.

#include <benchmark/benchmark.h>

/// Ends a benchmark that measures nothing of worth, as its result is wrong; the program then fails.
void fail(benchmark::State& state, const char* why);
