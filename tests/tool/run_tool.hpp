// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The tool, as a user calls it, within the test's process; and files for it.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"

namespace arenite::tool::test {

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs `arenite` with these arguments.
inline Result run_tool(const std::vector<std::string>& arguments, bool terminal = false) {
  std::vector<const char*> argv = {"arenite"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  Streams streams{out, err, terminal};
  const int code = run(static_cast<int>(argv.size()), argv.data(), streams);
  return {code, out.str(), err.str()};
}

/// A folder of the running test's own, gone with it.
class Folder {
 public:
  Folder() {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("arenite-") + info->test_suite_name() + "-" + info->name() + "-XXXXXX";
    for (char& c : name) c = c == '/' ? '-' : c;
    path_ = (std::filesystem::path(testing::TempDir()) / name).string();
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no folder " << path_;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  /// The path of a file in it.
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  /// Reads a file; nothing if it is not there.
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    return bytes.str();
  }

 private:
  std::string path_;
};

}  // namespace arenite::tool::test
