# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# For a script that is run as `cmake ... -P script.cmake -- COMPILER OPTION...`: what stands behind the dashes, as the list
# `compiler`.

set(compiler)
set(seen_dashes FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(seen_dashes)
    list(APPEND compiler "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(seen_dashes TRUE)
  endif()
endforeach()
