// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "map_data.hpp"

namespace arenite::tool {

/// One page that works by itself: what is drawn is drawn by its script, from the data in it. The same data give the
/// same bytes.
[[nodiscard]] std::string html_of(const MapData& map);

}  // namespace arenite::tool
