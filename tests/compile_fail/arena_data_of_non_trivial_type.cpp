// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: planned buffers hold plain data: nothing constructs or destroys what lies there

#include <arenite/arena.hpp>
#include <arenite/planner.hpp>

struct Item {
#ifdef ARENITE_COMPILE_FAIL
  Item(const Item& other) : value(other.value) {}
#endif
  int value;
};

constexpr arenite::Buffer kBuffers[] = {{16, 0, 0}};
constexpr auto kPlan = arenite::plan(kBuffers);

int main() {
  arenite::Arena<64> arena;
  return arena.overlay(kPlan).data<Item>(0) != nullptr ? 0 : 1;
}
