// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// usage: problems_test FOLDER
//
// Plans every list of buffers in a folder (*.csv, also in its subfolders) and checks the plans in two ways: with
// arenite::verify, and pair by pair.
//
// A table real.tsv in the folder, with the columns name, buffers, lower_bound and tflm_greedy, says what is known of
// the lists whose files have these names: greedy must need exactly as much as TensorFlow Lite Micro's planner, and at
// least 103 of 107 must be at the lower bound by best_of_eight.

#include <arenite/planner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem_lists.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;
namespace fs = std::filesystem;

struct Known {
  std::uint64_t buffers;
  std::uint64_t lower_bound;
  std::uint64_t tflm_greedy;
  bool read;
};

std::map<std::string, Known> read_known(const fs::path& path) {
  std::map<std::string, Known> known;
  problems::Table table(path, '\t');
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
  void check(const problems::List& list, Known* known) {
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
    check_members(list.buffers, bound, arenite::best_of_eight());

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

  template <class... Members>
  void check_members(const std::vector<Buffer>& buffers, std::uint64_t bound, arenite::detail::Portfolio<Members...>) {
    (check_strategy<arenite::detail::Portfolio<Members>>("a member of best_of_eight", buffers, bound, false), ...);
  }

  const std::string* list_ = nullptr;
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
    if (fs::exists(folder / "real.tsv")) known = read_known(folder / "real.tsv");

    for (const fs::path& path : problems::find_lists(folder)) {
      try {
        const problems::List list = problems::read_list(path);
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
