// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: a fence is a power of two

#include <arenite/arena.hpp>

struct Fence : arenite::Observer {
#ifdef ARENITE_COMPILE_FAIL
  static constexpr std::size_t kFence = 12;
#else
  static constexpr std::size_t kFence = 16;
#endif
};

int main() {
  arenite::Arena<64, 16, Fence> arena;
  return arena.allocate(4, 4) == nullptr ? 1 : 0;
}
