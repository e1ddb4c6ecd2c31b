// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Lifetimes as TensorFlow Lite Micro gives them (tensorflow/lite/micro/micro_allocation_info.cc): each operator is a
// step, and what it reads and writes lives at it; inputs of a graph live from its start, outputs to its end; a graph
// that an operator calls takes steps of its own there, once for each call, and one to enter it. Tensors that nothing
// creates live before the first step, all of them together. Handles of resource variables are not planned: the kernel
// of VAR_HANDLE has them in its own data.

#include <arenite/adapters/tflm_offline_plan.hpp>
#include <arenite/align.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "model.hpp"
#include "trace.hpp"

namespace arenite::tool {
namespace {

// As many as a `Step` of a microcontroller can count. Graphs may call others that call others, each twice as many.
constexpr std::size_t kMostSteps = 1u << 16;

// Tensors that all these steps read and write, again and again.
constexpr std::size_t kMostUses = std::size_t{1} << 22;

// Graphs that call each other: no deeper than this.
constexpr std::size_t kMostCalls = 64;

constexpr std::int64_t kNever = -1;

struct Lifetime {
  std::int64_t first = kNever;
  std::int64_t last = kNever;
  std::vector<std::pair<std::int64_t, bool>> uses;  // step, whether it writes

  void create(std::int64_t step) noexcept {
    if (first == kNever) first = step;
  }
  void use(std::int64_t step) noexcept { last = step; }
};

class Walk {
 public:
  Walk(const Model& model, const std::vector<Scratch>& scratch) : model_(model), scratch_(scratch) {
    tensors_.resize(model.tensor_count());
    reached_.resize(model.subgraph_count());
    scratch_lifetimes_.resize(scratch.size());
    new_step("start");
    graph(0);
  }

  [[nodiscard]] const Lifetime& tensor(std::size_t index) const noexcept { return tensors_[index]; }
  [[nodiscard]] const Lifetime& scratch(std::size_t index) const noexcept { return scratch_lifetimes_[index]; }
  [[nodiscard]] bool reached(std::size_t subgraph) const noexcept { return reached_[subgraph]; }
  [[nodiscard]] std::vector<std::string>&& steps() noexcept { return std::move(steps_); }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
    throw InputError(model_.file(), place, what);
  }

  std::int64_t new_step(std::string name) {
    if (steps_.size() == kMostSteps) {
      refuse("",
             "its graphs call each other so often that they take more than " + std::to_string(kMostSteps) + " steps");
    }
    steps_.push_back(std::move(name));
    return now();
  }
  [[nodiscard]] std::int64_t now() const noexcept { return static_cast<std::int64_t>(steps_.size()) - 1; }

  template <class Visit>
  void each(std::size_t s, const flatbuffers::Vector<std::int32_t>* list, Visit visit) {
    if (list == nullptr) return;
    uses_ += list->size();
    if (uses_ > kMostUses) {
      refuse("subgraph " + std::to_string(s), "its operators, with those before, read and write tensors more than " +
                                                  std::to_string(kMostUses) + " times");
    }
    for (const std::int32_t index : *list) {
      if (index >= 0) visit(tensors_[model_.first_tensor(s) + static_cast<std::size_t>(index)]);
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): a level for each call, of which there are at most `kMostCalls`
  void graph(std::size_t s) {
    if (std::find(path_.begin(), path_.end(), s) != path_.end()) {
      refuse("subgraph " + std::to_string(s), "calls itself: it would never end");
    }
    if (path_.size() == kMostCalls) {
      refuse("subgraph " + std::to_string(s), "is called from more than " + std::to_string(kMostCalls) + " others");
    }
    path_.push_back(s);
    reached_[s] = true;
    const tflite::SubGraph& subgraph = model_.subgraph(s);
    each(s, subgraph.inputs(), [&](Lifetime& tensor) {
      tensor.create(now());
      tensor.use(now());
    });
    for (std::size_t o = 0; o < model_.operator_count(s); ++o) run_operator(s, o);
    each(s, subgraph.outputs(), [&](Lifetime& tensor) {
      tensor.create(now());
      tensor.use(now());
    });
    path_.pop_back();
  }

  // NOLINTNEXTLINE(misc-no-recursion): see `graph`
  void run_operator(std::size_t s, std::size_t o) {
    const tflite::Operator& op = *model_.subgraph(s).operators()->Get(static_cast<flatbuffers::uoffset_t>(o));
    const std::string name = (model_.subgraph_count() > 1 ? std::to_string(s) + "/" : "") + std::to_string(o) + " " +
                             model_.name_of_operator(op);
    const std::int64_t start = new_step(name);
    each(s, op.outputs(), [&](Lifetime& tensor) {
      tensor.create(start);
      tensor.uses.emplace_back(start, true);
    });
    each(s, op.inputs(), [&](Lifetime& tensor) { tensor.uses.emplace_back(start, false); });
    for (const std::int32_t called : called_by(op, "operator " + name)) {
      if (called == -1) continue;
      new_step(name + ": enter subgraph " + std::to_string(called));
      graph(static_cast<std::size_t>(called));
    }
    each(s, op.inputs(), [&](Lifetime& tensor) { tensor.use(now()); });
    each(s, op.outputs(), [&](Lifetime& tensor) { tensor.use(now()); });
    const auto begin =
        std::lower_bound(scratch_.begin(), scratch_.end(), std::pair(s, o),
                         [](const Scratch& one, const auto& place) { return std::pair(one.subgraph, one.op) < place; });
    for (auto i = static_cast<std::size_t>(begin - scratch_.begin()); i < scratch_.size(); ++i) {
      if (scratch_[i].subgraph != s || scratch_[i].op != o) break;
      scratch_lifetimes_[i].create(start);
      scratch_lifetimes_[i].use(now());
      scratch_lifetimes_[i].uses.emplace_back(start, true);
    }
  }

  // The subgraphs that an operator calls, -1 where it calls none.
  [[nodiscard]] std::array<std::int32_t, 2> called_by(const tflite::Operator& op, const std::string& place) const {
    std::array<std::int32_t, 2> called = {-1, -1};
    const auto take = [&](const auto* options, auto first, auto second) {
      if (options == nullptr) refuse(place, "does not say which subgraphs it calls");
      called = {first(*options), second(*options)};
    };
    const auto none = [](const auto&) { return std::int32_t{-1}; };
    switch (model_.code_of(op)) {
      case tflite::BuiltinOperator::IF:
        take(
            op.builtin_options_as_IfOptions(), [](const auto& options) { return options.then_subgraph_index(); },
            [](const auto& options) { return options.else_subgraph_index(); });
        break;
      case tflite::BuiltinOperator::WHILE:
        take(
            op.builtin_options_as_WhileOptions(), [](const auto& options) { return options.cond_subgraph_index(); },
            [](const auto& options) { return options.body_subgraph_index(); });
        break;
      case tflite::BuiltinOperator::CALL_ONCE:
        take(
            op.builtin_options_as_CallOnceOptions(), [](const auto& options) { return options.init_subgraph_index(); },
            none);
        break;
      default:
        break;
    }
    for (const std::int32_t index : called) {
      if (index < -1 || (index >= 0 && static_cast<std::size_t>(index) >= model_.subgraph_count())) {
        refuse(place, "there is no subgraph " + std::to_string(index));
      }
    }
    return called;
  }

  const Model& model_;
  const std::vector<Scratch>& scratch_;  // sorted
  std::size_t uses_ = 0;
  std::vector<Lifetime> tensors_;
  std::vector<Lifetime> scratch_lifetimes_;
  std::vector<bool> reached_;
  std::vector<std::size_t> path_;
  std::vector<std::string> steps_;
};

// What the metadata of the file says about each tensor; nothing if there is none, or it is not sound.
std::vector<std::optional<std::size_t>> offline_offsets(const Model& model, std::vector<std::string>& notes) {
  const auto payload = model.offline_plan();
  if (!payload) return {};
  std::vector<Constraint> pins(model.tensor_count());
  const tflm::OfflinePlan plan = tflm::read_offline_plan(reinterpret_cast<const std::uint8_t*>(payload->data()),
                                                         payload->size(), model.tensor_count(), pins.data());
  if (plan.status != Status::kOk) {
    notes.push_back("The file carries an offline plan that is not sound, which is ignored here: see `arenite verify`.");
    return {};
  }
  std::vector<std::optional<std::size_t>> offsets(model.tensor_count());
  for (std::size_t i = 0; i < plan.pins.count(); ++i) offsets[plan.pins.data()[i].buffer] = plan.pins.data()[i].offset;
  return offsets;
}

// Scratch in the order in which TFLM is asked for it, each for an operator that there is.
std::vector<Scratch> sorted_scratch(const Model& model, std::vector<Scratch> scratch) {
  for (const Scratch& one : scratch) {
    const std::string place = "scratch of operator " + std::to_string(one.op);
    if (one.subgraph >= model.subgraph_count()) {
      throw InputError(model.file(), place, "there is no subgraph " + std::to_string(one.subgraph));
    }
    if (one.op >= model.operator_count(one.subgraph)) {
      throw InputError(model.file(), place,
                       "subgraph " + std::to_string(one.subgraph) + " has " +
                           std::to_string(model.operator_count(one.subgraph)) + " operators, counted from 0");
    }
  }
  std::stable_sort(scratch.begin(), scratch.end(), [](const Scratch& a, const Scratch& b) {
    return a.subgraph != b.subgraph ? a.subgraph < b.subgraph : a.op < b.op;
  });
  return scratch;
}

class Maker {
 public:
  Maker(const Model& model, const LoadOptions& options)
      : model_(model), options_(options), scratch_(sorted_scratch(model, options.scratch)), walk_(model, scratch_) {}

  Problem run() {
    problem_.source = model_.file();
    problem_.model.emplace();
    if (options_.offline_plan) pinned_ = offline_offsets(model_, problem_.notes);
    find_resources();
    find_ends();
    find_shift();
    ModelFacts& facts = *problem_.model;
    facts.subgraphs = model_.subgraph_count();
    facts.tensors = model_.tensor_count();
    facts.scratch_given = !scratch_.empty() || !options_.trace.empty();
    facts.has_offline_plan = model_.offline_plan().has_value();
    facts.weights = weights();
    std::size_t number = 0;
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      facts.operators += model_.operator_count(s);
      for (std::size_t t = 0; t < model_.tensor_count(s); ++t) add_tensor(s, t, number++);
    }
    for (std::size_t i = 0; i < scratch_.size(); ++i) add_scratch(i, number++);
    problem_.steps = walk_.steps();
    if (shift_ != 0) problem_.steps.insert(problem_.steps.begin(), "never created");
    add_notes();
    return std::move(problem_);
  }

 private:
  [[nodiscard]] bool is_planned(std::size_t s, std::size_t t, std::size_t number) const {
    const tflite::Tensor& tensor = model_.tensor(s, t);
    if (tensor.is_variable()) return !pinned_.empty() && pinned_[number].has_value();
    return !is_handle_[number] && !model_.is_constant(tensor) && model_.bytes_of_tensor(s, t) != 0;
  }

  // The handles of resource variables, and the bytes of these: each takes them where it is first assigned.
  void find_resources() {
    is_handle_.resize(model_.tensor_count());
    std::set<std::pair<std::string, std::string>> assigned;
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      std::map<std::int32_t, std::pair<std::string, std::string>> variables;  // by handle
      for (std::size_t o = 0; o < model_.operator_count(s); ++o) {
        const tflite::Operator& op = *model_.subgraph(s).operators()->Get(static_cast<flatbuffers::uoffset_t>(o));
        const tflite::BuiltinOperator code = model_.code_of(op);
        if (code == tflite::BuiltinOperator::VAR_HANDLE && op.outputs() != nullptr && op.outputs()->size() == 1) {
          is_handle_[model_.first_tensor(s) + static_cast<std::size_t>(op.outputs()->Get(0))] = true;
          const auto* const options = op.builtin_options_as_VarHandleOptions();
          if (options != nullptr)
            variables[op.outputs()->Get(0)] = {text(options->container()), text(options->shared_name())};
        }
        if (code == tflite::BuiltinOperator::ASSIGN_VARIABLE && op.inputs() != nullptr && op.inputs()->size() == 2) {
          const auto variable = variables.find(op.inputs()->Get(0));
          const std::int32_t value = op.inputs()->Get(1);
          if (variable == variables.end() || value < 0 || !assigned.insert(variable->second).second) continue;
          add_variable(s, static_cast<std::size_t>(value));
        }
      }
    }
  }

  [[nodiscard]] static std::string text(const flatbuffers::String* string) {
    return string == nullptr ? "" : string->str();
  }

  // A variable of this tensor's size.
  void add_variable(std::size_t s, std::size_t t) {
    const std::size_t bytes = rounded(model_.bytes_of_tensor(s, t), model_.place_of_tensor(s, t));
    problem_.model->variables = add_saturated(problem_.model->variables, bytes);
  }

  // The tensors of the first subgraph that are its inputs and outputs.
  void find_ends() {
    const auto mark = [](const flatbuffers::Vector<std::int32_t>* list, std::vector<bool>& marks) {
      if (list == nullptr) return;
      for (const std::int32_t index : *list) marks[static_cast<std::size_t>(index)] = true;
    };
    is_input_.resize(model_.tensor_count(0));
    is_output_.resize(model_.tensor_count(0));
    mark(model_.subgraph(0).inputs(), is_input_);
    mark(model_.subgraph(0).outputs(), is_output_);
  }

  // Steps count from zero: one more where something is planned for the time before.
  void find_shift() {
    std::size_t number = 0;
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t t = 0; t < model_.tensor_count(s); ++t, ++number) {
        if (is_planned(s, t, number) && walk_.tensor(number).first == kNever) shift_ = 1;
      }
    }
  }

  [[nodiscard]] std::size_t rounded(std::size_t bytes, const std::string& place) const {
    if (bytes > kMaxSize - (options_.alignment - 1)) {
      throw InputError(model_.file(), place, "has more bytes than can be addressed");
    }
    return align_up(bytes, options_.alignment);
  }

  void add(std::size_t number, std::string name, Role role, std::size_t bytes, const Lifetime& lifetime,
           const std::string& place) {
    Buffer buffer;
    buffer.size = rounded(bytes, place);
    buffer.first = static_cast<Step>(lifetime.first + shift_);
    buffer.last = static_cast<Step>(lifetime.last + shift_);
    buffer.alignment = options_.alignment;
    Row row;
    row.id = number;
    row.name = std::move(name);
    row.role = role;
    row.bytes = bytes;
    for (const auto& [step, writes] : lifetime.uses) row.uses.push_back({static_cast<Step>(step + shift_), writes});
    problem_.buffers.push_back(buffer);
    problem_.rows.push_back(std::move(row));
    if (!pinned_.empty()) problem_.offsets.push_back(number < pinned_.size() ? pinned_[number] : std::nullopt);
  }

  void add_tensor(std::size_t s, std::size_t t, std::size_t number) {
    const tflite::Tensor& tensor = model_.tensor(s, t);
    const bool planned = is_planned(s, t, number);
    if (tensor.is_variable() && !planned) add_variable(s, t);
    if (!planned) return;
    add(number, model_.name_of_tensor(s, t), role_of(s, t), model_.bytes_of_tensor(s, t), walk_.tensor(number),
        model_.place_of_tensor(s, t));
  }

  void add_scratch(std::size_t i, std::size_t number) {
    const Scratch& scratch = scratch_[i];
    const std::string of =
        (model_.subgraph_count() > 1 ? std::to_string(scratch.subgraph) + "/" : "") + std::to_string(scratch.op);
    if (!walk_.reached(scratch.subgraph)) {
      throw InputError(model_.file(), "scratch of operator " + of,
                       "its subgraph is never called: TensorFlow Lite Micro plans such scratch with a size that it "
                       "never sets");
    }
    add(number, "scratch of " + of, Role::kScratch, scratch.bytes, walk_.scratch(i), "scratch of operator " + of);
  }

  [[nodiscard]] Role role_of(std::size_t s, std::size_t t) const {
    if (s != 0) return Role::kActivation;
    if (is_input_[t]) return Role::kInput;
    if (is_output_[t]) return Role::kOutput;
    return Role::kActivation;
  }

  // Each piece of data once, however many tensors have it.
  [[nodiscard]] std::size_t weights() const {
    std::set<std::uint32_t> used;
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t t = 0; t < model_.tensor_count(s); ++t) {
        const tflite::Tensor& tensor = model_.tensor(s, t);
        if (model_.is_constant(tensor)) used.insert(tensor.buffer());
      }
    }
    std::size_t bytes = 0;
    for (const std::uint32_t index : used) {
      const tflite::Buffer& buffer = *model_.root().buffers()->Get(index);
      bytes = add_saturated(bytes, buffer.data() != nullptr && buffer.data()->size() != 0
                                       ? buffer.data()->size()
                                       : static_cast<std::size_t>(buffer.size()));
    }
    return bytes;
  }

  void add_notes() {
    std::vector<std::string>& notes = problem_.notes;
    if (!problem_.model->scratch_given) {
      notes.push_back(
          "Scratch that kernels ask for on the device is not in this figure: give it by --scratch or --trace.");
    }
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      if (!walk_.reached(s) && model_.operator_count(s) != 0) {
        notes.push_back("Subgraph " + std::to_string(s) +
                        " is never called; TensorFlow Lite Micro fails if one of its "
                        "kernels asks for scratch.");
      }
    }
    note_intermediates();
  }

  void note_intermediates() {
    std::size_t count = 0;
    std::string first;
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t o = 0; o < model_.operator_count(s); ++o) {
        const auto* const list =
            model_.subgraph(s).operators()->Get(static_cast<flatbuffers::uoffset_t>(o))->intermediates();
        if (list == nullptr) continue;
        for (const std::int32_t index : *list) {
          const auto t = static_cast<std::size_t>(index);
          if (model_.bytes_of_tensor(s, t) == 0) continue;
          if (count++ == 0) first = model_.place_of_tensor(s, t);
        }
      }
    }
    if (count == 0) return;
    problem_.notes.push_back("TensorFlow Lite Micro refuses this model: " + first +
                             " is an intermediate that is not empty" +
                             (count == 1 ? "" : ", and there are " + std::to_string(count - 1) + " more") + ".");
  }

  const Model& model_;
  const LoadOptions& options_;
  std::vector<Scratch> scratch_;
  Walk walk_;
  std::vector<bool> is_handle_;                     // by tensor
  std::vector<bool> is_input_, is_output_;          // by tensor of the first subgraph
  std::vector<std::optional<std::size_t>> pinned_;  // by tensor; empty: nothing is
  std::int64_t shift_ = 0;
  Problem problem_;
};

}  // namespace

Problem problem_of(const Model& model, const LoadOptions& options) {
  Problem problem = Maker(model, options).run();
  if (!options.trace.empty()) add_scratch(problem, read_trace(options.trace, read_file(options.trace), options));
  return problem;
}

}  // namespace arenite::tool
