// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What follows the start-up code in a program whose size is measured: nothing that links.

extern "C" {

int board_main() asm("main");  // C++ forbids to call main() by its name

[[noreturn]] void board_run();

void board_run() {
  board_main();
  for (;;) {
  }
}

}  // extern "C"
