// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The dry run, in the compiler and at run time. That its answer is exact for all short traces and for long random ones
// is tested in arena_model_test.cpp.

#include <arenite/arena.hpp>
#include <arenite/dry_run.hpp>
#include <arenite/observer.hpp>
#include <arenite/plan.hpp>
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
using arenite::BasicArenaRef;
using arenite::Buffer;
using arenite::Destructor;
using arenite::DryRun;
using arenite::joint_required;
using arenite::Kind;
using arenite::kMaxSize;
using arenite::max_required;
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

enum class Mine : std::uint8_t { kLog = static_cast<std::uint8_t>(Kind::kUser), kState };

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
  const auto planned = any.overlay(kPlan);
  (void)any.enter(planned, kBuffers, 1);
  (void)any.release_overlay();
  (void)any.head().release(outer);
  (void)any.head().as(Kind::kMetadata).allocate(40, 64);
  const auto third = any.as(Mine::kLog).mark();
  (void)any.as(Kind::kVariable).template create<Driver, Destructor::kSkip>(3);
  (void)any.tail().as(Mine::kState).as(Kind::kWeights).template create_array<std::int16_t>(600);
  (void)any.as(Kind::kOther).release(third);
  any.in_temp([](auto& temp) { (void)temp.allocate(0, 1); });
  (void)any.reset();
  (void)any.allocate(5, 1);
}

constexpr std::size_t size_of_every_call() {
  DryRun run;
  every_call(run);
  return run.required();
}
static_assert(size_of_every_call() > 40 + 600 * 2 && size_of_every_call() < 2000, "most of it is what has a kind");

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

// The calls that make temp scopes, which a constant expression has only from C++20 on.
template <class AnyArena>
constexpr void every_scope(AnyArena& any) {
  auto temp = any.temp();
  (void)temp.allocate(5, 1);
  {
    auto scratch = temp.temp(Kind::kScratch);
    (void)scratch.allocate(40, 8);
    auto mine = any.temp(Mine::kState);
    (void)mine.template create<Filter>(1);
  }
  auto again = temp.temp();
  (void)again.template create_array<char>(9);
}

TEST(DryRun, TakesTheScopesOfAnArena) {
  DryRun run;
  every_scope(run);
  EXPECT_EQ(run.required(), 8 + 40 + sizeof(Filter));
  expect_exact([](auto& any) { every_scope(any); });
#if __cplusplus >= 202002L
  static_assert(max_required([](auto& any) { every_scope(any); }) == 8 + 40 + sizeof(Filter));
#endif
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

// A copy is made by name only.
static_assert(std::is_constructible_v<DryRun, const DryRun&> && !std::is_convertible_v<DryRun&, DryRun>);
static_assert(std::is_trivially_copyable_v<DryRun>);
constexpr auto kByReference = [](auto& any) { (void)any.allocate(1, 1); };
constexpr auto kByValue = [](auto any) { (void)any.allocate(1, 1); };
static_assert(std::is_invocable_v<decltype(kByReference), DryRun&>);
static_assert(!std::is_invocable_v<decltype(kByValue), DryRun&>, "it would count in a copy");

// --- of several programs ---------------------------------------------------------------------------------------------

// A set-up is a function object...
struct Keeps {
  std::size_t bytes;
  std::size_t planned;
  template <class AnyArena>
  constexpr void operator()(AnyArena& any) const {
    (void)any.allocate(bytes, 1);
    (void)any.overlay(planned, 1);
  }
};
// ... a lambda, for any arena or for a dry run only...
constexpr auto kSetUp = [](auto& any) { set_up(any); };
constexpr auto kScratch = [](DryRun& run) {
  run.in_temp([](auto& temp) { temp.allocate(500, 1); });
  return run.allocate(100, 4);
};
// ... a function, or a plan.
constexpr arenite::PlanSummary kOneBlock(300, 8);

static_assert(max_required() == 0);
static_assert(joint_required() == 0);
static_assert(max_required(kSetUp) == size_of_set_up());
static_assert(joint_required(kSetUp) == size_of_set_up());
static_assert(max_required(set_up<DryRun>) == size_of_set_up());
static_assert(max_required(kPlan) == kPlan.size());
static_assert(joint_required(kPlan) == kPlan.size());

static_assert(max_required(kScratch, kOneBlock) == 500);
static_assert(max_required(kOneBlock, kScratch) == 500);
static_assert(max_required(Keeps{40, 200}, Keeps{24, 300}) == 324, "each finds the arena empty");
static_assert(max_required(Keeps{24, 300}, Keeps{40, 200}, kPlan) == 324);
static_assert(max_required(Keeps{200, 1}, kOneBlock, Keeps{1, 200}) == 300);

static_assert(joint_required(Keeps{40, 200}, Keeps{24, 300}) == 364, "field case L1");
static_assert(joint_required(Keeps{24, 300}, Keeps{40, 200}) == 364);
static_assert(joint_required(Keeps{50, 200}, Keeps{60, 300}) == 410, "field case L3");
static_assert(joint_required(arenite::PlanSummary(64, 4), arenite::PlanSummary(96, 4)) == 96, "field case L5");
static_assert(joint_required(kOneBlock, kScratch) == 800, "a temp scope lies on the overlay");
static_assert(joint_required(kScratch, kOneBlock) == 500, "but here it was closed before");

// What is there whichever of them runs: field case L6.
constexpr DryRun with_base_layer() {
  DryRun run;
  run.head().allocate(920, 1);
  return run;
}
static_assert(max_required(with_base_layer(), arenite::PlanSummary(920, 4), arenite::PlanSummary(820 + 1200, 4)) ==
              2940);
static_assert(joint_required(with_base_layer(), arenite::PlanSummary(920, 4), Keeps{10, 2020}) == 2950);
static_assert(max_required(with_base_layer()) == 920);
static_assert(joint_required(with_base_layer()) == 920);

// At a base, with a fence.
static_assert(max_required(DryRun(1), kOneBlock, arenite::PlanSummary(301, 2)) == 307);
static_assert(joint_required(DryRun(1), Keeps{9, 0}, kOneBlock) == 316);
static_assert(max_required(DryRun(0, 8), Keeps{40, 200}, Keeps{24, 300}) == 340);
static_assert(joint_required(DryRun(0, 8), Keeps{40, 200}, Keeps{24, 300}) == 396);

// One that cannot be granted, and one that says so itself.
constexpr auto kTooMuch = [](DryRun& run) { run.allocate(kMaxSize + 1, 1); };
constexpr auto kWrongOrder = [](DryRun& run) {
  run.overlay(1, 1);
  (void)run.head().allocate(1, 1);
};
constexpr arenite::PlanSummary kRefused(Status::kInvalidLifetime);
constexpr auto kNo = [](auto&) { return false; };
constexpr auto kYes = [](auto&) { return true; };
constexpr auto kStatus = [](auto& any) {
  (void)any.allocate(7, 1);
  return Status::kOk;
};
constexpr auto kBadStatus = [](auto&) { return Status::kOverlap; };
constexpr auto kZero = [](auto&) { return 0; };
template <class SetUp>
constexpr bool can_not_be(const SetUp& set_up) {
  return max_required(set_up) == kHuge && joint_required(set_up) == kHuge && max_required(set_up, kYes) == kHuge &&
         max_required(kOneBlock, set_up) == kHuge && joint_required(set_up, kOneBlock) == kHuge &&
         joint_required(kOneBlock, set_up) == kHuge && max_required(DryRun(1, 2), set_up, kYes) == kHuge;
}
static_assert(can_not_be(kTooMuch));
static_assert(can_not_be(kWrongOrder));
static_assert(can_not_be(kRefused));
static_assert(can_not_be(kNo));
static_assert(can_not_be(kBadStatus));
static_assert(max_required(kYes, kZero) == 0 && joint_required(kYes, kZero) == 0, "what is not bool is not looked at");
static_assert(max_required(kStatus) == 7 && joint_required(kStatus, kStatus) == 14);
static_assert(max_required(Keeps{kMaxSize, 0}, Keeps{1, 0}) == kMaxSize);
static_assert(joint_required(Keeps{kMaxSize, 0}, Keeps{1, 0}) == kHuge, "each can be, not both");
static_assert(max_required(DryRun(0, 24), kYes) == kHuge, "a fence that no observer has");

TEST(MaxRequired, HoldsAnyOneOfThem) {
  static Arena<max_required(kSetUp, Keeps{300, 300}), 64> arena;
  kSetUp(arena);
  EXPECT_EQ(arena.failures(), 0u);
  EXPECT_EQ(arena.reset(), Status::kOk);
  Keeps{300, 300}(arena);
  EXPECT_EQ(arena.failures(), 0u);
  EXPECT_EQ(arena.used(), arena.capacity());
}

TEST(JointRequired, HoldsAllOfThem) {
  const auto both = [](auto& any) {
    Keeps{33, 70}(any);
    (void)any.overlay(kPlan);
    Keeps{7, 150}(any);
  };
  static Arena<joint_required(Keeps{33, 70}, kPlan, Keeps{7, 150}), 64> arena;
  both(arena);
  EXPECT_EQ(arena.failures(), 0u);
  EXPECT_EQ(arena.used(), arena.capacity());
  expect_exact(both);
  for (std::size_t base = 0; base < 64; ++base) {
    DryRun run(base);
    both(run);
    EXPECT_EQ(joint_required(DryRun(base), Keeps{33, 70}, kPlan, Keeps{7, 150}), run.required());
  }
}

// Sizes that are known at run time only.
TEST(MaxRequired, CountsAtRunTime) {
  arenite::Planner<3> planner;
  for (const Buffer& buffer : kBuffers) ASSERT_EQ(planner.add(buffer), Status::kOk);
  int calls = 0;
  for (std::size_t bytes = 0; bytes < 400; bytes += 50) {
    const auto model = [&calls, bytes](DryRun& run) {
      ++calls;
      run.allocate(bytes, 1);
    };
    const std::size_t planned = kPlan.size();
    EXPECT_EQ(max_required(model, planner.plan()), bytes > planned ? bytes : planned);
    EXPECT_EQ(joint_required(planner.plan(), model), bytes + planned);
  }
  EXPECT_EQ(calls, 16) << "each is called once";
  DryRun start;
  start.allocate(10, 1);
  EXPECT_EQ(max_required(start, Keeps{5, 20}), 35u);
  EXPECT_EQ(joint_required(start, Keeps{5, 20}, Keeps{1, 30}), 46u);
  EXPECT_EQ(start.required(), 10u) << "the start is copied";
}

// --- with fences -----------------------------------------------------------------------------------------------------

template <std::size_t kBytes>
struct Fenced : arenite::Observer {
  static constexpr std::size_t kFence = kBytes;
};

enum class Op : std::uint8_t { kHead, kTail, kOverlay, kTemp, kOpen, kClose, kRelease, kReleaseOverlay, kReset };

struct Call {
  Op op = Op::kReset;
  std::size_t size = 0;
  std::size_t alignment = 1;
};

struct Trace {
  const Call* next;
  const Call* end;
};

constexpr bool is_granted(bool granted) { return granted; }
constexpr bool is_granted(Status status) { return status == Status::kOk; }
constexpr bool is_granted(const void* block) { return block != nullptr; }

// Makes the calls of a trace, those between an open and its close in a temp scope. Whether all were granted; those for
// zero bytes don't count.
template <class AnyArena, class Temp>
bool play(AnyArena& any, Temp temp, Trace& trace) {
  constexpr bool kOuter = std::is_same_v<Temp, std::nullptr_t>;
  bool granted = true;
  [[maybe_unused]] auto mark = kOuter ? any.mark() : decltype(any.mark()){};
  while (trace.next != trace.end) {
    const Call call = *trace.next++;
    bool answer = true;
    switch (call.op) {
      case Op::kHead:
        answer = is_granted(any.head().allocate(call.size, call.alignment));
        break;
      case Op::kTail:
        answer = is_granted(any.allocate(call.size, call.alignment));
        break;
      case Op::kOverlay:
        answer = is_granted(any.overlay(call.size, call.alignment));
        break;
      case Op::kTemp:
        if constexpr (!kOuter) answer = is_granted(temp->allocate(call.size, call.alignment));
        break;
      case Op::kOpen:
        any.in_temp([&](auto& inner) { answer = play(any, &inner, trace); });
        break;
      case Op::kClose:
        if constexpr (!kOuter) return granted;
        break;
      case Op::kReleaseOverlay:
        answer = is_granted(any.release_overlay());
        break;
      case Op::kRelease:
        if constexpr (kOuter) {
          (void)any.release(mark);
          mark = any.mark();
        }
        break;
      case Op::kReset:
        answer = is_granted(any.reset());
        if constexpr (kOuter) mark = any.mark();
    }
    if (!answer && (call.size != 0 || call.op >= Op::kOpen)) granted = false;
  }
  return granted;
}

alignas(64) std::byte fenced_memory[4096];

template <std::size_t kFence>
bool grants(std::size_t base, std::size_t capacity, Trace trace) {
  ArenaState state;
  BasicArenaRef<Fenced<kFence>> arena(state, fenced_memory + base, capacity);
  return play(arena, nullptr, trace);
}

// Of all sizes only the larger ones grant the trace; `all` of the smaller ones are tried, or the next one.
template <std::size_t kFence>
bool needs_what_is_counted(std::size_t base, Trace trace, bool all) {
  DryRun run(base, kFence);
  Trace counted = trace;
  const bool possible = play(run, nullptr, counted);
  const std::size_t required = run.required();
  if (!possible || required == kHuge) {
    return required == kHuge && !grants<kFence>(base, sizeof(fenced_memory) - 64, trace);
  }
  if (required + 1 > sizeof(fenced_memory) - 64) return false;
  if (!grants<kFence>(base, required, trace) || !grants<kFence>(base, required + 1, trace)) return false;
  std::size_t smaller = all ? 0 : required - (required != 0);
  for (; smaller < required; ++smaller) {
    if (grants<kFence>(base, smaller, trace)) return false;
  }
  return true;
}

template <std::size_t kFence>
void expect_needs_what_is_counted(std::size_t base, const Call* calls, std::size_t count, bool all) {
  if (needs_what_is_counted<kFence>(base, {calls, calls + count}, all)) return;
  testing::Message text;
  for (std::size_t i = 0; i < count; ++i) {
    text << "\n  " << static_cast<int>(calls[i].op) << ' ' << calls[i].size << ' ' << calls[i].alignment;
  }
  ADD_FAILURE() << "fence " << kFence << ", base " << base << ", calls:" << text;
}

constexpr Call kAlphabet[] = {
    {Op::kHead, 1, 1},    {Op::kHead, 5, 16},    {Op::kHead, 3, 4},          {Op::kTail, 1, 1},
    {Op::kTail, 5, 2},    {Op::kTail, 3, 16},    {Op::kTail, 0, 8},          {Op::kOverlay, 1, 1},
    {Op::kOverlay, 9, 8}, {Op::kTemp, 1, 1},     {Op::kTemp, 2, 16},         {Op::kTemp, 0, 8},
    {Op::kOpen, 0, 1},    {Op::kClose, 0, 1},    {Op::kRelease, 0, 1},       {Op::kReleaseOverlay, 0, 1},
    {Op::kReset, 0, 1},   {Op::kTail, kHuge, 1}, {Op::kHead, kHuge - 20, 16}};
constexpr std::size_t kLetters = sizeof(kAlphabet) / sizeof(kAlphabet[0]);

template <std::size_t kFence>
void expect_all_short_traces() {
  std::size_t number = 0;
  for (std::size_t i = 0; i < kLetters * kLetters * kLetters; ++i) {
    const Call calls[] = {kAlphabet[i / kLetters / kLetters], kAlphabet[i / kLetters % kLetters],
                          kAlphabet[i % kLetters]};
    expect_needs_what_is_counted<kFence>(++number % 16, calls, 3, false);
    // In a temp scope.
    const Call scoped[] = {calls[0], {Op::kOpen, 0, 1}, calls[1], calls[2]};
    expect_needs_what_is_counted<kFence>(number % 5, scoped, 4, false);
    if (testing::Test::HasFailure()) return;
  }
}

template <std::size_t kFence>
void expect_random_traces() {
  std::uint32_t state = 2463534242u + static_cast<std::uint32_t>(kFence);  // Marsaglia's xorshift
  const auto below = [&state](std::size_t n) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % n;
  };
  std::size_t possible = 0;
  for (std::size_t round = 0; round < 400; ++round) {
    Call calls[10];
    // Of requests there are more than of anything else.
    constexpr Op kOps[] = {Op::kHead, Op::kTail, Op::kTail,  Op::kTail,    Op::kOverlay,        Op::kTemp, Op::kTemp,
                           Op::kTemp, Op::kOpen, Op::kClose, Op::kRelease, Op::kReleaseOverlay, Op::kReset};
    for (Call& call : calls) {
      call.op = kOps[below(sizeof(kOps) / sizeof(kOps[0]))];
      if (call.op == Op::kHead && &call != calls) call.op = Op::kTail;
      call.size = call.op < Op::kOpen ? 1 + below(40) : 0;
      call.alignment = std::size_t{1} << below(7);
    }
    const std::size_t base = below(64);
    DryRun run(base, kFence);
    Trace trace{calls, calls + 10};
    if (play(run, nullptr, trace)) ++possible;
    expect_needs_what_is_counted<kFence>(base, calls, 10, round % 16 == 0);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(possible, 100u);
}

TEST(DryRunWithFences, IsExactForAllShortTraces) {
  expect_all_short_traces<0>();
  expect_all_short_traces<1>();
  expect_all_short_traces<16>();
}

TEST(DryRunWithFences, IsExactForRandomTraces) {
  expect_random_traces<0>();
  expect_random_traces<1>();
  expect_random_traces<16>();
}

template <class SetUp>
constexpr std::size_t with_fence(std::size_t fence, SetUp set_up) {
  return max_required(DryRun(0, fence), set_up);
}
static_assert(with_fence(8, [](DryRun& run) { run.allocate(5, 4); }) == 21, "8, 5, 8; the end need not be aligned");
static_assert(with_fence(8, [](DryRun& run) { run.head().allocate(5, 4); }) == 21);
static_assert(with_fence(8, [](DryRun& run) { run.head().allocate(5, 32); }) == 45, "32, 5, 8");
static_assert(with_fence(8, [](DryRun& run) { run.in_temp([](auto& temp) { temp.allocate(5, 32); }); }) == 45);
static_assert(with_fence(8, [](DryRun& run) { run.overlay(5, 32); }) == 5, "none around a plan");
static_assert(with_fence(8, [](DryRun& run) { run.allocate(0, 32); }) == 0, "none around nothing");
static_assert(with_fence(8, [](DryRun& run) { run.allocate(kMaxSize - 16, 1); }) == kMaxSize);
static_assert(with_fence(8, [](DryRun& run) { run.allocate(kMaxSize - 15, 1); }) == kHuge);
static_assert(with_fence(8, [](DryRun& run) { run.allocate(kHuge - 3, 1); }) == kHuge, "what would wrap");
static_assert(with_fence(8, [](DryRun& run) { run.allocate(5, 3); }) == kHuge);
static_assert(with_fence(1, [](DryRun& run) { run.allocate(5, 1); }) == 7);
static_assert(with_fence(kHuge / 2 + 1, [](DryRun& run) { run.allocate(5, 1); }) == kHuge);
static_assert(with_fence(24, [](DryRun&) {}) == kHuge && with_fence(kHuge, [](DryRun&) {}) == kHuge);

TEST(DryRunWithFences, SizesAWatchedArenaInTheCompiler) {
  static Arena<max_required(DryRun(0, 8), kSetUp, Keeps{9, 9}), 64, Fenced<8>> arena;
  kSetUp(arena);
  EXPECT_EQ(arena.failures(), 0u);
  static Arena<max_required(DryRun(0, 8), kSetUp, Keeps{9, 9}) - 1, 64, Fenced<8>> too_small;
  kSetUp(too_small);
  EXPECT_EQ(too_small.failures(), 1u);
}

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
