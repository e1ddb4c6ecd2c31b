// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <arenite/arena.hpp>

/// Defined in one unit, and used in the other. The name of the arena does not have its type in it.
extern arenite::Arena<256> arena;
void* take();
