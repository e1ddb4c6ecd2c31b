// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// How long the calls of an arena take, beside those of std::pmr::monotonic_buffer_resource on the same sequence of
// requests. A benchmark's time is that of one call, or of one scope.

#include <benchmark/benchmark.h>
#include <arenite/arena.hpp>
#include <arenite/planner.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "../examples/person_detection/buffers.hpp"
#include "competitors.hpp"
#include "lists.hpp"

#if ARENITE_BENCHMARK_TFLM
#include <tensorflow/lite/micro/arena_allocator/single_arena_buffer_allocator.h>
#endif

namespace {

constexpr std::size_t kCapacity = 128 * 1024;
constexpr auto kPlan = arenite::plan(person_detection::kBuffers);

struct Request {
  std::size_t size;
  std::size_t alignment;
};

// 1 to 128 bytes at alignments of 1 to 16.
constexpr std::size_t kRequests = 256;
std::array<Request, kRequests> make_requests() {
  std::array<Request, kRequests> requests{};
  lists::Random random;
  for (Request& request : requests) request = {1 + random.below(128), std::size_t{1} << random.below(5)};
  return requests;
}
const std::array<Request, kRequests> requests = make_requests();
constexpr std::size_t kShort = 4;  // of them in a scope

// An object as firmware keeps for good.
struct Filter {
  Filter(std::int32_t first, std::int32_t second) noexcept : coefficients{first, second} {}
  std::int32_t coefficients[2];
  std::int32_t state[6] = {};
};

// --- the competitors, each with the calls it has for a job -----------------------------------------------------------

struct Arenite {
  void* allocate(const Request& request) { return arena.allocate(request.size, request.alignment); }
  Filter* create() { return arena.create<Filter>(1, 2); }
  void reset() { (void)arena.reset(); }
  std::size_t used() const { return arena.used(); }

  void temp_scope() {
    auto temp = arena.temp();
    for (std::size_t i = 0; i < kShort; ++i) {
      benchmark::DoNotOptimize(temp.allocate(requests[i].size, requests[i].alignment));
    }
  }

  void mark_and_release() {
    const auto marker = arena.mark();
    for (std::size_t i = 0; i < kShort; ++i) benchmark::DoNotOptimize(allocate(requests[i]));
    (void)arena.release(marker);
  }

  std::int8_t* overlay(std::size_t index) { return arena.overlay(kPlan).data<std::int8_t>(index); }

  arenite::Arena<kCapacity> arena;
};

struct Pmr {
  void* allocate(const Request& request) { return resource.allocate(request.size, request.alignment); }
  Filter* create() { return ::new (resource.allocate(sizeof(Filter), alignof(Filter))) Filter(1, 2); }
  void reset() { resource.release(); }

  // There are no scopes: what comes nearest is a second resource on the same bytes.
  void temp_scope() {
    std::pmr::monotonic_buffer_resource temp(memory, sizeof memory, std::pmr::null_memory_resource());
    for (std::size_t i = 0; i < kShort; ++i) {
      benchmark::DoNotOptimize(temp.allocate(requests[i].size, requests[i].alignment));
    }
  }

  // Nor can it go back by a part.
  void mark_and_release() {
    for (std::size_t i = 0; i < kShort; ++i) benchmark::DoNotOptimize(allocate(requests[i]));
    resource.release();
  }

  // It has to be released, or the next one would be another block.
  std::int8_t* overlay(std::size_t index) {
    resource.release();
    void* const base = resource.allocate(kPlan.size(), kPlan.alignment());
    return static_cast<std::int8_t*>(base) + kPlan.offset(index);
  }

  alignas(16) std::byte memory[kCapacity];
  std::pmr::monotonic_buffer_resource resource{memory, sizeof memory, std::pmr::null_memory_resource()};
};

#if ARENITE_BENCHMARK_TFLM
struct Tflm {
  void* allocate(const Request& request) { return allocator.AllocatePersistentBuffer(request.size, request.alignment); }
  Filter* create() { return ::new (allocator.AllocatePersistentBuffer(sizeof(Filter), alignof(Filter))) Filter(1, 2); }
  // What is persistent stays for good: it begins anew.
  void reset() { allocator = tflite::SingleArenaBufferAllocator(memory, sizeof memory); }
  std::size_t used() const { return allocator.GetUsedBytes(); }

  // Each block has to be given back one by one.
  void temp_scope() {
    std::uint8_t* blocks[kShort];
    for (std::size_t i = 0; i < kShort; ++i) {
      blocks[i] = allocator.AllocateTemp(requests[i].size, requests[i].alignment);
      benchmark::DoNotOptimize(blocks[i]);
    }
    for (std::uint8_t* block : blocks) allocator.DeallocateTemp(block);
    allocator.ResetTempAllocations();
  }

  std::int8_t* overlay(std::size_t index) {
    if (allocator.ReserveNonPersistentOverlayMemory(kPlan.size(), kPlan.alignment()) != kTfLiteOk) return nullptr;
    return reinterpret_cast<std::int8_t*>(allocator.GetOverlayMemoryAddress()) + kPlan.offset(index);
  }

  alignas(16) std::uint8_t memory[kCapacity];
  tflite::SingleArenaBufferAllocator allocator{memory, sizeof memory};
};
#endif

// --- the jobs --------------------------------------------------------------------------------------------------------

// As many calls as there are requests, then one reset, which is counted in.
template <class Competitor>
void allocate(benchmark::State& state) {
  Competitor competitor;
  while (state.KeepRunningBatch(kRequests)) {
    for (const Request& request : requests) benchmark::DoNotOptimize(competitor.allocate(request));
    competitor.reset();
  }
}

template <class Competitor>
void create(benchmark::State& state) {
  Competitor competitor;
  while (state.KeepRunningBatch(kRequests)) {
    for (std::size_t i = 0; i < kRequests; ++i) benchmark::DoNotOptimize(competitor.create());
    competitor.reset();
  }
}

template <class Competitor>
void temp_scope(benchmark::State& state) {
  Competitor competitor;
  for (auto _ : state) competitor.temp_scope();
}

template <class Competitor>
void mark_and_release(benchmark::State& state) {
  Competitor competitor;
  for (auto _ : state) competitor.mark_and_release();
}

template <class Competitor>
void overlay(benchmark::State& state) {
  Competitor competitor;
  std::size_t index = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(index);  // not known to the compiler
    std::int8_t* data = competitor.overlay(index);
    benchmark::DoNotOptimize(data);
    if (data == nullptr) return fail(state, "refused");
    index = (index + 1) % kPlan.count();
  }
}

template <class Competitor>
void refuse(benchmark::State& state) {
  Competitor competitor;
  Request request{2 * kCapacity, 16};
  for (auto _ : state) {
    benchmark::DoNotOptimize(request);
    void* block = competitor.allocate(request);
    benchmark::DoNotOptimize(block);
    if (block != nullptr) return fail(state, "not refused");
  }
}

BENCHMARK_TEMPLATE(allocate, Arenite)->Name("allocate/arenite");
BENCHMARK_TEMPLATE(allocate, Pmr)->Name("allocate/pmr");
BENCHMARK_TEMPLATE(create, Arenite)->Name("create/arenite");
BENCHMARK_TEMPLATE(create, Pmr)->Name("create/pmr");
BENCHMARK_TEMPLATE(temp_scope, Arenite)->Name("temp scope with 4 blocks/arenite");
BENCHMARK_TEMPLATE(temp_scope, Pmr)->Name("temp scope with 4 blocks/pmr");
BENCHMARK_TEMPLATE(mark_and_release, Arenite)->Name("mark, 4 blocks, release/arenite");
BENCHMARK_TEMPLATE(mark_and_release, Pmr)->Name("mark, 4 blocks, release/pmr");
BENCHMARK_TEMPLATE(overlay, Arenite)->Name("overlay and one lookup/arenite");
BENCHMARK_TEMPLATE(overlay, Pmr)->Name("overlay and one lookup/pmr");
BENCHMARK_TEMPLATE(refuse, Arenite)->Name("a refused request/arenite");

#if ARENITE_BENCHMARK_TFLM
// Both go down from the same end, so both take the same bytes.
void allocate_tflm(benchmark::State& state) {
  Arenite ours;
  Tflm theirs;
  for (const Request& request : requests) {
    benchmark::DoNotOptimize(ours.allocate(request));
    benchmark::DoNotOptimize(theirs.allocate(request));
    if (ours.used() != theirs.used()) return fail(state, "the arenas differ in what they take");
  }
  allocate<Tflm>(state);
}

BENCHMARK(allocate_tflm)->Name("allocate/tflm");
BENCHMARK_TEMPLATE(create, Tflm)->Name("create/tflm");
BENCHMARK_TEMPLATE(temp_scope, Tflm)->Name("temp scope with 4 blocks/tflm");
BENCHMARK_TEMPLATE(overlay, Tflm)->Name("overlay and one lookup/tflm");
BENCHMARK_TEMPLATE(refuse, Tflm)->Name("a refused request/tflm");
#endif

}  // namespace
