// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of planner_greedy.cpp with TensorFlow Lite Micro's `GreedyMemoryPlanner`. The planner itself lies on the
// stack, its lists do not.

#include <tensorflow/lite/micro/memory_planner/greedy_memory_planner.h>
#include <arenite/buffer.hpp>

#include <cstddef>

namespace {

constexpr std::size_t kBuffers = 32;

// What the compiler may not know.
const arenite::Buffer* volatile buffers;  // the device knows where they come from
volatile std::size_t index;
volatile std::size_t output;

// As much as it takes: see per_buffer_size(), which is no constant.
alignas(4) unsigned char memory[kBuffers * 40];

}  // namespace

int main() {
  tflite::GreedyMemoryPlanner planner;
  if (tflite::GreedyMemoryPlanner::per_buffer_size() * kBuffers > sizeof memory) return 1;
  if (planner.Init(memory, sizeof memory) != kTfLiteOk) return 1;
  const arenite::Buffer* const list = buffers;
  for (std::size_t i = 0; i < kBuffers; ++i) {
    if (planner.AddBuffer(static_cast<int>(list[i].size), static_cast<int>(list[i].first),
                          static_cast<int>(list[i].last)) != kTfLiteOk) {
      return 1;
    }
  }
  const std::size_t size = planner.GetMaximumMemorySize();
  int offset = 0;
  if (planner.GetOffsetForBuffer(static_cast<int>(index), &offset) != kTfLiteOk) return 1;
  output = static_cast<std::size_t>(offset);
  output = size;
  return 0;
}
