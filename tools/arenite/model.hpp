// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A .tflite file that has been looked through: every table and index in it that is used here is sound.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "problem.hpp"
#include "tflite_generated.h"

namespace arenite::tool {

/// The name of TensorFlow Lite Micro's entry of metadata for plans.
inline constexpr std::string_view kOfflinePlanName = "OfflineMemoryAllocation";

class Model {
 public:
  /// Copies the bytes to where they are aligned, verifies them as a FlatBuffer, and checks every index and size that
  /// the tool will use. \throws InputError
  Model(const std::string& file, std::string_view bytes);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return {reinterpret_cast<const char*>(bytes_.get()), size_}; }
  [[nodiscard]] const tflite::Model& root() const noexcept { return *root_; }

  [[nodiscard]] std::size_t subgraph_count() const noexcept;
  [[nodiscard]] const tflite::SubGraph& subgraph(std::size_t index) const noexcept;
  [[nodiscard]] std::size_t tensor_count(std::size_t subgraph) const noexcept;
  [[nodiscard]] std::size_t operator_count(std::size_t subgraph) const noexcept;
  [[nodiscard]] std::size_t tensor_count() const noexcept;  ///< Of all subgraphs.
  /// The first tensor of a subgraph, in the count of all.
  [[nodiscard]] std::size_t first_tensor(std::size_t subgraph) const noexcept;

  [[nodiscard]] const tflite::Tensor& tensor(std::size_t subgraph, std::size_t index) const noexcept;
  /// "tensor 3 'conv'", with the subgraph where there are several: for messages.
  [[nodiscard]] std::string place_of_tensor(std::size_t subgraph, std::size_t index) const;
  /// Its name, or a number where it has none.
  [[nodiscard]] std::string name_of_tensor(std::size_t subgraph, std::size_t index) const;
  /// Bytes as TFLM counts them, not rounded up.
  [[nodiscard]] std::size_t bytes_of_tensor(std::size_t subgraph, std::size_t index) const;
  /// Whether the file has data for it. Bytes of these, or nothing.
  [[nodiscard]] bool is_constant(const tflite::Tensor& tensor) const noexcept;
  [[nodiscard]] tflite::BuiltinOperator code_of(const tflite::Operator& op) const noexcept;
  /// "CONV_2D", or the name of a custom operator.
  [[nodiscard]] std::string name_of_operator(const tflite::Operator& op) const;

  /// The payload of the metadata `OfflineMemoryAllocation`, if there is such an entry. \throws InputError if there are
  /// two.
  [[nodiscard]] std::optional<std::string_view> offline_plan() const;

 private:
  std::string file_;
  std::vector<std::size_t> first_tensor_;  // of each subgraph, and behind the last
  std::size_t size_ = 0;
  std::unique_ptr<std::uint8_t[]> bytes_;
  const tflite::Model* root_ = nullptr;
};

/// The buffers that TFLM asks its planner for, in its order, with the lifetimes that it gives them.
/// \throws InputError
[[nodiscard]] Problem problem_of(const Model& model, const LoadOptions& options);

}  // namespace arenite::tool
