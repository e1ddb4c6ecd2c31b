# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# What the tool is built with: CLI11, nlohmann-json, FlatBuffers and its compiler flatc. What the machine has is used;
# else the pinned release is fetched.

include(FetchContent)

set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # their options take their values from variables
set(CMAKE_POLICY_VERSION_MINIMUM 3.5) # CMake 4 refuses what asks for less, as these releases do

set(FLATBUFFERS_BUILD_TESTS OFF)
set(FLATBUFFERS_INSTALL OFF)
FetchContent_Declare(
  cli11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
  GIT_TAG v2.1.2
  GIT_SHALLOW TRUE
  SYSTEM FIND_PACKAGE_ARGS NAMES CLI11 CONFIG)
FetchContent_Declare(
  nlohmann_json
  GIT_REPOSITORY https://github.com/nlohmann/json.git
  GIT_TAG v3.11.2
  GIT_SHALLOW TRUE
  SYSTEM FIND_PACKAGE_ARGS CONFIG)
FetchContent_Declare(
  flatbuffers
  GIT_REPOSITORY https://github.com/google/flatbuffers.git
  GIT_TAG v2.0.8
  GIT_SHALLOW TRUE
  SYSTEM FIND_PACKAGE_ARGS NAMES FlatBuffers flatbuffers CONFIG)
FetchContent_MakeAvailable(cli11 nlohmann_json flatbuffers)

# Built here, FlatBuffers has other names for its targets than installed.
if(TARGET flatbuffers::flatc)
  set(ARENITE_FLATC flatbuffers::flatc)
else()
  set(ARENITE_FLATC flatc)
endif()
add_library(arenite_flatbuffers INTERFACE)
target_link_libraries(arenite_flatbuffers INTERFACE $<IF:$<TARGET_EXISTS:flatbuffers::flatbuffers>,flatbuffers::flatbuffers,flatbuffers>)
