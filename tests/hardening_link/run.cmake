# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Links two units that share an arena by name, each at every level of hardening: only those of one level become a program,
# though all names of the others fit together.
#
#   cmake -D SOURCES=folder -D FOLDER=folder -P run.cmake -- COMPILER OPTION...

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../compiler_arguments.cmake)
set(ENV{LC_ALL} C)

set(levels OFF STANDARD DEBUG)
foreach(level IN LISTS levels)
  foreach(unit one other)
    execute_process(COMMAND ${compiler} -D ARENITE_HARDENING=ARENITE_HARDENING_${level} -c ${SOURCES}/${unit}.cpp -o
                            ${FOLDER}/hardening_${unit}_${level}.o COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()

foreach(one IN LISTS levels)
  foreach(other IN LISTS levels)
    execute_process(
      COMMAND ${compiler} ${FOLDER}/hardening_one_${one}.o ${FOLDER}/hardening_other_${other}.o -o
              ${FOLDER}/hardening_link
      RESULT_VARIABLE result
      OUTPUT_VARIABLE output
      ERROR_VARIABLE output)
    if(one STREQUAL other AND NOT result EQUAL 0)
      message(FATAL_ERROR "Two units of level ${one} do not link:\n${output}")
    elseif(NOT one STREQUAL other AND (result EQUAL 0 OR NOT output MATCHES "arenite_abi"))
      message(FATAL_ERROR "A unit of level ${one} links with one of level ${other}, or for another reason not:\n${output}")
    endif()
  endforeach()
endforeach()
