// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What a session takes looks at the plan, which would be gone.
//
// expect: (use of|call to) deleted (member )?function '[^']*ready

#include <arenite/session.hpp>

constexpr arenite::Buffer kTensors[] = {{48, 0, 1}, {96, 1, 2}};
constexpr auto kPlan = arenite::plan(kTensors);

int main() {
#ifdef ARENITE_COMPILE_FAIL
  const auto ready = arenite::ready(arenite::plan(kTensors), kTensors);
#else
  const auto ready = arenite::ready(kPlan, kTensors);
#endif
  return ready.status() == arenite::Status::kOk ? 0 : 1;
}
