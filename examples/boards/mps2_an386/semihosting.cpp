// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The world outside of the emulated board, by Arm semihosting: command line, exit code, the report of a fault. Input
// and output go the same way, by newlib's librdimon (--specs=rdimon.specs).

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {

int board_main(int argc, char** argv) asm("main");  // C++ forbids to call main() by its name
void initialise_monitor_handles();                  // librdimon: opens stdin, stdout, stderr
[[noreturn]] void board_run();
extern const std::uint32_t board_libraries_begin[], board_libraries_end[];  // laid by the linker script

}  // extern "C"

namespace {

enum class Operation : std::uint32_t {
  kWrite0 = 0x04,  // print a zero-terminated string
  kGetCommandLine = 0x15,
  kExitExtended = 0x20,  // plain SYS_EXIT has no room for an exit code on 32-bit targets
};

std::uint32_t semihosting(Operation operation, const volatile void* argument) {
  register std::uint32_t r0 asm("r0") = static_cast<std::uint32_t>(operation);
  register const volatile void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

[[noreturn]] void exit_emulator(int code) {
  constexpr std::uint32_t kApplicationExit = 0x20026;
  const volatile std::uint32_t block[2] = {kApplicationExit, static_cast<std::uint32_t>(code)};
  for (;;) semihosting(Operation::kExitExtended, block);
}

void print(const char* text) { semihosting(Operation::kWrite0, text); }

void print_hex(std::uint32_t value) {
  char text[11] = "0x00000000";
  for (int i = 9; i > 1; --i, value >>= 4) text[i] = "0123456789abcdef"[value & 15u];
  print(text);
}

// Where this bit is set, a word or halfword access to an address that is not a multiple of its size faults, as it does
// on a Cortex-M0 and in device memory. The Cortex-M4 allows it by default, which would let an alignment bug pass.
constexpr std::uint32_t kTrapUnaligned = 1u << 3;
volatile std::uint32_t& configuration() { return *reinterpret_cast<volatile std::uint32_t*>(0xE000ED14u); }

std::uint32_t address_of(const std::uint32_t* symbol) { return reinterpret_cast<std::uint32_t>(symbol); }

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

extern "C" {

// Before the program's own constructors, which may print.
[[gnu::constructor(101)]] void board_open_console() { initialise_monitor_handles(); }

void board_run() {
  // Not earlier: libstdc++ constructs its locales with unaligned accesses.
  configuration() |= kTrapUnaligned;

  const int count = read_arguments();
  std::exit(board_main(count, arguments));
}

// Ends every program, by exit() and abort() too: takes the place of librdimon's, so that the exit code gets through.
[[noreturn]] void _exit(int code) { exit_emulator(code); }

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

// What the toolchain's own start-up files would define, and the C and C++ libraries ask for.
extern void* const __dso_handle = nullptr;
void _init() {}
void _fini() {}

// There is no entropy here. std::random_device throws or aborts, so tests print a seed and take it from their
// arguments.
int getentropy(void*, std::size_t) { return -1; }

// What the core pushes when an exception is entered.
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, psr;
};

[[gnu::used]] void board_handle_fault(const ExceptionFrame* frame) {
  // Bit 24: unaligned access. In the toolchain's libraries that is no bug of ours: they are built for a core that
  // allows it (libstdc++ does so where it prints floating point). It is let through, and what follows runs unguarded.
  auto& status = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED28u);  // Configurable Fault Status Register
  if (status == 1u << 24 && frame->pc >= address_of(board_libraries_begin) &&
      frame->pc < address_of(board_libraries_end)) {
    print("\nboard: unaligned access in the C++ library; from here on such accesses do not fault\n");
    status = 1u << 24;  // written ones clear
    configuration() &= ~kTrapUnaligned;
    return;  // and the instruction is tried again
  }

  print("\nHardFault: pc ");
  print_hex(frame->pc);
  print(", lr ");
  print_hex(frame->lr);
  print(", configurable fault status ");
  print_hex(status);
  print("\n");
  exit_emulator(139);  // what a shell reports for a segmentation fault
}

[[gnu::naked]] void HardFault_Handler() { asm volatile("mov r0, sp\n\tb board_handle_fault"); }

}  // extern "C"
