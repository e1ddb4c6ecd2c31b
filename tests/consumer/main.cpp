// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A user's program: a plan made by the compiler, in an arena. Its exit code says whether all was well.

#include <arenite/arenite.hpp>

namespace {

constexpr arenite::Buffer kBuffers[] = {
    // bytes, first step, last step
    {27648, 0, 1},
    {55296, 1, 2},
    {18432, 2, 3},
};
constexpr auto kPlan = arenite::plan(kBuffers);
static_assert(kPlan.size() == 27648 + 55296);

arenite::Arena<kPlan.size() + 512> arena;

}  // namespace

int main() {
  auto activations = arena.overlay(kPlan);
  auto* counter = arena.create<int>(41);
  auto temp = arena.temp();
  auto* row = temp.create_array<unsigned char>(96);
  auto* image = activations.data<signed char>(0);
  return counter != nullptr && row != nullptr && image != nullptr && ++*counter == 42 ? 0 : 1;
}
