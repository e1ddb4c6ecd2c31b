// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What an arena tells its observer: each event of each call, and nothing else.

#include <arenite/arena.hpp>
#include <arenite/observer.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

namespace {

using arenite::Arena;
using arenite::ArenaState;
using arenite::BasicArenaRef;
using arenite::BasicTempScope;
using arenite::Buffer;
using arenite::Destructor;
using arenite::Event;
using arenite::EventKind;
using arenite::Kind;
using arenite::kMaxSize;
using arenite::Observer;
using arenite::Observers;
using arenite::Region;
using arenite::Status;
using arenite::Step;
using arenite::StepEvent;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kNowhere = kHuge;
constexpr Region kEveryRegion[] = {Region::kHead, Region::kOverlay, Region::kTemp, Region::kTail};

// Keeps the events that nobody looked at yet.
template <std::size_t kFenceBytes = 0>
struct FencedLog : Observer {
  static constexpr std::size_t kFence = kFenceBytes;
  void on(const Event& event) noexcept {
    if (count < kMost) events[count] = event;
    ++count;
  }
  void on_step(const StepEvent& event) noexcept {
    step = event;
    ++steps;
  }
  static constexpr std::size_t kMost = 16;
  Event events[kMost] = {};
  std::size_t count = 0;
  StepEvent step = {};
  std::size_t steps = 0;
};
using Log = FencedLog<>;

std::size_t offset_of(const Event& event) {
  return event.pointer == nullptr ? kNowhere : static_cast<std::size_t>(event.pointer - event.memory);
}

// The only event since the last look.
template <class Watched>
Event only_event(Watched& arena) {
  auto& log = arena.observer();
  EXPECT_EQ(log.count, 1u);
  log.count = 0;
  EXPECT_EQ(log.events[0].memory, arena.data());
  EXPECT_EQ(log.events[0].capacity, arena.capacity());
  return log.events[0];
}

void expect_request(const Event& event, Region region, std::size_t size, std::size_t alignment, std::size_t padding,
                    std::size_t offset, std::uint8_t kind = 0) {
  EXPECT_EQ(event.what, EventKind::kRequest);
  EXPECT_EQ(event.region, region);
  EXPECT_EQ(event.kind, kind);
  EXPECT_TRUE(event.success);
  EXPECT_EQ(event.size, size);
  EXPECT_EQ(event.alignment, alignment);
  EXPECT_EQ(event.padding, padding);
  EXPECT_EQ(offset_of(event), offset);
}

void expect_refusal(const Event& event, Region region, std::size_t size, std::size_t alignment, std::uint8_t kind = 0) {
  EXPECT_EQ(event.what, EventKind::kRequest);
  EXPECT_EQ(event.region, region);
  EXPECT_EQ(event.kind, kind);
  EXPECT_FALSE(event.success);
  EXPECT_EQ(event.size, size);
  EXPECT_EQ(event.alignment, alignment);
  EXPECT_EQ(event.padding, 0u);
  EXPECT_EQ(event.pointer, nullptr);
}

void expect_other(const Event& event, EventKind what, Region region, std::size_t size, std::size_t offset) {
  EXPECT_EQ(event.what, what);
  EXPECT_EQ(event.region, region);
  EXPECT_TRUE(event.success);
  EXPECT_EQ(event.size, size);
  EXPECT_EQ(offset_of(event), offset);
}

// --- sizes -----------------------------------------------------------------------------------------------------------

struct Nothing : Observer {};
struct NothingElse : Observer {};
struct Number : Observer {
  int number = 0;
};

static_assert(sizeof(arenite::ArenaRef) == 2 * sizeof(void*));
static_assert(sizeof(BasicArenaRef<Nothing>) == 2 * sizeof(void*));
static_assert(sizeof(BasicArenaRef<Observers<Nothing, NothingElse>>) == 2 * sizeof(void*));
static_assert(sizeof(BasicArenaRef<Number>) == 3 * sizeof(void*));
static_assert(std::is_same_v<arenite::ArenaRef, BasicArenaRef<arenite::Unobserved>>);
static_assert(sizeof(Arena<64, 16, Nothing>) == sizeof(Arena<64>));
static_assert(sizeof(Arena<64, 16, Observers<Nothing, NothingElse>>) == sizeof(Arena<64>));
static_assert(sizeof(Arena<64, 16, Number>) > sizeof(Arena<64>));
static_assert(sizeof(arenite::End<Region::kTail>) == 2 * sizeof(void*));
static_assert(sizeof(arenite::Marker<Region::kTail, Nothing>) == sizeof(arenite::Marker<Region::kTail>));
static_assert(sizeof(BasicTempScope<arenite::Unobserved>) == 5 * sizeof(void*));
static_assert(std::is_trivially_destructible_v<Arena<64, 16, Log>>);

static_assert(!std::is_convertible_v<Arena<64, 16, Nothing>&, arenite::ArenaRef>, "its observer would be left behind");
static_assert(!std::is_convertible_v<Arena<64>&, BasicArenaRef<Nothing>>);
static_assert(!std::is_convertible_v<Arena<64, 16, Log>&, BasicArenaRef<Nothing>>);

TEST(ObserverLayout, AnArenaWithOneIsAllZeroBits) {
  static constexpr Arena<64, 16, Log> kWatched;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&kWatched);
  std::size_t others = 0;
  for (std::size_t i = 0; i < sizeof(kWatched); ++i) others += bytes[i] != 0;
  EXPECT_EQ(others, 0u);
}

TEST(ObserverLayout, AnEmptyOneSeesNoDifference) {
  Arena<64, 16, Nothing> watched;
  Arena<64> plain;
  EXPECT_EQ(static_cast<std::byte*>(watched.allocate(12, 8)) - watched.data(),
            static_cast<std::byte*>(plain.allocate(12, 8)) - plain.data());
  EXPECT_EQ(static_cast<std::byte*>(watched.as(Kind::kWeights).allocate(0, 8)) - watched.data(),
            static_cast<std::byte*>(plain.as(Kind::kWeights).allocate(0, 8)) - plain.data());
  EXPECT_EQ(watched.used(), plain.used());
  (void)watched.observer();
}

// --- requests --------------------------------------------------------------------------------------------------------

TEST(Requests, OnTheTail) {
  Arena<128, 16, Log> arena;
  EXPECT_NE(arena.allocate(3, 1), nullptr);
  expect_request(only_event(arena), Region::kTail, 3, 1, 0, 125);
  EXPECT_NE(arena.tail().allocate(4, 4), nullptr);
  expect_request(only_event(arena), Region::kTail, 4, 4, 1, 120);
  EXPECT_NE(arena.create<std::uint64_t>(), nullptr);
  expect_request(only_event(arena), Region::kTail, 8, alignof(std::uint64_t), 0, 112);
  EXPECT_NE(arena.create_array<std::uint32_t>(5), nullptr);
  expect_request(only_event(arena), Region::kTail, 20, 4, 0, 92);
  EXPECT_EQ(arena.allocate(93, 1), nullptr);
  expect_refusal(only_event(arena), Region::kTail, 93, 1);
  EXPECT_EQ(arena.allocate(1, 3), nullptr);
  expect_refusal(only_event(arena), Region::kTail, 1, 3);
  EXPECT_EQ(arena.create_array<std::uint32_t>(1000), nullptr);
  expect_refusal(only_event(arena), Region::kTail, 4000, 4);
  EXPECT_NE(arena.allocate(0, 16), nullptr);
  expect_request(only_event(arena), Region::kTail, 0, 16, 0, 128);
}

TEST(Requests, OnTheHead) {
  Arena<128, 16, Log> arena;
  const auto head = arena.head();
  EXPECT_NE(head.allocate(3, 1), nullptr);
  expect_request(only_event(arena), Region::kHead, 3, 1, 0, 0);
  EXPECT_NE(head.create<std::uint32_t>(), nullptr);
  expect_request(only_event(arena), Region::kHead, 4, 4, 1, 4);
  EXPECT_NE(head.create_array<std::uint16_t>(3), nullptr);
  expect_request(only_event(arena), Region::kHead, 6, 2, 0, 8);
  EXPECT_EQ(head.allocate(kHuge, 4), nullptr);
  expect_refusal(only_event(arena), Region::kHead, kHuge, 4);
  EXPECT_NE(head.allocate(0, 1), nullptr);
  expect_request(only_event(arena), Region::kHead, 0, 1, 0, 128);
  EXPECT_NE(arena.overlay(8, 4), nullptr);
  (void)only_event(arena);
  EXPECT_EQ(head.allocate(4, 4), nullptr);
  expect_refusal(only_event(arena), Region::kHead, 4, 4);
}

TEST(Requests, InTempScopes) {
  Arena<128, 16, Log> arena;
  EXPECT_NE(arena.head().allocate(5, 1), nullptr);
  (void)only_event(arena);
  EXPECT_NE(arena.overlay(4, 4), nullptr);
  expect_request(only_event(arena), Region::kOverlay, 4, 4, 3, 8);
  {
    auto outer = arena.temp();
    expect_other(only_event(arena), EventKind::kOpenTemp, Region::kTemp, 0, kNowhere);
    EXPECT_NE(outer.allocate(3, 8), nullptr);
    expect_request(only_event(arena), Region::kTemp, 3, 8, 4, 16);
    {
      auto inner = outer.temp(Kind::kScratch);
      expect_other(only_event(arena), EventKind::kOpenTemp, Region::kTemp, 0, kNowhere);
      EXPECT_EQ(outer.allocate(1, 1), nullptr);
      expect_refusal(only_event(arena), Region::kTemp, 1, 1);
      EXPECT_NE(inner.create<std::uint32_t>(), nullptr);
      expect_request(only_event(arena), Region::kTemp, 4, 4, 1, 20, 3);
      EXPECT_NE(inner.create_array<char>(2), nullptr);
      expect_request(only_event(arena), Region::kTemp, 2, 1, 0, 24, 3);
      EXPECT_EQ(inner.allocate(200, 1), nullptr);
      expect_refusal(only_event(arena), Region::kTemp, 200, 1, 3);
    }
    expect_other(only_event(arena), EventKind::kCloseTemp, Region::kTemp, 7, 19);
    EXPECT_NE(outer.allocate(0, 4), nullptr);
    expect_request(only_event(arena), Region::kTemp, 0, 4, 0, 128);
  }
  expect_other(only_event(arena), EventKind::kCloseTemp, Region::kTemp, 7, 12);
  arena.in_temp([](auto& scope) { EXPECT_NE(scope.allocate(1, 1), nullptr); });
  ASSERT_EQ(arena.observer().count, 3u);
  expect_other(arena.observer().events[2], EventKind::kCloseTemp, Region::kTemp, 1, 12);
  arena.observer().count = 0;
  arena.in_temp(Kind::kScratch, [](auto& scope) { EXPECT_NE(scope.allocate(1, 1), nullptr); });
  ASSERT_EQ(arena.observer().count, 3u);
  expect_request(arena.observer().events[1], Region::kTemp, 1, 1, 0, 12, 3);
}

constexpr Buffer kBuffers[] = {{40, 0, 1, 4}, {24, 1, 2, 8}, {0, 0, 2, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);
static_assert(kPlan.size() == 64 && kPlan.alignment() == 8);

TEST(Requests, OfAnOverlay) {
  Arena<128, 16, Log> arena;
  EXPECT_NE(arena.head().allocate(3, 1), nullptr);
  (void)only_event(arena);
  EXPECT_TRUE(arena.overlay(kPlan));
  expect_request(only_event(arena), Region::kOverlay, 64, 8, 5, 8);
  EXPECT_NE(arena.overlay(10, 2), nullptr);
  expect_request(only_event(arena), Region::kOverlay, 10, 2, 1, 4);
  EXPECT_EQ(arena.overlay(126, 1), nullptr);
  expect_refusal(only_event(arena), Region::kOverlay, 126, 1);
  EXPECT_EQ(arena.overlay(1, 0), nullptr);
  expect_refusal(only_event(arena), Region::kOverlay, 1, 0);
  EXPECT_NE(arena.overlay(0, 16), nullptr);
  expect_request(only_event(arena), Region::kOverlay, 0, 16, 0, 128);

  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  expect_other(only_event(arena), EventKind::kRelease, Region::kOverlay, 69, 3);
  EXPECT_NE(arena.allocate(60, 1), nullptr);
  (void)only_event(arena);
  EXPECT_EQ(arena.overlay(kPlan).status(), Status::kOutOfMemory);
  expect_refusal(only_event(arena), Region::kOverlay, 64, 8);
  const arenite::PlanRef refused(arenite::PlanSummary(Status::kTooManyBuffers), nullptr, nullptr, 0);
  EXPECT_EQ(arena.overlay(refused).status(), Status::kTooManyBuffers);
  expect_refusal(only_event(arena), Region::kOverlay, 0, 1);
  const auto temp = arena.temp();
  (void)only_event(arena);
  EXPECT_EQ(arena.overlay(kPlan).status(), Status::kTempOpen);
  expect_refusal(only_event(arena), Region::kOverlay, 64, 8);
}

TEST(Requests, OfAHandle) {
  alignas(16) std::byte memory[64];
  ArenaState state;
  Log log;
  BasicArenaRef<Log> arena(state, memory + 1, 63, log);
  BasicArenaRef<Log> copy = arena;
  EXPECT_EQ(copy.allocate(8, 8), memory + 56);
  EXPECT_EQ(&arena.observer(), &log);
  expect_request(only_event(arena), Region::kTail, 8, 8, 0, 55);

  Arena<64, 16, Log> owner;
  BasicArenaRef<Log> handle = owner;
  EXPECT_NE(handle.head().allocate(8, 8), nullptr);
  expect_request(only_event(owner), Region::kHead, 8, 8, 0, 0);

  // An observer may lose its members, as some do in a release build.
  ArenaState other;
  Nothing nothing;
  BasicArenaRef<Nothing> given(other, memory, 64, nothing);
  BasicArenaRef<Nothing> not_given(other, memory, 64);
  EXPECT_EQ(given.allocate(8, 8), memory + 56);
  EXPECT_EQ(not_given.used(), 8u);

  ArenaState of_nothing;
  BasicArenaRef<Log> nowhere(of_nothing, nullptr, 10, log);
  EXPECT_EQ(nowhere.allocate(4, 4), nullptr);
  expect_refusal(log.events[0], Region::kTail, 4, 4);
  EXPECT_EQ(log.events[0].capacity, 0u);
}

// --- kinds -----------------------------------------------------------------------------------------------------------

enum class Mine : std::uint8_t { kFilter = static_cast<std::uint8_t>(Kind::kUser), kLog, kLast = 255 };
enum class Wide : std::uint16_t { kFits = 200, kDoesNot = 300 };
enum Old { kOld = 9 };
enum class Signed : int { kMinus = -1 };

TEST(Kinds, AreWhatTheRequestSaid) {
  Arena<256, 16, Log> arena;
  EXPECT_NE(arena.as(Kind::kVariable).allocate(1, 1), nullptr);
  expect_request(only_event(arena), Region::kTail, 1, 1, 0, 255, 4);
  EXPECT_NE(arena.as(Kind::kWeights).create<char>(), nullptr);
  expect_request(only_event(arena), Region::kTail, 1, 1, 0, 254, 5);
  EXPECT_NE(arena.tail().as(Mine::kFilter).create_array<char>(2), nullptr);
  expect_request(only_event(arena), Region::kTail, 2, 1, 0, 252, 6);
  EXPECT_NE(arena.head().as(Mine::kLog).create<char>(), nullptr);
  expect_request(only_event(arena), Region::kHead, 1, 1, 0, 0, 7);
  EXPECT_NE(arena.head().as(Mine::kLast).as(kOld).create_array<char>(1), nullptr);
  expect_request(only_event(arena), Region::kHead, 1, 1, 0, 1, 9);
  EXPECT_EQ(arena.as(Mine::kLast).allocate(1000, 1), nullptr);
  expect_refusal(only_event(arena), Region::kTail, 1000, 1, 255);
  EXPECT_NE(arena.as(Wide::kFits).allocate(1, 1), nullptr);
  EXPECT_EQ(only_event(arena).kind, 200);
  EXPECT_NE(arena.as(Wide::kDoesNot).allocate(1, 1), nullptr);
  EXPECT_EQ(only_event(arena).kind, 0);
  EXPECT_NE(arena.as(Signed::kMinus).allocate(1, 1), nullptr);
  EXPECT_EQ(only_event(arena).kind, 0);
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_EQ(only_event(arena).kind, 0);

  auto temp = arena.temp(Mine::kLog);
  (void)only_event(arena);
  EXPECT_NE(temp.create<char>(), nullptr);
  EXPECT_EQ(only_event(arena).kind, 7);
  auto inner = temp.temp();
  (void)only_event(arena);
  EXPECT_NE(inner.create<char>(), nullptr);
  EXPECT_EQ(only_event(arena).kind, 0) << "a scope in a scope has a kind of its own";
}

TEST(Kinds, AreNothingWhereNobodyWatches) {
  Arena<64> arena;
  EXPECT_EQ(arena.as(Kind::kVariable).allocate(8, 8), arena.data() + 56);
  EXPECT_EQ(arena.head().as(Mine::kLog).allocate(8, 8), arena.data());
  auto temp = arena.temp(Kind::kScratch);
  EXPECT_EQ(temp.allocate(8, 8), arena.data() + 8);
}

// --- releases --------------------------------------------------------------------------------------------------------

TEST(Releases, ByMarkers) {
  Arena<128, 16, Log> arena;
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  (void)only_event(arena);
  const auto tail = arena.mark();
  expect_other(only_event(arena), EventKind::kMark, Region::kTail, 0, kNowhere);
  EXPECT_NE(arena.allocate(3, 4), nullptr);
  (void)only_event(arena);
  const auto head = arena.head().mark();
  expect_other(only_event(arena), EventKind::kMark, Region::kHead, 0, kNowhere);
  EXPECT_NE(arena.head().allocate(5, 1), nullptr);
  (void)only_event(arena);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  expect_other(only_event(arena), EventKind::kRelease, Region::kTail, 4, 116);

  EXPECT_NE(arena.overlay(8, 8), nullptr);
  (void)only_event(arena);
  EXPECT_EQ(arena.head().release(head), Status::kNotOnTop);
  EXPECT_EQ(arena.observer().count, 0u) << "nothing was released";
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  expect_other(only_event(arena), EventKind::kRelease, Region::kOverlay, 11, 5);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  expect_other(only_event(arena), EventKind::kRelease, Region::kHead, 5, 0);

  const auto none = arena.mark();
  (void)only_event(arena);
  EXPECT_EQ(arena.release(none), Status::kOk);
  expect_other(only_event(arena), EventKind::kRelease, Region::kTail, 0, 120);
}

TEST(Releases, ByReset) {
  Arena<128, 16, Log> arena;
  EXPECT_NE(arena.head().allocate(8, 8), nullptr);
  EXPECT_NE(arena.overlay(8, 8), nullptr);
  EXPECT_NE(arena.allocate(6, 4), nullptr);
  {
    const auto temp = arena.temp();
    arena.observer().count = 0;
    EXPECT_EQ(arena.reset(), Status::kTempOpen);
    EXPECT_EQ(arena.release_overlay(), Status::kTempOpen);
    EXPECT_EQ(arena.observer().count, 0u);
  }
  arena.observer().count = 0;
  EXPECT_EQ(arena.reset(), Status::kOk);
  ASSERT_EQ(arena.observer().count, 2u);
  expect_other(arena.observer().events[0], EventKind::kRelease, Region::kHead, 16, 0);
  expect_other(arena.observer().events[1], EventKind::kRelease, Region::kTail, 8, 120);
}

struct PanicTest : testing::Test {
  void SetUp() override {
    panics = 0;
    former_ = arenite::set_panic_hook([](Status) noexcept { ++panics; });
  }
  void TearDown() override { (void)arenite::set_panic_hook(former_); }
  static int panics;
  arenite::PanicHook former_ = nullptr;
};
int PanicTest::panics = 0;
using BrokenOrder = PanicTest;

TEST_F(BrokenOrder, OfMarkersTellsNothing) {
  Arena<64, 16, Log> arena;
  Arena<64, 16, Log> other;
  const auto marker = arena.mark();
  const auto later = arena.mark();
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  arena.observer().count = 0;
  EXPECT_EQ(arena.release(marker), Status::kMarkerOrder);
  EXPECT_EQ(other.release(later), Status::kMarkerAlien);
  EXPECT_EQ(panics, 2);
  EXPECT_EQ(arena.observer().count, 0u);
  EXPECT_EQ(other.observer().count, 0u);
}

TEST_F(BrokenOrder, OfScopesTellsOfThoseThatClose) {
  using Scope = BasicTempScope<Log>;
  alignas(Scope) std::byte room[2][sizeof(Scope)];
  Arena<64, 16, Log> arena;
  BasicArenaRef<Log> ref = arena;
  auto* const outer = ::new (static_cast<void*>(room[0])) Scope(ref.temp());
  EXPECT_NE(outer->allocate(8, 8), nullptr);
  auto* const inner = ::new (static_cast<void*>(room[1])) Scope(outer->temp());
  EXPECT_NE(inner->allocate(8, 8), nullptr);
  arena.observer().count = 0;
  outer->~Scope();
  EXPECT_EQ(panics, 1);
  EXPECT_EQ(arena.observer().count, 0u) << "it is open for good";
  inner->~Scope();
  EXPECT_EQ(panics, 1);
  expect_other(only_event(arena), EventKind::kCloseTemp, Region::kTemp, 8, 8);
}

#if defined(__cpp_exceptions)

struct Bad {};
struct Throws {
  explicit Throws(bool yes) {
    if (yes) throw Bad();
  }
  std::uint32_t value = 1;
};
struct ThrowsAtThird {
  ThrowsAtThird() {
    if (++made == 3) throw Bad();
  }
  static int made;
  std::uint32_t value = 1;
};
int ThrowsAtThird::made = 0;

template <class Watched, class Place>
void expect_rollback(Watched& arena, Place& place, Region region, std::size_t at_request, std::size_t at_release) {
  Log& log = arena.observer();
  log.count = 0;
  EXPECT_THROW((void)place.template create<Throws>(true), Bad);
  ASSERT_EQ(log.count, 2u);
  expect_request(log.events[0], region, 4, 4, 3, at_request);
  expect_other(log.events[1], EventKind::kRelease, region, 7, at_release);

  log.count = 0;
  ThrowsAtThird::made = 0;
  EXPECT_THROW((void)place.template create_array<ThrowsAtThird>(4), Bad);
  ASSERT_EQ(log.count, 2u);
  EXPECT_EQ(log.events[0].size, 16u);
  EXPECT_EQ(log.events[1].what, EventKind::kRelease);
  EXPECT_EQ(log.events[1].size, 16 + log.events[0].padding);

  log.count = 0;
  EXPECT_NE(place.template create<Throws>(false), nullptr);
  expect_request(only_event(arena), region, 4, 4, 3, at_request);
  EXPECT_EQ(place.template create_array<ThrowsAtThird>(1000), nullptr);
  expect_refusal(only_event(arena), region, 4000, 4);
}

TEST(Releases, BehindAConstructorThatThrows) {
  {
    Arena<64, 16, Log> arena;
    EXPECT_NE(arena.allocate(1, 1), nullptr);
    expect_rollback(arena, arena, Region::kTail, 56, 56);
  }
  {
    Arena<64, 16, Log> arena;
    const auto head = arena.head();
    EXPECT_NE(head.allocate(1, 1), nullptr);
    expect_rollback(arena, head, Region::kHead, 4, 1);
  }
  {
    Arena<64, 16, Log> arena;
    auto temp = arena.temp();
    EXPECT_NE(temp.allocate(1, 1), nullptr);
    expect_rollback(arena, temp, Region::kTemp, 4, 1);
  }
}

TEST(Releases, NoneWhereTheObjectWasRefused) {
  Arena<16, 16, Log> arena;
  EXPECT_EQ(arena.create_array<ThrowsAtThird>(5), nullptr);
  expect_refusal(only_event(arena), Region::kTail, 20, 4);
}

TEST(Releases, NoneBehindAConstructorThatTookMore) {
  struct Taker {
    explicit Taker(Arena<64, 16, Log>& arena) {
      if (arena.allocate(4, 4) != nullptr) throw Bad();
    }
    std::uint32_t value = 0;
  };
  Arena<64, 16, Log> arena;
  EXPECT_THROW((void)arena.create<Taker>(arena), Bad);
  EXPECT_EQ(arena.observer().count, 2u) << "both blocks stay";
  EXPECT_EQ(arena.used(), 8u);
}

#endif  // defined(__cpp_exceptions)

// --- steps -----------------------------------------------------------------------------------------------------------

TEST(Steps, AreToldWhileTheOverlayIsThere) {
  Arena<128, 16, Log> arena;
  const auto view = arena.overlay(kPlan);
  const Log& log = arena.observer();
  EXPECT_EQ(arena.enter(view, kBuffers, 1), Status::kOk);
  EXPECT_EQ(log.steps, 1u);
  EXPECT_EQ(log.count, 1u) << "the request";
  EXPECT_EQ(log.step.base, arena.data());
  EXPECT_EQ(log.step.size, 64u);
  EXPECT_EQ(log.step.buffers, kBuffers);
  EXPECT_EQ(log.step.offsets, kPlan.offsets());
  EXPECT_EQ(log.step.count, 3u);
  EXPECT_EQ(log.step.step, 1u);

  EXPECT_EQ(arena.enter(view, arenite::BufferList(kBuffers, 2), 1), Status::kOutOfBounds);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(arena.enter(view, kBuffers, 2), Status::kStale);
  EXPECT_EQ(log.steps, 1u);

  Arena<64> nobody;
  EXPECT_EQ(nobody.enter(nobody.overlay(kPlan), kBuffers, 0), Status::kOk);
  Arena<16, 16, Log> small;
  EXPECT_EQ(small.enter(small.overlay(kPlan), kBuffers, 0), Status::kOutOfMemory);
  EXPECT_EQ(small.observer().steps, 0u);
}

TEST(Steps, KnowTheBytesOfABuffer) {
  static constexpr Buffer kThree[] = {{40, 0, 1}, {24, 1, 2}, {5, 0, 2}};
  static constexpr std::size_t kOffsets[] = {0, 40, 70};
  constexpr StepEvent kStep{nullptr, 64, kThree, kOffsets, 3, 0};
  static_assert(kStep.bytes_at(0, 0) == 40 && kStep.bytes_at(1, 0) == 40 && kStep.bytes_at(2, 0) == 0);
  static_assert(kStep.bytes_at(0, 1) == 0 && kStep.bytes_at(1, 1) == 24);
  static_assert(kStep.bytes_at(1, 2) == 0, "outside of the block");
  constexpr StepEvent kShort{nullptr, 60, kThree, kOffsets, 3, 0};
  static_assert(kShort.bytes_at(1, 1) == 20, "the rest of it lies outside");
}

// --- several ---------------------------------------------------------------------------------------------------------

char order[64];
std::size_t told = 0;

// Counts blocks in each region, as a snapshot that goes back.
template <char kName, std::size_t kFenceBytes>
struct Counter : Observer {
  static constexpr std::size_t kFence = kFenceBytes;
  struct Snapshot {
    int count = 0;
  };
  [[nodiscard]] Snapshot snapshot(Region region) const noexcept { return counts[static_cast<std::size_t>(region)]; }
  void restore(Region region, const Snapshot& snapshot) noexcept {
    counts[static_cast<std::size_t>(region)] = snapshot;
    ++restored[static_cast<std::size_t>(region)];
  }
  void on(const Event& event) noexcept {
    if (told < sizeof(order)) order[told++] = kName;
    if (event.what == EventKind::kRequest && event.success) {
      counts[static_cast<std::size_t>(event.region)].count += kName == 'b' ? 10 : 1;
    }
  }
  [[nodiscard]] int count(Region region) const { return counts[static_cast<std::size_t>(region)].count; }
  Snapshot counts[4] = {};
  int restored[4] = {};
};
using A = Counter<'a', 4>;
using B = Counter<'b', 16>;
using C = Counter<'c', 0>;
static_assert(Observers<A, B, C>::kFence == 16 && Observers<B>::kFence == 16 && Observers<C>::kFence == 0);

TEST(Several, AreToldInOrder) {
  Arena<512, 16, Observers<A, B, Nothing, C>> arena;
  told = 0;
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_EQ(arena.used(), 33u) << "the fence of those who want the largest";
  (void)arena.mark();
  ASSERT_EQ(told, 6u);
  EXPECT_EQ(std::memcmp(order, "abcabc", 6), 0);
}

TEST(Several, RememberEachTheirOwn) {
  using All = Observers<A, B>;
  Arena<1024, 16, All> arena;
  const A& a = static_cast<A&>(arena.observer());
  const B& b = static_cast<B&>(arena.observer());
  const auto expect = [&](int head, int overlay, int temp, int tail) {
    const int expected[] = {head, overlay, temp, tail};
    for (const Region region : kEveryRegion) {
      EXPECT_EQ(a.count(region), expected[static_cast<std::size_t>(region)]);
      EXPECT_EQ(b.count(region), 10 * expected[static_cast<std::size_t>(region)]);
    }
  };
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_NE(arena.head().allocate(1, 1), nullptr);
  const auto tail = arena.mark();
  const auto head = arena.head().mark();
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_NE(arena.head().allocate(1, 1), nullptr);
  EXPECT_NE(arena.overlay(1, 1), nullptr);
  {
    auto outer = arena.temp();
    EXPECT_NE(outer.allocate(1, 1), nullptr);
    {
      auto inner = outer.temp();
      EXPECT_NE(inner.allocate(1, 1), nullptr);
      EXPECT_NE(arena.allocate(1, 1), nullptr);
      expect(2, 1, 2, 3);
    }
    expect(2, 1, 1, 3);
  }
  expect(2, 1, 0, 3);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  expect(2, 1, 0, 1);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  expect(2, 0, 0, 1);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  expect(1, 0, 0, 1);
  const int restored[] = {1, 1, 2, 1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(a.restored[i], restored[i]) << i;
  EXPECT_NE(arena.overlay(1, 1), nullptr);
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect(0, 0, 0, 0);
#if defined(__cpp_exceptions)
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_THROW((void)arena.create<Throws>(true), Bad);
  expect(0, 0, 0, 1);
  EXPECT_NE(arena.create<Throws>(false), nullptr);
  expect(0, 0, 0, 2);
#endif
}

// --- fences ----------------------------------------------------------------------------------------------------------

TEST(Fences, LieOnBothSidesOfABlock) {
  Arena<256, 256, FencedLog<8>> arena;
  EXPECT_EQ(arena.head().allocate(5, 4), arena.data() + 8);
  expect_request(only_event(arena), Region::kHead, 5, 4, 16, 8);
  EXPECT_EQ(arena.used(Region::kHead), 21u);
  EXPECT_EQ(arena.allocate(5, 32), arena.data() + 224) << "an alignment above the fence";
  expect_request(only_event(arena), Region::kTail, 5, 32, 59, 224);
  EXPECT_EQ(arena.used(Region::kTail), 64u);
  EXPECT_EQ(arena.overlay(10, 1), arena.data() + 21) << "no fence around planned buffers";
  expect_request(only_event(arena), Region::kOverlay, 10, 1, 0, 21);
  {
    auto temp = arena.temp();
    (void)only_event(arena);
    EXPECT_EQ(temp.allocate(1, 1), arena.data() + 39);
    expect_request(only_event(arena), Region::kTemp, 1, 1, 16, 39);
    EXPECT_EQ(temp.allocate(2, 16), arena.data() + 64) << "in front of it as much as it is aligned";
    expect_request(only_event(arena), Region::kTemp, 2, 16, 24, 64);
  }
  const void* const number = arena.create<std::uint32_t>();
  EXPECT_EQ(number, arena.data() + 180);
  EXPECT_EQ(arena.used(Region::kTail), 84u);
}

TEST(Fences, NoneAroundNothing) {
  Arena<64, 16, FencedLog<16>> arena;
  EXPECT_EQ(arena.allocate(0, 8), arena.data() + 64);
  expect_request(only_event(arena), Region::kTail, 0, 8, 0, 64);
  EXPECT_EQ(arena.head().allocate(0, 8), arena.data() + 64);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(Fences, MustFitToo) {
  Arena<64, 16, FencedLog<8>> arena;
  EXPECT_EQ(arena.allocate(49, 1), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.allocate(48, 1), arena.data() + 8);
  EXPECT_EQ(arena.used(), 64u);
}

// Case A5: header and size wrap, and a small block is returned.
TEST(Fences, AddedToASizeDoNotWrap) {
  Arena<512, 16, FencedLog<16>> arena;
  for (std::size_t alignment = 1; alignment <= 128; alignment *= 2) {
    EXPECT_NE(arena.allocate(1, alignment), nullptr);  // so that this alignment may go the short way
    EXPECT_EQ(arena.reset(), Status::kOk);
    for (std::size_t h = 0; h < 200; ++h) {
      for (const std::size_t size : {kHuge - h, kMaxSize - h, kMaxSize + 1 + h}) {
        ASSERT_EQ(arena.allocate(size, alignment), nullptr) << size;
        ASSERT_EQ(arena.head().allocate(size, alignment), nullptr) << size;
        ASSERT_EQ(arena.overlay(size, alignment), nullptr) << size;
        auto temp = arena.temp();
        ASSERT_EQ(temp.allocate(size, alignment), nullptr) << size;
      }
    }
    ASSERT_EQ(arena.used(), 0u);
  }
  constexpr std::size_t kLargest = kHuge - kHuge / 2;  // a power of two
  EXPECT_EQ(arena.allocate(1, kLargest), nullptr);
  EXPECT_EQ(arena.allocate(kHuge, kLargest), nullptr);
  EXPECT_EQ(arena.allocate(kLargest, kLargest), nullptr);
  EXPECT_EQ(arena.head().allocate(kLargest - 16, kLargest), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
}

TEST(StepEvents, GiveNoBytesOutsideOfTheBlock) {
  std::byte block[32] = {};
  const Buffer buffers[] = {{16, 1, 2}, {16, 1, 2}, {16, 1, 2}, {16, 1, 2}, {kHuge, 1, 2}};
  const std::size_t offsets[] = {0, 20, 32, 33, 31};
  const StepEvent event{block, 32, buffers, offsets, 5, 1};
  const std::size_t expected[] = {16, 12, 0, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(event.bytes_at(0, i), 0u) << i << ": not yet alive";
    EXPECT_EQ(event.bytes_at(1, i), expected[i]) << i;
    EXPECT_EQ(event.bytes_at(3, i), 0u) << i << ": not any more";
  }
}

TEST(Observed, ShowTheObserverToWhoMayOnlyLook) {
  Arena<64, 16, Log> arena;
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  const Arena<64, 16, Log>& looked_at = arena;
  EXPECT_EQ(&looked_at.observer(), &arena.observer());
  EXPECT_EQ(looked_at.observer().count, 1u);
}

}  // namespace
