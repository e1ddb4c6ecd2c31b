// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for the reader of .tflite models: what is read is planned too, and carries its plan.

#include <cstddef>
#include <cstdint>
#include <string>

#include "layout.hpp"
#include "model.hpp"
#include "model_patch.hpp"
#include "plan_check.hpp"
#include "reader.hpp"

namespace {

using arenite::tool::Model;
using arenite::tool::Problem;
using fuzz::expect;

fuzz::Calls calls("model");

// The plan of a model, written into it, is what is read from it. What TFLM could not take is refused.
void embed(const Model& model) {
  const Problem problem = arenite::tool::problem_without_plan(model, {});
  if (problem.buffers.size() > fuzz::kMostBuffers) return;
  arenite::tool::LayoutOptions options;
  options.strategy = "greedy";
  arenite::tool::Offsets offsets;
  for (const std::size_t offset : make_layout(problem, options).offsets) {
    offsets.push_back(static_cast<std::int64_t>(offset));
  }
  const std::string payload = arenite::tool::payload_of(model, problem, offsets);
  const arenite::tool::PatchedModel patched = arenite::tool::with_offline_plan(model, payload);
  calls.add();
  const Model written(model.file(), patched.bytes);
  expect(written.offline_plan() == payload, "another plan is read");
  if (!fuzz::is_same(problem, arenite::tool::problem_without_plan(written, {}))) {
    // A plan that is overwritten may lie over another part of a broken file: `embed` refuses that.
    expect(patched.in_place, "the model has changed");
    return;
  }
  for (const auto& finding : check_payload(written, problem, payload).findings) {
    // What is not the plan's fault: variables of a later subgraph, and a model that is too large.
    expect(finding.kind == "variable_without_memory" || finding.kind == "too_large", "the plan is none");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt(data, size, [](const std::string& bytes) {
    calls.add();
    const Model model("input", bytes);
    fuzz::plan_and_read_again(arenite::tool::problem_of(model, {}), calls);
    embed(model);
  });
  return 0;
}
