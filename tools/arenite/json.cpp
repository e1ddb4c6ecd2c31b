// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "json.hpp"

#include <arenite/align.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "error.hpp"
#include "names.hpp"

namespace arenite::tool {
namespace {

// What is read; keys are looked up in it, however many there are.
using Input = nlohmann::json;

// No file of ours is deeper than five levels; each takes some of the stack.
constexpr int kMostDepth = 100;

Input parse(const std::string& name, const std::string& text) {
  const auto look = [&name](int depth, Input::parse_event_t, const Input&) {
    if (depth > kMostDepth) {
      throw InputError(name, "", "is nested in more than " + std::to_string(kMostDepth) + " levels");
    }
    return true;
  };
  try {
    return Input::parse(text, look);
  } catch (const Input::parse_error& error) {
    throw InputError(name, "byte " + std::to_string(error.byte), "is no JSON");
  } catch (const Input::exception&) {
    throw InputError(name, "", "has a number that is too large");
  }
}

class Entry {
 public:
  Entry(const std::string& file, std::size_t index, const Input& json)
      : file_(file), place_("buffers[" + std::to_string(index) + "]"), json_(json) {
    if (!json.is_object()) refuse("is no object");
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(file_, place_, what); }

  [[nodiscard]] std::optional<std::uint64_t> optional(const char* key, std::uint64_t most) const {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return std::nullopt;
    if (!found->is_number_unsigned()) refuse(std::string(key) + " is no whole number of at least 0");
    const auto value = found->get<std::uint64_t>();
    if (value > most) refuse(std::string(key) + " is too large");
    return value;
  }

  [[nodiscard]] std::uint64_t number(const char* key, std::uint64_t most) const {
    const auto value = optional(key, most);
    if (!value) refuse(std::string(key) + " is missing");
    return *value;
  }

  [[nodiscard]] std::string text(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || !found->is_string() ? "" : clean_name(found->get_ref<const std::string&>());
  }

 private:
  const std::string& file_;
  std::string place_;
  const Input& json_;
};

void add(Problem& problem, const Entry& entry, const LoadOptions& options) {
  Buffer buffer;
  buffer.size = static_cast<std::size_t>(entry.number("size", kMaxSize));
  buffer.first = static_cast<Step>(entry.number("first", std::numeric_limits<Step>::max()));
  buffer.last = static_cast<Step>(entry.number("last", std::numeric_limits<Step>::max()));
  if (buffer.last < buffer.first) entry.refuse("the lifetime ends before it begins");
  buffer.alignment = static_cast<std::size_t>(entry.optional("alignment", kMaxSize).value_or(options.alignment));
  if (!buffer.alignment.valid()) entry.refuse("alignment is no power of two");
  Row row;
  row.id = static_cast<std::size_t>(entry.optional("id", kMaxSize).value_or(problem.rows.size()));
  row.name = entry.text("name");
  if (row.name.empty()) row.name = std::to_string(row.id);
  row.bytes = buffer.size;
  problem.buffers.push_back(buffer);
  problem.rows.push_back(std::move(row));
  problem.offsets.emplace_back();
  if (const auto offset = entry.optional("offset", kMaxSize)) problem.offsets.back() = *offset;
}

}  // namespace

Problem read_json(const std::string& name, const std::string& text, const LoadOptions& options) {
  const Input json = parse(name, text);
  const auto buffers = json.is_object() ? json.find("buffers") : json.end();
  if (buffers == json.end() || !buffers->is_array()) throw InputError(name, "", "has no list 'buffers'");
  if (buffers->size() > kMaxBuffers) throw InputError(name, "", "has more buffers than can be planned");
  Problem problem;
  problem.source = name;
  bool any = false;
  for (std::size_t i = 0; i < buffers->size(); ++i) {
    add(problem, Entry(name, i, (*buffers)[i]), options);
    any = any || problem.offsets.back();
  }
  if (!any) problem.offsets.clear();
  return problem;
}

Json json_of(const Problem& problem, const Layout& layout) {
  Json json;
  json["source"] = problem.source;
  json["strategy"] = layout.strategy;
  json["size"] = layout.size;
  json["alignment"] = layout.alignment;
  json["lower_bound"] = layout.lower_bound;
  json["proven"] = layout.proven();
  Json& buffers = json["buffers"] = Json::array();
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const Row& row = problem.rows[i];
    const Buffer& buffer = problem.buffers[i];
    buffers.push_back({{"id", row.id},
                       {"name", row.name},
                       {"role", to_string(row.role)},
                       {"first", buffer.first},
                       {"last", buffer.last},
                       {"size", buffer.size},
                       {"alignment", buffer.alignment.bytes()},
                       {"offset", layout.offsets[i]}});
  }
  return json;
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

const char* to_string(Role role) noexcept {
  switch (role) {
    case Role::kInput:
      return "input";
    case Role::kOutput:
      return "output";
    case Role::kActivation:
      return "activation";
    case Role::kScratch:
      return "scratch";
    case Role::kBuffer:
      break;
  }
  return "buffer";
}

}  // namespace arenite::tool
