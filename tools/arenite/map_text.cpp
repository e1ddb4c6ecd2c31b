// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "map_text.hpp"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <utility>

#include "names.hpp"

namespace arenite::tool {
namespace {

constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr char kOther = '#';
constexpr char kFree = '.';
constexpr std::size_t kColumns = 72;
constexpr std::size_t kMostRows = 64;

// Steps at which the same buffers are alive; where there are too many of them, several in one.
struct Steps {
  Step first;
  Step last;
};

std::vector<Steps> rows_of(const Problem& problem) {
  std::vector<std::uint64_t> changes;
  for (const Buffer& buffer : problem.buffers) {
    if (buffer.size == 0) continue;
    changes.push_back(buffer.first);
    changes.push_back(std::uint64_t{buffer.last} + 1);
  }
  std::sort(changes.begin(), changes.end());
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  std::vector<Steps> rows;
  if (changes.empty()) return rows;
  const std::size_t ranges = changes.size() - 1;
  const std::size_t count = std::min(ranges, kMostRows);
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint64_t end = changes[(row + 1) * ranges / count];
    rows.push_back({static_cast<Step>(changes[row * ranges / count]), static_cast<Step>(end - 1)});
  }
  return rows;
}

// The letter of each buffer. If there are more buffers than letters, those get one that take the most room: bytes
// times steps.
std::string letters_of(const Problem& problem, std::vector<std::size_t>& with_letter) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].size != 0) order.push_back(i);
  }
  const auto room = [&problem](std::size_t i) {
    const Buffer& buffer = problem.buffers[i];
    return static_cast<double>(buffer.size) * (static_cast<double>(buffer.last - buffer.first) + 1);
  };
  if (order.size() > kLetters.size()) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return room(a) > room(b); });
    order.resize(kLetters.size());
    std::sort(order.begin(), order.end());
  }
  std::string letters(problem.buffers.size(), kOther);
  for (std::size_t k = 0; k < order.size(); ++k) letters[order[k]] = kLetters[k];
  with_letter = std::move(order);
  return letters;
}

}  // namespace

void print_map(const MapData& map, std::ostream& out) {
  const Problem& problem = map.problem;
  const Layout& layout = map.shown();
  out << layout.size << " bytes for the planned buffers, " << proof_of(layout.size, map.lower_bound) << '\n';
  const std::vector<Steps> rows = rows_of(problem);
  if (rows.empty()) return;

  std::vector<std::size_t> with_letter;
  const std::string letters = letters_of(problem, with_letter);
  const std::size_t cell = (layout.size - 1) / kColumns + 1;
  const std::size_t columns = (layout.size - 1) / cell + 1;
  const auto label = [](const Steps& steps) {
    return std::to_string(steps.first) + (steps.first == steps.last ? "" : "-" + std::to_string(steps.last));
  };
  std::size_t wide = 4;
  for (const Steps& steps : rows) wide = std::max(wide, label(steps).size());

  const std::string end = std::to_string(layout.size);
  out << '\n'
      << std::setw(static_cast<int>(wide)) << "step"
      << "  0" << std::setw(static_cast<int>(std::max(columns, end.size() + 2)) - 1) << end << '\n';
  for (const Steps& steps : rows) {
    // Each cell shows the buffer that has the most of it, counted in bytes times steps.
    std::vector<double> most(columns, 0);
    std::string cells(columns, kFree);
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      const Buffer& buffer = problem.buffers[i];
      if (buffer.size == 0 || buffer.first > steps.last || buffer.last < steps.first) continue;
      const double shared =
          static_cast<double>(std::min(buffer.last, steps.last) - std::max(buffer.first, steps.first)) + 1;
      const std::size_t begin = layout.offsets[i];
      for (std::size_t column = begin / cell; column <= (begin + buffer.size - 1) / cell; ++column) {
        const std::size_t bytes = std::min(begin + buffer.size, (column + 1) * cell) - std::max(begin, column * cell);
        const double room = shared * static_cast<double>(bytes);
        if (room <= most[column]) continue;
        most[column] = room;
        cells[column] = letters[i];
      }
    }
    const bool peak = steps.first <= map.peak.step && map.peak.step <= steps.last;
    out << std::setw(static_cast<int>(wide)) << label(steps) << " |" << cells << '|' << (peak ? " peak" : "") << '\n';
  }
  out << std::string(wide, ' ') << "  " << std::string((std::max<std::size_t>(map.lower_bound, 1) - 1) / cell, ' ')
      << "^ lower bound " << map.lower_bound << '\n';
  out << "A column is " << cell << (cell == 1 ? " byte" : " bytes") << ", '" << kFree << "' is free";
  const std::size_t others = static_cast<std::size_t>(std::count_if(problem.buffers.begin(), problem.buffers.end(),
                                                                    [](const Buffer& b) { return b.size != 0; })) -
                             with_letter.size();
  if (others != 0) out << ", '" << kOther << "' is one of " << others << " smaller buffers";
  out << ".\n\n         size      offset  steps         name\n";
  for (const std::size_t i : with_letter) {
    const Buffer& buffer = problem.buffers[i];
    std::ostringstream life;
    life << buffer.first << ".." << buffer.last;
    out << letters[i] << std::setw(12) << buffer.size << std::setw(12) << layout.offsets[i] << "  " << std::left
        << std::setw(13) << life.str() << std::right << ' ' << short_name(problem.rows[i].name, 50) << '\n';
  }
}

}  // namespace arenite::tool
