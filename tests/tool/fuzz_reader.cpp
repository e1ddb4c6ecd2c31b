// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for everything that reads a file: whatever the bytes, they are read or refused, and what is read
// can be planned, and written and read again; a model carries its plan.
//
// The tests run it for so many inputs. For a longer run, with the preset `sanitize` built:
//
//   cd build/sanitize/tests/tool && ./tool_fuzz_seeds seeds && ./tool_fuzz_reader -runs=10000000 -max_len=4096 seeds

#include <arenite/planner/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "csv.hpp"
#include "error.hpp"
#include "input.hpp"
#include "json.hpp"
#include "layout.hpp"
#include "model.hpp"
#include "model_patch.hpp"
#include "plan_check.hpp"
#include "trace.hpp"

namespace {

using arenite::tool::InputError;
using arenite::tool::Layout;
using arenite::tool::LayoutOptions;
using arenite::tool::Problem;

// Unlike an assertion, there in every build.
void expect(bool good) {
  if (!good) std::abort();
}

bool is_same(const Problem& a, const Problem& b) {
  if (a.buffers.size() != b.buffers.size()) return false;
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    if (a.buffers[i] != b.buffers[i] || a.rows[i].id != b.rows[i].id) return false;
  }
  return true;
}

constexpr std::size_t kMostBuffers = 200;  // more take too long for a fuzzer

void plan(const Problem& problem) {
  if (problem.buffers.size() > kMostBuffers) return;
  LayoutOptions options;
  options.strategy = "greedy";
  const Layout layout = make_layout(problem, options);
  std::vector<arenite::Index> scratch(arenite::verify_scratch(problem.buffers.size()));
  expect(arenite::verify(problem.buffers.data(), layout.offsets.data(), problem.buffers.size(), layout.size,
                         layout.alignment, scratch.data())
             .ok());
  expect(layout.lower_bound <= layout.size);
  expect(is_same(problem, arenite::tool::load_bytes("plan.csv", csv_of(problem, layout))));
  expect(is_same(problem, arenite::tool::load_bytes("plan.json", arenite::tool::text_of(json_of(problem, layout)))));
}

// The plan of a model, written into it, is what is read from it. What TFLM could not take is refused.
void embed(const arenite::tool::Model& model) {
  const Problem problem = arenite::tool::problem_without_plan(model, {});
  if (problem.buffers.size() > kMostBuffers) return;
  LayoutOptions options;
  options.strategy = "greedy";
  arenite::tool::Offsets offsets;
  for (const std::size_t offset : make_layout(problem, options).offsets) {
    offsets.push_back(static_cast<std::int64_t>(offset));
  }
  const std::string payload = arenite::tool::payload_of(model, problem, offsets);
  const std::string bytes = arenite::tool::with_offline_plan(model, payload).bytes;
  const arenite::tool::Model written(model.file(), bytes);
  expect(written.offline_plan() == payload);
  expect(is_same(problem, arenite::tool::problem_without_plan(written, {})));
  for (const auto& finding : check_payload(written, problem, payload).findings) {
    // What is not the plan's fault: variables of a later subgraph, and a model that is too large.
    expect(finding.kind == "variable_without_memory" || finding.kind == "too_large");
  }
}

// Reads it as one kind of file.
template <class Read>
void attempt(Read read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { plan(arenite::tool::load_bytes("input", bytes)); });
  if (arenite::tool::is_model("input", bytes)) {
    attempt([&] { embed(arenite::tool::Model("input", bytes)); });
  } else {
    attempt([&] { plan(arenite::tool::read_trace("input", bytes, {})); });
  }
  return 0;
}
