// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A model's file as it lies in a device's memory, read by FlatBuffers alone.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tflite_generated.h"

namespace arenite::tool::test {

inline constexpr char kName[] = "OfflineMemoryAllocation";

/// As words of 32 bits, the lowest byte first.
inline std::vector<std::uint8_t> words(const std::vector<std::int64_t>& values) {
  std::vector<std::uint8_t> bytes;
  for (const std::int64_t value : values) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> shift & 0xFF));
    }
  }
  return bytes;
}

/// A file at an address of a multiple of 16, as TensorFlow Lite Micro has it.
class File {
 public:
  explicit File(const std::string& bytes) : bytes_(bytes), memory_(new Block[bytes.size() / sizeof(Block) + 1]) {
    std::memcpy(memory_.get(), bytes.data(), bytes.size());
    flatbuffers::Verifier verifier(data(), bytes.size());
    if (!tflite::VerifyModelBuffer(verifier)) ADD_FAILURE() << "the file is no sound FlatBuffer";
  }

  [[nodiscard]] const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(memory_.get()); }
  [[nodiscard]] const tflite::Model& root() const { return *tflite::GetModel(data()); }
  [[nodiscard]] std::unique_ptr<tflite::ModelT> unpack() const {
    return std::unique_ptr<tflite::ModelT>(root().UnPack());
  }

  [[nodiscard]] std::size_t metadata_count(const std::string& name) const {
    std::size_t count = 0;
    for (const auto* const entry : *root().metadata()) {
      if (entry->name() != nullptr && entry->name()->str() == name) ++count;
    }
    return count;
  }

  [[nodiscard]] const flatbuffers::Vector<std::uint8_t>* metadata(const std::string& name = kName) const {
    for (const auto* const entry : *root().metadata()) {
      if (entry->name() != nullptr && entry->name()->str() == name) {
        return root().buffers()->Get(entry->buffer())->data();
      }
    }
    return nullptr;
  }

  // The plan, in words.
  [[nodiscard]] std::vector<std::int64_t> plan() const {
    const auto* const payload = metadata();
    std::vector<std::int64_t> result(payload == nullptr ? 0 : payload->size() / 4);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = flatbuffers::ReadScalar<std::int32_t>(payload->data() + 4 * i);
    }
    return result;
  }

  [[nodiscard]] std::size_t position(const void* part) const {
    return static_cast<std::size_t>(static_cast<const std::uint8_t*>(part) - data());
  }

 private:
  struct alignas(16) Block {
    std::uint8_t bytes[16];
  };
  std::string bytes_;
  std::unique_ptr<Block[]> memory_;
};

inline bool ends_with(const std::string& bytes, const std::string& end) {
  return bytes.size() >= end.size() && bytes.compare(bytes.size() - end.size(), end.size(), end) == 0;
}

/// All but metadata and what belongs to it is as it was, by value; and all data lies as it did, relative to 16.
inline void expect_same_model(const std::string& before, const std::string& after) {
  const File old(before);
  const File now(after);
  EXPECT_TRUE(ends_with(after, before));
  EXPECT_EQ((after.size() - before.size()) % 16, 0u);
  const auto a = old.unpack();
  const auto b = now.unpack();
  ASSERT_GE(b->buffers.size(), a->buffers.size());
  for (std::size_t i = 0; i < a->buffers.size(); ++i) {
    EXPECT_EQ(a->buffers[i]->data, b->buffers[i]->data) << i;
    const auto* const was = old.root().buffers()->Get(static_cast<flatbuffers::uoffset_t>(i))->data();
    const auto* const is = now.root().buffers()->Get(static_cast<flatbuffers::uoffset_t>(i))->data();
    ASSERT_EQ(was == nullptr, is == nullptr);
    if (was != nullptr) {
      EXPECT_EQ(old.position(was->data()) + (after.size() - before.size()), now.position(is->data()));
    }
  }
  const auto repack = [](tflite::ModelT& model) {
    model.buffers.clear();
    model.metadata.clear();
    flatbuffers::FlatBufferBuilder builder;
    tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
    return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  };
  EXPECT_EQ(repack(*a), repack(*b));
}

}  // namespace arenite::tool::test
