// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Dry sessions agree with sessions: a set-up that is written once runs in both, and an arena of the size that the dry
// run says is enough, while none that is smaller is. The same set-ups in the compiler, at run time, and at random.

#include <arenite/arena.hpp>
#include <arenite/dry_run.hpp>
#include <arenite/dry_session.hpp>
#include <arenite/observer.hpp>
#include <arenite/plan.hpp>
#include <arenite/planner.hpp>
#include <arenite/planner/linear.hpp>
#include <arenite/session.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "planning_oracle.hpp"

namespace {

using arenite::Arena;
using arenite::ArenaState;
using arenite::BasicArenaRef;
using arenite::Buffer;
using arenite::BufferList;
using arenite::DryReadySession;
using arenite::DryRun;
using arenite::DrySession;
using arenite::Graph;
using arenite::GraphSummary;
using arenite::greedy;
using arenite::joint_required;
using arenite::kMaxBuffers;
using arenite::kMaxSize;
using arenite::linear;
using arenite::max_required;
using arenite::Op;
using arenite::ReadyPlan;
using arenite::ReadySession;
using arenite::Session;
using arenite::Status;
using arenite::Step;
using arenite::Tensor;
using arenite::TensorKind;
using planning::Random;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMost = 6144;  // bytes of an arena here
constexpr std::size_t kCapacity = 12;

template <std::size_t kBytes>
struct Fenced : arenite::Observer {
  static constexpr std::size_t kFence = kBytes;
};

// --- what differs between the two ------------------------------------------------------------------------------------

template <class AnyArena>
struct Sessions;
template <>
struct Sessions<DryRun> {
  template <class Strategy = greedy>
  using Planning = DrySession<kCapacity, Strategy>;
  using Ready = DryReadySession;
};
template <class O>
struct Sessions<BasicArenaRef<O>> {
  template <class Strategy = greedy>
  using Planning = Session<Strategy, O>;
  using Ready = ReadySession<O>;
};
template <class AnyArena, class Strategy = greedy>
using PlanningFor = typename Sessions<AnyArena>::template Planning<Strategy>;
template <class AnyArena>
using ReadyFor = typename Sessions<AnyArena>::Ready;

constexpr Status of(Status status) { return status; }
constexpr Status of(bool granted) { return granted ? Status::kOk : Status::kOutOfMemory; }
constexpr Status of(const arenite::Scratch& scratch) { return of(static_cast<bool>(scratch)); }
constexpr Status of(const void* block) { return of(block != nullptr); }

// Goes on while all is well.
#define TRY(call)                                     \
  do {                                                \
    const Status try_status = of(call);               \
    if (try_status != Status::kOk) return try_status; \
  } while (false)

// --- what a set-up needs ---------------------------------------------------------------------------------------------

constexpr std::size_t kBases[] = {0, 1, 4, 24, 48};
alignas(256) std::byte memory[kMost + 64];
alignas(256) std::byte other_memory[kMost + 64];

template <class O, class SetUp>
Status in_arena(const SetUp& set_up, std::size_t base, std::size_t size) {
  ArenaState state;
  BasicArenaRef<O> arena(state, memory + base, size);
  return set_up(arena);
}

// Whether `fits(set_up, base, size)` for exactly the sizes from `required` on. All smaller ones are tried, and some
// larger ones.
testing::AssertionResult is_exact_for(const void* set_up, bool (*fits)(const void*, std::size_t, std::size_t),
                                      std::size_t base, std::size_t fence, Status dry, std::size_t required) {
  if (dry != Status::kOk) return testing::AssertionFailure() << "refused: " << to_string(dry);
  if (required > kMost - 20) return testing::AssertionFailure() << required << " bytes are too many for this test";
  for (std::size_t size = 0; size < required + 20; ++size) {
    const bool enough = fits(set_up, base, size);
    if (enough != (size >= required)) {
      return testing::AssertionFailure() << size << " bytes at " << base << (enough ? " are" : " are not")
                                         << " enough, counted were " << required << ", fence " << fence;
    }
  }
  return testing::AssertionSuccess();
}

// Whether exactly the sizes from `required()` on are enough.
template <class O, class SetUp>
testing::AssertionResult is_exact(const SetUp& set_up, std::size_t base) {
  DryRun run(base, O::kFence);
  const Status dry = set_up(run);
  const auto fits = [](const void* it, std::size_t at, std::size_t size) {
    return in_arena<O>(*static_cast<const SetUp*>(it), at, size) == Status::kOk;
  };
  return is_exact_for(&set_up, fits, base, O::kFence, dry, run.required());
}

template <class SetUp>
void expect_exact(const SetUp& set_up) {
  for (const std::size_t base : kBases) {
    EXPECT_TRUE(is_exact<arenite::Unobserved>(set_up, base));
    EXPECT_TRUE(is_exact<Fenced<16>>(set_up, base));
  }
  EXPECT_TRUE(is_exact<Fenced<1>>(set_up, 0));
}

// The same in two memories: with enough of the one, all sizes of the other.
template <class O, class SetUp>
testing::AssertionResult is_exact_in_two(const SetUp& set_up, std::size_t base) {
  DryRun persistent(base, O::kFence);
  DryRun planned(base / 2, O::kFence);
  if (set_up(persistent, planned) != Status::kOk) return testing::AssertionFailure() << "refused";
  const std::size_t required[] = {persistent.required(), planned.required()};
  for (std::size_t which = 0; which < 2; ++which) {
    if (required[which] > kMost - 20) return testing::AssertionFailure() << required[which] << " bytes are too many";
    for (std::size_t size = 0; size < required[which] + 20; ++size) {
      ArenaState states[2];
      BasicArenaRef<O> a(states[0], memory + base, which == 0 ? size : required[0]);
      BasicArenaRef<O> b(states[1], other_memory + base / 2, which == 1 ? size : required[1]);
      if ((set_up(a, b) == Status::kOk) != (size >= required[which])) {
        return testing::AssertionFailure()
               << size << " bytes of memory " << which << " at " << base << ", counted were " << required[which];
      }
    }
  }
  return testing::AssertionSuccess();
}

template <class SetUp>
void expect_exact_in_two(const SetUp& set_up) {
  for (const std::size_t base : kBases) {
    EXPECT_TRUE(is_exact_in_two<arenite::Unobserved>(set_up, base));
    EXPECT_TRUE(is_exact_in_two<Fenced<16>>(set_up, base));
  }
}

// --- set-ups ---------------------------------------------------------------------------------------------------------

constexpr Buffer kSmall[] = {{32, 0, 1, 8}, {64, 1, 2, 8}};                    // 96
constexpr Buffer kLarge[] = {{128, 0, 1, 8}, {160, 1, 2, 32}, {64, 2, 3, 8}};  // 288
constexpr Buffer kOdd[] = {{13, 0, 4, 1}, {0, 1, 1, 64}, {7, 2, 2, 2}, {21, 0, 1, 4}, {3, 3, 4, 16}};
constexpr Buffer kReversed[] = {{8, 2, 1, 8}};

// Variables, what is kept, views, in place.
constexpr Tensor kTensors[] = {
    {96, TensorKind::kActivation, 16},       // 0: input
    {64, TensorKind::kConstant, 8},          // 1: weights
    {128, TensorKind::kActivation, 8},       // 2
    {128, TensorKind::kActivation, 8},       // 3: 2 in place
    {60, TensorKind::kActivation, 4, 3, 8},  // 4: a part of 3
    {24, TensorKind::kVariable, 4},          // 5
    {40, TensorKind::kKept, 32},             // 6
    {12, TensorKind::kVariable, 8, 5, 8},    // 7: a part of 5
    {33, TensorKind::kActivation, 1},        // 8: output
};
constexpr Op kOps[] = {
    {{0, 1}, {2}},
    Op::in_place({2}, {3}),
    {{4, 5, 7}, {8, 6}},
};
constexpr Graph kGraph{kTensors, 9, kOps, 3, {0}, {8}};

// The same with other sizes, and no such thing as a variable.
constexpr Tensor kOtherTensors[] = {{300, TensorKind::kActivation, 8}, {70, TensorKind::kActivation, 8}};
constexpr Op kOtherOps[] = {{{0}, {1}}};
constexpr Graph kOtherGraph{kOtherTensors, 2, kOtherOps, 1, {0}, {1}};

// Only variables: no planned byte.
constexpr Tensor kStates[] = {{50, TensorKind::kVariable, 16}, {9, TensorKind::kKept, 1}};
constexpr Op kStateOps[] = {{{0}, {1}}};
constexpr Graph kStateGraph{kStates, 2, kStateOps, 1, {}, {}};

// One kept tensor that is as large and as aligned as is said.
struct Kept {
  Tensor tensors[2];
  Op ops[1] = {{{}, {0, 1}}};
  constexpr Kept(std::size_t size, std::size_t alignment, TensorKind kind = TensorKind::kKept)
      : tensors{{size, kind, alignment}, {10, TensorKind::kActivation, 8}} {}
  constexpr Graph graph() const { return {tensors, 2, ops, 1, {}, {1}}; }
};

constexpr char kTable[] = "0123456789";
constexpr std::int16_t kImage[] = {1, 2, 3, 4, 5};

struct List {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 4));
    return session.commit(kLarge);
  }
};

struct FullTable {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 5));
    TRY(session.scratch(40, 1));
    TRY(session.scratch(Buffer{7, 0, 3, 2}));
    return session.commit(kLarge);
  }
};

struct NoBuffers {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 1));
    return session.commit(BufferList(kSmall, 0));
  }
};

// What an engine does while it prepares its operators.
template <class Strategy>
struct Engine {
  template <class A>
  constexpr Status operator()(A& arena) const {
    TRY(arena.head().allocate(5, 1));
    PlanningFor<A, Strategy> session;
    TRY(session.begin(arena, 9));
    TRY(arena.allocate(24, 8));
    (void)session.scratch(40, 1, 16);
    bool granted = true;
    arena.in_temp([&](auto& temp) {
      granted = of(temp.allocate(100, 4)) == Status::kOk;
      (void)session.scratch(24, 2);
    });
    TRY(granted);
    TRY(session.template variable<std::uint8_t>(13, 6));
    TRY(session.template variable<std::uint64_t>());
    TRY(session.variable(kImage, 5));
    TRY(session.share(kTable, 10, 16));
    (void)session.scratch(Buffer{50, 0, 1, 64});
    TRY(session.commit(kOdd));
    return of(arena.allocate(3, 1));
  }
};

template <class Strategy>
struct OfAGraph {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A, Strategy> session;
    TRY(session.begin(arena, 11));
    (void)session.scratch(30, 1, 8);
    TRY(session.share(kTable, 3, 1));
    return session.commit(kGraph);
  }
};

struct OfStates {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 2));
    return session.commit(kStateGraph);
  }
};

// Tensors in the user's memory.
constexpr Tensor kFrames[] = {{5000, TensorKind::kExternal, 64},
                              {100, TensorKind::kActivation, 4, 0, 64},
                              {33, TensorKind::kActivation, 8},
                              {600, TensorKind::kExternal, 1}};
constexpr Op kFrameOps[] = {{{0, 1}, {2}}, {{2}, {3}}};
constexpr Graph kFrameGraph{kFrames, 4, kFrameOps, 2, {0}, {3}};
struct OfFrames {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 4));
    return session.commit(kFrameGraph);
  }
};
constexpr auto kLargePlan = arenite::plan(kLarge);
constexpr auto kSmallPlan = arenite::plan(kSmall);
constexpr Buffer kNothing[] = {{0, 0, 0, 1}};
constexpr auto kNoPlan = arenite::plan(kNothing);
constexpr ReadyPlan kReady = arenite::ready(kLargePlan, BufferList(kLarge, 2));  // and a scratch
constexpr ReadyPlan kReadySmall = arenite::ready(kSmallPlan, kSmall);
constexpr ReadyPlan kReadyNothing = arenite::ready(kNoPlan, kNothing);
constexpr ReadyPlan kReadyRefused(arenite::PlanSummary(Status::kInvalidLifetime), {}, BufferList(kSmall, 0));

struct OfAReadyPlan {
  template <class A>
  constexpr Status operator()(A& arena) const {
    ReadyFor<A> session;
    TRY(session.begin(arena, kReady));
    TRY(arena.allocate(12, 4));
    TRY(session.scratch(64, 2, 8));
    TRY(session.template variable<std::uint16_t>(9));
    TRY(session.commit());
    TRY(session.share(kTable, 10, 2));
    TRY(session.replan(kReadySmall));
    TRY(session.commit());
    TRY(session.replan(kReady));
    (void)session.scratch(Buffer{60, 0, 1, 4});
    return session.commit();
  }
};

struct OfAnEmptyReadyPlan {
  template <class A>
  constexpr Status operator()(A& arena) const {
    ReadyFor<A> session;
    TRY(session.begin(arena, kReadyNothing));
    return session.commit();
  }
};

// Another plan, and another: each by its number.
struct Replans {
  int first = 0;
  int second = 1;
  int third = 2;

  template <class S>
  static constexpr Status commit(S& session, int which) {
    (void)session.scratch(20, 0, 4);
    if (which == 4) (void)session.scratch(20, 0, 4);
    switch (which) {
      case 0:
        return session.commit(kSmall);
      case 1:
      case 4:
        return session.commit(kLarge);
      case 2:
        return session.commit(kGraph);
      default:
        return session.commit(kOtherGraph);
    }
  }
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 11));
    TRY(commit(session, first));
    TRY(arena.allocate(50, 8));  // from here on, what is planned lies under more
    TRY(session.replan());
    TRY(commit(session, second));
    TRY(arena.allocate(50, 8));
    TRY(session.replan());
    TRY(session.replan());
    TRY(commit(session, third));
    TRY(session.replan());
    return commit(session, third);
  }
};

// The temp for planning is what is the most here, so that it shows where a plan is made and where none is.
struct PlansOnce {
  int which;

  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 12));
    (void)session.scratch(3, 0, 1);
    TRY(session.commit(BufferList(kOdd, 2)));
    TRY(session.replan());
    TRY(arena.allocate(100, 1));
    Buffer list[] = {kOdd[0], kOdd[1], {}};
    std::size_t count = 2;
    std::size_t scratch = 3;
    Step step = 0;
    switch (which) {
      case 0:
        break;
      case 1:
        list[0].size += 1;
        break;
      case 2:
        list[1].first = 0;
        break;
      case 3:
        list[1].last = 2;
        break;
      case 4:
        list[0].alignment = 2;
        break;
      case 5:
        count = 1;
        break;
      case 6:
        scratch = 4;
        break;
      case 7:
        step = 1;
        break;
      case 8:
        list[2].size = 0;
        count = 3;
        break;
      default:
        (void)session.scratch(0, 0, 1);
    }
    (void)session.scratch(scratch, step, 1);
    return session.commit(BufferList(list, count));
  }
};

// A graph, and the list of its buffers: the same plan, but no longer that of a graph.
struct GraphThenItsList {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    const Tensor tensors[] = {{16, TensorKind::kActivation, 8}, {16, TensorKind::kActivation, 8}};
    const Op ops[] = {{{0}, {1}}};
    TRY(session.begin(arena, 12));
    TRY(session.commit(Graph{tensors, 2, ops, 1, {0}, {1}}));
    TRY(session.replan());
    TRY(arena.allocate(100, 1));
    const Buffer list[] = {{16, 0, 0, 8}, {16, 0, 0, 8}};
    return session.commit(list);
  }
};

struct EqualGraphs {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> session;
    TRY(session.begin(arena, 12));
    TRY(session.commit(kOtherGraph));
    TRY(session.replan());
    TRY(arena.allocate(300, 1));
    TRY(session.commit(kOtherGraph));
    TRY(session.replan());
    TRY(arena.allocate(100, 1));
    return session.commit(kOtherGraph);
  }
};

// What is kept is there once, for as long as it is large and aligned enough, by the kind of tensor.
template <class A, std::size_t N>
constexpr Status keep_all(A& arena, const Kept (&all)[N]) {
  PlanningFor<A> session;
  TRY(session.begin(arena, 3));
  for (const Kept& one : all) {
    TRY(session.replan());
    TRY(session.commit(one.graph()));
  }
  return Status::kOk;
}
struct KeptAgain {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {
        {40, 4},
        {40, alignof(void*)},  // its record is aligned so, and it is, too
        {30, 4},
        {50, 1},
        {40, 1},
        {50, alignof(void*)},
        {20, alignof(void*), TensorKind::kVariable},
        {50, 4},  // the one from before
        {20, 4, TensorKind::kVariable},
        {21, 4, TensorKind::kVariable},
        {0, 4, TensorKind::kVariable},
    };
    return keep_all(arena, kAll);
  }
};

// One that grows more often than a session has buffers.
struct KeptGrows {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {{1, 1}, {2, 1}, {3, 1},  {4, 1},  {5, 1},  {6, 1},  {7, 1}, {8, 1},
                             {9, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 1}, {13, 1}, {13, 1}};
    return keep_all(arena, kAll);
  }
};

// Two of which neither can stand for the other, and then two that one of them can.
struct KeptAtTwoAlignments {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {{81, 8}, {60, 256}};
    return keep_all(arena, kAll);
  }
};
struct KeptAtTwoAlignmentsAgain {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {{81, 8}, {60, 256}, {70, 8}, {50, 128}};
    return keep_all(arena, kAll);
  }
};
// More of them than a session has buffers.
struct KeptAtManyAlignments {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {{200, 8},
                             {190, 16},
                             {180, 32},
                             {170, 64},
                             {160, 128},
                             {150, 256},
                             {200, 8, TensorKind::kVariable},
                             {190, 16, TensorKind::kVariable},
                             {180, 32, TensorKind::kVariable},
                             {170, 64, TensorKind::kVariable},
                             {160, 128, TensorKind::kVariable},
                             {150, 256, TensorKind::kVariable},
                             {80, 512},
                             {70, 512, TensorKind::kVariable},
                             {70, 512},
                             {60, 512, TensorKind::kVariable}};
    return keep_all(arena, kAll);
  }
};

template <class First, class Second>
struct Both {
  template <class A>
  constexpr Status operator()(A& arena) const {
    TRY(First()(arena));
    return Second()(arena);
  }
};

// The sessions of a set-up die at its end, which is nothing to their arena. Here they are both there.
struct TwoSessions {
  template <class A>
  constexpr Status operator()(A& arena) const {
    PlanningFor<A> first;
    PlanningFor<A, linear> second;
    ReadyFor<A> third;
    TRY(first.begin(arena, 4));
    TRY(first.template variable<std::uint32_t>(4));
    TRY(first.commit(kSmall));
    TRY(second.begin(arena, 10));
    TRY(second.template variable<std::uint8_t>(3));
    TRY(second.commit(kGraph));
    TRY(third.begin(arena, kReady));
    (void)third.scratch(64, 2);
    TRY(third.commit());
    return of(third.template variable<std::uint8_t>(70));
  }
};

struct TwoMemories {
  template <class A>
  constexpr Status operator()(A& persistent, A& planned) const {
    PlanningFor<A> session;
    TRY(planned.allocate(5, 2));
    TRY(session.begin(persistent, planned, 11));
    TRY(session.template variable<std::uint32_t>(3));
    (void)session.scratch(10, 1);
    TRY(session.commit(kGraph));
    TRY(session.replan());
    TRY(planned.allocate(50, 2));
    TRY(session.share(kTable, 7, 4));
    TRY(session.commit(kLarge));
    ReadyFor<A> ready;
    TRY(ready.begin(persistent, planned, kReadySmall));
    TRY(ready.template variable<std::uint8_t>(3));
    return ready.commit();
  }
};

// --- in the compiler -------------------------------------------------------------------------------------------------

template <class... SetUps>
inline constexpr std::size_t kSize = joint_required(SetUps()...);

template <class SetUp>
void expect_exact_arena() {
  {
    static Arena<kSize<SetUp>, 256> arena;
    BasicArenaRef<arenite::Unobserved> ref = arena;
    EXPECT_EQ(SetUp()(ref), Status::kOk);
    EXPECT_EQ(arena.failures(), 0u);
  }
  static Arena<kSize<SetUp> - 1, 256> arena;
  BasicArenaRef<arenite::Unobserved> ref = arena;
  EXPECT_EQ(SetUp()(ref), Status::kOutOfMemory);
  DryRun run;
  EXPECT_EQ(SetUp()(run), Status::kOk);
  EXPECT_EQ(run.required(), kSize<SetUp>) << "as at run time";
}

constexpr std::size_t kEntry = sizeof(Buffer) + sizeof(std::size_t);
constexpr std::size_t kGraphEntry = 2 * sizeof(std::size_t);
constexpr std::size_t kRecord = sizeof(arenite::detail::Kept);
static_assert(kSize<List> == kLargePlan.size() + 4 * kEntry);
static_assert(kSize<FullTable> > kLargePlan.size() + 40 + 5 * kEntry);
static_assert(kSize<OfStates> > 50 + 9 + 2 * (kEntry + kGraphEntry + kRecord));
static_assert(kSize<OfFrames> > 33 + 4 * (kEntry + kGraphEntry) && kSize<OfFrames> < 5000);
static_assert(kSize<OfAGraph<linear>> > kSize<OfAGraph<greedy>>, "it is not smaller, and its plan is larger");
static_assert(kSize<OfAnEmptyReadyPlan> == 0);
static_assert(kSize<Both<List, FullTable>> == kSize<List, FullTable>);
static_assert(kSize<List, FullTable> < kSize<List> + kSize<FullTable>, "they share the overlay");
static_assert(kSize<List, FullTable> > kSize<FullTable>, "and not their tables");
static_assert(joint_required(List(), kLargePlan) == kSize<List>);
static_assert(max_required(List(), FullTable(), OfStates()) == kSize<FullTable>);
static_assert(max_required(FullTable(), List()) == kSize<FullTable>);
static_assert(max_required(DryRun(0, 32), List()) == joint_required(DryRun(0, 32), List()));
static_assert(max_required(DryRun(0, 32), List()) > kSize<List>);

// One by one, as written in the header.
template <class AnyArena, class S>
constexpr bool set_up(AnyArena& arena, S& session) {
  return session.begin(arena, 4) == Status::kOk && session.commit(kLarge) == Status::kOk;
}
constexpr std::size_t size() {
  DryRun arena;
  DrySession<4> session;
  return set_up(arena, session) ? arena.required() : 0;
}
static_assert(size() == kSize<List>, "the capacity of its type is no matter");

TEST(DrySession, SizesAnArenaInTheCompiler) {
  static Arena<size(), 32> arena;  // as aligned as what it holds
  Session<> session;
  EXPECT_TRUE(set_up(arena, session));
  EXPECT_EQ(arena.required(), arena.capacity());
  expect_exact_arena<List>();
  expect_exact_arena<FullTable>();
  expect_exact_arena<NoBuffers>();
  expect_exact_arena<Engine<greedy>>();
  expect_exact_arena<Engine<linear>>();
  expect_exact_arena<OfAGraph<greedy>>();
  expect_exact_arena<OfAGraph<linear>>();
  expect_exact_arena<OfStates>();
  expect_exact_arena<OfFrames>();
  expect_exact_arena<OfAReadyPlan>();
  expect_exact_arena<Replans>();
  expect_exact_arena<GraphThenItsList>();
  expect_exact_arena<EqualGraphs>();
  expect_exact_arena<KeptAgain>();
  expect_exact_arena<TwoSessions>();
}

struct Sizes {
  std::size_t persistent;
  std::size_t planned;
};
constexpr Sizes sizes_of_two_memories() {
  DryRun persistent;
  DryRun planned;
  if (TwoMemories()(persistent, planned) != Status::kOk) return {0, 0};
  return {persistent.required(), planned.required()};
}
static_assert(sizes_of_two_memories().persistent > 2 * 11 * kEntry + 11 * kGraphEntry + 6 * kRecord);
static_assert(sizes_of_two_memories().planned > kLargePlan.size() + 50);

// --- at run time -----------------------------------------------------------------------------------------------------

TEST(DrySession, CountsALists) {
  expect_exact(List());
  expect_exact(FullTable());
  expect_exact(NoBuffers());
}
TEST(DrySession, CountsAnEngine) {
  expect_exact(Engine<greedy>());
  expect_exact(Engine<linear>());
}
TEST(DrySession, CountsAGraph) {
  expect_exact(OfAGraph<greedy>());
  expect_exact(OfAGraph<linear>());
  expect_exact(OfStates());
  expect_exact(OfFrames());
}
TEST(DrySession, CountsAReadyPlan) {
  expect_exact(OfAReadyPlan());
  expect_exact(OfAnEmptyReadyPlan());
}
TEST(DrySession, CountsPlansMadeAgain) {
  expect_exact(Replans{0, 1, 0});
  expect_exact(Replans{1, 0, 1});
  expect_exact(Replans{1, 1, 1});
  expect_exact(Replans{1, 4, 1});
  expect_exact(Replans{0, 2, 3});
  expect_exact(Replans{2, 2, 0});
  expect_exact(Replans{2, 3, 2});
  expect_exact(Replans{3, 1, 3});
  expect_exact(Replans{3, 2, 2});
}
TEST(DrySession, CountsNoPlanForAnEqualList) {
  for (int which = 0; which < 10; ++which) {
    SCOPED_TRACE(which);
    expect_exact(PlansOnce{which});
  }
  EXPECT_LT(joint_required(PlansOnce{0}), joint_required(PlansOnce{1})) << "the planner's temp";
  expect_exact(GraphThenItsList());
  expect_exact(EqualGraphs());
}
TEST(DrySession, CountsWhatIsKeptOnce) {
  expect_exact(KeptAgain());
  expect_exact(KeptGrows());
}
TEST(DrySession, CountsModelsInOneArena) {
  expect_exact(TwoSessions());
  expect_exact(Both<OfAGraph<greedy>, OfAReadyPlan>());
  expect_exact(Both<OfAReadyPlan, Both<List, OfAGraph<linear>>>());
}
TEST(DrySession, CountsTwoMemories) { expect_exact_in_two(TwoMemories()); }

// Where the observer wants fences, those of planned buffers are in the plan; a size that is too large for that is
// refused.
TEST(DrySession, CountsFencesOfPlannedBuffers) {
  const auto of_size = [](std::size_t size) {
    return [size](auto& arena) {
      PlanningFor<std::decay_t<decltype(arena)>> session;
      TRY(session.begin(arena, 4));
      const Buffer buffers[] = {{size, 0, 0, 1}};
      (void)session.scratch(8, 1, 1);
      return session.commit(buffers);
    };
  };
  const auto required = [&](std::size_t size, std::size_t fence) {
    return joint_required(DryRun(0, fence), of_size(size));
  };
  EXPECT_EQ(required(4000, 16) - required(4000, 0), 16 + 2 * 16u) << "of the plan and of the table";
  for (const std::size_t size : {kMaxSize - 15, kHuge - 1}) {
    EXPECT_EQ(in_arena<Fenced<16>>(of_size(size), 0, kMost), Status::kSizeOverflow);
    DryRun run(0, 16);
    EXPECT_EQ(of_size(size)(run), Status::kSizeOverflow);
    EXPECT_EQ(run.required(), kHuge);
  }
  DryRun other(0, 16);
  EXPECT_EQ(of_size(kMaxSize - 16)(other), Status::kOk);
  EXPECT_EQ(in_arena<Fenced<16>>(of_size(kMaxSize - 16), 0, kMost), Status::kOutOfMemory);
}

// What lies by luck where it has to be is not known to the dry session, and it counts it again.
TEST(DrySession, CountsEnoughForWhatIsKeptAtSeveralAlignments) {
  const auto is_enough = [](const auto& set_up) {
    for (const std::size_t base : kBases) {
      DryRun run(base);
      ASSERT_EQ(set_up(run), Status::kOk);
      ASSERT_LE(run.required(), kMost);
      EXPECT_EQ(in_arena<arenite::Unobserved>(set_up, base, run.required()), Status::kOk) << base;
    }
  };
  is_enough(KeptAtTwoAlignmentsAgain());
  is_enough(KeptAtManyAlignments());
  EXPECT_EQ(joint_required(KeptAtTwoAlignmentsAgain()), joint_required(KeptAtTwoAlignments()));
}

TEST(DrySession, CountsEqualTablesEach) {
  const auto share = [](auto& arena, int times) {
    PlanningFor<std::decay_t<decltype(arena)>> session;
    TRY(session.begin(arena, 1));
    for (int i = 0; i < times; ++i) TRY(session.share(kTable, 10, 8));
    return session.commit(BufferList(kSmall, 1));
  };
  const auto once = [&](auto& arena) { return share(arena, 1); };
  const auto twice = [&](auto& arena) { return share(arena, 2); };
  EXPECT_TRUE(is_exact<arenite::Unobserved>(once, 0));
  EXPECT_EQ(joint_required(twice), joint_required(once) + arenite::align_up(10, alignof(void*)) + kRecord);
}

TEST(DrySession, OfSeveralModelsIsAsLargeAsAnyOrAllNeed) {
  const List list;
  const OfAGraph<greedy> graph;
  const OfAReadyPlan ready;
  const std::size_t most = max_required(list, graph, ready);
  for (std::size_t size = 0; size < most + 20; ++size) {
    const bool fits = in_arena<arenite::Unobserved>(list, 0, size) == Status::kOk &&
                      in_arena<arenite::Unobserved>(graph, 0, size) == Status::kOk &&
                      in_arena<arenite::Unobserved>(ready, 0, size) == Status::kOk;
    EXPECT_EQ(fits, size >= most) << size;
  }
  const std::size_t all = joint_required(list, graph, ready);
  const Both<List, Both<OfAGraph<greedy>, OfAReadyPlan>> one_after_the_other;
  for (std::size_t size = 0; size < all + 20; ++size) {
    EXPECT_EQ(in_arena<arenite::Unobserved>(one_after_the_other, 0, size) == Status::kOk, size >= all) << size;
  }
  EXPECT_LT(most, all);
}

// --- refusals --------------------------------------------------------------------------------------------------------

// Both give the same answer, and no arena is large enough for what is refused, though nobody looks at the answer.
template <class SetUp>
void expect_refused(const SetUp& set_up, Status status) {
  EXPECT_EQ(in_arena<arenite::Unobserved>(set_up, 0, kMost), status);
  DryRun run;
  EXPECT_EQ(set_up(run), status);
  EXPECT_EQ(run.required(), kHuge);
  EXPECT_EQ(max_required(set_up), kHuge);
  EXPECT_EQ(joint_required(List(), set_up, List()), kHuge);
}

// A session of three buffers, and what is done to it.
template <class Use>
constexpr auto begun(Use use) {
  return [use](auto& arena) {
    PlanningFor<std::decay_t<decltype(arena)>> session;
    TRY(session.begin(arena, 3));
    return use(arena, session);
  };
}
template <class Use>
constexpr auto begun_with(const ReadyPlan& plan, Use use) {
  return [&plan, use](auto& arena) {
    ReadyFor<std::decay_t<decltype(arena)>> session;
    TRY(session.begin(arena, plan));
    return use(arena, session);
  };
}

constexpr auto kCommitsTwice = begun([](auto&, auto& session) {
  TRY(session.commit(kSmall));
  return session.commit(kSmall);
});
static_assert(max_required(kCommitsTwice) == kHuge);
static_assert(max_required(begun([](auto&, auto& session) { return session.commit(kSmall); })) != kHuge);

TEST(DrySessionOrder, CommitsOncePerPreparation) {
  expect_refused(kCommitsTwice, Status::kStale);
  expect_refused(begun([](auto&, auto& session) {
                   TRY(session.commit(kSmall));
                   return session.commit(kOtherGraph);
                 }),
                 Status::kStale);
  expect_refused(begun([](auto&, auto& session) {
                   TRY(session.commit(kSmall));
                   TRY(session.replan());
                   TRY(session.commit(kSmall));  // an equal one
                   return session.commit(kSmall);
                 }),
                 Status::kStale);
}

TEST(DrySessionOrder, BeginsOnce) {
  expect_refused(begun([](auto& arena, auto& session) { return session.begin(arena, 3); }), Status::kLoaded);
  expect_refused(begun_with(kReadySmall, [](auto& arena, auto& session) { return session.begin(arena, kReadySmall); }),
                 Status::kLoaded);
}

TEST(DrySessionOrder, CapacitiesAreFromOneToThatOfItsType) {
  for (const std::size_t capacity : {std::size_t{0}, kMaxBuffers + 1, kHuge}) {
    expect_refused(
        [capacity](auto& arena) {
          PlanningFor<std::decay_t<decltype(arena)>> session;
          return session.begin(arena, capacity);
        },
        Status::kTooManyBuffers);
  }
  DrySession<3> session;
  DryRun run;
  DryRun other;
  EXPECT_EQ(session.begin(run, other, 4), Status::kTooManyBuffers);
  EXPECT_EQ(run.required(), kHuge);
  EXPECT_EQ(other.required(), kHuge);
  DryRun enough;
  EXPECT_EQ(session.begin(enough, 3), Status::kOk);
  EXPECT_EQ(session.commit(kLarge), Status::kOk);
  EXPECT_EQ(enough.required(), kLargePlan.size() + 3 * kEntry);
}

TEST(DrySessionOrder, TheTableHasRoomForSoMany) {
  const Status too_many = Status::kTooManyBuffers;
  expect_refused(begun([](auto&, auto& session) { return session.commit(BufferList(kOdd, 4)); }), too_many);
  expect_refused(begun([](auto&, auto& session) { return session.commit(kGraph); }), too_many);
  expect_refused(begun([](auto&, auto& session) {
                   (void)session.scratch(1, 0);
                   return session.commit(kLarge);
                 }),
                 too_many);
  expect_refused(begun([](auto&, auto& session) {
                   for (int i = 0; i < 4; ++i) (void)session.scratch(1, 0);
                   return session.commit(BufferList(kSmall, 0));
                 }),
                 too_many);
  expect_refused(begun([](auto&, auto& session) {
                   for (int i = 0; i < 4; ++i) (void)session.scratch(1, 0);
                   return session.commit(BufferList(kSmall, 2));
                 }),
                 too_many);
  // All three of them are scratch.
  EXPECT_TRUE(is_exact<arenite::Unobserved>(begun([](auto&, auto& session) {
                                              for (int i = 0; i < 3; ++i) (void)session.scratch(9, 0);
                                              return session.commit(BufferList(kSmall, 0));
                                            }),
                                            0));
}

TEST(DrySessionOrder, ScratchThatIsRefusedCountsThoughNobodyCommits) {
  DryRun run;
  DrySession<1> session;
  ASSERT_EQ(session.begin(run, 1), Status::kOk);
  EXPECT_TRUE(session.scratch(1, 0));
  EXPECT_NE(run.required(), kHuge);
  EXPECT_FALSE(session.scratch(1, 0));
  EXPECT_EQ(run.required(), kHuge);
}

TEST(DrySessionOrder, ScratchIsRefusedWhereNothingIsPrepared) {
  const auto out_of_memory = Status::kOutOfMemory;  // what the test takes an empty handle for
  expect_refused(begun([](auto&, auto& session) {
                   TRY(session.commit(kSmall));
                   return of(session.scratch(8, 0));
                 }),
                 out_of_memory);
  expect_refused(begun([](auto&, auto& session) {
                   TRY(session.commit(kSmall));
                   (void)session.scratch(8, 0);
                   return session.commit(kSmall);
                 }),
                 Status::kStale);
  expect_refused(begun([](auto&, auto& session) {
                   for (int i = 0; i < 3; ++i) TRY(session.scratch(8, 0));
                   return of(session.scratch(8, 0));
                 }),
                 out_of_memory);
  expect_refused(begun_with(kReadySmall, [](auto&, auto& session) { return of(session.scratch(8, 0)); }),
                 out_of_memory);
}

TEST(DrySessionOrder, APlanIsAsTheReadyOneOrNone) {
  const Status mismatch = Status::kMismatch;
  const auto commits = [](std::size_t size, Step step, std::size_t alignment) {
    return begun_with(kReady, [=](auto&, auto& session) {
      (void)session.scratch(size, step, alignment);
      return session.commit();
    });
  };
  EXPECT_TRUE(is_exact<arenite::Unobserved>(commits(64, 2, 8), 0));
  EXPECT_TRUE(is_exact<arenite::Unobserved>(commits(1, 7, 1), 0));
  expect_refused(commits(65, 2, 8), mismatch);
  expect_refused(commits(64, 2, 64), mismatch);
  expect_refused(commits(64, 2, 3), mismatch);
  expect_refused(begun_with(kReady, [](auto&, auto& session) { return session.commit(); }), mismatch);
  expect_refused(begun_with(kReadySmall,
                            [](auto&, auto& session) {
                              (void)session.scratch(0, 0);
                              return session.commit();
                            }),
                 mismatch);
  expect_refused(begun_with(kReadySmall,
                            [](auto&, auto& session) {
                              TRY(session.commit());
                              TRY(session.commit());  // again, which is allowed
                              return session.replan(kReadyRefused);
                            }),
                 Status::kInvalidLifetime);
  expect_refused(begun_with(kReadyRefused, [](auto&, auto&) { return Status::kOk; }), Status::kInvalidLifetime);
}

TEST(DrySessionOrder, PlannerAndGraphRefuseAsTheyDo) {
  expect_refused(begun([](auto&, auto& session) { return session.commit(kReversed); }), Status::kInvalidLifetime);
  expect_refused(begun([](auto&, auto& session) {
                   (void)session.scratch(4, 0, 3);
                   return session.commit(kSmall);
                 }),
                 Status::kInvalidAlignment);
  expect_refused(begun([](auto&, auto& session) {
                   (void)session.scratch(4, 0, 3);
                   return session.commit(kOtherGraph);
                 }),
                 Status::kInvalidAlignment);
  const Graph cycle{kOtherTensors, 2, kOtherOps, 1, {}, {}};
  GraphSummary dry;
  GraphSummary real;
  DryRun run;
  DrySession<2> dry_session;
  static Arena<kMost> arena;
  Session<> session;
  ASSERT_EQ(dry_session.begin(run, 2), Status::kOk);
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  const Status status = session.commit(cycle, &real);
  EXPECT_NE(status, Status::kOk);
  EXPECT_EQ(dry_session.commit(cycle, &dry), status);
  EXPECT_EQ(run.required(), kHuge);
  EXPECT_EQ(dry.status, status);
  EXPECT_EQ(dry.tensor, real.tensor);
  EXPECT_EQ(dry.op, real.op);
  EXPECT_EQ(dry_session.replan(), Status::kOk);
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(kOtherGraph, &real), Status::kOk);
  EXPECT_EQ(dry_session.commit(kOtherGraph, &dry), Status::kOk);
  EXPECT_EQ(dry.status, Status::kOk);
  EXPECT_EQ(run.required(), kHuge) << "once and for all";
}

TEST(DrySessionOrder, CommitWaitsForTempScopes) {
  const auto in_temp = [](auto& arena, auto commit) {
    Status status = Status::kOk;
    arena.in_temp([&](auto&) { status = commit(); });
    return status;
  };
  expect_refused(
      begun([=](auto& arena, auto& session) { return in_temp(arena, [&] { return session.commit(kSmall); }); }),
      Status::kTempOpen);
  expect_refused(
      begun([=](auto& arena, auto& session) { return in_temp(arena, [&] { return session.commit(kOtherGraph); }); }),
      Status::kTempOpen);
  expect_refused(begun([=](auto& arena, auto& session) {
                   TRY(session.commit(kSmall));
                   TRY(session.replan());
                   return in_temp(arena, [&] { return session.commit(kSmall); });
                 }),
                 Status::kTempOpen);
  expect_refused(
      begun_with(kReadySmall,
                 [=](auto& arena, auto& session) { return in_temp(arena, [&] { return session.commit(); }); }),
      Status::kTempOpen);
  // A plan without bytes asks for no overlay.
  const auto nothing = begun_with(
      kReadyNothing, [=](auto& arena, auto& session) { return in_temp(arena, [&] { return session.commit(); }); });
  EXPECT_EQ(in_arena<arenite::Unobserved>(nothing, 0, kMost), Status::kOk);
  DryRun dry;
  EXPECT_EQ(nothing(dry), Status::kOk);
  EXPECT_EQ(dry.required(), 0u);
  // The rest goes on there.
  EXPECT_TRUE(is_exact<arenite::Unobserved>(begun([=](auto& arena, auto& session) {
                                              const Status status = in_temp(arena, [&] {
                                                TRY(session.replan());
                                                return of(session.template variable<std::uint8_t>(9));
                                              });
                                              return status == Status::kOk ? session.commit(kSmall) : status;
                                            }),
                                            0));
}

TEST(DrySessionOrder, NothingWorksBeforeItBegins) {
  const auto before = [](auto& session) {
    EXPECT_EQ(session.commit(kSmall), Status::kStale);
    EXPECT_EQ(session.commit(kGraph), Status::kStale);
    EXPECT_EQ(session.replan(), Status::kStale);
    EXPECT_NE(of(session.template variable<int>()), Status::kOk);
    EXPECT_NE(of(session.share(kTable, 3, 1)), Status::kOk);
    (void)session.scratch(8, 0);
  };
  const auto ready_before = [](auto& session) {
    EXPECT_EQ(session.commit(), Status::kStale);
    EXPECT_EQ(session.replan(kReadySmall), Status::kStale);
    EXPECT_NE(of(session.template variable<int>()), Status::kOk);
    (void)session.scratch(8, 0);
  };
  DrySession<2> dry;
  Session<> real;
  before(dry);
  before(real);
  DryReadySession dry_ready;
  ReadySession<> ready;
  ready_before(dry_ready);
  ready_before(ready);
  // And nothing of it is held against the model.
  DryRun run;
  EXPECT_EQ(dry.begin(run, 2), Status::kOk);
  EXPECT_EQ(dry.commit(kSmall), Status::kOk);
  EXPECT_EQ(dry_ready.begin(run, kReadySmall), Status::kOk);
  EXPECT_EQ(dry_ready.commit(), Status::kOk);
  EXPECT_EQ(run.required(), kSmallPlan.size() + 2 * kEntry);
}

TEST(DrySession, WhatIsTooLargeForAnyArena) {
  const auto variable = begun([](auto&, auto& session) {
    TRY(session.template variable<std::uint32_t>(kHuge / 2));
    return session.commit(kSmall);
  });
  const auto share = begun([](auto&, auto& session) { return of(session.share(kTable, 3, 24)); });
  const auto list = begun([](auto&, auto& session) {
    const Buffer buffers[] = {{kMaxSize, 0, 0, 1}};
    return session.commit(buffers);
  });
  EXPECT_EQ(max_required(variable), kHuge);
  EXPECT_EQ(max_required(share), kHuge);
  EXPECT_EQ(max_required(list), kHuge);
  EXPECT_NE(in_arena<arenite::Unobserved>(variable, 0, kMost), Status::kOk);
  EXPECT_NE(in_arena<arenite::Unobserved>(share, 0, kMost), Status::kOk);
  EXPECT_NE(in_arena<arenite::Unobserved>(list, 0, kMost), Status::kOk);
}

static_assert(std::is_trivially_copyable_v<DrySession<3>> && std::is_trivially_copyable_v<DryReadySession>);
static_assert(sizeof(DrySession<101>) - sizeof(DrySession<1>) <= 100 * 80, "some 80 bytes for each");

// --- at random -------------------------------------------------------------------------------------------------------

#if ARENITE_THOROUGH_TESTS
constexpr int kSetUps = 30000;
#elif defined(__unix__)
constexpr int kSetUps = 800;
#else
constexpr int kSetUps = 60;
#endif

enum class Call : std::uint8_t { kAllocate, kTemp, kScratch, kVariable, kShare, kReplan, kCommit, kCommitGraph, kNext };

// A list or a graph. Kept tensors have one alignment, as one of another might lie there by luck.
struct Model {
  static constexpr std::size_t kTensorsOfAModel = 5;
  Buffer buffers[kTensorsOfAModel];
  Tensor tensors[kTensorsOfAModel];
  Op ops[kTensorsOfAModel];
  std::size_t count = 0;
  std::size_t op_count = 0;

  explicit Model(Random& random) {
    count = random.below(kTensorsOfAModel + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = random.below(4) == 0 ? 0 : random.below(120);
      const std::size_t alignment = std::size_t{1} << random.below(6);
      const auto first = static_cast<Step>(random.below(4));
      buffers[i] = {size, first, static_cast<Step>(first + random.below(3)), alignment};
      tensors[i] = {size, TensorKind::kActivation, alignment};
      const std::uint32_t kind = random.below(8);
      if (kind < 3) tensors[i] = {size, kind == 0 ? TensorKind::kConstant : TensorKind::kVariable, 8};
      if (kind == 3) tensors[i] = {size, TensorKind::kKept, 16};
      if (kind == 5) tensors[i] = {size, TensorKind::kExternal, 8};
      const std::size_t of = random.below(kTensorsOfAModel);
      if (kind == 4 && of < i && tensors[of].view_of == arenite::kNoIndex) {
        tensors[i] = {tensors[of].size / 2, TensorKind::kActivation, 8, static_cast<arenite::Index>(of), 0};
      }
    }
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const int from = static_cast<int>(i);
      ops[op_count++] = random.below(2) == 0 ? Op{{from}, {from + 1}} : Op::in_place({from}, {from + 1});
    }
  }
  Graph graph() const { return {tensors, count, ops, op_count, {0}, {}}; }
};

struct Program {
  static constexpr std::size_t kCalls = 24;
  static constexpr std::size_t kModels = 3;
  struct Step {
    Call call = Call::kNext;
    std::size_t size = 0;
    std::size_t alignment = 1;
    std::size_t which = 0;
  };
  Step steps[kCalls];
  std::size_t count = 0;
  Model models[kModels];
  std::size_t capacity;

  explicit Program(Random& random)
      : models{Model(random), Model(random), Model(random)}, capacity(5 + random.below(kCapacity - 4)) {
    while (count < kCalls) {
      const auto call = static_cast<Call>(random.below(static_cast<std::uint32_t>(Call::kNext) + 1));
      steps[count++] = {call, random.below(90), std::size_t{1} << random.below(7), random.below(kModels)};
      if (call == Call::kCommit || call == Call::kCommitGraph)
        steps[count < kCalls ? count++ : 0] = {Call::kReplan, 0, 1, 0};
    }
  }

  template <class A>
  static Status make(const Program& program, A& persistent, A& planned) {
    PlanningFor<A> first;
    PlanningFor<A, linear> second;
    std::size_t next = 0;
    TRY(first.begin(persistent, planned, program.capacity));
    TRY(program.calls(persistent, planned, first, next));
    TRY(second.begin(persistent, planned, program.capacity));
    return program.calls(persistent, planned, second, next);
  }
  template <class A>
  Status operator()(A& arena) const {
    return make(*this, arena, arena);
  }
  template <class A>
  Status operator()(A& persistent, A& planned) const {
    return make(*this, persistent, planned);
  }

 private:
  template <class A, class S>
  Status calls(A& persistent, A& planned, S& session, std::size_t& next) const {
    bool granted = true;
    while (next < count) {
      const Step& step = steps[next++];
      switch (step.call) {
        case Call::kAllocate:
          TRY(persistent.allocate(step.size + 1, step.alignment));
          break;
        case Call::kTemp:
          planned.in_temp(
              [&](auto& temp) { granted = of(temp.allocate(step.size + 1, step.alignment)) == Status::kOk; });
          TRY(granted);
          break;
        case Call::kScratch:
          TRY(session.scratch(step.size, static_cast<arenite::Step>(step.which), step.alignment));
          break;
        case Call::kVariable:
          TRY(session.template variable<std::uint16_t>(step.size));
          break;
        case Call::kShare:
          TRY(session.share(memory + kMost + 1, step.size % 20, step.alignment));
          break;
        case Call::kReplan:
          TRY(session.replan());
          break;
        case Call::kCommit:
          TRY(session.commit(BufferList(models[step.which].buffers, models[step.which].count)));
          break;
        case Call::kCommitGraph:
          TRY(session.commit(models[step.which].graph()));
          break;
        case Call::kNext:
          if (next > 8) return Status::kOk;
      }
    }
    return Status::kOk;
  }
};

// Tables that are equal are counted, and not taken: no program that has two.
bool shares_twice(const Program& program) {
  int shared = 0;
  for (const Program::Step& step : program.steps) shared += step.call == Call::kShare ? 1 : 0;
  return shared > 1;
}

TEST(DrySession, CountsWhateverAProgramDoes) {
  Random random;
  SCOPED_TRACE(testing::Message() << "seed " << random.seed());
  int possible = 0;
  for (int i = 0; i < kSetUps; ++i) {
    const Program program(random);
    if (shares_twice(program)) continue;
    DryRun run;
    const Status status = program(run);
    if (status != Status::kOk) {
      ASSERT_EQ(run.required(), kHuge) << i;
      ASSERT_EQ(in_arena<arenite::Unobserved>(program, 0, kMost), status) << i;
      continue;
    }
    ASSERT_NE(run.required(), kHuge) << i;
    ++possible;
    const std::size_t base = random.below(64);
    ASSERT_TRUE(is_exact<arenite::Unobserved>(program, base)) << i;
    if (i % 4 == 0) {
      ASSERT_TRUE(is_exact<Fenced<1>>(program, base)) << i;
    } else if (i % 4 == 1) {
      ASSERT_TRUE(is_exact<Fenced<16>>(program, base)) << i;
    } else if (i % 4 == 2) {
      ASSERT_TRUE(is_exact_in_two<arenite::Unobserved>(program, base)) << i;
    }
  }
  EXPECT_GT(possible, kSetUps / 8);
}

// An equal list is planned again where its overlay is gone.
TEST(DrySessions, KnowWhenTheOverlayIsReleased) {
  constexpr Buffer kList[] = {{1024, 0, 1}, {64, 1, 2}};
  const auto run = [&](auto& arena, auto& session) {
    if (session.begin(arena, 2) != Status::kOk || session.commit(kList) != Status::kOk) return false;
    (void)arena.release_overlay();
    if (!arena.allocate(900, 8)) return false;
    return session.replan() == Status::kOk && session.commit(kList) == Status::kOk;
  };
  arenite::DryRun dry;
  arenite::DrySession<2> counted;
  ASSERT_TRUE(run(dry, counted));
  for (std::size_t size = dry.required() - 40; size < dry.required() + 40; ++size) {
    alignas(64) static std::byte bytes[4096];
    arenite::ArenaState state;
    arenite::ArenaRef arena(state, bytes, size);
    arenite::Session<> session;
    EXPECT_EQ(run(arena, session), size >= dry.required()) << size;
  }
}

// The one with the larger alignment first: the larger one does not stand for it.
struct KeptAtTwoAlignmentsTurned {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {{60, 256}, {81, 8}};
    return keep_all(arena, kAll);
  }
};
struct KeptAtTwoAlignmentsTurnedAgain {
  template <class A>
  constexpr Status operator()(A& arena) const {
    constexpr Kept kAll[] = {{60, 256}, {81, 8}, {70, 8}, {50, 128}};
    return keep_all(arena, kAll);
  }
};

TEST(DrySession, CountsEnoughForWhatIsKeptInAnotherOrder) {
  for (const std::size_t base : kBases) {
    DryRun run(base);
    ASSERT_EQ(KeptAtTwoAlignmentsTurnedAgain()(run), Status::kOk);
    EXPECT_EQ(in_arena<arenite::Unobserved>(KeptAtTwoAlignmentsTurnedAgain(), base, run.required()), Status::kOk);
  }
  EXPECT_EQ(joint_required(KeptAtTwoAlignmentsTurnedAgain()), joint_required(KeptAtTwoAlignmentsTurned()));
}

}  // namespace
