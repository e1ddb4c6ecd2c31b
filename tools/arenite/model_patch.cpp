// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "model_patch.hpp"

#include <arenite/align.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"

namespace arenite::tool {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kLargestPatchedModel = 0x7FFFFFFF;

// Fields of the root by their numbers in TensorFlow Lite's schema, of which the tool's own has the first seven. All of
// these but the version are offsets.
constexpr std::size_t kVersion = 0;
constexpr std::size_t kBuffers = 4;
constexpr std::size_t kMetadata = 6;
constexpr std::size_t kKnownFields = 10;              // the last ones: signatures, external buffers and their groups
constexpr std::size_t kLargeCustomOptionsOffset = 9;  // of an operator

constexpr flatbuffers::voffset_t slot(std::size_t field) noexcept {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * field);
}

bool is_plan(const tflite::Metadata& entry) noexcept {
  return entry.name() != nullptr && entry.name()->string_view() == kOfflinePlanName;
}

class Patcher {
 public:
  Patcher(const Model& model, std::string_view payload)
      : model_(model), payload_(payload), buffers_(*model.root().buffers()) {
    base_ = reinterpret_cast<const std::uint8_t*>(model.bytes().data());
    if (model.root().metadata() == nullptr) return;
    for (const tflite::Metadata* const entry : *model.root().metadata()) {
      if (is_plan(*entry)) old_buffer_ = entry->buffer();
    }
  }

  PatchedModel run() {
    PatchedModel result;
    result.replaced = old_buffer_.has_value();
    result.in_place = can_overwrite();
    if (result.in_place) {
      result.bytes = std::string(model_.bytes());
      const std::size_t position = position_of(buffers_.Get(*old_buffer_)->data()->data());
      payload_.copy(&result.bytes[position], payload_.size());
    } else {
      result.bytes = with_new_beginning();
    }
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
    throw InputError(model_.file(), place, what);
  }

  [[nodiscard]] std::size_t position_of(const void* part) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::uint8_t*>(part) - base_);
  }

  [[nodiscard]] bool can_overwrite() const {
    if (!old_buffer_ || !owns_old_buffer()) return false;
    const auto* const data = buffers_.Get(*old_buffer_)->data();
    if (data == nullptr || data->size() != payload_.size() || position_of(data->data()) % kAlignment != 0) return false;
    for (flatbuffers::uoffset_t i = 0; i < buffers_.size(); ++i) {
      const auto* const other = buffers_.Get(i)->data();
      if (i == *old_buffer_ || other == nullptr) continue;
      if (other->data() < data->data() + data->size() && data->data() < other->data() + other->size()) return false;
    }
    return true;
  }

  // Whether nothing but the plan's entry names its buffer. Number 0 is everybody's, by convention.
  [[nodiscard]] bool owns_old_buffer() const {
    if (*old_buffer_ == 0) return false;
    for (const tflite::Metadata* const entry : *model_.root().metadata()) {
      if (entry->buffer() == *old_buffer_ && !is_plan(*entry)) return false;
    }
    if (const auto* const list = model_.root().metadata_buffer()) {
      for (const std::int32_t index : *list) {
        if (index >= 0 && static_cast<std::uint32_t>(index) == *old_buffer_) return false;
      }
    }
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t t = 0; t < model_.tensor_count(s); ++t) {
        if (model_.tensor(s, t).buffer() == *old_buffer_) return false;
      }
    }
    return true;
  }

  // Positions in the file are counted from its start, so that nothing in it may be found by them.
  void refuse_outside_data() const {
    for (flatbuffers::uoffset_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_.Get(i)->offset() > 1) {
        refuse("buffer " + std::to_string(i),
               "its data lies outside of the FlatBuffer, at a place that would not be the same any more");
      }
    }
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t o = 0; o < model_.operator_count(s); ++o) {
        const auto& op = reinterpret_cast<const flatbuffers::Table&>(
            *model_.subgraph(s).operators()->Get(static_cast<flatbuffers::uoffset_t>(o)));
        const std::string place = "subgraph " + std::to_string(s) + ", operator " + std::to_string(o);
        const std::uint8_t* const field =
            field_of(op, kLargeCustomOptionsOffset, sizeof(std::uint64_t), place + ", large_custom_options_offset");
        if (field != nullptr && flatbuffers::ReadScalar<std::uint64_t>(field) > 1) {
          refuse(place, "its options lie outside of the FlatBuffer, at a place that would not be the same any more");
        }
      }
    }
  }

  // A field that FlatBuffers' verifier does not know, or null.
  [[nodiscard]] const std::uint8_t* field_of(const flatbuffers::Table& table, std::size_t field, std::size_t bytes,
                                             const std::string& place) const {
    const std::size_t offset = table.GetOptionalFieldOffset(slot(field));
    if (offset == 0) return nullptr;
    const std::size_t position = position_of(&table) + offset;
    if (position % bytes != 0 || position + bytes > model_.bytes().size()) refuse(place, "is damaged");
    return base_ + position;
  }

  // The offset that the builder has for a part of the old file, which it got as if it had made it.
  template <class T = void>
  [[nodiscard]] flatbuffers::Offset<T> old(const void* part) const noexcept {
    return flatbuffers::Offset<T>(static_cast<flatbuffers::uoffset_t>(padded_ - position_of(part)));
  }

  std::string with_new_beginning() {
    const auto& root = *flatbuffers::GetRoot<flatbuffers::Table>(base_);
    const std::size_t fields = (flatbuffers::ReadScalar<flatbuffers::voffset_t>(root.GetVTable()) - 4u) / 2;
    for (std::size_t field = kKnownFields; field < fields; ++field) {
      if (root.GetOptionalFieldOffset(slot(field)) != 0) {
        refuse("root", "its field number " + std::to_string(field) + " is not known here, so it cannot be kept");
      }
    }
    refuse_outside_data();
    const auto* const entries = model_.root().metadata();
    const std::size_t entry_count = entries == nullptr ? 0 : entries->size();
    padded_ = align_up(model_.bytes().size(), kAlignment);
    const std::size_t added = payload_.size() + sizeof(flatbuffers::uoffset_t) * (buffers_.size() + entry_count) + 1024;
    if (padded_ + added > kLargestPatchedModel) refuse("", "would have 2 GiB or more with the plan");

    flatbuffers::FlatBufferBuilder builder(padded_ + added);
    builder.Pad(padded_ - model_.bytes().size());
    builder.PushBytes(base_, model_.bytes().size());

    builder.ForceVectorAlignment(payload_.size(), sizeof(std::uint8_t), kAlignment);
    const auto data = builder.CreateVector(reinterpret_cast<const std::uint8_t*>(payload_.data()), payload_.size());
    const auto new_buffer = tflite::CreateBuffer(builder, data);
    std::vector<flatbuffers::Offset<tflite::Buffer>> buffers;
    for (flatbuffers::uoffset_t i = 0; i < buffers_.size(); ++i)
      buffers.push_back(old<tflite::Buffer>(buffers_.Get(i)));
    std::uint32_t index = buffers_.size();
    if (old_buffer_ && owns_old_buffer()) {
      index = *old_buffer_;
      buffers[index] = new_buffer;
    } else {
      buffers.push_back(new_buffer);
    }
    const auto name = builder.CreateString(kOfflinePlanName.data(), kOfflinePlanName.size());
    const auto new_entry = tflite::CreateMetadata(builder, name, index);
    std::vector<flatbuffers::Offset<tflite::Metadata>> metadata;
    for (flatbuffers::uoffset_t i = 0; i < entry_count; ++i) {
      const tflite::Metadata* const entry = entries->Get(i);
      metadata.push_back(is_plan(*entry) ? new_entry : old<tflite::Metadata>(entry));
    }
    if (!old_buffer_) metadata.push_back(new_entry);
    const auto new_buffers = builder.CreateVector(buffers);
    const auto new_metadata = builder.CreateVector(metadata);

    const auto start = builder.StartTable();
    builder.AddElement<std::uint32_t>(slot(kVersion), model_.root().version(), 0);
    for (std::size_t field = kVersion + 1; field < kKnownFields; ++field) {
      if (field == kBuffers) {
        builder.AddOffset(slot(field), new_buffers);
      } else if (field == kMetadata) {
        builder.AddOffset(slot(field), new_metadata);
      } else if (const void* const target = target_of(root, field)) {
        builder.AddOffset(slot(field), old(target));
      }
    }
    builder.Finish(flatbuffers::Offset<tflite::Model>(builder.EndTable(start)), tflite::ModelIdentifier());
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()),
            builder.GetSize() - (padded_ - model_.bytes().size())};
  }

  // What an offset in the root points to, or null.
  [[nodiscard]] const void* target_of(const flatbuffers::Table& root, std::size_t field) const {
    const std::string place = "root, field number " + std::to_string(field);
    const std::uint8_t* const found = field_of(root, field, sizeof(flatbuffers::uoffset_t), place);
    if (found == nullptr) return nullptr;
    const auto offset = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(found);
    const std::size_t position = position_of(found) + offset;
    if (offset == 0 || position % sizeof offset != 0 || position + sizeof offset > model_.bytes().size()) {
      refuse(place, "is damaged");
    }
    return base_ + position;
  }

  const Model& model_;
  std::string_view payload_;
  const flatbuffers::Vector<flatbuffers::Offset<tflite::Buffer>>& buffers_;
  const std::uint8_t* base_ = nullptr;
  std::optional<std::uint32_t> old_buffer_;  // the payload of the plan that is there
  std::size_t padded_ = 0;                   // bytes of the old file, with what the builder is given behind it
};

}  // namespace

PatchedModel with_offline_plan(const Model& model, std::string_view payload) {
  static_cast<void>(model.offline_plan());  // there are no two of them
  return Patcher(model, payload).run();
}

}  // namespace arenite::tool
