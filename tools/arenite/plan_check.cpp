// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "plan_check.hpp"

#include <arenite/align.hpp>
#include <arenite/planner.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "error.hpp"
#include "layout.hpp"

namespace arenite::tool {
namespace {

constexpr std::int64_t kNowhere = -1;
constexpr std::int64_t kLargestWord = std::numeric_limits<std::int32_t>::max();  // TFLM counts bytes in an int
constexpr std::size_t kHeader = 3;                                               // words of a payload
constexpr std::size_t kWord = 4;                                                 // bytes

std::string number(std::size_t value) { return std::to_string(value); }

// "1 tensor", "2 tensors".
std::string count_of(std::size_t count, const std::string& what) {
  return number(count) + " " + what + (count == 1 ? "" : "s");
}

// How many of some positions are at most at a position: a Fenwick tree.
class Counter {
 public:
  explicit Counter(std::size_t positions) : tree_(positions + 1) {}

  void add(std::size_t position, std::int64_t count) noexcept {
    for (std::size_t i = position + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += count;
  }
  // Those before the position.
  [[nodiscard]] std::int64_t before(std::size_t position) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t i = position; i > 0; i -= i & (~i + 1)) sum += tree_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> tree_;
};

// A buffer that has a place.
struct Placed {
  std::size_t row = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  Step first = 0;
  Step last = 0;
};

// Pairs that share bytes while both live: how many, and the rows of some of them. Steps through time; at each buffer's
// first step counts those alive that neither end below it nor begin above it, and looks for them only if there are some
// and the list is not full.
class Overlaps {
 public:
  explicit Overlaps(std::vector<Placed> placed) : placed_(std::move(placed)) {
    std::stable_sort(placed_.begin(), placed_.end(),
                     [](const Placed& a, const Placed& b) { return a.first < b.first; });
    for (const Placed& one : placed_) {
      positions_.push_back(one.begin);
      positions_.push_back(one.end);
    }
    std::sort(positions_.begin(), positions_.end());
    positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
    Counter begins(positions_.size());
    Counter ends(positions_.size());
    std::priority_queue<std::pair<Step, std::size_t>, std::vector<std::pair<Step, std::size_t>>, std::greater<>> alive;
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      const Placed& one = placed_[i];
      for (; !alive.empty() && alive.top().first < one.first; alive.pop()) {
        begins.add(position(placed_[alive.top().second].begin), -1);
        ends.add(position(placed_[alive.top().second].end), -1);
      }
      // Begins below its end, less what ends at its begin or before: each that ends there has begun there, too.
      const std::int64_t hits = begins.before(position(one.end)) - ends.before(position(one.begin) + 1);
      count += static_cast<std::size_t>(hits);
      if (hits != 0 && pairs.size() < kMostOverlaps) list(i);
      begins.add(position(one.begin), 1);
      ends.add(position(one.end), 1);
      alive.emplace(one.last, i);
    }
    std::sort(pairs.begin(), pairs.end());
  }

  std::size_t count = 0;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;

 private:
  [[nodiscard]] std::size_t position(std::size_t address) const {
    return static_cast<std::size_t>(std::lower_bound(positions_.begin(), positions_.end(), address) -
                                    positions_.begin());
  }

  // Those that have begun before.
  void list(std::size_t index) {
    const Placed& one = placed_[index];
    for (std::size_t i = 0; i < index && pairs.size() < kMostOverlaps; ++i) {
      const Placed& other = placed_[i];
      if (other.last < one.first || other.end <= one.begin || one.end <= other.begin) continue;
      pairs.emplace_back(std::min(one.row, other.row), std::max(one.row, other.row));
    }
  }

  std::vector<Placed> placed_;
  std::vector<std::size_t> positions_;
};

class Checker {
 public:
  Checker(const Model* model, const Problem& problem, std::size_t capacity)
      : model_(model), problem_(problem), capacity_(capacity) {
    if (problem.buffers.size() > kMaxBuffers) throw InputError(problem.source, "", to_string(Status::kTooManyBuffers));
    result_.offsets.assign(problem.buffers.size(), kNowhere);
    missing_.assign(problem.buffers.size(), false);
    if (model == nullptr) return;
    for (std::size_t s = 0; s < model->subgraph_count(); ++s) {
      for (std::size_t t = 0; t < model->tensor_count(s); ++t) tensors_.emplace_back(s, t);
    }
    by_tensor_.assign(tensors_.size(), kNowhere);
    is_row_.assign(tensors_.size(), false);
    for (const Row& row : problem.rows) {
      if (is_tensor(row)) is_row_[row.id] = true;
    }
  }

  PlanCheck run(std::string_view payload) {
    if (!read(payload)) return std::move(result_);
    for (std::size_t i = 0; i < problem_.rows.size(); ++i) {
      if (is_tensor(problem_.rows[i])) result_.offsets[i] = by_tensor_[problem_.rows[i].id];
    }
    check_ignored();
    return check();
  }

  PlanCheck run(const Problem& plan) {
    if (plan.offsets.empty()) throw InputError(plan.source, "", "gives no offsets");
    std::map<std::size_t, std::size_t> by_id;
    for (std::size_t i = 0; i < plan.rows.size(); ++i) {
      if (!by_id.emplace(plan.rows[i].id, i).second) {
        throw InputError(plan.source, "buffer " + number(plan.rows[i].id) + " '" + plan.rows[i].name + "'",
                         "another one has the same number");
      }
    }
    for (std::size_t i = 0; i < problem_.rows.size(); ++i) {
      const Row& row = problem_.rows[i];
      if (model_ != nullptr && !is_tensor(row)) continue;
      const auto found = by_id.find(row.id);
      if (found == by_id.end()) {
        add("missing", {row.id}, {}, place(i) + " is not in the plan");
        missing_[i] = true;
        continue;
      }
      compare_sizes(i, plan.buffers[found->second].size);
      result_.offsets[i] = offset_of(plan, found->second);
      if (model_ != nullptr) by_tensor_[row.id] = result_.offsets[i];
      by_id.erase(found);
    }
    for (const auto& [id, i] : by_id) take_other(plan, i);
    check_ignored();
    return check();
  }

  PlanCheck run_list() {
    for (std::size_t i = 0; i < problem_.offsets.size(); ++i) result_.offsets[i] = offset_of(problem_, i);
    return check();
  }

 private:
  [[nodiscard]] static std::int64_t offset_of(const Problem& plan, std::size_t i) {
    return plan.offsets[i] ? static_cast<std::int64_t>(*plan.offsets[i]) : kNowhere;  // at most kMaxSize
  }

  [[nodiscard]] bool is_tensor(const Row& row) const noexcept { return row.id < tensors_.size(); }

  [[nodiscard]] std::string place_of_tensor(std::size_t id) const {
    return model_->place_of_tensor(tensors_[id].first, tensors_[id].second);
  }

  [[nodiscard]] std::string place(std::size_t i) const {
    const Row& row = problem_.rows[i];
    return is_tensor(row) ? place_of_tensor(row.id) : "buffer " + number(row.id) + " '" + row.name + "'";
  }

  void add(const char* kind, std::vector<std::size_t> ids, Json::initializer_list_t numbers, std::string text) {
    result_.findings.push_back({kind, std::move(ids), Json::object(numbers), std::move(text)});
  }

  // Reads the words; whether they say something of each tensor.
  bool read(std::string_view payload) {
    const auto word = [payload](std::size_t index) {
      std::uint32_t value = 0;
      for (std::size_t byte = kWord; byte > 0; --byte) {
        value = value << 8 | static_cast<std::uint8_t>(payload[kWord * index + byte - 1]);
      }
      return value;
    };
    const std::size_t tensors = tensors_.size();
    const std::size_t needed = kWord * (kHeader + tensors);
    if (payload.size() < kWord * kHeader) {
      add("payload", {}, {{"bytes", payload.size()}, {"needed", needed}},
          "the plan in the model has " + count_of(payload.size(), "byte") + ", which is less than its head of " +
              number(kWord * kHeader) + ": TensorFlow Lite Micro reads past its end");
      return false;
    }
    if (word(0) > 1) {
      add("version", {}, {{"version", word(0)}}, "the plan's version is " + number(word(0)) + "; known are 0 and 1");
    }
    if (word(2) != tensors) {
      add("count", {}, {{"count", word(2)}, {"tensors", tensors}},
          "the plan says that it has " + count_of(word(2), "offset") + ", and the model has " +
              count_of(tensors, "tensor") + ": TensorFlow Lite Micro refuses it");
    }
    if (word(2) == tensors && payload.size() < needed) {
      add("payload", {}, {{"bytes", payload.size()}, {"needed", needed}},
          "the plan in the model has " + count_of(payload.size(), "byte") + " of " + number(needed) +
              ": TensorFlow Lite Micro reads past its end");
    } else if (payload.size() != kWord * (kHeader + std::size_t{word(2)})) {
      add("payload", {}, {{"bytes", payload.size()}, {"needed", kWord * (kHeader + std::size_t{word(2)})}},
          "the plan in the model has " + count_of(payload.size(), "byte") + ", and " +
              number(kWord * (kHeader + std::size_t{word(2)})) + " are needed for " + count_of(word(2), "offset"));
    }
    if (word(2) != tensors) return false;  // of which tensors they are, nobody knows
    for (std::size_t i = 0; i < std::min(tensors, payload.size() / kWord - kHeader); ++i) {
      const std::uint32_t value = word(kHeader + i);
      by_tensor_[i] = value <= kLargestWord ? std::int64_t{value} : std::int64_t{value} - (std::int64_t{1} << 32);
    }
    return true;
  }

  void compare_sizes(std::size_t i, std::size_t planned) {
    const Row& row = problem_.rows[i];
    if (planned == problem_.buffers[i].size || planned == row.bytes) return;
    add("size", {row.id}, {{"bytes", problem_.buffers[i].size}, {"planned", planned}},
        place(i) + " has " + count_of(problem_.buffers[i].size, "byte") + ", and " + number(planned) + " in the plan");
  }

  // A row of the plan that is none of the buffers to be planned.
  void take_other(const Problem& plan, std::size_t i) {
    const Row& row = plan.rows[i];
    if (model_ == nullptr) {
      add("unknown", {row.id}, {},
          "the plan has a buffer " + number(row.id) + " '" + row.name + "' that is not in " + problem_.source);
    } else if (!is_tensor(row)) {
      ++scratch_of_plan_;
    } else if (const auto [s, t] = tensors_[row.id]; model_->tensor(s, t).is_variable()) {
      by_tensor_[row.id] = offset_of(plan, i);
    } else {
      ignored_.push_back(row.id);
    }
  }

  // What concerns tensors that are not planned.
  void check_ignored() {
    for (std::size_t id = 0; id < tensors_.size(); ++id) {
      const auto [s, t] = tensors_[id];
      const std::int64_t offset = by_tensor_[id];
      if (is_row_[id]) continue;
      if (!model_->tensor(s, t).is_variable()) {
        if (offset != kNowhere) ignored_.push_back(id);
      } else if (offset != kNowhere) {
        add("variable", {id}, {{"offset", offset}},
            place_of_tensor(id) + " is a variable and has the offset " + std::to_string(offset) +
                ": activations may overwrite what it keeps between runs");
      } else if (s != 0 && by_tensor_[t] != kNowhere && model_->bytes_of_tensor(s, t) != 0) {
        add("variable_without_memory", {id, t}, {{"offset", by_tensor_[t]}},
            place_of_tensor(id) + " is a variable and gets no memory: TensorFlow Lite Micro looks at the offset of " +
                place_of_tensor(t) + " for it, which is " + std::to_string(by_tensor_[t]));
      }
    }
    if (ignored_.empty()) return;
    result_.remarks.push_back(count_of(ignored_.size(), "tensor") + (ignored_.size() == 1 ? " has" : " have") +
                              " an offset that TensorFlow Lite Micro ignores, as it does not plan constants and the "
                              "like: " +
                              (ignored_.size() == 1 ? "" : "the first is ") + place_of_tensor(ignored_.front()) + ".");
  }

  PlanCheck check() {
    std::vector<Placed> placed;
    std::size_t online = 0;
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      const Buffer& buffer = problem_.buffers[i];
      const std::int64_t offset = result_.offsets[i];
      if (offset == kNowhere) {
        if (model_ != nullptr) {
          ++online;
        } else if (!missing_[i] && buffer.size != 0) {
          add("missing", {problem_.rows[i].id}, {}, place(i) + " has no offset");
        }
      } else if (offset < 0) {
        add("negative", {problem_.rows[i].id}, {{"offset", offset}},
            place(i) + " has the offset " + std::to_string(offset) + ", which is before the start of the arena");
      } else if (buffer.size != 0) {
        const auto begin = static_cast<std::size_t>(offset);
        placed.push_back({i, begin, begin + buffer.size, buffer.first, buffer.last});
        check_place(placed.back());
      }
    }
    check_overlaps(std::move(placed));
    if (result_.good()) check_whole(online);
    if (scratch_of_plan_ != 0) {
      result_.remarks.push_back(count_of(scratch_of_plan_, "buffer") + " of the plan " +
                                (scratch_of_plan_ == 1 ? "is no tensor" : "are no tensors") +
                                " of the model: TensorFlow Lite Micro places scratch on the device.");
    }
    return std::move(result_);
  }

  void check_place(const Placed& one) {
    const Buffer& buffer = problem_.buffers[one.row];
    const std::size_t id = problem_.rows[one.row].id;
    if (one.begin % buffer.alignment.bytes() != 0) {
      add("misaligned", {id}, {{"offset", one.begin}, {"alignment", buffer.alignment.bytes()}},
          place(one.row) + " has the offset " + number(one.begin) + ", which is no multiple of " +
              number(buffer.alignment.bytes()));
    }
    const std::size_t most = model_ != nullptr ? static_cast<std::size_t>(kLargestWord) : kMaxSize;
    if (one.end > most) {
      add("too_large", {id}, {{"end", one.end}, {"most", most}},
          place(one.row) + " ends at " + number(one.end) + ", and " + number(most) + " is the most that can be");
    }
    if (capacity_ != 0 && one.end > capacity_) {
      add("capacity", {id}, {{"end", one.end}, {"capacity", capacity_}},
          place(one.row) + " ends at " + number(one.end) + ", beyond the capacity of " + number(capacity_));
    }
  }

  void check_overlaps(std::vector<Placed> placed) {
    const Overlaps found(std::move(placed));
    result_.overlaps = found.count;
    for (const auto& [a, b] : found.pairs) {
      const Buffer& one = problem_.buffers[a];
      const Buffer& other = problem_.buffers[b];
      const auto at = static_cast<std::size_t>(result_.offsets[a]);
      const auto there = static_cast<std::size_t>(result_.offsets[b]);
      const std::size_t begin = std::max(at, there);
      const std::size_t end = std::min(at + one.size, there + other.size);
      const Step first = std::max(one.first, other.first);
      const Step last = std::min(one.last, other.last);
      add("overlap", {problem_.rows[a].id, problem_.rows[b].id},
          {{"begin", begin}, {"end", end}, {"first", first}, {"last", last}},
          place(a) + " (" + number(one.size) + " bytes at " + number(at) + ") and " + place(b) + " (" +
              number(other.size) + " bytes at " + number(there) + ") share " + count_of(end - begin, "byte") +
              " from " + number(begin) + " on while both live, at " +
              (first == last ? "step " + number(first) : "steps " + number(first) + " to " + number(last)));
    }
  }

  // What can be said only of a plan in which each buffer by itself is good.
  void check_whole(std::size_t online) {
    if (online == 0) return;
    const std::size_t size = size_of(problem_, result_.offsets).size;
    const std::string what = count_of(online, "buffer") + (online == 1 ? " has" : " have") +
                             " no offset and will be placed on the device, so TensorFlow Lite Micro needs " +
                             number(size) + " bytes in all";
    if (capacity_ != 0 && size > capacity_) {
      add("capacity", {}, {{"end", size}, {"capacity", capacity_}},
          what + ", beyond the capacity of " + number(capacity_));
    } else {
      result_.remarks.push_back(what + ".");
    }
  }

  const Model* model_;
  const Problem& problem_;
  std::size_t capacity_;
  std::vector<std::pair<std::size_t, std::size_t>> tensors_;  // subgraph and number in it
  Offsets by_tensor_;
  std::vector<bool> is_row_;   // by tensor: it is to be planned
  std::vector<bool> missing_;  // by buffer: it is said already
  std::vector<std::size_t> ignored_;
  std::size_t scratch_of_plan_ = 0;
  PlanCheck result_;
};

}  // namespace

Problem problem_without_plan(const Model& model, LoadOptions options) {
  options.alignment = std::max(options.alignment, kTflmAlignment);
  options.offline_plan = false;
  return problem_of(model, options);
}

std::string payload_of(const Model& model, const Problem& problem, const Offsets& offsets) {
  const std::size_t tensors = model.tensor_count();
  constexpr std::uint32_t kVersion = 1;
  std::vector<std::uint32_t> words(kHeader + tensors, static_cast<std::uint32_t>(kNowhere));
  words[0] = kVersion;
  words[1] = static_cast<std::uint32_t>(model.subgraph_count());
  words[2] = static_cast<std::uint32_t>(tensors);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Row& row = problem.rows[i];
    if (row.id >= tensors) continue;
    if (offsets[i] > kLargestWord) {
      throw InputError(problem.source, "tensor " + number(row.id) + " '" + row.name + "'",
                       "its offset is " + std::to_string(offsets[i]) + ", and a plan in a model has at most " +
                           std::to_string(kLargestWord));
    }
    words[kHeader + row.id] = static_cast<std::uint32_t>(offsets[i]);
  }
  std::string payload;
  for (const std::uint32_t word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8) payload.push_back(static_cast<char>(word >> shift & 0xFF));
  }
  return payload;
}

PlanCheck check_payload(const Model& model, const Problem& problem, std::string_view payload, std::size_t capacity) {
  return Checker(&model, problem, capacity).run(payload);
}

PlanCheck check_plan(const Model* model, const Problem& problem, const Problem& plan, std::size_t capacity) {
  return Checker(model, problem, capacity).run(plan);
}

PlanCheck check_list(const Problem& problem, std::size_t capacity) {
  return Checker(nullptr, problem, capacity).run_list();
}

PlanSize size_of(const Problem& problem, const Offsets& offsets) {
  PlanSize result;
  bool all = true;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::size_t bytes = problem.buffers[i].size;
    if (offsets[i] >= 0) ++result.placed;
    if (bytes == 0) continue;
    if (offsets[i] >= 0) {
      result.size = std::max(result.size, static_cast<std::size_t>(offsets[i]) + bytes);
    } else {
      all = false;
    }
  }
  std::vector<Index> scratch(lower_bound_scratch(problem.buffers.size()));
  result.lower_bound = lower_bound(problem.buffers.data(), problem.buffers.size(), scratch.data());
  if (all) return result;
  Problem around = problem;
  around.offsets.assign(offsets.size(), std::nullopt);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] >= 0) around.offsets[i] = static_cast<std::size_t>(offsets[i]);
  }
  result.size = tflm_layout(around).size;
  return result;
}

std::string text_of(const PlanCheck& check, const std::string& indent) {
  std::string text;
  for (const Finding& finding : check.findings) text += indent + finding.text + '\n';
  if (check.count() > check.findings.size()) {
    text += indent + "and " + count_of(check.count() - check.findings.size(), "more pair") +
            " of buffers that share bytes while both live\n";
  }
  return text;
}

Json findings_of(const PlanCheck& check) {
  Json list = Json::array();
  for (const Finding& finding : check.findings) {
    list.push_back(
        {{"kind", finding.kind}, {"tensors", finding.ids}, {"numbers", finding.numbers}, {"text", finding.text}});
  }
  return list;
}

}  // namespace arenite::tool
