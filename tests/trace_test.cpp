// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The text of a trace, line by line.

#include <arenite/arena.hpp>
#include <arenite/observers/trace.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace {

using arenite::Arena;
using arenite::ArenaState;
using arenite::BasicArenaRef;
using arenite::Buffer;
using arenite::Event;
using arenite::EventKind;
using arenite::Kind;
using arenite::Status;
using arenite::StepEvent;
using arenite::Trace;

std::string text;
void put(char c) { text += c; }
void log_event(const Event& event) { arenite::print_event(put, event); }

struct Both {
  template <class E>
  void operator()(const E& event) const {
    arenite::print_event([](char c) { put(c); }, event);
  }
};
constexpr Both kBoth;

static_assert(std::is_empty_v<Trace<log_event>> && std::is_empty_v<Trace<&kBoth>>);
static_assert(sizeof(Arena<64, 16, Trace<log_event>>) == sizeof(Arena<64>));

constexpr Buffer kBuffers[] = {{40, 0, 1, 4}, {24, 1, 2, 8}};
constexpr auto kPlan = arenite::plan(kBuffers);

template <class A>
std::string session(A& arena) {
  text.clear();
  EXPECT_NE(arena.as(Kind::kOperatorData).allocate(3, 1), nullptr);
  const auto marker = arena.mark();
  EXPECT_NE(arena.allocate(12, 4), nullptr);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_NE(arena.head().allocate(5, 1), nullptr);
  const auto view = arena.overlay(kPlan);
  EXPECT_EQ(arena.enter(view, kBuffers, 1), Status::kOk);
  {
    auto temp = arena.temp(Kind::kScratch);
    EXPECT_NE(temp.allocate(10, 2), nullptr);
    EXPECT_EQ(temp.allocate(1000, 16), nullptr);
  }
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_NE(arena.allocate(0, 1), nullptr);
  EXPECT_EQ(arena.reset(), Status::kOk);
  return text;
}

constexpr char kBefore[] =
    "arena request tail size 3 align 1 kind 2 at 253 padding 0\n"
    "arena mark tail\n"
    "arena request tail size 12 align 4 kind 0 at 240 padding 1\n"
    "arena release tail size 13 at 240\n"
    "arena request head size 5 align 1 kind 0 at 0 padding 0\n"
    "arena request overlay size 64 align 8 kind 0 at 8 padding 3\n";
constexpr char kStep[] = "arena step 1 of 2 buffers size 64\n";
constexpr char kAfter[] =
    "arena open temp\n"
    "arena request temp size 10 align 2 kind 3 at 72 padding 0\n"
    "arena request temp size 1000 align 16 kind 3 refused\n"
    "arena close temp size 10 at 72\n"
    "arena release overlay size 67 at 5\n"
    "arena request tail size 0 align 1 kind 0 at 256 padding 0\n"
    "arena release head size 5 at 0\n"
    "arena release tail size 3 at 253\n";

TEST(Traces, OfEvents) {
  Arena<256, 16, Trace<log_event>> arena;
  EXPECT_EQ(session(arena), std::string(kBefore) + kAfter);
}

TEST(Traces, OfStepsWhereTheyCanBeTold) {
  Arena<256, 16, Trace<&kBoth>> arena;
  EXPECT_EQ(session(arena), std::string(kBefore) + kStep + kAfter);
}

TEST(Traces, AreTheSameAtAnotherAddress) {
  alignas(16) std::byte memory[512];
  for (std::size_t base = 0; base < 64; base += 16) {
    ArenaState state;
    BasicArenaRef<Trace<&kBoth>> arena(state, memory + base, 256);
    EXPECT_EQ(session(arena), std::string(kBefore) + kStep + kAfter);
  }
}

TEST(Traces, OfNoMemory) {
  ArenaState state;
  BasicArenaRef<Trace<log_event>> arena(state, nullptr, 0);
  text.clear();
  EXPECT_EQ(arena.allocate(1, 1), nullptr);
  EXPECT_EQ(text, "arena request tail size 1 align 1 kind 0 refused\n");
}

// What is no region and no event, as of a program that overwrote it, still makes a line.
TEST(Traces, OfWhatIsNone) {
  Event event{};
  event.what = EventKind::kMark;
  event.region = static_cast<arenite::Region>(4);
  text.clear();
  log_event(event);
  event.what = static_cast<EventKind>(99);
  log_event(event);
  EXPECT_EQ(text, "arena mark region\n\n");
}

TEST(Text, OfNullIsNone) {
  text.clear();
  arenite::Writer(put).text("a").text(nullptr).text("").put('b');
  EXPECT_EQ(text, "ab");
}

}  // namespace
