// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The calls of an arena, one after another, as their comments promise them.

#include <arenite/arena.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::Destructor;
using arenite::Failure;
using arenite::kMaxSize;
using arenite::Marker;
using arenite::Region;
using arenite::Status;
using arenite::TempScope;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

// A number that the compiler does not know: it warns of loops over arrays that there cannot be.
std::size_t unknown(std::size_t number) {
  volatile std::size_t hidden = number;
  return hidden;
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// All numbers of an arena, to see that a call changed nothing.
struct Numbers {
  explicit Numbers(const ArenaRef& arena) : failures(arena.failures()), open_temps(arena.open_temps()) {
    std::size_t i = 0;
    for (const Region region : {Region::kHead, Region::kOverlay, Region::kTemp, Region::kTail}) {
      bytes[i++] = arena.used(region);
      bytes[i++] = arena.peak(region);
      bytes[i++] = arena.required(region);
      bytes[i++] = arena.available(region, 1);
    }
    bytes[i++] = arena.used();
    bytes[i++] = arena.peak();
    bytes[i++] = arena.required();
  }
  // Of a refused request, which counts.
  [[nodiscard]] bool same_but_for_one_failure(const Numbers& before) const {
    return std::memcmp(bytes, before.bytes, sizeof(bytes) - sizeof(bytes[0])) == 0 && open_temps == before.open_temps &&
           failures == before.failures + 1;
  }
  friend bool operator==(const Numbers& a, const Numbers& b) {
    return std::memcmp(a.bytes, b.bytes, sizeof(a.bytes)) == 0 && a.failures == b.failures &&
           a.open_temps == b.open_temps;
  }

  std::size_t bytes[19] = {};
  std::size_t failures;
  std::size_t open_temps;
};

// Memory that is not zero, so that what is not initialised shows.
struct Memory {
  Memory() { std::memset(bytes, 0xA5, sizeof(bytes)); }
  alignas(64) std::byte bytes[1024];
};

// --- layout and handles ----------------------------------------------------------------------------------------------

static_assert(!std::is_copy_constructible_v<Arena<16>> && !std::is_move_constructible_v<Arena<16>>);
static_assert(!std::is_copy_assignable_v<Arena<16>> && !std::is_move_assignable_v<Arena<16>>);
static_assert(!std::is_copy_constructible_v<ArenaState> && !std::is_move_constructible_v<ArenaState>);
static_assert(!std::is_copy_constructible_v<TempScope> && !std::is_move_constructible_v<TempScope>);
static_assert(!std::is_copy_assignable_v<TempScope> && !std::is_move_assignable_v<TempScope>);
static_assert(std::is_trivially_destructible_v<Arena<16>>, "a destructor would be registered at start-up");
static_assert(std::is_nothrow_default_constructible_v<Arena<16>>);

static_assert(std::is_trivially_copyable_v<ArenaRef> && sizeof(ArenaRef) == 2 * sizeof(void*));
static_assert(sizeof(arenite::End<Region::kHead>) == 2 * sizeof(void*));
static_assert(sizeof(arenite::Overlay<arenite::Plan<3>>) <= 6 * sizeof(void*));
static_assert(sizeof(void*) != 4 || sizeof(ArenaState) == 128);

static_assert(Arena<64>::capacity() == 64);
static_assert(sizeof(Arena<64>) == sizeof(ArenaState) + 64, "bookkeeping and storage, nothing else");
static_assert(alignof(Arena<1>) >= 16 && alignof(Arena<1, 128>) == 128 && alignof(Arena<1, 1>) == alignof(ArenaState));

template <class T>
bool all_bits_zero(const T& object) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&object);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

TEST(ArenaLayout, ConstantInitialisedIsAllZeroBits) {
  static constexpr Arena<64> kPlain;
  static constexpr Arena<37> kOdd;
  static constexpr Arena<100, 256> kAligned;
  static constexpr Arena<1, 1> kSmallest;
  static constexpr ArenaState kState;
  EXPECT_TRUE(all_bits_zero(kPlain));
  EXPECT_TRUE(all_bits_zero(kOdd));
  EXPECT_TRUE(all_bits_zero(kAligned));
  EXPECT_TRUE(all_bits_zero(kSmallest));
  EXPECT_TRUE(all_bits_zero(kState));
}

static_assert(sizeof(ArenaState) == 32 * sizeof(std::size_t), "128 bytes on a 32-bit target, as promised");

TEST(ArenaLayout, StorageIsInsideAndAligned) {
  Arena<1> one;
  Arena<37, 1> bytes;
  Arena<100, 256> aligned;
  EXPECT_EQ(address_of(one.data()) % 16, 0u);
  EXPECT_EQ(address_of(aligned.data()) % 256, 0u);
  EXPECT_GE(address_of(one.data()), address_of(&one) + sizeof(ArenaState));
  EXPECT_LE(address_of(one.data()) + 1, address_of(&one + 1));
  EXPECT_LE(address_of(bytes.data()) + 37, address_of(&bytes + 1));
  EXPECT_LE(address_of(aligned.data()) + 100, address_of(&aligned + 1));
}

void* take_eight(ArenaRef arena) { return arena.allocate(8, 8); }

TEST(ArenaRefs, AreTheArenaTheyWereMadeOf) {
  Arena<64> arena;
  const ArenaRef ref = arena;
  ArenaRef copy = ref;
  EXPECT_EQ(ref.capacity(), 64u);
  EXPECT_EQ(ref.data(), arena.data());
  EXPECT_EQ(take_eight(arena), arena.data() + 56);
  EXPECT_EQ(take_eight(copy), arena.data() + 48);
  EXPECT_EQ(arena.allocate(8, 8), arena.data() + 40);
  EXPECT_EQ(copy.used(), 24u);
  EXPECT_EQ(ref.used(), arena.used());

  Arena<32> other;
  copy = other;
  EXPECT_EQ(copy.capacity(), 32u);
  EXPECT_EQ(copy.used(), 0u);
}

TEST(ArenaRefs, AreMadeTwiceOverTheSameMemory) {
  Memory memory;
  ArenaState state;
  ArenaRef first(state, memory.bytes, 64);
  EXPECT_NE(first.allocate(8, 8), nullptr);
  const ArenaRef second(state, memory.bytes, 64);
  EXPECT_EQ(second.used(), 8u);
  EXPECT_EQ(second.data(), memory.bytes);
}

// --- allocate --------------------------------------------------------------------------------------------------------

TEST(Allocate, TailGrowsDownFromTheEnd) {
  Arena<64> arena;
  EXPECT_EQ(arena.allocate(16, 16), arena.data() + 48);
  EXPECT_EQ(arena.allocate(1, 1), arena.data() + 47);
  EXPECT_EQ(arena.tail().allocate(4, 4), arena.data() + 40);  // 3 bytes of padding above it
  EXPECT_EQ(arena.used(Region::kTail), 24u);
  EXPECT_EQ(arena.allocate(40, 8), arena.data());
  EXPECT_EQ(arena.allocate(1, 1), nullptr);
}

TEST(Allocate, HeadGrowsUpFromTheStart) {
  Arena<64> arena;
  EXPECT_EQ(arena.head().allocate(1, 1), arena.data());
  EXPECT_EQ(arena.head().allocate(4, 4), arena.data() + 4);
  EXPECT_EQ(arena.head().allocate(8, 16), arena.data() + 16);
  EXPECT_EQ(arena.used(Region::kHead), 24u);
  EXPECT_EQ(arena.head().allocate(40, 8), arena.data() + 24);
  EXPECT_EQ(arena.head().allocate(1, 1), nullptr);
}

TEST(Allocate, RegionsMeetToTheByte) {
  Arena<64> arena;
  void* const head = arena.head().allocate(10, 1);
  void* const overlay = arena.overlay(20, 1);
  TempScope temp = arena.temp();
  void* const scratch = temp.allocate(15, 1);
  EXPECT_EQ(head, arena.data());
  EXPECT_EQ(overlay, arena.data() + 10);
  EXPECT_EQ(scratch, arena.data() + 30);
  EXPECT_EQ(arena.available(1), 19u);
  EXPECT_EQ(arena.allocate(20, 1), nullptr);
  EXPECT_EQ(arena.allocate(19, 1), arena.data() + 45);
  EXPECT_EQ(temp.allocate(1, 1), nullptr);
  EXPECT_EQ(arena.used(), 64u);
  EXPECT_TRUE(arena.check());
}

// Sizes that the compiler knows may take another way through the code.
TEST(Allocate, ConstantsAndVariablesAreTheSame) {
  volatile std::size_t size = 12;
  volatile std::size_t alignment = 8;
  volatile std::size_t nothing = 0;
  Arena<96> constants;
  Arena<96> variables;
  for (int i = 0; i < 3; ++i) {
    const auto* const a = static_cast<std::byte*>(constants.allocate(12, 8));
    const auto* const b = static_cast<std::byte*>(variables.allocate(size, alignment));
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a - constants.data(), b - variables.data());
  }
  EXPECT_EQ(constants.allocate(12, 0), nullptr);
  EXPECT_EQ(variables.allocate(size, nothing), nullptr);
  EXPECT_EQ(constants.allocate(0, 8), constants.data() + 96);
  EXPECT_EQ(variables.allocate(nothing, alignment), variables.data() + 96);
  EXPECT_TRUE(Numbers(constants) == Numbers(variables));
}

TEST(Allocate, AnOddAlignmentIsRefusedAfterALargerOne) {
  Arena<256> arena;
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(arena.allocate(1, unknown(3)), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kInvalidAlignment);
  EXPECT_EQ(arena.last_failure().available, 0u) << "memory was not the question";
  EXPECT_EQ(arena.last_failure().missing, 0u);
}

// Rounded down, an address above the top may lie below it again.
TEST(Allocate, SizesThatWrapAreRefused) {
  Memory memory;
  for (std::size_t base = 0; base < 8; ++base) {
    ArenaState state;
    ArenaRef arena(state, memory.bytes + base, 512);
    for (std::size_t taken = 0; taken < 16; ++taken) {
      ASSERT_NE(arena.allocate(1, 1), nullptr);
      for (std::size_t alignment = 1; alignment <= 128; alignment *= 2) {
        const auto marker = arena.mark();
        ASSERT_NE(arena.allocate(1, alignment), nullptr);  // so that an alignment like this may go the short way
        ASSERT_EQ(arena.release(marker), Status::kOk);
        const std::size_t used = arena.used();
        for (std::size_t size = kHuge; size > kHuge - 200; --size) {
          ASSERT_EQ(arena.allocate(size, alignment), nullptr) << size << ", " << alignment;
          ASSERT_EQ(arena.head().allocate(size, alignment), nullptr);
          ASSERT_EQ(arena.overlay(size, alignment), nullptr);
        }
        ASSERT_EQ(arena.used(), used);
      }
    }
  }
}

TEST(Allocate, HeadIsRefusedWhileSomethingLiesAbove) {
  Arena<64> arena;
  EXPECT_NE(arena.overlay(4, 4), nullptr);
  const Numbers before(arena);
  EXPECT_EQ(arena.head().allocate(4, 4), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kNotOnTop);
  EXPECT_TRUE(Numbers(arena).same_but_for_one_failure(before));
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_NE(arena.head().allocate(4, 4), nullptr);
  const TempScope temp = arena.temp();
  EXPECT_EQ(arena.head().allocate(4, 4), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kTempOpen);
  EXPECT_EQ(arena.head().create<int>(), nullptr);
  EXPECT_EQ(arena.head().create_array<int>(2), nullptr);
  EXPECT_EQ(arena.failures(), 4u);
}

TEST(Allocate, AnEmptyOverlayIsNotInTheWay) {
  Arena<64> arena;
  EXPECT_NE(arena.overlay(0, 4), nullptr);
  EXPECT_NE(arena.head().allocate(4, 4), nullptr);
}

// --- create ----------------------------------------------------------------------------------------------------------

struct Plain {
  int number;
  char letter;
  void* pointer;
};
struct Aggregate {
  int a;
  short b = 7;
  Plain inner{};
};
struct alignas(64) Wide {
  int value = 3;
};
struct MoveOnly {
  explicit MoveOnly(int v) : value(v) {}
  MoveOnly(MoveOnly&& other) noexcept : value(std::exchange(other.value, 0)) {}
  int value;
};
struct Forwarded {
  Forwarded(int& reference, const char* text, MoveOnly&& moved) : r(reference), t(text), m(std::move(moved)) {}
  int& r;
  const char* t;
  MoveOnly m;
};
struct Listed {
  Listed(int, int) : from_list(false) {}
  Listed(std::initializer_list<int>) : from_list(true) {}
  bool from_list;
};
struct NoNew {
  static void* operator new(std::size_t) = delete;
  static void* operator new(std::size_t, void*) = delete;
  int value = 5;
};
struct Counted {
  Counted() { ++made; }
  ~Counted() { ++gone; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  static int made;
  static int gone;
  int value = 9;
};
int Counted::made = 0;
int Counted::gone = 0;

template <class Place>
void expect_objects(Place& place) {
  const int* const number = place.template create<int>();
  ASSERT_NE(number, nullptr);
  EXPECT_EQ(*number, 0);
  const Plain* const plain = place.template create<Plain>();
  ASSERT_NE(plain, nullptr);
  EXPECT_EQ(plain->number, 0);
  EXPECT_EQ(plain->letter, 0);
  EXPECT_EQ(plain->pointer, nullptr);
  const double* const doubles = place.template create_array<double>(3);
  ASSERT_NE(doubles, nullptr);
  EXPECT_EQ(address_of(doubles) % alignof(double), 0u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(doubles[i], 0);

  const Aggregate* const aggregate = place.template create<Aggregate>(4);
  ASSERT_NE(aggregate, nullptr);
  EXPECT_EQ(aggregate->a, 4);
  EXPECT_EQ(aggregate->b, 7);
  EXPECT_EQ(aggregate->inner.pointer, nullptr);
  const Aggregate* const full = place.template create<Aggregate>(4, short{5}, Plain{6, 'x', nullptr});
  ASSERT_NE(full, nullptr);
  EXPECT_EQ(full->b, 5);
  EXPECT_EQ(full->inner.letter, 'x');

  for (int i = 0; i < 2; ++i) {
    const Wide* const wide = place.template create<Wide>();
    ASSERT_NE(wide, nullptr);
    EXPECT_EQ(address_of(wide) % 64, 0u);
    EXPECT_EQ(wide->value, 3);
  }
  const Wide* const wides = place.template create_array<Wide>(2);
  ASSERT_NE(wides, nullptr);
  EXPECT_EQ(address_of(wides) % 64, 0u);
  EXPECT_EQ(wides[1].value, 3);

  int target = 1;
  const Forwarded* const forwarded = place.template create<Forwarded>(target, "text", MoveOnly(8));
  ASSERT_NE(forwarded, nullptr);
  EXPECT_EQ(&forwarded->r, &target);
  EXPECT_STREQ(forwarded->t, "text");
  EXPECT_EQ(forwarded->m.value, 8);

  const Listed* const listed = place.template create<Listed>(1, 2);
  ASSERT_NE(listed, nullptr);
  EXPECT_FALSE(listed->from_list) << "T(args...) where there is such a constructor";
  const NoNew* const own = place.template create<NoNew>();
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(own->value, 5);
  const int* const constant = place.template create<const int>(6);
  ASSERT_NE(constant, nullptr);
  EXPECT_EQ(*constant, 6);

  Counted::made = Counted::gone = 0;
  const Counted* const counted = place.template create<Counted, Destructor::kSkip>();
  ASSERT_NE(counted, nullptr);
  const Counted* const three = place.template create_array<Counted, Destructor::kSkip>(3);
  ASSERT_NE(three, nullptr);
  EXPECT_EQ(three[2].value, 9);
  EXPECT_EQ(Counted::made, 4);

  // Null without a call of the constructor.
  EXPECT_EQ((place.template create_array<Counted, Destructor::kSkip>(100000)), nullptr);
  EXPECT_EQ((place.template create_array<Counted, Destructor::kSkip>(unknown(kHuge / sizeof(Counted) + 2))), nullptr);
  EXPECT_EQ(Counted::made, 4);

  EXPECT_NE((place.template create_array<Counted, Destructor::kSkip>(0)), nullptr);
  EXPECT_EQ(Counted::made, 4);
}

TEST(Create, InEveryPlace) {
  {
    Memory memory;
    ArenaState state;
    ArenaRef arena(state, memory.bytes, sizeof(memory.bytes));
    expect_objects(arena);
    EXPECT_EQ(arena.used(), arena.used(Region::kTail));
    EXPECT_EQ(arena.reset(), Status::kOk);
    EXPECT_EQ(Counted::gone, 0) << "an arena never calls a destructor";
  }
  {
    Memory memory;
    ArenaState state;
    ArenaRef arena(state, memory.bytes, sizeof(memory.bytes));
    const auto head = arena.head();
    expect_objects(head);
    EXPECT_EQ(arena.used(), arena.used(Region::kHead));
  }
  {
    Memory memory;
    ArenaState state;
    ArenaRef arena(state, memory.bytes, sizeof(memory.bytes));
    TempScope temp = arena.temp();
    expect_objects(temp);
    EXPECT_EQ(arena.used(), arena.used(Region::kTemp));
  }
  EXPECT_EQ(Counted::gone, 0);
}

TEST(Create, ConstructsNothingWhereItDoesNotFit) {
  Arena<8, 8> arena;
  Counted::made = 0;
  EXPECT_NE(arena.allocate(8 - sizeof(Counted) + 1, 1), nullptr);
  EXPECT_EQ((arena.create<Counted, Destructor::kSkip>()), nullptr);
  EXPECT_EQ((arena.head().create<Counted, Destructor::kSkip>()), nullptr);
  {
    TempScope temp = arena.temp();
    EXPECT_EQ((temp.create<Counted, Destructor::kSkip>()), nullptr);
  }
  EXPECT_EQ(Counted::made, 0);
  EXPECT_EQ(arena.failures(), 3u);
}

TEST(Create, AConstructorMayUseTheArena) {
  struct Pair {
    explicit Pair(ArenaRef from) : child(from.create<long>()) {
      TempScope temp = from.temp();
      if (temp.create<int>() != nullptr) had_scratch = true;
    }
    long* child;
    bool had_scratch = false;
  };
  Arena<64> arena;
  Pair* const pair = arena.create<Pair>(arena);
  ASSERT_NE(pair, nullptr);
  ASSERT_NE(pair->child, nullptr);
  EXPECT_TRUE(pair->had_scratch);
  EXPECT_LE(address_of(pair->child) + sizeof(long), address_of(pair));
  EXPECT_EQ(arena.used(Region::kTemp), 0u);
}

TEST(CreateArray, TheSizeIsMultipliedWithoutWrapping) {
  Arena<64> arena;
  const Numbers before(arena);
  // Product of 2^N + 8: as bytes it would be 8.
  EXPECT_EQ(arena.create_array<std::uint64_t>(unknown(kHuge / 8 + 2)), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kSizeOverflow);
  EXPECT_EQ(arena.last_failure().requested, kHuge);
  EXPECT_EQ(arena.last_failure().available, 64u);
  EXPECT_EQ(arena.last_failure().missing, kHuge - 64);
  EXPECT_EQ(arena.required(), kHuge) << "no arena would do";
  EXPECT_TRUE(Numbers(arena).same_but_for_one_failure(before));
  EXPECT_EQ(arena.create_array<std::uint64_t>(9), nullptr);
  EXPECT_EQ(arena.last_failure().requested, 72u);
  EXPECT_EQ(arena.create_array<std::uint64_t>(8), static_cast<const void*>(arena.data()));
}

#if defined(__cpp_exceptions)

struct Bad {};
struct Throws {
  explicit Throws(int = 0) {
    if (--countdown == 0) throw Bad();
  }
  static int countdown;
  long value = 1;
};
int Throws::countdown = 0;

template <class Place>
void expect_rollback(ArenaRef arena, Place& place) {
  ASSERT_NE(place.allocate(3, 1), nullptr);
  const Numbers before(arena);
  std::size_t used = arena.used();
  Throws::countdown = 1;
  EXPECT_THROW((void)place.template create<Throws>(), Bad);
  EXPECT_EQ(arena.used(), used) << "padding is given back too";
  Throws::countdown = 3;
  EXPECT_THROW((void)place.template create_array<Throws>(4), Bad);
  EXPECT_EQ(arena.used(), used);
  EXPECT_EQ(arena.failures(), before.failures);
  EXPECT_TRUE(arena.check());

  Throws::countdown = 0;
  EXPECT_NE(place.template create<Throws>(), nullptr);
  EXPECT_GT(arena.used(), used);
  used = arena.used();
  EXPECT_EQ(place.template create_array<Throws>(1000), nullptr);
  EXPECT_EQ(arena.used(), used);
}

TEST(Create, GivesTheBlockBackWhenTheConstructorThrows) {
  Arena<512> tail;
  expect_rollback(tail, tail);
  Arena<512> head;
  const auto end = head.head();
  expect_rollback(head, end);
  Arena<512> scoped;
  TempScope temp = scoped.temp();
  expect_rollback(scoped, temp);
}

TEST(Create, WhatAFailedConstructorTookElsewhereStays) {
  struct TakesTail {
    explicit TakesTail(ArenaRef arena) {
      if (arena.allocate(8, 8) != nullptr) throw Bad();
    }
  };
  Arena<128> arena;
  EXPECT_THROW((void)arena.head().create<TakesTail>(arena), Bad);
  EXPECT_EQ(arena.used(Region::kHead), 0u);
  EXPECT_EQ(arena.used(Region::kTail), 8u);
  // Of its own region: somebody may hold what lies behind the block, so that stays too.
  EXPECT_THROW((void)arena.create<TakesTail>(arena), Bad);
  EXPECT_GT(arena.used(Region::kTail), 16u);
  EXPECT_TRUE(arena.check());
}

// Who gets a block after that may get the same one.
TEST(Create, AFailedConstructorThatResetTheArenaGivesNothingBack) {
  struct Resets {
    Resets(ArenaRef arena, void*& kept) {
      EXPECT_EQ(arena.reset(), Status::kOk);
      kept = arena.allocate(sizeof(Resets), alignof(Resets));
      throw Bad();
    }
    std::uint64_t bytes[4];
  };
  Arena<128> arena;
  void* kept = nullptr;
  EXPECT_THROW((void)arena.create<Resets>(arena, kept), Bad);
  EXPECT_EQ(arena.used(Region::kTail), sizeof(Resets));
  EXPECT_NE(arena.allocate(sizeof(Resets), alignof(Resets)), kept);
  EXPECT_TRUE(arena.check());
}

TEST(Temp, ScopesCloseWhenAnExceptionPasses) {
  Arena<64> arena;
  try {
    TempScope outer = arena.temp();
    EXPECT_NE(outer.allocate(8, 8), nullptr);
    TempScope inner = outer.temp();
    EXPECT_NE(inner.allocate(8, 8), nullptr);
    throw Bad();
  } catch (const Bad&) {
  }
  EXPECT_EQ(arena.open_temps(), 0u);
  EXPECT_EQ(arena.used(), 0u);
}

#endif  // defined(__cpp_exceptions)

// --- overlay ---------------------------------------------------------------------------------------------------------

enum Tensor { kImage, kLayer, kScores, kNothing };
enum class Name : std::uint8_t { kImage, kLayer, kScores, kNothing, kUnknown };

constexpr Buffer kBuffers[] = {{64, 0, 1}, {100, 1, 2, 4}, {10, 2, 3, 4}, {0, 0, 3, 64}};
constexpr auto kPlan = arenite::plan<arenite::greedy>(kBuffers);
static_assert(kPlan.size() == 176 && kPlan.alignment() == 16);

constexpr Buffer kSmallBuffers[] = {{40, 0, 1, 8}, {24, 1, 2, 8}};
constexpr auto kSmallPlan = arenite::plan(kSmallBuffers);
static_assert(kSmallPlan.size() == 64);

TEST(OverlayOfAPlan, ShowsTheBuffersByIndexAndByName) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes + 4, 512);
  const auto view = arena.overlay(kPlan);
  ASSERT_TRUE(view);
  EXPECT_EQ(view.status(), Status::kOk);
  EXPECT_EQ(&view.plan(), &kPlan);
  EXPECT_EQ(view.base(), memory.bytes + 16);
  EXPECT_EQ(arena.used(Region::kOverlay), 12u + 176u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(view.data<std::byte>(i), view.base() + kPlan.offset(i));
    EXPECT_EQ(view.size(i), kBuffers[i].size);
    EXPECT_EQ(view.check<std::byte>(i), Status::kOk);
    if (kBuffers[i].size == 0) continue;  // its alignment asks for nothing
    EXPECT_EQ(address_of(view.data<std::byte>(i)) % kBuffers[i].alignment.bytes(), 0u);
  }
  EXPECT_EQ(view.data<std::byte>(kLayer), view.data<std::byte>(1));
  EXPECT_EQ(view.data<std::byte>(Name::kScores), view.data<std::byte>(2));
  EXPECT_EQ(view.data<std::byte>(std::uint8_t{2}), view.data<std::byte>(2));
  EXPECT_EQ(view.size(Name::kLayer), 100u);
}

TEST(OverlayOfAPlan, ChecksIndexSizeAndAlignment) {
  alignas(64) static std::byte memory[256];
  ArenaState state;
  ArenaRef arena(state, memory, sizeof(memory));
  const auto view = arena.overlay(kPlan);
  ASSERT_TRUE(view);

  EXPECT_EQ(view.data<char>(4), nullptr);
  EXPECT_EQ(view.check<char>(4), Status::kOutOfBounds);
  EXPECT_EQ(view.data<char>(-1), nullptr);
  EXPECT_EQ(view.data<char>(Name::kUnknown), nullptr);
  EXPECT_EQ(view.data<char>(kHuge), nullptr);
  EXPECT_EQ(view.size(4), 0u);
  EXPECT_EQ(view.size(-1), 0u);

  // At least one T, or as many as asked for.
  EXPECT_NE(view.data<std::uint32_t>(kScores), nullptr);
  EXPECT_NE(view.data<std::uint32_t>(kScores, 2), nullptr);
  EXPECT_EQ(view.data<std::uint32_t>(kScores, 3), nullptr) << "10 bytes are not 12";
  EXPECT_EQ(view.check<std::uint32_t>(kScores, 3), Status::kOutOfBounds);
  EXPECT_NE(view.data<char>(kScores, 10), nullptr);
  EXPECT_EQ(view.data<char>(kScores, 11), nullptr);
  EXPECT_EQ(view.data<std::uint32_t>(kScores, kHuge / 4 + 2), nullptr) << "the product would be 4";
  struct Eleven {
    char bytes[11];
  };
  EXPECT_EQ(view.data<Eleven>(kScores), nullptr);
  for (const std::size_t size : {sizeof(char), sizeof(std::uint16_t), sizeof(std::uint32_t), sizeof(Eleven)}) {
    // The largest counts, and those whose bytes are about the largest number, or would wrap to about zero.
    for (std::size_t less = 0; less < 8; ++less) {
      for (const std::size_t count : {kHuge - less, kHuge / size + 3 - less, kHuge / 2 + 3 - less}) {
        if (count <= 10 / size) continue;
        if (size == sizeof(char)) {
          EXPECT_EQ(view.check<char>(kScores, count), Status::kOutOfBounds) << count;
        } else if (size == sizeof(std::uint16_t)) {
          EXPECT_EQ(view.check<std::uint16_t>(kScores, count), Status::kOutOfBounds) << count;
          EXPECT_EQ(view.data<std::uint16_t>(kScores, count), nullptr) << count;
        } else if (size == sizeof(std::uint32_t)) {
          EXPECT_EQ(view.check<std::uint32_t>(kScores, count), Status::kOutOfBounds) << count;
        } else {
          EXPECT_EQ(view.check<Eleven>(kScores, count), Status::kOutOfBounds) << count;
        }
      }
    }
  }
  EXPECT_EQ(view.data<char>(kNothing, kHuge - 1), nullptr);

  // None are asked for: any buffer has that, if there is one.
  for (const Tensor tensor : {kImage, kLayer, kScores, kNothing}) {
    EXPECT_EQ(view.data<char>(tensor, 0), view.data<char>(tensor));
    EXPECT_EQ(view.check<char>(tensor, 0), Status::kOk);
  }
  EXPECT_NE(view.data<Eleven>(kScores, 0), nullptr) << "one would be too many";
  EXPECT_EQ(view.data<char>(4, 0), nullptr);
  EXPECT_EQ(view.check<char>(4, 0), Status::kOutOfBounds);

  // No bytes are an empty array of anything, and hold nothing.
  EXPECT_NE(view.data<char>(kNothing), nullptr);
  EXPECT_NE(view.data<std::uint32_t>(kNothing), nullptr);
  EXPECT_EQ(view.data<char>(kNothing, 1), nullptr);
  EXPECT_EQ(view.check<char>(kNothing, 1), Status::kOutOfBounds);

  struct alignas(128) Strict {
    char bytes[4];
  };
  static_assert(sizeof(Strict) == 128);
  struct alignas(32) Vector {
    char bytes[32];
  };
  // The address decides, not what was asked for: kImage lies at a multiple of 16 and maybe of more.
  for (const Tensor tensor : {kImage, kLayer}) {
    const bool aligned = (address_of(view.base()) + kPlan.offset(tensor)) % 32 == 0;
    EXPECT_EQ(view.data<Vector>(tensor) != nullptr, aligned);
    EXPECT_EQ(view.check<Vector>(tensor), aligned ? Status::kOk : Status::kMisaligned);
  }
  EXPECT_EQ(view.data<Strict>(kImage), nullptr) << "64 bytes are not 128";
}

TEST(OverlayOfAPlan, RefusesATypeThatIsAlignedForMore) {
  static constexpr Buffer kBytes[] = {{8, 0, 0, 1}, {3, 0, 0, 1}};
  static constexpr auto kBytePlan = arenite::plan(kBytes);
  static_assert(kBytePlan.offset(0) == 0 && kBytePlan.offset(1) == 8);
  Memory memory;
  for (std::size_t base = 0; base < 8; ++base) {
    ArenaState state;
    ArenaRef arena(state, memory.bytes + base, 64);
    const auto view = arena.overlay(kBytePlan);
    ASSERT_TRUE(view);
    EXPECT_EQ(view.check<std::uint32_t>(0), base % alignof(std::uint32_t) == 0 ? Status::kOk : Status::kMisaligned);
    EXPECT_EQ(view.check<std::uint32_t>(0, 2), view.check<std::uint32_t>(0));
    EXPECT_EQ(view.check<std::uint32_t>(0, 0), view.check<std::uint32_t>(0)) << "it has bytes";
    EXPECT_EQ(view.data<std::uint16_t>(0) != nullptr, base % 2 == 0);
    EXPECT_NE(view.data<char>(0), nullptr);
  }

  // Neither the block nor the buffer in it is aligned, but both together.
  static constexpr Buffer kOdd[] = {{7, 0, 0, 1}, {4, 0, 0, 1}};
  static constexpr auto kOddPlan = arenite::plan(kOdd);
  static_assert(kOddPlan.offset(0) == 0 && kOddPlan.offset(1) == 7);
  ArenaState state;
  ArenaRef arena(state, memory.bytes + 1, 64);
  EXPECT_EQ(arena.overlay(kOddPlan).check<std::uint32_t>(1), Status::kOk);
}

TEST(OverlayOfAPlan, OfNothingByDefault) {
  const auto expect_nothing = [](const auto& view) {
    EXPECT_FALSE(view);
    EXPECT_EQ(view.status(), Status::kStale);
    EXPECT_EQ(view.base(), nullptr);
    EXPECT_EQ(view.template data<char>(0), nullptr);
    EXPECT_EQ(view.template data<char>(0, 0), nullptr);
    EXPECT_EQ(view.template check<char>(0), Status::kStale);
    EXPECT_EQ(view.template check<char>(0, 0), Status::kStale);
  };
  arenite::Overlay<std::remove_const_t<decltype(kPlan)>> view;
  const arenite::Overlay<arenite::PlanRef> run_time;
  const arenite::Overlay<arenite::PlanOffsets<4>> offsets;
  expect_nothing(view);
  expect_nothing(run_time);
  expect_nothing(offsets);
  EXPECT_EQ(view.size(0), 0u);
  EXPECT_EQ(run_time.size(0), 0u);

  Arena<256> arena;
  view = arena.overlay(kPlan);
  EXPECT_TRUE(view);
  EXPECT_EQ(view.size(0), 64u);
  view = {};
  expect_nothing(view);
}

// A buffer of no bytes has an address that nobody uses: its alignment moves nothing, and any type can be had there.
TEST(OverlayOfAPlan, ZeroBytesAreThereWhateverTheirAlignment) {
  static constexpr Buffer kEmptyAndFull[] = {{0, 0, 0, 4096}, {16, 0, 0, 4}};
  static constexpr auto kLow = arenite::plan(kEmptyAndFull);
  static_assert(kLow.alignment() == 4 && kLow.size() == 16 && kLow.verify(kEmptyAndFull).ok());
  struct alignas(64) Line {
    char bytes[64];
  };
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes + 1, 19);
  const auto view = arena.overlay(kLow);
  ASSERT_TRUE(view);
  EXPECT_EQ(view.base(), memory.bytes + 4);
  EXPECT_NE(view.data<char>(0), nullptr);
  EXPECT_NE(view.data<Line>(0), nullptr);
  EXPECT_NE(view.data<Line>(0, 0), nullptr);
  EXPECT_EQ(view.check<Line>(0, 0), Status::kOk);
  EXPECT_EQ(view.check<Line>(0, 1), Status::kOutOfBounds);
  EXPECT_EQ(view.size(0), 0u);
}

// A plan made at run time looks at the list: where that was changed since, no buffer leaves the block.
TEST(OverlayOfAPlan, OfAListThatWasChangedStaysInItsBlock) {
  Buffer list[] = {{8, 0, 0, 1}, {8, 0, 0, 1}};
  std::size_t offsets[] = {0, 8};
  Arena<64> arena;
  const auto view = arena.overlay(arenite::PlanRef(arenite::PlanSummary(16, 1), list, offsets, 2));
  EXPECT_EQ(view.data<char>(1, 8), static_cast<const void*>(arena.data() + 8));
  list[1].size = 9;
  EXPECT_EQ(view.check<char>(1), Status::kOutOfBounds);
  EXPECT_EQ(view.check<char>(1, 0), Status::kOutOfBounds);
  list[1].size = kHuge;
  EXPECT_EQ(view.data<char>(1), nullptr);
  list[1].size = 0;
  for (const std::size_t offset : {std::size_t{17}, kHuge}) {
    offsets[1] = offset;
    EXPECT_EQ(view.check<char>(1), Status::kOutOfBounds) << offset;
  }
  offsets[1] = 16;
  EXPECT_NE(view.data<char>(1), nullptr);
}

// A view looks at the variable that the plan is in: another plan there does not make its block larger.
TEST(OverlayOfAPlan, OfAPlanThatWasReplacedStaysInItsBlock) {
  Buffer buffers[] = {{8, 0, 0, 1}, {8, 0, 0, 1}};
  auto plan = arenite::plan<arenite::greedy>(buffers);
  Arena<64> arena;
  const auto view = arena.overlay(plan);
  EXPECT_EQ(view.data<char>(0, 8), static_cast<const void*>(arena.data() + 8));
  buffers[1].size = 9;
  plan = arenite::plan<arenite::greedy>(buffers);
  ASSERT_EQ(plan.offset(1), 0u);
  ASSERT_EQ(plan.offset(0), 9u);
  EXPECT_EQ(view.data<char>(1, 9), static_cast<const void*>(arena.data()));
  EXPECT_EQ(view.check<char>(0, 8), Status::kOutOfBounds);
  EXPECT_EQ(view.data<char>(0, 8), nullptr);
  EXPECT_EQ(view.data<char>(0), nullptr);
}

TEST(OverlayOfAPlan, PlansShareTheRegion) {
  Arena<256, 64> arena;
  const auto large = arena.overlay(kPlan);
  const auto small = arena.overlay(kSmallPlan);
  ASSERT_TRUE(large && small);
  EXPECT_EQ(large.base(), small.base());
  EXPECT_EQ(arena.used(Region::kOverlay), 176u);

  // The other way round it grows.
  Arena<256, 64> other;
  const auto first = other.overlay(kSmallPlan);
  EXPECT_EQ(other.used(Region::kOverlay), 64u);
  std::memset(first.data<std::byte>(0), 0x5A, 40);
  const auto second = other.overlay(kPlan);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(other.used(Region::kOverlay), 176u);
  EXPECT_EQ(first.data<std::byte>(0)[39], std::byte{0x5A});
  EXPECT_EQ(first.base(), second.base());
}

TEST(OverlayOfAPlan, EachBeginsWhereItIsAligned) {
  Arena<256, 64> arena;
  EXPECT_NE(arena.head().allocate(5, 1), nullptr);
  const auto small = arena.overlay(kSmallPlan);
  const auto large = arena.overlay(kPlan);
  EXPECT_EQ(small.base(), arena.data() + 8);
  EXPECT_EQ(large.base(), arena.data() + 16);
  EXPECT_EQ(arena.used(Region::kOverlay), 16u + 176u - 5u);
}

TEST(OverlayOfAPlan, ARefusedOneLeavesTheFirstIntact) {
  Arena<175, 64> arena;
  const auto first = arena.overlay(kSmallPlan);
  std::byte* const data = first.data<std::byte>(1);
  const std::size_t used = arena.used();
  const auto second = arena.overlay(kPlan);  // one byte too large
  EXPECT_FALSE(second);
  EXPECT_EQ(second.status(), Status::kOutOfMemory);
  EXPECT_EQ(second.base(), nullptr);
  EXPECT_EQ(second.data<char>(0), nullptr);
  EXPECT_EQ(second.check<char>(0), Status::kOutOfMemory);
  EXPECT_EQ(second.check<char>(99), Status::kOutOfMemory);
  EXPECT_EQ(arena.last_failure().missing, 1u);
  EXPECT_EQ(arena.failures(), 1u);
  EXPECT_EQ(arena.used(), used);
  EXPECT_TRUE(first);
  EXPECT_EQ(first.data<std::byte>(1), data);
  EXPECT_EQ(arena.required(), 176u);
}

TEST(OverlayOfAPlan, WhatWasNotPlannedIsRefused) {
  arenite::Planner<2> planner;
  ASSERT_EQ(planner.add({8, 1, 0}), Status::kOk);
  Arena<64> arena;
  const auto first = arena.overlay(8, 8);
  const Numbers before(arena);
  const auto view = arena.overlay(planner.plan());
  EXPECT_FALSE(view);
  EXPECT_EQ(view.status(), Status::kInvalidLifetime);
  EXPECT_EQ(view.data<char>(0), nullptr);
  EXPECT_EQ(view.check<char>(0), Status::kInvalidLifetime);
  EXPECT_EQ(arena.last_failure().what, Status::kInvalidLifetime);
  EXPECT_TRUE(Numbers(arena).same_but_for_one_failure(before));
  EXPECT_NE(first, nullptr);
}

// The planner had too little memory, not the arena.
TEST(OverlayOfAPlan, ThatRanOutOfMemoryMissesNothingInTheArena) {
  std::size_t scratch = 0;
  Arena<64> arena;
  const auto view = arena.overlay(arenite::plan(kBuffers, 4, &scratch, sizeof(scratch)));
  EXPECT_EQ(view.status(), Status::kOutOfMemory);
  EXPECT_EQ(arena.failures(), 1u);
  EXPECT_EQ(arena.last_failure().what, Status::kOutOfMemory);
  EXPECT_EQ(arena.last_failure().requested, 0u);
  EXPECT_EQ(arena.last_failure().missing, 0u);
  EXPECT_EQ(arena.required(), 0u);
}

TEST(OverlayOfAPlan, TakesPlansMadeAtRunTime) {
  arenite::Planner<4, arenite::greedy> planner;
  for (const Buffer& buffer : kBuffers) ASSERT_EQ(planner.add(buffer), Status::kOk);
  Arena<256, 64> arena;
  const auto view = arena.overlay(planner.plan());  // a view of a view: the planner must live, the PlanRef need not
  ASSERT_TRUE(view);
  const arenite::PlanRef plan = planner.plan();
  const auto again = arena.overlay(plan);
  ASSERT_TRUE(again);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(view.data<std::byte>(i), arena.data() + kPlan.offset(i));
    EXPECT_EQ(view.size(i), kBuffers[i].size);
  }
  EXPECT_EQ(view.data<char>(kScores, 11), nullptr);
  EXPECT_EQ(view.plan().count(), 4u);
}

// A plan made at run time looks at its table of offsets, so that must not lie where the plan is placed.
TEST(OverlayOfAPlan, ThatWouldLieOverItsOwnTableIsRefused) {
  constexpr std::size_t kBytes = arenite::plan_bytes(2);
  constexpr std::size_t kAlignment = alignof(std::size_t);
  const auto make = [](void* memory) { return arenite::plan(kSmallBuffers, 2, memory, kBytes); };
  Arena<256, 64> arena;
  const auto expect_refused = [&](const arenite::PlanRef& plan) {
    ASSERT_EQ(plan.status(), Status::kOk);
    const Numbers before(arena);
    const auto view = arena.overlay(plan);
    EXPECT_FALSE(view);
    EXPECT_EQ(view.status(), Status::kOverlap);
    EXPECT_EQ(view.data<char>(0), nullptr);
    EXPECT_EQ(view.size(0), 0u);
    EXPECT_EQ(view.check<char>(0), Status::kOverlap);
    EXPECT_EQ(arena.last_failure().what, Status::kOverlap);
    EXPECT_TRUE(Numbers(arena).same_but_for_one_failure(before));
  };
  const auto expect_granted = [&](const arenite::PlanRef& plan) {
    ASSERT_EQ(plan.status(), Status::kOk);
    const auto view = arena.overlay(plan);
    ASSERT_TRUE(view);
    std::memset(view.base(), 0xA5, plan.size());
    EXPECT_EQ(view.data<std::byte>(0), view.base() + kSmallPlan.offset(0));
    EXPECT_EQ(view.data<std::byte>(1), view.base() + kSmallPlan.offset(1));
    EXPECT_EQ(view.size(1), 24u);
    EXPECT_EQ(arena.release_overlay(), Status::kOk);
  };

  // In a scope that is closed, wherever in it.
  arenite::PlanRef low;
  arenite::PlanRef high;
  arena.in_temp([&](TempScope& temp) {
    low = make(temp.allocate(kBytes, kAlignment));
    void* const padding = temp.allocate(arena.available(1) - kBytes, 1);
    EXPECT_NE(padding, nullptr);
    high = make(temp.allocate(kBytes, kAlignment));
  });
  expect_refused(low);
  expect_refused(high);
  // Where another overlay is.
  const arenite::PlanRef over = make(arena.overlay(kBytes, kAlignment));
  expect_refused(over);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);

  const auto marker = arena.mark();
  const arenite::PlanRef on_tail = make(arena.allocate(kBytes, kAlignment));
  expect_granted(on_tail);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  expect_refused(on_tail);
  const auto head = arena.head().mark();
  const arenite::PlanRef on_head = make(arena.head().allocate(kBytes, kAlignment));
  expect_granted(on_head);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  expect_refused(on_head);

  alignas(kAlignment) static std::byte table[kBytes];
  expect_granted(make(table));
  Arena<256> other;
  arenite::PlanRef elsewhere;
  other.in_temp([&](TempScope& temp) { elsewhere = make(temp.allocate(kBytes, kAlignment)); });
  expect_granted(elsewhere);

  // A plan that was refused has no table; it says why it was.
  const Buffer reversed[] = {{8, 1, 0}};
  arenite::PlanRef refused;
  arena.in_temp(
      [&](TempScope& temp) { refused = arenite::plan(reversed, 1, temp.allocate(kBytes, kAlignment), kBytes); });
  EXPECT_EQ(refused.count(), 0u);
  EXPECT_EQ(arena.overlay(refused).status(), Status::kInvalidLifetime);
}

// Without sizes a buffer is known to end with the block.
TEST(OverlayOfAPlan, TakesOffsetsOnly) {
  Arena<256, 64> arena;
  const auto view = arena.overlay(kPlan.offsets_only());
  ASSERT_TRUE(view);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(view.data<std::byte>(i), arena.data() + kPlan.offset(i));
    const std::size_t extent = kPlan.size() - kPlan.offset(i);
    EXPECT_NE(view.data<char>(i, extent), nullptr);
    EXPECT_EQ(view.data<char>(i, extent + 1), nullptr);
  }
  EXPECT_EQ(view.data<char>(4), nullptr);
}

TEST(OverlayOfAPlan, OfNoBytesTakesNothing) {
  static constexpr Buffer kNone[] = {{0, 0, 0, 1}};
  static constexpr auto kEmptyPlan = arenite::plan(kNone);
  arenite::Planner<1> planner;
  Arena<16> arena;
  EXPECT_NE(arena.allocate(16, 1), nullptr);
  const auto view = arena.overlay(kEmptyPlan);
  EXPECT_TRUE(view);
  EXPECT_EQ(view.data<char>(0), static_cast<const void*>(arena.data() + 16));
  EXPECT_TRUE(arena.overlay(planner.plan())) << "an empty list";
  EXPECT_EQ(arena.used(Region::kOverlay), 0u);
  EXPECT_EQ(arena.failures(), 0u);
}

TEST(OverlayOfAPlan, TurnsStale) {
  Arena<256, 64> arena;
  Arena<256, 64> other;
  const auto elsewhere = other.overlay(kPlan);
  const auto first = arena.overlay(kPlan);
  const auto refused = [&] {
    const TempScope temp = arena.temp();
    EXPECT_EQ(arena.release_overlay(), Status::kTempOpen);
    EXPECT_EQ(arena.reset(), Status::kTempOpen);
    return arena.overlay(kPlan);
  }();
  EXPECT_EQ(refused.status(), Status::kTempOpen);
  EXPECT_TRUE(first) << "refused releases change nothing";

  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(arena.used(Region::kOverlay), 0u);
  EXPECT_FALSE(first);
  EXPECT_EQ(first.status(), Status::kStale);
  EXPECT_EQ(first.base(), nullptr);
  EXPECT_EQ(first.data<char>(0), nullptr);
  EXPECT_EQ(first.check<char>(0), Status::kStale);
  EXPECT_EQ(first.size(0), 0u) << "that is the plan's, but there are no bytes behind it";
  EXPECT_EQ(refused.size(0), 0u);
  EXPECT_EQ(refused.status(), Status::kTempOpen) << "never had a place to lose";

  const auto second = arena.overlay(kPlan);
  EXPECT_TRUE(second);
  EXPECT_EQ(first.status(), Status::kStale);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_EQ(second.status(), Status::kStale);
  EXPECT_TRUE(elsewhere) << "another arena";
}

TEST(OverlayOfAPlan, StaysStaleWhateverTookItBackLast) {
  Arena<256, 64> arena;
  const auto first = arena.overlay(kPlan);
  EXPECT_TRUE(first);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(arena.reset(), Status::kOk);
  const auto second = arena.overlay(kPlan);
  EXPECT_TRUE(second);
  EXPECT_EQ(first.status(), Status::kStale);
}

TEST(OverlayOfBytes, SharesTheRegionToo) {
  Arena<64> arena;
  void* const first = arena.overlay(10, 1);
  EXPECT_EQ(first, arena.data());
  EXPECT_EQ(arena.overlay(20, 16), first);
  EXPECT_EQ(arena.used(Region::kOverlay), 20u);
  EXPECT_EQ(arena.overlay(5, 1), first);
  EXPECT_EQ(arena.used(Region::kOverlay), 20u);
  EXPECT_EQ(arena.overlay(65, 1), nullptr);
  EXPECT_EQ(arena.overlay(64, 1), first);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(arena.head().allocate(3, 1), arena.data());
  EXPECT_EQ(arena.overlay(4, 4), arena.data() + 4);
  EXPECT_EQ(arena.overlay(3, 1), arena.data() + 3) << "from the head, where it is aligned";
  EXPECT_EQ(arena.used(Region::kOverlay), 5u);
  EXPECT_EQ(arena.overlay(4, 3), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kInvalidAlignment);
  {
    const TempScope temp = arena.temp();
    EXPECT_EQ(arena.overlay(1, 1), nullptr);
    EXPECT_EQ(arena.last_failure().what, Status::kTempOpen);
    EXPECT_EQ(arena.overlay(0, 1), nullptr);
    EXPECT_EQ(arena.last_failure().what, Status::kTempOpen);
  }
  EXPECT_EQ(arena.overlay(1, 1), arena.data() + 3);
}

// --- temp ------------------------------------------------------------------------------------------------------------

TEST(Temp, NestedScopesGiveEverythingBack) {
  Arena<128> arena;
  EXPECT_NE(arena.head().allocate(3, 1), nullptr);
  EXPECT_NE(arena.overlay(10, 1), nullptr);
  {
    TempScope outer = arena.temp();
    EXPECT_EQ(arena.open_temps(), 1u);
    EXPECT_EQ(outer.allocate(5, 1), arena.data() + 13);
    {
      TempScope inner = outer.temp();
      TempScope innermost = arena.temp();
      EXPECT_EQ(arena.open_temps(), 3u);
      EXPECT_EQ(innermost.allocate(8, 16), arena.data() + 32);
      EXPECT_EQ(arena.used(Region::kTemp), 27u);
    }
    EXPECT_EQ(arena.open_temps(), 1u);
    EXPECT_EQ(arena.used(Region::kTemp), 5u) << "padding is gone too";
    EXPECT_EQ(outer.allocate(1, 1), arena.data() + 18);
  }
  EXPECT_EQ(arena.used(Region::kTemp), 0u);
  EXPECT_EQ(arena.peak(Region::kTemp), 27u);
  EXPECT_EQ(arena.used(Region::kOverlay), 10u);
}

TEST(Temp, AScopeForAFunction) {
  Arena<64> arena;
  int calls = 0;
  arena.in_temp([&](TempScope& outer) {
    EXPECT_EQ(arena.open_temps(), 1u);
    EXPECT_EQ(outer.allocate(8, 8), arena.data());
    ArenaRef(arena).in_temp([&](auto& inner) {
      EXPECT_EQ(arena.open_temps(), 2u);
      EXPECT_EQ(inner.allocate(8, 8), arena.data() + 8);
      EXPECT_EQ(outer.allocate(8, 8), nullptr) << "not the innermost one";
      ++calls;
    });
    EXPECT_EQ(arena.used(Region::kTemp), 8u);
    ++calls;
  });
  EXPECT_EQ(calls, 2);
  arena.in_temp(arenite::Kind::kScratch, [&](TempScope& scope) {
    EXPECT_EQ(scope.allocate(8, 8), arena.data());
    ++calls;
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(arena.open_temps(), 0u);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.peak(Region::kTemp), 16u);
}

TEST(Temp, OnlyTheInnermostScopeAllocates) {
  Arena<64> arena;
  TempScope outer = arena.temp();
  {
    TempScope inner = arena.temp();
    const Numbers before(arena);
    EXPECT_EQ(outer.allocate(4, 4), nullptr);
    EXPECT_EQ(arena.last_failure().what, Status::kScopeOrder);
    EXPECT_EQ(arena.last_failure().requested, 4u);
    EXPECT_EQ(arena.last_failure().available, 0u);
    EXPECT_EQ(arena.last_failure().missing, 0u);
    EXPECT_TRUE(Numbers(arena).same_but_for_one_failure(before));
    EXPECT_EQ(outer.create<int>(), nullptr);
    EXPECT_EQ(outer.create_array<int>(1), nullptr);
    EXPECT_EQ(outer.allocate(0, 1), nullptr);
    EXPECT_EQ(arena.last_failure().what, Status::kScopeOrder);
    EXPECT_EQ(outer.allocate(kHuge, 1), nullptr);
    EXPECT_EQ(arena.last_failure().what, Status::kScopeOrder);
    EXPECT_NE(inner.allocate(4, 4), nullptr);
  }
  EXPECT_NE(outer.allocate(4, 4), nullptr);
}

TEST(Temp, TheTailMayGrowAndNothingElse) {
  Arena<64> arena;
  EXPECT_NE(arena.head().allocate(4, 4), nullptr);
  const auto marker = arena.head().mark();
  TempScope temp = arena.temp();
  EXPECT_NE(temp.allocate(4, 4), nullptr);
  EXPECT_NE(arena.allocate(4, 4), nullptr);
  EXPECT_EQ(arena.head().allocate(4, 4), nullptr);
  EXPECT_EQ(arena.overlay(4, 4), nullptr);
  EXPECT_EQ(arena.failures(), 2u);
  const Numbers before(arena);
  EXPECT_EQ(arena.release_overlay(), Status::kTempOpen);
  EXPECT_EQ(arena.reset(), Status::kTempOpen);
  EXPECT_EQ(arena.head().release(marker), Status::kTempOpen);
  EXPECT_TRUE(Numbers(arena) == before) << "only refused requests are counted";
}

TEST(Temp, NothingOnTheTailIsThereInAScopeToo) {
  Arena<64> arena;
  const TempScope temp = arena.temp();
  EXPECT_NE(arena.allocate(0, 1), nullptr);
  EXPECT_EQ(arena.failures(), 0u);
}

TEST(Temp, AScopeOfAnotherArenaIsNotInTheWay) {
  Arena<64> one;
  Arena<64> two;
  TempScope outer = one.temp();
  TempScope other = two.temp();
  EXPECT_NE(outer.allocate(4, 4), nullptr);
  EXPECT_NE(other.allocate(4, 4), nullptr);
  EXPECT_EQ(one.open_temps(), 1u);
}

TEST(Temp, TailMarkersGoAcrossScopes) {
  Arena<64> arena;
  {
    TempScope temp = arena.temp();
    EXPECT_NE(temp.allocate(8, 8), nullptr);
    const auto marker = arena.mark();
    EXPECT_NE(arena.allocate(8, 8), nullptr);
    EXPECT_EQ(arena.release(marker), Status::kOk);
    EXPECT_EQ(arena.used(), 8u);
    EXPECT_NE(arena.allocate(16, 8), nullptr);
  }
  EXPECT_EQ(arena.used(Region::kTail), 16u);
  EXPECT_EQ(arena.used(Region::kTemp), 0u);
}

// --- broken preconditions --------------------------------------------------------------------------------------------

// Programs that go on after a panic are for tests only.
class Panics : public testing::Test {
 protected:
  void SetUp() override {
    count = 0;
    last = Status::kOk;
    former_ = arenite::set_panic_hook(&hook);
  }
  void TearDown() override { EXPECT_EQ(arenite::set_panic_hook(former_), &hook); }

  static int count;
  static Status last;

 private:
  static void hook(Status status) noexcept {
    ++count;
    last = status;
  }
  arenite::PanicHook former_ = nullptr;
};
int Panics::count = 0;
Status Panics::last = Status::kOk;

// A call that panics, and changes nothing.
#define EXPECT_PANIC(call, arena, status)  \
  do {                                     \
    const int count_before = count;        \
    const Numbers before(arena);           \
    EXPECT_EQ(call, status);               \
    EXPECT_EQ(count, count_before + 1);    \
    EXPECT_EQ(last, status);               \
    EXPECT_TRUE(Numbers(arena) == before); \
  } while (false)

TEST_F(Panics, MarkersAreReleasedInReverseOrderEachOnce) {
  Arena<64> arena;
  const auto check_end = [&](auto end, const std::byte* first, const std::byte* second) {
    const auto outer = end.mark();
    EXPECT_EQ(end.allocate(8, 8), first);
    const auto inner = end.mark();
    EXPECT_EQ(end.allocate(4, 4), second);
    EXPECT_PANIC(end.release(outer), arena, Status::kMarkerOrder);
    EXPECT_EQ(end.release(inner), Status::kOk);
    EXPECT_EQ(arena.used(), 8u);
    EXPECT_PANIC(end.release(inner), arena, Status::kMarkerOrder);
    EXPECT_EQ(end.allocate(4, 4), second) << "the same place again";
    const auto copy = outer;
    EXPECT_EQ(end.release(copy), Status::kOk);
    EXPECT_EQ(arena.used(), 0u);
    EXPECT_PANIC(end.release(outer), arena, Status::kMarkerOrder);
    EXPECT_EQ(end.allocate(8, 8), first);
    EXPECT_PANIC(end.release(outer), arena, Status::kMarkerOrder);
    const auto later = end.mark();
    EXPECT_PANIC(end.release(outer), arena, Status::kMarkerOrder);
    EXPECT_PANIC(end.release(inner), arena, Status::kMarkerOrder);
    EXPECT_EQ(end.release(later), Status::kOk);
    EXPECT_EQ(arena.used(), 8u) << "nothing was allocated since";
    EXPECT_EQ(arena.reset(), Status::kOk);
  };
  check_end(arena.tail(), arena.data() + 56, arena.data() + 52);
  check_end(arena.head(), arena.data(), arena.data() + 8);
  EXPECT_EQ(arena.failures(), 0u) << "a panic is no refused request";
}

TEST_F(Panics, BookkeepingIsOfOneMemory) {
  Memory memory;
  ArenaState state;
  const ArenaRef nowhere(state, nullptr, 64);
  ArenaRef arena(state, memory.bytes, 128);
  const ArenaRef again(state, memory.bytes, 128);
  void* const block = arena.allocate(16, 8);
  EXPECT_EQ(block, memory.bytes + 112);
  EXPECT_EQ(count, 0) << "memory that was not there comes, and the same again";

  alignas(8) std::byte other[64];
  ArenaRef wrong(state, other, sizeof other);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(last, Status::kOtherMemory);
  EXPECT_EQ(wrong.capacity(), 0u);
  EXPECT_EQ(wrong.allocate(8, 8), nullptr);
  EXPECT_EQ(wrong.last_failure().what, Status::kNullMemory);
  EXPECT_EQ(arena.data(), memory.bytes);
  EXPECT_EQ(arena.allocate(16, 8), memory.bytes + 96);
  EXPECT_TRUE(arena.check());
}

TEST_F(Panics, MarkersOfTheTwoEndsAreApart) {
  Arena<64> arena;
  const auto head = arena.head().mark();
  const auto tail = arena.mark();
  EXPECT_NE(arena.head().allocate(8, 8), nullptr);
  EXPECT_NE(arena.allocate(16, 8), nullptr);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  EXPECT_EQ(arena.used(Region::kTail), 16u);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(count, 0);
}

TEST_F(Panics, MarkersOfAnotherArena) {
  Arena<64> arena;
  Arena<64> other;
  const auto foreign_tail = other.mark();
  const auto foreign_head = other.head().mark();
  const auto own = arena.mark();
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_PANIC(arena.release(foreign_tail), arena, Status::kMarkerAlien);
  EXPECT_PANIC(arena.head().release(foreign_head), arena, Status::kMarkerAlien);
  EXPECT_PANIC(arena.release(Marker<Region::kTail>()), arena, Status::kMarkerAlien);
  EXPECT_PANIC(arena.head().release(Marker<Region::kHead>()), arena, Status::kMarkerAlien);
  EXPECT_EQ(arena.release(own), Status::kOk);
  EXPECT_EQ(other.release(foreign_tail), Status::kOk);
}

TEST_F(Panics, MarkersFromBeforeAReset) {
  Arena<64> arena;
  const auto tail = arena.mark();
  const auto head = arena.head().mark();
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_NE(arena.head().allocate(8, 8), nullptr);
  EXPECT_PANIC(arena.release(tail), arena, Status::kMarkerOrder);
  EXPECT_PANIC(arena.head().release(head), arena, Status::kMarkerOrder);
  const auto fresh = arena.mark();
  EXPECT_PANIC(arena.release(tail), arena, Status::kMarkerOrder);
  EXPECT_EQ(arena.release(fresh), Status::kOk);
}

TEST_F(Panics, ARefusedReleaseOfTheHeadKeepsItsMarker) {
  Arena<64> arena;
  const auto marker = arena.head().mark();
  EXPECT_NE(arena.head().allocate(8, 8), nullptr);
  EXPECT_NE(arena.overlay(8, 8), nullptr);
  const Numbers before(arena);
  EXPECT_EQ(arena.head().release(marker), Status::kNotOnTop);
  EXPECT_TRUE(Numbers(arena) == before);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  {
    const TempScope temp = arena.temp();
    EXPECT_EQ(arena.head().release(marker), Status::kTempOpen);
  }
  EXPECT_EQ(arena.head().release(marker), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(count, 0) << "these are answers, not panics";
}

// Only something that wrote over the bookkeeping brings that about: the end never goes back without its markers.
TEST_F(Panics, MarkersBeyondThePresentEnd) {
  const auto check_end = [](auto region, std::size_t word) {
    Memory memory;
    ArenaState state;
    ArenaRef arena(state, memory.bytes, 64);
    const arenite::End<decltype(region)::value> end = [&] {
      if constexpr (decltype(region)::value == Region::kHead) {
        return arena.head();
      } else {
        return arena.tail();
      }
    }();
    EXPECT_NE(end.allocate(16, 8), nullptr);
    const auto marker = end.mark();
    const std::size_t shorter[] = {15, 15, 15};
    auto* const words = reinterpret_cast<unsigned char*>(&state) + word * sizeof(std::size_t);
    std::memcpy(words, shorter, word == 0 ? sizeof(shorter) : sizeof(shorter[0]));
    EXPECT_TRUE(arena.check());
    EXPECT_PANIC(end.release(marker), arena, Status::kMarkerOrder);
    EXPECT_EQ(arena.used(), 15u);
    EXPECT_TRUE(arena.check());
    EXPECT_NE(end.allocate(1, 1), nullptr);
    EXPECT_EQ(end.release(marker), Status::kOk) << "16 bytes again";
  };
  check_end(std::integral_constant<Region, Region::kHead>(), 0);
  check_end(std::integral_constant<Region, Region::kTail>(), 3);
}

#if defined(__cpp_exceptions)

struct MarksAndThrows {
  MarksAndThrows(ArenaRef arena, Marker<Region::kTail>& tail, Marker<Region::kHead>& head) {
    tail = arena.mark();
    head = arena.head().mark();
    throw Bad();
  }
  std::byte bytes[24];
};

TEST_F(Panics, AFailedConstructorThatLeftAMarkerKeepsItsBlock) {
  Arena<256> arena;
  Marker<Region::kTail> tail;
  Marker<Region::kHead> head;
  const auto outer = arena.mark();
  EXPECT_THROW((void)arena.create<MarksAndThrows>(arena, tail, head), Bad);
  EXPECT_TRUE(arena.check());
  const std::size_t used = arena.used(Region::kTail);
  EXPECT_EQ(used, sizeof(MarksAndThrows)) << "the marker lies below it";
  EXPECT_NE(arena.allocate(8, 1), nullptr);
  EXPECT_PANIC(arena.release(outer), arena, Status::kMarkerOrder);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  EXPECT_EQ(arena.used(Region::kTail), used);
  EXPECT_TRUE(arena.check());
  EXPECT_PANIC(arena.release(tail), arena, Status::kMarkerOrder);
  EXPECT_EQ(arena.release(outer), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_PANIC(arena.release(tail), arena, Status::kMarkerOrder);
  EXPECT_EQ(arena.head().release(head), Status::kOk);

  EXPECT_THROW((void)arena.head().create<MarksAndThrows>(arena, tail, head), Bad);
  EXPECT_EQ(arena.used(Region::kHead), sizeof(MarksAndThrows));
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  EXPECT_EQ(arena.used(Region::kHead), sizeof(MarksAndThrows));
  EXPECT_TRUE(arena.check());
}

// The review's case, to the end: with the block given back, the marker would lie beyond the end of the tail.
TEST_F(Panics, AMarkerNeverMakesTheTailGrow) {
  static Arena<256> arena;
  static Marker<Region::kTail> marker;
  struct T {
    T() {
      marker = arena.mark();
      throw Bad();
    }
    std::byte bytes[200];
  };
  EXPECT_THROW((void)arena.create<T>(), Bad);
  EXPECT_TRUE(arena.check());
  const std::size_t used = arena.used(Region::kTail);
  EXPECT_NE(arena.head().allocate(arena.available(1), 1), nullptr);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_LE(arena.used(Region::kTail), used);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(count, 0);
  EXPECT_PANIC(arena.release(marker), arena, Status::kMarkerOrder);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_PANIC(arena.release(marker), arena, Status::kMarkerOrder);
  EXPECT_TRUE(arena.check());
}

// A marker that it released again is none that it left; one on the other end is not in the way of this one.
TEST_F(Panics, AFailedConstructorThatTidiedUpGivesItsBlockBack) {
  struct Tidy {
    explicit Tidy(ArenaRef arena) {
      arena.in_temp([](TempScope& temp) { EXPECT_NE(temp.allocate(4, 4), nullptr); });
      throw Bad();
    }
    std::byte bytes[24];
  };
  struct MarksTheOtherEnd {
    MarksTheOtherEnd(ArenaRef arena, Marker<Region::kHead>& head) {
      head = arena.head().mark();
      throw Bad();
    }
    std::byte bytes[24];
  };
  Arena<256> arena;
  EXPECT_THROW((void)arena.create<Tidy>(arena), Bad);
  EXPECT_THROW((void)arena.head().create<Tidy>(arena), Bad);
  EXPECT_EQ(arena.used(), 0u);
  Marker<Region::kHead> head;
  EXPECT_THROW((void)arena.create<MarksTheOtherEnd>(arena, head), Bad);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  EXPECT_EQ(count, 0);
}

TEST_F(Panics, AFailedConstructorThatLeftAScopeKeepsItsBlock) {
  struct Slot {
    alignas(TempScope) std::byte bytes[sizeof(TempScope)];
  };
  struct Opens {
    Opens(ArenaRef arena, Slot& slot) {
      ::new (slot.bytes) TempScope(arena.temp());
      throw Bad();
    }
    std::byte bytes[24];
  };
  Arena<256> arena;
  Slot slot;
  const auto close = [&] { static_cast<TempScope*>(static_cast<void*>(slot.bytes))->~TempScope(); };
  {
    TempScope temp = arena.temp();
    EXPECT_THROW((void)temp.create<Opens>(arena, slot), Bad);
    EXPECT_EQ(arena.open_temps(), 2u);
    EXPECT_EQ(arena.used(Region::kTemp), sizeof(Opens));
    close();
    EXPECT_EQ(arena.used(Region::kTemp), sizeof(Opens)) << "a scope that closes gives back, it never takes";
    EXPECT_TRUE(arena.check());
  }
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_THROW((void)arena.head().create<Opens>(arena, slot), Bad);
  EXPECT_EQ(arena.used(Region::kHead), sizeof(Opens));
  close();
  EXPECT_EQ(arena.used(Region::kHead), sizeof(Opens));
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(count, 0);
}

#endif  // defined(__cpp_exceptions)

TEST_F(Panics, AScopeClosedOutOfOrderCountsAsOpenForGood) {
  struct Slot {
    alignas(TempScope) std::byte bytes[sizeof(TempScope)];
  };
  Slot slots[2];
  Arena<64> arena;
  auto* const outer = ::new (slots[0].bytes) TempScope(arena.temp());
  EXPECT_NE(outer->allocate(8, 8), nullptr);
  auto* const inner = ::new (slots[1].bytes) TempScope(arena.temp());
  EXPECT_NE(inner->allocate(8, 8), nullptr);
  const Numbers before(arena);
  outer->~TempScope();
  EXPECT_EQ(count, 1);
  EXPECT_EQ(last, Status::kScopeOrder);
  EXPECT_TRUE(Numbers(arena) == before);
  EXPECT_NE(inner->allocate(8, 8), nullptr);
  inner->~TempScope();
  EXPECT_EQ(arena.used(Region::kTemp), 8u);
  EXPECT_EQ(arena.open_temps(), 1u);
  EXPECT_EQ(arena.reset(), Status::kTempOpen);
  EXPECT_EQ(count, 1);
}

TEST(PanicHook, IsReplacedAndGivenBack) {
  const arenite::PanicHook former = arenite::set_panic_hook(nullptr);
  const arenite::PanicHook other = [](Status) noexcept {};
  EXPECT_EQ(arenite::set_panic_hook(other), nullptr);
  EXPECT_EQ(arenite::set_panic_hook(former), other);
}

#if defined(GTEST_HAS_DEATH_TEST)
TEST(PanicHookDeathTest, TrapsWhereThereIsNone) {
  Arena<64> arena;
  const auto marker = arena.mark();
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_DEATH((void)arena.release(marker), "");
}
#endif

// --- reset -----------------------------------------------------------------------------------------------------------

TEST(Reset, GivesEverythingBackAndKeepsTheNumbers) {
  Arena<64> arena;
  EXPECT_NE(arena.head().allocate(3, 1), nullptr);
  EXPECT_NE(arena.overlay(8, 8), nullptr);
  EXPECT_NE(arena.allocate(10, 1), nullptr);
  EXPECT_EQ(arena.allocate(60, 1), nullptr);
  const std::size_t peak = arena.peak();
  const std::size_t required = arena.required();
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  for (const Region region : {Region::kHead, Region::kOverlay, Region::kTemp, Region::kTail}) {
    EXPECT_EQ(arena.used(region), 0u);
  }
  EXPECT_EQ(arena.peak(), peak);
  EXPECT_EQ(arena.required(), required);
  EXPECT_EQ(arena.failures(), 1u);
  EXPECT_EQ(arena.last_failure().requested, 60u);
  EXPECT_EQ(arena.head().allocate(64, 16), arena.data());
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_EQ(arena.allocate(64, 16), arena.data());
}

// --- numbers ---------------------------------------------------------------------------------------------------------

TEST(ArenaNumbers, ByRegionAndInAll) {
  Arena<256> arena;
  EXPECT_NE(arena.head().allocate(5, 1), nullptr);  // 0..5
  EXPECT_NE(arena.head().allocate(4, 4), nullptr);  // 8..12
  EXPECT_NE(arena.overlay(30, 16), nullptr);        // 16..46
  EXPECT_NE(arena.allocate(10, 4), nullptr);        // 244..254
  {
    TempScope temp = arena.temp();
    EXPECT_NE(temp.allocate(20, 8), nullptr);  // 48..68
    EXPECT_EQ(arena.used(Region::kHead), 12u);
    EXPECT_EQ(arena.used(Region::kOverlay), 34u);
    EXPECT_EQ(arena.used(Region::kTemp), 22u);
    EXPECT_EQ(arena.used(Region::kTail), 12u);
    EXPECT_EQ(arena.used(), 80u);
  }
  EXPECT_EQ(arena.used(), 58u);
  EXPECT_EQ(arena.peak(), 80u);
  EXPECT_EQ(arena.peak(Region::kTemp), 22u);
  EXPECT_EQ(arena.required(), 80u);
  EXPECT_EQ(arena.required(Region::kTemp), 22u);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(arena.used(), 24u);
  EXPECT_EQ(arena.peak(Region::kOverlay), 34u);
  EXPECT_EQ(arena.peak(Region::kHead), 12u);
  EXPECT_EQ(arena.peak(Region::kTail), 12u);
}

// The peak of all is no sum of the regions' peaks: they were at different times.
TEST(ArenaNumbers, PeaksAreFolded) {
  Arena<100> arena;
  {
    TempScope temp = arena.temp();
    EXPECT_NE(temp.allocate(80, 1), nullptr);
  }
  EXPECT_NE(arena.overlay(70, 1), nullptr);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  const auto head = arena.head().mark();
  EXPECT_NE(arena.head().allocate(60, 1), nullptr);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  const auto tail = arena.mark();
  EXPECT_NE(arena.allocate(50, 1), nullptr);
  EXPECT_EQ(arena.release(tail), Status::kOk);
  EXPECT_EQ(arena.peak(Region::kTemp), 80u);
  EXPECT_EQ(arena.peak(Region::kOverlay), 70u);
  EXPECT_EQ(arena.peak(Region::kHead), 60u);
  EXPECT_EQ(arena.peak(Region::kTail), 50u);
  EXPECT_EQ(arena.peak(), 80u);
  EXPECT_EQ(arena.required(), 80u);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(ArenaNumbers, AvailableIsExact) {
  Memory memory;
  for (std::size_t base = 0; base <= 16; ++base) {
    for (std::size_t alignment = 1; alignment <= 32; alignment *= 2) {
      ArenaState state;
      ArenaRef arena(state, memory.bytes + base, 100);
      ASSERT_NE(arena.head().allocate(3, 1), nullptr);
      ASSERT_NE(arena.allocate(7, 1), nullptr);
      const std::size_t room = arena.available(alignment);
      EXPECT_EQ(arena.available(Region::kHead, alignment), room);
      EXPECT_EQ(arena.available(Region::kOverlay, alignment), room);
      EXPECT_EQ(arena.available(Region::kTemp, alignment), room);
      EXPECT_EQ(arena.available(Region::kTail, alignment), room);

      EXPECT_EQ(arena.allocate(room + 1, alignment), nullptr);
      EXPECT_EQ(arena.last_failure().available, room);
      EXPECT_EQ(arena.last_failure().missing, 1u);
      EXPECT_EQ(arena.overlay(room + 1, alignment), nullptr);
      EXPECT_EQ(arena.head().allocate(room + 1, alignment), nullptr);
      const auto marker = arena.mark();
      EXPECT_NE(arena.allocate(room, alignment), nullptr);
      EXPECT_EQ(arena.available(alignment), 0u);
      EXPECT_EQ(arena.release(marker), Status::kOk);
      EXPECT_NE(arena.overlay(room, alignment), nullptr);
      EXPECT_EQ(arena.available(Region::kOverlay, alignment), room) << "plans share";
      EXPECT_EQ(arena.available(Region::kHead, 1), 0u) << "the overlay is in use";
    }
  }
}

TEST(ArenaNumbers, AvailableIsZeroWhereARegionMayNotGrow) {
  Arena<64> arena;
  EXPECT_EQ(arena.available(0), 0u);
  EXPECT_EQ(arena.available(3), 0u);
  EXPECT_EQ(arena.available(Region::kHead, 24), 0u);
  EXPECT_EQ(arena.available(Region::kHead, 1), 64u);
  EXPECT_NE(arena.overlay(8, 8), nullptr);
  EXPECT_EQ(arena.available(Region::kHead, 1), 0u);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  const TempScope temp = arena.temp();
  EXPECT_EQ(arena.available(Region::kHead, 1), 0u);
  EXPECT_EQ(arena.available(Region::kOverlay, 1), 0u);
  EXPECT_EQ(arena.available(Region::kTemp, 1), 64u);
  EXPECT_EQ(arena.available(1), 64u);
}

void expect_failure(const ArenaRef& arena, Status what, std::size_t requested, std::size_t alignment,
                    std::size_t available, std::size_t missing, std::size_t required) {
  const Failure failure = arena.last_failure();
  EXPECT_EQ(failure.what, what);
  EXPECT_EQ(failure.requested, requested);
  EXPECT_EQ(failure.alignment, alignment);
  EXPECT_EQ(failure.available, available);
  EXPECT_EQ(failure.missing, missing);
  EXPECT_EQ(failure.required, required);
}

TEST(Failures, NoneAtFirst) {
  Arena<64> arena;
  EXPECT_EQ(arena.failures(), 0u);
  expect_failure(arena, Status::kOk, 0, 0, 0, 0, 0);
}

TEST(Failures, InNumbers) {
  Arena<64> arena;
  EXPECT_NE(arena.head().allocate(50, 1), nullptr);
  EXPECT_EQ(arena.head().allocate(16, 1), nullptr);
  expect_failure(arena, Status::kOutOfMemory, 16, 1, 14, 2, 66);
  EXPECT_EQ(arena.allocate(16, 8), nullptr);  // the free bytes begin at 56
  expect_failure(arena, Status::kOutOfMemory, 16, 8, 8, 8, 88);
  EXPECT_EQ(arena.allocate(4, 12), nullptr);
  expect_failure(arena, Status::kInvalidAlignment, 4, 12, 0, 0, 88);
  EXPECT_EQ(arena.head().allocate(kMaxSize + 1, 1), nullptr);
  expect_failure(arena, Status::kSizeOverflow, kMaxSize + 1, 1, 14, kMaxSize + 1 - 14, kHuge);
  EXPECT_EQ(arena.failures(), 4u);
}

// That is no question of room: nothing is missing, and no size of the arena is known to help.
TEST(Failures, OfZeroBytesWithoutAnAddress) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes + 1, 62);  // 1..63 of a multiple of 64
  EXPECT_NE(arena.head().allocate(10, 1), nullptr);
  EXPECT_EQ(arena.head().allocate(0, 64), nullptr);
  expect_failure(arena, Status::kMisaligned, 0, 64, 0, 0, 10);
  EXPECT_EQ(arena.overlay(0, 128), nullptr);
  expect_failure(arena, Status::kMisaligned, 0, 128, 0, 0, 10);
  EXPECT_EQ(arena.allocate(0, 64), nullptr);
  expect_failure(arena, Status::kMisaligned, 0, 64, 0, 0, 10);
  {
    TempScope temp = arena.temp();
    EXPECT_EQ(temp.allocate(0, 64), nullptr);
    expect_failure(arena, Status::kMisaligned, 0, 64, 0, 0, 10);
  }
  EXPECT_EQ(arena.failures(), 4u);
  EXPECT_EQ(arena.allocate(0, 32), memory.bytes + 32);

  ArenaState of_nothing;
  ArenaRef nowhere(of_nothing, nullptr, 62);
  EXPECT_EQ(nowhere.allocate(0, 64), nullptr);
  EXPECT_EQ(nowhere.last_failure().what, Status::kNullMemory);
  EXPECT_EQ(nowhere.required(), 0u);
}

TEST(Failures, NotOfZeroBytesWhereTheOnlyAddressIsTheFirst) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes, 8);
  EXPECT_EQ(arena.allocate(0, 64), static_cast<void*>(memory.bytes));
  EXPECT_EQ(arena.failures(), 0u);
}

// The numbers are those of the time of the failure, but for `required`, which goes on counting.
TEST(Failures, AreKept) {
  Arena<64> arena;
  EXPECT_EQ(arena.allocate(65, 1), nullptr);
  EXPECT_NE(arena.allocate(20, 1), nullptr);
  expect_failure(arena, Status::kOutOfMemory, 65, 1, 64, 1, 85);
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect_failure(arena, Status::kOutOfMemory, 65, 1, 64, 1, 85);
}

TEST(Failures, OfAnOverlayCountFromTheHead) {
  Arena<64> arena;
  EXPECT_NE(arena.head().allocate(10, 1), nullptr);
  EXPECT_NE(arena.overlay(40, 1), nullptr);
  EXPECT_NE(arena.allocate(4, 1), nullptr);
  EXPECT_EQ(arena.overlay(51, 1), nullptr);
  expect_failure(arena, Status::kOutOfMemory, 51, 1, 50, 1, 65);
  EXPECT_EQ(arena.overlay(60, 4), nullptr);
  expect_failure(arena, Status::kOutOfMemory, 60, 4, 48, 12, 76);
}

TEST(Required, TellsTheWholeNeedAfterARunThatFailed) {
  Arena<16> arena;
  EXPECT_EQ(arena.head().allocate(100, 1), nullptr);
  EXPECT_NE(arena.head().allocate(10, 1), nullptr);
  EXPECT_EQ(arena.overlay(50, 4), nullptr);  // 112..162, were the first 100 there
  EXPECT_EQ(arena.allocate(33, 1), nullptr);
  EXPECT_EQ(arena.required(), 112u + 50u + 33u);
  EXPECT_EQ(arena.required(Region::kHead), 110u);
  EXPECT_EQ(arena.required(Region::kOverlay), 52u);
  EXPECT_EQ(arena.required(Region::kTail), 33u);
  EXPECT_EQ(arena.peak(), 10u);
}

TEST(Required, IsAMultipleOfTheLargestAlignmentOnTheTail) {
  Arena<64> arena;
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  EXPECT_EQ(arena.required(), 1u);
  EXPECT_NE(arena.allocate(1, 8), nullptr);
  EXPECT_EQ(arena.required(), 8u);
  EXPECT_NE(arena.head().allocate(1, 16), nullptr);
  EXPECT_EQ(arena.required(), 16u) << "9 bytes, and the next multiple of 8";
}

TEST(Required, CountsRefusalsForMemoryOnly) {
  Arena<64> arena;
  EXPECT_EQ(arena.allocate(8, 3), nullptr);
  EXPECT_EQ(arena.allocate(0, 4096 * 1024), nullptr) << "no such address in it";
  {
    const TempScope temp = arena.temp();
    EXPECT_EQ(arena.head().allocate(8, 8), nullptr);
    EXPECT_EQ(arena.overlay(8, 8), nullptr);
  }
  EXPECT_EQ(arena.failures(), 4u);
  EXPECT_EQ(arena.required(), 0u);
}

// An overlay that was refused does not hold the head down; both are counted.
TEST(Required, CountsAHeadThatGrewBecauseAnOverlayWasRefused) {
  Arena<64> arena;
  EXPECT_EQ(arena.overlay(100, 1), nullptr);
  EXPECT_NE(arena.head().allocate(10, 1), nullptr);
  EXPECT_EQ(arena.required(), 110u);
  EXPECT_EQ(arena.required(Region::kHead), 110u) << "the head has the overlay's bytes";
  EXPECT_EQ(arena.required(Region::kOverlay), 100u);
  EXPECT_EQ(arena.head().allocate(1000, 1), nullptr);
  EXPECT_EQ(arena.required(), 1110u);
  EXPECT_EQ(arena.required(Region::kOverlay), 100u);
}

TEST(Required, OfAnOverlaySurvivesThatTheHeadGoesBack) {
  Arena<64> arena;
  const auto marker = arena.head().mark();
  EXPECT_NE(arena.head().allocate(10, 1), nullptr);
  EXPECT_EQ(arena.overlay(100, 1), nullptr);
  EXPECT_EQ(arena.required(Region::kOverlay), 100u);
  EXPECT_EQ(arena.head().release(marker), Status::kOk);
  EXPECT_EQ(arena.required(Region::kOverlay), 100u);
  EXPECT_EQ(arena.required(Region::kHead), 10u);
  EXPECT_EQ(arena.required(), 110u);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_EQ(arena.required(Region::kOverlay), 100u);

  // As well as what was granted.
  Arena<64> large;
  const auto begin = large.head().mark();
  EXPECT_NE(large.overlay(30, 1), nullptr);
  EXPECT_EQ(large.release_overlay(), Status::kOk);
  EXPECT_EQ(large.head().release(begin), Status::kOk);
  EXPECT_EQ(large.required(Region::kOverlay), 30u);
  EXPECT_EQ(large.peak(Region::kOverlay), 30u);
}

// Between two failures the tail takes the short way, which adds the same to the real need and to what is there: only as
// long as both ends are aligned alike.
TEST(Required, IsExactAfterTheTailWentBack) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes, 20);
  EXPECT_NE(arena.allocate(1, 8), nullptr);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_NE(arena.allocate(9, 8), nullptr);
  EXPECT_NE(arena.head().allocate(4, 1), nullptr);
  EXPECT_EQ(arena.required(), 24u) << "9 bytes at 8, and 4 bytes below them: 17, and the next multiple of 8";
}

TEST(Required, IsExactAfterTheTailWentBackByOneByte) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes, 64);
  EXPECT_EQ(arena.allocate(101, 1), nullptr);
  const auto marker = arena.mark();
  EXPECT_NE(arena.allocate(1, 2), nullptr);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_NE(arena.allocate(1, 2), nullptr);
  EXPECT_EQ(arena.required(), 102u) << "101 bytes, and one below them at 2";
}

TEST(Required, IsExactWhereTheEndIsNotAligned) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes, 34);
  EXPECT_EQ(arena.allocate(40, 8), nullptr);
  EXPECT_EQ(arena.allocate(42, 1), nullptr);
  EXPECT_NE(arena.allocate(5, 8), nullptr);
  EXPECT_EQ(arena.required(), 88u) << "40 bytes, 42 and 5, and the next multiple of 8";
}

TEST(Required, RemembersTheLargestAlignmentThroughSmallerOnesThatAreRefused) {
  Arena<256, 64> arena;
  EXPECT_NE(arena.allocate(8, 64), nullptr);
  EXPECT_EQ(arena.allocate(1000, 1), nullptr);
  EXPECT_EQ(arena.required(), 1088u) << "64 bytes and 1000, and the next multiple of 64";
}

TEST(Required, IsTheLargestNumberWhereNoArenaWouldDo) {
  Arena<64> arena;
  EXPECT_EQ(arena.allocate(kMaxSize, 1), nullptr);
  EXPECT_EQ(arena.required(), kMaxSize);
  EXPECT_NE(arena.allocate(10, 1), nullptr);
  EXPECT_EQ(arena.required(), kHuge);
  EXPECT_EQ(arena.allocate(kMaxSize, 1), nullptr);
  EXPECT_EQ(arena.required(), kHuge);
  EXPECT_EQ(arena.overlay(kMaxSize, 1), nullptr) << "with the first, and 10 bytes, the sum would wrap";
  EXPECT_EQ(arena.required(), kHuge);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_NE(arena.allocate(10, 1), nullptr);
  EXPECT_EQ(arena.required(), kHuge);
}

TEST(Contains, AddressesOfItsMemory) {
  Arena<64> arena;
  EXPECT_TRUE(arena.contains(arena.data()));
  EXPECT_TRUE(arena.contains(arena.data() + 63));
  EXPECT_FALSE(arena.contains(arena.data() + 64));
  EXPECT_FALSE(arena.contains(&arena)) << "that is the bookkeeping";
  EXPECT_FALSE(arena.contains(nullptr));
  const int elsewhere = 0;
  EXPECT_FALSE(arena.contains(&elsewhere));
  EXPECT_FALSE(arena.contains(reinterpret_cast<const void*>(address_of(arena.data()) - 1)));
  EXPECT_FALSE(arena.contains(reinterpret_cast<const void*>(std::numeric_limits<std::uintptr_t>::max())));
}

// The bookkeeping begins with the ends of head, overlay, temp and tail.
TEST(Check, SeesBookkeepingThatSomethingWroteOver) {
  Memory memory;
  const auto check_with = [&](std::size_t word, std::size_t value) {
    ArenaState state;
    ArenaRef arena(state, memory.bytes, 64);
    EXPECT_NE(arena.head().allocate(8, 8), nullptr);
    EXPECT_NE(arena.overlay(8, 8), nullptr);
    EXPECT_NE(arena.allocate(8, 8), nullptr);
    EXPECT_TRUE(arena.check());
    std::memcpy(reinterpret_cast<unsigned char*>(&state) + word * sizeof(value), &value, sizeof(value));
    return arena.check();
  };
  for (std::size_t word = 0; word < 4; ++word) EXPECT_FALSE(check_with(word, kHuge)) << word;
  EXPECT_TRUE(check_with(0, 16));
  EXPECT_FALSE(check_with(0, 17)) << "a head beyond the overlay";
  EXPECT_FALSE(check_with(1, 17)) << "an overlay beyond temp";
  EXPECT_FALSE(check_with(2, 24)) << "temp without a scope";
  EXPECT_TRUE(check_with(3, 48));
  EXPECT_FALSE(check_with(3, 49)) << "a tail that overlaps the overlay";
}

TEST(Require, AsksForCapacity) {
  Arena<64> arena;
  EXPECT_NE(arena.allocate(60, 1), nullptr);
  EXPECT_EQ(arena.require(64), Status::kOk);
  EXPECT_EQ(arena.require(0), Status::kOk);
  EXPECT_EQ(arena.require(65), Status::kOutOfMemory);
  EXPECT_EQ(arena.require(kHuge), Status::kOutOfMemory);
}

// --- memory of the user's --------------------------------------------------------------------------------------------

void expect_no_memory(ArenaRef arena) {
  EXPECT_EQ(arena.capacity(), 0u);
  EXPECT_EQ(arena.require(0), Status::kNullMemory);
  EXPECT_EQ(arena.require(1), Status::kNullMemory);
  EXPECT_FALSE(arena.contains(nullptr));
  EXPECT_EQ(arena.data(), nullptr);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(arena.available(1), 0u);

  EXPECT_EQ(arena.head().allocate(100, 1), nullptr);
  expect_failure(arena, Status::kNullMemory, 100, 1, 0, 100, 100);
  EXPECT_EQ(arena.overlay(20, 1), nullptr);
  EXPECT_EQ(arena.last_failure().what, Status::kNullMemory);
  {
    TempScope temp = arena.temp();
    EXPECT_EQ(temp.allocate(3, 1), nullptr);
    EXPECT_EQ(arena.last_failure().what, Status::kNullMemory);
  }
  EXPECT_EQ(arena.allocate(4, 1), nullptr);
  EXPECT_EQ(arena.create<char>(), nullptr);
  EXPECT_EQ(arena.create_array<char>(2), nullptr);
  const auto view = arena.overlay(kSmallPlan);
  EXPECT_EQ(view.status(), Status::kNullMemory);
  EXPECT_EQ(view.data<char>(0), nullptr);
  EXPECT_EQ(arena.allocate(0, 1), nullptr) << "there is no address either";
  EXPECT_EQ(arena.last_failure().what, Status::kNullMemory);
  EXPECT_EQ(arena.failures(), 8u);
  EXPECT_GE(arena.required(), 100u + 64u + 7u);
  EXPECT_LE(arena.required(), 100u + 64u + 7u + 7u);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_TRUE(arena.check());
}

TEST(UserMemory, NullOrNoneOrWrappingIsNoMemory) {
  Memory memory;
  constexpr std::uintptr_t kTop = std::numeric_limits<std::uintptr_t>::max();
  {
    ArenaState state;
    expect_no_memory(ArenaRef(state, nullptr, 1024));
  }
  {
    ArenaState state;
    expect_no_memory(ArenaRef(state, nullptr, 0));
  }
  {
    ArenaState state;
    expect_no_memory(ArenaRef(state, memory.bytes, 0));
  }
  {
    ArenaState state;
    expect_no_memory(ArenaRef(state, memory.bytes, kHuge));
  }
  {
    ArenaState state;
    expect_no_memory(ArenaRef(state, memory.bytes, kTop - address_of(memory.bytes) + 1));
  }
}

// An aligned address beyond the end of the address space is no address, but its distance is known.
TEST(UserMemory, NumbersGoOnBeyondTheEndOfTheAddressSpace) {
  ArenaState state;
  ArenaRef arena(state, reinterpret_cast<void*>(std::uintptr_t{0} - 100), 50);  // 50 bytes more, and it would wrap
  EXPECT_EQ(arena.capacity(), 50u);
  EXPECT_EQ(arena.available(256), 0u);
  EXPECT_EQ(arena.allocate(8, 256), nullptr);
  expect_failure(arena, Status::kOutOfMemory, 8, 256, 0, 100 + 8 - 50, 256);
  EXPECT_EQ(arena.allocate(0, 256), nullptr) << "nor for nothing";
}

// Nothing is read or written there: the arithmetic is right up to the last address.
TEST(UserMemory, MayEndWithTheAddressSpace) {
  constexpr std::uintptr_t kTop = std::numeric_limits<std::uintptr_t>::max();
  ArenaState state;
  ArenaRef arena(state, reinterpret_cast<void*>(kTop - 63), 63);
  EXPECT_EQ(arena.capacity(), 63u);
  EXPECT_EQ(address_of(arena.head().allocate(8, 8)), kTop - 63);
  EXPECT_EQ(address_of(arena.allocate(8, 8)), kTop - 15);
  EXPECT_EQ(arena.allocate(41, 1), nullptr);
  EXPECT_EQ(arena.head().allocate(8, 64), nullptr) << "the next multiple is past the end";
  EXPECT_EQ(arena.overlay(kMaxSize, 1), nullptr);
  EXPECT_EQ(arena.overlay(kHuge, 1), nullptr);
  EXPECT_EQ(address_of(arena.allocate(40, 1)), kTop - 55);
  EXPECT_EQ(arena.available(1), 0u);
  EXPECT_TRUE(arena.contains(reinterpret_cast<void*>(kTop - 1)));
  EXPECT_FALSE(arena.contains(reinterpret_cast<void*>(kTop)));
  EXPECT_TRUE(arena.check());
}

// Nor here.
TEST(UserMemory, MayBeginLow) {
  ArenaState state;
  ArenaRef arena(state, reinterpret_cast<void*>(std::uintptr_t{16}), 4080);
  EXPECT_EQ(address_of(arena.allocate(8, 64)), 4032u);
  EXPECT_EQ(address_of(arena.allocate(8, 64)), 3968u);
  EXPECT_EQ(arena.used(), 128u);
}

TEST(UserMemory, StaysWhereALaterHandleHasNone) {
  Memory memory;
  ArenaState state;
  // Not at the beginning of `memory`: that may be what follows the bookkeeping.
  ArenaRef arena(state, memory.bytes + 8, 64);
  EXPECT_EQ(arena.head().allocate(8, 8), static_cast<void*>(memory.bytes + 8));
  ArenaRef other(state, nullptr, 64);
  EXPECT_EQ(other.capacity(), 0u);
  EXPECT_EQ(arena.head().allocate(8, 8), static_cast<void*>(memory.bytes + 16));
}

TEST(UserMemory, ThatIsNotThereIsAlignedInEveryWay) {
  ArenaState state;
  ArenaRef arena(state, nullptr, 64);
  EXPECT_EQ(arena.head().allocate(1, std::size_t{1} << 24), nullptr);
  EXPECT_EQ(arena.required(), 1u);
}

TEST(UserMemory, OfMoreThanTheLargestSizeIsUsedUpToThat) {
  ArenaState state;
  // Nothing is written there. A target's own memory may lie so high that this much of it would pass the last address.
  const ArenaRef arena(state, reinterpret_cast<void*>(std::uintptr_t{64}), kMaxSize + 2);
  EXPECT_EQ(arena.capacity(), kMaxSize);
  EXPECT_EQ(arena.available(1), kMaxSize);
  EXPECT_EQ(arena.require(kMaxSize + 1), Status::kOutOfMemory);
}

TEST(UserMemory, ShortMemoryIsRefusedWithTheSizeNeeded) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes, 100);
  EXPECT_EQ(arena.require(200), Status::kOutOfMemory);
  const auto view = arena.overlay(kPlan);
  EXPECT_EQ(view.status(), Status::kOutOfMemory);
  expect_failure(arena, Status::kOutOfMemory, 176, 16, 100, 76, 176);
}

TEST(UserMemory, AnyBaseAddress) {
  Memory memory;
  for (std::size_t base = 0; base <= 16; ++base) {
    for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) {
      std::byte* const begin = memory.bytes + base;
      ArenaState state;
      ArenaRef arena(state, begin, 512);
      EXPECT_EQ(arena.data(), begin);
      void* blocks[4] = {};
      blocks[0] = arena.head().allocate(9, alignment);
      blocks[1] = arena.overlay(10, alignment);
      TempScope temp = arena.temp();
      blocks[2] = temp.allocate(11, alignment);
      blocks[3] = arena.allocate(12, alignment);
      std::uintptr_t end = address_of(begin);
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_NE(blocks[i], nullptr);
        EXPECT_EQ(address_of(blocks[i]) % alignment, 0u);
        EXPECT_GE(address_of(blocks[i]), end);
        if (i < 3) {
          EXPECT_LT(address_of(blocks[i]), end + alignment) << "the lowest place that is aligned";
        }
        std::memset(blocks[i], static_cast<int>(i), 9 + i);
        end = address_of(blocks[i]) + 9 + i;
      }
      EXPECT_LE(end, address_of(begin) + 512);
      EXPECT_LT(address_of(begin) + 512 - end, alignment) << "the highest place that is aligned";
    }
  }
}

// --- what only odd programs do ---------------------------------------------------------------------------------------

// With a scope open, temp may hold something, so that it is the order of the ends that shows the damage.
TEST(Check, SeesBookkeepingThatSomethingWroteOverWhileAScopeIsOpen) {
  Memory memory;
  ArenaState state;
  ArenaRef arena(state, memory.bytes, 64);
  EXPECT_NE(arena.head().allocate(8, 8), nullptr);
  EXPECT_NE(arena.overlay(8, 8), nullptr);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  auto temp = arena.temp();
  EXPECT_NE(temp.allocate(8, 8), nullptr);
  const auto check_with = [&](std::size_t word, std::size_t value) {
    auto* const place = reinterpret_cast<unsigned char*>(&state) + word * sizeof(value);
    std::size_t former = 0;
    std::memcpy(&former, place, sizeof(value));
    std::memcpy(place, &value, sizeof(value));
    const bool sound = arena.check();
    std::memcpy(place, &former, sizeof(value));
    EXPECT_TRUE(arena.check());
    return sound;
  };
  EXPECT_TRUE(check_with(0, 16));
  EXPECT_FALSE(check_with(0, 17)) << "a head beyond the overlay";
  EXPECT_TRUE(check_with(1, 24));
  EXPECT_FALSE(check_with(1, 25)) << "an overlay beyond temp";
  EXPECT_FALSE(check_with(2, 15)) << "the same";
  EXPECT_TRUE(check_with(2, 56));
  EXPECT_FALSE(check_with(2, 57)) << "temp over the tail";
  EXPECT_FALSE(check_with(2, 65)) << "temp beyond the end";
  EXPECT_FALSE(check_with(2, kHuge));
  EXPECT_TRUE(check_with(3, 40));
  EXPECT_FALSE(check_with(3, 41)) << "a tail over temp";
  constexpr std::size_t kGate = 9;  // the largest alignment of the tail, negative or not
  EXPECT_TRUE(check_with(kGate, 0));
  EXPECT_TRUE(check_with(kGate, 0u - std::size_t{8}));
  EXPECT_FALSE(check_with(kGate, 12)) << "no alignment";
  EXPECT_FALSE(check_with(kGate, 0u - std::size_t{12}));
}

TEST(Enter, IsRefusedInAnotherArena) {
  Arena<128> arena;
  Arena<128> other;
  static constexpr Buffer kTwo[] = {{16, 0, 1}, {16, 1, 2}};
  static constexpr auto kPlanOfTwo = arenite::plan(kTwo);
  const auto view = arena.overlay(kPlanOfTwo);
  ASSERT_NE(other.overlay(kPlanOfTwo).base(), nullptr);
  EXPECT_EQ(other.enter(view, kTwo, 1), Status::kStale);
  EXPECT_EQ(arena.enter(view, kTwo, 1), Status::kOk);
}

TEST(UserMemory, TwoHandlesToNoMemory) {
  ArenaState state;
  ArenaRef arena(state, nullptr, 64);
  EXPECT_EQ(arena.allocate(24, 8), nullptr);
  const std::size_t required = arena.required();
  ArenaRef other(state, nullptr, 64);
  EXPECT_EQ(other.capacity(), 0u);
  EXPECT_EQ(other.required(), required);
  EXPECT_EQ(other.allocate(1, 1), nullptr);
  EXPECT_EQ(other.last_failure().what, Status::kNullMemory);
  EXPECT_EQ(arena.failures(), 2u);
}

TEST_F(Panics, AMarkerThatWasClearedIsNone) {
  Arena<64> arena;
  auto marker = arena.mark();
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_NE(arena.allocate(16, 8), nullptr);
  marker.clear();
  EXPECT_EQ(marker.serial(), 0u);
  EXPECT_PANIC(arena.release(marker), arena, Status::kMarkerOrder);
  EXPECT_EQ(arena.used(), 16u);
}

#if defined(__cpp_exceptions)

// The head cannot go back from under an overlay.
TEST_F(Panics, AFailedConstructorThatLeftAnOverlayKeepsItsBlock) {
  struct Plans {
    explicit Plans(ArenaRef arena) {
      EXPECT_NE(arena.overlay(16, 8), nullptr);
      throw Bad();
    }
    std::byte bytes[24];
  };
  Arena<256> arena;
  const auto head = arena.head().mark();
  EXPECT_THROW((void)arena.head().create<Plans>(arena), Bad);
  EXPECT_EQ(arena.used(Region::kHead), sizeof(Plans));
  EXPECT_EQ(arena.used(Region::kOverlay), 16u);
  EXPECT_TRUE(arena.check());
  EXPECT_EQ(arena.head().release(head), Status::kNotOnTop);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(arena.head().release(head), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_THROW((void)arena.create<Plans>(arena), Bad);
  EXPECT_EQ(arena.used(Region::kTail), 0u) << "the tail can";
  EXPECT_EQ(arena.used(Region::kOverlay), 16u);
  EXPECT_EQ(count, 0);
}

#endif  // defined(__cpp_exceptions)

}  // namespace
