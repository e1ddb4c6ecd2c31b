// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner/sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "planning_oracle.hpp"

namespace {

using arenite::Index;
using arenite::detail::sort_by_key;

template <class T>
std::vector<Index> sorted(const std::vector<T>& keys) {
  std::vector<Index> order(keys.size(), arenite::kNoIndex);  // whatever is there is overwritten
  sort_by_key([&keys](Index index) { return keys[index]; }, order.data(), keys.size());
  return order;
}

template <class T>
std::vector<Index> expected(const std::vector<T>& keys) {
  std::vector<Index> order;
  for (std::size_t i = 0; i < keys.size(); ++i) order.push_back(static_cast<Index>(i));
  std::stable_sort(order.begin(), order.end(), [&keys](Index a, Index b) { return keys[a] < keys[b]; });
  return order;
}

TEST(Sort, OrdersByKeyThenByIndex) {
  EXPECT_EQ(sorted<int>({}), (std::vector<Index>{}));
  EXPECT_EQ(sorted<int>({7}), (std::vector<Index>{0}));
  EXPECT_EQ(sorted<int>({1, 2}), (std::vector<Index>{0, 1}));
  EXPECT_EQ(sorted<int>({2, 1}), (std::vector<Index>{1, 0}));
  EXPECT_EQ(sorted<int>({2, 2}), (std::vector<Index>{0, 1}));
  EXPECT_EQ(sorted<int>({3, 1, 2, 1}), (std::vector<Index>{1, 3, 2, 0}));
}

TEST(Sort, KeysMayBeAnyThatCompare) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(sorted<std::size_t>({kMost, 0, kMost - 1}), (std::vector<Index>{1, 2, 0}));
  EXPECT_EQ(sorted<std::uint8_t>({255, 0, 128}), (std::vector<Index>{1, 2, 0}));
}

TEST(Sort, EveryListOfAFewKeys) {
  constexpr std::size_t kMostKeys = ARENITE_THOROUGH_TESTS ? 8 : 6;
  for (std::size_t count = 0; count <= kMostKeys; ++count) {
    std::vector<unsigned char> keys(count, 0);
    for (bool more = true; more;) {
      ASSERT_EQ(sorted(keys), expected(keys));
      more = false;
      for (unsigned char& key : keys) {  // the next list, counting with digits 0 to 3
        if (++key < 4) {
          more = true;
          break;
        }
        key = 0;
      }
    }
  }
}

TEST(Sort, RandomLists) {
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 3000 : 100); ++round) {
    std::vector<std::uint32_t> keys(random.any_length(500));
    const std::uint32_t most = random.any_length(std::numeric_limits<std::uint32_t>::max() - 1);
    for (std::uint32_t& key : keys) key = random.between(0, most);
    ASSERT_EQ(sorted(keys), expected(keys));
  }
}

TEST(Sort, ListsThatAreInOrderAlready) {
  for (const std::size_t count : {2u, 3u, 4u, 7u, 8u, 9u, 255u, 256u, 257u}) {
    std::vector<std::size_t> keys(count);
    for (std::size_t i = 0; i < count; ++i) keys[i] = i;
    EXPECT_EQ(sorted(keys), expected(keys));
    for (std::size_t i = 0; i < count; ++i) keys[i] = count - i;
    EXPECT_EQ(sorted(keys), expected(keys));
    for (std::size_t i = 0; i < count; ++i) keys[i] = 5;
    EXPECT_EQ(sorted(keys), expected(keys));
  }
}

TEST(Sort, WritesOnlyItsEntries) {
  std::array<Index, 5> order{9, 9, 9, 9, 9};
  sort_by_key([](Index index) { return -static_cast<int>(index); }, order.data() + 1, 3);
  EXPECT_EQ(order, (std::array<Index, 5>{9, 2, 1, 0, 9}));
}

TEST(Sort, IsDoneByTheCompiler) {
  constexpr auto kOrder = [] {
    const int keys[] = {5, 3, 9, 3, 0};
    std::array<Index, 5> order{};
    sort_by_key([&keys](Index index) { return keys[index]; }, order.data(), order.size());
    return order;
  }();
  static_assert(kOrder[0] == 4 && kOrder[1] == 1 && kOrder[2] == 3 && kOrder[3] == 0 && kOrder[4] == 2);
}

}  // namespace
