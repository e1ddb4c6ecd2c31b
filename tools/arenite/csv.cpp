// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "csv.hpp"

#include <arenite/align.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"
#include "names.hpp"
#include "number.hpp"

namespace arenite::tool {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// The fields of a line: between commas, without spaces around; or in quotation marks, each mark within doubled. Nothing
// if a quotation mark is not closed, or stands in the middle.
std::optional<std::vector<std::string>> split(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    line = line.substr(std::min(line.size(), line.find_first_not_of(" \t\r")));
    std::string field;
    if (!line.empty() && line.front() == '"') {
      std::size_t i = 1;
      for (; i < line.size() && (line[i] != '"' || (i + 1 < line.size() && line[i + 1] == '"')); ++i) {
        field += line[i];
        if (line[i] == '"') ++i;
      }
      if (i >= line.size()) return std::nullopt;
      line = line.substr(i + 1);
      const std::size_t comma = std::min(line.size(), line.find(','));
      if (!trimmed(line.substr(0, comma)).empty()) return std::nullopt;
    } else {
      field = trimmed(line.substr(0, line.find(',')));
      if (field.find('"') != std::string::npos) return std::nullopt;
    }
    fields.push_back(std::move(field));
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return fields;
    line = line.substr(comma + 1);
  }
}

// Goes through the lines that say something.
class Lines {
 public:
  Lines(const std::string& file, std::string_view text) : file_(file), rest_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.substr(0, kByteOrderMark.size()) == kByteOrderMark) rest_.remove_prefix(kByteOrderMark.size());
  }

  // Whether there is another one.
  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.size(), rest_.find('\n'));
      const std::string_view line = trimmed(rest_.substr(0, end));
      rest_.remove_prefix(std::min(rest_.size(), end + 1));
      ++number_;
      if (line.empty() || line.front() == '#') continue;
      auto fields = split(line);
      if (!fields) refuse("", "a quotation mark is not closed, or stands in the middle of a field");
      fields_ = std::move(*fields);
      return true;
    }
    return false;
  }

  [[nodiscard]] const std::vector<std::string>& fields() const noexcept { return fields_; }

  [[noreturn]] void refuse(std::string_view column, const std::string& what) const {
    throw InputError(file_, "line " + std::to_string(number_) + (column.empty() ? "" : ", " + std::string(column)),
                     what);
  }

 private:
  const std::string& file_;
  std::string_view rest_;
  std::size_t number_ = 0;
  std::vector<std::string> fields_;
};

// The rows of a table whose columns have names.
class Table {
 public:
  Table(const std::string& file, std::string_view text) : lines_(file, text) {
    if (!lines_.next()) throw InputError(file, "", "is empty");
    columns_ = lines_.fields();
    std::set<std::string_view> known;
    for (const std::string& column : columns_) {
      if (!column.empty() && !known.insert(column).second) {
        refuse("", "the column '" + clean_name(column) + "' is there twice");
      }
    }
  }

  bool next() {
    if (!lines_.next()) return false;
    if (lines_.fields().size() != columns_.size()) {
      refuse("", "has " + std::to_string(lines_.fields().size()) + " fields, and the header " +
                     std::to_string(columns_.size()));
    }
    return true;
  }

  [[noreturn]] void refuse(std::string_view column, const std::string& what) const { lines_.refuse(column, what); }

  [[nodiscard]] bool has(std::string_view column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  }

  // Empty where there is no such column.
  [[nodiscard]] std::string text(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? "" : lines_.fields()[static_cast<std::size_t>(found - columns_.begin())];
  }

  [[nodiscard]] std::uint64_t number(std::string_view column, std::uint64_t most) const {
    const std::string field = text(column);
    const auto value = number_from(field, most);
    if (value) return *value;
    if (field.empty()) refuse(column, "is missing");
    const bool digits = field.find_first_not_of("0123456789") == std::string::npos;
    refuse(column, "'" + clean_name(field) + (digits ? "' is too large" : "' is no whole number of at least 0"));
  }

  // As `number`, or nothing where the field is empty.
  [[nodiscard]] std::optional<std::uint64_t> optional(std::string_view column, std::uint64_t most) const {
    if (text(column).empty()) return std::nullopt;
    return number(column, most);
  }

 private:
  Lines lines_;
  std::vector<std::string> columns_;
};

// A field that can be read again.
std::string quoted(std::string_view name) {
  std::string result = "\"";
  for (const char c : clean_name(name)) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

}  // namespace

Problem read_csv(const std::string& name, const std::string& text, const LoadOptions& options) {
  if (text.find('\0') != std::string::npos) throw InputError(name, "", "is neither a .tflite model nor a text");
  Table table(name, text);
  const bool inclusive = table.has("first") && table.has("last");
  const bool exclusive = table.has("lower") && table.has("upper");
  if (!table.has("size")) table.refuse("", "the header has no column 'size'");
  if (inclusive == exclusive) {
    table.refuse("", inclusive ? "the header has first,last and lower,upper: which is it?"
                               : "the header needs the columns first,last or lower,upper");
  }
  const char* const begin_column = inclusive ? "first" : "lower";
  const char* const end_column = inclusive ? "last" : "upper";
  constexpr std::uint64_t kLastStep = std::numeric_limits<Step>::max();
  Problem problem;
  problem.source = name;
  while (table.next()) {
    if (problem.buffers.size() == kMaxBuffers) table.refuse("", "more buffers than can be planned");
    Buffer buffer;
    buffer.size = static_cast<std::size_t>(table.number("size", kMaxSize));
    const std::uint64_t begin = table.number(begin_column, kLastStep);
    const std::uint64_t end = table.number(end_column, kLastStep);
    if (inclusive ? end < begin : end <= begin) table.refuse("", "the lifetime ends before it begins");
    buffer.first = static_cast<Step>(begin);
    buffer.last = static_cast<Step>(inclusive ? end : end - 1);
    buffer.alignment = static_cast<std::size_t>(table.optional("alignment", kMaxSize).value_or(options.alignment));
    if (!buffer.alignment.valid()) table.refuse("alignment", table.text("alignment") + " is no power of two");
    Row row;
    row.id = static_cast<std::size_t>(table.optional("id", kMaxSize).value_or(problem.rows.size()));
    row.name = clean_name(table.text("name"));
    if (row.name.empty()) row.name = std::to_string(row.id);
    row.bytes = buffer.size;
    problem.buffers.push_back(buffer);
    problem.rows.push_back(std::move(row));
    if (table.has("offset")) problem.offsets.push_back(table.optional("offset", kMaxSize));
  }
  return problem;
}

std::string csv_of(const Problem& problem, const Layout& layout) {
  std::ostringstream out;
  out << "id,name,first,last,size,alignment,offset\n";
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    out << problem.rows[i].id << ',' << quoted(problem.rows[i].name) << ',' << buffer.first << ',' << buffer.last << ','
        << buffer.size << ',' << buffer.alignment.bytes() << ',' << layout.offsets[i] << '\n';
  }
  return out.str();
}

}  // namespace arenite::tool
