// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <arenite/arena.hpp>

/// Defined in one unit, and used in the other: an arena, or one in a type of the user's, which hides it from the
/// linker.
#if defined(SHARED_BY_NAME)
extern arenite::Arena<256> arena;
#elif defined(SHARED_HIDDEN)
struct Device {
  arenite::Arena<256> memory;
};
extern Device device;
static arenite::Arena<256>& arena = device.memory;
#endif
void* take();
