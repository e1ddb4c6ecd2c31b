// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Writes files of random bytes into folders, for fuzzers to begin with: what was there before is removed. To a target
// that reads numbers out of bytes, these are random calls.
//
// usage: fuzz_seeds FOLDER...

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace {

// Xorshift (Marsaglia, 2003), so that the files are the same everywhere.
std::string random_bytes(std::uint32_t& state, std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    bytes.push_back(static_cast<char>(state >> 24));
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fuzz_seeds FOLDER...\n";
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path folder = argv[i];
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::uint32_t state = 1;
    for (int file = 0; file < 24; ++file) {
      const std::size_t size = std::size_t{64} << (file % 6);
      std::ofstream(folder / ("random_" + std::to_string(file)), std::ios::binary) << random_bytes(state, size);
    }
  }
  return 0;
}
