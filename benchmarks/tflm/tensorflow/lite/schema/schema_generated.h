// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

// Takes the place of TFLM's header of this name, which needs FlatBuffers: all that is wanted of it is the name of a
// type, and std::max, which comes in by that way.

#include <algorithm>

namespace tflite {
struct Tensor;
}  // namespace tflite
