// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What sessions have in common: what they hold on the tail of an arena, how they find it again, and who may use it.
/// `session.hpp` puts on it the two ways in which a session gets its plan, and has the rule for threads and interrupts.

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "align.hpp"
#include "arena.hpp"
#include "arena_core.hpp"
#include "buffer.hpp"
#include "observer.hpp"
#include "plan.hpp"
#include "status.hpp"
#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// Scratch that a session was asked for. Plain data of three words; the session tells whether it is still valid.
class [[nodiscard]] Scratch {
 public:
  /// An empty handle.
  constexpr Scratch() noexcept = default;

  /// Whether it is not empty: the request was granted.
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return arena_ != nullptr; }

 private:
  template <class>
  friend class SessionApi;
  constexpr Scratch(const ArenaState* arena, std::size_t plan, std::size_t index) noexcept
      : arena_(arena), plan_(plan), index_(index) {}

  const ArenaState* arena_ = nullptr;
  std::size_t plan_ = 0;   // serial number, in that arena, of the plan for which it was asked
  std::size_t index_ = 0;  // in that plan
};

namespace detail {

/// Bytes on the tail that are to be found again: they lie in front of this.
struct Kept {
  Kept* next;
  std::byte* data;
  std::size_t size;
  const std::byte* image;  // what a variable is set to; null: `value`
  Index tensor;            // that it is, or `kNoIndex`
  unsigned char value;
  bool is_variable;
};

inline void reset(const Kept& variable) noexcept {
  for (std::size_t i = 0; i < variable.size; ++i) {
    variable.data[i] = variable.image != nullptr ? variable.image[i] : std::byte{variable.value};
  }
}

/// Where in its block the record of so many bytes lies; the end of the block is behind it.
[[nodiscard]] constexpr std::size_t record_of(std::size_t size) noexcept {
  return add_saturated(size, padding_up(size, alignof(Kept)));
}
/// The alignment of that block, whose record is aligned as well.
[[nodiscard]] constexpr std::size_t with_record(std::size_t alignment) noexcept {
  return is_power_of_two(alignment) && alignment < alignof(Kept) ? alignof(Kept) : alignment;
}

/// A plan, wherever it is kept.
struct PlanView {
  const std::size_t* offsets = nullptr;  // modulo the address space: what is persistent lies outside of the block
  const std::size_t* sizes = nullptr;    // null: those of the buffers
  const Buffer* buffers = nullptr;
  std::size_t count = 0;      // tensors and scratch
  std::size_t tensors = 0;    // the first of them
  std::size_t size = 0;       // of the block, in bytes
  std::size_t alignment = 0;  // likewise

  [[nodiscard]] constexpr std::size_t size_of(std::size_t index) const noexcept {
    return sizes != nullptr ? sizes[index] : buffers[index].size;
  }
};

/// Whether a buffer of a plan is as large and as aligned as it is to be.
[[nodiscard]] constexpr bool fits(const PlanView& view, std::size_t index, const Buffer& wanted) noexcept {
  if (!wanted.alignment.valid() || wanted.size > view.size_of(index)) return false;
  return wanted.size == 0 ||
         ((view.offsets[index] & wanted.alignment.mask()) == 0 && wanted.alignment.mask() < view.alignment);
}

}  // namespace detail

/// The calls of a session, whatever its plan comes from. `O` is the observer of its arenas.
template <class O>
class SessionApi {
  static_assert(std::is_base_of_v<Observer, O>, "an observer derives from Observer: it is that of the session's arena");

 public:
  SessionApi(const SessionApi&) = delete;
  SessionApi& operator=(const SessionApi&) = delete;

  // --- use -----------------------------------------------------------------------------------------------------------

  /// True if and only if a plan is committed, and neither its overlay was released since nor an arena of the session
  /// reset.
  [[nodiscard]] explicit operator bool() const noexcept {
    return serial_ != 0 && epoch_ == detail::ArenaCore::epoch(*planned_.state) && is_there();
  }

  /// Tensor `index`, or scratch, as an array of `count` objects of type T, uninitialised. Null if and only if there is
  /// no valid plan, no such tensor in it, it has fewer bytes, it lies at no multiple of `alignof(T)`, or the scratch
  /// was asked for another plan; at level off a precondition. O(1).
  template <class T, class I>
  [[nodiscard]] T* data(const I& index, std::size_t count = 1) const noexcept {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "planned buffers hold plain data: nothing constructs or destroys what lies there");
    return static_cast<T*>(at(name_of(index), multiply_saturated(count, sizeof(T)), alignof(T)));
  }

  /// Bytes of a tensor or scratch, as asked for; zero if there is none, or no valid plan. O(1).
  template <class I>
  [[nodiscard]] std::size_t size(const I& index) const noexcept {
    const std::size_t i = index_of(name_of(index));
    return *this && i < view_->count ? view_->size_of(i) : 0;
  }

  // --- variables and tables ------------------------------------------------------------------------------------------

  /// `count` objects of type T that keep their value from run to run, each byte set to `value` at first and by a reset.
  /// Null if and only if there is no room on the tail, or this is not the latest session. O(bytes).
  template <class T>
  [[nodiscard]] T* variable(std::size_t count = 1, unsigned char value = 0) noexcept {
    return variable_of<T>(count, nullptr, value);
  }

  /// The same with a value for each, read at first and by each reset: `image` must stay, in flash for one.
  template <class T>
  [[nodiscard]] T* variable(const T* image, std::size_t count) noexcept {
    return variable_of<T>(count, image, 0);
  }

  /// Sets all variables of this session to what they were at first. O(bytes).
  void reset_variables() noexcept {
    for (const detail::Kept* kept = all_kept(); kept != nullptr; kept = kept->next) {
      if (kept->is_variable) detail::reset(*kept);
    }
  }

  /// Sets one, by its pointer. `kOutOfBounds` if and only if it is no variable of this session.
  Status reset_variable(const void* variable) noexcept {
    for (const detail::Kept* kept = all_kept(); kept != nullptr; kept = kept->next) {
      if (!kept->is_variable || kept->data != variable) continue;
      detail::reset(*kept);
      return Status::kOk;
    }
    return Status::kOutOfBounds;
  }

  /// A copy of a constant table, at a multiple of `alignment`; if this session has one of the same bytes that is
  /// aligned so, then that one. Nobody may write to it. Null if and only if it takes a new one, and that is refused, as
  /// `End::allocate`, or this is not the latest session. O(tables * size).
  [[nodiscard]] const void* share(const void* bytes, std::size_t size, std::size_t alignment) noexcept {
    const auto* const table = static_cast<const std::byte*>(bytes);
    for (const detail::Kept* kept = all_kept(); kept != nullptr; kept = kept->next) {
      if (kept->is_variable || kept->tensor != kNoIndex || kept->size != size) continue;
      if (is_aligned(kept->data, alignment) && equal(kept->data, table, size)) return kept->data;
    }
    detail::Kept* const kept = keep(size, alignment, Kind::kOperatorData);
    if (kept == nullptr) return nullptr;
    for (std::size_t i = 0; i < size; ++i) kept->data[i] = table[i];
    return kept->data;
  }

  // --- end -----------------------------------------------------------------------------------------------------------

  /// Gives back what was put on the tail since `begin`; and the overlay, if this is the first session: if nothing was
  /// marked on the tail before. Views of whatever lies in the overlay then turn stale, and so do the handles and
  /// pointers of this session. Nothing to do if it is not begun. O(1).
  ///
  /// Refused, and nothing changed, if and only if something was marked on the tail since `begin` and not released, a
  /// later session for one (`kMarkerOrder`), or the overlay is to be given back and a temp scope is open (`kTempOpen`).
  /// `kStale` if the arena was reset meanwhile: there is nothing to give back on the tail, and the session can begin
  /// again. An overlay in another memory than the tail then stays as it is.
  Status unload() noexcept {
    if (!is_begun()) return Status::kOk;
    Status status = Status::kOk;
    if (is_latest()) {
      leave();
      if (marker_.previous() == 0) status = BasicArenaRef<O>(planned_).release_overlay();
      if (status == Status::kOk) status = BasicArenaRef<O>(persistent_).release(marker_);
    } else {
      status = why_not();
    }
    if (status == Status::kOk || status == Status::kStale) {
      marker_.clear();
      kept_ = nullptr;
      serial_ = 0;
    }
    return status;
  }

 protected:
  constexpr SessionApi() noexcept = default;
  ~SessionApi() = default;

  /// Begins: refused if it has begun.
  [[nodiscard]] Status start(const BasicArenaRef<O>& persistent, const BasicArenaRef<O>& planned) noexcept {
    if (is_begun()) return Status::kLoaded;
    persistent_ = persistent.words();
    planned_ = planned.words();
    marker_ = End<Region::kTail, O>(persistent_).mark();
    return Status::kOk;
  }

  /// As if it had not begun.
  void forget() noexcept {
    detail::ArenaCore::unmark(*persistent_.state, detail::kTail, marker_.previous());
    marker_.clear();
  }

  [[nodiscard]] bool is_begun() const noexcept { return marker_.serial() != 0; }
  [[nodiscard]] bool is_latest() const noexcept {
    return is_begun() && detail::ArenaCore::latest_marker(*persistent_.state, detail::kTail) == marker_.serial();
  }

  /// Whether what it put on the tail is still there: the arena was not reset.
  [[nodiscard]] bool is_there() const noexcept {
    return !detail::ArenaCore::is_gone(*persistent_.state, marker_.serial());
  }
  /// What is to be found again, the latest first.
  [[nodiscard]] const detail::Kept* all_kept() const noexcept { return is_begun() && is_there() ? kept_ : nullptr; }

  /// Begins the preparation of a plan.
  void prepare() noexcept {
    pending_ = detail::ArenaCore::next_serial(*persistent_.state);
    scratches_ = 0;
    refused_ = Status::kOk;
  }

  /// The handle of the next scratch: at `index` of the plan.
  [[nodiscard]] Scratch next_scratch(std::size_t index) noexcept {
    ++scratches_;
    return {persistent_.state, pending_, index};
  }
  [[nodiscard]] Scratch refuse_scratch(Status status) noexcept {
    refused_ = status;
    return {};
  }

  /// Whether what was prepared may be committed.
  [[nodiscard]] Status ready() const noexcept { return is_latest() ? refused_ : why_not(); }

  [[nodiscard, gnu::noinline]] Status why_not() const noexcept {
    return is_begun() && is_there() ? Status::kMarkerOrder : Status::kStale;
  }

  /// Reserves the overlay for a plan, which then is the one in use. Its alignment is a power of two, its size sound.
  [[nodiscard]] Status place(const detail::PlanView& view) noexcept {
    void* const base = request(planned_, Region::kOverlay, view.size, view.alignment);
    if (base == nullptr) return why(planned_);
    base_ = base;
    view_ = &view;
    epoch_ = detail::ArenaCore::epoch(*planned_.state);
    serial_ = pending_;
    return Status::kOk;
  }

  /// Why an arena refused its last request.
  [[nodiscard]] static Status why(const detail::Memory<O>& memory) noexcept {
    return detail::ArenaCore::why(*memory.state, memory.capacity);
  }

  /// What a session needs for itself: not more bytes than there can be, at a multiple of a power of two. Temp is that
  /// of no scope, see `WorkingMemory`. Null if it is refused.
  [[nodiscard]] static void* request(const detail::Memory<O>& memory, Region region, std::size_t size,
                                     std::size_t alignment) noexcept {
    const detail::KindOf<O> kind(region == Region::kOverlay ? Kind::kOther : Kind::kMetadata);
    return detail::watch<O>(memory, region, kind, size, alignment,
                            [&](std::size_t bytes, std::size_t aligned) -> void* {
                              if (bytes == 0) return const_cast<std::byte*>(detail::ArenaCore::base(*memory.state));
                              return detail::ArenaCore::allocate_sound(
                                  *memory.state, memory.capacity, static_cast<std::size_t>(region), bytes, aligned);
                            });
  }

  /// A table on the tail: more than no bytes, and not more than there can be. Null if it is refused.
  [[nodiscard]] void* take(std::size_t size) noexcept {
    return request(persistent_, Region::kTail, size, alignof(std::size_t));
  }

  /// Temp for the planner, until it dies: a scope into which nobody else can get.
  class WorkingMemory : private O::Snapshot {
   public:
    explicit WorkingMemory(const detail::Memory<O>& memory) noexcept
        : O::Snapshot(memory.observer().snapshot(Region::kTemp)), memory_(memory) {
      detail::tell(memory_, EventKind::kOpenTemp, Region::kTemp, nullptr, 0);
    }
    WorkingMemory(const WorkingMemory&) = delete;
    WorkingMemory& operator=(const WorkingMemory&) = delete;
    ~WorkingMemory() {
      const detail::Release<O, Region::kTemp> release(memory_);
      detail::ArenaCore::clear_temp(*memory_.state);
      release.done(EventKind::kCloseTemp, *this);
    }
    [[nodiscard]] void* take(std::size_t size) noexcept {
      return request(memory_, Region::kTemp, size, alignof(std::size_t));
    }

   private:
    const detail::Memory<O>& memory_;
  };

  /// Tells the observer that no step of the plan is under way any more: what it looks at may go.
  void leave() const noexcept { planned_.observer().on_step(StepEvent{}); }
  void tell_step(const Buffer* buffers, const std::size_t* offsets, Step step) const noexcept {
    planned_.observer().on_step(
        StepEvent{static_cast<std::byte*>(base_), view_->size, buffers, offsets, view_->count, step});
  }

  /// Bytes that are to be found again, and their record behind them; null if they are refused.
  [[nodiscard]] detail::Kept* keep(std::size_t size, std::size_t alignment, Kind kind) noexcept {
    if (!is_latest()) return nullptr;
    const std::size_t record = detail::record_of(size);
    const End<Region::kTail, O> tail(persistent_, detail::KindOf<O>(kind));
    auto* const block =
        static_cast<std::byte*>(tail.take(add_saturated(record, sizeof(detail::Kept)), detail::with_record(alignment)));
    if (block == nullptr) return nullptr;
    kept_ = ::new (static_cast<void*>(block + record)) detail::Kept{kept_, block, size, nullptr, kNoIndex, 0, false};
    return kept_;
  }

  [[nodiscard]] static bool is_aligned(const void* pointer, std::size_t alignment) noexcept {
    return is_power_of_two(alignment) && padding_up(reinterpret_cast<std::uintptr_t>(pointer), alignment) == 0;
  }

  detail::Memory<O> persistent_{};
  detail::Memory<O> planned_{};
  Status refused_ = Status::kOk;            // why scratch was
  std::size_t pending_ = 0;                 // serial number of the plan that is prepared
  std::size_t scratches_ = 0;               // asked for, for that
  std::size_t serial_ = 0;                  // of the plan in use; zero: none
  void* base_ = nullptr;                    // of its block
  const detail::PlanView* view_ = nullptr;  // itself
  detail::Kept* kept_ = nullptr;            // the latest

 private:
  template <class T>
  [[nodiscard]] T* variable_of(std::size_t count, const void* image, unsigned char value) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "a variable is plain data: it is set byte by byte");
    detail::Kept* const kept = keep(multiply_saturated(count, sizeof(T)), alignof(T), Kind::kVariable);
    if (kept == nullptr) return nullptr;
    kept->image = static_cast<const std::byte*>(image);
    kept->value = value;
    kept->is_variable = true;
    detail::reset(*kept);
    return static_cast<T*>(static_cast<void*>(kept->data));
  }

  [[nodiscard]] static bool equal(const std::byte* a, const std::byte* b, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  // What is named: a tensor by its index, or scratch.
  template <class I>
  [[nodiscard]] static std::size_t name_of(I index) noexcept {
    return detail::to_index(index);
  }
  [[nodiscard]] static const Scratch& name_of(const Scratch& scratch) noexcept { return scratch; }

  [[nodiscard]] std::size_t index_of(std::size_t tensor) const noexcept {
    return serial_ != 0 && tensor < view_->tensors ? tensor : detail::kSizeMax;
  }
  [[nodiscard]] std::size_t index_of(const Scratch& scratch) const noexcept {
    return scratch.arena_ == persistent_.state && scratch.plan_ == serial_ ? scratch.index_ : detail::kSizeMax;
  }

  // The conditions of `index_of` once more: by way of it, a program with both takes 96 bytes more on a Cortex-M4.
  [[nodiscard, gnu::noinline]] void* at(std::size_t tensor, std::size_t bytes, std::size_t alignment) const noexcept {
    if (kHardening != Hardening::kOff && (serial_ == 0 || tensor >= view_->tensors)) return nullptr;
    return locate(tensor, bytes, alignment);
  }
  [[nodiscard, gnu::noinline]] void* at(const Scratch& scratch, std::size_t bytes,
                                        std::size_t alignment) const noexcept {
    if (kHardening != Hardening::kOff && (scratch.arena_ != persistent_.state || scratch.plan_ != serial_)) {
      return nullptr;
    }
    return locate(scratch.index_, bytes, alignment);
  }

  [[nodiscard]] void* locate(std::size_t index, std::size_t bytes, std::size_t alignment) const noexcept {
    if (kHardening == Hardening::kOff ? base_ == nullptr : !*this || bytes > view_->size_of(index)) return nullptr;
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(base_) + view_->offsets[index];
    if (kHardening != Hardening::kOff && padding_up(address, alignment) != 0) return nullptr;
    return reinterpret_cast<void*>(address);
  }

  Marker<Region::kTail, O> marker_;  // made by `begin`
  std::size_t epoch_ = 0;            // of the planned arena, when the plan in use was put in its place
};

}  // namespace ARENITE_ABI
}  // namespace arenite
