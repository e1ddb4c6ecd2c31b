# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# What the toolchain files for microcontrollers share. They set
#
#   CMAKE_SYSTEM_PROCESSOR  the core
#   compiler                the prefix of the compilers' names
#   flags                   the options that choose the core and the libraries
#   linker_flags            options for the linker, if any
#   ARENITE_BOARD           the board of examples/boards on which programs run
#
# Programs for an emulated board link arenite_board; what they compile to runs
# on QEMU.

set(CMAKE_SYSTEM_NAME Generic)

set(CMAKE_C_COMPILER ${compiler}-gcc)
set(CMAKE_CXX_COMPILER ${compiler}-g++)

set(CMAKE_CXX_FLAGS_INIT "${flags} -ffunction-sections -fdata-sections")
set(CMAKE_C_FLAGS_INIT "${CMAKE_CXX_FLAGS_INIT}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections ${linker_flags}")

# Without a board there is no start-up code, so CMake's checks cannot link.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../examples/boards/run;${ARENITE_BOARD}")
