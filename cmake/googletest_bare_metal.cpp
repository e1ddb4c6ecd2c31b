// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What GoogleTest asks of an operating system even where it has no use for it: there are no folders here.

#include <cstddef>

extern "C" {

int mkdir(const char*, unsigned) { return -1; }
char* getcwd(char*, std::size_t) { return nullptr; }

}  // extern "C"
