// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The planners of others, given our lists: TensorFlow Lite Micro's (ARENITE_BENCHMARK_TFLM) and MiniMalloc's solver
/// (ARENITE_BENCHMARK_MINIMALLOC), each where there is a checkout of it.

#include <arenite/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#if ARENITE_BENCHMARK_TFLM
#include <tensorflow/lite/micro/memory_planner/greedy_memory_planner.h>
#endif
#if ARENITE_BENCHMARK_MINIMALLOC
#include <absl/time/time.h>
#include <minimalloc.h>
#include <solver.h>
#endif

namespace peers {

#if ARENITE_BENCHMARK_TFLM

/// It takes memory for as many buffers as it can hold. It knows no alignment, and counts bytes in `int`.
class Tflm {
 public:
  explicit Tflm(std::size_t count) : memory_(count * tflite::GreedyMemoryPlanner::per_buffer_size()) {}

  /// The size of the plan. Adding the buffers is next to nothing.
  std::size_t plan(const std::vector<arenite::Buffer>& buffers) {
    planner_.Init(memory_.data(), static_cast<int>(memory_.size()));
    for (const arenite::Buffer& buffer : buffers) {
      planner_.AddBuffer(static_cast<int>(buffer.size), static_cast<int>(buffer.first), static_cast<int>(buffer.last));
    }
    return planner_.GetMaximumMemorySize();
  }

  std::size_t offset(std::size_t buffer) {
    int offset = 0;
    planner_.GetOffsetForBuffer(static_cast<int>(buffer), &offset);
    return static_cast<std::size_t>(offset);
  }

  bool overlaps() { return planner_.DoAnyBuffersOverlap(); }

 private:
  std::vector<unsigned char> memory_;
  tflite::GreedyMemoryPlanner planner_;
};

#endif
#if ARENITE_BENCHMARK_MINIMALLOC

class Minimalloc {
 public:
  Minimalloc(const std::vector<arenite::Buffer>& buffers, std::size_t capacity) {
    problem_.capacity = static_cast<std::int64_t>(capacity);
    for (const arenite::Buffer& buffer : buffers) {
      minimalloc::Buffer added;
      added.lifespan = {static_cast<std::int64_t>(buffer.first), static_cast<std::int64_t>(buffer.last) + 1};
      added.size = static_cast<std::int64_t>(buffer.size);
      added.alignment = static_cast<std::int64_t>(buffer.alignment.bytes());
      problem_.buffers.push_back(std::move(added));
    }
  }

  /// A plan within the capacity; none if there is none, or if it took more than so many seconds. Its settings are the
  /// recommended ones.
  std::vector<std::size_t> plan(double seconds) const {
    minimalloc::SolverParams params;
    params.timeout = absl::Seconds(seconds);
    const absl::StatusOr<minimalloc::Solution> solution = minimalloc::Solver(params).Solve(problem_);
    if (!solution.ok()) return {};
    return {solution->offsets.begin(), solution->offsets.end()};
  }

 private:
  minimalloc::Problem problem_;
};

#endif

}  // namespace peers
