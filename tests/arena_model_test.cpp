// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The arena against an obvious model of it, see arena_model.hpp: all short sequences of calls with small numbers, then
// long random ones.

#include <arenite/align.hpp>
#include <arenite/observer.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "arena_model.hpp"
#include "seed.hpp"

namespace {

using arena_model::address_of;
using arena_model::broken_promise;
using arena_model::Call;
using arena_model::DrySubject;
using arena_model::first_difference;
using arena_model::kHuge;
using arena_model::kOrder;
using arena_model::kUnlimited;
using arena_model::Model;
using arena_model::Op;
using arena_model::Outcome;
using arena_model::required_difference;
using arenite::kMaxSize;
using Subject = arena_model::Subject<>;

void report(const char* what, const Call* calls, std::size_t count, std::size_t base, std::size_t capacity) {
  ADD_FAILURE() << "Differs: " << what << ". Base " << base << ", capacity " << capacity
                << ", calls:" << arena_model::describe(calls, count);
}

// --- all short traces ------------------------------------------------------------------------------------------------

constexpr std::size_t kBases = 8;
constexpr std::size_t kCapacities = 21;  // 0 to 20
constexpr std::size_t kPlaces = kBases * kCapacities;

#if ARENITE_THOROUGH_TESTS
constexpr std::size_t kEverywhere = 3;  // length of the traces that run at each base address with each capacity
#elif defined(__unix__) || defined(__ARM_ARCH_7EM__) && ARENITE_HARDENING != ARENITE_HARDENING_OFF
constexpr std::size_t kEverywhere = 2;
#else
constexpr std::size_t kEverywhere = 1;
#endif
constexpr std::size_t kLongest = kEverywhere + 1;  // of those that run at one of these places each

struct Alphabet {
  Call calls[4 * 5 * 4 + 14];
  std::size_t count = 0;
  constexpr void add(const Call& call) { calls[count++] = call; }
};

constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  for (const Op op : {Op::kHead, Op::kOverlay, Op::kTemp, Op::kTail}) {
    for (std::size_t size = 0; size <= 4; ++size) {
      for (std::size_t alignment = 1; alignment <= 8; alignment *= 2) alphabet.add({op, size, alignment});
    }
  }
  alphabet.add({Op::kOuterTemp, 1, 1});
  // What would wrap.
  for (const Op op : {Op::kHead, Op::kOverlay, Op::kTemp, Op::kTail}) alphabet.add({op, kHuge - 2, 8});
  alphabet.add({Op::kTail, kHuge - 4, 4});
  for (const Op op : {Op::kOpen, Op::kClose, Op::kMarkHead, Op::kReleaseHead, Op::kMarkTail, Op::kReleaseTail,
                      Op::kReleaseOverlay, Op::kReset}) {
    alphabet.add({op, 0, 0});
  }
  return alphabet;
}
constexpr Alphabet kAlphabet = make_alphabet();

alignas(64) std::byte small_memory[128];

using SmallModel = Model<kLongest>;

class AllTraces {
 public:
  AllTraces(std::size_t base, std::size_t capacity) : base_(base), capacity_(capacity) {}

  bool run(std::size_t place) {
    place_ = place;
    const std::uintptr_t base = address_of(small_memory) + base_;
    return extend(0, 0, SmallModel(base, capacity_), SmallModel(base, kUnlimited), true);
  }

 private:
  // The last call is made on an arena of its own, and all is compared. False to stop.
  bool extend(std::size_t length, std::size_t number, const SmallModel& limited, const SmallModel& unlimited,
              bool comparable) {
    for (std::size_t i = 0; i < kAlphabet.count; ++i) {
      const Call& call = kAlphabet.calls[i];
      // Of the longest traces each group with the same beginning is at one place, and each place has some.
      const std::size_t next_number = number * kAlphabet.count + i;
      if (length + 1 == kLongest && number % kPlaces != place_) return true;
      if (!limited.possible(call)) continue;
      trace_[length] = call;

      SmallModel model = limited;
      SmallModel need = unlimited;
      const SmallModel::Answer answer = model.apply(call);
      // A smaller arena may refuse an overlay, and then allow what an overlay forbids: that is another trace.
      bool same = comparable && need.possible(call) && call.size < kUnlimited;
      if (same) same = (need.apply(call).reasons & kOrder) == (answer.reasons & kOrder);

      Subject subject(small_memory + base_, capacity_);
      for (std::size_t j = 0; j < length; ++j) subject.apply(trace_[j]);
      const Outcome outcome = subject.apply(call);
      const char* what = first_difference(outcome, answer, call, model);
      if (what == nullptr) what = first_difference(subject.arena(), model);
      if (what == nullptr && same) what = required_difference(subject.arena(), need);
      if (what != nullptr) {
        report(what, trace_, length + 1, base_, capacity_);
        return false;
      }
      if (length + 1 < kLongest && !extend(length + 1, next_number, model, need, same)) return false;
    }
    return true;
  }

  std::size_t base_;
  std::size_t capacity_;
  std::size_t place_ = 0;
  Call trace_[kLongest];
};

TEST(AllShortTraces, AgreeWithTheModel) {
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (!AllTraces(place % kBases, place / kBases).run(place)) return;
  }
}

class AllNeeds {
 public:
  explicit AllNeeds(std::size_t base) : base_(base) {}

  bool run() { return extend(0, 0, SmallModel(address_of(small_memory) + base_, kUnlimited)); }

 private:
  bool extend(std::size_t length, std::size_t number, const SmallModel& before) {
    for (std::size_t i = 0; i < kAlphabet.count; ++i) {
      const Call& call = kAlphabet.calls[i];
      const std::size_t next_number = number * kAlphabet.count + i;
      if (length + 1 == kLongest && number % kBases != base_) return true;
      if (!before.possible(call) || call.size >= kUnlimited) continue;
      trace_[length] = call;
      SmallModel model = before;
      const SmallModel::Answer answer = model.apply(call);
      const bool granted = answer.reasons == 0;
      granted_[length] = granted;

      // A request that is refused for the order of calls is not counted, nor does it count where there is memory.
      const char* what = granted ? check(length + 1, model) : check_refusal(length + 1);
      if (what != nullptr) {
        report(what, trace_, length + 1, base_, model.required());
        return false;
      }
      if (length + 1 < kLongest && !extend(length + 1, next_number, model)) return false;
    }
    return true;
  }

  const char* check(std::size_t count, const SmallModel& model) {
    std::byte* const memory = small_memory + base_;
    const char* what = broken_promise(memory, model.required(), model.tail_alignment(), trace_, count);
    if (what != nullptr) return what;

    DrySubject dry(base_);
    for (std::size_t i = 0; i < count; ++i) {
      if (granted_[i] && !dry.apply(trace_[i])) return "what a dry run answers";
    }
    const std::size_t exact = dry.run().required();
    if (exact > model.required()) return "a dry run needs more";
    return broken_promise(memory, exact, 1, trace_, count);
  }

  // What an arena refuses whatever its size: a dry run says so, and for good.
  const char* check_refusal(std::size_t count) {
    DrySubject dry(base_);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      if (granted_[i] && !dry.apply(trace_[i])) return "what a dry run answers";
    }
    if (dry.apply(trace_[count - 1])) return "a dry run grants what no arena does";
    if (dry.run().required() != kHuge) return "a dry run forgets";
    if (!dry.apply({Op::kTail, 1, 1}) || dry.run().required() != kHuge) return "a dry run forgets later";
    return nullptr;
  }

  std::size_t base_;
  Call trace_[kLongest];
  bool granted_[kLongest] = {};
};

TEST(AllShortTraces, NeedWhatIsPromised) {
  for (std::size_t base = 0; base < kBases; ++base) {
    if (!AllNeeds(base).run()) return;
  }
}

// --- long random traces ----------------------------------------------------------------------------------------------

#if ARENITE_THOROUGH_TESTS
constexpr std::size_t kRandomCalls = 1000000;
#elif defined(__unix__)
constexpr std::size_t kRandomCalls = 100000;
#else
constexpr std::size_t kRandomCalls = 10000;
#endif

class Random {
 public:
  [[nodiscard]] unsigned long seed() const { return seed_; }

  // SplitMix64, https://prng.di.unimi.it/splitmix64.c
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

 private:
  unsigned long seed_ = arenite_test::seed_of_this_run();
  std::uint64_t state_ = seed_;
};

alignas(512) std::byte random_memory[16384];

constexpr std::size_t kMostBlocks = 128;

// One arena, many calls.
TEST(RandomTraces, AgreeWithTheModel) {
  Random random;
  for (std::size_t calls = 0; calls < kRandomCalls;) {
    const std::size_t offset = random.below(512);
    const std::size_t capacity = random.below(4) == 0 ? random.below(64) : random.below(4096);
    arena_model::Game<arenite::Unobserved, kMostBlocks> game(random_memory + offset, capacity);
    for (std::size_t i = 0; i < 2000; ++i, ++calls) {
      const Call call = arena_model::random_call(random, false);
      if (!game.model().possible(call)) continue;
      const char* const what = game.make(call);
      if (what != nullptr) {
        report(what, &call, 1, offset, capacity);
        FAIL() << "seed " << random.seed() << ", call " << calls;
      }
    }
  }
}

TEST(RandomTraces, NeedWhatIsPromised) {
  constexpr std::size_t kLength = 40;
  Random random;
  for (std::size_t calls = 0; calls < kRandomCalls; calls += kLength) {
    const std::size_t offset = random.below(512);
    arena_model::Trace<kLength> trace;
    const char* const what = arena_model::check_promises<arenite::Unobserved, kMostBlocks>(
        random, random_memory + offset, sizeof(random_memory) - offset, offset, trace);
    if (what != nullptr) {
      report(what, trace.calls, trace.count, offset, sizeof(random_memory) - offset);
      FAIL() << "seed " << random.seed();
    }
  }
}

}  // namespace
