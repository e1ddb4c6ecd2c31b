# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# What the consumers have in common, once arenite::arenite is there: a program with strict warnings, built twice, since
# the compiler hides warnings of headers that come with -isystem.

enable_testing()
foreach(how -I -isystem)
  set(program consumer${how})
  add_executable(${program} ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
  target_link_libraries(${program} PRIVATE arenite::arenite)
  target_compile_options(${program} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
                                            -Wold-style-cast -Werror)
  add_test(NAME ${program} COMMAND ${program})
endforeach()
get_target_property(include_dirs arenite::arenite INTERFACE_INCLUDE_DIRECTORIES)
set_target_properties(consumer-I PROPERTIES NO_SYSTEM_FROM_IMPORTED ON)
target_include_directories(consumer-isystem SYSTEM PRIVATE ${include_dirs})
