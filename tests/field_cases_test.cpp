// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What went wrong for people with other arenas, and must not here: each case with its neighbours, on each way into the
// arena. docs/field-notes.md lists all cases, those that are answered elsewhere too.

#include <arenite/adapters/tflm_offline_plan.hpp>
#include <arenite/arena.hpp>
#include <arenite/constraint.hpp>
#include <arenite/dry_run.hpp>
#include <arenite/lifetimes.hpp>
#include <arenite/observers/recorder.hpp>
#include <arenite/planner.hpp>
#include <arenite/session.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "planning_oracle.hpp"

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::ArenaState;
using arenite::Buffer;
using arenite::Constraint;
using arenite::ConstraintList;
using arenite::Destructor;
using arenite::DryRun;
using arenite::kMaxSize;
using arenite::kNoIndex;
using arenite::pinned;
using arenite::PlanRef;
using arenite::Region;
using arenite::reserved;
using arenite::Status;
using arenite::TempScope;
using arenite::Verdict;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kLargestPowerOfTwo = kHuge / 2 + 1;

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// A number that the compiler does not know: it warns of loops over arrays that there cannot be.
std::size_t unknown(std::size_t number) {
  volatile std::size_t hidden = number;
  return hidden;
}

alignas(256) std::byte memory[8192];

// One way to ask an arena for bytes.
struct Entry {
  const char* name;
  ArenaRef arena;
  Region region;
  void* (*take)(ArenaRef&, TempScope*, std::size_t, std::size_t);
  TempScope* temp;

  [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) { return take(arena, temp, size, alignment); }
  // Planned blocks share their bytes; all others lie one behind the other.
  [[nodiscard]] bool stacks() const { return region != Region::kOverlay; }
  [[nodiscard]] bool grows_up() const { return region != Region::kTail; }
  [[nodiscard]] std::size_t used() const { return arena.used(region); }
};

// A reference to a function, of whatever type: so all that takes one is compiled once.
class Use {
 public:
  template <class Function>
  Use(const Function& function)
      : function_(&function), call_([](const void* f, Entry& entry) { (*static_cast<const Function*>(f))(entry); }) {}
  void operator()(Entry entry) const { call_(function_, entry); }

 private:
  const void* function_;
  void (*call_)(const void*, Entry&);
};

// Calls `use(entry)` for each way into an empty arena of `capacity` bytes at `base` bytes behind a multiple of 256.
void on_every_entry(std::size_t base, std::size_t capacity, Use use) {
  const auto on = [&](const char* name, Region region, auto take) {
    ArenaState state;
    ArenaRef arena(state, memory + base, capacity);
    SCOPED_TRACE(testing::Message() << name << ", base " << base);
    if (region == Region::kTemp) {
      TempScope temp = arena.temp();
      use(Entry{name, arena, region, take, &temp});
    } else {
      use(Entry{name, arena, region, take, nullptr});
    }
    EXPECT_TRUE(arena.check());
    EXPECT_LE(arena.used(), capacity);
  };
  using Size = std::size_t;
  on("tail", Region::kTail, [](ArenaRef& arena, TempScope*, Size n, Size a) { return arena.allocate(n, a); });
  on("tail by name", Region::kTail,
     [](ArenaRef& arena, TempScope*, Size n, Size a) { return arena.tail().allocate(n, a); });
  on("head", Region::kHead, [](ArenaRef& arena, TempScope*, Size n, Size a) { return arena.head().allocate(n, a); });
  on("overlay", Region::kOverlay, [](ArenaRef& arena, TempScope*, Size n, Size a) { return arena.overlay(n, a); });
  on("temp", Region::kTemp, [](ArenaRef&, TempScope* temp, Size n, Size a) { return temp->allocate(n, a); });
}

// The same for each base address in a range.
void on_every_entry_and_base(std::size_t capacity, Use use) {
  for (std::size_t base = 0; base <= 16; ++base) on_every_entry(base, capacity, use);
}

// A request that is refused, and nothing changed.
void expect_refused(Entry& entry, std::size_t size, std::size_t alignment) {
  const std::size_t used = entry.arena.used();
  const std::size_t free = entry.arena.available(1);
  const std::size_t failures = entry.arena.failures();
  EXPECT_EQ(entry.allocate(size, alignment), nullptr) << size << ", " << alignment;
  EXPECT_EQ(entry.arena.used(), used);
  EXPECT_EQ(entry.arena.available(1), free);
  EXPECT_EQ(entry.arena.failures(), failures + 1);
  EXPECT_EQ(entry.arena.last_failure().requested, size);
  EXPECT_EQ(entry.arena.last_failure().alignment, alignment);
}

// --- A: sizes that wrap ----------------------------------------------------------------------------------------------

TEST(FieldCases, A1_SizeNearTheLargest) {
  on_every_entry_and_base(64, [](Entry entry) {
    expect_refused(entry, kHuge - 3, 16);
    EXPECT_NE(entry.allocate(16, 16), nullptr);
    for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) {
      for (std::size_t less = 0; less < 80; ++less) expect_refused(entry, kHuge - less, alignment);
      for (std::size_t more = 0; more < 4; ++more) expect_refused(entry, kMaxSize - 1 + more, alignment);
    }
    const std::size_t free = entry.arena.available(entry.region, 1);
    if (free != 0) {
      EXPECT_NE(entry.allocate(free, 1), nullptr) << "still of use";
    }
  });
}

TEST(FieldCases, A2_NoPointerTwice) {
  on_every_entry(0, 64, [](Entry entry) {
    expect_refused(entry, kHuge, 8);
    expect_refused(entry, kHuge - 6, 8);
    const void* const first = entry.allocate(8, 8);
    expect_refused(entry, kHuge - 6, 8);
    expect_refused(entry, kHuge - 7, 8);
    const void* const second = entry.allocate(8, 8);
    EXPECT_NE(first, nullptr);
    EXPECT_NE(second, nullptr);
    EXPECT_EQ(first != second, entry.stacks());
  });
}

// There is no header in front of a block whose size could be added to the request.
TEST(FieldCases, A5_NoHeaderIsAdded) {
  for (std::size_t header = 1; header <= 2 * sizeof(ArenaState); ++header) {
    on_every_entry(3, 64, [header](Entry entry) { expect_refused(entry, kHuge - header + 1, 1); });
  }
  on_every_entry(0, 64, [](Entry entry) { EXPECT_NE(entry.allocate(64, 1), nullptr); });
}

TEST(FieldCases, A6_NegativeSize) {
  on_every_entry_and_base(128, [](Entry entry) {
    EXPECT_NE(entry.allocate(32, 1), nullptr);
    for (std::size_t minus = 1; minus <= 64; ++minus) {
      for (std::size_t alignment = 1; alignment <= 32; alignment *= 2) {
        expect_refused(entry, std::size_t{0} - minus, alignment);
      }
    }
    EXPECT_EQ(entry.used(), 32u);
  });
}

TEST(FieldCases, A7_LargestSizeWhenHalfIsUsed) {
  on_every_entry(0, 10, [](Entry entry) {
    EXPECT_NE(entry.allocate(5, 1), nullptr);
    expect_refused(entry, kHuge, 1);
    EXPECT_NE(entry.allocate(entry.stacks() ? 5 : 10, 1), nullptr);
    EXPECT_EQ(entry.used(), 10u);
    expect_refused(entry, kHuge, 1);
  });
}

TEST(FieldCases, A9_HalfOfTheAddressSpaceTwice) {
  on_every_entry_and_base(64, [](Entry entry) {
    for (std::size_t alignment = 1; alignment <= 128; alignment *= 2) {
      expect_refused(entry, kHuge / 2, alignment);
      expect_refused(entry, kHuge / 2, alignment);
      expect_refused(entry, kHuge / 2 + 1, alignment);
      expect_refused(entry, kHuge / 2 - 63, alignment);
    }
    EXPECT_EQ(entry.used(), 0u);
  });
}

TEST(FieldCases, A11_MoreThan32Bits) {
  if constexpr (sizeof(std::size_t) > 4) {
    on_every_entry(0, 64, [](Entry entry) {
      for (unsigned bit = 8; bit < std::numeric_limits<std::size_t>::digits; ++bit) {
        expect_refused(entry, (std::size_t{1} << bit) + 16, 1);
        expect_refused(entry, (std::size_t{1} << bit) + 16, 64);
      }
    });
  } else {
    GTEST_SKIP() << "size_t has 32 bits";
  }
}

template <class T, class Place>
void expect_no_array(ArenaRef arena, Place& place) {
  const std::size_t used = arena.used();
  // Products of which only the low bits would fit.
  for (std::size_t more = 0; more < 10; ++more) {
    if constexpr (sizeof(T) > 1) {
      EXPECT_EQ(place.template create_array<T>(unknown(kHuge / sizeof(T) + 1 + more)), nullptr);
      EXPECT_EQ(arena.last_failure().requested, kHuge);
      EXPECT_EQ(arena.last_failure().what, Status::kSizeOverflow);
    }
    EXPECT_EQ(place.template create_array<T>(unknown(kHuge - more)), nullptr);
    EXPECT_EQ(place.template create_array<T>(unknown(kMaxSize / sizeof(T) + 1 + more)), nullptr);
    EXPECT_EQ(place.template create_array<T>(unknown(kLargestPowerOfTwo >> more)), nullptr);
  }
  EXPECT_EQ(arena.used(), used);
  EXPECT_NE(place.template create_array<T>(1), nullptr);
}

struct Three {
  char bytes[3];
};
struct alignas(64) Wide {
  char bytes[64];
};

template <class T>
void expect_no_array_anywhere() {
  ArenaState state;
  ArenaRef arena(state, memory + 1, 512);
  expect_no_array<T>(arena, arena);
  const auto head = arena.head();
  expect_no_array<T>(arena, head);
  TempScope temp = arena.temp();
  expect_no_array<T>(arena, temp);
}

// Every entry point, so arrays and plans too; the plain requests are in A1.
TEST(FieldCases, A13_ArraysAndPlans) {
  expect_no_array_anywhere<char>();
  expect_no_array_anywhere<Three>();
  expect_no_array_anywhere<std::uint64_t>();
  expect_no_array_anywhere<Wide>();

  static constexpr Buffer kBuffers[] = {{kMaxSize, 0, 0, 1}};
  static constexpr auto kPlan = arenite::plan(kBuffers);
  Arena<64> arena;
  EXPECT_NE(arena.head().allocate(9, 1), nullptr);
  EXPECT_EQ(arena.overlay(kPlan).status(), Status::kOutOfMemory);
  EXPECT_EQ(arena.used(), 9u);
}

// --- B: where the memory begins --------------------------------------------------------------------------------------

TEST(FieldCases, B1_AddressAtThree) {
  on_every_entry(3, 64, [](Entry entry) {
    const void* const block = entry.allocate(8, 8);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(address_of(block) % 8, 0u);
    EXPECT_EQ(entry.used(), entry.grows_up() ? 13u : 11u);  // 3 to 8; or 67 down to 64
  });
  on_every_entry_and_base(64, [](Entry entry) {
    for (std::size_t alignment = 1; alignment <= 32; alignment *= 2) {
      const auto* const block = static_cast<const std::byte*>(entry.allocate(1, alignment));
      if (block == nullptr) continue;
      EXPECT_EQ(address_of(block) % alignment, 0u);
      EXPECT_TRUE(entry.arena.contains(block));
    }
  });
}

TEST(FieldCases, B2_UsableBytesOfAnOddBase) {
  on_every_entry(4, 64, [](Entry entry) {
    EXPECT_EQ(entry.arena.available(entry.region, 16), 52u);
    expect_refused(entry, 53, 16);
    EXPECT_NE(entry.allocate(52, 16), nullptr);
  });
  for (std::size_t base = 0; base <= 16; ++base) {
    on_every_entry(base, 64, [base](Entry entry) {
      const std::size_t lost = (16 - base % 16) % 16;
      EXPECT_EQ(entry.arena.available(entry.region, 16), 64 - lost);
      for (std::size_t size = 1; size < 20; ++size) {
        const void* const block = entry.allocate(size, 16);
        if (block == nullptr) break;
        EXPECT_EQ(address_of(block) % 16, 0u);
      }
    });
  }
}

template <std::size_t kAlignment>
void expect_aligned_behind_a_char() {
  struct Holder {
    char c = 0;
    Arena<37, kAlignment> arena;
  };
  Holder holders[2];
  for (const Holder& holder : holders) {
    EXPECT_EQ(address_of(holder.arena.data()) % kAlignment, 0u);
    EXPECT_GE(address_of(holder.arena.data()), address_of(&holder.arena));
    EXPECT_LE(address_of(holder.arena.data()) + 37, address_of(&holder + 1));
  }
}

TEST(FieldCases, B3_StorageBehindAChar) {
  expect_aligned_behind_a_char<1>();
  expect_aligned_behind_a_char<2>();
  expect_aligned_behind_a_char<16>();
  expect_aligned_behind_a_char<64>();
  expect_aligned_behind_a_char<512>();
}

TEST(FieldCases, B5_PlannedAddressesWithTheBase) {
  static constexpr Buffer kBuffers[] = {{5, 0, 1, 1},  {24, 0, 1, 32}, {3, 1, 2, 2},
                                        {7, 1, 3, 16}, {64, 2, 3, 64}, {0, 0, 3, 128}};
  static constexpr auto kPlan = arenite::plan(kBuffers);
  for (std::size_t base = 0; base <= 128; ++base) {
    ArenaState state;
    ArenaRef arena(state, memory + base, 1024);
    EXPECT_NE(arena.head().allocate(1, 1), nullptr);
    const auto view = arena.overlay(kPlan);
    ASSERT_TRUE(view);
    for (std::size_t i = 0; i < kPlan.count(); ++i) {
      ASSERT_NE(view.data<std::byte>(i), nullptr);
      if (kBuffers[i].size == 0) continue;  // its alignment asks for nothing
      EXPECT_EQ(address_of(view.data<std::byte>(i)) % kBuffers[i].alignment.bytes(), 0u);
    }
  }
}

TEST(FieldCases, B6_LostBytesAreANumber) {
  static constexpr Buffer kBuffers[] = {{40, 0, 0, 16}};
  static constexpr auto kPlan = arenite::plan(kBuffers);
  ArenaState state;
  ArenaRef arena(state, memory + 4, 64);
  const auto view = arena.overlay(kPlan);
  EXPECT_EQ(view.status(), Status::kOk);
  EXPECT_EQ(arena.used(Region::kOverlay) - kPlan.size(), 12u);
  EXPECT_EQ(arena.failures(), 0u);
}

TEST(FieldCases, B7_ARequestFarTooLarge) {
  on_every_entry(0, 1024, [](Entry entry) {
    for (const std::size_t size : {std::size_t{61942520}, std::size_t{1025}, kMaxSize}) {
      expect_refused(entry, size, 16);
      const arenite::Failure failure = entry.arena.last_failure();
      EXPECT_EQ(failure.what, Status::kOutOfMemory);
      EXPECT_EQ(failure.requested, size);
      EXPECT_EQ(failure.available, 1024u);
      EXPECT_EQ(failure.missing, size - 1024);
    }
    expect_refused(entry, kHuge, 16);
    EXPECT_EQ(entry.arena.last_failure().what, Status::kSizeOverflow);
    EXPECT_EQ(entry.arena.last_failure().available, 1024u);
    EXPECT_EQ(entry.arena.last_failure().missing, kHuge - 1024);
  });
}

TEST(FieldCases, B10_NothingIsLostWhereTheStartIsAligned) {
  for (std::size_t base = 0; base <= 64; base += 8) {
    on_every_entry(base, 16, [base](Entry entry) {
      const void* const first = entry.allocate(8, 8);
      EXPECT_EQ(first, memory + base + (entry.grows_up() ? 0 : 8));
      if (!entry.stacks()) return;
      EXPECT_EQ(entry.allocate(8, 8), memory + base + (entry.grows_up() ? 8 : 0));
      expect_refused(entry, 8, 8);
      expect_refused(entry, 1, 1);
      EXPECT_EQ(entry.used(), 16u);
    });
  }
}

// --- C: alignments ---------------------------------------------------------------------------------------------------

TEST(FieldCases, C1_MoreAlignedThanTheBase) {
  for (std::size_t base = 0; base < 64; ++base) {
    on_every_entry(base, 2048, [base](Entry entry) {
      const auto* const block = static_cast<std::byte*>(entry.allocate(1024, 32));
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(address_of(block) % 32, 0u);
      EXPECT_GE(address_of(block), address_of(memory + base));
      EXPECT_LE(address_of(block) + 1024, address_of(memory + base) + 2048);
    });
  }
}

TEST(FieldCases, C2_LargeAlignmentsAreHonoured) {
  on_every_entry_and_base(1024, [](Entry entry) {
    for (std::size_t alignment = 32; alignment <= 256; alignment *= 2) {
      const void* const block = entry.allocate(8, alignment);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(address_of(block) % alignment, 0u);
    }
  });
  struct alignas(32) Vector {
    char c;
  };
  Arena<256, 1> arena;
  EXPECT_NE(arena.allocate(1, 1), nullptr);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(address_of(arena.create<Vector>()) % 32, 0u);
    EXPECT_EQ(address_of(arena.head().create<Vector>()) % 32, 0u);
  }
  EXPECT_EQ(arena.failures(), 0u);
}

TEST(FieldCases, C5_AlignmentLargerThanTheArena) {
  on_every_entry(64, 1024, [](Entry entry) {
    for (std::size_t alignment = 16384; alignment != 0; alignment *= 2) {
      for (const std::size_t size : {std::size_t{1}, std::size_t{1024}, kMaxSize, kHuge}) {
        const std::uintptr_t end = address_of(memory + 64) + 1024;
        if (end - end % alignment >= address_of(memory + 64)) continue;  // the linker put it at such an address
        expect_refused(entry, size, alignment);
        EXPECT_EQ(entry.arena.last_failure().available, 0u);
        EXPECT_GT(entry.arena.last_failure().missing, 0u);
      }
    }
    EXPECT_EQ(entry.used(), 0u);
  });
}

TEST(FieldCases, C6_PowersOfTwoOnly) {
  on_every_entry(0, 4096, [](Entry entry) {
    for (std::size_t alignment = 0; alignment <= 300; ++alignment) {
      const bool power = alignment == 1 || alignment == 2 || alignment == 4 || alignment == 8 || alignment == 16 ||
                         alignment == 32 || alignment == 64 || alignment == 128 || alignment == 256;
      if (power) {
        EXPECT_NE(entry.allocate(8, alignment), nullptr) << alignment;
        EXPECT_NE(entry.allocate(0, alignment), nullptr) << alignment;
        continue;
      }
      for (const std::size_t size : {std::size_t{8}, std::size_t{0}, kHuge}) {
        expect_refused(entry, size, alignment);
        EXPECT_EQ(entry.arena.last_failure().what, Status::kInvalidAlignment);
      }
      EXPECT_EQ(entry.arena.available(entry.region, alignment), 0u);
    }
    for (const std::size_t alignment : {kHuge, kHuge - 1, kLargestPowerOfTwo + 1, kLargestPowerOfTwo - 1}) {
      expect_refused(entry, 8, alignment);
      EXPECT_EQ(entry.arena.last_failure().what, Status::kInvalidAlignment);
    }
  });
}

TEST(FieldCases, C8_RequiredDependsOnTheAlignment) {
  static constexpr Buffer kLoose[] = {{10, 0, 0, 16}, {10, 0, 0, 16}};
  static constexpr Buffer kStrict[] = {{10, 0, 0, 16}, {10, 0, 0, 64}};
  static constexpr auto kLoosePlan = arenite::plan(kLoose);
  static constexpr auto kStrictPlan = arenite::plan(kStrict);
  const auto need = [](std::size_t base, const auto& plan) {
    ArenaState state;
    ArenaRef arena(state, memory + base, 0);
    (void)arena.overlay(plan);
    DryRun run(base);
    run.overlay(plan);
    return std::pair(arena.required(), run.required());
  };
  // A base of 16 is padded to 64 for one of them only. Without memory the base is unknown, and taken as aligned for
  // a pointer at least.
  EXPECT_EQ(need(0, kLoosePlan).second, 26u);
  EXPECT_EQ(need(16, kLoosePlan).second, 26u);
  EXPECT_EQ(need(16, kStrictPlan).second, 48u + kStrictPlan.size());
  ArenaState state;
  ArenaRef arena(state, memory + 16, 1);
  EXPECT_FALSE(arena.overlay(kStrictPlan));
  EXPECT_EQ(arena.required(), 48u + kStrictPlan.size());
}

TEST(FieldCases, C9_SmallAlignmentsHaveAnEffect) {
  constexpr auto used = [](std::size_t alignment) {
    const Buffer buffers[] = {{3, 0, 0, alignment}, {3, 0, 0, alignment}};
    const auto plan = arenite::plan(buffers);
    Arena<64> arena;
    EXPECT_TRUE(arena.overlay(plan));
    return arena.used();
  };
  EXPECT_EQ(used(1), 6u);
  EXPECT_EQ(used(2), 7u);
  EXPECT_EQ(used(4), 7u);
  EXPECT_EQ(used(8), 11u);
  EXPECT_EQ(used(16), 19u);
}

TEST(FieldCases, C10_TypesBringTheirAlignment) {
  struct alignas(16) Sixteen {
    char c;
  };
  for (std::size_t base = 0; base <= 16; ++base) {
    ArenaState state;
    ArenaRef arena(state, memory + base, 512);
    EXPECT_NE(arena.allocate(1, 1), nullptr);
    EXPECT_EQ(address_of(arena.create<long double>()) % alignof(long double), 0u);
    EXPECT_EQ(address_of(arena.create<char>()) % 1, 0u);
    EXPECT_EQ(address_of(arena.create<Sixteen>()) % 16, 0u);
    EXPECT_NE(arena.head().create<char>(), nullptr);
    EXPECT_EQ(address_of(arena.head().create<std::max_align_t>()) % alignof(std::max_align_t), 0u);
    EXPECT_NE(arena.head().create<char>(), nullptr);
    EXPECT_EQ(address_of(arena.head().create_array<Sixteen>(2)) % 16, 0u);
    TempScope temp = arena.temp();
    EXPECT_NE(temp.create<char>(), nullptr);
    EXPECT_EQ(address_of(temp.create<std::uint64_t>()) % alignof(std::uint64_t), 0u);
    EXPECT_EQ(arena.failures(), 0u);
  }
}

// --- D: padding and cursors ------------------------------------------------------------------------------------------

TEST(FieldCases, D1_ExactFitBehindPadding) {
  on_every_entry(0, 30, [](Entry entry) {
    if (!entry.stacks()) return;
    if (entry.grows_up()) {
      EXPECT_NE(entry.allocate(10, 1), nullptr);
      expect_refused(entry, 15, 16);
      EXPECT_EQ(entry.allocate(14, 16), memory + 16);
    } else {
      EXPECT_NE(entry.allocate(10, 1), nullptr);  // 20 to 30
      expect_refused(entry, 21, 16);
      EXPECT_EQ(entry.allocate(20, 16), memory);
    }
    EXPECT_EQ(entry.used(), 30u);
  });
}

TEST(FieldCases, D2_PaddingPastTheEnd) {
  // No multiple of 16 in the last 10 bytes, nor in the first 10.
  for (const std::size_t base : {1u, 2u, 6u}) {
    on_every_entry(base, 30, [base](Entry entry) {
      if (!entry.stacks() || (entry.grows_up() && base != 2)) return;
      EXPECT_NE(entry.allocate(20, 1), nullptr);
      for (std::size_t alignment = 16; alignment <= 256; alignment *= 2) {
        for (std::size_t size = 1; size <= 12; ++size) expect_refused(entry, size, alignment);
      }
      EXPECT_EQ(entry.used(), 20u);
      expect_refused(entry, 11, 1);
      EXPECT_NE(entry.allocate(10, 1), nullptr);
      EXPECT_EQ(entry.used(), 30u);
    });
  }
  on_every_entry(0, 30, [](Entry entry) {
    if (!entry.stacks() || !entry.grows_up()) return;
    EXPECT_NE(entry.allocate(20, 1), nullptr);
    expect_refused(entry, 1, 16);
    EXPECT_EQ(entry.used(), 20u);
    EXPECT_NE(entry.allocate(10, 1), nullptr);
  });
}

TEST(FieldCases, D4_SizesAreNotRoundedUp) {
  on_every_entry(0, 64, [](Entry entry) {
    if (!entry.stacks()) return;
    EXPECT_EQ(entry.allocate(12, 4), memory + (entry.grows_up() ? 0 : 52));
    EXPECT_EQ(entry.allocate(4, 4), memory + (entry.grows_up() ? 12 : 48));
    EXPECT_EQ(entry.used(), 16u);
    EXPECT_NE(entry.allocate(3, 1), nullptr);
    EXPECT_EQ(entry.used(), 19u);
  });
}

TEST(FieldCases, D5_BlocksAreAsLongAsAsked) {
  on_every_entry_and_base(128, [](Entry entry) {
    if (!entry.stacks()) return;
    const std::uintptr_t a = address_of(entry.allocate(5, 1));
    const std::uintptr_t b = address_of(entry.allocate(24, 16));
    const std::uintptr_t c = address_of(entry.allocate(1, 1));
    ASSERT_TRUE(a != 0 && b != 0 && c != 0);
    EXPECT_TRUE(entry.grows_up() ? a + 5 <= b && b + 24 <= c : c + 1 <= b && b + 24 <= a);
    EXPECT_EQ(entry.grows_up() ? c : c + 1, entry.grows_up() ? b + 24 : b);
  });
  on_every_entry(0, 128, [](Entry entry) {
    if (!entry.stacks() || !entry.grows_up()) return;
    EXPECT_NE(entry.allocate(5, 1), nullptr);
    EXPECT_NE(entry.allocate(24, 16), nullptr);
    EXPECT_EQ(entry.allocate(1, 1), memory + 40);
  });
}

template <class Place>
void expect_distinct_words(Place& place) {
  std::uint32_t* words[8] = {};
  for (std::uint32_t i = 0; i < 8; ++i) {
    words[i] = place.template create<std::uint32_t>(i);
    ASSERT_NE(words[i], nullptr);
  }
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(*words[i], i);
}

TEST(FieldCases, D6_LiveBlocksDoNotOverlap) {
  on_every_entry(0, 256, [](Entry entry) {
    if (!entry.stacks()) return;
    EXPECT_EQ(entry.allocate(100, 4), memory + (entry.grows_up() ? 0 : 156));
    EXPECT_EQ(entry.allocate(4, 4), memory + (entry.grows_up() ? 100 : 152));
  });
  Arena<96> arena;
  expect_distinct_words(arena);
  const auto head = arena.head();
  expect_distinct_words(head);
  TempScope temp = arena.temp();
  expect_distinct_words(temp);
  EXPECT_EQ(arena.used(), 96u);
}

TEST(FieldCases, D7_ExactFit) {
  on_every_entry_and_base(64, [](Entry entry) {
    expect_refused(entry, 65, 1);
    EXPECT_NE(entry.allocate(64, 1), nullptr);
    if (entry.stacks()) expect_refused(entry, 1, 1);
    EXPECT_EQ(entry.arena.available(1), 0u);
  });
  for (std::size_t head = 0; head <= 64; ++head) {
    Arena<64> arena;
    EXPECT_NE(arena.head().allocate(head, 1), nullptr);
    EXPECT_EQ(arena.allocate(64 - head + 1, 1), nullptr);
    EXPECT_NE(arena.allocate(64 - head, 1), nullptr);
    EXPECT_EQ(arena.used(), 64u);
    EXPECT_EQ(arena.head().allocate(1, 1), nullptr);
  }
}

TEST(FieldCases, D10_BackToTheSamePlace) {
  for (std::size_t base = 0; base <= 16; ++base) {
    ArenaState state;
    ArenaRef arena(state, memory + base, 128);
    EXPECT_NE(arena.head().allocate(3, 1), nullptr);
    EXPECT_NE(arena.allocate(3, 1), nullptr);
    const void* again = nullptr;
    for (int i = 0; i < 3; ++i) {
      TempScope outer = arena.temp();
      const void* const first = outer.allocate(1, 1);
      {
        TempScope inner = outer.temp();
        EXPECT_NE(inner.allocate(16, 16), nullptr);
      }
      EXPECT_EQ(arena.used(Region::kTemp), 1u);
      if (i > 0) {
        EXPECT_EQ(first, again);
      }
      again = first;
    }
    EXPECT_EQ(arena.used(), 6u);
    const auto ends = [&](auto end) {
      const auto outer = end.mark();
      EXPECT_NE(end.allocate(1, 1), nullptr);
      const auto inner = end.mark();
      EXPECT_NE(end.allocate(16, 16), nullptr);
      EXPECT_EQ(end.release(inner), Status::kOk);
      EXPECT_EQ(end.release(outer), Status::kOk);
      EXPECT_EQ(arena.used(), 6u);
    };
    ends(arena.tail());
    ends(arena.head());
  }
}

// --- E: nothing ------------------------------------------------------------------------------------------------------

// Success: the highest aligned address, and nothing is taken.
TEST(FieldCases, E1_ZeroBytes) {
  on_every_entry_and_base(64, [](Entry entry) {
    const std::uintptr_t begin = address_of(entry.arena.data());
    for (std::size_t alignment = 1; alignment <= 32; alignment *= 2) {
      const void* const first = entry.allocate(0, alignment);
      const void* const second = entry.allocate(0, alignment);
      ASSERT_NE(first, nullptr);
      EXPECT_EQ(first, second) << "two of them may share an address";
      EXPECT_EQ(address_of(first) % alignment, 0u);
      EXPECT_EQ(address_of(first), (begin + 64) - (begin + 64) % alignment);
    }
    EXPECT_EQ(entry.arena.used(), 0u);
    EXPECT_EQ(entry.arena.required(), 0u);
    EXPECT_NE(entry.allocate(64, 1), nullptr) << "nothing was taken";
  });
  Arena<64> arena;
  EXPECT_NE(arena.create_array<std::uint64_t>(0), nullptr);
  EXPECT_NE(arena.head().create_array<std::uint64_t>(0), nullptr);
  TempScope temp = arena.temp();
  EXPECT_NE(temp.create_array<std::uint64_t>(0), nullptr);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.failures(), 0u);
}

TEST(FieldCases, E3_PlannedBufferOfZeroBytes) {
  static constexpr Buffer kBuffers[] = {{100, 0, 1, 1}, {0, 0, 1, 64}, {100, 2, 3, 1}};
  static constexpr auto kPlan = arenite::plan(kBuffers);
  Arena<100, 64> arena;
  const auto view = arena.overlay(kPlan);
  ASSERT_TRUE(view);
  EXPECT_EQ(arena.used(), 100u);
  EXPECT_NE(view.data<char>(1), nullptr);
  EXPECT_LE(view.data<std::byte>(1), view.base() + 100);
  EXPECT_EQ(view.size(1), 0u);
  EXPECT_EQ(view.data<char>(1, 1), nullptr);
}

TEST(FieldCases, E4_ZeroBytesOfNoneLeft) {
  on_every_entry(0, 16, [](Entry entry) {
    EXPECT_NE(entry.allocate(16, 1), nullptr);
    EXPECT_NE(entry.allocate(0, 1), nullptr);
    EXPECT_NE(entry.allocate(0, 16), nullptr);
    if (entry.stacks()) {
      expect_refused(entry, 1, 1);
    }
  });
}

TEST(FieldCases, E6_ZeroBytesAreNoFailure) {
  on_every_entry(0, 16, [](Entry entry) {
    EXPECT_NE(entry.allocate(16, 1), nullptr);
    EXPECT_NE(entry.allocate(0, 1), nullptr);
    EXPECT_EQ(entry.arena.failures(), 0u);
    EXPECT_EQ(entry.arena.last_failure().what, Status::kOk);
  });
}

// --- F: the size that is needed --------------------------------------------------------------------------------------

TEST(FieldCases, F1_RequiredIsNotUsed) {
  const auto run = [](std::size_t capacity, std::size_t& used, std::size_t& required) {
    ArenaState state;
    ArenaRef arena(state, memory, capacity);
    (void)arena.allocate(100, 1);
    {
      TempScope temp = arena.temp();
      (void)temp.allocate(200, 1);
    }
    used = arena.used();
    required = arena.required();
    return arena.failures() == 0;
  };
  std::size_t used = 0;
  std::size_t required = 0;
  EXPECT_TRUE(run(1000, used, required));
  EXPECT_EQ(used, 100u);
  EXPECT_EQ(required, 300u);
  EXPECT_TRUE(run(300, used, required));
  EXPECT_EQ(required, 300u);
  EXPECT_FALSE(run(299, used, required));
  EXPECT_EQ(required, 300u);
  EXPECT_FALSE(run(0, used, required));
  EXPECT_EQ(required, 300u);
}

// Calls that an arena and a dry run understand.
template <class AnyArena>
void mixed_trace(AnyArena& arena) {
  (void)arena.head().allocate(7, 1);
  (void)arena.allocate(13, 8);
  (void)arena.overlay(50, 32);
  {
    auto temp = arena.temp();
    (void)temp.allocate(9, 4);
    (void)arena.allocate(3, 2);
  }
  (void)arena.overlay(60, 1);
  (void)arena.allocate(6, 16);
}

TEST(FieldCases, F3_ADryRunKnowsTheSize) {
  for (std::size_t base = 0; base <= 32; ++base) {
    DryRun run(base);
    mixed_trace(run);
    const auto works = [base](std::size_t capacity) {
      ArenaState state;
      ArenaRef arena(state, memory + base, capacity);
      mixed_trace(arena);
      return arena.failures() == 0;
    };
    EXPECT_TRUE(works(run.required())) << base;
    EXPECT_FALSE(works(run.required() - 1)) << base;
  }
}

TEST(FieldCases, F4_PeakCountsPadding) {
  on_every_entry(0, 16, [](Entry entry) {
    if (!entry.stacks()) return;
    EXPECT_NE(entry.allocate(1, 1), nullptr);
    EXPECT_NE(entry.allocate(4, 4), nullptr);
    EXPECT_EQ(entry.used(), 8u);
    EXPECT_EQ(entry.arena.used(), 8u);
    EXPECT_EQ(entry.arena.peak(), 8u);
    EXPECT_EQ(entry.arena.peak(entry.region), 8u);
  });
}

TEST(FieldCases, F6_RequiredGoesOnCounting) {
  on_every_entry(0, 256, [](Entry entry) {
    EXPECT_NE(entry.allocate(10, 1), nullptr);
    EXPECT_EQ(entry.arena.required(), 10u);
    EXPECT_NE(entry.allocate(64, 1), nullptr);
    EXPECT_EQ(entry.arena.required(), entry.stacks() ? 74u : 64u);
    expect_refused(entry, 300, 1);
    EXPECT_EQ(entry.arena.required(), entry.stacks() ? 374u : 300u);
  });
}

void expect_all_bytes(ArenaRef arena, std::size_t size) {
  SCOPED_TRACE(size);
  EXPECT_EQ(arena.allocate(size, 1), arena.data());
  EXPECT_EQ(arena.allocate(1, 1), nullptr);
  EXPECT_EQ(arena.reset(), Status::kOk);
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_NE(i % 2 == 0 ? arena.allocate(1, 1) : arena.head().allocate(1, 1), nullptr);
  }
  EXPECT_EQ(arena.available(1), 0u);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_NE(arena.overlay(size, 1), nullptr);
  EXPECT_EQ(arena.overlay(size + 1, 1), nullptr);
}

template <std::size_t kSize>
void expect_all_bytes_of_arena() {
  static Arena<kSize> arena;
  expect_all_bytes(arena, kSize);
}

TEST(FieldCases, F8_AllBytesAreTheUsers) {
  for (std::size_t size = 1; size <= 64; ++size) {
    ArenaState state;
    expect_all_bytes(ArenaRef(state, memory, size), size);
  }
  expect_all_bytes_of_arena<1>();
  expect_all_bytes_of_arena<3>();
  expect_all_bytes_of_arena<16>();
  expect_all_bytes_of_arena<64>();
}

// --- G: host and target ----------------------------------------------------------------------------------------------

struct Record {
  void* pointer;
  std::uint32_t number;
};

constexpr std::size_t bytes_of_records(std::size_t count) {
  DryRun run;
  run.create_array<Record>(count);
  return run.required();
}

// What holds pointers has the size that it has on the target; what is bytes has one size everywhere. This test runs
// where pointers have 32 bits, and where they have 64.
TEST(FieldCases, G1_RecordsAsLargeAsOnTheTarget) {
  constexpr std::size_t kRecord = sizeof(void*) == 4 ? 8 : 16;
  static_assert(sizeof(void*) == 4 || sizeof(void*) == 8);
  static_assert(bytes_of_records(10) == 10 * kRecord);
  static_assert(bytes_of_records(9) == 9 * kRecord && bytes_of_records(11) == 11 * kRecord);
  static_assert(bytes_of_records(0) == 0 && bytes_of_records(1) == kRecord);
  Arena<bytes_of_records(10)> enough;
  EXPECT_NE(enough.create_array<Record>(10), nullptr);
  Arena<bytes_of_records(10) - 1> short_of_one;
  EXPECT_EQ(short_of_one.create_array<Record>(10), nullptr);

  static constexpr Buffer kBuffers[] = {{80, 0, 1, 1}, {7, 1, 2, 4}, {160, 2, 3, 8}, {3, 0, 3, 2}, {0, 1, 1, 16}};
  static constexpr auto kPlan = arenite::plan<arenite::greedy>(kBuffers);
  static_assert(kPlan.size() == 171 && kPlan.offset(0) == 0 && kPlan.offset(1) == 160 && kPlan.offset(2) == 0 &&
                kPlan.offset(3) == 168);
  EXPECT_EQ(DryRun().required(), 0u);
}

// What an arena and its observer know of themselves is beside the user's bytes; what a session knows, the arena says.
TEST(FieldCases, G3_BookkeepingIsNotCharged) {
  Arena<64> plain;
  Arena<64, 16, arenite::Recorder<>> recorded;
  static_assert(sizeof(recorded) > sizeof(plain) && sizeof(plain) > 64);
  EXPECT_EQ(plain.used(), 0u);
  EXPECT_EQ(recorded.used(), 0u);
  EXPECT_NE(plain.allocate(64, 1), nullptr);
  EXPECT_NE(recorded.allocate(64, 1), nullptr);
  EXPECT_EQ(plain.required(), 64u);
  EXPECT_EQ(recorded.required(), 64u);

  for (const std::size_t tensors : {1u, 2u, 10u}) {
    Arena<1024, 16, arenite::Recorder<>> arena;
    EXPECT_NE(arena.allocate(48, 16), nullptr);
    arenite::Session<arenite::greedy, arenite::Recorder<>> session;
    ASSERT_EQ(session.begin(arena, tensors), Status::kOk);
    const auto table = arena.observer().of(Region::kTail, arenite::Kind::kMetadata);
    EXPECT_GT(table.taken, 0u) << "a line of its own";
    EXPECT_EQ(table.taken, arena.used() - 48);
    EXPECT_EQ(arena.observer().of(Region::kTail, arenite::Kind::kOther).taken, 48u);
  }
}

// Addresses are calculated in std::uintptr_t: no bit of them is lost, and none is a sign.
TEST(FieldCases, G4_EachBitOfAnAddressCounts) {
  for (unsigned bit = 6; bit < std::numeric_limits<std::uintptr_t>::digits; ++bit) {
    for (std::size_t behind = 0; behind <= 16; ++behind) {
      DryRun run((std::size_t{1} << bit) + behind);
      run.head().allocate(8, 8);
      EXPECT_EQ(run.required(), (8 - behind % 8) % 8 + 8) << bit << ", " << behind;
    }
  }
  if constexpr (sizeof(std::uintptr_t) > sizeof(std::uint32_t)) {
    // The low half of this base is aligned; what lies in the high half decides nothing.
    DryRun run(static_cast<std::uintptr_t>(std::uint64_t{0xFFFFFFFF} << 32 | 0x80000004));
    run.head().allocate(4, 16);
    EXPECT_EQ(run.required(), 16u);
  }
}

// --- J: places that are given ----------------------------------------------------------------------------------------

// The plan that the compiler makes of a list with constraints, once it is sound and the same at run time.
template <const auto& kBuffers, const auto& kConstraints>
constexpr auto plan_by_compiler() {
  constexpr auto kPlan = arenite::plan(kBuffers, kConstraints);
  static_assert(kPlan.verify(kBuffers, kConstraints).ok());
  return kPlan;
}

alignas(std::size_t) std::byte working[2048];

template <std::size_t N>
PlanRef plan_at_run_time(const Buffer (&buffers)[N], const ConstraintList& constraints) {
  return arenite::plan(buffers, N, constraints, working, sizeof(working));
}

template <const auto& kBuffers, const auto& kConstraints>
void expect_same_at_run_time() {
  constexpr auto kPlan = plan_by_compiler<kBuffers, kConstraints>();
  const PlanRef plan = plan_at_run_time(kBuffers, kConstraints);
  ASSERT_EQ(plan.status(), Status::kOk);
  EXPECT_EQ(plan.size(), kPlan.size());
  for (std::size_t i = 0; i < std::size(kBuffers); ++i) EXPECT_EQ(plan.offset(i), kPlan.offset(i)) << i;
}

// Refused for these, whichever way it is asked.
template <std::size_t N, std::size_t C>
void expect_no_plan(const Buffer (&buffers)[N], const Constraint (&constraints)[C], const Verdict& expected) {
  const Verdict verdict = arenite::validate(buffers, constraints);
  EXPECT_EQ(verdict.status, expected.status);
  EXPECT_EQ(verdict.first, expected.first);
  EXPECT_EQ(verdict.second, expected.second);
  const PlanRef plan = plan_at_run_time(buffers, constraints);
  EXPECT_EQ(plan.status(), expected.status);
  EXPECT_EQ(plan.culprit(), expected.first);
  EXPECT_EQ(plan.size(), 0u);
}

TEST(FieldCases, J1_AGivenOffsetIsKept) {
  static constexpr Buffer kOne[] = {{64, 0, 1}};
  static constexpr Constraint kAt128[] = {pinned(0, 128)};
  static_assert(plan_by_compiler<kOne, kAt128>().offset(0) == 128);
  static_assert(plan_by_compiler<kOne, kAt128>().size() == 192);
  expect_same_at_run_time<kOne, kAt128>();

  for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) {
    for (std::size_t offset = 0; offset <= 260; ++offset) {
      // Something larger, placed first by size, and something that would like the place, do not move it.
      const Buffer buffers[] = {{64, 0, 1, alignment}, {500, 1, 2, 1}, {64, 0, 0, 1}};
      const Constraint constraints[] = {pinned(0, offset)};
      if (offset % alignment != 0) {
        expect_no_plan(buffers, constraints, {Status::kMisaligned, 0, kNoIndex});
        continue;
      }
      const PlanRef plan = plan_at_run_time(buffers, constraints);
      ASSERT_EQ(plan.status(), Status::kOk);
      EXPECT_EQ(plan.offset(0), offset);
      EXPECT_EQ(plan.offset(1), offset + 64);
      EXPECT_EQ(plan.offset(2), offset < 64 ? offset + 64 : 0);
      EXPECT_EQ(plan.size(), offset + 64 + 500);
    }
  }
}

TEST(FieldCases, J2_PinnedBuffersThatCollide) {
  static constexpr Buffer kTogether[] = {{64, 0, 2}, {64, 1, 3}};
  static constexpr Constraint kBoth[] = {pinned(0, 0), pinned(1, 32)};
  constexpr Verdict kVerdict = arenite::validate(kTogether, kBoth);
  static_assert(kVerdict.status == Status::kOverlap && kVerdict.first == 0 && kVerdict.second == 1);
  expect_no_plan(kTogether, kBoth, {Status::kOverlap, 0, 1});

  static constexpr Buffer kApart[] = {{64, 0, 1}, {64, 2, 3}};
  static_assert(arenite::validate(kApart, kBoth).ok());
  static_assert(plan_by_compiler<kApart, kBoth>().size() == 96);
  expect_same_at_run_time<kApart, kBoth>();

  for (arenite::Step last = 0; last <= 2; ++last) {  // of the first; the second lives from 1 on
    for (const std::size_t first : {0u, 1u, 32u, 63u, 64u, 65u, 130u}) {
      for (std::size_t second = 0; second <= 130; ++second) {
        const Buffer buffers[] = {{64, 0, last, 1}, {64, 1, 3, 1}};
        const Constraint constraints[] = {pinned(0, first), pinned(1, second)};
        const std::size_t distance = first < second ? second - first : first - second;
        if (last == 0 || distance >= 64) {
          ASSERT_EQ(plan_at_run_time(buffers, constraints).size(), (first < second ? second : first) + 64);
        } else if (first <= second) {
          expect_no_plan(buffers, constraints, {Status::kOverlap, 0, 1});
        } else {
          expect_no_plan(buffers, constraints, {Status::kOverlap, 1, 0});
        }
      }
    }
  }
}

TEST(FieldCases, J3_OthersFlowAroundPins) {
  static constexpr Buffer kBuffers[] = {{32, 0, 2}, {32, 0, 2}, {16, 0, 2}};
  static constexpr Constraint kAt32[] = {pinned(0, 32)};
  static_assert(plan_by_compiler<kBuffers, kAt32>().size() == 80);
  expect_same_at_run_time<kBuffers, kAt32>();
  static constexpr Buffer kLonger[] = {{32, 0, 2}, {48, 0, 2}};
  static_assert(plan_by_compiler<kLonger, kAt32>().size() == 112);
  static_assert(plan_by_compiler<kLonger, kAt32>().offset(1) == 64);
  expect_same_at_run_time<kLonger, kAt32>();
  static constexpr Buffer kLater[] = {{32, 0, 2}, {48, 3, 4}};
  static_assert(plan_by_compiler<kLater, kAt32>().size() == 64);
  static_assert(plan_by_compiler<kLater, kAt32>().offset(1) == 0);
  expect_same_at_run_time<kLater, kAt32>();

  // The hole below, from none to one for both.
  for (std::size_t hole = 0; hole <= 64; ++hole) {
    const Buffer buffers[] = {{32, 0, 2, 1}, {32, 0, 2, 1}, {16, 0, 2, 1}};
    const Constraint constraints[] = {pinned(0, hole)};
    const std::size_t fits = (hole >= 32 ? 32u : 0u) + (hole % 32 >= 16 || hole >= 48 ? 16u : 0u);
    EXPECT_EQ(plan_at_run_time(buffers, constraints).size(), hole + 32 + (48 - fits)) << hole;
    // Aligned, what lies above begins later.
    const Buffer aligned[] = {{32, 0, 2, 1}, {32, 0, 2, 32}};
    EXPECT_EQ(plan_at_run_time(aligned, constraints).size(), hole >= 32 ? hole + 32 : (hole == 0 ? 64u : 96u)) << hole;
  }
}

// tests/tflm_offline_plan_test.cpp has each length, and bytes at random.
TEST(FieldCases, J6_OfflinePlansThatAreCutOff) {
  const auto read = [](std::initializer_list<unsigned char> words, std::size_t missing, std::size_t tensors) {
    std::uint8_t bytes[64] = {};
    std::size_t size = 0;
    for (const unsigned char word : words) {
      for (std::size_t byte = 0; byte < 4; ++byte) bytes[size++] = word == 0xFF || byte == 0 ? word : std::uint8_t{0};
    }
    static Constraint pins[8];
    return arenite::tflm::read_offline_plan(bytes, size - missing, tensors, pins);
  };
  EXPECT_EQ(read({1, 1}, 0, 5).status, Status::kOutOfBounds);
  EXPECT_EQ(read({1, 1, 5, 0, 16, 32}, 0, 5).status, Status::kOutOfBounds);
  for (std::size_t missing = 1; missing <= 32; ++missing) {
    EXPECT_EQ(read({1, 1, 5, 0, 16, 32, 48, 64}, missing, 5).status, Status::kOutOfBounds);
  }
  EXPECT_EQ(read({1, 1, 5, 0, 16, 32, 48, 64}, 0, 5).status, Status::kOk);
  EXPECT_EQ(read({1, 1, 5, 0, 16, 32, 48, 64}, 0, 4).status, Status::kMismatch);
  EXPECT_EQ(read({1, 1, 5, 0, 16, 32, 48, 64}, 0, 6).status, Status::kMismatch);

  const Buffer buffers[] = {{64, 0, 1}, {32, 1, 2}, {16, 2, 3}};
  const auto nothing = read({1, 1, 3, 0xFF, 0xFF, 0xFF}, 0, 3);
  EXPECT_EQ(nothing.status, Status::kOk);
  EXPECT_EQ(nothing.pins.count(), 0u);
  EXPECT_EQ(plan_at_run_time(buffers, nothing.pins).size(), 96u);
  const auto one = read({1, 1, 3, 0xFF, 0xFF, 48}, 0, 3);
  ASSERT_EQ(one.pins.count(), 1u);
  const PlanRef around = plan_at_run_time(buffers, one.pins);
  EXPECT_EQ(around.offset(2), 48u);
  EXPECT_EQ(around.size(), 96u);
}

TEST(FieldCases, J8_WhatIsNotInTheOfflinePlan) {
  enum : std::uint8_t { kA, kB, kScratch };
  static constexpr Buffer kBuffers[] = {{64, 0, 1}, {32, 1, 2}, {16, 1, 1}};
  static constexpr Constraint kAAt0[] = {pinned(kA, 0)};
  constexpr auto kPlan = plan_by_compiler<kBuffers, kAAt0>();
  static_assert(kPlan.offset(kA) == 0 && kPlan.offset(kB) >= 64 && kPlan.offset(kScratch) >= 64);
  static_assert(kPlan.size() == 112 && kPlan.proven());
  expect_same_at_run_time<kBuffers, kAAt0>();

  static constexpr Buffer kBLater[] = {{64, 0, 1}, {32, 2, 2}, {16, 1, 1}};
  static_assert(plan_by_compiler<kBLater, kAAt0>().offset(kB) == 0);
  static_assert(plan_by_compiler<kBLater, kAAt0>().size() == 80);
  expect_same_at_run_time<kBLater, kAAt0>();

  for (std::size_t size = 0; size <= 70; ++size) {  // of A, and of the scratch
    const Buffer larger[] = {{size, 0, 1, 1}, {32, 1, 2, 1}, {16, 1, 1, 1}};
    EXPECT_EQ(plan_at_run_time(larger, kAAt0).size(), size + 48);
    const Buffer working_set[] = {{64, 0, 1, 1}, {32, 1, 2, 1}, {size, 1, 1, 1}};
    EXPECT_EQ(plan_at_run_time(working_set, kAAt0).size(), 96 + size);
  }
}

TEST(FieldCases, J9_ReuseMakesRoomForAReservedBlock) {
  static constexpr Buffer kBuffers[] = {{100, 0, 1}, {100, 2, 3}};
  static constexpr Constraint kFront[] = {reserved(0, 64)};
  constexpr auto kPlan = plan_by_compiler<kBuffers, kFront>();
  static_assert(kPlan.size() == 164 && kPlan.fits(192) && kPlan.fits(164) && !kPlan.fits(163));
  static_assert(kPlan.missing(164) == 0 && kPlan.missing(163) == 1 && kPlan.missing(100) == 64);
  expect_same_at_run_time<kBuffers, kFront>();

  static constexpr Buffer kTogether[] = {{100, 0, 2}, {100, 2, 3}};
  static_assert(!plan_by_compiler<kTogether, kFront>().fits(192));
  static constexpr Constraint kFrontAtFirst[] = {reserved(0, 64, 0, 1)};  // the second may have it
  static_assert(plan_by_compiler<kBuffers, kFrontAtFirst>().offset(0) == 64);
  static_assert(plan_by_compiler<kBuffers, kFrontAtFirst>().offset(1) == 0);
  expect_same_at_run_time<kBuffers, kFrontAtFirst>();

  for (std::size_t size = 100; size <= 140; ++size) {
    const Buffer buffers[] = {{size, 0, 1, 1}, {100, 2, 3, 1}};
    const PlanRef plan = plan_at_run_time(buffers, kFront);
    EXPECT_EQ(plan.fits(192), size <= 128);
    EXPECT_EQ(plan.missing(192), size <= 128 ? 0 : size - 128);
  }

  // In an arena of that size, nobody touches what is reserved.
  static constexpr auto kPlaced = plan_by_compiler<kBuffers, kFront>();
  ArenaState state;
  ArenaRef arena(state, memory, 164);
  const auto view = arena.overlay(kPlaced);
  ASSERT_TRUE(view);
  std::memset(memory, 0x3C, 164);
  std::memset(view.data<char>(0), 0, 100);
  std::memset(view.data<char>(1), 0, 100);
  for (std::size_t i = 0; i < 164; ++i) EXPECT_EQ(memory[i], i < 64 ? std::byte{0x3C} : std::byte{0}) << i;
  Arena<163> smaller;
  EXPECT_FALSE(smaller.overlay(kPlaced));
}

// An input of 100 bytes, in the user's memory, in the planned block, or kept; two layers and an output.
template <arenite::TensorKind kInput, bool kInputIsAnOutput = false>
struct Chain {
  static constexpr arenite::Tensor kTensors[] = {{100, kInput, 1},
                                                 {100, arenite::TensorKind::kActivation, 1},
                                                 {100, arenite::TensorKind::kActivation, 1},
                                                 {100, arenite::TensorKind::kActivation, 1}};
  static constexpr arenite::Op kOps[] = {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}};
  static constexpr arenite::TensorList outputs() {
    return kInputIsAnOutput ? arenite::TensorList{3, 0} : arenite::TensorList{3};
  }
  static constexpr auto kGraph = arenite::lifetimes(kTensors, kOps, {0}, outputs());
  static constexpr auto kPlan = arenite::plan(kGraph.buffers());

  static arenite::Graph graph() { return {kTensors, 4, kOps, 3, {0}, outputs()}; }
};

TEST(FieldCases, J11_AnExternalTensorIsElsewhere) {
  using External = Chain<arenite::TensorKind::kExternal>;
  static_assert(External::kGraph.buffers()[0].size == 0 && External::kGraph.external == 100);
  static_assert(External::kPlan.size() == 200);
  // As small as if it were not there; the planned one takes part.
  static_assert(External::kPlan.lower_bound() == 200 && External::kPlan.end(1) + External::kPlan.end(2) == 300);

  Arena<2048> arena;
  arenite::Session<> session;
  ASSERT_EQ(session.begin(arena, 4), Status::kOk);
  ASSERT_EQ(session.commit(External::graph()), Status::kOk);
  EXPECT_EQ(arena.used(Region::kOverlay), 200u);
  EXPECT_EQ(session.data<char>(0), nullptr);
  EXPECT_EQ(session.size(0), 0u);
  // Each run finds it where the program has it: nothing here is to be told, and nothing is planned again.
  const char frames[2][100] = {{1}, {2}};
  for (int run = 0; run < 4; ++run) {
    const char* const input = frames[run % 2];
    char* const first = session.data<char>(1, 100);
    ASSERT_NE(first, nullptr);
    std::memcpy(first, input, 100);
    EXPECT_EQ(first[0], run % 2 + 1);
    EXPECT_EQ(arena.failures(), 0u);
    ASSERT_EQ(session.replan(), Status::kOk);
    ASSERT_EQ(session.commit(External::graph()), Status::kOk);
  }
  EXPECT_EQ(session.plans(), 1u);
}

// --- K: plans --------------------------------------------------------------------------------------------------------

// The size of a plan by the compiler that is a plan; of what is none, something that nobody expects.
template <class Strategy, std::size_t N>
constexpr std::size_t planned(const Buffer (&buffers)[N]) {
  const auto plan = arenite::plan<Strategy>(buffers);
  return plan.verify(buffers).ok() ? plan.size() : kHuge;
}

// By `greedy` and by `best_of_eight`, by the compiler.
template <std::size_t N>
constexpr bool each_takes(std::size_t size, const Buffer (&buffers)[N]) {
  return planned<arenite::greedy>(buffers) == size && planned<arenite::best_of_eight>(buffers) == size;
}

// The same at run time, and nobody could take less.
void expect_each_takes(std::size_t size, const planning::Buffers& buffers) {
  const planning::Planned<> greedy(buffers);
  const planning::Planned<arenite::best_of_eight> best(buffers);
  EXPECT_TRUE(planning::is_sound(*greedy, buffers));
  EXPECT_TRUE(planning::is_sound(*best, buffers));
  EXPECT_EQ(greedy->size(), size);
  EXPECT_EQ(best->size(), size);
  EXPECT_FALSE(planning::PairByPair(buffers).fits(size - 1));
}

// Each of several lists, by all and at both times.
#define EXPECT_EACH_TAKES(size, ...)                \
  do {                                              \
    static_assert(each_takes<>(size, __VA_ARGS__)); \
    expect_each_takes(size, __VA_ARGS__);           \
  } while (false)

TEST(FieldCases, K1_AGapBelowIsUsed) {
  EXPECT_EACH_TAKES(180, {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 2, 3, 1}});
  // The gap is 100 bytes: just enough, not enough, nothing.
  EXPECT_EACH_TAKES(180, {{100, 0, 1, 1}, {80, 1, 2, 1}, {100, 2, 3, 1}});
  EXPECT_EACH_TAKES(181, {{100, 0, 1, 1}, {80, 1, 2, 1}, {101, 2, 3, 1}});
  EXPECT_EACH_TAKES(180, {{100, 0, 1, 1}, {80, 1, 2, 1}, {0, 2, 3, 1}});
  // One step earlier it is not there yet.
  EXPECT_EACH_TAKES(240, {{100, 0, 1, 1}, {80, 1, 2, 1}, {60, 1, 3, 1}});
  // In front of others, with an alignment, and in the other order.
  EXPECT_EACH_TAKES(192, {{128, 0, 1, 64}, {64, 1, 2, 64}, {60, 2, 3, 64}});
  EXPECT_EACH_TAKES(180, {{60, 2, 3, 1}, {80, 1, 2, 1}, {100, 0, 1, 1}});
}

TEST(FieldCases, K2_PartsOfAGapAreUsed) {
  EXPECT_EACH_TAKES(1000, {{1000, 0, 2, 1}, {400, 3, 6, 1}, {500, 3, 6, 1}});
  EXPECT_EACH_TAKES(1000, {{1000, 0, 2, 1}, {400, 3, 6, 1}, {600, 3, 6, 1}});
  EXPECT_EACH_TAKES(1001, {{1000, 0, 2, 1}, {400, 3, 6, 1}, {601, 3, 6, 1}});
  EXPECT_EACH_TAKES(1000, {{1000, 0, 2, 1}, {1, 3, 6, 1}, {998, 3, 6, 1}, {1, 3, 6, 1}});
  EXPECT_EACH_TAKES(1000, {{400, 0, 2, 1}, {600, 0, 2, 1}, {1000, 3, 6, 1}});
  EXPECT_EACH_TAKES(1900, {{1000, 0, 3, 1}, {400, 3, 6, 1}, {500, 3, 6, 1}});
}

// What is best does not depend on the order of the list, and here the answer of `best_of_eight` does not. That of
// `greedy` does: of equal sizes the later-added comes first.
TEST(FieldCases, K4_TheOrderOfTheListDoesNotDecide) {
  EXPECT_EACH_TAKES(13, {{7, 0, 1, 1}, {6, 4, 4, 1}, {6, 1, 3, 1}, {6, 2, 4, 1}});
  constexpr Buffer kOther[] = {{7, 0, 1, 1}, {6, 2, 4, 1}, {6, 1, 3, 1}, {6, 4, 4, 1}};
  static_assert(planned<arenite::greedy>(kOther) == 19);
  static_assert(planned<arenite::best_of_eight>(kOther) == 13);

  planning::Buffers buffers = {{7, 0, 1, 1}, {6, 4, 4, 1}, {6, 1, 3, 1}, {6, 2, 4, 1}};
  planning::Order order = {0, 1, 2, 3};
  do {
    planning::Buffers list;
    for (const arenite::Index index : order) list.push_back(buffers[index]);
    SCOPED_TRACE(planning::describe(list.data(), list.size()));
    const planning::Planned<arenite::best_of_eight> plan(list);
    EXPECT_TRUE(planning::is_sound(*plan, list));
    EXPECT_EQ(plan->size(), 13u);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Equal sizes, equal lifetimes, equal buffers, no bytes: here ties decide. The offsets are the same wherever the size
// of a pointer, the compiler or the memory differ, as they stand here.
constexpr Buffer kTies[] = {{16, 0, 3, 1}, {16, 0, 3, 1}, {8, 2, 5, 1}, {8, 4, 5, 1},
                            {16, 4, 6, 1}, {0, 0, 6, 1},  {8, 0, 6, 1}, {8, 6, 6, 1}};
constexpr std::size_t kOffsetsOfTies[] = {16, 0, 40, 16, 0, 0, 32, 16};

template <class Plan>
constexpr bool lies_as_ever(const Plan& plan) {
  for (std::size_t i = 0; i < std::size(kTies); ++i) {
    if (plan.offset(i) != kOffsetsOfTies[i]) return false;
  }
  return true;
}

TEST(FieldCases, K8_TheSameLayoutEverywhere) {
  static_assert(lies_as_ever(arenite::plan<arenite::greedy>(kTies)));
  const planning::Buffers ties(std::begin(kTies), std::end(kTies));
  EXPECT_TRUE(lies_as_ever(*planning::Planned<>(ties)));
  static_assert(arenite::plan<arenite::greedy>({{8, 0, 0, 1}, {8, 0, 0, 1}}).offset(1) == 0, "the later-added first");

  // Twice, from different rubbish in the memory that it works in.
  planning::Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 100; ++round) {
    const planning::Buffers buffers = planning::random_list(random, {0, 40, 0, 4, 20, 20, 3});
    SCOPED_TRACE(planning::describe(buffers.data(), buffers.size()));
    EXPECT_EQ(planning::offsets_of(*planning::Planned<>(buffers, 0)),
              planning::offsets_of(*planning::Planned<>(buffers, 0xFF)));
    EXPECT_EQ(planning::offsets_of(*planning::Planned<arenite::best_of_eight>(buffers, 0)),
              planning::offsets_of(*planning::Planned<arenite::best_of_eight>(buffers, 0xFF)));
  }
}

// Two buffers of 100 bytes in a block of 200, the second one from some step and offset on.
constexpr arenite::Verdict verdict_on(arenite::Step first, std::size_t offset, std::size_t alignment = 1) {
  const Buffer buffers[] = {{100, 0, 3, 1}, {100, first, 6, alignment}};
  return arenite::Plan<2>({200, alignment}, 200, {0, offset}, {100, 100}).verify(buffers);
}

TEST(FieldCases, K9_BadLayoutsAreSeen) {
  static_assert(verdict_on(3, 100).ok());
  static_assert(verdict_on(3, 99).status == Status::kOverlap, "one byte at one step");
  static_assert(verdict_on(3, 99).first == 0 && verdict_on(3, 99).second == 1);
  static_assert(verdict_on(3, 0).status == Status::kOverlap);
  static_assert(verdict_on(4, 99).ok() && verdict_on(4, 0).ok(), "never at the same step");
  static_assert(verdict_on(4, 101).status == Status::kOutOfBounds && verdict_on(4, 101).first == 1);
  static_assert(verdict_on(3, 100, 4).ok() && verdict_on(4, 96, 4).ok());
  static_assert(verdict_on(4, 99, 4).status == Status::kMisaligned && verdict_on(4, 99, 4).first == 1);

  // In plans that were made here, each buffer one byte further down.
  planning::Random random;
  SCOPED_TRACE(random.seed());
  int seen = 0;
  for (int round = 0; round < 100; ++round) {
    planning::Buffers buffers = planning::random_list(random, {2, 20, 1, 50, 12, 12, 0});
    const planning::Planned<> plan(buffers);
    planning::Offsets offsets = planning::offsets_of(*plan);
    planning::Order scratch(arenite::verify_scratch(buffers.size()));
    const auto verdict = [&] {
      return arenite::verify(buffers.data(), offsets.data(), buffers.size(), plan->size(), 1, scratch.data());
    };
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (offsets[i] == 0) continue;
      --offsets[i];
      const bool apart = planning::all_apart(buffers.data(), offsets.data(), buffers.size());
      ASSERT_EQ(verdict().status, apart ? Status::kOk : Status::kOverlap);
      seen += !apart;
      ++offsets[i];
    }
  }
  EXPECT_GT(seen, 100);
}

// Free bytes in two pieces: the smallest gap would be the wrong choice, and nobody takes more for it than the plainest
// planner, largest first and as low as it fits.
TEST(FieldCases, K12_NeverLargerThanFirstFitBySize) {
  EXPECT_EACH_TAKES(300, {{100, 0, 9, 1}, {100, 0, 4, 1}, {100, 0, 9, 1}, {50, 5, 9, 1}, {50, 5, 9, 1}});

  planning::Random random;
  SCOPED_TRACE(random.seed());
  int smaller = 0;
  for (int round = 0; round < 300; ++round) {
    const planning::Buffers buffers =
        planning::random_list(random, {0, 60, 0, 1u << random.below(12), 30, random.between(0, 30), random.below(5)});
    SCOPED_TRACE(planning::describe(buffers.data(), buffers.size()));
    const planning::Offsets offsets = planning::first_fit_of_many(buffers, planning::largest_first(buffers));
    std::size_t plain = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].size != 0) plain = std::max(plain, offsets[i] + buffers[i].size);
    }
    ASSERT_EQ(planning::Planned<>(buffers)->size(), plain);
    ASSERT_LE(planning::Planned<arenite::best_of<arenite::smallest_gap<arenite::by_size>>>(buffers)->size(), plain);
    const std::size_t best = planning::Planned<arenite::best_of_eight>(buffers)->size();
    ASSERT_LE(best, plain);
    smaller += best < plain;
  }
  EXPECT_GT(smaller, 50);
}

// --- L: several models in one arena ----------------------------------------------------------------------------------

constexpr Buffer kBuffersOfA[] = {{200, 0, 1, 1}};
constexpr Buffer kBuffersOfB[] = {{300, 0, 1, 1}};
constexpr auto kPlanOfA = arenite::plan(kBuffersOfA);
constexpr auto kPlanOfB = arenite::plan(kBuffersOfB);

TEST(FieldCases, L1_TwoModelsOneAfterAnother) {
  const auto run = [](std::size_t capacity) {
    ArenaState state;
    ArenaRef arena(state, memory, capacity);
    auto* const a = static_cast<std::byte*>(arena.allocate(40, 1));
    const auto view_of_a = arena.overlay(kPlanOfA);
    if (a != nullptr) std::memset(a, 0xA5, 40);
    auto* const b = static_cast<std::byte*>(arena.allocate(24, 1));
    const auto view_of_b = arena.overlay(kPlanOfB);
    EXPECT_EQ(arena.required(), 364u);
    if (arena.failures() != 0) return false;
    std::memset(view_of_b.data<std::byte>(0), 0, 300);
    std::memset(b, 0, 24);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(a[i], std::byte{0xA5});
    EXPECT_TRUE(view_of_a);
    return true;
  };
  EXPECT_TRUE(run(364));
  EXPECT_TRUE(run(365));
  EXPECT_FALSE(run(363));
  EXPECT_FALSE(run(64 + 200));
  EXPECT_FALSE(run(0));
}

TEST(FieldCases, L3_SharedAndPrivate) {
  Arena<410> arena;
  EXPECT_NE(arena.allocate(50, 1), nullptr);
  EXPECT_TRUE(arena.overlay(kPlanOfA));
  EXPECT_NE(arena.allocate(60, 1), nullptr);
  EXPECT_TRUE(arena.overlay(kPlanOfB));
  EXPECT_TRUE(arena.overlay(kPlanOfA));
  EXPECT_EQ(arena.used(), 410u);
  EXPECT_EQ(arena.required(), 410u);
  EXPECT_EQ(arena.allocate(1, 1), nullptr);
}

// --- M: scratch ------------------------------------------------------------------------------------------------------

TEST(FieldCases, M1_AnOpenScopeIsFoundAtOnce) {
  Arena<64> arena;
  {
    TempScope temp = arena.temp();
    EXPECT_NE(temp.allocate(16, 1), nullptr);
    EXPECT_EQ(arena.reset(), Status::kTempOpen);
    EXPECT_EQ(arena.release_overlay(), Status::kTempOpen);
    EXPECT_EQ(arena.open_temps(), 1u);
    EXPECT_EQ(arena.used(Region::kTemp), 16u);
    const TempScope second = temp.temp();
    EXPECT_EQ(arena.open_temps(), 2u);
    EXPECT_EQ(arena.reset(), Status::kTempOpen);
  }
  EXPECT_EQ(arena.open_temps(), 0u);
  EXPECT_EQ(arena.reset(), Status::kOk);
}

TEST(FieldCases, M2_TheHundredthRunHasAsMuch) {
  Arena<128> arena;
  for (int i = 0; i < 100; ++i) {
    TempScope temp = arena.temp();
    EXPECT_NE(temp.allocate(64, 1), nullptr);
    EXPECT_NE(temp.allocate(32, 1), nullptr);
  }
  EXPECT_EQ(arena.required(), 96u);
  EXPECT_EQ(arena.peak(), 96u);
  EXPECT_EQ(arena.used(), 0u);
}

bool leave_early(ArenaRef arena, int when) {
  TempScope outer = arena.temp();
  if (outer.allocate(8, 8) == nullptr || when == 0) return false;
  for (int i = 0; i < 3; ++i) {
    TempScope inner = outer.temp();
    if (inner.allocate(5, 16) == nullptr || when == 1) return false;
    TempScope innermost = inner.temp();
    if (innermost.allocate(1, 1) == nullptr) return false;
    if (when == 2) continue;
    if (when == 3) break;
  }
  return true;
}

TEST(FieldCases, M4_EveryWayOutClosesTheScopes) {
  Arena<64> arena;
  EXPECT_NE(arena.head().allocate(3, 1), nullptr);
  for (int when = 0; when < 5; ++when) {
    (void)leave_early(arena, when);
    EXPECT_EQ(arena.used(), 3u);
    EXPECT_EQ(arena.open_temps(), 0u);
  }
  EXPECT_EQ(arena.failures(), 0u);
}

template <class Scope, class = void>
struct CanAllocate : std::false_type {};
template <class Scope>
struct CanAllocate<Scope, std::void_t<decltype(std::declval<Scope>().allocate(1, 1))>> : std::true_type {};

// The messages are tested in compile_fail/.
TEST(FieldCases, M6_AScopeNeedsAName) {
  EXPECT_TRUE(CanAllocate<TempScope&>::value);
  EXPECT_FALSE(CanAllocate<TempScope>::value);
}

// --- O: several memories ---------------------------------------------------------------------------------------------

// Which buffer lies in which memory the program says, with a list and a plan for each.
TEST(FieldCases, O1_EachMemoryHasItsPlan) {
  static constexpr Buffer kFast[] = {{80, 0, 1, 1}, {50, 2, 3, 1}};
  static constexpr Buffer kSlow[] = {{80, 0, 1, 1}};
  static constexpr auto kFastPlan = arenite::plan(kFast);
  static constexpr auto kSlowPlan = arenite::plan(kSlow);
  static_assert(kFastPlan.size() == 80 && kSlowPlan.size() == 80);
  Arena<100> fast;
  Arena<1000> slow;
  EXPECT_TRUE(fast.overlay(kFastPlan));
  EXPECT_TRUE(slow.overlay(kSlowPlan));
  EXPECT_EQ(fast.used(), 80u);
  EXPECT_EQ(slow.used(), 80u);
  // Both of 80 at once are more than the fast memory has, by any plan.
  static constexpr Buffer kBoth[] = {{80, 0, 1, 1}, {80, 0, 1, 1}, {50, 2, 3, 1}};
  static_assert(arenite::plan(kBoth).size() == 160 && arenite::plan(kBoth).lower_bound() == 160);
}

// What a memory has no room for is refused there, and goes to no other one.
TEST(FieldCases, O6_NothingGoesToAnotherMemory) {
  static constexpr Buffer kList[] = {{100, 0, 1, 1}};
  static constexpr auto kPlan = arenite::plan(kList);
  static constexpr auto kReadyPlan = arenite::ready(kPlan, kList);
  for (std::size_t capacity = 0; capacity <= 101; ++capacity) {
    ArenaState fast_state;
    ArenaState slow_state;
    ArenaRef fast(fast_state, memory, capacity);
    ArenaRef slow(slow_state, memory + 4096, 1024);
    arenite::ReadySession<> session;
    ASSERT_EQ(session.begin(slow, fast, kReadyPlan), Status::kOk);
    EXPECT_EQ(session.commit() == Status::kOk, capacity >= 100) << capacity;
    EXPECT_EQ(slow.used(), 0u);
    EXPECT_EQ(slow.failures(), 0u);
    EXPECT_EQ(fast.required(), 100u);
  }
}

// A plan fits if and only if its last byte does, with the padding in front of it; behind it none is asked for.
TEST(FieldCases, O10_TheEndOfAPlanCounts) {
  static constexpr Buffer kList[] = {{33, 0, 1, 16}, {50, 1, 2, 1}, {9, 2, 3, 8}};
  static constexpr auto kPlan = arenite::plan(kList);
  static_assert(kPlan.size() == 83 && kPlan.alignment() == 16);
  for (std::size_t base = 0; base <= 32; ++base) {
    const std::size_t padding = (16 - base % 16) % 16;
    for (std::size_t capacity = 60; capacity <= 110; ++capacity) {
      ArenaState state;
      ArenaRef arena(state, memory + base, capacity);
      const auto view = arena.overlay(kPlan);
      ASSERT_EQ(static_cast<bool>(view), capacity >= padding + 83) << base << ", " << capacity;
      if (!view) {
        EXPECT_EQ(arena.last_failure().missing, padding + 83 - capacity);
      }
    }
  }
}

// --- P: failures -----------------------------------------------------------------------------------------------------

TEST(FieldCases, P1_EverySize) {
  for (std::size_t base = 0; base <= 16; ++base) {
    DryRun run(base);
    mixed_trace(run);
    for (std::size_t capacity = 0; capacity <= run.required() + 40; ++capacity) {
      ArenaState state;
      ArenaRef arena(state, memory + base, capacity);
      mixed_trace(arena);
      EXPECT_EQ(arena.failures() == 0, capacity >= run.required()) << base << ", " << capacity;
      EXPECT_TRUE(arena.check());
      EXPECT_LE(arena.peak(), capacity);
    }
  }
}

TEST(FieldCases, P2_WhatIsMissing) {
  on_every_entry(0, 64, [](Entry entry) {
    if (!entry.stacks()) return;
    EXPECT_NE(entry.allocate(60, 1), nullptr);
    for (std::size_t size = 5; size < 40; ++size) {
      expect_refused(entry, size, 1);
      EXPECT_EQ(entry.arena.last_failure().available, 4u);
      EXPECT_EQ(entry.arena.last_failure().missing, size - 4);
    }
  });
  on_every_entry(0, 64, [](Entry entry) {
    if (!entry.stacks()) return;
    EXPECT_NE(entry.allocate(60, 1), nullptr);
    expect_refused(entry, 16, 1);
    EXPECT_EQ(entry.arena.last_failure().required, 76u);
  });
}

TEST(FieldCases, P3_AFailureIsAValue) {
  on_every_entry(0, 64, [](Entry entry) {
    expect_refused(entry, 65, 1);
    const arenite::Failure failure = entry.arena.last_failure();
    EXPECT_EQ(failure.what, Status::kOutOfMemory);
    EXPECT_STREQ(to_string(failure.what), "out of memory");
  });
}

TEST(FieldCases, P4_OneByteTooMuch) {
  on_every_entry_and_base(192, [](Entry entry) {
    expect_refused(entry, 193, 1);
    EXPECT_EQ(entry.arena.last_failure().available, 192u);
    EXPECT_EQ(entry.arena.last_failure().missing, 1u);
    EXPECT_EQ(entry.arena.last_failure().required, 193u);
    EXPECT_NE(entry.allocate(192, 1), nullptr);
  });
}

TEST(FieldCases, P6_RefusedBeforeAByteIsTouched) {
  std::memset(memory, 0x3C, sizeof(memory));
  const auto untouched = [] {
    for (const std::byte byte : memory) {
      if (byte != std::byte{0x3C}) return false;
    }
    return true;
  };
  for (const std::size_t capacity : {0u, 1u, 100u, 199u}) {
    ArenaState state;
    ArenaRef arena(state, memory + 64, capacity);
    const auto view = arena.overlay(kPlanOfA);
    EXPECT_FALSE(view);
    EXPECT_EQ(view.data<char>(0), nullptr);
    EXPECT_EQ(arena.used(), 0u);
    EXPECT_EQ(arena.required(), 200u);
  }
  on_every_entry(64, 64, [](Entry entry) {
    expect_refused(entry, 65, 1);
    EXPECT_NE(entry.allocate(64, 1), nullptr);
  });
  ArenaState state;
  ArenaRef arena(state, memory + 64, 64);
  EXPECT_EQ(arena.create_array<std::uint64_t>(9), nullptr);
  EXPECT_EQ(arena.reset(), Status::kOk);
  EXPECT_TRUE(untouched()) << "an arena keeps nothing in the user's memory";
}

// --- Q: objects and storage ------------------------------------------------------------------------------------------

struct Twelve {
  Twelve() = default;
  ~Twelve() { value[0] = 0; }
  Twelve(const Twelve&) = delete;
  Twelve& operator=(const Twelve&) = delete;
  std::int32_t value[3] = {1, 2, 3};
};
static_assert(sizeof(Twelve) == 12);

template <class Place>
void expect_no_cookie(const std::byte* begin, Place&& place) {
  Twelve* const objects = place.template create_array<Twelve, Destructor::kSkip>(4);
  ASSERT_EQ(static_cast<const void*>(objects), begin);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(objects[i].value[2], 3);
  EXPECT_EQ((place.template create_array<Twelve, Destructor::kSkip>(1)), nullptr);
}

TEST(FieldCases, Q1_NoCookieInFrontOfAnArray) {
  Arena<48> tail;
  expect_no_cookie(tail.data(), tail);
  Arena<48> head;
  expect_no_cookie(head.data(), head.head());
  Arena<48> scoped;
  TempScope temp = scoped.temp();
  expect_no_cookie(scoped.data(), temp);
  Arena<47> short_of_one;
  EXPECT_EQ((short_of_one.create_array<Twelve, Destructor::kSkip>(4)), nullptr);
}

// The memory is the user's, so is its section. The bookkeeping may lie elsewhere.
TEST(FieldCases, Q6_StorageApart) {
  alignas(4) unsigned char anywhere[40] = {};
  static ArenaState state;
  ArenaRef arena(state, anywhere + 1, 39);
  const auto* const word = arena.create<std::uint32_t>(7u);
  ASSERT_NE(word, nullptr);
  EXPECT_EQ(*word, 7u);
  EXPECT_TRUE(arena.contains(word));
  EXPECT_FALSE(arena.contains(anywhere));
  EXPECT_NE(arena.head().allocate(35, 1), nullptr);
}

TEST(FieldCases, Q7_NotCopiedByAccident) {
  EXPECT_FALSE(std::is_copy_constructible_v<Arena<64>>);
  EXPECT_FALSE(std::is_move_constructible_v<Arena<64>>);
  EXPECT_FALSE(std::is_copy_assignable_v<Arena<64>>);
  EXPECT_FALSE(std::is_move_assignable_v<Arena<64>>);
  EXPECT_LE(sizeof(ArenaRef), 3 * sizeof(void*));
  EXPECT_LE(sizeof(arenite::Overlay<decltype(kPlanOfA)>), 6 * sizeof(void*));
}

// --- R: limits -------------------------------------------------------------------------------------------------------

TEST(FieldCases, R4_MoreThan4GiB) {
  if constexpr (sizeof(std::size_t) > 4) {
    constexpr std::size_t kThreeGiB = std::size_t{3} << 30;
    DryRun run;
    run.allocate(kThreeGiB, 1);
    run.head().allocate(kThreeGiB, 1);
    EXPECT_EQ(run.required(), 2 * kThreeGiB);
    Arena<64> arena;
    EXPECT_EQ(arena.allocate(kThreeGiB, 1), nullptr);
    EXPECT_EQ(arena.head().allocate(kThreeGiB, 1), nullptr);
    EXPECT_EQ(arena.required(), 2 * kThreeGiB);
    EXPECT_EQ(arena.last_failure().missing, kThreeGiB - 64);
  } else {
    GTEST_SKIP() << "size_t has 32 bits";
  }
}

// --- T: reports ------------------------------------------------------------------------------------------------------

TEST(FieldCases, T7_AnInputInTheUsersMemoryOrKept) {
  using arenite::TensorKind;
  using Planned = Chain<TensorKind::kActivation>;
  using External = Chain<TensorKind::kExternal>;
  using KeptInside = Chain<TensorKind::kActivation, true>;
  using KeptOutside = Chain<TensorKind::kKept>;
  static_assert(Planned::kPlan.size() == 200 && Planned::kGraph.external == 0);
  static_assert(External::kPlan.size() == 200 && External::kGraph.external == 100);
  static_assert(KeptInside::kPlan.size() == 300 && KeptInside::kGraph.kept == 0);
  static_assert(KeptOutside::kPlan.size() + KeptOutside::kGraph.kept == 300);
  const auto overlay_of = [](const arenite::Graph& graph) {
    Arena<2048> arena;
    arenite::Session<> session;
    EXPECT_EQ(session.begin(arena, 4), Status::kOk);
    EXPECT_EQ(session.commit(graph), Status::kOk);
    return arena.used(Region::kOverlay);
  };
  EXPECT_EQ(overlay_of(Planned::graph()), 200u);
  EXPECT_EQ(overlay_of(External::graph()), 200u);
  EXPECT_EQ(overlay_of(KeptInside::graph()), 300u);
  EXPECT_EQ(overlay_of(KeptOutside::graph()), 200u);

  // Any of the four in the user's memory: what is planned is what the operators have of the others.
  for (unsigned external = 0; external < 16; ++external) {
    const auto planned = [external](unsigned tensor) { return (external >> tensor & 1) != 0 ? 0u : 100u; };
    arenite::Tensor tensors[4];
    unsigned expected = 0;
    for (unsigned i = 0; i < 4; ++i) {
      tensors[i] = {100, planned(i) == 0 ? TensorKind::kExternal : TensorKind::kActivation, 1};
      if (i > 0 && planned(i - 1) + planned(i) > expected) expected = planned(i - 1) + planned(i);
    }
    EXPECT_EQ(overlay_of({tensors, 4, Planned::kOps, 3, {0}, {3}}), expected) << external;
  }
}

}  // namespace
