// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for the arena: calls in any order against the obvious model, by several observers, at odd
// addresses, with sizes and alignments that no arena can grant, and with markers and scopes that are misused. Sound
// calls also against `required`, and against a dry run.

#include <arenite/observers/asan.hpp>
#include <arenite/observers/guard.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/plan.hpp>
#include <arenite/planner.hpp>

#include <cstddef>
#include <cstdint>

#include "../arena_model.hpp"
#include "input.hpp"

namespace {

using arena_model::Call;
using arena_model::is_request;
using arena_model::kEveryRegion;
using arena_model::kHuge;
using arena_model::Op;
using arenite::Asan;
using arenite::BasicArenaRef;
using arenite::Guard;
using arenite::kMaxSize;
using arenite::Observers;
using arenite::Recorder;
using arenite::Region;
using arenite::Status;
using arenite::Unobserved;
using fuzz::expect;
using fuzz::expect_nothing;
using fuzz::Input;

fuzz::Calls calls("arena");

constexpr std::size_t kMostBlocks = 128;
constexpr std::size_t kOffsets = 512;
alignas(kOffsets) std::byte memory[arena_model::kUnlimited + kOffsets];

// --- panics ----------------------------------------------------------------------------------------------------------

std::size_t panics = 0;
Status last_panic = Status::kOk;
void count_panic(Status status) noexcept {
  ++panics;
  last_panic = status;
}

// --- what observers know ---------------------------------------------------------------------------------------------

template <std::size_t kBlocks, std::size_t kFence>
void look(Guard<kBlocks, kFence>& guard, const BasicArenaRef<Guard<kBlocks, kFence>>&) {
  expect(guard.check().ok(), "a guard finds damage");
}

template <class Arena>
void look(Recorder<>& recorder, const Arena& arena) {
  for (const Region region : {Region::kHead, Region::kTemp, Region::kTail}) {
    std::size_t taken = 0;
    for (std::size_t kind = 0; kind < static_cast<std::size_t>(arenite::Kind::kUser); ++kind) {
      taken += recorder.of(region, static_cast<arenite::Kind>(kind)).taken;
    }
    expect(taken == arena.used(region), "a recorder counts other bytes");
  }
  expect(recorder.overlay().taken == arena.used(Region::kOverlay), "a recorder counts other bytes of the overlay");
}

using Several = Observers<Guard<4, 4>, Recorder<>, Asan>;
void look(Several& several, const BasicArenaRef<Several>& arena) {
  expect(static_cast<Guard<4, 4>&>(several).check().ok(), "a guard among several finds damage");
  look(static_cast<Recorder<>&>(several), arena);
}

void look(Unobserved&, const BasicArenaRef<Unobserved>&) {}
void look(Asan&, const BasicArenaRef<Asan>&) {}

// --- any calls -------------------------------------------------------------------------------------------------------

constexpr arenite::Buffer kBuffers[] = {{24, 0, 1, 8}, {40, 1, 2, 4}, {7, 2, 3, 1}};
constexpr auto kPlan = arenite::plan(kBuffers);

template <class O>
class AnyCalls {
 public:
  AnyCalls(Input& input, void* start, std::size_t size, std::size_t capacity, bool writes)
      : input_(input), game_(start, size, capacity), writes_(writes) {
    expect(arena().capacity() == capacity, "another capacity");
    expect(arena().data() == (capacity == 0 ? nullptr : start), "another base");
    expect(arena().require(size) == (capacity == 0      ? Status::kNullMemory
                                     : size <= capacity ? Status::kOk
                                                        : Status::kOutOfMemory),
           "require");
  }

  void play() {
    for (std::size_t i = 0; i < 200 && !input_.empty(); ++i) {
      step();
      look(game_.subject().observer(), arena());
    }
    if (writes_) expect_nothing(game_.look());
    if (input_.below(4) == 0) close_out_of_order();
  }

 private:
  const BasicArenaRef<O>& arena() { return game_.subject().arena(); }

  void step() {
    if (input_.below(16) == 0) return misuse();
    if (input_.below(16) == 0) return show_plan();
    const Call call = arena_model::random_call(input_, false);
    if (!game_.model().possible(call)) return;
    calls.add();
    const char* const what = game_.make(call, writes_);
    if (what != nullptr) {
      std::fprintf(stderr, "arena of %zu bytes at %p, call:%s\n", arena().capacity(),
                   static_cast<const void*>(arena().data()), arena_model::describe(&call, 1).c_str());
    }
    expect_nothing(what);
    if (arena().open_temps() == 0 && (call.op == Op::kReset || call.op == Op::kReleaseOverlay)) shown_ = false;
    look_at_view();
  }

  // A plan in its place is an overlay of the same size, and its view knows whether it is there.
  void show_plan() {
    const Call call = {Op::kOverlay, kPlan.size(), kPlan.alignment()};
    if (!game_.model().possible(call)) return;
    calls.add();
    expect_nothing(game_.make(call, writes_, [this](const Call&) {
      const auto view = game_.subject().overlay(kPlan);
      if (view) {
        view_ = view;
        shown_ = true;
      }
      return arena_model::Outcome{view.status(), arena_model::address_of(view.base())};
    }));
    look_at_view();
  }

  void look_at_view() {
    calls.add();
    const std::size_t buffer = input_.below(4);
    const auto* const bytes = view_.template data<std::uint8_t>(buffer);
    const bool known = shown_ && buffer < kPlan.count();
    expect(static_cast<bool>(view_) == shown_, "a view does not know whether it is stale");
    expect((bytes != nullptr) == known, "a buffer of a view");
    expect(!known || arena_model::address_of(bytes) == arena_model::address_of(view_.base()) + kPlan.offset(buffer),
           "a buffer is elsewhere");
  }

  // Markers that are not the latest: of no arena, of another one, released, or overtaken. Nothing changes.
  void misuse() {
    const std::size_t i = input_.below(arena_model::kMostMarkers);
    if (input_.below(2) == 0) {
      misuse<Region::kHead>(i);
    } else {
      misuse<Region::kTail>(i);
    }
  }
  template <Region kEnd>
  void misuse(std::size_t i) {
    if (i + 1 == game_.subject().marks(kEnd)) return;
    calls.add();
    panics = 0;
    const Status status = game_.subject().template release<kEnd>(i);
    expect(panics == 1 && last_panic == status, "a marker is misused, and nobody panics");
    expect(status == Status::kMarkerOrder || status == Status::kMarkerAlien, "a marker is misused in another way");
    expect_nothing(arena_model::first_difference(arena(), game_.model()));
  }

  // The last that happens, as the outer scope then counts as open for good.
  void close_out_of_order() {
    if (arena().open_temps() < 2) return;
    calls.add();
    panics = 0;
    game_.subject().close_outermost();
    expect(panics == 1 && last_panic == Status::kScopeOrder, "scopes close in any order");
    expect_nothing(arena_model::first_difference(arena(), game_.model()));
  }

  Input& input_;
  arena_model::Game<O, kMostBlocks> game_;
  bool writes_;
  arenite::Overlay<std::remove_const_t<decltype(kPlan)>> view_;
  bool shown_ = false;
};

template <class O>
void call_anything(Input& input) {
  if (input.below(8) == 0) {
    AnyCalls<O>(input, nullptr, input.any_size(), 0, true).play();
    return;
  }
  const std::size_t offset = input.below(kOffsets);
  const std::size_t capacity = input.below(4) == 0 ? input.below(64) : input.below(4096);
  AnyCalls<O>(input, memory + offset, capacity, capacity, true).play();
}

// An arena somewhere in the address space, or at its end: only the arithmetic.
void call_far_away(Input& input) {
  const std::size_t base = input.any_size();
  const std::size_t size = input.any_size();
  const bool wraps = base == 0 || size > kHuge - base;
  const std::size_t capacity = wraps ? 0 : size > kMaxSize ? kMaxSize : size;
  AnyCalls<Unobserved>(input, reinterpret_cast<void*>(base), size, capacity, false).play();
}

// --- sound calls -----------------------------------------------------------------------------------------------------

template <class O>
void check_promises(Input& input) {
  constexpr std::size_t kLength = 80;
  const std::size_t offset = input.below(kOffsets);
  arena_model::Trace<kLength> trace;
  const char* const what =
      arena_model::check_promises<O, kMostBlocks>(input, memory + offset, arena_model::kUnlimited, offset, trace);
  calls.add(6 * trace.count);  // a dry run, four arenas of some size, and one that is too small
  if (what != nullptr) std::fprintf(stderr, "calls:%s\n", arena_model::describe(trace.calls, trace.count).c_str());
  expect_nothing(what);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  (void)arenite::set_panic_hook(count_panic);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.below(10)) {
    case 0:
      call_anything<Unobserved>(input);
      break;
    case 1:
      call_anything<Guard<>>(input);
      break;
    case 2:
      call_anything<Recorder<>>(input);
      break;
    case 3:
      call_anything<Several>(input);
      break;
    case 4:
      call_anything<Asan>(input);
      break;
    case 5:
    case 6:
      call_far_away(input);
      break;
    case 7:
      check_promises<Guard<>>(input);
      break;
    case 8:
      check_promises<Several>(input);
      break;
    default:
      check_promises<Unobserved>(input);
  }
  return 0;
}
