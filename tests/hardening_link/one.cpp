// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "unit.hpp"

namespace {
arenite::Arena<256> arena;
}

int main() { return take(arena) != nullptr ? 0 : 1; }
