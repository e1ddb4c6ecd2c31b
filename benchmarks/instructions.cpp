// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// usage: ARENITE_ICOUNT=10 examples/boards/run mps2_an386 instructions
//
// How many instructions each call takes on the emulated Cortex-M4, and how many bytes the types have, as Markdown.
// Fails where `allocate` takes more than its budget.
//
// Each call stands in a function of its own that is not inlined, and is counted with all that function does for it: a
// program that inlines the call, or knows its arguments, has no more. Subtracted is what it takes to call an empty
// function instead, from a function of its own where the call is not inlined.

#include <arenite/arenite.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <type_traits>

#include "../examples/person_detection/buffers.hpp"
#include "lists.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::TempScope;

constexpr unsigned kAllocateBudget = 25;
constexpr unsigned kBestOfBudget = 200000;  // for the person-detection list

// --- counting --------------------------------------------------------------------------------------------------------

// SysTick counts the core clock down from 2^24 - 1. The emulator, told so by ARENITE_ICOUNT=10, makes every instruction
// take 1024 ns, which is 25.6 ticks.
constexpr std::uint32_t kEnable = 1u << 0;
constexpr std::uint32_t kCoreClock = 1u << 2;
constexpr std::uint32_t kWrapped = 1u << 16;  // reading it clears it
constexpr std::uint32_t kMaxTicks = (1u << 24) - 1;
volatile std::uint32_t& systick(unsigned word) { return reinterpret_cast<volatile std::uint32_t*>(0xE000E010u)[word]; }
volatile std::uint32_t& control() { return systick(0); }
volatile std::uint32_t& reload() { return systick(1); }
volatile std::uint32_t& current() { return systick(2); }

template <class T>
struct Same {
  using type = T;
};

// Ticks between two readings of the timer, with a call in between. Compiled apart from the call: what stands around it
// is the same for every function of this type.
template <class Result, class... Args>
[[gnu::noipa]] std::uint32_t ticks(Result (*function)(Args...), typename Same<Args>::type... args) {
  [[maybe_unused]] const std::uint32_t cleared = control();
  current() = 0;  // whatever is written: back to the top
  const std::uint32_t begin = current();
  (void)function(args...);
  const std::uint32_t end = current();
  if ((control() & kWrapped) != 0) {
    std::puts("The timer wrapped: more than 655000 instructions in one call.");
    std::exit(1);
  }
  return (begin - end) & kMaxTicks;
}

extern "C" [[gnu::naked, gnu::noipa, gnu::used]] void nothing() { asm("bx lr"); }

[[gnu::naked, gnu::noipa]] void calls_nothing() { asm("push {r3, lr}\n\tbl nothing\n\tpop {r3, pc}"); }

unsigned instructions(std::uint32_t ticks) { return static_cast<unsigned>(std::lround(ticks / 25.6)); }

// Of a call that is inlined, without those of calling an empty function.
template <class Result, class... Args>
unsigned count(Result (*function)(Args...), typename Same<Args>::type... args) {
  const auto empty = reinterpret_cast<Result (*)(Args...)>(nothing);
  return instructions(ticks(function, args...) - ticks(empty, args...));
}

// Of a call that is not inlined: from the first argument loaded to the return.
template <class Result, class... Args>
unsigned count_call(Result (*function)(Args...), typename Same<Args>::type... args) {
  const auto empty = reinterpret_cast<Result (*)(Args...)>(calls_nothing);
  return instructions(ticks(function, args...) - ticks(empty, args...));
}

// Whether the timer counts instructions at all.
[[gnu::naked, gnu::noipa]] void hundred_and_one() { asm(".rept 100\n\tnop\n\t.endr\n\tbx lr"); }

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

// --- the tables ------------------------------------------------------------------------------------------------------

bool failed = false;

void row(const char* call, unsigned instructions) { std::printf("| %s | %u |\n", call, instructions); }

void check_budget(const char* call, unsigned instructions, unsigned budget) {
  if (instructions <= budget) return;
  std::fprintf(stderr, "%s: %u instructions; its budget is %u.\n", call, instructions, budget);
  failed = true;
}

void row_with_budget(const char* call, unsigned instructions) {
  row(call, instructions);
  check_budget(call, instructions, kAllocateBudget);
}

// A call that is refused, or answers with nothing, has not been measured.
void require(bool true_here, const char* what) {
  if (true_here) return;
  std::fprintf(stderr, "Not so: %s\n", what);
  failed = true;
}

void print_calls() {
  std::printf("| call | instructions |\n|:--|--:|\n");

  // The first request of a larger alignment goes the long way.
  const unsigned first = count_call(allocate<16>, 16);
  row_with_budget("`allocate(n, 1)`", count_call(allocate<1>, 13));
  row_with_budget("`allocate(n, 4)`", count_call(allocate<4>, 40));
  row_with_budget("`allocate(n, 8)`", count_call(allocate<8>, 24));
  row_with_budget("`allocate(n, 16)`", count_call(allocate<16>, 100));
  row_with_budget("`allocate(64, 16)`, constants", count_call(allocate_64_16));
  arenite::ArenaRef ref(own_state, own_memory, sizeof own_memory);
  (void)ref.allocate(16, 16);
  row_with_budget("`allocate(n, 8)`, by `ArenaRef`", count_call(allocate_by_ref, ref, 24));
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

void print_plan(const char* name, std::size_t n) {
  const unsigned total = count(plan, n);
  const arenite::PlanRef result = plan(n);
  const unsigned verified = count(verify, result);
  const unsigned bound = count(lower_bound, result);
  const auto length = static_cast<unsigned>(n);
  std::printf("| %s | %u | %u | %u | %u | %u |\n", name, length, total, total / length, verified, bound);
  require(result.verify(scratch).ok(), "the plan is sound");
}

void print_planning() {
  std::printf("| list | buffers | `plan` | a buffer | `verify` | `lower_bound` |\n|:--|--:|--:|--:|--:|--:|\n");
  constexpr std::size_t kPersonCount = std::size(person_detection::kBuffers);
  for (std::size_t i = 0; i < kPersonCount; ++i) buffers[i] = person_detection::kBuffers[i];
  print_plan("person detection", kPersonCount);
  const unsigned best = count(plan_best, kPersonCount);
  require(plan_best(kPersonCount).size() == 55296, "the best of eight plans is proven best");
  check_budget("plan<best_of_eight>", best, kBestOfBudget);
  // Two more that need padding at the fullest step, so that no plan is at the lower bound and all members are tried.
  buffers[kPersonCount] = buffers[kPersonCount + 1] = {1, 3, 3};
  const unsigned all = count(plan_best, kPersonCount + 2);
  check_budget("plan<best_of_eight>, all members", all, kBestOfBudget);
  lists::fill(buffers, kMost, 10);
  print_plan("10 alive at a step", kMost);
  lists::fill(buffers, kMost, 35);
  print_plan("35 alive at a step", kMost);
  std::printf(
      "\n`plan<best_of_eight>` takes %u for person detection, and %u where two more buffers make it try all eight.\n",
      best, all);
  std::printf("\n`Planner::add` takes %u.\n", count(add, buffers[0]));
}

void print_sizes() {
  const auto size = [](const char* type, std::size_t bytes) {
    std::printf("| %s | %u |\n", type, static_cast<unsigned>(bytes));
  };
  std::printf("| type | bytes |\n|:--|--:|\n");
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
  size("`Planner<32>`", sizeof(planner));
  size("`Session<>`", sizeof(arenite::Session<>));
  size("`ReadySession<>`", sizeof(arenite::ReadySession<>));
  size("`ReadyPlan`", sizeof(arenite::ReadyPlan));
  size("`Scratch`, a handle", sizeof(arenite::Scratch));
  size("`Recorder<>`", sizeof(arenite::Recorder<>));
  size("`Guard<>`, of 32 blocks", sizeof(arenite::Guard<>));
  std::printf("\n`Planner<32>` takes %.1f bytes for each buffer, its description included.\n", sizeof(planner) / 32.0);
}

}  // namespace

int main() {
  reload() = kMaxTicks;
  control() = kEnable | kCoreClock;
  if (count(hundred_and_one) != 100) {
    std::puts("The timer does not count instructions: run this with ARENITE_ICOUNT=10.");
    return 1;
  }

  std::printf("## Sizes\n\n");
  print_sizes();
  std::printf("\n## Instructions\n\n");
  std::printf(
      "Of the call alone: calling an empty function in the same way, and reading the timer, took %u and was "
      "subtracted.\n\n",
      instructions(ticks(nothing)));
  print_calls();
  std::printf("\n");
  print_planning();
  return failed ? 1 : 0;
}
