// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The set-up of a model with a plan made by the compiler: operator data, scratch by handle, the plan checked against
// both and put in its place. No planner is linked.

#include <arenite/session.hpp>

#include <cstddef>
#include <cstdint>

#include "session_model.hpp"

namespace {

constexpr auto kPlan = arenite::plan(session_model::kAll);

constexpr auto kReady = arenite::ready(kPlan, session_model::kBuffers);

arenite::Arena<kPlan.size() + 512> arena;
arenite::ReadySession<> session;

}  // namespace

int main() {
  using namespace session_model;
  if (session.begin(arena, kReady) != arenite::Status::kOk) return 1;
  OperatorData* const data = arena.create<OperatorData>();
  const arenite::Scratch columns = session.scratch(kColumns, 1);
  if (session.commit() != arenite::Status::kOk) return 1;
  return run(session, data, columns);
}
