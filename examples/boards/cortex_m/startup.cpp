// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Start-up code of an emulated Cortex-M: the vector table, and the way to board_run().

#include "../startup.hpp"

#include <cstdint>

extern "C" {

extern std::uint32_t board_stack_top[];  // laid by the linker script

[[noreturn]] void Reset_Handler();

[[gnu::weak]] void HardFault_Handler() {
  for (;;) {
  }
}

[[gnu::weak]] void SysTick_Handler();  // null where the program has none

// The head of the vector table of all Cortex-M. Of the faults only HardFault has a handler: with the others not there
// (Armv6-M) or not enabled, every fault ends there.
struct VectorTable {
  std::uint32_t* stack_top;
  void (*reset)();
  void (*nmi)();
  void (*hard_fault)();
  void (*others[11])();
  void (*sys_tick)();
};

extern const VectorTable vector_table;
[[gnu::section(".vectors")]] const VectorTable vector_table = {
    board_stack_top, Reset_Handler, HardFault_Handler, HardFault_Handler, {}, SysTick_Handler};

void Reset_Handler() { board_start(); }

}  // extern "C"
