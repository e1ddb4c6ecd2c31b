// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Names that come from files, made fit for where they go: anybody may have written them.

#include <cstddef>
#include <string>
#include <string_view>

#include "problem.hpp"

namespace arenite::tool {

/// For a terminal, and all that is written: valid UTF-8 without control characters, which become `?`.
[[nodiscard]] std::string clean_name(std::string_view name);

/// A name in at most so many characters (at least 1), cut where it tells least: a path keeps its end, and of several
/// names with semicolons between them the first one is kept. Valid UTF-8 whatever the name is made of.
[[nodiscard]] std::string short_name(const std::string& name, std::size_t most);

/// Likewise for a buffer: where little would be left of a path, its number, "#58".
[[nodiscard]] std::string short_name(const Row& row, std::size_t most);

/// Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string valid_utf8(const std::string& text);

/// How many characters a text of valid UTF-8 has.
[[nodiscard]] std::size_t characters(const std::string& text) noexcept;

/// For a comment in a source file that ends with its line: letters, digits and most signs of ASCII; anything that could
/// end a comment, go on in the next line, or mean something to a compiler becomes `_`. Long ones are cut.
[[nodiscard]] std::string comment_of(std::string_view name);

/// For a constant, behind a `k`: `serving_default_x:0` becomes `ServingDefaultX0`. Long ones are cut. May be empty.
[[nodiscard]] std::string camel_of(std::string_view name);

/// For a namespace, from the path of a file: `models/3d-pose.tflite` becomes `plan_3d_pose`, and `time.hpp`
/// `time_plan`: no keyword, nothing that the C library or a macro has, no name that is reserved.
[[nodiscard]] std::string namespace_of(std::string_view path);

/// The last part of a path.
[[nodiscard]] std::string_view base_name(std::string_view path);

}  // namespace arenite::tool
