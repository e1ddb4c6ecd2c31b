// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: the observer is the second

#include <arenite/session.hpp>

struct Log : arenite::Observer {};

int main() {
#ifdef ARENITE_COMPILE_FAIL
  arenite::Session<Log> session;
#else
  arenite::Session<arenite::greedy, Log> session;
#endif
  return session ? 1 : 0;
}
