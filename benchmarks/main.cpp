// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Google Benchmark's program, with a table at the end that puts side by side who does the same job. Fails where a
// benchmark does.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "competitors.hpp"

namespace {

bool failed = false;

constexpr const char* kCompetitors[] = {"arenite", "pmr", "tflm"};
constexpr std::size_t kCount = sizeof kCompetitors / sizeof *kCompetitors;

struct Row {
  std::string job;
  double nanoseconds[kCount] = {};  // zero: does not do this job
};

class TableReporter : public benchmark::ConsoleReporter {
 public:
  TableReporter() : ConsoleReporter(OO_None) {}  // no colours, so that the output may go to a file

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) add(run);
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    std::printf("\n| job | arenite | std::pmr | TFLM | TFLM / arenite |\n|:--|--:|--:|--:|--:|\n");
    for (const Row& row : rows_) {
      std::printf("| %s |", row.job.c_str());
      for (const double time : row.nanoseconds) print(time);
      const double ratio = row.nanoseconds[0] > 0 ? row.nanoseconds[2] / row.nanoseconds[0] : 0;
      std::printf(ratio > 0 ? " %.1f |\n" : " |\n", ratio);
    }
  }

 private:
  void add(const Run& run) {
    if (run.run_type != Run::RT_Iteration || run.iterations == 0) return;
    const std::string name = run.run_name.function_name;
    const std::size_t slash = name.find('/');
    std::string job = name.substr(0, slash);
    if (!run.run_name.args.empty()) job += ' ' + run.run_name.args;
    std::replace(job.begin(), job.end(), '/', ' ');

    auto row = std::find_if(rows_.begin(), rows_.end(), [&job](const Row& r) { return r.job == job; });
    if (row == rows_.end()) row = rows_.insert(row, Row{job, {}});
    for (std::size_t i = 0; i < kCount; ++i) {
      if (name.substr(slash + 1) != kCompetitors[i]) continue;
      row->nanoseconds[i] = run.real_accumulated_time / static_cast<double>(run.iterations) * 1e9;
    }
  }

  static void print(double nanoseconds) {
    if (nanoseconds <= 0) {
      std::printf(" |");
    } else if (nanoseconds < 1e3) {
      std::printf(" %.1f ns |", nanoseconds);
    } else if (nanoseconds < 1e6) {
      std::printf(" %.1f us |", nanoseconds / 1e3);
    } else {
      std::printf(" %.1f ms |", nanoseconds / 1e6);
    }
  }

  std::vector<Row> rows_;
};

}  // namespace

void fail(benchmark::State& state, const char* why) {
  failed = true;
  state.SkipWithError(why);
}

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return failed ? 1 : 0;
}
