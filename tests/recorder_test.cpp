// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The recorder against an arena's own numbers and against an obvious model, on random traces.

#include <arenite/arena.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace {

using arenite::Arena;
using arenite::BasicTempScope;
using arenite::Kind;
using arenite::KindCount;
using arenite::KindUsage;
using arenite::Marker;
using arenite::Observers;
using arenite::Recorder;
using arenite::Region;
using arenite::Status;

constexpr auto kUser = static_cast<std::size_t>(Kind::kUser);
enum class Mine : std::uint8_t { kFilter = kUser, kLog, kBeyond, kFarBeyond };
using Mines = Recorder<static_cast<std::size_t>(Mine::kLog) + 1>;

static_assert(sizeof(Recorder<>) == (11 * kUser + 5) * sizeof(std::size_t), "as the header says");
static_assert(sizeof(Recorder<>::Snapshot) == 3 * kUser * sizeof(std::size_t));

void expect_count(const KindCount& count, std::size_t blocks, std::size_t requested, std::size_t taken) {
  EXPECT_EQ(count.count, blocks);
  EXPECT_EQ(count.requested, requested);
  EXPECT_EQ(count.taken, taken);
}

void expect_usage(const KindUsage& usage, std::size_t blocks, std::size_t requested, std::size_t taken,
                  std::size_t peak, std::size_t refused) {
  expect_count(usage, blocks, requested, taken);
  EXPECT_EQ(usage.peak, peak);
  EXPECT_EQ(usage.refused, refused);
}

TEST(Recorders, AreAllZeroBitsAtFirst) {
  static constexpr Arena<64, 16, Mines> kArena;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&kArena);
  std::size_t others = 0;
  for (std::size_t i = 0; i < sizeof(kArena); ++i) others += bytes[i] != 0;
  EXPECT_EQ(others, 0u);
}

TEST(Recorders, CountByKindAndRegion) {
  Arena<256, 16, Mines> arena;
  const Mines& record = arena.observer();
  EXPECT_NE(arena.as(Kind::kVariable).allocate(3, 1), nullptr);
  EXPECT_NE(arena.as(Kind::kVariable).allocate(4, 4), nullptr);  // one byte of padding
  EXPECT_NE(arena.head().as(Kind::kVariable).allocate(5, 1), nullptr);
  EXPECT_NE(arena.as(Mine::kLog).allocate(8, 8), nullptr);
  EXPECT_NE(arena.allocate(2, 1), nullptr);
  EXPECT_NE(arena.as(Mine::kFilter).allocate(0, 8), nullptr);
  expect_count(record.of(Region::kTail, Kind::kVariable), 2, 7, 8);
  expect_count(record.of(Region::kHead, Kind::kVariable), 1, 5, 5);
  expect_count(record.of(Region::kTemp, Kind::kVariable), 0, 0, 0);
  expect_count(record.of(Region::kOverlay, Kind::kVariable), 0, 0, 0);
  expect_usage(record.of(Kind::kVariable), 3, 12, 13, 13, 0);
  expect_usage(record.of(Mine::kLog), 1, 8, 8, 8, 0);
  expect_usage(record.of(Mine::kFilter), 1, 0, 0, 0, 0);
  expect_usage(record.of(Kind::kOther), 1, 2, 2, 2, 0);

  EXPECT_NE(arena.as(Mine::kBeyond).allocate(6, 1), nullptr);
  expect_usage(record.of(Kind::kOther), 2, 8, 8, 8, 0);
  expect_usage(record.of(Mine::kBeyond), 2, 8, 8, 8, 0);

  EXPECT_NE(arena.as(Mine::kFarBeyond).allocate(1, 1), nullptr);
  expect_usage(record.of(Kind::kOther), 3, 9, 9, 9, 0);
  expect_usage(record.of(Mine::kFarBeyond), 3, 9, 9, 9, 0);

  EXPECT_EQ(arena.as(Mine::kLog).allocate(1000, 8), nullptr);
  EXPECT_EQ(arena.as(Mine::kLog).allocate(8, 3), nullptr);
  EXPECT_EQ(arena.head().as(Kind::kWeights).allocate(1000, 8), nullptr);
  EXPECT_EQ(arena.overlay(1000, 8), nullptr);
  expect_usage(record.of(Mine::kLog), 1, 8, 8, 8, 2);
  expect_usage(record.of(Kind::kWeights), 0, 0, 0, 0, 1);
  expect_usage(record.of(Kind::kOther), 3, 9, 9, 9, 0);
  EXPECT_EQ(record.overlay().refused, 1u);
}

TEST(Recorders, KnowThePeakOverTheRegions) {
  Arena<256, 16, Recorder<>> arena;
  const Recorder<>& record = arena.observer();
  const auto marker = arena.mark();
  EXPECT_NE(arena.as(Kind::kScratch).allocate(50, 1), nullptr);
  {
    auto temp = arena.temp(Kind::kScratch);
    EXPECT_NE(temp.allocate(30, 1), nullptr);
  }
  EXPECT_EQ(arena.release(marker), Status::kOk);
  EXPECT_NE(arena.head().as(Kind::kScratch).allocate(60, 1), nullptr);
  expect_usage(record.of(Kind::kScratch), 1, 60, 60, 80, 0);
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect_usage(record.of(Kind::kScratch), 0, 0, 0, 80, 0);
}

TEST(Recorders, KnowTheOverlay) {
  Arena<256, 16, Recorder<>> arena;
  const Recorder<>& record = arena.observer();
  EXPECT_NE(arena.head().allocate(3, 1), nullptr);
  EXPECT_NE(arena.overlay(50, 1), nullptr);
  expect_usage(record.overlay(), 1, 50, 50, 50, 0);
  EXPECT_NE(arena.overlay(40, 16), nullptr);  // 13 bytes of padding
  expect_usage(record.overlay(), 2, 50, 53, 53, 0);
  EXPECT_EQ(arena.used(Region::kOverlay), 53u);
  EXPECT_NE(arena.overlay(0, 1), nullptr);
  expect_usage(record.overlay(), 3, 50, 53, 53, 0);
  EXPECT_EQ(arena.release_overlay(), Status::kOk);
  expect_usage(record.overlay(), 0, 0, 0, 53, 0);
  EXPECT_NE(arena.overlay(7, 1), nullptr);
  EXPECT_EQ(arena.reset(), Status::kOk);
  expect_usage(record.overlay(), 0, 0, 0, 53, 0);
}

template <std::size_t kFenceBytes>
struct Fence : arenite::Observer {
  static constexpr std::size_t kFence = kFenceBytes;
};

TEST(Recorders, TellWhatFencesTake) {
  Arena<256, 16, Observers<Recorder<>, Fence<8>>> arena;
  EXPECT_NE(arena.as(Kind::kWeights).allocate(16, 16), nullptr);
  expect_usage(static_cast<Recorder<>&>(arena.observer()).of(Kind::kWeights), 1, 16, 48, 48, 0);
}

// --- random traces ---------------------------------------------------------------------------------------------------

#if defined(__cpp_exceptions)
struct Bad {};
#endif

// Throws when it is told to; may take memory elsewhere before.
template <class Watched>
struct Fickle {
  Fickle(Watched& arena, bool fails, bool takes) noexcept(false) {
    if (takes && arena.as(Kind::kMetadata).allocate(3, 2) == nullptr) value = 1;
#if defined(__cpp_exceptions)
    if (fails) throw Bad();
#else
    (void)fails;
#endif
  }
  std::uint32_t value = 0;
};

template <class Observer>
class Trace {
 public:
  explicit Trace(std::uint32_t seed) : random_(seed) {}

  void run(int calls) {
    for (int i = 0; i < calls && !testing::Test::HasFailure(); ++i) {
      call();
      check();
    }
    while (scopes_ != 0) close();
    check();
  }

 private:
  using Watched = Arena<600, 16, Observer>;
  using Scope = BasicTempScope<Observer>;
  static constexpr std::size_t kMostScopes = 4;
  static constexpr std::size_t kMostMarkers = 6;
  static constexpr std::size_t kMostBlocks = 256;
  static constexpr std::size_t kKinds = kUser + 2;

  struct Block {
    std::size_t kind;
    std::size_t size;
    std::size_t taken;
  };
  struct List {
    Block blocks[kMostBlocks];
    std::size_t count = 0;
  };

  [[nodiscard]] std::uint32_t random(std::uint32_t below) {
    random_ = random_ * 1664525u + 1013904223u;
    return (random_ >> 8) % below;
  }

  [[nodiscard]] Mines& record() { return static_cast<Mines&>(arena_.observer()); }

  // What is there of each region, as used bytes tell it.
  void note(Region region, std::size_t kind, std::size_t size, bool granted, std::size_t used) {
    if (kind >= kKinds) kind = 0;
    if (!granted) {
      ++refused_[kind];
      return;
    }
    List& list = lists_[static_cast<std::size_t>(region)];
    ASSERT_LT(list.count, kMostBlocks);
    list.blocks[list.count++] = {kind, size, arena_.used(region) - used};
    note_peaks();
  }
  void note_peaks() {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const std::size_t taken =
          sum(Region::kHead, kind).taken + sum(Region::kTemp, kind).taken + sum(Region::kTail, kind).taken;
      if (taken > peak_[kind]) peak_[kind] = taken;
    }
  }
  [[nodiscard]] KindCount sum(Region region, std::size_t kind) const {
    KindCount result;
    const List& list = lists_[static_cast<std::size_t>(region)];
    for (std::size_t i = 0; i < list.count; ++i) {
      if (list.blocks[i].kind != kind) continue;
      ++result.count;
      result.requested += list.blocks[i].size;
      result.taken += list.blocks[i].taken;
    }
    return result;
  }

  template <class Place>
  void request(Place&& place, Region region, std::size_t kind) {
    const std::size_t used = arena_.used(region);
    const std::size_t size = random(8) == 0 ? 0 : random(8) == 0 ? random(700) : random(40);
    const std::size_t alignment = random(10) == 0 ? random(40) : std::size_t{1} << random(7);
    void* block = nullptr;
    switch (random(4)) {
      case 0:
        block = place.template create_array<std::uint32_t>(size);
        return note(region, kind, size * 4, block != nullptr, used);
      case 1:
        return construct(place, region, kind);
      default:
        block = place.allocate(size, alignment);
        return note(region, kind, size, block != nullptr, used);
    }
  }

  template <class Place>
  void construct(Place& place, Region region, std::size_t kind) {
    const bool fails = random(2) == 0;
    const bool takes = random(3) == 0;
    const std::size_t used = arena_.used(region);
    const std::size_t tail = arena_.used(Region::kTail);
    const std::size_t failures = arena_.failures();
    bool thrown = false;
    void* block = nullptr;
#if defined(__cpp_exceptions)
    try {
      block = place.template create<Fickle<Watched>>(arena_, fails, takes);
    } catch (const Bad&) {
      thrown = true;
    }
#else
    block = place.template create<Fickle<Watched>>(arena_, fails, takes);
#endif
    const bool entered = thrown || block != nullptr;
    const bool took = entered && takes && arena_.failures() == failures;
    constexpr auto kMetadata = static_cast<std::size_t>(Kind::kMetadata);
    if (region == Region::kTail && took) {
      // The outer one was first; the inner one has three bytes and what makes them aligned. Both stay.
      const std::size_t both = arena_.used(Region::kTail) - used;
      const KindCount inner = record().of(Region::kTail, Kind::kMetadata);
      const std::size_t before = sum(Region::kTail, kMetadata).taken;
      const std::size_t own = kind == kMetadata ? both : both - (inner.taken - before);
      List& list = lists_[static_cast<std::size_t>(region)];
      list.blocks[list.count++] = {kind >= kKinds ? 0 : kind, sizeof(Fickle<Watched>), own};
      list.blocks[list.count++] = {kMetadata, 3, both - own};
      return note_peaks();
    }
    if (thrown || !entered) {
      if (thrown) {
        // It was there while its constructor ran: the peak has seen it.
        for (std::size_t i = 0; i < kKinds; ++i) peak_[i] = record().of(static_cast<Kind>(i)).peak;
      } else {
        note(region, kind, 0, false, used);
      }
    } else {
      note(region, kind, sizeof(Fickle<Watched>), true, used);
    }
    if (entered && takes) note(Region::kTail, kMetadata, 3, took, tail);
  }

  [[nodiscard]] Scope* scope(std::size_t i) { return std::launder(static_cast<Scope*>(static_cast<void*>(rooms_[i]))); }
  void close() {
    --scopes_;
    scope(scopes_)->~Scope();
    lists_[static_cast<std::size_t>(Region::kTemp)].count = temps_[scopes_];
  }

  void call() {
    const std::size_t kind = random(3) == 0 ? 0 : random(kKinds + 1);
    const auto name = static_cast<Kind>(kind);
    List& head = lists_[static_cast<std::size_t>(Region::kHead)];
    List& temp = lists_[static_cast<std::size_t>(Region::kTemp)];
    List& tail = lists_[static_cast<std::size_t>(Region::kTail)];
    switch (random(14)) {
      case 0:
      case 1:
        return request(arena_.as(name), Region::kTail, kind);
      case 2:
      case 3:
        return request(arena_.head().as(name), Region::kHead, kind);
      case 4:
      case 5:
        if (scopes_ != 0) request(*scope(scopes_ - 1), Region::kTemp, kinds_[scopes_ - 1]);
        return;
      case 6:
        if (scopes_ == kMostScopes) return;
        temps_[scopes_] = temp.count;
        kinds_[scopes_] = kind;
        if (scopes_ == 0) {
          ::new (static_cast<void*>(rooms_[scopes_++])) Scope(arena_.temp(name));
        } else {
          ++scopes_;
          ::new (static_cast<void*>(rooms_[scopes_ - 1])) Scope(scope(scopes_ - 2)->temp(name));
        }
        return;
      case 7:
        if (scopes_ > 1) {  // one that is not the innermost
          EXPECT_EQ(scope(0)->allocate(8, 8), nullptr);
          ++refused_[kinds_[0] >= kKinds ? 0 : kinds_[0]];
        }
        if (scopes_ != 0) close();
        return;
      case 8:
        if (head_marks_ == kMostMarkers) return;
        head_counts_[head_marks_] = head.count;
        head_markers_[head_marks_++] = arena_.head().mark();
        return;
      case 9:
        if (head_marks_ != 0 && arena_.head().release(head_markers_[head_marks_ - 1]) == Status::kOk) {
          head.count = head_counts_[--head_marks_];
        }
        return;
      case 10:
        if (tail_marks_ == kMostMarkers) return;
        tail_counts_[tail_marks_] = tail.count;
        tail_markers_[tail_marks_++] = arena_.mark();
        return;
      case 11:
        if (tail_marks_ != 0 && arena_.release(tail_markers_[tail_marks_ - 1]) == Status::kOk) {
          tail.count = tail_counts_[--tail_marks_];
        }
        return;
      case 12:
        if (arena_.overlay(random(200), std::size_t{1} << random(7)) == nullptr) {
          ++overlay_refused_;
        } else {
          ++plans_;
        }
        return;
      default:
        if (random(3) != 0) {
          if (arena_.release_overlay() == Status::kOk) plans_ = 0;
        } else if (arena_.reset() == Status::kOk) {
          plans_ = head_marks_ = tail_marks_ = head.count = tail.count = 0;
        }
        return;
    }
  }

  void check() {
    std::size_t refused = record().overlay().refused;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const auto name = static_cast<Kind>(kind);
      const KindUsage usage = record().of(name);
      KindCount all;
      for (const Region region : {Region::kHead, Region::kTemp, Region::kTail}) {
        const KindCount expected = sum(region, kind);
        const KindCount found = record().of(region, name);
        expect_count(found, expected.count, expected.requested, expected.taken);
        all = {all.count + found.count, all.requested + found.requested, all.taken + found.taken};
      }
      expect_usage(usage, all.count, all.requested, all.taken, peak_[kind], refused_[kind]);
      refused += usage.refused;
    }
    EXPECT_EQ(refused, arena_.failures());
    for (const Region region : {Region::kHead, Region::kTemp, Region::kTail}) {
      std::size_t taken = 0;
      for (std::size_t kind = 0; kind < kKinds; ++kind) taken += record().of(region, static_cast<Kind>(kind)).taken;
      EXPECT_EQ(taken, arena_.used(region));
    }
    EXPECT_EQ(record().overlay().taken, arena_.used(Region::kOverlay));
    EXPECT_EQ(record().overlay().peak, arena_.peak(Region::kOverlay));
    EXPECT_EQ(record().overlay().count, plans_);
    EXPECT_EQ(record().overlay().refused, overlay_refused_);
    EXPECT_TRUE(arena_.check());
  }

  Watched arena_;
  std::uint32_t random_;
  List lists_[4];
  std::size_t peak_[kKinds] = {};
  std::size_t refused_[kKinds] = {};
  std::size_t overlay_refused_ = 0;
  std::size_t plans_ = 0;
  alignas(Scope) std::byte rooms_[kMostScopes][sizeof(Scope)];
  std::size_t temps_[kMostScopes] = {};
  std::size_t kinds_[kMostScopes] = {};
  std::size_t scopes_ = 0;
  Marker<Region::kHead, Observer> head_markers_[kMostMarkers];
  Marker<Region::kTail, Observer> tail_markers_[kMostMarkers];
  std::size_t head_counts_[kMostMarkers] = {};
  std::size_t tail_counts_[kMostMarkers] = {};
  std::size_t head_marks_ = 0;
  std::size_t tail_marks_ = 0;
};

template <class Observer>
void expect_traces() {
  for (std::uint32_t seed = 0; seed < 200 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    // Too large for a small stack.
    alignas(Trace<Observer>) static std::byte room[sizeof(Trace<Observer>)];
    auto* const trace = ::new (static_cast<void*>(room)) Trace<Observer>(seed);
    trace->run(120);
    trace->~Trace();
  }
}

TEST(RecorderTraces, AddUpToWhatTheArenaHolds) { expect_traces<Mines>(); }
TEST(RecorderTraces, AddUpToWhatTheArenaHoldsBetweenFences) { expect_traces<Observers<Fence<1>, Mines, Fence<8>>>(); }

// --- text ------------------------------------------------------------------------------------------------------------

template <class R>
std::string text_of(const R& record, const char* const* names = nullptr) {
  std::string text;
  arenite::print_record([&text](char c) { text += c; }, record, names);
  return text;
}

TEST(PrintRecord, IsATable) {
  Arena<256, 16, Mines> arena;
  EXPECT_EQ(text_of(arena.observer()), "blocks  requested      taken       peak refused kind\n");
  EXPECT_NE(arena.as(Kind::kOperatorData).allocate(3, 1), nullptr);
  EXPECT_NE(arena.as(Kind::kOperatorData).allocate(4, 4), nullptr);
  EXPECT_NE(arena.as(Mine::kLog).allocate(8, 8), nullptr);
  EXPECT_EQ(arena.as(Mine::kFilter).allocate(1000, 8), nullptr);
  {
    auto temp = arena.temp(Kind::kScratch);
    EXPECT_NE(temp.allocate(10, 1), nullptr);
  }
  EXPECT_NE(arena.overlay(100, 4), nullptr);
  EXPECT_EQ(text_of(arena.observer()),
            "blocks  requested      taken       peak refused kind\n"
            "     2          7          8          8       0 operator data\n"
            "     0          0          0         10       0 scratch\n"
            "     0          0          0          0       1 user 0\n"
            "     1          8          8          8       0 user 1\n"
            "     1        100        100        100       0 the overlay\n");
  const char* const names[] = {nullptr, nullptr, "kernels", nullptr, nullptr, nullptr, "filter", nullptr};
  EXPECT_EQ(text_of(arena.observer(), names),
            "blocks  requested      taken       peak refused kind\n"
            "     2          7          8          8       0 kernels\n"
            "     0          0          0         10       0 scratch\n"
            "     0          0          0          0       1 filter\n"
            "     1          8          8          8       0 user 1\n"
            "     1        100        100        100       0 the overlay\n");
}

TEST(PrintRecord, ShowsAnOverlayThatIsGoneOrWasRefused) {
  Arena<64, 16, Mines> refused;
  EXPECT_EQ(refused.overlay(100, 4), nullptr);
  EXPECT_EQ(text_of(refused.observer()),
            "blocks  requested      taken       peak refused kind\n"
            "     0          0          0          0       1 the overlay\n");
  Arena<64, 16, Mines> gone;
  EXPECT_NE(gone.overlay(40, 4), nullptr);
  EXPECT_EQ(gone.release_overlay(), Status::kOk);
  EXPECT_EQ(text_of(gone.observer()),
            "blocks  requested      taken       peak refused kind\n"
            "     0          0          0         40       0 the overlay\n");
}

// No marker has it, as the overlay is released as a whole.
TEST(Recorders, RememberNothingOfTheOverlay) {
  Arena<64, 16, Mines> arena;
  EXPECT_NE(arena.overlay(40, 4), nullptr);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  Mines record = arena.observer();
  const auto snapshot = record.snapshot(Region::kOverlay);
  for (const KindCount& row : snapshot.rows) expect_count(row, 0, 0, 0);
  record.restore(Region::kOverlay, snapshot);
  expect_usage(record.overlay(), 0, 0, 0, 40, 0);
  expect_usage(record.of(Kind::kOther), 1, 8, 8, 8, 0);
}

}  // namespace
