# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# The answer of the tool in README.md is what the tool says.
#
#   cmake -D README=README.md -D ARENITE=program -P readme_test.cmake         in the root of the project
#
# The command is the first line there that begins with `tools/run`; as much of its answer as stands up to TensorFlow Lite
# Micro's figure stands there too, indented by four.

cmake_minimum_required(VERSION 3.25)

file(STRINGS ${README} commands REGEX "^    tools/run plan ")
list(GET commands 0 command)
string(REGEX REPLACE " *#.*" "" command "${command}")
string(REGEX REPLACE "^ *tools/run " "" command "${command}")
separate_arguments(arguments UNIX_COMMAND "${command}")

execute_process(
  COMMAND ${ARENITE} ${arguments}
  OUTPUT_VARIABLE output
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^.*TensorFlow Lite Micro[^\n]*\n" answer "${output}")
string(REGEX REPLACE "\n([^\n])" "\n    \\1" answer "\n${answer}")

file(READ ${README} text)
string(FIND "${text}" "${answer}" found)
if(answer STREQUAL "\n" OR found EQUAL -1)
  message(FATAL_ERROR "${README} has another answer to `${command}` than the tool, which says:\n${answer}")
endif()
