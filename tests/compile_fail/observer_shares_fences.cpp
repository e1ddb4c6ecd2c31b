// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: these observers cannot share fences

#include <arenite/arena.hpp>
#include <arenite/observers/guard.hpp>
#include <arenite/observers/recorder.hpp>

#ifdef ARENITE_COMPILE_FAIL
using Watch = arenite::Observers<arenite::Guard<>, arenite::Fences>;
#else
using Watch = arenite::Observers<arenite::Recorder<>, arenite::Fences>;
#endif

int main() {
  arenite::Arena<256, 16, Watch> arena;
  return arena.used() == 0 ? 0 : 1;
}
