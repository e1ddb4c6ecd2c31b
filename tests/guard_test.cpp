// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A byte that is written where it is nobody's is found, and nothing else is.

#include <arenite/arena.hpp>
#include <arenite/observers/guard.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace {

using arenite::Arena;
using arenite::Buffer;
using arenite::Damage;
using arenite::Guard;
using arenite::Kind;
using arenite::Observers;
using arenite::Region;
using arenite::Status;
using Side = arenite::Damage::Side;

constexpr std::byte kFresh = Guard<>::kFresh;
constexpr std::byte kFreed = Guard<>::kFreed;
constexpr std::byte kFencePattern = Guard<>::kFencePattern;
static_assert(kFresh != kFreed && kFreed != kFencePattern && kFencePattern != kFresh);
static_assert(sizeof(void*) != 4 || sizeof(Guard<>) <= 32 * 16 + 64, "as the header says");

void expect_bytes(const std::byte* from, std::size_t count, std::byte expected) {
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(from[i], expected) << i;
}

void expect_damage(const Damage& damage, Side side, Region region, const void* pointer, std::size_t size,
                   const void* address) {
  EXPECT_FALSE(damage.ok());
  EXPECT_EQ(damage.side, side);
  EXPECT_EQ(damage.region, region);
  EXPECT_EQ(damage.pointer, pointer);
  EXPECT_EQ(damage.size, size);
  EXPECT_EQ(damage.address, address);
}

TEST(Guards, AreAllZeroBitsAtFirst) {
  static constexpr Arena<64, 16, Guard<>> kArena;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&kArena);
  std::size_t others = 0;
  for (std::size_t i = 0; i < sizeof(kArena); ++i) others += bytes[i] != 0;
  EXPECT_EQ(others, 0u);
}

// --- patterns --------------------------------------------------------------------------------------------------------

TEST(GuardPatterns, AreInAndAroundABlock) {
  Arena<256, 16, Guard<>> arena;
  const auto* const head = static_cast<const std::byte*>(arena.head().allocate(5, 4));
  ASSERT_EQ(head, arena.data() + 8);
  expect_bytes(head - 8, 8, kFencePattern);
  expect_bytes(head, 5, kFresh);
  expect_bytes(head + 5, 8, kFencePattern);
  EXPECT_EQ(head[13], std::byte{0}) << "that is nobody's yet";
  const auto* const tail = static_cast<const std::byte*>(arena.allocate(3, 32));
  ASSERT_NE(tail, nullptr);
  expect_bytes(tail - 32, 32, kFencePattern);
  expect_bytes(tail, 3, kFresh);
  expect_bytes(tail + 3, 8, kFencePattern);
  auto temp = arena.temp();
  const auto* const scratch = static_cast<const std::byte*>(temp.allocate(7, 1));
  ASSERT_NE(scratch, nullptr);
  expect_bytes(scratch - 8, 8, kFencePattern);
  expect_bytes(scratch, 7, kFresh);
  expect_bytes(scratch + 7, 8, kFencePattern);
  EXPECT_TRUE(arena.observer().check().ok());
}

// Case M9: what is read through a pointer that was kept is nonsense, and always the same.
TEST(GuardPatterns, AreInWhatWasFreed) {
  Arena<256, 16, Guard<>> arena;
  auto* const kept = static_cast<std::byte*>(arena.allocate(10, 1));
  const auto marker = arena.mark();
  auto* const released = static_cast<std::byte*>(arena.allocate(10, 1));
  ASSERT_NE(kept, nullptr);
  ASSERT_NE(released, nullptr);
  for (std::size_t i = 0; i < 10; ++i) kept[i] = released[i] = std::byte{7};
  EXPECT_EQ(arena.release(marker), Status::kOk);
  expect_bytes(released - 8, 26, kFreed);
  expect_bytes(kept, 10, std::byte{7});
  const std::byte* scratch = nullptr;
  {
    auto temp = arena.temp();
    scratch = static_cast<const std::byte*>(temp.allocate(9, 1));
    ASSERT_NE(scratch, nullptr);
  }
  expect_bytes(scratch - 8, 25, kFreed);
  auto* const overlay = static_cast<std::byte*>(arena.overlay(20, 1));
  ASSERT_NE(overlay, nullptr);
  for (std::size_t i = 0; i < 20; ++i) overlay[i] = std::byte{7};
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect_bytes(overlay, 20, kFreed);
  expect_bytes(kept - 8, 26, kFreed);
  EXPECT_TRUE(arena.observer().check().ok());
  EXPECT_TRUE(arena.observer().found().ok());
}

TEST(GuardPatterns, NoneForWhatIsRefusedOrNothing) {
  Arena<64, 16, Guard<>> arena;
  EXPECT_EQ(arena.allocate(60, 1), nullptr);
  EXPECT_NE(arena.allocate(0, 1), nullptr);
  EXPECT_NE(arena.overlay(20, 1), nullptr);
  expect_bytes(arena.data(), 64, std::byte{0});
  EXPECT_TRUE(arena.observer().check().ok());
}

// --- blocks ----------------------------------------------------------------------------------------------------------

TEST(GuardBlocks, EachByteOfAFenceIsWatched) {
  for (const Region region : {Region::kHead, Region::kTail, Region::kTemp}) {
    for (const std::size_t alignment : {std::size_t{1}, std::size_t{32}}) {
      const std::size_t front = alignment > 8 ? alignment : 8;
      for (std::size_t at = 0; at < front + 12 + 8; ++at) {
        if (at == front) at += 12;
        Arena<256, 16, Guard<>> arena;
        auto temp = arena.temp(Kind::kWeights);
        EXPECT_NE(temp.allocate(1, 1), nullptr);
        EXPECT_NE(arena.allocate(1, 1), nullptr);
        void* block = nullptr;
        Arena<256, 16, Guard<>> closed;  // the head grows while no scope is open
        if (region == Region::kHead) {
          EXPECT_NE(closed.head().allocate(1, 1), nullptr);
          EXPECT_NE(closed.allocate(1, 1), nullptr);
          block = closed.head().as(Kind::kWeights).allocate(12, alignment);
        } else {
          block =
              region == Region::kTemp ? temp.allocate(12, alignment) : arena.as(Kind::kWeights).allocate(12, alignment);
        }
        auto& guard = region == Region::kHead ? closed.observer() : arena.observer();
        ASSERT_NE(block, nullptr);
        auto* const bytes = static_cast<std::byte*>(block);
        for (std::size_t i = 0; i < 12; ++i) bytes[i] = std::byte{0};
        EXPECT_TRUE(guard.check().ok());
        std::byte* const broken = bytes - front + at;
        *broken = std::byte{0};
        const Damage damage = guard.check();
        expect_damage(damage, at < front ? Side::kBefore : Side::kBehind, region, block, 12, broken);
        EXPECT_EQ(damage.kind, static_cast<std::uint8_t>(Kind::kWeights));
        EXPECT_EQ(damage.serial, 3u);
        EXPECT_EQ(guard.found().address, broken);
        *broken = kFencePattern;
        EXPECT_FALSE(guard.check().ok()) << "what was found is kept";
        guard.forget();
        EXPECT_TRUE(guard.check().ok());
      }
    }
  }
}

TEST(GuardBlocks, AreLookedAtWhenTheyAreReleased) {
  Arena<256, 16, Guard<>> arena;
  const Guard<>& guard = arena.observer();
  const auto marker = arena.mark();
  auto* const first = static_cast<std::byte*>(arena.allocate(4, 1));
  auto* const second = static_cast<std::byte*>(arena.allocate(4, 1));
  ASSERT_NE(second, nullptr);
  second[4] = std::byte{0};
  first[-1] = std::byte{0};
  EXPECT_TRUE(guard.found().ok()) << "nobody has looked";
  EXPECT_EQ(arena.release(marker), Status::kOk);
  expect_damage(guard.found(), Side::kBefore, Region::kTail, first, 4, first - 1);
  EXPECT_EQ(guard.found().serial, 1u);
  EXPECT_EQ(arena.allocate(1000, 1), nullptr);  // is the third
  arena.observer().forget();
  EXPECT_TRUE(arena.observer().check().ok()) << "it is gone";

  std::byte* scratch = nullptr;
  {
    auto outer = arena.temp();
    EXPECT_NE(outer.allocate(3, 1), nullptr);
    {
      auto inner = outer.temp();
      scratch = static_cast<std::byte*>(inner.allocate(3, 1));
      ASSERT_NE(scratch, nullptr);
      scratch[3] = std::byte{1};  // case M7
    }
    expect_damage(guard.found(), Side::kBehind, Region::kTemp, scratch, 3, scratch + 3);
    EXPECT_EQ(guard.found().serial, 5u);
  }
  arena.observer().forget();

  auto* const head = static_cast<std::byte*>(arena.head().allocate(4, 1));
  ASSERT_NE(head, nullptr);
  EXPECT_NE(arena.allocate(4, 1), nullptr);
  head[4 + 7] = std::byte{1};
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect_damage(guard.found(), Side::kBehind, Region::kHead, head, 4, head + 11);
}

TEST(GuardBlocks, TheFirstFindingIsKept) {
  Arena<256, 16, Guard<>> arena;
  auto* const first = static_cast<std::byte*>(arena.allocate(4, 1));
  auto* const second = static_cast<std::byte*>(arena.allocate(4, 1));
  ASSERT_NE(second, nullptr);
  second[4] = std::byte{0};
  EXPECT_EQ(arena.observer().check().pointer, second);
  first[-1] = std::byte{0};
  EXPECT_EQ(arena.observer().check().pointer, second);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_EQ(arena.observer().found().pointer, second);
}

TEST(GuardBlocks, OnlyThoseOfTheRangeAreForgotten) {
  Arena<512, 16, Guard<>> arena;
  auto* const below = static_cast<std::byte*>(arena.head().allocate(4, 1));
  const auto head = arena.head().mark();
  EXPECT_NE(arena.head().allocate(4, 1), nullptr);
  auto* const above = static_cast<std::byte*>(arena.allocate(4, 1));
  const auto tail = arena.mark();
  EXPECT_NE(arena.allocate(4, 1), nullptr);
  {
    auto temp = arena.temp();
    EXPECT_NE(temp.allocate(4, 1), nullptr);
  }
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  EXPECT_TRUE(arena.observer().check().ok()) << "freed fences are none";
  for (std::byte* const block : {below, above}) {
    block[4] = std::byte{0};
    EXPECT_EQ(arena.observer().check().pointer, block);
    block[4] = kFencePattern;
    arena.observer().forget();
  }
  EXPECT_TRUE(arena.observer().check().ok());
}

TEST(GuardBlocks, BeyondTheTableAreCounted) {
  Arena<256, 16, Guard<2>> arena;
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  const auto marker = arena.mark();
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_EQ(arena.observer().unchecked(), 0u);
  auto* const third = static_cast<std::byte*>(arena.allocate(1, 1));
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(arena.observer().unchecked(), 1u);
  expect_bytes(third - 8, 8, kFencePattern);
  expect_bytes(third, 1, kFresh);
  expect_bytes(third + 1, 8, kFencePattern);
  third[1] = std::byte{0};
  EXPECT_TRUE(arena.observer().check().ok()) << "nobody looks";
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_TRUE(arena.observer().found().ok());
  auto* const again = static_cast<std::byte*>(arena.allocate(1, 1));
  again[1] = std::byte{0};
  EXPECT_EQ(arena.observer().check().pointer, again) << "there is room in the table again";
  EXPECT_EQ(arena.observer().unchecked(), 1u);
}

#if defined(__cpp_exceptions)
TEST(GuardBlocks, OfAConstructorThatThrowsAreLookedAt) {
  struct Breaks {
    explicit Breaks(bool yes) {
      volatile char* const byte = &bytes[0];
      if (yes) byte[4] = 1;
      throw 1;
    }
    char bytes[4] = {};
  };
  Arena<256, 16, Guard<>> arena;
  EXPECT_THROW((void)arena.create<Breaks>(false), int);
  EXPECT_TRUE(arena.observer().found().ok());
  EXPECT_THROW((void)arena.create<Breaks>(true), int);
  EXPECT_EQ(arena.observer().found().side, Side::kBehind);
  EXPECT_EQ(arena.observer().found().size, 4u);
  expect_bytes(arena.data() + 256 - 20, 20, kFreed);
}
#endif

// Case A5.
TEST(GuardBlocks, SizesThatWouldWrapAreRefused) {
  Arena<256, 16, Guard<>> arena;
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  for (std::size_t h = 0; h < 64; ++h) {
    EXPECT_EQ(arena.allocate(kHuge - h, 1), nullptr);
    EXPECT_EQ(arena.head().allocate(kHuge - h, 64), nullptr);
  }
  EXPECT_EQ(arena.used(), 0u);
  expect_bytes(arena.data(), 256, std::byte{0});
}

TEST(GuardBlocks, WithALargerFenceAndARecorder) {
  Arena<512, 16, Observers<arenite::Recorder<>, Guard<4, 4>, Guard<4, 16>>> arena;
  auto* const block = static_cast<std::byte*>(arena.as(Kind::kWeights).allocate(10, 2));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(static_cast<arenite::Recorder<>&>(arena.observer()).of(Kind::kWeights).taken, 42u);
  auto& small = static_cast<Guard<4, 4>&>(arena.observer());
  auto& large = static_cast<Guard<4, 16>&>(arena.observer());
  EXPECT_TRUE(small.check().ok());
  EXPECT_TRUE(large.check().ok());
  block[10 + 15] = std::byte{0};
  EXPECT_TRUE(small.check().ok());
  EXPECT_EQ(large.check().address, block + 25);
}

// --- planned buffers -------------------------------------------------------------------------------------------------

// step   0    1    2    3
//  a     a    a
//  b          b    b            on the bytes behind a
//  c               c    c       on those of a
constexpr Buffer kBuffers[] = {{40, 0, 1, 1}, {24, 1, 2, 1}, {32, 2, 3, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);
static_assert(kPlan.size() == 64 && kPlan.offset(0) == 0 && kPlan.offset(1) == 40 && kPlan.offset(2) == 0);

constexpr auto kFenced = arenite::with_fences(kBuffers, 4);
constexpr auto kFencedPlan = arenite::plan(kFenced);
static_assert(kFenced[0].size == 44 && kFenced[1].size == 28 && kFenced[2].size == 36 && kFenced[2].last == 3);
static_assert(kFencedPlan.size() == 72 && kFencedPlan.offset(1) == 44 && kFencedPlan.offset(2) == 0);
static_assert(
    arenite::with_fences(std::array<Buffer, 2>{{{0, 0, 1}, {static_cast<std::size_t>(-2), 0, 1}}}, 8)[0].size == 0,
    "what has no bytes gets none");
static_assert(arenite::with_fences(std::array<Buffer, 1>{{{static_cast<std::size_t>(-2), 0, 1}}}, 8)[0].size ==
              static_cast<std::size_t>(-1));

void fill(std::byte* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte{7};
}

template <class P>
struct Planned {
  explicit Planned(const P& p) : view(arena.overlay(p)) {}
  // Begins a step, as a program that does nothing wrong: all buffers are written.
  void step(arenite::Step step) {
    EXPECT_EQ(arena.enter(view, kBuffers, step), Status::kOk);
    for (std::size_t i = 0; i < 3; ++i) {
      if (arenite::alive_at(kBuffers[i], step)) fill(at(i), kBuffers[i].size);
    }
  }
  [[nodiscard]] std::byte* at(std::size_t i) const { return view.template data<std::byte>(i); }
  Arena<256, 16, Guard<>> arena;
  arenite::Overlay<P> view;
  Guard<>& guard = arena.observer();
};

TEST(GuardSteps, FillWhatBeginsAndWhatIsGone) {
  Planned planned(kPlan);
  std::byte* const base = planned.view.base();
  fill(base, 64);
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 0), Status::kOk);
  expect_bytes(base, 40, kFresh);
  expect_bytes(base + 40, 24, kFreed);
  fill(base, 40);
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 1), Status::kOk);
  expect_bytes(base, 40, std::byte{7});
  expect_bytes(base + 40, 24, kFresh);
  fill(base + 40, 24);
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 2), Status::kOk);
  expect_bytes(base, 32, kFresh);
  expect_bytes(base + 32, 8, kFreed);
  expect_bytes(base + 40, 24, std::byte{7});
  fill(base, 32);
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 3), Status::kOk);
  expect_bytes(base, 32, std::byte{7});
  expect_bytes(base + 32, 32, kFreed);
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 3), Status::kOk);
  expect_bytes(base, 32, std::byte{7});
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 0), Status::kOk);
  expect_bytes(base, 40, kFresh);
  EXPECT_TRUE(planned.guard.check().ok());
}

// What lives through a whole run keeps its value for the next one; a first look in the middle destroys nothing.
TEST(GuardSteps, LeaveWhatIsInUse) {
  Planned planned(kPlan);
  std::byte* const base = planned.view.base();
  fill(base, 64);
  EXPECT_EQ(planned.arena.enter(planned.view, kBuffers, 1), Status::kOk);
  expect_bytes(base, 40, std::byte{7});
  expect_bytes(base + 40, 24, kFresh);

  constexpr static Buffer kWhole[] = {{8, 0, 2, 1}, {8, 0, 0, 1}};
  constexpr static auto kWholePlan = arenite::plan(kWhole);
  Arena<64, 16, Guard<>> arena;
  const auto view = arena.overlay(kWholePlan);
  for (int run = 0; run < 2; ++run) {
    for (arenite::Step step = 0; step < 3; ++step) {
      EXPECT_EQ(arena.enter(view, kWhole, step), Status::kOk);
      if (run == 0 && step == 0) fill(view.data<std::byte>(0), 8);
      expect_bytes(view.data<std::byte>(0), 8, std::byte{7});
      expect_bytes(view.data<std::byte>(1), 8, step == 0 ? kFresh : kFreed);
    }
  }
}

TEST(GuardSteps, AProgramThatDoesNothingWrongIsNotBlamed) {
  for (int fenced = 0; fenced < 2; ++fenced) {
    Planned plain(kPlan);
    Planned apart(kFencedPlan);
    for (int run = 0; run < 3; ++run) {
      for (arenite::Step step = 0; step < 4; ++step) {
        plain.step(step);
        EXPECT_TRUE(plain.guard.check().ok());
        apart.step(step);
        EXPECT_TRUE(apart.guard.check().ok());
      }
    }
    EXPECT_EQ(plain.arena.release_overlay(), Status::kOk);
    EXPECT_EQ(apart.arena.reset(), Status::kOk);
    EXPECT_TRUE(plain.guard.check().ok());
    EXPECT_TRUE(apart.guard.check().ok());
  }
}

void expect_planned(const Damage& damage, Side side, std::size_t index, const std::byte* pointer,
                    const std::byte* address, std::size_t step) {
  expect_damage(damage, side, Region::kOverlay, pointer, kBuffers[index].size, address);
  EXPECT_EQ(damage.index, index);
  EXPECT_EQ(damage.step, step);
}

// Case M7.
TEST(GuardSteps, NameWhoWroteBehindItself) {
  Planned planned(kPlan);
  planned.step(0);
  planned.at(0)[40] = std::byte{0};
  EXPECT_TRUE(planned.guard.found().ok()) << "nobody has looked";
  planned.step(1);
  expect_planned(planned.guard.found(), Side::kBehind, 0, planned.at(0), planned.at(0) + 40, 0);
}

TEST(GuardSteps, NameWhoWroteIntoTheFenceBetweenTwo) {
  for (std::size_t at = 0; at < 4; ++at) {
    Planned planned(kFencedPlan);
    planned.step(0);
    planned.step(1);
    std::byte* const broken = planned.at(0) + 40 + at;
    *broken = std::byte{0};
    const std::size_t nearest = at < 2 ? 0 : 1;
    expect_planned(planned.guard.check(), nearest == 0 ? Side::kBehind : Side::kBefore, nearest, planned.at(nearest),
                   broken, 1);
  }
  Planned planned(kFencedPlan);
  planned.step(1);
  planned.at(1)[24 + 3] = std::byte{0};
  planned.step(2);
  expect_planned(planned.guard.found(), Side::kBehind, 1, planned.at(1), planned.at(1) + 27, 1);
  constexpr static Buffer kTwo[] = {{8, 0, 0, 1}, {8, 0, 0, 1}};
  constexpr static auto kTwoPlan = arenite::plan(arenite::with_fences(kTwo, 3));
  static_assert(kTwoPlan.offset(1) == 0 && kTwoPlan.offset(0) == 11);
  Arena<64, 16, Guard<>> arena;
  const auto view = arena.overlay(kTwoPlan);
  EXPECT_EQ(arena.enter(view, kTwo, 0), Status::kOk);
  view.base()[9] = std::byte{0};
  EXPECT_EQ(arena.observer().check().index, 1u) << "it is as far from both: that below";
}

TEST(GuardSteps, SeeAUseAfterTheLifetime) {
  Planned planned(kPlan);
  for (arenite::Step step = 0; step < 4; ++step) planned.step(step);
  std::byte* const late = planned.at(1) + 5;
  *late = std::byte{0};
  EXPECT_EQ(planned.arena.release_overlay(), Status::kOk);
  EXPECT_EQ(planned.guard.found().address, late);
  EXPECT_EQ(planned.guard.found().index, 2u) << "the one that is there, below it";
  EXPECT_EQ(planned.guard.found().step, 3u);
}

TEST(GuardSteps, WhereNobodyLivesNobodyIsNamed) {
  constexpr static Buffer kOne[] = {{8, 0, 0, 1}};
  constexpr static auto kOnePlan = arenite::plan(kOne);
  Arena<64, 16, Guard<>> arena;
  const auto view = arena.overlay(kOnePlan);
  EXPECT_EQ(arena.enter(view, kOne, 1), Status::kOk);
  view.base()[3] = std::byte{0};
  const Damage damage = arena.observer().check();
  EXPECT_FALSE(damage.ok());
  EXPECT_EQ(damage.pointer, nullptr);
  EXPECT_EQ(damage.address, view.base() + 3);
}

TEST(GuardSteps, AnotherPlanMayUseTheBytes) {
  constexpr static Buffer kOther[] = {{60, 0, 0, 1}};
  constexpr static auto kOtherPlan = arenite::plan(kOther);
  Planned planned(kPlan);
  const auto other = planned.arena.overlay(kOtherPlan);
  planned.step(0);
  planned.step(3);
  EXPECT_EQ(planned.arena.enter(other, kOther, 0), Status::kOk);
  fill(other.base(), 60);
  planned.step(1);
  planned.step(2);
  EXPECT_TRUE(planned.guard.check().ok());

  // A request that is granted ends it, one that is refused does not.
  planned.step(3);
  EXPECT_EQ(planned.arena.overlay(1000, 1), nullptr);
  planned.at(2)[32] = std::byte{0};
  EXPECT_FALSE(planned.guard.check().ok());
  planned.guard.forget();
  planned.step(3);
  planned.guard.forget();
  planned.at(2)[33] = std::byte{0};
  EXPECT_NE(planned.arena.overlay(64, 1), nullptr);
  EXPECT_EQ(planned.guard.found().address, planned.at(2) + 33) << "looked at for the last time";
  planned.guard.forget();
  planned.at(2)[34] = std::byte{0};
  EXPECT_TRUE(planned.guard.check().ok());
}

TEST(GuardSteps, AreWatchedUntilTheOverlayIsReleased) {
  Planned planned(kPlan);
  EXPECT_NE(planned.arena.allocate(1, 1), nullptr);
  const auto marker = planned.arena.mark();
  EXPECT_NE(planned.arena.allocate(1, 1), nullptr);
  planned.step(3);
  {
    auto temp = planned.arena.temp();
    EXPECT_NE(temp.allocate(1, 1), nullptr);
  }
  EXPECT_EQ(planned.arena.release(marker), Status::kOk);
  std::byte* const base = planned.view.base();
  base[50] = base[33] = std::byte{0};
  EXPECT_EQ(planned.arena.reset(), Status::kOk);
  EXPECT_EQ(planned.guard.found().address, base + 33);
  planned.guard.forget();
  auto* const block = static_cast<std::byte*>(planned.arena.head().allocate(100, 1));
  ASSERT_NE(block, nullptr);
  fill(block, 100);
  EXPECT_TRUE(planned.guard.check().ok()) << "there is no plan any more";
}

// The lowest byte is named, and what was found before stays.
TEST(GuardSteps, TheFirstFindingIsKept) {
  Planned planned(kFencedPlan);
  auto* const block = static_cast<std::byte*>(planned.arena.allocate(4, 1));
  ASSERT_NE(block, nullptr);
  planned.step(1);
  planned.at(1)[24] = planned.at(0)[40] = std::byte{0};
  EXPECT_EQ(planned.guard.check().index, 0u);
  planned.guard.forget();
  block[4] = std::byte{0};
  EXPECT_EQ(planned.guard.check().pointer, block);
  planned.step(2);
  EXPECT_EQ(planned.guard.found().pointer, block);
}

TEST(GuardSteps, GapsEndWhereTheNextBegins) {
  constexpr static Buffer kThree[] = {{16, 0, 0, 1}, {9, 0, 1, 1}, {8, 0, 1, 1}};
  constexpr static auto kThreePlan = arenite::plan(kThree);
  static_assert(kThreePlan.offset(0) == 0 && kThreePlan.offset(1) == 16 && kThreePlan.offset(2) == 25);
  Arena<64, 16, Guard<>> arena;
  const auto view = arena.overlay(kThreePlan);
  EXPECT_EQ(arena.enter(view, kThree, 0), Status::kOk);
  fill(view.base(), 33);
  EXPECT_EQ(arena.enter(view, kThree, 1), Status::kOk);
  expect_bytes(view.base(), 16, kFreed);
  expect_bytes(view.base() + 16, 17, std::byte{7});
}

// A list that is not the plan's makes nobody write outside of the planned block.
TEST(GuardSteps, StayInThePlannedBlock) {
  constexpr static Buffer kLarger[] = {{40, 0, 3, 1}, {2400, 0, 3, 1}, {static_cast<std::size_t>(-1), 0, 3, 1}};
  Planned planned(kPlan);
  auto temp = planned.arena.temp();
  auto* const above = static_cast<std::byte*>(temp.allocate(20, 1));
  ASSERT_NE(above, nullptr);
  fill(above, 20);
  EXPECT_EQ(planned.arena.enter(planned.view, kLarger, 0), Status::kOk);
  expect_bytes(above, 20, std::byte{7});
  EXPECT_TRUE(planned.guard.check().ok());
}

// In the middle between two, it is the one below that wrote too far, whichever stands first in the list.
TEST(GuardSteps, TheNearestIsBlamedAndTheOneBelowOfTwo) {
  constexpr static Buffer kUp[] = {{8, 0, 2, 1}, {7, 0, 0, 1}, {9, 0, 2, 1}};
  constexpr static Buffer kDown[] = {{9, 0, 2, 1}, {7, 0, 0, 1}, {8, 0, 2, 1}};
  const auto check_list = [](const Buffer(&buffers)[3], const std::size_t(&offsets)[3], std::size_t below,
                             std::size_t above) {
    Arena<64, 16, Guard<>> arena;
    const auto view = arena.overlay(arenite::PlanRef(arenite::PlanSummary(24, 1), buffers, offsets, 3));
    ASSERT_TRUE(view);
    Guard<>& guard = arena.observer();
    EXPECT_EQ(arena.enter(view, buffers, 1), Status::kOk);
    for (std::size_t at = 8; at < 15; ++at) {
      std::byte& byte = view.base()[at];
      byte = std::byte{7};
      const Damage damage = guard.check();
      EXPECT_FALSE(damage.ok());
      EXPECT_EQ(damage.address, &byte);
      EXPECT_EQ(damage.index, at < 12 ? below : above) << at;
      EXPECT_EQ(damage.side, at < 12 ? Side::kBehind : Side::kBefore) << at;
      EXPECT_EQ(damage.size, at < 12 ? 8u : 9u) << at;
      byte = kFreed;
      guard.forget();
      EXPECT_TRUE(guard.check().ok());
    }
  };
  check_list(kUp, {0, 8, 15}, 0, 2);
  check_list(kDown, {15, 8, 0}, 2, 0);
}

// A step of another list, of other offsets, or of a shorter list is no later step of the plan before: what does not
// begin at it was there already, whatever lay there at the last step.
TEST(GuardSteps, OfAnotherPlanInTheSamePlaceIsAnother) {
  static constexpr Buffer kList[] = {{16, 0, 0, 1}, {16, 1, 2, 1}};
  static constexpr Buffer kCopy[] = {{16, 0, 0, 1}, {16, 1, 2, 1}};
  static constexpr std::size_t kOffsets[] = {0, 0};
  static constexpr std::size_t kOthers[] = {0, 0};
  struct Case {
    const Buffer* buffers;
    const std::size_t* offsets;
    std::byte expected;  // in the second buffer's place at step 2
  };
  constexpr std::byte kWritten{7};
  const Case cases[] = {
      {kList, kOffsets, kFresh}, {kCopy, kOffsets, kWritten}, {kList, kOthers, kWritten}, {kCopy, kOthers, kWritten}};
  for (const Case& other : cases) {
    Arena<64, 16, Guard<>> arena;
    const arenite::PlanSummary summary(16, 1);
    const auto first = arena.overlay(arenite::PlanRef(summary, kList, kOffsets, 2));
    const auto second = arena.overlay(arenite::PlanRef(summary, other.buffers, other.offsets, 2));
    ASSERT_TRUE(first);
    ASSERT_EQ(second.base(), first.base());
    EXPECT_EQ(arena.enter(first, kList, 0), Status::kOk);
    fill(first.base(), 16);
    EXPECT_EQ(arena.enter(second, {other.buffers, 2}, 2), Status::kOk);
    expect_bytes(second.base(), 16, other.expected);
    EXPECT_TRUE(arena.observer().check().ok());
  }
  // The shorter list: only the first buffer of three, which was not alive before.
  static constexpr Buffer kThree[] = {{16, 1, 2, 1}, {16, 0, 0, 1}, {16, 3, 3, 1}};
  static constexpr std::size_t kThreeOffsets[] = {0, 0, 0};
  Arena<64, 16, Guard<>> arena;
  const arenite::PlanSummary summary(16, 1);
  const auto whole = arena.overlay(arenite::PlanRef(summary, kThree, kThreeOffsets, 3));
  const auto part = arena.overlay(arenite::PlanRef(summary, kThree, kThreeOffsets, 1));
  EXPECT_EQ(arena.enter(whole, kThree, 0), Status::kOk);
  fill(whole.base(), 16);
  EXPECT_EQ(arena.enter(part, {kThree, 1}, 2), Status::kOk);
  expect_bytes(part.base(), 16, kWritten);
}

TEST(WithFences, AtRunTimeToo) {
  Buffer buffers[] = {{10, 0, 1, 4}, {0, 1, 2}, {static_cast<std::size_t>(-1) - 3, 2, 3}};
  buffers[0].size = 12;
  const std::array<Buffer, 3> fenced = arenite::with_fences(buffers, 8);
  EXPECT_EQ(fenced[0], (Buffer{20, 0, 1, 4}));
  EXPECT_EQ(fenced[1], (Buffer{0, 1, 2}));
  EXPECT_EQ(fenced[2], (Buffer{std::numeric_limits<std::size_t>::max(), 2, 3})) << "refused by the planner";
  EXPECT_EQ(arenite::with_fences(fenced, 1)[0].size, 21u);
  EXPECT_EQ(buffers[0].size, 12u);
}

}  // namespace
