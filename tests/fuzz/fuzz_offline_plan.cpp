// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for offline plans as TensorFlow Lite Micro's metadata has them, on the device.

#include <arenite/adapters/tflm_offline_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "input.hpp"

namespace {

using arenite::Constraint;
using arenite::Status;
using fuzz::expect;

fuzz::Calls calls("offline_plan");

void read(const std::vector<std::uint8_t>& blob, std::size_t tensors) {
  std::vector<Constraint> pins(tensors);
  const auto plan = arenite::tflm::read_offline_plan(blob.data(), blob.size(), tensors, pins.data());
  calls.add();
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i + 4 <= blob.size(); i += 4) {
    words.push_back(blob[i] | std::uint32_t{blob[i + 1]} << 8 | std::uint32_t{blob[i + 2]} << 16 |
                    std::uint32_t{blob[i + 3]} << 24);
  }
  bool sound = blob.size() == 4 * (3 + tensors) && words[0] <= 1 && words[2] == tensors;
  std::size_t pin = 0;
  for (std::size_t i = 0; sound && i < tensors; ++i) {
    const std::uint32_t offset = words[3 + i];
    if (offset == 0xFFFFFFFF) continue;
    sound = offset <= 0x7FFFFFFF;
    if (plan.status != Status::kOk) continue;
    expect(pin < plan.pins.count() && plan.pins[pin].buffer == i && plan.pins[pin].offset == offset, "another pin");
    ++pin;
  }
  expect((plan.status == Status::kOk) == sound, "refused, or not, against the definition");
  expect(plan.pins.count() == (sound ? pin : 0), "more pins than offsets");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> blob(data, data + size);  // so much and not a byte more
  if (blob.data() == nullptr) blob.reserve(1);
  const std::size_t words = size / 4;
  for (const std::size_t tensors : {words < 3 ? 0 : words - 3, words < 3 ? 0 : words - 2, std::size_t{size % 7}}) {
    read(blob, tensors);
    // What is nearly right: the number of offsets.
    if (size < 12) continue;
    for (std::size_t byte = 0; byte < 4; ++byte) blob[8 + byte] = static_cast<std::uint8_t>(tensors >> 8 * byte);
    blob[0] &= 1;
    blob[1] = blob[2] = blob[3] = 0;
    read(blob, tensors);
  }
  return 0;
}
