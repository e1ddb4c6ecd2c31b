// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// What picolibc and the core need to run a program on an emulated RISC-V core.

#include "../semihosting.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

// Lines are written whole, as each write is a call to the emulator.
struct Output {
  char text[256];
  std::size_t size;
  std::uint32_t handle;
} output;

int flush_output(FILE*) {
  if (output.size == 0) return 0;
  if (output.handle == 0) {  // ":tt" is the terminal, and mode 4 is "w"
    const struct {
      const char* name;
      std::uint32_t mode, length;
    } open = {":tt", 4, 3};
    output.handle = board::semihosting(board::Operation::kOpen, &open);
  }
  const struct {
    std::uint32_t handle;
    const char* text;
    std::size_t size;
  } write = {output.handle, output.text, output.size};
  output.size = 0;
  return board::semihosting(board::Operation::kWrite, &write) == 0 ? 0 : EOF;  // it returns how much was not written
}

int put_character(char c, FILE* file) {
  output.text[output.size++] = c;
  if (c != '\n' && output.size < sizeof output.text) return static_cast<unsigned char>(c);
  return flush_output(file) == 0 ? static_cast<unsigned char>(c) : EOF;
}

FILE console = FDEV_SETUP_STREAM(put_character, nullptr, flush_output, _FDEV_SETUP_WRITE);

}  // namespace

// The core does not: the compiler checks alignment instead, as CMakeLists.txt says.
void board::trap_unaligned_accesses() {}

FILE* const stdin = &console;
FILE* const stdout = &console;
FILE* const stderr = &console;

extern "C" {

[[noreturn, gnu::used]] void board_handle_trap(std::uint32_t cause, std::uint32_t pc, std::uint32_t value) {
  (void)flush_output(nullptr);
  board::print("\nTrap: mcause ");
  board::print_hex(cause);
  board::print(", mepc ");
  board::print_hex(pc);
  board::print(", mtval ");
  board::print_hex(value);
  board::print("\n");
  board::exit_emulator(board::kFaultCode);
}

// It does not come back, so it may begin with a new stack: the old one may be what is wrong.
[[gnu::naked, gnu::aligned(4)]] void board_trap() {
  asm volatile(
      ".option push\n\t.option arch, +zicsr\n\t"
      "csrr a0, mcause\n\tcsrr a1, mepc\n\tcsrr a2, mtval\n\t"
      ".option pop\n\t"
      "la sp, board_stack_top\n\tj board_handle_trap");
}

// abort() ends here, by raise(): there is no one else to send a signal to.
[[noreturn]] int kill(int, int signal) {
  (void)flush_output(nullptr);
  board::exit_emulator(128 + signal);
}
int getpid() { return 1; }

}  // extern "C"
