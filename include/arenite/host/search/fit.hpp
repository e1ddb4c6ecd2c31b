// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Whether a span fits into so many bytes, and how: branch and bound over the order in which its buffers are placed.
///
/// Push the buffers of any packing down until each rests on the ground or on another: it can be rebuilt by placing them
/// from the ground up, each at its *release*, the highest end of the placed buffers that are alive together with it. So
/// a state is the set of unplaced buffers with their releases, and a step is to choose one and place it. A *completion*
/// of a state places all of them, at their releases or above, within the capacity.
///
/// 1. Only a buffer whose release lies below the least end of all unplaced ones is a candidate. No buffer can come to
///    lie under it any more: those alive together with it are above it in every completion in which it is at its
///    release. Where no candidate is left, pushing down shows that there is no completion.
/// 2. So a candidate that fails at its release is there in no completion at all. It is *blocked* until its release
///    rises, and the rest of the node is searched without it: a binary choice, whatever the order of the candidates.
/// 3. A blocked buffer rests on an unplaced one, which gives it a greater release (*lifting*); along chains of blocked
///    ones by Dijkstra's algorithm.
/// 4. In a section one buffer lies over the other. Stacked by ascending release, lifted, they reach least high (as with
///    Jackson's rule for one machine): if that is above the capacity in any section, the state fails.
/// 5. States that failed are remembered, for all orders and capacities (memo.hpp).
/// 6. Where no unplaced buffer crosses from a section to the next, what is left falls into parts, solved one by one.
/// 7. A buffer that equals one that failed here fails here.
///
/// Around obstacles the same holds. A release steps over what is in its way, to the lowest offset that is free; what is
/// pushed down may so come to lie under an obstacle, but never under a placed buffer. Equal buffers meet the same
/// obstacles. In 4 the obstacles of a section are stacked with its buffers, and in 6 they hold nothing together.
///
/// Whether a packing is found soon is a matter of luck with the first choices. So each strategy is run with a budget,
/// and goes wide before it goes deep: in its first pass it turns back at no choice of weight, then at one, two, four,
/// ... in each line (limited discrepancy search, Harvey and Ginsberg 1995). Marks of buffers that were given up and not
/// refuted are not facts; what failed under them is not remembered, and a pass with such marks proves nothing.
///
/// 1 to 7 after MiniMalloc (Moffitt, ASPLOS 2023): the canonical order, its sections and its decomposition; blocking,
/// lifting by chains, the bound and the passes are our own.
///
/// Host only: uses the heap, and recursion as deep as there are buffers. One thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "../../align.hpp"
#include "../../version.hpp"
#include "memo.hpp"
#include "problem.hpp"
#include "stack.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {
namespace detail {

/// Counts elementary steps of work, and says when to stop.
struct Meter {
  std::uint64_t work = 0;
  std::uint64_t limit = 0;     // stop here
  std::uint64_t next_ask = 0;  // ask here whether to go on
  std::uint64_t between_asks = 0;
  std::function<bool()> go_on;
  bool cancelled = false;

  [[nodiscard]] bool spent() {
    if (cancelled || work >= limit) return true;
    if (work < next_ask) return false;
    next_ask = work + between_asks;
    cancelled = !go_on();
    return cancelled;
  }
};

enum class Outcome {
  kFits,
  kFails,    // proven
  kUnknown,  // the pass is over
  kStopped,  // the budget is spent
};

/// What a buffer is ranked by, the greatest first. Ranks decide among candidates that are otherwise equal.
enum class By : std::uint8_t {
  kLoad,      // most units left in one of its sections
  kSections,  // of the part
  kLength,    // sections of the span
  kArea,      // size times length
  kSize,
};

/// Which candidate comes first. The *pressure* of a section is how high it reaches at least, see 4.
enum class Rule : std::uint8_t {
  kFocus,     // nearest to the section under most pressure; of such sections the one nearest to the last choice
  kEmptiest,  // nearest to the section with least left; of such sections the one nearest to the last choice
  kPressure,  // the one with the section under most pressure
  kFlush,     // the same, less by how much placing it raises that of its sections
};

struct Strategy {
  Rule rule;
  By ranks[3];
  std::uint64_t patience;  // a choice is of weight if it took more nodes than this to give it up
};

/// In turns; each alone solves some problems at once and others never.
inline constexpr Strategy kStrategies[] = {
    {Rule::kFocus, {By::kLoad, By::kSections, By::kArea}, 10},
    {Rule::kFocus, {By::kArea, By::kLoad, By::kLength}, 10},
    {Rule::kFocus, {By::kLoad, By::kSize, By::kLength}, 10},
    {Rule::kFlush, {By::kLoad, By::kLength, By::kArea}, 100},
    {Rule::kPressure, {By::kLoad, By::kSections, By::kArea}, 10},
    {Rule::kEmptiest, {By::kLoad, By::kSections, By::kArea}, 10},
};

/// One probe after the other of one span. `Value` is signed and holds twice the capacity in units.
template <class Value>
class Fitter {
 public:
  /// `bans` as by `bans_of`; empty if there are no obstacles.
  Fitter(const Span& span, const std::vector<std::vector<Ban>>& bans, const StateHash& hash, Memo& memo, Meter& meter)
      : span_(span), bans_(bans), hash_(hash), memo_(memo), meter_(meter) {}

  /// Largest capacity in units.
  static constexpr std::size_t kMost = static_cast<std::size_t>(std::numeric_limits<Value>::max() / 2);

  /// Looks for offsets, in units, within a capacity in bytes, until the meter says stop. Never `kUnknown`. `offsets`
  /// has an entry for each task; they are a packing if and only if the answer is `kFits`.
  [[nodiscard]] Outcome fit(std::size_t capacity, const Strategy& strategy, std::size_t* offsets) {
    return fit_over({}, capacity, strategy, offsets);
  }

  /// Likewise, but some of the tasks, not all, stay where `offsets` has them, soundly and within the capacity, and each
  /// of the others comes to lie over those of them that are alive together with it. `kFails` is about this alone.
  [[nodiscard]] Outcome fit_over(const std::vector<std::uint32_t>& kept, std::size_t capacity, const Strategy& strategy,
                                 std::size_t* offsets) {
    if (capacity < span_.lower_bound) return Outcome::kFails;
    capacity_ = capacity;
    units_ = static_cast<Value>((capacity - 1) / span_.unit + 1);
    strategy_ = &strategy;
    offsets_ = offsets;

    const Stack::Scope scope(stack_);
    const std::size_t tasks = span_.tasks.size();
    auto* const stays = stack_.take<bool>(tasks);
    auto* const tops = stack_.take<std::size_t>(span_.sections);
    for (const std::uint32_t i : kept) {
      const Task& task = span_.tasks[i];
      stays[i] = true;
      for (std::size_t s = task.first; s < task.end; ++s) tops[s] = std::max(tops[s], offsets[i] + task.size);
    }
    Leftover* const all = stack_.take<Leftover>(tasks);
    std::size_t count = 0;
    for (std::size_t i = 0; i < tasks; ++i) {
      if (stays[i]) continue;
      const Task& task = span_.tasks[i];
      const std::size_t top = kept.empty() ? 0 : *std::max_element(tops + task.first, tops + task.end);
      const Wide release =
          rest(static_cast<Wide>(task.mask), bans_.empty() ? nullptr : &bans_[i], static_cast<Wide>(top));
      if (release > static_cast<Wide>((capacity - task.bytes) / span_.unit)) return Outcome::kFails;
      all[count++] = {static_cast<std::uint32_t>(i), static_cast<Section>(task.first), static_cast<Section>(task.end),
                      static_cast<Value>(release), false};
    }
    Part part;
    Entry* const list = open(part, all, count, whole_span());
    // A span holds together, but perhaps not without what is kept.
    const bool whole = std::find(part.crossing + 1, part.crossing + part.sections, 0) == part.crossing + part.sections;
    for (int allowance = 0;; allowance = std::min(2 * allowance + (allowance == 0), kMostAllowance)) {
      // Marks of the last pass go with it.
      const Stack::Scope pass(stack_);
      Entry* const copy = stack_.take<Entry>(count);
      std::copy(list, list + count, copy);
      const Outcome outcome =
          whole ? descend(part, copy, count, allowance, false) : split(part, copy, count, allowance, false);
      if (outcome != Outcome::kUnknown) return outcome;
    }
  }

 private:
  using Wide = std::int64_t;
  using Rank = std::uint16_t;
  using Section = std::uint16_t;

  // An unplaced buffer in the list of a state. Lists are sorted by release, then rank.
  struct Entry {
    Value release;
    Rank rank;
    bool blocked;
  };

  // What does not change about a buffer of a part; by rank.
  struct Member {
    Value size;
    Value latest;  // offset
    Section first, end;
    Rank twins;  // the first of those that equal it
    std::uint32_t task;
    Wide mask;
    const std::vector<Ban>* bans;  // or null
  };

  // Units that are taken in some sections.
  struct Block {
    Value bottom, size;
    Section first, end;
  };

  // A buffer on its way into a new part.
  struct Leftover {
    std::uint32_t task;
    Section first, end;  // of the former part
    Value release;
    bool blocked;
  };

  // Buffers that have nothing to do with any other unplaced one. It has sections of its own, as few as there can be.
  struct Part {
    std::size_t count = 0;
    std::size_t sections = 0;
    Member* members = nullptr;
    Value* left = nullptr;            // units unplaced in each section
    Section* crossing = nullptr;      // number of unplaced buffers that cross the start of each section
    Value* pressure = nullptr;        // of each section, as of the last bound
    std::uint64_t* raised = nullptr;  // a bit for each rank; zero between calls
    Entry* lifted = nullptr;
    Block* blocks = nullptr;  // by their bottoms
    std::size_t block_count = 0;
    Wide least_size = 0;
    std::size_t focus = 0;  // the section of the last choice
  };

  static bool before(const Entry& a, const Entry& b) noexcept {
    return a.release != b.release ? a.release < b.release : a.rank < b.rank;
  }
  static bool overlap(const Member& a, const Member& b) noexcept { return a.first < b.end && b.first < a.end; }

  // The release of a buffer over one that ends at `top`: aligned, and over any obstacle in the way.
  static Wide rest(const Member& member, Wide top) noexcept { return rest(member.mask, member.bans, top); }
  static Wide rest(Wide mask, const std::vector<Ban>* bans, Wide top) noexcept {
    const auto aligned = [mask](std::uint64_t offset) {
      return (offset + static_cast<std::uint64_t>(mask)) & ~static_cast<std::uint64_t>(mask);
    };
    constexpr std::uint64_t kMostWide = std::numeric_limits<Wide>::max();
    std::uint64_t offset = aligned(static_cast<std::uint64_t>(top));
    if (bans != nullptr) {
      auto ban = std::partition_point(bans->begin(), bans->end(), [&](const Ban& b) { return b.to <= offset; });
      for (; ban != bans->end() && ban->from <= offset; ++ban) {
        if (offset < ban->to) offset = aligned(ban->to);
      }
    }
    return static_cast<Wide>(std::min(offset, kMostWide));
  }

  // --- parts ---------------------------------------------------------------------------------------------------------

  // Makes a part of some unplaced buffers and returns its list. Renumbers their sections.
  Entry* open(Part& part, Leftover* leftovers, std::size_t count, const Part& former) {
    part.count = count;
    renumber(part, leftovers, former);
    part.members = stack_.take<Member>(count);
    part.left = stack_.take<Value>(part.sections);
    part.crossing = stack_.take<Section>(part.sections);
    part.pressure = stack_.take<Value>(part.sections);
    part.raised = stack_.take<std::uint64_t>(count / 64 + 1);
    part.lifted = stack_.take<Entry>(count);
    part.least_size = std::numeric_limits<Value>::max();
    part.focus = part.sections / 2;
    for (std::size_t i = 0; i < count; ++i) {
      const Leftover& buffer = leftovers[i];
      const auto size = static_cast<Value>(span_.tasks[buffer.task].size);
      part.least_size = std::min<Wide>(part.least_size, size);
      for (std::size_t s = buffer.first; s < buffer.end; ++s) part.left[s] = static_cast<Value>(part.left[s] + size);
      for (std::size_t s = buffer.first + std::size_t{1}; s < buffer.end; ++s) ++part.crossing[s];
    }

    const Ranking* const ranking = rank(part, leftovers);
    Entry* const list = stack_.take<Entry>(count);
    for (std::size_t k = 0; k < count; ++k) {
      const Leftover& buffer = leftovers[ranking[k].leftover];
      const Task& task = span_.tasks[buffer.task];
      const auto own = static_cast<Rank>(k);
      Member& member = part.members[k];
      member.size = static_cast<Value>(task.size);
      member.latest = static_cast<Value>((capacity_ - task.bytes) / span_.unit);
      member.first = buffer.first;
      member.end = buffer.end;
      member.twins = own;
      member.task = buffer.task;
      member.mask = static_cast<Wide>(task.mask);
      member.bans = bans_.empty() ? nullptr : &bans_[buffer.task];
      if (k > 0 && equal(member, part.members[k - 1])) member.twins = part.members[k - 1].twins;
      list[k] = {buffer.release, own, buffer.blocked};
    }
    std::sort(list, list + count, before);
    meter_.work += 8 * count;
    return list;
  }

  bool equal(const Member& a, const Member& b) const {
    return a.size == b.size && a.latest == b.latest && a.first == b.first && a.end == b.end && a.mask == b.mask &&
           (bans_.empty() || *a.bans == *b.bans);
  }

  // The sections and the obstacles of the span, below the capacity.
  Part whole_span() {
    Part whole;
    whole.sections = span_.sections;
    whole.blocks = stack_.take<Block>(span_.obstacles.size());
    for (const Obstacle& obstacle : span_.obstacles) {
      const std::size_t bottom = span_.units(obstacle.bottom);
      const std::size_t top = std::min(span_.units(obstacle.top), static_cast<std::size_t>(units_));
      if (bottom >= top) continue;
      whole.blocks[whole.block_count++] = {static_cast<Value>(bottom), static_cast<Value>(top - bottom),
                                           static_cast<Section>(obstacle.first), static_cast<Section>(obstacle.end)};
    }
    return whole;
  }

  // A section ends with the first death after a birth.
  void renumber(Part& part, Leftover* leftovers, const Part& former) {
    constexpr unsigned kBirth = 1;
    constexpr unsigned kDeath = 2;
    auto* const events = stack_.take<unsigned char>(former.sections + 1);
    auto* const number = stack_.take<Section>(former.sections + 1);
    std::size_t begin = former.sections;
    std::size_t end = 0;
    for (std::size_t i = 0; i < part.count; ++i) {
      events[leftovers[i].first] = static_cast<unsigned char>(events[leftovers[i].first] | kBirth);
      events[leftovers[i].end] = static_cast<unsigned char>(events[leftovers[i].end] | kDeath);
      begin = std::min<std::size_t>(begin, leftovers[i].first);
      end = std::max<std::size_t>(end, leftovers[i].end);
    }
    part.blocks = stack_.take<Block>(former.block_count);
    for (std::size_t i = 0; i < former.block_count; ++i) {
      Block block = former.blocks[i];
      if (block.end <= begin || end <= block.first) continue;
      block.first = std::max(block.first, static_cast<Section>(begin));
      block.end = std::min(block.end, static_cast<Section>(end));
      events[block.first] = static_cast<unsigned char>(events[block.first] | kBirth);
      events[block.end] = static_cast<unsigned char>(events[block.end] | kDeath);
      part.blocks[part.block_count++] = block;
    }
    Section section = 0;
    bool born = false;
    for (std::size_t s = 0; s <= former.sections; ++s) {
      if ((events[s] & kDeath) != 0 && born) {
        ++section;
        born = false;
      }
      number[s] = section;
      born = born || (events[s] & kBirth) != 0;
    }
    part.sections = section;
    for (std::size_t i = 0; i < part.count; ++i) {
      leftovers[i].first = number[leftovers[i].first];
      leftovers[i].end = number[leftovers[i].end];
    }
    for (std::size_t i = 0; i < part.block_count; ++i) {
      part.blocks[i].first = number[part.blocks[i].first];
      part.blocks[i].end = number[part.blocks[i].end];
    }
  }

  struct Ranking {
    std::uint64_t keys[3];
    std::uint32_t leftover;
  };

  const Ranking* rank(const Part& part, const Leftover* leftovers) {
    Ranking* const ranking = stack_.take<Ranking>(part.count);
    for (std::size_t i = 0; i < part.count; ++i) {
      ranking[i].leftover = static_cast<std::uint32_t>(i);
      for (std::size_t k = 0; k < 3; ++k) ranking[i].keys[k] = key(part, leftovers[i], strategy_->ranks[k]);
    }
    std::sort(ranking, ranking + part.count, [&](const Ranking& a, const Ranking& b) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (a.keys[k] != b.keys[k]) return a.keys[k] > b.keys[k];
      }
      const Leftover& one = leftovers[a.leftover];
      const Leftover& other = leftovers[b.leftover];
      const Task& x = span_.tasks[one.task];
      const Task& y = span_.tasks[other.task];
      if (x.size != y.size) return x.size > y.size;
      if (one.first != other.first) return one.first < other.first;
      if (one.end != other.end) return one.end < other.end;
      if (x.mask != y.mask) return x.mask > y.mask;
      if (x.bytes != y.bytes) return x.bytes > y.bytes;
      return one.task < other.task;
    });
    return ranking;
  }

  std::uint64_t key(const Part& part, const Leftover& buffer, By by) const noexcept {
    const Task& task = span_.tasks[buffer.task];
    switch (by) {
      case By::kLoad:
        return static_cast<std::uint64_t>(*std::max_element(part.left + buffer.first, part.left + buffer.end));
      case By::kSections:
        return static_cast<std::uint64_t>(buffer.end - buffer.first);
      case By::kLength:
        return task.end - task.first;
      case By::kArea:
        return multiply_saturated(task.size, task.end - task.first);
      case By::kSize:
        return task.size;
    }
    return 0;
  }

  // --- bounds --------------------------------------------------------------------------------------------------------

  // Lifts the blocked buffers: `part.lifted` is a list of them by their new releases. False if one can lie nowhere.
  bool lift(const Part& part, const Entry* list, std::size_t count, std::size_t* lifted_count) {
    const Member* const members = part.members;
    Entry* const lifted = part.lifted;
    std::size_t blocked = 0;

    // On those that are not blocked.
    for (std::size_t i = 0; i < count; ++i) {
      if (!list[i].blocked) continue;
      const Member& member = members[list[i].rank];
      Wide least = kNowhere;
      for (std::size_t k = 0; k < count && list[k].release + part.least_size < least; ++k) {
        const Member& other = members[list[k].rank];
        ++meter_.work;
        if (list[k].blocked || !overlap(member, other)) continue;
        least = std::min<Wide>(least, list[k].release + other.size);
      }
      if (least != kNowhere) least = std::min(rest(member, least), kNowhere);
      lifted[blocked++] = {static_cast<Value>(least), list[i].rank, true};
    }

    // On those that are: the lowest cannot rise any more by another.
    for (std::size_t i = 0; i < blocked; ++i) {
      std::swap(lifted[i], *std::min_element(lifted + i, lifted + blocked, before));
      const Member& member = members[lifted[i].rank];
      if (lifted[i].release > member.latest) return false;
      const Wide top = lifted[i].release + member.size;
      for (std::size_t k = i + 1; k < blocked; ++k) {
        const Member& other = members[lifted[k].rank];
        if (!overlap(member, other)) continue;
        const Wide release = rest(other, top);
        if (release < lifted[k].release) lifted[k].release = static_cast<Value>(release);
      }
      meter_.work += blocked - i;
    }
    *lifted_count = blocked;
    return true;
  }

  // Works out the pressure of each section. False if the state fails; otherwise `key`, where given, is the state's.
  bool bound(const Part& part, const Entry* list, std::size_t count, StateKey* key) {
    std::size_t lifted_count = 0;
    if (!lift(part, list, count, &lifted_count)) return false;

    Value* const pressure = part.pressure;
    std::fill(pressure, pressure + part.sections, Value{0});
    const Entry* lifted = part.lifted;
    const Entry* const lifted_end = lifted + lifted_count;
    std::uint64_t touched = count + part.sections;
    const auto stack = [&](Section first, Section end, Value release, Value size) {
      Value* const sections = pressure + first;
      const std::size_t length = static_cast<std::size_t>(end - first);
      for (std::size_t s = 0; s < length; ++s) {
        const Value top = sections[s] > release ? sections[s] : release;
        sections[s] = static_cast<Value>(top + size);
      }
      touched += length / 8;
    };
    const Block* block = part.blocks;
    const Block* const blocks_end = block + part.block_count;
    for (const Entry* entry = list;;) {
      while (entry != list + count && entry->blocked) ++entry;
      const bool any = entry != list + count;
      if (!any && lifted == lifted_end) break;
      const Entry& next = lifted != lifted_end && (!any || lifted->release < entry->release) ? *lifted++ : *entry++;

      const Member& member = part.members[next.rank];
      if (key != nullptr) hash_.add(*key, member.task, static_cast<std::uint64_t>(next.release));
      for (; block != blocks_end && block->bottom <= next.release; ++block) {
        stack(block->first, block->end, block->bottom, block->size);
      }
      stack(member.first, member.end, next.release, member.size);
    }
    for (; block != blocks_end; ++block) stack(block->first, block->end, block->bottom, block->size);
    meter_.work += touched;

    Value most = 0;
    for (std::size_t s = 0; s < part.sections; ++s) most = pressure[s] > most ? pressure[s] : most;
    return most <= units_;
  }

  // --- branching -----------------------------------------------------------------------------------------------------

  // One state. `allowance`: how many choices of weight may still be given up in this line. `tainted`: some are marked
  // as blocked that were not refuted.
  // NOLINTNEXTLINE(misc-no-recursion): one level for each buffer, of which there are at most `kMostSearched`
  Outcome descend(Part& part, Entry* list, std::size_t count, int allowance, bool tainted) {
    if (count == 0) return Outcome::kFits;
    ++nodes_;
    Wide least_end = kNowhere;
    for (std::size_t i = 0; i < count && list[i].release < least_end; ++i) {
      least_end = std::min<Wide>(least_end, list[i].release + part.members[list[i].rank].size);
    }

    StateKey key;
    bool branched = false;
    for (bool first = true;; first = false) {
      if (!bound(part, list, count, first ? &key : nullptr)) break;
      if (first && memo_.fails(key, capacity_)) return tainted ? Outcome::kUnknown : Outcome::kFails;
      if (meter_.spent()) return Outcome::kStopped;

      const std::size_t position = choose(part, list, count, least_end);
      if (position == count) break;
      const Member& member = part.members[list[position].rank];
      part.focus = static_cast<std::size_t>(member.first + member.end) / 2;
      if (fits_first(part, list[position])) {
        const std::uint64_t nodes = nodes_;
        const Outcome outcome = place(part, list, count, position, allowance, tainted);
        if (outcome == Outcome::kFits || outcome == Outcome::kStopped) return outcome;
        branched = true;
        if (outcome == Outcome::kUnknown) tainted = true;
        if (nodes_ - nodes > strategy_->patience && --allowance < 0) return Outcome::kUnknown;
      }
      // It is not here, and neither are its twins: they are unplaced with the same release, next to it.
      const Value release = list[position].release;
      for (std::size_t i = position; i < count && list[i].release == release; ++i) {
        if (part.members[list[i].rank].twins == member.twins) list[i].blocked = true;
      }
    }
    if (tainted) return Outcome::kUnknown;
    if (branched) memo_.insert(key, capacity_);
    return Outcome::kFails;
  }

  // Whether all that is left in its sections would fit over this one at its release.
  bool fits_first(const Part& part, const Entry& entry) const noexcept {
    const Member& member = part.members[entry.rank];
    const Wide most = *std::max_element(part.left + member.first, part.left + member.end);
    return entry.release + most <= units_;
  }

  // The candidate to be tried next, or `count`.
  std::size_t choose(const Part& part, const Entry* list, std::size_t count, Wide least_end) {
    const bool nearest = strategy_->rule == Rule::kFocus || strategy_->rule == Rule::kEmptiest;
    const std::size_t target = nearest ? target_section(part) : 0;
    std::size_t best = count;
    Wide best_score = 0;
    for (std::size_t i = 0; i < count && list[i].release < least_end; ++i) {
      if (list[i].blocked) continue;
      const Member& member = part.members[list[i].rank];
      const Wide score = nearest ? -distance(member, target) : pressure_score(part, list[i]);
      meter_.work += nearest ? 1u : static_cast<std::uint64_t>(member.end - member.first);
      if (best != count && score <= best_score) continue;
      best = i;
      best_score = score;
    }
    return best;
  }

  static Wide distance(const Member& member, std::size_t target) noexcept {
    const Wide at = static_cast<Wide>(target);
    return at < member.first ? member.first - at : at >= member.end ? at - member.end + 1 : 0;
  }

  std::size_t target_section(const Part& part) {
    const bool emptiest = strategy_->rule == Rule::kEmptiest;
    std::size_t target = 0;
    Wide most = std::numeric_limits<Wide>::min();
    std::size_t nearest = 0;
    for (std::size_t s = 0; s < part.sections; ++s) {
      if (part.left[s] == 0) continue;
      const Wide weight = emptiest ? -Wide{part.left[s]} : Wide{part.pressure[s]};
      const std::size_t away = s > part.focus ? s - part.focus : part.focus - s;
      if (weight < most || (weight == most && away >= nearest)) continue;
      most = weight;
      nearest = away;
      target = s;
    }
    meter_.work += part.sections;
    return target;
  }

  Wide pressure_score(const Part& part, const Entry& entry) const noexcept {
    const Member& member = part.members[entry.rank];
    Wide most = 0;
    Wide rise = 0;
    for (std::size_t s = member.first; s < member.end; ++s) {
      most = std::max<Wide>(most, part.pressure[s]);
      rise = std::max<Wide>(rise, Wide{entry.release} + part.left[s] - part.pressure[s]);
    }
    return strategy_->rule == Rule::kFlush ? most - rise : most;
  }

  // Places an entry of the list at its release, and searches on.
  // NOLINTNEXTLINE(misc-no-recursion): see `descend`
  Outcome place(Part& part, const Entry* list, std::size_t count, std::size_t position, int allowance, bool tainted) {
    const Member& member = part.members[list[position].rank];
    const Stack::Scope scope(stack_);
    Entry* const rest_of_list = stack_.take<Entry>(count);
    meter_.work += count;
    const bool sound = span_.aligned || !bans_.empty() ? raise_each(part, list, count, position, rest_of_list)
                                                       : raise(part, list, count, position, rest_of_list);
    if (!sound) return Outcome::kFails;

    offsets_[member.task] = static_cast<std::size_t>(list[position].release);
    bool cut = false;
    for (std::size_t s = member.first; s < member.end; ++s) {
      part.left[s] = static_cast<Value>(part.left[s] - member.size);
      if (s != member.first && --part.crossing[s] == 0) cut = true;
    }
    const Outcome outcome = cut ? split(part, rest_of_list, count - 1, allowance, tainted)
                                : descend(part, rest_of_list, count - 1, allowance, tainted);
    for (std::size_t s = member.first; s < member.end; ++s) {
      part.left[s] = static_cast<Value>(part.left[s] + member.size);
      if (s != member.first) ++part.crossing[s];
    }
    return outcome;
  }

  // The list without one entry that is placed, with what that raises. Without alignments and obstacles all that is
  // raised has the same release: a merge. False if one can lie nowhere.
  static bool raise(const Part& part, const Entry* list, std::size_t count, std::size_t position, Entry* out) noexcept {
    const Member& member = part.members[list[position].rank];
    const Wide top = list[position].release + member.size;
    bool sound = true;
    std::size_t low = part.count;  // words of the bits
    std::size_t high = 0;
    std::size_t i = 0;
    for (; i < count && list[i].release < top; ++i) {
      const Rank rank = list[i].rank;
      const Member& other = part.members[rank];
      if (!overlap(member, other)) {
        *out++ = list[i];
      } else if (i != position) {
        if (top > other.latest) sound = false;
        const std::size_t word = rank / 64u;
        part.raised[word] |= std::uint64_t{1} << (rank % 64u);
        low = std::min(low, word);
        high = std::max(high, word + 1);
      }
    }
    for (std::size_t word = low; word < high; ++word) {
      for (std::uint64_t bits = part.raised[word]; bits != 0; bits &= bits - 1) {
        const auto rank = static_cast<Rank>(64 * word + static_cast<unsigned>(__builtin_ctzll(bits)));
        while (i < count && list[i].release == top && list[i].rank < rank) *out++ = list[i++];
        *out++ = {static_cast<Value>(top), rank, false};
      }
      part.raised[word] = 0;
    }
    std::copy(list + i, list + count, out);
    return sound;
  }

  static bool raise_each(const Part& part, const Entry* list, std::size_t count, std::size_t position, Entry* out) {
    const Member& member = part.members[list[position].rank];
    const Wide top = list[position].release + member.size;
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == position) continue;
      Entry entry = list[i];
      const Member& other = part.members[entry.rank];
      if (entry.release < top && overlap(member, other)) {
        const Wide release = rest(other, top);
        if (release > other.latest) return false;
        entry = {static_cast<Value>(release), entry.rank, false};
      }
      out[left++] = entry;
    }
    std::sort(out, out + left, before);
    return true;
  }

  // Solves the parts between boundaries that nothing unplaced crosses, the smallest first.
  // NOLINTNEXTLINE(misc-no-recursion): see `descend`
  Outcome split(const Part& part, const Entry* list, std::size_t count, int allowance, bool tainted) {
    // Buffers by part, in the order of the list.
    auto* const part_of = stack_.take<std::size_t>(part.sections);
    for (std::size_t s = 1; s < part.sections; ++s) part_of[s] = part_of[s - 1] + (part.crossing[s] == 0);
    const std::size_t parts = part_of[part.sections - 1] + 1;
    auto* const end_of = stack_.take<std::size_t>(parts + 1);
    for (std::size_t i = 0; i < count; ++i) ++end_of[part_of[part.members[list[i].rank].first] + 1];
    for (std::size_t k = 0; k < parts; ++k) end_of[k + 1] += end_of[k];
    auto* const leftovers = stack_.take<Leftover>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Member& member = part.members[list[i].rank];
      leftovers[end_of[part_of[member.first]]++] = {member.task, member.first, member.end, list[i].release,
                                                    list[i].blocked};
    }

    // A look at each, before any is solved.
    struct Opened {
      Part part;
      Entry* list = nullptr;
    };
    auto* const opened = stack_.take<Opened>(parts);
    std::size_t used = 0;
    for (std::size_t k = 0; k < parts; ++k) {
      const std::size_t begin = k == 0 ? 0 : end_of[k - 1];
      const std::size_t own = end_of[k] - begin;
      if (own == 0) continue;
      Opened& one = opened[used++];
      one.list = open(one.part, leftovers + begin, own, part);
      if (!bound(one.part, one.list, own, nullptr)) return tainted ? Outcome::kUnknown : Outcome::kFails;
    }
    auto* const order = stack_.take<std::size_t>(used);
    for (std::size_t k = 0; k < used; ++k) order[k] = k;
    std::sort(order, order + used, [opened](std::size_t a, std::size_t b) {
      return opened[a].part.count != opened[b].part.count ? opened[a].part.count < opened[b].part.count : a < b;
    });
    for (std::size_t k = 0; k < used; ++k) {
      Opened& one = opened[order[k]];
      const Outcome outcome = descend(one.part, one.list, one.part.count, allowance, tainted);
      if (outcome != Outcome::kFits) return outcome;
    }
    return Outcome::kFits;
  }

  static constexpr int kMostAllowance = 1 << 30;
  static constexpr Wide kNowhere = std::numeric_limits<Value>::max();

  const Span& span_;
  const std::vector<std::vector<Ban>>& bans_;  // of each task
  const StateHash& hash_;
  Memo& memo_;
  Meter& meter_;
  Stack stack_;
  std::uint64_t nodes_ = 0;
  std::size_t capacity_ = 0;
  Value units_ = 0;
  const Strategy* strategy_ = nullptr;
  std::size_t* offsets_ = nullptr;
};

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
