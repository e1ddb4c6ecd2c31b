// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// The emulated board itself: what the other tests on it rely on. Its argument says how the program ends.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Constructed {
  Constructed() : value(std::getenv("NONE") == nullptr ? 3 : 0) {}
  int value;
};

int initialised = 1;
int zero;
Constructed constructed;
alignas(4) unsigned char bytes[8];

}  // namespace

int main(int argc, char** argv) {
  if (initialised != 1 || zero != 0 || constructed.value != 3) {
    std::puts("The start-up code did not set the variables up.");
    return 1;
  }
  if (argc != 2) return 1;
  if (std::strcmp(argv[1], "return_0") == 0) return 0;
  if (std::strcmp(argv[1], "return_3") == 0) return 3;
  if (std::strcmp(argv[1], "abort") == 0) std::abort();
  if (std::strcmp(argv[1], "unaligned_access") == 0) {
    volatile std::uintptr_t address = reinterpret_cast<std::uintptr_t>(bytes) + 1;
    *reinterpret_cast<volatile std::uint32_t*>(address) = 1;
    std::puts("An unaligned access did not fault.");
  }
  if (std::strcmp(argv[1], "hang") == 0) {
    for (volatile int forever = 1; forever == 1;) {
    }
  }
  return 0;
}
