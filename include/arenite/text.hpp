// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Text without stdio: characters and numbers, one by one, into whatever takes a `char`. What reports and traces are
/// written with.
///
/// Nothing is buffered and nothing allocated. Works in the compiler, too. Safe from any thread and any interrupt from
/// which the sink is.

#include <cstddef>

#include "version.hpp"

namespace arenite {
inline namespace ARENITE_ABI {

/// Writes text and numbers to a sink, which must outlive it: one word.
///
///     void put(char c) { uart_put(c); }
///     arenite::Writer out(put);
///     out.text("steps ").number(31).put('.');
template <class Sink>
class Writer {
 public:
  constexpr explicit Writer(Sink& sink) noexcept : sink_(sink) {}

  /// One character.
  constexpr const Writer& put(char c) const {
    sink_(c);
    return *this;
  }

  /// The same character `count` times.
  constexpr const Writer& fill(char c, std::size_t count) const {
    for (; count != 0; --count) sink_(c);
    return *this;
  }

  /// Characters up to the zero; none if the pointer is null.
  constexpr const Writer& text(const char* characters) const {
    for (; characters != nullptr && *characters != '\0'; ++characters) sink_(*characters);
    return *this;
  }

  /// A number in decimal, filled up to `width` characters with blanks from the left; longer ones stay whole.
  constexpr const Writer& number(std::size_t value, std::size_t width = 0) const {
    char digits[kMostDigits] = {};
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    fill(' ', width > count ? width - count : 0);
    while (count != 0) sink_(digits[--count]);
    return *this;
  }

 private:
  static constexpr std::size_t kMostDigits = sizeof(std::size_t) * 3;  // 256 has less than three digits more than 1

  Sink& sink_;
};

}  // namespace ARENITE_ABI
}  // namespace arenite
