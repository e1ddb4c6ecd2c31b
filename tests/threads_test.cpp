// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Several threads in one arena. Nothing here depends on who comes first: what is checked holds in every order. The
// preset `thread` runs it under ThreadSanitizer, which sees an access without the lock, whether it did harm or not.

#include <arenite/adapters/synchronized.hpp>
#include <arenite/arena.hpp>
#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::Buffer;
using arenite::Region;
using arenite::Status;
using arenite::Synchronized;

constexpr int kThreads = 4;
constexpr int kRounds = 2000;

// Calls `work(i)` in thread i, for each of them at the same time, and waits for all. Nobody begins before all are
// there.
template <class Work>
void in_threads(Work work) {
  std::atomic<int> there = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&there, &work, i] {
      ++there;
      while (there != kThreads) std::this_thread::yield();
      work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// What a thread was granted, and how often it was refused.
struct Granted {
  struct Block {
    unsigned char* begin;
    std::size_t size;
    unsigned char mark;
  };
  std::vector<Block> blocks;
  std::size_t refused = 0;

  // Fills the block, so that it shows if somebody else has it too.
  void add(void* block, std::size_t size, int thread) {
    if (block == nullptr) {
      ++refused;
      return;
    }
    const auto mark = static_cast<unsigned char>(16 * thread + static_cast<int>(blocks.size() % 16));
    std::memset(block, mark, size);
    blocks.push_back({static_cast<unsigned char*>(block), size, mark});
  }
};

// All blocks of all threads are whole and apart. Answers how many bytes they have.
std::size_t check_blocks(const std::vector<Granted>& all, const void* memory, std::size_t capacity) {
  std::vector<Granted::Block> blocks;
  for (const Granted& granted : all) blocks.insert(blocks.end(), granted.blocks.begin(), granted.blocks.end());
  std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  const auto* end = static_cast<const unsigned char*>(memory);
  std::size_t bytes = 0;
  for (const Granted::Block& block : blocks) {
    EXPECT_GE(block.begin, end);
    end = block.begin + block.size;
    EXPECT_EQ(std::count(block.begin, block.begin + block.size, block.mark), static_cast<std::ptrdiff_t>(block.size));
    bytes += block.size;
  }
  EXPECT_LE(end, static_cast<const unsigned char*>(memory) + capacity);
  return bytes;
}

TEST(Threads, GetBlocksThatAreApart) {
  static Synchronized<Arena<64 * 1024>, std::mutex> arena;
  std::vector<Granted> all(kThreads);
  in_threads([&](int thread) {
    Granted& mine = all[static_cast<std::size_t>(thread)];
    for (int i = 0; mine.refused < 10; ++i) {  // until it is full, and some more
      const auto size = static_cast<std::size_t>(8 + 8 * ((3 * i + thread) % 7));
      if (i % 5 == 0) {
        mine.add(arena.create<double>(1.0), sizeof(double), thread);
      } else if (i % 5 == 1) {
        mine.add(arena.create_array<double>(size / 8), size, thread);
      } else if (i % 5 == 2) {
        mine.add(arena.head().allocate(size, 8), size, thread);
      } else {
        mine.add(arena.allocate(size, 8), size, thread);
      }
    }
  });
  const std::size_t bytes = check_blocks(all, arena.data(), arena.capacity());
  EXPECT_EQ(arena.used(), bytes) << "all are multiples of 8: there is no padding";
  EXPECT_LT(arena.capacity() - bytes, 8u);
  EXPECT_EQ(arena.failures(), static_cast<std::size_t>(10 * kThreads));
  EXPECT_TRUE(arena.check());
}

TEST(Threads, HaveATempScopeOfTheirOwn) {
  static Synchronized<Arena<1024>, std::mutex> arena;
  in_threads([](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      arena.in_temp([&](auto& temp) {
        std::vector<Granted> mine(1);
        mine[0].add(temp.allocate(512, 8), 512, thread);
        mine[0].add(temp.allocate(256, 8), 256, thread);
        mine[0].add(temp.template create_array<double>(32), 256, thread);
        EXPECT_EQ(check_blocks(mine, mine[0].blocks.back().begin - 768, 1024), 1024u);
      });
    }
  });
  EXPECT_EQ(arena.peak(Region::kTemp), 1024u) << "never two at the same time";
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.failures(), 0u);
  EXPECT_TRUE(arena.check());
}

TEST(Threads, MarkAndReleaseWithinOneLock) {
  static Arena<kThreads * kRounds * 8 + 64> memory;
  Synchronized<ArenaRef, std::mutex> arena(memory);
  std::vector<Granted> all(kThreads);
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const Status status = arena.with([](auto& inner) {
        const auto marker = inner.mark();
        EXPECT_NE(inner.allocate(64, 8), nullptr);
        return inner.release(marker);
      });
      EXPECT_EQ(status, Status::kOk);
      all[static_cast<std::size_t>(thread)].add(arena.allocate(8, 8), 8, thread);
    }
  });
  EXPECT_EQ(check_blocks(all, memory.data(), memory.capacity()), static_cast<std::size_t>(kThreads * kRounds * 8));
  EXPECT_EQ(memory.used(), static_cast<std::size_t>(kThreads * kRounds * 8));
  EXPECT_EQ(memory.failures(), 0u);
  EXPECT_TRUE(memory.check());
}

// Each number is one that was true at some time.
TEST(Threads, ReadNumbersWhileOthersAllocate) {
  static Synchronized<Arena<kThreads * kRounds * 16>, std::mutex> arena;
  in_threads([](int thread) {
    std::size_t used = 0;
    for (int i = 0; i < kRounds; ++i) {
      if (thread % 2 == 0) {
        EXPECT_NE(arena.allocate(16, 16), nullptr);
        EXPECT_EQ(arena.allocate(arena.capacity() + 1, 16), nullptr);
        continue;
      }
      const std::size_t now = arena.used();
      EXPECT_GE(now, used) << "it only grows";
      EXPECT_EQ(now % 16, 0u);
      used = now;
      EXPECT_TRUE(arena.check());
      EXPECT_TRUE(arena.with([](const auto& inner) { return inner.used() + inner.available(16) == inner.capacity(); }));
      EXPECT_GE(arena.peak(Region::kTail), used);
      const arenite::Failure failure = arena.last_failure();
      EXPECT_TRUE(failure.requested == 0 || failure.requested == arena.capacity() + 1);
    }
  });
  EXPECT_EQ(arena.used(), static_cast<std::size_t>(kThreads / 2 * kRounds * 16));
}

struct Node {
  explicit Node(Synchronized<Arena<kThreads * kRounds * 32>, std::mutex>& arena)
      : value(arena.create<double>(1.5)), fixed(2.5) {}
  double* value;
  double fixed;
};

TEST(Threads, ConstructorsUseTheArena) {
  static Synchronized<Arena<kThreads * kRounds * 32>, std::mutex> arena;
  std::vector<const Node*> nodes(kThreads * kRounds);
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) nodes[static_cast<std::size_t>(thread * kRounds + i)] = arena.create<Node>(arena);
  });
  for (const Node* node : nodes) {
    ASSERT_NE(node, nullptr);
    ASSERT_NE(node->value, nullptr);
    EXPECT_EQ(*node->value + node->fixed, 4.0);
  }
  EXPECT_EQ(arena.used(), kThreads * kRounds * (sizeof(Node) + sizeof(double)));
}

// A view needs no lock while nobody gives the overlay back.
TEST(Threads, ReadAViewWhileOthersAllocate) {
  static constexpr Buffer kBuffers[] = {{256, 0, 1}, {128, 1, 2}, {256, 2, 3}};
  static constexpr auto kPlan = arenite::plan(kBuffers);
  static Synchronized<Arena<kPlan.size() + kThreads * kRounds * 8>, std::mutex> arena;
  const auto view = arena.overlay(kPlan);
  ASSERT_TRUE(view);
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      EXPECT_NE(arena.allocate(8, 8), nullptr);
      int* const data = view.data<int>(thread % 3);
      ASSERT_NE(data, nullptr);
      EXPECT_TRUE(arena.contains(data));
      EXPECT_TRUE(arena.overlay(kPlan)) << "the same bytes again";
    }
  });
}

}  // namespace
