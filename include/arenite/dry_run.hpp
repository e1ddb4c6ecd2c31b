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
#include "arena_core.hpp"
#include "plan.hpp"
#include "version.hpp"

#if __cplusplus >= 202002L
/// `constexpr` from C++20 on, which allows it on destructors.
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

}  // namespace detail

class DryRun {
 public:
  class Head;
  class Temp;
  class TempScope;
  struct Marker;

  /// `base` is the address, or what of it matters: its remainder by the largest alignment asked for. Zero is right for
  /// an `Arena` that is itself aligned to that.
  constexpr explicit DryRun(std::size_t base = 0) noexcept : base_(base), required_(0) {}

  /// Counts a block on the tail. False, and nothing is counted, if and only if the alignment is not a power of two.
  constexpr bool allocate(std::size_t size, std::size_t alignment) noexcept {
    if (!is_power_of_two(alignment)) return false;
    if (size == 0) return true;
    tail_.push(size, alignment);
    count();
    return true;
  }
  template <class T, class... Args>
  constexpr bool create(const Args&...) noexcept {
    return allocate(sizeof(T), alignof(T));
  }
  template <class T>
  constexpr bool create_array(std::size_t n) noexcept {
    return allocate(multiply_saturated(n, sizeof(T)), alignof(T));
  }

  /// The low end, by name.
  [[nodiscard]] constexpr Head head() noexcept;

  /// Counts a plan, as the arena places it. False if and only if the plan was refused, or a temp scope is open.
  constexpr bool overlay(const PlanSummary& plan) noexcept {
    return plan.status() == Status::kOk && overlay(plan.size(), plan.alignment());
  }
  constexpr bool overlay(std::size_t size, std::size_t alignment) noexcept {
    if (open_temps_ != 0 || !is_power_of_two(alignment)) return false;
    const std::size_t end = size == 0 ? head_ : above(head_, size, alignment);
    if (end > overlay_) overlay_ = end;
    temp_ = overlay_;
    count();
    return true;
  }
  constexpr void release_overlay() noexcept { overlay_ = temp_ = head_; }

  /// Opens a temp scope. In a constant expression only from C++20 on.
  ARENITE_CONSTEXPR_20 TempScope temp() noexcept;

  /// The same for a constant expression in C++17: calls `use` with a `DryRun::Temp&`, which closes behind it.
  template <class Use>
  constexpr void in_temp(Use use);

  [[nodiscard]] constexpr Marker mark() const noexcept;
  constexpr void release(const Marker& marker) noexcept;
  constexpr void reset() noexcept {
    head_ = overlay_ = temp_ = 0;
    tail_ = {};
  }

  /// The least size, in bytes, of an arena at this base in which every request so far succeeds; the largest `size_t`
  /// where there is none. Requests for zero bytes don't count.
  [[nodiscard]] constexpr std::size_t required() const noexcept {
    return required_ <= kMaxSize ? required_ : std::numeric_limits<std::size_t>::max();
  }

 private:
  /// The offset from the base at which a block above `low` ends.
  [[nodiscard]] constexpr std::size_t above(std::size_t low, std::size_t size, std::size_t alignment) const noexcept {
    return add_saturated(add_saturated(low, padding_up(base_ + low, alignment)), size);
  }

  constexpr void count() noexcept {
    const std::size_t end = tail_.least_end(add_saturated(base_, temp_));
    const std::size_t size = end == std::numeric_limits<std::size_t>::max() ? end : end - base_;
    if (size > required_) required_ = size;
  }

  std::size_t base_;
  std::size_t required_;
  std::size_t head_ = 0;  // ends of the regions, from the base
  std::size_t overlay_ = 0;
  std::size_t temp_ = 0;
  std::size_t open_temps_ = 0;
  detail::TailChain tail_;
};

/// The low end of a dry run.
class DryRun::Head {
 public:
  constexpr explicit Head(DryRun& run) noexcept : run_(&run) {}

  /// Counts a block. False if and only if the alignment is not a power of two, or something lies above the head.
  constexpr bool allocate(std::size_t size, std::size_t alignment) const noexcept {
    if (!is_power_of_two(alignment) || run_->open_temps_ != 0 || run_->temp_ != run_->head_) return false;
    if (size == 0) return true;
    run_->head_ = run_->overlay_ = run_->temp_ = run_->above(run_->head_, size, alignment);
    run_->count();
    return true;
  }
  template <class T, class... Args>
  constexpr bool create(const Args&...) const noexcept {
    return allocate(sizeof(T), alignof(T));
  }
  template <class T>
  constexpr bool create_array(std::size_t n) const noexcept {
    return allocate(multiply_saturated(n, sizeof(T)), alignof(T));
  }

 private:
  DryRun* run_;
};

/// What a temp scope of a dry run can do, without being one: see `DryRun::in_temp`.
class DryRun::Temp {
 public:
  constexpr explicit Temp(DryRun& run) noexcept : run_(&run), begin_(run.temp_), depth_(++run.open_temps_) {}
  Temp(const Temp&) = delete;
  Temp& operator=(const Temp&) = delete;

  /// Counts a block. False if and only if the alignment is not a power of two, or a scope opened later is open.
  constexpr bool allocate(std::size_t size, std::size_t alignment) noexcept {
    if (!is_power_of_two(alignment) || depth_ != run_->open_temps_) return false;
    if (size == 0) return true;
    run_->temp_ = run_->above(run_->temp_, size, alignment);
    run_->count();
    return true;
  }
  template <class T, class... Args>
  constexpr bool create(const Args&...) noexcept {
    return allocate(sizeof(T), alignof(T));
  }
  template <class T>
  constexpr bool create_array(std::size_t n) noexcept {
    return allocate(multiply_saturated(n, sizeof(T)), alignof(T));
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

/// A position in the tail of a dry run.
struct DryRun::Marker {
  detail::TailChain tail;
};

constexpr DryRun::Head DryRun::head() noexcept { return Head(*this); }
ARENITE_CONSTEXPR_20 inline DryRun::TempScope DryRun::temp() noexcept { return TempScope(*this); }
ARENITE_CONSTEXPR_20 inline DryRun::TempScope DryRun::Temp::temp() noexcept { return TempScope(*run_); }
template <class Use>
constexpr void DryRun::in_temp(Use use) {
  Temp temp(*this);
  use(temp);
  temp.close();
}
constexpr DryRun::Marker DryRun::mark() const noexcept { return {tail_}; }
constexpr void DryRun::release(const Marker& marker) noexcept { tail_ = marker.tail; }

}  // namespace ARENITE_ABI
}  // namespace arenite
