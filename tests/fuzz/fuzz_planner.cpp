// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// libFuzzer's target for the planners: lists of buffers, with constraints and without, sound or not, by every strategy.
// Each plan is checked by `verify` and from the definitions, is at least as large as every lower bound that anybody
// claims, and no larger than the greedy one; `verify` is compared with the definitions on offsets that are no plan.

#include <arenite/host/search.hpp>
#include <arenite/planner.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <vector>

#include "../constraint_model.hpp"
#include "../planning_oracle.hpp"
#include "input.hpp"

namespace {

using arenite::best_of;
using arenite::best_of_eight;
using arenite::Buffer;
using arenite::by_area;
using arenite::by_peak;
using arenite::by_size;
using arenite::greedy;
using arenite::Index;
using arenite::kMaxSize;
using arenite::linear;
using arenite::PlanRef;
using arenite::search;
using arenite::smallest_gap;
using arenite::standard;
using arenite::Status;
using arenite::Step;
using arenite::strip;
using constraint_model::Model;
using constraint_model::Problem;
using fuzz::Input;
using planning::Buffers;
using planning::Offsets;

using Mixed = best_of<by_size, smallest_gap<by_peak>, strip<by_area>>;
using Searched = search<2000>;

fuzz::Calls calls("planner");

constexpr std::size_t kMost = 24;  // buffers

void expect(bool good, const char* what, const Problem& problem) {
  if (!good) std::fprintf(stderr, "buffers, and constraints: %s\n", problem.text().c_str());
  fuzz::expect(good, what);
}

Problem any_list(Input& input) {
  static constexpr planning::Shape kShapes[] = {
      {0, 5, 0, 8, 4, 4, 2}, {0, kMost, 0, 20, 8, 8, 4}, {0, kMost, 1, 5000, 40, 40, 7}, {4, 12, 1, 300, 6, 6, 0}};
  Problem problem;
  problem.buffers = planning::random_list(input, kShapes[input.below(4)]);
  return problem;
}

// Something that nobody should ask for.
void make_hostile(Input& input, Problem& problem) {
  if (!problem.buffers.empty()) {
    Buffer& buffer = problem.buffers[input.below(problem.buffers.size())];
    switch (input.below(6)) {
      case 0:
        buffer.size = input.any_size();
        break;
      case 1:
        buffer.size = kMaxSize - input.below(8);
        break;
      case 2:
        buffer.alignment = input.any_size();
        break;
      case 3:
        buffer.alignment = std::size_t{1} << (40 + input.below(24));
        break;
      case 4:
        buffer.first = static_cast<Step>(input.any_size());
        break;
      default:
        buffer.last = static_cast<Step>(input.any_size());
    }
  }
  if (!problem.constraints.empty()) {
    arenite::Constraint& constraint = problem.constraints[input.below(problem.constraints.size())];
    switch (input.below(6)) {
      case 0:
        constraint.offset = input.any_size();
        break;
      case 1:
        constraint.size = input.any_size();
        break;
      case 2:
        constraint.buffer = input.any_size();
        break;
      case 3:
        constraint.of = input.any_size();
        break;
      case 4:
        constraint.first = static_cast<Step>(input.any_size());
        break;
      default:
        constraint.last = static_cast<Step>(input.any_size());
    }
  }
}

// Whether there may be no plan, though each buffer is sound: some sum of sizes and paddings is too large.
bool may_overflow(const Problem& problem) {
  std::size_t most = 0;
  for (const arenite::Constraint& c : problem.constraints) {
    most = std::max(most, arenite::add_saturated(c.offset, c.size));
  }
  for (const Buffer& buffer : problem.buffers) {
    most = arenite::add_saturated(most, arenite::add_saturated(buffer.size, buffer.alignment.mask()));
    for (const arenite::Constraint& c : problem.constraints) {
      if (c.kind == arenite::Constraint::Kind::kAlias) most = arenite::add_saturated(most, c.offset);
    }
  }
  return most > kMaxSize;
}

// --- without constraints ---------------------------------------------------------------------------------------------

// From the definitions, whatever the numbers.
bool is_plan(const Buffers& buffers, const Offsets& offsets, std::size_t size, std::size_t alignment) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::size_t own = buffers[i].alignment.bytes();
    if (own == 0 || buffers[i].last < buffers[i].first || buffers[i].size > kMaxSize) return false;
    if (offsets[i] % own != 0 || (buffers[i].size != 0 && alignment < own)) return false;
    if (offsets[i] > size || buffers[i].size > size - offsets[i]) return false;
  }
  return planning::all_apart(buffers.data(), offsets.data(), buffers.size());
}

class Comparison {
 public:
  Comparison(Input& input, const Problem& problem) : input_(input), problem_(problem), buffers_(problem.buffers) {}

  void run() {
    const Status status = plan_by<greedy>();
    greedy_size_ = size_;
    expect(plan_by<linear>() == status || overflows(status), "linear is refused for another reason", problem_);
    linear_size_ = size_;
    compare(plan_by<standard>(), status);
    compare(plan_by<best_of_eight>(), status);
    compare(plan_by<Mixed>(), status);
    compare(plan_by<Searched>(), status);
    compare(search_on_the_host(), status);
    if (status != Status::kOk) return;
    expect(bound_ <= greedy_size_ && bound_ <= best_ && bound_ <= linear_size_, "less than a lower bound", problem_);
    if (buffers_.size() <= 5 && greedy_size_ < 1000) {
      const std::size_t best = planning::Exhaustive(buffers_).best();
      expect(bound_ <= best && best <= best_, "another plan is the best", problem_);
    }
    for (int i = 0; i < 4; ++i) verify_anything();
    plan_array<1>();
    plan_array<3>();
    plan_array<8>();
  }

 private:
  bool overflows(Status status) const {
    return (status == Status::kOk || status == Status::kSizeOverflow) && may_overflow(problem_);
  }

  // Of a strategy that is never worse than greedy.
  void compare(Status status, Status greedy_status) {
    expect(status == greedy_status || overflows(greedy_status), "refused for another reason", problem_);
    if (status != Status::kOk || greedy_status != Status::kOk) return;
    expect(size_ <= greedy_size_, "worse than greedy", problem_);
    best_ = std::min(best_, size_);
  }

  // What becomes of it: a plan that is sound, a refusal of the first buffer that is not, or of all.
  Status judge(const PlanRef& plan, bool searched = true) {
    calls.add(4);  // with verify, lower_bound and the check of the plan itself
    const auto wrong = std::find_if(buffers_.begin(), buffers_.end(), [](const Buffer& buffer) {
      return !buffer.alignment.valid() || buffer.last < buffer.first || buffer.size > kMaxSize;
    });
    if (wrong != buffers_.end()) {
      expect(plan.status() == Status::kInvalidAlignment || plan.status() == Status::kInvalidLifetime ||
                 plan.status() == Status::kSizeOverflow,
             "takes what is not sound", problem_);
      expect(plan.culprit() == static_cast<Index>(wrong - buffers_.begin()), "another culprit", problem_);
      expect(plan.size() == 0 && plan.count() == 0, "refused, but with a plan", problem_);
      return plan.status();
    }
    if (plan.status() != Status::kOk) {
      expect(plan.status() == Status::kSizeOverflow && may_overflow(problem_), "refuses what is sound", problem_);
      return plan.status();
    }
    if (plan.count() == buffers_.size()) {
      const auto sound = planning::is_sound(plan, buffers_, searched);
      if (!sound) std::fprintf(stderr, "%s\n", sound.message());
      expect(static_cast<bool>(sound), "a plan that is none", problem_);
    } else {
      expect(buffers_.empty(), "a plan of other buffers", problem_);
    }
    size_ = plan.size();
    bound_ = std::max(bound_, planning::lower_bound_of(plan));
    return Status::kOk;
  }

  template <class Strategy>
  Status plan_by() {
    const planning::Planned<Strategy> planned(buffers_);
    const Status status = judge(*planned, std::is_same_v<Strategy, Searched>);
    const auto planner = std::make_unique<arenite::Planner<kMost, Strategy>>();
    for (const Buffer& buffer : buffers_) fuzz::expect(planner->add(buffer) == Status::kOk, "a full planner");
    const PlanRef plan = planner->plan();
    calls.add();
    expect(plan.status() == planned->status() && plan.culprit() == planned->culprit() &&
               plan.size() == planned->size() && plan.alignment() == planned->alignment(),
           "a planner answers something else", problem_);
    if (status == Status::kOk && !buffers_.empty()) {
      expect(planning::offsets_of(plan) == planning::offsets_of(*planned), "a planner plans otherwise", problem_);
    }
    return status;
  }

  Status search_on_the_host() {
    arenite::host::SearchOptions options;
    options.work = 5000;
    if (input_.below(3) == 0) options.capacity = 1 + input_.below(3000);
    const auto found = arenite::host::search(buffers_.data(), buffers_.size(), options);
    calls.add();
    if (found.status == Status::kOutOfMemory || (found.status == Status::kOk && options.capacity != 0)) {
      expect((found.size <= options.capacity) == (found.status == Status::kOk), "fits, or does not", problem_);
    }
    if (!found.refused()) {
      expect(found.lower_bound <= found.size || buffers_.empty(), "a bound above the size", problem_);
    }
    if (options.capacity != 0 && found.status == Status::kOk) {  // it may be a worse one, that fits
      const Status status = judge(found.plan(buffers_.data()));
      size_ = std::min(size_, greedy_size_);
      return status;
    }
    return judge(found.plan(buffers_.data()));
  }

  // `verify` and the definitions on offsets that may be a plan.
  void verify_anything() {
    const planning::Planned<greedy> planned(buffers_);
    if (planned->count() == 0) return;
    Offsets offsets = planning::offsets_of(*planned);
    Buffers buffers = buffers_;
    std::size_t size = planned->size();
    std::size_t alignment = planned->alignment();
    for (std::size_t changes = 1 + input_.below(3); changes > 0; --changes) {
      std::size_t& offset = offsets[input_.below(offsets.size())];
      switch (input_.below(8)) {
        case 0:
          offset += 1;
          break;
        case 1:
          offset -= offset != 0;
          break;
        case 2:
          offset = offsets[input_.below(offsets.size())];
          break;
        case 3:
          offset = input_.any_size();
          break;
        case 4:
          size -= size != 0;
          break;
        case 5:
          alignment = std::size_t{1} << input_.below(8);
          break;
        case 6:
          size = kMaxSize;
          offset = input_.below(64);
          break;
        default:
          buffers[input_.below(buffers.size())].last += 1;
      }
    }
    std::vector<Index> scratch(arenite::verify_scratch(buffers.size()));
    const auto verdict =
        arenite::verify(buffers.data(), offsets.data(), buffers.size(), size, alignment, scratch.data());
    calls.add();
    expect(verdict.ok() == is_plan(buffers, offsets, size, alignment), "verify and the definitions differ", problem_);
    if (verdict.status != Status::kOverlap) return;
    const Buffer& first = buffers[verdict.first];
    const Buffer& second = buffers[verdict.second];
    expect(planning::share_a_step(first, second) &&
               planning::share_a_byte(first, offsets[verdict.first], second, offsets[verdict.second]) &&
               offsets[verdict.first] <= offsets[verdict.second],
           "a pair that does not overlap", problem_);
  }

  // The forms for arrays, of the first so many buffers.
  template <std::size_t N>
  void plan_array() {
    if (buffers_.size() < N) return;
    std::array<Buffer, N> array{};
    std::copy_n(buffers_.begin(), N, array.begin());
    const Buffers list(array.begin(), array.end());
    compare_array<standard>(array, list);
    compare_array<greedy>(array, list);
    compare_array<Searched>(array, list);
  }
  template <class Strategy, std::size_t N>
  void compare_array(const std::array<Buffer, N>& array, const Buffers& list) {
    const auto plan = arenite::plan<Strategy>(array);
    const planning::Planned<Strategy> planned(list);
    calls.add(3);
    expect(plan.status() == planned->status() && plan.size() == planned->size(), "an array is planned otherwise",
           problem_);
    if (plan.status() != Status::kOk) return;
    expect(planning::offsets_of(plan) == planning::offsets_of(*planned), "an array has other offsets", problem_);
    expect(plan.verify(array).ok(), "the plan of an array is none", problem_);
    expect(plan.lower_bound() == planning::lower_bound_of(*planned) || plan.size() != plan.lower_bound(),
           "the plan of an array has another lower bound", problem_);
  }

  Input& input_;
  const Problem& problem_;
  const Buffers& buffers_;
  std::size_t size_ = 0;  // of the latest plan
  std::size_t greedy_size_ = 0;
  std::size_t linear_size_ = 0;
  std::size_t best_ = static_cast<std::size_t>(-1);
  std::size_t bound_ = 0;  // the largest that anybody claims
};

// --- with constraints ------------------------------------------------------------------------------------------------

class ConstrainedComparison {
 public:
  ConstrainedComparison(Input& input, const Problem& problem) : input_(input), problem_(problem), model_(problem) {}

  void run() {
    const auto by_greedy = answer<greedy>();
    (void)answer<linear>();
    const constraint_model::Answer others[] = {answer<standard>(), answer<best_of_eight>(), answer<Mixed>(),
                                               answer<Searched>(), search_on_the_host()};
    if (by_greedy.status != Status::kOk) return;
    std::size_t bound = by_greedy.lower_bound;
    for (const auto& other : others) bound = std::max(bound, other.lower_bound);
    expect(bound <= by_greedy.size, "greedy is below a lower bound", problem_);
    for (const auto& other : others) {
      if (other.status != Status::kOk) continue;
      expect(other.size <= by_greedy.size, "worse than greedy", problem_);
      expect(bound <= other.size, "below a lower bound", problem_);
    }
    for (int i = 0; i < 4; ++i) verify_anything();
  }

 private:
  void judge(const constraint_model::Answer& answer) {
    if (answer.wrong != nullptr) expect(false, answer.wrong, problem_);
    if (answer.status == Status::kOk) {
      expect(model_.accepted(), "takes what makes no sense", problem_);
    } else if (model_.accepted()) {
      expect(answer.status == Status::kSizeOverflow && may_overflow(problem_), "refuses what makes sense", problem_);
    }
  }

  template <class Strategy>
  constraint_model::Answer answer() {
    calls.add(6);
    const auto answer = constraint_model::answer<Strategy>(problem_, model_);
    judge(answer);
    return answer;
  }

  constraint_model::Answer search_on_the_host() {
    calls.add(2);
    arenite::host::SearchOptions options;
    options.work = 5000;
    const auto found = arenite::host::search({problem_.buffers.data(), problem_.buffers.size()},
                                             {problem_.constraints.data(), problem_.constraints.size()}, options);
    constraint_model::Answer answer;
    answer.status = found.status;
    answer.size = found.size;
    answer.lower_bound = found.lower_bound;
    if (!found.refused() && !model_.is_sound(found.offsets)) answer.wrong = "the model sees a fault";
    if (!found.refused() && !constraint_model::verify(problem_, found.offsets, found.size).ok()) {
      answer.wrong = "verify sees a fault";
    }
    judge(answer);
    return answer;
  }

  // `verify` and the model on offsets that may be a plan.
  void verify_anything() {
    Offsets offsets = arenite::host::search({problem_.buffers.data(), problem_.buffers.size()},
                                            {problem_.constraints.data(), problem_.constraints.size()}, one_step())
                          .offsets;
    calls.add(2);
    if (offsets.empty()) return;
    for (std::size_t changes = input_.below(3); changes > 0; --changes) {
      offsets[input_.below(offsets.size())] = input_.below(2) == 0 ? input_.below(300) : offsets[0];
    }
    bool sound = model_.is_sound(offsets);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] > kMaxSize - problem_.buffers[i].size) sound = false;
    }
    expect(constraint_model::verify(problem_, offsets, kMaxSize).ok() == sound, "verify and the model differ",
           problem_);
  }
  static arenite::host::SearchOptions one_step() {
    arenite::host::SearchOptions options;
    options.work = 1;
    return options;
  }

  Input& input_;
  const Problem& problem_;
  Model model_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  for (int i = 0; i < 4 && !input.empty(); ++i) {
    const bool constrained = input.below(2) == 0;
    const bool hostile = input.below(5) == 0;
    if (constrained) {
      Problem problem = input.below(2) == 0 ? constraint_model::random_problem(input, 5, 6, 3, 4)
                                            : constraint_model::random_problem(input, kMost, 100, 12, 5);
      if (hostile) make_hostile(input, problem);
      ConstrainedComparison(input, problem).run();
    } else {
      Problem problem = any_list(input);
      if (hostile) make_hostile(input, problem);
      Comparison(input, problem).run();
    }
  }
  return 0;
}
