# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Toolchain: Arm Cortex-M4, soft float, bare metal with newlib.

set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(compiler arm-none-eabi)
set(flags "-mcpu=cortex-m4 -mthumb")
set(ARENITE_BOARD mps2_an386)

include(${CMAKE_CURRENT_LIST_DIR}/bare_metal.cmake)
