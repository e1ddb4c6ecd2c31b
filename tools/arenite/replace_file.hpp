// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A file that is written whole or not at all.

#include <string>

namespace arenite::tool {

/// Writes the bytes to a file of another name beside it, reads them back, and renames that file: at no time is there
/// half a file, and what was there before is lost only at the end. What is no plain file (a pipe, a device) is written
/// to as it is. \throws InputError if that fails; no new file is left then.
void replace_file(const std::string& path, const std::string& bytes);

}  // namespace arenite::tool
