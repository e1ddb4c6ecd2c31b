// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "json.hpp"

namespace arenite::tool {
namespace {

// What became of one file; without a layout it is bad.
struct Checked {
  std::string file;
  std::optional<Layout> layout;
  std::string error;
  std::size_t budget = 0;
  std::vector<std::string> notes;

  [[nodiscard]] bool over() const noexcept { return layout && layout->size > budget; }
  [[nodiscard]] std::size_t apart() const noexcept { return over() ? layout->size - budget : budget - layout->size; }
  [[nodiscard]] const char* status() const noexcept { return !layout ? "bad" : over() ? "OVER" : "ok"; }
};

// What the device needs: with the plan that a model carries, or with the one that was asked for.
Layout layout_of(const Problem& problem, const LayoutOptions& options, Streams& streams) {
  const bool carries_plan = problem.model && problem.model->has_offline_plan;
  if (!carries_plan || options.strategy != "search") return layout_with_progress(problem, options, streams);
  if (problem.offsets.empty()) {
    throw InputError(problem.source, "", "carries an offline plan that is not valid: see `arenite verify`");
  }
  return tflm_layout(problem);
}

Checked check(const std::string& file, const CheckArguments& arguments, Streams& streams) {
  Checked checked{file == "-" ? "standard input" : file, std::nullopt, "", arguments.budget, {}};
  try {
    const Problem problem = load(file, arguments.load);
    checked.layout = layout_of(problem, arguments.layout, streams);
    checked.notes = problem.notes;
  } catch (const InputError& error) {
    checked.error = error.what();
    streams.err << "arenite: " << checked.error << '\n';
  }
  return checked;
}

// "ok          55296 of 65536        10240 free     proven best       models/vww.tflite"
void print_line(std::ostream& out, const Checked& checked) {
  out << std::left << std::setw(4) << checked.status() << std::right;
  if (checked.layout) {
    const Layout& layout = *checked.layout;
    out << ' ' << std::setw(12) << layout.size << " of " << checked.budget << ' ' << std::setw(12) << checked.apart()
        << ' ' << std::left << std::setw(7) << (checked.over() ? "missing" : "free") << "  " << std::setw(11)
        << (layout.proven() ? "proven best" : "not proven") << std::right;
  } else {
    out << std::string(51 + std::to_string(checked.budget).size(), ' ');
  }
  out << "  " << checked.file << '\n';
}

Json json_of(const Checked& checked) {
  Json json = {{"file", checked.file}, {"status", checked.layout ? checked.over() ? "over" : "ok" : "bad"}};
  if (!checked.layout) {
    json["error"] = checked.error;
    return json;
  }
  json["size"] = checked.layout->size;
  json[checked.over() ? "missing" : "free"] = checked.apart();
  json["lower_bound"] = checked.layout->lower_bound;
  json["proven"] = checked.layout->proven();
  json["notes"] = checked.notes;
  return json;
}

// A note, and the files that it is on.
using Notes = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add_notes(const Checked& checked, Notes& notes) {
  for (const std::string& note : checked.notes) {
    const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& one) { return one.first == note; });
    if (same == notes.end()) {
      notes.push_back({note, {checked.file}});
    } else {
      same->second.push_back(checked.file);
    }
  }
}

void print_notes(std::ostream& out, const Notes& notes) {
  for (const auto& [note, files] : notes) {
    out << "\nNote on " << files.front();
    if (files.size() > 1) out << " and " << files.size() - 1 << " more";
    out << ": " << note << '\n';
  }
}

}  // namespace

int run_check(const CheckArguments& arguments, Streams& streams) {
  std::size_t ok = 0;
  std::size_t over = 0;
  std::size_t bad = 0;
  Json models = Json::array();
  Notes notes;
  for (const std::string& file : arguments.inputs) {
    const Checked checked = check(file, arguments, streams);
    ++(!checked.layout ? bad : checked.over() ? over : ok);
    if (arguments.format == Format::kJson) {
      models.push_back(json_of(checked));
    } else {
      print_line(streams.out, checked);
      streams.out.flush();
      add_notes(checked, notes);
    }
  }
  if (arguments.format == Format::kJson) {
    streams.out << text_of(
        {{"budget", arguments.budget}, {"ok", ok}, {"over", over}, {"bad", bad}, {"models", std::move(models)}});
  } else if (arguments.inputs.size() > 1) {
    streams.out << ok << " ok, " << over << " over, " << bad << " bad\n";
  }
  print_notes(streams.out, notes);
  return bad != 0 ? kBad : over != 0 ? kNo : kYes;
}

}  // namespace arenite::tool
