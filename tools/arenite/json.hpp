// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Plans as JSON: an object with a list `buffers`, each with `first`, `last` (inclusive) and `size`; `id`, `name`,
/// `alignment` and `offset` if there are any. What else is in it is ignored.

#include <nlohmann/json.hpp>
#include <string>

#include "input.hpp"
#include "layout.hpp"
#include "problem.hpp"

namespace arenite::tool {

using Json = nlohmann::ordered_json;

/// \throws InputError with the place.
[[nodiscard]] Problem read_json(const std::string& name, const std::string& text, const LoadOptions& options);

/// Can be read again. Has the buffers, and what is known of the plan; sizes in bytes.
[[nodiscard]] Json json_of(const Problem& problem, const Layout& layout);

/// As text of two spaces a level and a line break at the end; bytes of names that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string text_of(const Json& json);

/// "input", "scratch" and so on.
[[nodiscard]] const char* to_string(Role role) noexcept;

}  // namespace arenite::tool
