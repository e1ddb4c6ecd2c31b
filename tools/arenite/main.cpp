// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include <iostream>

#include "commands.hpp"

// NOLINTNEXTLINE(bugprone-exception-escape): `run` catches all but what is thrown before it has read its arguments
int main(int argc, char** argv) {
  arenite::tool::Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  return arenite::tool::run(argc, argv, streams);
}
