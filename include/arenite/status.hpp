// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What can go wrong, as values: a `Status` says what, a `Failure` adds the numbers, and the panic hook is for broken
/// preconditions that no return value can answer (a marker of another arena, a scope closed out of order), and at level
/// debug for memory that was overwritten.
///
/// Costs no code where nothing fails, and four bytes of .bss for the hook where something can panic. No exceptions,
/// no stdio, no RTTI. Safe from any thread and any interrupt, but for `set_panic_hook`.

#include <cstddef>
#include <cstdint>

#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

enum class [[nodiscard]] Status : std::uint8_t{
    kOk = 0,

    // Requests.
    kOutOfMemory,       ///< The request is sound, but the memory is too small.
    kInvalidAlignment,  ///< Zero, or not a power of two.
    kSizeOverflow,      ///< A size, or a sum of sizes, exceeds what the target can address.
    kNullMemory,        ///< There is no memory: null, empty, or past the end of the address space.

    // Order of calls in an arena.
    kTempOpen,     ///< Not while a temp scope is open.
    kNotOnTop,     ///< Something lies above: the head grows and shrinks only while overlay and temp are empty.
    kScopeOrder,   ///< The temp scope is closed, or not the innermost one.
    kMarkerOrder,  ///< The marker was released or overtaken before, or a later one is still to be released.
    kMarkerAlien,  ///< The marker was made by another arena.
    kLoaded,       ///< A session holds a model: it is to be unloaded first.
    kOtherMemory,  ///< A handle to other memory than the arena has.

    // Buffers, plans, and access to planned buffers.
    kInvalidLifetime,  ///< A lifetime that ends before it begins.
    kTooManyBuffers,   ///< More buffers than the capacity.
    kOverlap,          ///< Two buffers that live at the same step share a byte.
    kMisaligned,       ///< An offset or an address is not a multiple of its alignment.
    kOutOfBounds,      ///< No such index, or a range that ends outside of its buffer or plan.
    kMismatch,         ///< A plan that was made for other buffers, or does not keep to a constraint.
    kContradiction,    ///< Two constraints that want different things of one buffer.
    kStale,            ///< What it needs was released, or is not begun or prepared.

    // Graphs.
    kReadBeforeWritten,  ///< A tensor is read, and nothing wrote it before.
    kWrittenTwice,       ///< A tensor has two writers.
    kConstantWritten,    ///< A constant has a writer.
    kCycle,              ///< A tensor is made out of itself.
    kBadNesting,         ///< Bodies and ends do not match their operators.

    // Memory.
    kDamaged,  ///< A fence or the bookkeeping was overwritten: found at level debug.
};

/// The status in words, for logs. The text is static; programs that do not call this do not hold it.
[[nodiscard]] constexpr const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kOutOfMemory:
      return "out of memory";
    case Status::kInvalidAlignment:
      return "alignment is zero or not a power of two";
    case Status::kSizeOverflow:
      return "size overflow";
    case Status::kNullMemory:
      return "no memory: null, empty, or past the end of the address space";
    case Status::kTempOpen:
      return "a temp scope is open";
    case Status::kNotOnTop:
      return "something lies above the head";
    case Status::kScopeOrder:
      return "not the innermost open temp scope";
    case Status::kMarkerOrder:
      return "not the latest unreleased marker";
    case Status::kMarkerAlien:
      return "marker of another arena";
    case Status::kLoaded:
      return "a model is loaded already";
    case Status::kOtherMemory:
      return "the arena has other memory";
    case Status::kInvalidLifetime:
      return "lifetime ends before it begins";
    case Status::kTooManyBuffers:
      return "more buffers than capacity";
    case Status::kOverlap:
      return "buffers overlap";
    case Status::kMisaligned:
      return "misaligned";
    case Status::kOutOfBounds:
      return "out of bounds";
    case Status::kMismatch:
      return "the plan was made for other buffers";
    case Status::kContradiction:
      return "two constraints contradict each other";
    case Status::kStale:
      return "released, or not begun or prepared";
    case Status::kReadBeforeWritten:
      return "read before it is written";
    case Status::kWrittenTwice:
      return "written twice";
    case Status::kConstantWritten:
      return "a constant is written";
    case Status::kCycle:
      return "made out of itself";
    case Status::kBadNesting:
      return "bodies and ends do not match";
    case Status::kDamaged:
      return "a fence or the bookkeeping was overwritten";
  }
  return "unknown status";
}

/// A refused request in numbers, all in bytes: `requested 400, available 264, missing 136, required 4232`. A request
/// is what a block takes, with the fences that an observer, or level debug, puts around it.
struct Failure {
  Status what = Status::kOk;
  std::size_t requested = 0;  ///< The largest `size_t` where count * size does not fit into one.
  std::size_t alignment = 0;  ///< As asked for.
  std::size_t available = 0;  ///< The largest request of this alignment that would have been granted.
  std::size_t missing =
      0;  ///< By how much the arena is too small for it, padding included. Zero unless memory is wanting.
  std::size_t required = 0;  ///< Size of an arena that would have granted it, and all other requests up to now.
};

/// Called with the reason when a precondition is broken, by the thread or interrupt that broke it, and under the lock
/// that it holds. Expected not to return; where it does, the call that found the fault changes nothing. One that found
/// damage (`kDamaged`) goes on if that is in a fence, and traps if it is in the bookkeeping. Each level of hardening
/// has a hook of its own, as it has everything else.
using PanicHook = void (*)(Status) noexcept;

namespace detail {

inline PanicHook panic_hook = nullptr;

/// Out of line: what panics is rare, and each place that can stays small.
[[gnu::noinline, gnu::cold]] inline void panic(Status reason) noexcept {
  if (panic_hook == nullptr) __builtin_trap();
  panic_hook(reason);
}

}  // namespace detail

/// Replaces the panic hook and returns the former one; `nullptr` stands for the default, which traps. Not safe against
/// a concurrent panic: set it before threads and interrupts start.
inline PanicHook set_panic_hook(PanicHook hook) noexcept {
  const PanicHook former = detail::panic_hook;
  detail::panic_hook = hook;
  return former;
}

}  // namespace ARENITE_ABI
}  // namespace arenite
