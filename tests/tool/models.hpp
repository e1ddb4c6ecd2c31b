// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Small models for tests, made by FlatBuffers' own builder.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tflite_generated.h"

namespace arenite::tool::test {

using Indices = std::vector<std::int32_t>;

/// A model with one subgraph after the other; what is added goes into the last one. The parts are there to be bent.
class ModelBuilder {
 public:
  ModelBuilder() {
    parts.version = 3;
    parts.buffers.push_back(std::make_unique<tflite::BufferT>());  // number 0 is empty, by convention
    subgraph();
  }

  /// Begins another subgraph; returns its number.
  std::int32_t subgraph(const std::string& name = "") {
    parts.subgraphs.push_back(std::make_unique<tflite::SubGraphT>());
    parts.subgraphs.back()->name = name;
    return static_cast<std::int32_t>(parts.subgraphs.size()) - 1;
  }

  /// Adds a tensor without data; returns its number in the subgraph.
  std::int32_t tensor(Indices shape, std::string name = "", tflite::TensorType type = tflite::TensorType::INT8) {
    auto tensor = std::make_unique<tflite::TensorT>();
    tensor->shape = std::move(shape);
    tensor->name = std::move(name);
    tensor->type = type;
    current().tensors.push_back(std::move(tensor));
    return static_cast<std::int32_t>(current().tensors.size()) - 1;
  }

  /// Adds a tensor of so many bytes with data: weights.
  std::int32_t constant(std::size_t bytes, std::string name = "", std::uint8_t fill = 7) {
    const std::int32_t index = tensor({static_cast<std::int32_t>(bytes)}, std::move(name));
    current().tensors.back()->buffer = buffer(std::vector<std::uint8_t>(bytes, fill));
    return index;
  }

  /// Adds a tensor that keeps its value between runs.
  std::int32_t variable(Indices shape, std::string name = "") {
    const std::int32_t index = tensor(std::move(shape), std::move(name));
    current().tensors.back()->is_variable = true;
    return index;
  }

  /// Adds data; returns its number.
  std::uint32_t buffer(std::vector<std::uint8_t> data) {
    parts.buffers.push_back(std::make_unique<tflite::BufferT>());
    parts.buffers.back()->data = std::move(data);
    return static_cast<std::uint32_t>(parts.buffers.size()) - 1;
  }

  /// Adds an operator, which is to be bent where it has options.
  tflite::OperatorT& op(tflite::BuiltinOperator code, Indices inputs, Indices outputs) {
    auto op = std::make_unique<tflite::OperatorT>();
    op->opcode_index = code_index(code);
    op->inputs = std::move(inputs);
    op->outputs = std::move(outputs);
    current().operators.push_back(std::move(op));
    return *current().operators.back();
  }

  void if_op(Indices inputs, Indices outputs, std::int32_t then_graph, std::int32_t else_graph) {
    tflite::IfOptionsT options;
    options.then_subgraph_index = then_graph;
    options.else_subgraph_index = else_graph;
    op(tflite::BuiltinOperator::IF, std::move(inputs), std::move(outputs)).builtin_options.Set(std::move(options));
  }

  void while_op(Indices inputs, Indices outputs, std::int32_t cond, std::int32_t body) {
    tflite::WhileOptionsT options;
    options.cond_subgraph_index = cond;
    options.body_subgraph_index = body;
    op(tflite::BuiltinOperator::WHILE, std::move(inputs), std::move(outputs)).builtin_options.Set(std::move(options));
  }

  void call_once(std::int32_t init) {
    tflite::CallOnceOptionsT options;
    options.init_subgraph_index = init;
    op(tflite::BuiltinOperator::CALL_ONCE, {}, {}).builtin_options.Set(std::move(options));
  }

  /// Inputs and outputs of the subgraph.
  void graph(Indices inputs, Indices outputs) {
    current().inputs = std::move(inputs);
    current().outputs = std::move(outputs);
  }

  /// Adds metadata with this payload.
  void metadata(const std::string& name, std::vector<std::uint8_t> payload) {
    auto entry = std::make_unique<tflite::MetadataT>();
    entry->name = name;
    entry->buffer = buffer(std::move(payload));
    parts.metadata.push_back(std::move(entry));
  }

  /// The file.
  [[nodiscard]] std::string bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &parts));
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
  }

  tflite::ModelT parts;

 private:
  tflite::SubGraphT& current() { return *parts.subgraphs.back(); }

  std::uint32_t code_index(tflite::BuiltinOperator code) {
    for (std::size_t i = 0; i < parts.operator_codes.size(); ++i) {
      if (parts.operator_codes[i]->builtin_code == code) return static_cast<std::uint32_t>(i);
    }
    parts.operator_codes.push_back(std::make_unique<tflite::OperatorCodeT>());
    parts.operator_codes.back()->builtin_code = code;
    return static_cast<std::uint32_t>(parts.operator_codes.size()) - 1;
  }
};

/// input 100 -> hidden 200 -> output 50 bytes, with weights of 4096 bytes: two operators, three steps.
inline ModelBuilder chain() {
  ModelBuilder model;
  const auto input = model.tensor({1, 100}, "input");
  const auto weights = model.constant(4096, "weights");
  const auto hidden = model.tensor({1, 200}, "hidden");
  const auto output = model.tensor({1, 50}, "output");
  model.op(tflite::BuiltinOperator::FULLY_CONNECTED, {input, weights, -1}, {hidden});
  model.op(tflite::BuiltinOperator::SOFTMAX, {hidden}, {output});
  model.graph({input}, {output});
  return model;
}

}  // namespace arenite::tool::test
