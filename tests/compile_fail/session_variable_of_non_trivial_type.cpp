// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a variable is plain data: it is set byte by byte

#include <arenite/session.hpp>

struct Item {
#ifdef ARENITE_COMPILE_FAIL
  ~Item() { value = 0; }
#endif
  int value;
};

int main() {
  arenite::Session<> session;
  return session.variable<Item>() == nullptr ? 0 : 1;
}
