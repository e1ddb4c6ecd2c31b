// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The version of Arenite: the only place where it is written. CMake reads it from here.
///
/// Everything public lives in `arenite::ARENITE_ABI`, an inline namespace: a user writes `arenite::Arena`, and the
/// linker sees the ABI in each name. Translation units built against versions that do not fit together fail to link
/// instead of corrupting memory.

#define ARENITE_VERSION_MAJOR 0
#define ARENITE_VERSION_MINOR 1
#define ARENITE_VERSION_PATCH 0

/// Name of the inline namespace. Changes with each version whose layout or behaviour differs.
#define ARENITE_ABI v0_1

namespace arenite {
inline namespace ARENITE_ABI {

/// The version as one number, 10000 * major + 100 * minor + patch: `static_assert(arenite::kVersion >= 100);`
inline constexpr long kVersion = 10000L * ARENITE_VERSION_MAJOR + 100L * ARENITE_VERSION_MINOR + ARENITE_VERSION_PATCH;

}  // namespace ARENITE_ABI
}  // namespace arenite
