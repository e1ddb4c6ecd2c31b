// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Writes the small model of the tests, which has operators, into a file.

#include <fstream>

#include "../models.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ofstream stream(argv[1], std::ios::binary);
  stream << arenite::tool::test::chain().bytes();
  stream.close();
  return stream ? 0 : 1;
}
