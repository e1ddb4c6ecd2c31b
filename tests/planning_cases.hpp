// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Lists of buffers with the right answers, worked out by hand: the same table serves the compiler, the host and the
/// emulated board. Offsets are those of `greedy` (largest first, of equal sizes the later-added first, each as low as
/// it fits) and of `linear` (in the order of the list, without reuse).

#include <arenite/buffer.hpp>
#include <arenite/status.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

#include "../examples/person_detection/buffers.hpp"

namespace planning {

using arenite::Buffer;
using arenite::Index;
using arenite::kMaxSize;
using arenite::Status;
using arenite::Step;

struct Row {
  Buffer buffer;  // bytes, first step, last step, alignment
  std::size_t greedy;
  std::size_t linear;
};

struct Answer {
  std::size_t greedy;  // size of the plan
  std::size_t linear;
  std::size_t lower_bound;
  std::size_t alignment;
};

template <std::size_t N>
struct Case {
  const char* name;
  Answer answer;
  std::array<Row, N> rows;

  constexpr std::array<Buffer, N> buffers() const {
    std::array<Buffer, N> result{};
    for (std::size_t i = 0; i < N; ++i) result[i] = rows[i].buffer;
    return result;
  }
};

template <std::size_t N>
constexpr Case<N> make_case(const char* name, const Answer& answer, const Row (&rows)[N]) {
  Case<N> result{name, answer, {}};
  for (std::size_t i = 0; i < N; ++i) result.rows[i] = rows[i];
  return result;
}

/// The buffers of a real model. Their sizes are multiples of 16, so without reuse one follows the other.
constexpr auto make_person_detection() {
  constexpr std::size_t kGreedy[] = {0,     55296, 36864, 0,    36864, 0,    18432, 0,     // 27648 ... 18432
                                     18432, 0,     9216,  0,    9216,                      // 4608 ... 2304
                                     0,     4608,  0,     4608, 0,     4608, 0,     4608,  // 4608 ...
                                     0,     4608,  0,     4608, 0,     2304, 0,            // ... 4608, 1152, 2304 ...
                                     2304,  0,     256,   0};                              // 256, 256, 16, 16
  constexpr std::size_t kCount = sizeof(kGreedy) / sizeof(kGreedy[0]);
  static_assert(kCount == sizeof(person_detection::kBuffers) / sizeof(Buffer));
  Case<kCount> result{"person detection", {73728, 259744, 55296, 16}, {}};
  std::size_t end = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    result.rows[i] = {person_detection::kBuffers[i], kGreedy[i], end};
    end += person_detection::kBuffers[i].size;
  }
  return result;
}

inline constexpr Step kLastStep = std::numeric_limits<Step>::max();

/// The largest power of two: an alignment that only the offset zero has.
inline constexpr std::size_t kTop = kMaxSize + 1;

// clang-format off
inline constexpr auto kCases = std::make_tuple(
    Case<0>{"empty list", {0, 0, 0, 1}, {}},
    make_case("one buffer", {100, 100, 100, 16}, {
        {{100, 3, 7}, 0, 0}}),
    make_case("one byte", {1, 1, 1, 1}, {
        {{1, 0, 0, 1}, 0, 0}}),

    // Reuse.
    make_case("the gap below is used", {180, 240, 180, 1}, {
        {{100, 0, 1, 1}, 0, 0},
        {{80, 1, 2, 1}, 100, 100},
        {{60, 2, 3, 1}, 0, 180}}),
    make_case("a part of a gap is used", {1000, 1900, 1000, 1}, {
        {{1000, 0, 2, 1}, 0, 0},
        {{400, 3, 6, 1}, 500, 1000},
        {{500, 3, 6, 1}, 0, 1400}}),
    make_case("later-added first, where earlier-added first would take 19", {13, 25, 13, 1}, {
        {{7, 0, 1, 1}, 0, 0},
        {{6, 4, 4, 1}, 6, 7},
        {{6, 1, 3, 1}, 7, 13},
        {{6, 2, 4, 1}, 0, 19}}),
    make_case("chain of equal sizes", {128, 320, 128, 16}, {
        {{64, 0, 1}, 0, 0},
        {{64, 1, 2}, 64, 64},
        {{64, 2, 3}, 0, 128},
        {{64, 3, 4}, 64, 192},
        {{64, 4, 5}, 0, 256}}),
    make_case("chain of two sizes", {96, 256, 96, 16}, {
        {{64, 0, 1}, 0, 0},
        {{32, 1, 2}, 64, 64},
        {{64, 2, 3}, 0, 96},
        {{32, 3, 4}, 64, 160},
        {{64, 4, 5}, 0, 192}}),
    make_case("two deaths at the same step", {16, 32, 16, 1}, {
        {{8, 0, 2, 1}, 8, 0},
        {{8, 1, 2, 1}, 0, 8},
        {{16, 3, 3, 1}, 0, 16}}),
    make_case("input, output and scratch of one operator", {112, 112, 112, 1}, {
        {{64, 0, 1, 1}, 0, 0},
        {{32, 1, 2, 1}, 64, 64},
        {{16, 1, 1, 1}, 96, 96}}),
    make_case("input dies at once", {200, 400, 200, 1}, {
        {{100, 0, 0, 1}, 100, 0},
        {{100, 0, 1, 1}, 0, 100},
        {{100, 1, 2, 1}, 100, 200},
        {{100, 2, 3, 1}, 0, 300}}),
    make_case("input is kept", {300, 400, 300, 1}, {
        {{100, 0, 3, 1}, 200, 0},
        {{100, 0, 1, 1}, 0, 100},
        {{100, 1, 2, 1}, 100, 200},
        {{100, 2, 3, 1}, 0, 300}}),
    make_case("phases", {2940, 3860, 2940, 1}, {
        {{920, 0, 1, 1}, 1200, 0},
        {{920, 0, 0, 1}, 0, 920},
        {{820, 1, 1, 1}, 2120, 1840},
        {{1200, 1, 1, 1}, 0, 2660}}),
    make_case("nested lifetimes", {150, 150, 150, 1}, {
        {{50, 4, 5, 1}, 100, 0},
        {{100, 0, 9, 1}, 0, 50}}),
    make_case("all alive at the same time", {100, 100, 100, 1}, {
        {{10, 0, 9, 1}, 90, 0},
        {{20, 0, 9, 1}, 70, 10},
        {{30, 0, 9, 1}, 40, 30},
        {{40, 0, 9, 1}, 0, 60}}),
    make_case("the lowest gap, not the tightest", {108, 118, 108, 1}, {
        {{30, 0, 1, 1}, 0, 0},
        {{28, 1, 9, 1}, 30, 30},
        {{26, 0, 1, 1}, 58, 58},
        {{24, 1, 9, 1}, 84, 84},
        {{10, 3, 4, 1}, 0, 108}}),

    // Lifetimes are inclusive at both ends.
    make_case("lifetimes that touch", {200, 200, 200, 1}, {
        {{100, 0, 1, 1}, 100, 0},
        {{100, 1, 2, 1}, 0, 100}}),
    make_case("lifetimes that do not touch", {100, 200, 100, 1}, {
        {{100, 0, 1, 1}, 0, 0},
        {{100, 2, 3, 1}, 0, 100}}),
    make_case("the last of all steps", {40, 40, 40, 1}, {
        {{16, kLastStep, kLastStep, 1}, 16, 0},
        {{16, kLastStep - 1, kLastStep, 1}, 0, 16},
        {{8, 0, kLastStep, 1}, 32, 32}}),
    make_case("the first and the last of all steps", {16, 32, 16, 1}, {
        {{16, 0, 0, 1}, 0, 0},
        {{16, kLastStep, kLastStep, 1}, 0, 16}}),

    // Equal sizes: the later-added first.
    make_case("equal sizes", {24, 24, 24, 1}, {
        {{8, 0, 0, 1}, 16, 0},
        {{8, 0, 0, 1}, 8, 8},
        {{8, 0, 0, 1}, 0, 16}}),
    make_case("equal sizes, mixed", {48, 48, 48, 1}, {
        {{8, 0, 0, 1}, 40, 0},
        {{16, 0, 0, 1}, 16, 8},
        {{8, 0, 0, 1}, 32, 24},
        {{16, 0, 0, 1}, 0, 32}}),

    // Alignment.
    make_case("alignment 1", {6, 6, 6, 1}, {
        {{3, 0, 1, 1}, 3, 0},
        {{3, 0, 1, 1}, 0, 3}}),
    make_case("alignment 2", {7, 7, 7, 2}, {
        {{3, 0, 1, 2}, 4, 0},
        {{3, 0, 1, 2}, 0, 4}}),
    make_case("alignment 16, the default", {19, 19, 19, 16}, {
        {{3, 0, 1}, 16, 0},
        {{3, 0, 1}, 0, 16}}),
    make_case("one alignment of 16", {48, 48, 36, 16}, {
        {{20, 0, 0, 16}, 0, 0},
        {{16, 0, 0, 16}, 32, 32}}),
    make_case("one alignment of 64", {80, 80, 36, 64}, {
        {{20, 0, 0, 16}, 0, 0},
        {{16, 0, 0, 64}, 64, 64}}),
    make_case("alignment above the offset", {1025, 1025, 3, 1024}, {
        {{2, 0, 0, 1}, 0, 0},
        {{1, 0, 0, 1024}, 1024, 1024}}),
    make_case("alignment above the offset, first of equal sizes", {2, 1025, 2, 1024}, {
        {{1, 0, 0, 1}, 1, 0},
        {{1, 0, 0, 1024}, 0, 1024}}),
    make_case("alignment above all others", {1, 1, 1, kTop}, {
        {{1, 0, 0, kTop}, 0, 0}}),
    make_case("alignment above all others but one", {kTop / 2 + 1, kTop / 2 + 1, 3, kTop / 2}, {
        {{2, 0, 0, 1}, 0, 0},
        {{1, 0, 0, kTop / 2}, kTop / 2, kTop / 2}}),
    make_case("a gap that fits", {38, 58, 38, 1}, {
        {{20, 0, 1, 1}, 0, 0},
        {{18, 1, 5, 1}, 20, 20},
        {{12, 2, 9, 1}, 0, 38},
        {{8, 3, 3, 1}, 12, 50}}),
    make_case("a gap that is one byte too small", {47, 59, 39, 1}, {
        {{20, 0, 1, 1}, 0, 0},
        {{18, 1, 5, 1}, 20, 20},
        {{12, 2, 9, 1}, 0, 38},
        {{9, 3, 3, 1}, 38, 50}}),
    make_case("a gap that is too small once aligned", {48, 64, 38, 8}, {
        {{20, 0, 1, 1}, 0, 0},
        {{18, 1, 5, 1}, 20, 20},
        {{12, 2, 9, 1}, 0, 38},
        {{8, 3, 3, 8}, 40, 56}}),
    make_case("a gap that fits once aligned", {38, 60, 38, 8}, {
        {{20, 0, 1, 1}, 0, 0},
        {{18, 1, 5, 1}, 20, 20},
        {{12, 2, 9, 1}, 0, 38},
        {{4, 3, 3, 8}, 16, 56}}),
    make_case("padding can make the largest first the worse order", {20, 17, 17, 4}, {
        {{8, 0, 0, 4}, 12, 0},
        {{9, 0, 0, 4}, 0, 8}}),

    // Nothing takes no memory.
    make_case("zero bytes between others", {100, 200, 100, 1}, {
        {{100, 0, 1, 1}, 0, 0},
        {{0, 0, 1, 64}, 0, 0},
        {{100, 2, 3, 1}, 0, 100}}),
    make_case("zero bytes only", {0, 0, 0, 1}, {
        {{0, 0, 0, 1}, 0, 0},
        {{0, 0, kLastStep, 4}, 0, 0}}),
    make_case("zero bytes that are aligned for more than all others", {16, 16, 16, 4}, {
        {{0, 0, 0, 4096}, 0, 0},
        {{16, 0, 0, 4}, 0, 0}}),
    make_case("zero bytes at the largest alignment, last", {19, 19, 19, 8}, {
        {{8, 0, 0, 8}, 8, 0},
        {{8, 0, 0, 2}, 0, 8},
        {{3, 0, 0, 1}, 16, 16},
        {{0, 0, 0, kTop}, 0, 0}}),

    // As large as it gets.
#if SIZE_MAX > 0xFFFFFFFF
    make_case("two buffers of 3 GiB", {6442450944, 6442450944, 6442450944, 16}, {
        {{3221225472, 0, 0}, 3221225472, 0},
        {{3221225472, 0, 0}, 0, 3221225472}}),
#endif
    make_case("the whole address space", {kMaxSize, kMaxSize, kMaxSize, 1}, {
        {{1, 0, 0, 1}, kMaxSize - 1, 0},
        {{kMaxSize - 1, 0, 0, 1}, 0, 1}}),
    make_case("two halves of the address space", {kMaxSize - 1, kMaxSize - 1, kMaxSize - 1, 1}, {
        {{kMaxSize / 2, 0, 0, 1}, kMaxSize / 2, 0},
        {{kMaxSize / 2, 0, 0, 1}, 0, kMaxSize / 2}}),

    make_person_detection());
// clang-format on

/// Lists that every strategy refuses.
template <std::size_t N>
struct RefusedCase {
  const char* name;
  Status status;
  Index culprit;
  std::array<Buffer, N> buffers;
};

template <std::size_t N>
constexpr RefusedCase<N> make_refused(const char* name, Status status, Index culprit, const Buffer (&buffers)[N]) {
  RefusedCase<N> result{name, status, culprit, {}};
  for (std::size_t i = 0; i < N; ++i) result.buffers[i] = buffers[i];
  return result;
}

inline constexpr std::size_t kSizeMax = std::numeric_limits<std::size_t>::max();

// clang-format off
inline constexpr auto kRefused = std::make_tuple(
    make_refused("a lifetime that ends before it begins", Status::kInvalidLifetime, 0, {{4, 5, 3}}),
    make_refused("a lifetime that ends one step before it begins", Status::kInvalidLifetime, 1,
                 {{4, 0, 1}, {4, 5, 4}, {4, 5, 5}}),
    make_refused("a lifetime that wraps", Status::kInvalidLifetime, 0, {{4, kLastStep, 0}}),
    make_refused("zero bytes, and a lifetime that ends before it begins", Status::kInvalidLifetime, 0, {{0, 1, 0}}),
    make_refused("alignment 0", Status::kInvalidAlignment, 1, {{8, 0, 0}, {8, 0, 0, 0}}),
    make_refused("alignment 6", Status::kInvalidAlignment, 0, {{8, 0, 0, 6}, {8, 0, 0}}),
    make_refused("alignment 24", Status::kInvalidAlignment, 2, {{8, 0, 0}, {8, 0, 0}, {8, 0, 0, 24}}),
    make_refused("alignment of all ones", Status::kInvalidAlignment, 0, {{8, 0, 0, kSizeMax}}),
    make_refused("zero bytes, and alignment 3", Status::kInvalidAlignment, 0, {{0, 0, 0, 3}}),
    make_refused("the first of several faults", Status::kInvalidAlignment, 1,
                 {{4, 0, 0}, {4, 0, 0, 3}, {4, 3, 2}, {kSizeMax, 0, 0}}),
    make_refused("a size above all", Status::kSizeOverflow, 1, {{8, 0, 0}, {kSizeMax, 0, 0, 1}}),
    make_refused("a size one above the largest", Status::kSizeOverflow, 0, {{kMaxSize + 1, 0, 0, 1}}),
    make_refused("a sum one above the largest", Status::kSizeOverflow, arenite::kNoIndex,
                 {{kMaxSize, 0, 0, 1}, {1, 0, 0, 1}}),
    make_refused("a sum that wraps", Status::kSizeOverflow, arenite::kNoIndex,
                 {{kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}, {kMaxSize, 0, 0, 1}}),
    make_refused("two halves, rounded up, of the address space", Status::kSizeOverflow, arenite::kNoIndex,
                 {{kMaxSize / 2 + 1, 0, 0, 1}, {kMaxSize / 2 + 1, 0, 0, 1}}),
    make_refused("a padding that ends above the largest size", Status::kSizeOverflow, arenite::kNoIndex,
                 {{2, 0, 0, 1}, {1, 0, 0, kTop}}),
#if SIZE_MAX <= 0xFFFFFFFF
    make_refused("3 GiB where addresses have 32 bits", Status::kSizeOverflow, 0, {{3221225472, 0, 0}}),
#endif
    make_refused("a whole address space, and a padded byte", Status::kSizeOverflow, arenite::kNoIndex,
                 {{kMaxSize, 0, 0, 1}, {1, 0, 0, kTop / 2}}));
// clang-format on

/// Calls `check` with each case of a table.
template <class Table, class Check>
constexpr void for_each_case(const Table& table, const Check& check) {
  std::apply([&check](const auto&... cases) { (check(cases), ...); }, table);
}

}  // namespace planning
