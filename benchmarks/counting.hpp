// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// How many instructions a call takes on an emulated board, by a timer of its core. The emulator, told so by
/// ARENITE_ICOUNT=10, makes every instruction take 1024 ns, so that the counts are the same on every machine.
///
/// A call stands in a function of its own that is not inlined, and is counted with all that function does for it: a
/// program that inlines the call, or knows its arguments, has no more. Subtracted is what it takes to call an empty
/// function instead, from a function of its own where the call is not inlined.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace counting {

#if defined(__riscv)

// The counter of retired instructions: QEMU's counts nanoseconds.
constexpr std::uint32_t kTicks = 1024;
constexpr std::uint32_t kInstructions = 1;

inline void start() {}
inline void rewind() {}
inline std::uint32_t now() {
  std::uint32_t result;
  asm volatile(".option push\n\t.option arch, +zicsr\n\tcsrr %0, minstret\n\t.option pop" : "=r"(result)::"memory");
  return result;
}
constexpr std::uint32_t kMask = 0xFFFFFFFFu;  // 4194304 instructions: more than any call here
inline bool wrapped() { return false; }

#else

// SysTick counts the core clock down from 2^24 - 1.
#if __ARM_ARCH_ISA_THUMB >= 2
constexpr std::uint32_t kTicks = 128;  // of 40 ns: the mps2 boards have 25 MHz
constexpr std::uint32_t kInstructions = 5;
#else
constexpr std::uint32_t kTicks = 2048;  // of 62.5 ns: the micro:bit has 16 MHz
constexpr std::uint32_t kInstructions = 125;
#endif

constexpr std::uint32_t kEnable = 1u << 0;
constexpr std::uint32_t kCoreClock = 1u << 2;
constexpr std::uint32_t kWrapped = 1u << 16;  // reading it clears it
constexpr std::uint32_t kMask = (1u << 24) - 1;
inline volatile std::uint32_t& systick(unsigned word) {
  return reinterpret_cast<volatile std::uint32_t*>(0xE000E010u)[word];
}
inline volatile std::uint32_t& control() { return systick(0); }
inline volatile std::uint32_t& reload() { return systick(1); }
inline volatile std::uint32_t& current() { return systick(2); }

inline void start() {
  reload() = kMask;
  control() = kEnable | kCoreClock;
}
inline void rewind() {
  [[maybe_unused]] const std::uint32_t cleared = control();
  current() = 0;  // whatever is written: back to the top
}
inline std::uint32_t now() { return ~current(); }
inline bool wrapped() { return (control() & kWrapped) != 0; }

#endif

template <class T>
struct Same {
  using type = T;
};

// Ticks between two readings of the timer, with a call in between. Compiled apart from the call: what stands around it
// is the same for every function of this type.
template <class Result, class... Args>
[[gnu::noipa]] std::uint32_t ticks(Result (*function)(Args...), typename Same<Args>::type... args) {
  rewind();
  const std::uint32_t begin = now();
  (void)function(args...);
  const std::uint32_t end = now();
  if (wrapped()) {
    std::puts("The timer wrapped: too many instructions in one call.");
    std::exit(1);
  }
  return (end - begin) & kMask;
}

extern "C" [[gnu::naked, gnu::noipa, gnu::used]] inline void nothing() {
#if defined(__riscv)
  asm("ret");
#else
  asm("bx lr");
#endif
}

[[gnu::naked, gnu::noipa]] inline void calls_nothing() {
#if defined(__riscv)
  asm("addi sp, sp, -16\n\tsw ra, 12(sp)\n\tcall nothing\n\tlw ra, 12(sp)\n\taddi sp, sp, 16\n\tret");
#else
  asm("push {r3, lr}\n\tbl nothing\n\tpop {r3, pc}");
#endif
}

inline unsigned instructions(std::uint32_t ticks) {
  const std::uint64_t scaled = std::uint64_t{ticks} * kInstructions;
  return static_cast<unsigned>((scaled + kTicks / 2) / kTicks);
}

/// Of a call that is inlined, without those of calling an empty function.
template <class Result, class... Args>
unsigned count(Result (*function)(Args...), typename Same<Args>::type... args) {
  const auto empty = reinterpret_cast<Result (*)(Args...)>(nothing);
  return instructions(ticks(function, args...) - ticks(empty, args...));
}

/// Of a call that is not inlined: from the first argument loaded to the return.
template <class Result, class... Args>
unsigned count_call(Result (*function)(Args...), typename Same<Args>::type... args) {
  const auto empty = reinterpret_cast<Result (*)(Args...)>(calls_nothing);
  return instructions(ticks(function, args...) - ticks(empty, args...));
}

[[gnu::naked, gnu::noipa]] inline void hundred_and_one() {
#if defined(__riscv)
  asm(".rept 100\n\tnop\n\t.endr\n\tret");
#else
  asm(".rept 100\n\tnop\n\t.endr\n\tbx lr");
#endif
}

/// Starts the timer; ends the program where it does not count instructions.
inline void begin() {
  start();
  if (count(hundred_and_one) == 100) return;
  std::puts("The timer does not count instructions: run this with ARENITE_ICOUNT=10.");
  std::exit(1);
}

/// One figure, as a row of figures.csv without its target.
inline void row(const char* kind, const char* name, unsigned value) {
  std::printf("%s,%u,\"%s\"\n", kind, value, name);
}

}  // namespace counting
