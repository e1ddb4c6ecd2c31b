# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Writes a C++ source that defines the constants of map_files.hpp: the text of files.
#
# cmake -D OUTPUT=file.cpp -D DIR=folder -P embed_text.cmake

set(source "// Made by embed_text.cmake from map.html and map.css.\n\n#include \"map_files.hpp\"\n")
foreach(pair kMapHtml=map.html kMapCss=map.css)
  string(REGEX MATCH "^(.*)=(.*)$" pair "${pair}")
  set(name ${CMAKE_MATCH_1})
  file(READ "${DIR}/${CMAKE_MATCH_2}" text)
  string(LENGTH "${text}" length)
  if(length GREATER 65000)
    message(FATAL_ERROR "${CMAKE_MATCH_2} is longer than a string of C++ may be")
  endif()
  string(APPEND source "\nconst std::string_view arenite::tool::${name} = R\"TEXT(${text})TEXT\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
