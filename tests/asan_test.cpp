// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What AddressSanitizer may touch in an arena. Without it nothing is poisoned, and the arena is as if nobody watched.

#include <arenite/arena.hpp>
#include <arenite/observers/asan.hpp>
#include <arenite/observers/guard.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <type_traits>

#if ARENITE_ASAN
extern "C" int __asan_address_is_poisoned(void const volatile*);
#endif

namespace {

using arenite::Arena;
using arenite::ArenaState;
using arenite::Asan;
using arenite::BasicArenaRef;
using arenite::Buffer;
using arenite::Guard;
using arenite::Observers;
using arenite::Recorder;
using arenite::Region;
using arenite::Status;
using arenite::Unobserved;

constexpr bool kOn = ARENITE_ASAN != 0;

#if ARENITE_ASAN
static_assert(!std::is_trivially_destructible_v<Asan> && !std::is_copy_constructible_v<Asan>);
#else
static_assert(std::is_empty_v<Asan> && std::is_trivially_destructible_v<Asan>);
static_assert(sizeof(Arena<64, 16, Asan>) == sizeof(Arena<64>));
static_assert(sizeof(BasicArenaRef<Asan>) == sizeof(arenite::ArenaRef));
#endif
static_assert(std::is_base_of_v<arenite::Observer, Asan>);
static_assert(Asan::kFence == 0);

bool poisoned([[maybe_unused]] const void* address) {
#if ARENITE_ASAN
  return __asan_address_is_poisoned(address) != 0;
#else
  return false;
#endif
}

const std::byte* bytes_of(const void* pointer) { return static_cast<const std::byte*>(pointer); }

// All of the range can be touched.
void expect_open(const void* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) ASSERT_FALSE(poisoned(bytes_of(from) + i)) << i;
}
// None of the range can be touched, if the sanitizer is there.
void expect_closed(const void* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(poisoned(bytes_of(from) + i), kOn) << i;
}

TEST(AsanBlocks, AreOpenAndNothingElse) {
  Arena<256, 16, Asan> arena;
  expect_open(arena.data(), 256);
  const auto* const tail = bytes_of(arena.allocate(13, 8));
  ASSERT_EQ(tail, arena.data() + 240);
  expect_closed(arena.data(), 240);
  expect_open(tail, 13);
  expect_closed(tail + 13, 3);
  const auto* const head = bytes_of(arena.head().allocate(1, 1));
  expect_open(head, 1);
  expect_closed(head + 1, 7);
  {
    auto temp = arena.temp();
    const auto* const scratch = bytes_of(temp.allocate(20, 8));
    ASSERT_EQ(scratch, arena.data() + 8);
    expect_open(scratch, 20);
    expect_closed(scratch + 20, 240 - 28);
    {
      auto inner = temp.temp();
      const auto* const more = bytes_of(inner.create_array<std::uint64_t>(2));
      ASSERT_EQ(more, arena.data() + 32);
      expect_open(more, 16);
    }
    expect_closed(arena.data() + 28, 240 - 28);
    expect_open(scratch, 20);
  }
  expect_closed(arena.data() + 8, 232);
  expect_open(head, 1);
  expect_open(tail, 13);
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect_closed(arena.data(), 256);
}

TEST(AsanBlocks, ReleasedByMarkersAreClosed) {
  Arena<256, 16, Asan> arena;
  const void* const kept = arena.allocate(16, 8);
  const auto tail = arena.mark();
  const void* const gone = arena.allocate(16, 8);
  const void* const first = arena.head().allocate(8, 8);
  const auto head = arena.head().mark();
  const void* const second = arena.head().allocate(8, 8);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  expect_open(kept, 16);
  expect_closed(gone, 16);
  expect_open(second, 8);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  expect_open(first, 8);
  expect_closed(second, 8);
  expect_open(arena.allocate(16, 8), 16);
}

TEST(AsanBlocks, NothingAndRefusalsChangeNothing) {
  Arena<64, 16, Asan> arena;
  const auto* const block = bytes_of(arena.allocate(8, 8));
  EXPECT_NE(arena.allocate(0, 8), nullptr);
  EXPECT_NE(arena.head().allocate(0, 8), nullptr);
  EXPECT_NE(arena.overlay(0, 8), nullptr);
  EXPECT_EQ(arena.allocate(100, 8), nullptr);
  EXPECT_EQ(arena.overlay(100, 8), nullptr);
  expect_closed(arena.data(), 56);
  expect_open(block, 8);
}

// Blocks of any size at any address: all that is granted can be touched, at every moment.
TEST(AsanBlocks, AreNeverClosedWhileTheyAreThere) {
  alignas(16) static std::byte memory[600];
  for (std::size_t base = 0; base < 9; ++base) {
    ArenaState state;
    Asan asan;
    BasicArenaRef<Asan> arena(state, memory + base, 500 + base, asan);
    expect_open(memory, 600);
    std::uint32_t random = static_cast<std::uint32_t>(base);
    const auto next = [&random](std::uint32_t below) {
      random = random * 1664525u + 1013904223u;
      return (random >> 8) % below;
    };
    for (int round = 0; round < 50; ++round) {
      const void* blocks[24];
      std::size_t sizes[24];
      std::size_t count = 0;
      const auto note = [&](const void* block, std::size_t size) {
        if (block == nullptr || size == 0) return;
        blocks[count] = block;
        sizes[count++] = size;
      };
      const auto look = [&] {
        for (std::size_t i = 0; i < count; ++i) expect_open(blocks[i], sizes[i]);
        expect_open(memory, base);
        expect_open(memory + 500 + 2 * base, 600 - 500 - 2 * base);
      };
      for (int i = 0; i < 4; ++i) {
        const std::size_t size = next(20);
        note(arena.head().allocate(size, std::size_t{1} << next(4)), size);
        note(arena.allocate(size, std::size_t{1} << next(4)), size);
      }
      const std::size_t overlay = next(30);
      note(arena.overlay(overlay, 1), overlay);
      const auto marker = arena.mark();
      const std::size_t before = count;
      const std::size_t size = next(20);
      note(arena.allocate(size, 1), size);
      look();
      count = before;
      EXPECT_EQ(arena.release(marker), Status::kOk);
      look();
      {
        auto temp = arena.temp();
        note(temp.allocate(size, 1), size);
        look();
        {
          auto inner = temp.temp();
          const void* const more = inner.allocate(7, 1);
          expect_open(more, 7);
        }
        look();
        count = before;
      }
      look();
      EXPECT_EQ(arena.reset(), Status::kOk);
    }
  }
  expect_open(memory, 600);
}

// --- planned buffers -------------------------------------------------------------------------------------------------

constexpr Buffer kBuffers[] = {{40, 0, 1, 8}, {24, 1, 2, 8}, {29, 2, 3, 8}};
constexpr auto kPlan = arenite::plan(kBuffers);
static_assert(kPlan.size() == 64 && kPlan.offset(0) == 0 && kPlan.offset(1) == 40 && kPlan.offset(2) == 0);

TEST(AsanSteps, OnlyWhatIsAliveIsOpen) {
  Arena<256, 16, Asan> arena;
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  const auto view = arena.overlay(kPlan);
  const std::byte* const base = view.base();
  expect_open(base, 64);
  EXPECT_NE(arena.overlay(100, 8), nullptr);
  expect_open(base, 100);
  EXPECT_TRUE(arena.overlay(kPlan));
  EXPECT_NE(arena.overlay(0, 8), nullptr);
  EXPECT_EQ(arena.enter(view, kBuffers, 0), Status::kOk);
  expect_open(base, 40);
  expect_closed(base + 40, 60);
  EXPECT_EQ(arena.enter(view, kBuffers, 1), Status::kOk);
  expect_open(base, 64);
  EXPECT_EQ(arena.enter(view, kBuffers, 2), Status::kOk);
  expect_open(base, 29);
  expect_closed(base + 29, 11);
  expect_open(base + 40, 24);
  EXPECT_EQ(arena.enter(view, kBuffers, 3), Status::kOk);
  expect_open(base, 29);
  expect_closed(base + 29, 71);
  EXPECT_TRUE(arena.overlay(kPlan));
  expect_open(base, 100);  // whose turn it is, nobody has said: the larger plan may be in use
  EXPECT_EQ(arena.enter(view, kBuffers, 3), Status::kOk);
  arena.observer().on_step(arenite::StepEvent{});
  expect_open(base, 100);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  expect_closed(base, 100);
  {
    auto temp = arena.temp();
    expect_open(temp.allocate(100, 8), 100);
  }
  const auto again = arena.overlay(kPlan);
  auto temp = arena.temp();
  const void* const scratch = temp.allocate(8, 8);
  EXPECT_EQ(arena.enter(again, kBuffers, 3), Status::kOk);
  expect_open(scratch, 8);  // the overlay is smaller now
}

TEST(AsanSteps, CloseWhatAnotherPlanHasBelow) {
  struct {
    Arena<256, 32, Asan> arena;
    std::byte behind[256] = {};
  } both;
  auto& arena = both.arena;
  constexpr static Buffer kAligned[] = {{40, 0, 1, 32}, {24, 1, 2, 8}};
  constexpr static auto kAlignedPlan = arenite::plan(kAligned);
  static_assert(kAlignedPlan.size() == 64);
  EXPECT_NE(arena.head().allocate(8, 8), nullptr);
  EXPECT_EQ(arena.overlay(16, 8), arena.data() + 8);
  const auto view = arena.overlay(kAlignedPlan);
  ASSERT_EQ(view.base(), arena.data() + 32);
  auto temp = arena.temp();
  const void* const scratch = temp.allocate(64, 8);
  expect_open(arena.data() + 8, 16);
  EXPECT_EQ(arena.enter(view, kAligned, 0), Status::kOk);
  expect_open(arena.data(), 8);
  expect_closed(arena.data() + 8, 24);
  expect_open(view.base(), 40);
  expect_closed(view.base() + 40, 24);
  expect_open(scratch, 64);
  expect_open(both.behind, 256);
}

// --- the end ---------------------------------------------------------------------------------------------------------

TEST(AsanEnds, WithItsObserverWatchingEnds) {
  using Watched = Arena<128, 16, Asan>;
  alignas(Watched) std::byte room[sizeof(Watched)];
  auto* const arena = ::new (static_cast<void*>(room)) Watched;
  EXPECT_NE(arena->allocate(8, 8), nullptr);
  expect_closed(arena->data(), 120);
  arena->~Watched();
  expect_open(room, sizeof(room));
}

TEST(AsanEnds, OfAnArenaThatNobodyUsedIsNothing) {
  const Arena<64, 16, Asan> arena;
  expect_open(arena.data(), 64);
}

// --- with others -----------------------------------------------------------------------------------------------------

template <class O>
void expect_guarded() {
  Arena<512, 16, O> arena;
  auto& guard = static_cast<Guard<>&>(arena.observer());
  for (int i = 0; i < 3; ++i) {
    auto* const block = static_cast<std::byte*>(arena.allocate(12, 8));
    ASSERT_NE(block, nullptr);
    expect_open(block, 12);
    expect_closed(block + 12, 8);
    expect_closed(block - 8, 8);
    EXPECT_EQ(*block, Guard<>::kFresh);
    const auto view = arena.overlay(kPlan);
    EXPECT_EQ(arena.enter(view, kBuffers, 0), Status::kOk);
    EXPECT_EQ(arena.enter(view, kBuffers, 3), Status::kOk);
    {
      auto temp = arena.temp();
      EXPECT_NE(temp.allocate(5, 1), nullptr);
      EXPECT_TRUE(guard.check().ok());
    }
    if (i == 1) {
      EXPECT_EQ(arena.reset(), Status::kOk);
    }
  }
  EXPECT_TRUE(guard.check().ok());
}

TEST(AsanWithOthers, TheGuardMayReadWhatIsPoisoned) {
  expect_guarded<Observers<Guard<>, Asan>>();
  expect_guarded<Observers<Asan, Guard<>>>();
  expect_guarded<Observers<Recorder<>, Asan, Guard<>>>();
  Arena<64, 16, Observers<Unobserved, Asan>> twice;
  expect_open(twice.allocate(8, 8), 8);
  expect_closed(twice.data(), 56);
}

#if ARENITE_ASAN && defined(GTEST_HAS_DEATH_TEST)

std::byte read(const volatile std::byte* byte) { return *byte; }

TEST(AsanDeathTest, WhoTouchesWhatIsNotTheirsIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Arena<128, 16, Asan> arena;
  const auto marker = arena.mark();
  auto* const block = static_cast<std::byte*>(arena.allocate(13, 8));
  ASSERT_NE(block, nullptr);
  block[12] = std::byte{1};
  EXPECT_EQ(read(block + 12), std::byte{1});
  EXPECT_DEATH((void)read(block + 13), "AddressSanitizer: ");
  EXPECT_DEATH((void)read(block - 1), "AddressSanitizer: ");
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_DEATH((void)read(block), "AddressSanitizer: ");
  EXPECT_DEATH(block[3] = std::byte{1}, "AddressSanitizer: ");
}

#endif

TEST(AsanOfNoMemory, HasNothingToClose) {
  ArenaState state;
  Asan asan;
  BasicArenaRef<Asan> arena(state, nullptr, 0, asan);
  EXPECT_EQ(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kNullMemory);
  EXPECT_EQ(arena.reset(), Status::kOk);
}

}  // namespace
