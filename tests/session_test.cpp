// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Sessions, as their comments promise them: the order of calls, handles, plans made again, graphs, variables, plans
// made beforehand, several models in one arena and one model in two memories, and every size of arena.

#include <arenite/observers/asan.hpp>
#include <arenite/observers/guard.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/session.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

#if ARENITE_ASAN
extern "C" int __asan_address_is_poisoned(void const volatile*);
#endif

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::BasicArenaRef;
using arenite::Buffer;
using arenite::BufferList;
using arenite::Graph;
using arenite::GraphSummary;
using arenite::Index;
using arenite::Kind;
using arenite::kMaxBuffers;
using arenite::kMaxSize;
using arenite::kNoIndex;
using arenite::Op;
using arenite::PlanRef;
using arenite::PlanSummary;
using arenite::ReadyPlan;
using arenite::ReadySession;
using arenite::Region;
using arenite::Scratch;
using arenite::Session;
using arenite::Status;
using arenite::Step;
using arenite::Tensor;
using arenite::TensorKind;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

// Of the table of a session that plans at run time: bytes for each tensor or scratch, and as many again for a graph.
constexpr std::size_t kEntry = sizeof(Buffer) + sizeof(std::size_t);
constexpr std::size_t kGraphEntry = 2 * sizeof(std::size_t);
static_assert(sizeof(void*) != 4 || (kEntry == 16 && kGraphEntry == 8));

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// All numbers of an arena, to see that a call changed nothing and asked for nothing.
struct Numbers {
  explicit Numbers(const ArenaRef& arena) {
    std::size_t i = 0;
    for (const Region region : {Region::kHead, Region::kOverlay, Region::kTemp, Region::kTail}) {
      numbers[i++] = arena.used(region);
      numbers[i++] = arena.peak(region);
      numbers[i++] = arena.required(region);
      numbers[i++] = arena.available(region, 1);
    }
    numbers[i++] = arena.required();
    numbers[i++] = arena.failures();
    numbers[i++] = arena.open_temps();
  }
  friend bool operator==(const Numbers& a, const Numbers& b) {
    return std::memcmp(a.numbers, b.numbers, sizeof(a.numbers)) == 0;
  }
  std::size_t numbers[19] = {};
};

// What is in use, to see that nothing was kept of a call that failed.
struct Used {
  explicit Used(const ArenaRef& arena)
      : head(arena.used(Region::kHead)), overlay(arena.used(Region::kOverlay)), tail(arena.used(Region::kTail)) {
    EXPECT_EQ(arena.used(Region::kTemp), 0u);
    EXPECT_EQ(arena.open_temps(), 0u);
  }
  friend bool operator==(const Used& a, const Used& b) {
    return a.head == b.head && a.overlay == b.overlay && a.tail == b.tail;
  }
  std::size_t head;
  std::size_t overlay;
  std::size_t tail;
};

// An arena of any size at any address, with canaries on both sides and memory that is not zero.
class Guarded {
 public:
  static constexpr std::size_t kMost = 6144;

  explicit Guarded(std::size_t size, std::size_t offset = 0) : begin_(kGuard + offset), size_(size) {
    EXPECT_LE(offset, kGuard);
    EXPECT_LE(size, kMost);
    std::memset(bytes_, kCanary, sizeof(bytes_));
    std::memset(bytes_ + begin_, 0xA5, size);
  }
  [[nodiscard]] ArenaRef arena() { return ArenaRef(state_, bytes_ + begin_, size_); }
  [[nodiscard]] bool intact() const {
    for (std::size_t i = 0; i < begin_; ++i) {
      if (bytes_[i] != kCanary) return false;
    }
    for (std::size_t i = begin_ + size_; i < sizeof(bytes_); ++i) {
      if (bytes_[i] != kCanary) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 256;
  static constexpr unsigned char kCanary = 0xC3;
  alignas(256) unsigned char bytes_[kGuard + kMost + 2 * kGuard];
  std::size_t begin_;
  std::size_t size_;
  ArenaState state_;
};

// --- a run of a model: who writes what when
// ---------------------------------------------------------------------------

unsigned char pattern(std::size_t buffer, std::size_t i) {
  return static_cast<unsigned char>(buffer * 59 + i * 7 + 1 + i / 256);
}
void fill(void* bytes, std::size_t size, std::size_t buffer) {
  for (std::size_t i = 0; i < size; ++i) static_cast<unsigned char*>(bytes)[i] = pattern(buffer, i);
}
bool holds(const void* bytes, std::size_t size, std::size_t buffer) {
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<const unsigned char*>(bytes)[i] != pattern(buffer, i)) return false;
  }
  return true;
}
bool all_are(const void* bytes, std::size_t size, unsigned char value) {
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<const unsigned char*>(bytes)[i] != value) return false;
  }
  return true;
}

// The buffers of a plan at their addresses. Each writes all of its bytes at its first step, and has them to its last.
class Rehearsal {
 public:
  void add(void* bytes, const Buffer& buffer) {
    if (buffer.size == 0) return;
    ASSERT_LT(count_, kMost);
    if (bytes == nullptr || (address_of(bytes) & buffer.alignment.mask()) != 0) sound_ = false;
    bytes_[count_] = bytes;
    buffers_[count_++] = buffer;
  }
  template <class S>
  void add(const S& session, const BufferList& tensors) {
    for (std::size_t i = 0; i < tensors.count(); ++i) {
      EXPECT_EQ(session.size(i), tensors[i].size);
      add(session.template data<unsigned char>(i, tensors[i].size), tensors[i]);
    }
  }
  template <class S>
  void add(const S& session, const Scratch& scratch, const Buffer& buffer) {
    EXPECT_EQ(session.size(scratch), buffer.size);
    add(session.template data<unsigned char>(scratch, buffer.size), buffer);
  }

  // Everything at once, as if nobody had a lifetime: to see that nothing else is written.
  void scribble() const {
    for (std::size_t i = 0; i < count_; ++i) std::memset(bytes_[i], 0x5E, buffers_[i].size);
  }

  [[nodiscard]] bool good() const {
    if (!sound_) return false;
    std::size_t last = 0;
    for (std::size_t i = 0; i < count_; ++i) last = buffers_[i].last > last ? buffers_[i].last : last;
    for (std::size_t step = 0; step <= last; ++step) {
      for (std::size_t i = 0; i < count_; ++i) {
        if (buffers_[i].first == step) fill(bytes_[i], buffers_[i].size, i);
      }
      for (std::size_t i = 0; i < count_; ++i) {
        if (arenite::alive_at(buffers_[i], step) && !holds(bytes_[i], buffers_[i].size, i)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kMost = 24;
  void* bytes_[kMost] = {};
  Buffer buffers_[kMost] = {};
  std::size_t count_ = 0;
  bool sound_ = true;
};

template <class S>
bool runs(const S& session, const BufferList& tensors) {
  Rehearsal run;
  run.add(session, tensors);
  return run.good();
}

constexpr Buffer kSmall[] = {{32, 0, 1, 8}, {64, 1, 2, 8}};                   // 96
constexpr Buffer kLarge[] = {{128, 0, 1, 8}, {160, 1, 2, 8}, {64, 2, 3, 8}};  // 288

// Sees all ways in which a session can have no plan.
template <class S>
void expect_nothing(const S& session, const Scratch& scratch = {}) {
  EXPECT_FALSE(session);
  EXPECT_EQ(session.template data<char>(0), nullptr);
  EXPECT_EQ(session.template data<char>(0, 0), nullptr);
  EXPECT_EQ(session.size(0), 0u);
  EXPECT_EQ(session.template data<char>(scratch), nullptr);
  EXPECT_EQ(session.size(scratch), 0u);
}

// --- layout ----------------------------------------------------------------------------------------------------------

template <class T>
bool all_bits_zero(const T& object) {
  return all_are(&object, sizeof(T), 0);
}

TEST(SessionLayout, ConstantInitialisedIsAllZeroBits) {
  static constexpr Session<> kSession;
  static constexpr Session<arenite::linear> kLinear;
  static constexpr ReadySession<> kReadySession;
  static constexpr Scratch kScratch;
  EXPECT_TRUE(all_bits_zero(kSession));
  EXPECT_TRUE(all_bits_zero(kLinear));
  EXPECT_TRUE(all_bits_zero(kReadySession));
  EXPECT_TRUE(all_bits_zero(kScratch));
}

static_assert(!std::is_copy_constructible_v<Session<>> && !std::is_move_constructible_v<Session<>>);
static_assert(!std::is_copy_assignable_v<Session<>> && !std::is_move_assignable_v<ReadySession<>>);
static_assert(std::is_trivially_destructible_v<Session<>> && std::is_trivially_destructible_v<ReadySession<>>);
static_assert(std::is_trivially_copyable_v<Scratch> && sizeof(Scratch) == 3 * sizeof(void*));
static_assert(!std::is_convertible_v<Session<>, bool>, "only where a condition is asked for");

// --- the order of calls ----------------------------------------------------------------------------------------------

TEST(SessionOrder, NothingWorksBeforeItBegins) {
  Session<> session;
  expect_nothing(session);
  EXPECT_EQ(session.commit(kSmall), Status::kStale);
  EXPECT_EQ(session.commit(Graph{}), Status::kStale);
  EXPECT_EQ(session.replan(), Status::kStale);
  EXPECT_EQ(session.enter(0), Status::kStale);
  EXPECT_EQ(session.plan().status(), Status::kStale);
  EXPECT_EQ(session.plan().count(), 0u);
  EXPECT_EQ(session.plans(), 0u);
  EXPECT_EQ(session.culprit(), kNoIndex);
  EXPECT_EQ(session.variable<int>(), nullptr);
  EXPECT_EQ(session.share("abc", 3, 1), nullptr);
  EXPECT_EQ(session.reset_variable(nullptr), Status::kOutOfBounds);
  session.reset_variables();
  expect_nothing(session, session.scratch(8, 0));
  EXPECT_EQ(session.unload(), Status::kOk);
  // Scratch refused then is not held against the model.
  Arena<1024> arena;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  EXPECT_EQ(session.commit(kSmall), Status::kOk);

  ReadySession<> ready;
  expect_nothing(ready);
  EXPECT_EQ(ready.commit(), Status::kStale);
  EXPECT_EQ(ready.enter(kSmall, 0), Status::kStale);
  EXPECT_EQ(ready.variable<int>(), nullptr);
  expect_nothing(ready, ready.scratch(8, 0));
  EXPECT_EQ(ready.unload(), Status::kOk);
}

TEST(SessionOrder, BeginsOnce) {
  Arena<1024> arena;
  Arena<1024> other;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  const Numbers before(arena);
  EXPECT_EQ(session.begin(arena, 4), Status::kLoaded);
  EXPECT_EQ(session.begin(other, 4), Status::kLoaded);
  EXPECT_EQ(session.begin(other, arena, 4), Status::kLoaded);
  EXPECT_TRUE(Numbers(arena) == before);
  EXPECT_EQ(other.used(), 0u);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.begin(arena, 4), Status::kLoaded);
  EXPECT_TRUE(runs(session, kSmall));
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(session.begin(other, 4), Status::kOk);
  EXPECT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_TRUE(other.contains(session.data<char>(0)));
}

TEST(SessionOrder, CapacitiesAreFromOneToAllIndices) {
  Arena<1024> arena;
  const auto outer = arena.mark();
  Session<> session;
  const Numbers before(arena);
  for (const std::size_t capacity : {std::size_t{0}, kMaxBuffers + 1, kMaxBuffers + 2, kHuge / 2, kHuge}) {
    EXPECT_EQ(session.begin(arena, capacity), Status::kTooManyBuffers);
  }
  EXPECT_TRUE(Numbers(arena) == before);
  const Used used(arena);
  for (const std::size_t capacity : {kMaxBuffers, kMaxBuffers - 1, 1024 / kEntry + 1}) {
    EXPECT_EQ(session.begin(arena, capacity), Status::kOutOfMemory);
    EXPECT_EQ(arena.last_failure().requested, capacity * kEntry);
    EXPECT_TRUE(Used(arena) == used);
    EXPECT_EQ(session.commit(kSmall), Status::kStale);
    expect_nothing(session);
  }
  ASSERT_EQ(session.begin(arena, 1024 / kEntry), Status::kOk);
  EXPECT_EQ(arena.used(), 1024u / kEntry * kEntry);
  EXPECT_EQ(session.unload(), Status::kOk);
  ASSERT_EQ(session.begin(arena, 1), Status::kOk);
  EXPECT_EQ(arena.used(), kEntry);
  EXPECT_EQ(session.commit(BufferList(kSmall, 2)), Status::kTooManyBuffers);
  EXPECT_EQ(session.commit(BufferList(kSmall, 1)), Status::kOk);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.release(outer), Status::kOk);  // nobody left a marker behind
}

TEST(SessionOrder, CommitsOncePerPreparation) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  const Scratch scratch = session.scratch(16, 0);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  char* const first = session.data<char>(0);
  const Numbers before(arena);
  EXPECT_EQ(session.commit(kLarge), Status::kStale);
  EXPECT_EQ(session.commit(kSmall), Status::kStale);
  EXPECT_EQ(session.commit(Graph{}), Status::kStale);
  expect_nothing(Session<>{}, session.scratch(16, 0));
  EXPECT_EQ(session.data<char>(session.scratch(16, 0)), nullptr);
  EXPECT_TRUE(Numbers(arena) == before);
  EXPECT_EQ(session.data<char>(0), first);
  EXPECT_NE(session.data<char>(scratch, 16), nullptr);
  EXPECT_EQ(session.plans(), 1u);
  EXPECT_TRUE(runs(session, kSmall));
  // Scratch refused meanwhile is not held against the next plan.
  ASSERT_EQ(session.replan(), Status::kOk);
  EXPECT_EQ(session.commit(kLarge), Status::kOk);
  EXPECT_TRUE(runs(session, kLarge));
}

TEST(SessionOrder, UnloadsAndBeginsAgain) {
  Arena<1024> arena;
  Session<> session;
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(session.begin(arena, 4), Status::kOk);
    EXPECT_FALSE(session);
    int* const kept = session.variable<int>(3);
    ASSERT_NE(kept, nullptr);
    ASSERT_EQ(session.commit(kSmall), Status::kOk);
    EXPECT_TRUE(runs(session, kSmall));
    EXPECT_EQ(session.unload(), Status::kOk);
    EXPECT_EQ(arena.used(), 0u);
    expect_nothing(session);
    EXPECT_EQ(session.reset_variable(kept), Status::kOutOfBounds);
    EXPECT_EQ(session.unload(), Status::kOk);
    EXPECT_EQ(session.commit(kSmall), Status::kStale);
    EXPECT_EQ(session.plan().status(), Status::kStale);
    EXPECT_EQ(session.enter(0), Status::kStale);
    EXPECT_EQ(session.variable<int>(), nullptr);
    expect_nothing(session, session.scratch(8, 0));
    EXPECT_EQ(arena.used(), 0u);
  }
}

TEST(SessionOrder, UnloadsBeforeCommit) {
  Arena<1024> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  (void)session.scratch(8, 0);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(session.commit(kSmall), Status::kStale);
}

TEST(SessionOrder, AfterAReset) {
  Arena<1024> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  const Scratch scratch = session.scratch(16, 0);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  ASSERT_EQ(arena.reset(), Status::kOk);
  expect_nothing(session, scratch);
  EXPECT_EQ(session.begin(arena, 4), Status::kLoaded);
  EXPECT_NE(session.replan(), Status::kOk);
  EXPECT_NE(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.variable<int>(), nullptr);
  EXPECT_EQ(session.share("abc", 3, 1), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(session.unload(), Status::kStale);
  EXPECT_EQ(session.unload(), Status::kOk);
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  EXPECT_EQ(session.data<char>(scratch), nullptr);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.data<char>(scratch), nullptr);
  EXPECT_TRUE(runs(session, kSmall));
}

TEST(SessionOrder, AfterAResetAnotherSessionIsLeftAlone) {
  Arena<2048> arena;
  Session<> old;
  Session<> fresh;
  ASSERT_EQ(old.begin(arena, 4), Status::kOk);
  ASSERT_EQ(old.commit(kSmall), Status::kOk);
  ASSERT_EQ(arena.reset(), Status::kOk);
  ASSERT_EQ(fresh.begin(arena, 4), Status::kOk);
  ASSERT_EQ(fresh.commit(kLarge), Status::kOk);
  const Numbers before(arena);
  expect_nothing(old);
  EXPECT_EQ(old.unload(), Status::kStale);
  EXPECT_TRUE(Numbers(arena) == before);
  EXPECT_TRUE(runs(fresh, kLarge));
  EXPECT_EQ(fresh.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

// What was a variable or a shared table belongs to somebody else now.
TEST(SessionOrder, AfterAResetVariablesAreWrittenToNoMore) {
  Arena<512> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  unsigned char* const variable = session.variable<unsigned char>(24, 7);
  ASSERT_NE(variable, nullptr);
  ASSERT_NE(session.share("abcd", 4, 4), nullptr);
  ASSERT_EQ(arena.reset(), Status::kOk);
  ASSERT_NE(arena.allocate(512, 1), nullptr);
  std::memset(variable, 0x5E, 24);
  session.reset_variables();
  EXPECT_TRUE(all_are(variable, 24, 0x5E));
  EXPECT_EQ(session.reset_variable(variable), Status::kOutOfBounds);
  EXPECT_TRUE(all_are(variable, 24, 0x5E));
  EXPECT_EQ(session.share("abcd", 4, 4), nullptr);
}

TEST(SessionOrder, AfterTheOverlayWasReleased) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  int* const kept = session.variable<int>(1, 3);
  const Scratch scratch = session.scratch(16, 0);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  ASSERT_EQ(arena.release_overlay(), Status::kOk);
  expect_nothing(session, scratch);
  EXPECT_EQ(session.plan().status(), Status::kStale);
  EXPECT_EQ(session.enter(0), Status::kStale);
  EXPECT_EQ(session.begin(arena, 4), Status::kLoaded);
  EXPECT_EQ(session.commit(kSmall), Status::kStale);
  // The tail is as it was, and the next plan brings all back. An equal list is not taken for the one in use.
  ASSERT_NE(arena.head().allocate(40, 1), nullptr);
  ASSERT_EQ(session.replan(), Status::kOk);
  const Scratch again = session.scratch(16, 0);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.plans(), 2u);
  EXPECT_EQ(session.data<char>(scratch), nullptr);
  EXPECT_NE(session.data<char>(again), nullptr);
  EXPECT_TRUE(runs(session, kSmall));
  EXPECT_GE(session.data<std::byte>(0), arena.data() + 40);
  EXPECT_EQ(*kept, 0x03030303);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 40u);
}

TEST(SessionOrder, CommitWaitsForTempScopes) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  const Scratch scratch = session.scratch(16, 0);
  {
    auto outer = arena.temp();
    void* const block = outer.allocate(64, 1);
    ASSERT_NE(block, nullptr);
    fill(block, 64, 3);
    EXPECT_EQ(session.commit(kSmall), Status::kTempOpen);
    EXPECT_TRUE(holds(block, 64, 3));
    {
      auto inner = outer.temp();
      EXPECT_EQ(session.commit(kSmall), Status::kTempOpen);
    }
    EXPECT_EQ(arena.open_temps(), 1u);
    expect_nothing(session, scratch);
    EXPECT_NE(session.variable<int>(), nullptr);
    EXPECT_EQ(session.plans(), 0u);
  }
  EXPECT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_NE(session.data<char>(scratch), nullptr);
  EXPECT_TRUE(runs(session, kSmall));
}

TEST(SessionOrder, TheFirstOneUnloadsWhileNoTempScopeIsOpen) {
  Arena<2048> arena;
  Session<> first;
  Session<> second;
  ASSERT_EQ(first.begin(arena, 4), Status::kOk);
  ASSERT_EQ(first.commit(kSmall), Status::kOk);
  const std::size_t alone = arena.used(Region::kTail);
  ASSERT_EQ(second.begin(arena, 4), Status::kOk);
  ASSERT_EQ(second.commit(kLarge), Status::kOk);
  {
    auto temp = arena.temp();
    EXPECT_EQ(second.unload(), Status::kOk);  // gives back the tail only
    EXPECT_EQ(arena.used(Region::kTail), alone);
    EXPECT_EQ(first.unload(), Status::kTempOpen);
    EXPECT_TRUE(first);
    EXPECT_EQ(arena.used(Region::kTail), alone);
    EXPECT_TRUE(runs(first, kSmall));
  }
  EXPECT_EQ(first.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(SessionOrder, AMarkerAboveHoldsTheSession) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  int* const kept = session.variable<int>();
  const Scratch scratch = session.scratch(16, 1);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  const auto marker = arena.mark();
  const Numbers before(arena);
  EXPECT_EQ(session.unload(), Status::kMarkerOrder);
  EXPECT_EQ(session.replan(), Status::kMarkerOrder);
  EXPECT_EQ(session.commit(kSmall), Status::kMarkerOrder);
  EXPECT_EQ(session.commit(Graph{}), Status::kMarkerOrder);
  EXPECT_EQ(session.variable<int>(), nullptr);
  EXPECT_EQ(session.share("abc", 3, 1), nullptr);
  EXPECT_EQ(session.data<char>(session.scratch(16, 1)), nullptr);
  EXPECT_TRUE(Numbers(arena) == before);
  *kept = 7;
  EXPECT_TRUE(runs(session, kSmall));
  EXPECT_NE(session.data<char>(scratch, 16), nullptr);
  EXPECT_EQ(session.reset_variable(kept), Status::kOk);
  EXPECT_EQ(*kept, 0);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_EQ(session.replan(), Status::kOk);
  EXPECT_EQ(session.commit(kLarge), Status::kOk);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

// Also when the overlay went in between, as long as the arena was not reset.
TEST(SessionOrder, AMarkerAboveHoldsTheSessionWithoutAnOverlayToo) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  const auto marker = arena.mark();
  ASSERT_EQ(arena.release_overlay(), Status::kOk);
  const Numbers before(arena);
  EXPECT_EQ(session.unload(), Status::kMarkerOrder);
  EXPECT_TRUE(Numbers(arena) == before);
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_EQ(session.replan(), Status::kOk);
  EXPECT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

Status panic_reason = Status::kOk;

TEST(SessionOrder, AMarkerBelowIsHeldByTheSession) {
  Arena<2048> arena;
  const auto marker = arena.mark();
  ASSERT_NE(arena.allocate(16, 8), nullptr);
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  const arenite::PanicHook former = arenite::set_panic_hook([](Status reason) noexcept { panic_reason = reason; });
  EXPECT_EQ(arena.release(marker), Status::kMarkerOrder);
  arenite::set_panic_hook(former);
  EXPECT_EQ(panic_reason, Status::kMarkerOrder);
  EXPECT_TRUE(runs(session, kSmall));
  // Not the first marker: the overlay stays.
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(Region::kTail), 16u);
  EXPECT_EQ(arena.used(Region::kOverlay), 96u);
  EXPECT_EQ(arena.release(marker), Status::kOk);
}

TEST(SessionOrder, WhatWasPutOnTheTailMeanwhileGoesWithIt) {
  Arena<1024> arena;
  ASSERT_NE(arena.allocate(24, 8), nullptr);
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  ASSERT_NE(arena.allocate(40, 8), nullptr);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  ASSERT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 24u);
}

// --- several models in one arena
// --------------------------------------------------------------------------------------

constexpr Buffer kPlan200[] = {{120, 0, 1, 8}, {80, 1, 2, 8}};
constexpr Buffer kPlan300[] = {{200, 0, 1, 4}, {100, 1, 2, 4}};

// To the byte: what is persistent adds up, and the overlay is as large as the largest.
TEST(TwoModels, TakeWhatIsPersistentAndTheLargestPlan) {
  static constexpr auto kFirst = arenite::plan(kPlan200);
  static constexpr auto kSecond = arenite::plan(kPlan300);
  static_assert(kFirst.size() == 200 && kSecond.size() == 300);
  static constexpr ReadyPlan kFirstReady = arenite::ready(kFirst, kPlan200);
  static constexpr ReadyPlan kSecondReady = arenite::ready(kSecond, kPlan300);
  Arena<512> arena;
  ReadySession<> first;
  ReadySession<> second;
  ASSERT_EQ(first.begin(arena, kFirstReady), Status::kOk);
  ASSERT_NE(arena.allocate(40, 8), nullptr);
  ASSERT_EQ(first.commit(), Status::kOk);
  EXPECT_EQ(arena.used(), 240u);
  ASSERT_EQ(second.begin(arena, kSecondReady), Status::kOk);
  ASSERT_NE(arena.allocate(24, 8), nullptr);
  ASSERT_EQ(second.commit(), Status::kOk);
  EXPECT_EQ(arena.used(), 364u);
  EXPECT_EQ(arena.used(Region::kOverlay), 300u);
  EXPECT_EQ(arena.required(), 368u) << "364, and the tail's alignment";
  EXPECT_TRUE(runs(first, kPlan200));
  EXPECT_TRUE(runs(second, kPlan300));
  EXPECT_TRUE(runs(first, kPlan200));
  EXPECT_EQ(second.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 340u);
  EXPECT_EQ(first.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(TwoModels, ThatPlanAtRunTimeTakeTheirTablesToo) {
  Arena<2048> arena;
  Session<> first;
  Session<> second;
  ASSERT_EQ(first.begin(arena, 2), Status::kOk);
  ASSERT_NE(arena.allocate(40, 8), nullptr);
  ASSERT_EQ(first.commit(kPlan200), Status::kOk);
  EXPECT_EQ(arena.used(), 240u + 2 * kEntry);
  ASSERT_EQ(second.begin(arena, 3), Status::kOk);
  ASSERT_NE(arena.allocate(24, 8), nullptr);
  ASSERT_EQ(second.commit(kPlan300), Status::kOk);
  EXPECT_EQ(arena.used(), 364u + 5 * kEntry);
  // Another plan takes another table, once.
  for (const BufferList list : {BufferList(kPlan200), BufferList(kPlan300), BufferList(kPlan200)}) {
    ASSERT_EQ(second.replan(), Status::kOk);
    ASSERT_EQ(second.commit(list), Status::kOk);
    EXPECT_EQ(arena.used(), 364u + 8 * kEntry);
  }
  EXPECT_EQ(second.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 340u + 2 * kEntry);
  EXPECT_EQ(first.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(TwoModels, TheOlderOneCanBeUsedAndNotChanged) {
  Arena<3072> arena;
  Session<> older;
  Session<> newer;
  ASSERT_EQ(older.begin(arena, 4), Status::kOk);
  const Scratch scratch = older.scratch(16, 1, 4);
  unsigned char* const kept = older.variable<unsigned char>(20, 9);
  ASSERT_EQ(older.commit(kSmall), Status::kOk);
  char* const first = older.data<char>(0);
  char* const columns = older.data<char>(scratch, 16);
  ASSERT_EQ(newer.begin(arena, 4), Status::kOk);
  for (int stage = 0; stage < 3; ++stage) {
    if (stage == 1) {
      ASSERT_EQ(newer.commit(kLarge), Status::kOk);
    }
    if (stage == 2) {
      ASSERT_EQ(newer.replan(), Status::kOk);
    }
    const Numbers before(arena);
    EXPECT_EQ(older.replan(), Status::kMarkerOrder);
    EXPECT_EQ(older.commit(kSmall), Status::kMarkerOrder);
    EXPECT_EQ(older.commit(Graph{}), Status::kMarkerOrder);
    EXPECT_EQ(older.unload(), Status::kMarkerOrder);
    EXPECT_EQ(older.variable<int>(), nullptr);
    EXPECT_EQ(older.share("abcd", 4, 4), nullptr);
    EXPECT_EQ(older.data<char>(older.scratch(8, 0)), nullptr);
    EXPECT_TRUE(Numbers(arena) == before);
    EXPECT_TRUE(older);
    EXPECT_EQ(older.data<char>(0), first);
    EXPECT_EQ(older.data<char>(scratch, 16), columns);
    EXPECT_EQ(older.plan().status(), Status::kOk);
    EXPECT_EQ(older.enter(1), Status::kOk);
    Rehearsal run;
    run.add(older, kSmall);
    run.add(older, scratch, {16, 1, 1, 4});
    EXPECT_TRUE(run.good());
    EXPECT_TRUE(all_are(kept, 20, 9));
    if (stage == 1) {
      EXPECT_TRUE(runs(newer, kLarge));
    }
  }
  EXPECT_EQ(newer.unload(), Status::kOk);
  EXPECT_TRUE(older);
  EXPECT_EQ(older.data<char>(0), first);
  EXPECT_TRUE(runs(older, kSmall));
  EXPECT_EQ(older.replan(), Status::kOk);
  EXPECT_EQ(older.commit(kLarge), Status::kOk);
  EXPECT_TRUE(runs(older, kLarge));
  EXPECT_EQ(older.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(TwoModels, UnloadInReverseOrderAlsoWithoutTheOverlay) {
  Arena<2048> arena;
  Session<> first;
  Session<> second;
  ASSERT_EQ(first.begin(arena, 2), Status::kOk);
  ASSERT_EQ(first.commit(kSmall), Status::kOk);
  ASSERT_EQ(second.begin(arena, 2), Status::kOk);
  ASSERT_EQ(arena.release_overlay(), Status::kOk);
  EXPECT_EQ(first.unload(), Status::kMarkerOrder);
  EXPECT_EQ(arena.used(), 4 * kEntry);
  EXPECT_EQ(second.unload(), Status::kOk);
  EXPECT_EQ(first.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(ThreeModels, UnloadInReverseOrder) {
  Arena<4096> arena;
  Session<> sessions[3];
  const BufferList lists[] = {kLarge, kSmall, kPlan300};
  std::size_t tails[4] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    tails[i] = arena.used(Region::kTail);
    ASSERT_EQ(sessions[i].begin(arena, 3 + i), Status::kOk);
    ASSERT_NE(sessions[i].variable<char>(5 + i), nullptr);
    ASSERT_EQ(sessions[i].commit(lists[i]), Status::kOk);
  }
  EXPECT_EQ(arena.used(Region::kOverlay), 300u);
  const Numbers before(arena);
  EXPECT_EQ(sessions[0].unload(), Status::kMarkerOrder);
  EXPECT_EQ(sessions[1].unload(), Status::kMarkerOrder);
  EXPECT_TRUE(Numbers(arena) == before);
  for (std::size_t i = 3; i-- > 0;) {
    for (std::size_t k = 0; k <= i; ++k) {
      EXPECT_TRUE(runs(sessions[k], lists[k]));
    }
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_EQ(sessions[k].unload(), Status::kMarkerOrder);
      EXPECT_TRUE(sessions[k]);
    }
    EXPECT_EQ(sessions[i].unload(), Status::kOk);
    EXPECT_EQ(arena.used(Region::kTail), tails[i]);
    EXPECT_EQ(arena.used(Region::kOverlay), i == 0 ? 0u : 300u);
    expect_nothing(sessions[i]);
  }
  // And again in another order.
  for (const std::size_t i : {2u, 0u, 1u}) {
    ASSERT_EQ(sessions[i].begin(arena, 4), Status::kOk);
    ASSERT_EQ(sessions[i].commit(lists[i]), Status::kOk);
  }
  EXPECT_EQ(sessions[0].unload(), Status::kMarkerOrder);
  EXPECT_EQ(sessions[2].unload(), Status::kMarkerOrder);
  for (const std::size_t i : {1u, 0u, 2u}) {
    EXPECT_EQ(sessions[i].unload(), Status::kOk);
  }
  EXPECT_EQ(arena.used(), 0u);
}

// --- handles ---------------------------------------------------------------------------------------------------------

TEST(SessionHandles, AreOfOneSessionAndOneArena) {
  Arena<2048> arena;
  Arena<2048> elsewhere;
  Session<> first;
  Session<> second;
  Session<> other;
  ASSERT_EQ(first.begin(arena, 3), Status::kOk);
  const Scratch of_first = first.scratch(16, 0);
  ASSERT_EQ(first.commit(kSmall), Status::kOk);
  ASSERT_EQ(second.begin(arena, 3), Status::kOk);
  const Scratch of_second = second.scratch(16, 0);
  ASSERT_EQ(second.commit(kSmall), Status::kOk);
  ASSERT_EQ(other.begin(elsewhere, 3), Status::kOk);
  const Scratch of_other = other.scratch(16, 0);
  ASSERT_EQ(other.commit(kSmall), Status::kOk);
  EXPECT_NE(first.data<char>(of_first, 16), nullptr);
  EXPECT_NE(second.data<char>(of_second, 16), nullptr);
  EXPECT_NE(other.data<char>(of_other, 16), nullptr);
  for (const Scratch& alien : {of_second, of_other, Scratch()}) {
    EXPECT_EQ(first.data<char>(alien), nullptr);
    EXPECT_EQ(first.data<char>(alien, 0), nullptr);
    EXPECT_EQ(first.size(alien), 0u);
  }
  for (const Scratch& alien : {of_first, of_other, Scratch()}) EXPECT_EQ(second.data<char>(alien), nullptr);
  for (const Scratch& alien : {of_first, of_second, Scratch()}) EXPECT_EQ(other.data<char>(alien), nullptr);
  Scratch copy = of_second;
  EXPECT_EQ(second.data<char>(copy), second.data<char>(of_second));
  copy = of_first;
  EXPECT_EQ(first.data<char>(copy), first.data<char>(of_first));
}

TEST(SessionHandles, AreOfOnePlan) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  const Scratch first = session.scratch(16, 0);
  EXPECT_EQ(session.data<char>(first), nullptr) << "not committed yet";
  EXPECT_EQ(session.size(first), 0u);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.size(first), 16u);
  ASSERT_EQ(session.replan(), Status::kOk);
  const Scratch given_up = session.scratch(24, 0);
  EXPECT_NE(session.data<char>(first, 16), nullptr);
  ASSERT_EQ(session.replan(), Status::kOk);  // once more from the start
  const Scratch second = session.scratch(24, 0);
  EXPECT_NE(session.data<char>(first, 16), nullptr);
  EXPECT_EQ(session.data<char>(second), nullptr);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.data<char>(first), nullptr);
  EXPECT_EQ(session.data<char>(given_up), nullptr);
  EXPECT_NE(session.data<char>(second, 24), nullptr);
  // An equal plan is kept, and has the new handles too.
  ASSERT_EQ(session.replan(), Status::kOk);
  const Scratch third = session.scratch(24, 0);
  EXPECT_EQ(session.data<char>(third), nullptr);
  char* const there = session.data<char>(second, 24);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.plans(), 2u);
  EXPECT_EQ(session.data<char>(third, 24), there);
  EXPECT_EQ(session.data<char>(second), nullptr) << "asked for another plan";
  EXPECT_EQ(session.unload(), Status::kOk);
  for (const Scratch& stale : {first, given_up, second, third}) expect_nothing(session, stale);
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  const Scratch fourth = session.scratch(16, 0);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  for (const Scratch& stale : {first, given_up, second, third}) EXPECT_EQ(session.data<char>(stale), nullptr);
  EXPECT_NE(session.data<char>(fourth, 16), nullptr);
}

// Each has its own size and address, whatever the order in which they were asked for.
TEST(SessionHandles, KeepTheirOwnSizeAndAddress) {
  Arena<4096> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 8), Status::kOk);
  const Buffer wanted[] = {{10, 0, 0, 1}, {20, 1, 1, 4}, {30, 0, 2, 2}, {0, 1, 1, 1}, {64, 1, 2, 64}};
  Scratch handles[5];
  for (std::size_t i = 0; i < 5; ++i) handles[i] = session.scratch(wanted[i]);
  ASSERT_EQ(session.commit(kLarge), Status::kOk);
  Rehearsal run;
  run.add(session, kLarge);
  for (std::size_t i = 0; i < 5; ++i) {
    run.add(session, handles[i], wanted[i]);
    EXPECT_NE(session.data<char>(handles[i], wanted[i].size), nullptr);
    EXPECT_EQ(session.data<char>(handles[i], wanted[i].size + 1), nullptr);
  }
  EXPECT_TRUE(run.good());
  // Full: not one more.
  ASSERT_EQ(session.replan(), Status::kOk);
  for (std::size_t i = 0; i < 8; ++i) (void)session.scratch(wanted[0]);
  EXPECT_EQ(session.commit(BufferList(kLarge, 0)), Status::kOk);
  EXPECT_EQ(session.data<char>(0, 0), nullptr) << "no tensors";
  ASSERT_EQ(session.replan(), Status::kOk);
  for (std::size_t i = 0; i < 9; ++i) (void)session.scratch(wanted[0]);
  EXPECT_EQ(session.commit(BufferList(kLarge, 0)), Status::kTooManyBuffers);
  ASSERT_EQ(session.replan(), Status::kOk);
  for (std::size_t i = 0; i < 5; ++i) handles[i] = session.scratch(wanted[i]);
  EXPECT_EQ(session.commit(BufferList(wanted, 4)), Status::kTooManyBuffers) << "5 + 4";
  EXPECT_EQ(session.commit(kLarge), Status::kOk) << "5 + 3";
}

enum Name : std::uint8_t { kImage, kResult };

TEST(SessionHandles, AccessIsChecked) {
  Arena<2048> arena;
  Session<arenite::linear> session;
  // Offsets 0, 3, 12, and nothing.
  const Buffer list[] = {{3, 0, 0, 1}, {9, 0, 0, 1}, {24, 0, 0, 4}, {0, 0, 0, 64}};
  ASSERT_EQ(session.begin(arena, 8), Status::kOk);
  const Scratch scratch = session.scratch(6, 0, 2);
  ASSERT_EQ(session.commit(list), Status::kOk);
  EXPECT_NE(session.data<char>(kImage, 3), nullptr);
  EXPECT_EQ(session.data<char>(kImage, 4), nullptr);
  EXPECT_NE(session.data<std::uint16_t>(kImage, 1), nullptr);
  EXPECT_EQ(session.data<std::uint16_t>(kImage, 2), nullptr);
  EXPECT_NE(session.data<char>(kResult, 9), nullptr);
  EXPECT_EQ(session.data<char>(kResult, 10), nullptr);
  EXPECT_EQ(session.data<std::uint16_t>(kResult), nullptr) << "misaligned";
  EXPECT_EQ(session.data<std::uint32_t>(kResult, 0), nullptr) << "misaligned, even for none";
  EXPECT_EQ(session.data<char>(1) - session.data<char>(0), 3);
  EXPECT_NE(session.data<std::uint32_t>(2, 6), nullptr);
  EXPECT_EQ(session.data<std::uint32_t>(2, 7), nullptr);
  EXPECT_EQ(session.data<std::uint32_t>(2, kHuge), nullptr);
  EXPECT_EQ(session.data<std::uint32_t>(2, kHuge / 4 + 2), nullptr) << "the bytes would wrap to four";
  EXPECT_NE(session.data<char>(3, 0), nullptr);
  EXPECT_EQ(session.data<char>(3), nullptr);
  EXPECT_EQ(session.size(3), 0u);
  for (const std::size_t beyond : {std::size_t{4}, std::size_t{7}, std::size_t{8}, std::size_t{9}, kHuge}) {
    EXPECT_EQ(session.data<char>(beyond, 0), nullptr);
    EXPECT_EQ(session.size(beyond), 0u);
  }
  EXPECT_EQ(session.data<char>(-1, 0), nullptr);
  EXPECT_EQ(session.size(-1), 0u);
  EXPECT_EQ(session.size(kResult), 9u);
  EXPECT_NE(session.data<std::uint16_t>(scratch, 3), nullptr);
  EXPECT_EQ(session.data<std::uint16_t>(scratch, 4), nullptr);
}

TEST(SessionHandles, ThePlanIsThere) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 6), Status::kOk);
  const Scratch first = session.scratch(16, 1, 4);
  const Scratch second = session.scratch(24, 2, 8);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  const PlanRef plan = session.plan();
  ASSERT_EQ(plan.status(), Status::kOk);
  ASSERT_EQ(plan.count(), 6u);
  EXPECT_EQ(plan.PlanSummary::size(), arena.used(Region::kOverlay));
  EXPECT_EQ(plan.alignment(), 8u);
  const std::size_t sizes[] = {32, 64, 0, 0, 24, 16};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(plan.size(i), sizes[i]);
  EXPECT_EQ(plan.buffers()[4].first, 2u);
  EXPECT_EQ(plan.buffers()[5].alignment, arenite::Alignment(4));
  const auto at = [&](std::size_t i) { return arena.data() + plan.offset(i); };
  EXPECT_EQ(session.data<std::byte>(0), at(0));
  EXPECT_EQ(session.data<std::byte>(1), at(1));
  EXPECT_EQ(session.data<std::byte>(second), at(4));
  EXPECT_EQ(session.data<std::byte>(first), at(5));
  std::array<Index, arenite::verify_scratch(6)> scratch{};
  EXPECT_TRUE(plan.verify(scratch.data()).ok());
  ASSERT_EQ(session.replan(), Status::kOk);
  EXPECT_EQ(session.plan().count(), 6u) << "still in use";
  EXPECT_EQ(session.plan().size(1u), 64u);
}

// --- plans made again ------------------------------------------------------------------------------------------------

TEST(Replan, WhatIsPersistentStays) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  void* const persistent = arena.allocate(32, 8);
  unsigned char* const variable = session.variable<unsigned char>(32);
  ASSERT_NE(persistent, nullptr);
  ASSERT_NE(variable, nullptr);
  std::memset(persistent, 0xA5, 32);
  std::memset(variable, 0x5A, 32);
  for (const std::size_t size : {100u, 180u, 1u, 0u, 180u, 400u}) {
    const Buffer list[] = {{size, 0, 1, 4}};
    if (session) {
      ASSERT_EQ(session.replan(), Status::kOk);
    }
    ASSERT_EQ(session.commit(list), Status::kOk);
    EXPECT_EQ(session.size(0), size);
    Rehearsal run;
    run.add(session, list);
    run.scribble();
    EXPECT_TRUE(all_are(persistent, 32, 0xA5));
    EXPECT_TRUE(all_are(variable, 32, 0x5A));
  }
}

// Whatever was planned before, offsets are as in a fresh session.
TEST(Replan, OffsetsAreAsFromFresh) {
  struct Shape {
    static std::array<Buffer, 4> buffers(std::size_t n) {
      return {{{n * 48, 0, 1, 16}, {n * 24, 1, 2, 4}, {n * 36, 2, 3, 16}, {10, 3, 3, 1}}};
    }
    static Buffer scratch(std::size_t n) { return {n * 20, 2, 2, 8}; }
  };
  Arena<4096> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 6), Status::kOk);
  std::size_t plans = 0;
  for (const std::size_t n : {8u, 1u, 8u, 8u, 3u, 0u, 8u, 1u, 9u}) {
    const auto buffers = Shape::buffers(n);
    if (plans != 0) {
      ASSERT_EQ(session.replan(), Status::kOk);
    }
    const Scratch scratch = session.scratch(Shape::scratch(n));
    ASSERT_EQ(session.commit(buffers), Status::kOk);
    ++plans;
    Arena<4096> fresh_arena;
    Session<> fresh;
    ASSERT_EQ(fresh.begin(fresh_arena, 6), Status::kOk);
    const Scratch fresh_scratch = fresh.scratch(Shape::scratch(n));
    ASSERT_EQ(fresh.commit(buffers), Status::kOk);
    ASSERT_EQ(session.plan().PlanSummary::size(), fresh.plan().PlanSummary::size());
    EXPECT_EQ(session.plan().alignment(), fresh.plan().alignment());
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(session.plan().offset(i), fresh.plan().offset(i));
      EXPECT_EQ(session.plan().size(i), fresh.plan().size(i));
    }
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(session.data<std::byte>(i, 0) - arena.data(), fresh.data<std::byte>(i, 0) - fresh_arena.data());
    }
    EXPECT_EQ(session.data<std::byte>(scratch, 0) - arena.data(),
              fresh.data<std::byte>(fresh_scratch, 0) - fresh_arena.data());
    Rehearsal run;
    run.add(session, buffers);
    run.add(session, scratch, Shape::scratch(n));
    EXPECT_TRUE(run.good());
  }
  EXPECT_EQ(session.plans(), plans - 1) << "8 after 8 is the same";
}

TEST(Replan, AfterAFailedLoadASmallerOneWorks) {
  static constexpr Buffer kTooLarge[] = {{300, 0, 0, 1}};
  static constexpr Buffer kFits[] = {{200, 0, 0, 1}};
  Arena<256 + 2 * kEntry> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 1), Status::kOk);
  EXPECT_EQ(session.commit(kTooLarge), Status::kOutOfMemory);
  EXPECT_EQ(arena.last_failure().requested, 300u);
  expect_nothing(session);
  EXPECT_EQ(session.plans(), 0u);
  EXPECT_EQ(session.commit(kFits), Status::kOk) << "it can be tried again at once";
  EXPECT_TRUE(runs(session, kFits));
  EXPECT_EQ(session.plans(), 1u);
  EXPECT_EQ(session.unload(), Status::kOk);
  ASSERT_EQ(session.begin(arena, 1), Status::kOk);
  EXPECT_EQ(session.commit(kTooLarge), Status::kOutOfMemory);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  ASSERT_EQ(session.begin(arena, 1), Status::kOk);
  EXPECT_EQ(session.commit(kFits), Status::kOk);
  EXPECT_TRUE(runs(session, kFits));
}

TEST(Replan, AnUnchangedListKeepsItsPlan) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 5), Status::kOk);
  (void)session.scratch(16, 1, 8);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  char* const first = session.data<char>(0);
  fill(session.data<char>(1), 64, 5);
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(session.replan(), Status::kOk);
    const Scratch scratch = session.scratch(16, 1, 8);
    ASSERT_EQ(session.commit(kSmall), Status::kOk);
    EXPECT_EQ(session.plans(), 1u);
    EXPECT_EQ(session.data<char>(0), first);
    EXPECT_TRUE(holds(session.data<char>(1), 64, 5)) << "nothing is moved or written";
    EXPECT_NE(session.data<char>(scratch, 16), nullptr);
    EXPECT_EQ(session.commit(kSmall), Status::kStale);
  }
  EXPECT_EQ(arena.used(Region::kTail), 10 * kEntry);
  // Each difference counts.
  const auto expect_new = [&](const BufferList& list, const Buffer& scratch, std::size_t scratches = 1) {
    const std::size_t before = session.plans();
    ASSERT_EQ(session.replan(), Status::kOk);
    for (std::size_t i = 0; i < scratches; ++i) (void)session.scratch(scratch);
    ASSERT_EQ(session.commit(list), Status::kOk);
    EXPECT_EQ(session.plans(), before + 1);
    for (std::size_t i = 0; i < list.count(); ++i) EXPECT_EQ(session.size(i), list[i].size);
    EXPECT_TRUE(runs(session, list));
    ASSERT_EQ(session.replan(), Status::kOk);
    (void)session.scratch(16, 1, 8);
    ASSERT_EQ(session.commit(kSmall), Status::kOk);
    EXPECT_EQ(session.plans(), before + 2);
  };
  const Buffer same{16, 1, 1, 8};
  const Buffer size[] = {{32, 0, 1, 8}, {65, 1, 2, 8}};
  const Buffer begin[] = {{32, 1, 1, 8}, {64, 1, 2, 8}};
  const Buffer end[] = {{32, 0, 1, 8}, {64, 1, 3, 8}};
  const Buffer alignment[] = {{32, 0, 1, 8}, {64, 1, 2, 4}};
  const Buffer more[] = {{32, 0, 1, 8}, {64, 1, 2, 8}, {}};  // the same bytes, and one more tensor
  for (const BufferList list : {BufferList(size), BufferList(begin), BufferList(end), BufferList(alignment)}) {
    expect_new(list, same);
  }
  expect_new(more, same);
  expect_new(BufferList(kSmall, 1), same);
  expect_new(kSmall, {17, 1, 1, 8});
  expect_new(kSmall, {16, 1, 2, 8});
  expect_new(kSmall, {16, 0, 1, 8});
  expect_new(kSmall, {16, 1, 1, 4});
  expect_new(kSmall, same, 2);
  expect_new(kSmall, same, 0);
}

// A list and a graph that come to the same buffers.
TEST(Replan, FromAListToAGraphAndBack) {
  Arena<4096> arena;
  Session<> session;
  const Tensor tensors[] = {{32, TensorKind::kActivation, 8}, {64, TensorKind::kActivation, 8}};
  const Op ops[] = {{{}, {0}}, {{0}, {1}}, {{1}, {}}};
  const Graph graph{tensors, 2, ops, 3, {}, {}};
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  for (std::size_t i = 1; i < 4; ++i) {
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(i % 2 == 1 ? session.commit(graph) : session.commit(kSmall), Status::kOk);
    EXPECT_EQ(session.plans(), i + 1);
    EXPECT_TRUE(runs(session, kSmall));
  }
  EXPECT_EQ(arena.used(Region::kTail), 4 * (2 * kEntry + kGraphEntry));
}

TEST(Replan, CulpritsAreToldAsInThePlan) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 5), Status::kOk);
  EXPECT_EQ(session.culprit(), kNoIndex);
  const Buffer alignment[] = {{8, 0, 0, 8}, {8, 0, 0, 3}};
  EXPECT_EQ(session.commit(alignment), Status::kInvalidAlignment);
  EXPECT_EQ(session.culprit(), 1u);
  const Buffer lifetime[] = {{8, 2, 1, 8}, {8, 0, 0, 8}};
  EXPECT_EQ(session.commit(lifetime), Status::kInvalidLifetime);
  EXPECT_EQ(session.culprit(), 0u);
  const Buffer size[] = {{8, 0, 0, 8}, {8, 0, 0, 8}, {kMaxSize + 1, 0, 0, 8}};
  EXPECT_EQ(session.commit(size), Status::kSizeOverflow);
  EXPECT_EQ(session.culprit(), 2u);
  const Buffer sum[] = {{kMaxSize, 0, 0, 8}, {8, 0, 0, 8}};
  EXPECT_EQ(session.commit(sum), Status::kSizeOverflow);
  EXPECT_EQ(session.culprit(), kNoIndex);
  const Buffer most[] = {{kMaxSize, 0, 0, 8}};
  EXPECT_EQ(session.commit(most), Status::kOutOfMemory);
  EXPECT_EQ(session.culprit(), kNoIndex);
  EXPECT_EQ(arena.required(), kHuge);
  EXPECT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.culprit(), kNoIndex);
  ASSERT_EQ(session.replan(), Status::kOk);
  (void)session.scratch(8, 0, 8);
  (void)session.scratch(8, 0, 12);
  EXPECT_EQ(session.commit(kSmall), Status::kInvalidAlignment);
  EXPECT_EQ(session.culprit(), 3u) << "the last scratch but one is the second";
  EXPECT_EQ(session.commit(kSmall), Status::kInvalidAlignment) << "and so it stays until the next preparation";
  ASSERT_EQ(session.replan(), Status::kOk);
  EXPECT_EQ(session.commit(kSmall), Status::kOk) << "the one in use";
  EXPECT_EQ(session.culprit(), kNoIndex) << "of the last commit";
}

// A model in use, of which every byte and every handle is to stay.
class InUse {
 public:
  explicit InUse(Session<>& session) : session_(session) {}

  void begin(ArenaRef arena) {
    ASSERT_EQ(session_.begin(arena, 5), Status::kOk);
    variable_ = session_.variable<unsigned char>(12);
    ASSERT_NE(variable_, nullptr);
    scratch_ = session_.scratch(24, 1, 4);
    ASSERT_EQ(session_.commit(kAll), Status::kOk);
    for (std::size_t i = 0; i < 3; ++i) {
      bytes_[i] = session_.data<unsigned char>(i, kAll[i].size);
      ASSERT_NE(bytes_[i], nullptr);
    }
    bytes_[3] = session_.data<unsigned char>(scratch_, 24);
    ASSERT_NE(bytes_[3], nullptr);
    for (std::size_t i = 0; i < 4; ++i) fill(bytes_[i], size(i), i);  // all live at the same time
    fill(variable_, 12, 9);
    plans_ = session_.plans();
  }
  [[nodiscard]] bool is_unchanged() const {
    if (!session_ || session_.plans() != plans_ || !holds(variable_, 12, 9)) return false;
    for (std::size_t i = 0; i < 4; ++i) {
      unsigned char* const now =
          i == 3 ? session_.data<unsigned char>(scratch_, 24) : session_.data<unsigned char>(i, kAll[i].size);
      if (now != bytes_[i] || !holds(now, size(i), i)) return false;
    }
    return session_.size(scratch_) == 24 && session_.size(0) == 40 && session_.size(3) == 0 &&
           session_.plan().count() == 5 && session_.plan().size(1u) == 17;
  }
  [[nodiscard]] const unsigned char* variable() const { return variable_; }

 private:
  static constexpr Buffer kAll[] = {{40, 0, 2, 8}, {17, 1, 1, 1}, {30, 0, 1, 2}};
  static constexpr std::size_t size(std::size_t i) { return i == 3 ? 24 : kAll[i].size; }

  Session<>& session_;
  Scratch scratch_;
  unsigned char* bytes_[4] = {};
  unsigned char* variable_ = nullptr;
  std::size_t plans_ = 0;
};

template <class Attempt>
void expect_refused(Status status, Attempt attempt) {
  Arena<2048> arena;
  Session<> session;
  InUse model(session);
  model.begin(arena);
  ASSERT_TRUE(model.is_unchanged());
  ASSERT_EQ(session.replan(), Status::kOk);
  EXPECT_TRUE(model.is_unchanged());
  const Scratch scratch = session.scratch(8, 0);
  EXPECT_EQ(attempt(session), status);
  EXPECT_TRUE(model.is_unchanged());
  EXPECT_EQ(session.data<char>(scratch), nullptr);
  EXPECT_EQ(session.replan(), Status::kOk);
  EXPECT_TRUE(model.is_unchanged());
  EXPECT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_FALSE(model.is_unchanged());
  EXPECT_TRUE(runs(session, kSmall));
  EXPECT_TRUE(holds(model.variable(), 12, 9));
}

TEST(FailedReplan, LeavesThePlanInUse) {
  static constexpr Buffer kFive[5] = {};
  expect_refused(Status::kTooManyBuffers, [](auto& session) { return session.commit(kFive); });
  expect_refused(Status::kTooManyBuffers, [](auto& session) {
    for (int i = 0; i < 5; ++i) (void)session.scratch(8, 0);
    return session.commit(kSmall);
  });
  expect_refused(Status::kInvalidAlignment, [](auto& session) {
    const Buffer list[] = {{8, 0, 0, 8}, {8, 0, 0, 5}};
    const Status status = session.commit(list);
    EXPECT_EQ(session.culprit(), 1u);
    return status;
  });
  expect_refused(Status::kInvalidLifetime, [](auto& session) {
    (void)session.scratch(Buffer{8, 3, 2, 8});
    const Status status = session.commit(kSmall);
    EXPECT_EQ(session.culprit(), 3u);
    return status;
  });
  expect_refused(Status::kSizeOverflow, [](auto& session) {
    const Buffer list[] = {{kHuge, 0, 0, 8}};
    return session.commit(list);
  });
  expect_refused(Status::kOutOfMemory, [](auto& session) {
    const Buffer list[] = {{2048, 0, 0, 8}};
    return session.commit(list);
  });
  expect_refused(Status::kReadBeforeWritten, [](auto& session) {
    const Tensor tensors[] = {{8}, {8}};
    const Op ops[] = {{{0}, {1}}};
    return session.commit(Graph{tensors, 2, ops, 1, {}, {}});
  });
  expect_refused(Status::kTooManyBuffers, [](auto& session) {
    const Tensor tensors[5] = {};
    return session.commit(Graph{tensors, 5, nullptr, 0, {}, {}});
  });
  expect_refused(Status::kOutOfMemory, [](auto& session) {
    const Tensor tensors[] = {{4096, TensorKind::kVariable}};
    return session.commit(Graph{tensors, 1, nullptr, 0, {}, {}});
  });
}

// With so many bytes left, from none on: sooner or later each request on the way is the one that is refused.
template <class Replan>
void expect_refused_with_little_room(Replan replan) {
  std::size_t refused = 0;
  for (std::size_t left = 0;; ++left) {
    ASSERT_LT(left, 2048u);
    Guarded memory(3072, left % 7);
    ArenaRef arena = memory.arena();
    Session<> session;
    InUse model(session);
    model.begin(arena);
    ASSERT_NE(arena.allocate(arena.available(1) - left, 1), nullptr);
    Status status = session.replan();
    EXPECT_TRUE(model.is_unchanged());
    const bool prepared = status == Status::kOk;
    const Scratch scratch = session.scratch(24, 0, 1);
    status = prepared ? replan(session) : session.commit(kSmall);
    EXPECT_EQ(arena.open_temps(), 0u);
    EXPECT_EQ(arena.used(Region::kTemp), 0u);
    EXPECT_TRUE(arena.check());
    EXPECT_TRUE(memory.intact());
    if (status == Status::kOk) {
      EXPECT_TRUE(holds(model.variable(), 12, 9));
      EXPECT_NE(session.data<char>(scratch, 24), nullptr);
      EXPECT_EQ(session.unload(), Status::kOk);
      EXPECT_EQ(arena.used(), 0u);
      break;
    }
    ++refused;
    EXPECT_NE(arena.failures(), 0u);
    EXPECT_EQ(arena.last_failure().what, Status::kOutOfMemory);
    if (prepared) {
      EXPECT_EQ(status, Status::kOutOfMemory);
    }
    ASSERT_TRUE(model.is_unchanged()) << left << " bytes left";
    EXPECT_EQ(session.data<char>(scratch), nullptr);
    EXPECT_EQ(session.unload(), Status::kOk);
    EXPECT_EQ(arena.used(), 0u);
  }
  EXPECT_GT(refused, 5 * kEntry);
}

TEST(FailedReplan, LeavesThePlanInUseWhateverTheRoom) {
  expect_refused_with_little_room([](Session<>& session) {
    const Buffer list[] = {{200, 0, 1, 8}, {90, 1, 1, 16}};
    return session.commit(list);
  });
}

TEST(FailedReplan, OfAGraphLeavesThePlanInUseWhateverTheRoom) {
  expect_refused_with_little_room([](Session<>& session) {
    const Tensor tensors[] = {{30, TensorKind::kVariable, 4},
                              {200, TensorKind::kActivation, 8},
                              {50, TensorKind::kKept, 16},
                              {16, TensorKind::kActivation, 1, 1, 8}};
    const Op ops[] = {{{0}, {1}}, {{3}, {2}}};
    return session.commit(Graph{tensors, 4, ops, 2, {}, {}});
  });
}

// The plan in use is a graph with variables, and its variables grow.
TEST(FailedReplan, OfVariablesLeavesTheirValues) {
  std::size_t refused = 0;
  for (std::size_t left = 0;; ++left) {
    ASSERT_LT(left, 2048u);
    Guarded memory(3072);
    ArenaRef arena = memory.arena();
    Session<> session;
    ASSERT_EQ(session.begin(arena, 4), Status::kOk);
    Tensor tensors[] = {
        {24, TensorKind::kVariable, 4}, {40, TensorKind::kActivation, 8}, {12, TensorKind::kActivation, 4, 0, 12}};
    const Op ops[] = {{{0}, {1}}, {{1, 2}, {}}};
    const Graph graph{tensors, 3, ops, 2, {}, {}};
    ASSERT_EQ(session.commit(graph), Status::kOk);
    unsigned char* const variable = session.data<unsigned char>(0, 24);
    unsigned char* const activation = session.data<unsigned char>(1, 40);
    fill(variable, 24, 1);
    fill(activation, 40, 2);
    ASSERT_NE(arena.allocate(arena.available(1) - left, 1), nullptr);
    tensors[0].size = 25;
    tensors[2].view_offset = 8;
    Status status = session.replan();
    if (status == Status::kOk) status = session.commit(graph);
    EXPECT_TRUE(memory.intact());
    if (status == Status::kOk) {
      EXPECT_EQ(session.plans(), 1u) << "the same plan";
      EXPECT_TRUE(all_are(session.data<char>(0, 25), 25, 0)) << "another variable";
      EXPECT_EQ(session.data<char>(2, 12), session.data<char>(0) + 8);
      EXPECT_TRUE(holds(activation, 40, 2));
      break;
    }
    ++refused;
    EXPECT_EQ(session.data<unsigned char>(0, 24), variable);
    EXPECT_EQ(session.data<unsigned char>(0, 25), nullptr);
    EXPECT_EQ(session.data<unsigned char>(1, 40), activation);
    EXPECT_EQ(session.data<unsigned char>(2, 12), variable + 12);
    EXPECT_TRUE(holds(variable, 24, 1));
    EXPECT_TRUE(holds(activation, 40, 2));
  }
  EXPECT_GT(refused, 4 * kEntry);
}

// --- graphs ----------------------------------------------------------------------------------------------------------

// An image of 64 bytes and a table of constants, a view of what comes of them, in place of which comes the next; then
// a variable and a kept result.
enum Role : std::uint8_t { kInput, kWeights, kMiddle, kSlice, kInPlace, kState, kKeptResult, kWork, kStateView };

struct Model {
  Tensor tensors[9] = {{64, TensorKind::kActivation, 16},
                       {500, TensorKind::kConstant, 4},
                       {96, TensorKind::kActivation, 16},
                       {32, TensorKind::kActivation, 4, kMiddle, 12},
                       {96, TensorKind::kActivation, 8},
                       {24, TensorKind::kVariable, 8},
                       {20, TensorKind::kKept, 4},
                       {40, TensorKind::kActivation, 4},
                       {4, TensorKind::kActivation, 4, kState, 8}};
  Op ops[4] = {{{kInput, kWeights}, {kMiddle}, {kWork}},
               {{kSlice, kState}, {}},
               Op::in_place({kMiddle}, {kInPlace}),
               {{kInPlace, kStateView}, {kKeptResult}}};

  [[nodiscard]] Graph graph() const { return {tensors, 9, ops, 4, {kInput}, {kKeptResult}}; }
};

// What a run of it finds: everything that is alive holds its bytes, and what is kept too.
template <class S>
bool model_runs(const S& session, const Model& model) {
  Rehearsal run;
  const auto add = [&](Index tensor, Step first, Step last) {
    const Tensor& t = model.tensors[tensor];
    run.add(session.template data<unsigned char>(tensor, t.size), {t.size, first, last, t.alignment});
  };
  add(kInput, 0, 0);
  add(kWork, 0, 0);
  add(kMiddle, 0, 1);
  add(kInPlace, 2, 3);
  add(kState, 0, 9);
  add(kKeptResult, 3, 9);
  return run.good();
}

TEST(SessionGraphs, EachTensorIsWhereItBelongs) {
  for (const std::size_t offset : {0u, 1u, 8u, 13u, 64u, 100u}) {
    Guarded memory(3072, offset);
    ArenaRef arena = memory.arena();
    Session<> session;
    Model model;
    GraphSummary why;
    ASSERT_EQ(session.begin(arena, 12), Status::kOk);
    const Scratch scratch = session.scratch(28, 2, 4);
    ASSERT_EQ(session.commit(model.graph(), &why), Status::kOk);
    EXPECT_EQ(why.status, Status::kOk);
    EXPECT_EQ(why.constants, 500u);
    EXPECT_EQ(why.variables, 24u);
    EXPECT_EQ(why.kept, 20u);
    const std::byte* const overlay_end = arena.data() + arena.used(Region::kOverlay);
    const std::byte* const tail = arena.data() + (3072 - arena.used(Region::kTail));
    for (const Index tensor : {kInput, kMiddle, kSlice, kInPlace, kWork}) {
      const std::size_t size = model.tensors[tensor].size;
      const std::byte* const data = session.data<std::byte>(tensor, size);
      ASSERT_NE(data, nullptr);
      EXPECT_GE(data, arena.data());
      EXPECT_LE(data + size, overlay_end);
      EXPECT_EQ(session.size(tensor), size);
      EXPECT_EQ(session.data<std::byte>(tensor, size + 1), nullptr);
    }
    for (const Index tensor : {kState, kKeptResult}) {
      const std::size_t size = model.tensors[tensor].size;
      const std::byte* const data = session.data<std::byte>(tensor, size);
      ASSERT_NE(data, nullptr);
      EXPECT_GE(data, tail);
      EXPECT_LE(data + size, arena.data() + 3072);
      EXPECT_TRUE(all_are(data, size, 0)) << "zeroed";
      EXPECT_EQ(session.data<std::byte>(tensor, size + 1), nullptr);
      EXPECT_EQ(session.size(tensor), size);
    }
    EXPECT_EQ(session.data<char>(kSlice), session.data<char>(kMiddle) + 12);
    EXPECT_EQ(session.data<char>(kInPlace), session.data<char>(kMiddle));
    EXPECT_EQ(session.data<char>(kStateView), session.data<char>(kState) + 8);
    EXPECT_EQ(session.data<char>(kStateView, 5), nullptr);
    EXPECT_EQ(session.data<char>(kWeights), nullptr);
    EXPECT_EQ(session.size(kWeights), 0u);
    EXPECT_EQ(session.data<char>(9), nullptr);
    EXPECT_NE(session.data<char>(scratch, 28), nullptr);
    EXPECT_EQ(session.data<char>(scratch, 29), nullptr);
    EXPECT_TRUE(model_runs(session, model));
    EXPECT_TRUE(memory.intact());
    // Unchanged: the plan stays, with what is in it.
    fill(session.data<char>(kState), 24, 3);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(session.replan(), Status::kOk);
      (void)session.scratch(28, 2, 4);
      ASSERT_EQ(session.commit(model.graph()), Status::kOk);
      EXPECT_EQ(session.plans(), 1u);
      EXPECT_TRUE(holds(session.data<char>(kState), 24, 3));
    }
    EXPECT_TRUE(model_runs(session, model));
    EXPECT_EQ(session.unload(), Status::kOk);
    EXPECT_EQ(arena.used(), 0u);
    EXPECT_TRUE(memory.intact());
  }
}

TEST(SessionGraphs, OtherSizesKeepVariables) {
  Arena<6144> arena;
  Session<> session;
  Model model;
  ASSERT_EQ(session.begin(arena, 10), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  char* const state = session.data<char>(kState);
  char* const result = session.data<char>(kKeptResult);
  fill(state, 24, 1);
  fill(result, 20, 2);
  std::size_t plans = 1;
  std::size_t tail = 0;
  for (const std::size_t n : {200u, 16u, 1000u, 64u}) {
    model.tensors[kInput].size = n;
    model.tensors[kMiddle].size = n + 32;
    ASSERT_EQ(session.replan(), Status::kOk);
    EXPECT_EQ(session.data<char>(kState), state) << "as before, until there is another plan";
    ASSERT_EQ(session.commit(model.graph()), Status::kOk);
    EXPECT_EQ(session.plans(), ++plans);
    EXPECT_EQ(session.size(kInput), n);
    EXPECT_EQ(session.data<char>(kState, 24), state);
    EXPECT_EQ(session.data<char>(kKeptResult, 20), result);
    EXPECT_EQ(session.data<char>(kStateView), state + 8);
    EXPECT_TRUE(holds(state, 24, 1));
    EXPECT_TRUE(holds(result, 20, 2));
    if (tail != 0) {
      EXPECT_EQ(arena.used(Region::kTail), tail) << "nothing is taken twice";
    }
    tail = arena.used(Region::kTail);
  }
  // A smaller one is in the same place, a larger one in another.
  model.tensors[kState].size = 20;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  EXPECT_EQ(session.plans(), plans) << "planned are the same";
  EXPECT_EQ(session.data<char>(kState, 20), state);
  EXPECT_EQ(session.data<char>(kState, 21), nullptr);
  model.tensors[kState].size = 28;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  ASSERT_NE(session.data<char>(kState, 28), nullptr);
  EXPECT_NE(session.data<char>(kState, 28), state);
  EXPECT_TRUE(all_are(session.data<char>(kState, 28), 28, 0));
  EXPECT_EQ(session.data<char>(kStateView), session.data<char>(kState) + 8);
  EXPECT_EQ(session.data<char>(kKeptResult, 20), result);
  EXPECT_TRUE(holds(result, 20, 2));
  // So is one that is aligned for more.
  const char* const former = session.data<char>(kKeptResult);
  model.tensors[kKeptResult].alignment = 1024;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  EXPECT_EQ(address_of(session.data<char>(kKeptResult, 20)) % 1024, 0u);
  EXPECT_TRUE(session.data<char>(kKeptResult, 20) == former || all_are(session.data<char>(kKeptResult, 20), 20, 0));
  model.tensors[kInput].size = 64;
  model.tensors[kMiddle].size = 96;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  EXPECT_TRUE(model_runs(session, model));
}

// What differs are places within buffers only, not the buffers.
TEST(SessionGraphs, ChangedViewsOfTheSamePlan) {
  Arena<4096> arena;
  Session<> session;
  Model model;
  ASSERT_EQ(session.begin(arena, 10), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  char* const middle = session.data<char>(kMiddle);
  for (const std::size_t offset : {0u, 4u, 64u, 12u}) {
    model.tensors[kSlice].view_offset = offset;
    model.tensors[kSlice].size = offset == 64 ? 16 : 32;
    model.tensors[kStateView].view_offset = offset % 24;
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(model.graph()), Status::kOk);
    EXPECT_EQ(session.plans(), 1u);
    EXPECT_EQ(session.data<char>(kMiddle), middle);
    EXPECT_EQ(session.data<char>(kSlice), middle + offset);
    EXPECT_EQ(session.size(kSlice), model.tensors[kSlice].size);
    EXPECT_EQ(session.data<char>(kSlice, 33), nullptr);
    EXPECT_EQ(session.data<char>(kStateView), session.data<char>(kState) + offset % 24);
    EXPECT_TRUE(model_runs(session, model));
  }
  // A constant that becomes another: takes nothing still.
  model.tensors[kWeights].size = 10000;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  EXPECT_EQ(session.plans(), 1u);
  EXPECT_EQ(session.data<char>(kWeights), nullptr);
}

// A view of a variable may be aligned for more than the variable.
TEST(SessionGraphs, ViewsOfWhatIsKeptAreAligned) {
  for (const TensorKind kind : {TensorKind::kVariable, TensorKind::kKept, TensorKind::kActivation}) {
    for (std::size_t odd = 0; odd < 256; odd += 16) {
      Guarded memory(2048);
      ArenaRef arena = memory.arena();
      ASSERT_NE(arena.allocate(odd + 1, 1), nullptr);
      Session<> session;
      ASSERT_EQ(session.begin(arena, 3), Status::kOk);
      const Tensor tensors[] = {{200, kind, 4}, {8, TensorKind::kActivation, 128, 0, 0}, {16}};
      const Op read[] = {{{1}, {2}}};
      const Op write[] = {{{}, {0}}, {{1}, {2}}};
      const bool variable = kind == TensorKind::kVariable;
      ASSERT_EQ(session.commit(Graph{tensors, 3, variable ? read : write, variable ? 1u : 2u, {}, {}}), Status::kOk);
      EXPECT_EQ(address_of(session.data<char>(1, 8)) % 128, 0u);
      EXPECT_EQ(session.data<char>(1), session.data<char>(0));
    }
  }
}

// Nothing is planned: variables, constants, kept tensors and nothing at all, with something on the head or not.
TEST(SessionGraphs, WithoutPlannedBytes) {
  for (const std::size_t head : {0u, 1u, 24u, 100u}) {
    Guarded memory(2048, head % 3);
    ArenaRef arena = memory.arena();
    if (head != 0) {
      ASSERT_NE(arena.head().allocate(head, 1), nullptr);
    }
    Session<> session;
    ASSERT_EQ(session.begin(arena, 4), Status::kOk);
    const Tensor tensors[] = {{24, TensorKind::kVariable, 4}, {20, TensorKind::kKept, 16}, {9, TensorKind::kConstant}};
    const Op ops[] = {{{0, 2}, {1}}};
    ASSERT_EQ(session.commit(Graph{tensors, 3, ops, 1, {}, {1}}), Status::kOk);
    EXPECT_EQ(arena.used(Region::kOverlay), 0u);
    const std::byte* const tail = arena.data() + (2048 - arena.used(Region::kTail));
    for (std::size_t i = 0; i < 2; ++i) {
      const std::byte* const data = session.data<std::byte>(i, tensors[i].size);
      ASSERT_NE(data, nullptr);
      EXPECT_GE(data, tail);
      EXPECT_LE(data + tensors[i].size, arena.data() + 2048);
      EXPECT_TRUE(all_are(data, tensors[i].size, 0));
    }
    const std::byte* const variable = session.data<std::byte>(0);
    // The head may grow now; nothing moves.
    ASSERT_NE(arena.head().allocate(40, 1), nullptr);
    EXPECT_EQ(session.data<std::byte>(0), variable);
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(Graph{tensors, 3, ops, 1, {}, {1}}), Status::kOk);
    EXPECT_EQ(session.data<std::byte>(0), variable);
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(Graph{}), Status::kOk);
    EXPECT_TRUE(session);
    EXPECT_EQ(session.data<std::byte>(0, 0), nullptr);
    EXPECT_EQ(session.unload(), Status::kOk);
    EXPECT_EQ(arena.used(), head + 40);
  }
}

// What lies in the user's memory takes none here, and the session does not know where it is.
TEST(SessionGraphs, ExternalTensorsAreTheUsers) {
  const Tensor planned[] = {{96, TensorKind::kActivation, 8}, {40, TensorKind::kActivation, 8}};
  const Op last[] = {{{0}, {1}}};
  enum : std::uint8_t { kMap, kScores, kFrame, kRow, kOutput };
  Tensor tensors[] = {planned[0],
                      planned[1],
                      {8000, TensorKind::kExternal, 64},
                      {64, TensorKind::kActivation, 4, kFrame, 128},
                      {500, TensorKind::kExternal, 8}};
  const Op ops[] = {{{kFrame, kRow}, {kMap}}, {{kMap}, {kScores, kOutput}}};
  const Graph graph{tensors, 5, ops, 2, {kFrame}, {kScores, kOutput}};
  Arena<1024> without;
  Arena<1024> arena;
  Session<> session;
  Session<> other;
  ASSERT_EQ(other.begin(without, 5), Status::kOk);
  ASSERT_EQ(other.commit(Graph{planned, 2, last, 1, {0}, {1}}), Status::kOk);
  ASSERT_EQ(session.begin(arena, 5), Status::kOk);
  GraphSummary why;
  ASSERT_EQ(session.commit(graph, &why), Status::kOk);
  EXPECT_EQ(why.external, 8500u);
  EXPECT_EQ(why.kept, 0u);
  EXPECT_EQ(arena.used(Region::kTail), without.used(Region::kTail));
  EXPECT_EQ(arena.used(Region::kOverlay), without.used(Region::kOverlay));
  const auto expect_elsewhere = [&](std::size_t tensor) {
    EXPECT_EQ(session.data<char>(tensor), nullptr) << tensor;
    EXPECT_EQ(session.size(tensor), 0u) << tensor;
  };
  for (const std::size_t tensor : {kFrame, kRow, kOutput}) expect_elsewhere(tensor);
  EXPECT_NE(session.data<char>(kMap, 96), nullptr);
  EXPECT_NE(session.data<char>(kScores, 40), nullptr);

  // Wherever it lies in the next run and whatever its size, the plan is the same.
  for (const std::size_t size : {8000u, 200u, 100000u}) {
    tensors[kFrame].size = size;
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(graph, &why), Status::kOk);
    EXPECT_EQ(why.external, size + 500);
    EXPECT_EQ(session.plans(), 1u);
    expect_elsewhere(kFrame);
  }
  // What was a variable is one no longer, and back again it has its place and its value.
  tensors[kOutput].kind = TensorKind::kVariable;
  tensors[kOutput].size = 24;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(graph), Status::kOk);
  char* const result = session.data<char>(kOutput, 24);
  ASSERT_NE(result, nullptr);
  fill(result, 24, 7);
  const std::size_t tail = arena.used(Region::kTail);
  for (const bool is_variable : {false, true}) {
    tensors[kOutput].kind = is_variable ? TensorKind::kVariable : TensorKind::kExternal;
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(graph), Status::kOk);
    if (is_variable) {
      EXPECT_EQ(session.data<char>(kOutput, 24), result);
    } else {
      expect_elsewhere(kOutput);
    }
    EXPECT_TRUE(holds(result, 24, 7));
    EXPECT_EQ(arena.used(Region::kTail), tail);
  }
  EXPECT_EQ(session.plans(), 1u);
}

TEST(SessionGraphs, RefusalsHaveATensorAndAnOperator) {
  Arena<3072> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  const auto refuse = [&](const Graph& graph, Status status, Index tensor, Index op) {
    ASSERT_EQ(session.replan(), Status::kOk);
    GraphSummary why;
    EXPECT_EQ(session.commit(graph, &why), status);
    EXPECT_EQ(why.status, status);
    EXPECT_EQ(why.tensor, tensor);
    EXPECT_EQ(why.op, op);
    EXPECT_EQ(session.commit(graph), status) << "without asking why";
    EXPECT_EQ(arena.open_temps(), 0u);
    EXPECT_TRUE(runs(session, kSmall));
    EXPECT_EQ(session.plans(), 1u);
  };
  Tensor tensors[] = {{8}, {8}, {8, TensorKind::kConstant}, {8}};
  const Op unwritten[] = {{{}, {0}}, {{1}, {3}}};
  refuse({tensors, 4, unwritten, 2, {}, {}}, Status::kReadBeforeWritten, 1, 1);
  const Op twice[] = {{{}, {0}}, {{}, {1}}, {{}, {0}}};
  refuse({tensors, 4, twice, 3, {}, {}}, Status::kWrittenTwice, 0, 2);
  const Op constant[] = {{{}, {2}}};
  refuse({tensors, 4, constant, 1, {}, {}}, Status::kConstantWritten, 2, 0);
  const Op cycle[] = {{{1}, {0}}, {{0}, {1}}};
  refuse({tensors, 4, cycle, 2, {}, {}}, Status::kCycle, 1, 0);
  const Op beyond[] = {{{4}, {0}}};
  refuse({tensors, 4, beyond, 1, {}, {}}, Status::kOutOfBounds, 4, 0);
  const Op nested[] = {Op::end()};
  refuse({tensors, 4, nested, 1, {}, {}}, Status::kBadNesting, kNoIndex, 0);
  tensors[3].alignment = 3;
  refuse({tensors, 4, nullptr, 0, {}, {}}, Status::kInvalidAlignment, 3, kNoIndex);
  tensors[3] = {kMaxSize + 1};
  refuse({tensors, 4, nullptr, 0, {}, {}}, Status::kSizeOverflow, 3, kNoIndex);
  tensors[3] = {8, TensorKind::kActivation, 1, 0, 1};
  refuse({tensors, 4, nullptr, 0, {}, {}}, Status::kOutOfBounds, 3, kNoIndex);
  tensors[3] = {4, TensorKind::kActivation, 4, 0, 2};
  refuse({tensors, 4, nullptr, 0, {}, {}}, Status::kMisaligned, 3, kNoIndex);
  // Not looked at: `why` says so.
  ASSERT_EQ(session.replan(), Status::kOk);
  GraphSummary why;
  why.tensor = 77;
  const Tensor five[5] = {};
  EXPECT_EQ(session.commit(Graph{five, 5, nullptr, 0, {}, {}}, &why), Status::kTooManyBuffers);
  EXPECT_EQ(why.tensor, kNoIndex);
  EXPECT_EQ(why.status, Status::kOk);
}

TEST(SessionGraphs, LoopsAndBranchesWithScratch) {
  Arena<4096> arena;
  Session<> session;
  const Tensor tensors[] = {{40}, {40}, {24}, {24}, {56}, {56}, {8}};
  const Op ops[] = {{{}, {0}},          Op::branch({0}, {1}), Op::body({2}, {3}), {{2}, {3}},
                    Op::body({4}, {5}), {{4}, {5}},           Op::end(),          {{1}, {6}}};
  ASSERT_EQ(session.begin(arena, 9), Status::kOk);
  const Buffer wanted[] = {{32, 3, 3, 8}, {48, 5, 6, 8}};
  const Scratch first = session.scratch(wanted[0]);
  const Scratch second = session.scratch(wanted[1]);
  ASSERT_EQ(session.commit(Graph{tensors, 7, ops, 8, {}, {6}}), Status::kOk);
  const PlanRef plan = session.plan();
  Rehearsal run;
  for (std::size_t i = 0; i < 7; ++i) run.add(session.data<char>(i, tensors[i].size), plan.buffers()[i]);
  run.add(session, first, wanted[0]);
  run.add(session, second, wanted[1]);
  EXPECT_TRUE(run.good());
}

// What is read later has no place to lose: kept tensors are written anew in each run, variables are not.
TEST(SessionGraphs, ResetSetsVariablesAndLeavesWhatIsKept) {
  Arena<4096> arena;
  Session<> session;
  Model model;
  ASSERT_EQ(session.begin(arena, 10), Status::kOk);
  unsigned char* const own = session.variable<unsigned char>(7, 4);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  char* const state = session.data<char>(kState);
  char* const result = session.data<char>(kKeptResult);
  const auto scribble = [&] {
    std::memset(state, 1, 24);
    std::memset(result, 2, 20);
    std::memset(own, 3, 7);
  };
  scribble();
  session.reset_variables();
  EXPECT_TRUE(all_are(state, 24, 0));
  EXPECT_TRUE(all_are(result, 20, 2));
  EXPECT_TRUE(all_are(own, 7, 4));
  scribble();
  EXPECT_EQ(session.reset_variable(state), Status::kOk);
  EXPECT_TRUE(all_are(state, 24, 0));
  EXPECT_TRUE(all_are(own, 7, 3));
  EXPECT_EQ(session.reset_variable(own), Status::kOk);
  EXPECT_TRUE(all_are(own, 7, 4));
  EXPECT_EQ(session.reset_variable(result), Status::kOutOfBounds) << "no variable";
  EXPECT_TRUE(all_are(result, 20, 2));
}

// A variable that was to grow, and did not: it is where it was, with its value.
TEST(FailedReplan, OfALargerVariableLeavesTheFormerOne) {
  for (const std::size_t room : {0u, 16u, 64u, 200u}) {
    Arena<1024> arena;
    Session<> session;
    ASSERT_EQ(session.begin(arena, 3), Status::kOk);
    Tensor tensors[] = {{16, TensorKind::kVariable, 8}, {64}};
    const Op ops[] = {{{0}, {1}}};
    const Graph graph{tensors, 2, ops, 1, {}, {}};
    ASSERT_EQ(session.commit(graph), Status::kOk);
    char* const variable = session.data<char>(0, 16);
    ASSERT_NE(variable, nullptr);
    std::memset(variable, 42, 16);
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(graph), Status::kOk);  // the second table of tensors is there, too
    tensors[1].size = 72;
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(graph), Status::kOk);

    const std::size_t used = arena.used(Region::kTail);
    tensors[0].size = 32;
    tensors[1].size = arena.available(Region::kOverlay, 16) + 1 - room;  // the overlay is refused, or the variable
    ASSERT_EQ(session.replan(), Status::kOk);
    if (session.commit(graph) == Status::kOk) {
      EXPECT_NE(session.data<char>(0), variable) << "moved";
      EXPECT_TRUE(all_are(session.data<char>(0, 32), 32, 0)) << "and zeroed";
      continue;
    }
    EXPECT_EQ(arena.used(Region::kTail), used);
    EXPECT_EQ(session.data<char>(0, 16), variable);
    tensors[0].size = 16;
    tensors[1].size = 80;
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(graph), Status::kOk);
    EXPECT_EQ(session.data<char>(0, 16), variable);
    EXPECT_TRUE(all_are(variable, 16, 42));
  }
}

// The same tensor, first kept and then a variable: zero at first, and known as one.
TEST(SessionGraphs, WhatBecomesAVariableIsOne) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  Tensor tensors[] = {{8, TensorKind::kKept, 8}, {8}};
  const Op write[] = {{{}, {0}}, {{0}, {1}}};
  const Op read[] = {{{0}, {1}}};
  ASSERT_EQ(session.commit(Graph{tensors, 2, write, 2, {}, {}}), Status::kOk);
  std::memset(session.data<char>(0), 0x55, 8);
  tensors[0].kind = TensorKind::kVariable;
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(Graph{tensors, 2, read, 1, {}, {}}), Status::kOk);
  EXPECT_TRUE(all_are(session.data<char>(0, 8), 8, 0));
  std::memset(session.data<char>(0), 0x55, 8);
  session.reset_variables();
  EXPECT_TRUE(all_are(session.data<char>(0, 8), 8, 0));
  EXPECT_EQ(session.reset_variable(session.data<char>(0)), Status::kOk);
}

// The kind of a view is that of what it looks at.
TEST(SessionGraphs, ViewsTakeNothing) {
  std::size_t tails[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    Arena<2048> arena;
    Session<> session;
    ASSERT_EQ(session.begin(arena, 2), Status::kOk);
    const Tensor tensors[] = {{64}, {32, i == 0 ? TensorKind::kActivation : TensorKind::kVariable, 4, 0, 8}};
    const Op ops[] = {{{}, {0}}, {{1}, {}}};
    ASSERT_EQ(session.commit(Graph{tensors, 2, ops, 2, {}, {}}), Status::kOk);
    EXPECT_EQ(session.data<char>(1, 32), session.data<char>(0) + 8);
    tails[i] = arena.used(Region::kTail);
  }
  EXPECT_EQ(tails[0], tails[1]);
}

// --- variables and tables --------------------------------------------------------------------------------------------

TEST(Variables, HaveTheirValueAtFirstAndAfterAReset) {
  static const std::uint16_t image[] = {1, 2, 0xABCD, 65535, 0};
  Arena<1024> arena;
  Arena<1024> elsewhere;
  std::memset(const_cast<std::byte*>(arena.data()), 0xA5, 1024);
  Session<> session;
  Session<> other;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  ASSERT_EQ(other.begin(elsewhere, 2), Status::kOk);
  std::uint32_t* const zero = session.variable<std::uint32_t>(3);
  std::uint8_t* const value = session.variable<std::uint8_t>(5, 0x80);
  std::uint16_t* const copy = session.variable<std::uint16_t>(image, 5);
  double* const one = session.variable<double>();
  std::uint8_t* const none = session.variable<std::uint8_t>(0);
  std::uint8_t* const others = other.variable<std::uint8_t>(4, 1);
  ASSERT_TRUE(zero != nullptr && value != nullptr && copy != nullptr && one != nullptr && none != nullptr);
  EXPECT_EQ(address_of(one) % alignof(double), 0u);
  const auto fresh = [&] {
    return all_are(zero, 12, 0) && all_are(value, 5, 0x80) && std::memcmp(copy, image, sizeof(image)) == 0 &&
           *one == 0.0;
  };
  EXPECT_TRUE(fresh());
  const auto scribble = [&] {
    std::memset(zero, 0x11, 12);
    std::memset(value, 0x22, 5);
    std::memset(copy, 0x33, sizeof(image));
    *one = 1.5;
  };
  scribble();
  EXPECT_EQ(session.reset_variable(copy), Status::kOk);
  EXPECT_EQ(std::memcmp(copy, image, sizeof(image)), 0);
  EXPECT_TRUE(all_are(zero, 12, 0x11));
  EXPECT_TRUE(all_are(value, 5, 0x22));
  for (const void* unknown :
       {static_cast<const void*>(nullptr), static_cast<const void*>(value + 1), static_cast<const void*>(image),
        static_cast<const void*>(others), static_cast<const void*>(arena.data())}) {
    EXPECT_EQ(session.reset_variable(unknown), Status::kOutOfBounds);
  }
  EXPECT_EQ(session.reset_variable(none), Status::kOk);
  EXPECT_TRUE(all_are(value, 5, 0x22));
  std::memset(others, 9, 4);
  session.reset_variables();
  EXPECT_TRUE(fresh());
  EXPECT_TRUE(all_are(others, 4, 9)) << "another session's";
  // Whatever is written to planned tensors, and planned anew.
  scribble();
  for (const BufferList list : {BufferList(kSmall), BufferList(kLarge), BufferList(kSmall)}) {
    if (session) {
      ASSERT_EQ(session.replan(), Status::kOk);
    }
    ASSERT_EQ(session.commit(BufferList(list.data(), 2)), Status::kOk);
    Rehearsal run;
    run.add(session, BufferList(list.data(), 2));
    run.scribble();
    EXPECT_TRUE(all_are(zero, 12, 0x11) && all_are(value, 5, 0x22) && all_are(copy, 10, 0x33) && *one == 1.5);
  }
}

TEST(Variables, AreRefusedWithoutRoom) {
  for (std::size_t left = 0; left < 200; ++left) {
    Guarded memory(512, left % 5);
    ArenaRef arena = memory.arena();
    Session<> session;
    ASSERT_EQ(session.begin(arena, 2), Status::kOk);
    ASSERT_NE(arena.allocate(arena.available(1) - left, 1), nullptr);
    const std::size_t before = arena.used();
    std::uint64_t* const variable = session.variable<std::uint64_t>(4, 3);
    EXPECT_TRUE(memory.intact());
    EXPECT_EQ(variable == nullptr, arena.used() == before);
    if (variable != nullptr) {
      EXPECT_GE(left, 32u);
      EXPECT_TRUE(all_are(variable, 32, 3));
      EXPECT_EQ(session.reset_variable(variable), Status::kOk);
    } else {
      EXPECT_EQ(arena.last_failure().what, Status::kOutOfMemory);
      EXPECT_LT(left, 120u);
    }
  }
  Arena<512> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  for (const std::size_t count : {kHuge, kHuge / 8, kHuge / 8 + 1, kMaxSize / 8, kHuge / 8 - 3}) {
    EXPECT_EQ(session.variable<std::uint64_t>(count), nullptr);
  }
  EXPECT_EQ(session.variable<char>(kHuge - 7), nullptr);
  EXPECT_EQ(arena.used(), 2 * kEntry);
  EXPECT_EQ(session.commit(BufferList(kSmall, 1)), Status::kOk);
}

TEST(SharedTables, AreOnceThere) {
  Arena<2048> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  const char bytes[] = "0123456789abcdef";
  const void* const first = session.share(bytes, 16, 4);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(std::memcmp(first, bytes, 16), 0);
  EXPECT_NE(first, static_cast<const void*>(bytes));
  const std::size_t used = arena.used();
  char copy[17];
  std::memcpy(copy, bytes, 17);
  EXPECT_EQ(session.share(copy, 16, 4), first);
  EXPECT_EQ(session.share(bytes, 16, 1), first);
  EXPECT_EQ(session.share(first, 16, 2), first);
  EXPECT_EQ(arena.used(), used);
  // Other bytes, the first or the last of them; other sizes.
  for (const std::size_t at : {0u, 7u, 15u}) {
    std::memcpy(copy, bytes, 17);
    copy[at] ^= 1;
    const void* const other = session.share(copy, 16, 4);
    ASSERT_NE(other, nullptr);
    EXPECT_NE(other, first);
    EXPECT_EQ(std::memcmp(other, copy, 16), 0);
    EXPECT_EQ(session.share(copy, 16, 4), other);
  }
  for (const std::size_t size : {15u, 17u, 1u}) {
    const void* const other = session.share(bytes, size, 4);
    ASSERT_NE(other, nullptr);
    EXPECT_NE(other, first);
    EXPECT_EQ(std::memcmp(other, bytes, size), 0);
  }
  const void* const four = session.share("wxyz", 4, 1);
  EXPECT_NE(session.share("wxy", 3, 1), four) << "not a part of one";
  EXPECT_EQ(std::memcmp(first, bytes, 16), 0);
  for (const std::size_t alignment : {1u, 2u, 16u, 64u, 256u}) {
    const void* const aligned = session.share(bytes, 16, alignment);
    ASSERT_NE(aligned, nullptr);
    EXPECT_EQ(address_of(aligned) % alignment, 0u);
    EXPECT_EQ(std::memcmp(aligned, bytes, 16), 0);
    EXPECT_EQ(session.share(bytes, 16, alignment), aligned);
  }
  const void* const none = session.share(nullptr, 0, 1);
  EXPECT_NE(none, nullptr);
  EXPECT_EQ(session.share(bytes, 0, 1), none);
  const std::size_t before = arena.used();
  EXPECT_EQ(session.share(bytes, 16, 0), nullptr);
  EXPECT_EQ(session.share(bytes, 16, 3), nullptr);
  EXPECT_EQ(session.share(bytes, 4096, 4), nullptr);
  EXPECT_EQ(session.share(bytes, kHuge, 4), nullptr);
  EXPECT_EQ(session.share(bytes, kHuge - 8, 4), nullptr);
  EXPECT_EQ(arena.used(), before);
  // A variable of the same bytes is none, and a table is no variable.
  char* const variable = session.variable<char>(bytes, 16);
  EXPECT_NE(session.share(bytes, 16, 1), static_cast<const void*>(variable));
  EXPECT_EQ(session.reset_variable(first), Status::kOutOfBounds);
  std::memset(variable, 0, 16);
  session.reset_variables();
  EXPECT_EQ(std::memcmp(first, bytes, 16), 0);
  EXPECT_EQ(std::memcmp(variable, bytes, 16), 0);
  // Nor is a kept tensor, or that of another session.
  Session<> other;
  ASSERT_EQ(other.begin(arena, 1), Status::kOk);
  const void* const others = other.share(bytes, 16, 4);
  ASSERT_NE(others, nullptr);
  EXPECT_NE(others, first);
}

TEST(SharedTables, AreNoKeptTensors) {
  Arena<1024> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 2), Status::kOk);
  const Tensor tensors[] = {{16, TensorKind::kKept}, {16, TensorKind::kVariable}};
  const Op ops[] = {{{1}, {0}}};
  ASSERT_EQ(session.commit(Graph{tensors, 2, ops, 1, {}, {}}), Status::kOk);
  const char zero[16] = {};
  const void* const table = session.share(zero, 16, 1);
  EXPECT_NE(table, session.data<const void*>(0, 0));
  EXPECT_NE(table, session.data<const void*>(1, 0));
  EXPECT_NE(table, nullptr);
}

// --- plans made beforehand -------------------------------------------------------------------------------------------

constexpr Buffer kTensors[] = {{48, 0, 1, 16}, {96, 1, 2, 16}, {20, 2, 3, 4}};
constexpr Buffer kWithScratch[] = {{48, 0, 1, 16}, {96, 1, 2, 16}, {20, 2, 3, 4}, {32, 1, 1, 8}, {12, 2, 2, 4}};
constexpr auto kPlan = arenite::plan(kWithScratch);
constexpr ReadyPlan kReady = arenite::ready(kPlan, kTensors);
static_assert(kReady.status() == Status::kOk && kReady.culprit() == kNoIndex);
static_assert(kPlan.alignment() == 16 && kPlan.verify(kWithScratch).ok());

// Sizes as they are wanted may be smaller than those of the plan, and alignments too.
constexpr Buffer kLess[] = {{47, 0, 1, 8}, {1, 1, 2, 1}, {0, 2, 3, 4096}};
static_assert(arenite::ready(kPlan, kLess).status() == Status::kOk);
static_assert(arenite::ready(kPlan, arenite::BufferList(nullptr, 0)).status() == Status::kOk);
static_assert(arenite::ready(kPlan, kWithScratch).status() == Status::kOk);

// What a constant expression would refuse.
ReadyPlan ready_for(const Buffer& tensor, std::size_t index) {
  Buffer tensors[] = {kTensors[0], kTensors[1], kTensors[2]};
  tensors[index] = tensor;
  return arenite::ready(kPlan, tensors);
}

TEST(Ready, ChecksThePlan) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Buffer& tensor = kTensors[i];
    const std::size_t at = kPlan.offset(i);
    EXPECT_EQ(ready_for(tensor, i).status(), Status::kOk);
    EXPECT_EQ(ready_for({tensor.size - 1, 0, 0, tensor.alignment}, i).status(), Status::kOk);
    EXPECT_EQ(ready_for({0, 0, 0, tensor.alignment}, i).status(), Status::kOk);
    for (const std::size_t size : {tensor.size + 1, kMaxSize, kHuge}) {
      const ReadyPlan refused = ready_for({size, 0, 0, tensor.alignment}, i);
      EXPECT_EQ(refused.status(), Status::kMismatch);
      EXPECT_EQ(refused.culprit(), i);
    }
    // Aligned as the block is, and the offset in it.
    for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) {
      const bool fits = alignment <= 16 && at % alignment == 0;
      const ReadyPlan answer = ready_for({tensor.size, 0, 0, alignment}, i);
      EXPECT_EQ(answer.status(), fits ? Status::kOk : Status::kMismatch);
      EXPECT_EQ(answer.culprit(), fits ? kNoIndex : i);
    }
    for (const std::size_t invalid : {0u, 3u, 24u}) {
      EXPECT_EQ(ready_for({tensor.size, 0, 0, invalid}, i).status(), Status::kMismatch);
      EXPECT_EQ(ready_for({0, 0, 0, invalid}, i).status(), Status::kMismatch);
    }
  }
  const Buffer six[6] = {};
  EXPECT_EQ(arenite::ready(kPlan, six).status(), Status::kMismatch);
  EXPECT_EQ(arenite::ready(kPlan, BufferList(six, 5)).status(), Status::kOk);
}

TEST(Ready, ChecksPlansThatComeInAtRunTime) {
  const Buffer buffers[] = {{16, 0, 1, 8}, {8, 1, 2, 8}, {4, 1, 1, 4}};
  const BufferList tensors(buffers, 2);
  const std::size_t offsets[] = {0, 16, 24};
  const auto ready = [&](const PlanSummary& summary, const std::size_t* at, std::size_t count, const BufferList& list) {
    return arenite::ready(PlanRef(summary, buffers, at, count), list, Arena<16>());
  };
  EXPECT_EQ(ready({28, 8}, offsets, 3, tensors).status(), Status::kOk);
  EXPECT_EQ(ready({29, 8}, offsets, 3, tensors).status(), Status::kOk);
  const ReadyPlan shorter = ready({27, 8}, offsets, 3, tensors);
  EXPECT_EQ(shorter.status(), Status::kOutOfBounds);
  EXPECT_EQ(shorter.culprit(), 2u) << "scratch ends outside";
  EXPECT_EQ(ready({28, 4}, offsets, 3, tensors).status(), Status::kMismatch);
  EXPECT_EQ(ready({28, 8}, offsets, 1, tensors).status(), Status::kMismatch) << "fewer buffers";
  EXPECT_EQ(ready({28, 8}, nullptr, 0, tensors).status(), Status::kMismatch);
  EXPECT_EQ(ready({28, 8}, nullptr, 0, {nullptr, 0}).status(), Status::kOk);
  EXPECT_EQ(arenite::ready(PlanRef(), {nullptr, 0}, Arena<16>()).status(), Status::kOk);
  for (const std::size_t outside : {std::size_t{16}, std::size_t{32}, kHuge - 7, kHuge - 15, kMaxSize + 1}) {
    const std::size_t moved[] = {outside, 16, 24};
    const ReadyPlan refused = ready({28, 8}, moved, 3, tensors);
    EXPECT_EQ(refused.status(), Status::kOutOfBounds);
    EXPECT_EQ(refused.culprit(), 0u);
  }
  const std::size_t odd[] = {0, 18, 24};
  EXPECT_EQ(ready({28, 8}, odd, 3, tensors).culprit(), 1u);
  const ReadyPlan refused =
      arenite::ready(PlanRef(PlanSummary(Status::kOverlap, 2), buffers, offsets, 3), tensors, Arena<16>());
  EXPECT_EQ(refused.status(), Status::kOverlap);
  Arena<256> arena;
  ReadySession<> session;
  EXPECT_EQ(session.begin(arena, refused), Status::kOverlap);
  EXPECT_EQ(session.begin(arena, arena, shorter), Status::kOutOfBounds);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(session.unload(), Status::kOk);
  const auto outer = arena.mark();
  EXPECT_EQ(arena.release(outer), Status::kOk);

  const ReadyPlan sound = ready({28, 8}, offsets, 3, tensors);
  ASSERT_EQ(session.begin(arena, sound), Status::kOk);
  const Scratch scratch = session.scratch(4, 1, 4);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_EQ(session.data<std::byte>(1, 8), arena.data() + 16);
  EXPECT_EQ(session.data<std::byte>(scratch, 4), arena.data() + 24);
  EXPECT_EQ(session.data<std::byte>(2), nullptr) << "scratch is no tensor";
}

// Numbers that no planner makes, but a broken file may have.
TEST(Ready, NoSizeWraps) {
  const Buffer buffers[] = {{4, 0, 0, 4}};
  const std::size_t offsets[] = {0};
  for (const std::size_t size : {kHuge, kHuge - 3, kHuge - 15, kMaxSize + 1, kMaxSize}) {
    for (const std::size_t alignment : {std::size_t{4}, std::size_t{16}, std::size_t{64}, kMaxSize + 1}) {
      for (const std::size_t head : {0u, 1u, 17u}) {
        Guarded memory(512, head);
        ArenaRef arena = memory.arena();
        if (head != 0) {
          ASSERT_NE(arena.head().allocate(head, 1), nullptr);
        }
        const ReadyPlan plan =
            arenite::ready(PlanRef(PlanSummary(size, alignment), buffers, offsets, 1), buffers, arena);
        ReadySession<> session;
        Status status = session.begin(arena, plan);
        if (status == Status::kOk) status = session.commit();
        EXPECT_NE(status, Status::kOk);
        EXPECT_FALSE(session);
        EXPECT_EQ(arena.used(), head);
        EXPECT_TRUE(arena.check());
        EXPECT_EQ(session.unload(), Status::kOk);
      }
    }
  }
}

TEST(ReadySessions, TakeNothingButTheOverlay) {
  Arena<512> arena;
  ReadySession<> session;
  ASSERT_EQ(session.begin(arena, kReady), Status::kOk);
  EXPECT_EQ(session.begin(arena, kReady), Status::kLoaded);
  const Scratch first = session.scratch(kWithScratch[3]);
  const Scratch second = session.scratch(12, 2, 4);
  EXPECT_EQ(session.data<char>(first), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_EQ(arena.used(), kPlan.size());
  EXPECT_EQ(arena.used(Region::kTail), 0u);
  EXPECT_EQ(arena.peak(Region::kTemp), 0u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(session.data<std::byte>(i), arena.data() + kPlan.offset(i));
  EXPECT_EQ(session.data<std::byte>(first), arena.data() + kPlan.offset(3));
  EXPECT_EQ(session.data<std::byte>(second), arena.data() + kPlan.offset(4));
  Rehearsal run;
  run.add(session, kTensors);
  run.add(session, first, kWithScratch[3]);
  run.add(session, second, kWithScratch[4]);
  EXPECT_TRUE(run.good());
  EXPECT_EQ(session.data<char>(0, 49), nullptr);
  EXPECT_EQ(session.data<char>(3), nullptr) << "no tensor, but scratch";
  EXPECT_EQ(session.enter(kWithScratch, 1), Status::kOk);
  EXPECT_EQ(session.enter(kTensors, 1), Status::kOutOfBounds);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);
  expect_nothing(session, first);
  EXPECT_EQ(session.enter(kWithScratch, 1), Status::kStale);
  EXPECT_EQ(session.commit(), Status::kStale);
}

// What is asked for against what was planned: the first scratch has 32 bytes at 8, the second 12 at 4.
TEST(ReadySessions, ScratchIsCheckedAgainstThePlan) {
  const auto ask = [](std::initializer_list<Buffer> wanted) {
    Arena<512> arena;
    ReadySession<> session;
    EXPECT_EQ(session.begin(arena, kReady), Status::kOk);
    Scratch last;
    for (const Buffer& buffer : wanted) last = session.scratch(buffer);
    const Status status = session.commit();
    EXPECT_EQ(session.data<char>(last, 0) != nullptr, status == Status::kOk && wanted.size() != 0);
    EXPECT_EQ(static_cast<bool>(session), status == Status::kOk);
    EXPECT_EQ(arena.used(), status == Status::kOk ? kPlan.size() : 0);
    EXPECT_EQ(arena.failures(), 0u);
    return status;
  };
  const Buffer first{32, 1, 1, 8};
  const Buffer second{12, 2, 2, 4};
  EXPECT_EQ(ask({first, second}), Status::kOk);
  EXPECT_EQ(ask({}), Status::kMismatch);
  EXPECT_EQ(ask({first}), Status::kMismatch);
  EXPECT_EQ(ask({first, second, {0, 0, 0, 1}}), Status::kMismatch);
  EXPECT_EQ(ask({second, first}), Status::kMismatch) << "in another order";
  EXPECT_EQ(ask({{31, 1, 1, 8}, {11, 2, 2, 1}}), Status::kOk);
  EXPECT_EQ(ask({{0, 1, 1, 8}, {0, 2, 2, 4}}), Status::kOk);
  EXPECT_EQ(ask({{33, 1, 1, 8}, second}), Status::kMismatch);
  EXPECT_EQ(ask({first, {13, 2, 2, 4}}), Status::kMismatch);
  EXPECT_EQ(ask({first, {kHuge, 2, 2, 4}}), Status::kMismatch);
  EXPECT_EQ(ask({{32, 1, 1, 32}, second}), Status::kMismatch) << "more than the block";
  EXPECT_EQ(ask({{32, 1, 1, 3}, second}), Status::kMismatch);
  EXPECT_EQ(ask({{32, 1, 1, 0}, second}), Status::kMismatch);
  EXPECT_EQ(ask({{0, 1, 1, 0}, second}), Status::kMismatch);
  EXPECT_EQ(ask({{32, 1, 1, 16}, second}), kPlan.offset(3) % 16 == 0 ? Status::kOk : Status::kMismatch);
  EXPECT_EQ(ask({{32, 7, 9, 8}, second}), Status::kOk) << "the steps are those of the plan";
}

TEST(ReadySessions, CanBeTriedAgain) {
  Arena<512> arena;
  ReadySession<> session;
  ASSERT_EQ(session.begin(arena, kReady), Status::kOk);
  const Scratch first = session.scratch(32, 1, 8);
  EXPECT_EQ(session.commit(), Status::kMismatch) << "one is missing";
  const Scratch second = session.scratch(12, 2, 4);
  {
    auto temp = arena.temp();
    EXPECT_EQ(session.commit(), Status::kTempOpen);
    expect_nothing(session, first);
  }
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_NE(session.data<char>(first, 32), nullptr);
  EXPECT_NE(session.data<char>(second, 12), nullptr);
  // One too many is refused, and remembered.
  ASSERT_EQ(session.replan(kReady), Status::kOk);
  for (int i = 0; i < 3; ++i) (void)session.scratch(4, 2, 4);
  EXPECT_EQ(session.commit(), Status::kMismatch);
  EXPECT_EQ(session.commit(), Status::kMismatch);
  EXPECT_NE(session.data<char>(first, 32), nullptr);
  ASSERT_EQ(session.replan(kReady), Status::kOk);
  const Scratch again = session.scratch(4, 2, 4);
  (void)session.scratch(4, 2, 4);
  EXPECT_EQ(session.commit(), Status::kOk);
  EXPECT_EQ(session.data<char>(first), nullptr);
  EXPECT_NE(session.data<char>(again, 32), nullptr) << "as much as the plan has";
}

constexpr Buffer kMore[] = {{300, 0, 1, 8}, {40, 1, 2, 4}};
constexpr Buffer kMoreWithScratch[] = {{300, 0, 1, 8}, {40, 1, 2, 4}, {4, 0, 2, 4}};
constexpr auto kMorePlan = arenite::plan(kMoreWithScratch);
constexpr ReadyPlan kMoreReady = arenite::ready(kMorePlan, kMore);

TEST(ReadySessions, TakeAnotherPlan) {
  for (std::size_t size = kPlan.size(); size < kMorePlan.size() + 2; ++size) {
    Guarded memory(size);
    ArenaRef arena = memory.arena();
    ReadySession<> session;
    EXPECT_EQ(session.replan(kReady), Status::kStale);
    ASSERT_EQ(session.begin(arena, kReady), Status::kOk);
    const Scratch first = session.scratch(32, 1, 8);
    (void)session.scratch(12, 2, 4);
    ASSERT_EQ(session.commit(), Status::kOk);
    fill(session.data<char>(1), 96, 1);
    const ReadyPlan broken = ready_for({49, 0, 0, 16}, 0);
    EXPECT_EQ(session.replan(broken), Status::kMismatch);
    EXPECT_EQ(session.commit(), Status::kOk) << "the one in use, as before";
    EXPECT_EQ(session.size(first), 32u);
    ASSERT_EQ(session.replan(kMoreReady), Status::kOk);
    const Scratch other = session.scratch(4, 0, 4);
    EXPECT_EQ(session.size(1), 96u);
    const Status status = session.commit();
    EXPECT_EQ(status, size < kMorePlan.size() ? Status::kOutOfMemory : Status::kOk);
    EXPECT_TRUE(memory.intact());
    if (status == Status::kOk) {
      EXPECT_EQ(session.data<char>(first), nullptr);
      EXPECT_NE(session.data<char>(other, 4), nullptr);
      EXPECT_TRUE(runs(session, kMore));
      EXPECT_EQ(arena.required(), kMorePlan.size());
    } else {
      EXPECT_EQ(arena.last_failure().required, kMorePlan.size());
      EXPECT_TRUE(holds(session.data<char>(1, 96), 96, 1));
      EXPECT_EQ(session.data<char>(1) - session.data<char>(0),
                static_cast<std::ptrdiff_t>(kPlan.offset(1)) - static_cast<std::ptrdiff_t>(kPlan.offset(0)));
      EXPECT_NE(session.data<char>(first, 32), nullptr);
      EXPECT_EQ(session.data<char>(other), nullptr);
      ASSERT_EQ(session.replan(kReady), Status::kOk);
      (void)session.scratch(32, 1, 8);
      (void)session.scratch(12, 2, 4);
      EXPECT_EQ(session.commit(), Status::kOk);
    }
    EXPECT_EQ(session.unload(), Status::kOk);
    EXPECT_EQ(arena.used(), 0u);
  }
}

TEST(ReadySessions, AreUnderTheRulesOfAnySession) {
  Arena<1024> arena;
  ReadySession<> older;
  Session<> newer;
  static constexpr auto kSmallPlan = arenite::plan(kSmall);
  static constexpr ReadyPlan kSmallReady = arenite::ready(kSmallPlan, kSmall);
  ASSERT_EQ(older.begin(arena, kSmallReady), Status::kOk);
  ASSERT_EQ(older.commit(), Status::kOk);
  ASSERT_EQ(newer.begin(arena, 3), Status::kOk);
  ASSERT_EQ(newer.commit(kLarge), Status::kOk);
  EXPECT_EQ(older.replan(kMoreReady), Status::kMarkerOrder);
  EXPECT_EQ(older.commit(), Status::kMarkerOrder);
  EXPECT_EQ(older.unload(), Status::kMarkerOrder);
  EXPECT_EQ(older.variable<int>(), nullptr);
  EXPECT_TRUE(runs(older, kSmall));
  EXPECT_EQ(newer.unload(), Status::kOk);
  ASSERT_EQ(arena.release_overlay(), Status::kOk);
  expect_nothing(older);
  EXPECT_EQ(older.commit(), Status::kOk) << "back in its place";
  EXPECT_TRUE(runs(older, kSmall));
  ASSERT_EQ(arena.reset(), Status::kOk);
  expect_nothing(older);
  EXPECT_NE(older.commit(), Status::kOk);
  EXPECT_EQ(older.unload(), Status::kStale);
  ASSERT_EQ(older.begin(arena, kSmallReady), Status::kOk);
  EXPECT_EQ(older.commit(), Status::kOk);
}

// No tensor, no byte.
TEST(ReadySessions, AnEmptyPlan) {
  static constexpr arenite::Plan<0> kEmpty{PlanSummary(), 0, {}, {}};
  static constexpr ReadyPlan kEmptyReady = arenite::ready(kEmpty, BufferList(nullptr, 0));
  Arena<64> arena;
  ReadySession<> session;
  ASSERT_EQ(session.begin(arena, kEmptyReady), Status::kOk);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_TRUE(session);
  EXPECT_EQ(session.data<char>(0, 0), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.failures(), 0u);
  EXPECT_EQ(session.unload(), Status::kOk);
}

// --- one's own way to plan, and two memories -------------------------------------------------------------------------

// From the last buffer to the first, each above the others, as far apart as it was told.
struct upside_down {
  static constexpr std::size_t kGap = 8;
  [[nodiscard]] static constexpr std::size_t scratch(std::size_t count) noexcept { return count; }
  [[nodiscard]] static constexpr bool place(const Buffer* buffers, std::size_t count, std::size_t* offsets,
                                            Index* order) noexcept {
    for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<Index>(count - 1 - i);
    std::size_t end = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Buffer& buffer = buffers[order[i]];
      offsets[order[i]] = 0;
      if (buffer.size == 0) continue;
      if (buffer.size > kMaxSize - end - kGap) return false;
      offsets[order[i]] = arenite::align_up(end + kGap, buffer.alignment.bytes());
      end = offsets[order[i]] + buffer.size;
    }
    return true;
  }
};

TEST(OwnStrategy, PlansTensorsAndScratch) {
  Arena<2048> arena;
  Session<upside_down> session;
  ASSERT_EQ(session.begin(arena, 5), Status::kOk);
  const Scratch first = session.scratch(10, 0, 1);
  const Scratch second = session.scratch(20, 1, 4);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  const auto offset = [&](const auto& what) { return session.template data<std::byte>(what) - arena.data(); };
  EXPECT_EQ(offset(first), 8);
  EXPECT_EQ(offset(second), 28);  // 26, aligned
  EXPECT_EQ(offset(1), 56);
  EXPECT_EQ(offset(0), 128);
  EXPECT_EQ(arena.used(Region::kOverlay), 160u);
  EXPECT_EQ(arena.peak(Region::kTemp), 5 * sizeof(Index));
  EXPECT_TRUE(runs(session, kSmall));
  const Buffer huge[] = {{kMaxSize, 0, 0, 1}};
  ASSERT_EQ(session.replan(), Status::kOk);
  EXPECT_EQ(session.commit(huge), Status::kSizeOverflow);
  EXPECT_EQ(session.culprit(), kNoIndex);
  EXPECT_TRUE(runs(session, kSmall));
}

alignas(16) std::byte bank_a[149760];
alignas(16) std::byte bank_b[9040 + 64];

TEST(TwoMemories, HaveATotalEach) {
  static constexpr Buffer kActivations[] = {{149760, 0, 3, 16}};
  static constexpr auto kLayout = arenite::plan(kActivations);
  static constexpr ReadyPlan kLayoutReady = arenite::ready(kLayout, kActivations);
  ArenaState planned_state;
  ArenaState persistent_state;
  ArenaRef planned(planned_state, bank_a, sizeof(bank_a));
  ArenaRef persistent(persistent_state, bank_b, sizeof(bank_b));
  ReadySession<> session;
  ASSERT_EQ(session.begin(persistent, planned, kLayoutReady), Status::kOk);
  ASSERT_NE(persistent.allocate(9040, 16), nullptr);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_EQ(persistent.used(), 9040u);
  EXPECT_EQ(persistent.required(), 9040u);
  EXPECT_EQ(planned.used(), 149760u);
  EXPECT_EQ(planned.required(), 149760u);
  EXPECT_EQ(persistent.used() + planned.used(), 158800u);
  EXPECT_EQ(session.data<std::byte>(0, 149760), bank_a);
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(persistent.used() + planned.used(), 0u);
}

template <class S>
void expect_two_memories(std::size_t persistent_offset, std::size_t planned_offset, bool swapped) {
  Guarded one(2048, persistent_offset);
  Guarded two(2048, planned_offset);
  ArenaRef persistent = swapped ? two.arena() : one.arena();
  ArenaRef planned = swapped ? one.arena() : two.arena();
  S session;
  Model model;
  ASSERT_EQ(session.begin(persistent, planned, 12), Status::kOk);
  const Scratch scratch = session.scratch(28, 2, 4);
  unsigned char* const variable = session.template variable<unsigned char>(6, 5);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  EXPECT_TRUE(persistent.contains(variable));
  EXPECT_EQ(persistent.used(), persistent.used(Region::kTail));
  EXPECT_EQ(persistent.peak(Region::kTemp), 0u);
  EXPECT_EQ(planned.used(), planned.used(Region::kOverlay));
  EXPECT_NE(planned.peak(Region::kTemp), 0u);
  for (const Index tensor : {kInput, kMiddle, kSlice, kInPlace, kWork}) {
    EXPECT_TRUE(planned.contains(session.template data<char>(tensor)));
  }
  for (const Index tensor : {kState, kKeptResult, kStateView}) {
    EXPECT_TRUE(persistent.contains(session.template data<char>(tensor)));
  }
  EXPECT_TRUE(planned.contains(session.template data<char>(scratch, 28)));
  EXPECT_TRUE(model_runs(session, model));
  EXPECT_TRUE(all_are(variable, 6, 5));
  EXPECT_TRUE(one.intact() && two.intact());
  {
    auto temp = persistent.temp();  // nobody's business
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(kSmall), Status::kOk);
    EXPECT_TRUE(runs(session, kSmall));
  }
  {
    auto temp = planned.temp();
    ASSERT_EQ(session.replan(), Status::kOk);
    EXPECT_EQ(session.commit(kLarge), Status::kTempOpen);
    EXPECT_EQ(session.unload(), Status::kTempOpen);
  }
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(persistent.used() + planned.used(), 0u);
  // Reset one or the other.
  ASSERT_EQ(session.begin(persistent, planned, 12), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  ASSERT_EQ(planned.reset(), Status::kOk);
  expect_nothing(session);
  ASSERT_EQ(session.replan(), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_TRUE(runs(session, kSmall));
  ASSERT_EQ(persistent.reset(), Status::kOk);
  expect_nothing(session);
  EXPECT_EQ(session.unload(), Status::kStale);
}

TEST(TwoMemories, WhateverTheirAddresses) {
  for (const std::size_t offset : {0u, 1u, 4u, 24u}) {
    for (const bool swapped : {false, true}) {
      expect_two_memories<Session<>>(offset, 2 * offset, swapped);
      expect_two_memories<Session<upside_down>>(3 * offset, offset, swapped);
    }
  }
}

// A memory that is released for others' sake has nothing to do with this session's overlay.
TEST(TwoMemories, TheOverlayOfThePersistentOneIsNotTheSessions) {
  Arena<1024> persistent;
  Arena<1024> planned;
  Session<> session;
  ASSERT_EQ(session.begin(persistent, planned, 4), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  ASSERT_NE(persistent.overlay(64, 8), nullptr);
  ASSERT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(persistent.used(Region::kOverlay), 64u) << "another's";
  EXPECT_EQ(planned.used(), 0u);
}

// --- observers -------------------------------------------------------------------------------------------------------

struct Counter : arenite::Observer {
  std::size_t bytes[static_cast<std::size_t>(Region::kTail) + 1][static_cast<std::size_t>(Kind::kUser)] = {};
  std::size_t steps = 0;
  std::size_t refused = 0;
  std::size_t marks = 0;
  std::size_t releases = 0;
  arenite::StepEvent last_step{};
  void on(const arenite::Event& event) noexcept {
    if (event.what == arenite::EventKind::kMark) ++marks;
    if (event.what == arenite::EventKind::kRelease) ++releases;
    if (event.what != arenite::EventKind::kRequest) return;
    if (!event.success) ++refused;
    if (event.success) bytes[static_cast<std::size_t>(event.region)][event.kind] += event.size;
  }
  void on_step(const arenite::StepEvent& event) noexcept {
    ++steps;
    last_step = event;
  }
  [[nodiscard]] std::size_t of(Region region, Kind kind) const {
    return bytes[static_cast<std::size_t>(region)][static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::size_t all() const {
    std::size_t sum = 0;
    for (const auto& region : bytes) {
      for (const std::size_t kind : region) sum += kind;
    }
    return sum;
  }
};
struct FencedCounter : Counter {
  static constexpr std::size_t kFence = 8;
};

template <class O>
void expect_observed() {
  Arena<6144, 16, O> arena;
  const O& seen = arena.observer();
  Session<arenite::greedy, O> session;
  ASSERT_EQ(session.begin(arena, 12), Status::kOk);
  EXPECT_EQ(seen.of(Region::kTail, Kind::kMetadata), 12 * kEntry);
  EXPECT_EQ(seen.all(), 12 * kEntry);
  EXPECT_EQ(seen.marks, 1u);
  const std::size_t tables = seen.all();
  ASSERT_NE(session.template variable<int>(10), nullptr);
  const std::size_t variable = seen.of(Region::kTail, Kind::kVariable);
  EXPECT_GE(variable, 40u);
  EXPECT_EQ(seen.all(), tables + variable);
  ASSERT_NE(session.share("abcdefg", 7, 1), nullptr);
  const std::size_t table = seen.of(Region::kTail, Kind::kOperatorData);
  EXPECT_GE(table, 7u);
  EXPECT_EQ(seen.all(), tables + variable + table);
  Model model;
  const Scratch scratch = session.scratch(16, 1);
  ASSERT_EQ(session.commit(model.graph()), Status::kOk);
  EXPECT_EQ(seen.of(Region::kTail, Kind::kMetadata), 12 * (kEntry + kGraphEntry));
  EXPECT_GE(seen.of(Region::kTail, Kind::kVariable), variable + 44);
  EXPECT_EQ(seen.of(Region::kTemp, Kind::kMetadata),
            9 * (sizeof(std::size_t) + sizeof(Index)) + arenite::greedy::scratch(12) * sizeof(Index));
  EXPECT_EQ(seen.of(Region::kOverlay, Kind::kOther), session.plan().PlanSummary::size());
  for (const Region region : {Region::kTail, Region::kTemp, Region::kHead}) {
    EXPECT_EQ(seen.of(region, Kind::kOther), 0u) << "what it is, was said";
  }
  EXPECT_TRUE(model_runs(session, model));
  for (const Step step : {Step{0}, Step{1}, Step{3}, Step{2}, Step{7}}) {
    const std::size_t before = seen.steps;
    EXPECT_EQ(session.enter(step), Status::kOk);
    EXPECT_EQ(seen.steps, before + 1);
    EXPECT_EQ(seen.last_step.step, step);
    EXPECT_EQ(seen.last_step.count, 12u);
    EXPECT_EQ(seen.last_step.size, session.plan().PlanSummary::size());
    EXPECT_EQ(seen.last_step.base, arena.data());
    for (const std::size_t tensor : {0u, 2u, 7u}) {
      EXPECT_EQ(seen.last_step.buffers[tensor].size, model.tensors[tensor].size);
      EXPECT_EQ(seen.last_step.base + seen.last_step.offsets[tensor], session.template data<std::byte>(tensor));
    }
    EXPECT_EQ(seen.last_step.buffers[11].size, 16u) << "scratch";
    EXPECT_EQ(seen.last_step.base + seen.last_step.offsets[11], session.template data<std::byte>(scratch));
  }
  EXPECT_EQ(seen.refused, 0u);
  ASSERT_EQ(session.replan(), Status::kOk);
  const Buffer huge[] = {{6000, 0, 0, 8}};
  EXPECT_EQ(session.commit(huge), Status::kOutOfMemory);
  EXPECT_EQ(seen.refused, 1u);
  const std::size_t releases = seen.releases;
  EXPECT_EQ(session.unload(), Status::kOk);
  EXPECT_EQ(seen.releases, releases + 2) << "overlay and tail";
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(session.enter(0), Status::kStale);
}

TEST(WatchedSessions, TellWhatEachBlockIsFor) {
  expect_observed<Counter>();
  expect_observed<FencedCounter>();
}

TEST(WatchedSessions, EachMemoryTellsOfItsOwn) {
  Arena<2048, 16, Counter> persistent;
  Arena<2048, 16, Counter> planned;
  Session<arenite::greedy, Counter> session;
  ASSERT_EQ(session.begin(persistent, planned, 4), Status::kOk);
  ASSERT_EQ(session.commit(kSmall), Status::kOk);
  EXPECT_EQ(session.enter(1), Status::kOk);
  EXPECT_EQ(persistent.observer().all(), 4 * kEntry);
  EXPECT_EQ(persistent.observer().steps, 0u);
  EXPECT_EQ(planned.observer().of(Region::kOverlay, Kind::kOther), 96u);
  EXPECT_EQ(planned.observer().of(Region::kTail, Kind::kMetadata), 0u);
  EXPECT_EQ(planned.observer().last_step.base, planned.data());
}

TEST(WatchedSessions, ReadyOnesTellTheStep) {
  Arena<512, 16, Counter> arena;
  const Counter& seen = arena.observer();
  ASSERT_NE(arena.head().allocate(8, 8), nullptr);
  const std::size_t head = seen.all();
  ReadySession<Counter> session;
  ASSERT_EQ(session.begin(arena, kMoreReady), Status::kOk);
  const Scratch scratch = session.scratch(4, 0, 4);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_EQ(seen.of(Region::kOverlay, Kind::kOther), kMorePlan.size());
  EXPECT_EQ(seen.all(), head + kMorePlan.size());
  EXPECT_EQ(session.enter(kMoreWithScratch, 2), Status::kOk);
  EXPECT_EQ(seen.last_step.step, 2u);
  EXPECT_EQ(seen.last_step.count, 3u);
  EXPECT_EQ(seen.last_step.base, arena.data() + 8);
  EXPECT_EQ(seen.last_step.size, kMorePlan.size());
  EXPECT_EQ(seen.last_step.buffers, kMoreWithScratch);
  EXPECT_EQ(seen.last_step.offsets, kMorePlan.offsets());
  EXPECT_EQ(session.enter(kMore, 2), Status::kOutOfBounds);
  EXPECT_EQ(seen.steps, 1u);
  EXPECT_NE(session.data<char>(scratch), nullptr);
}

// --- every size ------------------------------------------------------------------------------------------------------

// Set-ups of models, which give up at the first call that fails. Each has the same three calls: `load` and what it was
// that failed, `use`, and `unload`.

Status failure_of(const ArenaRef& arena) { return arena.last_failure().what; }

class LoadsAList {
 public:
  Status load(ArenaRef arena) {
    Status status = session_.begin(arena, 6);
    if (status != Status::kOk) return status;
    if (arena.allocate(24, 8) == nullptr) return failure_of(arena);
    scratch_ = session_.scratch(kScratch);
    {
      auto temp = arena.temp();
      void* const work = temp.allocate(100, 4);
      if (work == nullptr) return failure_of(arena);
      std::memset(work, 0x77, 100);
    }
    variable_ = session_.variable<unsigned char>(12, 6);
    if (variable_ == nullptr) return failure_of(arena);
    table_ = session_.share("0123456789", 10, 4);
    if (table_ == nullptr) return failure_of(arena);
    return session_.commit(kLarge);
  }
  bool use() {
    Rehearsal run;
    run.add(session_, kLarge);
    run.add(session_, scratch_, kScratch);
    return run.good() && all_are(variable_, 12, 6) && std::memcmp(table_, "0123456789", 10) == 0;
  }
  Status unload() { return session_.unload(); }

 private:
  static constexpr Buffer kScratch{40, 1, 2, 16};
  Session<> session_;
  Scratch scratch_;
  unsigned char* variable_ = nullptr;
  const void* table_ = nullptr;
};

class LoadsAGraph {
 public:
  Status load(ArenaRef arena) {
    Status status = session_.begin(arena, 10);
    if (status == Status::kOk) status = session_.commit(model_.graph());
    return status;
  }
  bool use() { return model_runs(session_, model_); }
  Status unload() { return session_.unload(); }

 private:
  Session<> session_;
  Model model_;
};

class LoadsAGraphAgain {
 public:
  Status load(ArenaRef arena) {
    Status status = session_.begin(arena, 4);
    if (status == Status::kOk) status = session_.commit(kSmall);
    const Tensor tensors[] = {{24, TensorKind::kVariable, 4}, {150, TensorKind::kActivation, 8}};
    const Op ops[] = {{{0}, {1}}};
    if (status == Status::kOk) status = session_.replan();
    (void)session_.scratch(20, 0, 4);
    if (status == Status::kOk) status = session_.commit(Graph{tensors, 2, ops, 1, {}, {1}});
    return status;
  }
  bool use() {
    if (!all_are(session_.data<char>(0, 24), 24, 0)) return false;
    Rehearsal run;
    run.add(session_.data<char>(0, 24), {24, 0, 0, 4});
    run.add(session_.data<char>(1, 150), {150, 0, 0, 8});
    return run.good();
  }
  Status unload() { return session_.unload(); }

 private:
  Session<> session_;
};

class LoadsAReadyPlan {
 public:
  Status load(ArenaRef arena) {
    Status status = session_.begin(arena, kReady);
    if (status != Status::kOk) return status;
    const bool kept = arena.allocate(12, 4) != nullptr;  // whatever becomes of it: on to the end
    scratches_[0] = session_.scratch(kWithScratch[3]);
    scratches_[1] = session_.scratch(kWithScratch[4]);
    status = session_.commit();
    return kept || status != Status::kOk ? status : Status::kOutOfMemory;
  }
  bool use() {
    Rehearsal run;
    run.add(session_, kTensors);
    for (std::size_t i = 0; i < 2; ++i) run.add(session_, scratches_[i], kWithScratch[3 + i]);
    return run.good();
  }
  Status unload() { return session_.unload(); }

 private:
  ReadySession<> session_;
  Scratch scratches_[2];
};

template <class First, class Second>
class LoadsTwo {
 public:
  Status load(ArenaRef arena) {
    const Status status = first_.load(arena);
    return status == Status::kOk ? second_.load(arena) : status;
  }
  bool use() { return first_.use() && second_.use() && first_.use(); }
  Status unload() {
    const Status status = second_.unload();
    return status == Status::kOk ? first_.unload() : status;
  }

 private:
  First first_;
  Second second_;
};

constexpr Buffer kTiny[] = {{8, 0, 0, 1}};
constexpr auto kTinyPlan = arenite::plan(kTiny);
constexpr ReadyPlan kTinyReady = arenite::ready(kTinyPlan, kTiny);

// Where nothing else worked, this does.
void expect_a_tiny_model_works(ArenaRef arena) {
  ReadySession<> session;
  ASSERT_EQ(session.begin(arena, kTinyReady), Status::kOk);
  const Status status = session.commit();
  if (arena.capacity() < 8) {
    EXPECT_EQ(status, arena.capacity() == 0 ? Status::kNullMemory : Status::kOutOfMemory);
  } else {
    EXPECT_EQ(status, Status::kOk);
    EXPECT_TRUE(runs(session, kTiny));
  }
  EXPECT_EQ(session.unload(), Status::kOk);
}

template <class SetUp>
void at_every_size(std::size_t offset, std::size_t tail_alignment, bool always_asks_for_all = false) {
  std::size_t required = 0;
  {
    Guarded memory(Guarded::kMost, offset);
    SetUp model;
    ASSERT_EQ(model.load(memory.arena()), Status::kOk);
    EXPECT_TRUE(model.use());
    required = memory.arena().required();
    EXPECT_EQ(model.unload(), Status::kOk);
    EXPECT_EQ(memory.arena().used(), 0u);
    EXPECT_EQ(memory.arena().required(), required);
    ASSERT_EQ(model.load(memory.arena()), Status::kOk) << "again";
    EXPECT_TRUE(model.use());
    EXPECT_EQ(memory.arena().required(), required) << "the same";
  }
  ASSERT_LT(required + 40, Guarded::kMost);
  EXPECT_EQ(required % tail_alignment, 0u);
  std::size_t least = 0;  // size that is enough: less than `required` where the end of the arena is better aligned
  for (std::size_t size = 0; size <= required + 40; ++size) {
    Guarded memory(size, offset);
    ArenaRef arena = memory.arena();
    SetUp model;
    const Status status = model.load(arena);
    ASSERT_TRUE(memory.intact()) << size;
    EXPECT_TRUE(arena.check());
    EXPECT_EQ(arena.open_temps(), 0u);
    if (status == Status::kOk) {
      ASSERT_TRUE(model.use()) << size;
      EXPECT_EQ(arena.failures(), 0u);
      EXPECT_EQ(arena.required(), required) << size;
      if (least == 0) least = size;
    } else {
      EXPECT_EQ(least, 0u) << "less was enough: " << size;
      EXPECT_EQ(status, size == 0 ? Status::kNullMemory : Status::kOutOfMemory);
      EXPECT_GT(arena.required(), size / tail_alignment * tail_alignment) << size;
      EXPECT_LE(arena.required(), required) << size;
      EXPECT_EQ(arena.last_failure().required, arena.required());
      if (always_asks_for_all) {
        EXPECT_EQ(arena.required(), required) << size;
      }
    }
    EXPECT_EQ(model.unload(), Status::kOk);
    EXPECT_EQ(arena.used(), 0u) << size;
    if (status != Status::kOk) expect_a_tiny_model_works(arena);
    EXPECT_TRUE(memory.intact()) << size;
  }
  EXPECT_LE(least, required);
  EXPECT_GT(least + tail_alignment, required);
  EXPECT_NE(least, 0u);

  // An arena that grows to what it says it needs gets there, and not beyond.
  std::size_t size = 0;
  for (std::size_t tries = 0;; ++tries) {
    ASSERT_LT(tries, 30u);
    Guarded memory(size, offset);
    SetUp model;
    if (model.load(memory.arena()) == Status::kOk) break;
    ASSERT_GT(memory.arena().required(), size / tail_alignment * tail_alignment);
    size = memory.arena().required();
  }
  EXPECT_GE(size, least);
  EXPECT_LE(size, required);
}

constexpr std::size_t kRecordAlignment = alignof(void*);
constexpr std::size_t kOffsets[] = {0, 1, 12, 40};

TEST(EverySize, OfAList) {
  for (const std::size_t offset : kOffsets) at_every_size<LoadsAList>(offset, 8);
}
TEST(EverySize, OfAGraph) {
  for (const std::size_t offset : kOffsets) at_every_size<LoadsAGraph>(offset, 8);
}
TEST(EverySize, OfAGraphInPlaceOfAList) {
  for (const std::size_t offset : kOffsets) at_every_size<LoadsAGraphAgain>(offset, kRecordAlignment);
}
TEST(EverySize, OfAReadyPlan) {
  for (const std::size_t offset : kOffsets) at_every_size<LoadsAReadyPlan>(offset, 4, true);
}
TEST(EverySize, OfTwoModels) {
  for (const std::size_t offset : kOffsets) {
    at_every_size<LoadsTwo<LoadsAReadyPlan, LoadsAList>>(offset, 8);
    at_every_size<LoadsTwo<LoadsAGraph, LoadsAReadyPlan>>(offset, 8);
    at_every_size<LoadsTwo<LoadsAList, LoadsAGraph>>(offset, 8);
  }
}

// One memory of the two is too small, and then the other.
TEST(EverySize, OfTwoMemories) {
  const auto load = [](Session<>& session, ArenaRef persistent, ArenaRef planned) {
    Model model;
    Status status = session.begin(persistent, planned, 10);
    if (status == Status::kOk) status = session.commit(model.graph());
    return status;
  };
  std::size_t required[2];
  {
    Guarded persistent(2048, 3);
    Guarded planned(2048, 5);
    Session<> session;
    ASSERT_EQ(load(session, persistent.arena(), planned.arena()), Status::kOk);
    required[0] = persistent.arena().required();
    required[1] = planned.arena().required();
  }
  for (std::size_t which = 0; which < 2; ++which) {
    std::size_t least = 0;
    for (std::size_t size = 0; size < required[which] + 10; ++size) {
      Guarded persistent(which == 0 ? size : required[0], 3);
      Guarded planned(which == 1 ? size : required[1], 5);
      Session<> session;
      Model model;
      const Status status = load(session, persistent.arena(), planned.arena());
      if (status == Status::kOk) {
        if (least == 0) least = size;
        EXPECT_TRUE(model_runs(session, model));
      } else {
        EXPECT_EQ(least, 0u);
        EXPECT_EQ(status, size == 0 ? Status::kNullMemory : Status::kOutOfMemory);
      }
      EXPECT_TRUE(persistent.intact() && planned.intact());
      EXPECT_EQ(session.unload(), Status::kOk);
      EXPECT_EQ(persistent.arena().used() + planned.arena().used(), 0u);
    }
    EXPECT_LE(least, required[which]);
    EXPECT_GT(least, which == 0 ? required[0] - 8 : required[1] - 1);
  }
}

// --- with a guard and its fences ----------------------------------------------------------------------------------

using Watch = arenite::Observers<arenite::Guard<>, arenite::Recorder<>, arenite::Asan>;

struct Watched {
  Arena<8192, 16, Watch> arena;
  Session<arenite::greedy, Watch> session;
  arenite::Guard<>& guard() { return static_cast<arenite::Guard<>&>(arena.observer()); }
};

TEST(GuardedSessions, EachPlannedBufferHasAFence) {
  Watched w;
  // AddressSanitizer sees eight bytes at a time.
  const Buffer buffers[] = {{104, 0, 1, 8}, {80, 1, 2, 8}, {64, 2, 3, 8}};
  ASSERT_EQ(w.session.begin(w.arena, 4), Status::kOk);
  const Scratch scratch = w.session.scratch(40, 1, 8);
  ASSERT_EQ(w.session.commit(buffers), Status::kOk);
  EXPECT_EQ(w.session.size(0), 104u);
  EXPECT_EQ(w.session.size(scratch), 40u);
  EXPECT_EQ(w.session.data<char>(0, 105), nullptr);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t over = 0; over < arenite::Guard<>::kFence; ++over) {
      ASSERT_EQ(w.session.enter(static_cast<arenite::Step>(i < 3 ? i : 1)), Status::kOk);
      EXPECT_TRUE(w.guard().check().ok());
      const std::size_t size = i < 3 ? buffers[i].size : 40;
      auto* const bytes = i < 3 ? w.session.data<unsigned char>(i) : w.session.data<unsigned char>(scratch);
      ASSERT_NE(bytes, nullptr);
#if !ARENITE_ASAN  // which would stop here
      const unsigned char former = bytes[size + over];
      bytes[size + over] = 1;
      const arenite::Damage damage = w.guard().check();
      EXPECT_EQ(damage.address, reinterpret_cast<std::byte*>(bytes + size + over));
      if (over < 4) {  // beyond, the next one may be nearer
        EXPECT_EQ(damage.index, i);
      }
      bytes[size + over] = former;
      w.guard().forget();
#else
      EXPECT_NE(__asan_address_is_poisoned(bytes + size + over), 0);
#endif
    }
  }
  EXPECT_TRUE(w.guard().check().ok());
}

// The tables that an observer looks at go with the session.
TEST(GuardedSessions, NobodyIsBlamedForWhatWasUnloaded) {
  Watched w;
  Session<arenite::greedy, Watch> later;
  const Buffer buffers[] = {{100, 0, 1, 4}, {80, 1, 2, 4}};
  ASSERT_EQ(w.session.begin(w.arena, 2), Status::kOk);
  ASSERT_EQ(w.session.commit(buffers), Status::kOk);
  ASSERT_EQ(later.begin(w.arena, 2), Status::kOk);
  ASSERT_EQ(later.commit(buffers), Status::kOk);
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(later.enter(0), Status::kOk);
    ASSERT_EQ(later.unload(), Status::kOk);
    EXPECT_TRUE(w.guard().check().ok());
    ASSERT_EQ(w.session.enter(1), Status::kOk);
    EXPECT_TRUE(w.guard().check().ok());
    ASSERT_EQ(later.begin(w.arena, 2), Status::kOk);
    ASSERT_EQ(later.commit(buffers), Status::kOk);
  }
  ASSERT_EQ(later.enter(0), Status::kOk);
  ASSERT_EQ(later.replan(), Status::kOk);
  ASSERT_EQ(later.commit(BufferList(buffers, 1)), Status::kOk);
  ASSERT_EQ(later.replan(), Status::kOk);
  ASSERT_EQ(later.commit(buffers), Status::kOk);
  EXPECT_TRUE(w.guard().check().ok());
  ASSERT_EQ(w.arena.reset(), Status::kOk);
  EXPECT_TRUE(w.guard().check().ok());
}

TEST(GuardedSessions, SizesWithFencesDoNotWrap) {
  Watched w;
  ASSERT_EQ(w.session.begin(w.arena, 2), Status::kOk);
  const Scratch scratch = w.session.scratch(24, 0, 4);
  for (const std::size_t size : {kHuge, kHuge - 7, kMaxSize, kMaxSize - 7}) {
    const Buffer buffers[] = {{size, 0, 0, 1}};
    EXPECT_EQ(w.session.commit(buffers), Status::kSizeOverflow);
    EXPECT_EQ(w.session.culprit(), 0u);
  }
  const Buffer buffers[] = {{kMaxSize - 8 - 64, 0, 0, 1}};
  EXPECT_EQ(w.session.commit(buffers), Status::kOutOfMemory);
  const Buffer small[] = {{8, 0, 0, 1}};
  ASSERT_EQ(w.session.commit(small), Status::kOk);
  EXPECT_EQ(w.session.size(scratch), 24u);
}

TEST(ReadySessions, OfAGraphWithAViewOfAConstant) {
  static constexpr Tensor kConstants[] = {
      {64}, {4096, TensorKind::kConstant}, {16, TensorKind::kConstant, 16, 1, 1024}, {64}};
  static constexpr Op kReads[] = {{{0, 2}, {3}}};
  static constexpr auto kLives = arenite::lifetimes(kConstants, kReads, {0}, {3});
  static constexpr auto kPlaces = kLives.resolve(arenite::plan(kLives.buffers()), kConstants);
  static constexpr ReadyPlan kReadyGraph = arenite::ready(kPlaces, kLives.buffers());
  Arena<256> arena;
  ReadySession<> session;
  ASSERT_EQ(session.begin(arena, kReadyGraph), Status::kOk);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_NE(session.data<char>(3, 64), nullptr);
  EXPECT_EQ(session.data<char>(2), nullptr);
}

TEST(ReadySessions, OfAGraphWithAViewOfAnExternalTensor) {
  static constexpr Tensor kExternals[] = {
      {4096, TensorKind::kExternal}, {16, TensorKind::kActivation, 16, 0, 1024}, {64}, {32, TensorKind::kExternal}};
  static constexpr Op kRuns[] = {{{1}, {2}}, {{2}, {3}}};
  static constexpr auto kLives = arenite::lifetimes(kExternals, kRuns, {0}, {3});
  static constexpr auto kPlaces = kLives.resolve(arenite::plan(kLives.buffers()), kExternals);
  static constexpr ReadyPlan kReadyGraph = arenite::ready(kPlaces, kLives.buffers());
  Arena<64> arena;
  ReadySession<> session;
  ASSERT_EQ(session.begin(arena, kReadyGraph), Status::kOk);
  ASSERT_EQ(session.commit(), Status::kOk);
  EXPECT_NE(session.data<char>(2, 64), nullptr);
  for (const std::size_t tensor : {0u, 1u, 3u}) {
    EXPECT_EQ(session.data<char>(tensor), nullptr);
    EXPECT_EQ(session.size(tensor), 0u);
  }
}

TEST(SessionOrder, ListsWithoutMemoryAreRefused) {
  Arena<512> arena;
  Session<> session;
  ASSERT_EQ(session.begin(arena, 3), Status::kOk);
  EXPECT_EQ(session.commit(BufferList(nullptr, 2)), Status::kNullMemory);
  EXPECT_EQ(session.commit(Graph{nullptr, 3, nullptr, 0, {}, {}}), Status::kNullMemory);
  EXPECT_EQ(session.commit(Graph{nullptr, 0, nullptr, 1, {}, {}}), Status::kNullMemory);
  EXPECT_EQ(PlanRef(PlanSummary(64, 4), nullptr, nullptr, 3).count(), 0u);
  EXPECT_EQ(session.commit(BufferList(nullptr, 0)), Status::kOk);
}

TEST(ReadySessions, ScratchAfterUnloadIsEmpty) {
  ReadySession<> session;
  EXPECT_FALSE(session.scratch(4, 1));
  Arena<256> arena;
  {
    const auto plan = arenite::plan({{8, 0, 1, 4}, {4, 1, 1, 4}});
    const BufferList tensors(nullptr, 0);
    const ReadyPlan ready = arenite::ready(plan, tensors);
    ASSERT_EQ(session.begin(arena, ready), Status::kOk);
    EXPECT_TRUE(session.scratch(8, 1, 4));
    ASSERT_EQ(session.unload(), Status::kOk);
  }
  EXPECT_FALSE(session.scratch(4, 1));
}

TEST(Ready, ChecksWhatNoPlannerMakes) {
  const Buffer buffers[] = {{8, 0, 0, 8}, {0, 0, 0, 1}};
  const std::size_t offsets[] = {0, 1000};
  const auto status_of = [&](const PlanSummary& summary, const std::size_t* at, const auto& arena) {
    return arenite::ready(PlanRef(summary, buffers, at, 2), buffers, arena).status();
  };
  Arena<16> elsewhere;
  EXPECT_EQ(status_of({8, 8}, offsets, elsewhere), Status::kOk) << "nothing may lie anywhere";
  EXPECT_EQ(status_of({8, 3}, offsets, elsewhere), Status::kInvalidAlignment);
  EXPECT_EQ(status_of({arenite::kMaxSize + 1, 8}, offsets, elsewhere), Status::kSizeOverflow);

  alignas(std::size_t) std::byte memory[256];
  std::memcpy(memory + 64, offsets, sizeof(offsets));
  const auto* const inside = static_cast<const std::size_t*>(static_cast<const void*>(memory + 64));
  ArenaState state;
  ArenaRef arena(state, memory, sizeof(memory));
  EXPECT_EQ(status_of({8, 8}, inside, arena), Status::kOverlap) << "they lie where the plan would be placed";
  EXPECT_EQ(status_of({8, 8}, inside, elsewhere), Status::kOk);
  EXPECT_NE(arena.head().allocate(64 + sizeof(offsets), 8), nullptr);
  EXPECT_EQ(status_of({8, 8}, inside, arena), Status::kOk) << "on the head they are safe";
}

// Their numbers begin anew after the largest; zero stays none.
TEST(Session, AndMarkersAreServedWhereTheNumbersOfBothWrap) {
  alignas(16) std::byte memory[512];
  arenite::ArenaState state;
  arenite::ArenaRef arena(state, memory, sizeof memory);
  constexpr std::size_t kMarkers = 5;
  for (std::size_t i = 0; i < kMarkers; ++i) EXPECT_EQ(arena.release(arena.mark()), Status::kOk);
  // The one word that counts them is set to the most.
  std::size_t words[sizeof(arenite::ArenaState) / sizeof(std::size_t)];
  std::memcpy(words, &state, sizeof words);
  std::size_t* const counter = std::find(words, words + sizeof words / sizeof *words, kMarkers);
  ASSERT_EQ(std::count(words, words + sizeof words / sizeof *words, kMarkers), 1);
  *counter = static_cast<std::size_t>(-1);
  std::memcpy(static_cast<void*>(&state), words, sizeof words);

  EXPECT_EQ(arena.reset(), Status::kOk) << "all up to here are gone";
  const auto outer = arena.mark();
  EXPECT_NE(outer.serial(), 0u);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  const auto inner = arena.mark();
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(arena.release(inner), Status::kOk);
  EXPECT_EQ(arena.release(outer), Status::kOk);
  EXPECT_EQ(arena.used(), 0u);

  arenite::Session<> session;
  ASSERT_EQ(session.begin(arena, 1), Status::kOk);
  const Buffer buffers[] = {{8, 0, 0}};
  ASSERT_EQ(session.commit(arenite::BufferList(buffers)), Status::kOk);
  EXPECT_NE(session.data<char>(0), nullptr);
  EXPECT_EQ(session.unload(), Status::kOk);
}

}  // namespace
