// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

// The world outside of an emulated board, by Arm semihosting, which RISC-V has taken over: the same calls, made by
// another instruction. And what board.cpp and the cores' own files need of each other.

#include <cstddef>
#include <cstdint>

namespace board {

enum class Operation : std::uint32_t {
  kOpen = 0x01,
  kWrite0 = 0x04,  // print a zero-terminated string
  kWrite = 0x05,
  kGetCommandLine = 0x15,
  kExitExtended = 0x20,  // plain SYS_EXIT has no room for an exit code on 32-bit targets
};

inline std::uint32_t semihosting(Operation operation, const volatile void* argument) {
#if defined(__riscv)
  register std::uint32_t a0 asm("a0") = static_cast<std::uint32_t>(operation);
  register const volatile void* a1 asm("a1") = argument;
  // The debugger knows a semihosting call by its neighbours: three instructions of 32 bits in one page.
  asm volatile(
      ".balign 16\n\t.option push\n\t.option norvc\n\t"
      "slli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7\n\t"
      ".option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
#else
  register std::uint32_t r0 asm("r0") = static_cast<std::uint32_t>(operation);
  register const volatile void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
#endif
}

inline void print(const char* text) { semihosting(Operation::kWrite0, text); }

void print_hex(std::uint32_t value);
[[noreturn]] void exit_emulator(int code);

constexpr int kFaultCode = 139;  // what a shell reports for a segmentation fault

void trap_unaligned_accesses();  // where the core can, and does not on its own

}  // namespace board
