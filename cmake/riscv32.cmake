# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Toolchain: RISC-V with 32 bits (RV32IMAC), soft float, bare metal with picolibc.
#
# Debian has no C++ library for it. But C++ headers are the same for every core,
# so that those of the Arm toolchain serve, which are made for a C library of the
# same family: they must be of the same release of GCC. examples/boards/riscv
# defines the little that they leave to a library.

set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(compiler riscv64-unknown-elf)

set(ARENITE_LIBSTDCXX_DIR
    /usr/include/newlib/c++/12.2.1
    CACHE PATH "C++ headers for RISC-V: Debian's libstdc++-arm-none-eabi-newlib has them")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARENITE_LIBSTDCXX_DIR)
if(NOT EXISTS ${ARENITE_LIBSTDCXX_DIR}/arm-none-eabi/bits/c++config.h)
  message(FATAL_ERROR "ARENITE_LIBSTDCXX_DIR has no C++ headers: ${ARENITE_LIBSTDCXX_DIR}")
endif()

set(flags
    "-march=rv32imac -mabi=ilp32 --specs=picolibc.specs"
    "-isystem ${ARENITE_LIBSTDCXX_DIR} -isystem ${ARENITE_LIBSTDCXX_DIR}/arm-none-eabi")
list(JOIN flags " " flags)
set(linker_flags "-nodefaultlibs")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-lc -lgcc") # the default has -lstdc++
set(ARENITE_BOARD virt)

include(${CMAKE_CURRENT_LIST_DIR}/bare_metal.cmake)
