// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: an observer derives from Observer

#include <arenite/arena.hpp>

#ifdef ARENITE_COMPILE_FAIL
struct Log {};
#else
struct Log : arenite::Observer {};
#endif
struct Other : arenite::Observer {};

int main() {
  arenite::Arena<64, 16, arenite::Observers<Other, Log>> arena;
  return arena.allocate(4, 4) == nullptr ? 1 : 0;
}
