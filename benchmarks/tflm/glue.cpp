// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What TFLM's planner and allocator call, written anew: its own memory_helpers.cc needs FlatBuffers, generated code and
// half of the framework. As there, any alignment is allowed, and each call divides.

#include <tensorflow/lite/micro/memory_helpers.h>

#include <cstddef>
#include <cstdint>

namespace tflite {

std::uint8_t* AlignPointerUp(std::uint8_t* data, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return reinterpret_cast<std::uint8_t*>((address + (alignment - 1)) / alignment * alignment);
}

std::uint8_t* AlignPointerDown(std::uint8_t* data, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return reinterpret_cast<std::uint8_t*>(address / alignment * alignment);
}

std::size_t AlignSizeUp(std::size_t size, std::size_t alignment) {
  return (size + (alignment - 1)) / alignment * alignment;
}

}  // namespace tflite
