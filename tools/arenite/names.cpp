// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace arenite::tool {
namespace {

constexpr char kEllipsis[] = "\xE2\x80\xA6";

// Less of a path tells nothing.
constexpr std::size_t kLeastOfPath = 14;

constexpr std::size_t kLongestComment = 72;
constexpr std::size_t kLongestIdentifier = 48;

bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
bool is_alphanumeric(char c) noexcept { return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool begins_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

// The byte at which a character begins, counted from 0; the end if there are fewer.
std::size_t byte_of(const std::string& text, std::size_t character) noexcept {
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (begins_character(text[i]) && character-- == 0) break;
  }
  return i;
}

}  // namespace

std::string clean_name(std::string_view name) {
  const std::string text = valid_utf8(std::string(name));
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters too: C2 and a byte.
    const bool begins_pair = c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (begins_pair) ++i;
    result += begins_pair || c < 0x20 || c == 0x7F ? '?' : text[i];
  }
  return result;
}

std::string short_name(const Row& row, std::size_t most) {
  const bool is_path = row.name.find('/') != std::string::npos;
  if (is_path && most < kLeastOfPath && characters(row.name) > most) return "#" + std::to_string(row.id);
  return short_name(row.name, most);
}

std::string short_name(const std::string& name, std::size_t most) {
  std::string text = valid_utf8(name);
  if (characters(text) <= most) return text;
  if (const std::size_t end = text.find(';'); end != std::string::npos && end != 0) text.resize(end);
  const std::size_t count = characters(text);
  if (count <= most) return text;
  if (most < 2) return kEllipsis;
  if (text.find('/') == std::string::npos) return text.substr(0, byte_of(text, most - 1)) + kEllipsis;
  return kEllipsis + text.substr(byte_of(text, count - (most - 1)));
}

std::string valid_utf8(const std::string& text) {
  return nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
      .get<std::string>();
}

std::size_t characters(const std::string& text) noexcept {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string comment_of(std::string_view name) {
  constexpr std::string_view kDangerous = "\\?*\"";
  std::string result(name.substr(0, kLongestComment));
  for (char& c : result) {
    if (c < 0x20 || c > 0x7E || kDangerous.find(c) != std::string_view::npos) c = '_';
  }
  return name.size() > kLongestComment ? result + "..." : result;
}

std::string camel_of(std::string_view name) {
  std::string result;
  bool begins = true;
  for (const char c : name) {
    if (!is_alphanumeric(c)) {
      begins = true;
      continue;
    }
    if (result.size() == kLongestIdentifier) break;
    result += begins && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return result;
}

std::string namespace_of(std::string_view path) {
  std::string_view name = base_name(path);
  name = name.substr(0, name.rfind('.'));
  std::string result;
  for (const char c : name.substr(0, kLongestIdentifier)) {
    if (is_alphanumeric(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  constexpr std::string_view kEnd = "_plan";
  if (result.empty()) return "plan";
  if (result[0] >= '0' && result[0] <= '9') return "plan_" + result;
  const bool ends = result.size() > kEnd.size() && std::equal(kEnd.rbegin(), kEnd.rend(), result.rbegin());
  return ends || result == "plan" ? result : result + std::string(kEnd);
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace arenite::tool
