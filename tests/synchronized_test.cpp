// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A synchronized arena: each call takes the lock once and gives it back once, whatever comes of it, and what is done is
// done in between. Threads are in threads_test.cpp, interrupts in interrupt_test.cpp.

#include <arenite/adapters/synchronized.hpp>
#include <arenite/arena.hpp>
#include <arenite/observer.hpp>
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
using arenite::Event;
using arenite::Failure;
using arenite::Kind;
using arenite::Observer;
using arenite::Region;
using arenite::Status;
using arenite::StepEvent;
using arenite::Synchronized;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kCapacity = 512;

// A number that the compiler does not know: it warns of loops over arrays that there cannot be.
std::size_t unknown(std::size_t number) {
  volatile std::size_t hidden = number;
  return hidden;
}

// What the locks of this file were told.
struct Calls {
  int locks = 0;
  int unlocks = 0;
  int held = 0;
  int deepest = 0;
  int outside = 0;  // events while the lock was not held exactly once
};
Calls calls;

struct EmptyLock {
  void lock() {
    ++calls.locks;
    if (++calls.held > calls.deepest) calls.deepest = calls.held;
  }
  void unlock() {
    ++calls.unlocks;
    --calls.held;
  }
};

// As one that masks interrupts: what was masked before it is masked behind it.
bool masked = false;
struct MaskLock : EmptyLock {
  void lock() {
    const bool now = masked;
    masked = true;
    was_masked = now;
    EmptyLock::lock();
  }
  void unlock() {
    EmptyLock::unlock();
    masked = was_masked;
  }
  bool was_masked = false;
};

struct Watching : Observer {
  void on(const Event&) noexcept { look(); }
  void on_step(const StepEvent&) noexcept { look(); }
  static void look() noexcept {
    if (calls.held != 1) ++calls.outside;
  }
};

struct Counting : Observer {
  void on(const Event&) noexcept { ++events; }
  int events = 0;
};

// Where one stands, the lock is taken exactly once, or never. No templates, so that they are compiled once.
struct Once {
  Once() { calls = {}; }
  ~Once() {
    EXPECT_EQ(calls.locks, 1);
    EXPECT_EQ(calls.unlocks, 1);
    EXPECT_EQ(calls.deepest, 1);
    EXPECT_EQ(calls.held, 0);
    EXPECT_EQ(calls.outside, 0);
    EXPECT_FALSE(masked);
  }
};
struct Never {
  Never() { calls = {}; }
  ~Never() { EXPECT_EQ(calls.locks + calls.unlocks, 0); }
};

// Calls `call`, which is to take the lock exactly once, and answers what it does.
template <class Call>
decltype(auto) once(Call call) {
  const Once expect;
  return call();
}

// The same for what takes none.
template <class Call>
decltype(auto) never(Call call) {
  const Never expect;
  return call();
}

using Unwatched = Arena<kCapacity>;

template <class A, class L>
struct Owner {
  using Type = Synchronized<A, L>;
  Type arena;
};

template <class L>
struct Handle {
  using Type = Synchronized<ArenaRef, L>;
  Arena<kCapacity> memory;
  Type arena{memory};
};

template <class L>
struct HandleToMemory {
  using Type = Synchronized<ArenaRef, L>;
  ArenaState state;
  alignas(16) std::byte memory[kCapacity];
  Type arena{state, memory, sizeof(memory)};
};

template <class A>
struct Inside {
  A& arena;
};

// An arena of one kind, and what is asked of all kinds.
template <class Holder>
struct Fixture {
  // The arena without its lock: for what another owner of the lock left behind. What `with` does not see.
  auto& bare() {
    return arena.with([](auto& inner) { return Inside<std::remove_reference_t<decltype(inner)>>{inner}; }).arena;
  }

  // Each way in which an allocating call may end.
  template <class Allocate>
  void every_request(Allocate allocate) {
    EXPECT_NE(once([&] { return allocate(8, 8); }), nullptr);
    EXPECT_NE(once([&] { return allocate(0, 8); }), nullptr);
    EXPECT_EQ(bare().failures(), 0u);
    refused(Status::kOutOfMemory, [&] { return allocate(kCapacity + 1, 1); });
    refused(Status::kInvalidAlignment, [&] { return allocate(8, 0); });
    refused(Status::kInvalidAlignment, [&] { return allocate(8, 3); });
    refused(Status::kSizeOverflow, [&] { return allocate(kHuge, 1); });
  }

  template <class Call>
  void refused(Status why, Call call) {
    const std::size_t failures = bare().failures();
    const std::size_t used = bare().used();
    EXPECT_EQ(once(call), nullptr);
    EXPECT_EQ(bare().last_failure().what, why);
    EXPECT_EQ(bare().failures(), failures + 1);
    EXPECT_EQ(bare().used(), used);
  }

  Holder holder;
  typename Holder::Type& arena = holder.arena;
};

// Calls `check(fixture)` for each kind of arena and of lock.
template <class Holder, class Check>
void on(const char* name, Check check) {
  SCOPED_TRACE(name);
  Fixture<Holder> fixture;
  check(fixture);
}
template <class Check>
void on_every_kind(Check check) {
  on<Owner<Unwatched, MaskLock>>("an arena, a lock with members", check);
  on<Owner<Arena<kCapacity, 16, Watching>, EmptyLock>>("a watched arena", check);
  on<Handle<EmptyLock>>("a handle", check);
  on<HandleToMemory<MaskLock>>("a handle to memory, a lock with members", check);
}

struct Point {
  int x;
  int y;
};
struct Large {
  char bytes[kCapacity + 1];
};
enum class Mine : std::uint8_t { kFilter = static_cast<std::uint8_t>(Kind::kUser) };

constexpr Buffer kBuffers[] = {{64, 0, 1}, {32, 1, 2}};
constexpr auto kPlan = arenite::plan(kBuffers);
constexpr Buffer kTooLarge[] = {{kCapacity + 1, 0, 0}};
constexpr auto kPlanTooLarge = arenite::plan(kTooLarge);

TEST(SynchronizedCalls, TakeTheLockOnceToAllocate) {
  on_every_kind([](auto& test) {
    test.every_request([&](std::size_t size, std::size_t alignment) { return test.arena.allocate(size, alignment); });
    EXPECT_EQ(test.bare().used(Region::kTail), 8u);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceToAllocateOnAnEnd) {
  on_every_kind([](auto& test) {
    const auto head = never([&] { return test.arena.head(); });
    test.every_request([&](std::size_t size, std::size_t alignment) { return head.allocate(size, alignment); });
    EXPECT_EQ(test.bare().used(Region::kHead), 8u);
    const auto tail = never([&] { return test.arena.tail(); });
    EXPECT_NE(once([&] { return tail.allocate(8, 8); }), nullptr);
    const auto kind = never([&] { return test.arena.as(Mine::kFilter); });
    EXPECT_NE(once([&] { return kind.allocate(8, 8); }), nullptr);
    EXPECT_EQ(test.bare().used(Region::kTail), 16u);
    const auto low = never([&] { return test.arena.head().as(Mine::kFilter); });
    EXPECT_NE(once([&] { return low.allocate(8, 8); }), nullptr);
    EXPECT_EQ(test.bare().used(Region::kHead), 16u);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceToCreate) {
  on_every_kind([](auto& test) {
    const Point* const point = once([&] { return test.arena.template create<Point>(3, 4); });
    ASSERT_NE(point, nullptr);
    EXPECT_EQ(point->x, 3);
    EXPECT_EQ(point->y, 4);
    EXPECT_NE(once([&] { return test.arena.head().template create<Point>(1, 2); }), nullptr);
    EXPECT_NE(once([&] { return test.arena.as(Kind::kOperatorData).template create<int>(7); }), nullptr);
    EXPECT_EQ(test.bare().used(Region::kHead), sizeof(Point));
    EXPECT_EQ(test.bare().used(Region::kTail), sizeof(Point) + sizeof(int));
    test.refused(Status::kOutOfMemory, [&] { return test.arena.template create<Large>(); });
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceToCreateAnArray) {
  on_every_kind([](auto& test) {
    const int* const numbers = once([&] { return test.arena.template create_array<int>(4); });
    ASSERT_NE(numbers, nullptr);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(numbers[i], 0);
    EXPECT_NE(once([&] { return test.arena.head().template create_array<int>(4); }), nullptr);
    EXPECT_NE(once([&] { return test.arena.template create_array<int>(0); }), nullptr);
    EXPECT_EQ(test.bare().used(), 8 * sizeof(int));
    test.refused(Status::kOutOfMemory, [&] { return test.arena.template create_array<int>(unknown(kCapacity)); });
    test.refused(Status::kSizeOverflow, [&] { return test.arena.template create_array<int>(unknown(kHuge / 2)); });
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceForAnOverlay) {
  on_every_kind([](auto& test) {
    test.every_request([&](std::size_t size, std::size_t alignment) { return test.arena.overlay(size, alignment); });
    const auto planned = once([&] { return test.arena.overlay(kPlan); });
    EXPECT_TRUE(planned);
    const auto refused = once([&] { return test.arena.overlay(kPlanTooLarge); });
    EXPECT_EQ(refused.status(), Status::kOutOfMemory);
    const std::size_t offsets[] = {0, 64};
    const arenite::PlanRef made(arenite::PlanSummary(96, 16), kBuffers, offsets, 2);
    EXPECT_TRUE(once([&] { return test.arena.overlay(made); }));
    const arenite::PlanRef none{arenite::PlanSummary(Status::kCycle), nullptr, nullptr, 0};
    EXPECT_EQ(once([&] { return test.arena.overlay(none); }).status(), Status::kCycle);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceForAStep) {
  on_every_kind([](auto& test) {
    const auto view = test.arena.overlay(kPlan);
    EXPECT_EQ(once([&] { return test.arena.enter(view, kBuffers, 0); }), Status::kOk);
    EXPECT_EQ(once([&] { return test.arena.enter(view, kTooLarge, 0); }), Status::kOutOfBounds);
    EXPECT_EQ(test.arena.release_overlay(), Status::kOk);
    EXPECT_EQ(once([&] { return test.arena.enter(view, kBuffers, 0); }), Status::kStale);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceToGiveBack) {
  on_every_kind([](auto& test) {
    ASSERT_NE(test.arena.overlay(64, 16), nullptr);
    ASSERT_NE(test.arena.allocate(64, 16), nullptr);
    EXPECT_EQ(once([&] { return test.arena.release_overlay(); }), Status::kOk);
    EXPECT_EQ(test.bare().used(), 64u);
    EXPECT_EQ(once([&] { return test.arena.reset(); }), Status::kOk);
    EXPECT_EQ(test.bare().used(), 0u);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceWhereTheOrderIsWrong) {
  on_every_kind([](auto& test) {
    const auto view = test.arena.overlay(kPlan);
    test.refused(Status::kNotOnTop, [&] { return test.arena.head().allocate(8, 8); });
    test.refused(Status::kNotOnTop, [&] { return test.arena.head().template create<int>(1); });
    const auto temp = test.bare().temp();  // that is how an arena looks that is used beside the lock
    test.refused(Status::kTempOpen, [&] { return test.arena.head().allocate(8, 8); });
    test.refused(Status::kTempOpen, [&] { return test.arena.overlay(8, 8); });
    EXPECT_EQ(once([&] { return test.arena.overlay(kPlan); }).status(), Status::kTempOpen);
    EXPECT_EQ(once([&] { return test.arena.open_temps(); }), 1u);
    EXPECT_EQ(once([&] { return test.arena.release_overlay(); }), Status::kTempOpen);
    EXPECT_EQ(once([&] { return test.arena.reset(); }), Status::kTempOpen);
    EXPECT_TRUE(view);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceForEachNumber) {
  on_every_kind([](auto& test) {
    ASSERT_NE(test.arena.head().allocate(40, 8), nullptr);
    ASSERT_NE(test.arena.overlay(64, 16), nullptr);
    char* const last = test.arena.template create<char>('x');
    ASSERT_EQ(test.arena.allocate(kCapacity, 1), nullptr);
    auto& bare = test.bare();
    EXPECT_EQ(once([&] { return test.arena.used(); }), bare.used());
    EXPECT_EQ(once([&] { return test.arena.peak(); }), bare.peak());
    EXPECT_EQ(once([&] { return test.arena.required(); }), bare.required());
    EXPECT_EQ(once([&] { return test.arena.available(8); }), bare.available(8));
    EXPECT_EQ(once([&] { return test.arena.open_temps(); }), 0u);
    EXPECT_EQ(once([&] { return test.arena.failures(); }), 1u);
    for (const Region region : {Region::kHead, Region::kOverlay, Region::kTemp, Region::kTail}) {
      EXPECT_EQ(once([&] { return test.arena.used(region); }), bare.used(region));
      EXPECT_EQ(once([&] { return test.arena.peak(region); }), bare.peak(region));
      EXPECT_EQ(once([&] { return test.arena.required(region); }), bare.required(region));
      EXPECT_EQ(once([&] { return test.arena.available(region, 4); }), bare.available(region, 4));
    }
    const Failure failure = once([&] { return test.arena.last_failure(); });
    EXPECT_EQ(failure.what, Status::kOutOfMemory);
    EXPECT_EQ(failure.requested, kCapacity);
    EXPECT_EQ(failure.missing, bare.last_failure().missing);
    EXPECT_EQ(once([&] { return test.arena.require(kCapacity); }), Status::kOk);
    EXPECT_EQ(once([&] { return test.arena.require(kCapacity + 1); }), Status::kOutOfMemory);
    EXPECT_TRUE(once([&] { return test.arena.contains(last); }));
    EXPECT_FALSE(once([&] { return test.arena.contains(&failure); }));
    EXPECT_FALSE(once([&] { return test.arena.is_in_the_middle(last); }));
    EXPECT_TRUE(once([&] { return test.arena.is_in_the_middle(last - 1); }));
    EXPECT_TRUE(once([&] { return test.arena.check(); }));
    EXPECT_EQ(once([&] { return test.arena.data(); }), bare.data());
    EXPECT_EQ(never([&] { return test.arena.capacity(); }), kCapacity);
  });
}

TEST(SynchronizedCalls, TakeTheLockOnceForSeveralCallsAsOne) {
  on_every_kind([](auto& test) {
    // A marker is of use where nobody can come in between.
    const Status status = once([&] {
      return test.arena.with([](auto& inner) {
        const auto marker = inner.mark();
        for (int i = 0; i < 4; ++i) EXPECT_NE(inner.allocate(16, 8), nullptr);
        EXPECT_EQ(inner.used(), 64u);
        return inner.release(marker);
      });
    });
    EXPECT_EQ(status, Status::kOk);
    EXPECT_EQ(test.bare().used(), 0u);
    once([&] { test.arena.with([](auto& inner) { EXPECT_EQ(inner.allocate(kHuge, 1), nullptr); }); });
    const auto& readable = test.arena;
    EXPECT_EQ(once([&] { return readable.with([](const auto& inner) { return inner.failures() + inner.used(); }); }),
              1u);
  });
}

// Which types may not leave is in compile_fail/.
TEST(SynchronizedWith, LetsOutWhatNeedsNoLock) {
  on_every_kind([](auto& test) {
    const auto view = test.arena.with([](auto& inner) { return inner.overlay(kPlan); });
    EXPECT_NE(view.template data<int>(0), nullptr);
    int* const number = test.arena.with([](auto& inner) { return inner.template create<int>(7); });
    ASSERT_NE(number, nullptr);
    EXPECT_EQ(&test.arena.with([number](auto&) -> int& { return *number; }), number);
    struct Elsewhere* const other = nullptr;
    EXPECT_EQ(test.arena.with([other](const auto&) { return other; }), nullptr) << "a type that nobody has defined";
    const auto end = test.arena.with([&test](auto&) { return test.arena.head(); });
    EXPECT_EQ(once([&] { return end.allocate(8, 8); }), nullptr) << "the overlay lies on it";
  });
  Synchronized<Arena<kCapacity, 16, Counting>, EmptyLock> arena;
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(arena.with([](auto& inner) { return inner.observer(); }).events, 1) << "a copy";
}

TEST(SynchronizedCalls, TakeTheLockOnceForATempScope) {
  on_every_kind([](auto& test) {
    once([&] {
      test.arena.in_temp([](auto& temp) {
        EXPECT_NE(temp.allocate(16, 8), nullptr);
        EXPECT_NE(temp.template create_array<int>(4), nullptr);
        EXPECT_EQ(temp.allocate(kCapacity, 8), nullptr);
        EXPECT_EQ(temp.allocate(8, 3), nullptr);
        auto inner = temp.temp();
        EXPECT_NE(inner.allocate(8, 8), nullptr);
      });
    });
    once([&] { test.arena.in_temp(Kind::kScratch, [](auto& temp) { EXPECT_NE(temp.allocate(16, 8), nullptr); }); });
    EXPECT_EQ(test.bare().open_temps(), 0u);
    EXPECT_EQ(test.bare().used(), 0u);
    EXPECT_EQ(test.bare().failures(), 2u);
  });
}

// Allocates in the arena in which it is.
template <class A>
struct Node {
  explicit Node(A& arena) : held(calls.held), name(static_cast<char*>(arena.allocate(8, 1))) {}
  int held;
  char* name;
};

TEST(SynchronizedCalls, ConstructorsRunBehindTheLockAndMayUseTheArena) {
  on_every_kind([](auto& test) {
    using A = std::remove_reference_t<decltype(test.arena)>;
    calls = {};
    const auto* const node = test.arena.template create<Node<A>>(test.arena);
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->held, 0);
    EXPECT_NE(node->name, nullptr);
    EXPECT_EQ(calls.locks, 2);
    EXPECT_EQ(calls.deepest, 1);
    EXPECT_EQ(calls.held, 0);
  });
}

#if defined(__cpp_exceptions)

struct Thrower {
  Thrower() { throw 7; }
};

TEST(SynchronizedCalls, GiveTheLockBackWhenAConstructorThrows) {
  on_every_kind([](auto& test) {
    EXPECT_THROW((void)once([&] { return test.arena.template create<Thrower>(); }), int);
    EXPECT_THROW((void)once([&] { return test.arena.head().template create<Thrower>(); }), int);
    EXPECT_THROW((void)once([&] { return test.arena.template create_array<Thrower>(3); }), int);
    EXPECT_EQ(test.bare().used(), 5 * sizeof(Thrower)) << "the blocks stay taken";
    EXPECT_TRUE(test.bare().check());
  });
}

TEST(SynchronizedCalls, GiveTheLockBackWhenAFunctionThrows) {
  on_every_kind([](auto& test) {
    EXPECT_THROW(once([&] { test.arena.with([](auto& inner) { (void)inner.template create<Thrower>(); }); }), int);
    EXPECT_EQ(test.bare().used(), 0u) << "under one lock the block is given back";
    const auto fail = [](auto& temp) {
      EXPECT_NE(temp.allocate(8, 8), nullptr);
      throw 7;
    };
    EXPECT_THROW(once([&] { test.arena.in_temp(fail); }), int);
    EXPECT_THROW(once([&] { test.arena.in_temp(Kind::kScratch, fail); }), int);
    EXPECT_EQ(test.bare().open_temps(), 0u);
    EXPECT_EQ(test.bare().used(), 0u);
  });
}

// What cannot be locked is not unlocked, and not used.
struct Broken {
  void lock() { throw 7; }
  void unlock() { ADD_FAILURE(); }
};

TEST(SynchronizedLock, ThatThrowsLeavesTheArenaAlone) {
  static Arena<64> memory;
  Synchronized<ArenaRef, Broken> arena(memory);
  EXPECT_THROW((void)arena.allocate(8, 8), int);
  EXPECT_THROW((void)arena.reset(), int);
  EXPECT_THROW((void)arena.used(), int);
  EXPECT_EQ(memory.used(), 0u);
}

#endif  // defined(__cpp_exceptions)

// While it is held, the arena holds eight bytes more and one failure: so a number that was read before or after
// differs.
Arena<kCapacity> changing;
arenite::Marker<Region::kTail, std::decay_t<decltype(changing.observer())>> before;

struct Changing {
  void lock() {
    before = changing.mark();
    EXPECT_NE(changing.allocate(8, 8), nullptr);
    EXPECT_EQ(changing.allocate(kHuge, 1), nullptr);
  }
  void unlock() { EXPECT_EQ(changing.release(before), Status::kOk); }
};

TEST(SynchronizedNumbers, AreReadUnderTheLock) {
  Synchronized<ArenaRef, Changing> arena(changing);
  EXPECT_EQ(arena.peak(), 8u);
  EXPECT_EQ(arena.used(), 8u);
  EXPECT_EQ(changing.used(), 0u);
  EXPECT_EQ(arena.used(Region::kTail), 8u);
  EXPECT_EQ(arena.available(8), kCapacity - 8);
  EXPECT_EQ(arena.available(Region::kTemp, 8), kCapacity - 8);
  const std::size_t failures = changing.failures();
  EXPECT_EQ(arena.failures(), failures + 1);
  EXPECT_FALSE(arena.is_in_the_middle(changing.data() + kCapacity - 1));
  EXPECT_TRUE(changing.is_in_the_middle(changing.data() + kCapacity - 1));
  EXPECT_EQ(arena.with([](auto& inner) { return inner.used(); }), 8u);
  const auto& readable = arena;
  EXPECT_EQ(readable.with([](const auto& inner) { return inner.used(); }), 8u);
}

// --- layout ----------------------------------------------------------------------------------------------------------

using Free = Synchronized<Arena<64>, EmptyLock>;
static_assert(sizeof(Free) == sizeof(Arena<64>), "a lock without members costs nothing");
static_assert(sizeof(Synchronized<ArenaRef, EmptyLock>) == sizeof(ArenaRef));
static_assert(sizeof(Synchronized<ArenaRef, MaskLock>) <= sizeof(ArenaRef) + sizeof(void*));
static_assert(sizeof(Synchronized<Arena<64, 4>, MaskLock>) <= sizeof(Arena<64, 4>) + alignof(Arena<64, 4>));
static_assert(!std::is_copy_constructible_v<Free> && !std::is_move_constructible_v<Free>);
static_assert(!std::is_copy_assignable_v<Free> && !std::is_move_assignable_v<Free>);
static_assert(!std::is_convertible_v<Free&, ArenaRef> && !std::is_constructible_v<ArenaRef, Free&>);
static_assert(!std::is_default_constructible_v<Synchronized<ArenaRef, EmptyLock>>);
static_assert(std::is_trivially_destructible_v<Free>, "a destructor would be registered at start-up");
static_assert(Free{}.capacity() == 64);

template <class T>
bool all_bits_zero(const T& object) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&object);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

TEST(SynchronizedLayout, ConstantInitialisedIsAllZeroBits) {
  static constexpr Synchronized<Arena<64>, EmptyLock> kEmpty;
  static constexpr Synchronized<Arena<37>, MaskLock> kMembers;
  EXPECT_TRUE(all_bits_zero(kEmpty));
  EXPECT_TRUE(all_bits_zero(kMembers));
}

// A global handle to a global arena is made by the compiler, whoever watches that.
template <class O>
Arena<64, 16, O> watched;
template <class O>
constexpr bool made_by_the_compiler() {
  constexpr BasicArenaRef<O> kHandle(watched<O>);
  constexpr Synchronized<BasicArenaRef<O>, EmptyLock> kShared(watched<O>);
  constexpr Synchronized<BasicArenaRef<O>, MaskLock> kMembers(watched<O>);
  return kHandle.words().capacity == 64 && std::is_trivially_destructible_v<decltype(kShared)> &&
         std::is_trivially_destructible_v<decltype(kMembers)>;
}
static_assert(made_by_the_compiler<arenite::DefaultObserver>());
static_assert(made_by_the_compiler<Watching>());
static_assert(made_by_the_compiler<Counting>());
static_assert(made_by_the_compiler<arenite::Observers<Watching, Counting>>());

struct FinalLock final {
  void lock() { ++calls.locks; }
  void unlock() { ++calls.unlocks; }
};

TEST(SynchronizedLock, MayBeFinal) {
  static Synchronized<Arena<64>, FinalLock> arena;
  calls = {};
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(calls.locks, 1);
  EXPECT_EQ(calls.unlocks, 1);
}

// Two arenas with a lock each may be nested, as long as the order is the same everywhere.
TEST(SynchronizedLock, IsOneForEachArena) {
  static Synchronized<Arena<64>, MaskLock> outer;
  static Synchronized<Arena<64>, MaskLock> inner;
  calls = {};
  outer.in_temp([](auto& temp) {
    EXPECT_NE(temp.allocate(8, 8), nullptr);
    EXPECT_EQ(calls.held, 1);
    EXPECT_EQ(inner.used(), 0u);
    EXPECT_EQ(calls.held, 1);
    EXPECT_TRUE(masked);
  });
  EXPECT_FALSE(masked);
  EXPECT_EQ(calls.locks, 2);
  EXPECT_EQ(calls.unlocks, 2);
}

}  // namespace
