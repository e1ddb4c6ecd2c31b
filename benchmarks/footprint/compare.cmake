# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Prints what PROGRAM has more than BASE, and fails where that is more than allowed.
#
#   cmake -D NAME=... -D PROGRAM=... -D BASE=... -D SIZE=size [-D FLASH=bytes] [-D RAM=bytes]
#         [-D MAP=linker-map -D WITHOUT=regex]
#         [-D ZERO_INITIALIZED=ON -D NM=nm -D OBJECT=... -D BASE_OBJECT=...] -P compare.cmake

cmake_minimum_required(VERSION 3.25)

# The sizes of a program's sections, by kind. What is initialised takes flash for its image and RAM for itself.
function(measure program prefix)
  execute_process(COMMAND ${SIZE} -A ${program} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  foreach(kind text data bss init)
    set(${kind} 0)
  endforeach()
  string(REGEX MATCHALL "\n\\.[^\n]+" lines "${output}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "\n(\\.[^ ]+) +([0-9]+)" line "${line}")
    set(section ${CMAKE_MATCH_1})
    set(bytes ${CMAKE_MATCH_2})
    if(section MATCHES "^\\.(init_array|preinit_array|ctors)")
      math(EXPR init "${init} + ${bytes}")
    elseif(section MATCHES "^\\.(text|rodata|ARM\\.ex|eh_frame|gcc_except_table)")
      math(EXPR text "${text} + ${bytes}")
    elseif(section MATCHES "^\\.data")
      math(EXPR data "${data} + ${bytes}")
    elseif(section MATCHES "^\\.bss")
      math(EXPR bss "${bss} + ${bytes}")
    endif()
  endforeach()
  foreach(kind text data bss init)
    set(${prefix}_${kind} ${${kind}} PARENT_SCOPE)
  endforeach()
endfunction()

measure(${BASE} base)
measure(${PROGRAM} program)
foreach(kind text data bss init)
  math(EXPR ${kind} "${program_${kind}} - ${base_${kind}}")
endforeach()
math(EXPR flash "${text} + ${data} + ${init}")
math(EXPR ram "${data} + ${bss}")
cmake_path(GET BASE STEM over)
string(REPLACE "footprint_" "" over ${over})
message(NOTICE "${NAME} over ${over}: flash ${flash} (of it .data ${data}, start-up ${init}), RAM ${ram}")

if(NOT "${FLASH}" STREQUAL "" AND flash GREATER "${FLASH}")
  message(SEND_ERROR "It adds ${flash} bytes of flash; its budget is ${FLASH}.")
endif()
if(NOT "${RAM}" STREQUAL "" AND ram GREATER "${RAM}")
  message(SEND_ERROR "It adds ${ram} bytes of RAM; its budget is ${RAM}.")
endif()

if(WITHOUT)
  file(READ ${MAP} map)
  string(FIND "${map}" "Linker script and memory map" begin)
  if(begin LESS 0)
    message(SEND_ERROR "This is no linker map: ${MAP}")
  endif()
  string(SUBSTRING "${map}" ${begin} -1 map) # behind what was discarded
  string(REGEX MATCH "[^\n]*(${WITHOUT})[^\n]*" found "${map}")
  if(found)
    message(SEND_ERROR "It links what it should not: ${found}")
  endif()
endif()

if(ZERO_INITIALIZED)
  if(data GREATER 0)
    message(SEND_ERROR "It adds ${data} bytes of .data: its image takes as much flash.")
  endif()
  if(init GREATER 0)
    message(SEND_ERROR "It adds ${init} bytes of addresses of constructors that run at start-up.")
  endif()

  function(undefined_symbols object result)
    execute_process(COMMAND ${NM} -u ${object} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+\n" symbols "${output}")
    set(${result} "${symbols}" PARENT_SCOPE)
  endfunction()
  list(GET OBJECT 0 object) # the program's own, before the start-up code's
  list(GET BASE_OBJECT 0 base_object)
  undefined_symbols(${object} symbols)
  undefined_symbols(${base_object} base_symbols)
  list(REMOVE_ITEM symbols ${base_symbols})
  if(symbols)
    list(JOIN symbols " " symbols)
    message(SEND_ERROR "It links: ${symbols}")
  endif()
endif()
