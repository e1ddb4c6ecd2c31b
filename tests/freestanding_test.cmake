# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# cmake -D NM=... -D OBJECT=... -P freestanding_test.cmake
#
# Fails where an object asks the linker for more than what GCC and Clang ask of
# every environment: four functions for memory, and those of the compiler's own
# library, whose names are the compiler's.

execute_process(COMMAND ${NM} -u ${OBJECT} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+\n" symbols "${output}")

string(REPLACE "\n" "" symbols "${symbols}")
list(JOIN symbols " " asked)
message("It asks for: ${asked}")

set(unexpected)
foreach(symbol IN LISTS symbols)
  if(NOT symbol MATCHES "^(memcpy|memmove|memset|memcmp)$" AND NOT symbol MATCHES "^__(aeabi_|gnu_thumb1_|[a-z]*[sdt]i[2-4]$)")
    list(APPEND unexpected ${symbol})
  endif()
endforeach()
if(unexpected)
  list(JOIN unexpected " " unexpected)
  message(FATAL_ERROR "It asks for more than a freestanding environment has: ${unexpected}")
endif()
