// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Start-up code of the emulated Cortex-M4: everything between reset and board_run(), and nothing that links. Ordinary
// programs get board_run() from semihosting.cpp; the code-size programs in benchmarks/ bring one of their own, so that
// no byte of the C library hides what they measure.

#include <cstdint>

extern "C" {

// Laid by the linker script.
extern std::uint32_t board_data_begin[], board_data_end[], board_bss_begin[], board_bss_end[], board_stack_top[];
extern const std::uint32_t board_data_image[];
extern void (*const board_init_array_begin[])();
extern void (*const board_init_array_end[])();

[[noreturn]] void board_run();  // calls main() and does not come back
[[noreturn]] void Reset_Handler();

[[gnu::weak]] void HardFault_Handler() {
  for (;;) {
  }
}

// The head of Armv7-M's vector table. Only HardFault has a handler: with the others not enabled, every fault ends
// there.
struct VectorTable {
  std::uint32_t* stack_top;
  void (*reset)();
  void (*nmi)();
  void (*hard_fault)();
  void (*others[12])();
};

extern const VectorTable vector_table;
[[gnu::section(".vectors")]] const VectorTable vector_table = {
    board_stack_top, Reset_Handler, HardFault_Handler, HardFault_Handler, {}};

void Reset_Handler() {
  // Through volatile, so that the compiler does not call memcpy and memset, which may not be linked.
  const std::uint32_t* image = board_data_image;
  for (volatile std::uint32_t* word = board_data_begin; word != board_data_end; ++word) *word = *image++;
  for (volatile std::uint32_t* word = board_bss_begin; word != board_bss_end; ++word) *word = 0;

  for (auto constructor = board_init_array_begin; constructor != board_init_array_end; ++constructor) (*constructor)();

  board_run();
}

}  // extern "C"
