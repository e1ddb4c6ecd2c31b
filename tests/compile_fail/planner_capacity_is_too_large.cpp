// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: more buffers than an Index can count

#include <arenite/planner.hpp>

#ifdef ARENITE_COMPILE_FAIL
constexpr std::size_t kCapacity = arenite::kMaxBuffers + 1;
#else
constexpr std::size_t kCapacity = arenite::kMaxBuffers;
#endif

int main() { return arenite::Planner<kCapacity>::capacity() == kCapacity ? 0 : 1; }
