// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Who wrote where nothing was theirs: an observer that puts fences around blocks, and patterns into what is fresh and
/// what is freed.
///
///     arenite::Arena<4096, 16, arenite::Guard<>> arena;
///     ...
///     if (const arenite::Damage damage = arena.observer().check(); !damage.ok()) log(damage.pointer, damage.address);
///
/// - In front of each block of head, tail and temp is a fence of `kFenceBytes`, or of the block's alignment if that is
///   more, and behind it one of `kFenceBytes`. Both are looked at when the block is given back, and by `check()`.
/// - A fresh block is filled with `kFresh`, and memory that is given back with `kFreed`, so that who reads too early or
///   too late gets the same nonsense each time.
/// - Planned buffers have no fences of their own, as plans are made without an arena. Where the program says which step
///   begins, by `arena.enter`, bytes of the planned block that no buffer has are filled with `kFreed`, and looked at
///   when the next step begins, when the overlay is released or asked for again, and by `check()`: until then the plan
///   and the list stay where they are. A buffer that is alive now and was not at the step before is filled with
///   `kFresh`: write to it after `enter`. Buffers that touch each other are kept apart by planning more than is needed,
///   see `with_fences`.
///
/// A write that leaves the value that is there, or jumps over the fence, goes unnoticed. So does one into memory that
/// was never granted, or after it was given back for good.
///
/// What is found is a value, and the first is kept: the panic hook is not called, as the damage may be old, and whoever
/// polls knows what is safe to be done. In a fault handler, `check()` names who may be to blame.
///
/// Costs, on a 32-bit target, 16 bytes for each of `kBlocks` blocks and some 60 more, all zero at first, beside the
/// fences. Blocks that find no room in the table have fences and patterns, which nobody looks at. A request is
/// O(its bytes), a release O(kBlocks + bytes given back), a step O(live * n + bytes of the planned block). For one
/// arena. No call is safe against a call of its arena that runs at the same time, be it in a thread or in an
/// interrupt.

#include <array>
#include <cstddef>
#include <cstdint>

#include "../align.hpp"
#include "../arena_core.hpp"
#include "../buffer.hpp"
#include "../observer.hpp"
#include "../version.hpp"
#include "patterns.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// Bytes that were written and were nobody's.
struct Damage {
  enum class Side : std::uint8_t { kNone, kBefore, kBehind };

  Side side = Side::kNone;  ///< Of the block on which the byte lies.
  Region region = {};       ///< Of the block; `kOverlay` for a planned buffer.
  std::uint8_t kind = 0;    ///< Of the block, see `Kind`.

  /// The block, as it was granted. Of planned buffers the nearest one that was alive at the step, and that below, if
  /// two are equally near; null if none was.
  const std::byte* pointer = nullptr;
  std::size_t size = 0;    ///< As asked for.
  std::size_t serial = 0;  ///< Of a block: it was the n-th request of its arena, from 1. Refused ones count.
  std::size_t index = 0;   ///< Of a planned buffer: which of the list that was given to `enter`.
  std::size_t step = 0;    ///< Of a planned buffer: the step at which it was found alive.

  const std::byte* address = nullptr;  ///< The lowest of the bytes.

  /// Whether there is none.
  [[nodiscard]] constexpr bool ok() const noexcept { return side == Side::kNone; }
};

/// See above. `kBlocks` is how many blocks are watched at the same time, `kFenceBytes` a power of two.
template <std::size_t kBlocks = 32, std::size_t kFenceBytes = 8>
class Guard : public Observer {
  static_assert(kBlocks != 0, "a guard watches at least one block");
  static_assert(is_power_of_two(kFenceBytes), "a fence is a power of two");

 public:
  static constexpr std::size_t kFence = kFenceBytes;

  static constexpr std::byte kFresh = detail::kFreshPattern;
  static constexpr std::byte kFreed = detail::kFreedPattern;
  static constexpr std::byte kFencePattern = detail::kFencePattern;

  /// Looks at the fences of all blocks in the table, and at the planned bytes that nobody has, unless something was
  /// found before. Answers what was found first. O(kBlocks + n * live + bytes looked at).
  Damage check() noexcept {
    for (std::size_t i = 0; i < count_; ++i) look_at(blocks_[i]);
    look_at_gaps();
    return found_;
  }

  /// What was found first, without looking again. O(1).
  [[nodiscard]] const Damage& found() const noexcept { return found_; }

  /// Forgets what was found. What is still broken will be found again. O(1).
  void forget() noexcept { found_ = {}; }

  /// Blocks that nobody looks at, as the table was full: how many since the arena began. O(1).
  [[nodiscard]] std::size_t unchecked() const noexcept { return unchecked_; }

  // For the arena.
  void on(const Event& event) noexcept {
    switch (event.what) {
      case EventKind::kRequest:
        ++serial_;
        if (!event.success) break;
        if (event.region == Region::kOverlay) {
          leave_plan();
        } else if (event.size != 0) {
          enclose(event);
        }
        break;
      case EventKind::kRelease:
      case EventKind::kCloseTemp:
        if (event.region == Region::kHead || event.region == Region::kOverlay) leave_plan();
        remove(event.pointer, event.size);
        detail::fill(event.pointer, event.size, kFreed);
        break;
      case EventKind::kMark:
      case EventKind::kOpenTemp:
        break;
    }
  }

  void on_step(const StepEvent& event) noexcept {
    const bool same = event.base == at_.base && event.size == at_.size && event.buffers == at_.buffers &&
                      event.offsets == at_.offsets && event.count == at_.count;
    const Step before = at_.step;
    leave_plan();
    at_ = event;
    for (std::size_t i = 0; i < event.count; ++i) {
      const bool was_there = same ? alive_at(event.buffers[i], before) : event.buffers[i].first != event.step;
      const std::size_t bytes = was_there ? 0 : event.bytes_at(event.step, i);
      if (bytes != 0) detail::fill(event.base + event.offsets[i], bytes, kFresh);
    }
    for_each_gap([&](std::size_t offset, std::size_t size) { detail::fill(event.base + offset, size, kFreed); });
  }

 private:
  struct Block {
    std::byte* pointer = nullptr;
    std::size_t size = 0;
    std::size_t serial = 0;
    Alignment alignment;
    Region region = {};
    std::uint8_t kind = 0;
  };

  void enclose(const Event& event) noexcept {
    const std::size_t front = detail::front_of(event.alignment, kFence);
    detail::fill(event.pointer - front, front, kFencePattern);
    detail::fill(event.pointer, event.size, kFresh);
    detail::fill(event.pointer + event.size, kFence, kFencePattern);
    if (count_ == kBlocks) {
      ++unchecked_;
      return;
    }
    blocks_[count_++] = {event.pointer, event.size, serial_, event.alignment, event.region, event.kind};
  }

  /// Looks at the blocks of a range for the last time.
  void remove(const std::byte* from, std::size_t size) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto offset = reinterpret_cast<std::uintptr_t>(blocks_[i].pointer) - reinterpret_cast<std::uintptr_t>(from);
      if (offset < size) {
        look_at(blocks_[i]);
      } else {
        blocks_[kept++] = blocks_[i];
      }
    }
    count_ = kept;
  }

  void look_at(const Block& block) noexcept {
    if (!found_.ok()) return;
    const std::size_t before = detail::front_of(block.alignment.bytes(), kFence);
    Damage::Side side = Damage::Side::kBefore;
    const std::byte* address = detail::find_other(block.pointer - before, before, kFencePattern);
    if (address == nullptr) {
      side = Damage::Side::kBehind;
      address = detail::find_other(block.pointer + block.size, kFence, kFencePattern);
    }
    if (address == nullptr) return;
    found_ = {side, block.region, block.kind, block.pointer, block.size, block.serial, 0, 0, address};
  }

  /// Calls `visit(offset, size)` for each range of the planned block that no buffer has at this step.
  template <class Visit>
  void for_each_gap(Visit visit) const noexcept {
    for (std::size_t from = 0; from < at_.size;) {
      std::size_t end = from;       // of what covers `from`
      std::size_t next = at_.size;  // where somebody begins behind it
      for (std::size_t i = 0; i < at_.count; ++i) {
        const std::size_t bytes = at_.bytes_at(at_.step, i);
        if (bytes == 0) continue;
        const std::size_t begin = at_.offsets[i];
        if (begin > from) {
          if (begin < next) next = begin;
        } else if (begin + bytes > end) {
          end = begin + bytes;
        }
      }
      if (end == from) {
        visit(from, next - from);
        end = next;
      }
      from = end;
    }
  }

  void look_at_gaps() noexcept {
    for_each_gap([this](std::size_t offset, std::size_t size) {
      if (!found_.ok()) return;
      const std::byte* const address = detail::find_other(at_.base + offset, size, kFreed);
      if (address != nullptr) blame(address);
    });
  }

  void blame(const std::byte* address) noexcept {
    const auto offset = static_cast<std::size_t>(address - at_.base);
    found_ = {Damage::Side::kBehind, Region::kOverlay, 0, nullptr, 0, 0, 0, at_.step, address};
    std::size_t nearest = detail::kSizeMax;
    for (std::size_t i = 0; i < at_.count; ++i) {
      const std::size_t bytes = at_.bytes_at(at_.step, i);
      if (bytes == 0) continue;
      const std::size_t begin = at_.offsets[i];
      const bool below = begin < offset;
      const std::size_t distance = below ? offset - (begin + bytes) + 1 : begin - offset;
      if (distance > nearest || (distance == nearest && !below)) continue;
      nearest = distance;
      found_.side = below ? Damage::Side::kBehind : Damage::Side::kBefore;
      found_.pointer = at_.base + begin;
      found_.size = bytes;
      found_.index = i;
    }
  }

  void leave_plan() noexcept {
    look_at_gaps();
    at_.base = nullptr;
    at_.size = 0;
  }

  Block blocks_[kBlocks] = {};
  std::size_t count_ = 0;
  std::size_t serial_ = 0;
  std::size_t unchecked_ = 0;
  StepEvent at_ = {};
  Damage found_;
};

/// Buffers to be planned in place of these, each with `bytes` more behind it, in which a `Guard` sees who writes too
/// far: the plan is made of what this answers, and `arena.enter` is given the list itself. What has no bytes gets none.
///
///     constexpr auto kPlan = arenite::plan(arenite::with_fences(kBuffers, 8));
///     arena.enter(arena.overlay(kPlan), kBuffers, 0);
///
/// O(N).
template <std::size_t N>
[[nodiscard]] constexpr std::array<Buffer, N> with_fences(std::array<Buffer, N> buffers, std::size_t bytes) noexcept {
  for (Buffer& buffer : buffers) {
    if (buffer.size != 0) buffer.size = add_saturated(buffer.size, bytes);
  }
  return buffers;
}

/// \copydoc with_fences
template <std::size_t N>
[[nodiscard]] constexpr std::array<Buffer, N> with_fences(const Buffer (&buffers)[N], std::size_t bytes) noexcept {
  std::array<Buffer, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = buffers[i];
  return with_fences(result, bytes);
}

}  // namespace ARENITE_ABI
}  // namespace arenite
