// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iomanip>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "json.hpp"
#include "names.hpp"

namespace arenite::tool {
namespace {

struct Side {
  Problem problem;
  Layout layout;
  std::size_t without_reuse = 0;
  Peak peak;
};

// A buffer of A, one of B, or the same one in both.
struct Pair {
  std::optional<std::size_t> a, b;
};

struct Comparison {
  Side a, b;
  std::vector<Pair> added, removed, changed, moved;
  std::size_t unchanged = 0;
};

// --- the two sides ---------------------------------------------------------------------------------------------------

// What a file is compared by if nobody says: where it puts its buffers, if it says so of all of them; what becomes of
// it on the device, if it says so of some.
std::string usual_strategy(const Problem& problem) {
  if (problem.offsets.empty()) return "search";
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].size != 0 && !problem.offsets[i]) return "";
  }
  return "given";
}

Side make_side(const Problem& problem, const std::string& strategy, LayoutOptions options, Streams& streams) {
  Side side{problem, {}, 0, peak_of(problem)};
  if (strategy.empty()) {
    side.layout = tflm_layout(problem);
    side.layout.strategy = "given and greedy";
  } else {
    options.strategy = strategy;
    side.layout = layout_with_progress(problem, options, streams);
  }
  for (const Buffer& buffer : problem.buffers) side.without_reuse = add_saturated(side.without_reuse, buffer.size);
  return side;
}

// --- which buffer is which -------------------------------------------------------------------------------------------

// Buffers with the same id and name are the same. Of the others, those with the same name are, one after the other.
std::vector<Pair> match(const Problem& a, const Problem& b) {
  std::vector<Pair> pairs(a.rows.size());
  std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> exact;
  for (std::size_t i = b.rows.size(); i-- > 0;) exact[{b.rows[i].id, b.rows[i].name}].push_back(i);
  std::vector<bool> taken(b.rows.size());
  const auto take = [&](auto& candidates, Pair& pair) {
    while (!candidates.empty() && taken[candidates.back()]) candidates.pop_back();
    if (candidates.empty()) return;
    pair.b = candidates.back();
    taken[candidates.back()] = true;
  };
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    pairs[i].a = i;
    const auto found = exact.find({a.rows[i].id, a.rows[i].name});
    if (found != exact.end()) take(found->second, pairs[i]);
  }
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = b.rows.size(); i-- > 0;) {
    // A number for want of a name says nothing.
    if (!taken[i] && b.rows[i].name != std::to_string(b.rows[i].id)) by_name[b.rows[i].name].push_back(i);
  }
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    if (pairs[i].b || a.rows[i].name == std::to_string(a.rows[i].id)) continue;
    const auto found = by_name.find(a.rows[i].name);
    if (found != by_name.end()) take(found->second, pairs[i]);
  }
  for (std::size_t i = 0; i < b.rows.size(); ++i) {
    if (!taken[i]) pairs.push_back({std::nullopt, i});
  }
  return pairs;
}

Comparison compare(Side a, Side b) {
  Comparison result{std::move(a), std::move(b), {}, {}, {}, {}, 0};
  for (const Pair& pair : match(result.a.problem, result.b.problem)) {
    if (!pair.a) {
      result.added.push_back(pair);
    } else if (!pair.b) {
      result.removed.push_back(pair);
    } else if (result.a.problem.buffers[*pair.a] != result.b.problem.buffers[*pair.b]) {
      result.changed.push_back(pair);
    } else if (result.a.layout.offsets[*pair.a] != result.b.layout.offsets[*pair.b] &&
               result.a.problem.buffers[*pair.a].size != 0) {
      result.moved.push_back(pair);
    } else {
      ++result.unchanged;
    }
  }
  return result;
}

// --- in words --------------------------------------------------------------------------------------------------------

std::string signed_difference(std::size_t a, std::size_t b) {
  if (a == b) return "0";
  return b > a ? "+" + std::to_string(b - a) : "-" + std::to_string(a - b);
}

std::string per_cent(std::size_t a, std::size_t b) {
  char text[32];
  const double share = (static_cast<double>(b) - static_cast<double>(a)) / static_cast<double>(a) * 100;
  (void)std::snprintf(text, sizeof text, "%+.1f %%", share);
  return text;
}

constexpr int kFirstColumn = 16;
constexpr int kColumn = 20;
constexpr std::size_t kLongestName = 72;

void print_row(std::ostream& out, const std::string& what, const std::string& a, const std::string& b,
               const std::string& difference = "", const std::string& share = "") {
  std::ostringstream line;
  line << "  " << std::left << std::setw(kFirstColumn) << what << std::right << std::setw(kColumn) << a
       << std::setw(kColumn) << b << std::setw(kColumn) << difference << std::setw(12) << share;
  const std::string text = line.str();
  out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
}

void print_number(std::ostream& out, const std::string& what, std::size_t a, std::size_t b) {
  if (a == b) {
    print_row(out, what, std::to_string(a), std::to_string(b));
  } else {
    print_row(out, what, std::to_string(a), std::to_string(b), signed_difference(a, b), a == 0 ? "" : per_cent(a, b));
  }
}

void print_table(std::ostream& out, const Side& a, const Side& b) {
  print_row(out, "", "A", "B", "B - A");
  print_row(out, "strategy", a.layout.strategy, b.layout.strategy);
  print_number(out, "size", a.layout.size, b.layout.size);
  print_number(out, "lower bound", a.layout.lower_bound, b.layout.lower_bound);
  print_row(out, "proven best", a.layout.proven() ? "yes" : "no", b.layout.proven() ? "yes" : "no");
  print_number(out, "without reuse", a.without_reuse, b.without_reuse);
  print_number(out, "buffers", a.problem.buffers.size(), b.problem.buffers.size());
  print_number(out, "peak", a.peak.bytes, b.peak.bytes);
  print_row(out, "at step", std::to_string(a.peak.step), std::to_string(b.peak.step));
  if (a.problem.model && b.problem.model) {
    const ModelFacts& left = *a.problem.model;
    const ModelFacts& right = *b.problem.model;
    print_number(out, "weights", left.weights, right.weights);
    print_number(out, "variables", left.variables, right.variables);
    print_number(out, "operators", left.operators, right.operators);
    print_number(out, "subgraphs", left.subgraphs, right.subgraphs);
  }
}

constexpr std::size_t kMostPairs = 12;

template <class Print>
void print_list(std::ostream& out, const std::string& what, const std::vector<Pair>& pairs, Print print) {
  if (pairs.empty()) return;
  out << '\n' << pairs.size() << ' ' << what << '\n';
  for (std::size_t i = 0; i < std::min(kMostPairs, pairs.size()); ++i) print(pairs[i]);
  if (pairs.size() > kMostPairs) out << "  and " << pairs.size() - kMostPairs << " more\n";
}

std::string steps_of(const Buffer& buffer) { return std::to_string(buffer.first) + ".." + std::to_string(buffer.last); }

// "64", or "64 -> 128".
std::string change(const std::string& a, const std::string& b) { return a == b ? a : a + " -> " + b; }
std::string change(std::size_t a, std::size_t b) { return change(std::to_string(a), std::to_string(b)); }

// What is to be known of both is said once.
void print_notes(std::ostream& out, const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto has = [](const std::vector<std::string>& notes, const std::string& note) {
    return std::find(notes.begin(), notes.end(), note) != notes.end();
  };
  for (const std::string& note : a) out << (has(b, note) ? "\nNote: " : "\nNote on A: ") << note << '\n';
  for (const std::string& note : b) {
    if (!has(a, note)) out << "\nNote on B: " << note << '\n';
  }
}

void print_text(const Comparison& comparison, std::ostream& out) {
  const Side& a = comparison.a;
  const Side& b = comparison.b;
  const std::size_t had = a.layout.size;
  const std::size_t needs = b.layout.size;
  if (had == needs) {
    out << "B needs as much as A: " << needs << " bytes\n";
  } else {
    out << "B needs " << (needs > had ? needs - had : had - needs) << " bytes " << (needs > had ? "more" : "less")
        << " than A: " << needs << " for " << had << '\n';
  }
  out << "\n  A: " << a.problem.source << "\n  B: " << b.problem.source << "\n\n";
  print_table(out, a, b);
  const auto print_one = [&out](const Side& side, std::size_t i) {
    const Buffer& buffer = side.problem.buffers[i];
    out << "  " << std::setw(12) << buffer.size << "  steps " << std::left << std::setw(12) << steps_of(buffer)
        << std::right << "  at " << std::setw(12) << side.layout.offsets[i] << "  "
        << short_name(side.problem.rows[i].name, kLongestName) << '\n';
  };
  print_list(out, "only in A:", comparison.removed, [&](const Pair& pair) { print_one(a, *pair.a); });
  print_list(out, "only in B:", comparison.added, [&](const Pair& pair) { print_one(b, *pair.b); });
  print_list(out, "changed:", comparison.changed, [&](const Pair& pair) {
    const Buffer& old = a.problem.buffers[*pair.a];
    const Buffer& now = b.problem.buffers[*pair.b];
    out << "  " << short_name(b.problem.rows[*pair.b].name, kLongestName) << ": size " << change(old.size, now.size)
        << ", steps " << change(steps_of(old), steps_of(now));
    if (old.alignment != now.alignment) {
      out << ", alignment " << change(old.alignment.bytes(), now.alignment.bytes());
    }
    out << ", at " << change(a.layout.offsets[*pair.a], b.layout.offsets[*pair.b]) << '\n';
  });
  print_list(out, "moved:", comparison.moved, [&](const Pair& pair) {
    out << "  " << std::setw(12) << b.problem.buffers[*pair.b].size << "  at " << std::setw(12)
        << a.layout.offsets[*pair.a] << " -> " << std::left << std::setw(12) << b.layout.offsets[*pair.b] << std::right
        << "  " << short_name(b.problem.rows[*pair.b].name, kLongestName) << '\n';
  });
  print_notes(out, a.problem.notes, b.problem.notes);
}

// --- as JSON ---------------------------------------------------------------------------------------------------------

Json json_of(const Side& side) {
  Json json = tool::json_of(side.problem, side.layout);
  json["buffers"] = side.problem.buffers.size();
  json["without_reuse"] = side.without_reuse;
  json["peak"] = {{"bytes", side.peak.bytes}, {"step", side.peak.step}};
  json["notes"] = side.problem.notes;
  if (side.problem.model) {
    const ModelFacts& facts = *side.problem.model;
    json["model"] = {{"weights", facts.weights},
                     {"variables", facts.variables},
                     {"subgraphs", facts.subgraphs},
                     {"operators", facts.operators}};
  }
  return json;
}

Json json_of(const Side& side, std::size_t i) {
  const Buffer& buffer = side.problem.buffers[i];
  return {{"id", side.problem.rows[i].id},
          {"first", buffer.first},
          {"last", buffer.last},
          {"size", buffer.size},
          {"alignment", buffer.alignment.bytes()},
          {"offset", side.layout.offsets[i]}};
}

Json json_of(const Comparison& comparison, const std::vector<Pair>& pairs) {
  Json list = Json::array();
  for (const Pair& pair : pairs) {
    const Side& named = pair.b ? comparison.b : comparison.a;
    Json one = {{"name", named.problem.rows[pair.b ? *pair.b : *pair.a].name}};
    if (pair.a) one["a"] = json_of(comparison.a, *pair.a);
    if (pair.b) one["b"] = json_of(comparison.b, *pair.b);
    list.push_back(std::move(one));
  }
  return list;
}

Json json_of(const Comparison& comparison) {
  Json json;
  json["needs_more"] = comparison.b.layout.size > comparison.a.layout.size;
  json["a"] = json_of(comparison.a);
  json["b"] = json_of(comparison.b);
  json["only_in_a"] = json_of(comparison, comparison.removed);
  json["only_in_b"] = json_of(comparison, comparison.added);
  json["changed"] = json_of(comparison, comparison.changed);
  json["moved"] = json_of(comparison, comparison.moved);
  json["unchanged"] = comparison.unchanged;
  return json;
}

}  // namespace

int run_compare(const CompareArguments& arguments, Streams& streams) {
  const std::vector<std::string>& inputs = arguments.inputs;
  if (inputs.size() == 2 && inputs[0] == "-" && inputs[1] == "-") {
    throw InputError("standard input", "", "can be one of the two only");
  }
  std::vector<Problem> problems;
  problems.reserve(inputs.size());
  for (const std::string& input : inputs) problems.push_back(load(input, arguments.load));
  std::vector<std::string> by = arguments.strategies;
  if (by.empty() && inputs.size() == 1) {
    by = {problems[0].offsets.empty() ? "greedy" : usual_strategy(problems[0]), "search"};
  } else if (by.empty()) {
    by = {usual_strategy(problems[0]), usual_strategy(problems[1])};
  }
  Side a = make_side(problems.front(), by[0], arguments.layout, streams);
  Side b = make_side(problems.back(), by[1], arguments.layout, streams);
  const Comparison comparison = compare(std::move(a), std::move(b));
  if (arguments.format == Format::kJson) {
    streams.out << text_of(json_of(comparison));
  } else {
    print_text(comparison, streams.out);
  }
  return comparison.b.layout.size > comparison.a.layout.size ? kNo : kYes;
}

}  // namespace arenite::tool
