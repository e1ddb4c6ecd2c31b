// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The answer of `plan` and `trace`: a layout in words and numbers, and the plan in a file.

#include <ostream>
#include <string>

#include "commands.hpp"
#include "layout.hpp"
#include "problem.hpp"

namespace arenite::tool {

/// What both commands are asked, beside where the buffers come from.
struct AnswerOptions {
  LayoutOptions layout;
  Format format = Format::kText;
  std::string output;
  std::string kind;
};

/// Plans, prints the answer and writes the plan. `kNo` if it does not fit into the capacity.
int answer(const Problem& problem, const AnswerOptions& options, Streams& streams);

/// One line on a terminal about a search that takes long, rewritten in place.
class ProgressLine {
 public:
  explicit ProgressLine(std::ostream& out) : out_(out) {}

  /// Shows it, from half a second on and ten times a second at most.
  void show(const host::SearchProgress& progress);
  /// Takes the line back.
  void clear();

 private:
  std::ostream& out_;
  double next_ = 0.5;
  bool shown_ = false;
};

/// Plans, and shows the best size so far while it takes long and somebody is there to see it.
[[nodiscard]] Layout layout_with_progress(const Problem& problem, LayoutOptions options, Streams& streams);

}  // namespace arenite::tool
