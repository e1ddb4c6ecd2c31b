// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Reads folders of planning problems, for the tests and the benchmarks: every *.csv, also in subfolders, is a list of
/// buffers.
///
/// The first line of a list names its columns, in any order; others than these are ignored:
///   size                 bytes
///   first, last          lifetime in steps, both inclusive
///   lower, upper         the same with the upper end exclusive
///   alignment            bytes; 1 where there is no such column, as sizes then are what is really taken

#include <arenite/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace problems {

/// A text file with named columns. What is wrong with it is thrown as std::runtime_error, with the line.
class Table {
 public:
  Table(const std::filesystem::path& path, char separator) : path_(path) {
    std::ifstream file(path);
    if (!file) fail("it cannot be opened");
    std::string line;
    while (std::getline(file, line)) {
      ++line_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty()) continue;
      std::vector<std::string> cells = split(line, separator);
      if (names_.empty()) {
        names_ = std::move(cells);
        continue;
      }
      if (cells.size() != names_.size()) {
        fail("there are " + std::to_string(cells.size()) + " columns, the first line names " +
             std::to_string(names_.size()));
      }
      rows_.push_back({line_, std::move(cells)});
    }
    if (file.bad()) fail("it cannot be read");
    if (names_.empty()) fail("it is empty: the first line names the columns");
  }

  std::size_t rows() const { return rows_.size(); }
  bool has(const std::string& column) const { return std::count(names_.begin(), names_.end(), column) != 0; }

  const std::string& text(std::size_t row, const std::string& column) {
    line_ = rows_[row].line;
    const auto name = std::find(names_.begin(), names_.end(), column);
    if (name == names_.end()) fail("there is no column `" + column + "`");
    return rows_[row].cells[static_cast<std::size_t>(name - names_.begin())];
  }

  std::uint64_t number(std::size_t row, const std::string& column, std::uint64_t most) {
    const std::string& digits = text(row, column);
    std::uint64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') fail("`" + digits + "` in column `" + column + "` is no whole number");
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (digit > most || value > (most - digit) / 10) fail(digits + " in column `" + column + "` is too large");
      value = 10 * value + digit;
    }
    if (digits.empty()) fail("column `" + column + "` is empty");
    return value;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(path_.string() + (line_ != 0 ? ":" + std::to_string(line_) : "") + ": " + why);
  }

 private:
  struct Row {
    std::size_t line;
    std::vector<std::string> cells;
  };

  static std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == separator) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    return cells;
  }

  std::filesystem::path path_;
  std::size_t line_ = 0;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
};

struct List {
  std::string name;
  std::vector<arenite::Buffer> buffers;
  bool aligned = false;  ///< Says alignments of its own.
};

/// Throws std::runtime_error, with the line, if the file is no list.
inline List read_list(const std::filesystem::path& path) {
  Table table(path, ',');
  List list;
  list.name = path.stem().string();
  list.aligned = table.has("alignment");
  const bool inclusive = table.has("first");
  if (inclusive == table.has("lower")) table.fail("lifetimes are columns `first` and `last`, or `lower` and `upper`");

  constexpr std::uint64_t kMaxStep = std::numeric_limits<arenite::Step>::max();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    arenite::Buffer buffer;
    buffer.size = table.number(row, "size", arenite::kMaxSize);
    buffer.first = static_cast<arenite::Step>(table.number(row, inclusive ? "first" : "lower", kMaxStep));
    const std::uint64_t end = table.number(row, inclusive ? "last" : "upper", kMaxStep);
    if (inclusive ? end < buffer.first : end <= buffer.first) table.fail("the lifetime ends before it begins");
    buffer.last = static_cast<arenite::Step>(inclusive ? end : end - 1);
    buffer.alignment = list.aligned ? table.number(row, "alignment", arenite::kMaxSize) : 1;
    if (!buffer.alignment.valid()) table.fail("the alignment is not a power of two");
    list.buffers.push_back(buffer);
  }
  return list;
}

/// All lists in a folder, in order.
inline std::vector<std::filesystem::path> find_lists(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const std::filesystem::directory_entry& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace problems
