// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The memory of MLPerf Tiny's person detection model: planned by the compiler, placed in an arena of exactly the size
// it needs, and walked through step by step. The same source runs on the desk and on a microcontroller.

#include <arenite/arenite.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "buffers.hpp"

namespace {

using person_detection::kBuffers;

// The plan. No planner reaches the flash, only what the program reads of the result.
constexpr auto kPlan = arenite::plan(kBuffers);
constexpr auto kApart = arenite::plan<arenite::linear>(kBuffers);  // for comparison: every buffer has its own bytes

static_assert(kPlan.verify(kBuffers).ok(), "no two buffers that live at the same step share a byte");
static_assert(kPlan.size() == 73728, "what TensorFlow Lite Micro's planner needs for this model");
static_assert(kPlan.lower_bound() == 55296, "and what no plan can do without");

// Buffers that the program names. Any integer or enumerator is an index.
enum class Tensor : std::size_t { kImage = 0, kScores = kPlan.count() - 1 };

// What lives as long as the model does.
struct Model {
  std::int32_t inferences = 0;
  std::int32_t threshold = 0;
};
struct Channel {
  std::int32_t multiplier;
  std::int32_t shift;
};
constexpr std::size_t kChannels = 256;
constexpr std::size_t kRow = 96;  // accumulators that one operator works with

// Everything the program takes, in its order, counted by the compiler: so large is the arena, to the byte.
constexpr std::size_t arena_size() {
  arenite::DryRun run;
  run.create<Model>();
  run.create_array<Channel>(kChannels);
  run.overlay(kPlan);
  run.in_temp([](arenite::DryRun::Temp& temp) { temp.create_array<std::int32_t>(kRow); });
  return run.required();
}

arenite::Arena<arena_size()> arena;  // .bss: no flash, no start-up code

constexpr unsigned long as_long(std::size_t value) { return static_cast<unsigned long>(value); }

// The byte that buffer `index` has at `position`: different for each buffer, so that a foreign one shows.
constexpr std::uint8_t pattern(std::size_t index, std::size_t position) {
  return static_cast<std::uint8_t>(index * 37 + position * 11 + position / 256);
}

template <class Overlay>
bool holds_its_pattern(const Overlay& activations, std::size_t index) {
  const auto* const bytes = activations.template data<std::uint8_t>(index);
  for (std::size_t k = 0; bytes != nullptr && k < activations.size(index); ++k) {
    if (bytes[k] != pattern(index, k)) return false;
  }
  return bytes != nullptr;
}

// Runs the model as far as memory is concerned: each buffer is filled at its first step and checked at its last.
template <class Overlay>
bool walk(const Overlay& activations, arenite::Step last_step) {
  for (arenite::Step step = 0; step <= last_step; ++step) {
    for (std::size_t i = 0; i < kPlan.count(); ++i) {
      auto* const bytes = activations.template data<std::uint8_t>(i);
      if (bytes == nullptr) return false;
      for (std::size_t k = 0; kBuffers[i].first == step && k < activations.size(i); ++k) bytes[k] = pattern(i, k);
    }
    {
      auto temp = arena.temp();
      auto* const row = temp.create_array<std::int32_t>(kRow);
      if (row == nullptr) return false;
      for (std::size_t k = 0; k < kRow; ++k) row[k] = -1;
    }  // gone
    for (std::size_t i = 0; i < kPlan.count(); ++i) {
      if (kBuffers[i].last == step && !holds_its_pattern(activations, i)) {
        std::printf("step %lu: buffer %lu lost its bytes\n", as_long(step), as_long(i));
        return false;
      }
    }
  }
  return true;
}

// Steps downwards, addresses across: who has which bytes when.
void print_map(arenite::Step last_step) {
  constexpr std::size_t kColumns = 64;
  constexpr std::size_t kCell = (kPlan.size() + kColumns - 1) / kColumns;
  constexpr char kNames[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static_assert(kPlan.count() < sizeof(kNames));

  std::printf("\nstep  0 %*s %lu\n", static_cast<int>(kColumns - 9), "", as_long(kPlan.size()));
  for (arenite::Step step = 0; step <= last_step; ++step) {
    char line[kColumns + 1] = {};
    for (std::size_t column = 0; column < kColumns; ++column) {
      line[column] = '.';
      for (std::size_t i = 0; i < kPlan.count(); ++i) {
        const bool alive = kBuffers[i].first <= step && step <= kBuffers[i].last;
        if (alive && kPlan.offset(i) < (column + 1) * kCell && kPlan.end(i) > column * kCell) line[column] = kNames[i];
      }
    }
    std::printf("%4lu |%s|\n", as_long(step), line);
  }
  std::printf("one column is %lu bytes; a digit or letter is a buffer, a dot is free\n\n", as_long(kCell));
}

void print_region(const char* name, arenite::Region region) {
  std::printf("  %-8s %8lu %8lu %8lu\n", name, as_long(arena.used(region)), as_long(arena.peak(region)),
              as_long(arena.required(region)));
}

int fail(const char* what) {
  const arenite::Failure failure = arena.last_failure();
  std::printf("%s: %s; requested %lu, available %lu, missing %lu, required %lu\n", what, to_string(failure.what),
              as_long(failure.requested), as_long(failure.available), as_long(failure.missing),
              as_long(failure.required));
  return 1;
}

}  // namespace

int main() {
  auto* const model = arena.create<Model>();  // persistent, from the tail
  auto* const channels = arena.create_array<Channel>(kChannels);
  const auto activations = arena.overlay(kPlan);  // the planned region
  if (model == nullptr || channels == nullptr || !activations) return fail("set-up");

  const arenite::Step last_step = kBuffers[kPlan.count() - 1].last;
  std::printf("person detection (MLPerf Tiny): %lu buffers, %lu steps\n\n", as_long(kPlan.count()),
              as_long(last_step) + 1);
  std::printf("  no reuse    %8lu bytes\n", as_long(kApart.size()));
  std::printf("  planned     %8lu bytes\n", as_long(kPlan.size()));
  std::printf("  lower bound %8lu bytes, most alive at one step\n", as_long(kPlan.lower_bound()));
  print_map(last_step);

  if (!walk(activations, last_step)) return 1;
  model->inferences += 1;
  std::printf("walked through: all buffers kept their bytes from first step to last\n\n");

  std::printf("arena of %lu bytes at a multiple of %lu, bookkeeping %lu\n\n", as_long(arena.capacity()),
              as_long(arenite::kDefaultAlignment), as_long(sizeof(arenite::ArenaState)));
  std::printf("  region       used     peak required\n");
  print_region("head", arenite::Region::kHead);
  print_region("overlay", arenite::Region::kOverlay);
  print_region("temp", arenite::Region::kTemp);
  print_region("tail", arenite::Region::kTail);
  std::printf("  %-8s %8lu %8lu %8lu\n\n", "all", as_long(arena.used()), as_long(arena.peak()),
              as_long(arena.required()));

  auto* const scores = activations.data<std::int8_t>(Tensor::kScores, 2);  // null if it had no room for two
  std::printf("image at offset %lu, scores at offset %lu\n", as_long(kPlan.offset(Tensor::kImage)),
              as_long(kPlan.offset(Tensor::kScores)));
  return scores != nullptr && arena.required() == arena.capacity() && arena.check() ? 0 : fail("arena");
}
