// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What a map shows, whatever draws it.

#include <cstddef>
#include <string>
#include <vector>

#include "json.hpp"
#include "layout.hpp"
#include "problem.hpp"

namespace arenite::tool {

struct MapData {
  const Problem& problem;
  std::string title;            ///< Over the picture.
  std::vector<Layout> layouts;  ///< At least one; the one that was asked for comes first.
  std::size_t lower_bound = 0;  ///< The largest that any of them knows.
  Peak peak;

  [[nodiscard]] const Layout& shown() const noexcept { return layouts.front(); }
};

/// The title is the name of the file, without its folder: a picture does not tell where somebody keeps their files.
[[nodiscard]] MapData map_data(const Problem& problem, Layout layout);

/// Adds the layout of another strategy, unless it is there already, or its work grows too fast for so many buffers, or
/// it cannot plan this list (`given`, where the file gives no sound offsets).
void add_strategy(const std::string& name, LayoutOptions options, MapData& map);

/// As `json_of` of the layout that was asked for, and with all strategies, operators and steps.
[[nodiscard]] Json json_of(const MapData& map);

/// In binary units with at most one digit behind the point, "54 KiB", below 1 KiB "512 B"; or in the unit that `like`
/// so many bytes would have.
[[nodiscard]] std::string binary_of(std::size_t bytes);
[[nodiscard]] std::string binary_of(std::size_t bytes, std::size_t like);

/// One of many steps, "step 3"; with what happens there, if that is known: "step 3 (2 CONV_2D)".
[[nodiscard]] std::string step_of(const Problem& problem, Step step);

/// Text for XML and HTML, between tags or in an attribute. Characters that XML cannot hold become U+FFFD.
[[nodiscard]] std::string xml_of(const std::string& text);

}  // namespace arenite::tool
