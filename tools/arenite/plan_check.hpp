// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// All that is wrong with a plan, where others stop at the first fault: what `verify` prints, and `embed` looks at
/// before it writes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "json.hpp"
#include "model.hpp"
#include "problem.hpp"

namespace arenite::tool {

/// Where a plan puts things; -1: nowhere. What is below that is wrong.
using Offsets = std::vector<std::int64_t>;

/// One thing that is wrong.
struct Finding {
  std::string kind;              ///< "overlap", "misaligned" and so on.
  std::vector<std::size_t> ids;  ///< The buffers or tensors to blame.
  Json numbers;                  ///< An object; sizes and offsets in bytes.
  std::string text;              ///< One sentence with all of this.
};

/// Overlapping pairs that are listed as findings; all are counted.
inline constexpr std::size_t kMostOverlaps = 100;

/// What the check of a plan found.
struct PlanCheck {
  Offsets offsets;  ///< One for each buffer of the problem.
  std::vector<Finding> findings;
  std::size_t overlaps = 0;          ///< Pairs, listed or not.
  std::vector<std::string> remarks;  ///< What is no fault, but should be known; one sentence each.

  [[nodiscard]] bool good() const noexcept { return findings.empty(); }
  /// All faults, also those that are not listed.
  [[nodiscard]] std::size_t count() const noexcept {
    return findings.size() + (overlaps > kMostOverlaps ? overlaps - kMostOverlaps : 0);
  }
};

/// TFLM rounds tensors up to this and expects offsets at multiples of it.
inline constexpr std::size_t kTflmAlignment = 16;

/// The buffers of a model as TFLM has them without an offline plan: what the file says of offsets is passed over, and
/// tensors are rounded up to at least 16 bytes. \throws InputError
[[nodiscard]] Problem problem_without_plan(const Model& model, LoadOptions options);

/// The payload of `OfflineMemoryAllocation` for these offsets, one for each buffer of the problem: those of tensors are
/// in it, those of scratch are not. \throws InputError if an offset is above 2147483647.
[[nodiscard]] std::string payload_of(const Model& model, const Problem& problem, const Offsets& offsets);

/// Checks a payload, for a model and its buffers as `problem_without_plan` gives them. O(n log n). A capacity of zero
/// is none.
[[nodiscard]] PlanCheck check_payload(const Model& model, const Problem& problem, std::string_view payload,
                                      std::size_t capacity = 0);

/// Checks a plan that was read from a file of its own: its offsets, by the numbers of the buffers. Sizes and lifetimes
/// are those of the problem. `model` is null if the problem was not made from one.
/// \throws InputError if the plan gives no offsets, or has a number twice.
[[nodiscard]] PlanCheck check_plan(const Model* model, const Problem& problem, const Problem& plan,
                                   std::size_t capacity = 0);

/// Checks the offsets of a list of buffers.
[[nodiscard]] PlanCheck check_list(const Problem& problem, std::size_t capacity = 0);

/// What a good plan comes to. Sizes in bytes.
struct PlanSize {
  std::size_t size = 0;  ///< With what the device plans around it.
  std::size_t lower_bound = 0;
  std::size_t placed = 0;  ///< Buffers that the plan places.

  [[nodiscard]] bool proven() const noexcept { return size == lower_bound; }
};
[[nodiscard]] PlanSize size_of(const Problem& problem, const Offsets& offsets);

/// The findings, one a line, each behind `indent`, and how many are not listed.
[[nodiscard]] std::string text_of(const PlanCheck& check, const std::string& indent);

/// The findings as a list of objects.
[[nodiscard]] Json findings_of(const PlanCheck& check);

}  // namespace arenite::tool
