// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What an arena tells those who watch it: each request, granted or refused, and each release. An observer is a
/// template parameter of the arena, `Arena<4096, 16, Recorder<>>`; there are some in `observers/`, and one of your own
/// derives from `Observer` and hides the functions that it cares for. `Observers<A, B>` is several.
///
/// The observer of an arena that names none is `Unobserved`: it costs no byte and no instruction. (At level debug it is
/// `Fences`, see `ARENITE_HARDENING`.) An observer without members costs no byte in the arena and its handles; among
/// several it may cost a few.
///
/// The functions are called at the end of the arena's call, in its context, be it a thread or an interrupt, and must
/// not use the arena. Who keeps the calls of an arena apart keeps those of its observer apart too; several arenas that
/// tell one observer count as one arena.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "align.hpp"
#include "arena_core.hpp"
#include "buffer.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// What a block is for. An enum of the user's goes on from `kUser`:
///
///     enum class Mine : std::uint8_t { kFilter = static_cast<std::uint8_t>(arenite::Kind::kUser), kLog };
///     arena.as(Mine::kLog).create<Log>();
enum class Kind : std::uint8_t {
  kOther,         ///< What was not said.
  kMetadata,      ///< Tables about tensors: what a session takes for itself.
  kOperatorData,  ///< What an operator keeps.
  kScratch,       ///< What it works with, where that is persistent or temp. Planned scratch is in the plan.
  kVariable,      ///< Values that are kept from run to run.
  kWeights,       ///< Constants that were brought into RAM.
  kUser,          ///< The first of the user's.
};

enum class EventKind : std::uint8_t {
  kRequest,    ///< A block was asked for, or, in the overlay, room for a plan.
  kRelease,    ///< A range was given back: by a marker, with the overlay, by a reset, behind a failed constructor.
  kMark,       ///< A marker was made.
  kOpenTemp,   ///< A temp scope was opened.
  kCloseTemp,  ///< A temp scope was closed, and its range given back.
};

/// Something that happened in an arena. All sizes in bytes.
struct Event {
  EventKind what;
  Region region;
  std::uint8_t kind;        ///< Of a request: a `Kind`, or a value of an enum of the user's.
  bool success;             ///< Of a request: whether it was granted. Of a release: always.
  std::size_t size;         ///< Of a request: as asked for. Of a release: of the whole range.
  std::size_t alignment;    ///< Of a request: as asked for.
  std::size_t padding;      ///< Of a request that was granted: what it took beside its size, fences included.
  std::byte* pointer;       ///< The block, null if refused; or the first byte of what was given back.
  const std::byte* memory;  ///< First byte of the arena, which so has a name.
  std::size_t capacity;     ///< Bytes of the arena.
};

/// A step of a plan that begins, see `ArenaApi::enter`: now the buffers alive at it have their bytes, and nobody else.
/// One without a base says that no step is under way any more, and that what the last one looked at may go.
struct StepEvent {
  std::byte* base;             ///< Of the planned block.
  std::size_t size;            ///< Of the planned block, in bytes.
  const Buffer* buffers;       ///< Those of the plan.
  const std::size_t* offsets;  ///< Of each from the base.
  std::size_t count;
  Step step;

  /// Bytes that buffer `i` has at a step, from its offset on: none while it does not live, none outside of the block.
  [[nodiscard]] constexpr std::size_t bytes_at(Step at, std::size_t i) const noexcept {
    if (!alive_at(buffers[i], at) || offsets[i] > size) return 0;
    return buffers[i].size < size - offsets[i] ? buffers[i].size : size - offsets[i];
  }
};

/// An observer that cares for nothing: the base of those that care for something. Nothing here is virtual; a derived
/// class hides what it wants to know.
struct Observer {
  /// Bytes to be kept free in front of and behind each block of head, tail and temp: zero or a power of two. They count
  /// as taken. In front of a block they are as many as its alignment, if that is more.
  static constexpr std::size_t kFence = 0;

  /// Whether another observer may write into them as well.
  static constexpr bool kSharesFences = true;

  /// Whether nothing that it wrote into the arena's memory was overwritten: a part of the arena's `check()`.
  [[nodiscard]] bool intact(const ArenaState&, std::size_t) const noexcept { return true; }

  /// What is to be remembered with a marker or a temp scope, and restored when it is released.
  struct Snapshot {};
  [[nodiscard]] Snapshot snapshot(Region) const noexcept { return {}; }
  void restore(Region, const Snapshot&) noexcept {}

  void on(const Event&) noexcept {}
  void on_step(const StepEvent&) noexcept {}
};

/// The observer that cares for nothing, of which arenas know that.
struct Unobserved : Observer {};

/// Several observers, told in this order, each of another type. `static_cast<A&>(arena.observer())` is one of them.
template <class... All>
struct Observers : All... {
  static_assert((... && std::is_base_of_v<Observer, All>), "an observer derives from Observer");

  static constexpr std::size_t kFence = [] {
    std::size_t most = 0;
    ((most = All::kFence > most ? All::kFence : most), ...);
    return most;
  }();

  static constexpr bool kSharesFences = (... && All::kSharesFences);
  static_assert(kSharesFences || ((All::kFence != 0 ? 1 : 0) + ... + 0) == 1, "these observers cannot share fences");

  [[nodiscard]] bool intact(const ArenaState& state, std::size_t capacity) const noexcept {
    return (... && All::intact(state, capacity));
  }

  template <class One>
  struct SnapshotOf {
    typename One::Snapshot value;
  };
  struct Snapshot : SnapshotOf<All>... {};
  [[nodiscard]] Snapshot snapshot(Region region) const noexcept { return {SnapshotOf<All>{All::snapshot(region)}...}; }
  void restore(Region region, const Snapshot& snapshot) noexcept {
    (All::restore(region, static_cast<const SnapshotOf<All>&>(snapshot).value), ...);
  }

  void on(const Event& event) noexcept { (All::on(event), ...); }
  void on_step(const StepEvent& event) noexcept { (All::on_step(event), ...); }
};

namespace detail {

/// Whether somebody is to be told. At level debug each call is looked at in any case.
template <class O>
inline constexpr bool is_watched = !std::is_same_v<O, Unobserved> || kHardening == Hardening::kDebug;

/// The index of a kind, which is any enumerator; 0 for what is too large for it.
template <class K>
[[nodiscard]] constexpr std::uint8_t kind_index(K kind) noexcept {
  static_assert(std::is_enum_v<K>, "a kind is an enumerator: of Kind, or of an enum that goes on from Kind::kUser");
  const auto index = static_cast<std::uint8_t>(kind);
  return static_cast<K>(index) == kind ? index : std::uint8_t{0};
}

/// What stands in front of a block with fences of so many bytes: as much as keeps it aligned.
[[nodiscard]] constexpr std::size_t front_of(std::size_t alignment, std::size_t fence) noexcept {
  return alignment > fence ? alignment : fence;
}
/// What the block takes with both of them. Saturates.
[[nodiscard]] constexpr std::size_t fenced_size(std::size_t size, std::size_t alignment, std::size_t fence) noexcept {
  return add_saturated(add_saturated(front_of(alignment, fence), size), fence);
}

/// A kind that is remembered, where somebody will be told.
template <class O, bool = is_watched<O>>
class KindOf {
 public:
  constexpr KindOf() noexcept = default;
  template <class K>
  constexpr explicit KindOf(K kind) noexcept : kind_(kind_index(kind)) {}
  [[nodiscard]] constexpr std::uint8_t kind() const noexcept { return kind_; }

 private:
  std::uint8_t kind_ = 0;
};
template <class O>
class KindOf<O, false> {
 public:
  constexpr KindOf() noexcept = default;
  template <class K>
  constexpr explicit KindOf(K kind) noexcept {
    (void)kind_index(kind);
  }
};

/// An arena in two words, whatever its size, and its observer, if that has members.
template <class O, bool = std::is_empty_v<O>>
struct Memory {
  ArenaState* state;
  std::size_t capacity;
  O* watcher;
  [[nodiscard]] O& observer() const noexcept { return *watcher; }
};
template <class O>
struct Memory<O, true> {
  ArenaState* state;
  std::size_t capacity;
  [[nodiscard]] O observer() const noexcept { return {}; }
};

/// Whether the bookkeeping is sound, and what the observer wrote as it was.
template <class O>
[[nodiscard]] bool is_intact(const Memory<O>& memory) noexcept {
  return ArenaCore::is_sound(*memory.state, memory.capacity) &&
         memory.observer().intact(*memory.state, memory.capacity);
}

/// At level debug, before and after each change. Where the bookkeeping is damaged, nothing can go on.
template <class O>
void look([[maybe_unused]] const Memory<O>& memory) noexcept {
  if constexpr (kHardening == Hardening::kDebug) {
    if (!is_intact(memory)) panic(Status::kDamaged);
    if (!ArenaCore::is_sound(*memory.state, memory.capacity)) __builtin_trap();
  }
}

template <class O>
void tell(const Memory<O>& memory, EventKind what, Region region, std::byte* pointer, std::size_t size) noexcept {
  memory.observer().on(
      Event{what, region, 0, true, size, 0, 0, pointer, ArenaCore::base(*memory.state), memory.capacity});
  look(memory);
}

/// Makes a request, `request(size, alignment)`, and tells of it.
template <class O, class Request>
[[nodiscard, gnu::always_inline]] inline void* watch(const Memory<O>& memory, Region region, const KindOf<O>& kind,
                                                     std::size_t size, std::size_t alignment,
                                                     Request request) noexcept {
  if constexpr (!is_watched<O>) {
    return request(size, alignment);
  } else {
    static_assert(std::is_base_of_v<Observer, O>, "an observer derives from Observer");
    static_assert(O::kFence == 0 || is_power_of_two(O::kFence), "a fence is a power of two");
    look(memory);
    const auto index = static_cast<std::size_t>(region);
    const bool fenced = O::kFence != 0 && region != Region::kOverlay && size != 0;
    const std::size_t front = fenced ? front_of(alignment, O::kFence) : 0;
    const std::size_t whole = fenced ? fenced_size(size, alignment, O::kFence) : size;
    const std::size_t begin = region == Region::kOverlay ? ArenaCore::real(*memory.state).low(index)
                                                         : ArenaCore::real(*memory.state).end[index];
    auto* block = static_cast<std::byte*>(request(whole, alignment));
    if (block != nullptr) block += front;
    const std::byte* const base = ArenaCore::base(*memory.state);
    std::size_t padding = 0;
    if (block != nullptr && size != 0) {
      padding = region == Region::kOverlay ? static_cast<std::size_t>(block - base) - begin
                                           : ArenaCore::real(*memory.state).end[index] - begin - size;
    }
    memory.observer().on(Event{EventKind::kRequest, region, kind.kind(), block != nullptr, size, alignment, padding,
                               block, base, memory.capacity});
    look(memory);
    return block;
  }
}

/// What is between two ends of a region, or of what is stacked on it: told of when it was given back.
template <class O, Region kRegion>
class Release {
 public:
  [[gnu::always_inline]] explicit Release(const Memory<O>& memory) noexcept : memory_(memory) {
    if constexpr (is_watched<O>) {
      look(memory_);
      before_ = end();
    }
  }

  /// To be called when it is done: tells of what is gone, and restores what the observer knew.
  [[gnu::always_inline]] void done(EventKind what, const typename O::Snapshot& snapshot) const noexcept {
    if constexpr (is_watched<O>) {
      const std::size_t after = end();
      std::byte* const base = const_cast<std::byte*>(ArenaCore::base(*memory_.state));
      std::byte* const from = base + (kRegion == Region::kTail ? memory_.capacity - before_ : after);
      tell(memory_, what, kRegion, from, before_ - after);
      memory_.observer().restore(kRegion, snapshot);
    }
  }

 private:
  [[nodiscard]] std::size_t end() const noexcept {
    const World& real = ArenaCore::real(*memory_.state);
    return real.end[kRegion == Region::kTail ? kTail : kTemp];  // the overlay is released while temp is empty
  }

  const Memory<O>& memory_;
  std::size_t before_ = 0;
};

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
