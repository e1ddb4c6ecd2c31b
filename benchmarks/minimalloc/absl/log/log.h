// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

// Takes the place of Abseil's header of this name, which is missing in Debian 12. MiniMalloc takes from it only what it
// logs in debug builds, and from what it includes the streams and limits.

#include <iomanip>
#include <ios>
#include <iostream>
#include <limits>

#define DLOG(severity) \
  if (true) {          \
  } else               \
    std::cerr
