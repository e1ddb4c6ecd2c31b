// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Plans by name: a strategy is chosen on the command line and answers with a layout.

#include <arenite/host/search.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "problem.hpp"

namespace arenite::tool {

/// Where all buffers of a problem lie. Sizes in bytes.
struct Layout {
  std::string strategy;
  std::vector<std::size_t> offsets;  ///< One for each buffer.
  std::size_t size = 0;              ///< The highest end of a buffer.
  std::size_t alignment = 1;         ///< Of the whole block.
  std::size_t lower_bound = 0;       ///< No plan is smaller.

  [[nodiscard]] bool proven() const noexcept { return size == lower_bound; }
};

struct LayoutOptions {
  std::string strategy = "search";
  std::size_t capacity = 0;  ///< Bytes that there are, by which the plan is judged; zero: not given.
  double seconds = 0;        ///< Time limit of a search; zero: until its budget of work is spent.
  std::function<bool(const host::SearchProgress&)> progress = nullptr;
};

/// A strategy and what it is, for `--help` and menus.
struct StrategyName {
  const char* name;
  const char* what;
};

/// All strategies that `make_layout` knows, the best first: search, best_of_eight, greedy, linear; and `given`: where
/// the file says.
[[nodiscard]] const std::vector<StrategyName>& strategies();

/// Plans the buffers. The lower bound of each layout is the largest that is known without a search.
///
/// \throws InputError if the list cannot be planned (names the buffer), if the strategy is `given` and the file gives
/// no offset for some buffer or they are not sound, or if there is no such strategy.
[[nodiscard]] Layout make_layout(const Problem& problem, const LayoutOptions& options = {});

/// "proven best", or how far from it a plan may be.
[[nodiscard]] std::string proof_of(std::size_t size, std::size_t lower_bound);

/// What TensorFlow Lite Micro would make of it on the device: its greedy planner, around the offsets that the file
/// gives.
[[nodiscard]] Layout tflm_layout(const Problem& problem);

/// The most bytes alive at one step, the first such step, and the buffers alive there, the largest first.
struct Peak {
  std::size_t bytes = 0;
  Step step = 0;
  std::vector<std::size_t> alive;
};
[[nodiscard]] Peak peak_of(const Problem& problem);

}  // namespace arenite::tool
