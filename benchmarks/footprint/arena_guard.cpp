// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp with an observer that puts fences around blocks and fills them, and looks at the fences.

#include <arenite/arenite.hpp>

#define OBSERVER arenite::Guard<>
#define AT_END \
  if (!arena.observer().check().ok()) return 1;
#include "arena_typical.cpp"
