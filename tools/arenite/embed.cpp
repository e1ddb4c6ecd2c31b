// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <iomanip>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "json.hpp"
#include "layout.hpp"
#include "model.hpp"
#include "model_patch.hpp"
#include "plan_check.hpp"
#include "replace_file.hpp"

namespace arenite::tool {
namespace {

// Everything that the answer tells. Sizes in bytes.
struct Embedding {
  std::string strategy;
  PatchedModel file;
  std::size_t old_bytes = 0;  // of the file
  std::size_t tensors = 0;
  std::size_t placed = 0;
  std::size_t size = 0;  // what TFLM needs with the plan
  std::size_t lower_bound = 0;
  std::optional<std::size_t> before;  // and without; none: it would not have run
  std::vector<std::string> notes;

  [[nodiscard]] bool proven() const noexcept { return size == lower_bound; }
};

// TFLM refuses tensors that are no inputs and outputs but belong to an operator, if they have bytes.
void refuse_intermediates(const Model& model) {
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t o = 0; o < model.operator_count(s); ++o) {
      const auto* const list =
          model.subgraph(s).operators()->Get(static_cast<flatbuffers::uoffset_t>(o))->intermediates();
      if (list == nullptr) continue;
      for (const std::int32_t index : *list) {
        const auto t = static_cast<std::size_t>(index);
        if (model.bytes_of_tensor(s, t) == 0) continue;
        throw InputError(model.file(), model.place_of_tensor(s, t),
                         "is an intermediate that is not empty: TensorFlow Lite Micro refuses such a model");
      }
    }
  }
}

// Of a tensor in the count of all.
std::string place_of(const Model& model, std::size_t id) {
  std::size_t s = 0;
  for (; id >= model.tensor_count(s); ++s) id -= model.tensor_count(s);
  return model.place_of_tensor(s, id);
}

// The plan that the file carries: what TFLM needs with it, and variables that it gives an offset.
void look_at_old_plan(const Model& model, const LoadOptions& load, const Problem& problem, Embedding& result) {
  const std::optional<std::string_view> old = model.offline_plan();
  if (!old) {
    result.before = tflm_layout(problem).size;
    return;
  }
  result.notes.push_back("The file carried a plan already, which is replaced.");
  std::size_t variables = 0;
  std::string first;
  const PlanCheck check = check_payload(model, problem, *old);
  std::size_t others = 0;
  for (const Finding& finding : check.findings) {
    if (finding.kind != "variable") {
      ++others;
      continue;
    }
    if (variables++ == 0) first = place_of(model, finding.ids.front());
  }
  if (variables != 0) {
    result.notes.push_back(std::to_string(variables) + (variables == 1 ? " variable" : " variables") +
                           " had an offset in the old plan and will be persistent again: " +
                           (variables == 1 ? "" : "the first is ") + first + ".");
  }
  if (others != 0) {
    result.notes.push_back("The old plan was not valid: see `arenite verify`.");
    return;
  }
  try {
    LoadOptions options = load;
    options.alignment = std::max(options.alignment, kTflmAlignment);
    result.before = tflm_layout(problem_of(model, options)).size;
  } catch (const InputError&) {
    result.notes.push_back("The old plan was not valid: see `arenite verify`.");
  }
}

// Whether the plan is good; says on `err` what is wrong with it.
bool is_good(const PlanCheck& check, const std::string& file, std::ostream& err) {
  if (check.good()) return true;
  err << "arenite: " << file << ": the plan is not embedded: it has " << check.count()
      << (check.count() == 1 ? " fault" : " faults") << '\n'
      << text_of(check, "  ");
  return false;
}

std::optional<Offsets> offsets_of(const Model& model, const Problem& problem, const EmbedArguments& arguments,
                                  Streams& streams, Embedding& result) {
  if (!arguments.plan.empty()) {
    result.strategy = "given";
    PlanCheck check = check_plan(&model, problem, load(arguments.plan));
    if (!is_good(check, arguments.plan, streams.err)) return std::nullopt;
    return std::move(check.offsets);
  }
  if (arguments.layout.strategy == "given") {
    throw InputError(model.file(), "", "the strategy 'given' makes no plan: choose another one, or give --plan");
  }
  Problem wanted = problem;
  if (arguments.load.alignment < kTflmAlignment) {
    LoadOptions options = arguments.load;
    options.offline_plan = false;
    wanted = problem_of(model, options);
  }
  const Layout layout = layout_with_progress(wanted, arguments.layout, streams);
  result.strategy = layout.strategy;
  result.lower_bound = arguments.load.alignment < kTflmAlignment ? 0 : layout.lower_bound;
  Offsets offsets;
  for (const std::size_t offset : layout.offsets) offsets.push_back(static_cast<std::int64_t>(offset));
  return offsets;
}

// What comes of scratch, for which the device looks for a place by itself.
void add_notes(const Problem& problem, const Offsets& offsets, Embedding& result) {
  std::size_t planned = 0;
  bool all = true;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    all = all && offsets[i] >= 0;
    if (offsets[i] >= 0) planned = std::max(planned, static_cast<std::size_t>(offsets[i]) + problem.buffers[i].size);
  }
  if (all && planned != result.size) {
    result.notes.push_back("The plan has " + std::to_string(planned) +
                           " bytes; the device places scratch by itself, and comes to " + std::to_string(result.size) +
                           ".");
  }
  const bool scratch =
      std::any_of(problem.rows.begin(), problem.rows.end(), [](const Row& row) { return row.role == Role::kScratch; });
  if (!scratch) {
    result.notes.push_back(
        "A plan that is made without the scratch may leave less room for it than there would be without a plan.");
  }
  if (result.before && *result.before < result.size) {
    result.notes.push_back("That is more than without this plan.");
  }
}

// Reads the new file as if it came from somebody else.
bool check_written(const Model& old, const Problem& problem, const std::string& payload,
                   const EmbedArguments& arguments, Streams& streams, Embedding& result) {
  const Model written(old.file(), result.file.bytes);
  if (written.offline_plan() != payload)
    throw InputError(old.file(), "", "does not hold the plan after it was embedded");
  if (problem_without_plan(written, arguments.load).buffers != problem.buffers) {
    throw InputError(old.file(), "metadata '" + std::string(kOfflinePlanName) + "'",
                     "lies over another part of the file, which would change with it");
  }
  const PlanCheck check = check_payload(written, problem, payload);
  if (!is_good(check, old.file(), streams.err)) return false;
  LoadOptions options = arguments.load;
  options.alignment = std::max(options.alignment, kTflmAlignment);
  const Problem now = problem_of(written, options);
  const PlanSize size = size_of(now, check.offsets);
  result.size = tflm_layout(now).size;
  result.placed = size.placed;
  result.tensors = written.tensor_count();
  result.lower_bound = std::max(result.lower_bound, size.lower_bound);
  result.notes.insert(result.notes.end(), now.notes.begin(), now.notes.end());
  return true;
}

void print_notes(const Embedding& result, std::ostream& out) {
  for (const std::string& note : result.notes) out << "\nNote: " << note << '\n';
}

void print_text(const Embedding& result, std::ostream& out) {
  const auto line = [&out](const std::string& what, std::size_t value, const std::string& remark) {
    out << "  " << std::left << std::setw(24) << what << std::right << std::setw(12) << value << "  " << remark << '\n';
  };
  out << result.size << " bytes for the planned buffers, " << proof_of(result.size, result.lower_bound) << "\n\n";
  if (result.before) line("before", *result.before, "what TensorFlow Lite Micro needed");
  line("lower bound", result.lower_bound, "no plan is smaller");
  line("tensors with an offset", result.placed, "of " + std::to_string(result.tensors));
  line("file", result.file.bytes.size(),
       result.file.in_place ? "the old plan in it is overwritten, the rest is the same"
                            : std::to_string(result.file.bytes.size() - result.old_bytes) +
                                  " bytes before the old file, which is the same");
  print_notes(result, out);
}

Json json_of(const Embedding& result, const EmbedArguments& arguments) {
  Json json;
  json["source"] = arguments.input;
  json["output"] = arguments.output;
  json["strategy"] = result.strategy;
  json["size"] = result.size;
  json["before"] = result.before ? Json(*result.before) : Json();
  json["lower_bound"] = result.lower_bound;
  json["proven"] = result.proven();
  json["placed"] = result.placed;
  json["tensors"] = result.tensors;
  json["file"] = {{"bytes", result.file.bytes.size()},
                  {"grown", result.file.bytes.size() - result.old_bytes},
                  {"replaced", result.file.replaced},
                  {"in_place", result.file.in_place}};
  json["notes"] = result.notes;
  return json;
}

void write_out(std::ostream& out, const std::string& bytes) {
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out) throw InputError("standard output", "", "cannot be written");
}

}  // namespace

int run_embed(const EmbedArguments& arguments, Streams& streams) {
  const Model model(arguments.input == "-" ? "standard input" : arguments.input, read_file(arguments.input));
  const Problem problem = problem_without_plan(model, arguments.load);
  refuse_intermediates(model);
  Embedding result;
  result.old_bytes = model.bytes().size();
  look_at_old_plan(model, arguments.load, problem, result);
  const std::optional<Offsets> offsets = offsets_of(model, problem, arguments, streams, result);
  if (!offsets) return kNo;
  const std::string payload = payload_of(model, problem, *offsets);
  result.file = with_offline_plan(model, payload);
  if (!check_written(model, problem, payload, arguments, streams, result)) return kNo;
  add_notes(problem, *offsets, result);
  if (arguments.output == "-") {
    write_out(streams.out, result.file.bytes);
    print_notes(result, streams.err);  // what else there is to say has no place
    return kYes;
  }
  replace_file(arguments.output, result.file.bytes);
  if (arguments.format == Format::kJson) {
    streams.out << text_of(json_of(result, arguments));
  } else {
    print_text(result, streams.out);
  }
  return kYes;
}

}  // namespace arenite::tool
