// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of global_arena.cpp: bare bytes.

#include <cstdint>

extern unsigned char arena[16384];
alignas(16) unsigned char arena[16384];

int main() { return static_cast<int>(reinterpret_cast<std::uintptr_t>(&arena)); }
