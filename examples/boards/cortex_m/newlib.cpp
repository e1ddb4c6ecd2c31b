// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What newlib and the core need to run a program on an emulated Cortex-M. Input and output go by newlib's librdimon
// (--specs=rdimon.specs).

#include "../semihosting.hpp"

#include <cstddef>
#include <cstdint>

extern "C" {

void initialise_monitor_handles();                                          // librdimon: opens stdin, stdout, stderr
extern const std::uint32_t board_libraries_begin[], board_libraries_end[];  // laid by the linker script

// What the core pushes when an exception is entered.
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, psr;
};

}  // extern "C"

namespace {

volatile std::uint32_t& at(std::uintptr_t address) { return *reinterpret_cast<volatile std::uint32_t*>(address); }

// Where this bit is set, a word or halfword access to an address that is not a multiple of its size faults, as it does
// in device memory. Armv7-M and Armv8-M allow it by default, which would let an alignment bug pass. On a Cortex-M0,
// which cannot do it at all, the bit is always set.
constexpr std::uint32_t kTrapUnaligned = 1u << 3;
volatile std::uint32_t& configuration() { return at(0xE000ED14u); }

#if __ARM_ARCH_ISA_THUMB >= 2
// Configurable Fault Status Register: Armv6-M has none.
constexpr std::uint32_t kUnaligned = 1u << 24;
volatile std::uint32_t& fault_status() { return at(0xE000ED28u); }

std::uint32_t address_of(const std::uint32_t* symbol) { return reinterpret_cast<std::uint32_t>(symbol); }

// An unaligned access in the toolchain's libraries is no bug of ours: they are built for a core that allows it
// (libstdc++ does so where it prints floating point). It is let through, and what follows runs unguarded.
bool is_of_a_library(const ExceptionFrame& frame) {
  return fault_status() == kUnaligned && frame.pc >= address_of(board_libraries_begin) &&
         frame.pc < address_of(board_libraries_end);
}
#endif

}  // namespace

void board::trap_unaligned_accesses() { configuration() |= kTrapUnaligned; }

extern "C" {

// Before the program's own constructors, which may print.
[[gnu::constructor(101)]] void board_open_console() { initialise_monitor_handles(); }

// Takes the place of newlib's, whose word accesses are not aligned: board_run() makes those fault. The compiler must
// not find out that this is memcpy, and call it.
[[gnu::optimize("no-tree-loop-distribute-patterns")]] void* memcpy(void* to, const void* from, std::size_t size) {
  void* out = to;
  const void* in = from;
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 4 == 0) {
    auto* out_word = static_cast<std::uint32_t*>(to);
    auto* in_word = static_cast<const std::uint32_t*>(from);
    for (; size >= 4; size -= 4) *out_word++ = *in_word++;
    out = out_word;
    in = in_word;
  }
  auto* out_byte = static_cast<unsigned char*>(out);
  auto* in_byte = static_cast<const unsigned char*>(in);
  while (size-- != 0) *out_byte++ = *in_byte++;
  return to;
}

[[gnu::used]] void board_handle_fault(const ExceptionFrame* frame) {
#if __ARM_ARCH_ISA_THUMB >= 2
  if (is_of_a_library(*frame)) {
    board::print("\nboard: unaligned access in the C++ library; from here on such accesses do not fault\n");
    fault_status() = kUnaligned;  // written ones clear
    configuration() &= ~kTrapUnaligned;
    return;  // and the instruction is tried again
  }
#endif

  board::print("\nHardFault: pc ");
  board::print_hex(frame->pc);
  board::print(", lr ");
  board::print_hex(frame->lr);
#if __ARM_ARCH_ISA_THUMB >= 2
  board::print(", configurable fault status ");
  board::print_hex(fault_status());
#endif
  board::print("\n");
  board::exit_emulator(board::kFaultCode);
}

[[gnu::naked]] void HardFault_Handler() { asm volatile("mov r0, sp\n\tldr r1, =board_handle_fault\n\tbx r1"); }

}  // extern "C"
