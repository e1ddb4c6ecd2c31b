# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Warnings for our own programs, linked PRIVATE: users of the library never see
# this target. The headers are included with -I, so it reaches them too.
add_library(arenite_warnings INTERFACE)
target_compile_options(
  arenite_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wsign-conversion
            -Wshadow
            -Wcast-align
            -Wundef
            -Wold-style-cast
            -Werror)
