// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "input.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "csv.hpp"
#include "error.hpp"
#include "json.hpp"
#include "model.hpp"

namespace arenite::tool {
namespace {

constexpr std::size_t kMostBytes = 0x7FFFFFFF;

std::string read_stream(const std::string& path, std::istream& stream) {
  std::string bytes;
  char chunk[65536];
  while (stream.read(chunk, sizeof chunk) || stream.gcount() != 0) {
    bytes.append(chunk, static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > kMostBytes) throw InputError(path, "", "has 2 GiB or more");
  }
  if (stream.bad()) throw InputError(path, "", "cannot be read");
  return bytes;
}

}  // namespace

std::string read_file(const std::string& path) {
  if (path == "-") return read_stream("standard input", std::cin);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path, "", std::strerror(errno));
  stream.peek();
  if (stream.bad()) throw InputError(path, "", std::strerror(errno));  // a folder, for one
  stream.clear();
  return read_stream(path, stream);
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  if (!stream) throw InputError(path, "", std::strerror(errno));
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) throw InputError(path, "", "cannot be written whole");
}

bool is_model(const std::string& name, const std::string& bytes) {
  constexpr std::string_view kExtension = ".tflite";
  return bytes.compare(4 < bytes.size() ? 4 : bytes.size(), 4, "TFL3") == 0 ||
         (name.size() >= kExtension.size() &&
          name.compare(name.size() - kExtension.size(), kExtension.size(), kExtension) == 0);
}

Problem load_bytes(const std::string& name, const std::string& bytes, const LoadOptions& options) {
  if (is_model(name, bytes)) return problem_of(Model(name, bytes), options);
  if (!options.scratch.empty() || !options.trace.empty()) {
    throw InputError(name, "", "scratch can be added to a .tflite model only");
  }
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return start != std::string::npos && bytes[start] == '{' ? read_json(name, bytes, options)
                                                           : read_csv(name, bytes, options);
}

Problem load(const std::string& path, const LoadOptions& options) {
  return load_bytes(path == "-" ? "standard input" : path, read_file(path), options);
}

}  // namespace arenite::tool
