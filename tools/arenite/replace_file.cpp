// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "replace_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "error.hpp"
#include "input.hpp"

namespace arenite::tool {
namespace {

namespace fs = std::filesystem;

// A new file beside `path`; its name.
std::string create_beside(const fs::path& path) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    std::string name = path.string() + "." + std::to_string(i) + ".tmp";
    if (std::FILE* const file = std::fopen(name.c_str(), "wbx")) {  // x: only if there is none
      (void)std::fclose(file);                                      // nothing was written
      return name;
    }
    if (errno != EEXIST) break;
  }
  throw InputError(path.string(), "", std::strerror(errno));
}

void fail(const fs::path& path, const std::error_code& error) {
  if (error) throw InputError(path.string(), "", error.message());
}

}  // namespace

void replace_file(const std::string& path, const std::string& bytes) {
  std::error_code error;
  fs::path target = path;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) throw InputError(path, "", "is a folder");
  const bool exists = fs::exists(status);
  if (exists && !fs::is_regular_file(status)) return write_file(path, bytes);
  if (exists) {
    target = fs::canonical(target, error);  // a link stays one
    fail(path, error);
  }
  const std::string temporary = create_beside(target);
  try {
    write_file(temporary, bytes);
    if (read_file(temporary) != bytes) throw InputError(path, "", "does not hold what was written to it");
    if (exists) {
      fs::permissions(temporary, status.permissions(), error);
      fail(path, error);
    }
    fs::rename(temporary, target, error);
    fail(path, error);
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
}

}  // namespace arenite::tool
