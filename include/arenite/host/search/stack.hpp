// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Scratch memory for a search that goes down and comes back: taken piece by piece, given back in the order of a stack.
///
/// Host only: uses the heap, in large pieces that are kept until the end. One thread at a time.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "../../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {
namespace host {
namespace detail {

class Stack {
 public:
  /// Gives back, at the end of its life, all that was taken during it.
  class Scope {
   public:
    explicit Scope(Stack& stack) noexcept : stack_(stack), chunk_(stack.chunk_), used_(stack.used_) {}
    ~Scope() {
      stack_.chunk_ = chunk_;
      stack_.used_ = used_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Stack& stack_;
    std::size_t chunk_;
    std::size_t used_;
  };

  /// `count` objects of the value zero.
  template <class T>
  [[nodiscard]] T* take(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    const std::size_t bytes = (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    while (chunk_ == chunks_.size() || chunks_[chunk_].bytes - used_ < bytes) {
      if (chunk_ == chunks_.size()) {
        const std::size_t size = std::max(bytes, kChunk);
        chunks_.push_back({std::make_unique<unsigned char[]>(size), size});
      } else {
        ++chunk_;
      }
      used_ = 0;
    }
    void* const memory = chunks_[chunk_].memory.get() + used_;
    used_ += bytes;
    T* const first = static_cast<T*>(memory);
    for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(first + i)) T();
    return first;
  }

 private:
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  struct Chunk {
    std::unique_ptr<unsigned char[]> memory;
    std::size_t bytes;
  };

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t used_ = 0;
};

}  // namespace detail
}  // namespace host
}  // namespace ARENITE_ABI
}  // namespace arenite
