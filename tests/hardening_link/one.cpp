// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "unit.hpp"

#if defined(SHARED_BY_NAME)
arenite::Arena<256> arena;
#elif defined(SHARED_HIDDEN)
Device device;
#endif

int main() { return take() != nullptr ? 0 : 1; }
