// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "map_data.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "names.hpp"

namespace arenite::tool {
namespace {

// The work of quick plans grows with the square of the number of buffers; a search has a limit of its own.
constexpr std::size_t kMostForQuickPlans = 20000;
constexpr std::size_t kMostForBestOfEight = 2000;

bool is_cheap(std::string_view strategy, std::size_t buffers) noexcept {
  if (strategy == "best_of_eight") return buffers <= kMostForBestOfEight;
  return strategy == "given" || strategy == "search" || buffers <= kMostForQuickPlans;
}

constexpr char kReplacement[] = "\xEF\xBF\xBD";

}  // namespace

MapData map_data(const Problem& problem, Layout layout) {
  MapData map{
      problem, problem.source.substr(problem.source.find_last_of("/\\") + 1), {}, layout.lower_bound, peak_of(problem)};
  map.layouts.push_back(std::move(layout));
  return map;
}

void add_strategy(const std::string& name, LayoutOptions options, MapData& map) {
  const bool is_there = std::any_of(map.layouts.begin(), map.layouts.end(),
                                    [&name](const Layout& layout) { return layout.strategy == name; });
  if (is_there || !is_cheap(name, map.problem.buffers.size())) return;
  options.strategy = name;
  try {
    map.layouts.push_back(make_layout(map.problem, options));
  } catch (const InputError&) {
    return;  // the list itself is sound: another strategy has planned it
  }
  map.lower_bound = std::max(map.lower_bound, map.layouts.back().lower_bound);
}

Json json_of(const MapData& map) {
  const Problem& problem = map.problem;
  Json json = json_of(problem, map.shown());
  json["title"] = map.title;
  json["lower_bound"] = map.lower_bound;
  json["proven"] = map.shown().size == map.lower_bound;
  Json buffers = std::move(json["buffers"]);
  json.erase("buffers");
  json["peak"] = {{"bytes", map.peak.bytes}, {"step", map.peak.step}};
  Json& choices = json["strategies"] = Json::array();
  for (const StrategyName& strategy : strategies()) {
    for (const Layout& layout : map.layouts) {
      if (layout.strategy != strategy.name) continue;
      choices.push_back({{"name", strategy.name},
                         {"what", strategy.what},
                         {"size", layout.size},
                         {"proven", layout.size == map.lower_bound},
                         {"offsets", layout.offsets}});
    }
  }
  json["steps"] = problem.steps;
  json["notes"] = problem.notes;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Row& row = problem.rows[i];
    buffers[i]["bytes"] = row.bytes;
    Json& uses = buffers[i]["uses"] = Json::array();
    for (const Use& use : row.uses) uses.push_back({{"step", use.step}, {"writes", use.writes}});
  }
  json["buffers"] = std::move(buffers);
  return json;
}

std::string binary_of(std::size_t bytes) { return binary_of(bytes, bytes); }

std::string binary_of(std::size_t bytes, std::size_t like) {
  constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; like >= 1024; like /= 1024, ++unit) value /= 1024;
  char digits[32];
  (void)std::snprintf(digits, sizeof digits, "%.1f", value);
  std::string text = digits;
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text + " " + kUnits[unit];
}

std::string step_of(const Problem& problem, Step step) {
  return "step " + std::to_string(step) + (step < problem.steps.size() ? " (" + problem.steps[step] + ")" : "");
}

std::string xml_of(const std::string& text) {
  std::string result;
  const std::string valid = valid_utf8(text);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\'') {
      result += "&#39;";
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\n') {
      result += c == '\t' ? " " : kReplacement;
    } else if (valid.compare(i, 3, "\xEF\xBF\xBE") == 0 || valid.compare(i, 3, "\xEF\xBF\xBF") == 0) {
      result += kReplacement;  // U+FFFE and U+FFFF are no characters
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace arenite::tool
