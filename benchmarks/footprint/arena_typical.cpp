// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// An arena as a program uses it: a persistent object, planned buffers, scratch.

#include <arenite/arenite.hpp>

#include <cstddef>
#include <cstdint>

namespace {

constexpr arenite::Buffer kBuffers[] = {
    {27648, 0, 1},
    {55296, 1, 2},
    {18432, 2, 3},
};
constexpr auto kPlan = arenite::plan(kBuffers);

struct Filter {
  explicit Filter(std::int32_t gain_at_start) noexcept : gain(gain_at_start) {}
  std::int32_t gain;
  std::int32_t state = 0;
};

#if !defined(OBSERVER)
#define OBSERVER arenite::DefaultObserver
#endif
arenite::Arena<kPlan.size() + 512, arenite::kDefaultAlignment, OBSERVER> arena;

// What the compiler may not know.
volatile std::int32_t input;
volatile std::int32_t output;

}  // namespace

int main() {
  Filter* const filter = arena.create<Filter>(input);
  if (filter == nullptr) return 1;

  const auto activations = arena.overlay(kPlan);
  auto* const image = activations.data<std::int8_t>(0);
  if (image == nullptr) return 1;

  auto temp = arena.temp();
  void* const row = temp.allocate(96 * sizeof(std::int32_t), 4);
  if (row == nullptr) return 1;

  image[0] = static_cast<std::int8_t>(filter->gain);
  *static_cast<std::int32_t*>(row) = image[1];
  output = *static_cast<std::int32_t*>(row);
  return 0;
}
