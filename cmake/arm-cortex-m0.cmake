# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Toolchain: Arm Cortex-M0, soft float, bare metal with newlib.

set(CMAKE_SYSTEM_PROCESSOR cortex-m0)
set(compiler arm-none-eabi)
set(flags "-mcpu=cortex-m0 -mthumb")
set(ARENITE_BOARD microbit)

include(${CMAKE_CURRENT_LIST_DIR}/bare_metal.cmake)
