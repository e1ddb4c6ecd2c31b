// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <ostream>

#include "map_data.hpp"

namespace arenite::tool {

/// The layout that was asked for, in lines of at most 100 characters: addresses across, steps downwards, a letter a
/// buffer, and who is who. Of a long list only the buffers that take the most room have a letter, and steps are put
/// together, so that it is never more than some 130 lines.
void print_map(const MapData& map, std::ostream& out);

}  // namespace arenite::tool
