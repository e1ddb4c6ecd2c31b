// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Recorded requests for memory: what TensorFlow Lite Micro's planner prints (`PrintMemoryPlan`), or this library's
/// trace observer (`print_event`).

#include <string>

#include "input.hpp"
#include "problem.hpp"

namespace arenite::tool {

/// The buffers that were asked for. Lines of other kinds are passed over, and so is what a log puts in front of a line
/// or behind it.
///
/// Of TFLM's planner each line `a (id=0): size=27648, offset=0, first_used=0 last_used=1` is a buffer, with the offset
/// that it got there. Of several plans, each from id 0 on, it is the last one. Where TFLM says -1, before the first
/// step, all steps are one later here, as `problem_of` has them too.
///
/// Of an arena's trace each line is a step, and each request granted is a buffer that lives from its line to the one
/// that gives its bytes back, or to the end. Plans that share the overlay are one buffer, as large as the largest.
///
/// \throws InputError if there is no such line, if one of them makes no sense, or if lines are missing: what is given
/// back is not what was asked for, or bytes are granted twice.
[[nodiscard]] Problem read_trace(const std::string& name, const std::string& text, const LoadOptions& options);

/// Adds the scratch of a trace to the buffers of the model that it was made with: what comes behind them. Nothing if
/// it is there already.
/// \throws InputError if the first rows of the trace are not the buffers of the model.
void add_scratch(Problem& model, const Problem& trace);

}  // namespace arenite::tool
