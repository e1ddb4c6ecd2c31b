// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A model with another offline plan in it, and everything else as it was, byte for byte.

#include <string>
#include <string_view>

#include "model.hpp"

namespace arenite::tool {

struct PatchedModel {
  std::string bytes;      ///< The file.
  bool replaced = false;  ///< There was a plan before.
  bool in_place = false;  ///< The payload of the plan that was there is overwritten; no other byte has changed.
};

/// Makes this payload the model's metadata `OfflineMemoryAllocation`: the only one of that name, with its bytes aligned
/// to 16 in the file.
///
/// A payload that is there already is overwritten if it has the same length, is aligned, and belongs to nobody else.
/// Otherwise the file gets a new beginning of a multiple of 16 bytes: the root with the lists of buffers and of
/// metadata, and the plan. The old file follows it unchanged, as the offsets in a FlatBuffer point forward. So weights
/// are not touched and keep their alignment.
///
/// \throws InputError if a new beginning is needed, and the root has fields that are not known here, data lies outside
/// of the FlatBuffer, or the file would become too large.
[[nodiscard]] PatchedModel with_offline_plan(const Model& model, std::string_view payload);

}  // namespace arenite::tool
