// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The same set-up, where the device works out the lifetimes from operators, too.

#include <arenite/session.hpp>

#include <cstddef>

#include "session_model.hpp"

namespace {

constexpr arenite::Tensor kTensors[] = {{27648}, {55296}, {18432}, {64}};
constexpr arenite::Op kOps[] = {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}};

arenite::Arena<96 * 1024> arena;
arenite::Session<> session;

}  // namespace

int main() {
  using namespace session_model;
  if (session.begin(arena, 5) != arenite::Status::kOk) return 1;
  OperatorData* const data = arena.create<OperatorData>();
  const arenite::Scratch columns = session.scratch(kColumns, 1);
  if (session.commit(arenite::Graph{kTensors, 4, kOps, 3, {0}, {3}}) != arenite::Status::kOk) return 1;
  return run(session, data, columns);
}
