// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for the reader of what TensorFlow Lite Micro's planner and an arena print.

#include <cstddef>
#include <cstdint>
#include <string>

#include "reader.hpp"
#include "trace.hpp"

namespace {

fuzz::Calls calls("trace");

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt(data, size, [](const std::string& bytes) {
    calls.add();
    fuzz::plan_and_read_again(arenite::tool::read_trace("input", bytes, {}), calls);
  });
  return 0;
}
