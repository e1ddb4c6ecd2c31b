// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// A small convolutional network in int8, written plainly. It knows nothing of where its tensors lie: it is given a
/// pointer for each, so that the same code runs in planned memory and in any other.
///
///     image -> conv 3x3x16, ReLU, pool 2x2 -> conv 3x3x32, ReLU, pool 2x2 -> fully connected, 10 scores
///
/// Nothing here was trained: weights and images follow a rule, and so the scores mean nothing, but for that they are
/// the same wherever the network runs. Feature maps are square, row by row, the channels of a pixel side by side.

#include <cstddef>
#include <cstdint>

namespace cnn {

inline constexpr std::size_t kSide = 32;  // of the image
inline constexpr std::size_t kColours = 3;
inline constexpr std::size_t kChannels1 = 16;
inline constexpr std::size_t kChannels2 = 32;
inline constexpr std::size_t kClasses = 10;
inline constexpr std::size_t kWindow = 9;  // 3x3

// The tensors, of all variants of the network.
enum Name : int {
  kImage,
  kColumns,  // scratch of the first convolution: windows of the image, side by side
  kConv1,
  kRelu1,
  kPool1,
  kConv2,
  kRelu2,
  kPool2,
  kScores,
  kRows1,  // scratch of the fused variant: two rows of a feature map
  kRows2,
  kWeights1,
  kWeights2,
  kWeights3,
  kNames,
};

// --- weights: constants, in flash ------------------------------------------------------------------------------------

template <std::size_t kOut, std::size_t kIn>
struct Layer {
  std::int32_t bias[kOut] = {};
  std::int8_t weights[kOut][kIn] = {};
  int shift = 0;  // what the accumulator is divided by, as a power of two
};

constexpr std::uint32_t next(std::uint32_t state) { return state * 1664525u + 1013904223u; }

template <std::size_t kOut, std::size_t kIn>
constexpr Layer<kOut, kIn> make_layer(std::uint32_t state, int shift) {
  Layer<kOut, kIn> layer;
  layer.shift = shift;
  for (std::size_t out = 0; out < kOut; ++out) {
    layer.bias[out] = static_cast<std::int32_t>(out * 100) - 500;
    for (std::size_t in = 0; in < kIn; ++in) {
      state = next(state);
      layer.weights[out][in] = static_cast<std::int8_t>(static_cast<int>(state >> 25) - 64);
    }
  }
  return layer;
}

inline constexpr auto kLayer1 = make_layer<kChannels1, kWindow * kColours>(1, 8);
inline constexpr auto kLayer2 = make_layer<kChannels2, kWindow * kChannels1>(2, 9);
inline constexpr auto kLayer3 = make_layer<kClasses, kSide / 4 * kSide / 4 * kChannels2>(3, 11);

// --- kernels ---------------------------------------------------------------------------------------------------------

// An accumulator as a value again: divided by a power of two, rounded, clamped.
inline std::int8_t requantise(std::int32_t sum, int shift) {
  const std::int32_t value = (sum + (1 << (shift - 1))) >> shift;
  return static_cast<std::int8_t>(value < -128 ? -128 : value > 127 ? 127 : value);
}

template <std::size_t kOut, std::size_t kIn>
std::int8_t dot(const Layer<kOut, kIn>& layer, std::size_t out, const std::int8_t* values, std::size_t count) {
  std::int32_t sum = layer.bias[out];
  for (std::size_t i = 0; i < count; ++i) sum += layer.weights[out][i] * values[i];
  return requantise(sum, layer.shift);
}

// The 3x3 windows around the pixels of rows [row, row + rows), each as one column of 9 * channels values.
inline void im2col(const std::int8_t* input, std::size_t side, std::size_t channels, std::size_t row, std::size_t rows,
                   std::int8_t* columns) {
  for (std::size_t y = row; y < row + rows; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      for (std::size_t window = 0; window < kWindow; ++window) {
        const std::size_t in_y = y + window / 3 - 1;  // -1 wraps, and is outside as well
        const std::size_t in_x = x + window % 3 - 1;
        const bool inside = in_y < side && in_x < side;
        for (std::size_t c = 0; c < channels; ++c) {
          *columns++ = inside ? input[(in_y * side + in_x) * channels + c] : std::int8_t{0};
        }
      }
    }
  }
}

// Rows [row, row + rows) of a convolution through im2col, `strip` of them at a time: `columns` holds that many.
template <std::size_t kOut, std::size_t kIn>
void conv_im2col(const Layer<kOut, kIn>& layer, const std::int8_t* input, std::size_t side, std::size_t row,
                 std::size_t rows, std::size_t strip, std::int8_t* columns, std::int8_t* output) {
  for (std::size_t y = row; y < row + rows; y += strip) {
    im2col(input, side, kIn / kWindow, y, strip, columns);
    for (std::size_t pixel = 0; pixel < strip * side; ++pixel) {
      for (std::size_t out = 0; out < kOut; ++out) *output++ = dot(layer, out, columns + pixel * kIn, kIn);
    }
  }
}

// The same without scratch.
template <std::size_t kOut, std::size_t kIn>
void conv_direct(const Layer<kOut, kIn>& layer, const std::int8_t* input, std::size_t side, std::size_t row,
                 std::size_t rows, std::int8_t* output) {
  constexpr std::size_t kChannels = kIn / kWindow;
  for (std::size_t y = row; y < row + rows; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      for (std::size_t out = 0; out < kOut; ++out) {
        std::int32_t sum = layer.bias[out];
        for (std::size_t window = 0; window < kWindow; ++window) {
          const std::size_t in_y = y + window / 3 - 1;
          const std::size_t in_x = x + window % 3 - 1;
          if (in_y >= side || in_x >= side) continue;
          const std::int8_t* const pixel = input + (in_y * side + in_x) * kChannels;
          for (std::size_t c = 0; c < kChannels; ++c) sum += layer.weights[out][window * kChannels + c] * pixel[c];
        }
        *output++ = requantise(sum, layer.shift);
      }
    }
  }
}

// Input and output may be the same.
inline void relu(const std::int8_t* input, std::size_t count, std::int8_t* output) {
  for (std::size_t i = 0; i < count; ++i) output[i] = input[i] < 0 ? std::int8_t{0} : input[i];
}

// The largest of each 2x2 pixels.
inline void max_pool(const std::int8_t* input, std::size_t width, std::size_t height, std::size_t channels,
                     std::int8_t* output) {
  for (std::size_t y = 0; y < height; y += 2) {
    for (std::size_t x = 0; x < width; x += 2) {
      for (std::size_t c = 0; c < channels; ++c) {
        std::int8_t most = -128;
        for (std::size_t k = 0; k < 4; ++k) {
          const std::int8_t value = input[((y + k / 2) * width + x + k % 2) * channels + c];
          if (value > most) most = value;
        }
        *output++ = most;
      }
    }
  }
}

// Fewer inputs than the layer has weights, as a smaller image gives, take the first of them.
template <std::size_t kOut, std::size_t kIn>
void fully_connected(const Layer<kOut, kIn>& layer, const std::int8_t* input, std::size_t count, std::int8_t* output) {
  for (std::size_t out = 0; out < kOut; ++out) output[out] = dot(layer, out, input, count);
}

// --- the network -----------------------------------------------------------------------------------------------------

// Where each tensor lies; null for those that a variant does not have.
struct Places {
  std::int8_t* at[kNames] = {};
  std::int8_t* operator[](Name name) const { return at[name]; }
};

// Operator by operator. `strip` is how many rows go through im2col at a time.
inline void run(const Places& at, std::size_t side, std::size_t strip) {
  const std::size_t half = side / 2;
  const std::size_t quarter = side / 4;
  conv_im2col(kLayer1, at[kImage], side, 0, side, strip, at[kColumns], at[kConv1]);
  relu(at[kConv1], side * side * kChannels1, at[kRelu1]);
  max_pool(at[kRelu1], side, side, kChannels1, at[kPool1]);
  conv_direct(kLayer2, at[kPool1], half, 0, half, at[kConv2]);
  relu(at[kConv2], half * half * kChannels2, at[kRelu2]);
  max_pool(at[kRelu2], half, half, kChannels2, at[kPool2]);
  fully_connected(kLayer3, at[kPool2], quarter * quarter * kChannels2, at[kScores]);
}

// Convolution, ReLU and pooling as one operator: two rows at a time, so that there never is a whole feature map.
inline void run_fused(const Places& at, std::size_t side) {
  const std::size_t half = side / 2;
  const std::size_t quarter = side / 4;
  for (std::size_t y = 0; y < half; ++y) {
    conv_im2col(kLayer1, at[kImage], side, 2 * y, 2, 1, at[kColumns], at[kRows1]);
    relu(at[kRows1], 2 * side * kChannels1, at[kRows1]);
    max_pool(at[kRows1], side, 2, kChannels1, at[kPool1] + y * half * kChannels1);
  }
  for (std::size_t y = 0; y < quarter; ++y) {
    conv_direct(kLayer2, at[kPool1], half, 2 * y, 2, at[kRows2]);
    relu(at[kRows2], 2 * half * kChannels2, at[kRows2]);
    max_pool(at[kRows2], half, 2, kChannels2, at[kPool2] + y * quarter * kChannels2);
  }
  fully_connected(kLayer3, at[kPool2], quarter * quarter * kChannels2, at[kScores]);
}

// --- a second, smaller network: is there anything to look at? --------------------------------------------------------

enum GateName : int { kGateImage, kGateHalf, kGateQuarter, kGateScores, kGateWeights, kGateNames };

inline constexpr auto kGateLayer = make_layer<2, kSide / 4 * kSide / 4 * kColours>(9, 10);

inline void run_gate(std::int8_t* const (&at)[kGateNames]) {
  max_pool(at[kGateImage], kSide, kSide, kColours, at[kGateHalf]);
  max_pool(at[kGateHalf], kSide / 2, kSide / 2, kColours, at[kGateQuarter]);
  fully_connected(kGateLayer, at[kGateQuarter], kSide / 4 * kSide / 4 * kColours, at[kGateScores]);
}

// --- what goes in and comes out --------------------------------------------------------------------------------------

// Stripes with some noise, a different picture for each number.
inline void draw(std::int8_t* image, std::size_t side, std::uint32_t number) {
  std::uint32_t noise = number + 77;
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      for (std::size_t c = 0; c < kColours; ++c) {
        noise = next(noise);
        const bool lit = ((x * (c + 1) + y * 3 * number) / (4 + 3 * number)) % 2 == 0;
        *image++ = static_cast<std::int8_t>((lit ? 60 : -60) + static_cast<int>(noise >> 27));
      }
    }
  }
}

struct Scores {
  std::int8_t of[kClasses] = {};
};

inline bool same(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// FNV-1a.
inline std::uint32_t checksum(std::uint32_t hash, const std::int8_t* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ static_cast<std::uint8_t>(values[i])) * 16777619u;
  return hash;
}

}  // namespace cnn
