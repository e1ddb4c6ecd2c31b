// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Two sessions in one arena, called at random, against an obvious model of them: see session_model.hpp.

#include <arenite/session.hpp>

#include <gtest/gtest.h>

#include <cstddef>

#include "planning_oracle.hpp"
#include "session_model.hpp"

namespace {

using arenite::ReadySession;
using arenite::Session;
using planning::Random;
using session_model::kGuard;
using session_model::kMemory;

#if ARENITE_THOROUGH_TESTS
constexpr std::size_t kCalls = 1500000;
#elif defined(__unix__)
constexpr std::size_t kCalls = 60000;
#else
constexpr std::size_t kCalls = 6000;
#endif

template <class A, class B>
void play(bool small) {
  Random random;
  constexpr std::size_t kCallsOfAGame = 400;
  for (std::size_t calls = 0; calls < kCalls; calls += kCallsOfAGame) {
    const std::size_t offset = random.below(kGuard + 1);
    const std::size_t size = small ? random.below(random.below(3) == 0 ? 300 : 3000) : kMemory;
    session_model::Game<A, B, Random> game(random, offset, size);
    const char* what = nullptr;
    for (std::size_t i = 0; i < kCallsOfAGame && what == nullptr; ++i) what = game.step();
    ASSERT_EQ(what, nullptr) << what << ", seed " << random.seed() << ", game at call " << calls;
  }
}

TEST(RandomSessions, ThatPlanAtRunTime) { play<Session<>, Session<>>(false); }
TEST(RandomSessions, OfTwoStrategies) { play<Session<arenite::linear>, Session<>>(false); }
TEST(RandomSessions, OneWithAReadyPlan) { play<Session<>, ReadySession<>>(false); }
TEST(RandomSessions, BothWithReadyPlans) { play<ReadySession<>, ReadySession<>>(false); }
TEST(RandomSessions, InSmallArenas) {
  play<Session<>, Session<>>(true);
  play<ReadySession<>, Session<arenite::linear>>(true);
}

}  // namespace
