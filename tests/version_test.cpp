// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/version.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

// CMake reads the version out of the header; PROJECT_VERSION is what it found.
TEST(Version, IsTheOneCMakeRead) {
  const std::string macros = std::to_string(ARENITE_VERSION_MAJOR) + "." + std::to_string(ARENITE_VERSION_MINOR) + "." +
                             std::to_string(ARENITE_VERSION_PATCH);
  EXPECT_EQ(macros, PROJECT_VERSION);
}

TEST(Version, ConstantAgreesWithMacros) {
  EXPECT_EQ(arenite::kVersion / 10000, ARENITE_VERSION_MAJOR);
  EXPECT_EQ(arenite::kVersion / 100 % 100, ARENITE_VERSION_MINOR);
  EXPECT_EQ(arenite::kVersion % 100, ARENITE_VERSION_PATCH);
}

}  // namespace
