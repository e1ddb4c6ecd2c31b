// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Lifetimes worked out on the device, from operators that are not known before.

#include <arenite/lifetimes.hpp>

#include <cstddef>

namespace {

constexpr std::size_t kTensors = 32;

// What the compiler may not know.
const arenite::Tensor* volatile tensors;  // the device knows where they come from
const arenite::Op* volatile ops;
volatile std::size_t index;
volatile std::size_t output;

arenite::Buffer buffers[kTensors];
arenite::Index roots[kTensors];
std::size_t offsets[kTensors];

}  // namespace

int main() {
  const arenite::GraphSummary graph =
      arenite::lifetimes(tensors, kTensors, ops, 31, {0}, {31}, buffers, roots, offsets);
  if (graph.status != arenite::Status::kOk) return 1;
  output = buffers[index].last;
  return 0;
}
