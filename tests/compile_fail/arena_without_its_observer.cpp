// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: an observer with members is given too

#include <arenite/arena.hpp>
#include <arenite/observers/recorder.hpp>

#include <cstddef>

int main() {
  static arenite::ArenaState state;
  static std::byte memory[64];
  arenite::Recorder<4> recorder;
#ifdef ARENITE_COMPILE_FAIL
  const arenite::BasicArenaRef<arenite::Recorder<4>> arena(state, memory, sizeof(memory));
#else
  const arenite::BasicArenaRef<arenite::Recorder<4>> arena(state, memory, sizeof(memory), recorder);
#endif
  return arena.used() == 0 && recorder.overlay().count == 0 ? 0 : 1;
}
