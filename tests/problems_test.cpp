// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// usage: problems_test FOLDER
//
// Plans every list of buffers in a folder (*.csv, also in its subfolders) and checks the plans in two ways: with
// arenite::verify, and pair by pair.
//
// The first line of a list names its columns, in any order; others than these are ignored:
//   size                 bytes
//   first, last          lifetime in steps, both inclusive
//   lower, upper         the same with the upper end exclusive
//   alignment            bytes; 1 where there is no such column, as sizes then are what is really taken
//
// A table real.tsv in the folder, with the columns name, buffers, lower_bound and tflm_greedy, says what is known of
// the lists whose files have these names: greedy must need exactly as much as TensorFlow Lite Micro's planner, and at
// least 103 of 107 must be at the lower bound by best_of_eight. A table says what each of its members brings.

#include <arenite/planner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::Step;
namespace fs = std::filesystem;

// --- reading ---------------------------------------------------------------------------------------------------------

// A text file with named columns. What is wrong with it is thrown as std::runtime_error, with the line.
class Table {
 public:
  Table(const fs::path& path, char separator) : path_(path) {
    std::ifstream file(path);
    if (!file) fail("it cannot be opened");
    std::string line;
    while (std::getline(file, line)) {
      ++line_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty()) continue;
      std::vector<std::string> cells = split(line, separator);
      if (names_.empty()) {
        names_ = std::move(cells);
        continue;
      }
      if (cells.size() != names_.size()) {
        fail("there are " + std::to_string(cells.size()) + " columns, the first line names " +
             std::to_string(names_.size()));
      }
      rows_.push_back({line_, std::move(cells)});
    }
    if (file.bad()) fail("it cannot be read");
    if (names_.empty()) fail("it is empty: the first line names the columns");
  }

  std::size_t rows() const { return rows_.size(); }
  bool has(const std::string& column) const { return std::count(names_.begin(), names_.end(), column) != 0; }

  const std::string& text(std::size_t row, const std::string& column) {
    line_ = rows_[row].line;
    const auto name = std::find(names_.begin(), names_.end(), column);
    if (name == names_.end()) fail("there is no column `" + column + "`");
    return rows_[row].cells[static_cast<std::size_t>(name - names_.begin())];
  }

  std::uint64_t number(std::size_t row, const std::string& column, std::uint64_t most) {
    const std::string& digits = text(row, column);
    std::uint64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') fail("`" + digits + "` in column `" + column + "` is no whole number");
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (digit > most || value > (most - digit) / 10) fail(digits + " in column `" + column + "` is too large");
      value = 10 * value + digit;
    }
    if (digits.empty()) fail("column `" + column + "` is empty");
    return value;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(path_.string() + (line_ != 0 ? ":" + std::to_string(line_) : "") + ": " + why);
  }

 private:
  struct Row {
    std::size_t line;
    std::vector<std::string> cells;
  };

  static std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == separator) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    return cells;
  }

  fs::path path_;
  std::size_t line_ = 0;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
};

struct List {
  std::string name;
  std::vector<Buffer> buffers;
  bool aligned = false;  // says alignments of its own
};

List read_list(const fs::path& path) {
  Table table(path, ',');
  List list;
  list.name = path.stem().string();
  list.aligned = table.has("alignment");
  const bool inclusive = table.has("first");
  if (inclusive == table.has("lower")) table.fail("lifetimes are columns `first` and `last`, or `lower` and `upper`");

  constexpr std::uint64_t kMaxStep = std::numeric_limits<Step>::max();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Buffer buffer;
    buffer.size = table.number(row, "size", arenite::kMaxSize);
    buffer.first = static_cast<Step>(table.number(row, inclusive ? "first" : "lower", kMaxStep));
    const std::uint64_t end = table.number(row, inclusive ? "last" : "upper", kMaxStep);
    if (inclusive ? end < buffer.first : end <= buffer.first) table.fail("the lifetime ends before it begins");
    buffer.last = static_cast<Step>(inclusive ? end : end - 1);
    buffer.alignment = list.aligned ? table.number(row, "alignment", arenite::kMaxSize) : 1;
    if (!buffer.alignment.valid()) table.fail("the alignment is not a power of two");
    list.buffers.push_back(buffer);
  }
  return list;
}

struct Known {
  std::uint64_t buffers;
  std::uint64_t lower_bound;
  std::uint64_t tflm_greedy;
  bool read;
};

std::map<std::string, Known> read_known(const fs::path& path) {
  std::map<std::string, Known> known;
  Table table(path, '\t');
  constexpr std::uint64_t kMost = arenite::kMaxSize;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Known entry{table.number(row, "buffers", kMost), table.number(row, "lower_bound", kMost),
                      table.number(row, "tflm_greedy", kMost), false};
    const std::string& name = table.text(row, "name");
    if (!known.emplace(name, entry).second) table.fail(name + " is named twice");
  }
  return known;
}

// --- checking, without a line of the library -------------------------------------------------------------------------

bool share_a_step(const Buffer& a, const Buffer& b) { return !(a.last < b.first || b.last < a.first); }

// The most bytes alive at a step. The most is reached at some first step, so only these are looked at.
std::uint64_t most_alive(const std::vector<Buffer>& buffers) {
  std::uint64_t most = 0;
  for (const Buffer& at : buffers) {
    std::uint64_t alive = 0;
    for (const Buffer& buffer : buffers) {
      if (buffer.first <= at.first && at.first <= buffer.last) alive += buffer.size;
    }
    most = std::max(most, alive);
  }
  return most;
}

// What is wrong with the plan, pair by pair; empty if nothing is. With `apart`, no two buffers may share a byte at all.
template <class Plan>
std::string find_fault(const std::vector<Buffer>& buffers, const Plan& plan, bool apart) {
  const auto describe = [&](std::size_t i) {
    return "buffer " + std::to_string(i) + " (" + std::to_string(buffers[i].size) + " bytes at " +
           std::to_string(plan.offset(i)) + ")";
  };
  if (plan.count() != buffers.size()) return "it has " + std::to_string(plan.count()) + " buffers";
  std::size_t end = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& a = buffers[i];
    if (plan.size(i) != a.size) return describe(i) + " has another size";
    if (plan.offset(i) % a.alignment.bytes() != 0) return describe(i) + " is misaligned";
    if (plan.offset(i) > plan.size()) return describe(i) + " is out of bounds";
    end = std::max(end, plan.offset(i) + a.size);
    if (a.size != 0 && plan.alignment() % a.alignment.bytes() != 0)
      return "the plan's alignment is too small for " + describe(i);
    for (std::size_t j = 0; j < i; ++j) {
      const Buffer& b = buffers[j];
      if (!apart && !share_a_step(a, b)) continue;
      if (a.size == 0 || b.size == 0) continue;
      if (plan.offset(i) < plan.offset(j) + b.size && plan.offset(j) < plan.offset(i) + a.size) {
        return describe(i) + " and " + describe(j) + " overlap";
      }
    }
  }
  if (end != plan.size())
    return "its size is " + std::to_string(plan.size()) + ", its highest end " + std::to_string(end);
  return {};
}

// --- naming members --------------------------------------------------------------------------------------------------

const char* name_of(arenite::by_size) { return "by_size"; }
const char* name_of(arenite::by_lifetime) { return "by_lifetime"; }
const char* name_of(arenite::by_area) { return "by_area"; }
const char* name_of(arenite::by_conflicts) { return "by_conflicts"; }
const char* name_of(arenite::by_peak) { return "by_peak"; }
const char* name_of(arenite::by_first) { return "by_first"; }
const char* name_of(arenite::by_last) { return "by_last"; }
template <class Order>
std::string name_of(arenite::lowest_gap<Order>) {
  return std::string("lowest_gap<") + name_of(Order()) + ">";
}
template <class Order>
std::string name_of(arenite::smallest_gap<Order>) {
  return std::string("smallest_gap<") + name_of(Order()) + ">";
}
template <class Order>
std::string name_of(arenite::strip<Order>) {
  return std::string("strip<") + name_of(Order()) + ">";
}

// --- planning --------------------------------------------------------------------------------------------------------

// Memory for one plan, full of rubbish.
struct Memory {
  explicit Memory(std::size_t bytes) : words(bytes / sizeof(std::size_t) + 1, 0xA5A5A5A5u) {}
  std::size_t bytes() const { return words.size() * sizeof(std::size_t); }
  std::vector<std::size_t> words;
};

class Checker {
 public:
  // Plans one list with each strategy. `known` is null where nothing is known of it.
  void check(const List& list, Known* known) {
    list_ = &list.name;
    ++lists_;
    buffers_ += list.buffers.size();

    const std::uint64_t bound = most_alive(list.buffers);
    const std::uint64_t size = check_strategy<arenite::greedy>("greedy", list.buffers, bound, false);
    const std::uint64_t linear = check_strategy<arenite::linear>("linear", list.buffers, bound, true);
    // Where alignments differ it may be more: another order has other padding.
    if (!list.aligned && linear < size) {
      fail("greedy", "it needs " + number(size) + " bytes, more than linear: " + number(linear));
    }

    // Where all sizes are multiples of the default alignment, asking for it changes nothing.
    std::vector<Buffer> aligned = list.buffers;
    bool multiples = !list.aligned;
    for (Buffer& buffer : aligned) {
      multiples = multiples && buffer.size % arenite::kDefaultAlignment == 0;
      buffer.alignment = arenite::kDefaultAlignment;
    }
    if (multiples) {
      const std::uint64_t same = check_strategy<arenite::greedy>("greedy, aligned", aligned, bound, false);
      if (same != size) fail("greedy", number(size) + " bytes, and aligned " + number(same));
    }

    const std::uint64_t best = check_strategy<arenite::best_of_eight>("best_of_eight", list.buffers, bound, false);
    if (best > size) fail("best_of_eight", "it needs " + number(best) + " bytes, more than greedy: " + number(size));
    if (known != nullptr) check_members(list.buffers, bound, arenite::best_of_eight());

    if (known == nullptr) return;
    known->read = true;
    best_at_bound_ += best == bound;
    if (known->buffers != list.buffers.size()) {
      fail("real.tsv", number(known->buffers) + " buffers, and " + number(list.buffers.size()) + " in the list");
    }
    if (known->lower_bound != bound) {
      fail("real.tsv", "lower bound " + number(known->lower_bound) + ", and " + number(bound) + " here");
    }
    if (known->tflm_greedy == size) {
      ++equal_;
    } else {
      fail("greedy", number(size) + " bytes, and TFLM's " + number(known->tflm_greedy));
    }
  }

  void fail(const std::string& what, const std::string& why) {
    ++failures_;
    std::fprintf(stderr, "%s: %s: %s\n", list_ != nullptr ? list_->c_str() : "problems_test", what.c_str(),
                 why.c_str());
  }

  // True if and only if nothing failed.
  bool finish(const std::map<std::string, Known>& known) {
    list_ = nullptr;
    for (const auto& [name, entry] : known) {
      if (!entry.read) fail("real.tsv", "there is no list " + name);
    }
    if (lists_ == 0) fail("no list", "there is no readable .csv file in the folder");
    std::printf("%zu lists, %zu buffers", lists_, buffers_);
    if (!known.empty()) {
      std::printf(", greedy equal to TFLM: %zu of %zu", equal_, known.size());
      std::printf(", best_of_eight at the lower bound: %zu of %zu", best_at_bound_, known.size());
      if (best_at_bound_ * 107 < known.size() * 103) fail("best_of_eight", "too few are at the lower bound");
    }
    std::printf(", %zu failures\n", failures_);
    if (!known.empty()) print_members(known.size());
    return failures_ == 0;
  }

 private:
  static std::string number(std::uint64_t value) { return std::to_string(value); }

  // The size of the plan.
  template <class Strategy>
  std::uint64_t check_strategy(const char* name, const std::vector<Buffer>& buffers, std::uint64_t bound, bool apart) {
    const std::size_t count = buffers.size();
    Memory memory(arenite::plan_bytes<Strategy>(count));
    const arenite::PlanRef plan = arenite::plan<Strategy>(buffers.data(), count, memory.words.data(), memory.bytes());
    if (plan.status() != arenite::Status::kOk) {
      fail(name, std::string("refused: ") + arenite::to_string(plan.status()));
      return 0;
    }

    std::vector<Index> scratch(std::max(arenite::verify_scratch(count), arenite::lower_bound_scratch(count)));
    const arenite::Verdict verdict = plan.verify(scratch.data());
    if (!verdict.ok()) fail(name, std::string("verify: ") + arenite::to_string(verdict.status));
    const std::string fault = find_fault(buffers, plan, apart);
    if (!fault.empty()) fail(name, fault);

    const std::size_t own_bound = plan.lower_bound(scratch.data());
    const bool padded = std::any_of(buffers.begin(), buffers.end(),
                                    [](const Buffer& buffer) { return buffer.size % buffer.alignment.bytes() != 0; });
    if (padded ? own_bound < bound || own_bound > plan.size() : own_bound != bound) {
      fail(name, "lower bound " + number(own_bound) + ", by hand, without padding, " + number(bound));
    }
    if (plan.size() < bound) fail(name, number(plan.size()) + " bytes, less than the lower bound " + number(bound));

    Memory other(memory.bytes() + 64);
    const arenite::PlanRef again = arenite::plan<Strategy>(buffers.data(), count, other.words.data(), other.bytes());
    for (std::size_t i = 0; i < count; ++i) {
      if (again.offset(i) == plan.offset(i)) continue;
      fail(name, "planned again, buffer " + number(i) + " lies elsewhere");
      break;
    }
    return plan.size();
  }

  // What a member needs alone, and what the best of it and those before it needs.
  template <class... Members>
  void check_members(const std::vector<Buffer>& buffers, std::uint64_t bound, arenite::detail::Portfolio<Members...>) {
    members_.resize(sizeof...(Members));
    std::size_t member = 0;
    std::uint64_t least = UINT64_MAX;
    const auto note = [&](const std::string& name, std::uint64_t size) {
      least = std::min(least, size);
      const auto over = [bound](std::uint64_t bytes) {
        return bound == 0 ? 1 : static_cast<double>(bytes) / static_cast<double>(bound);
      };
      MemberCount& count = members_[member++];
      count.name = name;
      count.alone += size == bound;
      count.together += least == bound;
      count.ratio_alone += over(size);
      count.ratio_together += over(least);
    };
    (note(name_of(Members()), check_strategy<arenite::detail::Portfolio<Members>>("a member", buffers, bound, false)),
     ...);
  }

  void print_members(std::size_t known) const {
    std::printf("| member | at the lower bound, alone | mean over it, alone | with those before | mean |\n");
    std::printf("|:--|--:|--:|--:|--:|\n");
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto percent = [known](double sum) { return 100 * (sum / static_cast<double>(known) - 1); };
      std::printf("| `%s` | %zu | %.2f %% | %zu | %.2f %% |\n", members_[i].name.c_str(), members_[i].alone,
                  percent(members_[i].ratio_alone), members_[i].together, percent(members_[i].ratio_together));
    }
  }

  struct MemberCount {
    std::string name;
    std::size_t alone = 0;
    std::size_t together = 0;
    double ratio_alone = 0;
    double ratio_together = 0;
  };

  const std::string* list_ = nullptr;
  std::vector<MemberCount> members_;
  std::size_t best_at_bound_ = 0;
  std::size_t lists_ = 0;
  std::size_t buffers_ = 0;
  std::size_t equal_ = 0;
  std::size_t failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  Checker checker;
  std::map<std::string, Known> known;
  try {
    const fs::path folder = argv[1];
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".csv") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    if (fs::exists(folder / "real.tsv")) known = read_known(folder / "real.tsv");

    for (const fs::path& path : paths) {
      try {
        const List list = read_list(path);
        const auto entry = known.find(list.name);
        checker.check(list, entry == known.end() ? nullptr : &entry->second);
      } catch (const std::runtime_error& error) {
        checker.fail("malformed", error.what());
      }
    }
  } catch (const std::exception& error) {
    checker.fail("unreadable", error.what());
  }
  return checker.finish(known) ? 0 : 1;
}
