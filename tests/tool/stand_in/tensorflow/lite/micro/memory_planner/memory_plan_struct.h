// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

// What a header with a `BufferPlan` needs of TensorFlow Lite Micro, so that the tests can compile one without it.

#include <cstddef>
#include <cstdint>

namespace tflite {

struct BufferDescriptor {
  std::int32_t offset;
};

struct BufferPlan {
  std::int32_t buffer_count;
  BufferDescriptor buffer_plan_entries[1];  // and the others behind it
};

constexpr std::size_t SizeOfBufferPlan(std::int32_t count) {
  const std::size_t others = count > 1 ? static_cast<std::size_t>(count) - 1 : 0;
  return sizeof(BufferPlan) + others * sizeof(BufferDescriptor);
}

}  // namespace tflite
