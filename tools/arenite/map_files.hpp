// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace arenite::tool {

/// The files map.html and map.css, which the build puts into the program.
extern const std::string_view kMapHtml;
extern const std::string_view kMapCss;

}  // namespace arenite::tool
