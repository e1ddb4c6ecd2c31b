// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The version of Arenite, the only place where it is written (CMake reads it from here), and how much it checks.
///
/// Everything public lives in `arenite::ARENITE_ABI`, an inline namespace: a user writes `arenite::Arena`, and the
/// linker sees version and level in the name of each function and variable that has to do with it. Translation units
/// that do not fit together fail to link instead of corrupting memory. Constants only: nothing here is of concern to
/// threads and interrupts.

#define ARENITE_VERSION_MAJOR 0
#define ARENITE_VERSION_MINOR 1
#define ARENITE_VERSION_PATCH 0

/// How much is checked, one level for a whole program: `-D ARENITE_HARDENING=ARENITE_HARDENING_DEBUG`. Whatever the
/// level, a request that does not fit is refused, no size wraps, and a correct program sees the same, but for the bytes
/// and the time that fences and patterns take. (One that writes `Unobserved` where it means `DefaultObserver` does not
/// compile at each level.)
///
/// - `OFF`: preconditions are trusted. Markers and temp scopes are of the right arena and in order, and who asks a view
///   or a session for `data` has one that is not released, an index, a count and a type that fit. A view that was
///   refused still answers null. Nothing calls the panic hook.
/// - `STANDARD`, the default: everything that can corrupt memory is checked. A value answers what a value can; the rest
///   goes to the panic hook.
/// - `DEBUG`: the same, and an arena that names no observer has fences around its blocks, and patterns in what is fresh
///   or freed, see `observers/fences.hpp`. The ends of the regions and all fences are looked at before and after each
///   call that takes, gives back or marks: what is overwritten there goes to the panic hook.
#define ARENITE_HARDENING_OFF 10
#define ARENITE_HARDENING_STANDARD 20
#define ARENITE_HARDENING_DEBUG 30

#if !defined(ARENITE_HARDENING)
#define ARENITE_HARDENING ARENITE_HARDENING_STANDARD
#endif

/// Name of the inline namespace. Changes with each version whose layout or behaviour differs, and with the level.
#if ARENITE_HARDENING == ARENITE_HARDENING_OFF
#define ARENITE_ABI v0_1_off
#define ARENITE_HARDENING_IN_ASM "10"
#elif ARENITE_HARDENING == ARENITE_HARDENING_STANDARD
#define ARENITE_ABI v0_1
#define ARENITE_HARDENING_IN_ASM "20"
#elif ARENITE_HARDENING == ARENITE_HARDENING_DEBUG
#define ARENITE_ABI v0_1_debug
#define ARENITE_HARDENING_IN_ASM "30"
#else
#error "ARENITE_HARDENING is ARENITE_HARDENING_OFF, ARENITE_HARDENING_STANDARD or ARENITE_HARDENING_DEBUG"
#endif

// A type of the user's that has an arena in it, and things that are passed as `void*`, show no level in their names. So
// each unit has an absolute symbol too, which is no byte. Linkers take any number of them for one if they have one
// value, and else refuse the program; GCC's optimiser at link time puts all into one unit, where the assembler
// compares. That of Clang would take two of one value for two definitions: there the names are all.
#if defined(__ELF__) && defined(__GNUC__) && !defined(__clang__)
asm(".ifdef arenite_hardening\n"
    ".if arenite_hardening - " ARENITE_HARDENING_IN_ASM
    "\n.error \"units with different ARENITE_HARDENING in one program\"\n"
    ".endif\n"
    ".else\n"
    ".globl arenite_hardening\n"
    ".set arenite_hardening, " ARENITE_HARDENING_IN_ASM "\n.endif");
#endif

namespace arenite {

// With the tag, names of variables and of functions that answer with one of our types have it in them, too.
inline namespace ARENITE_ABI __attribute__((abi_tag)) {}

inline namespace ARENITE_ABI {

static_assert(ARENITE_VERSION_MAJOR == 0 && ARENITE_VERSION_MINOR == 1, "ARENITE_ABI is of this version");

/// The version as one number, 10000 * major + 100 * minor + patch: `static_assert(arenite::kVersion >= 100);`
inline constexpr long kVersion = 10000L * ARENITE_VERSION_MAJOR + 100L * ARENITE_VERSION_MINOR + ARENITE_VERSION_PATCH;

/// The level, see `ARENITE_HARDENING`.
enum class Hardening : unsigned char { kOff, kStandard, kDebug };
inline constexpr Hardening kHardening = ARENITE_HARDENING == ARENITE_HARDENING_OFF     ? Hardening::kOff
                                        : ARENITE_HARDENING == ARENITE_HARDENING_DEBUG ? Hardening::kDebug
                                                                                       : Hardening::kStandard;

}  // namespace ARENITE_ABI
}  // namespace arenite
