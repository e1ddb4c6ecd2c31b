// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: an observer derives from Observer

#include <arenite/arena.hpp>

#ifdef ARENITE_COMPILE_FAIL
struct Base {
  static constexpr std::size_t kFence = 0;
};
#else
using Base = arenite::Observer;
#endif
struct Log : Base {
  void on(const arenite::Event&) noexcept {}
};

int main() {
  arenite::Arena<64, 16, Log> arena;
  return arena.allocate(4, 4) == nullptr ? 1 : 0;
}
