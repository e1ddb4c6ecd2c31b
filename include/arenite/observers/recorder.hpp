// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Who has the memory: an observer that counts blocks and bytes for each kind of block, see `Kind`.
///
///     arenite::Arena<4096, 16, arenite::Recorder<>> arena;
///     auto* filter = arena.as(arenite::Kind::kOperatorData).create<Filter>();
///     arena.observer().of(arenite::Kind::kOperatorData).taken;
///     arenite::print_record([](char c) { uart_put(c); }, arena.observer());
///
/// Guarantees: at every moment the bytes taken in a region, summed over the kinds, are `arena.used(region)`. What is
/// given back, by a marker, a scope, a reset or a constructor that throws, is exactly forgotten in its region; peaks
/// and refusals are not.
///
/// Costs a table: 44 bytes for each kind and 20 more on a 32-bit target, all zero at first. Each marker, scope and
/// `create` whose constructor may throw holds the counts of its region, 12 bytes for each kind; to copy them the
/// compiler may call `memcpy`. A request takes constant time, marking and releasing O(kKinds). May be read by
/// the thread or interrupt that may use the arena, as what it reads is written by each call of the arena.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../arena_core.hpp"
#include "../observer.hpp"
#include "../text.hpp"
#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// Blocks that are there, all sizes in bytes.
struct KindCount {
  std::size_t count = 0;      ///< Blocks; those of zero bytes too.
  std::size_t requested = 0;  ///< Their sizes, as asked for.
  std::size_t taken = 0;      ///< What they took, padding and fences included.
};

struct KindUsage : KindCount {
  std::size_t peak = 0;     ///< The most that was taken at the same time, since the arena began.
  std::size_t refused = 0;  ///< Requests refused, likewise.
};

/// The first `kKinds` kinds have a row each; those that are beyond the table count as `Kind::kOther`. For kinds of
/// yours say how many there are: `Recorder<static_cast<std::size_t>(Mine::kLast) + 1>`. For one arena.
template <std::size_t kKinds = static_cast<std::size_t>(Kind::kUser)>
class Recorder : public Observer {
  static_assert(0 < kKinds && kKinds <= 256, "a kind is a byte");

 public:
  /// What there is of a kind in head, temp and tail together. O(1).
  template <class K>
  [[nodiscard]] KindUsage of(K kind) const noexcept {
    return row(index(detail::kind_index(kind)));
  }

  /// The same in one of these regions; none in the overlay, where nobody has a kind. O(1).
  template <class K>
  [[nodiscard]] KindCount of(Region region, K kind) const noexcept {
    if (region == Region::kOverlay) return {};
    return regions_[slot(region)].rows[index(detail::kind_index(kind))];
  }

  /// The overlay: how many plans were granted since it was last released, the size of the one that asked for most, and
  /// what the region takes. Refused plans count here, not as `Kind::kOther`. O(1).
  [[nodiscard]] const KindUsage& overlay() const noexcept { return overlay_; }

  // For the arena.
  struct Snapshot {
    KindCount rows[kKinds] = {};
  };
  [[nodiscard]] Snapshot snapshot(Region region) const noexcept {
    return region == Region::kOverlay ? Snapshot{} : regions_[slot(region)];
  }
  void restore(Region region, const Snapshot& snapshot) noexcept {
    if (region == Region::kOverlay) {
      static_cast<KindCount&>(overlay_) = {};
    } else {
      regions_[slot(region)] = snapshot;
    }
  }
  void on(const Event& event) noexcept {
    if (event.what != EventKind::kRequest) return;
    const std::size_t taken = event.size + event.padding;
    if (event.region == Region::kOverlay) {
      if (!event.success) {
        ++overlay_.refused;
        return;
      }
      ++overlay_.count;
      // Plans share it.
      if (event.size > overlay_.requested) overlay_.requested = event.size;
      if (taken > overlay_.taken) overlay_.taken = taken;
      if (taken > overlay_.peak) overlay_.peak = taken;
      return;
    }
    const std::size_t kind = index(event.kind);
    if (!event.success) {
      ++refused_[kind];
      return;
    }
    KindCount& count = regions_[slot(event.region)].rows[kind];
    ++count.count;
    count.requested += event.size;
    count.taken += taken;
    const std::size_t now = row(kind).taken;
    if (now > peak_[kind]) peak_[kind] = now;
  }

 private:
  [[nodiscard]] static constexpr std::size_t index(std::uint8_t kind) noexcept { return kind < kKinds ? kind : 0; }

  /// Of head, temp or tail among those.
  [[nodiscard]] static constexpr std::size_t slot(Region region) noexcept {
    return region == Region::kHead ? 0 : static_cast<std::size_t>(region) - 1;
  }

  [[nodiscard]] KindUsage row(std::size_t kind) const noexcept {
    KindUsage sum;
    for (const Snapshot& region : regions_) {
      const KindCount& count = region.rows[kind];
      sum.count += count.count;
      sum.requested += count.requested;
      sum.taken += count.taken;
    }
    sum.peak = peak_[kind];
    sum.refused = refused_[kind];
    return sum;
  }

  Snapshot regions_[3] = {};
  std::size_t peak_[kKinds] = {};
  std::size_t refused_[kKinds] = {};
  KindUsage overlay_;
};

namespace detail {

inline constexpr const char* kKindNames[] = {"other", "metadata", "operator data", "scratch", "variable", "weights"};
static_assert(sizeof(kKindNames) / sizeof(*kKindNames) == static_cast<std::size_t>(Kind::kUser));

}  // namespace detail

/// A table in text through a *sink*, anything that can be called with a `char`: captions, a row for each kind of which
/// there is or was anything, and one for the overlay.
///
///     blocks  requested      taken       peak refused kind
///          3         52         60         60       0 operator data
///          1         40         40         56       1 user 0
///          2     110592     110592     110592       0 the overlay
///
/// `names`, if it is given, has an entry for each kind of the table; where it is null, and without it, the kind has the
/// name that it has here, or is "user" and a number, from zero. O(kKinds).
template <class Sink, std::size_t kKinds>
void print_record(Sink&& sink, const Recorder<kKinds>& recorder, const char* const* names = nullptr) {
  const Writer<std::remove_reference_t<Sink>> out(sink);
  const auto numbers = [&out](const KindUsage& usage) -> const auto& {
    out.number(usage.count, 6).number(usage.requested, 11).number(usage.taken, 11).number(usage.peak, 11);
    return out.number(usage.refused, 8).put(' ');
  };
  constexpr auto kUser = static_cast<std::size_t>(Kind::kUser);
  out.text("blocks  requested      taken       peak refused kind\n");
  for (std::size_t i = 0; i < kKinds; ++i) {
    const KindUsage usage = recorder.of(static_cast<Kind>(i));
    if (usage.count == 0 && usage.peak == 0 && usage.refused == 0) continue;
    numbers(usage);
    if (names != nullptr && names[i] != nullptr) {
      out.text(names[i]);
    } else if (i < kUser) {
      out.text(detail::kKindNames[i]);
    } else {
      out.text("user ").number(i - kUser);
    }
    out.put('\n');
  }
  const KindUsage& overlay = recorder.overlay();
  if (overlay.count != 0 || overlay.peak != 0 || overlay.refused != 0) numbers(overlay).text("the overlay\n");
}

}  // namespace ARENITE_ABI
}  // namespace arenite
