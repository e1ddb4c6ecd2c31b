// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Lists and plans as CSV and JSON.

#include "input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "csv.hpp"
#include "error.hpp"
#include "json.hpp"
#include "layout.hpp"

namespace arenite::tool::test {
namespace {

// What is wrong with this file; nothing if it is read.
std::string refusal(const std::string& text, const std::string& name = "list.csv") {
  try {
    static_cast<void>(load_bytes(name, text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_buffer(const Buffer& buffer, std::size_t size, Step first, Step last, std::size_t alignment) {
  EXPECT_EQ(buffer.size, size);
  EXPECT_EQ(buffer.first, first);
  EXPECT_EQ(buffer.last, last);
  EXPECT_EQ(buffer.alignment.bytes(), alignment);
}

TEST(Csv, InclusiveLifetimes) {
  const Problem problem = load_bytes("list.csv", "id,first,last,size\n7,0,3,100\n9,2,2,5\n");
  ASSERT_EQ(problem.buffers.size(), 2u);
  expect_buffer(problem.buffers[0], 100, 0, 3, 16);
  expect_buffer(problem.buffers[1], 5, 2, 2, 16);
  EXPECT_EQ(problem.rows[1].id, 9u);
  EXPECT_EQ(problem.rows[1].name, "9");
  EXPECT_TRUE(problem.offsets.empty());
  EXPECT_FALSE(problem.model.has_value());
}

TEST(Csv, ExclusiveUpperEnds) {
  const Problem problem = load_bytes("list.csv", "id,lower,upper,size\n0,5,9,100\n1,0,1,0\n");
  ASSERT_EQ(problem.buffers.size(), 2u);
  expect_buffer(problem.buffers[0], 100, 5, 8, 16);
  expect_buffer(problem.buffers[1], 0, 0, 0, 16);
}

TEST(Csv, ColumnsInAnyOrderWithOthersBetween) {
  const Problem problem = load_bytes("list.csv",
                                     "size,colour,last,alignment,name,first,offset\n"
                                     "10,red,4,8,\"a, \"\"b\"\"\",1,32\n"
                                     "20, blue ,5,,c,2,\n");
  ASSERT_EQ(problem.buffers.size(), 2u);
  expect_buffer(problem.buffers[0], 10, 1, 4, 8);
  expect_buffer(problem.buffers[1], 20, 2, 5, 16);
  EXPECT_EQ(problem.rows[0].name, "a, \"b\"");
  EXPECT_EQ(problem.rows[1].name, "c");
  EXPECT_EQ(problem.offsets, (std::vector<std::optional<std::size_t>>{32, std::nullopt}));
}

TEST(Csv, LineEndsSpacesCommentsAndAByteOrderMark) {
  const Problem problem =
      load_bytes("list.csv", "\xEF\xBB\xBF first , last , size \r\n# of the second model\r\n\r\n 1 ,\t2 , 3 \r\n");
  ASSERT_EQ(problem.buffers.size(), 1u);
  expect_buffer(problem.buffers[0], 3, 1, 2, 16);
}

TEST(Csv, AlignmentOfThoseThatDoNotSay) {
  LoadOptions options;
  options.alignment = 1;
  const Problem problem = load_bytes("list.csv", "first,last,size,alignment\n0,0,3,\n0,0,3,4\n", options);
  expect_buffer(problem.buffers[0], 3, 0, 0, 1);
  expect_buffer(problem.buffers[1], 3, 0, 0, 4);
}

TEST(Csv, RefusalsNameThePlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "list.csv: is empty"},
      {"\n \n", "list.csv: is empty"},
      {std::string("a\0b", 3), "list.csv: is neither a .tflite model nor a text"},
      {"first,last\n0,1\n", "list.csv: line 1: the header has no column 'size'"},
      {"size\n1\n", "list.csv: line 1: the header needs the columns first,last or lower,upper"},
      {"first,upper,size\n0,1,1\n", "list.csv: line 1: the header needs the columns first,last or lower,upper"},
      {"first,last,lower,upper,size\n0,1,0,1,1\n",
       "list.csv: line 1: the header has first,last and lower,upper: which is it?"},
      {"first,last,size,size\n0,1,1,1\n", "list.csv: line 1: the column 'size' is there twice"},
      {"0,1,100\n1,2,100\n", "list.csv: line 1: the header has no column 'size'"},
      {"first,last,size\n0,1,100\n1,2\n", "list.csv: line 3: has 2 fields, and the header 3"},
      {"first,last,size\n0,1,100,5\n", "list.csv: line 2: has 4 fields, and the header 3"},
      {"first,last,size\n0,1,\"100\n",
       "list.csv: line 2: a quotation mark is not closed, or stands in the middle of a field"},
      {"first,last,size\n0,1,10\"0\n",
       "list.csv: line 2: a quotation mark is not closed, or stands in the middle of a field"},
      {"first,last,size\n0,1,\"10\"0\n",
       "list.csv: line 2: a quotation mark is not closed, or stands in the middle of a field"},
      {"first,last,size\n0,1,abc\n", "list.csv: line 2, size: 'abc' is no whole number of at least 0"},
      {"first,last,size\n0,1,-5\n", "list.csv: line 2, size: '-5' is no whole number of at least 0"},
      {"first,last,size\n0,1,1.5\n", "list.csv: line 2, size: '1.5' is no whole number of at least 0"},
      {"first,last,size\n0,1,1e3\n", "list.csv: line 2, size: '1e3' is no whole number of at least 0"},
      {"first,last,size\n0,1,\n", "list.csv: line 2, size: is missing"},
      {"first,last,size\n0,1,9223372036854775808\n", "list.csv: line 2, size: '9223372036854775808' is too large"},
      {"first,last,size\n0,1,99999999999999999999999\n",
       "list.csv: line 2, size: '99999999999999999999999' is too large"},
      {"first,last,size\n0,4294967296,1\n", "list.csv: line 2, last: '4294967296' is too large"},
      {"first,last,size\n# no\n2,1,100\n", "list.csv: line 3: the lifetime ends before it begins"},
      {"lower,upper,size\n1,1,100\n", "list.csv: line 2: the lifetime ends before it begins"},
      {"first,last,size,alignment\n0,0,1,3\n", "list.csv: line 2, alignment: 3 is no power of two"},
      {"first,last,size,alignment\n0,0,1,0\n", "list.csv: line 2, alignment: 0 is no power of two"},
      {"first,last,size,offset\n0,0,1,-1\n", "list.csv: line 2, offset: '-1' is no whole number of at least 0"},
      {"first,last,size\n0,1,\x1b[31m\n", "list.csv: line 2, size: '?[31m' is no whole number of at least 0"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message);
}

TEST(Json, ReadsBuffers) {
  const Problem problem = load_bytes("plan.json", R"( {"size": 48, "buffers": [
      {"first": 0, "last": 3, "size": 10, "name": "a", "id": 4, "alignment": 8, "offset": 32},
      {"first": 1, "last": 1, "size": 20, "offset": null, "other": [1]}]})");
  ASSERT_EQ(problem.buffers.size(), 2u);
  expect_buffer(problem.buffers[0], 10, 0, 3, 8);
  expect_buffer(problem.buffers[1], 20, 1, 1, 16);
  EXPECT_EQ(problem.rows[0].name, "a");
  EXPECT_EQ(problem.rows[0].id, 4u);
  EXPECT_EQ(problem.rows[1].name, "1");
  EXPECT_EQ(problem.offsets, (std::vector<std::optional<std::size_t>>{32, std::nullopt}));
}

TEST(Json, RefusalsNameThePlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "list.csv: byte 2: is no JSON"},
      {"{\"buffers\": 5}", "list.csv: has no list 'buffers'"},
      {"{}", "list.csv: has no list 'buffers'"},
      {R"({"buffers": [5]})", "list.csv: buffers[0]: is no object"},
      {R"({"buffers": [{"first": 0, "last": 0}]})", "list.csv: buffers[0]: size is missing"},
      {R"({"buffers": [{"first": 0, "last": 0, "size": "5"}]})",
       "list.csv: buffers[0]: size is no whole number of at least 0"},
      {R"({"buffers": [{"first": 0, "last": 0, "size": -5}]})",
       "list.csv: buffers[0]: size is no whole number of at least 0"},
      {R"({"buffers": [{"first": 0, "last": 0, "size": 1e3}]})",
       "list.csv: buffers[0]: size is no whole number of at least 0"},
      {R"({"buffers": [{"first": 0, "last": 0, "size": 9223372036854775808}]})",
       "list.csv: buffers[0]: size is too large"},
      {R"({"buffers": [{"first": 0, "last": 4294967296, "size": 1}]})", "list.csv: buffers[0]: last is too large"},
      {R"({"buffers": [{"first": 1, "last": 0, "size": 1}]})",
       "list.csv: buffers[0]: the lifetime ends before it begins"},
      {R"({"buffers": [{"first": 0, "last": 0, "size": 1, "alignment": 3}]})",
       "list.csv: buffers[0]: alignment is no power of two"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message);
  EXPECT_NE(refusal(std::string(100000, '[')), "") << "no list, however deep";
  EXPECT_NE(refusal('{' + std::string(100000, '[')), "");
}

TEST(Written, CsvAndJsonAreReadAgain) {
  Problem problem =
      load_bytes("list.csv", "id,name,first,last,size,alignment\n3,\"a \"\"b\"\", c\",0,1,10,2\n5,d,1,2,7,1\n");
  const Layout layout = make_layout(problem);
  const Problem csv = load_bytes("plan.csv", csv_of(problem, layout));
  const Problem json = load_bytes("plan.json", text_of(json_of(problem, layout)));
  EXPECT_EQ(csv.rows[0].name, "a \"b\", c");
  EXPECT_EQ(json.rows[0].name, "a \"b\", c");
  for (const Problem& again : {csv, json}) {
    ASSERT_EQ(again.buffers.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(again.buffers[i], problem.buffers[i]);
      EXPECT_EQ(again.rows[i].id, problem.rows[i].id);
      EXPECT_EQ(again.offsets[i], layout.offsets[i]);
    }
  }
}

TEST(Written, NamesThatAreNoTextBecomeSome) {
  const Problem problem = load_bytes("list.csv", "name,first,last,size\n\xff\x01\xc2\x9b\xc3\xa4,0,1,10\n");
  EXPECT_EQ(problem.rows[0].name, "\xEF\xBF\xBD??\xc3\xa4") << "no bytes of nothing, no control characters";
  const Layout layout = make_layout(problem);
  EXPECT_EQ(load_bytes("plan.json", text_of(json_of(problem, layout))).rows[0].name, problem.rows[0].name);
  EXPECT_EQ(load_bytes("plan.csv", csv_of(problem, layout)).rows[0].name, problem.rows[0].name);
}

TEST(Input, WhatItIsItsBytesTell) {
  EXPECT_EQ(refusal(std::string("\0\0\0\0TFL3", 8), "anything").substr(0, 10), "anything: ");
  EXPECT_EQ(refusal("first,last,size\n", "list.tflite"), "list.tflite: byte 4: should be 'TFL3': no .tflite model");
}

// --- files that are made to take long, or too much of the stack ------------------------------------------------------

TEST(Hostile, JsonWithANumberThatIsNone) {
  EXPECT_EQ(refusal(R"({"buffers": [{"first": 0, "last": 1, "size": 1e999}]})", "plan.json"),
            "plan.json: has a number that is too large");
}

TEST(Hostile, JsonOfManyLevels) {
  const auto nested = [](std::size_t levels) {
    return R"({"buffers": [], "other": )" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_EQ(refusal(nested(99), "plan.json"), "");
  EXPECT_EQ(refusal(nested(2000000), "plan.json"), "plan.json: is nested in more than 100 levels");
}

TEST(Hostile, JsonOfManyKeysIsReadAtOnce) {
  std::string text = R"({"buffers": [{"first": 0, "last": 1, "size": 100)";
  for (int i = 0; i < 200000; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
  EXPECT_EQ(load_bytes("plan.json", text + "}]}").buffers.size(), 1u);
}

TEST(Hostile, CsvOfManyColumnsIsReadAtOnce) {
  std::string text = "first,last,size";
  for (int i = 0; i < 200000; ++i) text += ",c" + std::to_string(i);
  EXPECT_EQ(load_bytes("list.csv", text + "\n").buffers.size(), 0u);
}

TEST(Hostile, ALongNameOfControlCharactersIsReadAtOnce) {
  std::string name;
  for (int i = 0; i < 2000000; ++i) name += "\xC2\x80";
  EXPECT_EQ(load_bytes("list.csv", "name,first,last,size\n" + name + ",0,1,1\n").rows[0].name,
            std::string(2000000, '?'));
}

}  // namespace
}  // namespace arenite::tool::test
