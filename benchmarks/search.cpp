// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// usage: search_benchmark [--capacity=BYTES] [--work=STEPS] [--seconds=S] [--csv] FOLDER
//
// Searches the best plan for every list of buffers in a folder (*.csv, also in its subfolders) and prints, for each,
// the size of greedy's plan and of the search's over the lower bound, whether the latter is proven to be best, and the
// time of the processor until the search ended. With --csv as CSV, otherwise as a table in Markdown.
//
// The first line of a list names its columns, in any order: `size`, `first` and `last` (inclusive) or `lower` and
// `upper` (exclusive), and maybe `alignment`, 1 where there is none.

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
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using arenite::Buffer;
using arenite::Index;
using arenite::Step;
namespace fs = std::filesystem;

std::vector<Buffer> read_list(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path.string() + ": cannot be read, or is empty");
  std::vector<std::string> names;
  std::string cell;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) {
    names.push_back(cell.substr(0, cell.find_last_not_of("\r ") + 1));
  }
  std::vector<Buffer> buffers;
  while (std::getline(file, line)) {
    if (line.empty() || line == "\r") continue;
    Buffer buffer{0, 0, 0, 1};
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::getline(cells, cell, ',');
      const std::uint64_t value = std::strtoull(cell.c_str(), nullptr, 10);
      if (name == "size") buffer.size = value;
      if (name == "first" || name == "lower") buffer.first = static_cast<Step>(value);
      if (name == "last") buffer.last = static_cast<Step>(value);
      if (name == "upper") buffer.last = static_cast<Step>(value - 1);
      if (name == "alignment") buffer.alignment = value;
    }
    if (!cells) throw std::runtime_error(path.string() + ": there is a line with too few columns");
    buffers.push_back(buffer);
  }
  return buffers;
}

struct Row {
  std::string name;
  std::size_t count;
  std::size_t bound;  // most bytes live at one step
  std::size_t greedy;
  arenite::host::SearchResult result;
  double seconds;
};

Row measure(const fs::path& path, const arenite::host::SearchOptions& options) {
  const std::vector<Buffer> buffers = read_list(path);
  const std::size_t count = buffers.size();
  Row row{path.stem().string(), count, 0, 0, {}, 0};

  std::vector<std::size_t> memory(arenite::plan_bytes(count) / sizeof(std::size_t) + 1);
  std::vector<Index> scratch(std::max(arenite::verify_scratch(count), arenite::lower_bound_scratch(count)));
  const arenite::PlanRef greedy =
      arenite::plan(buffers.data(), count, memory.data(), memory.size() * sizeof(std::size_t));
  if (greedy.status() != arenite::Status::kOk) {
    throw std::runtime_error(path.string() + ": refused: " + arenite::to_string(greedy.status()));
  }
  row.greedy = greedy.size();
  row.bound = greedy.lower_bound(scratch.data());

  const std::clock_t start = std::clock();
  row.result = arenite::host::search(buffers.data(), count, options);
  row.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (!row.result.plan(buffers.data()).verify(scratch.data()).ok()) {
    throw std::runtime_error(path.string() + ": the plan is wrong");
  }
  return row;
}

double over(std::size_t size, std::size_t bound) {
  return bound == 0 ? 1.0 : static_cast<double>(size) / static_cast<double>(bound);
}

void print(const Row& row, bool csv) {
  std::printf(csv ? "%s,%zu,%zu,%.4f,%zu,%.4f,%zu,%s,%.2f,%.4f\n"
                  : "| %s | %zu | %zu | %.4f | %zu | %.4f | %zu | %s | %.2f | %.4f |\n",
              row.name.c_str(), row.count, row.bound, over(row.greedy, row.bound), row.result.size,
              over(row.result.size, row.bound), row.result.lower_bound, row.result.proven() ? "yes" : "no",
              static_cast<double>(row.result.work) / 1e6, row.seconds);
  std::fflush(stdout);
}

// The text behind `--name=`, or null.
const char* option(const char* argument, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 ? argument + length : nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  arenite::host::SearchOptions options;
  const char* folder = nullptr;
  bool csv = false;
  bool understood = true;
  for (int i = 1; i < argc; ++i) {
    if (const char* const capacity = option(argv[i], "--capacity=")) {
      options.capacity = std::strtoull(capacity, nullptr, 10);
    } else if (const char* const work = option(argv[i], "--work=")) {
      options.work = std::strtoull(work, nullptr, 10);
    } else if (const char* const seconds = option(argv[i], "--seconds=")) {
      options.seconds = std::strtod(seconds, nullptr);
    } else if (std::strcmp(argv[i], "--csv") == 0) {
      csv = true;
    } else if (argv[i][0] != '-' && folder == nullptr) {
      folder = argv[i];
    } else {
      understood = false;
    }
  }
  if (!understood || folder == nullptr) {
    std::fprintf(stderr, "usage: %s [--capacity=BYTES] [--work=STEPS] [--seconds=S] [--csv] FOLDER\n", argv[0]);
    return 2;
  }

  try {
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".csv") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::printf(csv ? "list,buffers,most_alive,greedy_over,size,over,lower_bound,proven,million_steps,seconds\n"
                    : "| list | buffers | most alive | greedy / that | size | size / that | lower bound | proven | "
                      "million steps | seconds |\n|:--|--:|--:|--:|--:|--:|--:|:--|--:|--:|\n");
    std::size_t proven = 0;
    std::size_t fitting = 0;
    double sum = 0;
    double most = 0;
    for (const fs::path& path : paths) {
      const Row row = measure(path, options);
      print(row, csv);
      if (row.result.proven()) ++proven;
      if (row.result.status == arenite::Status::kOk) ++fitting;
      sum += row.seconds;
      most = std::max(most, row.seconds);
    }
    if (csv) return 0;
    std::printf("\n%zu lists, %zu proven best", paths.size(), proven);
    if (options.capacity != 0) std::printf(", %zu within %zu bytes", fitting, options.capacity);
    std::printf("; %.3f s in all, %.4f s at most\n", sum, most);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
