// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Plans as files.

#include <cstddef>
#include <string>

#include "layout.hpp"
#include "problem.hpp"

namespace arenite::tool {

/// The plan as csv, json, cpp or tflm. An empty kind is taken from the name of the file: .csv, .json, .hpp or .h.
/// \throws InputError if the name does not tell, or the kind cannot hold the plan.
[[nodiscard]] std::string plan_file(const Problem& problem, const Layout& layout, const std::string& output,
                                    const std::string& kind);

/// The longest list whose plan the compiler checks in the header: clang++ ends a constant expression after 2^20 steps,
/// which some lists of 900 buffers reach, and g++ much later.
inline constexpr std::size_t kMostChecked = 512;

/// A header with the list of buffers and its finished plan as constants, for use with this library: no planner in the
/// program, and a `static_assert` that the plan is sound. Inputs and outputs of a model, and the buffers of a list that
/// have names, have their indices as constants too. A target that is too small for the plan is refused by the compiler.
/// \throws InputError if there are no buffers.
[[nodiscard]] std::string cpp_of(const Problem& problem, const Layout& layout, const std::string& output);

/// A header with a `tflite::BufferPlan`, for TensorFlow Lite Micro's `NonPersistentMemoryPlannerShim`.
/// \throws InputError if an offset is above 2147483647, or if the model carries an offline plan, which that planner
/// does not take.
[[nodiscard]] std::string buffer_plan_of(const Problem& problem, const Layout& layout, const std::string& output);

}  // namespace arenite::tool
