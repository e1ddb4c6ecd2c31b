# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Compiles the first program in README.md as it stands there, behind what it takes for granted.
#
#   cmake -D README=README.md -D SOURCE=program.cpp -P readme_test.cmake -- COMPILER OPTION...
#
# The program is written to SOURCE, its object file next to it.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/compiler_arguments.cmake)

# From the line behind "```cpp" to the one in front of "```".
file(READ ${README} text)
set(opening "\n```cpp\n")
string(FIND "${text}" "${opening}" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "No line \"```cpp\" in ${README}")
endif()
string(LENGTH "${opening}" length)
math(EXPR begin "${begin} + ${length}")
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "\n```\n" length)
if(length EQUAL -1)
  message(FATAL_ERROR "The first program in ${README} does not end with a line \"```\"")
endif()
string(SUBSTRING "${text}" 0 ${length} program)

set(prelude
    "#include <cstdint>

struct Filter {
  explicit Filter(const float (&taps)[3]) : first(taps[0]) {}
  float first;
};
constexpr float coefficients[] = {0.25f, 0.5f, 0.25f};

")
file(WRITE ${SOURCE} "${prelude}${program}\n")

execute_process(
  COMMAND ${compiler} -Wno-unused-variable -Wno-unused-but-set-variable -c ${SOURCE} -o ${SOURCE}.o
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output STREQUAL "")
  message(FATAL_ERROR "The first program in ${README} does not compile cleanly:\n${output}")
endif()
