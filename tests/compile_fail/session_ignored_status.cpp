// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: ignoring return(ed)? value

#include <arenite/session.hpp>

int main() {
  arenite::Arena<256> arena;
  arenite::Session<> session;
#ifdef ARENITE_COMPILE_FAIL
  session.unload();
#else
  (void)session.unload();
#endif
  return arena.used() == 0 ? 0 : 1;
}
