// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A session knows the observer of its arena, or none.
//
// expect: no matching (member )?function for call to .*begin

#include <arenite/session.hpp>

struct Log : arenite::Observer {
  int events = 0;
};

int main() {
  arenite::Arena<256, 16, Log> arena;
#ifdef ARENITE_COMPILE_FAIL
  arenite::Session<> session;
#else
  arenite::Session<arenite::greedy, Log> session;
#endif
  return session.begin(arena, 2) == arenite::Status::kOk ? 0 : 1;
}
