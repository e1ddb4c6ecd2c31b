// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The commands of the tool: what each is given, and one function each that does it and returns the exit code. Bad
/// input is thrown as `InputError`.

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "input.hpp"
#include "layout.hpp"

namespace arenite::tool {

/// 0: done, and the answer is yes. 1: the answer is no. 2: bad usage or input.
enum ExitCode { kYes = 0, kNo = 1, kBad = 2 };

enum class Format { kText, kJson };

/// Where a command writes. `terminal`: somebody looks at `err` while it runs.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;
};

struct PlanArguments {
  std::string input;
  LoadOptions load;
  LayoutOptions layout;
  Format format = Format::kText;
  std::string output;  ///< Where the plan goes; empty: nowhere.
  std::string kind;    ///< csv, json, cpp or tflm; empty: by the name of the output.
};
int run_plan(const PlanArguments& arguments, Streams& streams);

struct MapArguments {
  std::string input;
  LoadOptions load;
  LayoutOptions layout;
  Format format = Format::kText;
  std::string output;  ///< *.svg or *.html; empty: onto the terminal.
  std::string title;   ///< Over the picture; empty: the name of the file.
};
int run_map(const MapArguments& arguments, Streams& streams);

struct EmbedArguments {
  std::string input;
  LoadOptions load;
  LayoutOptions layout;
  Format format = Format::kText;
  std::string plan;  ///< A plan file; empty: make one.
  std::string output;
};
int run_embed(const EmbedArguments& arguments, Streams& streams);

struct VerifyArguments {
  std::string input;
  LoadOptions load;
  Format format = Format::kText;
  std::string plan;  ///< A plan file; empty: the one in the input.
  std::size_t capacity = 0;
};
int run_verify(const VerifyArguments& arguments, Streams& streams);

struct CompareArguments {
  std::vector<std::string> inputs;  ///< One or two.
  LoadOptions load;
  LayoutOptions layout;
  std::vector<std::string> strategies;  ///< None, or one for each side.
  Format format = Format::kText;
};
int run_compare(const CompareArguments& arguments, Streams& streams);

struct CheckArguments {
  std::vector<std::string> inputs;
  LoadOptions load;
  LayoutOptions layout;
  std::size_t budget = 0;
  Format format = Format::kText;
};
int run_check(const CheckArguments& arguments, Streams& streams);

struct TraceArguments {
  std::string input;
  LoadOptions load;
  LayoutOptions layout;
  Format format = Format::kText;
  std::string output;
  std::string kind;
};
int run_trace(const TraceArguments& arguments, Streams& streams);

/// Reads the command line and runs the command.
int run(int argc, const char* const* argv, Streams& streams);

}  // namespace arenite::tool
