// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "unit.hpp"

void* take() { return arena.allocate(16, 8); }
