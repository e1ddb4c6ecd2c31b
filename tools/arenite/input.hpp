// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Files in: whatever a command is given becomes a `Problem`.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problem.hpp"

namespace arenite::tool {

/// What a kernel asks for on the device, and what only the device knows.
struct Scratch {
  std::size_t subgraph = 0;
  std::size_t op = 0;  ///< In the order of execution, in its subgraph.
  std::size_t bytes = 0;
};

struct LoadOptions {
  /// Bytes; a power of two. Of buffers that do not say. The tensors of a model are rounded up to it, as TFLM does.
  std::size_t alignment = 16;
  std::vector<Scratch> scratch;  ///< For a model only.
  bool offline_plan = true;      ///< Of a model: that the plan it carries says where buffers lie.
  std::string trace;             ///< A file: what TFLM's planner printed for this model. Empty: none.
};

/// Reads a whole file, or standard input for "-". \throws InputError if it cannot be read, or has 2 GiB or more.
[[nodiscard]] std::string read_file(const std::string& path);

/// Writes a whole file. \throws InputError if that fails.
void write_file(const std::string& path, const std::string& bytes);

/// Whether a file is a model: by its identifier, or by its name.
[[nodiscard]] bool is_model(const std::string& name, const std::string& bytes);

/// Reads a model (.tflite), a list or plan as CSV, or a plan as JSON: what it is, its first bytes tell.
/// \throws InputError
[[nodiscard]] Problem load(const std::string& path, const LoadOptions& options = {});

/// Likewise from bytes that are called `name` in messages.
[[nodiscard]] Problem load_bytes(const std::string& name, const std::string& bytes, const LoadOptions& options = {});

}  // namespace arenite::tool
