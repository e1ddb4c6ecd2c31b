// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Fences without a table: whatever is overwritten breaks one, and nothing else does.

#include <arenite/arena.hpp>
#include <arenite/observers/fences.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>

#include "seed.hpp"

namespace {

using arenite::Arena;
using arenite::ArenaState;
using arenite::BasicArenaRef;
using arenite::Buffer;
using arenite::Fences;
using arenite::Observers;
using arenite::Recorder;
using arenite::Region;
using arenite::Status;

static_assert(std::is_empty_v<Fences> && sizeof(Arena<64, 16, Fences>) == sizeof(Arena<64>));
static_assert(sizeof(BasicArenaRef<Fences>) == 2 * sizeof(void*));
static_assert(Fences::kFence == 4 * sizeof(void*));

constexpr std::size_t kFence = Fences::kFence;

/// Overwrites each byte of a range in turn with other values: all of it is seen, and once it is as it was, no more.
template <class A>
void expect_watched(A& arena, std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte was = from[i];
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      from[i] = was ^ std::byte(flip);
      EXPECT_FALSE(arena.check()) << i << ' ' << flip;
    }
    from[i] = was;
    EXPECT_TRUE(arena.check()) << i;
  }
}

template <class A>
void expect_free(A& arena, std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    from[i] = ~from[i];
    EXPECT_TRUE(arena.check()) << i;
  }
}

std::byte* bytes(void* block) { return static_cast<std::byte*>(block); }

TEST(Fences, OfTheTailAreWatchedByteByByte) {
  Arena<1024, 64, Fences> arena;
  std::byte* const first = bytes(arena.allocate(5, 1));
  std::byte* const aligned = bytes(arena.allocate(24, 64));
  std::byte* const last = bytes(arena.allocate(1, 1));
  ASSERT_NE(first, nullptr);
  ASSERT_NE(aligned, nullptr);
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 64, 0u);
  expect_watched(arena, first - kFence, kFence);
  expect_watched(arena, first + 5, kFence);
  expect_watched(arena, aligned - 64, 64);
  expect_watched(arena, aligned + 24, kFence);
  expect_watched(arena, last - kFence, kFence);
  expect_watched(arena, last + 1, kFence);
  expect_free(arena, first, 5);
  expect_free(arena, aligned, 24);
  expect_free(arena, last, 1);
}

TEST(Fences, OfHeadAndTempAreWatchedByteByByte) {
  Arena<2048, 64, Fences> arena;
  constexpr Buffer kBuffers[] = {{64, 0, 1}, {64, 1, 2}};
  static constexpr auto kPlan = arenite::plan(kBuffers);
  std::byte* const below = bytes(arena.head().allocate(3, 2));
  std::byte* const head = bytes(arena.head().allocate(40, 128));
  auto overlay = arena.overlay(kPlan);
  auto temp = arena.temp();
  std::byte* const row = bytes(temp.allocate(7, 1));
  std::byte* const next = bytes(temp.allocate(32, 32));
  ASSERT_NE(below, nullptr);
  ASSERT_NE(head, nullptr);
  ASSERT_TRUE(overlay);
  ASSERT_NE(row, nullptr);
  ASSERT_NE(next, nullptr);
  for (std::byte* const block : {below, row}) expect_watched(arena, block - kFence, kFence);
  expect_watched(arena, head - 128, 128);
  expect_watched(arena, next - 32, 32);
  expect_watched(arena, below + 3, kFence);
  expect_watched(arena, head + 40, kFence);
  expect_watched(arena, row + 7, kFence);
  expect_watched(arena, next + 32, kFence);
  expect_free(arena, overlay.base(), kPlan.size());
  expect_free(arena, row, 7);
  expect_free(arena, next, 32);
}

TEST(Fences, AreNotFooledByZerosAndCopies) {
  Arena<512, 16, Fences> arena;
  std::byte* const one = bytes(arena.allocate(32, 16));
  std::byte* const other = bytes(arena.allocate(16, 16));
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  for (std::size_t i = 0; i < kFence; ++i) one[32 + i] = std::byte{0};  // all of a fence, of zeros
  EXPECT_FALSE(arena.check());
  for (std::size_t i = 0; i < kFence; ++i) one[32 + i] = other[16 + i];  // a sound one, of another block
  EXPECT_FALSE(arena.check());
  for (std::size_t i = 0; i < kFence; ++i) one[32 + i] = std::byte{0xFF};
  EXPECT_FALSE(arena.check());
}

TEST(Fences, PatternsAreInWhatIsFreshAndWhatIsFreed) {
  Arena<512, 16, Fences> arena;
  const auto marker = arena.mark();
  std::byte* const block = bytes(arena.allocate(20, 4));
  ASSERT_NE(block, nullptr);
  for (std::size_t i = 0; i < 20; ++i) ASSERT_EQ(block[i], Fences::kFresh) << i;
  ASSERT_EQ(arena.release(marker), Status::kOk);
  for (std::size_t i = 0; i < 20; ++i) ASSERT_EQ(block[i], Fences::kFreed) << i;
  std::byte* row = nullptr;
  {
    auto temp = arena.temp();
    row = bytes(temp.allocate(9, 1));
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row[8], Fences::kFresh);
  }
  EXPECT_EQ(row[0], Fences::kFreed);
  EXPECT_EQ(row[8], Fences::kFreed);
}

TEST(Fences, CountAsTakenAndAreRequired) {
  alignas(16) std::byte memory[256] = {};
  ArenaState state;
  BasicArenaRef<Fences> arena(state, memory, sizeof memory);
  ASSERT_NE(arena.allocate(8, 1), nullptr);
  EXPECT_EQ(arena.used(), 8 + 2 * kFence);
  EXPECT_EQ(arena.required(), 8 + 2 * kFence);
  ASSERT_NE(arena.allocate(0, 1), nullptr);
  EXPECT_EQ(arena.used(), 8 + 2 * kFence) << "nothing needs no fence";
  EXPECT_EQ(arena.allocate(256, 1), nullptr);
  EXPECT_EQ(arena.allocate(static_cast<std::size_t>(-1), 1), nullptr);
  EXPECT_EQ(arena.allocate(static_cast<std::size_t>(-1) - 2 * kFence + 1, 1), nullptr);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(arena.available(1), 256 - 8 - 4 * kFence);
}

TEST(Fences, StandBesideOtherObservers) {
  Arena<512, 16, Observers<Fences, Recorder<>>> arena;
  std::byte* const block = bytes(arena.allocate(8, 8));
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(arena.check());
  block[8] ^= std::byte{1};
  EXPECT_FALSE(arena.check());
}

TEST(Fences, StayWholeInRandomUse) {
  std::mt19937 random(arenite_test::seed_of_this_run());
  alignas(64) static std::byte memory[4096 + 64];
  for (unsigned round = 0; round < 50; ++round) {
    ArenaState state;
    BasicArenaRef<Fences> arena(state, memory + random() % 64, 1 + random() % 4096);
    for (unsigned call = 0; call < 60; ++call) {
      const std::size_t size = random() % 100;
      const std::size_t alignment = std::size_t{1} << random() % 8;
      void* block = nullptr;
      switch (random() % 7) {
        case 0:
          block = arena.head().allocate(size, alignment);
          break;
        case 1: {
          const auto marker = arena.mark();
          (void)arena.allocate(size, alignment);
          ASSERT_EQ(arena.release(marker), Status::kOk);
          break;
        }
        case 2:
          (void)arena.overlay(size, alignment);
          break;
        case 3:
          arena.in_temp([&](auto& temp) {
            (void)temp.allocate(size, alignment);
            (void)temp.allocate(size / 2, alignment);
            ASSERT_TRUE(arena.check());
          });
          break;
        case 4:
          if (random() % 8 == 0) {
            ASSERT_EQ(arena.reset(), Status::kOk);
          } else {
            ASSERT_EQ(arena.release_overlay(), Status::kOk);
          }
          break;
        default:
          block = arena.allocate(size, alignment);
          break;
      }
      for (std::size_t i = 0; block != nullptr && i < size; ++i) bytes(block)[i] = std::byte{0};
      ASSERT_TRUE(arena.check()) << round << ' ' << call;
    }
  }
}

// --- fences that are right and lead astray ---------------------------------------------------------------------------

/// A fence with a seal that fits: what only bytes that a program copied or made up could be.
void forge(std::byte* to, std::size_t size, std::size_t front, std::size_t taken) {
  const std::size_t seal = size ^ front ^ taken ^ static_cast<std::size_t>(0xB1D5'EA1D'B1D5'EA1D);
  const std::size_t words[] = {size, front, taken, seal};
  std::memcpy(to, words, sizeof(words));
}

TEST(Fences, ThatLeadOutsideAreBroken) {
  Arena<512, 16, Fences> arena;
  std::byte* const block = bytes(arena.allocate(64, 8));
  ASSERT_NE(block, nullptr);
  constexpr std::size_t kTaken = 64 + 2 * kFence;
  const auto check_with = [&](std::size_t size, std::size_t front, std::size_t taken) {
    forge(block - kFence, size, front, taken);
    return arena.check();
  };
  EXPECT_TRUE(check_with(64, kFence, kTaken)) << "as it was";
  constexpr auto kMost = static_cast<std::size_t>(-1);
  EXPECT_FALSE(check_with(64, kFence, kTaken + 1)) << "more than there is";
  EXPECT_FALSE(check_with(64, kFence, kMost));
  EXPECT_FALSE(check_with(kTaken, kFence, kTaken)) << "a block as large as what it takes with its fences";
  EXPECT_FALSE(check_with(kMost, kFence, kTaken));
  EXPECT_FALSE(check_with(64, kFence - 1, kTaken)) << "half a fence";
  EXPECT_FALSE(check_with(64, 0, kTaken));
  EXPECT_FALSE(check_with(0, kTaken, kTaken)) << "nothing but a fence in front";
  EXPECT_FALSE(check_with(0, kMost, kTaken));
  EXPECT_FALSE(check_with(65, kFence, kTaken)) << "no room for the fence behind it";
  EXPECT_FALSE(check_with(64, kFence + 1, kTaken));
  EXPECT_TRUE(check_with(64, kFence, kTaken));
}

TEST(Fences, ThatLeaveTooLittleForAnotherAreBroken) {
  Arena<512, 16, Fences> arena;
  std::byte* const tail = bytes(arena.allocate(64, 8));
  std::byte* const head = bytes(arena.head().allocate(64, 8));
  ASSERT_NE(tail, nullptr);
  ASSERT_NE(head, nullptr);
  // A block of 8 bytes less, with both of its fences in order: behind it, or in front of it on the head, are 8 bytes.
  forge(tail - kFence, 56, kFence, 56 + 2 * kFence);
  forge(tail + 56, 56, kFence, 56 + 2 * kFence);
  EXPECT_FALSE(arena.check());
  forge(tail - kFence, 64, kFence, 64 + 2 * kFence);
  forge(tail + 64, 64, kFence, 64 + 2 * kFence);
  EXPECT_TRUE(arena.check());
  forge(head + 64, 56, kFence, 56 + 2 * kFence);
  forge(head + 8 - kFence, 56, kFence, 56 + 2 * kFence);
  EXPECT_FALSE(arena.check());
}

TEST(Fences, LeaveNothingOfLittle) {
  const Arena<kFence, 16, Fences> least;
  EXPECT_EQ(least.available(1), 0u);
  Arena<2 * kFence, 16, Fences> little;
  EXPECT_EQ(little.available(1), 0u);
  EXPECT_EQ(little.available(Region::kHead, 1), 0u);
  EXPECT_EQ(little.available(Region::kOverlay, 1), 2 * kFence) << "an overlay has no fences";
  EXPECT_EQ(little.allocate(1, 1), nullptr);
  EXPECT_NE(little.overlay(2 * kFence, 1), nullptr);
  Arena<2 * kFence + 1, 16, Fences> more;
  EXPECT_EQ(more.available(1), 1u);
  EXPECT_EQ(more.available(Region::kOverlay, 1), 2 * kFence + 1);
  EXPECT_NE(more.allocate(1, 1), nullptr);
}

}  // namespace
