// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "unit.hpp"

arenite::Arena<256> arena;

int main() { return take() != nullptr ? 0 : 1; }
