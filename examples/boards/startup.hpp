// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

// What every board does between reset and board_run(): variables get their values, constructors run. Nothing here
// links. Ordinary programs get board_run() from board.cpp; the code-size programs in benchmarks/ bring one of their
// own, so that no byte of the C library hides what they measure.

#include <cstdint>

extern "C" {

// Laid by the linker script.
extern std::uint32_t board_data_begin[], board_data_end[], board_bss_begin[], board_bss_end[];
extern const std::uint32_t board_data_image[];
extern void (*const board_init_array_begin[])();
extern void (*const board_init_array_end[])();

[[noreturn]] void board_run();  // calls main() and does not come back

}  // extern "C"

[[noreturn, gnu::always_inline]] inline void board_start() {
  // Through volatile, so that the compiler does not call memcpy and memset, which may not be linked.
  const std::uint32_t* image = board_data_image;
  for (volatile std::uint32_t* word = board_data_begin; word != board_data_end; ++word) *word = *image++;
  for (volatile std::uint32_t* word = board_bss_begin; word != board_bss_end; ++word) *word = 0;

  for (auto constructor = board_init_array_begin; constructor != board_init_array_end; ++constructor) (*constructor)();

  board_run();
}
