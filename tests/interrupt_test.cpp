// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// An interrupt that allocates in the arena that main uses, on the emulated board: SysTick, some instructions after it
// was there the last time, wherever main then is. To be run with ARENITE_ICOUNT=10: so the emulator counts time in
// instructions, 25.6 cycles each, and all runs are the same.
//
// The lock masks interrupts. That the test would see it if it did not is tested too: by the same program with a lock
// that does nothing.

#include <arenite/adapters/synchronized.hpp>
#include <arenite/arena.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace {

using arenite::Arena;
using arenite::ArenaRef;
using arenite::Region;
using arenite::Status;
using arenite::Synchronized;

// --- the core --------------------------------------------------------------------------------------------------------

volatile std::uint32_t& system_register(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}
volatile std::uint32_t& tick_control() { return system_register(0xE000E010u); }
volatile std::uint32_t& tick_reload() { return system_register(0xE000E014u); }
volatile std::uint32_t& tick_value() { return system_register(0xE000E018u); }
volatile std::uint32_t& interrupt_state() { return system_register(0xE000ED04u); }

bool is_tick_pending() { return (interrupt_state() & 1u << 26) != 0; }

// The next tick comes so many cycles from now.
void restart_ticks(std::uint32_t cycles) {
  tick_reload() = cycles - 1;
  tick_value() = 0;              // any value makes the timer begin anew
  interrupt_state() = 1u << 25;  // and none is pending
}
void start_ticks(std::uint32_t cycles) {
  restart_ticks(cycles);
  tick_control() = 7;  // core clock, interrupt, on
}
void stop_ticks() {
  tick_control() = 0;
  restart_ticks(1);
}

std::uint32_t mask() {
  std::uint32_t primask;
  asm volatile("mrs %0, primask" : "=r"(primask));
  return primask;
}

// --- locks -----------------------------------------------------------------------------------------------------------

volatile int held;       // how often the lock is held now
volatile int held_back;  // ticks that came while main had it, and had to wait
volatile bool in_tick;

void add_one(volatile int& number) { number = number + 1; }

// What firmware would write, and the counting of a test.
class InterruptLock {
 public:
  void lock() {
    const std::uint32_t before = mask();
    asm volatile("cpsid i" ::: "memory");
    before_ = before;
    add_one(held);
  }
  void unlock() {
    if (!in_tick && is_tick_pending()) add_one(held_back);
    held = held - 1;
    asm volatile("msr primask, %0" ::"r"(before_) : "memory");
  }

 private:
  std::uint32_t before_ = 0;
};

struct NoLock {
  void lock() { add_one(held); }
  void unlock() { held = held - 1; }
};

// --- what main and the interrupt do ----------------------------------------------------------------------------------

struct Block {
  unsigned char* begin;
  std::size_t size;
  unsigned char mark;
};

// What one of the two was granted.
struct Granted {
  static constexpr std::size_t kMost = 8192;
  Block blocks[kMost];
  std::size_t count;
  std::size_t refused;

  [[nodiscard]] bool is_full() const { return count == kMost; }
  // Fills the block, so that it shows if the other one has it too.
  void add(void* block, std::size_t size, unsigned char mark) {
    if (block == nullptr) {
      ++refused;
      return;
    }
    auto* const begin = static_cast<unsigned char*>(block);
    for (std::size_t i = 0; i < size; ++i) begin[i] = mark;
    blocks[count++] = {begin, size, mark};
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += blocks[i].size;
    return sum;
  }
};

constexpr std::size_t kCapacity = 16 * 1024;
Arena<kCapacity> memory;
std::size_t failures_before;  // a reset does not forget them

Granted by_main;
Granted by_interrupt;
volatile int ticks;
volatile int ticks_in_calls;  // of main: from before the lock to behind it
volatile int ticks_while_held;
volatile bool in_call;
std::uint32_t least_cycles;

template <class Lock>
Synchronized<ArenaRef, Lock>& shared() {
  static Synchronized<ArenaRef, Lock> arena(memory);
  return arena;
}

template <class Lock>
void allocate_in_interrupt() {
  if (by_interrupt.is_full()) return;
  const std::size_t size = 4 + 4 * static_cast<std::size_t>(ticks % 3);
  by_interrupt.add(shared<Lock>().allocate(size, 4), size, 0xAA);
}
void (*on_tick)();

template <class Lock>
Synchronized<ArenaRef, Lock>& begin(std::uint32_t cycles) {
  by_main.count = by_main.refused = by_interrupt.count = by_interrupt.refused = 0;
  for (volatile int* number : {&ticks, &ticks_in_calls, &ticks_while_held, &held, &held_back}) *number = 0;
  EXPECT_EQ(memory.reset(), Status::kOk);
  failures_before = memory.failures();
  auto& arena = shared<Lock>();
  on_tick = allocate_in_interrupt<Lock>;
  least_cycles = cycles;
  start_ticks(cycles);
  return arena;
}

template <class Call>
auto as_call(Call call) {
  in_call = true;
  const auto answer = call();
  in_call = false;
  return answer;
}

// Bytes that are wrong: that several blocks have, or do not hold what was written, or lie outside of the arena.
int count_faults() {
  static unsigned char owners[kCapacity];
  for (unsigned char& owner : owners) owner = 0;
  int faults = 0;
  for (const Granted* granted : {&by_main, &by_interrupt}) {
    for (std::size_t i = 0; i < granted->count; ++i) {
      const Block& block = granted->blocks[i];
      for (std::size_t k = 0; k < block.size; ++k) {
        const unsigned char* const byte = block.begin + k;
        if (!memory.contains(byte) || owners[byte - reinterpret_cast<const unsigned char*>(memory.data())]++ != 0 ||
            *byte != block.mark) {
          ++faults;
        }
      }
    }
  }
  return faults;
}

// Allocates until the arena is full, and some more.
template <class Lock>
void fill(std::uint32_t cycles) {
  auto& arena = begin<Lock>(cycles);
  for (std::size_t i = 0; by_main.refused < 8 && !by_main.is_full(); ++i) {
    const std::size_t size = 4 + 4 * (i % 5);
    by_main.add(as_call([&] { return arena.allocate(size, 4); }), size, 0x55);
  }
  stop_ticks();
}

// The next tick comes so many cycles after the last one, or up to twice as many: some 80 to 1000 instructions.
constexpr std::uint32_t kCycles[] = {2003, 3001, 5003, 7001, 9973, 13001};

TEST(Interrupt, AllocatesBesideMain) {
  for (const std::uint32_t cycles : kCycles) {
    SCOPED_TRACE(cycles);
    fill<InterruptLock>(cycles);
    EXPECT_EQ(count_faults(), 0);
    EXPECT_EQ(memory.used(), by_main.bytes() + by_interrupt.bytes()) << "all are multiples of 4: there is no padding";
    EXPECT_EQ(memory.failures() - failures_before, by_main.refused + by_interrupt.refused);
    EXPECT_EQ(by_main.refused, 8u);
    EXPECT_TRUE(memory.check());
    // It came everywhere it could.
    EXPECT_EQ(static_cast<std::size_t>(ticks), by_interrupt.count + by_interrupt.refused);
    EXPECT_GT(ticks_in_calls, 10) << "run this with ARENITE_ICOUNT=10";
    EXPECT_GT(ticks - ticks_in_calls, 10);
    EXPECT_GT(held_back, 10);
    EXPECT_EQ(ticks_while_held, 0);
    EXPECT_EQ(held, 0);
    EXPECT_EQ(mask(), 0u);
  }
}

TEST(Interrupt, IsSeenToCorruptTheArenaWithoutAMask) {
  for (const std::uint32_t cycles : kCycles) {
    SCOPED_TRACE(cycles);
    fill<NoLock>(cycles);
    EXPECT_GT(ticks_while_held, 10) << "run this with ARENITE_ICOUNT=10";
    EXPECT_GT(count_faults(), 0);
  }
}

// Scopes and markers of main, below which the interrupt takes persistent memory.
TEST(Interrupt, LeavesScopesAndMarkersAlone) {
  for (const std::uint32_t cycles : kCycles) {
    SCOPED_TRACE(cycles);
    auto& arena = begin<InterruptLock>(cycles);
    int faults = 0;
    const auto use = [&](auto& place) {
      auto* const bytes = static_cast<unsigned char*>(place.allocate(64, 8));
      if (bytes == nullptr) return;
      for (int i = 0; i < 64; ++i) bytes[i] = static_cast<unsigned char>(i);
      for (int i = 0; i < 64; ++i) faults += bytes[i] != i;
    };
    while (by_interrupt.refused < 8) {
      arena.in_temp(use);
      const Status status = arena.with([&](auto& inner) {
        const auto marker = inner.mark();
        use(inner);
        return inner.release(marker);
      });
      faults += status != Status::kOk;
      faults += !arena.check();
    }
    stop_ticks();
    EXPECT_EQ(faults, 0);
    EXPECT_EQ(count_faults(), 0);
    EXPECT_EQ(memory.used(), by_interrupt.bytes());
    EXPECT_EQ(memory.used(Region::kTemp), 0u);
    EXPECT_GT(held_back, 10) << "run this with ARENITE_ICOUNT=10";
    EXPECT_EQ(ticks_while_held, 0);
    EXPECT_TRUE(memory.check());
  }
}

// Who has masked interrupts already finds them masked behind the call.
TEST(InterruptLock, KeepsAMaskThatIsThere) {
  auto& arena = shared<InterruptLock>();
  EXPECT_EQ(memory.reset(), Status::kOk);
  asm volatile("cpsid i" ::: "memory");
  const void* const granted = arena.allocate(8, 8);
  const void* const refused = arena.allocate(kCapacity, 8);
  const std::uint32_t still = mask();
  asm volatile("cpsie i" ::: "memory");
  EXPECT_EQ(still, 1u);
  EXPECT_NE(granted, nullptr);
  EXPECT_EQ(refused, nullptr);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(mask(), 0u);
}

}  // namespace

extern "C" void SysTick_Handler() {
  in_tick = true;
  add_one(ticks);
  if (in_call) add_one(ticks_in_calls);
  if (held != 0) add_one(ticks_while_held);
  on_tick();
  in_tick = false;
  restart_ticks(least_cycles + static_cast<std::uint32_t>(ticks) * 7919u % least_cycles);  // never in step with main
}
