// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Writes the headers that `emitted_test` compiles: `emit FOLDER`.

#include <cstddef>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "json.hpp"
#include "models.hpp"

namespace arenite::tool::test {
namespace {

// Names that try to get out of a comment, or into what the compiler makes of it.
std::string hostile() {
  Json json;
  Json& buffers = json["buffers"];
  for (const std::string& name :
       std::vector<std::string>{"a\nint escaped = 1;", "b\\", "c ?\?/", "*/ int d; /*", "e\r#error e",
                                "\xE2\x80\xAE f \xE2\x80\xA6", "\"g\"", std::string(100000, 'h'), "int", "1",
                                "kBuffers", "buffers", "plan", "__FILE__", "%s %n", "\x7f\x1b[31m"}) {
    buffers.push_back({{"name", name}, {"first", buffers.size()}, {"last", buffers.size() + 1}, {"size", 24}});
  }
  return json.dump();
}

// Lives of all lengths, many at the same time.
std::string long_list(std::size_t count) {
  std::string rows = "first,last,size\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * 7919 % count;
    const std::size_t last = first + i * 104729 % (count - first);
    rows += std::to_string(first) + "," + std::to_string(last) + "," + std::to_string(16 * (1 + i * 31 % 97)) + "\n";
  }
  return rows;
}

int emit(const std::string& folder) {
  const auto write = [&folder](const std::string& name, const std::string& bytes) {
    std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
  };
  write("chain.tflite", chain().bytes());
  write("hostile.json", hostile());
  write("long.csv", long_list(512));
  write("longer.csv", long_list(513));
  write("aligned.csv", "name,first,last,size,alignment\npage,0,1,100,4096\nnothing,0,1,0,1\nbyte,0,0,1,1\n");
  write("nothing.csv", "first,last,size\n");
  write("one.csv", "first,last,size\n0,0,16\n");
  const std::vector<std::vector<std::string>> calls = {
      {"chain.tflite", "chain.hpp"},
      {"hostile.json", "hostile.h"},
      {"long.csv", "long.hpp", "--strategy", "greedy"},
      {"longer.csv", "longer.hpp", "--strategy", "greedy"},
      {"aligned.csv", "aligned.hpp"},
      {"chain.tflite", "chain_tflm.h", "--as", "tflm"},
      {"hostile.json", "hostile_tflm.h", "--as", "tflm"},
      {"one.csv", "one_tflm.h", "--as", "tflm"},
      {"nothing.csv", "nothing_tflm.h", "--as", "tflm"},
  };
  for (std::vector<std::string> call : calls) {
    for (std::size_t i = 0; i < 2; ++i) call[i] = folder + "/" + call[i];
    call.insert(call.begin() + 1, "-o");
    call.insert(call.begin(), {"arenite", "plan"});
    std::vector<const char*> argv;
    for (const std::string& argument : call) argv.push_back(argument.c_str());
    Streams streams{std::cout, std::cerr};
    if (run(static_cast<int>(argv.size()), argv.data(), streams) != kYes) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace arenite::tool::test

int main(int argc, char** argv) { return argc == 2 ? arenite::tool::test::emit(argv[1]) : 2; }
