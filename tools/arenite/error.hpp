// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What goes wrong with a file that the user named.

#include <stdexcept>
#include <string>

namespace arenite::tool {

/// Bad input, or output that cannot be written: the file, the place in it if there is one ("line 3", "tensor 7
/// 'conv'"), and what is wrong there. Ends the program with exit code 2.
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& file, const std::string& place, const std::string& what)
      : std::runtime_error(file + ": " + (place.empty() ? "" : place + ": ") + what) {}
};

}  // namespace arenite::tool
