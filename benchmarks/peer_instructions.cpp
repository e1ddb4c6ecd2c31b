// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// usage: ARENITE_ICOUNT=10 examples/boards/run BOARD peer_instructions
//
// How many instructions the calls of others take on an emulated core, for the same jobs as ours in instructions.cpp:
// std::pmr::monotonic_buffer_resource (ARENITE_BENCHMARK_PMR), and TensorFlow Lite Micro's allocator and planner
// (ARENITE_BENCHMARK_TFLM). Rows of benchmarks/figures.csv without their target. Fails where a call did not do what was
// to be measured.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "../examples/person_detection/buffers.hpp"
#include "counting.hpp"

#if ARENITE_BENCHMARK_PMR
#include <memory_resource>
#endif
#if ARENITE_BENCHMARK_TFLM
#include <tensorflow/lite/micro/arena_allocator/single_arena_buffer_allocator.h>
#include <tensorflow/lite/micro/memory_planner/greedy_memory_planner.h>
#endif

namespace {

using counting::count_call;

bool failed = false;

void require(bool true_here, const char* what) {
  if (true_here) return;
  std::fprintf(stderr, "Not so: %s\n", what);
  failed = true;
}

void row(const char* call, unsigned instructions) { counting::row("peer_call", call, instructions); }

alignas(16) std::uint8_t memory[128 * 1024];

#if ARENITE_BENCHMARK_PMR
namespace pmr {

std::pmr::monotonic_buffer_resource* arena;

template <std::size_t kAlignment>
[[gnu::noipa]] void* allocate(std::size_t size) {
  return arena->allocate(size, kAlignment);
}

void print() {
  std::pmr::monotonic_buffer_resource resource(memory, sizeof memory, std::pmr::null_memory_resource());
  arena = &resource;
  (void)allocate<16>(16);
  row("std::pmr, `allocate(n, 4)`", count_call(allocate<4>, 40));
  row("std::pmr, `allocate(n, 16)`", count_call(allocate<16>, 100));
  const auto* const next = static_cast<const std::uint8_t*>(allocate<4>(4));
  require(next > memory + 156 && next < memory + sizeof memory, "the blocks were of our memory");
}

}  // namespace pmr
#endif

#if ARENITE_BENCHMARK_TFLM
namespace tflm {

tflite::SingleArenaBufferAllocator* arena;

template <std::size_t kAlignment>
[[gnu::noipa]] std::uint8_t* allocate(std::size_t size) {
  return arena->AllocatePersistentBuffer(size, kAlignment);
}
[[gnu::noipa]] std::uint8_t* allocate_temp(std::size_t size) { return arena->AllocateTemp(size, 4); }
[[gnu::noipa]] TfLiteStatus overlay(std::size_t size) { return arena->ReserveNonPersistentOverlayMemory(size, 16); }

tflite::GreedyMemoryPlanner* planner;
constexpr std::size_t kBuffers = std::size(person_detection::kBuffers);
alignas(8) unsigned char planner_memory[kBuffers * 40];

[[gnu::noipa]] std::size_t plan() { return planner->GetMaximumMemorySize(); }
[[gnu::noipa]] TfLiteStatus add(int size, int first, int last) { return planner->AddBuffer(size, first, last); }

void print() {
  arena = tflite::SingleArenaBufferAllocator::Create(memory, sizeof memory);
  row("TFLM, `AllocatePersistentBuffer(n, 4)`", count_call(allocate<4>, 40));
  row("TFLM, `AllocatePersistentBuffer(n, 16)`", count_call(allocate<16>, 100));
  row("TFLM, `ReserveNonPersistentOverlayMemory(n, 16)`", count_call(overlay, 55296));
  require(arena->GetNonPersistentUsedBytes() == 55296, "the overlay is reserved");
  row("TFLM, `AllocateTemp(n, 4)`", count_call(allocate_temp, 40));

  static tflite::GreedyMemoryPlanner greedy;
  planner = &greedy;
  require(tflite::GreedyMemoryPlanner::per_buffer_size() * kBuffers <= sizeof planner_memory, "the planner has room");
  require(planner->Init(planner_memory, sizeof planner_memory) == kTfLiteOk, "the planner begins");
  unsigned added = 0;
  for (const arenite::Buffer& buffer : person_detection::kBuffers) {
    added =
        count_call(add, static_cast<int>(buffer.size), static_cast<int>(buffer.first), static_cast<int>(buffer.last));
  }
  row("TFLM, `GreedyMemoryPlanner::AddBuffer`", added);
  // It plans at the first question.
  row("TFLM, `GreedyMemoryPlanner`, person detection, 32 buffers", count_call(plan));
  require(plan() == 73728, "the plan is the one that TFLM has");
}

}  // namespace tflm
#endif

}  // namespace

int main() {
  counting::begin();
#if ARENITE_BENCHMARK_PMR
  pmr::print();
#endif
#if ARENITE_BENCHMARK_TFLM
  tflm::print();
#endif
  return failed ? 1 : 0;
}
