// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The headers may stand in any number of translation units: what they define is inline, and there is one of it.

#include <arenite/arenite.hpp>

#include <gtest/gtest.h>

const long* version_seen_by_the_other_unit();

TEST(TwoUnits, ShareOneDefinition) { EXPECT_EQ(&arenite::kVersion, version_seen_by_the_other_unit()); }
