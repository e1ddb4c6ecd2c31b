// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Offline plans of TensorFlow Lite Micro: what is read, what is refused, and that nothing outside is looked at, which
// AddressSanitizer sees: at run time each blob lies in memory of its own, of exactly its size, at an odd address.

#include <arenite/adapters/tflm_offline_plan.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "planning_oracle.hpp"

namespace {

using arenite::Buffer;
using arenite::Constraint;
using arenite::Index;
using arenite::kMaxBuffers;
using arenite::kNoIndex;
using arenite::PlanRef;
using arenite::reserved;
using arenite::Status;
using arenite::tflm::OfflinePlan;
using arenite::tflm::read_offline_plan;
using planning::Buffers;
using planning::Random;
using Blob = std::vector<std::uint8_t>;

template <std::size_t N>
constexpr std::array<std::uint8_t, 4 * N> bytes_of(const std::int32_t (&words)[N]) {
  std::array<std::uint8_t, 4 * N> bytes{};
  for (std::size_t i = 0; i < 4 * N; ++i) {
    bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(words[i / 4]) >> 8 * (i % 4));
  }
  return bytes;
}

Blob blob_of(const std::vector<std::int32_t>& words) {
  Blob blob;
  for (const std::int32_t word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      blob.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(word) >> shift));
    }
  }
  return blob;
}

struct Answer {
  Status status = Status::kOk;
  Index tensor = kNoIndex;
  std::vector<Constraint> pins;
};

// The answer for a blob and room for pins that both end where their memory ends.
Answer read(const Blob& blob, std::size_t tensors) {
  const auto bytes = std::make_unique<std::uint8_t[]>(blob.size() + 1);
  std::copy(blob.begin(), blob.end(), bytes.get() + 1);
  const auto pins = std::make_unique<Constraint[]>(tensors);
  const OfflinePlan plan = read_offline_plan(bytes.get() + 1, blob.size(), tensors, pins.get());
  Answer answer{plan.status, plan.tensor, {plan.pins.begin(), plan.pins.end()}};
  if (plan.status != Status::kOk) {
    EXPECT_EQ(plan.pins.count(), 0u);
  }
  return answer;
}

void expect_refused(const Blob& blob, std::size_t tensors, Status status, Index tensor = kNoIndex) {
  const Answer answer = read(blob, tensors);
  EXPECT_EQ(answer.status, status) << blob.size() << " bytes, " << tensors << " tensors";
  EXPECT_EQ(answer.tensor, tensor);
}

void expect_pins(const Answer& answer, const std::vector<std::pair<std::size_t, std::size_t>>& expected) {
  ASSERT_EQ(answer.status, Status::kOk);
  EXPECT_EQ(answer.tensor, kNoIndex);
  ASSERT_EQ(answer.pins.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(answer.pins[i].kind, Constraint::Kind::kPinned);
    EXPECT_EQ(answer.pins[i].buffer, expected[i].first);
    EXPECT_EQ(answer.pins[i].offset, expected[i].second);
  }
}

// --- by the compiler -------------------------------------------------------------------------------------------------

constexpr auto kHybrid = bytes_of({1, 1, 3, 0, -1, 64});

struct Read {
  std::array<Constraint, 3> pins = {reserved(0, 0), reserved(0, 0), reserved(0, 0)};  // which ask for nothing
  Status status = Status::kOk;
  std::size_t count = 0;
};
constexpr Read read_by_compiler(std::size_t size, std::size_t tensors) {
  Read result;
  const OfflinePlan plan = read_offline_plan(kHybrid.data(), size, tensors, result.pins.data());
  result.status = plan.status;
  result.count = plan.pins.count();
  return result;
}

TEST(OfflinePlan, IsReadByTheCompiler) {
  constexpr Read kRead = read_by_compiler(kHybrid.size(), 3);
  static_assert(kRead.status == Status::kOk && kRead.count == 2);
  static_assert(read_by_compiler(kHybrid.size() - 1, 3).status == Status::kOutOfBounds);
  static_assert(read_by_compiler(kHybrid.size(), 2).status == Status::kMismatch);

  // Tensors, and then scratch, which the plan does not know of.
  constexpr std::array<Buffer, 4> kBuffers = {{{64, 0, 1}, {32, 1, 2}, {16, 2, 3}, {16, 1, 1}}};
  constexpr auto kPlan = arenite::plan(kBuffers, kRead.pins);
  static_assert(kPlan.offset(0) == 0 && kPlan.offset(2) == 64);
  static_assert(kPlan.offset(1) == 80 && kPlan.offset(3) == 64 && kPlan.size() == 112);
}

// --- what is read ----------------------------------------------------------------------------------------------------

TEST(OfflinePlan, GivesAPinForEachOffset) {
  expect_pins(read(blob_of({1, 0, 4, 0, 48, 0, 48}), 4), {{0, 0}, {1, 48}, {2, 0}, {3, 48}});
  expect_pins(read(blob_of({0, 1, 4, -1, 48, -1, 16}), 4), {{1, 48}, {3, 16}});
  expect_pins(read(blob_of({0, 1, 0}), 0), {});
}

TEST(OfflinePlan, LeavesWhatHasNoOffsetFree) {
  for (std::size_t count = 0; count <= 20; ++count) {
    std::vector<std::int32_t> words = {1, 1, static_cast<std::int32_t>(count)};
    words.resize(3 + count, -1);
    expect_pins(read(blob_of(words), count), {});
  }
}

TEST(OfflinePlan, HasItsLowestByteFirst) {
  const Blob blob = {1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 0xFF, 0xFF, 0xFF, 0x7F};
  expect_pins(read(blob, 2), {{0, 0x12345678}, {1, 0x7FFFFFFF}});
}

TEST(OfflinePlan, MayHaveAnyNumberOfSubgraphs) {
  for (const std::int32_t subgraphs : {0, 1, 2, 100, -1}) {
    expect_pins(read(blob_of({0, subgraphs, 1, 16}), 1), {{0, 16}});
  }
}

// --- what is refused -------------------------------------------------------------------------------------------------

TEST(OfflinePlan, OfAnotherLengthIsRefused) {
  expect_refused(Blob(8), 5, Status::kOutOfBounds);
  expect_refused(Blob(8), 0, Status::kOutOfBounds);
  expect_refused(blob_of({1, 1, 5, 0, 0, 0}), 5, Status::kOutOfBounds);
  const Blob whole = blob_of({1, 1, 5, 0, -1, 32, -1, 64, 0, 0});
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Blob part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (size < 32) expect_refused(part, 5, Status::kOutOfBounds);
    if (size == 32) expect_pins(read(part, 5), {{0, 0}, {2, 32}, {4, 64}});
    if (size > 32) expect_refused(part, 5, Status::kMismatch);
  }
}

TEST(OfflinePlan, OfOtherTensorsIsRefused) {
  for (std::size_t tensors = 0; tensors <= 10; ++tensors) {
    if (tensors != 5) expect_refused(blob_of({1, 1, 5, 0, 0, 0, 0, 0}), tensors, Status::kMismatch);
  }
  expect_refused(blob_of({1, 1, -1}), 0, Status::kMismatch);
  expect_refused(blob_of({1, 1, 256, 0}), 1, Status::kMismatch);
  expect_refused(blob_of({1, 1, std::numeric_limits<std::int32_t>::max()}), 1, Status::kMismatch);
  // Four times this number, and the bytes in front, wrap to the size of the blob where it is counted in 32 bits.
  expect_refused(blob_of({1, 1, 1 << 30}), 0, Status::kMismatch);
}

TEST(OfflinePlan, OfAnotherVersionIsRefused) {
  expect_pins(read(blob_of({0, 1, 1, 4}), 1), {{0, 4}});
  expect_pins(read(blob_of({1, 1, 1, 4}), 1), {{0, 4}});
  for (const std::int32_t version : {2, 3, 256, 1 << 24, -1, std::numeric_limits<std::int32_t>::min()}) {
    expect_refused(blob_of({version, 1, 1, 4}), 1, Status::kMismatch);
  }
}

TEST(OfflinePlan, WithANegativeOffsetIsRefused) {
  for (const std::int32_t offset : {-2, -3, -16, -256, std::numeric_limits<std::int32_t>::min()}) {
    expect_refused(blob_of({1, 1, 3, -1, 16, offset}), 3, Status::kOutOfBounds, 2);
    expect_refused(blob_of({1, 1, 3, offset, 16, offset}), 3, Status::kOutOfBounds, 0);
  }
}

TEST(OfflinePlan, WithoutMemoryIsRefused) {
  const Blob blob = blob_of({1, 1, 1, 0});
  Constraint pin;
  EXPECT_EQ(read_offline_plan(nullptr, blob.size(), 1, &pin).status, Status::kNullMemory);
  EXPECT_EQ(read_offline_plan(nullptr, 0, 0, nullptr).status, Status::kNullMemory);
  EXPECT_EQ(read_offline_plan(blob.data(), blob.size(), 1, nullptr).status, Status::kNullMemory);
  const Blob empty = blob_of({1, 1, 0});
  EXPECT_EQ(read_offline_plan(empty.data(), empty.size(), 0, nullptr).status, Status::kOk);
  EXPECT_EQ(read_offline_plan(blob.data(), blob.size(), kMaxBuffers, &pin).status, Status::kMismatch);
  EXPECT_EQ(read_offline_plan(blob.data(), blob.size(), kMaxBuffers + 1, &pin).status, Status::kTooManyBuffers);
  EXPECT_EQ(read_offline_plan(blob.data(), blob.size(), static_cast<std::size_t>(-1), &pin).status,
            Status::kTooManyBuffers);
}

// --- random blobs ----------------------------------------------------------------------------------------------------

// What is to come of it, from the definition.
Answer expected(const Blob& blob, std::size_t tensors) {
  Answer answer;
  const auto word = [&](std::size_t at) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value += std::int64_t{blob[at + i]} << 8 * i;
    return value < std::int64_t{1} << 31 ? value : value - (std::int64_t{1} << 32);
  };
  answer.status = Status::kOutOfBounds;
  if (blob.size() < 12) return answer;
  answer.status = Status::kMismatch;
  if ((word(0) != 0 && word(0) != 1) || word(8) != static_cast<std::int64_t>(tensors)) return answer;
  if (blob.size() > 12 + 4 * tensors) return answer;
  answer.status = Status::kOutOfBounds;
  if (blob.size() < 12 + 4 * tensors) return answer;
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::int64_t offset = word(12 + 4 * i);
    answer.tensor = static_cast<Index>(i);
    if (offset < -1) return answer;
    if (offset >= 0) answer.pins.push_back(arenite::pinned(i, static_cast<std::size_t>(offset)));
  }
  answer.status = Status::kOk;
  answer.tensor = kNoIndex;
  return answer;
}

TEST(OfflinePlan, RandomBlobsAgreeWithTheModel) {
  Random random;
  SCOPED_TRACE(testing::Message() << "seed " << random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 200000 : 5000;
  int accepted = 0;
  int with_a_bad_offset = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t tensors = random.below(6);
    std::vector<std::int32_t> words = {static_cast<std::int32_t>(random.below(2)), 1,
                                       static_cast<std::int32_t>(tensors)};
    for (std::size_t i = 0; i < tensors; ++i) words.push_back(static_cast<std::int32_t>(random.below(4000)) - 1);
    Blob blob = blob_of(words);
    for (std::uint32_t change = random.below(3); change > 0; --change) {
      blob[random.below(static_cast<std::uint32_t>(blob.size()))] = static_cast<std::uint8_t>(random.next());
    }
    if (random.below(4) == 0) blob.resize(random.below(40));
    if (random.below(8) == 0) {
      for (std::uint8_t& byte : blob) byte = static_cast<std::uint8_t>(random.next());
    }
    const Answer model = expected(blob, tensors);
    const Answer answer = read(blob, tensors);
    ASSERT_EQ(answer.status, model.status);
    ASSERT_EQ(answer.tensor, model.tensor);
    if (model.status != Status::kOk) {
      with_a_bad_offset += model.tensor != kNoIndex ? 1 : 0;
      continue;
    }
    ++accepted;
    ASSERT_EQ(answer.pins.size(), model.pins.size());
    for (std::size_t i = 0; i < answer.pins.size(); ++i) {
      ASSERT_EQ(answer.pins[i].buffer, model.pins[i].buffer);
      ASSERT_EQ(answer.pins[i].offset, model.pins[i].offset);
    }
  }
  EXPECT_GT(accepted, kRounds / 8);
  EXPECT_GT(kRounds - accepted, kRounds / 8);
  EXPECT_GT(with_a_bad_offset, kRounds / 100);
}

// --- there and back --------------------------------------------------------------------------------------------------

TEST(OfflinePlan, IsKeptByThePlan) {
  Random random;
  SCOPED_TRACE(testing::Message() << "seed " << random.seed());
  constexpr int kRounds = ARENITE_THOROUGH_TESTS ? 5000 : 200;
  for (int round = 0; round < kRounds; ++round) {
    const Buffers buffers = planning::random_list(random, {1, 20, 0, 1000, 12, 6, 5});
    const std::size_t count = buffers.size();
    const std::size_t tensors = count - random.below(3) % count;  // and scratch
    std::vector<std::size_t> memory(arenite::plan_bytes(count) / sizeof(std::size_t) + 1);
    const PlanRef offline = arenite::plan(buffers.data(), count, memory.data(), memory.size() * sizeof(std::size_t));
    const bool all = tensors == count && random.below(2) == 0;
    std::vector<std::int32_t> words = {0, 1, static_cast<std::int32_t>(tensors)};
    for (std::size_t i = 0; i < tensors; ++i) {
      words.push_back(all || random.below(2) == 0 ? static_cast<std::int32_t>(offline.offset(i)) : -1);
    }
    const Answer answer = read(blob_of(words), tensors);
    ASSERT_EQ(answer.status, Status::kOk);

    const std::size_t pins = answer.pins.size();
    std::vector<std::size_t> more(arenite::plan_bytes(count, pins) / sizeof(std::size_t) + 1);
    const PlanRef plan = arenite::plan(buffers.data(), count, {answer.pins.data(), pins}, more.data(),
                                       more.size() * sizeof(std::size_t));
    ASSERT_EQ(plan.status(), Status::kOk);
    for (std::size_t i = 0; i < tensors; ++i) {
      ASSERT_TRUE(words[3 + i] < 0 || plan.offset(i) == offline.offset(i)) << i;
    }
    ASSERT_TRUE(!all || plan.size() == offline.size());
    std::vector<Index> scratch(arenite::verify_scratch(count));
    ASSERT_TRUE(plan.verify(scratch.data()).ok());
  }
}

}  // namespace
