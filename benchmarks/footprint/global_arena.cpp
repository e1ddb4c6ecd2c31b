// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// An arena that nobody uses: it costs its RAM, and nothing else.

#include <arenite/arena.hpp>

#include <cstdint>

extern arenite::Arena<16384> arena;
arenite::Arena<16384> arena;

// Its address is asked for, or the linker would drop it.
int main() { return static_cast<int>(reinterpret_cast<std::uintptr_t>(&arena)); }
