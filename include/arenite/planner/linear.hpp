// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// No reuse: each buffer has bytes of its own, in the order given. For debugging (what does the wrong sharing?), and to
/// say what reuse saves. TensorFlow Lite Micro calls it `LinearMemoryPlanner`. Pure: safe from any thread and any
/// interrupt that has its own memory.

#include <cstddef>

#include "../align.hpp"
#include "../buffer.hpp"
#include "../version.hpp"
#include "around.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// A strategy is a type with these two functions; `plan<YourStrategy>(buffers)` takes any. Both are pure. One whose
/// `place` takes a `const Buffer*` alone does for lists without constraints.
struct linear {
  /// Entries of scratch that `place` needs for `count` buffers. Grows with `count`.
  [[nodiscard]] static constexpr std::size_t scratch(std::size_t /*count*/) noexcept { return 0; }

  /// Writes an offset for each buffer: a multiple of its alignment, such that buffers that overlap in time do not
  /// overlap in space; zero-size buffers take none. The buffers are valid, their sizes at most `kMaxSize`. `List` is a
  /// `const Buffer*`, or `Around` some that lie already. True if and only if every buffer ends within `kMaxSize`. O(n).
  template <class List>
  [[nodiscard]] static constexpr bool place(List list, std::size_t count, std::size_t* offsets,
                                            Index* /*scratch*/) noexcept {
    const Buffer* const buffers = buffers_of(list);
    std::size_t end = 0;
    for (std::size_t i = fixed_in(list); i < count; ++i) {
      offsets[i] = 0;
      if (buffers[i].size == 0) continue;
      const Buffer always{buffers[i].size, 0, static_cast<Step>(-1), buffers[i].alignment};
      const std::size_t offset = align_up(end, always.alignment.bytes());  // cannot wrap: both are at most kMaxSize + 1
      offsets[i] = step_over(list, offsets, always, offset);
      if (offsets[i] > kMaxSize - buffers[i].size) return false;
      end = offsets[i] + buffers[i].size;
    }
    return true;
  }
};

}  // namespace ARENITE_ABI
}  // namespace arenite
