// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Lists and plans as CSV, with a header line: `first,last` (inclusive) or `lower,upper` (upper exclusive), and `size`;
/// `id`, `name`, `alignment` and `offset` if there are any. Other columns are ignored, and so are lines that begin with
/// #.

#include <string>

#include "input.hpp"
#include "layout.hpp"
#include "problem.hpp"

namespace arenite::tool {

/// \throws InputError with line and column.
[[nodiscard]] Problem read_csv(const std::string& name, const std::string& text, const LoadOptions& options);

/// `id,name,first,last,size,alignment,offset`. Can be read again.
[[nodiscard]] std::string csv_of(const Problem& problem, const Layout& layout);

}  // namespace arenite::tool
