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
/// A header for the desk and the compiler; a DryRun takes about 1.3 KB on a 64-bit machine. One thread at a time.

#include <cstddef>
#include <limits>

#include "align.hpp"
#include "arena.hpp"
#include "plan.hpp"
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
  constexpr explicit DryRun(std::size_t base = 0) noexcept : base_(base) {}

  /// The two ends, by name. Each call counts what the call of that name takes in an arena.
  [[nodiscard]] constexpr End<Region::kHead> head() noexcept;
  [[nodiscard]] constexpr End<Region::kTail> tail() noexcept;

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
    return true;
  }

  /// Opens a temp scope. In a constant expression only from C++20 on.
  ARENITE_CONSTEXPR_20 TempScope temp() noexcept;

  /// The same for a constant expression in C++17: calls `use` with a `DryRun::Temp&`, which closes behind it.
  template <class Use>
  constexpr void in_temp(Use use);

  constexpr bool reset() noexcept {
    if (open_temps_ != 0) return refuse();
    head_ = overlay_ = temp_ = 0;
    tail_ = {};
    return true;
  }

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

  constexpr bool count() noexcept {
    const std::size_t end = tail_.least_end(add_saturated(base_, temp_));
    const std::size_t size = end == detail::kSizeMax ? end : end - base_;
    if (size > required_) required_ = size;
    return true;
  }

  constexpr bool refuse() noexcept {
    required_ = detail::kSizeMax;
    return false;
  }

  std::size_t base_;
  std::size_t required_ = 0;
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
  std::size_t head;
};

/// One of the two ends of a dry run.
template <Region kRegion>
class DryRun::End : public detail::CountsObjects<DryRun::End<kRegion>> {
 public:
  static_assert(kRegion == Region::kHead || kRegion == Region::kTail);
  constexpr explicit End(DryRun& run) noexcept : run_(&run) {}

  constexpr bool allocate(std::size_t size, std::size_t alignment) const noexcept {
    if (!is_power_of_two(alignment) || !may_change()) return run_->refuse();
    if (size == 0) return true;
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
    run_->temp_ = run_->above(run_->temp_, size, alignment);
    return run_->count();
  }
  ARENITE_CONSTEXPR_20 TempScope temp() noexcept;

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

constexpr DryRun::End<Region::kHead> DryRun::head() noexcept { return End<Region::kHead>(*this); }
constexpr DryRun::End<Region::kTail> DryRun::tail() noexcept { return End<Region::kTail>(*this); }
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
template <class Use>
constexpr void DryRun::in_temp(Use use) {
  Temp temp(*this);
  use(temp);
  temp.close();
}

}  // namespace ARENITE_ABI
}  // namespace arenite

#undef ARENITE_CONSTEXPR_20
