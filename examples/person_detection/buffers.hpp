// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The buffers of a real model: the activations of MLPerf Tiny's visual wake words person-detection model
/// (mlcommons/tiny, `g_person_detect_model_data` in vww_model_data; vww_96_int8.tflite), as TensorFlow Lite Micro asks
/// its planner for them.

#include <arenite/buffer.hpp>

namespace person_detection {

/// Bytes, first step and last step (inclusive); the alignment is the default, 16.
inline constexpr arenite::Buffer kBuffers[] = {
    {27648, 0, 1},  {18432, 1, 2},  {18432, 2, 3},  {36864, 3, 4},  {9216, 4, 5},   {18432, 5, 6},  {18432, 6, 7},
    {18432, 7, 8},  {4608, 8, 9},   {9216, 9, 10},  {9216, 10, 11}, {9216, 11, 12}, {2304, 12, 13}, {4608, 13, 14},
    {4608, 14, 15}, {4608, 15, 16}, {4608, 16, 17}, {4608, 17, 18}, {4608, 18, 19}, {4608, 19, 20}, {4608, 20, 21},
    {4608, 21, 22}, {4608, 22, 23}, {4608, 23, 24}, {1152, 24, 25}, {2304, 25, 26}, {2304, 26, 27}, {2304, 27, 28},
    {256, 28, 29},  {256, 29, 30},  {16, 30, 31},   {16, 31, 31},
};

}  // namespace person_detection
