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
constexpr auto kUsage = arenite::usage(kPlan, kBuffers);           // all that there is to know of it, in numbers

static_assert(kPlan.verify(kBuffers).ok(), "no two buffers that live at the same step share a byte");
static_assert(kPlan.size() == 55296 && kPlan.proven(), "no plan can do with less");
static_assert(arenite::plan<arenite::greedy>(kBuffers).size() == 73728, "what TensorFlow Lite Micro's planner needs");

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

// Where all text goes, a character at a time: here to the console, elsewhere to a UART.
void put(char c) { std::putchar(c); }
constexpr arenite::Writer out(put);  // NOLINT(readability-identifier-naming): written to as a stream is

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
        out.text("step ").number(step).text(": buffer ").number(i).text(" lost its bytes\n");
        return false;
      }
    }
  }
  return true;
}

int fail(const char* what) {
  const arenite::Failure failure = arena.last_failure();
  out.text(what).text(": ").text(to_string(failure.what)).text("; requested ").number(failure.requested);
  out.text(", available ").number(failure.available).text(", missing ").number(failure.missing);
  out.text(", required ").number(failure.required).put('\n');
  return 1;
}

}  // namespace

int main() {
  auto* const model = arena.create<Model>();  // persistent, from the tail
  auto* const channels = arena.create_array<Channel>(kChannels);
  const auto activations = arena.overlay(kPlan);  // the planned region
  if (model == nullptr || channels == nullptr || !activations) return fail("set-up");

  const arenite::Step last_step = kBuffers[kPlan.count() - 1].last;
  out.text("person detection (MLPerf Tiny): ").number(kPlan.count()).text(" buffers, ");
  out.number(last_step + std::size_t{1}).text(" steps\n\n");
  out.text("  no reuse    ").number(kApart.size(), 8).text(" bytes\n");
  out.text("  planned     ").number(kPlan.size(), 8).text(" bytes\n");
  out.text("  lower bound ").number(kPlan.lower_bound(), 8).text(" bytes, most alive at one step, first at step ");
  out.number(kUsage.peak_step).text("\n\n");
  arenite::print_map(put, kPlan, kBuffers);

  if (!walk(activations, last_step)) return 1;
  model->inferences += 1;
  out.text("\nwalked through: all buffers kept their bytes from first step to last\n\n");

  arenite::print_usage(put, arena);
  out.text("beside it ").number(sizeof(arenite::ArenaState)).text(" bytes of bookkeeping\n\n");

  auto* const scores = activations.data<std::int8_t>(Tensor::kScores, 2);  // null if it had no room for two
  out.text("image at offset ").number(kPlan.offset(Tensor::kImage));
  out.text(", scores at offset ").number(kPlan.offset(Tensor::kScores)).put('\n');
  return scores != nullptr && arena.required() == arena.capacity() && arena.check() ? 0 : fail("arena");
}
