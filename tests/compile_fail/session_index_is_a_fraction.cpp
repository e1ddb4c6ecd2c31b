// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a buffer is named by an integer or an enumerator

#include <arenite/session.hpp>

int main() {
  const arenite::Session<> session;
#ifdef ARENITE_COMPILE_FAIL
  return static_cast<int>(session.size(1.5));
#else
  return static_cast<int>(session.size(1));
#endif
}
