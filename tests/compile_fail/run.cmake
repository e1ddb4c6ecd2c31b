# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Runs one test of something that must not compile.
#
#   cmake -D SOURCE=case.cpp -D OBJECT=case.o -P run.cmake -- COMPILER OPTION...
#
# The file compiles as it is, without a warning: this twin shows that nothing else is wrong with it. With
# ARENITE_COMPILE_FAIL defined it does not compile, and what the compiler prints matches each regular expression that
# stands in the file as
#
#   // expect: <regular expression, in CMake's syntax>

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../compiler_arguments.cmake)

# The messages in English, whatever the user's language.
set(ENV{LC_ALL} C)

# Not -fsyntax-only: some diagnostics come after it.
execute_process(
  COMMAND ${compiler} -c ${SOURCE} -o ${OBJECT}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output STREQUAL "")
  message(FATAL_ERROR "The twin, without ARENITE_COMPILE_FAIL, does not compile cleanly:\n${output}")
endif()

execute_process(
  COMMAND ${compiler} -D ARENITE_COMPILE_FAIL -c ${SOURCE} -o ${OBJECT}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "It compiles, but must not.")
endif()

# The path of the file, which every message begins with, is no message.
string(REPLACE "${SOURCE}" "" output "${output}")
file(STRINGS ${SOURCE} expectations REGEX "^ *// expect: ")
if(NOT expectations)
  message(FATAL_ERROR "No line `// expect: <regular expression>` in ${SOURCE}")
endif()
foreach(expectation IN LISTS expectations)
  string(REGEX REPLACE "^ *// expect: " "" regex "${expectation}")
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "It does not compile, but the compiler does not say \"${regex}\":\n${output}")
  endif()
endforeach()
