# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Toolchain: Arm Cortex-M3, soft float, bare metal with newlib.

set(CMAKE_SYSTEM_PROCESSOR cortex-m3)
set(compiler arm-none-eabi)
set(flags "-mcpu=cortex-m3 -mthumb")
set(ARENITE_BOARD mps2_an385)

include(${CMAKE_CURRENT_LIST_DIR}/bare_metal.cmake)
