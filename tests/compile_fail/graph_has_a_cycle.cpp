// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: graph_has_a_cycle

#include <arenite/lifetimes.hpp>

constexpr arenite::Tensor kTensors[] = {{4}, {4}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Op kOps[] = {{{1}, {0}}, {{0}, {1}}};
#else
constexpr arenite::Op kOps[] = {{{}, {0}}, {{0}, {1}}};
#endif
constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {}, {});

int main() { return kGraph.status == arenite::Status::kOk ? 0 : 1; }
