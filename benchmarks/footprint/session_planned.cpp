// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The same set-up, planned on the device: the planner works in the arena's temp region.

#include <arenite/session.hpp>

#include <cstddef>

#include "session_model.hpp"

namespace {

arenite::Arena<96 * 1024> arena;
arenite::Session<> session;

}  // namespace

int main() {
  using namespace session_model;
  if (session.begin(arena, 5) != arenite::Status::kOk) return 1;
  OperatorData* const data = arena.create<OperatorData>();
  const arenite::Scratch columns = session.scratch(kColumns, 1);
  if (session.commit(kBuffers) != arenite::Status::kOk) return 1;
  return run(session, data, columns);
}
