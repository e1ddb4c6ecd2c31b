// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// An arena under AddressSanitizer: an observer that makes it report who touches what is not, or not any more, theirs.
/// For tests on the desk: `-fsanitize=address` with GCC or Clang. In any other build it is empty and does nothing, so
/// that it can stay in the program.
///
///     arenite::Arena<4096, 16, arenite::Asan> arena;
///
/// From the first call of the arena on, what is not granted is poisoned: padding, fences, gaps, and what was given
/// back. A planned block is accessible as a whole until `arena.enter` says which step of which plan begins; from then
/// on only the buffers that live at that step are, until the next step or request for an overlay.
///
/// AddressSanitizer knows memory by 8 bytes, of which the first few are accessible: the end of a block is exact, while
/// bytes in front of a block that begins at no multiple of 8, and share these 8 with it, are accessible. It never
/// reports who does nothing wrong.
///
/// For one arena, from its first call on, and not longer than there is memory: when the observer dies, what it watched
/// becomes accessible. Give it to a `BasicArenaRef<Asan>` by name, which compiles with and without the sanitizer.
///
/// With the sanitizer on it holds four words and has a destructor, so that an arena with it is not trivially
/// destructible. The two are different types: functions of translation units with and without the sanitizer that take
/// such an arena do not link, rather than disagree on where its bytes lie. (The name of a variable does not tell its
/// type to the linker.)
///
/// Threads and interrupts: nothing but its arena calls it. Under `Synchronized` or a lock of yours it sees what the
/// arena does, one call after the other.

#include <cstddef>

#include "../arena_core.hpp"
#include "../observer.hpp"
#include "../version.hpp"

/// 1 where this translation unit is instrumented, else 0. It decides which of the two classes `Asan` is, and each has a
/// name of its own for the linker.
#if defined(__SANITIZE_ADDRESS__)
#define ARENITE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENITE_ASAN 1
#endif
#endif
#if !defined(ARENITE_ASAN)
#define ARENITE_ASAN 0
#endif

#if ARENITE_ASAN
extern "C" {
void __asan_poison_memory_region(void const volatile*, std::size_t);
void __asan_unpoison_memory_region(void const volatile*, std::size_t);
}
#endif

namespace arenite {
inline namespace ARENITE_ABI {

#if ARENITE_ASAN

inline namespace with_asan {

class Asan : public Observer {
 public:
  constexpr Asan() noexcept = default;
  Asan(const Asan&) = delete;
  Asan& operator=(const Asan&) = delete;
  ~Asan() { open(memory_, capacity_); }

  // For the arena.
  void on(const Event& event) noexcept {
    if (memory_ == nullptr && event.capacity != 0) {
      memory_ = event.memory;
      capacity_ = event.capacity;
      close(memory_, capacity_);
    }
    switch (event.what) {
      case EventKind::kRequest:
        if (!event.success || event.size == 0) break;
        open(event.pointer, event.size);
        if (event.region == Region::kOverlay) {
          overlay_ = event.pointer - event.padding;
          if (event.padding + event.size > overlay_size_) overlay_size_ = event.padding + event.size;
          open(overlay_, overlay_size_);
        }
        break;
      case EventKind::kRelease:
      case EventKind::kCloseTemp:
        close(event.pointer, event.size);
        if (event.region == Region::kHead || event.region == Region::kOverlay) overlay_size_ = 0;
        break;
      default:
        break;
    }
  }

  void on_step(const StepEvent& event) noexcept {
    if (event.base == nullptr) return open(overlay_, overlay_size_);  // no step any more
    close(overlay_, overlay_size_);
    for (std::size_t i = 0; i < event.count; ++i) {
      const std::size_t bytes = event.bytes_at(event.step, i);
      if (bytes != 0) open(event.base + event.offsets[i], bytes);
    }
  }

 private:
  static void close(const std::byte* bytes, std::size_t size) noexcept {
    if (size != 0) __asan_poison_memory_region(bytes, size);
  }
  static void open(const std::byte* bytes, std::size_t size) noexcept {
    if (size != 0) __asan_unpoison_memory_region(bytes, size);
  }

  const std::byte* memory_ = nullptr;
  std::size_t capacity_ = 0;
  const std::byte* overlay_ = nullptr;
  std::size_t overlay_size_ = 0;  // of the whole region: plans share it
};

}  // namespace with_asan

#else

inline namespace without_asan {

class Asan : public Observer {};

}  // namespace without_asan

#endif

}  // namespace ARENITE_ABI
}  // namespace arenite
