# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Checks docs/field-notes.md: each test that it names is there. With CASES, a list of field cases, each case in it has a
# row in the notes too.
#
#   cmake [-D CASES=field-cases.md] -P field_notes.cmake     (in the root of the repository)

cmake_minimum_required(VERSION 3.25)

function(mistake text)
  message(SEND_ERROR "${text}")
endfunction()

# The tests that are there, as Suite.Case.
set(present)
file(GLOB_RECURSE sources tests/*.cpp)
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines REGEX "^TEST(_F|_P)?\\(")
  foreach(line IN LISTS lines)
    if(line MATCHES "^TEST[_FP]*\\(([A-Za-z0-9_]+), ([A-Za-z0-9_]+)\\)")
      list(APPEND present ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    endif()
  endforeach()
endforeach()
file(GLOB sources tests/compile_fail/*.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  list(APPEND present compile_fail.${name})
endforeach()

file(READ docs/field-notes.md notes)
string(REGEX MATCHALL "`([A-Z][A-Za-z0-9]*|compile_fail)\\.[A-Za-z0-9_]+`" named "${notes}")
list(LENGTH named count)
if(count LESS 100)
  mistake("docs/field-notes.md names only ${count} tests: is it still written as this script reads it?")
endif()
foreach(name IN LISTS named)
  string(REPLACE "`" "" name ${name})
  if(NOT name IN_LIST present)
    mistake("docs/field-notes.md names ${name}, and there is no such test")
  endif()
endforeach()

set(rows 0)
if(CASES)
  file(STRINGS ${CASES} lines REGEX "^\\| [A-Z][0-9]+ \\|")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "[A-Z][0-9]+" case "${line}")
    if(NOT notes MATCHES "\n\\| ${case} \\|")
      mistake("${case} of ${CASES} has no row in docs/field-notes.md")
    endif()
    math(EXPR rows "${rows} + 1")
  endforeach()
  if(rows EQUAL 0)
    mistake("${CASES} has no cases")
  endif()
endif()
message(STATUS "${count} names of tests, ${rows} cases")
