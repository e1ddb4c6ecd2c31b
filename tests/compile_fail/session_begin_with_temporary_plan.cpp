// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The session looks at the plan, which would be gone.
//
// expect: (use of|call to) deleted (member )?function '[^']*begin

#include <arenite/session.hpp>

constexpr arenite::Buffer kTensors[] = {{48, 0, 1}, {96, 1, 2}};
constexpr auto kPlan = arenite::plan(kTensors);
constexpr auto kReady = arenite::ready(kPlan, kTensors);

int main() {
  arenite::Arena<256> arena;
  arenite::ReadySession<> session;
  if (session.begin(arena, kReady) != arenite::Status::kOk) return 1;
#ifdef ARENITE_COMPILE_FAIL
  const arenite::Status status = session.begin(arena, arenite::ready(kPlan, kTensors));
#else
  const arenite::Status status = session.begin(arena, kReady);
#endif
  return status == arenite::Status::kStale ? 1 : 0;
}
