// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The dry run, in the compiler and at run time. That its answer is exact for all short traces and for long random ones
// is tested in arena_model_test.cpp.

#include <arenite/arena.hpp>
#include <arenite/dry_run.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::Destructor;
using arenite::DryRun;
using arenite::kMaxSize;
using arenite::Status;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

struct Filter {
  explicit Filter(int g = 1) : gain(g) {}
  int gain;
  std::int32_t taps[4] = {};
};

constexpr Buffer kBuffers[] = {{100, 0, 1, 4}, {60, 1, 2, 16}, {7, 2, 3, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);

// Whether an arena of so many bytes, at a multiple of 64 and `base` bytes more, grants all that `trace` asks for.
template <class Trace>
bool works(std::size_t capacity, std::size_t base, Trace trace) {
  alignas(64) static std::byte memory[2048];
  ArenaState state;
  ArenaRef arena(state, memory + base, capacity);
  trace(arena);
  return arena.failures() == 0;
}

template <class Trace>
void expect_exact(Trace trace) {
  for (std::size_t base = 0; base < 64; ++base) {
    DryRun run(base);
    trace(run);
    const std::size_t required = run.required();
    EXPECT_TRUE(works(required, base, trace)) << required << " bytes at " << base;
    EXPECT_TRUE(works(required + 1, base, trace)) << required << " bytes at " << base;
    if (required != 0) {
      EXPECT_FALSE(works(required - 1, base, trace)) << required << " bytes at " << base;
    }
  }
}

// --- in the compiler -------------------------------------------------------------------------------------------------

// One function counts what the program will ask for, and then asks for it.
template <class AnyArena>
constexpr void set_up(AnyArena& arena) {
  (void)arena.head().template create_array<char>(5);
  (void)arena.template create<Filter>(3);
  (void)arena.overlay(kPlan);
  (void)arena.allocate(3, 1);
  (void)arena.allocate(8, 32);
}

constexpr std::size_t size_of_set_up() {
  DryRun run;
  set_up(run);
  return run.required();
}
static_assert(size_of_set_up() > kPlan.size());

TEST(DryRun, SizesAnArenaInTheCompiler) {
  static Arena<size_of_set_up(), 64> arena;
  set_up(arena);
  EXPECT_EQ(arena.failures(), 0u);
  static Arena<size_of_set_up() - 1, 64> too_small;
  set_up(too_small);
  EXPECT_EQ(too_small.failures(), 1u);
  expect_exact([](auto& any) { set_up(any); });
}

// --- one trace for all -----------------------------------------------------------------------------------------------

struct Driver {
  explicit Driver(int n = 0) : number(n) {}
  ~Driver() { number = -1; }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  int number;
  char name[9] = {};
};

// All calls that the three have, by the same names.
template <class AnyArena>
constexpr void every_call(AnyArena& any) {
  (void)any.head().allocate(3, 1);
  const auto outer = any.head().mark();
  (void)any.head().template create<Filter>(3);
  const auto inner = any.head().mark();
  (void)any.head().template create_array<Driver, Destructor::kSkip>(5);
  (void)any.head().release(inner);
  (void)any.head().template create<Driver, Destructor::kSkip>(1);
  (void)any.template create<Driver, Destructor::kSkip>(2);
  (void)any.template create_array<Driver, Destructor::kSkip>(2);
  (void)any.overlay(kPlan);
  (void)any.overlay(50, 32);
  const auto tail = any.tail().mark();
  (void)any.tail().allocate(7, 2);
  (void)any.tail().template create<Driver, Destructor::kSkip>(2);
  any.in_temp([&](auto& temp) {
    (void)temp.allocate(11, 1);
    (void)temp.template create<Driver, Destructor::kSkip>(2);
    (void)any.template create_array<std::int16_t>(20);
    any.in_temp([&](auto& nested) {
      (void)nested.template create_array<Driver, Destructor::kSkip>(3);
      (void)any.tail().template create_array<std::uint8_t>(3);
    });
    (void)temp.template create_array<Filter>(1);
  });
  (void)any.release(tail);
  const auto again = any.mark();
  (void)any.allocate(30, 16);
  (void)any.tail().release(again);
  (void)any.release_overlay();
  (void)any.head().release(outer);
  (void)any.head().allocate(40, 64);
  any.in_temp([](auto& temp) { (void)temp.allocate(0, 1); });
  (void)any.reset();
  (void)any.allocate(5, 1);
}

constexpr std::size_t size_of_every_call() {
  DryRun run;
  every_call(run);
  return run.required();
}
static_assert(size_of_every_call() > 0 && size_of_every_call() < 1024);

TEST(DryRun, TakesTheSameCallsAsAnArena) {
  static Arena<size_of_every_call(), 64> arena;
  every_call(arena);
  EXPECT_EQ(arena.failures(), 0u);
  EXPECT_EQ(arena.used(), 5u);
  static Arena<size_of_every_call() - 1, 64> too_small;
  every_call(too_small);
  EXPECT_GT(too_small.failures(), 0u);
  static Arena<size_of_every_call(), 64> owner;
  ArenaRef ref = owner;
  every_call(ref);
  EXPECT_EQ(ref.failures(), 0u);
  expect_exact([](auto& any) { every_call(any); });
}

constexpr std::size_t size_with_markers() {
  DryRun run;
  const auto marker = run.mark();
  run.allocate(100, 1);
  run.release(marker);
  run.allocate(70, 1);
  run.head().allocate(20, 1);
  return run.required();
}
static_assert(size_with_markers() == 100, "the larger of 100, and 70 and 20");

constexpr std::size_t size_with_head_markers() {
  DryRun run;
  const auto outer = run.head().mark();
  run.head().allocate(100, 1);
  const auto inner = run.head().mark();
  run.head().allocate(20, 1);
  if (!run.head().release(inner)) return 0;
  run.overlay(15, 1);
  run.release_overlay();
  if (!run.head().release(outer)) return 0;
  run.allocate(30, 1);
  run.head().allocate(89, 1);
  return run.required();
}
static_assert(size_with_head_markers() == 120, "the larger of 100 and 20, 100 and 15, and 30 and 89");

// C++17 allows no destructors there, so temp has a form without.
constexpr std::size_t size_with_temp() {
  DryRun run;
  run.allocate(10, 1);
  run.in_temp([](DryRun::Temp& temp) {
    temp.allocate(20, 1);
    temp.allocate(5, 8);
  });
  run.in_temp([](DryRun::Temp& temp) { temp.allocate(22, 1); });
  return run.required();
}
static_assert(size_with_temp() == 10 + 29);

#if __cplusplus >= 202002L
constexpr std::size_t size_with_scopes() {
  DryRun run;
  {
    auto temp = run.temp();
    temp.create_array<char>(20);
    {
      auto inner = temp.temp();
      inner.allocate(5, 8);
      run.allocate(10, 1);
    }
    temp.allocate(2, 1);
  }
  run.overlay(25, 1);
  return run.required();
}
static_assert(size_with_scopes() == 29 + 10);
#endif

static_assert(
    [] {
      DryRun run;
      return run.required();
    }() == 0,
    "nothing needs nothing");

// --- what it counts --------------------------------------------------------------------------------------------------

TEST(DryRun, CountsEachRegion) {
  DryRun tail;
  EXPECT_TRUE(tail.allocate(10, 1));
  EXPECT_TRUE(tail.allocate(4, 4));
  EXPECT_EQ(tail.required(), 14u) << "an arena whose end fits: 0 to 4, 4 to 14";

  DryRun head;
  EXPECT_TRUE(head.head().allocate(10, 1));
  EXPECT_TRUE(head.head().allocate(4, 4));
  EXPECT_EQ(head.required(), 16u);

  DryRun overlay;
  EXPECT_TRUE(overlay.overlay(10, 1));
  EXPECT_TRUE(overlay.overlay(30, 8));
  EXPECT_TRUE(overlay.overlay(20, 16));
  EXPECT_EQ(overlay.required(), 30u);

  DryRun temp;
  {
    auto scope = temp.temp();
    EXPECT_TRUE(scope.allocate(3, 1));
    EXPECT_TRUE(scope.create<std::uint32_t>(5u));
  }
  {
    auto scope = temp.temp();
    EXPECT_TRUE(scope.create_array<char>(7));
  }
  EXPECT_EQ(temp.required(), 8u);
}

TEST(DryRun, CountsFromTheBase) {
  for (std::size_t base = 0; base < 64; ++base) {
    DryRun run(base);
    EXPECT_TRUE(run.head().allocate(8, 16));
    EXPECT_EQ(run.required(), (16 - base % 16) % 16 + 8);
    // Only the remainder matters.
    DryRun far(base + 4096);
    EXPECT_TRUE(far.head().allocate(8, 16));
    EXPECT_EQ(far.required(), run.required());
  }
}

TEST(DryRun, TakesPlansOfAllForms) {
  arenite::Planner<3> planner;
  for (const Buffer& buffer : kBuffers) ASSERT_EQ(planner.add(buffer), Status::kOk);
  DryRun run;
  EXPECT_TRUE(run.overlay(kPlan));
  EXPECT_TRUE(run.overlay(kPlan.offsets_only()));
  EXPECT_TRUE(run.overlay(planner.plan()));
  EXPECT_EQ(run.required(), kPlan.size());
}

// What an arena refuses whatever its size is no question of bytes: it answers false, and there is no size for good.
template <class Before, class Refused>
void expect_refused(Before before, Refused refused) {
  DryRun run;
  before(run);
  ASSERT_LT(run.required(), kHuge);
  EXPECT_FALSE(refused(run));
  EXPECT_EQ(run.required(), kHuge);
  EXPECT_TRUE(run.allocate(4, 4)) << "what comes after is answered as before";
  EXPECT_EQ(run.required(), kHuge);
  (void)run.reset();
  EXPECT_EQ(run.required(), kHuge);
}

TEST(DryRun, RefusesWhatAnArenaRefusesWhateverItsSize) {
  const auto nothing = [](DryRun&) {};
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{3}, std::size_t{24}, kHuge}) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{8}}) {
      expect_refused(nothing, [&](DryRun& run) { return run.allocate(size, alignment); });
      expect_refused(nothing, [&](DryRun& run) { return run.tail().allocate(size, alignment); });
      expect_refused(nothing, [&](DryRun& run) { return run.head().allocate(size, alignment); });
      expect_refused(nothing, [&](DryRun& run) { return run.overlay(size, alignment); });
      expect_refused(nothing, [&](DryRun& run) {
        auto temp = run.temp();
        return temp.allocate(size, alignment);
      });
    }
  }
  expect_refused(nothing, [](DryRun& run) { return run.overlay(arenite::PlanSummary(Status::kInvalidLifetime)); });

  const auto overlay = [](DryRun& run) { EXPECT_TRUE(run.overlay(4, 4)); };
  expect_refused(overlay, [](DryRun& run) { return run.head().allocate(4, 4); });
  expect_refused(overlay, [](DryRun& run) { return run.head().allocate(0, 4); });
  expect_refused(overlay, [](DryRun& run) { return run.head().create<int>(); });
  expect_refused(overlay, [](DryRun& run) { return run.head().create_array<int>(1); });
  expect_refused(nothing, [](DryRun& run) {
    const auto marker = run.head().mark();
    EXPECT_TRUE(run.overlay(4, 4));
    return run.head().release(marker);
  });

  // While a temp scope is open.
  expect_refused(nothing, [](DryRun& run) {
    const auto temp = run.temp();
    return run.head().allocate(4, 4);
  });
  expect_refused(nothing, [](DryRun& run) {
    const auto marker = run.head().mark();
    const auto temp = run.temp();
    return run.head().release(marker);
  });
  expect_refused(nothing, [](DryRun& run) {
    const auto temp = run.temp();
    return run.overlay(4, 4);
  });
  expect_refused(nothing, [](DryRun& run) {
    const auto temp = run.temp();
    return run.release_overlay();
  });
  expect_refused(nothing, [](DryRun& run) {
    const auto temp = run.temp();
    return run.reset();
  });
  expect_refused(nothing, [](DryRun& run) {
    auto outer = run.temp();
    const auto inner = run.temp();
    return outer.allocate(4, 4);
  });
  expect_refused(nothing, [](DryRun& run) {
    bool granted = true;
    run.in_temp([&](auto& outer) { run.in_temp([&](auto&) { granted = outer.template create<int>(); }); });
    return granted;
  });
}

TEST(DryRun, GrantsWhatTheOrderOfCallsAllows) {
  DryRun run;
  EXPECT_TRUE(run.overlay(4, 4));
  EXPECT_TRUE(run.release_overlay());
  EXPECT_TRUE(run.head().allocate(4, 4));
  EXPECT_TRUE(run.overlay(0, 4));
  EXPECT_TRUE(run.head().allocate(4, 4)) << "an empty overlay is not in the way";
  {
    auto outer = run.temp();
    {
      auto inner = outer.temp();
      EXPECT_TRUE(inner.allocate(4, 4));
      const auto marker = run.mark();
      EXPECT_TRUE(run.allocate(4, 4)) << "the tail may grow";
      EXPECT_TRUE(run.release(marker)) << "and shrink";
    }
    EXPECT_TRUE(outer.allocate(4, 4));
  }
  EXPECT_TRUE(run.reset());
  EXPECT_EQ(run.required(), 16u);
}

TEST(DryRun, NothingCountsForZeroBytes) {
  DryRun run(3);
  EXPECT_TRUE(run.allocate(0, 64));
  EXPECT_TRUE(run.head().allocate(0, 64));
  EXPECT_TRUE(run.overlay(0, 64));
  EXPECT_TRUE(run.create_array<std::uint64_t>(0));
  auto temp = run.temp();
  EXPECT_TRUE(temp.allocate(0, 64));
  EXPECT_EQ(run.required(), 0u);
}

TEST(DryRun, IsTheLargestNumberWhereNoArenaWouldDo) {
  const auto need = [](auto trace) {
    DryRun run;
    trace(run);
    return run.required();
  };
  EXPECT_EQ(need([](DryRun& run) { run.allocate(kMaxSize, 1); }), kMaxSize);
  EXPECT_EQ(need([](DryRun& run) { run.allocate(kMaxSize + 1, 1); }), kHuge) << "no request is granted so much";
  EXPECT_EQ(need([](DryRun& run) { run.allocate(kHuge, 1); }), kHuge);
  DryRun high(kMaxSize + 1);
  high.overlay(kHuge, 1);
  EXPECT_EQ(high.required(), kHuge) << "whatever the base";
  EXPECT_EQ(need([](DryRun& run) { run.head().allocate(kHuge - 7, 8); }), kHuge);
  EXPECT_EQ(need([](DryRun& run) { run.overlay(kHuge, 1); }), kHuge);
  EXPECT_EQ(need([](DryRun& run) { run.create_array<std::uint64_t>(kHuge / 8 + 2); }), kHuge);
  EXPECT_EQ(need([](DryRun& run) {
              run.allocate(kMaxSize, 1);
              run.allocate(kMaxSize, 1);
              run.allocate(kMaxSize, 1);
            }),
            kHuge);
  EXPECT_EQ(need([](DryRun& run) {
              run.allocate(kMaxSize, 1);
              run.head().allocate(1, 1);
            }),
            kHuge);
  EXPECT_EQ(need([](DryRun& run) {
              run.allocate(kHuge, 1);
              run.reset();
            }),
            kHuge)
      << "a reset does not forget";
}

// --- exact, in cases that tail alignment makes hard ------------------------------------------------------------------

TEST(DryRun, KnowsTheEndOfATail) {
  expect_exact([](auto& any) { (void)any.allocate(1, 8); });
  expect_exact([](auto& any) {
    (void)any.allocate(1, 1);
    (void)any.allocate(1, 2);
    (void)any.allocate(1, 4);
    (void)any.allocate(1, 8);
    (void)any.allocate(1, 64);
  });
  expect_exact([](auto& any) {
    (void)any.allocate(1, 64);
    (void)any.allocate(1, 8);
    (void)any.allocate(1, 4);
    (void)any.allocate(1, 2);
    (void)any.allocate(1, 1);
    (void)any.head().allocate(3, 1);
  });
  expect_exact([](auto& any) {
    (void)any.allocate(5, 16);
    (void)any.allocate(30, 32);
    (void)any.allocate(7, 4);
    (void)any.overlay(13, 8);
    const auto marker = any.mark();
    (void)any.allocate(40, 64);
    {
      auto temp = any.temp();
      (void)temp.allocate(50, 2);
      (void)any.allocate(9, 16);
    }
    (void)any.release(marker);
    (void)any.allocate(90, 2);
  });
}

// What a dry run keeps of a tail does not grow with the number of requests; the compiler would see that it does.
constexpr std::size_t size_of_many(std::size_t rounds) {
  DryRun run;
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) run.allocate(1, alignment);
    for (std::size_t alignment = 64; alignment != 0; alignment /= 2) run.allocate(1, alignment);
  }
  for (std::size_t i = 0; i < 100; ++i) run.allocate(8, 8);
  for (std::size_t alignment = kHuge / 2 + 1; alignment != 0; alignment /= 2) run.allocate(0, alignment);
  return run.required();
}
static_assert(size_of_many(0) == 800);
static_assert(size_of_many(20) > 20 * 14 + 800);

constexpr std::size_t size_of_each_alignment() {
  DryRun run;
  for (std::size_t alignment = kHuge / 4 + 1; alignment != 0; alignment /= 2) run.allocate(1, alignment);
  return run.required();
}
static_assert(size_of_each_alignment() == kHuge / 4 + 2, "the first lies at its alignment, all others below it");

TEST(DryRun, GivesBack) {
  DryRun run;
  const auto outer = run.mark();
  run.allocate(10, 1);
  const auto inner = run.mark();
  run.allocate(20, 1);
  run.release(inner);
  run.allocate(15, 1);
  EXPECT_EQ(run.required(), 30u);
  run.release(outer);
  run.allocate(31, 1);
  EXPECT_EQ(run.required(), 31u);
  run.head().allocate(4, 1);
  EXPECT_EQ(run.required(), 35u);
  run.overlay(10, 1);
  EXPECT_EQ(run.required(), 45u);
  run.release_overlay();
  run.overlay(9, 1);
  run.reset();
  run.head().allocate(45, 1);
  EXPECT_EQ(run.required(), 45u);
  run.head().allocate(1, 1);
  EXPECT_EQ(run.required(), 46u);
}

}  // namespace
