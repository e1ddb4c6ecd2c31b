// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Start-up code of an emulated RISC-V core with 32 bits: the way from the first instruction to board_run().

#include "../startup.hpp"

extern "C" {

[[noreturn, gnu::used]] void board_start_c() { board_start(); }

// A trap ends here: an access fault, an instruction that is none, ebreak. Programs that link board.cpp say which it
// was.
[[gnu::weak, gnu::aligned(4)]] void board_trap() {
  for (;;) {
  }
}

// Global pointer, stack, the variables of the only thread, where traps go.
[[gnu::naked, gnu::used, gnu::section(".reset")]] void board_reset() {
  asm volatile(
      ".option push\n\t.option norelax\n\tla gp, __global_pointer$\n\t.option pop\n\t"
      "la sp, board_stack_top\n\t"
      "la tp, board_threads_begin\n\t"
      ".option push\n\t.option arch, +zicsr\n\tla t0, board_trap\n\tcsrw mtvec, t0\n\t.option pop\n\t"
      "j board_start_c");
}

}  // extern "C"
