// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for the reader of lists and plans as CSV.

#include <cstddef>
#include <cstdint>
#include <string>

#include "csv.hpp"
#include "reader.hpp"

namespace {

fuzz::Calls calls("csv");

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt(data, size, [](const std::string& bytes) {
    calls.add();
    fuzz::plan_and_read_again(arenite::tool::read_csv("input", bytes, {}), calls);
  });
  return 0;
}
