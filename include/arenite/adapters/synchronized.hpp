// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// An arena that threads and interrupts share: each call takes a lock of yours, exactly once, and gives it back, also
/// where it is refused.
///
///     arenite::Synchronized<arenite::Arena<4096>, Mutex> arena;       // an arena of its own
///     auto* message = arena.create<Message>(id);                      // one lock, from any thread
///     arenite::Synchronized<arenite::ArenaRef, Mutex> slow(psram);    // a handle to one that lies elsewhere
///
/// `Lock` is any type with `lock()` and `unlock()`, as `std::mutex` has them. It decides who may call: with a mutex of
/// an RTOS every thread and no interrupt, with one that masks interrupts also those that it masks. It is never taken
/// twice by one call, so it need not be recursive; it may have members, to keep what the mask was, say. Where the lock
/// cannot be made by the compiler, give it a type without members that names a global one.
///
/// The lock is held for one call of the arena, which takes constant time; an observer, that of level debug too, is
/// called under the lock and adds its own. Constructors run behind it: they may take as long as they want, and use the
/// arena. Only `with` and `in_temp` hold it as long as the function that they are given runs; such a function uses what
/// it is handed and not the adapter, which would lock again.
///
/// Not offered, as no lock around one call makes it safe:
/// - `temp()`, as scopes close in reverse order of opening, whoever opened them: there is `in_temp`;
/// - `mark()` and `release()`, as what others allocate in between would be given back too: use both in one `with`;
/// - `observer()`, which is a reference, and a handle to the arena: `with` has them, for as long as it runs.
///
/// `with` refuses to let them out by its answer, and says where it cannot see them.
///
/// Costs the lock, and nothing where that has no members, or else what aligns the arena behind it. A global one is all
/// zero bits, and so in .bss, where arena and lock are; one of a handle to a global arena is in .data, as it points
/// there. Neither needs start-up code, if the lock needs none; one of a handle to memory does.
///
/// Every function is safe against every other on the same object, from wherever the lock may be taken, unless it says
/// something else. All who use one arena go through one object.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "../arena.hpp"
#include "../buffer.hpp"
#include "../plan.hpp"
#include "../status.hpp"
#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

template <class A, class Lock>
class Synchronized;

namespace detail {

template <class Lock, class = void>
inline constexpr bool is_lock = false;
template <class Lock>
inline constexpr bool
    is_lock<Lock, std::void_t<decltype(std::declval<Lock&>().lock()), decltype(std::declval<Lock&>().unlock())>> = true;

template <class Self, class O>
void probe_arena(const ArenaApi<Self, O>*);
template <class T, class = void>
inline constexpr bool is_arena = false;
template <class T>
inline constexpr bool is_arena<T, decltype(probe_arena(static_cast<T*>(nullptr)))> = true;

template <class T>
inline constexpr bool is_end = false;
template <Region kRegion, class O>
inline constexpr bool is_end<End<kRegion, O>> = true;

template <class T>
inline constexpr bool is_temp_scope = false;
template <class O>
inline constexpr bool is_temp_scope<BasicTempScope<O>> = true;

template <class T>
inline constexpr bool is_marker = false;
template <Region kRegion, class O>
inline constexpr bool is_marker<Marker<kRegion, O>> = true;

/// The lock as a part of its owner: no bytes if it has no members.
template <class Lock, bool = std::is_empty_v<Lock> && !std::is_final_v<Lock>>
class LockHolder {
 protected:
  [[nodiscard]] Lock& lock() const noexcept { return lock_; }

 private:
  mutable Lock lock_{};
};
template <class Lock>
class LockHolder<Lock, true> : private Lock {
 protected:
  [[nodiscard]] Lock& lock() const noexcept { return const_cast<LockHolder&>(*this); }
};

/// Holds a lock from here to the brace. The fences keep the compiler from moving what is done under the lock out of it,
/// should it be inlined and not say so itself; they are no instructions.
template <class Lock>
class LockGuard {
 public:
  explicit LockGuard(Lock& lock) : lock_(lock) {
    lock_.lock();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;
  ~LockGuard() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    lock_.unlock();
  }

 private:
  Lock& lock_;
};

}  // namespace detail

/// One end of a synchronized arena: `arena.head()`, `arena.tail()`. Cheap to copy. Must not outlive the arena.
template <class Owner, class E>
class SynchronizedEnd {
 public:
  /// The same end, for blocks of this kind, see `End::as`. Takes no lock, as it looks at nothing.
  template <class K>
  [[nodiscard]] SynchronizedEnd as(K kind) const noexcept {
    return SynchronizedEnd(*owner_, end_.as(kind));
  }

  /// See `End::allocate`. One lock, O(1).
  [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) const {
    const auto guard = owner_->hold();
    return end_.allocate(size, alignment);
  }

  /// See `End::create`. One lock for the block, O(1); the constructor runs behind it. If it throws, the block stays
  /// taken, as another may lie on top by then: where that matters, create in a `with`.
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  [[nodiscard]] T* create(Args&&... args) const {
    return detail::create<T, kDestructor>(*this, std::forward<Args>(args)...);
  }

  /// See `End::create_array`. One lock for the block, O(1); the constructors run behind it, as those of `create`.
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  [[nodiscard]] T* create_array(std::size_t count) const {
    return detail::create_array<T, kDestructor>(*this, count);
  }

  void mark() const = delete;  // and release: see above
  template <class M>
  void release(const M&) const = delete;

  // For the implementation.
  [[nodiscard]] void* take(std::size_t size, std::size_t alignment) const {
    const auto guard = owner_->hold();
    return end_.take(size, alignment);
  }

 private:
  template <class, class>
  friend class Synchronized;
  SynchronizedEnd(Owner& owner, E end) noexcept : owner_(&owner), end_(end) {}

  Owner* owner_;
  E end_;
};

namespace detail {

template <class Owner, class E>
inline constexpr bool rolls_back<SynchronizedEnd<Owner, E>> = false;

}  // namespace detail

/// The arena `A`, an `Arena<N>` or a handle as `ArenaRef`, whose calls are made under a lock. The calls are those of
/// the arena, with the same names and meaning; see there for when they fail. Neither copyable nor movable.
template <class A, class Lock>
class Synchronized : private detail::LockHolder<Lock> {
 public:
  static_assert(detail::is_arena<A>, "what is locked is an arena, or a handle to one");
  static_assert(detail::is_lock<Lock>, "a lock has lock() and unlock(), as std::mutex has");

  /// Of an arena of its own. Not synchronized, as no constructor and destructor is.
  Synchronized() = default;

  /// Of an arena made of these, an `ArenaRef`: from an arena, or from bookkeeping, memory and size. Not synchronized.
  template <class... Args, class = std::enable_if_t<sizeof...(Args) != 0 && std::is_constructible_v<A, Args&&...>>>
  explicit constexpr Synchronized(Args&&... args) : arena_(std::forward<Args>(args)...) {}

  Synchronized(const Synchronized&) = delete;
  Synchronized& operator=(const Synchronized&) = delete;

  // --- several calls as one ------------------------------------------------------------------------------------------

  /// Calls `use` with the arena itself, and answers what it does: whatever it calls there is done under this one lock.
  /// The lock is held as long as that runs, and given back if it throws.
  ///
  /// What is of use under the lock only is no answer, which the compiler sees to: an arena or a handle to one, an end,
  /// a temp scope and a marker, also by reference or pointer; and a reference or pointer to the arena's observer or a
  /// part of it, of which a copy may leave. Blocks may leave too, and views of an overlay.
  ///
  /// No more than the type of the answer is looked at. That none of these gets out inside of another object, by a
  /// variable from outside or by what an observer hands out, is for the program to see to.
  template <class Use>
  decltype(auto) with(Use&& use) {
    return locked(*this, std::forward<Use>(use));
  }
  template <class Use>
  decltype(auto) with(Use&& use) const {
    return locked(*this, std::forward<Use>(use));
  }

  /// Calls `use` with a temp scope, which closes behind it: all under one lock, which is held as long as that runs, and
  /// given back if it throws.
  template <class Use>
  void in_temp(Use&& use) {
    const auto guard = hold();
    arena_.in_temp([&use](auto& scope) { std::forward<Use>(use)(scope); });
  }

  /// The same, for blocks of this kind, see `End::as`.
  template <class K, class Use>
  void in_temp(K kind, Use&& use) {
    const auto guard = hold();
    arena_.in_temp(kind, [&use](auto& scope) { std::forward<Use>(use)(scope); });
  }

  // --- persistent objects --------------------------------------------------------------------------------------------

  /// The ends, by name. Take no lock; their calls do.
  [[nodiscard]] auto head() noexcept { return end(arena_.head()); }
  [[nodiscard]] auto tail() noexcept { return end(arena_.tail()); }

  /// The high end, for blocks of this kind, see `End::as`. Takes no lock.
  template <class K>
  [[nodiscard]] auto as(K kind) noexcept {
    return tail().as(kind);
  }

  /// A block on the tail. One lock, O(1).
  [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) {
    const auto guard = hold();
    return arena_.allocate(size, alignment);
  }

  /// An object on the tail, see `SynchronizedEnd::create`: its constructor does not run under the lock.
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  [[nodiscard]] T* create(Args&&... args) {
    return tail().template create<T, kDestructor>(std::forward<Args>(args)...);
  }

  /// An array on the tail, see `SynchronizedEnd::create_array`.
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  [[nodiscard]] T* create_array(std::size_t count) {
    return tail().template create_array<T, kDestructor>(count);
  }

  // --- overlay -------------------------------------------------------------------------------------------------------

  /// Room for a plan. One lock, O(1). The view is read without the lock: safe while nobody calls `release_overlay` or
  /// `reset`, which is for the program to know, as it is whose turn it is in the shared bytes.
  template <class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
  [[nodiscard]] Overlay<P> overlay(const P& plan) {
    const auto guard = hold();
    return arena_.overlay(plan);
  }
  template <class P, class = std::enable_if_t<std::is_base_of_v<PlanSummary, P>>>
  Overlay<P> overlay(const P&& plan) = delete;

  /// \copydoc overlay
  [[nodiscard]] Overlay<PlanRef> overlay(PlanRef plan) {
    const auto guard = hold();
    return arena_.overlay(plan);
  }

  /// Room for one block of `size` bytes. One lock, O(1).
  [[nodiscard]] void* overlay(std::size_t size, std::size_t alignment) {
    const auto guard = hold();
    return arena_.overlay(size, alignment);
  }

  /// Says that a step of a plan begins, see `ArenaApi::enter`. One lock, for as long as the observer takes.
  template <class P>
  Status enter(const Overlay<P>& overlay, const BufferList& buffers, Step step) {
    const auto guard = hold();
    return arena_.enter(overlay, buffers, step);
  }

  // --- giving back ---------------------------------------------------------------------------------------------------

  /// Gives back the overlay, whoever uses it: nobody may read a view while it runs. One lock, O(1).
  Status release_overlay() {
    const auto guard = hold();
    return arena_.release_overlay();
  }

  /// Gives back everything, whoever made it: nobody may read a view while it runs. One lock, O(1).
  Status reset() {
    const auto guard = hold();
    return arena_.reset();
  }

  void temp() = delete;  // and what follows: see above
  template <class K>
  void temp(K) = delete;
  void mark() = delete;
  template <class M>
  void release(const M&) = delete;
  void observer() const = delete;

  // --- numbers, in bytes ---------------------------------------------------------------------------------------------

  /// One lock each, O(1), but for `check()` where there are fences. What they tell may be old when it is read, and
  /// `last_failure()` may be another's: what must fit together is asked for in one `with`.
  [[nodiscard]] std::size_t used() const {
    return ask([](const A& arena) { return arena.used(); });
  }
  [[nodiscard]] std::size_t used(Region region) const {
    return ask([region](const A& arena) { return arena.used(region); });
  }
  [[nodiscard]] std::size_t peak() const {
    return ask([](const A& arena) { return arena.peak(); });
  }
  [[nodiscard]] std::size_t peak(Region region) const {
    return ask([region](const A& arena) { return arena.peak(region); });
  }
  [[nodiscard]] std::size_t required() const {
    return ask([](const A& arena) { return arena.required(); });
  }
  [[nodiscard]] std::size_t required(Region region) const {
    return ask([region](const A& arena) { return arena.required(region); });
  }
  [[nodiscard]] std::size_t available(std::size_t alignment) const {
    return ask([alignment](const A& arena) { return arena.available(alignment); });
  }
  [[nodiscard]] std::size_t available(Region region, std::size_t alignment) const {
    return ask([region, alignment](const A& arena) { return arena.available(region, alignment); });
  }
  [[nodiscard]] std::size_t open_temps() const {
    return ask([](const A& arena) { return arena.open_temps(); });
  }
  [[nodiscard]] std::size_t failures() const {
    return ask([](const A& arena) { return arena.failures(); });
  }
  [[nodiscard]] Failure last_failure() const {
    return ask([](const A& arena) { return arena.last_failure(); });
  }
  [[nodiscard]] Status require(std::size_t size) const {
    return ask([size](const A& arena) { return arena.require(size); });
  }
  [[nodiscard]] bool contains(const void* pointer) const {
    return ask([pointer](const A& arena) { return arena.contains(pointer); });
  }
  [[nodiscard]] bool is_in_the_middle(const void* pointer) const {
    return ask([pointer](const A& arena) { return arena.is_in_the_middle(pointer); });
  }
  [[nodiscard]] bool check() const {
    return ask([](const A& arena) { return arena.check(); });
  }
  [[nodiscard]] const std::byte* data() const {
    return ask([](const A& arena) { return arena.data(); });
  }

  /// Bytes of memory. Never changes, and takes no lock.
  [[nodiscard]] constexpr std::size_t capacity() const noexcept { return arena_.capacity(); }

 private:
  template <class, class>
  friend class SynchronizedEnd;

  [[nodiscard]] detail::LockGuard<Lock> hold() const { return detail::LockGuard<Lock>(this->lock()); }

  template <class E>
  [[nodiscard]] SynchronizedEnd<Synchronized, E> end(E of) noexcept {
    return SynchronizedEnd<Synchronized, E>(*this, of);
  }

  template <class Ask>
  [[nodiscard]] auto ask(Ask ask) const {
    const auto guard = hold();
    return ask(arena_);
  }

  template <class Self, class Use>
  static decltype(auto) locked(Self& self, Use&& use) {
    using Answer = decltype(std::forward<Use>(use)(self.arena_));
    using T = std::remove_cv_t<std::remove_pointer_t<std::remove_reference_t<Answer>>>;
    using Watcher = typename decltype(std::declval<A&>().tail())::Watcher;
    static_assert(!detail::is_arena<T>, "the arena stays in the function that gets it");
    static_assert(!detail::is_end<T>, "an end is used under the lock: that of the Synchronized takes it itself");
    static_assert(!detail::is_temp_scope<T>, "a temp scope closes under the lock: use it in here, or in_temp");
    static_assert(!detail::is_marker<T>, "a marker is released under the lock that it was made under");
    static_assert(std::is_class_v<Answer> || !std::is_base_of_v<T, Watcher>,
                  "the observer stays in the function that gets the arena: a copy may leave");
    const auto guard = self.hold();
    return std::forward<Use>(use)(self.arena_);
  }

  A arena_;
};

}  // namespace ARENITE_ABI
}  // namespace arenite
