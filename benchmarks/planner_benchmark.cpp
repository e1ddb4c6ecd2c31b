// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// How long planning takes, and checking a plan, by the number of buffers and by how many are alive at a step.

#include <benchmark/benchmark.h>
#include <arenite/planner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "../examples/person_detection/buffers.hpp"
#include "competitors.hpp"
#include "lists.hpp"
#include "peers.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;

// The parameters of the real list, MLPerf Tiny's person detection.
constexpr std::int64_t kPersonCount = std::size(person_detection::kBuffers);
constexpr std::int64_t kPersonAlive = 2;

std::vector<Buffer> list_of(const benchmark::State& state) {
  if (state.range(0) == kPersonCount) {
    return {std::begin(person_detection::kBuffers), std::end(person_detection::kBuffers)};
  }
  std::vector<Buffer> buffers(static_cast<std::size_t>(state.range(0)));
  lists::fill(buffers.data(), buffers.size(), static_cast<std::uint32_t>(state.range(1)));
  return buffers;
}

// A list, with the memory to plan it in.
struct Problem {
  explicit Problem(const benchmark::State& state)
      : buffers(list_of(state)),
        memory(arenite::plan_bytes<arenite::greedy>(buffers.size()) / sizeof(std::size_t) + 1),
        scratch(std::max(arenite::verify_scratch(buffers.size()), arenite::lower_bound_scratch(buffers.size()))) {}

  arenite::PlanRef plan() {
    return arenite::plan<arenite::greedy>(buffers.data(), buffers.size(), memory.data(),
                                          memory.size() * sizeof memory[0]);
  }

  std::vector<Buffer> buffers;
  std::vector<std::size_t> memory;
  std::vector<Index> scratch;
};

void plan_arenite(benchmark::State& state) {
  Problem problem(state);
  if (!problem.plan().verify(problem.scratch.data()).ok()) return fail(state, "the plan is wrong");
  arenite::PlanRef plan;
  for (auto _ : state) {
    plan = problem.plan();
    benchmark::DoNotOptimize(plan);
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = static_cast<double>(plan.size());
}

void verify_arenite(benchmark::State& state) {
  Problem problem(state);
  const arenite::PlanRef plan = problem.plan();
  for (auto _ : state) {
    arenite::Verdict verdict = plan.verify(problem.scratch.data());
    benchmark::DoNotOptimize(verdict);
    if (!verdict.ok()) return fail(state, "the plan is wrong");
  }
}

void lower_bound_arenite(benchmark::State& state) {
  Problem problem(state);
  const arenite::PlanRef plan = problem.plan();
  std::size_t bound = 0;
  for (auto _ : state) {
    bound = plan.lower_bound(problem.scratch.data());
    benchmark::DoNotOptimize(bound);
  }
  state.counters["bytes"] = static_cast<double>(bound);
}

#if ARENITE_BENCHMARK_TFLM

// Every offset is to be the same, and so the size.
bool same(peers::Tflm& theirs, const std::vector<Buffer>& buffers, const arenite::PlanRef& plan) {
  if (theirs.plan(buffers) != plan.size()) return false;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (theirs.offset(i) != plan.offset(i)) return false;
  }
  return true;
}

void plan_tflm(benchmark::State& state) {
  Problem problem(state);
  peers::Tflm planner(problem.buffers.size());
  if (!same(planner, problem.buffers, problem.plan())) return fail(state, "the plans differ");
  std::size_t size = 0;
  for (auto _ : state) {
    size = planner.plan(problem.buffers);
    benchmark::DoNotOptimize(size);
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = static_cast<double>(size);
}

// TFLM's check says yes or no, and looks at overlaps only.
void verify_tflm(benchmark::State& state) {
  const Problem problem(state);
  peers::Tflm planner(problem.buffers.size());
  planner.plan(problem.buffers);
  for (auto _ : state) {
    bool overlap = planner.overlaps();
    benchmark::DoNotOptimize(overlap);
    if (overlap) return fail(state, "the plan is wrong");
  }
}

#endif

void small_lists(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"n", "alive"})->Args({kPersonCount, kPersonAlive})->Args({100, 35});
  for (const std::int64_t alive : {10, 35, 60}) benchmark->Args({1000, alive});
  for (const std::int64_t alive : {10, 35, 60}) benchmark->Args({10000, alive});
}

void all_lists(benchmark::internal::Benchmark* benchmark) {
  small_lists(benchmark);
  benchmark->Args({100000, 35});
}

BENCHMARK(plan_arenite)->Name("plan/arenite")->Apply(all_lists);
BENCHMARK(verify_arenite)->Name("verify/arenite")->Apply(all_lists);
BENCHMARK(lower_bound_arenite)->Name("lower_bound/arenite")->Apply(all_lists);
#if ARENITE_BENCHMARK_TFLM
// Not with 100000: as its time grows with the square, that would take minutes.
BENCHMARK(plan_tflm)->Name("plan/tflm")->Apply(small_lists);
BENCHMARK(verify_tflm)->Name("verify/tflm")->Apply(small_lists);
#endif

}  // namespace
