// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "trace.hpp"

#include <arenite/align.hpp>
#include <arenite/buffer.hpp>
#include <arenite/observers/recorder.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "commands.hpp"
#include "error.hpp"

namespace arenite::tool {
namespace {

constexpr auto kMostTracedBytes = static_cast<std::int64_t>(kMaxSize);
constexpr auto kMostTracedSteps = static_cast<std::int64_t>(std::numeric_limits<Step>::max()) - 1;  // one may be added

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_in_word(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

// What is left of a line, and which one it is.
class Line {
 public:
  Line(const std::string& file, std::size_t number, std::string_view rest)
      : file_(file), number_(number), rest_(rest) {}

  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(file_, "line " + std::to_string(number_), what);
  }

  bool skip(std::string_view word) noexcept {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expect(std::string_view word) {
    if (!skip(word)) refuse("'" + std::string(word) + "' is missing: the line is cut short or garbled");
  }

  // A whole number: a sign, if any, and digits that nothing else follows.
  [[nodiscard]] std::int64_t read_number(const std::string& what, std::int64_t least, std::int64_t most) {
    const std::size_t sign = !rest_.empty() && rest_[0] == '-' ? 1 : 0;
    std::size_t end = sign;
    while (end < rest_.size() && is_digit(rest_[end])) ++end;
    if (end == sign || (end < rest_.size() && is_in_word(rest_[end]))) {
      refuse(what + " is no whole number: the line is cut short or garbled");
    }
    const std::string_view text = rest_.substr(0, end);
    std::int64_t value = 0;
    const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
    if (sign != 0 && (error != std::errc() || value < least)) refuse(what + " " + std::string(text) + " is negative");
    if (error != std::errc() || value > most) refuse(what + " " + std::string(text) + " is too large");
    rest_.remove_prefix(end);
    return value;
  }

  [[nodiscard]] std::size_t read_size(const std::string& what) {
    return static_cast<std::size_t>(read_number(what, 0, kMostTracedBytes));
  }

  // What somebody may have asked for: anything, and what is larger than that is the largest.
  [[nodiscard]] std::size_t read_wish(const std::string& what) {
    std::size_t digits = 0;
    while (digits < rest_.size() && is_digit(rest_[digits])) ++digits;
    std::int64_t value = 0;
    const bool huge = std::from_chars(rest_.data(), rest_.data() + digits, value).ec == std::errc::result_out_of_range;
    if (!huge) return read_size(what);
    rest_.remove_prefix(digits);
    return std::numeric_limits<std::size_t>::max();
  }

 private:
  const std::string& file_;
  std::size_t number_;
  std::string_view rest_;
};

// --- TensorFlow Lite Micro's planner ---------------------------------------------------------------------------------

// The line from its id on, if it is one of the planner's.
std::optional<std::string_view> find_planned(std::string_view line) {
  constexpr std::string_view kBegin = "(id=";
  constexpr std::string_view kNext = "): size=";
  for (std::size_t at = line.find(kBegin); at != std::string_view::npos; at = line.find(kBegin, at + 1)) {
    const std::string_view rest = line.substr(at + kBegin.size());
    std::size_t end = !rest.empty() && rest[0] == '-' ? 1 : 0;
    while (end < rest.size() && is_digit(rest[end])) ++end;
    if (end != 0 && rest.substr(end, kNext.size()) == kNext) return rest;
  }
  return std::nullopt;
}

class PlannerLog {
 public:
  explicit PlannerLog(std::size_t alignment) : alignment_(alignment) {}

  [[nodiscard]] bool empty() const noexcept { return plans_ == 0; }

  // A fault counts if it is in the last plan: what stands before that may be cut.
  void add(Line line) {
    const std::int64_t id = read_id(line);
    if (id == 0 || plans_ == 0) {
      ++plans_;
      begin_ = line.number();
      rows_.clear();
      fault_.reset();
    }
    if (fault_) return;
    try {
      add_row(id, line);
    } catch (const InputError& error) {
      fault_ = error;
    }
  }

  [[nodiscard]] Problem finish(const std::string& source) {
    if (fault_) throw InputError(*fault_);
    Problem problem;
    problem.source = source;
    const bool shifted = std::any_of(rows_.begin(), rows_.end(), [](const Planned& row) { return row.first < 0; });
    for (const Planned& row : rows_) {
      Buffer buffer;
      buffer.size = row.size;
      buffer.first = static_cast<Step>(row.first + (shifted ? 1 : 0));
      buffer.last = static_cast<Step>(row.last + (shifted ? 1 : 0));
      buffer.alignment = alignment_;
      problem.buffers.push_back(buffer);
      Row known;
      known.id = problem.rows.size();
      known.name = "buffer " + std::to_string(known.id);
      known.bytes = row.size;
      problem.rows.push_back(std::move(known));
      problem.offsets.push_back(row.offset);
    }
    if (plans_ > 1) {
      problem.notes.push_back("The log holds " + std::to_string(plans_) + " plans: this is the last, from line " +
                              std::to_string(begin_) + " on.");
    }
    if (shifted) problem.notes.push_back("Steps are one later than in the log, where -1 is before the first.");
    return problem;
  }

 private:
  struct Planned {
    std::size_t size = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::optional<std::size_t> offset;
  };

  // An id that is none is a fault of the plan that is being read.
  [[nodiscard]] static std::int64_t read_id(Line& line) {
    try {
      return line.read_number("id", 0, std::numeric_limits<std::int64_t>::max());
    } catch (const InputError&) {
      return -1;
    }
  }

  void add_row(std::int64_t id, Line& line) {
    if (id < 0) line.refuse("the id is no number of a buffer");
    if (id != static_cast<std::int64_t>(rows_.size())) {
      line.refuse("id " + std::to_string(id) + " where " + std::to_string(rows_.size()) +
                  " is next: lines are missing");
    }
    if (rows_.size() == kMaxBuffers) line.refuse("more buffers than can be planned");
    Planned row;
    line.expect("): size=");
    row.size = line.read_size("size");
    line.expect(", offset=");
    const std::int64_t offset = line.read_number("offset", -1, kMostTracedBytes);
    if (offset >= 0) row.offset = static_cast<std::size_t>(offset);
    line.expect(", first_used=");
    row.first = line.read_number("first_used", -1, kMostTracedSteps);
    line.expect(" last_used=");
    row.last = line.read_number("last_used", -1, kMostTracedSteps);
    if (row.last < row.first) line.refuse("the lifetime ends before it begins");
    rows_.push_back(row);
  }

  std::size_t alignment_;
  std::size_t plans_ = 0;
  std::size_t begin_ = 0;
  std::vector<Planned> rows_;
  std::optional<InputError> fault_;
};

// --- the trace of an arena -------------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 4> kRegions = {"head", "overlay", "temp", "tail"};
constexpr std::size_t kHead = 0;
constexpr std::size_t kOverlay = 1;
constexpr std::size_t kTemp = 2;

// The line behind "arena ", if it is one of an arena's.
std::optional<std::string_view> find_event(std::string_view line) {
  constexpr std::string_view kBegin = "arena ";
  for (std::size_t at = line.find(kBegin); at != std::string_view::npos; at = line.find(kBegin, at + 1)) {
    if (at != 0 && is_in_word(line[at - 1])) continue;
    const std::string_view rest = line.substr(at + kBegin.size());
    const auto begins = [rest](std::string_view word) { return rest.substr(0, word.size()) == word; };
    if (begins("open temp") || begins("close temp") || (begins("step ") && rest.size() > 5 && is_digit(rest[5]))) {
      return rest;
    }
    for (const std::string_view word : {"request ", "release ", "mark "}) {
      if (!begins(word)) continue;
      for (const std::string_view region : kRegions) {
        if (rest.substr(word.size(), region.size()) == region) return rest;
      }
    }
  }
  return std::nullopt;
}

class ArenaLog {
 public:
  [[nodiscard]] bool empty() const noexcept { return problem_.steps.empty(); }

  void add(Line line) {
    if (problem_.steps.size() > static_cast<std::size_t>(kMostTracedSteps))
      line.refuse("more steps than can be planned");
    if (line.skip("request ")) {
      request(line);
    } else if (line.skip("release ")) {
      const std::size_t region = read_region(line);
      release(line, "release", region);
    } else if (line.skip("close temp")) {
      release(line, "close", kTemp);
    } else if (line.skip("mark ")) {
      new_step(line, "mark " + std::string(kRegions[read_region(line)]));
    } else if (line.skip("step ")) {
      new_step(line, "step " + std::to_string(line.read_size("step")));
    } else {
      new_step(line, "open temp");
    }
  }

  [[nodiscard]] Problem finish(const std::string& source) {
    for (const auto& [at, block] : live_) problem_.buffers[block.index].last = now();
    problem_.source = source;
    if (refused_ != 0) {
      problem_.notes.push_back("Requests that the arena refused are not in this figure: " + std::to_string(refused_) +
                               ".");
    }
    return std::move(problem_);
  }

 private:
  // Bytes that are somebody's. Of a block they begin where it does, of the overlay behind the head.
  struct Block {
    std::size_t index = 0;  // of its buffer
    std::size_t region = 0;
    std::size_t size = 0;
    std::size_t taken = 0;  // with padding
    std::size_t line = 0;
  };
  using Live = std::map<std::size_t, Block>;  // by offset

  [[nodiscard]] static std::size_t read_region(Line& line) {
    for (std::size_t region = 0; region < kRegions.size(); ++region) {
      if (line.skip(kRegions[region])) return region;
    }
    line.refuse("there is no such region");
  }

  [[nodiscard]] Step now() const noexcept { return static_cast<Step>(problem_.steps.size() - 1); }

  void new_step(const Line& line, const std::string& what) {
    problem_.steps.push_back("line " + std::to_string(line.number()) + ": " + what);
  }

  void request(Line& line) {
    const std::size_t region = read_region(line);
    line.expect(" size ");
    const std::size_t size = line.read_wish("size");
    line.expect(" align ");
    const std::size_t alignment = line.read_wish("alignment");
    line.expect(" kind ");
    const auto kind = static_cast<std::size_t>(line.read_number("kind", 0, 255));
    new_step(line, "request " + std::string(kRegions[region]) + " size " + std::to_string(size));
    if (line.skip(" refused")) {
      ++refused_;
      return;
    }
    if (size > kMaxSize) line.refuse("size " + std::to_string(size) + " is too large");
    if (alignment > kMaxSize || !is_power_of_two(alignment)) {
      line.refuse("alignment " + std::to_string(alignment) + " is no power of two");
    }
    line.expect(" at ");
    const std::size_t at = line.read_size("offset");
    line.expect(" padding ");
    const std::size_t padding = line.read_size("padding");
    Block block;
    block.region = region;
    block.size = size;
    block.taken = size + padding;
    block.line = line.number();
    if (region != kOverlay) {
      grant(line, at, block, alignment, kind);
    } else if (size != 0) {
      if (padding > at) line.refuse("the padding begins before the arena");
      block.size = block.taken;
      grant_overlay(line, at - padding, block, size, alignment);
    }
  }

  void grant(const Line& line, std::size_t at, Block block, std::size_t alignment, std::size_t kind) {
    block.index = add_buffer(line, block.region, block.size, alignment, kind);
    if (block.size != 0) insert(line, at, block);
  }

  // Plans share the region, which is as large as the largest.
  void grant_overlay(const Line& line, std::size_t begin, Block block, std::size_t size, std::size_t alignment) {
    const auto old = overlay_ ? live_.find(*overlay_) : live_.end();
    if (old == live_.end()) {
      block.index = add_buffer(line, kOverlay, size, alignment, 0);
    } else {
      if (old->first != begin) {
        line.refuse("the overlay begins at " + std::to_string(begin) + ", but at " + std::to_string(old->first) +
                    " in line " + std::to_string(old->second.line) + ": " + kMissing);
      }
      block.index = old->second.index;
      block.size = block.taken = std::max(block.taken, old->second.taken);
      live_.erase(old);
      Buffer& buffer = problem_.buffers[block.index];
      buffer.size = std::max(buffer.size, size);
      buffer.alignment = std::max(buffer.alignment.bytes(), alignment);
      problem_.rows[block.index].bytes = buffer.size;
    }
    insert(line, begin, block);
    overlay_ = begin;
  }

  void insert(const Line& line, std::size_t at, const Block& block) {
    const Live::const_iterator next = live_.lower_bound(at);
    const auto collides = [&](const Live::value_type& other) {
      return other.first < at + block.size && at < other.first + other.second.size;
    };
    const auto refuse = [&](const Live::value_type& other) {
      line.refuse("these bytes are those of line " + std::to_string(other.second.line) +
                  ", not given back: " + kMissing);
    };
    if (next != live_.end() && collides(*next)) refuse(*next);
    if (next != live_.begin() && collides(*std::prev(next))) refuse(*std::prev(next));
    live_.emplace_hint(next, at, block);
  }

  void release(Line& line, const std::string& what, std::size_t region) {
    line.expect(" size ");
    const std::size_t size = line.read_size("size");
    line.expect(" at ");
    const std::size_t at = line.read_size("offset");
    new_step(line, what + " " + std::string(kRegions[region]) + " size " + std::to_string(size));
    std::size_t known = 0;
    const Live::const_iterator first = live_.lower_bound(at);
    const Live::const_iterator last = live_.lower_bound(at + size);
    for (Live::const_iterator block = first; block != last; ++block) {
      const bool its = block->second.region == region || (region == kHead && block->second.region == kOverlay);
      if (!its) {
        line.refuse("bytes of the " + std::string(kRegions[block->second.region]) + " are among them, from line " +
                    std::to_string(block->second.line) + ": " + kMissing);
      }
      if (block->second.region == kOverlay) overlay_.reset();
      known = add_saturated(known, block->second.taken);
      problem_.buffers[block->second.index].last = now();
    }
    if (known != size) {
      line.refuse("gives back " + std::to_string(size) + " bytes where the lines before ask for " +
                  std::to_string(known) + ": " + kMissing);
    }
    live_.erase(first, last);
  }

  std::size_t add_buffer(const Line& line, std::size_t region, std::size_t size, std::size_t alignment,
                         std::size_t kind) {
    if (problem_.buffers.size() == kMaxBuffers) line.refuse("more buffers than can be planned");
    Buffer buffer;
    buffer.size = size;
    buffer.first = buffer.last = now();
    buffer.alignment = alignment;
    problem_.buffers.push_back(buffer);
    Row row;
    row.id = problem_.rows.size();
    row.name = std::string(kRegions[region]) + " request " + std::to_string(counts_[region]++);
    if (kind != 0) row.name += " (" + name_of_kind(kind) + ")";
    row.bytes = size;
    problem_.rows.push_back(std::move(row));
    return problem_.rows.size() - 1;
  }

  [[nodiscard]] static std::string name_of_kind(std::size_t kind) {
    return kind < std::size(detail::kKindNames) ? detail::kKindNames[kind] : "kind " + std::to_string(kind);
  }

  static constexpr char kMissing[] =
      "lines are missing, the arena began anew, or there are several arenas in this trace";

  Problem problem_;
  Live live_;
  std::optional<std::size_t> overlay_;  // where it is among those
  std::array<std::size_t, kRegions.size()> counts_ = {};
  std::size_t refused_ = 0;
};

// --- scratch ---------------------------------------------------------------------------------------------------------

std::string lifetime_of(const Buffer& buffer) {
  return "steps " + std::to_string(buffer.first) + ".." + std::to_string(buffer.last);
}

// The first step is before all operators.
constexpr char kNoOperator[] =
    "is scratch of an operator that never runs, one of a subgraph that is never called: TensorFlow Lite Micro plans "
    "it with a size that it never sets";

}  // namespace

Problem read_trace(const std::string& name, const std::string& text, const LoadOptions& options) {
  PlannerLog planner(options.alignment);
  ArenaLog arena;
  const std::string_view all = text;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string_view line = all.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (const auto planned = find_planned(line)) {
      planner.add(Line(name, number, *planned));
    } else if (const auto event = find_event(line)) {
      arena.add(Line(name, number, *event));
    }
  }
  if (!planner.empty() && !arena.empty()) {
    throw InputError(name, "", "has lines of TensorFlow Lite Micro's planner and of an arena: which of them is it?");
  }
  if (planner.empty() && arena.empty()) {
    throw InputError(name, "",
                     "has no line of TensorFlow Lite Micro's planner, such as 'a (id=0): size=64, offset=0, "
                     "first_used=0 last_used=1', and none of an arena's trace");
  }
  return planner.empty() ? arena.finish(name) : planner.finish(name);
}

void add_scratch(Problem& model, const Problem& trace) {
  const auto refuse = [&trace](std::size_t i, const std::string& what) {
    throw InputError(trace.source, i < trace.rows.size() ? trace.rows[i].name : "", what);
  };
  const std::size_t count = model.buffers.size();
  const auto early = static_cast<std::size_t>(
      std::find_if(trace.buffers.begin() + static_cast<std::ptrdiff_t>(std::min(count, trace.buffers.size())),
                   trace.buffers.end(), [](const Buffer& buffer) { return buffer.first == 0; }) -
      trace.buffers.begin());
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer& own = model.buffers[i];
    const std::string of = "buffer " + std::to_string(i) + " '" + model.rows[i].name + "' of " + model.source;
    if (i >= trace.buffers.size()) {
      refuse(i, "has " + std::to_string(trace.buffers.size()) + " buffers, and nothing for " + of);
    }
    const Buffer& other = trace.buffers[i];
    if (other.size != own.size) {
      refuse(i, "has " + std::to_string(other.size) + " bytes, but " + of + " has " + std::to_string(own.size) +
                    ": is it the trace of another model?");
    }
    // One such row makes all steps of the trace one later.
    if (early < trace.buffers.size() && other.first == own.first + 1 && other.last == own.last + 1) {
      refuse(early, kNoOperator);
    }
    if (other.first != own.first || other.last != own.last) {
      refuse(i, "lives at " + lifetime_of(other) + ", but " + of + " at " + lifetime_of(own) +
                    ": is it the trace of another model?");
    }
  }
  std::size_t id = model.rows.empty() ? 0 : model.rows.back().id + 1;
  if (model.model) {
    id = std::max(id, model.model->tensors);
    model.model->scratch_given = true;
  }
  for (std::size_t i = count; i < trace.buffers.size(); ++i) {
    const Buffer& buffer = trace.buffers[i];
    if (buffer.first == 0) refuse(i, kNoOperator);
    if (buffer.last >= model.steps.size()) {
      refuse(i, "lives at " + lifetime_of(buffer) + ", but " + model.source + " has " +
                    std::to_string(model.steps.size()) + " steps");
    }
    model.buffers.push_back(buffer);
    Row row;
    row.id = id++;
    row.name = "scratch of " + model.steps[buffer.first];
    row.role = Role::kScratch;
    row.bytes = buffer.size;
    row.uses = {{buffer.first, true}};
    model.rows.push_back(std::move(row));
    if (!model.offsets.empty()) model.offsets.emplace_back();
  }
}

int run_trace(const TraceArguments& arguments, Streams& streams) {
  AnswerOptions options;
  options.layout = arguments.layout;
  options.format = arguments.format;
  options.output = arguments.output;
  options.kind = arguments.kind;
  const std::string name = arguments.input == "-" ? "standard input" : arguments.input;
  return answer(read_trace(name, read_file(arguments.input), arguments.load), options, streams);
}

}  // namespace arenite::tool
