// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// An arena without memory, which only counts: how large must the arena be?
///
/// Make on a `DryRun` the requests that the program will make, in their order; `required()` is then the least size of
/// an arena in which all of them succeed, to the byte, whatever the alignments: one byte more than enough is not
/// needed, one less fails. It can run in the compiler, so that the answer sizes the arena:
///
///     constexpr std::size_t need() {
///       arenite::DryRun arena;
///       arena.create<Filter>();
///       arena.overlay(kPlan);
///       return arena.required();
///     }
///     arenite::Arena<need()> arena;
///
/// `max_required(a, b)` is that for any one of several programs or plans, `joint_required(a, b)` for all of them in one
/// arena.
///
/// A header for the desk and the compiler; a DryRun takes about 1.1 KB on a 64-bit machine. One thread at a time.

#include <cstddef>
#include <limits>
#include <type_traits>

#include "align.hpp"
#include "arena.hpp"
#include "buffer.hpp"
#include "observer.hpp"
#include "observers/fences.hpp"
#include "plan.hpp"
#include "status.hpp"
#include "version.hpp"

#if __cplusplus >= 202002L  // allows constexpr destructors
#define ARENITE_CONSTEXPR_20 constexpr
#else
#define ARENITE_CONSTEXPR_20
#endif

namespace arenite {
inline namespace ARENITE_ABI {
namespace detail {

/// What the tail asks of the end of the arena.
///
/// A tail that grew by a block of s bytes at alignment a stays above L if and only if the end it grew from is at least
/// h(L) = up(L, a) + s; after several, at least h1(h2(...(L))). Where the outer alignment is at most the inner one, two
/// such steps are one: up(up(L, a2) + s2, a1) + s1 = up(L, a2) + up(s2, a1) + s1. So alignments fall from the outermost
/// step to the innermost, and there are never more steps than a size has bits.
class TailChain {
 public:
  constexpr void push(std::size_t size, std::size_t alignment) noexcept {
    while (count_ > 0 && layers_[count_ - 1].alignment <= alignment) {
      const Layer& outer = layers_[--count_];
      size = add_saturated(add_saturated(size, padding_up(size, outer.alignment)), outer.size);
    }
    layers_[count_].alignment = alignment;
    layers_[count_++].size = size;
  }

  /// The least end of the arena for a tail that stays above `low`; the largest `size_t` where there is none.
  [[nodiscard]] constexpr std::size_t least_end(std::size_t low) const noexcept {
    for (std::size_t i = count_; i > 0; --i) {
      low = add_saturated(add_saturated(low, padding_up(low, layers_[i - 1].alignment)), layers_[i - 1].size);
    }
    return low;
  }

 private:
  struct Layer {
    std::size_t alignment = 0;
    std::size_t size = 0;
  };
  Layer layers_[std::numeric_limits<std::size_t>::digits + 1] = {};
  std::size_t count_ = 0;
};

/// Objects, counted by what `allocate` counts.
template <class Self>
class CountsObjects {
 public:
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  constexpr bool create(const Args&...) const noexcept {
    return self().allocate(sizeof(T), alignof(T));
  }
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  constexpr bool create_array(std::size_t n) const noexcept {
    return self().allocate(multiply_saturated(n, sizeof(T)), alignof(T));
  }

 private:
  [[nodiscard]] constexpr const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

}  // namespace detail

/// Counts what the calls of the same names take in an arena.
class DryRun {
 public:
  template <Region kRegion>
  class End;
  class Temp;
  class TempScope;
  template <Region kRegion>
  struct Marker;

  /// `base` is the address, or what of it matters: its remainder by the largest alignment asked for. Zero is right for
  /// an `Arena` that is itself aligned to that.
  ///
  /// `fence` is the `kFence` of the arena's observer, zero or a power of two: by default of one that names none. With
  /// any other there is no arena, and `required()` says so.
  constexpr explicit DryRun(std::size_t base = 0, std::size_t fence = DefaultObserver::kFence) noexcept
      : base_(base), fence_(fence), required_(fence == 0 || is_power_of_two(fence) ? 0 : detail::kSizeMax) {}

  /// A copy goes on from the same requests. It is made by name only: a function that takes its arena by value would
  /// count in a copy, and nobody would hear of it.
  constexpr explicit DryRun(const DryRun&) noexcept = default;  // NOLINT(google-explicit-constructor): by name only
  constexpr DryRun(DryRun&&) noexcept = default;
  constexpr DryRun& operator=(const DryRun&) noexcept = default;
  constexpr DryRun& operator=(DryRun&&) noexcept = default;

  /// The two ends, by name. Each call counts what the call of that name takes in an arena.
  [[nodiscard]] constexpr End<Region::kHead> head() noexcept;
  [[nodiscard]] constexpr End<Region::kTail> tail() noexcept;

  /// The tail, for blocks of this kind, which comes to the same.
  template <class K>
  [[nodiscard]] constexpr End<Region::kTail> as(K kind) noexcept;

  constexpr bool allocate(std::size_t size, std::size_t alignment) noexcept;
  template <class T, Destructor kDestructor = Destructor::kTrivial, class... Args>
  constexpr bool create(const Args&... args) noexcept;
  template <class T, Destructor kDestructor = Destructor::kTrivial>
  constexpr bool create_array(std::size_t n) noexcept;
  [[nodiscard]] constexpr Marker<Region::kTail> mark() noexcept;
  constexpr bool release(const Marker<Region::kTail>& marker) noexcept;

  constexpr bool overlay(const PlanSummary& plan) noexcept {
    return plan.status() == Status::kOk ? overlay(plan.size(), plan.alignment()) : refuse();
  }
  constexpr bool overlay(std::size_t size, std::size_t alignment) noexcept {
    if (open_temps_ != 0 || !is_power_of_two(alignment)) return refuse();
    const std::size_t end = size == 0 ? head_ : above(head_, size, alignment);
    if (end > overlay_) overlay_ = end;
    temp_ = overlay_;
    return count();
  }
  constexpr bool release_overlay() noexcept {
    if (open_temps_ != 0) return refuse();
    overlay_ = temp_ = head_;
    ++releases_;
    return true;
  }

  /// What an arena's `enter` does once the overlay was granted: nothing that counts.
  constexpr bool enter(bool overlay, const BufferList&, Step) const noexcept { return overlay; }

  /// Opens a temp scope. In a constant expression only from C++20 on.
  ARENITE_CONSTEXPR_20 TempScope temp() noexcept;
  template <class K>
  ARENITE_CONSTEXPR_20 TempScope temp(K kind) noexcept;

  /// The same for a constant expression in C++17: calls `use` with a `DryRun::Temp&`, which closes behind it.
  template <class Use>
  constexpr void in_temp(Use use);
  template <class K, class Use>
  constexpr void in_temp(K kind, Use use) {
    (void)detail::kind_index(kind);
    in_temp(use);
  }

  constexpr bool reset() noexcept {
    if (open_temps_ != 0) return refuse();
    head_ = overlay_ = temp_ = 0;
    tail_ = {};
    ++releases_;
    return true;
  }

  /// Takes it that no arena would do: for whoever counts for one, and finds a mistake. Always false.
  constexpr bool refuse() noexcept {
    required_ = detail::kSizeMax;
    return false;
  }

  /// How often the overlay was released, by a reset, too.
  [[nodiscard]] constexpr std::size_t releases() const noexcept { return releases_; }

  /// What an observer of the arena keeps free around blocks, see `Observer::kFence`.
  [[nodiscard]] constexpr std::size_t fence() const noexcept { return fence_; }

  /// The least size, in bytes, of an arena at this base in which every request so far succeeds. The largest `size_t` if
  /// there is none: the requests need more than can be, or an arena refuses one of them whatever its size, for its
  /// alignment or for the order of calls. The call that was it answered false. Requests for zero bytes don't count.
  [[nodiscard]] constexpr std::size_t required() const noexcept {
    return required_ <= kMaxSize ? required_ : detail::kSizeMax;
  }

 private:
  /// The offset from the base at which a block above `low` ends.
  [[nodiscard]] constexpr std::size_t above(std::size_t low, std::size_t size, std::size_t alignment) const noexcept {
    return add_saturated(add_saturated(low, padding_up(base_ + low, alignment)), size);
  }

  /// The bytes of a block with a fence on either side, as an arena adds them. Nothing has none.
  [[nodiscard]] constexpr std::size_t fenced(std::size_t size, std::size_t alignment) const noexcept {
    if (fence_ == 0) return size;
    return detail::fenced_size(size, alignment, fence_);
  }

  constexpr bool count() noexcept {
    const std::size_t end = tail_.least_end(add_saturated(base_, temp_));
    const std::size_t size = end == detail::kSizeMax ? end : end - base_;
    if (size > required_) required_ = size;
    return true;
  }

  std::size_t base_;
  std::size_t fence_;
  std::size_t releases_ = 0;
  std::size_t required_;
  std::size_t head_ = 0;  // ends of the regions, from the base
  std::size_t overlay_ = 0;
  std::size_t temp_ = 0;
  std::size_t open_temps_ = 0;
  detail::TailChain tail_;
};

/// A position in the head or the tail of a dry run.
template <Region kRegion>
struct DryRun::Marker {
  detail::TailChain tail;
  std::size_t head = 0;
};

/// One of the two ends of a dry run.
template <Region kRegion>
class DryRun::End : public detail::CountsObjects<DryRun::End<kRegion>> {
 public:
  static_assert(kRegion == Region::kHead || kRegion == Region::kTail);
  constexpr explicit End(DryRun& run) noexcept : run_(&run) {}

  template <class K>
  [[nodiscard]] constexpr End as(K kind) const noexcept {
    (void)detail::kind_index(kind);
    return *this;
  }

  constexpr bool allocate(std::size_t size, std::size_t alignment) const noexcept {
    if (!is_power_of_two(alignment) || !may_change()) return run_->refuse();
    if (size == 0) return true;
    size = run_->fenced(size, alignment);
    if constexpr (kRegion == Region::kTail) {
      run_->tail_.push(size, alignment);
    } else {
      run_->head_ = run_->overlay_ = run_->temp_ = run_->above(run_->head_, size, alignment);
    }
    return run_->count();
  }
  [[nodiscard]] constexpr Marker<kRegion> mark() const noexcept { return {run_->tail_, run_->head_}; }
  constexpr bool release(const Marker<kRegion>& marker) const noexcept {
    if (!may_change()) return run_->refuse();
    if constexpr (kRegion == Region::kTail) {
      run_->tail_ = marker.tail;
    } else {
      run_->head_ = run_->overlay_ = run_->temp_ = marker.head;
    }
    return true;
  }

 private:
  [[nodiscard]] constexpr bool may_change() const noexcept {
    return kRegion == Region::kTail || (run_->open_temps_ == 0 && run_->temp_ == run_->head_);
  }

  DryRun* run_;
};

/// What a temp scope of a dry run can do, without being one: see `DryRun::in_temp`.
class DryRun::Temp : public detail::CountsObjects<DryRun::Temp> {
 public:
  constexpr explicit Temp(DryRun& run) noexcept : run_(&run), begin_(run.temp_), depth_(++run.open_temps_) {}
  Temp(const Temp&) = delete;
  Temp& operator=(const Temp&) = delete;

  constexpr bool allocate(std::size_t size, std::size_t alignment) const noexcept {
    if (!is_power_of_two(alignment) || depth_ != run_->open_temps_) return run_->refuse();
    if (size == 0) return true;
    run_->temp_ = run_->above(run_->temp_, run_->fenced(size, alignment), alignment);
    return run_->count();
  }
  ARENITE_CONSTEXPR_20 TempScope temp() noexcept;
  template <class K>
  ARENITE_CONSTEXPR_20 TempScope temp(K kind) noexcept;

 private:
  friend class DryRun;
  constexpr void close() noexcept {
    run_->temp_ = begin_;
    --run_->open_temps_;
  }

  DryRun* run_;
  std::size_t begin_;
  std::size_t depth_;
};

/// A temp scope of a dry run.
class [[nodiscard]] DryRun::TempScope : public DryRun::Temp {
 public:
  using Temp::Temp;
  ARENITE_CONSTEXPR_20 ~TempScope() { close(); }
};

/// The least size, in bytes, of an arena that can hold any one of several programs, each of which finds it empty:
///
///     constexpr auto kListen = [](auto& arena) { ... };  // makes its requests, of a `DryRun` here, later of the arena
///     arenite::Arena<arenite::max_required(kListen, kSpeakPlan)> arena;
///
/// A set-up is whatever can be called with a `DryRun&`, or a plan, which stands for its overlay. Each is called once.
/// The largest `size_t` where one of them cannot be granted, see `DryRun::required`, or answers false or a `Status`
/// that is not `kOk`: then it fails in every arena. Other answers are not looked at. Zero for no set-up.
template <class... SetUps>
[[nodiscard]] constexpr std::size_t max_required(const SetUps&... set_ups);

/// The same where each finds the arena as it is after the requests of `start`: what is there whichever of them runs, at
/// the base and with the fence of `start`.
template <class... SetUps>
[[nodiscard]] constexpr std::size_t max_required(const DryRun& start, const SetUps&... set_ups);

/// The least size, in bytes, of an arena that can hold all of several programs, set up one after the other in this
/// order: what they keep on head and tail adds up, and the overlay is as large as the largest. A temp scope is counted
/// with what is there when it is open: one that a program will open later, when the next ones have made their requests,
/// is to be a part of the last set-up. Set-ups and answers as for `max_required`.
template <class... SetUps>
[[nodiscard]] constexpr std::size_t joint_required(const SetUps&... set_ups);
template <class... SetUps>
[[nodiscard]] constexpr std::size_t joint_required(const DryRun& start, const SetUps&... set_ups);

namespace detail {

/// Makes the requests of a set-up. False if it says that it failed.
template <class SetUp>
constexpr bool set_up_in(DryRun& run, const SetUp& set_up) {
  if constexpr (std::is_base_of_v<PlanSummary, SetUp>) {
    return run.overlay(set_up);
  } else {
    static_assert(std::is_invocable_v<const SetUp&, DryRun&>,
                  "a set-up is a plan, or can be called with an arena by reference: a DryRun& or an auto&");
    using Answer = decltype(set_up(run));
    if constexpr (std::is_same_v<Answer, bool>) {
      return set_up(run);
    } else if constexpr (std::is_same_v<Answer, Status>) {
      return set_up(run) == Status::kOk;
    } else {
      (void)set_up(run);
      return true;
    }
  }
}

}  // namespace detail

template <class... SetUps>
constexpr std::size_t joint_required(const DryRun& start, const SetUps&... set_ups) {
  DryRun run(start);
  return (... && detail::set_up_in(run, set_ups)) ? run.required() : detail::kSizeMax;
}
template <class... SetUps>
constexpr std::size_t joint_required(const SetUps&... set_ups) {
  return joint_required(DryRun(), set_ups...);
}
template <class... SetUps>
constexpr std::size_t max_required(const DryRun& start, const SetUps&... set_ups) {
  std::size_t most = start.required();
  const std::size_t each[] = {most, joint_required(start, set_ups)...};
  for (const std::size_t one : each) {
    if (one > most) most = one;
  }
  return most;
}
template <class... SetUps>
constexpr std::size_t max_required(const SetUps&... set_ups) {
  return max_required(DryRun(), set_ups...);
}

constexpr DryRun::End<Region::kHead> DryRun::head() noexcept { return End<Region::kHead>(*this); }
constexpr DryRun::End<Region::kTail> DryRun::tail() noexcept { return End<Region::kTail>(*this); }
template <class K>
constexpr DryRun::End<Region::kTail> DryRun::as(K kind) noexcept {
  return tail().as(kind);
}
constexpr bool DryRun::allocate(std::size_t size, std::size_t alignment) noexcept {
  return tail().allocate(size, alignment);
}
template <class T, Destructor kDestructor, class... Args>
constexpr bool DryRun::create(const Args&... args) noexcept {
  return tail().create<T, kDestructor>(args...);
}
template <class T, Destructor kDestructor>
constexpr bool DryRun::create_array(std::size_t n) noexcept {
  return tail().create_array<T, kDestructor>(n);
}
constexpr DryRun::Marker<Region::kTail> DryRun::mark() noexcept { return tail().mark(); }
constexpr bool DryRun::release(const Marker<Region::kTail>& marker) noexcept { return tail().release(marker); }
ARENITE_CONSTEXPR_20 inline DryRun::TempScope DryRun::temp() noexcept { return TempScope(*this); }
ARENITE_CONSTEXPR_20 inline DryRun::TempScope DryRun::Temp::temp() noexcept { return TempScope(*run_); }
template <class K>
ARENITE_CONSTEXPR_20 inline DryRun::TempScope DryRun::temp(K kind) noexcept {
  (void)detail::kind_index(kind);
  return TempScope(*this);
}
template <class K>
ARENITE_CONSTEXPR_20 inline DryRun::TempScope DryRun::Temp::temp(K kind) noexcept {
  return run_->temp(kind);
}
template <class Use>
constexpr void DryRun::in_temp(Use use) {
  Temp temp(*this);
  use(temp);
  temp.close();
}

}  // namespace ARENITE_ABI
}  // namespace arenite

#undef ARENITE_CONSTEXPR_20
