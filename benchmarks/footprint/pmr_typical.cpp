// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of arena_typical.cpp with `std::pmr::monotonic_buffer_resource`. Its bookkeeping lies on the stack. It has
// no overlay and no scope: planned buffers are one block, scratch is not given back.

#include <arenite/planner.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "typical.hpp"

namespace {

alignas(16) std::byte memory[typical::kPlan.size() + 512];

}  // namespace

// What the toolchain's start-up files would define, and the C++ library asks for.
extern "C" {
extern void* const __dso_handle;
void* const __dso_handle = nullptr;
}

int main() {
  using namespace typical;
  std::pmr::monotonic_buffer_resource arena(memory, sizeof memory, std::pmr::null_memory_resource());
  Filter* const filter = ::new (arena.allocate(sizeof(Filter), alignof(Filter))) Filter(input);
  void* const activations = arena.allocate(kPlan.size(), kPlan.alignment());
  auto* const image = static_cast<std::int8_t*>(activations) + kPlan.offset(0);
  void* const row = arena.allocate(kRow, 4);
  image[0] = static_cast<std::int8_t>(filter->gain);
  *static_cast<std::int32_t*>(row) = image[1];
  output = *static_cast<std::int32_t*>(row);
  return 0;
}
