// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp with an observer that cares for nothing.

#include <arenite/arenite.hpp>

struct Nothing : arenite::Observer {};
#define OBSERVER Nothing
#include "arena_typical.cpp"
