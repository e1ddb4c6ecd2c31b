// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// The offline plan of a TensorFlow Lite Micro model, read into constraints: the bytes that its metadata
/// `OfflineMemoryAllocation` points to, in which a tool such as Vela gives some tensors an offset beforehand.
///
///     arenite::Constraint pins[kTensors];
///     const auto offline = arenite::tflm::read_offline_plan(blob, blob_size, kTensors, pins);
///     if (offline.status == arenite::Status::kOk) plan = arenite::plan(buffers, count, offline.pins, memory, bytes);
///
/// What the plan leaves open is placed around the pins, and so are buffers that come behind the tensors, scratch for
/// one. Whether the offsets make sense for the buffers, `plan` and `validate` say.
///
/// No heap. The bytes need no alignment, and none is read outside of them. Pure: safe from any thread and any interrupt
/// that has its own memory.

#include <cstddef>
#include <cstdint>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../constraint.hpp"
#include "../status.hpp"
#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace tflm {

/// What was read.
struct OfflinePlan {
  Status status = Status::kOk;         ///< `kOk`, or why the bytes were refused.
  Index tensor = kNoIndex;             ///< The tensor for which they were, if one is to blame.
  ConstraintList pins = {nullptr, 0};  ///< One for each tensor that has an offset, in their order. None if refused.
};

/// Reads an offline plan of `size` bytes, for a model of `tensors` tensors, those of all its subgraphs together. The
/// pins are written to `pins`, which has `tensors` entries and must outlive the answer. O(tensors).
///
/// The bytes are words of 32 bits, the lowest byte first: the version, the number of subgraphs, the number of offsets,
/// and an offset for each tensor, or -1 for none. The version is 1 in the tests of TensorFlow Lite Micro and 0 in what
/// Vela writes, with the same meaning. The second word is not looked at: older tools put the index of a subgraph there.
///
/// Refused if and only if
/// - the bytes end before the three words, or before as many offsets as there should be (`kOutOfBounds`), or go on
///   behind these (`kMismatch`);
/// - the version is another one, or the number of offsets is not that of the tensors (`kMismatch`);
/// - an offset is below -1 (`kOutOfBounds`, with the tensor);
/// - there are more than `kMaxBuffers` tensors (`kTooManyBuffers`), or `blob` is null, or `pins` is and there are
///   tensors (`kNullMemory`).
///
/// Source: docs/memory_management.md of TensorFlow Lite Micro, which itself compares the number of offsets only, and
/// with no end in sight.
[[nodiscard]] constexpr OfflinePlan read_offline_plan(const std::uint8_t* blob, std::size_t size, std::size_t tensors,
                                                      Constraint* pins) noexcept {
  const auto refuse = [](Status status, Index tensor = kNoIndex) { return OfflinePlan{status, tensor}; };
  const auto word = [blob](std::size_t index) {
    std::uint32_t value = 0;
    for (std::size_t byte = 4; byte > 0; --byte) value = value << 8 | blob[4 * index + byte - 1];
    return value;
  };
  constexpr std::size_t kHeader = 3;  // words
  constexpr std::uint32_t kNoOffset = 0xFFFFFFFF;
  constexpr std::uint32_t kLargestOffset = 0x7FFFFFFF;

  if (tensors > kMaxBuffers) return refuse(Status::kTooManyBuffers);
  if (detail::is_null(blob) || (tensors != 0 && detail::is_null(pins))) return refuse(Status::kNullMemory);
  if (size < 4 * kHeader) return refuse(Status::kOutOfBounds);
  if (word(0) > 1 || word(2) != tensors) return refuse(Status::kMismatch);
  const std::size_t needed = 4 * (kHeader + tensors);
  if (size != needed) return refuse(size < needed ? Status::kOutOfBounds : Status::kMismatch);
  std::size_t count = 0;
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::uint32_t offset = word(kHeader + i);
    if (offset == kNoOffset) continue;
    if (offset > kLargestOffset) return refuse(Status::kOutOfBounds, static_cast<Index>(i));
    pins[count++] = pinned(i, offset);
  }
  return {Status::kOk, kNoIndex, {pins, count}};
}

}  // namespace tflm
}  // namespace ARENITE_ABI
}  // namespace arenite
