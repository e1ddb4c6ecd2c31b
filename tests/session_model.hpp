// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Two sessions in one arena, called by numbers that somebody chooses, against an obvious model of them: which calls
/// succeed, which plans and handles are valid, and that every byte of what is in use stays as it was written. For the
/// tests and for the fuzzer.

#include <arenite/session.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace session_model {

using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::BufferList;
using arenite::Graph;
using arenite::Index;
using arenite::kMaxBuffers;
using arenite::kMaxSize;
using arenite::kNoIndex;
using arenite::Op;
using arenite::ReadyPlan;
using arenite::ReadySession;
using arenite::Region;
using arenite::Scratch;
using arenite::Status;
using arenite::Step;
using arenite::Tensor;
using arenite::TensorKind;

inline constexpr std::size_t kMostCapacity = 10;
inline constexpr Step kLastStep = 5;

inline bool all_are(const void* bytes, std::size_t size, unsigned char value) {
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<const unsigned char*>(bytes)[i] != value) return false;
  }
  return true;
}

inline bool equal(const Buffer& a, const Buffer& b) {
  return a.size == b.size && a.first == b.first && a.last == b.last && a.alignment == b.alignment;
}

// --- what is known of a session
// ---------------------------------------------------------------------------------------

// A buffer of a plan in its place.
struct Live {
  unsigned char* bytes;
  Buffer buffer;
  bool is_scratch;
  std::size_t index;  // of the tensor, or of the handle
  unsigned char pattern;
};

struct Variable {
  unsigned char* bytes;
  std::size_t size;
  unsigned char at_first;
  unsigned char now;
  Index tensor;  // or none
};

template <class S>
struct Player {
  S session;
  bool begun = false;
  bool dead = false;  // the arena was reset
  bool prepared = false;
  bool refused = false;  // scratch
  bool valid = false;
  std::size_t capacity = 0;
  std::size_t plans = 0;

  // Scratch of what is prepared, and of what is in use.
  Scratch pending[kMostCapacity + 1];
  Buffer wanted[kMostCapacity + 1];
  std::size_t asked = 0;
  Scratch handles[kMostCapacity + 1];
  std::size_t handle_count = 0;
  Scratch stale[8];
  std::size_t stale_count = 0;

  Live live[kMostCapacity + 1];
  std::size_t live_count = 0;
  Index view = kNoIndex;
  std::size_t view_offset = 0;

  // The table in use, to know an equal one.
  Buffer table[kMostCapacity];
  std::size_t tensors = 0;
  bool is_graph = false;
  int ready_plan = 0;

  Variable variables[24];
  std::size_t variable_count = 0;

  void remember(const Scratch& handle) { stale[stale_count++ % 8] = handle; }
  void give_up_pending() {
    for (std::size_t i = 0; i < asked; ++i) {
      const bool in_use = i < handle_count && std::memcmp(pending + i, handles + i, sizeof(Scratch)) == 0;
      if (!in_use) remember(pending[i]);
    }
    asked = 0;
    refused = false;
  }
  void take_pending() {
    for (std::size_t i = 0; i < handle_count; ++i) remember(handles[i]);
    for (std::size_t i = 0; i < asked; ++i) handles[i] = pending[i];
    handle_count = asked;
  }
  void forget() {
    give_up_pending();
    take_pending();
    begun = dead = prepared = valid = false;
    live_count = variable_count = 0;
    view = kNoIndex;
  }
};

template <class S>
inline constexpr bool is_ready = std::is_same_v<S, ReadySession<>>;

// The plans of sessions that take one: the tensors first, then scratch.
inline constexpr Buffer kFirst[] = {{40, 0, 1, 8}, {64, 1, 3, 16}, {24, 3, 5, 4}, {16, 2, 2, 8}};
inline constexpr Buffer kSecond[] = {{200, 0, 2, 4}, {90, 2, 5, 2}, {30, 0, 1, 1}, {50, 4, 5, 8}, {8, 1, 1, 4}};
inline constexpr Buffer kThird[] = {{7, 0, 5, 1}};
inline constexpr auto kFirstPlan = arenite::plan(kFirst);
inline constexpr auto kSecondPlan = arenite::plan(kSecond);
inline constexpr auto kThirdPlan = arenite::plan(kThird);
inline constexpr ReadyPlan kReadyPlans[] = {arenite::ready(kFirstPlan, BufferList(kFirst, 3)),
                                            arenite::ready(kSecondPlan, BufferList(kSecond, 3)),
                                            arenite::ready(kThirdPlan, kThird)};
inline constexpr BufferList kReadyLists[] = {kFirst, kSecond, kThird};
inline constexpr std::size_t kReadyTensors[] = {3, 3, 1};

// --- the game --------------------------------------------------------------------------------------------------------

inline constexpr std::size_t kMemory = 24576;
inline constexpr std::size_t kGuard = 64;
alignas(256) inline unsigned char memory[kMemory + 3 * kGuard];

// `random.below(end)` is a number from 0 to end - 1.
template <class A, class B, class Random>
class Game {
 public:
  Game(Random& random, std::size_t offset, std::size_t size)
      : random_(random), begin_(kGuard + offset), size_(size), arena_(state_, memory + begin_, size) {
    std::memset(memory, 0xC3, sizeof(memory));
  }

  // Makes a call, looks at everything, and goes on with a run of a model. Null, or what is wrong.
  const char* step() {
    call(0);
    if (what_ == nullptr) look();
    if (what_ == nullptr) run();
    if (what_ == nullptr && steps_++ % 64 == 0) look_around();
    return what_;
  }

  // Of sessions and of their arena, without those that only look.
  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  void expect(bool condition, const char* what) {
    if (!condition && what_ == nullptr) what_ = what;
  }
  std::size_t below(std::size_t end) { return random_.below(static_cast<std::uint32_t>(end)); }

  // --- calls ---------------------------------------------------------------------------------------------------------

  void call(std::size_t depth) {
    ++calls_;
    const std::size_t failures = arena_.failures();
    const bool first = below(2) == 0;
    const std::size_t used = arena_.used();
    const std::size_t op = below(100);
    changes_ = false;
    if (op < 78) {
      first ? session_call(std::get<0>(players_), 0, op) : session_call(std::get<1>(players_), 1, op);
    } else if (op < 84) {
      if (depth < 2) {
        auto temp = arena_.temp();
        const std::size_t size = below(60);
        auto* const block = static_cast<unsigned char*>(temp.allocate(size, std::size_t{1} << below(5)));
        if (block != nullptr) std::memset(block, 0x3C, size);
        ++temps_;
        for (std::size_t i = below(3); i > 0 && what_ == nullptr; --i) {
          call(depth + 1);
          if (what_ == nullptr) look();
        }
        --temps_;
        expect(block == nullptr || all_are(block, size, 0x3C), "somebody wrote to a temp scope's block");
      }
      return;
    } else if (op < 88) {
      if (mark_count_ < kMostMarks) {
        Mark& mark = marks_[mark_count_++];
        mark.owner = kUser;
        mark.tail = arena_.used(Region::kTail);
        mark.marker = arena_.mark();
        if (below(2) == 0) (void)arena_.allocate(below(20), 1);
        changes_ = true;
      }
    } else if (op < 96) {
      if (mark_count_ != 0 && marks_[mark_count_ - 1].owner == kUser) {
        expect(arena_.release(marks_[mark_count_ - 1].marker) == Status::kOk, "a user's marker is not released");
        pop();
        changes_ = true;
      }
    } else if (op < 98) {
      const Status status = arena_.release_overlay();
      expect(status == (temps_ != 0 ? Status::kTempOpen : Status::kOk), "release of the overlay");
      if (status == Status::kOk) std::get<0>(players_).valid = std::get<1>(players_).valid = false;
      changes_ = true;
    } else if (op < 99) {
      const Status status = arena_.reset();
      expect(status == (temps_ != 0 ? Status::kTempOpen : Status::kOk), "reset");
      if (status == Status::kOk) {
        mark_count_ = 0;
        reset(std::get<0>(players_));
        reset(std::get<1>(players_));
      }
      changes_ = true;
    } else {
      const bool on_top = arena_.used(Region::kOverlay) == 0 && temps_ == 0;
      void* const block = arena_.head().allocate(1 + below(9), 1);
      expect(on_top || block == nullptr, "the head grew under an overlay");
      changes_ = true;
    }
    expect(changes_ || arena_.used() == used, "a refused call took or gave memory");
    expect(arena_.failures() == failures || size_ < kMemory || temps_ != 0 || changes_ || huge_,
           "a request was refused where there is room");
    huge_ = false;
  }

  template <class S>
  void reset(Player<S>& player) {
    if (player.begun) player.dead = true;
    player.valid = false;
    player.variable_count = 0;
  }

  void pop() {
    --mark_count_;
    expect(arena_.used(Region::kTail) == marks_[mark_count_].tail, "the tail is not where it was");
  }

  template <class S>
  bool is_latest(const Player<S>& player, std::size_t who) const {
    return player.begun && !player.dead && mark_count_ != 0 && marks_[mark_count_ - 1].owner == who;
  }

  // Out of memory is an answer where there is little; nothing has changed then.
  bool out_of_memory(Status status) {
    return size_ < kMemory && (status == Status::kOutOfMemory || status == Status::kNullMemory);
  }

  template <class S>
  void session_call(Player<S>& player, std::size_t who, std::size_t op) {
    if (op < 10) return begin(player, who);
    if (op < 14) return unload(player, who);
    if (op < 24) return replan(player, who);
    if (op < 38) return scratch(player, who);
    if (op < 46) return variable(player, who);
    if (op < 49) return reset_variables(player);
    if (op < 52) return share(player, who);
    commit(player, who);
  }

  template <class S>
  void begin(Player<S>& player, std::size_t who) {
    if (mark_count_ == kMostMarks) return;
    const std::size_t tail = arena_.used(Region::kTail);
    Status status;
    std::size_t capacity = 1 + below(kMostCapacity);
    Status expected = player.begun ? Status::kLoaded : Status::kOk;
    const int which = static_cast<int>(below(3));
    if constexpr (is_ready<S>) {
      status = player.session.begin(arena_, kReadyPlans[which]);
    } else {
      if (below(10) == 0) {
        capacity = below(2) == 0 ? 0 : kMaxBuffers + 1;
        if (!player.begun) expected = Status::kTooManyBuffers;
      }
      status = player.session.begin(arena_, capacity);
      if (!player.begun && expected == Status::kOk && out_of_memory(status)) return;
      if (player.begun && status == Status::kTooManyBuffers) status = expected;  // either reason
    }
    expect(status == expected, "begin");
    if (status != Status::kOk || what_ != nullptr) return;
    player.forget();
    player.begun = player.prepared = true;
    player.capacity = capacity;
    player.ready_plan = which;
    marks_[mark_count_].owner = who;
    marks_[mark_count_++].tail = tail;
    changes_ = true;
  }

  template <class S>
  void unload(Player<S>& player, std::size_t who) {
    const Status status = player.session.unload();
    if (!player.begun) return expect(status == Status::kOk, "unload of what is not begun");
    if (player.dead) {
      expect(status == Status::kStale, "unload after a reset");
      return player.forget();
    }
    if (!is_latest(player, who)) return expect(status == Status::kMarkerOrder, "unload in the wrong order");
    const bool overlay_goes = mark_count_ == 1;
    if (overlay_goes && temps_ != 0) return expect(status == Status::kTempOpen, "unload while a temp scope is open");
    expect(status == Status::kOk, "unload");
    expect(!overlay_goes || arena_.used(Region::kOverlay) == 0, "the overlay stays");
    pop();
    player.forget();
    changes_ = true;
  }

  template <class S>
  void replan(Player<S>& player, std::size_t who) {
    Status status;
    const int which = static_cast<int>(below(3));
    const std::size_t used = arena_.used();
    if constexpr (is_ready<S>) {
      status = player.session.replan(kReadyPlans[which]);
    } else {
      status = player.session.replan();
    }
    if (!player.begun) return expect(status == Status::kStale, "replan of what is not begun");
    if (player.dead) return expect(status != Status::kOk, "replan after a reset");
    if (!is_latest(player, who)) return expect(status == Status::kMarkerOrder, "replan of the older one");
    if (out_of_memory(status)) return expect(arena_.used() == used, "a refused table");
    expect(status == Status::kOk, "replan");
    player.give_up_pending();
    player.prepared = true;
    player.ready_plan = which;
    changes_ = true;
  }

  Buffer random_buffer(bool sound) {
    Buffer buffer;
    buffer.size = below(8) == 0 ? 0 : 1 + below(below(5) == 0 ? 300 : 60);
    buffer.first = static_cast<Step>(below(kLastStep + 1u));
    buffer.last = static_cast<Step>(buffer.first + below(kLastStep + 1u - buffer.first));
    buffer.alignment = std::size_t{1} << below(7);
    if (sound || below(30) != 0) return buffer;
    const std::size_t fault = below(3);
    if (fault == 0) buffer.alignment = 3 * below(3);
    if (fault == 1 && buffer.first != 0) buffer.last = static_cast<Step>(buffer.first - 1);
    if (fault == 2) buffer.size = kMaxSize + 1 + below(3);
    return buffer;
  }

  template <class S>
  void scratch(Player<S>& player, std::size_t who) {
    Buffer buffer = random_buffer(false);
    bool granted = false;
    if constexpr (is_ready<S>) {
      if (!player.begun || player.dead) return;
      const BufferList list = kReadyLists[player.ready_plan];
      const std::size_t next = kReadyTensors[player.ready_plan] + player.asked;
      if (next < list.count() && below(8) != 0) buffer = list[next];
      granted = next < list.count() && buffer.size <= list[next].size && buffer.alignment.valid() &&
                (buffer.size == 0 || buffer.alignment.bytes() <= list[next].alignment.bytes());
      if (granted && buffer.size != 0 && buffer.alignment.bytes() > list[next].alignment.bytes()) return;
      if (!granted && buffer.size != 0 && next < list.count() && buffer.size <= list[next].size) return;  // by luck
      (void)who;
    } else {
      const bool in_order = is_latest(player, who) && player.prepared && !player.dead;
      if (!in_order || player.refused) {  // an empty handle, which changes nothing
        const Scratch handle = player.session.scratch(buffer);
        expect(!handle, "scratch out of order");
        return player.remember(handle);
      }
      granted = player.asked < player.capacity;
    }
    const Scratch handle = player.session.scratch(buffer);
    expect(player.session.template data<char>(handle, 0) == nullptr, "scratch is there too early");
    expect(static_cast<bool>(handle) == granted, "an empty handle");
    if (!granted) {
      player.refused = true;
      return player.remember(handle);
    }
    player.wanted[player.asked] = buffer;
    player.pending[player.asked++] = handle;
  }

  template <class S>
  void variable(Player<S>& player, std::size_t who) {
    if (player.variable_count >= 12) return;
    const std::size_t size = 1 + below(20);
    const auto value = static_cast<unsigned char>(below(256));
    unsigned char* const bytes = player.session.template variable<unsigned char>(size, value);
    if (!is_latest(player, who)) return expect(bytes == nullptr, "a variable of the older one");
    if (bytes == nullptr) return expect(size_ < kMemory, "no variable");
    expect(all_are(bytes, size, value), "a variable is not what it is to be");
    player.variables[player.variable_count++] = {bytes, size, value, value, kNoIndex};
    changes_ = true;
  }

  template <class S>
  void reset_variables(Player<S>& player) {
    if (player.dead) return;
    if (player.variable_count == 0 || below(2) == 0) {
      player.session.reset_variables();
      for (std::size_t i = 0; i < player.variable_count; ++i) player.variables[i].now = player.variables[i].at_first;
      return;
    }
    Variable& variable = player.variables[below(player.variable_count)];
    expect(player.session.reset_variable(variable.bytes) == Status::kOk, "a variable is not known");
    variable.now = variable.at_first;
  }

  template <class S>
  void share(Player<S>& player, std::size_t who) {
    static constexpr char kTables[] = "abcabcabd";
    const std::size_t at = below(3);
    const std::size_t size = 1 + below(6);
    if (player.dead) return;
    const void* const table = player.session.share(kTables + at, size, std::size_t{1} << below(5));
    if (table != nullptr) expect(std::memcmp(table, kTables + at, size) == 0, "a shared table has other bytes");
    if (is_latest(player, who)) {
      expect(table != nullptr || size_ < kMemory, "no shared table");
      changes_ = true;
    }
  }

  // --- commit --------------------------------------------------------------------------------------------------------

  template <class S>
  Status expected_of_commit(const Player<S>& player, std::size_t who, bool& either) const {
    if (!player.begun) return Status::kStale;
    if (!is_latest(player, who)) return Status::kMarkerOrder;
    either = player.refused && !player.prepared;
    if (player.refused) return is_ready<S> ? Status::kMismatch : Status::kTooManyBuffers;
    return player.prepared ? Status::kOk : Status::kStale;
  }

  template <class S>
  void commit(Player<S>& player, std::size_t who) {
    bool either = false;
    const Status expected = expected_of_commit(player, who, either);
    if constexpr (is_ready<S>) {
      commit_ready(player, expected);
    } else if (below(3) == 0) {
      commit_graph(player, expected, either);
    } else {
      commit_list(player, expected, either);
    }
  }

  void commit_ready(Player<ReadySession<>>& player, Status expected) {
    const BufferList list = kReadyLists[player.ready_plan];
    const std::size_t tensors = kReadyTensors[player.ready_plan];
    const std::size_t used = arena_.used();
    const Status status = player.session.commit();
    if (player.dead) return expect(status != Status::kOk, "commit after a reset");
    if (expected == Status::kOk && tensors + player.asked != list.count()) expected = Status::kMismatch;
    if (expected == Status::kOk && temps_ != 0) expected = Status::kTempOpen;
    if (expected == Status::kOk && out_of_memory(status)) {
      return expect(arena_.used() == used, "a refused overlay");
    }
    expect(status == expected, "commit of a ready plan");
    if (status != Status::kOk || what_ != nullptr) return;
    if (player.asked != player.handle_count ||
        std::memcmp(player.pending, player.handles, player.asked * sizeof(Scratch)) != 0) {
      player.take_pending();
    }
    settle(player, list.data(), tensors);
    for (std::size_t i = 0; i < player.asked; ++i) {
      Buffer planned = list[tensors + i];
      add(player, planned, true, i);
    }
    player.valid = true;
  }

  // The tensors of a plan that is in use from now on.
  template <class S>
  void settle(Player<S>& player, const Buffer* tensors, std::size_t count) {
    player.live_count = 0;
    player.view = kNoIndex;
    for (std::size_t i = 0; i < count; ++i) {
      if (tensors[i].size != 0) add(player, tensors[i], false, i);
    }
    if (running_ == &player) running_ = nullptr;
    changes_ = true;
  }
  template <class S>
  void add(Player<S>& player, const Buffer& buffer, bool is_scratch, std::size_t index) {
    if (buffer.size == 0) return;
    Live& live = player.live[player.live_count++];
    live.buffer = buffer;
    live.is_scratch = is_scratch;
    live.index = index;
    live.bytes = is_scratch ? player.session.template data<unsigned char>(player.handles[index], buffer.size)
                            : player.session.template data<unsigned char>(index, buffer.size);
    expect(live.bytes != nullptr, "a planned buffer is not there");
    expect((reinterpret_cast<std::uintptr_t>(live.bytes) & buffer.alignment.mask()) == 0, "misaligned");
    expect(live.bytes >= memory + begin_ && live.bytes + buffer.size <= memory + begin_ + size_, "outside");
  }

  // What stands in the table: tensors, nothing, the last scratch first.
  template <class S>
  bool becomes_the_table(Player<S>& player, const Buffer* tensors, std::size_t count, bool is_graph) {
    Buffer table[kMostCapacity];
    for (std::size_t i = 0; i < count; ++i) table[i] = tensors[i];
    for (std::size_t i = 0; i < player.asked; ++i) table[player.capacity - 1 - i] = player.wanted[i];
    bool same = player.valid && player.is_graph == is_graph && player.tensors == count;
    for (std::size_t i = 0; i < player.capacity; ++i) same = same && equal(table[i], player.table[i]);
    return same;
  }
  template <class S>
  void take_table(Player<S>& player, const Buffer* tensors, std::size_t count, bool is_graph) {
    for (std::size_t i = 0; i < player.capacity; ++i) player.table[i] = i < count ? tensors[i] : Buffer{};
    for (std::size_t i = 0; i < player.asked; ++i) player.table[player.capacity - 1 - i] = player.wanted[i];
    player.tensors = count;
    player.is_graph = is_graph;
  }

  // The first buffer that no planner takes.
  template <class S>
  Status fault_of(const Player<S>& player, const Buffer* tensors, std::size_t count, Index& culprit) {
    for (std::size_t i = 0; i < player.capacity; ++i) {
      Buffer buffer;
      if (i < count) buffer = tensors[i];
      if (i >= player.capacity - player.asked) buffer = player.wanted[player.capacity - 1 - i];
      culprit = static_cast<Index>(i);
      if (buffer.size > kMaxSize) huge_ = true;
      if (!buffer.alignment.valid()) return Status::kInvalidAlignment;
      if (buffer.last < buffer.first) return Status::kInvalidLifetime;
      if (buffer.size > kMaxSize) return Status::kSizeOverflow;
    }
    culprit = kNoIndex;
    return Status::kOk;
  }

  template <class S>
  void finish(Player<S>& player, Status status, Status expected, bool either, bool same, const Buffer* tensors,
              std::size_t count, bool is_graph) {
    if (player.dead) return expect(status != Status::kOk, "commit after a reset");
    if (player.refused && expected == Status::kTooManyBuffers) {  // for whatever reason it was
      const bool known =
          status == Status::kTooManyBuffers || status == Status::kMarkerOrder || status == Status::kStale;
      return expect(known, "commit after scratch was refused");
    }
    const bool order = expected == Status::kStale || expected == Status::kMarkerOrder || player.refused;
    if (status == Status::kTempOpen && temps_ != 0 && !order) return;  // whatever else is wrong
    if (either && (status == Status::kStale || status == Status::kTooManyBuffers)) return;
    if (expected == Status::kOk && temps_ != 0 && !same) {
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < count; ++i) bytes += tensors[i].size;
      for (std::size_t i = 0; i < player.asked; ++i) bytes += player.wanted[i].size;
      if (bytes != 0) expected = Status::kTempOpen;
    }
    if ((expected == Status::kOk || expected == Status::kTempOpen) && out_of_memory(status)) {
      changes_ = true;  // tables and variables of a graph stay
      return;
    }
    expect(status == expected, is_graph ? "commit of a graph" : "commit of a list");
    if (is_graph) changes_ = true;
    if (status != Status::kOk || what_ != nullptr) return;
    player.take_pending();
    player.asked = 0;
    player.prepared = false;
    if (!same) {
      ++player.plans;
      player.valid = true;
      settle(player, tensors, count);
      for (std::size_t i = 0; i < player.handle_count; ++i) add(player, player.wanted[i], true, i);
    }
    changes_ = true;
  }

  template <class S>
  void commit_list(Player<S>& player, Status expected, bool either) {
    Buffer list[kMostCapacity + 2];
    std::size_t count = below(player.capacity + 1);
    if (below(3) != 0 && count > 4) count = 4;
    for (std::size_t i = 0; i < count; ++i) list[i] = random_buffer(false);
    if (player.valid && !player.is_graph && below(2) == 0) {  // the same again
      count = player.tensors;
      for (std::size_t i = 0; i < count; ++i) list[i] = player.table[i];
    }
    if (below(30) == 0) count = player.capacity + 1 - player.asked;
    bool same = false;
    Index culprit = kNoIndex;
    bool refused_by_planner = false;
    if (expected == Status::kOk && count + player.asked > player.capacity) {
      expected = Status::kTooManyBuffers;
    } else if (expected == Status::kOk) {
      same = becomes_the_table(player, list, count, false);
      expected = fault_of(player, list, count, culprit);
      refused_by_planner = expected != Status::kOk;
    }
    const Status status = player.session.commit(BufferList(list, count));
    if (refused_by_planner && status == expected) {
      expect(player.session.culprit() == culprit, "culprit");
    }
    if (refused_by_planner && out_of_memory(status)) return;  // its working memory
    const std::size_t before = player.plans;
    const std::size_t asked = player.asked;
    finish(player, status, expected, either, same, list, count, false);
    if (status == Status::kOk && player.plans != before) {
      player.asked = asked;
      take_table(player, list, count, false);
      player.asked = 0;
    }
  }

  // A chain of tensors, a variable that each step reads, and a view of the first.
  template <class S>
  void commit_graph(Player<S>& player, Status expected, bool either) {
    const std::size_t chain = 1 + below(5);
    Tensor tensors[8];
    Op ops[6];
    std::size_t smallest = 64;
    for (std::size_t i = 0; i < chain; ++i) {
      tensors[i].size = 8 + below(2) * 16 + (below(6) == 0 ? 200u : 0u);
      tensors[i].alignment = std::size_t{1} << below(6);
      if (tensors[i].size < smallest) smallest = tensors[i].size;
    }
    const Index variable = static_cast<Index>(chain);
    const Index view = static_cast<Index>(chain + 1);
    tensors[variable] = {8 + 8 * below(2), TensorKind::kVariable, std::size_t{1} << below(5)};
    tensors[view] = {4, TensorKind::kActivation, 1, 0, below(4)};
    Index ids[8];
    for (std::size_t i = 0; i < 8; ++i) ids[i] = static_cast<Index>(i);
    for (std::size_t i = 0; i < chain; ++i) {
      ops[i].inputs = i == 0 ? arenite::TensorList(ids + variable, 1) : arenite::TensorList(ids + i - 1, 1);
      ops[i].outputs = arenite::TensorList(ids + i, 1);
    }
    const std::size_t count = chain + 2;
    Graph graph{tensors, count, ops, chain, {}, arenite::TensorList(ids, 1)};
    const bool broken = below(12) == 0;
    if (broken) graph.inputs = arenite::TensorList(ids, 1);  // written twice then
    Buffer buffers[8];
    Index roots[8];
    std::size_t offsets[8];
    const arenite::GraphSummary wanted =
        arenite::lifetimes(tensors, count, ops, chain, graph.inputs, graph.outputs, buffers, roots, offsets);
    bool same = false;
    bool reached = false;
    Index culprit = kNoIndex;
    bool refused_by_planner = false;
    if (expected == Status::kOk && count + player.asked > player.capacity) {
      expected = Status::kTooManyBuffers;
    } else if (expected == Status::kOk) {
      reached = true;
      expected = wanted.status;
      if (expected == Status::kOk) {
        same = becomes_the_table(player, buffers, count, true);
        expected = fault_of(player, buffers, count, culprit);
        refused_by_planner = expected != Status::kOk;
      }
    }
    if (expected == Status::kOk && player.variable_count + 1 >= sizeof(player.variables) / sizeof(Variable)) return;
    arenite::GraphSummary why;
    const Status status = player.session.commit(graph, &why);
    if (reached && (status == expected || status == Status::kOk)) {
      expect(why.status == wanted.status && why.tensor == wanted.tensor && why.op == wanted.op, "why");
    }
    if (refused_by_planner && status == expected) expect(player.session.culprit() == culprit, "culprit of a graph");
    if ((refused_by_planner || broken) && reached && out_of_memory(status)) {
      changes_ = true;
      return;
    }
    const std::size_t before = player.plans;
    const std::size_t asked = player.asked;
    finish(player, status, expected, either, same, buffers, count, true);
    if (reached) changes_ = true;  // tables and variables may be there, whatever became of it
    if (status != Status::kOk || what_ != nullptr) return;
    if (player.plans != before) {
      player.asked = asked;
      take_table(player, buffers, count, true);
      player.asked = 0;
    }
    player.view = view;
    player.view_offset = tensors[view].view_offset;
    settle_variable(player, variable, tensors[variable]);
  }

  // In the place of the latest that is as large and aligned so, or new. One that a failed commit made is found too.
  template <class S>
  void settle_variable(Player<S>& player, Index index, const Tensor& tensor) {
    unsigned char* const bytes = player.session.template data<unsigned char>(index, tensor.size);
    expect(bytes != nullptr && arena_.contains(bytes), "no variable of a graph");
    if (what_ != nullptr) return;
    const unsigned char* const tail = memory + begin_ + (size_ - arena_.used(Region::kTail));
    expect(bytes >= tail, "a variable is not on the tail");
    expect((reinterpret_cast<std::uintptr_t>(bytes) & tensor.alignment.mask()) == 0, "a misaligned variable");
    for (std::size_t i = player.variable_count; i-- > 0;) {
      const Variable& known = player.variables[i];
      if (known.bytes == bytes) return expect(known.tensor == index, "two variables in one place");
    }
    for (std::size_t i = 0; i < player.variable_count; ++i) {
      const Variable& known = player.variables[i];
      const bool fits = known.tensor == index && known.size >= tensor.size &&
                        (reinterpret_cast<std::uintptr_t>(known.bytes) & tensor.alignment.mask()) == 0;
      expect(!fits || size_ < kMemory || temps_ != 0, "a variable has lost its place");
    }
    expect(all_are(bytes, tensor.size, 0), "a variable of a graph is not zero");
    player.variables[player.variable_count++] = {bytes, tensor.size, 0, 0, index};
  }

  // --- looks ---------------------------------------------------------------------------------------------------------

  void look() {
    look_at(std::get<0>(players_));
    look_at(std::get<1>(players_));
    expect(arena_.check(), "the arena's invariants");
    expect(arena_.open_temps() == temps_, "open temp scopes");
    if (temps_ == 0) expect(arena_.used(Region::kTemp) == 0, "temp memory is left");
  }

  template <class S>
  void look_at(Player<S>& player) {
    const S& session = player.session;
    expect(static_cast<bool>(session) == player.valid, "validity");
    if constexpr (!is_ready<S>) {
      expect(session.plans() == player.plans, "number of plans");
      expect((session.plan().status() == Status::kOk) == player.valid, "the plan");
      expect(session.plan().count() == (player.valid ? player.capacity : 0), "count of the plan");
    }
    for (std::size_t i = 0; i < player.live_count; ++i) {
      const Live& live = player.live[i];
      const std::size_t size = live.buffer.size;
      const auto at = [&](const auto& what) {
        expect(session.size(what) == (player.valid ? size : 0), "size of a buffer");
        expect(session.template data<unsigned char>(what, size + 1) == nullptr, "more than a buffer has");
        return session.template data<unsigned char>(what, size);
      };
      unsigned char* const now = live.is_scratch ? at(player.handles[live.index]) : at(live.index);
      expect(now == (player.valid ? live.bytes : nullptr), "place of a buffer");
    }
    if (!player.valid) {
      expect(session.template data<char>(0, 0) == nullptr, "a tensor of no plan");
    }
    for (const Scratch& stale : player.stale) {
      expect(session.template data<char>(stale, 0) == nullptr, "a handle of another plan");
      expect(session.size(stale) == 0, "size of a handle of another plan");
    }
    look_at_pending(player);
    for (std::size_t i = 0; i < player.variable_count; ++i) {
      const Variable& variable = player.variables[i];
      expect(all_are(variable.bytes, variable.size, variable.now), "somebody wrote to a variable");
    }
    if (player.valid && player.view != kNoIndex) {
      unsigned char* const whole = session.template data<unsigned char>(0);
      expect(session.template data<unsigned char>(player.view, 4) == whole + player.view_offset, "a view");
    }
  }
  template <class S>
  void look_at_pending(const Player<S>& player) {
    if (!player.prepared) return;
    if (is_ready<S> && player.valid && player.handle_count == player.asked) return;  // may be those in use
    for (std::size_t i = 0; i < player.asked; ++i) {
      expect(player.session.template data<char>(player.pending[i], 0) == nullptr, "a handle before its commit");
    }
  }

  void look_around() {
    expect(all_are(memory, begin_, 0xC3), "a byte in front of the arena");
    expect(all_are(memory + begin_ + size_, sizeof(memory) - begin_ - size_, 0xC3), "a byte behind the arena");
    // The variables change their values now and then.
    change(std::get<0>(players_));
    change(std::get<1>(players_));
  }
  template <class S>
  void change(Player<S>& player) {
    for (std::size_t i = 0; i < player.variable_count; ++i) {
      Variable& variable = player.variables[i];
      variable.now = static_cast<unsigned char>(below(256));
      std::memset(variable.bytes, variable.now, variable.size);
    }
  }

  // --- a run, a step of it after each call
  // ----------------------------------------------------------------------------

  void run() {
    if (running_ == nullptr) {
      step_ = 0;
      if (below(2) == 0) {
        running_ = &std::get<0>(players_);
      } else {
        running_ = &std::get<1>(players_);
      }
    }
    if (running_ == &std::get<0>(players_)) {
      run_step(std::get<0>(players_));
    } else {
      run_step(std::get<1>(players_));
    }
  }
  template <class S>
  void run_step(Player<S>& player) {
    if (!player.valid) {
      running_ = nullptr;
      return;
    }
    for (std::size_t i = 0; i < player.live_count; ++i) {
      Live& live = player.live[i];
      if (live.buffer.first == step_) {
        live.pattern = static_cast<unsigned char>(pattern_ = static_cast<unsigned char>(pattern_ % 251 + 1));
        std::memset(live.bytes, live.pattern, live.buffer.size);
      }
    }
    for (std::size_t i = 0; i < player.live_count; ++i) {
      const Live& live = player.live[i];
      if (arenite::alive_at(live.buffer, step_)) {
        expect(all_are(live.bytes, live.buffer.size, live.pattern), "somebody wrote to a planned buffer");
      }
    }
    if (step_++ == kLastStep) running_ = nullptr;
  }

  static constexpr std::size_t kUser = 2;
  static constexpr std::size_t kMostMarks = 8;
  struct Mark {
    std::size_t owner = kUser;
    std::size_t tail = 0;
    arenite::Marker<Region::kTail> marker;
  };

  Random& random_;
  std::size_t begin_;
  std::size_t size_;
  ArenaState state_;
  ArenaRef arena_;
  std::tuple<Player<A>, Player<B>> players_;
  Mark marks_[kMostMarks];
  std::size_t mark_count_ = 0;
  std::size_t calls_ = 0;
  std::size_t steps_ = 0;
  std::size_t temps_ = 0;
  const void* running_ = nullptr;
  std::size_t step_ = 0;
  unsigned char pattern_ = 0;
  bool changes_ = false;
  bool huge_ = false;
  const char* what_ = nullptr;
};

}  // namespace session_model
