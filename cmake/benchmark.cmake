# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# Brings Google Benchmark, benchmark::benchmark: the machine's own, else the
# pinned release.

include(FetchContent)

set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # its options take their values from variables
set(BENCHMARK_ENABLE_INSTALL OFF)
set(BENCHMARK_ENABLE_TESTING OFF)
FetchContent_Declare(
  benchmark
  URL https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
  URL_HASH SHA256=6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7
  DOWNLOAD_EXTRACT_TIMESTAMP TRUE
  SYSTEM
  FIND_PACKAGE_ARGS CONFIG)
FetchContent_MakeAvailable(benchmark)
