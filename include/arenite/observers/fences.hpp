// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Fences around blocks that need no table: the observer of an arena that names none at level debug, see
/// `ARENITE_HARDENING`. It has no members, and so watches any number of blocks behind any handle.
///
/// - In front of each block of head, tail and temp is a fence of `kFence` bytes, or of the block's alignment if that is
///   more, and behind it one of `kFence`. A fence says where its block and the next one are, and carries a seal: a word
///   of it that is overwritten by another value breaks the seal. From the ends of the regions, which the arena knows,
///   each fence leads to the next, as the boundary tags of Knuth's allocator do (The Art of Computer Programming,
///   volume 1, 2.5).
/// - A fresh block is filled with `kFresh`, and memory that is given back with `kFreed`.
///
/// The fences are looked at in each call that takes or gives back at level debug, and by `check()` of the arena at any.
/// What lies in the overlay has none, see `Guard`, which also says who is to blame.
///
/// Costs `2 * kFence` bytes of the arena for each block, or `kFence` and its alignment, and no RAM beside. A request is
/// O(its bytes), a look O(blocks + bytes of their fences). No call is safe against a call of its arena that runs at the
/// same time, be it in a thread or in an interrupt.

#include <cstddef>
#include <type_traits>

#include "../arena_core.hpp"
#include "../observer.hpp"
#include "../version.hpp"
#include "patterns.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

class Fences : public Observer {
 public:
  static constexpr std::size_t kFence = 4 * sizeof(std::size_t);
  static constexpr bool kSharesFences = false;

  static constexpr std::byte kFresh = detail::kFreshPattern;
  static constexpr std::byte kFreed = detail::kFreedPattern;
  static constexpr std::byte kFencePattern = detail::kFencePattern;

  /// Whether all fences of an arena are as they were written. O(blocks + bytes of their fences).
  [[nodiscard]] static bool intact(const ArenaState& state, std::size_t capacity) noexcept {
    const std::byte* const base = detail::ArenaCore::base(state);
    const detail::World& world = detail::ArenaCore::real(state);
    return intact_down(base, base + world.end[detail::kHead]) &&
           intact_down(base + world.end[detail::kOverlay], base + world.end[detail::kTemp]) &&
           intact_up(base + (capacity - world.end[detail::kTail]), base + capacity);
  }

  // For the arena.
  void on(const Event& event) const noexcept {
    if (event.what == EventKind::kRequest) {
      if (event.success && event.size != 0 && event.region != Region::kOverlay) enclose(event);
    } else {
      detail::fill(event.pointer, event.size, kFreed);
    }
  }

 private:
  /// What a fence says, at its first byte in front of a block, and behind it.
  struct Tag {
    std::size_t size;   // of the block, in bytes
    std::size_t front;  // of the fence in front of it
    std::size_t taken;  // by the block, its fences, and the padding between it and the one before
    std::size_t seal;

    [[nodiscard]] static constexpr std::size_t seal_of(std::size_t size, std::size_t front,
                                                       std::size_t taken) noexcept {
      constexpr auto kSeal = static_cast<std::size_t>(0xB1D5'EA1D'B1D5'EA1D);
      return size ^ front ^ taken ^ kSeal;
    }
    /// Whether nobody wrote over it, and it leads to nothing outside of `room` bytes.
    [[nodiscard]] constexpr bool sound(std::size_t room) const noexcept {
      return seal == seal_of(size, front, taken) && taken <= room && size < taken && front >= kFence && front < taken &&
             size + front + kFence <= taken;
    }
    [[nodiscard]] friend constexpr bool operator==(const Tag& a, const Tag& b) noexcept {
      return a.size == b.size && a.front == b.front && a.taken == b.taken && a.seal == b.seal;
    }
  };
  static_assert(sizeof(Tag) == kFence, "a fence is a tag");

  static void enclose(const Event& event) noexcept {
    const std::size_t front = detail::front_of(event.alignment, kFence);
    const std::size_t taken = event.size + event.padding;
    const Tag tag{event.size, front, taken, Tag::seal_of(event.size, front, taken)};
    write(event.pointer - front, tag);
    detail::fill(event.pointer - front + kFence, front - kFence, kFencePattern);
    detail::fill(event.pointer, event.size, kFresh);
    write(event.pointer + event.size, tag);
  }

  /// Blocks that were stacked upwards: from the last one, which ends at `end`, down to `begin`.
  [[nodiscard]] static bool intact_down(const std::byte* begin, const std::byte* end) noexcept {
    while (begin != end) {
      const auto room = static_cast<std::size_t>(end - begin);
      if (room < kFence) return false;
      const Tag tag = read(end - kFence);
      if (!tag.sound(room) || !is_same(end - kFence - tag.size - tag.front, tag)) return false;
      end -= tag.taken;
    }
    return true;
  }

  /// Blocks that were stacked downwards: from the last one, which begins at `begin`, up to `end`.
  [[nodiscard]] static bool intact_up(const std::byte* begin, const std::byte* end) noexcept {
    while (begin != end) {
      const auto room = static_cast<std::size_t>(end - begin);
      if (room < kFence) return false;
      const Tag tag = read(begin);
      if (!tag.sound(room) || !is_same(begin, tag) || !(read(begin + tag.front + tag.size) == tag)) return false;
      begin += tag.taken;
    }
    return true;
  }

  /// Whether the fence in front of a block, at `from`, is that of this tag.
  [[nodiscard]] static bool is_same(const std::byte* from, const Tag& tag) noexcept {
    return read(from) == tag && detail::find_other(from + kFence, tag.front - kFence, kFencePattern) == nullptr;
  }

  // Byte by byte: the fence behind a block is not aligned, and AddressSanitizer may watch, too.
  [[gnu::no_sanitize_address]] static void write(std::byte* to, const Tag& tag) noexcept {
    const auto* const from = reinterpret_cast<const std::byte*>(&tag);
    for (std::size_t i = 0; i < sizeof tag; ++i) to[i] = from[i];
  }
  [[nodiscard, gnu::no_sanitize_address]] static Tag read(const std::byte* from) noexcept {
    Tag tag{};
    auto* const to = reinterpret_cast<std::byte*>(&tag);
    for (std::size_t i = 0; i < sizeof tag; ++i) to[i] = from[i];  // cppcheck-suppress objectIndex
    return tag;
  }
};

/// The observer of an arena that names none: `Fences` at level debug, `Unobserved` at any other.
using DefaultObserver = std::conditional_t<kHardening == Hardening::kDebug, Fences, Unobserved>;

}  // namespace ARENITE_ABI
}  // namespace arenite
