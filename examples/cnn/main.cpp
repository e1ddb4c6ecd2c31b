// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// A small convolutional network that really runs, in planned memory, and where its memory goes: the plans are made by
// the compiler, and each claim about one is a static_assert. docs/tutorial.md goes through it step by step.

#include <arenite/arenite.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "network.hpp"

namespace {

using namespace cnn;
using arenite::Op;
using arenite::TensorKind;

// --- 1. the graph ----------------------------------------------------------------------------------------------------

struct Tensors {
  arenite::Tensor list[kNames];
};

// Sizes in bytes for an image of side * side pixels, with `strip` rows of it at a time in the scratch of im2col.
constexpr Tensors tensors(std::size_t side, std::size_t strip = 1, TensorKind columns = TensorKind::kActivation) {
  const std::size_t map1 = side * side * kChannels1;
  const std::size_t map2 = side * side / 4 * kChannels2;
  Tensors t{};
  t.list[kImage] = {side * side * kColours};
  t.list[kColumns] = {strip * side * kWindow * kColours, columns};
  t.list[kConv1] = {map1};
  t.list[kRelu1] = {map1};
  t.list[kPool1] = {map1 / 4};
  t.list[kConv2] = {map2};
  t.list[kRelu2] = {map2};
  t.list[kPool2] = {map2 / 4};
  t.list[kScores] = {kClasses};
  t.list[kRows1] = {2 * side * kChannels1};
  t.list[kRows2] = {2 * side / 2 * kChannels2};
  t.list[kWeights1] = {sizeof(kLayer1), TensorKind::kConstant};
  t.list[kWeights2] = {sizeof(kLayer2), TensorKind::kConstant};
  t.list[kWeights3] = {sizeof(kLayer3), TensorKind::kConstant};
  return t;
}

// Operators: inputs, outputs, scratch. A tensor that none of them names takes no memory.
constexpr Op kOps[] = {
    {{kImage, kWeights1}, {kConv1}, {kColumns}},
    {{kConv1}, {kRelu1}},
    {{kRelu1}, {kPool1}},
    {{kPool1, kWeights2}, {kConv2}},
    {{kConv2}, {kRelu2}},
    {{kRelu2}, {kPool2}},
    {{kPool2, kWeights3}, {kScores}},
};
constexpr const char* kOpNames[] = {
    "conv 3x3x16 by im2col", "ReLU", "pool 2x2", "conv 3x3x32 direct", "ReLU", "pool 2x2", "fully connected"};

constexpr Op kOpsInPlace[] = {
    {{kImage, kWeights1}, {kConv1}, {kColumns}},
    Op::in_place({kConv1}, {kRelu1}),
    {{kRelu1}, {kPool1}},
    {{kPool1, kWeights2}, {kConv2}},
    Op::in_place({kConv2}, {kRelu2}),
    {{kRelu2}, {kPool2}},
    {{kPool2, kWeights3}, {kScores}},
};

constexpr Op kOpsFused[] = {
    {{kImage, kWeights1}, {kPool1}, {kColumns, kRows1}},
    {{kPool1, kWeights2}, {kPool2}, {kRows2}},
    {{kPool2, kWeights3}, {kScores}},
};

// --- 2. lifetimes and plans, by the compiler -------------------------------------------------------------------------

template <std::size_t T>
struct Model {
  arenite::Lifetimes<T> graph;
  arenite::Plan<T> plan;

  // What it takes of an arena: planned, and persistent.
  [[nodiscard]] constexpr std::size_t total() const { return plan.size() + graph.variables; }
  // No two buffers that live at the same step share a byte, and no plan can be smaller.
  [[nodiscard]] constexpr bool perfect() const { return plan.verify(graph.buffers()).ok() && plan.proven(); }
  [[nodiscard]] constexpr std::size_t live_at(arenite::Step step) const {
    return arenite::live_at(graph.buffers(), step);
  }
  [[nodiscard]] constexpr arenite::PlanUsage usage() const { return arenite::usage(plan, graph.buffers(), graph); }
};

template <std::size_t O>
constexpr Model<kNames> model(const Tensors& t, const Op (&ops)[O]) {
  const auto graph = arenite::lifetimes(t.list, ops, {kImage}, {kScores});
  return {graph, arenite::plan(graph.buffers())};
}

constexpr auto kPlanned = model(tensors(kSide), kOps);
constexpr auto kApart = arenite::plan<arenite::linear>(kPlanned.graph.buffers());  // each tensor has its own bytes
static_assert(kPlanned.perfect());
static_assert(kApart.size() == 59242 && kPlanned.total() == 32768);
static_assert(kPlanned.usage().without_reuse == kApart.size() && kPlanned.usage().saved == 26474);
static_assert(kPlanned.usage().constants == sizeof(kLayer1) + sizeof(kLayer2) + sizeof(kLayer3));

// ReLU over its own input: the step that held two large maps holds one, and another step is the peak.
constexpr auto kInPlace = model(tensors(kSide), kOpsInPlace);
static_assert(kInPlace.perfect());
static_assert(kInPlace.total() == 20480 && kInPlace.live_at(2) == kInPlace.total());

// No whole feature map any more.
constexpr auto kFused = model(tensors(kSide), kOpsFused);
static_assert(kFused.perfect());
static_assert(kFused.total() == 9056 && kFused.live_at(0) == kFused.total());

// The scratch of im2col in persistent memory, where some put it to be safe.
//
// It is never less memory where plans are as small as can be, and mostly more. Let its operator need A bytes beside a
// scratch of S, and the worst other step B: planned, that is max(A + S, B); persistent, S + max(A, B). The difference
// is
//   S      where the peak lies elsewhere: planned, the scratch cost nothing, as it lay where other steps have more;
//   B - A  where the scratch makes the peak, but other steps need more than its operator without it;
//   0      where its operator is the peak even without it, so that no other step could use those bytes.
// And persistent bytes of several models add up, where planned ones share.
constexpr auto kScratch = TensorKind::kVariable;
constexpr auto kInPlaceKept = model(tensors(kSide, 1, kScratch), kOpsInPlace);
constexpr auto kWhole = model(tensors(kSide, kSide), kOpsInPlace);  // im2col of the whole image at once
constexpr auto kWholeKept = model(tensors(kSide, kSide, kScratch), kOpsInPlace);
constexpr auto kFusedKept = model(tensors(kSide, 1, kScratch), kOpsFused);
static_assert(kInPlaceKept.perfect() && kWhole.perfect() && kWholeKept.perfect() && kFusedKept.perfect());

// The numbers of that comment.
struct Scratch {
  std::size_t a;
  std::size_t s;
  std::size_t b;
  std::size_t costs;
};
constexpr std::size_t larger(std::size_t a, std::size_t b) { return a > b ? a : b; }
constexpr Scratch compare(const Model<kNames>& model, const Model<kNames>& kept) {
  std::size_t b = 0;
  for (arenite::Step step = 1; step < sizeof(kOps) / sizeof(kOps[0]); ++step) b = larger(b, kept.live_at(step));
  return {kept.live_at(0), kept.graph.variables, b, kept.total() - model.total()};
}
constexpr Scratch kScratchElsewhere = compare(kInPlace, kInPlaceKept);
constexpr Scratch kScratchAtPeak = compare(kWhole, kWholeKept);
constexpr Scratch kScratchAlone = compare(kFused, kFusedKept);
constexpr bool holds(const Scratch& of) { return of.costs == of.s + larger(of.a, of.b) - larger(of.a + of.s, of.b); }
static_assert(holds(kScratchElsewhere) && holds(kScratchAtPeak) && holds(kScratchAlone));
static_assert(kInPlaceKept.live_at(2) == kInPlace.total() && kScratchElsewhere.costs == kScratchElsewhere.s);
static_assert(kWhole.live_at(0) == kWhole.total() && kScratchAtPeak.costs == kScratchAtPeak.b - kScratchAtPeak.a);
static_assert(kFusedKept.live_at(0) == kFusedKept.plan.size() && kScratchAlone.costs == 0);

// --- 3. run each variant in an arena of exactly its size -------------------------------------------------------------

constexpr std::uint32_t kPictures = 3;
constexpr std::uint32_t kChecksum = 0x31fa8a6e;  // of the scores of all pictures, on every machine
Scores reference[kPictures];
Scores reference_small;  // the first picture, 16x16

void put(char c) { std::putchar(c); }
constexpr unsigned long as_long(std::size_t value) { return static_cast<unsigned long>(value); }

bool fail(const char* what) {
  std::printf("FAILED: %s\n", what);
  return false;
}

// No plan, no arena: each tensor is an array of its own.
bool run_unplanned() {
  constexpr std::size_t kMap1 = kSide * kSide * kChannels1;
  constexpr std::size_t kMap2 = kSide * kSide / 4 * kChannels2;
  static std::int8_t image[kSide * kSide * kColours];
  static std::int8_t columns[kSide * kWindow * kColours];
  static std::int8_t conv1[kMap1];
  static std::int8_t relu1[kMap1];
  static std::int8_t pool1[kMap1 / 4];
  static std::int8_t conv2[kMap2];
  static std::int8_t relu2[kMap2];
  static std::int8_t pool2[kMap2 / 4];
  Places at;
  at.at[kImage] = image;
  at.at[kColumns] = columns;
  at.at[kConv1] = conv1;
  at.at[kRelu1] = relu1;
  at.at[kPool1] = pool1;
  at.at[kConv2] = conv2;
  at.at[kRelu2] = relu2;
  at.at[kPool2] = pool2;

  std::uint32_t sum = 2166136261u;
  for (std::uint32_t picture = 0; picture < kPictures; ++picture) {
    at.at[kScores] = reference[picture].of;
    draw(at[kImage], kSide, picture);
    run(at, kSide, 1);
    sum = checksum(sum, at[kScores], kClasses);
    std::printf("picture %lu:", as_long(picture));
    for (const std::int8_t score : reference[picture].of) std::printf(" %4d", score);
    std::printf("\n");
  }
  at.at[kScores] = reference_small.of;
  draw(at[kImage], kSide / 2, 0);
  run(at, kSide / 2, 1);
  sum = checksum(sum, at[kScores], kClasses);
  std::printf("checksum %08lx, expected %08lx\n\n", as_long(sum), as_long(kChecksum));
  return sum == kChecksum || fail("the unplanned run has other scores than it should");
}

// Where the tensors of a plan lie once it has its place; `columns` for the scratch if that is persistent.
template <class Graph, class P>
Places places(const Graph& graph, const arenite::Overlay<P>& overlay, void* columns) {
  Places at;
  for (std::size_t i = 0; i < kNames; ++i) {
    if (overlay.plan().size(graph.root(i)) == 0) continue;  // constants, and what this variant does not have
    at.at[i] = reinterpret_cast<std::int8_t*>(overlay.base() + graph.offset(overlay.plan(), i));
  }
  if (graph.variables != 0) at.at[kColumns] = static_cast<std::int8_t*>(columns);
  return at;
}

template <const Model<kNames>& kModel>
constexpr std::size_t arena_size() {
  arenite::DryRun run;
  run.allocate(kModel.graph.variables, arenite::kDefaultAlignment);
  run.overlay(kModel.plan);
  return run.required();
}

// A variant in its arena: are its scores those of the unplanned run, for every picture?
template <const Model<kNames>& kModel, class Run>
bool matches(Run run_it) {
  static_assert(arena_size<kModel>() == arenite::align_up(kModel.total(), 16), "nothing else is taken");
  static arenite::Arena<arena_size<kModel>()> arena;
  void* const columns = arena.allocate(kModel.graph.variables, arenite::kDefaultAlignment);
  const auto overlay = arena.overlay(kModel.plan);
  if (columns == nullptr || !overlay) return fail("set-up of a variant");
  const Places at = places(kModel.graph, overlay, columns);
  for (std::uint32_t picture = 0; picture < kPictures; ++picture) {
    draw(at[kImage], kSide, picture);
    run_it(at);
    if (!same(at[kScores], reference[picture].of, kClasses)) return fail("scores differ from the unplanned run");
  }
  return arena.required() == arena.capacity() || fail("the arena is not what was asked for");
}

bool run_variants() {
  const auto by_row = [](const Places& at) { run(at, kSide, 1); };
  const auto at_once = [](const Places& at) { run(at, kSide, kSide); };
  const auto fused = [](const Places& at) { run_fused(at, kSide); };
  const bool all = matches<kPlanned>(by_row) && matches<kInPlace>(by_row) && matches<kInPlaceKept>(by_row) &&
                   matches<kWhole>(at_once) && matches<kWholeKept>(at_once) && matches<kFused>(fused) &&
                   matches<kFusedKept>(fused);
  if (all) std::printf("7 variants in planned memory: the same scores, bit for bit\n\n");
  return all;
}

// --- 4. the story so far, in numbers ---------------------------------------------------------------------------------

void print_steps() {
  std::printf("bytes alive at each step        planned  in place  whole image\n");
  for (arenite::Step step = 0; step < sizeof(kOps) / sizeof(kOps[0]); ++step) {
    std::printf("  %lu %-26s %8lu  %8lu  %11lu\n", as_long(step), kOpNames[step], as_long(kPlanned.live_at(step)),
                as_long(kInPlace.live_at(step)), as_long(kWhole.live_at(step)));
  }
  std::printf("  plan                         %8lu  %8lu  %11lu\n\n", as_long(kPlanned.plan.size()),
              as_long(kInPlace.plan.size()), as_long(kWhole.plan.size()));
}

void print_line(const char* what, const arenite::PlanUsage& usage) {
  std::printf("  %-30s %8lu %10lu %8lu %12lu\n", what, as_long(usage.size), as_long(usage.variables),
              as_long(usage.size + usage.variables), as_long(usage.lower_bound));
}
void print_line(const char* what, const Model<kNames>& model) { print_line(what, model.usage()); }

void print_scratch(const char* what, const Scratch& of) {
  std::printf("  %-30s %8lu %10lu %8lu %12lu\n", what, as_long(of.a), as_long(of.s), as_long(of.b), as_long(of.costs));
}

void print_variants() {
  std::printf("bytes of RAM                      planned persistent      all  lower bound\n");
  print_line("no reuse", arenite::usage(kApart, kPlanned.graph.buffers()));
  print_line("planned", kPlanned);
  print_line("ReLU in place", kInPlace);
  print_line("  im2col scratch persistent", kInPlaceKept);
  print_line("im2col of the whole image", kWhole);
  print_line("  im2col scratch persistent", kWholeKept);
  print_line("conv, ReLU and pool fused", kFused);
  print_line("  im2col scratch persistent", kFusedKept);
  std::printf("sharing saves %lu of %lu; ", as_long(kPlanned.usage().saved), as_long(kPlanned.usage().without_reuse));
  std::printf("weights in flash: %lu\n\n", as_long(kPlanned.usage().constants));

  std::printf("persistent scratch: its operator   without    scratch   others        costs\n");
  print_scratch("im2col of a row", kScratchElsewhere);
  print_scratch("im2col of the whole image", kScratchAtPeak);
  print_scratch("im2col of a row, fused", kScratchAlone);
  std::printf("\n");

  std::printf("the plan with ReLU in place; 0 is the image, 1 the scratch of im2col\n");
  arenite::print_map(put, kInPlace.plan, kInPlace.graph.buffers());
  std::printf("\n");
}

// --- 5. two models in one arena --------------------------------------------------------------------------------------

constexpr arenite::Tensor kGateTensors[] = {
    {kSide * kSide * kColours},       // kGateImage
    {kSide * kSide * kColours / 4},   // kGateHalf
    {kSide * kSide * kColours / 16},  // kGateQuarter
    {2},                              // kGateScores
    {sizeof(kGateLayer), TensorKind::kConstant},
};
constexpr Op kGateOps[] = {
    {{kGateImage}, {kGateHalf}},
    {{kGateHalf}, {kGateQuarter}},
    {{kGateQuarter, kGateWeights}, {kGateScores}},
};
constexpr auto kGateGraph = arenite::lifetimes(kGateTensors, kGateOps, {kGateImage}, {kGateScores});
constexpr Model<kGateNames> kGate{kGateGraph, arenite::plan(kGateGraph.buffers())};
static_assert(kGate.perfect());

// What each model keeps from one run to the next.
struct Votes {
  std::int32_t of[kClasses];
};
struct GateLog {
  std::int32_t runs;
  std::int32_t open;
};

constexpr std::size_t shared_size() {
  arenite::DryRun run;
  run.create<Votes>();
  run.create<GateLog>();
  run.overlay(kInPlace.plan);
  run.overlay(kGate.plan);
  return run.required();
}
static_assert(shared_size() == larger(kInPlace.total(), kGate.total()) + sizeof(Votes) + sizeof(GateLog),
              "planned memory is the larger one, persistent memory adds up");

arenite::Arena<shared_size()> shared;

bool run_two_models() {
  auto* const votes = shared.create<Votes>();
  auto* const log = shared.create<GateLog>();
  const auto network = shared.overlay(kInPlace.plan);
  const auto gate = shared.overlay(kGate.plan);  // the same bytes
  if (votes == nullptr || log == nullptr || !network || !gate) return fail("set-up of two models");

  const Places at = places(kInPlace.graph, network, nullptr);
  std::int8_t* gate_at[kGateNames] = {};
  std::int32_t expected[kClasses] = {};
  for (std::size_t i = 0; i < kGateWeights; ++i) gate_at[i] = gate.data<std::int8_t>(i);
  for (std::uint32_t picture = 0; picture < kPictures; ++picture) {
    draw(gate_at[kGateImage], kSide, picture);
    run_gate(gate_at);
    log->runs += 1;
    if (gate_at[kGateScores][0] <= gate_at[kGateScores][1]) continue;
    log->open += 1;
    draw(at[kImage], kSide, picture);  // the bytes are the other model's now
    run(at, kSide, 1);
    for (std::size_t i = 0; i < kClasses; ++i) {
      votes->of[i] += at[kScores][i];
      expected[i] += reference[picture].of[i];
    }
  }
  for (std::size_t i = 0; i < kClasses; ++i) {
    if (votes->of[i] != expected[i]) return fail("two models: a persistent value was lost, or scores differ");
  }
  std::printf("two models in one arena           planned persistent\n");
  std::printf("  the network                    %8lu %10lu\n", as_long(kInPlace.plan.size()), as_long(sizeof(Votes)));
  std::printf("  the gate: %ld runs, %ld open       %8lu %10lu\n", static_cast<long>(log->runs),
              static_cast<long>(log->open), as_long(kGate.plan.size()), as_long(sizeof(GateLog)));
  arenite::print_usage(put, shared);
  std::printf("\n");
  const arenite::ArenaUsage usage = arenite::usage(shared);
  const bool adds_up = usage.overlay.used == larger(kInPlace.plan.size(), kGate.plan.size()) &&
                       usage.tail.used == sizeof(Votes) + sizeof(GateLog) &&
                       usage.all.used == usage.overlay.used + usage.tail.used && usage.all.required == usage.capacity &&
                       usage.all.used == usage.capacity;
  return (log->runs == kPictures && log->open != 0 && adds_up) || fail("two models: the numbers do not add up");
}

// --- 6. another input size, planned on the device --------------------------------------------------------------------

// The same graph of any size, in a session or a dry one.
template <class Session>
constexpr arenite::Status commit_size(Session& session, std::size_t side) {
  const Tensors t = tensors(side);
  const arenite::Status status = session.replan();
  return status == arenite::Status::kOk
             ? session.commit(arenite::Graph{
                   t.list, kNames, kOpsInPlace, sizeof(kOpsInPlace) / sizeof(kOpsInPlace[0]), {kImage}, {kScores}})
             : status;
}

// What it takes of an arena to go through these sizes: the largest plan, tables for two plans, and memory to plan in.
template <std::size_t N>
constexpr std::size_t sizes_need(const std::size_t (&sides)[N]) {
  arenite::DryRun arena;
  arenite::DrySession<kNames> session;
  bool granted = session.begin(arena, kNames) == arenite::Status::kOk;
  for (const std::size_t side : sides) granted = granted && commit_size(session, side) == arenite::Status::kOk;
  return granted ? arena.required() : 0;
}

constexpr std::size_t kSizes[] = {kSide, kSide / 2, kSide};
constexpr std::size_t kSizesAndLarge[] = {kSide, kSide / 2, kSide, kSide * 2};
arenite::Arena<sizes_need(kSizes)> resizable;

constexpr auto kSmall = model(tensors(kSide / 2), kOpsInPlace);
constexpr auto kLarge = model(tensors(kSide * 2), kOpsInPlace);
static_assert(kSmall.perfect() && kLarge.perfect());

// Whether a plan made now, after others, is the one that the compiler makes.
bool as_from_fresh(const arenite::PlanRef& plan, const Model<kNames>& fresh) {
  bool equal = plan.size() == fresh.plan.size();
  for (std::size_t i = 0; i < kNames; ++i) equal = equal && plan.offset(i) == fresh.plan.offset(i);
  return equal;
}

// Are the scores those of the unplanned run?
bool run_size(const arenite::Session<>& session, std::size_t side) {
  Places at;
  for (std::size_t i = 0; i < kNames; ++i) at.at[i] = session.data<std::int8_t>(i);
  draw(at[kImage], side, 0);
  run(at, side, 1);
  return same(at[kScores], (side == kSide ? reference[0] : reference_small).of, kClasses);
}

bool run_sizes() {
  arenite::Session<> session;
  if (session.begin(resizable, kNames) != arenite::Status::kOk) return fail("another size: begin");
  std::printf("another input size, planned at run time in an arena of %lu bytes\n", as_long(resizable.capacity()));
  for (const std::size_t side : kSizes) {
    if (commit_size(session, side) != arenite::Status::kOk) return fail("another size: refused");
    if (!as_from_fresh(session.plan(), side == kSide ? kInPlace : kSmall)) return fail("another size: plan");
    if (!run_size(session, side)) return fail("another size: scores differ");
    std::printf("  %lux%-3lu %6lu bytes, offsets as from fresh, scores the same\n", as_long(side), as_long(side),
                as_long(session.plan().size()));
  }
  const std::size_t tables = resizable.used(arenite::Region::kTail);
  const std::size_t planning = resizable.peak(arenite::Region::kTemp);
  std::printf("        besides: %lu bytes for the tables of two plans, %lu to plan in\n", as_long(tables),
              as_long(planning));
  if (resizable.required() != resizable.capacity()) return fail("another size: the arena is not what was asked for");

  // Too large: refused with its numbers, and nothing has changed, neither the plan nor a byte of its block.
  const auto* const image = session.data<std::int8_t>(kImage);
  const auto* const block = image - session.plan().offset(kImage);
  const std::size_t size = session.plan().size();
  const std::uint32_t before = checksum(0, block, size);
  if (commit_size(session, kSide * 2) != arenite::Status::kOutOfMemory) {
    return fail("another size: does not fit, and was not refused");
  }
  const arenite::Failure failure = resizable.last_failure();
  std::printf("  %lux%-3lu %6lu bytes: %s\n", as_long(kSide * 2), as_long(kSide * 2), as_long(failure.requested),
              to_string(failure.what));
  std::printf("        available %lu, missing %lu, required %lu\n", as_long(failure.available),
              as_long(failure.missing), as_long(failure.required));
  const bool kept = session && session.data<std::int8_t>(kImage) == image && session.plan().size() == size &&
                    as_from_fresh(session.plan(), kInPlace) && checksum(0, block, size) == before;
  if (!kept || !run_size(session, kSide)) return fail("another size: the former plan was lost");
  std::printf("        the %lux%lu plan and all of its bytes are still there, and it runs\n", as_long(kSide),
              as_long(kSide));
  const bool sizes = failure.requested == kLarge.total() && failure.available + failure.missing == failure.requested &&
                     failure.required == sizes_need(kSizesAndLarge);
  return (sizes && resizable.check()) || fail("another size: numbers");
}

}  // namespace

int main() {
  std::printf("a convolutional network in int8: %lux%lu pixels, 7 operators\n\n", as_long(kSide), as_long(kSide));
  if (!run_unplanned() || !run_variants()) return 1;
  print_steps();
  print_variants();
  return run_two_models() && run_sizes() ? 0 : 1;
}
