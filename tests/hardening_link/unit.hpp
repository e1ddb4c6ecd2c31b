// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <arenite/arena.hpp>

/// Defined in one unit, and called in the other.
void* take(arenite::ArenaRef arena);
