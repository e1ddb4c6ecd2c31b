// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// An arena as a program uses it: a persistent object, planned buffers, scratch.

#include <arenite/arenite.hpp>

#include <cstdint>

#include "typical.hpp"

// What its variants have more.
#if !defined(OBSERVER)
#define OBSERVER arenite::DefaultObserver
#endif
#if !defined(AT_END)
#define AT_END
#endif

namespace {

arenite::Arena<typical::kPlan.size() + 512, arenite::kDefaultAlignment, OBSERVER> arena;

}  // namespace

int main() {
  using namespace typical;
  Filter* const filter = arena.create<Filter>(input);
  if (filter == nullptr) return 1;

  const auto activations = arena.overlay(kPlan);
  auto* const image = activations.data<std::int8_t>(0);
  if (image == nullptr) return 1;

  auto temp = arena.temp();
  void* const row = temp.allocate(kRow, 4);
  if (row == nullptr) return 1;

  image[0] = static_cast<std::int8_t>(filter->gain);
  *static_cast<std::int32_t*>(row) = image[1];
  output = *static_cast<std::int32_t*>(row);
  AT_END
  return 0;
}
