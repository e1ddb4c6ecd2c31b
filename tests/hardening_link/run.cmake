# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Links two units that share an arena by name, each at every level of hardening: only those of one level become a program.
# Units of GCC that share no name of the library's are held apart as well. All that once more optimised at link time.
#
#   cmake -D SOURCES=folder -D FOLDER=folder -D COMPILER_ID=id -P run.cmake -- COMPILER OPTION...

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../compiler_arguments.cmake)
set(ENV{LC_ALL} C)

# What the linker or the assembler says of two levels.
set(refused "arenite_hardening|different ARENITE_HARDENING")
set(share BY_NAME HIDDEN)
if(NOT COMPILER_ID STREQUAL "GNU")
  set(refused "undefined (reference|symbol)")
  set(share BY_NAME)
endif()

set(levels OFF STANDARD DEBUG)
foreach(lto IN ITEMS "" -flto)
  set(link ${lto})
  if(lto AND COMPILER_ID STREQUAL "GNU")
    list(APPEND link -Wno-odr) # nor is a warning of that what holds them apart
  elseif(lto)
    list(APPEND link -fuse-ld=lld) # another needs a plug-in
  endif()
  foreach(shared IN LISTS share)
    foreach(level IN LISTS levels)
      foreach(unit one other)
        execute_process(
          COMMAND ${compiler} ${lto} -D ARENITE_HARDENING=ARENITE_HARDENING_${level} -D SHARED_${shared} -c
                  ${SOURCES}/${unit}.cpp -o ${FOLDER}/hardening_${unit}_${level}.o COMMAND_ERROR_IS_FATAL ANY)
      endforeach()
    endforeach()
    foreach(one IN LISTS levels)
      foreach(other IN LISTS levels)
        execute_process(
          COMMAND ${compiler} ${link} ${FOLDER}/hardening_one_${one}.o ${FOLDER}/hardening_other_${other}.o -o
                  ${FOLDER}/hardening_link
          RESULT_VARIABLE result
          OUTPUT_VARIABLE output
          ERROR_VARIABLE output)
        set(pair "${lto} ${shared}: a unit of level ${one} and one of level ${other}")
        if(one STREQUAL other AND NOT result EQUAL 0)
          message(FATAL_ERROR "${pair} do not link:\n${output}")
        elseif(NOT one STREQUAL other AND (result EQUAL 0 OR NOT output MATCHES "${refused}"))
          message(FATAL_ERROR "${pair} link, or do not for another reason:\n${output}")
        endif()
      endforeach()
    endforeach()
  endforeach()
endforeach()
