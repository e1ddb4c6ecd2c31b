# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Defines arenite_googletest: GoogleTest with its main(), for the host or for
# bare metal. What the machine has is used; else the pinned release is fetched.
# With ARENITE_LIGHT_TESTS it is our stand-in: tests/light says why.

option(ARENITE_LIGHT_TESTS "Run the tests with a small stand-in for GoogleTest" OFF)
if(ARENITE_LIGHT_TESTS)
  add_library(arenite_googletest STATIC ${PROJECT_SOURCE_DIR}/tests/light/light.cpp)
  target_compile_features(arenite_googletest PUBLIC cxx_std_17)
  # As GoogleTest's are, its headers are no place for our warnings: they compare what a test gives them.
  target_include_directories(arenite_googletest SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/tests/light)
  target_link_libraries(arenite_googletest PUBLIC arenite_board PRIVATE arenite_warnings)
  return()
endif()

include(FetchContent)

set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # its options take their values from variables
set(googletest_release
    URL https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
    URL_HASH SHA256=81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
    DOWNLOAD_EXTRACT_TIMESTAMP TRUE
    SYSTEM)

if(NOT CMAKE_CROSSCOMPILING)
  set(BUILD_GMOCK OFF)
  set(INSTALL_GTEST OFF)
  FetchContent_Declare(googletest ${googletest_release} FIND_PACKAGE_ARGS NAMES GTest CONFIG)
  FetchContent_MakeAvailable(googletest)

  add_library(arenite_googletest INTERFACE)
  target_link_libraries(arenite_googletest INTERFACE GTest::gtest_main)
  return()
endif()

# Bare metal: no package has it, so it is built here, from the sources that
# Debian's libgtest-dev brings where they are there.
find_path(
  ARENITE_GOOGLETEST_SOURCE_DIR src/gtest-all.cc
  PATHS /usr/src/googletest/googletest
  DOC "GoogleTest's sources, for the build without an operating system"
  NO_DEFAULT_PATH)
if(NOT ARENITE_GOOGLETEST_SOURCE_DIR)
  FetchContent_Declare(googletest ${googletest_release} SOURCE_SUBDIR none) # only unpacked
  FetchContent_MakeAvailable(googletest)
  set(ARENITE_GOOGLETEST_SOURCE_DIR ${googletest_SOURCE_DIR}/googletest)
endif()

add_library(
  arenite_googletest STATIC
  ${ARENITE_GOOGLETEST_SOURCE_DIR}/src/gtest-all.cc ${ARENITE_GOOGLETEST_SOURCE_DIR}/src/gtest_main.cc
  ${CMAKE_CURRENT_LIST_DIR}/googletest_bare_metal.cpp)
target_include_directories(arenite_googletest PRIVATE ${ARENITE_GOOGLETEST_SOURCE_DIR})
target_include_directories(arenite_googletest SYSTEM PUBLIC ${ARENITE_GOOGLETEST_SOURCE_DIR}/include)
# What needs an operating system is left out.
target_compile_definitions(
  arenite_googletest
  PUBLIC GTEST_HAS_PTHREAD=0
         GTEST_HAS_STREAM_REDIRECTION=0
         GTEST_HAS_POSIX_RE=0
         GTEST_HAS_FILE_SYSTEM=0)
# newlib hides fileno and strdup from programs in strict C++, and does not say
# how long a path is.
target_compile_definitions(
  arenite_googletest
  PUBLIC _POSIX_C_SOURCE=200809L
  PRIVATE _POSIX_PATH_MAX=256)
target_link_libraries(arenite_googletest PUBLIC arenite_board)
