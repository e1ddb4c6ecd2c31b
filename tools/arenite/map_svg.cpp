// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "map_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <vector>

#include "map_files.hpp"
#include "names.hpp"

namespace arenite::tool {
namespace {

// Pixels. A character is at most that much of its font's size wide, on average.
constexpr double kCharacter = 0.62;
constexpr double kText = 12;
constexpr double kLargeText = 15;
constexpr double kLeft = 78;
constexpr double kRight = 112;
constexpr double kTop = 104;
constexpr double kLeastVisible = 1.5;

constexpr std::array<Role, 5> kRoles = {Role::kInput, Role::kActivation, Role::kOutput, Role::kScratch, Role::kBuffer};

// A length with at most two digits behind the point.
std::string px(double value) {
  char digits[48];
  (void)std::snprintf(digits, sizeof digits, "%.2f", value);
  std::string text = digits;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// 1, 2 or 5 times a power of ten, so that the range has at most so many ticks.
std::uint64_t decimal_tick(std::uint64_t range, double most) {
  std::uint64_t unit = 1;
  for (;; unit *= 10) {
    for (const std::uint64_t tick : {unit, 2 * unit, 5 * unit}) {
      if (static_cast<double>(range) / static_cast<double>(tick) <= most) return tick;
    }
  }
}

std::size_t binary_tick(std::size_t range) {
  std::size_t tick = 1;
  while (range / tick > 10) tick *= 2;
  return tick;
}

class Picture {
 public:
  explicit Picture(const MapData& map) : map_(map), problem_(map.problem), size_(map.shown().size) {
    const std::size_t count = problem_.buffers.size();
    width_ = count <= 64 ? 960 : count <= 160 ? 1280 : count <= 400 ? 1600 : 2000;
    bool any = false;
    for (const Buffer& buffer : problem_.buffers) {
      if (buffer.size == 0) continue;
      begin_ = any ? std::min<std::uint64_t>(begin_, buffer.first) : buffer.first;
      end_ = any ? std::max<std::uint64_t>(end_, std::uint64_t{buffer.last} + 1) : std::uint64_t{buffer.last} + 1;
      any = true;
    }
    plot_width_ = width_ - kLeft - kRight;
    plot_height_ = std::round(0.56 * width_) - 150;
    step_ = plot_width_ / static_cast<double>(end_ - begin_);
    operators_ = !problem_.steps.empty() && step_ >= kText;
    bottom_ = kTop + plot_height_;
    height_ = bottom_ + (operators_ ? 138 : 46);
  }

  std::string draw() {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << px(width_) << "\" height=\"" << px(height_)
         << "\" viewBox=\"0 0 " << px(width_) << ' ' << px(height_) << "\" font-size=\"" << px(kText)
         << "\" role=\"img\" aria-labelledby=\"map-title map-answer\">\n"
         << "<title id=\"map-title\">" << xml_of(map_.title) << ": map of its buffers</title>\n"
         << "<style>\n"
         << kMapCss << "</style>\n"
         << "<rect class=\"surface\" width=\"100%\" height=\"100%\"/>\n";
    draw_title();
    draw_axes();
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (problem_.buffers[i].size != 0) draw_buffer(i);
    }
    draw_peak();
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (problem_.buffers[i].size != 0) draw_words(i);
    }
    draw_sizes();
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  [[nodiscard]] double x(std::uint64_t step) const { return kLeft + static_cast<double>(step - begin_) * step_; }
  [[nodiscard]] double y(std::size_t bytes) const {
    return bottom_ - plot_height_ * static_cast<double>(bytes) / static_cast<double>(std::max<std::size_t>(size_, 1));
  }

  void text(const char* look, double x, double y, const std::string& words, const std::string& more = "") {
    out_ << "<text class=\"" << look << "\" x=\"" << px(x) << "\" y=\"" << px(y) << '"' << more << '>' << xml_of(words)
         << "</text>\n";
  }

  void line(const char* look, double x1, double y1, double x2, double y2, double thick = 1) {
    out_ << "<path class=\"" << look << "\" d=\"M" << px(x1) << ' ' << px(y1) << 'L' << px(x2) << ' ' << px(y2)
         << "\" stroke-width=\"" << px(thick) << "\"/>\n";
  }

  void draw_title() {
    const std::size_t count = problem_.buffers.size();
    const auto nothing =
        std::count_if(problem_.buffers.begin(), problem_.buffers.end(), [](const Buffer& b) { return b.size == 0; });
    const std::string answer =
        std::to_string(size_) + " bytes (" + binary_of(size_) + "), " + proof_of(size_, map_.lower_bound);
    const double wide = 18 * kCharacter;
    const double left = width_ - 48 - wide * static_cast<double>(answer.size());
    text("ink", 24, 34, short_name(map_.title, static_cast<std::size_t>(left / wide)) + ": " + answer,
         " font-size=\"18\" font-weight=\"600\" id=\"map-answer\"");
    std::ostringstream facts;
    facts << count << (count == 1 ? " buffer" : " buffers") << " over " << end_ - begin_
          << (end_ - begin_ == 1 ? " step" : " steps") << ", planned by " << map_.shown().strategy;
    for (const Layout& layout : map_.layouts) {
      if (&layout != &map_.shown() && layout.strategy == "greedy") {
        facts << "; TensorFlow Lite Micro's greedy planner needs " << layout.size << " bytes";
      }
    }
    if (nothing != 0) facts << "; " << nothing << " without bytes not drawn";
    text("muted", 24, 54, facts.str());
    double at = 24;
    for (const Role role : kRoles) {
      if (std::none_of(problem_.rows.begin(), problem_.rows.end(), [role](const Row& r) { return r.role == role; })) {
        continue;
      }
      const std::string name = to_string(role);
      out_ << "<g class=\"" << name << "\"><rect x=\"" << px(at) << "\" y=\"66\" width=\"14\" height=\"11\" rx=\"2\"/>";
      draw_edge(role, at, 66, 14, 11);
      out_ << "</g>\n";
      text("muted", at + 20, 76, name);
      at += 44 + kText * kCharacter * static_cast<double>(name.size());
    }
  }

  void draw_axes() {
    const std::size_t tick = binary_tick(size_);
    for (std::size_t bytes = 0; bytes <= size_; bytes += tick) {
      line("grid", kLeft, y(bytes), kLeft + plot_width_, y(bytes));
      text("muted", kLeft - 8, y(bytes) + 4, bytes == 0 ? "0" : binary_of(bytes, 2 * tick), " text-anchor=\"end\"");
    }
    const double middle = kTop + plot_height_ / 2;
    text("muted", 16, middle, "address", " text-anchor=\"middle\" transform=\"rotate(-90 16 " + px(middle) + ")\"");
    line("axis", kLeft, bottom_, kLeft + plot_width_, bottom_);
    line("axis", kLeft, kTop, kLeft, bottom_);
    if (end_ == begin_) return;
    const double digits = kText * kCharacter * static_cast<double>(std::to_string(end_).size()) + 14;
    const std::uint64_t steps = operators_ ? 1 : decimal_tick(end_ - begin_, std::max(1.0, plot_width_ / digits));
    for (std::uint64_t step = (begin_ + steps - 1) / steps * steps; step < end_; step += steps) {
      const double at = x(step) + step_ / 2;
      line("axis", at, bottom_, at, bottom_ + 4);
      if (operators_) {
        const std::string name = short_name(
            step < problem_.steps.size() ? problem_.steps[static_cast<std::size_t>(step)] : std::to_string(step), 20);
        text("muted", at + 4, bottom_ + 10, name,
             " text-anchor=\"end\" font-size=\"10\" transform=\"rotate(-90 " + px(at + 4) + ' ' + px(bottom_ + 10) +
                 ")\"");
      } else {
        text("muted", at, bottom_ + 18, std::to_string(step), " text-anchor=\"middle\"");
      }
    }
    if (!operators_) text("muted", kLeft + plot_width_ / 2, height_ - 8, "step", " text-anchor=\"middle\"");
  }

  void draw_peak() {
    if (map_.peak.bytes == 0) return;
    const double wide = std::max(step_, kLeastVisible);
    const double at = x(map_.peak.step);
    out_ << "<rect class=\"peak\" x=\"" << px(at) << "\" y=\"" << px(kTop - 6) << "\" width=\"" << px(wide)
         << "\" height=\"" << px(plot_height_ + 6) << "\" pointer-events=\"none\"/>\n";
    const std::string words = "peak at " + short_name(step_of(problem_, map_.peak.step), 48) + ": " +
                              std::to_string(map_.peak.bytes) + " bytes alive";
    const double half = kText * kCharacter * static_cast<double>(words.size()) / 2;
    const double middle = std::clamp(at + wide / 2, kLeft + half, std::max(kLeft + half, width_ - 12 - half));
    text("peak-mark", middle, kTop - 10, words, " text-anchor=\"middle\"");
  }

  // The size of the plan and the lower bound: lines across the picture, and what they are in the margin.
  void draw_sizes() {
    const double right = kLeft + plot_width_;
    const double top = y(size_);
    const double bound = y(map_.lower_bound);
    line("size", kLeft, top, right + 6, top, 1.5);
    line("bound", kLeft, bound, right + 6, bound, 1.5);
    const auto mark = [&](const char* look, double at, const char* what, std::size_t bytes) {
      text(look, right + 10, at, what, " font-weight=\"600\"");
      text(look, right + 10, at + 14, std::to_string(bytes));
    };
    constexpr double kLines = 32;  // from one mark to the next
    const double first = std::min(top + 4, bottom_ - kLines);
    mark("ink", first, "size", size_);
    if (size_ == map_.lower_bound) {
      mark("bound-mark", first + kLines, "= lower bound", map_.lower_bound);
    } else {
      mark("bound-mark", std::max(first + kLines, bound + 4), "lower bound", map_.lower_bound);
    }
  }

  // Inputs and outputs can be told without their colour.
  void draw_edge(Role role, double x, double y, double width, double height) {
    if (role != Role::kInput && role != Role::kOutput) return;
    const double thick = std::min(3.0, width / 3);
    out_ << "<rect class=\"edge\" x=\"" << px(role == Role::kInput ? x : x + width - thick) << "\" y=\"" << px(y)
         << "\" width=\"" << px(thick) << "\" height=\"" << px(height) << "\"/>";
  }

  // Where a buffer is drawn; never too small to be seen.
  struct Box {
    double left, top, width, height;
  };
  [[nodiscard]] Box box_of(std::size_t i) const {
    const Buffer& buffer = problem_.buffers[i];
    const std::size_t offset = map_.shown().offsets[i];
    const double left = x(buffer.first);
    const double width = std::max(kLeastVisible, x(std::uint64_t{buffer.last} + 1) - left);
    const double height = std::max(kLeastVisible, y(offset) - y(offset + buffer.size));
    return {left, y(offset) - height, width, height};
  }

  void draw_buffer(std::size_t i) {
    const Row& row = problem_.rows[i];
    const Box box = box_of(i);
    out_ << "<g class=\"" << to_string(row.role) << "\"><title>" << xml_of(title_of(i)) << "</title><rect x=\""
         << px(box.left) << "\" y=\"" << px(box.top) << "\" width=\"" << px(box.width) << "\" height=\""
         << px(box.height) << "\" rx=\"" << px(std::min({2.0, box.width / 4, box.height / 4})) << "\"/>";
    draw_edge(row.role, box.left, box.top, box.width, box.height);
    out_ << "</g>\n";
  }

  void draw_words(std::size_t i) {
    const Buffer& buffer = problem_.buffers[i];
    const Box box = box_of(i);
    const double x = box.left + box.width / 2;
    const double y = box.top + box.height / 2;
    // Where there is more room upwards than across, the words stand on end.
    const bool upright = box.width < 40 && box.height > 1.5 * box.width;
    const double width = upright ? box.height : box.width;
    const double height = upright ? box.width : box.height;
    const double font = width >= 200 && height >= 80 ? kLargeText : std::min(kText, std::floor(0.8 * height));
    const double most = (width - 6) / (font * kCharacter);
    if (font < 7 || most < 3) return;
    const auto room = static_cast<std::size_t>(most);
    const std::string size = std::to_string(buffer.size);
    const std::string life = std::to_string(buffer.first) + ".." + std::to_string(buffer.last);
    std::vector<std::string> lines = {short_name(problem_.rows[i], room)};
    const std::string all = size + " bytes, steps " + life;
    if (height >= 2.5 * font && all.size() <= room) {
      lines.push_back(all);
    } else {
      if (height >= 2.5 * font && size.size() <= room) lines.push_back(size);
      if (lines.size() == 2 && height >= 3.7 * font && life.size() <= room) lines.push_back(life);
    }
    const std::string turn = upright ? " transform=\"rotate(-90 " + px(x) + ' ' + px(y) + ")\"" : "";
    double base = y + 0.35 * font - 0.58 * font * static_cast<double>(lines.size() - 1);
    for (const std::string& words : lines) {
      text(&words == &lines.front() ? "ink" : "muted", x, base, words,
           " text-anchor=\"middle\" pointer-events=\"none\" font-size=\"" + px(font) + '"' + turn);
      base += 1.16 * font;
    }
  }

  [[nodiscard]] std::string title_of(std::size_t i) const {
    const Buffer& buffer = problem_.buffers[i];
    const Row& row = problem_.rows[i];
    const std::size_t offset = map_.shown().offsets[i];
    std::ostringstream words;
    words << row.name << '\n' << to_string(row.role) << ' ' << row.id << ": " << buffer.size << " bytes";
    if (row.bytes != buffer.size) words << " (" << row.bytes << " asked for)";
    words << "\nsteps " << buffer.first << ".." << buffer.last << "\noffset " << offset << ".." << offset + buffer.size;
    for (const Use& use : row.uses) {
      words << (use.writes ? "\nwritten at " : "\nread at ") << step_of(problem_, use.step);
    }
    return words.str();
  }

  const MapData& map_;
  const Problem& problem_;
  std::size_t size_;
  std::uint64_t begin_ = 0;  // step
  std::uint64_t end_ = 0;    // one after the last step
  bool operators_ = false;   // named at the axis
  double width_ = 0;
  double height_ = 0;
  double plot_width_ = 0;
  double plot_height_ = 0;
  double bottom_ = 0;
  double step_ = 0;
  std::ostringstream out_;
};

}  // namespace

std::string svg_of(const MapData& map) { return Picture(map).draw(); }

}  // namespace arenite::tool
