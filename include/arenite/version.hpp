// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The version of Arenite, the only place where it is written (CMake reads it from here), and how much it checks.
///
/// Everything public lives in `arenite::ARENITE_ABI`, an inline namespace: a user writes `arenite::Arena`, and the
/// linker sees version and level in each name. Translation units that do not fit together fail to link instead of
/// corrupting memory. Constants only: nothing here is of concern to threads and interrupts.

#define ARENITE_VERSION_MAJOR 0
#define ARENITE_VERSION_MINOR 1
#define ARENITE_VERSION_PATCH 0

/// How much is checked, one level for a whole program: `-D ARENITE_HARDENING=ARENITE_HARDENING_DEBUG`. Whatever the
/// level, a request that does not fit is refused, no size wraps, and nothing else changes in what a correct program
/// sees, but for the bytes that fences take.
///
/// - `OFF`: preconditions are trusted. Markers and temp scopes are of the right arena and in order, and who asks a view
///   or a session for `data` has a valid one, an index, a count and a type that fit. Nothing calls the panic hook.
/// - `STANDARD`, the default: everything that can corrupt memory is checked. A value answers what a value can; the rest
///   goes to the panic hook.
/// - `DEBUG`: the same, and an arena that names no observer has fences around its blocks, and patterns in what is fresh
///   or freed, see `observers/fences.hpp`. The bookkeeping and all fences are looked at before and after each call that
///   takes, gives back or marks: what is overwritten goes to the panic hook.
#define ARENITE_HARDENING_OFF 10
#define ARENITE_HARDENING_STANDARD 20
#define ARENITE_HARDENING_DEBUG 30

#if !defined(ARENITE_HARDENING)
#define ARENITE_HARDENING ARENITE_HARDENING_STANDARD
#endif

/// Name of the inline namespace. Changes with each version whose layout or behaviour differs, and with the level. Names
/// do not tell everything: those of variables, for one, have no type in them. So each unit also has an absolute symbol,
/// which is no byte. Linkers take any number of them for one if they have one value, and else refuse the program.
#if ARENITE_HARDENING == ARENITE_HARDENING_OFF
#define ARENITE_ABI v0_1_off
#if defined(__ELF__)
asm(".globl arenite_abi\n\t.set arenite_abi, 110");
#endif
#elif ARENITE_HARDENING == ARENITE_HARDENING_STANDARD
#define ARENITE_ABI v0_1
#if defined(__ELF__)
asm(".globl arenite_abi\n\t.set arenite_abi, 120");
#endif
#elif ARENITE_HARDENING == ARENITE_HARDENING_DEBUG
#define ARENITE_ABI v0_1_debug
#if defined(__ELF__)
asm(".globl arenite_abi\n\t.set arenite_abi, 130");
#endif
#else
#error "ARENITE_HARDENING is ARENITE_HARDENING_OFF, ARENITE_HARDENING_STANDARD or ARENITE_HARDENING_DEBUG"
#endif

namespace arenite {
inline namespace ARENITE_ABI {

/// The version as one number, 10000 * major + 100 * minor + patch: `static_assert(arenite::kVersion >= 100);`
inline constexpr long kVersion = 10000L * ARENITE_VERSION_MAJOR + 100L * ARENITE_VERSION_MINOR + ARENITE_VERSION_PATCH;

/// The level, see `ARENITE_HARDENING`.
enum class Hardening : unsigned char { kOff, kStandard, kDebug };
inline constexpr Hardening kHardening = ARENITE_HARDENING == ARENITE_HARDENING_OFF     ? Hardening::kOff
                                        : ARENITE_HARDENING == ARENITE_HARDENING_DEBUG ? Hardening::kDebug
                                                                                       : Hardening::kStandard;

}  // namespace ARENITE_ABI
}  // namespace arenite
