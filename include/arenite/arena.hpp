// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// One static block of memory, used from both ends:
///
///     low address                                                              high address
///     +-----------+------------------------------+-------------+---------------------------+
///     | head ->   | overlay: planned buffers     | temp ->     |                   <- tail |
///     +-----------+------------------------------+-------------+---------------------------+
///
/// - *head* and *tail* hold persistent objects, released only by a marker (last in, first out) or by a reset;
/// - *overlay* is one block for planned buffers; several plans share it, and it is as large as the largest;
/// - *temp* is scratch in scopes: what a scope allocated is gone, padding included, when it closes.
///
/// Guarantees: no two live blocks overlap; each address is a multiple of the alignment asked for, worked out from the
/// true base address; no size wraps. A request that is refused changes nothing but the count of failures and the
/// numbers that tell what would have been needed. All N bytes of an `Arena<N>` belong to the user: the bookkeeping,
/// `sizeof(ArenaState)` (128 bytes on a 32-bit target), lies in front of them. A constant-initialised arena is all zero
/// bits: it goes to .bss and needs no start-up code.
///
/// Every call takes constant time, but for constructing the elements of an array and for what an observer does, that of
/// level debug too. No call is safe against another on
/// the same arena that runs at the same time, be it in a thread or in an interrupt; different arenas are independent.
/// Calls through handles, ends and scopes are calls on their arena, and so are the end of a scope and the making of a
/// handle to memory; numbers may be read beside each other. `adapters/synchronized.hpp` puts a lock around calls. The
/// constructors that `create` calls may use the arena themselves.
///
/// A request for zero bytes gets the highest aligned address of the arena, its end included, and takes nothing: it
/// fails if and only if the arena holds no such address.

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "align.hpp"
#include "arena_core.hpp"
#include "buffer.hpp"
#include "observer.hpp"
#include "observers/fences.hpp"
#include "plan.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// What is to become of the destructor of an object in an arena, which no arena ever calls.
enum class Destructor : std::uint8_t {
  kTrivial,  ///< There is nothing to call. Any other type is refused at compile time.
  kSkip,     ///< The caller knows that it need not run, or will call it.
};

namespace detail {

/// Gives a block back when a constructor throws, unless that constructor took more of the same region or of what lies
/// on it, or left a marker or a scope behind: somebody may hold what lies there. Comes to nothing where exceptions are
/// off.
template <class O, std::size_t kRegion>
class Rollback : private O::Snapshot {
 public:
  [[gnu::always_inline]] explicit Rollback(const Memory<O>& memory) noexcept
      : O::Snapshot(memory.observer().snapshot(static_cast<Region>(kRegion))),
        memory_(memory),
        state_(*memory.state),
        before_(ArenaCore::position(*memory.state, kRegion)) {}
  Rollback(const Rollback&) = delete;
  Rollback& operator=(const Rollback&) = delete;
  [[gnu::always_inline]] ~Rollback() {
    if (!armed_ || after_ != ArenaCore::position(state_, kRegion).real) return;
    if (marker_ != marker() || temps_ != temps() || epoch_ != ArenaCore::epoch(state_)) return;
    if (kRegion == kHead && ArenaCore::may_change(state_, kHead) != Status::kOk) return;
    const Release<O, static_cast<Region>(kRegion)> release(memory_);
    ArenaCore::return_to<kRegion>(state_, before_);
    release.done(EventKind::kRelease, *this);
  }
  [[gnu::always_inline]] void arm() noexcept {
    after_ = ArenaCore::position(state_, kRegion).real;
    marker_ = marker();
    temps_ = temps();
    epoch_ = ArenaCore::epoch(state_);
    armed_ = true;
  }
  [[gnu::always_inline]] void disarm() noexcept { armed_ = false; }

 private:
  [[nodiscard, gnu::always_inline]] std::size_t marker() const noexcept {
    return ArenaCore::latest_marker(state_, kRegion);
  }
  [[nodiscard, gnu::always_inline]] std::size_t temps() const noexcept { return ArenaCore::open_temps(state_); }

  Memory<O> memory_;
  ArenaState& state_;
  Position before_;
  std::size_t after_ = 0;
  std::size_t marker_ = 0;
  std::size_t temps_ = 0;
  std::size_t epoch_ = 0;
  bool armed_ = false;
};

/// Whether a block in such a place is given back when a constructor throws.
template <class Place>
inline constexpr bool rolls_back = true;

/// Gets a block from `place.allocate` and constructs in it. Null if and only if the block is refused.
template <class T, Destructor kDestructor, class Place, class Construct>
[[nodiscard, gnu::always_inline]] inline T* construct(Place& place, std::size_t size, Construct construct_in) {
  static_assert(kDestructor == Destructor::kSkip || std::is_trivially_destructible_v<T>,
                "an arena never calls destructors: say Destructor::kSkip if this one need not run");
  if constexpr (noexcept(construct_in(nullptr)) || !rolls_back<std::remove_const_t<Place>>) {
    void* const block = place.take(size, alignof(T));
    return block == nullptr ? nullptr : construct_in(block);
  } else {
    Rollback<typename Place::Watcher, Place::region()> rollback(place.memory());
    void* const block = place.take(size, alignof(T));
    if (block == nullptr) return nullptr;
    rollback.arm();
    T* const object = construct_in(block);
    rollback.disarm();
    return object;
  }
}

/// Whether T(args...) is something that `new` can make; whether somebody can destroy it is not asked.
template <class, class T, class... Args>
inline constexpr bool can_be_made = false;
template <class T, class... Args>
inline constexpr bool
    can_be_made<decltype(void(::new (static_cast<void*>(nullptr)) T(std::declval<Args>()...))), T, Args...> = true;

template <class T, Destructor kDestructor, class Place, class... Args>
[[nodiscard, gnu::always_inline]] inline T* create(Place& place, Args&&... args) {
  static_assert(!std::is_array_v<T>, "create<T> is for objects, create_array<T> for arrays");
  if constexpr (can_be_made<void, T, Args...>) {
    constexpr bool kSafe = noexcept(::new (static_cast<void*>(nullptr)) T(std::declval<Args>()...));
    return construct<T, kDestructor>(place, sizeof(T), [&](void* block) noexcept(kSafe) -> T* {
      return ::new (block) T(std::forward<Args>(args)...);
    });
  } else {
    constexpr bool kSafe = noexcept(::new (static_cast<void*>(nullptr)) T{std::declval<Args>()...});
    return construct<T, kDestructor>(place, sizeof(T), [&](void* block) noexcept(kSafe) -> T* {
      return ::new (block) T{std::forward<Args>(args)...};
    });
  }
}

/// The elements are constructed one by one: `new T[n]` may put a cookie in front of them.
template <class T, Destructor kDestructor, class Place>
[[nodiscard]] T* create_array(Place& place, std::size_t count) {
  static_assert(!std::is_array_v<T>, "create_array<T> is for arrays of objects, not of arrays");
  constexpr bool kSafe = noexcept(::new (static_cast<void*>(nullptr)) T());
  return construct<T, kDestructor>(place, multiply_saturated(count, sizeof(T)), [=](void* block) noexcept(kSafe) -> T* {
    T* const elements = static_cast<T*>(block);
    for (std::size_t i = 0; i < count; ++i)
      ::new (const_cast<void*>(static_cast<const volatile void*>(elements + i))) T();
    return elements;
  });
}

}  // namespace detail

/// A position in the head or the tail to release everything above it, see `mark()`. Copies are the same marker.
template <Region kRegion, class O = DefaultObserver>
class Marker : private O::Snapshot {
 public:
  constexpr Marker() noexcept = default;

  // For the implementation.
  [[nodiscard]] std::size_t serial() const noexcept { return serial_; }      // zero: of none
  [[nodiscard]] std::size_t previous() const noexcept { return previous_; }  // zero: none was there
  void clear() noexcept { serial_ = 0; }

 private:
  template <Region, class>
  friend class End;
  const ArenaState* state_ = nullptr;
  std::size_t serial_ = 0;
  std::size_t previous_ = 0;
  detail::Position position_{};
};

/// One of the two ends for persistent objects, by name: `arena.head()`, `arena.tail()`. Two words, and two more with an
/// observer; passed by value.
template <Region kRegion, class O = DefaultObserver>
class End : private detail::KindOf<O> {
 public:
  static_assert(kRegion == Region::kHead || kRegion == Region::kTail);
  explicit constexpr End(detail::Memory<O> memory, detail::KindOf<O> kind = {}) noexcept
      : detail::KindOf<O>(kind), memory_(memory) {}

  /// The same end, for blocks of this kind: what an observer is told. Nothing where there is none.
  template <class K>
  [[nodiscard, gnu::always_inline]] constexpr End as(K kind) const noexcept {
    return End(memory_, detail::KindOf<O>(kind));
  }

  /// A block of `size` bytes at a multiple of `alignment`, uninitialised. Null if and only if it does not fit, the
  /// alignment is not a power of two, or, on the head, a temp scope is open or the overlay is in use.
  [[nodiscard, gnu::always_inline]] void* allocate(std::size_t size, std::size_t alignment) const noexcept {
    if constexpr (!detail::is_watched<O>) {
      return request(size, alignment);
    } else {
      return detail::watch<O>(memory_, kRegion, *this, size, alignment,
                              [this](std::size_t bytes, std::size_t aligned) { return request(bytes, aligned); });
    }
  }

  /// An object `T(args...)`, value-initialised without arguments, `T{args...}` for an aggregate. Null if and only if
  /// `allocate(sizeof(T), alignof(T))` is. If the constructor throws, the block is given back, unless it took more of
  /// this end itself, left a marker or a temp scope, or released the overlay or everything.
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  [[nodiscard, gnu::always_inline]] T* create(Args&&... args) const {
    return detail::create<T, kDestructor>(*this, std::forward<Args>(args)...);
  }

  /// `count` value-initialised objects in a row, without a cookie. O(count). Null if and only if
  /// `allocate(count * sizeof(T), alignof(T))` is, or the product does not fit into a `size_t`.
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  [[nodiscard]] T* create_array(std::size_t count) const {
    return detail::create_array<T, kDestructor>(*this, count);
  }

  /// Remembers how much this end holds. Markers of one end are released in reverse order of making, each once.
  [[nodiscard]] Marker<kRegion, O> mark() const noexcept {
    Marker<kRegion, O> marker;
    static_cast<typename O::Snapshot&>(marker) = memory_.observer().snapshot(kRegion);
    detail::tell(memory_, EventKind::kMark, kRegion, nullptr, 0);
    marker.state_ = memory_.state;
    marker.position_ = detail::ArenaCore::position(*memory_.state, region());
    marker.serial_ = detail::ArenaCore::mark(*memory_.state, region(), marker.previous_);
    return marker;
  }

  /// Gives back everything allocated on this end since the marker was made; no destructor runs.
  ///
  /// Broken preconditions, which go to the panic hook and then change nothing: a marker of another arena
  /// (`kMarkerAlien`), one that was released before or by a reset, and one with a later marker still unreleased
  /// (`kMarkerOrder`). Refused, on the head, while a temp scope is open (`kTempOpen`) or the overlay is in use
  /// (`kNotOnTop`): the marker stays valid then.
  Status release(const Marker<kRegion, O>& marker) const noexcept {
    const detail::Release<O, kRegion> release(memory_);
    Status status = Status::kMarkerAlien;
    if (kHardening == Hardening::kOff || marker.state_ == memory_.state) {
      status = detail::ArenaCore::release<region()>(*memory_.state, marker.serial_, marker.previous_, marker.position_);
    }
    if constexpr (kHardening != Hardening::kOff) {
      if (status == Status::kMarkerAlien || status == Status::kMarkerOrder) detail::panic(status);
    }
    if (status == Status::kOk) release.done(EventKind::kRelease, marker);
    return status;
  }

  // For the implementation.
  using Watcher = O;
  [[nodiscard, gnu::always_inline]] detail::Memory<O> memory() const noexcept { return memory_; }
  [[nodiscard]] static constexpr std::size_t region() noexcept { return static_cast<std::size_t>(kRegion); }
  [[nodiscard, gnu::always_inline]] void* take(std::size_t size, std::size_t alignment) const noexcept {
    if constexpr (kRegion == Region::kHead) {
      return allocate(size, alignment);
    } else {
      // Objects are made at set-up: the long way is less code where each call is inlined.
      return detail::watch<O>(memory_, kRegion, *this, size, alignment, [this](std::size_t bytes, std::size_t aligned) {
        return detail::ArenaCore::allocate(*memory_.state, memory_.capacity, detail::kTail, bytes, aligned);
      });
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] void* request(std::size_t size, std::size_t alignment) const noexcept {
    if constexpr (kRegion == Region::kTail) {
      return detail::ArenaCore::allocate_tail(*memory_.state, memory_.capacity, size, alignment);
    } else {
      return detail::ArenaCore::allocate_head(*memory_.state, memory_.capacity, size, alignment);
    }
  }

  detail::Memory<O> memory_;
};

/// A scope of temporary memory, see `temp()`: allocates in it while it is the innermost one, and gives all back when it
/// ends. It stays where it was made, so that scopes close in reverse order of opening.
///
/// Nothing can be allocated in a scope without a name, as it would be gone at the end of the statement.
template <class O>
class [[nodiscard]] BasicTempScope : private O::Snapshot, private detail::KindOf<O> {
 public:
  explicit BasicTempScope(detail::Memory<O> memory, detail::KindOf<O> kind = {}) noexcept
      : O::Snapshot(memory.observer().snapshot(Region::kTemp)),
        detail::KindOf<O>(kind),
        memory_(memory),
        begin_(detail::ArenaCore::position(*memory.state, detail::kTemp)),
        site_(detail::ArenaCore::open_temp(*memory.state)) {
    detail::tell(memory_, EventKind::kOpenTemp, Region::kTemp, nullptr, 0);
  }
  BasicTempScope(const BasicTempScope&) = delete;
  BasicTempScope& operator=(const BasicTempScope&) = delete;

  /// Closes the scope. If a scope opened later is still open, a broken precondition: the panic hook gets `kScopeOrder`,
  /// and should it return, this scope counts as open for good.
  ~BasicTempScope() {
    const detail::Release<O, Region::kTemp> release(memory_);
    const std::size_t open = detail::ArenaCore::open_temps(*memory_.state);
    detail::ArenaCore::close_temp(*memory_.state, site_, begin_.real, begin_.need);
    if (open != detail::ArenaCore::open_temps(*memory_.state)) release.done(EventKind::kCloseTemp, *this);
  }

  /// A block of `size` bytes at a multiple of `alignment`, uninitialised, until the scope closes. Null if and only if
  /// it does not fit, the alignment is not a power of two, or this is not the innermost open scope.
  [[nodiscard, gnu::always_inline]] void* allocate(std::size_t size, std::size_t alignment) & noexcept {
    return detail::watch<O>(
        memory_, Region::kTemp, *this, size, alignment, [this](std::size_t bytes, std::size_t aligned) {
          return detail::ArenaCore::allocate(*memory_.state, memory_.capacity, site_, bytes, aligned);
        });
  }

  /// An object, as `End::create`.
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  [[nodiscard, gnu::always_inline]] T* create(Args&&... args) & {
    return detail::create<T, kDestructor>(*this, std::forward<Args>(args)...);
  }

  /// An array, as `End::create_array`.
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  [[nodiscard]] T* create_array(std::size_t count) & {
    return detail::create_array<T, kDestructor>(*this, count);
  }

  /// A scope in this scope.
  BasicTempScope temp() & noexcept { return BasicTempScope(memory_); }
  template <class K>
  BasicTempScope temp(K kind) & noexcept {
    return BasicTempScope(memory_, detail::KindOf<O>(kind));
  }

  void* allocate(std::size_t, std::size_t) && = delete;
  template <class T, Destructor = Destructor::kTrivial, class... Args>
  T* create(Args&&...) && = delete;
  template <class T, Destructor = Destructor::kTrivial>
  T* create_array(std::size_t) && = delete;
  BasicTempScope temp() && = delete;
  template <class K>
  BasicTempScope temp(K) && = delete;

  // For the implementation.
  using Watcher = O;
  [[nodiscard, gnu::always_inline]] detail::Memory<O> memory() const noexcept { return memory_; }
  [[nodiscard]] static constexpr std::size_t region() noexcept { return detail::kTemp; }
  [[nodiscard, gnu::always_inline]] void* take(std::size_t size, std::size_t alignment) & noexcept {
    return allocate(size, alignment);
  }

 private:
  detail::Memory<O> memory_;
  detail::Position begin_;
  std::size_t site_;
};

using TempScope = BasicTempScope<DefaultObserver>;

namespace detail {

template <class P>
inline constexpr bool is_offsets_only = false;
template <std::size_t N>
inline constexpr bool is_offsets_only<PlanOffsets<N>> = true;

}  // namespace detail

/// A plan in its place: typed and checked access to the planned buffers, by index or enumerator.
///
/// A view, cheap to copy. It looks at the plan, which must outlive it unchanged (one made at run time also its planner
/// or memory), and recognises when the overlay was released or the arena reset. It stays valid while other plans share
/// the region: whose turn it is, the caller knows. Reading through it is safe while nobody releases the overlay.
template <class P>
class Overlay {
 public:
  /// A view of nothing, which is stale.
  Overlay() noexcept = default;

  /// True if and only if the plan has its place, which is not released.
  [[nodiscard]] explicit operator bool() const noexcept { return base() != nullptr; }

  /// `kOk`; why the request was refused; or `kStale` once the overlay was released.
  [[nodiscard]] Status status() const noexcept {
    if (base_ == nullptr) return status_;
    return base() == nullptr ? Status::kStale : Status::kOk;
  }

  [[nodiscard]] const P& plan() const noexcept { return *get(plan_); }

  /// Start of the planned block; null if and only if the view is not `kOk`.
  [[nodiscard]] std::byte* base() const noexcept {
    return base_ != nullptr && epoch_ == detail::ArenaCore::epoch(*state_) ? base_ : nullptr;
  }

  /// Whether buffer `index` can be had as `count` objects of type T: `kOk`; why the view is not valid; `kOutOfBounds`
  /// if there is no such buffer, or it is smaller, or the plan has it end outside of the block; `kMisaligned` if it has
  /// bytes, and they lie at no multiple of `alignof(T)`.
  template <class T, class I>
  [[nodiscard]] Status check(I index, std::size_t count) const noexcept {
    return base() == nullptr ? status() : check_buffer<T>(detail::to_index(index), bytes_of<T>(count));
  }

  /// The same for as many objects as there is room for: at least one, unless the buffer has no bytes.
  template <class T, class I>
  [[nodiscard]] Status check(I index) const noexcept {
    return base() == nullptr ? status() : check_buffer<T>(detail::to_index(index), kAtLeastOne);
  }

  /// Buffer `index` as an array of `count` objects of type T, uninitialised. Null if and only if `check<T>(index,
  /// count)` is not `kOk`; at level off a precondition.
  template <class T, class I>
  [[nodiscard]] T* data(I index, std::size_t count) const noexcept {
    return as<T>(detail::to_index(index), bytes_of<T>(count));
  }

  /// The same without a count. Null if and only if `check<T>(index)` is not `kOk`; at level off a precondition.
  template <class T, class I>
  [[nodiscard]] T* data(I index) const noexcept {
    return as<T>(detail::to_index(index), kAtLeastOne);
  }

  /// Bytes of buffer `index`, as asked for; zero if there is no such buffer, or the view is not valid.
  template <class I>
  [[nodiscard]] std::size_t size(I index) const noexcept {
    static_assert(!detail::is_offsets_only<P>, "this plan has no sizes: use the plan itself, or sizes kept elsewhere");
    return base() != nullptr && detail::to_index(index) < plan().count() ? plan().size(index) : 0;
  }

 private:
  template <class, class>
  friend class ArenaApi;

  static constexpr std::size_t kAtLeastOne = detail::kSizeMax - 1;  // fits into no buffer

  template <class T>
  [[nodiscard]] static constexpr std::size_t bytes_of(std::size_t count) noexcept {
    const std::size_t bytes = multiply_saturated(count, sizeof(T));
    return bytes == kAtLeastOne ? bytes + 1 : bytes;
  }

  template <class T>
  [[nodiscard]] Status check_buffer(std::size_t index, std::size_t bytes) const noexcept {
    if (index >= plan().count()) return Status::kOutOfBounds;
    const std::size_t extent = plan().extent(index);
    const std::size_t offset = plan().offset(index);
    if (offset > size_ || extent > size_ - offset) return Status::kOutOfBounds;
    if (bytes == kAtLeastOne) bytes = extent == 0 ? 0 : sizeof(T);
    if (extent < bytes) return Status::kOutOfBounds;
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(base_) + offset;
    return extent == 0 || padding_up(address, alignof(T)) == 0 ? Status::kOk : Status::kMisaligned;
  }

  template <class T>
  [[nodiscard]] T* as(std::size_t index, std::size_t bytes) const noexcept {
    static_assert(std::is_trivially_copyable_v<T>,
                  "planned buffers hold plain data: nothing constructs or destroys what lies there");
    if constexpr (kHardening != Hardening::kOff) {
      if (base() == nullptr || check_buffer<T>(index, bytes) != Status::kOk) return nullptr;
    } else {
      if (base_ == nullptr) return nullptr;
    }
    return static_cast<T*>(static_cast<void*>(base_ + plan().offset(index)));
  }

  // What is made at run time is a view itself; anything else is looked at.
  using Held = std::conditional_t<std::is_same_v<P, PlanRef>, PlanRef, const P*>;
  static const P* get(const P& plan) noexcept { return &plan; }
  static const P* get(const P* plan) noexcept { return plan; }

  Overlay(const ArenaState* state, std::byte* base, const Held& plan, Status status) noexcept
      : state_(state),
        base_(base),
        size_(get(plan)->size()),
        plan_(plan),
        epoch_(detail::ArenaCore::epoch(*state)),
        status_(status) {}

  const ArenaState* state_ = nullptr;
  std::byte* base_ = nullptr;
  std::size_t size_ = 0;  // of the block: the plan may be another by now
  Held plan_ = {};
  std::size_t epoch_ = 0;
  Status status_ = Status::kStale;
};

template <class O>
class BasicArenaRef;

/// The calls of an arena, for `Arena<N>` and `ArenaRef` alike. `O` is its observer, see `observer.hpp`.
template <class Self, class O>
class ArenaApi {
 public:
  // --- persistent objects --------------------------------------------------------------------------------------------

  /// The low end, by name. It grows and shrinks only while no temp scope is open and the overlay is not in use.
  [[nodiscard]] End<Region::kHead, O> head() noexcept { return End<Region::kHead, O>(memory()); }

  /// The high end, by name: where the calls below go.
  [[nodiscard]] End<Region::kTail, O> tail() noexcept { return End<Region::kTail, O>(memory()); }

  /// The high end, for blocks of this kind, see `End::as`.
  template <class K>
  [[nodiscard, gnu::always_inline]] End<Region::kTail, O> as(K kind) noexcept {
    return tail().as(kind);
  }

  /// A block of `size` bytes at a multiple of `alignment`, uninitialised. Null if and only if it does not fit, or the
  /// alignment is not a power of two. Some 25 instructions on a Cortex-M4, and 165 for the first of an alignment, or
  /// where the end of the tail, as `required` counts it, is not aligned as the real one is.
  [[nodiscard, gnu::always_inline]] void* allocate(std::size_t size, std::size_t alignment) noexcept {
    return tail().allocate(size, alignment);
  }

  /// An object, see `End::create`.
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  [[nodiscard, gnu::always_inline]] T* create(Args&&... args) {
    return tail().template create<T, kDestructor>(std::forward<Args>(args)...);
  }

  /// An array, see `End::create_array`.
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  [[nodiscard]] T* create_array(std::size_t count) {
    return tail().template create_array<T, kDestructor>(count);
  }

  /// Remembers the position of the tail, see `End::mark`.
  [[nodiscard]] Marker<Region::kTail, O> mark() noexcept { return tail().mark(); }

  /// Gives back the tail to a position, see `End::release`.
  Status release(const Marker<Region::kTail, O>& marker) noexcept { return tail().release(marker); }

  // --- overlay -------------------------------------------------------------------------------------------------------

  /// Reserves room for a plan on the head, and shows the buffers in it. Plans share the room, each begins at the first
  /// address that is aligned as it needs, and the region is as large as the largest; so a buffer keeps its bytes only
  /// until another plan is used.
  ///
  /// Refused if and only if it does not fit, the plan itself was refused, or a temp scope is open: the view then has
  /// the status, and what was there stays as it was. The plan is looked at as long as the view is used: a plan that
  /// dies at the end of the statement is refused at compile time.
  template <class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
  [[nodiscard]] Overlay<P> overlay(const P& plan) noexcept {
    return bind<P>(plan, &plan);
  }
  template <class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
  Overlay<P> overlay(const P&& plan) = delete;

  /// \copydoc overlay
  ///
  /// A plan made at run time is refused with `kOverlap` if its offsets lie where it would be placed: neither on the
  /// head nor on the tail, but in this arena.
  [[nodiscard]] Overlay<PlanRef> overlay(PlanRef plan) noexcept {
    if (plan.count() != 0 && is_in_the_middle(plan.offsets())) {
      return bind<PlanRef>(PlanRef(PlanSummary(Status::kOverlap), nullptr, nullptr, 0), plan);
    }
    return bind<PlanRef>(plan, plan);
  }

  /// The same for one block of `size` bytes at a multiple of `alignment`; null if and only if it is refused, as above
  /// or for its alignment.
  [[nodiscard, gnu::always_inline]] void* overlay(std::size_t size, std::size_t alignment) noexcept {
    const detail::Memory<O> own = memory();
    return detail::watch<O>(own, Region::kOverlay, {}, size, alignment, [own](std::size_t bytes, std::size_t aligned) {
      return detail::ArenaCore::allocate(*own.state, own.capacity, detail::kOverlay, bytes, aligned);
    });
  }

  /// Says that a step of a plan begins: for an observer that watches who uses what when. `buffers` are those that the
  /// plan was made for. Nothing but a check where there is none. `kStale`, or why the view was refused, if it is not
  /// valid here; `kOutOfBounds` if there are not as many buffers as in the plan. O(1) and the observer's.
  template <class P>
  Status enter(const Overlay<P>& overlay, const BufferList& buffers, Step step) noexcept {
    if (!overlay) return overlay.status();
    if (overlay.state_ != memory().state) return Status::kStale;
    if (buffers.count() != overlay.plan().count()) return Status::kOutOfBounds;
    memory().observer().on_step(StepEvent{overlay.base(), overlay.plan().PlanSummary::size(), buffers.data(),
                                          overlay.plan().offsets(), buffers.count(), step});
    return Status::kOk;
  }

  /// Gives back the overlay, for all plans in it; views of them turn stale. Refused with `kTempOpen` if and only if a
  /// temp scope is open.
  Status release_overlay() noexcept {
    const detail::Memory<O> own = memory();
    const detail::Release<O, Region::kOverlay> release(own);
    const Status status = detail::ArenaCore::release_overlay(*own.state);
    if (status == Status::kOk) release.done(EventKind::kRelease, {});
    return status;
  }

  // --- temp and reset ------------------------------------------------------------------------------------------------

  /// Opens a scope of temporary memory on the overlay: `auto temp = arena.temp();`. Scopes nest. While one is open, the
  /// tail may grow; head and overlay may not.
  BasicTempScope<O> temp() noexcept { return BasicTempScope<O>(memory()); }

  /// The same, for blocks of this kind, see `End::as`.
  template <class K>
  BasicTempScope<O> temp(K kind) noexcept {
    return BasicTempScope<O>(memory(), detail::KindOf<O>(kind));
  }

  /// The same for a function: calls `use` with a `TempScope&`, which closes behind it. What `DryRun` has too.
  template <class Use>
  void in_temp(Use use) {
    BasicTempScope<O> scope(memory());
    use(scope);
  }

  /// The same, for blocks of this kind, see `End::as`.
  template <class K, class Use>
  void in_temp(K kind, Use use) {
    BasicTempScope<O> scope(memory(), detail::KindOf<O>(kind));
    use(scope);
  }

  /// Number of open temp scopes.
  [[nodiscard]] std::size_t open_temps() const noexcept { return detail::ArenaCore::open_temps(state()); }

  /// Gives back everything; no destructor runs. Views turn stale, and markers are none any more. Peaks, `required` and
  /// the failures stay. Refused with `kTempOpen` if and only if a temp scope is open.
  Status reset() noexcept {
    const detail::Memory<O> own = memory();
    const detail::Release<O, Region::kHead> head(own);  // and the overlay, which lies on it
    const detail::Release<O, Region::kTail> tail(own);
    const Status status = detail::ArenaCore::reset(*own.state);
    if (status != Status::kOk) return status;
    own.observer().restore(Region::kOverlay, {});
    head.done(EventKind::kRelease, {});
    tail.done(EventKind::kRelease, {});
    return status;
  }

  /// The observer, which has what it recorded.
  [[nodiscard]] decltype(auto) observer() noexcept { return memory().observer(); }
  [[nodiscard]] std::conditional_t<std::is_empty_v<O>, O, const O&> observer() const noexcept {
    return const_cast<ArenaApi*>(this)->memory().observer();
  }

  // --- numbers, in bytes ---------------------------------------------------------------------------------------------

  /// Taken now, with the padding between blocks: the sum over the regions.
  [[nodiscard]] std::size_t used() const noexcept { return detail::ArenaCore::real(state()).bytes(detail::kTotal); }

  /// Taken now in one region, with its padding.
  [[nodiscard]] std::size_t used(Region region) const noexcept {
    return detail::ArenaCore::real(state()).bytes(static_cast<std::size_t>(region));
  }

  /// The most that was taken at the same time, since the arena began; a reset does not forget it.
  [[nodiscard]] std::size_t peak() const noexcept { return detail::ArenaCore::real(state()).most(detail::kTotal); }

  /// The most that was taken in one region at the same time.
  [[nodiscard]] std::size_t peak(Region region) const noexcept {
    return detail::ArenaCore::real(state()).most(static_cast<std::size_t>(region));
  }

  /// The size of an arena, at this base address, in which all requests made so far succeed, those that failed included,
  /// as they would lie there: one byte less does not do. Where the tail was asked for alignments above 1, the end of
  /// the arena moves with its size: then this is the least among the multiples of the largest one. The largest `size_t`
  /// where no arena would do. `DryRun` knows the least size in every case.
  ///
  /// Counts what memory could have granted: not requests refused for their alignment or for the order of calls, and not
  /// those for zero bytes. A head that grew after an overlay was refused lies above that overlay here, and has its
  /// bytes: in that order no arena grants both. Nor does it count that the address space ends.
  [[nodiscard]] std::size_t required() const noexcept { return detail::ArenaCore::required(state()); }

  /// The share of one region in that: the most bytes it would have held.
  [[nodiscard]] std::size_t required(Region region) const noexcept {
    return detail::ArenaCore::need(state(), static_cast<std::size_t>(region));
  }

  /// The largest block of this alignment that the tail, or a temp scope, could get now. Zero for what is no alignment.
  [[nodiscard]] std::size_t available(std::size_t alignment) const noexcept {
    return available(Region::kTail, alignment);
  }

  /// The largest block of this alignment that the region could get now: zero while it may not grow. An overlay's bytes
  /// are available to the next one.
  [[nodiscard]] std::size_t available(Region region, std::size_t alignment) const noexcept {
    const bool closed = open_temps() == 0;
    if (!is_power_of_two(alignment)) return 0;
    if (region == Region::kOverlay && !closed) return 0;
    if (region == Region::kHead && (!closed || used(Region::kOverlay) != 0)) return 0;
    const std::size_t room =
        detail::ArenaCore::available(state(), self().capacity(), static_cast<std::size_t>(region), alignment);
    if (O::kFence == 0 || region == Region::kOverlay) return room;
    const std::size_t fences = detail::fenced_size(0, alignment, O::kFence);
    return room > fences ? room - fences : 0;
  }

  /// Requests refused so far.
  [[nodiscard]] std::size_t failures() const noexcept { return detail::ArenaCore::failures(state()); }

  /// The numbers of the last refused request; `kOk` and zero if there was none. Fences of an observer, that of level
  /// debug too, count as asked for.
  [[nodiscard]] Failure last_failure() const noexcept {
    return detail::ArenaCore::last_failure(state(), self().capacity());
  }

  /// `kOk` if the arena has at least so many bytes, taken or not; `kOutOfMemory`, or `kNullMemory` where there is no
  /// memory. For memory whose size is known at run time only.
  [[nodiscard]] Status require(std::size_t size) const noexcept {
    if (self().capacity() == 0) return Status::kNullMemory;
    return size <= self().capacity() ? Status::kOk : Status::kOutOfMemory;
  }

  /// True if and only if the pointer is the address of a byte of the arena's memory.
  [[nodiscard]] bool contains(const void* pointer) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const auto base = reinterpret_cast<std::uintptr_t>(self().data());
    return address - base < self().capacity();  // below the base it has wrapped
  }

  /// True if and only if the pointer is the address of a byte of it that is neither the head's nor the tail's: where
  /// overlay and temp are, or would be.
  [[nodiscard]] bool is_in_the_middle(const void* pointer) const noexcept {
    return detail::ArenaCore::in_the_middle(state(), self().capacity(), pointer);
  }

  /// True if and only if the invariants hold: regions in order and inside, nothing in temp without a scope; and what
  /// the observer wrote is as it was, see `Fences`. O(1) without fences.
  [[nodiscard]] bool check() const noexcept {
    return detail::ArenaCore::is_tidy(state()) && detail::is_intact(const_cast<ArenaApi*>(this)->memory());
  }

 protected:
  ArenaApi() = default;
  ArenaApi(const ArenaApi&) = default;
  ArenaApi& operator=(const ArenaApi&) = default;
  ~ArenaApi() = default;

 private:
  template <class P>
  Overlay<P> bind(const P& plan, const typename Overlay<P>::Held& held) noexcept {
    const detail::Memory<O> own = memory();
    std::byte* base = nullptr;
    Status status = plan.status();
    if (status != Status::kOk) {
      (void)detail::watch<O>(own, Region::kOverlay, {}, plan.PlanSummary::size(), plan.alignment(),
                             [&](std::size_t bytes, std::size_t aligned) -> void* {
                               return detail::ArenaCore::refuse(*own.state, own.capacity, status, detail::kOverlay,
                                                                bytes, aligned);
                             });
    } else {
      base = static_cast<std::byte*>(overlay(plan.size(), plan.alignment()));
      if (base == nullptr) status = detail::ArenaCore::why(*own.state, own.capacity);
    }
    return Overlay<P>(own.state, base, held, status);
  }

  [[nodiscard, gnu::always_inline]] Self& self() noexcept { return static_cast<Self&>(*this); }
  [[nodiscard, gnu::always_inline]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
  [[nodiscard, gnu::always_inline]] detail::Memory<O> memory() noexcept { return self().memory_words(); }
  [[nodiscard, gnu::always_inline]] const ArenaState& state() const noexcept { return self().bookkeeping(); }
};

namespace detail {

/// The bookkeeping of an arena with storage behind it, and what is in front to align that.
template <std::size_t kPadding>
struct Front {
  std::byte padding[kPadding] = {};
  ArenaState state;
};
template <>
struct Front<0> {
  ArenaState state;
};

/// The observer as a part of an arena.
template <class O, bool = std::is_empty_v<O>>
class Watcher {
 protected:
  [[nodiscard, gnu::always_inline]] constexpr Memory<O> words(ArenaState& state, std::size_t capacity) noexcept {
    return {&state, capacity, &observer_};
  }

 private:
  O observer_{};
};
template <class O>
class Watcher<O, true> {
 protected:
  [[nodiscard, gnu::always_inline]] static constexpr Memory<O> words(ArenaState& state, std::size_t capacity) noexcept {
    return {&state, capacity};
  }
};

}  // namespace detail

/// An arena over N bytes of its own. A global or static one costs N bytes of .bss and its bookkeeping, no flash and no
/// start-up code. Neither copyable nor movable. Don't put a large one on a small stack.
///
/// `O` watches it, see `observer.hpp`; one with members is a part of the arena.
///
/// Every scope, marker and view of an arena is to be gone, or left alone, when it is destroyed.
template <std::size_t N, std::size_t kAlignment = kDefaultAlignment, class O = DefaultObserver>
class Arena : private detail::Watcher<O>, public ArenaApi<Arena<N, kAlignment, O>, O> {
 public:
  static_assert(N != detail::kSizeMax,
                "the dry run that counted this size was refused: a set-up failed, or no arena grants a request of it");
  static_assert(N > 0 && N <= kMaxSize,
                "an arena has at least one byte, and at most what a pointer difference can hold");
  static_assert(is_power_of_two(kAlignment), "the alignment of an arena is a power of two");

  constexpr Arena() noexcept = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Bytes of memory: N.
  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }

  /// First byte of the memory, a multiple of the arena's alignment.
  [[nodiscard]] const std::byte* data() const noexcept { return storage_; }

 private:
  friend class ArenaApi<Arena, O>;
  friend class BasicArenaRef<O>;
  [[nodiscard, gnu::always_inline]] constexpr detail::Memory<O> memory_words() noexcept {
    return this->words(front_.state, N);
  }
  [[nodiscard, gnu::always_inline]] const ArenaState& bookkeeping() const noexcept { return front_.state; }

  // The core finds the storage right behind the bookkeeping.
  using Front = detail::Front<align_up(sizeof(ArenaState), kAlignment) - sizeof(ArenaState)>;
  static_assert(sizeof(Front) % kAlignment == 0, "the storage is aligned as the front is");

  alignas(kAlignment) alignas(Front) Front front_;
  std::byte storage_[N] = {};
};

/// A handle to an arena of any size, or to memory of the user's own: a linker section, external RAM, a pointer and a
/// size known at run time only. What a function should take that uses an arena. Copies are the same arena. Two words,
/// three where the observer has members.
///
/// `ArenaRef` is the handle to an arena that names no observer. There is none to a watched arena that leaves its
/// observer behind: a function for both is a template, or takes the handle by an alias of the program's.
template <class O>
class BasicArenaRef : public ArenaApi<BasicArenaRef<O>, O> {
 public:
  /// A handle to an arena, which must outlive it. A global one to a global arena needs no start-up code.
  template <std::size_t N, std::size_t kAlignment>
  constexpr BasicArenaRef(Arena<N, kAlignment, O>& owner) noexcept  // NOLINT: implicit on purpose
      : memory_(owner.memory_words()) {}

  /// An arena over `size` bytes at `memory`, which needs no alignment, with the bookkeeping in `state`: one for each
  /// memory, all zero or default-constructed at first. Both must outlive the handle and its copies; another handle to
  /// the same arena is a copy of this one, or made of the same three. Bookkeeping of an arena with other memory goes to
  /// the panic hook, with `kOtherMemory`; the handle is then one to no bytes. The size is trusted.
  ///
  /// Of more than `kMaxSize` bytes that many are used. Null memory, none, and a range that reaches the end of the
  /// address space make an arena of no bytes: each request is then refused with `kNullMemory` and the size that is
  /// needed.
  BasicArenaRef(ArenaState& state, void* memory, std::size_t size) noexcept
      : BasicArenaRef(detail::Memory<O>{&state, capacity_of(memory, size)}, memory) {
    static_assert(std::is_empty_v<O>, "an observer with members is given too, and outlives the handle");
  }

  /// The same with an observer, which must outlive the handle as well.
  BasicArenaRef(ArenaState& state, void* memory, std::size_t size, O& observer) noexcept
      : BasicArenaRef(words_of(state, capacity_of(memory, size), &observer), memory) {}

  /// Bytes of memory.
  [[nodiscard]] std::size_t capacity() const noexcept { return memory_.capacity; }

  /// First byte of the memory; null if there is none.
  [[nodiscard]] const std::byte* data() const noexcept {
    return memory_.capacity == 0 ? nullptr : detail::ArenaCore::base(*memory_.state);
  }

  // For the implementation.
  explicit constexpr BasicArenaRef(const detail::Memory<O>& words) noexcept : memory_(words) {}
  [[nodiscard]] constexpr const detail::Memory<O>& words() const noexcept { return memory_; }

 private:
  friend class ArenaApi<BasicArenaRef, O>;
  BasicArenaRef(const detail::Memory<O>& words, void* memory) noexcept : memory_(words) {
    if (!detail::ArenaCore::set_base(*words.state, static_cast<std::byte*>(memory))) memory_.capacity = 0;
  }
  [[nodiscard]] static detail::Memory<O> words_of(ArenaState& state, std::size_t capacity,
                                                  [[maybe_unused]] O* observer) noexcept {
    if constexpr (std::is_empty_v<O>) {
      return {&state, capacity};
    } else {
      return {&state, capacity, observer};
    }
  }
  [[nodiscard]] static std::size_t capacity_of(const void* memory, std::size_t size) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    if (memory == nullptr || address + size < address) return 0;
    return size < kMaxSize ? size : kMaxSize;
  }

  [[nodiscard, gnu::always_inline]] detail::Memory<O> memory_words() const noexcept { return memory_; }
  [[nodiscard, gnu::always_inline]] const ArenaState& bookkeeping() const noexcept { return *memory_.state; }

  detail::Memory<O> memory_;
};

using ArenaRef = BasicArenaRef<DefaultObserver>;

}  // namespace ARENITE_ABI
}  // namespace arenite
