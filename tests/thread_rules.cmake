# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Checks that each header says, in the paragraphs at its head, which threads and interrupts may call what is in it.
#
#   cmake -D HEADERS=a.hpp,b.hpp -P thread_rules.cmake     (in the root of the repository)

cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" headers "${HEADERS}")
if(NOT headers)
  message(FATAL_ERROR "No headers given")
endif()

foreach(header IN LISTS headers)
  # From `#pragma once` to the first line that is neither empty nor a comment.
  file(STRINGS ${header} lines REGEX "^(#pragma once|#include|#define|#if|namespace|///)")
  set(head)
  foreach(line IN LISTS lines)
    if(line MATCHES "^///")
      string(APPEND head "${line}\n")
    elseif(NOT line MATCHES "^#pragma once")
      break()
    endif()
  endforeach()
  if(NOT head MATCHES "[Tt]hread|[Ii]nterrupt")
    message(SEND_ERROR "${header} does not say at its head which threads and interrupts may call what is in it")
  endif()
endforeach()
