// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "map_data.hpp"

namespace arenite::tool {

/// The layout that was asked for as a picture that works by itself: steps across, addresses upwards. It has the
/// colours that the reader prefers, light or dark. The same data give the same bytes.
///
/// A buffer is a group with its role as class, its rectangle, and all that is known of it as title; one without bytes
/// takes no place, and is only counted. Names that do not fit are cut, and left out where little would be left.
[[nodiscard]] std::string svg_of(const MapData& map);

}  // namespace arenite::tool
