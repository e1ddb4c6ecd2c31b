// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The core of an arena, without its size and without types: what each region holds, and the arithmetic. `arena.hpp`
/// puts on it the names that users call; this header is for whoever wants to know how.
///
/// Every function is O(1), and none is safe against another on the same arena that runs at the same time, be it in a
/// thread or in an interrupt.

#include <cstddef>
#include <cstdint>

#include "align.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// The four parts of an arena, from the low address to the high one.
enum class Region : std::uint8_t { kHead, kOverlay, kTemp, kTail };

namespace detail {

struct ArenaCore;

inline constexpr std::size_t kHead = static_cast<std::size_t>(Region::kHead);
inline constexpr std::size_t kOverlay = static_cast<std::size_t>(Region::kOverlay);
inline constexpr std::size_t kTemp = static_cast<std::size_t>(Region::kTemp);
inline constexpr std::size_t kTail = static_cast<std::size_t>(Region::kTail);

inline constexpr std::size_t kRegions = 4;
inline constexpr std::size_t kTotal = kRegions;  // among the peaks: all of them

/// Where the regions end, and the most bytes that they held, padding included.
struct World {
  std::size_t end[kRegions];  // of head, overlay and temp, from the base; of the tail, from the end of the arena
  std::size_t peak[kRegions + 1];

  [[nodiscard]] constexpr std::size_t bytes(std::size_t region) const noexcept {
    if (region == kTotal) return end[kTemp] + end[kTail];
    return region == kOverlay || region == kTemp ? end[region] - end[region - 1] : end[region];
  }

  /// Where the free memory of a region begins, from the base: plans share what lies on the head.
  [[nodiscard]] constexpr std::size_t low(std::size_t region) const noexcept {
    return end[region == kOverlay ? kHead : kTemp];
  }

  /// The most so far. What is stored is older: regions only grow between two calls of `shrink`.
  [[nodiscard]] constexpr std::size_t most(std::size_t region) const noexcept {
    const std::size_t now = bytes(region);
    return now > peak[region] ? now : peak[region];
  }

  /// Takes a region, and what is stacked on it, back to an end that it had.
  template <std::size_t kRegion>
  constexpr void shrink(std::size_t to) noexcept {
    constexpr std::size_t kLast = kRegion == kTail ? kTail : kTemp;
    peak[kTotal] = most(kTotal);
    for (std::size_t region = kRegion; region <= kLast; ++region) peak[region] = most(region);
    for (std::size_t region = kRegion; region <= kLast; ++region) end[region] = to;
  }
};

/// A refused request, and how things stood.
struct Refused {
  Status what;
  std::size_t size;
  std::size_t alignment;
  std::size_t low;   // where free memory began
  std::size_t room;  // where it ended
};

}  // namespace detail

/// The bookkeeping of one arena. `Arena<N>` has its own; memory of the user's needs one beside it, see `ArenaRef`. All
/// zero bits are an empty arena. 128 bytes on a 32-bit target. Not copyable, as handles and scopes point to it.
class ArenaState {
 public:
  constexpr ArenaState() noexcept = default;
  ArenaState(const ArenaState&) = delete;
  ArenaState& operator=(const ArenaState&) = delete;

 private:
  friend struct detail::ArenaCore;

  // Beside the real world there is one without limit, in which no request fails: it knows the whole need of the
  // requests made. Its end of the tail is kept as the distance to the real one, so that the short way, which adds the
  // same to both, need not touch it.
  detail::World real_ = {};
  std::ptrdiff_t gate_ = 0;    // the largest alignment asked for on the tail; negative: the short way is closed
  std::byte* base_ = nullptr;  // null: not asked for yet, or no memory
  detail::World need_ = {};
  std::size_t failures_ = 0;
  detail::Refused refused_{};
  std::size_t epoch_ = 0;    // how often the overlay was released
  std::size_t temps_ = 0;    // open scopes, counted in steps of kRegions
  std::size_t markers_ = 0;  // made so far
  std::size_t reset_ = 0;
  std::size_t latest_[2] = {};  // marker to be released next, on head and tail; zero: none
};

namespace detail {

/// Where a region ended at some time, in both worlds.
struct Position {
  std::size_t real = 0;
  std::size_t need = 0;
};

/// An arena is passed as its bookkeeping and its capacity; what has no memory has no capacity.
struct ArenaCore {
  // --- requests ------------------------------------------------------------------------------------------------------

  /// A block on the tail. What is odd about a constant alignment is seen by the compiler.
  [[nodiscard, gnu::always_inline]] static void* allocate_tail(ArenaState& state, std::size_t capacity,
                                                               std::size_t size, std::size_t alignment) noexcept {
    return is_power_of_two(alignment) ? allocate_quickly(state, capacity, size, alignment)
                                      : allocate_odd(state, capacity, kTail, size, alignment);
  }

  /// A block in a region, if that may grow now but for the head's rule. What is odd about a request with constants is
  /// seen by the compiler. A site is a region, and for temp also which scope it is.
  [[nodiscard, gnu::always_inline]] static void* allocate(ArenaState& state, std::size_t capacity, std::size_t site,
                                                          std::size_t size, std::size_t alignment) noexcept {
    const bool odd = !is_power_of_two(alignment) || size == 0 || size > kMaxSize;
    return odd ? allocate_odd(state, capacity, site, size, alignment)
               : allocate_sound(state, capacity, site, size, alignment);
  }

  /// The same where the alignment is a power of two, and the size neither nothing nor more than there can be.
  [[nodiscard, gnu::noinline]] static void* allocate_sound(ArenaState& state, std::size_t capacity, std::size_t site,
                                                           std::size_t size, std::size_t alignment) noexcept {
    const std::size_t region = site % kRegions;
    Status status = site > kRegions ? Status::kScopeOrder : Status::kTempOpen;
    if (site == kTail || site - region == state.temps_) {
      status = Status::kOutOfMemory;
      std::byte* const memory = const_cast<std::byte*>(base(state));
      state.base_ = memory;
      const std::uintptr_t bottom = address(memory);
      join(state);
      if (place(state.need_, bottom, kUnlimited, region, size, alignment) == 0) {
        state.need_.peak[kTotal] = kSizeMax;
      }
      const std::size_t reach = place(state.real_, bottom, capacity, region, size, alignment);
      part(state);
      if (region == kTail) {
        std::size_t largest = alignment_of(state);
        if (alignment > largest) largest = alignment;
        const std::size_t apart = capacity + state.need_.end[kTail];
        set_gate(state, largest, apart);
      }
      if (reach != 0) return memory + (region == kTail ? capacity - reach : reach - size);
    }
    return refuse(state, capacity, status, region, size, alignment);
  }

  /// Counts a refused request and keeps what `last_failure` is made of; always answers null.
  static std::nullptr_t refuse(ArenaState& state, std::size_t capacity, Status what, std::size_t region,
                               std::size_t size, std::size_t alignment) noexcept {
    const World& real = state.real_;
    ++state.failures_;
    state.refused_ = {what, size, alignment, real.low(region), capacity - real.end[kTail]};
    return nullptr;
  }

  // --- rules ---------------------------------------------------------------------------------------------------------

  /// Whether an end, head or tail, may change, as to what lies above it.
  [[nodiscard]] static Status may_change(const ArenaState& state, std::size_t region) noexcept {
    if (region == kTail) return Status::kOk;
    if (state.temps_ != 0) return Status::kTempOpen;
    return state.real_.end[kHead] != state.real_.end[kTemp] ? Status::kNotOnTop : Status::kOk;
  }

  /// A block in the head, if that may grow.
  [[nodiscard]] static void* allocate_head(ArenaState& state, std::size_t capacity, std::size_t size,
                                           std::size_t alignment) noexcept {
    const Status status = may_change(state, kHead);
    if (status != Status::kOk) return refuse(state, capacity, status, kHead, size, alignment);
    // Where an overlay was refused, the head now grows over the one in the world without limit.
    state.need_.peak[kOverlay] = state.need_.most(kOverlay);
    return allocate(state, capacity, kHead, size, alignment);
  }

  // --- giving back ---------------------------------------------------------------------------------------------------

  [[nodiscard]] static Position position(const ArenaState& state, std::size_t region) noexcept {
    return {state.real_.end[region], state.need_.end[region] + (region == kTail ? state.real_.end[kTail] : 0)};
  }

  template <std::size_t kRegion>
  static void return_to(ArenaState& state, Position position) noexcept {
    const std::size_t apart = state.need_.end[kTail];
    join(state);
    state.real_.shrink<kRegion>(position.real);
    state.need_.shrink<kRegion>(position.need);
    part(state);
    if constexpr (kRegion == kTail) {
      // Back to where the two ends of the tail are not aligned alike: the short way would not add the same to both.
      const std::size_t largest = alignment_of(state);
      if (((state.need_.end[kTail] ^ apart) & (largest - 1)) != 0) set_gate(state, largest, 1);
    }
  }

  /// Opens a temp scope and answers its site.
  [[nodiscard]] static std::size_t open_temp(ArenaState& state) noexcept {
    state.temps_ += kRegions;
    return state.temps_ + kTemp;
  }

  [[gnu::noinline]] static void close_temp(ArenaState& state, std::size_t site, std::size_t real,
                                           std::size_t need) noexcept {
    if constexpr (kHardening != Hardening::kOff) {
      if (site != state.temps_ + kTemp) return panic(Status::kScopeOrder);
    }
    state.temps_ -= kRegions;
    return_to<kTemp>(state, {real, need});
  }

  /// Gives back what was taken at site `kTemp`: in no scope, so that temp is empty but for it.
  static void clear_temp(ArenaState& state) noexcept { return_to<kTemp>(state, position(state, kOverlay)); }

  [[nodiscard]] static Status release_overlay(ArenaState& state) noexcept {
    if (state.temps_ != 0) return Status::kTempOpen;
    return_to<kOverlay>(state, position(state, kHead));
    ++state.epoch_;
    return Status::kOk;
  }

  [[nodiscard]] static Status reset(ArenaState& state) noexcept {
    if (state.temps_ != 0) return Status::kTempOpen;
    return_to<kHead>(state, {});  // and the overlay, which lies on it
    return_to<kTail>(state, {});
    ++state.epoch_;
    state.latest_[0] = state.latest_[1] = 0;
    state.reset_ = state.markers_;
    return Status::kOk;
  }

  /// Makes the latest marker of head or tail; `previous` gets the one before it.
  [[nodiscard]] static std::size_t mark(ArenaState& state, std::size_t region, std::size_t& previous) noexcept {
    std::size_t& latest = state.latest_[region == kTail];
    previous = latest;
    return latest = next_serial(state);
  }

  /// Takes back what `mark` did, while nothing was allocated.
  static void unmark(ArenaState& state, std::size_t region, std::size_t previous) noexcept {
    state.latest_[region == kTail] = previous;
  }

  template <std::size_t kRegion>
  [[nodiscard]] static Status release(ArenaState& state, std::size_t serial, std::size_t previous,
                                      Position position) noexcept {
    std::size_t& latest = state.latest_[kRegion == kTail];
    if constexpr (kHardening != Hardening::kOff) {
      if (serial == 0 || serial != latest || position.real > state.real_.end[kRegion]) return Status::kMarkerOrder;
    }
    const Status status = may_change(state, kRegion);
    if (status != Status::kOk) return status;
    return_to<kRegion>(state, position);
    latest = previous;
    return Status::kOk;
  }

  /// Whether what had this serial number was there when everything was given back for the last time.
  [[nodiscard]] static bool is_gone(const ArenaState& state, std::size_t serial) noexcept {
    return serial <= state.reset_;
  }

  /// A number that nothing else in this arena has, of the latest 2^32 where a `size_t` has 32 bits: of markers, and of
  /// plans. Never zero.
  [[nodiscard]] static std::size_t next_serial(ArenaState& state) noexcept {
    if (++state.markers_ == 0) {
      state.markers_ = 1;
      state.reset_ = 0;
    }
    return state.markers_;
  }

  // --- numbers -------------------------------------------------------------------------------------------------------

  [[nodiscard]] static const World& real(const ArenaState& state) noexcept { return state.real_; }

  /// The need of a region, or of all.
  [[nodiscard]] static std::size_t need(const ArenaState& state, std::size_t region) noexcept {
    World need = state.need_;
    need.end[kTail] += state.real_.end[kTail];
    return need.most(region);
  }

  /// The need of all regions: a multiple of the largest alignment on the tail, as the alignment of the end matters.
  [[nodiscard]] static std::size_t required(const ArenaState& state) noexcept {
    std::size_t most = need(state, kTotal);
    const std::size_t alignment = alignment_of(state);
    if (alignment != 0) most = add_saturated(most, padding_up(most, alignment));
    return most <= kMaxSize ? most : kSizeMax;
  }

  /// The largest block of this alignment, a power of two, that the region could get.
  [[nodiscard]] static std::size_t available(const ArenaState& state, std::size_t capacity, std::size_t region,
                                             std::size_t alignment) noexcept {
    const World& real = state.real_;
    const std::size_t from = aligned(state, real.low(region), alignment);
    const std::size_t room = capacity - real.end[kTail];
    return from < room ? room - from : 0;
  }

  /// Why the last request was refused that was.
  [[nodiscard]] static Status why(const ArenaState& state, std::size_t capacity) noexcept {
    const Refused& refused = state.refused_;
    if (refused.what != Status::kOutOfMemory) return refused.what;
    if (capacity == 0) return Status::kNullMemory;
    return refused.size > kMaxSize ? Status::kSizeOverflow : Status::kOutOfMemory;
  }

  /// The numbers of the last refused request.
  [[nodiscard]] static Failure last_failure(const ArenaState& state, std::size_t capacity) noexcept {
    const Refused& refused = state.refused_;
    Failure failure{why(state, capacity), refused.size, refused.alignment, 0, 0, required(state)};
    if (refused.what != Status::kOutOfMemory) return failure;
    const std::size_t from = aligned(state, refused.low, refused.alignment);
    if (from < refused.room) failure.available = refused.room - from;
    const std::size_t end = add_saturated(from, refused.size);
    if (end > refused.room) failure.missing = end - refused.room;  // not so for a plan that its planner refused
    return failure;
  }

  /// The memory: of an arena with storage of its own, that lies behind the bookkeeping.
  [[nodiscard]] static const std::byte* base(const ArenaState& state) noexcept {
    return state.base_ != nullptr ? state.base_ : reinterpret_cast<const std::byte*>(&state + 1);
  }
  /// Where there is no memory, what would be required is counted from an address that is aligned in every way. That
  /// gives way to memory; memory gives way to no other: answers false, and the arena keeps what it has.
  [[nodiscard]] static bool set_base(ArenaState& state, std::byte* memory) noexcept {
    std::byte* const none = reinterpret_cast<std::byte*>(std::uintptr_t{kMaxSize} + 1);
    if (memory == nullptr) {
      memory = state.base_ != nullptr ? state.base_ : none;
    } else if (kHardening != Hardening::kOff && state.base_ != nullptr && state.base_ != none &&
               state.base_ != memory) {
      panic(Status::kOtherMemory);
      return false;
    }
    state.base_ = memory;
    return true;
  }

  /// Whether an address lies in what no block holds but an overlay: where a plan is placed, and temp scopes work.
  [[nodiscard]] static bool in_the_middle(const ArenaState& state, std::size_t capacity, const void* pointer) noexcept {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - address(base(state));
    return offset >= state.real_.end[kHead] && offset < capacity - state.real_.end[kTail];
  }

  /// Where an overlay of this alignment, a power of two, would begin.
  [[nodiscard]] static std::uintptr_t overlay_address(const ArenaState& state, std::size_t alignment) noexcept {
    return address(base(state)) + aligned(state, state.real_.low(kOverlay), alignment);
  }

  [[nodiscard]] static std::size_t failures(const ArenaState& state) noexcept { return state.failures_; }
  [[nodiscard]] static std::size_t epoch(const ArenaState& state) noexcept { return state.epoch_; }
  [[nodiscard]] static std::size_t latest_marker(const ArenaState& state, std::size_t region) noexcept {
    return state.latest_[region == kTail];
  }
  [[nodiscard]] static std::size_t open_temps(const ArenaState& state) noexcept { return state.temps_ / kRegions; }

  /// The invariants that hold in the middle of a call, too.
  [[nodiscard]] static bool is_sound(const ArenaState& state, std::size_t capacity) noexcept {
    const std::size_t* const end = state.real_.end;
    return end[kHead] <= end[kOverlay] && end[kOverlay] <= end[kTemp] && end[kTemp] <= capacity &&
           end[kTail] <= capacity - end[kTemp] && (state.gate_ == 0 || is_power_of_two(alignment_of(state)));
  }

  /// Whether nothing is in temp without a scope: a session works there within one call.
  [[nodiscard]] static bool is_tidy(const ArenaState& state) noexcept {
    return state.real_.end[kOverlay] == state.real_.end[kTemp] || state.temps_ != 0;
  }

 private:
  /// A block on the tail, the short way if that is open: where padding is the same in both worlds.
  [[nodiscard]] static void* allocate_quickly(ArenaState& state, std::size_t capacity, std::size_t size,
                                              std::size_t alignment) noexcept {
    const std::size_t low = state.real_.end[kTemp];
    const std::size_t tail = state.real_.end[kTail];
    const std::uintptr_t bottom = address(state.base_);
    const std::uintptr_t end = bottom + capacity;
    const std::uintptr_t top = end - tail;
    const std::uintptr_t begin = top - size;  // not below the top: there is no size, or it has wrapped
    const std::uintptr_t block = begin & ~(std::uintptr_t{alignment} - 1);
    if (begin < top && static_cast<std::ptrdiff_t>(alignment - 1) < state.gate_ && block >= bottom + low) {
      state.real_.end[kTail] = end - block;
      return reinterpret_cast<void*>(block);
    }
    return allocate_slowly(state, capacity, size, alignment);
  }
  [[nodiscard, gnu::noinline]] static void* allocate_slowly(ArenaState& state, std::size_t capacity, std::size_t size,
                                                            std::size_t alignment) noexcept {
    return allocate(state, capacity, kTail, size, alignment);
  }

  /// The largest alignment asked for on the tail; zero: none yet.
  [[nodiscard]] static std::size_t alignment_of(const ArenaState& state) noexcept {
    const auto gate = static_cast<std::size_t>(state.gate_);
    return state.gate_ < 0 ? 0 - gate : gate;
  }
  /// The short way is open if padding is the same in both worlds: `apart` is how far their ends of the tail are.
  static void set_gate(ArenaState& state, std::size_t largest, std::size_t apart) noexcept {
    state.gate_ = static_cast<std::ptrdiff_t>((apart & (largest - 1)) == 0 ? largest : 0 - largest);
  }

  /// Capacity of the world without limit: its end lies at a multiple of every alignment from its base.
  static constexpr std::size_t kUnlimited = kMaxSize + 1;

  [[nodiscard]] static std::uintptr_t address(const std::byte* pointer) noexcept {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }

  /// Adds a block to a region of a world of that capacity. Answers where it reaches to, from the base or, in the tail,
  /// from the end; zero, and nothing is changed, where it does not fit.
  [[gnu::noinline]] static std::size_t place(World& world, std::uintptr_t bottom, std::size_t capacity,
                                             std::size_t region, std::size_t size, std::size_t alignment) noexcept {
    // The tail grows from the end of the arena, anything else from what lies low.
    const bool tail = region == kTail;
    const std::size_t edge = tail ? world.end[kTail] : world.low(region);
    const std::size_t padding = padding_up(tail ? edge + size - (bottom + capacity) : bottom + edge, alignment);
    const std::size_t more = size + padding;  // each at most kMaxSize, or small: cannot wrap
    const std::size_t room = capacity - world.end[tail ? kTemp : kTail] - edge;
    // Less than nothing only in the world without limit, into which the short way does not look.
    if (room > capacity || more > room) return 0;
    do {
      if (world.end[region] < edge + more) world.end[region] = edge + more;
    } while (++region < kTail);
    return edge + more;
  }

  /// What is no alignment, what is nothing, and what is more than there can be.
  [[nodiscard, gnu::noinline]] static void* allocate_odd(ArenaState& state, std::size_t capacity, std::size_t site,
                                                         std::size_t size, std::size_t alignment) noexcept {
    const std::size_t region = site % kRegions;
    Status status = Status::kOutOfMemory;
    if (state.base_ == nullptr) state.base_ = reinterpret_cast<std::byte*>(&state + 1);
    if (!is_power_of_two(alignment)) {
      status = Status::kInvalidAlignment;
    } else if (region != kTail && site - region != state.temps_) {
      status = region == kTemp ? Status::kScopeOrder : Status::kTempOpen;
    } else if (size == 0) {
      const std::size_t padding = (address(state.base_) + capacity) & (alignment - 1);
      if (capacity != 0 && padding <= capacity) return state.base_ + (capacity - padding);
      if (capacity != 0) status = Status::kMisaligned;  // everywhere
    } else {
      state.need_.peak[kTotal] = kSizeMax;
    }
    return refuse(state, capacity, status, region, size, alignment);
  }

  /// Between these two, both ends of the tail are what they say.
  static void join(ArenaState& state) noexcept { state.need_.end[kTail] += state.real_.end[kTail]; }
  static void part(ArenaState& state) noexcept { state.need_.end[kTail] -= state.real_.end[kTail]; }

  /// An offset moved up to where the address is aligned.
  [[nodiscard]] static std::size_t aligned(const ArenaState& state, std::size_t offset,
                                           std::size_t alignment) noexcept {
    return add_saturated(offset, padding_up(address(base(state)) + offset, alignment));
  }
};

}  // namespace detail
}  // namespace ARENITE_ABI
}  // namespace arenite
