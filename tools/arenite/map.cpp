// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <string_view>

#include "answer.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "map_data.hpp"
#include "map_html.hpp"
#include "map_svg.hpp"
#include "map_text.hpp"
#include "replace_file.hpp"

namespace arenite::tool {
namespace {

bool ends_with(std::string_view text, std::string_view end) noexcept {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

int run_map(const MapArguments& arguments, Streams& streams) {
  const std::string& output = arguments.output;
  const bool html = ends_with(output, ".html");
  if (!output.empty() && !html && !ends_with(output, ".svg")) {
    throw InputError(output, "", "a map is a file *.svg or *.html");
  }
  const Problem problem = load(arguments.input, arguments.load);
  MapData map = map_data(problem, layout_with_progress(problem, arguments.layout, streams));
  if (!arguments.title.empty()) map.title = arguments.title;
  const bool json = arguments.format == Format::kJson;
  if (html || (output.empty() && json)) {
    for (const StrategyName& strategy : strategies()) add_strategy(strategy.name, arguments.layout, map);
  } else if (!output.empty()) {
    add_strategy("greedy", arguments.layout, map);
  }
  if (output.empty()) {
    if (json) {
      streams.out << text_of(json_of(map));
    } else {
      print_map(map, streams.out);
    }
    return kYes;
  }
  const std::string file = html ? html_of(map) : svg_of(map);
  replace_file(output, file);
  const Layout& shown = map.shown();
  if (json) {
    streams.out << text_of({{"output", output},
                            {"kind", html ? "html" : "svg"},
                            {"buffers", problem.buffers.size()},
                            {"strategy", shown.strategy},
                            {"size", shown.size},
                            {"lower_bound", map.lower_bound},
                            {"proven", shown.size == map.lower_bound}});
  } else {
    streams.out << output << ": " << shown.size << " bytes, " << proof_of(shown.size, map.lower_bound) << '\n';
  }
  return kYes;
}

}  // namespace arenite::tool
