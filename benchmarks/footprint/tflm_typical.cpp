// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of arena_typical.cpp with TensorFlow Lite Micro's `SingleArenaBufferAllocator`, whose bookkeeping lies in
// its arena.

#include <tensorflow/lite/micro/arena_allocator/single_arena_buffer_allocator.h>
#include <arenite/planner.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

#include "typical.hpp"

namespace {

alignas(16) std::uint8_t memory[typical::kPlan.size() + 512];

}  // namespace

int main() {
  using namespace typical;
  auto* const arena = tflite::SingleArenaBufferAllocator::Create(memory, sizeof memory);
  std::uint8_t* const object = arena->AllocatePersistentBuffer(sizeof(Filter), alignof(Filter));
  if (object == nullptr) return 1;
  Filter* const filter = ::new (object) Filter(input);

  if (arena->ReserveNonPersistentOverlayMemory(kPlan.size(), kPlan.alignment()) != kTfLiteOk) return 1;
  auto* const image = reinterpret_cast<std::int8_t*>(arena->GetOverlayMemoryAddress()) + kPlan.offset(0);

  void* const row = arena->AllocateTemp(kRow, 4);
  if (row == nullptr) return 1;
  image[0] = static_cast<std::int8_t>(filter->gain);
  *static_cast<std::int32_t*>(row) = image[1];
  output = *static_cast<std::int32_t*>(row);
  arena->DeallocateTemp(static_cast<std::uint8_t*>(row));
  return arena->ResetTempAllocations() == kTfLiteOk ? 0 : 1;
}
