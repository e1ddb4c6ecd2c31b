// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// How good plans are, and how long they take: prints a table in Markdown, and a summary of each strategy.

#include <arenite/host/search.hpp>
#include <arenite/planner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/problem_lists.hpp"
#include "lists.hpp"
#include "peers.hpp"

namespace {

using arenite::Buffer;
using arenite::Index;

constexpr char kUsage[] =
    R"(usage: quality_benchmark [OPTION]... FOLDER    every list of buffers in a folder: *.csv, also in its subfolders
       quality_benchmark [OPTION]... --growth  made up lists of more and more buffers; `short`: 35 alive at a step on
                                               average, `long`: a quarter of them, but 4000 at most
       quality_benchmark --small               how many of 100 random lists the small searches prove, by length

  --only=NAME,...   these strategies only; a strategy is named as in the table
  --members         each member of best_of_eight by itself, too
  --capacity=BYTES  ends a search when it has a plan that fits into so much
  --work=STEPS      budget of `search`, in elementary steps
  --seconds=S       time limit, for each list, of `search` (otherwise none) and `minimalloc` (otherwise 60)
  --most=BUFFERS    longest list of --growth (otherwise 1000000)
  --patience=S      a strategy that took so long gets no longer list in --growth (otherwise 10)
  --csv             prints CSV instead of the tables
  --csv=FILE        writes it into a file and prints the tables

`small_search` is the strategy `search<100000>`, `search` is `host::search`; `minimalloc` is given the lower bound as
its capacity where there is no other. Time is the processor's.
)";

struct Options {
  std::string folder;
  bool growth = false;
  bool small = false;
  std::vector<std::string> only;
  bool members = false;
  std::size_t capacity = 0;
  std::optional<std::uint64_t> work;
  double seconds = 0;
  std::size_t most = 1000000;
  double patience = 10;
  bool tables = true;
  std::string csv;
};

struct List {
  std::string name;
  std::vector<Buffer> buffers;
  std::size_t most_alive = 0;  // bytes at one step
};

// Of the whole block.
arenite::Alignment alignment_of(const List& list) {
  arenite::Alignment most = 1;
  for (const Buffer& buffer : list.buffers) {
    if (buffer.alignment.log2() > most.log2()) most = buffer.alignment;
  }
  return most;
}

// What a strategy has found for a list.
struct Answer {
  std::vector<std::size_t> offsets;  // none: no plan
  std::size_t lower_bound = 0;       // where it knows one
  double seconds = 0;
  double seconds_to_it = 0;  // what comes after this has only looked for something better
};

// --- strategies ------------------------------------------------------------------------------------------------------

double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

// What takes less than a millisecond is done several times.
template <class Function>
double seconds_of(const Function& function) {
  const std::clock_t start = std::clock();
  double seconds = 0;
  unsigned times = 0;
  do {
    function();
    ++times;
    seconds = seconds_since(start);
  } while (seconds < 1e-3);
  return seconds / times;
}

template <class Strategy>
Answer plan_with(const List& list, const Options&) {
  const std::size_t count = list.buffers.size();
  std::vector<std::size_t> memory(arenite::plan_bytes<Strategy>(count) / sizeof(std::size_t) + 1);
  arenite::PlanRef plan;
  Answer answer;
  answer.seconds = answer.seconds_to_it = seconds_of([&] {
    plan = arenite::plan<Strategy>(list.buffers.data(), count, memory.data(), memory.size() * sizeof memory[0]);
  });
  if (plan.status() != arenite::Status::kOk) throw std::runtime_error(arenite::to_string(plan.status()));
  for (std::size_t i = 0; i < count; ++i) answer.offsets.push_back(plan.offset(i));
  std::vector<arenite::Index> scratch(arenite::lower_bound_scratch(count));
  answer.lower_bound = plan.lower_bound(scratch.data());
  return answer;
}

Answer search(const List& list, const Options& given) {
  arenite::host::SearchOptions options;
  options.capacity = given.capacity;
  options.work = given.work;
  options.seconds = given.seconds;
  std::size_t best = 0;
  std::clock_t start = 0;
  Answer answer;
  options.progress = [&](const arenite::host::SearchProgress& progress) {
    if (progress.size != best) answer.seconds_to_it = seconds_since(start);
    best = progress.size;
    return true;
  };
  arenite::host::SearchResult result;
  answer.seconds = seconds_of([&] {
    best = 0;
    start = std::clock();
    result = arenite::host::search(list.buffers.data(), list.buffers.size(), options);
  });
  if (result.refused()) throw std::runtime_error(arenite::to_string(result.status));
  if (result.size != best || result.proven()) answer.seconds_to_it = answer.seconds;
  answer.offsets = std::move(result.offsets);
  answer.lower_bound = result.lower_bound;
  return answer;
}

// What `search` does first: `greedy`, made for lists of many.
Answer search_start(const List& list, const Options& given) {
  Options options = given;
  options.work = 0;
  return search(list, options);
}

#if ARENITE_BENCHMARK_TFLM
Answer tflm(const List& list, const Options&) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max() / 4;  // not all that it adds up ends in the plan
  if (list.most_alive > kMost) return {};
  const std::size_t alignment = alignment_of(list).bytes();
  for (const Buffer& buffer : list.buffers) {
    if (buffer.size % alignment != 0) return {};
  }
  peers::Tflm planner(list.buffers.size());
  Answer answer;
  answer.seconds = answer.seconds_to_it = seconds_of([&] { planner.plan(list.buffers); });
  for (std::size_t i = 0; i < list.buffers.size(); ++i) answer.offsets.push_back(planner.offset(i));
  return answer;
}
#endif

#if ARENITE_BENCHMARK_MINIMALLOC
Answer minimalloc(const List& list, const Options& options) {
  const peers::Minimalloc planner(list.buffers, options.capacity != 0 ? options.capacity : list.most_alive);
  Answer answer;
  answer.seconds = answer.seconds_to_it =
      seconds_of([&] { answer.offsets = planner.plan(options.seconds > 0 ? options.seconds : 60); });
  return answer;
}
#endif

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

enum class Use { kLists, kGrowth, kBoth, kMember };

struct Strategy {
  std::string name;
  Use use;  // where it is run if not asked for
  Answer (*plan)(const List&, const Options&);
};

template <class... Members>
void add_members(arenite::detail::Portfolio<Members...>, std::vector<Strategy>& strategies) {
  (strategies.push_back({name_of(Members()), Use::kMember, plan_with<arenite::detail::Portfolio<Members>>}), ...);
}

std::vector<Strategy> all_strategies() {
  std::vector<Strategy> strategies = {
    {"linear", Use::kLists, plan_with<arenite::linear>},
    {"greedy", Use::kBoth, plan_with<arenite::greedy>},
    {"best_of_eight", Use::kLists, plan_with<arenite::best_of_eight>},
    {"small_search", Use::kLists, plan_with<arenite::search<100000>>},
    {"search_start", Use::kGrowth, search_start},
    {"search", Use::kBoth, search},
#if ARENITE_BENCHMARK_TFLM
    {"tflm", Use::kBoth, tflm},
#endif
#if ARENITE_BENCHMARK_MINIMALLOC
    {"minimalloc", Use::kLists, minimalloc},
#endif
  };
  add_members(arenite::best_of_eight(), strategies);
  return strategies;
}

std::vector<Strategy> chosen_strategies(const Options& options) {
  std::vector<Strategy> chosen;
  for (const Strategy& strategy : all_strategies()) {
    bool wanted = std::count(options.only.begin(), options.only.end(), strategy.name) != 0;
    switch (strategy.use) {
      case Use::kMember:
        wanted |= options.members;
        break;
      case Use::kLists:
        wanted |= options.only.empty() && !options.growth;
        break;
      case Use::kGrowth:
        wanted |= options.only.empty() && options.growth;
        break;
      case Use::kBoth:
        wanted |= options.only.empty();
        break;
    }
    if (wanted) chosen.push_back(strategy);
  }
  return chosen;
}

// --- figures ---------------------------------------------------------------------------------------------------------

// One strategy on one list.
struct Row {
  std::size_t size = 0;
  std::size_t lower_bound = 0;
  double over = 1;  // the size, over the bytes that are alive at one step
  double seconds = 0;
  double seconds_to_it = 0;
  bool planned = false;
  bool proven = false;
};

double over(std::size_t size, std::size_t bound) {
  return bound == 0 ? 1 : static_cast<double>(size) / static_cast<double>(bound);
}

// Checks the plan.
Row to_row(const List& list, const Answer& answer) {
  const std::size_t count = list.buffers.size();
  Row row;
  row.seconds = answer.seconds;
  row.seconds_to_it = answer.seconds_to_it;
  row.lower_bound = std::max(list.most_alive, answer.lower_bound);
  row.planned = answer.offsets.size() == count;
  if (!row.planned) return row;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = list.buffers[i].size;
    if (size != 0) row.size = std::max(row.size, answer.offsets[i] + size);
  }
  std::vector<Index> scratch(arenite::verify_scratch(count));
  const arenite::Verdict verdict =
      arenite::verify(list.buffers.data(), answer.offsets.data(), count, row.size, alignment_of(list), scratch.data());
  if (!verdict.ok()) throw std::runtime_error(std::string("the plan is wrong: ") + arenite::to_string(verdict.status));
  row.over = over(row.size, list.most_alive);
  row.proven = row.size == row.lower_bound;
  return row;
}

// One strategy on all lists.
struct Sum {
  std::size_t plans = 0;
  std::size_t at_bound = 0;
  std::size_t proven = 0;
  std::size_t fitting = 0;
  double over = 0;
  double most_over = 0;
  double seconds = 0;
  double most_seconds = 0;
  std::size_t together_at_bound = 0;  // a member and those before
  double together_over = 0;

  void add(const Row& row, std::size_t capacity) {
    seconds += row.seconds;
    most_seconds = std::max(most_seconds, row.seconds);
    if (!row.planned) return;
    ++plans;
    at_bound += row.over == 1;
    proven += row.proven;
    fitting += row.size <= capacity;
    over += row.over;
    most_over = std::max(most_over, row.over);
  }
};

std::string text(const char* format, double value) {
  char characters[64];
  std::snprintf(characters, sizeof characters, format, value);
  return characters;
}

std::string time_text(double seconds) {
  if (seconds < 0.9995e-3) return text("%.3g us", seconds * 1e6);
  if (seconds < 0.9995) return text("%.3g ms", seconds * 1e3);
  return text(seconds < 100 ? "%.3g s" : "%.0f s", seconds);
}

std::string cell_text(const Row& row) {
  const std::string time = time_text(row.seconds);
  if (!row.planned) return row.seconds > 0 ? "none in " + time : "none";
  const std::string size = text(row.proven ? "**%.4f**" : "%.4f", row.over);
  if (row.proven || row.seconds_to_it > 0.9 * row.seconds) return size + " in " + time;
  return size + " in " + time_text(row.seconds_to_it) + " of " + time;
}

// Takes rows as they come, and prints.
class Report {
 public:
  Report(const Options& options, const std::vector<Strategy>& strategies)
      : options_(options), strategies_(strategies), sums_(strategies.size()) {
    if (!options.csv.empty()) {
      csv_ = options.csv == "-" ? stdout : std::fopen(options.csv.c_str(), "w");
      if (csv_ == nullptr) throw std::runtime_error(options.csv + ": cannot be written");
      std::fputs("list,buffers,most_alive,strategy,size,over,lower_bound,proven,seconds_to_it,seconds\n", csv_);
    }
  }
  ~Report() {
    if (csv_ != nullptr && csv_ != stdout) std::fclose(csv_);
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void begin(const List& list) {
    if (options_.tables && list_ == nullptr) print_head();
    list_ = &list;
    least_ = 0;
    if (options_.tables) std::printf("\n| %s | %zu | %zu |", list.name.c_str(), list.buffers.size(), list.most_alive);
  }

  void add(std::size_t strategy, const Row& row) {
    sums_[strategy].add(row, options_.capacity);
    if (strategies_[strategy].use == Use::kMember) {
      least_ = least_ == 0 ? row.over : std::min(least_, row.over);
      sums_[strategy].together_at_bound += least_ == 1;
      sums_[strategy].together_over += least_;
    }
    if (options_.tables) {
      std::printf(" %s |", cell_text(row).c_str());
      std::fflush(stdout);
    }
    if (csv_ == nullptr) return;
    std::fprintf(csv_, "%s,%zu,%zu,%s,", list_->name.c_str(), list_->buffers.size(), list_->most_alive,
                 strategies_[strategy].name.c_str());
    if (row.planned) {
      std::fprintf(csv_, "%zu,%.6f,", row.size, row.over);
    } else {
      std::fprintf(csv_, ",,");
    }
    std::fprintf(csv_, "%zu,%s,%.7f,%.7f\n", row.lower_bound, row.proven ? "yes" : "no", row.seconds_to_it,
                 row.seconds);
    std::fflush(csv_);
  }

  void leave_out() {
    if (options_.tables) std::printf(" |");
  }

  void finish() const {
    if (!options_.tables) return;
    if (options_.growth) {
      std::printf("\n");
      return;
    }
    const bool fitting = options_.capacity != 0;
    const bool together = options_.members;
    std::printf(
        "\n\n| strategy | plans | at the lower bound | proven | %smean over it | most | time in all | at most |%s\n",
        fitting ? "within the capacity | " : "", together ? " with those before | mean |" : "");
    std::printf("|:--|--:|--:|--:|%s--:|--:|--:|--:|%s\n", fitting ? "--:|" : "", together ? "--:|--:|" : "");
    for (std::size_t i = 0; i < strategies_.size(); ++i) {
      const Sum& sum = sums_[i];
      const auto percent = [](double ratio, std::size_t count) {
        return count == 0 ? std::string() : text("%.2f %%", 100 * (ratio / static_cast<double>(count) - 1));
      };
      std::printf("| `%s` | %zu | %zu | %zu |", strategies_[i].name.c_str(), sum.plans, sum.at_bound, sum.proven);
      if (fitting) std::printf(" %zu |", sum.fitting);
      std::printf(" %s | %s | %s | %s |", percent(sum.over, sum.plans).c_str(),
                  percent(sum.most_over, sum.plans == 0 ? 0 : 1).c_str(), time_text(sum.seconds).c_str(),
                  time_text(sum.most_seconds).c_str());
      if (together && strategies_[i].use == Use::kMember) {
        std::printf(" %zu | %s |", sum.together_at_bound, percent(sum.together_over, sum.plans).c_str());
      } else if (together) {
        std::printf(" | |");
      }
      std::printf("\n");
    }
  }

 private:
  void print_head() const {
    std::printf(
        "Size over the most bytes alive at one step, bold where no plan can be smaller, and the time it took.\n\n");
    std::printf("| list | buffers | most alive |");
    for (const Strategy& strategy : strategies_) std::printf(" `%s` |", strategy.name.c_str());
    std::printf("\n|:--|--:|--:|");
    for (std::size_t i = 0; i < strategies_.size(); ++i) std::printf(":--|");
  }

  const Options& options_;
  const std::vector<Strategy>& strategies_;
  std::vector<Sum> sums_;
  const List* list_ = nullptr;
  double least_ = 0;  // of the members, on this list
  std::FILE* csv_ = nullptr;
};

// --- runs ------------------------------------------------------------------------------------------------------------

void measure_most_alive(List& list) {
  const std::size_t count = list.buffers.size();
  std::vector<Index> scratch(arenite::lower_bound_scratch(count));
  list.most_alive = arenite::lower_bound(list.buffers.data(), count, scratch.data());
}

Row run(const Strategy& strategy, const List& list, const Options& options) {
  try {
    return to_row(list, strategy.plan(list, options));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(list.name + ": " + strategy.name + ": " + error.what());
  }
}

void run_folder(const Options& options, const std::vector<Strategy>& strategies, Report& report) {
  const std::vector<std::filesystem::path> paths = problems::find_lists(options.folder);
  if (paths.empty()) throw std::runtime_error(options.folder + ": there is no list in it");
  for (const std::filesystem::path& path : paths) {
    List list{path.stem().string(), problems::read_list(path).buffers};
    measure_most_alive(list);
    report.begin(list);
    for (std::size_t i = 0; i < strategies.size(); ++i) report.add(i, run(strategies[i], list, options));
  }
}

void run_growth(const Options& options, const std::vector<Strategy>& strategies, Report& report) {
  for (const bool lasting : {false, true}) {
    std::vector<bool> patience(strategies.size(), true);
    for (const std::size_t count : {1000u, 5000u, 10000u, 50000u, 100000u, 1000000u}) {
      if (count > options.most) break;
      const std::uint32_t alive = lasting ? std::min(static_cast<std::uint32_t>(count) / 4, 4000u) : 35;
      List list{lasting ? "long" : "short", std::vector<Buffer>(count)};
      lists::fill(list.buffers.data(), count, alive);
      measure_most_alive(list);
      report.begin(list);
      for (std::size_t i = 0; i < strategies.size(); ++i) {
        if (!patience[i]) {
          report.leave_out();
          continue;
        }
        const Row row = run(strategies[i], list, options);
        report.add(i, row);
        patience[i] = row.seconds < options.patience;
      }
    }
  }
}

// --- small searches --------------------------------------------------------------------------------------------------

template <class Strategy>
bool proves(const std::vector<Buffer>& buffers) {
  const std::size_t count = buffers.size();
  std::vector<std::size_t> memory(arenite::plan_bytes<Strategy>(count) / sizeof(std::size_t) + 1);
  const arenite::PlanRef plan =
      arenite::plan<Strategy>(buffers.data(), count, memory.data(), memory.size() * sizeof memory[0]);
  std::vector<Index> scratch(std::max(arenite::lower_bound_scratch(count), arenite::verify_scratch(count)));
  if (!plan.verify(scratch.data()).ok()) throw std::runtime_error("no plan");
  return plan.proven(scratch.data());
}

// Buffers born at random within as many steps as there are buffers, that live for up to as many. Of any size up to
// 1000, whatever the alignment.
std::vector<Buffer> random_list(lists::Random& random, std::size_t count, const std::vector<std::size_t>& alignments) {
  const auto steps = static_cast<std::uint32_t>(count);
  std::vector<Buffer> buffers(count);
  for (Buffer& buffer : buffers) {
    const std::uint32_t first = random.below(steps);
    buffer.size = 1 + random.below(1000);
    buffer.first = static_cast<arenite::Step>(first);
    buffer.last = static_cast<arenite::Step>(first + random.below(steps));
    buffer.alignment = alignments[random.below(static_cast<std::uint32_t>(alignments.size()))];
  }
  return buffers;
}

void run_small() {
  constexpr int kLists = 100;
  std::printf("| alignment | buffers | `best_of_eight` | `search<50000>` | `search<>` |\n|:--|--:|--:|--:|--:|\n");
  const std::pair<const char*, std::vector<std::size_t>> kinds[] = {{"1", {1}}, {"16", {16}}, {"4 or 16", {4, 16}}};
  for (const auto& [name, alignments] : kinds) {
    for (const std::size_t count : {8u, 12u, 16u, 24u, 32u, 48u}) {
      lists::Random random;
      int best = 0;
      int less = 0;
      int more = 0;
      for (int i = 0; i < kLists; ++i) {
        const std::vector<Buffer> buffers = random_list(random, count, alignments);
        best += proves<arenite::best_of_eight>(buffers) ? 1 : 0;
        less += proves<arenite::search<50000>>(buffers) ? 1 : 0;
        more += proves<arenite::search<>>(buffers) ? 1 : 0;
      }
      std::printf("| %s | %zu | %d | %d | %d |\n", name, count, best, less, more);
    }
  }
}

// --- options ---------------------------------------------------------------------------------------------------------

// The text behind `--name=`, or null.
const char* value_of(const char* argument, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 ? argument + length : nullptr;
}

double to_number(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  if (end == text || *end != 0 || !(number >= 0 && number < 1e18)) {
    throw std::invalid_argument(std::string(text) + " is no number");
  }
  return number;
}

std::vector<std::string> to_names(std::string_view text) {
  const std::vector<Strategy> strategies = all_strategies();
  std::vector<std::string> names;
  for (std::size_t end = 0; end != text.npos; text.remove_prefix(end + 1)) {
    end = text.find(',');
    names.emplace_back(text.substr(0, end));
    const auto same = [&](const Strategy& strategy) { return strategy.name == names.back(); };
    if (std::none_of(strategies.begin(), strategies.end(), same)) {
      throw std::invalid_argument("there is no strategy `" + names.back() + "`");
    }
    if (end == text.npos) break;
  }
  return names;
}

Options to_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const char* const argument = argv[i];
    if (std::strcmp(argument, "--growth") == 0) {
      options.growth = true;
    } else if (std::strcmp(argument, "--small") == 0) {
      options.small = true;
    } else if (std::strcmp(argument, "--members") == 0) {
      options.members = true;
    } else if (std::strcmp(argument, "--csv") == 0) {
      options.tables = false;
      options.csv = "-";
    } else if (const char* const csv = value_of(argument, "--csv=")) {
      options.csv = csv;
    } else if (const char* const only = value_of(argument, "--only=")) {
      options.only = to_names(only);
    } else if (const char* const capacity = value_of(argument, "--capacity=")) {
      options.capacity = static_cast<std::size_t>(to_number(capacity));
    } else if (const char* const work = value_of(argument, "--work=")) {
      options.work = static_cast<std::uint64_t>(to_number(work));
    } else if (const char* const seconds = value_of(argument, "--seconds=")) {
      options.seconds = to_number(seconds);
    } else if (const char* const most = value_of(argument, "--most=")) {
      options.most = static_cast<std::size_t>(to_number(most));
    } else if (const char* const patience = value_of(argument, "--patience=")) {
      options.patience = to_number(patience);
    } else if (argument[0] != '-' && options.folder.empty()) {
      options.folder = argument;
    } else {
      throw std::invalid_argument(std::string("what is ") + argument + "?");
    }
  }
  if (options.growth + options.small + !options.folder.empty() != 1) {
    throw std::invalid_argument("either a folder or --growth or --small");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = to_options(argc, argv);
    if (options.small) {
      run_small();
      return 0;
    }
    const std::vector<Strategy> strategies = chosen_strategies(options);
    Report report(options, strategies);
    if (options.growth) {
      run_growth(options, strategies, report);
    } else {
      run_folder(options, strategies, report);
    }
    report.finish();
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n\n%s", error.what(), kUsage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
