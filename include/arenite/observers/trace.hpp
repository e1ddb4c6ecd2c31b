// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// What happens in an arena, one event after another: an observer that passes them to a function of yours, and a line
/// of text for each.
///
///     void log(const arenite::Event& event) { arenite::print_event(uart_put, event); }
///     arenite::Arena<4096, 16, arenite::Trace<log>> arena;
///
/// The function runs within the call of the arena, in its context, be it a thread or an interrupt, and must not use the
/// arena. The observer is empty: no bytes, and one call of the function for each event.

#include <cstddef>
#include <type_traits>

#include "../arena_core.hpp"
#include "../observer.hpp"
#include "../text.hpp"
#include "../version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// `kCallback` is a function, or the address of an object that can be called, with a `const Event&`. If it can be
/// called with a `const StepEvent&` too, it is told of steps.
template <auto kCallback>
class Trace : public Observer {
 public:
  // For the arena.
  void on(const Event& event) noexcept { (*kCallback)(event); }
  void on_step(const StepEvent& event) noexcept {
    if constexpr (std::is_invocable_v<decltype(*kCallback), const StepEvent&>) (*kCallback)(event);
  }
};

namespace detail {

[[nodiscard]] constexpr const char* name_of(Region region) noexcept {
  switch (region) {
    case Region::kHead:
      return "head";
    case Region::kOverlay:
      return "overlay";
    case Region::kTemp:
      return "temp";
    case Region::kTail:
      return "tail";
  }
  return "region";
}

}  // namespace detail

/// One line of plain ASCII through a *sink*, anything that can be called with a `char`. Addresses are offsets from the
/// start of the arena, so that two runs, or a run on the desk and one on the target, can be compared by `diff`:
///
///     arena request tail size 12 align 4 kind 2 at 1012 padding 0
///     arena request overlay size 176 align 16 kind 0 refused
///     arena mark tail
///     arena open temp
///     arena close temp size 64 at 208
///     arena release tail size 12 at 1012
///
/// Of several arenas the events differ in `memory`. O(1).
template <class Sink>
void print_event(Sink&& sink, const Event& event) {
  const Writer<std::remove_reference_t<Sink>> out(sink);
  const char* const region = detail::name_of(event.region);
  const auto at = [&] { out.text(" at ").number(static_cast<std::size_t>(event.pointer - event.memory)); };
  switch (event.what) {
    case EventKind::kRequest:
      out.text("arena request ").text(region).text(" size ").number(event.size);
      out.text(" align ").number(event.alignment).text(" kind ").number(event.kind);
      if (event.success) {
        at();
        out.text(" padding ").number(event.padding);
      } else {
        out.text(" refused");
      }
      break;
    case EventKind::kRelease:
      out.text("arena release ").text(region).text(" size ").number(event.size);
      at();
      break;
    case EventKind::kMark:
      out.text("arena mark ").text(region);
      break;
    case EventKind::kOpenTemp:
      out.text("arena open temp");
      break;
    case EventKind::kCloseTemp:
      out.text("arena close temp size ").number(event.size);
      at();
      break;
  }
  out.put('\n');
}

/// `arena step 3 of 5 buffers size 176`, the size being that of the planned block. O(1).
template <class Sink>
void print_event(Sink&& sink, const StepEvent& event) {
  const Writer<std::remove_reference_t<Sink>> out(sink);
  out.text("arena step ").number(event.step).text(" of ").number(event.count);
  out.text(" buffers size ").number(event.size).put('\n');
}

}  // namespace ARENITE_ABI
}  // namespace arenite
