// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// arena_typical.cpp at hardening level debug: fences and patterns, looked at in each call.

#define ARENITE_HARDENING ARENITE_HARDENING_DEBUG
#include "arena_typical.cpp"
