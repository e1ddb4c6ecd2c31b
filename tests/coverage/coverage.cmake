# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Which lines and branches of include/ the test programs run, by Clang's counters: the test `coverage` sums up what all
# of them counted. It runs after them. Where only some tests are chosen, ctest's -FA coverage leaves it out, as what
# these alone cover is too little.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "ARENITE_COVERAGE needs Clang; this is ${CMAKE_CXX_COMPILER_ID}.")
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
string(REGEX MATCH "^[0-9]+" version ${CMAKE_CXX_COMPILER_VERSION})
foreach(tool llvm-profdata llvm-cov) # of the compiler's version, as they share a format
  string(TOUPPER ARENITE_${tool} variable)
  string(REPLACE "-" "_" variable ${variable})
  find_program(${variable} NAMES ${tool}-${version} ${tool} REQUIRED)
endforeach()

get_property(
  targets
  DIRECTORY
  PROPERTY BUILDSYSTEM_TARGETS)
set(programs)
foreach(target IN LISTS targets)
  get_target_property(type ${target} TYPE)
  # Not that of lists from outside of the repository: what is covered is the same with and without them.
  if(type STREQUAL "EXECUTABLE" AND NOT target STREQUAL "problems_test")
    list(APPEND programs $<TARGET_FILE:${target}>)
    target_compile_options(${target} PRIVATE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(${target} PRIVATE -fprofile-instr-generate)
  endif()
endforeach()
# Its threads count together.
target_compile_options(threads_test PRIVATE -fprofile-update=atomic)
# Without AddressSanitizer its observer is empty.
target_compile_options(asan_test PRIVATE -fsanitize=address)
target_link_options(asan_test PRIVATE -fsanitize=address)

# Each program adds to a file of its own, and `coverage.clear` comes first: what an earlier run counted is no coverage
# of this one.
set(profiles ${CMAKE_CURRENT_BINARY_DIR}/profiles)
get_property(
  tests
  DIRECTORY
  PROPERTY TESTS)
set_tests_properties(
  ${tests} PROPERTIES ENVIRONMENT "LLVM_PROFILE_FILE=${profiles}/%m.profraw" FIXTURES_REQUIRED
                                                                                                  coverage)
add_test(NAME coverage.clear COMMAND ${CMAKE_COMMAND} -E rm -rf ${profiles})
set_tests_properties(coverage.clear PROPERTIES FIXTURES_SETUP coverage)
if(DEFINED ENV{ARENITE_TEST_SEED})
  message(STATUS "Left out, as ARENITE_TEST_SEED is set, and other cases cover other lines than the list says: coverage")
  return()
endif()
add_test(
  NAME coverage
  COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/coverage/report.py --profdata ${ARENITE_LLVM_PROFDATA} --cov
    ${ARENITE_LLVM_COV} --headers ${PROJECT_SOURCE_DIR}/include --uncovered
    ${CMAKE_CURRENT_SOURCE_DIR}/coverage/uncovered.md --lines 98 --sides 95 --profiles ${profiles} --output
    ${PROJECT_BINARY_DIR}/coverage.txt ${programs})
set_tests_properties(coverage PROPERTIES FIXTURES_CLEANUP coverage)
