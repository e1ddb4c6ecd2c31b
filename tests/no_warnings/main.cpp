// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A user's program that includes every header, uses a little of each, and is compiled with more warnings than we ask of
// ourselves. Its exit code says whether all was well.

#include <arenite/adapters/synchronized.hpp>
#include <arenite/adapters/tflm_offline_plan.hpp>
#include <arenite/arenite.hpp>
#if ARENITE_TEST_ON_HOST
#include <arenite/host/search.hpp>
#endif

#include <cstddef>
#include <cstdint>

namespace {

constexpr arenite::Buffer kBuffers[] = {{300, 0, 1}, {500, 1, 2, 64}, {200, 2, 3}, {10, 3, 3, 4}};
constexpr arenite::Constraint kConstraints[] = {arenite::pinned(0, 128), arenite::reserved(0, 64)};

constexpr arenite::Tensor kTensors[] = {{64}, {32, arenite::TensorKind::kConstant}, {96},
                                        {96}, {10, arenite::TensorKind::kExternal}, {48}};
constexpr arenite::Op kOps[] = {{{0, 1}, {2}, {5}}, arenite::Op::in_place({2}, {3}), {{3}, {4}}};

constexpr auto kPlan = arenite::plan(kBuffers);
constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {0}, {4});
constexpr auto kPlaces = kGraph.resolve(arenite::plan(kGraph.buffers()), kTensors);
constexpr auto kReady = arenite::ready(kPlan, kBuffers);
static_assert(kPlan.verify(kBuffers).ok() && kPlaces.count() == 6);
static_assert(arenite::plan(kBuffers, kConstraints).verify(kBuffers, kConstraints).ok());
static_assert(arenite::plan<arenite::greedy>(kBuffers).size() >= kPlan.lower_bound());
static_assert(arenite::plan<arenite::linear>(kBuffers).size() >= kPlan.lower_bound());
static_assert(arenite::plan<arenite::best_of_eight>(kBuffers).size() >= kPlan.lower_bound());
static_assert(arenite::plan<arenite::search<>>(kBuffers).size() >= kPlan.lower_bound());
constexpr auto kUsage =
    arenite::usage(arenite::plan(kGraph.buffers()), kGraph.buffers(), kGraph, arenite::scratch_of(kOps, kGraph));

struct Filter {
  float taps[4];
};

template <class A>
constexpr bool set_up(A& arena) {
  auto filter = arena.template create<Filter>();
  auto history = arena.head().template create_array<std::int16_t>(5);
  auto activations = arena.overlay(kPlan);
  arena.in_temp([](auto& temp) { (void)temp.template create_array<float>(3); });
  return filter && history && activations;
}
constexpr auto kSetUp = [](auto& arena) { return set_up(arena); };

constexpr std::size_t session_size() {
  arenite::DryRun run;
  arenite::DrySession<4> session;
  if (session.begin(run, 4) != arenite::Status::kOk || session.commit(kBuffers) != arenite::Status::kOk) return 0;
  return run.required();
}
static_assert(session_size() >= kPlan.size());

void log(const arenite::Event& event);
using Watch = arenite::Observers<arenite::Recorder<>, arenite::Guard<>, arenite::Asan, arenite::Trace<log>>;

arenite::Arena<arenite::max_required(kSetUp, kPlan)> arena;
arenite::Arena<2048> arena_of_sessions;
alignas(16) std::byte memory[2048];

std::size_t printed = 0;
void put(char) { ++printed; }
void log(const arenite::Event& event) { arenite::print_event(put, event); }

bool arenas() {
  const auto marker = arena.mark();
  if (!set_up(arena) || arena.release(marker) != arenite::Status::kOk) return false;
  static constexpr auto kOffsets = kPlan.offsets_only();
  if (!arena.overlay(kOffsets)) return false;
  const auto activations = arena.overlay(kPlan);
  if (activations.data<std::int8_t>(1) == nullptr || activations.data<float>(3, 2) == nullptr) return false;
  return arena.allocate(4096, 16) == nullptr && arena.last_failure().what == arenite::Status::kOutOfMemory &&
         arena.reset() == arenite::Status::kOk;
}

bool run_time_planner() {
  static arenite::Planner<8> planner;
  for (const arenite::Buffer& buffer : kBuffers) {
    if (planner.add(buffer) != arenite::Status::kOk) return false;
  }
  const arenite::PlanRef plan = planner.plan();
  arenite::ArenaState state;
  arenite::ArenaRef there(state, memory, sizeof(memory));
  return plan.status() == arenite::Status::kOk && there.overlay(plan);
}

bool sessions() {
  arenite::Session<> session;
  if (session.begin(arena_of_sessions, 8) != arenite::Status::kOk) return false;
  const arenite::Scratch columns = session.scratch(40, 1);
  auto* const history = session.variable<std::int8_t>(16);
  arenite::GraphSummary why;
  if (session.commit({kTensors, 6, kOps, 3, {0}, {4}}, &why) != arenite::Status::kOk) return false;
  if (history == nullptr || session.data<std::int8_t>(columns) == nullptr) return false;
  if (session.unload() != arenite::Status::kOk) return false;

  arenite::ReadySession<> ready;
  return ready.begin(arena_of_sessions, kReady) == arenite::Status::kOk && ready.commit() == arenite::Status::kOk &&
         ready.data<std::int8_t>(0) != nullptr;
}

bool observers() {
  static arenite::Arena<4096, 16, Watch> watched;
  auto* const filter = watched.as(arenite::Kind::kOperatorData).create<Filter>();
  const auto activations = watched.overlay(kPlan);
  if (filter == nullptr || !activations) return false;
  for (arenite::Step step = 0; step < 4; ++step) (void)watched.enter(activations, kBuffers, step);
  arenite::print_usage(put, watched);
  arenite::print_usage(put, arenite::usage(watched, kUsage, watched.observer()));
  arenite::print_record(put, static_cast<arenite::Recorder<>&>(watched.observer()));
  return static_cast<arenite::Guard<>&>(watched.observer()).check().ok();
}

bool reports() {
  arenite::print_usage(put, arenite::usage(kPlan, kBuffers));
  arenite::print_json(put, arenite::usage(arena));
  arenite::print_json(put, kPlan, kBuffers);
  arenite::print_plan(put, kPlan, kBuffers);
  arenite::print_csv(put, kPlan, kBuffers);
  arenite::print_map(put, kPlan, kBuffers);
  return printed != 0 && arenite::to_string(arenite::Status::kOk) != nullptr;
}

struct Lock {
  void lock() { ++taken; }
  void unlock() { ++given; }
  int taken = 0;
  int given = 0;
};

bool synchronized() {
  static arenite::Synchronized<arenite::Arena<1024>, Lock> shared;
  const bool set = set_up(shared);
  const std::size_t used = shared.with([](auto& bare) { return bare.used(); });
  return set && used == shared.used() && shared.reset() == arenite::Status::kOk;
}

bool adapters() {
  const std::uint8_t blob[] = {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  arenite::Constraint pins[1];
  return arenite::tflm::read_offline_plan(blob, sizeof(blob), 1, pins).status == arenite::Status::kOk;
}

bool host() {
#if ARENITE_TEST_ON_HOST
  const auto found = arenite::host::search(kBuffers);
  return found.proven() && found.plan(kBuffers).size() == found.size &&
         arenite::host::search(kBuffers, kConstraints).status == arenite::Status::kOk;
#else
  return true;
#endif
}

}  // namespace

int main() {
  return arenas() && run_time_planner() && sessions() && observers() && reports() && synchronized() && adapters() &&
                 host()
             ? 0
             : 1;
}
