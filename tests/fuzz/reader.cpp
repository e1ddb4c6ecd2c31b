// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "reader.hpp"

#include <arenite/planner/verify.hpp>

#include <cstddef>
#include <vector>

#include "csv.hpp"
#include "json.hpp"
#include "layout.hpp"

namespace fuzz {

using arenite::tool::Layout;
using arenite::tool::LayoutOptions;
using arenite::tool::Problem;

bool is_same(const Problem& a, const Problem& b) {
  if (a.buffers.size() != b.buffers.size()) return false;
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    if (a.buffers[i] != b.buffers[i] || a.rows[i].id != b.rows[i].id) return false;
  }
  return true;
}

void plan_and_read_again(const Problem& problem, Calls& calls) {
  if (problem.buffers.size() > kMostBuffers) return;
  LayoutOptions options;
  options.strategy = "greedy";
  const Layout layout = make_layout(problem, options);
  std::vector<arenite::Index> scratch(arenite::verify_scratch(problem.buffers.size()));
  expect(arenite::verify(problem.buffers.data(), layout.offsets.data(), problem.buffers.size(), layout.size,
                         layout.alignment, scratch.data())
             .ok(),
         "the plan is none");
  expect(layout.lower_bound <= layout.size, "the lower bound is above the size");
  calls.add(2);
  expect(is_same(problem, arenite::tool::read_csv("plan.csv", csv_of(problem, layout), {})),
         "is read in another way from CSV");
  expect(is_same(problem, arenite::tool::read_json("plan.json", arenite::tool::text_of(json_of(problem, layout)), {})),
         "is read in another way from JSON");
}

}  // namespace fuzz
