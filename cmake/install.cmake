# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# The headers, and a package for find_package(arenite). Nothing in it depends on
# the architecture, so it is installed under share/ and serves the host and
# every cross compiler alike.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(arenite_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/arenite)

install(
  TARGETS arenite
  EXPORT arenite-targets
  FILE_SET HEADERS)
install(
  EXPORT arenite-targets
  NAMESPACE arenite::
  DESTINATION ${arenite_package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/arenite-config.cmake.in arenite-config.cmake
                              INSTALL_DESTINATION ${arenite_package_dir})
# Before 1.0 a new minor version may break what the last one had.
write_basic_package_version_file(
  arenite-config-version.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/arenite-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/arenite-config-version.cmake
        DESTINATION ${arenite_package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/arenite)
