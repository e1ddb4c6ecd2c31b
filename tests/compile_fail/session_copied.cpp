// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: (use of|call to) (implicitly-)?deleted (function|copy constructor).*Session

#include <arenite/session.hpp>

int main() {
  arenite::Session<> session;
#ifdef ARENITE_COMPILE_FAIL
  arenite::Session<> other = session;
#else
  const arenite::Session<>& other = session;
#endif
  return other ? 1 : 0;
}
