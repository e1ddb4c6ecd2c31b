// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: planned buffers hold plain data: nothing constructs or destroys what lies there

#include <arenite/session.hpp>

struct Item {
#ifdef ARENITE_COMPILE_FAIL
  Item(const Item& other) : value(other.value) {}
#endif
  int value;
};

int main() {
  const arenite::Session<> session;
  return session.data<Item>(0) == nullptr ? 0 : 1;
}
