# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Checks what each header includes. The core: of the standard library only what links nothing, and of Arenite only what
# stands above in CORE. The optional headers: of Arenite only what stands above in CORE and OPTIONAL. And no header is
# missing in both lists.
#
#   cmake -D CORE=a.hpp,b.hpp -D OPTIONAL=c.hpp -P includes.cmake     (in the root of the repository)

cmake_minimum_required(VERSION 3.25)

set(standard_headers_of_the_core array cstddef cstdint limits new type_traits utility)

string(REPLACE "," ";" core "${CORE}")
string(REPLACE "," ";" optional "${OPTIONAL}")

function(mistake text)
  message(SEND_ERROR "${text}")
endfunction()

set(above)
foreach(header IN LISTS core optional)
  file(STRINGS ${header} lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    if(line MATCHES "include[ \t]*\"(.+)\"")
      cmake_path(GET header PARENT_PATH included)
      cmake_path(APPEND included ${CMAKE_MATCH_1})
      cmake_path(NORMAL_PATH included)
      if(NOT included IN_LIST above)
        mistake("${header} includes ${included}, which does not stand above it")
      endif()
    elseif(line MATCHES "include[ \t]*<([a-z_./]+)>")
      if(header IN_LIST core AND NOT CMAKE_MATCH_1 IN_LIST standard_headers_of_the_core)
        mistake("${header} includes <${CMAKE_MATCH_1}>, which the core keeps out of firmware")
      endif()
    else()
      mistake("${header}: includes are written \"header.hpp\", or <x> for the standard library, not: ${line}")
    endif()
  endforeach()
  list(APPEND above ${header})
endforeach()

file(GLOB_RECURSE present RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} include/*)
foreach(header IN LISTS present)
  if(NOT header IN_LIST above)
    mistake("${header} is in no list of headers in CMakeLists.txt")
  endif()
endforeach()
