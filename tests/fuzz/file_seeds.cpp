// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Writes small files of each kind that the tool reads into folders csv, json, trace and model of a folder, for the
// fuzzers to begin with: what was in these folders is removed.
//
// usage: fuzz_file_seeds FOLDER

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "../tool/models.hpp"

namespace {

using arenite::tflite::BuiltinOperator;
using arenite::tool::test::ModelBuilder;

std::string chain() {
  ModelBuilder model;
  const auto input = model.tensor({4});
  const auto weights = model.constant(4);
  const auto output = model.tensor({4});
  model.op(BuiltinOperator::ADD, {input, weights}, {output});
  model.graph({input}, {output});
  return model.bytes();
}

std::string calls() {
  ModelBuilder model;
  const auto x = model.tensor({4}, "x");
  const auto y = model.tensor({4}, "y");
  model.call_once(1);
  model.if_op({x, x}, {y}, 1, 2);
  model.while_op({y}, {y}, 2, 1);
  model.graph({x}, {y});
  model.metadata("OfflineMemoryAllocation", std::vector<std::uint8_t>(28, 0xFF));
  for (int graph = 0; graph < 2; ++graph) {
    model.subgraph();
    const auto state = model.variable({2}, "s");
    model.op(BuiltinOperator::RELU, {state}, {state});
    model.graph({state}, {state});
  }
  return model.bytes();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: fuzz_file_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  for (const char* kind : {"csv", "json", "trace", "model"}) {
    std::filesystem::remove_all(folder / kind);
    std::filesystem::create_directories(folder / kind);
  }
  const auto write = [&folder](const char* name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  };
  write("model/chain.tflite", chain());
  write("model/calls.tflite", calls());
  write("csv/inclusive.csv", "id,name,first,last,size,alignment,offset\n0,\"a, b\",0,1,10,4,0\n1,c,1,2,20,,16\n");
  write("csv/exclusive.csv", "lower,upper,size\n0,2,10\n1,3,20\n");
  write("json/plan.json", R"({"buffers":[{"id":1,"name":"a","first":0,"last":1,"size":10,"alignment":4,"offset":0}]})");
  write("trace/planner.log",
        "a (id=0): size=32, offset=16, first_used=0 last_used=1\n* (id=1): size=16, offset=0, first_used=1 "
        "last_used=1\n");
  write("trace/arena.log",
        "arena request tail size 12 align 4 kind 2 at 1012 padding 0\narena mark tail\narena open temp\n"
        "arena request temp size 64 align 16 kind 0 at 208 padding 0\narena close temp size 64 at 208\n"
        "arena release tail size 12 at 1012\n");
  return 0;
}
