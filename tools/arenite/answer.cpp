// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "answer.hpp"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "error.hpp"
#include "json.hpp"
#include "names.hpp"
#include "replace_file.hpp"
#include "writers.hpp"

namespace arenite::tool {
namespace {

// Everything that an answer tells.
struct Answer {
  const Problem& problem;
  Layout layout;
  std::size_t capacity = 0;
  std::size_t without_reuse = 0;
  std::optional<std::size_t> tflm;  // none: its planner cannot plan this, or not in time
  Peak peak;
  std::vector<std::string> notes;

  [[nodiscard]] bool fits() const noexcept { return capacity == 0 || layout.size <= capacity; }
  [[nodiscard]] std::size_t missing() const noexcept { return fits() ? 0 : layout.size - capacity; }
  [[nodiscard]] std::string step_name() const {
    return peak.step < problem.steps.size() ? " (" + problem.steps[peak.step] + ")" : "";
  }
};

// The work of TFLM's planner grows with the buffers, times those that are alive together.
constexpr std::size_t kMostWork = 400000000;

Answer make_answer(const Problem& problem, Layout layout, std::size_t capacity) {
  Answer answer{problem, std::move(layout), capacity, 0, std::nullopt, peak_of(problem), problem.notes};
  for (const Buffer& buffer : problem.buffers) {
    answer.without_reuse = add_saturated(answer.without_reuse, buffer.size);
  }
  if (multiply_saturated(problem.buffers.size(), answer.peak.alive.size()) > kMostWork) {
    answer.notes.push_back("So many buffers are alive together that TensorFlow Lite Micro's planner was not asked.");
    return answer;
  }
  try {
    answer.tflm = tflm_layout(problem).size;
  } catch (const InputError&) {
    answer.notes.push_back("The offsets that the file gives are not sound: see `arenite verify`.");
  }
  return answer;
}

void line(std::ostream& out, const std::string& what, std::size_t value, const std::string& remark = "") {
  out << "  " << std::left << std::setw(24) << what << std::right << std::setw(12) << value;
  if (!remark.empty()) out << "  " << remark;
  out << '\n';
}

constexpr std::size_t kMostAlive = 12;
constexpr std::size_t kLongestAlive = 72;

void print_text(const Answer& answer, std::ostream& out) {
  const Problem& problem = answer.problem;
  const Layout& layout = answer.layout;
  out << layout.size << " bytes for the planned buffers, " << proof_of(layout.size, layout.lower_bound) << '\n';
  if (answer.capacity != 0) {
    out << (answer.fits() ? "fits into " : "does not fit into ") << answer.capacity;
    if (answer.fits()) {
      out << ": " << answer.capacity - layout.size << " free\n";
    } else {
      out << ": " << answer.missing() << " missing"
          << (layout.lower_bound > answer.capacity ? ", and no plan fits" : "") << '\n';
    }
  }
  out << '\n';
  line(out, "lower bound", layout.lower_bound, "no plan is smaller");
  line(out, "without reuse", answer.without_reuse, "each buffer by itself");
  if (answer.tflm) {
    const bool given = !problem.offsets.empty();
    line(out, "TensorFlow Lite Micro", *answer.tflm,
         given ? "its greedy planner, around the offsets in the file" : "its greedy planner");
  }
  line(out, "buffers", problem.buffers.size());
  if (problem.model) {
    const ModelFacts& facts = *problem.model;
    line(out, "weights", facts.weights, "in flash");
    line(out, "variables", facts.variables, "in the arena, beside the plan");
    line(out, "operators", facts.operators);
    line(out, "subgraphs", facts.subgraphs);
  }
  if (!answer.peak.alive.empty()) {
    out << "\nMost bytes are alive at step " << answer.peak.step << answer.step_name() << ": " << answer.peak.bytes
        << '\n';
    for (std::size_t k = 0; k < std::min(kMostAlive, answer.peak.alive.size()); ++k) {
      const std::size_t i = answer.peak.alive[k];
      const Buffer& buffer = problem.buffers[i];
      std::ostringstream life;
      life << buffer.first << ".." << buffer.last;
      out << "  " << std::setw(12) << buffer.size << "  steps " << std::left << std::setw(10) << life.str()
          << std::right << ' ' << short_name(problem.rows[i].name, kLongestAlive) << '\n';
    }
    if (answer.peak.alive.size() > kMostAlive) {
      out << "  and " << answer.peak.alive.size() - kMostAlive << " smaller ones\n";
    }
  }
  for (const std::string& note : answer.notes) out << "\nNote: " << note << '\n';
}

Json json_of(const Answer& answer) {
  const Problem& problem = answer.problem;
  Json json = tool::json_of(problem, answer.layout);
  Json buffers = std::move(json["buffers"]);
  json.erase("buffers");
  json["without_reuse"] = answer.without_reuse;
  json["tflm_greedy"] = answer.tflm ? Json(*answer.tflm) : Json();
  if (answer.capacity != 0) {
    json["capacity"] = answer.capacity;
    json["fits"] = answer.fits();
    json["missing"] = answer.missing();
  }
  Json& peak = json["peak"] = {{"bytes", answer.peak.bytes}, {"step", answer.peak.step}};
  if (answer.peak.step < problem.steps.size()) peak["name"] = problem.steps[answer.peak.step];
  Json& alive = peak["alive"] = Json::array();
  for (const std::size_t i : answer.peak.alive) alive.push_back(problem.rows[i].id);
  if (problem.model) {
    const ModelFacts& facts = *problem.model;
    json["model"] = {{"weights", facts.weights},
                     {"variables", facts.variables},
                     {"subgraphs", facts.subgraphs},
                     {"operators", facts.operators},
                     {"tensors", facts.tensors},
                     {"scratch_given", facts.scratch_given},
                     {"offline_plan", facts.has_offline_plan}};
  }
  json["notes"] = answer.notes;
  json["buffers"] = std::move(buffers);
  return json;
}

}  // namespace

void ProgressLine::show(const host::SearchProgress& progress) {
  if (progress.seconds < next_) return;
  next_ = progress.seconds + 0.1;
  shown_ = true;
  out_ << "\r\x1b[K" << static_cast<int>(progress.seconds) << " s: ";
  if (progress.size != static_cast<std::size_t>(-1)) out_ << progress.size << " bytes so far, ";
  out_ << "at least " << progress.lower_bound << std::flush;
}

void ProgressLine::clear() {
  if (shown_) out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

Layout layout_with_progress(const Problem& problem, LayoutOptions options, Streams& streams) {
  ProgressLine line(streams.err);
  if (streams.terminal) {
    options.progress = [&line](const host::SearchProgress& progress) {
      line.show(progress);
      return true;
    };
  }
  Layout layout = make_layout(problem, options);
  line.clear();
  return layout;
}

int answer(const Problem& problem, const AnswerOptions& options, Streams& streams) {
  const Answer found =
      make_answer(problem, layout_with_progress(problem, options.layout, streams), options.layout.capacity);
  if (!options.output.empty() && found.fits()) {
    const std::string plan = plan_file(problem, found.layout, options.output, options.kind);
    if (options.output == "-") {
      streams.out << plan;
    } else {
      replace_file(options.output, plan);
    }
  }
  if (options.output != "-") {
    if (options.format == Format::kJson) {
      streams.out << text_of(json_of(found));
    } else {
      print_text(found, streams.out);
    }
  }
  return found.fits() ? kYes : kNo;
}

int run_plan(const PlanArguments& arguments, Streams& streams) {
  AnswerOptions options;
  options.layout = arguments.layout;
  options.format = arguments.format;
  options.output = arguments.output;
  options.kind = arguments.kind;
  return answer(load(arguments.input, arguments.load), options, streams);
}

}  // namespace arenite::tool
