// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The twin of arena_typical.cpp with a lock around each call, which masks interrupts.

#include <arenite/adapters/synchronized.hpp>
#include <arenite/arenite.hpp>

#include <cstdint>

#include "typical.hpp"

namespace {

#if defined(__riscv)
struct MaskInterrupts {
  void lock() { asm volatile(".option push\n\t.option arch, +zicsr\n\tcsrci mstatus, 8\n\t.option pop" ::: "memory"); }
  void unlock() {
    asm volatile(".option push\n\t.option arch, +zicsr\n\tcsrsi mstatus, 8\n\t.option pop" ::: "memory");
  }
};
#elif defined(__arm__)
struct MaskInterrupts {
  void lock() { asm volatile("cpsid i" ::: "memory"); }
  void unlock() { asm volatile("cpsie i" ::: "memory"); }
};
#else
struct MaskInterrupts {
  void lock() {}
  void unlock() {}
};
#endif

arenite::Synchronized<arenite::Arena<typical::kPlan.size() + 512>, MaskInterrupts> arena;

}  // namespace

int main() {
  using namespace typical;
  Filter* const filter = arena.create<Filter>(input);
  if (filter == nullptr) return 1;

  const auto activations = arena.overlay(kPlan);
  auto* const image = activations.data<std::int8_t>(0);
  if (image == nullptr) return 1;

  int result = 1;
  arena.in_temp([&](auto& temp) {
    void* const row = temp.allocate(kRow, 4);
    if (row == nullptr) return;
    image[0] = static_cast<std::int8_t>(filter->gain);
    *static_cast<std::int32_t*>(row) = image[1];
    output = *static_cast<std::int32_t*>(row);
    result = 0;
  });
  return result;
}
