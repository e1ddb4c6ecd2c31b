// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arenite/align.hpp>

#include "json.hpp"
#include "model_file.hpp"
#include "models.hpp"
#include "run_tool.hpp"

namespace arenite::tool::test {
namespace {

struct Embedded {
  Result result;
  std::string bytes;  // none if it is not there
};

Embedded embed(const Folder& folder, const std::string& model, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"embed", folder.file("in.tflite", model), "-o", folder.path("out.tflite")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Result result = run_tool(arguments);
  return {std::move(result), folder.read("out.tflite")};
}

std::string embedded(const Folder& folder, const std::string& model, const std::vector<std::string>& more = {}) {
  Embedded done = embed(folder, model, more);
  EXPECT_EQ(done.result.code, kYes) << done.result.err;
  EXPECT_EQ(done.result.err, "");
  return done.bytes;
}

// That the file cannot carry a plan, for this reason, and nothing is written.
void expect_refused(const Folder& folder, const std::string& model, const std::string& why,
                    const std::vector<std::string>& more = {}) {
  const Embedded done = embed(folder, model, more);
  EXPECT_EQ(done.result.code, kBad);
  EXPECT_EQ(done.result.out, "");
  EXPECT_EQ(done.result.err, "arenite: " + folder.path("in.tflite") + ": " + why + "\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.tflite")));
}

std::size_t files_in(const Folder& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path(""))) ++count;
  return count;
}

// Input and output share bytes; the weights have no offset.
const std::vector<std::int64_t> kChainPlan = {1, 1, 4, 208, -1, 0, 208};

TEST(Embed, WritesVersionSubgraphsCountAndOffsets) {
  const Folder folder;
  const File file(embedded(folder, chain().bytes()));
  EXPECT_EQ(file.plan(), kChainPlan);
  EXPECT_EQ(file.metadata_count(kName), 1u);
  EXPECT_EQ(file.metadata()->size(), 4u * 7);
  EXPECT_EQ(file.position(file.metadata()->data()) % 16, 0u);
}

TEST(Embed, LeavesTheRestOfTheFileAsItIs) {
  const Folder folder;
  ModelBuilder model = chain();
  model.parts.description = "a chain";
  model.parts.metadata_buffer = {1};
  model.metadata("other", {1, 2, 3});
  const std::string before = model.bytes();
  const std::string after = embedded(folder, before);
  expect_same_model(before, after);
  const File file(after);
  ASSERT_NE(file.metadata("other"), nullptr);
  EXPECT_EQ(std::vector<std::uint8_t>(file.metadata("other")->begin(), file.metadata("other")->end()),
            (std::vector<std::uint8_t>{1, 2, 3}));
  EXPECT_EQ(file.root().metadata()->size(), 2u);
  EXPECT_EQ(file.root().version(), 3u);
  EXPECT_EQ(file.root().buffers()->size(), 4u);
}

TEST(Embed, LeavesFilesOfAnyLengthAsTheyAre) {
  const Folder folder;
  for (std::size_t extra = 0; extra < 17; ++extra) {
    const std::string before = chain().bytes() + std::string(extra, 'x');
    const std::string after = embedded(folder, before);
    expect_same_model(before, after);
    EXPECT_EQ(File(after).plan(), kChainPlan);
  }
}

TEST(Embed, KeepsFieldsOfTheRootThatItDoesNotLookAt) {
  // The root with a list of signatures, of which the tool's schema has nothing: as field 7, an offset.
  const Folder folder;
  ModelBuilder model = chain();
  flatbuffers::FlatBufferBuilder builder;
  const auto codes = [&] {
    std::vector<flatbuffers::Offset<tflite::OperatorCode>> list;
    for (const auto& code : model.parts.operator_codes) list.push_back(tflite::OperatorCode::Pack(builder, code.get()));
    return builder.CreateVector(list);
  }();
  std::vector<flatbuffers::Offset<tflite::SubGraph>> graphs = {
      tflite::SubGraph::Pack(builder, model.parts.subgraphs[0].get())};
  const auto subgraphs = builder.CreateVector(graphs);
  std::vector<flatbuffers::Offset<tflite::Buffer>> list;
  for (const auto& buffer : model.parts.buffers) list.push_back(tflite::Buffer::Pack(builder, buffer.get()));
  const auto buffers = builder.CreateVector(list);
  const auto signatures = builder.CreateVector(std::vector<std::int32_t>{11, 22, 33});
  const auto start = builder.StartTable();
  builder.AddElement<std::uint32_t>(4, 3, 0);
  builder.AddOffset(6, codes);
  builder.AddOffset(8, subgraphs);
  builder.AddOffset(12, buffers);
  builder.AddOffset(18, signatures);
  builder.Finish(flatbuffers::Offset<tflite::Model>(builder.EndTable(start)), tflite::ModelIdentifier());
  const std::string before(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());

  const std::string after = embedded(folder, before);
  expect_same_model(before, after);
  const File file(after);
  const auto* const kept =
      flatbuffers::GetRoot<flatbuffers::Table>(file.data())->GetPointer<const flatbuffers::Vector<std::int32_t>*>(18);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(std::vector<std::int64_t>(kept->begin(), kept->end()), (std::vector<std::int64_t>{11, 22, 33}));
}

// The root of the file with another number of field: no model has so many, or it lies.
std::string with_field(const std::string& bytes, std::size_t field, std::uint32_t offset) {
  flatbuffers::FlatBufferBuilder builder;
  const File file(bytes);
  builder.Pad((16 - bytes.size() % 16) % 16);
  builder.PushBytes(file.data(), bytes.size());
  const std::size_t padded = builder.GetSize();
  const auto old = [&](const void* part) {
    return flatbuffers::Offset<void>(static_cast<flatbuffers::uoffset_t>(padded - file.position(part)));
  };
  builder.ForceVectorAlignment(1, 1, 16);
  const auto align = builder.CreateVector(std::vector<std::uint8_t>{0});
  static_cast<void>(align);
  const auto start = builder.StartTable();
  builder.AddElement<std::uint32_t>(4, 3, 0);
  builder.AddOffset(6, old(file.root().operator_codes()));
  builder.AddOffset(8, old(file.root().subgraphs()));
  builder.AddOffset(12, old(file.root().buffers()));
  builder.AddElement<std::uint32_t>(static_cast<flatbuffers::voffset_t>(4 + 2 * field), offset, 0);
  builder.Finish(flatbuffers::Offset<tflite::Model>(builder.EndTable(start)), tflite::ModelIdentifier());
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

TEST(Embed, RefusesARootWithFieldsThatNobodyKnows) {
  const Folder folder;
  expect_refused(folder, with_field(chain().bytes(), 10, 4),
                 "root: its field number 10 is not known here, so it cannot be kept");
}

TEST(Embed, RefusesARootThatPointsOutOfTheFile) {
  const Folder folder;
  expect_refused(folder, with_field(chain().bytes(), 8, 0x7FFFFFF0), "root, field number 8: is damaged");
  expect_refused(folder, with_field(chain().bytes(), 9, 0xFFFFFFFC), "root, field number 9: is damaged");
  expect_refused(folder, with_field(chain().bytes(), 7, 3), "root, field number 7: is damaged");
}

TEST(Embed, RefusesDataOutsideOfTheFlatBuffer) {
  const Folder folder;
  ModelBuilder model = chain();
  model.parts.buffers[1]->data.clear();
  model.parts.buffers[1]->offset = 8192;
  model.parts.buffers[1]->size = 4096;
  expect_refused(folder, model.bytes(),
                 "buffer 1: its data lies outside of the FlatBuffer, at a place that would not be the same any more");
}

// A model of one operator, which says where in the file its options lie.
std::string with_large_custom_options(std::uint64_t position) {
  ModelBuilder model;
  const auto input = model.tensor({1, 16}, "input");
  const auto output = model.tensor({1, 16}, "output");
  model.op(tflite::BuiltinOperator::CUSTOM, {input}, {output});
  flatbuffers::FlatBufferBuilder builder;
  const auto inputs = builder.CreateVector(Indices{input});
  const auto outputs = builder.CreateVector(Indices{output});
  const auto op = builder.StartTable();
  builder.AddOffset(6, inputs);
  builder.AddOffset(8, outputs);
  builder.AddElement<std::uint64_t>(4 + 2 * 9, position, 0);
  const auto ops = builder.CreateVector(
      std::vector<flatbuffers::Offset<tflite::Operator>>{flatbuffers::Offset<tflite::Operator>(builder.EndTable(op))});
  std::vector<flatbuffers::Offset<tflite::Tensor>> tensors;
  for (const auto& tensor : model.parts.subgraphs[0]->tensors) {
    tensors.push_back(tflite::Tensor::Pack(builder, tensor.get()));
  }
  const auto graph = tflite::CreateSubGraph(builder, builder.CreateVector(tensors), inputs, outputs, ops);
  const auto graphs = builder.CreateVector(std::vector<flatbuffers::Offset<tflite::SubGraph>>{graph});
  const auto code = tflite::OperatorCode::Pack(builder, model.parts.operator_codes[0].get());
  const auto codes = builder.CreateVector(std::vector<flatbuffers::Offset<tflite::OperatorCode>>{code});
  const auto buffer = tflite::Buffer::Pack(builder, model.parts.buffers[0].get());
  const auto buffers = builder.CreateVector(std::vector<flatbuffers::Offset<tflite::Buffer>>{buffer});
  tflite::FinishModelBuffer(builder, tflite::CreateModel(builder, 3, codes, graphs, 0, buffers));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

TEST(Embed, RefusesOptionsOutsideOfTheFlatBuffer) {
  const Folder folder;
  expect_refused(folder, with_large_custom_options(4096),
                 "subgraph 0, operator 0: its options lie outside of the FlatBuffer, at a place that would not be the "
                 "same any more");
  EXPECT_EQ(embed(folder, with_large_custom_options(0)).result.code, kYes);
}

TEST(Embed, EmbeddingAgainGivesTheSameFile) {
  const Folder folder;
  const std::string once = embedded(folder, chain().bytes());
  const std::string twice = embedded(folder, once);
  EXPECT_EQ(once, twice);
}

TEST(Embed, OverwritesAPlanThatIsThere) {
  const Folder folder;
  const std::string once = embedded(folder, chain().bytes());
  const std::string other = embedded(folder, once, {"--strategy", "linear"});
  EXPECT_EQ(File(other).plan(), (std::vector<std::int64_t>{1, 1, 4, 0, -1, 112, 320}));
  ASSERT_EQ(once.size(), other.size());
  const File file(once);
  const std::size_t begin = file.position(file.metadata()->data());
  const std::size_t end = begin + file.metadata()->size();
  EXPECT_EQ(once.substr(0, begin), other.substr(0, begin));
  EXPECT_EQ(once.substr(end), other.substr(end));
  EXPECT_EQ(embedded(folder, other), once);
}

TEST(Embed, ReplacesAPlanOfAnotherLength) {
  const Folder folder;
  for (const std::vector<std::int64_t>& payload :
       {std::vector<std::int64_t>{}, {1}, {1, 1, 4}, {1, 1, 4, 0, 0, 0, 0, 0, 0}, {1, 1, 2, 0, 0}}) {
    ModelBuilder model = chain();
    model.metadata("first", {1});
    model.metadata(kName, words(payload));
    model.metadata("last", {2});
    const std::string before = model.bytes();
    const Embedded done = embed(folder, before);
    EXPECT_EQ(done.result.code, kYes) << done.result.err;
    EXPECT_NE(done.result.out.find("Note: The old plan was not valid: see `arenite verify`."), std::string::npos);
    EXPECT_TRUE(ends_with(done.bytes, before));
    const File file(done.bytes);
    EXPECT_EQ(file.plan(), kChainPlan);
    EXPECT_EQ(file.root().metadata()->size(), 3u);
    EXPECT_EQ(file.root().buffers()->size(), model.parts.buffers.size());
    EXPECT_EQ(file.metadata("first")->Get(0), 1);
    EXPECT_EQ(file.metadata("last")->Get(0), 2);
    EXPECT_EQ(embedded(folder, done.bytes), done.bytes);
  }
}

TEST(Embed, DoesNotOverwriteWhatAnotherEntryHas) {
  const Folder folder;
  const std::vector<std::int64_t> old = {1, 1, 4, 0, -1, 112, 320};
  ModelBuilder model = chain();
  model.metadata(kName, words(old));
  auto entry = std::make_unique<tflite::MetadataT>();
  entry->name = "twin";
  entry->buffer = model.parts.metadata.back()->buffer;
  model.parts.metadata.push_back(std::move(entry));
  const std::string before = model.bytes();
  const std::string after = embedded(folder, before);
  EXPECT_TRUE(ends_with(after, before));
  const File file(after);
  EXPECT_EQ(file.plan(), kChainPlan);
  EXPECT_EQ(file.metadata_count(kName), 1u);
  const auto* const twin = file.metadata("twin");
  EXPECT_EQ(std::vector<std::uint8_t>(twin->begin(), twin->end()), words(old));
  EXPECT_EQ(embedded(folder, after), after);
}

TEST(Embed, DoesNotOverwriteWhatATensorHas) {
  const Folder folder;
  const std::vector<std::int64_t> old = {1, 1, 4, 0, -1, 112, 320};
  ModelBuilder model = chain();
  model.metadata(kName, words(old));
  model.parts.subgraphs[0]->tensors[1]->buffer = model.parts.metadata.back()->buffer;
  const std::string before = model.bytes();
  const std::string after = embedded(folder, before);
  EXPECT_TRUE(ends_with(after, before));
  const auto now = File(after).unpack();
  EXPECT_EQ(now->buffers[now->subgraphs[0]->tensors[1]->buffer]->data, words(old));
  EXPECT_EQ(File(after).plan(), kChainPlan);
}

TEST(Embed, DoesNotOverwriteBytesThatTwoBuffersShare) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata(kName, words({1, 1, 4, 0, -1, 112, 320}));
  std::swap(model.parts.buffers[1], model.parts.buffers[2]);  // so that the weights' table lies before the plan
  model.parts.subgraphs[0]->tensors[1]->buffer = 2;
  model.parts.metadata[0]->buffer = 1;
  std::string bytes = model.bytes();
  const File file(bytes);
  // The weights are bent to be the bytes of the plan.
  const auto* const table = reinterpret_cast<const flatbuffers::Table*>(file.root().buffers()->Get(2));
  const std::size_t field = file.position(table) + table->GetOptionalFieldOffset(4);
  ASSERT_GT(file.position(file.metadata()), field);
  flatbuffers::WriteScalar(&bytes[field], static_cast<flatbuffers::uoffset_t>(file.position(file.metadata()) - field));
  const std::string after = embedded(folder, bytes);
  EXPECT_TRUE(ends_with(after, bytes));
  EXPECT_EQ(File(after).plan(), kChainPlan);
  EXPECT_EQ(File(after).unpack()->buffers[2]->data, words({1, 1, 4, 0, -1, 112, 320}));
}

TEST(Embed, MovesAPlanThatIsNotAligned) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata(kName, words({1, 1, 4, 0, -1, 112, 320}));
  const std::string bytes = model.bytes();
  const File file(bytes);
  // The payload is moved up by 4 bytes within the file, behind which 16 more are put.
  const std::size_t at = file.position(file.metadata());
  ASSERT_EQ((at + 4) % 16, 0u);
  std::string bent = bytes + std::string(48, '\0');
  const std::size_t new_place = align_up(bytes.size(), 16);
  bent.replace(new_place, 32, bytes, at, 32);
  const auto* const table = reinterpret_cast<const flatbuffers::Table*>(
      file.root().buffers()->Get(static_cast<flatbuffers::uoffset_t>(model.parts.buffers.size() - 1)));
  const std::size_t field = file.position(table) + table->GetOptionalFieldOffset(4);
  flatbuffers::WriteScalar(&bent[field], static_cast<flatbuffers::uoffset_t>(new_place - field));
  ASSERT_EQ(File(bent).plan()[6], 320);
  const std::string after = embedded(folder, bent);
  EXPECT_TRUE(ends_with(after, bent));
  EXPECT_EQ(File(after).plan(), kChainPlan);
  EXPECT_EQ(File(after).position(File(after).metadata()->data()) % 16, 0u);
  EXPECT_EQ(embedded(folder, after), after);
}

TEST(Embed, LeavesEntriesWithoutANameAlone) {
  const Folder folder;
  flatbuffers::FlatBufferBuilder builder;
  ModelBuilder model = chain();
  model.metadata("", {9});  // packed as no name at all
  const std::string before = model.bytes();
  ASSERT_EQ(File(before).root().metadata()->Get(0)->name(), nullptr);
  const File after(embedded(folder, before));
  EXPECT_EQ(after.plan(), kChainPlan);
  EXPECT_EQ(after.root().metadata()->Get(0)->name(), nullptr);
}

TEST(Embed, RefusesTwoPlansInOneFile) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata(kName, words({1, 1, 4, 0, -1, 112, 320}));
  model.metadata(kName, words({1, 1, 4, 0, -1, 112, 320}));
  expect_refused(folder, model.bytes(), "metadata 'OfflineMemoryAllocation': is there twice");
}

TEST(Embed, RefusesAPlanThatPointsToNoBuffer) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata(kName, {});
  model.parts.metadata.back()->buffer = 4000000000u;
  expect_refused(folder, model.bytes(),
                 "metadata 'OfflineMemoryAllocation': its data is buffer 4000000000, and the file has 3");
}

TEST(Embed, ReplacesAPlanThatPointsToTheEmptyBuffer) {
  const Folder folder;
  ModelBuilder model = chain();
  model.metadata(kName, {});
  model.parts.metadata.back()->buffer = 0;
  const File file(embed(folder, model.bytes()).bytes);
  EXPECT_EQ(file.plan(), kChainPlan);
  EXPECT_EQ(file.root().buffers()->Get(0)->data(), nullptr);  // tensors without data have this one
}

TEST(Embed, VariablesAndHandlesStayWithoutAnOffset) {
  const Folder folder;
  ModelBuilder model;
  const auto input = model.tensor({1, 64}, "input");
  const auto state = model.variable({1, 32}, "state");
  const auto handle = model.tensor({1}, "handle", tflite::TensorType::RESOURCE);
  const auto output = model.tensor({1, 64}, "output");
  model.op(tflite::BuiltinOperator::VAR_HANDLE, {}, {handle});
  model.op(tflite::BuiltinOperator::ASSIGN_VARIABLE, {handle, input}, {});
  model.op(tflite::BuiltinOperator::SVDF, {input, state}, {output});
  model.graph({input}, {output});
  EXPECT_EQ(File(embedded(folder, model.bytes())).plan(), (std::vector<std::int64_t>{1, 1, 4, 64, -1, -1, 0}));
}

TEST(Embed, AVariableWithAnOffsetInTheOldPlanIsPersistentAgain) {
  const Folder folder;
  ModelBuilder model;
  const auto input = model.tensor({1, 64}, "input");
  const auto state = model.variable({1, 32}, "state");
  const auto output = model.tensor({1, 64}, "output");
  model.op(tflite::BuiltinOperator::SVDF, {input, state}, {output});
  model.graph({input}, {output});
  model.metadata(kName, words({1, 1, 3, 0, 64, 96}));
  const Embedded done = embed(folder, model.bytes());
  EXPECT_EQ(done.result.code, kYes) << done.result.err;
  EXPECT_EQ(File(done.bytes).plan(), (std::vector<std::int64_t>{1, 1, 3, 64, -1, 0}));
  EXPECT_NE(
      done.result.out.find("Note: 1 variable had an offset in the old plan and will be persistent again: tensor 1 "
                           "'state'."),
      std::string::npos)
      << done.result.out;
  EXPECT_NE(done.result.out.find("before                           160"), std::string::npos) << done.result.out;
  EXPECT_EQ(done.result.out.substr(0, done.result.out.find('\n')), "128 bytes for the planned buffers, proven best");
}

// A condition decides between two graphs, of one operator each.
ModelBuilder branches() {
  ModelBuilder model;
  const auto flag = model.tensor({1}, "flag", tflite::TensorType::BOOL);
  const auto input = model.tensor({1, 64}, "input");
  const auto output = model.tensor({1, 64}, "output");
  model.if_op({flag, input}, {output}, 1, 2);
  model.graph({flag, input}, {output});
  for (const char* const name : {"then", "else"}) {
    model.subgraph(name);
    const auto in = model.tensor({1, 64}, std::string(name) + "_in");
    const auto out = model.tensor({1, 64}, std::string(name) + "_out");
    model.op(tflite::BuiltinOperator::RELU, {in}, {out});
    model.graph({in}, {out});
  }
  return model;
}

TEST(Embed, CountsTheTensorsOfAllSubgraphs) {
  const Folder folder;
  const std::string before = branches().bytes();
  const std::string after = embedded(folder, before);
  expect_same_model(before, after);
  const std::vector<std::int64_t> plan = File(after).plan();
  ASSERT_EQ(plan.size(), 3u + 7);
  EXPECT_EQ(plan[1], 3);
  EXPECT_EQ(plan[2], 7);
  for (std::size_t i = 3; i < plan.size(); ++i) EXPECT_GE(plan[i], 0) << i;
  EXPECT_EQ(run_tool({"verify", folder.path("out.tflite")}).code, kYes);
}

TEST(Embed, RefusesAVariableOfALaterSubgraphThatWouldGetNoMemory) {
  const Folder folder;
  ModelBuilder model = branches();
  // Tensor 2 of the last subgraph, as the variable is, has an offset in the first: `output`.
  const auto state = model.variable({1, 16}, "state");
  ASSERT_EQ(state, 2);
  const Embedded done = embed(folder, model.bytes());
  EXPECT_EQ(done.result.code, kNo);
  EXPECT_EQ(done.bytes, "");
  EXPECT_EQ(done.result.out, "");
  const std::string offset = done.result.err.substr(done.result.err.rfind(' ') + 1);
  EXPECT_EQ(done.result.err,
            "arenite: " + folder.path("in.tflite") +
                ": the plan is not embedded: it has 1 fault\n"
                "  subgraph 2, tensor 2 'state' is a variable and gets no memory: TensorFlow Lite Micro looks at the "
                "offset of subgraph 0, tensor 2 'output' for it, which is " +
                offset);
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(Embed, TakesAVariableOfALaterSubgraphThatGetsMemory) {
  const Folder folder;
  ModelBuilder model;
  const auto input = model.tensor({1, 64}, "input");
  const auto weights = model.constant(64, "weights");  // number 1 of the count has no offset
  const auto output = model.tensor({1, 64}, "output");
  model.op(tflite::BuiltinOperator::ADD, {input, weights}, {output});
  model.call_once(1);
  model.graph({input}, {output});
  model.subgraph("init");
  model.tensor({1, 64}, "other");
  ASSERT_EQ(model.variable({1, 16}, "state"), 1);
  const std::vector<std::int64_t> plan = File(embedded(folder, model.bytes())).plan();
  EXPECT_EQ(plan[3 + 1], -1);
  EXPECT_EQ(plan[3 + 4], -1);
}

TEST(Embed, ScratchIsNotInThePlanButInTheAnswer) {
  const Folder folder;
  const Embedded done = embed(folder, chain().bytes(), {"--scratch", "1:1000", "--format", "json"});
  EXPECT_EQ(done.result.code, kYes) << done.result.err;
  const File file(done.bytes);
  EXPECT_EQ(file.metadata()->size(), 4u * 7);
  const Json json = Json::parse(done.result.out);
  EXPECT_EQ(json["size"], 1008 + 208 + 64);
  EXPECT_EQ(json["before"], 1008 + 208 + 64);
  EXPECT_EQ(json["proven"], true);
}

TEST(Embed, SaysWhenTheDevicePlacesScratchElsewhere) {
  const Folder folder;
  const Embedded done = embed(folder, chain().bytes(), {"--strategy", "linear", "--scratch", "1:100"});
  EXPECT_EQ(done.result.code, kYes) << done.result.err;
  EXPECT_NE(
      done.result.out.find("Note: The plan has 496 bytes; the device places scratch by itself, and comes to 384.\n"),
      std::string::npos)
      << done.result.out;
  EXPECT_EQ(done.result.out.find("made without the scratch"), std::string::npos) << done.result.out;
}

TEST(Embed, SaysWhenThePlanLeavesLessRoomForScratch) {
  // 176 bytes below and 64 between are free when the scratch comes, so that it must go to the top.
  const Folder folder;
  const std::string plan = folder.file("plan.csv",
                                       "id,name,first,last,size,offset\n"
                                       "0,input,0,1,112,0\n2,hidden,1,2,208,176\n3,output,2,2,64,448\n");
  const Embedded done = embed(folder, chain().bytes(), {"--scratch", "1:240", "--plan", plan});
  EXPECT_EQ(done.result.code, kYes) << done.result.err;
  EXPECT_EQ(done.result.out.substr(0, done.result.out.find('\n')),
            "752 bytes for the planned buffers, at most 240 above the best");
  EXPECT_NE(done.result.out.find("Note: That is more than without this plan."), std::string::npos) << done.result.out;
}

TEST(Embed, RefusesScratchInASubgraphThatIsNeverCalled) {
  const Folder folder;
  ModelBuilder model = chain();
  model.subgraph("lost");
  const auto in = model.tensor({1, 8}, "in");
  const auto out = model.tensor({1, 8}, "out");
  model.op(tflite::BuiltinOperator::RELU, {in}, {out});
  model.graph({in}, {out});
  expect_refused(folder, model.bytes(),
                 "scratch of operator 1/0: its subgraph is never called: TensorFlow Lite Micro plans such scratch with "
                 "a size that it never sets",
                 {"--scratch", "1/0:64"});
  const Embedded done = embed(folder, model.bytes());
  EXPECT_EQ(done.result.code, kYes);
  EXPECT_NE(done.result.out.find("Note: Subgraph 1 is never called"), std::string::npos) << done.result.out;
}

TEST(Embed, RefusesIntermediatesThatAreNotEmpty) {
  const Folder folder;
  ModelBuilder model = chain();
  const auto between = model.tensor({4}, "between");
  model.parts.subgraphs[0]->operators[0]->intermediates = {between};
  expect_refused(
      folder, model.bytes(),
      "tensor 4 'between': is an intermediate that is not empty: TensorFlow Lite Micro refuses such a model");
}

TEST(Embed, AlignmentBelow16IsTakenOnlyWhereItComesOutRight) {
  const Folder folder;
  const Embedded bad = embed(folder, chain().bytes(), {"--alignment", "8"});  // 200 bytes below the others
  EXPECT_EQ(bad.result.code, kNo);
  EXPECT_NE(bad.result.err.find("has the offset 200, which is no multiple of 16"), std::string::npos) << bad.result.err;
  EXPECT_EQ(bad.bytes, "");
  ModelBuilder even;
  const auto input = even.tensor({1, 64}, "input");
  const auto output = even.tensor({1, 32}, "output");
  even.op(tflite::BuiltinOperator::RELU, {input}, {output});
  even.graph({input}, {output});
  EXPECT_EQ(File(embedded(folder, even.bytes(), {"--alignment", "8"})).plan(),
            (std::vector<std::int64_t>{1, 1, 2, 0, 64}));
}

TEST(Embed, RefusesOffsetsAboveAnInt) {
  const Folder folder;
  ModelBuilder model;
  const auto input = model.tensor({1 << 30}, "input");
  const auto middle = model.tensor({1 << 30}, "middle");
  const auto output = model.tensor({1 << 30}, "output");
  model.op(tflite::BuiltinOperator::ADD, {input, middle}, {output});
  model.graph({input, middle}, {output});
  const Embedded done = embed(folder, model.bytes());
  EXPECT_EQ(done.result.code, kBad);
  EXPECT_NE(done.result.err.find("its offset is 2147483648, and a plan in a model has at most 2147483647"),
            std::string::npos)
      << done.result.err;
  EXPECT_EQ(files_in(folder), 1u);
}

// A plan whose bytes are those of a shape, too.
std::string with_plan_over_a_shape() {
  for (std::size_t length = 0; length < 16; ++length) {
    ModelBuilder model;
    const auto input = model.tensor({16}, "input");
    const auto odd = model.tensor(Indices(20, 1), "odd");
    model.op(tflite::BuiltinOperator::RELU, {input}, {odd});
    model.graph({input}, {odd});
    model.metadata(kName, std::vector<std::uint8_t>(20));                   // as long as a plan for two tensors
    model.parts.operator_codes[0]->custom_code = std::string(length, 'x');  // moves what comes before it in the file
    std::string bytes = model.bytes();
    const File file(bytes);
    const auto* const shape = file.root().subgraphs()->Get(0)->tensors()->Get(static_cast<unsigned>(odd))->shape();
    if (file.position(shape->Data()) % 16 != 0) continue;
    const auto* const buffer = file.root().buffers()->Get(file.root().metadata()->Get(0)->buffer());
    const auto& table = reinterpret_cast<const flatbuffers::Table&>(*buffer);
    const std::size_t field = file.position(buffer) + table.GetOptionalFieldOffset(tflite::Buffer::VT_DATA);
    flatbuffers::WriteScalar(&bytes[field], static_cast<std::uint32_t>(file.position(shape) - field));
    return bytes;
  }
  return "";
}

TEST(Embed, DoesNotWriteOverOtherParts) {
  const Folder folder;
  expect_refused(folder, with_plan_over_a_shape(),
                 "metadata 'OfflineMemoryAllocation': lies over another part of the file, which would change with it");
}

TEST(Embed, TakesAPlanFromAFile) {
  const Folder folder;
  const std::string model = folder.file("model.tflite", chain().bytes());
  for (const char* const name : {"plan.csv", "plan.json"}) {
    ASSERT_EQ(run_tool({"plan", model, "--strategy", "linear", "--scratch", "0:64", "-o", folder.path(name)}).code,
              kYes);
    const File file(embedded(folder, chain().bytes(), {"--plan", folder.path(name)}));
    EXPECT_EQ(file.plan(), (std::vector<std::int64_t>{1, 1, 4, 0, -1, 112, 320})) << name;
  }
}

TEST(Embed, RefusesAPlanThatDoesNotFitTheModel) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv",
                                       "id,name,first,last,size,offset\n"
                                       "0,input,0,1,96,8\n3,output,2,2,64,0\n");
  const Embedded done = embed(folder, chain().bytes(), {"--plan", plan});
  EXPECT_EQ(done.result.code, kNo);
  EXPECT_EQ(done.result.err, "arenite: " + plan +
                                 ": the plan is not embedded: it has 3 faults\n"
                                 "  tensor 0 'input' has 112 bytes, and 96 in the plan\n"
                                 "  tensor 2 'hidden' is not in the plan\n"
                                 "  tensor 0 'input' has the offset 8, which is no multiple of 16\n");
  EXPECT_EQ(done.bytes, "");
}

TEST(Embed, LeavesToTheDeviceWhatThePlanLeavesOpen) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv",
                                       "id,name,first,last,size,offset\n"
                                       "0,input,0,1,112,208\n2,hidden,1,2,208,\n3,output,2,2,64,\n");
  EXPECT_EQ(File(embedded(folder, chain().bytes(), {"--plan", plan})).plan(),
            (std::vector<std::int64_t>{1, 1, 4, 208, -1, -1, -1}));
}

TEST(Embed, RefusesAPlanWithoutOffsets) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv", "id,first,last,size\n0,0,1,112\n");
  const Embedded done = embed(folder, chain().bytes(), {"--plan", plan});
  EXPECT_EQ(done.result.code, kBad);
  EXPECT_EQ(done.result.err, "arenite: " + plan + ": gives no offsets\n");
}

TEST(Embed, RefusesAPlanThatHasANumberTwice) {
  const Folder folder;
  const std::string plan = folder.file("plan.csv", "id,name,first,last,size,offset\n0,a,0,1,112,0\n0,b,0,1,112,0\n");
  const Embedded done = embed(folder, chain().bytes(), {"--plan", plan});
  EXPECT_EQ(done.result.code, kBad);
  EXPECT_EQ(done.result.err, "arenite: " + plan + ": buffer 0 'b': another one has the same number\n");
}

TEST(Embed, TheStrategyGivenMakesNoPlan) {
  const Folder folder;
  expect_refused(folder, chain().bytes(), "the strategy 'given' makes no plan: choose another one, or give --plan",
                 {"--strategy", "given"});
}

TEST(Embed, RefusesWhatIsNoModel) {
  const Folder folder;
  expect_refused(folder, "first,last,size\n0,1,2\n", "byte 4: should be 'TFL3': no .tflite model");
  expect_refused(folder, "", "ends after 0 bytes: no .tflite model");
  const std::string bytes = chain().bytes();
  const Embedded done = embed(folder, bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(done.result.code, kBad);
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(Embed, NoDamageOfOneByteMakesItCrash) {
  const Folder folder;
  ModelBuilder model = branches();
  model.metadata("other", {1, 2, 3});
  model.metadata(kName, words({1, 3, 7, -1, -1, -1, -1, -1, -1}));
  const std::string bytes = model.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string bent = bytes;
    bent[i] = static_cast<char>(bent[i] ^ (i % 3 == 0 ? 0xFF : 0x01));
    const Embedded done = embed(folder, bent);
    EXPECT_LE(run_tool({"verify", folder.path("in.tflite")}).code, kBad);
    if (done.result.code == kYes) {
      EXPECT_EQ(run_tool({"verify", folder.path("out.tflite")}).code, kYes) << i;
      std::filesystem::remove(folder.path("out.tflite"));
    }
    EXPECT_EQ(files_in(folder), 1u) << i;
  }
}

// What else there is to say goes to standard error.
TEST(Embed, WritesToStandardOutputAndNothingElse) {
  const Folder folder;
  const std::string once = embedded(folder, chain().bytes());
  const Result result = run_tool({"embed", folder.path("in.tflite"), "-o", "-"});
  EXPECT_EQ(result.code, kYes);
  EXPECT_EQ(result.out, once);
  EXPECT_EQ(result.err.substr(0, 15), "\nNote: Scratch ") << result.err;
  EXPECT_EQ(run_tool({"embed", folder.path("in.tflite"), "-o", "-", "--scratch", "0:16"}).err.find("not in this"),
            std::string::npos);
}

TEST(Embed, TheOutputMayBeTheInput) {
  const Folder folder;
  const std::string model = folder.file("model.tflite", chain().bytes());
  ASSERT_EQ(chmod(model.c_str(), 0640), 0);
  const Result result = run_tool({"embed", model, "-o", model});
  EXPECT_EQ(result.code, kYes) << result.err;
  EXPECT_EQ(File(folder.read("model.tflite")).plan(), kChainPlan);
  EXPECT_EQ(files_in(folder), 1u);
  struct stat status = {};
  ASSERT_EQ(stat(model.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST(Embed, ALinkStaysALink) {
  const Folder folder;
  const std::string model = folder.file("model.tflite", chain().bytes());
  ASSERT_EQ(symlink("model.tflite", folder.path("link.tflite").c_str()), 0);
  EXPECT_EQ(run_tool({"embed", model, "-o", folder.path("link.tflite")}).code, kYes);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.tflite")));
  EXPECT_EQ(File(folder.read("model.tflite")).plan(), kChainPlan);
}

TEST(Embed, ADeviceIsNotReplaced) {
  const Folder folder;
  const std::string model = folder.file("model.tflite", chain().bytes());
  EXPECT_EQ(run_tool({"embed", model, "-o", "/dev/null"}).code, kYes);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Embed, AFolderThatIsNotThereIsNamed) {
  const Folder folder;
  const std::string model = folder.file("model.tflite", chain().bytes());
  const std::string output = folder.path("no/such/out.tflite");
  const Result result = run_tool({"embed", model, "-o", output});
  EXPECT_EQ(result.code, kBad);
  EXPECT_EQ(result.err, "arenite: " + output + ": No such file or directory\n");
  EXPECT_EQ(run_tool({"embed", model, "-o", folder.path("")}).err, "arenite: " + folder.path("") + ": is a folder\n");
}

TEST(Embed, AnswersInWords) {
  const Folder folder;
  const Embedded done = embed(folder, chain().bytes());
  const std::string grown = std::to_string(done.bytes.size() - chain().bytes().size());
  EXPECT_EQ(
      done.result.out,
      "320 bytes for the planned buffers, proven best\n\n"
      "  before                           320  what TensorFlow Lite Micro needed\n"
      "  lower bound                      320  no plan is smaller\n"
      "  tensors with an offset             3  of 4\n"
      "  file                            " +
          std::to_string(done.bytes.size()) + "  " + grown +
          " bytes before the old file, which is the same\n\n"
          "Note: Scratch that kernels ask for on the device is not in this figure: give it by --scratch or "
          "--trace.\n\n"
          "Note: A plan that is made without the scratch may leave less room for it than there would be without a "
          "plan.\n");
}

TEST(Embed, AnswersAsJson) {
  const Folder folder;
  Embedded done = embed(folder, chain().bytes(), {"--format", "json"});
  Json json = Json::parse(done.result.out);
  EXPECT_EQ(json["size"], 320);
  EXPECT_EQ(json["before"], 320);
  EXPECT_EQ(json["lower_bound"], 320);
  EXPECT_EQ(json["placed"], 3);
  EXPECT_EQ(json["tensors"], 4);
  EXPECT_EQ(json["strategy"], "search");
  EXPECT_EQ(json["file"]["bytes"], done.bytes.size());
  EXPECT_EQ(json["file"]["grown"], done.bytes.size() - chain().bytes().size());
  EXPECT_EQ(json["file"]["replaced"], false);
  done = embed(folder, done.bytes, {"--format", "json"});
  json = Json::parse(done.result.out);
  EXPECT_EQ(json["file"]["grown"], 0);
  EXPECT_EQ(json["file"]["replaced"], true);
  EXPECT_EQ(json["file"]["in_place"], true);
}

}  // namespace
}  // namespace arenite::tool::test
