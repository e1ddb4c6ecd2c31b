// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The levels of hardening: built once for each. A correct program sees the same at all of them, but for the bytes that
// fences take.

#include <arenite/arenite.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::Buffer;
using arenite::DefaultObserver;
using arenite::DryRun;
using arenite::Fences;
using arenite::Hardening;
using arenite::kHardening;
using arenite::Region;
using arenite::Status;
using arenite::Unobserved;

constexpr bool kDebug = kHardening == Hardening::kDebug;
constexpr std::size_t kFences = kDebug ? 2 * Fences::kFence : 0;  // of a block

static_assert(kHardening == (ARENITE_HARDENING == ARENITE_HARDENING_OFF     ? Hardening::kOff
                             : ARENITE_HARDENING == ARENITE_HARDENING_DEBUG ? Hardening::kDebug
                                                                            : Hardening::kStandard));
static_assert(std::is_same_v<DefaultObserver, std::conditional_t<kDebug, Fences, Unobserved>>);
static_assert(std::is_same_v<ArenaRef, arenite::BasicArenaRef<DefaultObserver>>);
static_assert(sizeof(ArenaRef) == 2 * sizeof(void*), "no level makes handles larger");
static_assert(sizeof(Arena<64>) == sizeof(arenite::ArenaState) + 64, "nor arenas");

constexpr Buffer kBuffers[] = {{40, 0, 1}, {80, 1, 2}, {40, 2, 3}};
constexpr auto kPlan = arenite::plan(kBuffers);

std::size_t panics = 0;
Status reason = Status::kOk;
void count_panic(Status why) noexcept {
  ++panics;
  reason = why;
}

class Hardened : public ::testing::Test {
 protected:
  void SetUp() override {
    panics = 0;
    former_ = arenite::set_panic_hook(&count_panic);
  }
  void TearDown() override { EXPECT_EQ(arenite::set_panic_hook(former_), &count_panic); }

 private:
  arenite::PanicHook former_ = nullptr;
};

TEST_F(Hardened, ACorrectProgramIsServedAtEachLevel) {
  Arena<1024> arena;
  auto* const number = arena.create<std::uint32_t>(7u);
  ASSERT_NE(number, nullptr);
  EXPECT_EQ(*number, 7u);
  EXPECT_EQ(arena.used(), sizeof *number + kFences);
  const auto head = arena.head().mark();
  ASSERT_NE(arena.head().allocate(10, 8), nullptr);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  EXPECT_EQ(arena.used(Region::kHead), 0u);

  const auto overlay = arena.overlay(kPlan);
  ASSERT_TRUE(overlay);
  auto* const image = overlay.data<std::int8_t>(1);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(reinterpret_cast<const std::byte*>(image), overlay.base() + kPlan.offset(1));
  EXPECT_EQ((overlay.data<std::int16_t>(2, 20)), static_cast<void*>(overlay.base() + kPlan.offset(2)));
  std::memset(image, 1, 80);
  {
    auto temp = arena.temp();
    auto* const row = temp.create_array<float>(5);
    ASSERT_NE(row, nullptr);
    auto inner = temp.temp();
    ASSERT_NE(inner.allocate(3, 1), nullptr);
  }
  EXPECT_EQ(arena.used(Region::kTemp), 0u);
  const auto marker = arena.mark();
  ASSERT_NE(arena.allocate(16, 16), nullptr);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_EQ(*number, 7u);
  EXPECT_EQ(image[79], 1);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_EQ(panics, 0u);
}

TEST_F(Hardened, WhatDoesNotFitIsRefusedAtEachLevel) {
  Arena<256> arena;
  constexpr auto kMost = static_cast<std::size_t>(-1);
  for (const std::size_t size : {std::size_t{257}, arenite::kMaxSize, arenite::kMaxSize + 1, kMost - 15, kMost}) {
    EXPECT_EQ(arena.allocate(size, 1), nullptr) << size;
    EXPECT_EQ(arena.head().allocate(size, 16), nullptr) << size;
    EXPECT_EQ(arena.overlay(size, 16), nullptr) << size;
    arena.in_temp([&](auto& temp) { EXPECT_EQ(temp.allocate(size, 4), nullptr) << size; });
  }
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{3}, std::size_t{24}, kMost}) {
    EXPECT_EQ(arena.allocate(8, alignment), nullptr) << alignment;
  }
  const volatile std::size_t count = kMost / 8 + 2;  // g++ warns of a constant
  EXPECT_EQ(arena.create_array<std::uint64_t>(count), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(panics, 0u);
}

TEST_F(Hardened, ADryRunKnowsTheSizeAtEachLevel) {
  constexpr std::size_t kNeed = [] {
    DryRun arena;
    (void)arena.create<std::uint64_t>();
    (void)arena.overlay(kPlan);
    (void)arena.allocate(20, 4);
    return arena.required();
  }();
  Arena<kNeed, 64> enough;
  EXPECT_NE(enough.create<std::uint64_t>(), nullptr);
  EXPECT_TRUE(enough.overlay(kPlan));
  EXPECT_NE(enough.allocate(20, 4), nullptr);
  Arena<kNeed - 1, 64> too_small;
  EXPECT_NE(too_small.create<std::uint64_t>(), nullptr);
  EXPECT_TRUE(too_small.overlay(kPlan));
  EXPECT_EQ(too_small.allocate(20, 4), nullptr);
}

TEST_F(Hardened, ASessionIsServedAtEachLevel) {
  Arena<4096> arena;
  arenite::Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  auto* const kept = session.variable<std::int16_t>(3);
  ASSERT_NE(kept, nullptr);
  const arenite::Scratch scratch = session.scratch(50, 1);
  ASSERT_TRUE(scratch);
  ASSERT_EQ(session.commit(arenite::BufferList(kBuffers)), Status::kOk);
  ASSERT_NE(session.data<std::int8_t>(1, 80), nullptr);
  ASSERT_NE(session.data<std::int8_t>(scratch, 50), nullptr);
  std::memset(session.data<std::int8_t>(1, 80), 1, 80);
  std::memset(session.data<std::int8_t>(scratch, 50), 2, 50);
  EXPECT_EQ(*session.data<std::int8_t>(1), 1);
  EXPECT_EQ(kept[2], 0);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(panics, 0u);
}

#if ARENITE_HARDENING == ARENITE_HARDENING_OFF

// Nothing is left that asks: a type is trusted to fit.
TEST_F(Hardened, AtLevelOffDataIsNotChecked) {
  Arena<256> arena;
  const auto overlay = arena.overlay(kPlan);
  ASSERT_TRUE(overlay);
  EXPECT_NE((overlay.check<std::int8_t>(0, 41)), Status::kOk) << "who asks is answered";
  EXPECT_EQ((overlay.data<std::int8_t>(0, 41)), static_cast<void*>(overlay.base() + kPlan.offset(0)));
}

// Memory that is wanting is no broken precondition.
TEST_F(Hardened, AtLevelOffARefusedViewStillAnswersNull) {
  Arena<16> arena;
  const auto overlay = arena.overlay(kPlan);
  ASSERT_FALSE(overlay);
  EXPECT_EQ(overlay.data<std::int8_t>(1), nullptr);
  EXPECT_EQ((overlay.data<std::int8_t>(1, 1)), nullptr);
  EXPECT_EQ(arenite::Session<>().data<std::int8_t>(1), nullptr);
}

TEST_F(Hardened, AtLevelOffTheOrderOfMarkersIsNotChecked) {
  Arena<256> arena;
  const auto marker = arena.mark();
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_EQ(arena.release(marker), Status::kOk) << "where nothing was taken since, this does no harm";
  EXPECT_EQ(panics, 0u);
}

TEST_F(Hardened, AtLevelOffTheOrderOfScopesIsNotChecked) {
  struct Slot {
    alignas(arenite::TempScope) std::byte bytes[sizeof(arenite::TempScope)];
  };
  Slot slots[2];
  Arena<256> arena;
  auto* const outer = ::new (slots[0].bytes) arenite::TempScope(arena.temp());
  auto* const inner = ::new (slots[1].bytes) arenite::TempScope(arena.temp());
  outer->~BasicTempScope();
  inner->~BasicTempScope();
  EXPECT_EQ(arena.open_temps(), 0u);
  EXPECT_EQ(panics, 0u);
}

#else

TEST_F(Hardened, BrokenPreconditionsGoToTheHook) {
  Arena<256> arena, other;
  const auto alien = other.mark();
  EXPECT_EQ(arena.release(alien), Status::kMarkerAlien);
  EXPECT_EQ(panics, 1u);
  EXPECT_EQ(reason, Status::kMarkerAlien);
  const auto marker = arena.mark();
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_EQ(arena.release(marker), Status::kMarkerOrder);
  EXPECT_EQ(panics, 2u);
  EXPECT_EQ(reason, Status::kMarkerOrder);
  const auto overlay = arena.overlay(kPlan);
  EXPECT_EQ((overlay.data<std::int8_t>(0, 41)), nullptr);
  EXPECT_EQ(overlay.data<std::int8_t>(3), nullptr);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(overlay.data<std::int8_t>(0), nullptr);
  EXPECT_EQ(panics, 2u);
}

#endif

#if ARENITE_HARDENING == ARENITE_HARDENING_DEBUG

// Each call after the overrun would find it: one arena for each.
template <class Call>
void expect_found(Call call) {
  Arena<512> arena;
  const auto marker = arena.mark();
  auto* const block = static_cast<std::byte*>(arena.allocate(9, 1));
  ASSERT_NE(block, nullptr);
  block[9] = std::byte{0x5A};
  EXPECT_FALSE(arena.check());
  panics = 0;
  call(arena, marker);
  EXPECT_GE(panics, 1u);
  EXPECT_EQ(reason, Status::kDamaged);
}

TEST_F(Hardened, AtLevelDebugTheNextCallFindsAnOverrun) {
  expect_found([](auto& arena, auto&) { (void)arena.allocate(1, 1); });
  expect_found([](auto& arena, auto&) { (void)arena.allocate(1000, 1); });
  expect_found([](auto& arena, auto&) { (void)arena.head().allocate(1, 1); });
  expect_found([](auto& arena, auto&) { (void)arena.template create<int>(); });
  expect_found([](auto& arena, auto&) { (void)arena.overlay(kPlan); });
  expect_found([](auto& arena, auto&) { (void)arena.mark(); });
  expect_found([](auto& arena, auto&) { auto temp = arena.temp(); });
  expect_found([](auto& arena, auto&) { (void)arena.release_overlay(); });
  expect_found([](auto& arena, auto& marker) { (void)arena.release(marker); });
  expect_found([](auto& arena, auto&) { (void)arena.reset(); });
  expect_found([](auto& arena, auto&) {
    arenite::Session<> session;
    (void)session.begin(arena, 2);
  });
}

// The bookkeeping lies in front of the memory, and begins with the ends of the regions.
template <class A>
void overwrite_bookkeeping(A& arena) {
  std::memset(static_cast<void*>(&arena), 0x7F, sizeof(std::size_t));
}

TEST_F(Hardened, AtLevelDebugOverwrittenBookkeepingIsFound) {
  Arena<512> arena;
  ASSERT_NE(arena.allocate(9, 1), nullptr);
  overwrite_bookkeeping(arena);
  EXPECT_FALSE(arena.check());
  EXPECT_EQ(panics, 0u) << "who asks is answered";
}

TEST_F(Hardened, AtLevelDebugArenasWithAnObserverOfTheirOwnHaveNoFences) {
  Arena<512, 16, Unobserved> arena;
  ASSERT_NE(arena.allocate(9, 1), nullptr);
  EXPECT_EQ(arena.used(), 9u);
  overwrite_bookkeeping(arena);
  EXPECT_FALSE(arena.check());
}

#if defined(GTEST_HAS_DEATH_TEST)

TEST(HardenedDeathTest, NoCallGoesOnWithOverwrittenBookkeeping) {
  Arena<512> arena;
  Arena<512, 16, Unobserved> unobserved;
  overwrite_bookkeeping(arena);
  overwrite_bookkeeping(unobserved);
  EXPECT_DEATH((void)arena.allocate(1, 1), "");
  EXPECT_DEATH((void)arena.reset(), "");
  EXPECT_DEATH((void)unobserved.allocate(1, 1), "");
  EXPECT_DEATH((void)unobserved.release_overlay(), "");
}

#endif

#endif

}  // namespace
