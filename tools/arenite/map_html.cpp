// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "map_html.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "map_files.hpp"

namespace arenite::tool {
namespace {

// JSON within a <script>: nothing that ends the element or opens a comment is left as it is, nor is any character
// beyond ASCII. All of them are in strings only.
std::string script_of(const Json& json) {
  std::string result;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') {
      result += "\\u003c";
    } else if (c == '>') {
      result += "\\u003e";
    } else if (c == '&') {
      result += "\\u0026";
    } else {
      result += c;
    }
  }
  return result;
}

// What stands in for the marks, which are there in this order. What is put in is not looked through again.
std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> marks) {
  std::string result;
  for (const auto& [mark, value] : marks) {
    const std::size_t at = text.find(mark);
    result += text.substr(0, at);
    result += value;
    text.remove_prefix(at + mark.size());
  }
  return result += text;
}

}  // namespace

std::string html_of(const MapData& map) {
  Json data = json_of(map);
  data.erase("source");  // a path
  return filled(kMapHtml, {{"@TITLE@", xml_of(map.title) + ": map of its buffers"},
                           {"@STYLE@", std::string(kMapCss)},
                           {"@DATA@", script_of(data)}});
}

}  // namespace arenite::tool
