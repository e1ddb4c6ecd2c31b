// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// How a program on an emulated board runs main(), and how it ends.

#include "semihosting.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {

int board_main(int argc, char** argv) asm("main");  // C++ forbids to call main() by its name
[[noreturn]] void board_run();

}  // extern "C"

namespace board {

void print_hex(std::uint32_t value) {
  char text[11] = "0x00000000";
  for (int i = 9; i > 1; --i, value >>= 4) text[i] = "0123456789abcdef"[value & 15u];
  print(text);
}

void exit_emulator(int code) {
  constexpr std::uint32_t kApplicationExit = 0x20026;
  const volatile std::uint32_t block[2] = {kApplicationExit, static_cast<std::uint32_t>(code)};
  for (;;) semihosting(Operation::kExitExtended, block);
}

namespace {

// The command line, cut at its spaces: program arguments with spaces are not supported.
char command_line[1024];
char* arguments[64];

int read_arguments() {
  struct {
    char* text;
    std::uint32_t size;
  } block = {command_line, sizeof command_line};
  if (semihosting(Operation::kGetCommandLine, &block) != 0) return 0;

  int count = 0;
  constexpr int kMost = static_cast<int>(sizeof arguments / sizeof *arguments) - 1;
  for (char* c = command_line; *c != '\0' && count < kMost;) {
    if (*c == ' ') {
      *c++ = '\0';
      continue;
    }
    arguments[count++] = c;
    while (*c != '\0' && *c != ' ') ++c;
  }
  return count;
}

}  // namespace
}  // namespace board

extern "C" {

void board_run() {
  board::trap_unaligned_accesses();  // not earlier: libstdc++ constructs its locales with unaligned accesses
  const int count = board::read_arguments();
  const int code = board_main(count, board::arguments);
  std::fflush(stdout);  // picolibc's exit() does not
  std::exit(code);
}

// Ends every program, by exit() and abort() too. On Arm it takes the place of librdimon's, so that the exit code gets
// through.
[[noreturn]] void _exit(int code) { board::exit_emulator(code); }

// What the toolchain's own start-up files would define, and the C and C++ libraries ask for.
extern void* const __dso_handle = nullptr;
void _init() {}
void _fini() {}

// There is no entropy here. std::random_device throws or aborts, so tests print a seed and take it from their
// arguments.
int getentropy(void*, std::size_t) { return -1; }

}  // extern "C"
