// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: this strategy can't plan around buffers that lie already

#include <arenite/planner.hpp>

// A strategy for plain lists, which would not keep to what is pinned.
struct Plain {
  static constexpr std::size_t scratch(std::size_t count) { return arenite::linear::scratch(count); }
#ifdef ARENITE_COMPILE_FAIL
  using List = const arenite::Buffer*;
#else
  using List = arenite::Around;
#endif
  static constexpr bool place(List list, std::size_t count, std::size_t* offsets, arenite::Index* scratch) {
    return arenite::linear::place(list, count, offsets, scratch);
  }
};
constexpr arenite::Buffer kBuffers[] = {{64, 0, 2}, {64, 1, 3}};
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(0, 0)};
constexpr auto kPlan = arenite::plan<Plain>(kBuffers, kConstraints);

int main() { return kPlan.size() == 128 ? 0 : 1; }
