// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "model.hpp"

#include <arenite/align.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "error.hpp"
#include "names.hpp"

namespace arenite::tool {
namespace {

// FlatBuffers have offsets of 32 bits with a sign.
constexpr std::size_t kLargestModel = 0x7FFFFFFF;

// In a FlatBuffer many tables may share one list or name, so that a small file can say more than there is time and
// memory for. No model of use comes near to these.
constexpr std::size_t kMostDimensions = 64;
constexpr std::size_t kMostEntries = std::size_t{1} << 24;  // of all lists, each as often as it is used
constexpr std::size_t kLongestTensorName = 1000;            // bytes; longer ones are cut
constexpr std::size_t kLongestOperator = 100;

template <class T>
std::size_t size_of(const flatbuffers::Vector<T>* vector) noexcept {
  return vector == nullptr ? 0 : vector->size();
}

std::string name_from(std::string_view name, std::size_t most = kLongestTensorName) {
  if (name.size() <= most) return clean_name(name);
  while (most != 0 && (static_cast<unsigned char>(name[most]) & 0xC0u) == 0x80u) --most;
  return clean_name(name.substr(0, most)) + "...";
}

std::string quoted(const flatbuffers::String* name) {
  return name == nullptr || name->size() == 0 ? "" : " '" + name_from(name->string_view()) + "'";
}

// Bytes of one element, as TFLM counts them: it has INT4 as a byte. Zero for types that it has no size for.
std::size_t bytes_of(tflite::TensorType type) noexcept {
  switch (type) {
    case tflite::TensorType::BOOL:
    case tflite::TensorType::INT4:
    case tflite::TensorType::INT8:
    case tflite::TensorType::UINT8:
      return 1;
    case tflite::TensorType::BFLOAT16:
    case tflite::TensorType::FLOAT16:
    case tflite::TensorType::INT16:
    case tflite::TensorType::UINT16:
      return 2;
    case tflite::TensorType::FLOAT32:
    case tflite::TensorType::INT32:
    case tflite::TensorType::RESOURCE:
    case tflite::TensorType::UINT32:
      return 4;
    case tflite::TensorType::COMPLEX64:
    case tflite::TensorType::FLOAT64:
    case tflite::TensorType::INT64:
    case tflite::TensorType::UINT64:
      return 8;
    case tflite::TensorType::COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

// One walk over everything that the tool relies on and that FlatBuffers does not know: indices and sizes.
class ModelChecker {
 public:
  explicit ModelChecker(const Model& model) : model_(model) {}

  void run() {
    if (model_.subgraph_count() == 0) refuse("", "has no subgraph");
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) check_subgraph(s);
  }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
    throw InputError(model_.file(), place, what);
  }

  // For so many entries of a list, or characters of a name that is compared.
  void count(std::size_t entries, const std::string& place) {
    entries_ += entries;
    if (entries_ > kMostEntries) {
      refuse(place, "its lists, with those before, have more than " + std::to_string(kMostEntries) + " entries");
    }
  }

  void check_subgraph(std::size_t s) {
    const std::string place = "subgraph " + std::to_string(s);
    const tflite::SubGraph& subgraph = model_.subgraph(s);
    for (std::size_t t = 0; t < model_.tensor_count(s); ++t) {
      if (model_.tensor(s, t).buffer() >= size_of(model_.root().buffers())) {
        refuse(model_.place_of_tensor(s, t), "its data is buffer " + std::to_string(model_.tensor(s, t).buffer()) +
                                                 ", and the file has " +
                                                 std::to_string(size_of(model_.root().buffers())));
      }
      static_cast<void>(model_.bytes_of_tensor(s, t));
    }
    check_tensors(s, subgraph.inputs(), 0, place + ", inputs");
    check_tensors(s, subgraph.outputs(), 0, place + ", outputs");
    for (std::size_t o = 0; o < model_.operator_count(s); ++o) {
      check_operator(s, *subgraph.operators()->Get(static_cast<flatbuffers::uoffset_t>(o)),
                     place + ", operator " + std::to_string(o));
    }
  }

  void check_operator(std::size_t s, const tflite::Operator& op, const std::string& place) {
    const auto* const codes = model_.root().operator_codes();
    if (op.opcode_index() >= size_of(codes)) {
      refuse(place, "its code is number " + std::to_string(op.opcode_index()) + ", and the file has " +
                        std::to_string(size_of(codes)));
    }
    check_tensors(s, op.inputs(), -1, place + ", inputs");  // -1: an input that is left out
    check_tensors(s, op.outputs(), 0, place + ", outputs");
    check_tensors(s, op.intermediates(), 0, place + ", intermediates");
    if (const auto* const options = op.builtin_options_as_VarHandleOptions()) {
      if (options->container() != nullptr) count(options->container()->size(), place);
      if (options->shared_name() != nullptr) count(options->shared_name()->size(), place);
    }
  }

  void check_tensors(std::size_t s, const flatbuffers::Vector<std::int32_t>* list, std::int32_t least,
                     const std::string& place) {
    if (list == nullptr) return;
    count(list->size(), place);
    for (const std::int32_t index : *list) {
      if (index < least || (index >= 0 && static_cast<std::size_t>(index) >= model_.tensor_count(s))) {
        refuse(place, "there is no tensor " + std::to_string(index));
      }
    }
  }

  const Model& model_;
  std::size_t entries_ = 0;
};

}  // namespace

Model::Model(const std::string& file, std::string_view bytes) : file_(file), size_(bytes.size()) {
  if (size_ < 8) throw InputError(file, "", "ends after " + std::to_string(size_) + " bytes: no .tflite model");
  if (size_ > kLargestModel) throw InputError(file, "", "has 2 GiB or more: no .tflite model");
  bytes_ = std::make_unique<std::uint8_t[]>(size_);  // aligned for any type, wherever the caller's bytes lie
  std::memcpy(bytes_.get(), bytes.data(), size_);
  if (!tflite::ModelBufferHasIdentifier(bytes_.get())) {
    throw InputError(file, "byte 4", "should be 'TFL3': no .tflite model");
  }
  flatbuffers::Verifier verifier(bytes_.get(), size_);
  if (!tflite::VerifyModelBuffer(verifier)) {
    throw InputError(file, "", "is damaged or cut short: an offset in the FlatBuffer points outside of it");
  }
  root_ = tflite::GetModel(bytes_.get());
  if (root_->buffers() == nullptr) throw InputError(file, "", "has no buffers");
  first_tensor_.push_back(0);
  for (std::size_t s = 0; s < subgraph_count(); ++s) first_tensor_.push_back(first_tensor_.back() + tensor_count(s));
  ModelChecker(*this).run();
}

std::size_t Model::subgraph_count() const noexcept { return size_of(root_->subgraphs()); }

const tflite::SubGraph& Model::subgraph(std::size_t index) const noexcept {
  return *root_->subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

std::size_t Model::tensor_count(std::size_t subgraph_index) const noexcept {
  return size_of(subgraph(subgraph_index).tensors());
}

std::size_t Model::operator_count(std::size_t subgraph_index) const noexcept {
  return size_of(subgraph(subgraph_index).operators());
}

std::size_t Model::first_tensor(std::size_t subgraph_index) const noexcept { return first_tensor_[subgraph_index]; }

std::size_t Model::tensor_count() const noexcept { return first_tensor_.back(); }

const tflite::Tensor& Model::tensor(std::size_t subgraph_index, std::size_t index) const noexcept {
  return *subgraph(subgraph_index).tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

std::string Model::place_of_tensor(std::size_t subgraph_index, std::size_t index) const {
  return (subgraph_count() > 1 ? "subgraph " + std::to_string(subgraph_index) + ", " : "") + "tensor " +
         std::to_string(index) + quoted(tensor(subgraph_index, index).name());
}

std::string Model::name_of_tensor(std::size_t subgraph_index, std::size_t index) const {
  const flatbuffers::String* const name = tensor(subgraph_index, index).name();
  if (name != nullptr && name->size() != 0) return name_from(name->string_view());
  return (subgraph_count() > 1 ? std::to_string(subgraph_index) + "/" : "") + std::to_string(index);
}

std::size_t Model::bytes_of_tensor(std::size_t subgraph_index, std::size_t index) const {
  const tflite::Tensor& tensor = this->tensor(subgraph_index, index);
  std::size_t bytes = bytes_of(tensor.type());
  if (bytes == 0) {
    if (is_constant(tensor)) return 0;  // its data says how large it is
    const char* const type = tflite::EnumNameTensorType(tensor.type());
    throw InputError(file_, place_of_tensor(subgraph_index, index),
                     std::string("its type is ") +
                         (*type != '\0' ? type : "number " + std::to_string(static_cast<int>(tensor.type()))) +
                         ", of which nobody knows the size before the model runs");
  }
  if (tensor.shape() == nullptr) return bytes;
  if (tensor.shape()->size() > kMostDimensions) {
    throw InputError(file_, place_of_tensor(subgraph_index, index),
                     "has " + std::to_string(tensor.shape()->size()) + " dimensions, and " +
                         std::to_string(kMostDimensions) + " are the most that can be");
  }
  for (const std::int32_t dimension : *tensor.shape()) {
    if (dimension < 0) {
      throw InputError(file_, place_of_tensor(subgraph_index, index),
                       "a dimension is " + std::to_string(dimension) + ": its size is dynamic");
    }
    if (dimension == 0) return 0;
  }
  for (const std::int32_t dimension : *tensor.shape()) {
    bytes = multiply_saturated(bytes, static_cast<std::size_t>(dimension));
  }
  if (bytes > kMaxSize) {
    throw InputError(file_, place_of_tensor(subgraph_index, index), "has more bytes than can be addressed");
  }
  return bytes;
}

bool Model::is_constant(const tflite::Tensor& tensor) const noexcept {
  const tflite::Buffer& buffer = *root_->buffers()->Get(tensor.buffer());
  return size_of(buffer.data()) != 0 || buffer.offset() > 1;
}

tflite::BuiltinOperator Model::code_of(const tflite::Operator& op) const noexcept {
  const tflite::OperatorCode& code = *root_->operator_codes()->Get(op.opcode_index());
  // Older files have the code in a byte only.
  return std::max(code.builtin_code(), static_cast<tflite::BuiltinOperator>(code.deprecated_builtin_code()));
}

std::string Model::name_of_operator(const tflite::Operator& op) const {
  const tflite::OperatorCode& code = *root_->operator_codes()->Get(op.opcode_index());
  const tflite::BuiltinOperator builtin = code_of(op);
  if (builtin == tflite::BuiltinOperator::CUSTOM) {
    return code.custom_code() == nullptr ? "CUSTOM" : name_from(code.custom_code()->string_view(), kLongestOperator);
  }
  const char* const name = tflite::EnumNameBuiltinOperator(builtin);
  return *name != '\0' ? name : "operator code " + std::to_string(static_cast<int>(builtin));
}

std::optional<std::string_view> Model::offline_plan() const {
  if (root_->metadata() == nullptr) return std::nullopt;
  std::optional<std::string_view> found;
  for (const tflite::Metadata* const entry : *root_->metadata()) {
    if (entry->name() == nullptr || entry->name()->string_view() != kOfflinePlanName) continue;
    const std::string place = "metadata '" + std::string(kOfflinePlanName) + "'";
    if (found) throw InputError(file_, place, "is there twice");
    if (entry->buffer() >= root_->buffers()->size()) {
      throw InputError(file_, place,
                       "its data is buffer " + std::to_string(entry->buffer()) + ", and the file has " +
                           std::to_string(root_->buffers()->size()));
    }
    const auto* const data = root_->buffers()->Get(entry->buffer())->data();
    found = data == nullptr ? std::string_view()
                            : std::string_view(reinterpret_cast<const char*>(data->data()), data->size());
  }
  return found;
}

}  // namespace arenite::tool
