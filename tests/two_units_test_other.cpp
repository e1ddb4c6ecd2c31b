// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/arenite.hpp>

const long* version_seen_by_the_other_unit();
const long* version_seen_by_the_other_unit() { return &arenite::kVersion; }
