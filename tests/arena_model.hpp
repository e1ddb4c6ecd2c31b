// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// An obvious model of an arena, which keeps every live block as a pair of addresses and works everything else out from
/// those, each time anew; the arena and the dry run under test, called by the same data; and what is compared. For the
/// tests and for the fuzzer.

#include <arenite/arena.hpp>
#include <arenite/dry_run.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace arena_model {

using arenite::ArenaState;
using arenite::BasicArenaRef;
using arenite::BasicTempScope;
using arenite::DryRun;
using arenite::kMaxSize;
using arenite::Marker;
using arenite::Region;
using arenite::Status;
using arenite::Unobserved;

inline constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
inline constexpr Region kEveryRegion[] = {Region::kHead, Region::kOverlay, Region::kTemp, Region::kTail};

// --- calls as data, so that a trace can be run again -----------------------------------------------------------------

// The first four are requests, in the order of the regions.
enum class Op : std::uint8_t {
  kHead,
  kOverlay,
  kTemp,
  kTail,
  kOuterTemp,  // in the outermost open scope
  kOpen,
  kClose,
  kMarkHead,
  kReleaseHead,
  kMarkTail,
  kReleaseTail,
  kReleaseOverlay,
  kReset,
};

struct Call {
  Op op = Op::kReset;
  std::size_t size = 0;
  std::size_t alignment = 0;
};

constexpr bool is_request(Op op) { return op <= Op::kOuterTemp; }

struct Outcome {
  Status status = Status::kOk;
  std::uintptr_t address = 0;  // of a block
};

inline std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

inline constexpr std::size_t kMostScopes = 8;
inline constexpr std::size_t kMostMarkers = 16;

// --- the model -------------------------------------------------------------------------------------------------------

struct Block {
  std::uintptr_t begin = 0;  // fences included
  std::uintptr_t end = 0;
  std::uint32_t front = 0;  // bytes before what the user gets
  std::uint8_t pattern = 0;

  [[nodiscard]] std::uintptr_t address() const { return begin + front; }
};

// Why a request may be refused. Where there are several reasons, which of them is told is not promised.
using Reasons = unsigned;
constexpr Reasons reason(Status status) { return 1u << static_cast<unsigned>(status); }
inline constexpr Reasons kMemory = reason(Status::kOutOfMemory) | reason(Status::kNullMemory);
inline constexpr Reasons kOrder = reason(Status::kTempOpen) | reason(Status::kNotOnTop) | reason(Status::kScopeOrder);

template <std::size_t kMostBlocks>
class Model {
 public:
  // `fence` is that of the arena's observer.
  Model(std::uintptr_t base, std::size_t capacity, std::size_t fence = 0)
      : base_(base), end_(base + capacity), fence_(fence) {}

  struct Answer {
    Reasons reasons = 0;  // none: granted
    Block block;
  };

  // Whether a test may make the call at all: there is something to close, and room in these tables.
  [[nodiscard]] bool possible(const Call& call) const {
    switch (call.op) {
      case Op::kHead:
      case Op::kOverlay:
      case Op::kTail:
        return count_[index(call.op)] < kMostBlocks;
      case Op::kTemp:
      case Op::kOuterTemp:
        return scopes_ != 0 && count_[2] < kMostBlocks;
      case Op::kOpen:
        return scopes_ < kMostScopes;
      case Op::kClose:
        return scopes_ != 0;
      case Op::kMarkHead:
      case Op::kMarkTail:
        return marks_[call.op == Op::kMarkTail] < kMostMarkers;
      case Op::kReleaseHead:
      case Op::kReleaseTail:
        return marks_[call.op == Op::kReleaseTail] != 0;
      default:
        return true;
    }
  }

  Answer apply(const Call& call) {
    Answer answer;
    switch (call.op) {
      case Op::kOpen:
        scope_[scopes_++] = count_[2];
        break;
      case Op::kClose:
        count_[2] = scope_[--scopes_];
        break;
      case Op::kMarkHead:
        mark_[0][marks_[0]++] = count_[0];
        break;
      case Op::kMarkTail:
        mark_[1][marks_[1]++] = count_[3];
        break;
      case Op::kReleaseHead:
        answer.reasons = head_is_closed();
        if (answer.reasons == 0) count_[0] = mark_[0][--marks_[0]];
        break;
      case Op::kReleaseTail:
        count_[3] = mark_[1][--marks_[1]];
        break;
      case Op::kReleaseOverlay:
      case Op::kReset:
        if (scopes_ != 0) {
          answer.reasons = reason(Status::kTempOpen);
        } else {
          count_[1] = 0;
          if (call.op == Op::kReset) count_[0] = count_[3] = marks_[0] = marks_[1] = 0;
        }
        break;
      default:
        answer = request(call);
    }
    for (const Region region : kEveryRegion) raise(peak_[static_cast<std::size_t>(region)], used(region));
    raise(peak_[4], used());
    return answer;
  }

  [[nodiscard]] std::size_t used(Region region) const {
    switch (region) {
      case Region::kHead:
        return head_end() - base_;
      case Region::kOverlay:
        return overlay_end() - head_end();
      case Region::kTemp:
        return temp_end() - overlay_end();
      default:
        return end_ - tail_begin();
    }
  }
  [[nodiscard]] std::size_t used() const {
    std::size_t sum = 0;
    for (const Region region : kEveryRegion) sum += used(region);
    return sum;
  }
  [[nodiscard]] std::size_t peak(Region region) const { return peak_[static_cast<std::size_t>(region)]; }
  [[nodiscard]] std::size_t peak() const { return peak_[4]; }
  [[nodiscard]] std::size_t scopes() const { return scopes_; }

  [[nodiscard]] std::size_t available(Region region, std::size_t alignment) const {
    const std::size_t bytes = room(region, alignment);
    if (region == Region::kOverlay || fence_ == 0) return bytes;
    const std::size_t fences = front(alignment) + fence_;
    return bytes > fences ? bytes - fences : 0;
  }

  // The same, with the fences.
  [[nodiscard]] std::size_t room(Region region, std::size_t alignment) const {
    if (region == Region::kHead && head_is_closed() != 0) return 0;
    if (region == Region::kOverlay && scopes_ != 0) return 0;
    std::uintptr_t from = low(region);
    if (!round_up(from, alignment) || from >= tail_begin()) return 0;
    return tail_begin() - from;
  }

  [[nodiscard]] std::size_t failures() const { return failures_; }
  [[nodiscard]] const arenite::Failure& failure() const { return failure_; }

  // With a capacity that is never reached and that is a multiple of all alignments, the model knows what is needed.
  [[nodiscard]] std::size_t required() const {
    const std::size_t step = tail_alignment_;
    return (peak() + step - 1) / step * step;
  }
  [[nodiscard]] std::size_t tail_alignment() const { return tail_alignment_; }

  // No two live blocks overlap, but for those that share the overlay.
  [[nodiscard]] bool disjoint(const Block& added, Region of) const {
    for (std::size_t r = 0; r < 4; ++r) {
      if (r == 1 && of == Region::kOverlay) continue;
      const bool self = r == static_cast<std::size_t>(of);
      for (std::size_t i = 0; i < count_[r] - (self ? 1 : 0); ++i) {
        if (added.begin < blocks_[r][i].end && blocks_[r][i].begin < added.end) return false;
      }
    }
    return added.begin >= base_ && added.end <= end_;
  }

  // For the patterns in the blocks: without the fences.
  template <class Visit>
  void visit(Visit visit_block) const {
    for (std::size_t r = 0; r < 4; ++r) {
      const std::size_t first = r == 1 && count_[1] != 0 ? count_[1] - 1 : 0;  // plans share: the latest holds
      for (std::size_t i = first; i < count_[r]; ++i) {
        const Block& block = blocks_[r][i];
        visit_block(block.address(), block.end - block.address() - (r == 1 ? 0 : fence_), block.pattern);
      }
    }
  }
  void set_pattern(Op op, std::uint8_t pattern) { blocks_[index(op)][count_[index(op)] - 1].pattern = pattern; }

 private:
  static constexpr std::size_t index(Op op) { return op == Op::kOuterTemp ? 2 : static_cast<std::size_t>(op); }
  static void raise(std::size_t& peak, std::size_t value) {
    if (value > peak) peak = value;
  }

  [[nodiscard]] std::size_t front(std::size_t alignment) const {
    return fence_ == 0 ? 0 : alignment > fence_ ? alignment : fence_;
  }
  // What is asked of the memory: the fences too.
  [[nodiscard]] std::size_t fenced(const Call& call) const {
    if (fence_ == 0 || call.op == Op::kOverlay || call.size == 0) return call.size;
    const std::size_t fences = front(call.alignment) + fence_;
    return fences < fence_ || call.size > kHuge - fences ? kHuge : call.size + fences;
  }

  [[nodiscard]] std::uintptr_t highest(std::size_t region, std::uintptr_t from) const {
    for (std::size_t i = 0; i < count_[region]; ++i) {
      if (blocks_[region][i].end > from) from = blocks_[region][i].end;
    }
    return from;
  }
  [[nodiscard]] std::uintptr_t head_end() const { return highest(0, base_); }
  [[nodiscard]] std::uintptr_t overlay_end() const { return highest(1, head_end()); }
  [[nodiscard]] std::uintptr_t temp_end() const { return highest(2, overlay_end()); }
  [[nodiscard]] std::uintptr_t tail_begin() const {
    std::uintptr_t lowest = end_;
    for (std::size_t i = 0; i < count_[3]; ++i) {
      if (blocks_[3][i].begin < lowest) lowest = blocks_[3][i].begin;
    }
    return lowest;
  }

  [[nodiscard]] std::uintptr_t low(Region region) const { return region == Region::kOverlay ? head_end() : temp_end(); }

  // False where the address space ends before that.
  static bool round_up(std::uintptr_t& address, std::size_t alignment) {
    const std::uintptr_t rest = address % alignment;
    if (rest == 0) return true;
    const std::uintptr_t before = address;
    address += alignment - rest;
    return address > before;
  }

  [[nodiscard]] Reasons head_is_closed() const {
    Reasons reasons = 0;
    if (scopes_ != 0) reasons |= reason(Status::kTempOpen);
    if (used(Region::kOverlay) != 0) reasons |= reason(Status::kNotOnTop);
    return reasons;
  }

  Answer request(const Call& asked) {
    const Call call = {asked.op, fenced(asked), asked.alignment};
    const auto region = static_cast<Region>(index(call.op));
    Answer answer;
    if (call.op == Op::kHead) answer.reasons = head_is_closed();
    if (call.op == Op::kOverlay && scopes_ != 0) answer.reasons = reason(Status::kTempOpen);
    if (call.op == Op::kOuterTemp && scopes_ > 1) answer.reasons = reason(Status::kScopeOrder);
    const bool power_of_two = call.alignment != 0 && (call.alignment & (call.alignment - 1)) == 0;
    if (!power_of_two) answer.reasons |= reason(Status::kInvalidAlignment);
    if (answer.reasons != 0) return refuse(call, answer);

    if (call.size == 0) {
      const std::uintptr_t address = end_ - end_ % call.alignment;
      if (end_ != base_ && address >= base_) {
        answer.block = {address, address, 0, 0};
        return answer;
      }
      // Not for memory: there is no such address.
      if (end_ != base_) {
        answer.reasons = reason(Status::kMisaligned);
        return refuse(call, answer);
      }
      return refuse_for_memory(call, region, answer);
    }
    if (region == Region::kTail && call.size <= kMaxSize && call.alignment > tail_alignment_) {
      tail_alignment_ = call.alignment;
    }
    std::uintptr_t address = low(region);
    const std::uintptr_t top = tail_begin();
    if (!round_up(address, call.alignment) || address > top || top - address < call.size) {
      return refuse_for_memory(call, region, answer);
    }
    // The tail takes the highest place, all others the lowest.
    if (region == Region::kTail) address = top - call.size - (top - call.size) % call.alignment;
    const bool has_front = call.op != Op::kOverlay;
    answer.block = {address, address + call.size, has_front ? static_cast<std::uint32_t>(front(call.alignment)) : 0, 0};
    blocks_[index(call.op)][count_[index(call.op)]++] = answer.block;
    return answer;
  }

  Answer refuse(const Call& call, const Answer& answer) {
    ++failures_;
    failure_ = {};
    failure_.requested = call.size;
    failure_.alignment = call.alignment;
    return answer;
  }

  // By how much would the free memory have to be larger? By how much may the request be smaller?
  Answer refuse_for_memory(const Call& call, Region region, Answer answer) {
    if (end_ == base_) answer.reasons |= reason(Status::kNullMemory);
    if (call.size > kMaxSize) answer.reasons |= reason(Status::kSizeOverflow);
    if (answer.reasons == 0) answer.reasons = reason(Status::kOutOfMemory);
    refuse(call, answer);
    failure_.available = room(region, call.alignment);
    std::uintptr_t from = low(region);
    (void)round_up(from, call.alignment);  // as if the address space went on: what wraps is still so far from the base
    const std::uintptr_t end = call.size <= kHuge - (from - base_) ? from - base_ + call.size : kHuge;
    failure_.missing = end - (tail_begin() - base_);
    return answer;
  }

  std::uintptr_t base_;
  std::uintptr_t end_;
  std::size_t fence_;
  std::size_t count_[4] = {};
  std::size_t peak_[5] = {};
  std::size_t scopes_ = 0;
  std::size_t marks_[2] = {};
  std::size_t failures_ = 0;
  std::size_t tail_alignment_ = 1;
  arenite::Failure failure_;
  std::size_t scope_[kMostScopes] = {};  // temp blocks when it was opened
  std::size_t mark_[2][kMostMarkers] = {};
  Block blocks_[4][kMostBlocks];
};

// --- the arena under test --------------------------------------------------------------------------------------------

// An arena with this observer.
template <class O = Unobserved>
class Subject {
 public:
  Subject(void* memory, std::size_t capacity) : arena_(state_, memory, capacity, observer_) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  ~Subject() {
    while (scopes_ != lost_) close();
  }

  [[nodiscard]] const BasicArenaRef<O>& arena() const { return arena_; }
  [[nodiscard]] O& observer() { return observer_; }

  [[nodiscard]] std::size_t marks(Region end) const { return end == Region::kHead ? head_marks_ : tail_marks_; }

  // Releases the marker that was made in place `i`, whatever became of it; one of no arena if none was.
  template <Region kEnd>
  Status release(std::size_t i) {
    if constexpr (kEnd == Region::kHead) {
      return arena_.head().release(heads_[i]);
    } else {
      return arena_.release(tails_[i]);
    }
  }

  // Closes a scope in which others are still open.
  void close_outermost() {
    scope(0)->~Scope();
    lost_ = 1;
  }

  template <class P>
  arenite::Overlay<P> overlay(const P& plan) {
    return arena_.overlay(plan);
  }

  // What was to be closed may be gone, where a trace runs in less memory than it was made for: then nothing is done.
  Outcome apply(const Call& call) {
    switch (call.op) {
      case Op::kHead:
        return block(arena_.head().allocate(call.size, call.alignment));
      case Op::kOverlay:
        return block(arena_.overlay(call.size, call.alignment));
      case Op::kTemp:
        if (scopes_ == 0) return {};
        return block(scope(scopes_ - 1)->allocate(call.size, call.alignment));
      case Op::kOuterTemp:
        if (scopes_ == 0) return {};
        return block(scope(0)->allocate(call.size, call.alignment));
      case Op::kTail:
        return block(arena_.allocate(call.size, call.alignment));
      case Op::kOpen:
        if (scopes_ % 2 == 0) {
          ::new (slots_[scopes_].bytes) Scope(arena_.temp());
        } else {
          ::new (slots_[scopes_].bytes) Scope(scope(scopes_ - 1)->temp());
        }
        ++scopes_;
        return {};
      case Op::kClose:
        if (scopes_ != 0) close();
        return {};
      case Op::kMarkHead:
        heads_[head_marks_++] = arena_.head().mark();
        return {};
      case Op::kMarkTail:
        tails_[tail_marks_++] = arena_.mark();
        return {};
      case Op::kReleaseHead: {
        if (head_marks_ == 0) return {};
        const Status status = arena_.head().release(heads_[head_marks_ - 1]);
        if (status == Status::kOk) --head_marks_;
        return {status, 0};
      }
      case Op::kReleaseTail: {
        if (tail_marks_ == 0) return {};
        const Status status = arena_.release(tails_[tail_marks_ - 1]);
        if (status == Status::kOk) --tail_marks_;
        return {status, 0};
      }
      case Op::kReleaseOverlay:
        return {arena_.release_overlay(), 0};
      default: {
        const Status status = arena_.reset();
        if (status == Status::kOk) head_marks_ = tail_marks_ = 0;
        return {status, 0};
      }
    }
  }

 private:
  using Scope = BasicTempScope<O>;
  struct Slot {
    alignas(Scope) std::byte bytes[sizeof(Scope)];
  };

  Scope* scope(std::size_t i) { return static_cast<Scope*>(static_cast<void*>(slots_[i].bytes)); }
  void close() { scope(--scopes_)->~Scope(); }
  [[nodiscard]] Outcome block(const void* pointer) const {
    if (pointer == nullptr) return {arena_.last_failure().what, 0};
    return {Status::kOk, address_of(pointer)};
  }

  ArenaState state_;
  O observer_{};
  BasicArenaRef<O> arena_;
  std::size_t scopes_ = 0;
  std::size_t lost_ = 0;  // of these, that are open for good
  std::size_t head_marks_ = 0;
  std::size_t tail_marks_ = 0;
  Slot slots_[kMostScopes];
  Marker<Region::kHead, O> heads_[kMostMarkers];
  Marker<Region::kTail, O> tails_[kMostMarkers];
};

// The same for a dry run, one at a time. What it answers is whether an arena that is large enough would grant the call.
class DrySubject {
 public:
  explicit DrySubject(std::size_t base, std::size_t fence = 0) : run_(base, fence) {}
  DrySubject(const DrySubject&) = delete;
  DrySubject& operator=(const DrySubject&) = delete;
  ~DrySubject() {
    while (scopes_ != 0) close();
  }

  [[nodiscard]] const DryRun& run() const { return run_; }

  bool apply(const Call& call) {
    switch (call.op) {
      case Op::kHead:
        return run_.head().allocate(call.size, call.alignment);
      case Op::kOverlay:
        return run_.overlay(call.size, call.alignment);
      case Op::kTemp:
        return scope(scopes_ - 1)->allocate(call.size, call.alignment);
      case Op::kOuterTemp:
        return scope(0)->allocate(call.size, call.alignment);
      case Op::kTail:
        return run_.allocate(call.size, call.alignment);
      case Op::kOpen:
        ::new (slots_[scopes_++].bytes) DryRun::TempScope(run_.temp());
        return true;
      case Op::kClose:
        close();
        return true;
      case Op::kMarkHead:
        heads_[head_marks_++] = run_.head().mark();
        return true;
      case Op::kMarkTail:
        tails_[tail_marks_++] = run_.mark();
        return true;
      case Op::kReleaseHead:
        if (!run_.head().release(heads_[head_marks_ - 1])) return false;
        --head_marks_;
        return true;
      case Op::kReleaseTail:
        return run_.release(tails_[--tail_marks_]);
      case Op::kReleaseOverlay:
        return run_.release_overlay();
      default:
        if (!run_.reset()) return false;
        head_marks_ = tail_marks_ = 0;
        return true;
    }
  }

 private:
  struct Slot {
    alignas(DryRun::TempScope) std::byte bytes[sizeof(DryRun::TempScope)];
  };
  DryRun::TempScope* scope(std::size_t i) {
    return static_cast<DryRun::TempScope*>(static_cast<void*>(slots_[i].bytes));
  }
  void close() { scope(--scopes_)->~TempScope(); }

  DryRun run_;
  std::size_t scopes_ = 0;
  std::size_t head_marks_ = 0;
  std::size_t tail_marks_ = 0;
  Slot slots_[kMostScopes];
  // Too large for the stack of a board.
  static inline DryRun::Marker<Region::kHead> heads_[kMostMarkers] = {};
  static inline DryRun::Marker<Region::kTail> tails_[kMostMarkers] = {};
};

// --- what is compared ------------------------------------------------------------------------------------------------

template <class O, class M>
const char* first_difference(const BasicArenaRef<O>& arena, const M& model) {
  for (const Region region : kEveryRegion) {
    if (arena.used(region) != model.used(region)) return "used of a region";
    if (arena.peak(region) != model.peak(region)) return "peak of a region";
    for (const std::size_t alignment : {1u, 8u}) {
      if (arena.available(region, alignment) != model.available(region, alignment)) return "available";
    }
  }
  if (arena.used() != model.used()) return "used";
  if (arena.peak() != model.peak()) return "peak";
  if (arena.open_temps() != model.scopes()) return "open_temps";
  if (arena.failures() != model.failures()) return "failures";
  const arenite::Failure failure = arena.last_failure();
  if (failure.requested != model.failure().requested) return "requested";
  if (failure.alignment != model.failure().alignment) return "alignment";
  if (failure.available != model.failure().available) return "available at the failure";
  if (failure.missing != model.failure().missing) return "missing";
  if (model.failures() != 0 && failure.required != arena.required()) return "required of the failure";
  if (!arena.check()) return "check()";
  return nullptr;
}

template <class M>
const char* first_difference(const Outcome& outcome, const typename M::Answer& answer, const Call& call,
                             const M& model) {
  if (answer.reasons != 0) {
    if (outcome.status == Status::kOk) return "granted, but it should be refused";
    return (answer.reasons & reason(outcome.status)) != 0 ? nullptr : "why it is refused";
  }
  if (outcome.status != Status::kOk) return "refused, but it should be granted";
  if (!is_request(call.op)) return nullptr;
  if (outcome.address != answer.block.address()) return "the address";
  if (outcome.address % call.alignment != 0) return "the alignment";
  const auto region = call.op == Op::kOuterTemp ? Region::kTemp : static_cast<Region>(call.op);
  if (call.size != 0 && !model.disjoint(answer.block, region)) return "overlaps or leaves the arena";
  return nullptr;
}

template <class O, class M>
const char* required_difference(const BasicArenaRef<O>& arena, const M& unlimited) {
  if (arena.required() != unlimited.required()) return "required";
  for (const Region region : kEveryRegion) {
    if (arena.required(region) != unlimited.peak(region)) return "required of a region";
  }
  return nullptr;
}

inline std::string describe(const Call* calls, std::size_t count) {
  static constexpr const char* kNames[] = {"head",         "overlay",         "temp",      "tail",         "outer temp",
                                           "open",         "close",           "mark head", "release head", "mark tail",
                                           "release tail", "release overlay", "reset"};
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += std::string("\n  ") + kNames[static_cast<std::size_t>(calls[i].op)];
    if (!is_request(calls[i].op)) continue;
    text += "(" + std::to_string(calls[i].size) + ", " + std::to_string(calls[i].alignment) + ")";
  }
  return text;
}

// How many requests are refused because the arena is too small. Those for zero bytes don't count.
template <class O = Unobserved>
std::size_t refused_for_memory(void* memory, std::size_t capacity, const Call* calls, std::size_t count) {
  Subject<O> subject(memory, capacity);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Status status = subject.apply(calls[i]).status;
    if ((reason(status) & kMemory) != 0 && calls[i].size != 0) ++refused;
  }
  return refused;
}

// `required` bytes do, and the next size for which the promise is made does not.
template <class O = Unobserved>
const char* broken_promise(void* memory, std::size_t required, std::size_t step, const Call* calls, std::size_t count) {
  if (refused_for_memory<O>(memory, required, calls, count) != 0) return "required is too little";
  if (required != 0 && refused_for_memory<O>(memory, required - step, calls, count) == 0) return "required is too much";
  return nullptr;
}

// --- calls by numbers that somebody chooses
// -----------------------------------------------------------------------------

// `random.below(end)` is a number from 0 to end - 1. What is not sound asks now and then for more than can be.
template <class Random>
Call random_call(Random& random, bool sound) {
  // Requests outnumber what gives back, so that arenas do fill.
  static constexpr Op kOps[] = {Op::kHead,     Op::kHead,        Op::kOverlay,  Op::kTemp,          Op::kTemp,
                                Op::kTemp,     Op::kTail,        Op::kTail,     Op::kTail,          Op::kOuterTemp,
                                Op::kOpen,     Op::kClose,       Op::kMarkHead, Op::kReleaseHead,   Op::kMarkTail,
                                Op::kMarkTail, Op::kReleaseTail, Op::kReset,    Op::kReleaseOverlay};
  Call call;
  call.op = kOps[random.below(sizeof(kOps) / sizeof(kOps[0]))];
  if (call.op == Op::kReset && random.below(4) != 0) call.op = Op::kTail;
  if (!is_request(call.op)) return call;
  call.size = random.below(random.below(3) == 0 ? 200 : 20);
  call.alignment = std::size_t{1} << random.below(random.below(4) == 0 ? 9 : 5);
  if (sound || random.below(12) != 0) return call;
  const std::size_t near = random.below(20);
  switch (random.below(6)) {
    case 0:
      call.size = kHuge - near;
      break;
    case 1:
      call.size = kMaxSize - near;
      break;
    case 2:
      call.size = kMaxSize + near;
      break;
    case 3:
      call.size = kMaxSize / 2 + near;
      break;
    case 4:
      call.alignment = random.below(100);
      break;
    default:
      call.alignment = (kMaxSize + 1) >> random.below(3);
  }
  return call;
}

// One arena and its model, with each block full of a pattern of its own as long as it lives.
template <class O, std::size_t kMostBlocks>
class Game {
 public:
  Game(void* memory, std::size_t size) : Game(memory, size, size) {}

  // Of the size only `capacity` can be used.
  Game(void* memory, std::size_t size, std::size_t capacity)
      : model_(address_of(memory), capacity, O::kFence), subject_(memory, size) {}

  [[nodiscard]] Subject<O>& subject() { return subject_; }
  [[nodiscard]] const Model<kMostBlocks>& model() const { return model_; }

  // Makes a call that the model thinks possible. Null, or what is wrong. `writes`: whether there is memory behind the
  // addresses.
  const char* make(const Call& call, bool writes = true) {
    return make(call, writes, [this](const Call& one) { return subject_.apply(one); });
  }

  // The same for a call of another kind that is to have the same outcome.
  template <class Apply>
  const char* make(const Call& call, bool writes, Apply apply) {
    const auto answer = model_.apply(call);
    const Outcome outcome = apply(call);
    const char* what = first_difference(outcome, answer, call, model_);
    if (what == nullptr) what = first_difference(subject_.arena(), model_);
    if (what != nullptr || !writes) return what;
    const bool write = is_request(call.op) && answer.reasons == 0 && call.size != 0;
    if (write) {
      pattern_ = static_cast<std::uint8_t>(pattern_ % 255 + 1);
      model_.set_pattern(call.op, pattern_);
      std::memset(reinterpret_cast<void*>(outcome.address), pattern_, call.size);
    }
    return write || ++calls_ % 16 == 0 ? look() : nullptr;
  }

  // Whether each block still has its bytes.
  [[nodiscard]] const char* look() const {
    const char* what = nullptr;
    model_.visit([&](std::uintptr_t address, std::size_t size, std::uint8_t pattern) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(address);
      for (std::size_t i = 0; i < size; ++i) {
        if (bytes[i] != pattern) what = "a byte that another block wrote";
      }
    });
    return what;
  }

 private:
  Model<kMostBlocks> model_;
  Subject<O> subject_;
  std::uint8_t pattern_ = 0;
  std::size_t calls_ = 0;
};

// Never reached by short traces, and a multiple of their alignments.
inline constexpr std::size_t kUnlimited = 1u << 16;

// Some sound calls, as a trace that can be made again.
template <std::size_t kLength>
struct Trace {
  Call calls[kLength];
  std::size_t count = 0;
};

// Whatever the capacity, `required` is the same, and holds what it promises; a dry run knows it to the byte. Null, or
// what is wrong. `memory` has `size` bytes, which are `offset` from a multiple of 512.
template <class O, std::size_t kMostBlocks, std::size_t kLength, class Random>
const char* check_promises(Random& random, std::byte* memory, std::size_t size, std::size_t offset,
                           Trace<kLength>& trace) {
  Model<kMostBlocks> unlimited(address_of(memory), kUnlimited, O::kFence);
  DrySubject dry(random.below(2) == 0 ? offset : address_of(memory), O::kFence);
  trace.count = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    const Call call = random_call(random, true);
    if (!unlimited.possible(call)) continue;
    trace.calls[trace.count++] = call;
    const bool granted = unlimited.apply(call).reasons == 0;
    if (granted && !dry.apply(call)) return "a dry run refuses what can be granted";
  }
  const std::size_t required = unlimited.required();
  if (required > size) return "the memory of this test is too small";
  const char* what = broken_promise<O>(memory, required, unlimited.tail_alignment(), trace.calls, trace.count);
  if (what == nullptr) what = broken_promise<O>(memory, dry.run().required(), 1, trace.calls, trace.count);

  // In an arena that is too small, as long as it is the same trace.
  const std::size_t capacity = random.below(required + 1);
  Model<kMostBlocks> limited(address_of(memory), capacity, O::kFence);
  Model<kMostBlocks> need(address_of(memory), kUnlimited, O::kFence);
  Subject<O> subject(memory, capacity);
  for (std::size_t i = 0; i < trace.count && what == nullptr; ++i) {
    const Call& call = trace.calls[i];
    if (!limited.possible(call) || !need.possible(call)) break;
    const Reasons reasons = limited.apply(call).reasons;
    if ((need.apply(call).reasons & kOrder) != (reasons & kOrder)) break;
    subject.apply(call);
    what = required_difference(subject.arena(), need);
  }
  return what;
}
}  // namespace arena_model
