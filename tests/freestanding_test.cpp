// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Compiled for no operating system (-ffreestanding), without exceptions and type information. Nothing here is run: the
// object is looked at, as it may ask for no more than such a compiler promises.

#include <arenite/arenite.hpp>

#include <cstddef>
#include <cstdint>

namespace {

constexpr arenite::Buffer kBuffers[] = {{27648, 0, 1}, {55296, 1, 2}, {18432, 2, 3}};
constexpr auto kPlan = arenite::plan(kBuffers);
static_assert(kPlan.verify(kBuffers).ok());

constexpr arenite::Tensor kTensors[] = {{27648}, {55296}, {18432}, {64}};
constexpr arenite::Op kOps[] = {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}};

struct Sink {
  void operator()(char character) { written = character; }
  volatile char written;
};

arenite::Arena<96 * 1024> arena;
arenite::Arena<1024, 16, arenite::Observers<arenite::Guard<>, arenite::Recorder<>>> watched;
arenite::Planner<16> greedy;
arenite::Planner<16, arenite::best_of<>> best_of;
arenite::Planner<16, arenite::search<>> search;
arenite::Session<> session;
Sink sink;

template <class P>
bool plans(P& planner, const arenite::Buffer& buffer) {
  return planner.add(buffer) == arenite::Status::kOk && planner.plan().status() == arenite::Status::kOk;
}

}  // namespace

// So that all that it calls is in the object.
extern "C" bool use(const arenite::Buffer& buffer);

extern "C" bool use(const arenite::Buffer& buffer) {
  const auto* const number = arena.create<std::uint32_t>(1u);
  const auto* const other = watched.create<std::uint32_t>(1u);
  const auto region = watched.overlay(kPlan);
  auto temp = watched.temp();
  const auto* const row = temp.template create_array<float>(96);

  bool planned = plans(greedy, buffer) && plans(best_of, buffer) && plans(search, buffer);
  planned = planned && session.begin(arena, 5) == arenite::Status::kOk &&
            session.commit(arenite::Graph{kTensors, 4, kOps, 3, {0}, {3}}) == arenite::Status::kOk;

  arenite::print_usage(sink, arenite::usage(watched));
  return number != nullptr && other != nullptr && region && row != nullptr && watched.check() && planned;
}
