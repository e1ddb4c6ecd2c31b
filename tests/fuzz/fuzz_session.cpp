// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for sessions: calls of two of them in one arena, in any order, against the obvious model; and
// set-ups, sound or not, whose dry run knows to the byte how large the arena must be.

#include <arenite/dry_session.hpp>
#include <arenite/session.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../session_model.hpp"
#include "input.hpp"

namespace {

using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::BufferList;
using arenite::DryRun;
using arenite::DrySession;
using arenite::Index;
using arenite::kMaxSize;
using arenite::ReadySession;
using arenite::Session;
using arenite::Status;
using arenite::Tensor;
using arenite::TensorKind;
using fuzz::expect;
using fuzz::expect_nothing;
using fuzz::Input;

fuzz::Calls calls("session");

// --- any calls -------------------------------------------------------------------------------------------------------

template <class A, class B>
void play(Input& input) {
  const std::size_t offset = input.below(session_model::kGuard + 1);
  const bool small = input.below(2) == 0;
  const std::size_t size = small ? input.below(input.below(3) == 0 ? 300 : 3000) : session_model::kMemory;
  session_model::Game<A, B, Input> game(input, offset, size);
  for (std::size_t i = 0; i < 200 && !input.empty(); ++i) expect_nothing(game.step());
  calls.add(game.calls());
}

// --- set-ups ---------------------------------------------------------------------------------------------------------

constexpr std::size_t kCapacity = 12;
constexpr std::size_t kMost = 1 << 16;
alignas(256) std::byte memory[kMost + 256];

enum class Kind : std::uint8_t { kScratch, kVariable, kShare, kTail, kHead, kTemp, kReplan, kList, kGraph };
constexpr std::size_t kKinds = 9;

// A call of a set-up; what of it counts depends on its kind.
struct Call {
  Kind kind = Kind::kTail;
  std::size_t size = 0;
  std::size_t alignment = 1;
  std::vector<Buffer> list;
  std::vector<Tensor> tensors;  // each made of the one before
};

Buffer any_buffer(Input& input) {
  const std::uint32_t first = input.below(5);
  Buffer buffer = {input.below(input.below(5) == 0 ? 300 : 40), first, first + input.below(4),
                   std::size_t{1} << input.below(7)};
  if (input.below(60) == 0) buffer.alignment = 3;
  if (input.below(60) == 0) buffer.size = kMaxSize + 1 + input.below(2);
  return buffer;
}

class SetUp {
 public:
  explicit SetUp(Input& input) : capacity_(1 + input.below(kCapacity)) {
    for (std::size_t i = 0; i < 24 && !input.empty(); ++i) {
      Call call;
      call.kind = static_cast<Kind>(input.below(kKinds));
      call.size = 1 + input.below(60);
      call.alignment = std::size_t{1} << input.below(6);
      if (call.kind == Kind::kScratch) call.list = {any_buffer(input)};
      for (std::size_t k = input.below(6); call.kind == Kind::kList && k > 0; --k)
        call.list.push_back(any_buffer(input));
      if (call.kind == Kind::kShare && ++shares_ == 2) is_exact_ = false;  // a dry session counts equal tables each
      if (call.kind == Kind::kGraph) {
        if (++graphs_ == 2) is_exact_ = false;  // nor does it know what happens to lie at a larger alignment
        for (std::size_t k = 1 + input.below(6); k > 0; --k) {
          const TensorKind kind = input.below(4) == 0 ? TensorKind::kKept : TensorKind::kActivation;
          call.tensors.push_back({1 + input.below(40), kind, std::size_t{1} << input.below(6)});
        }
      }
      steps_.push_back(call);
    }
  }

  // Whether a dry run is exact, and does not count more than is needed.
  [[nodiscard]] bool is_exact() const { return is_exact_; }
  [[nodiscard]] std::size_t count() const { return steps_.size() + 1; }

  // The first call that is refused, or how many calls there are.
  template <class Arena, class S>
  std::size_t operator()(Arena& arena, S& session) const {
    if (session.begin(arena, capacity_) != Status::kOk) return 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!make(steps_[i], arena, session)) return i + 1;
    }
    return count();
  }

 private:
  template <class Arena, class S>
  static bool make(const Call& call, Arena& arena, S& session) {
    static constexpr char kTable[64] = {};
    switch (call.kind) {
      case Kind::kScratch:
        return static_cast<bool>(session.scratch(call.list[0]));
      case Kind::kVariable:
        return static_cast<bool>(session.template variable<std::uint16_t>(call.size));
      case Kind::kShare:
        return static_cast<bool>(session.share(kTable, call.size, call.alignment));
      case Kind::kTail:
        return static_cast<bool>(arena.allocate(call.size, call.alignment));
      case Kind::kHead:
        return static_cast<bool>(arena.head().allocate(call.size, call.alignment));
      case Kind::kTemp: {
        bool granted = false;
        arena.in_temp([&](auto& temp) { granted = static_cast<bool>(temp.allocate(call.size, call.alignment)); });
        return granted;
      }
      case Kind::kReplan:
        return session.replan() == Status::kOk;
      case Kind::kList:
        return session.commit(BufferList(call.list.data(), call.list.size())) == Status::kOk;
      default:
        return commit_chain(call.tensors, session);
    }
  }

  template <class S>
  static bool commit_chain(const std::vector<Tensor>& tensors, S& session) {
    std::vector<Index> ids;
    for (Index i = 0; i < tensors.size(); ++i) ids.push_back(i);
    std::vector<arenite::Op> ops(tensors.size());
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (i != 0) ops[i].inputs = {ids.data() + i - 1, 1};
      ops[i].outputs = {ids.data() + i, 1};
    }
    const arenite::Graph graph{tensors.data(), tensors.size(), ops.data(), ops.size(), {}, {}};
    return session.commit(graph) == Status::kOk;
  }

  std::size_t capacity_;
  std::vector<Call> steps_;
  std::size_t shares_ = 0;
  std::size_t graphs_ = 0;
  bool is_exact_ = true;
};

std::size_t in_arena(const SetUp& set_up, std::byte* base, std::size_t size) {
  ArenaState state;
  ArenaRef arena(state, base, size);
  Session<> session;
  const std::size_t made = set_up(arena, session);
  expect(arena.check(), "the arena's invariants");
  calls.add(made);
  return made;
}

void size_arena(Input& input) {
  const std::size_t offset = input.below(256);
  const SetUp set_up(input);
  DryRun run(offset);
  DrySession<kCapacity> dry;
  const std::size_t made = set_up(run, dry);
  calls.add(made);
  if (made != set_up.count()) {
    expect(in_arena(set_up, memory + offset, kMost) == made, "a dry session is refused something else");
    return;
  }
  const std::size_t required = run.required();
  if (required > kMost) return;
  expect(in_arena(set_up, memory + offset, required) == made, "what a dry session counts is too little");
  expect(required == 0 || !set_up.is_exact() || in_arena(set_up, memory + offset, required - 1) != made,
         "what a dry session counts is too much");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.below(6)) {
    case 0:
      play<Session<>, Session<>>(input);
      break;
    case 1:
      play<Session<arenite::linear>, Session<>>(input);
      break;
    case 2:
      play<Session<>, ReadySession<>>(input);
      break;
    case 3:
      play<ReadySession<>, ReadySession<>>(input);
      break;
    default:
      size_arena(input);
  }
  return 0;
}
