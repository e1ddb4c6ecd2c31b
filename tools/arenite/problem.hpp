// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What all commands work on: a list of buffers to be planned, and what people call them. Made from a model, a CSV or
/// JSON file or a trace; plain data.

#include <arenite/buffer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace arenite::tool {

enum class Role {
  kBuffer,      ///< Of a list that says no more.
  kInput,       ///< Of the model.
  kOutput,      ///< Of the model.
  kActivation,  ///< Any other tensor that is computed.
  kScratch,     ///< Asked for by a kernel, for one operator.
};

/// A step at which an operator touches a buffer.
struct Use {
  Step step = 0;
  bool writes = false;
};

/// What people know of a buffer.
struct Row {
  std::size_t id = 0;  ///< In a model the number of the tensor, counted through all subgraphs, and then the scratch.
  std::string name;    ///< Never empty.
  Role role = Role::kBuffer;
  std::size_t bytes = 0;  ///< As asked for; the buffer's size may be rounded up.
  std::vector<Use> uses;  ///< By step; empty if not known.
};

/// What a .tflite file holds beside the buffers. Sizes in bytes.
struct ModelFacts {
  std::size_t weights = 0;    ///< Constants: stay in flash.
  std::size_t variables = 0;  ///< Persistent: in the arena, but not in the plan. Each rounded up as TFLM does.
  std::size_t subgraphs = 0;
  std::size_t operators = 0;
  std::size_t tensors = 0;  ///< Of all subgraphs.
  bool scratch_given = false;
  bool has_offline_plan = false;
};

struct Problem {
  std::string source;  ///< The file, as messages name it.
  std::vector<Buffer> buffers;
  std::vector<Row> rows;           ///< One for each buffer.
  std::vector<std::string> steps;  ///< What happens at each step, such as "2 CONV_2D"; empty if not known.
  std::optional<ModelFacts> model;
  /// Where the file says that the buffers lie: empty, or one for each buffer, which may have none.
  std::vector<std::optional<std::size_t>> offsets;
  std::vector<std::string> notes;  ///< What the reader of an answer should know, one sentence each.

  [[nodiscard]] BufferList list() const noexcept { return {buffers.data(), buffers.size()}; }
};

}  // namespace arenite::tool
