// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// usage: ARENITE_ICOUNT=10 examples/boards/run BOARD instructions
//
// How many bytes the types have, and how many instructions each call takes on an emulated core: rows of
// benchmarks/figures.csv without their target. Fails where a call did not do what was to be measured.

#include <arenite/arenite.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <type_traits>

#include "../examples/person_detection/buffers.hpp"
#include "counting.hpp"
#include "lists.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::TempScope;

using counting::count;
using counting::count_call;

// --- what is measured ------------------------------------------------------------------------------------------------

constexpr auto kPlan = arenite::plan(person_detection::kBuffers);
using PersonOverlay = arenite::Overlay<std::remove_cv_t<decltype(kPlan)>>;

struct Filter {
  Filter(std::int32_t first, std::int32_t second) noexcept : coefficients{first, second} {}
  std::int32_t coefficients[2];
  std::int32_t state[2] = {};
};

arenite::Arena<128 * 1024> arena;
arenite::Arena<16 * 1024 + 4> odd_arena;  // not a multiple of 8 and 16
arenite::Arena<4096> full_arena;
arenite::ArenaState own_state;
alignas(16) std::byte own_memory[16 * 1024];

template <std::size_t kAlignment>
[[gnu::noipa]] void* allocate(std::size_t size) {
  return arena.allocate(size, kAlignment);
}
[[gnu::noipa]] void* allocate_any(std::size_t size, std::size_t alignment) { return arena.allocate(size, alignment); }
[[gnu::noipa]] void* allocate_64_16() { return arena.allocate(64, 16); }
[[gnu::noipa]] void* allocate_by_ref(arenite::ArenaRef& ref, std::size_t size) { return ref.allocate(size, 8); }
[[gnu::noipa]] void* allocate_odd(std::size_t size, std::size_t alignment) {
  return odd_arena.allocate(size, alignment);
}
[[gnu::noipa]] void* allocate_full(std::size_t size, std::size_t alignment) {
  return full_arena.allocate(size, alignment);
}
[[gnu::noipa]] void* allocate_head(std::size_t size, std::size_t alignment) {
  return arena.head().allocate(size, alignment);
}
[[gnu::noipa]] Filter* create(std::int32_t first, std::int32_t second) { return arena.create<Filter>(first, second); }
[[gnu::noipa]] PersonOverlay overlay() { return arena.overlay(kPlan); }
[[gnu::noipa]] std::int8_t* data(const PersonOverlay& overlay, std::size_t index) {
  return overlay.data<std::int8_t>(index);
}
[[gnu::noipa]] void temp_scope() { const auto temp = arena.temp(); }
[[gnu::noipa]] void* allocate_temp(TempScope& temp, std::size_t size, std::size_t alignment) {
  return temp.allocate(size, alignment);
}
[[gnu::noipa]] arenite::Marker<arenite::Region::kTail> mark() { return arena.mark(); }
[[gnu::noipa]] arenite::Status release(const arenite::Marker<arenite::Region::kTail>& marker) {
  return arena.release(marker);
}
[[gnu::noipa]] arenite::Status release_overlay() { return arena.release_overlay(); }
[[gnu::noipa]] arenite::Status reset() { return arena.reset(); }

constexpr std::size_t kMost = 100;
Buffer buffers[kMost];
std::size_t plan_memory[arenite::plan_bytes<arenite::best_of_eight>(kMost) / sizeof(std::size_t) + 1];
Index scratch[arenite::verify_scratch(kMost)];
arenite::Planner<32> planner;

[[gnu::noipa]] arenite::PlanRef plan(std::size_t count) {
  return arenite::plan<arenite::greedy>(buffers, count, plan_memory, sizeof plan_memory);
}
[[gnu::noipa]] arenite::PlanRef plan_best(std::size_t count) {
  return arenite::plan<arenite::best_of_eight>(buffers, count, plan_memory, sizeof plan_memory);
}
[[gnu::noipa]] arenite::Verdict verify(const arenite::PlanRef& plan) { return plan.verify(scratch); }
[[gnu::noipa]] std::size_t lower_bound(const arenite::PlanRef& plan) { return plan.lower_bound(scratch); }
[[gnu::noipa]] arenite::Status add(const Buffer& buffer) { return planner.add(buffer); }

// --- the rows --------------------------------------------------------------------------------------------------------

bool failed = false;

// A call that is refused, or answers with nothing, has not been measured.
void require(bool true_here, const char* what) {
  if (true_here) return;
  std::fprintf(stderr, "Not so: %s\n", what);
  failed = true;
}

void print_sizes() {
  const auto size = [](const char* type, std::size_t bytes) {
    counting::row("type", type, static_cast<unsigned>(bytes));
  };
  size("`ArenaState`, the bookkeeping of an arena", sizeof(arenite::ArenaState));
  size("`Arena<1024>`", sizeof(arenite::Arena<1024>));
  size("`ArenaRef`", sizeof(arenite::ArenaRef));
  size("`TempScope`", sizeof(TempScope));
  size("`Marker`", sizeof(arenite::Marker<arenite::Region::kTail>));
  size("`Overlay`", sizeof(PersonOverlay));
  size("`Buffer`", sizeof(Buffer));
  size("`PlanRef`", sizeof(arenite::PlanRef));
  size("`PlanOffsets<32>`", sizeof(arenite::PlanOffsets<32>));
  size("`Plan<32>`", sizeof(arenite::Plan<32>));
  size("`Planner<32>`, the buffers included", sizeof(planner));
  size("`Session<>`", sizeof(arenite::Session<>));
  size("`ReadySession<>`", sizeof(arenite::ReadySession<>));
  size("`ReadyPlan`", sizeof(arenite::ReadyPlan));
  size("`Scratch`, a handle", sizeof(arenite::Scratch));
  size("`Recorder<>`", sizeof(arenite::Recorder<>));
  size("`Guard<>`, of 32 blocks", sizeof(arenite::Guard<>));
}

void row(const char* call, unsigned instructions) { counting::row("call", call, instructions); }

void print_calls() {
  // The first request of a larger alignment goes the long way.
  const unsigned first = count_call(allocate<16>, 16);
  row("`allocate(n, 1)`", count_call(allocate<1>, 13));
  row("`allocate(n, 4)`", count_call(allocate<4>, 40));
  row("`allocate(n, 8)`", count_call(allocate<8>, 24));
  row("`allocate(n, 16)`", count_call(allocate<16>, 100));
  row("`allocate(64, 16)`, constants", count_call(allocate_64_16));
  arenite::ArenaRef ref(own_state, own_memory, sizeof own_memory);
  (void)ref.allocate(16, 16);
  row("`allocate(n, 8)`, by `ArenaRef`", count_call(allocate_by_ref, ref, 24));
  row("`allocate(n, a)`, an alignment that is no constant", count_call(allocate_any, 24, 8));
  row("`allocate(n, 16)`, the first of this alignment", first);
  row("`create<T>(a, b)`, 16 bytes", count_call(create, 1, 2));
  (void)odd_arena.allocate(4, 4);
  row("`allocate(n, 8)`, capacity no multiple of 8, the first", count_call(allocate_odd, 24, 8));
  row("`allocate(n, 8)`, capacity no multiple of 8, from then on", count_call(allocate_odd, 24, 8));
  row("`allocate(n, 4)`, refused, the first", count_call(allocate_full, 5000, 4));
  row("`allocate(n, 4)`, refused, from then on", count_call(allocate_full, 5000, 4));
  row("`allocate(n, 4)`, granted, after one was refused", count_call(allocate_full, 40, 4));
  require(full_arena.failures() == 2, "two requests were refused");

  row("`head().allocate(n, 4)`", count_call(allocate_head, 40, 4));
  row("`overlay(plan)`", count_call(overlay));
  row("`overlay(plan)`, again", count_call(overlay));
  const PersonOverlay view = overlay();
  require(view.status() == arenite::Status::kOk, "the plan has its place");
  row("`data<T>(i)`", count(data, view, 7));
  row("`temp()`, opened and closed", count_call(temp_scope));
  {
    auto temp = arena.temp();
    row("`allocate(n, 4)` in a temp scope", count_call(allocate_temp, temp, 40, 4));
  }
  row("`mark()`", count(mark));
  const auto marker = mark();
  (void)allocate<4>(40);
  row("`release(marker)`", count_call(release, marker));
  row("`release_overlay()`", count_call(release_overlay));
  row("`reset()`", count_call(reset));
  require(arena.failures() == 0 && arena.used() == 0, "nothing else was refused");
}

void print_plan(const char* list, std::size_t n) {
  const auto row = [list](const char* call, unsigned instructions) {
    char name[80];
    std::snprintf(name, sizeof name, "%s, %s", call, list);
    counting::row("planning", name, instructions);
  };
  row("`plan<greedy>`", count(plan, n));
  const arenite::PlanRef result = plan(n);
  row("`verify`", count(verify, result));
  row("`lower_bound`", count(lower_bound, result));
  require(result.verify(scratch).ok(), "the plan is sound");
}

void print_planning() {
  const auto row = [](const char* name, unsigned instructions) { counting::row("planning", name, instructions); };
  constexpr std::size_t kPersonCount = std::size(person_detection::kBuffers);
  for (std::size_t i = 0; i < kPersonCount; ++i) buffers[i] = person_detection::kBuffers[i];
  print_plan("person detection, 32 buffers", kPersonCount);
  row("`plan`, person detection, 32 buffers", count(plan_best, kPersonCount));
  require(plan_best(kPersonCount).size() == 55296, "the best of eight plans is proven best");
  // Two more that need padding at the fullest step, so that no plan is at the lower bound and all members are tried.
  buffers[kPersonCount] = buffers[kPersonCount + 1] = {1, 3, 3};
  row("`plan`, the same and two more that make it try all eight orders", count(plan_best, kPersonCount + 2));
  row("`Planner::add`", count(add, buffers[0]));
  lists::fill(buffers, kMost, 10);
  print_plan("100 buffers, 10 alive at a step", kMost);
  lists::fill(buffers, kMost, 35);
  print_plan("100 buffers, 35 alive at a step", kMost);
}

}  // namespace

int main() {
  counting::begin();
  print_sizes();
  print_calls();
  print_planning();
  return failed ? 1 : 0;
}
