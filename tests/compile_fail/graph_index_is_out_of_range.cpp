// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// expect: tensor_index_or_view_is_out_of_range

#include <arenite/lifetimes.hpp>

constexpr arenite::Tensor kTensors[] = {{4}, {4}};
#ifdef ARENITE_COMPILE_FAIL
constexpr arenite::Op kOps[] = {{{}, {2}}};
#else
constexpr arenite::Op kOps[] = {{{}, {1}}};
#endif
constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {}, {});

int main() { return kGraph.status == arenite::Status::kOk ? 0 : 1; }
