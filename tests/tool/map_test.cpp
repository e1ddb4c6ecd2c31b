// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <person_detection/buffers.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "error.hpp"
#include "json.hpp"
#include "map_data.hpp"
#include "models.hpp"
#include "names.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

constexpr char kFive[] =
    "name,first,last,size\n"
    "image,0,1,27648\n"
    "conv,1,2,18432\n"
    "bias,0,3,512\n"
    "pool,2,3,9216\n"
    "scores,3,3,48\n";

std::string many(std::size_t count) {
  std::ostringstream csv;
  csv << "name,first,last,size\n";
  for (std::size_t i = 0; i < count; ++i) {
    csv << "block_" << i / 4 << "/conv," << i << ',' << i + 1 + i * 7 % 20 << ',' << 16 * (1 + i * i % 400) << '\n';
  }
  return csv.str();
}

std::string map_of(const std::string& list, const std::string& output, std::vector<std::string> more = {}) {
  const Folder folder;
  std::vector<std::string> arguments = {"map", folder.file("list.csv", list), "-o", folder.path(output)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Result result = run_tool(arguments);
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.err, "");
  return folder.read(output);
}

std::vector<std::string> all_of(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

struct Rectangle {
  double x, y, width, height;
};

// Those of the buffers, in the order of the list.
std::vector<Rectangle> rectangles(const std::string& svg) {
  const std::regex regex(R"x(</title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)")x");
  std::vector<Rectangle> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), regex); it != std::sregex_iterator(); ++it) {
    found.push_back({std::stod((*it)[1]), std::stod((*it)[2]), std::stod((*it)[3]), std::stod((*it)[4])});
  }
  return found;
}

// Of what XML asks for, what a writer may get wrong: each tag is closed by its own, each attribute is quoted and there
// once, and nothing is left of '<', '&' and control characters. What is wrong, or nothing.
std::string flaw_of(const std::string& xml) {
  std::vector<std::string> open;
  const std::regex tag(R"x(<(/?)([a-z]+)((?: [a-zA-Z-]+="[^"<>&]*")*)(/?)>)x");
  const std::regex entity("&(amp|lt|gt|quot|#39);");
  std::size_t at = 0;
  while (at < xml.size()) {
    const auto c = static_cast<unsigned char>(xml[at]);
    std::smatch match;
    const auto here = xml.begin() + static_cast<std::ptrdiff_t>(at);
    if (c < 0x20 && c != '\n') return "a control character";
    if (c == '&') {
      if (!std::regex_search(here, xml.end(), match, entity, std::regex_constants::match_continuous)) return "an &";
      at += static_cast<std::size_t>(match.length());
    } else if (c == '<') {
      if (!std::regex_search(here, xml.end(), match, tag, std::regex_constants::match_continuous)) {
        return "a < at " + xml.substr(at, 60);
      }
      std::vector<std::string> names = all_of(match[3], " ([a-zA-Z-]+)=");
      std::sort(names.begin(), names.end());
      if (std::adjacent_find(names.begin(), names.end()) != names.end()) return "an attribute twice: " + match.str();
      if (match[1] == "/") {
        if (open.empty() || open.back() != match[2]) return "closes what is not open: " + match.str();
        open.pop_back();
        if (open.empty() && at + static_cast<std::size_t>(match.length()) + 1 != xml.size()) return "more behind it";
      } else if (match[4] != "/") {
        open.push_back(match[2]);
      }
      at += static_cast<std::size_t>(match.length());
    } else {
      ++at;
    }
  }
  if (valid_utf8(xml) != xml) return "no UTF-8";
  return open.empty() ? "" : "not closed: " + open.back();
}

TEST(MapSvg, PutsBuffersWhereTheyLie) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kFive);
  const Problem problem = load(list);
  const Layout layout = make_layout(problem);
  const std::string svg = map_of(kFive, "map.svg");
  EXPECT_EQ(flaw_of(svg), "");
  const std::vector<Rectangle> found = rectangles(svg);
  ASSERT_EQ(found.size(), 5u);
  // The first buffer and its neighbour give the scale.
  const double step = found[0].width / 2;
  const double byte = found[0].height / 27648;
  const double left = found[0].x;
  const double bottom = found[0].y + found[0].height + static_cast<double>(layout.offsets[0]) * byte;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    EXPECT_NEAR(found[i].x, left + buffer.first * step, 0.02) << i;
    EXPECT_NEAR(found[i].width, (buffer.last - buffer.first + 1) * step, 0.02) << i;
    EXPECT_NEAR(found[i].y + found[i].height, bottom - static_cast<double>(layout.offsets[i]) * byte, 0.02) << i;
    EXPECT_NEAR(found[i].height, std::max(1.5, static_cast<double>(buffer.size) * byte), 0.02) << i;
  }
}

TEST(MapSvg, TellsTheAnswer) {
  const std::string svg = map_of(kFive, "map.svg");
  EXPECT_NE(svg.find(">list.csv: 46592 bytes (45.5 KiB), proven best<"), std::string::npos);
  EXPECT_NE(svg.find(">5 buffers over 4 steps, planned by search; TensorFlow Lite Micro&#39;s greedy planner needs "
                     "46592 bytes<"),
            std::string::npos);
  EXPECT_NE(svg.find(">peak at step 1: 46592 bytes alive<"), std::string::npos);
  EXPECT_NE(svg.find(">= lower bound<"), std::string::npos);
  EXPECT_NE(svg.find(">8 KiB<"), std::string::npos);
  EXPECT_NE(svg.find("conv\nbuffer 1: 18432 bytes\nsteps 1..2\noffset 27648..46080"), std::string::npos);
}

TEST(MapSvg, TellsHowFarAPlanMayBeFromTheBest) {
  // The lower bound is not reached by greedy for MLPerf Tiny's person detector.
  const Folder folder;
  const std::string output = folder.path("map.svg");
  const std::string list = ARENITE_SOURCE_DIR "/examples/person_detection/buffers.csv";
  const Result result = run_tool({"map", list, "--strategy", "greedy", "--title", "Persons & more", "-o", output});
  EXPECT_EQ(result.out, output + ": 73728 bytes, at most 18432 above the best\n");
  const std::string svg = folder.read("map.svg");
  EXPECT_NE(svg.find(">Persons &amp; more: 73728 bytes (72 KiB), at most"), std::string::npos);
  EXPECT_NE(svg.find(">lower bound<"), std::string::npos);
  EXPECT_EQ(svg.find(">= lower bound<"), std::string::npos);
}

TEST(MapSvg, HasExactNumbersAtItsAxes) {
  for (const std::size_t size : {1u, 999u, 5000u, 1352704u, 4843520u}) {
    const std::string svg = map_of("first,last,size\n0,199," + std::to_string(size) + "\n", "map.svg");
    const std::regex tick(R"x(y="([\d.]+)" text-anchor="end">([\d.]+) ([KMG]?i?B)<)x");
    const std::vector<Rectangle> buffer = rectangles(svg);
    ASSERT_EQ(buffer.size(), 1u);
    int ticks = 0;
    for (std::sregex_iterator it(svg.begin(), svg.end(), tick); it != std::sregex_iterator(); ++it, ++ticks) {
      const std::string unit = (*it)[3];
      const double bytes = std::stod((*it)[2]) * (unit == "B" ? 1 : unit == "KiB" ? 1024 : 1048576);
      const double there = buffer[0].y + buffer[0].height * (1 - bytes / static_cast<double>(size));
      EXPECT_NEAR(std::stod((*it)[1]) - 4, there, 0.02) << it->str();
    }
    EXPECT_GE(ticks, size == 1 ? 1 : 4);
    EXPECT_LE(ticks, 10);
    EXPECT_EQ(all_of(svg, "text-anchor=\"middle\">([0-9]+)</text>"),
              (std::vector<std::string>{"0",   "10",  "20",  "30",  "40",  "50",  "60",  "70",  "80",  "90",
                                        "100", "110", "120", "130", "140", "150", "160", "170", "180", "190"}));
  }
}

TEST(MapSvg, NamesOperatorsOfAModel) {
  const Folder folder;
  const Result result = run_tool({"map", folder.file("chain.tflite", chain().bytes()), "-o", folder.path("map.svg")});
  EXPECT_EQ(result.code, kYes) << result.err;
  const std::string svg = folder.read("map.svg");
  EXPECT_EQ(flaw_of(svg), "");
  EXPECT_NE(svg.find(">0 FULLY_CONNECTED<"), std::string::npos);
  EXPECT_NE(svg.find("(100 asked for)"), std::string::npos);
  EXPECT_NE(svg.find("\nwritten at step 1 (0 FULLY_CONNECTED)\nread at step 2 (1 SOFTMAX)</title>"), std::string::npos);
  EXPECT_EQ(all_of(svg, "<g class=\"([a-z]+)\"><title>"), (std::vector<std::string>{"input", "activation", "output"}));
}

TEST(MapSvg, IsSoundForListsOfAllSizes) {
  const std::string header = "name,first,last,size\n";
  EXPECT_EQ(flaw_of(map_of(header, "map.svg")), "");
  EXPECT_EQ(rectangles(map_of(header, "map.svg")).size(), 0u);
  EXPECT_EQ(flaw_of(map_of(header + "one,7,7,1\n", "map.svg")), "");
  EXPECT_EQ(rectangles(map_of(header + "one,7,7,1\n", "map.svg")).size(), 1u);
  const std::string big = map_of(many(800), "map.svg");
  EXPECT_EQ(flaw_of(big), "");
  const auto drawn = rectangles(big);
  EXPECT_EQ(drawn.size(), 800u);
  for (const Rectangle& rectangle : drawn) {
    EXPECT_GE(rectangle.width, 1.5);
    EXPECT_GE(rectangle.height, 1.5);
  }
}

TEST(MapSvg, LeavesOutWhatHasNoBytes) {
  const std::string svg = map_of("name,first,last,size\nnothing,0,9,0\nsome,2,3,16\nnone,1,1,0\n", "map.svg");
  EXPECT_EQ(rectangles(svg).size(), 1u);
  EXPECT_NE(svg.find("3 buffers over 2 steps, "), std::string::npos);
  EXPECT_NE(svg.find("; 2 without bytes not drawn<"), std::string::npos);
}

TEST(MapSvg, HoldsTheLargestStepsAndSizes) {
  const std::string svg =
      map_of("name,first,last,size\nfirst,0,0,1\nlast,4294967295,4294967295,4611686018427387904\n", "map.svg");
  EXPECT_EQ(flaw_of(svg), "");
  EXPECT_NE(svg.find("over 4294967296 steps"), std::string::npos);
  EXPECT_NE(svg.find(">4 EiB<"), std::string::npos);
}

TEST(MapSvg, SurvivesHostileNames) {
  const std::string svg = map_of(
      "name,first,last,size\n"
      "\"</text></svg><script>alert(1)</script>\",0,1,40000\n"
      "\"a \"\"b\"\" & 'c' ]]>\",1,2,30000\n"
      "controls \x01\x1B\x7F \xEF\xBF\xBE,2,3,30000\n"
      "broken \xFF\xFE\xC0\x80 \xED\xA0\x80 \xE2\x82,3,4,30000\n",
      "map.svg");
  EXPECT_EQ(flaw_of(svg), "");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;/text&gt;&lt;/svg&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("\xEF\xBF\xBE"), std::string::npos);
}

TEST(MapHtml, HoldsTheDataOfAllStrategies) {
  const std::string html = map_of(kFive, "map.html");
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = html.find(begin) + begin.size();
  const Json data = Json::parse(html.substr(from, html.find("</script>", from) - from));
  EXPECT_EQ(data["title"], "list.csv");
  EXPECT_FALSE(data.contains("source"));
  EXPECT_EQ(data["buffers"].size(), 5u);
  std::vector<std::string> names;
  for (const Json& strategy : data["strategies"]) {
    names.push_back(strategy["name"]);
    EXPECT_EQ(strategy["offsets"].size(), 5u);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"search", "best_of_eight", "greedy", "linear"}));
  EXPECT_EQ(data["strategies"][3]["size"], 27648 + 18432 + 512 + 9216 + 48);
}

TEST(MapHtml, ShowsThePlanInTheFileIfItIsSound) {
  const auto has_given = [](const std::string& list) {
    return map_of(list, "map.html").find("\"name\":\"given\"") != std::string::npos;
  };
  EXPECT_TRUE(has_given("first,last,size,offset\n0,1,16,32\n1,2,16,0\n"));
  EXPECT_FALSE(has_given("first,last,size,offset\n0,1,16,0\n1,2,16,0\n"));
  EXPECT_FALSE(has_given("first,last,size,offset\n0,1,16,0\n1,2,16,\n"));
}

TEST(MapHtml, NeedsNothingFromElsewhere) {
  const std::string html = map_of(kFive, "map.html");
  EXPECT_EQ(all_of(html, "(src=|href=|@import|url\\(|fetch\\(|XMLHttpRequest)").size(), 0u);
  EXPECT_EQ(all_of(html, "(https?://[^'\"]*)"), std::vector<std::string>{"http://www.w3.org/2000/svg"});
}

TEST(MapHtml, KeepsHostileNamesInStrings) {
  const std::string html = map_of(
      "name,first,last,size\n"
      "</script><script>alert(1)</script><!--,0,1,400\n"
      "@DATA@ @STYLE@ \xE2\x80\xA8 \xFF,1,2,300\n",
      "map.html");
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), std::string::npos);
  EXPECT_NE(html.find("@DATA@ @STYLE@ \\u2028 \\ufffd"), std::string::npos);
  EXPECT_EQ(html.find("\xE2\x80\xA8"), std::string::npos);
}

TEST(Map, IsTheSameEachTime) {
  EXPECT_EQ(map_of(many(50), "map.svg"), map_of(many(50), "map.svg"));
  EXPECT_EQ(map_of(many(50), "map.html"), map_of(many(50), "map.html"));
}

TEST(Map, PrintsOntoTheTerminal) {
  const Folder folder;
  const Result result = run_tool({"map", folder.file("list.csv", kFive)});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out,
            "46592 bytes for the planned buffers, proven best\n"
            "\n"
            "step  0                                                                  46592\n"
            "   0 |0000000000000000000000000000000000000000000............................2|\n"
            "   1 |000000000000000000000000000000000000000000011111111111111111111111111112| peak\n"
            "   2 |333333333333333...........................111111111111111111111111111112|\n"
            "   3 |333333333333333........................................................2|\n"
            "                                                                             ^ lower bound 46592\n"
            "A column is 648 bytes, '.' is free.\n"
            "\n"
            "         size      offset  steps         name\n"
            "0       27648           0  0..1          image\n"
            "1       18432       27648  1..2          conv\n"
            "2         512       46080  0..3          bias\n"
            "3        9216           0  2..3          pool\n"
            "4          48        9216  3..3          scores\n");
}

TEST(Map, PrintsLongListsInFewLines) {
  const Folder folder;
  const Result result = run_tool({"map", folder.file("list.csv", many(800))});
  const auto lines = std::count(result.out.begin(), result.out.end(), '\n');
  EXPECT_GT(lines, 100);
  EXPECT_LT(lines, 140);
  EXPECT_NE(result.out.find("'#' is one of 738 smaller buffers"), std::string::npos);
  std::istringstream stream(result.out);
  for (std::string line; std::getline(stream, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Map, PrintsNoControlCharacters) {
  const Folder folder;
  const Result result = run_tool({"map", folder.file("list.csv",
                                                     "name,first,last,size\na\x1B[31m\x7F\xC2\x9B"
                                                     "b,0,1,16\n")});
  EXPECT_NE(result.out.find(" a?[31m??b\n"), std::string::npos) << result.out;
}

TEST(Map, PrintsEmptyLists) {
  const Folder folder;
  const char* const answer = "0 bytes for the planned buffers, proven best\n";
  EXPECT_EQ(run_tool({"map", folder.file("list.csv", "first,last,size\n")}).out, answer);
  EXPECT_EQ(run_tool({"map", folder.file("list.csv", "first,last,size\n0,4,0\n")}).out, answer);
}

TEST(Map, PrintsItsDataAsJson) {
  const Folder folder;
  const Result result = run_tool({"map", folder.file("list.csv", kFive), "--format", "json"});
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["size"], 46592);
  EXPECT_EQ(json["peak"]["step"], 1);
  EXPECT_EQ(json["strategies"].size(), 4u);
  EXPECT_EQ(json["buffers"][1]["offset"], 27648);
  EXPECT_EQ(read_json("again", result.out, {}).buffers.size(), 5u);
}

TEST(Map, SaysWhatItHasWritten) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kFive);
  const std::string output = folder.path("map.svg");
  EXPECT_EQ(run_tool({"map", list, "-o", output}).out, output + ": 46592 bytes, proven best\n");
  const Json json = Json::parse(run_tool({"map", list, "-o", output, "--format", "json"}).out);
  EXPECT_EQ(json["output"], output);
  EXPECT_EQ(json["kind"], "svg");
  EXPECT_EQ(json["size"], 46592);
  EXPECT_EQ(json["proven"], true);
}

TEST(Map, RefusesOtherKindsOfFiles) {
  const Folder folder;
  const std::string list = folder.file("list.csv", kFive);
  for (const std::string name : {"map.png", "svg", ".svg", "map.svg.gz", "-"}) {
    const Result result = run_tool({"map", list, "-o", name});
    EXPECT_EQ(result.code, kBad) << name;
    EXPECT_EQ(result.err, "arenite: " + name + ": a map is a file *.svg or *.html\n");
  }
  EXPECT_EQ(run_tool({"map", list, "-o", folder.path("no/such/folder/map.svg")}).code, kBad);
}

TEST(Map, ShortensNamesWhereTheyTellLeast) {
  EXPECT_EQ(short_name("conv", 4), "conv");
  EXPECT_EQ(short_name("convolution", 4), "con\xE2\x80\xA6");
  EXPECT_EQ(short_name("model/block/conv", 5),
            "\xE2\x80\xA6"
            "conv");
  EXPECT_EQ(short_name("model/conv;model/bias;model/relu", 12), "model/conv");
  EXPECT_EQ(short_name(";;;;", 3), ";;\xE2\x80\xA6");
  EXPECT_EQ(short_name("long", 1), "\xE2\x80\xA6");
  EXPECT_EQ(short_name("\xC3\xA4\xC3\xB6\xC3\xBC", 2), "\xC3\xA4\xE2\x80\xA6");
  Row row;
  row.id = 58;
  row.name = "model/block/conv";
  EXPECT_EQ(short_name(row, 16), "model/block/conv");
  EXPECT_EQ(short_name(row, 15),
            "\xE2\x80\xA6"
            "del/block/conv");
  EXPECT_EQ(short_name(row, 8), "#58");
}

TEST(Map, WritesSizesInBinaryUnits) {
  EXPECT_EQ(binary_of(0), "0 B");
  EXPECT_EQ(binary_of(1023), "1023 B");
  EXPECT_EQ(binary_of(1024), "1 KiB");
  EXPECT_EQ(binary_of(14864), "14.5 KiB");
  EXPECT_EQ(binary_of(1048576), "1 MiB");
  EXPECT_EQ(binary_of(std::size_t{1} << 62), "4 EiB");
  EXPECT_EQ(binary_of(1280 * 1024, 512 * 1024), "1280 KiB");
  EXPECT_EQ(binary_of(512 * 1024, 1024 * 1024), "0.5 MiB");
}

TEST(PersonDetection, ThePictureInTheDocsIsWhatTheToolDraws) {
  const Folder folder;
  const Result result = run_tool({"map", ARENITE_SOURCE_DIR "/examples/person_detection/buffers.csv", "--title",
                                  "MLPerf Tiny, person detection", "-o", folder.path("map.svg")});
  EXPECT_EQ(result.code, kYes) << result.err;
  std::ifstream stream(ARENITE_SOURCE_DIR "/docs/person_detection.svg", std::ios::binary);
  std::ostringstream picture;
  picture << stream.rdbuf();
  EXPECT_TRUE(folder.read("map.svg") == picture.str())
      << "arenite map examples/person_detection/buffers.csv --title 'MLPerf Tiny, person detection' "
         "-o docs/person_detection.svg";
}

TEST(PersonDetection, TheListAsCsvIsThatOfTheHeader) {
  const Problem problem = load(ARENITE_SOURCE_DIR "/examples/person_detection/buffers.csv");
  ASSERT_EQ(problem.buffers.size(), std::size(person_detection::kBuffers));
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = person_detection::kBuffers[i];
    EXPECT_EQ(problem.buffers[i].size, buffer.size) << i;
    EXPECT_EQ(problem.buffers[i].first, buffer.first) << i;
    EXPECT_EQ(problem.buffers[i].last, buffer.last) << i;
    EXPECT_EQ(problem.buffers[i].alignment.bytes(), buffer.alignment.bytes()) << i;
  }
}

}  // namespace
}  // namespace arenite::tool::test
