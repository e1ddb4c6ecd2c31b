// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Of the C++ standard library what its headers do not define, as no library is there for this core: the toolchain file
// says where the headers come from. Programs may use what is only in headers, and std::string; what needs more of a
// library (std::map, streams, locales) does not link.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

template class std::basic_string<char>;

namespace {

[[noreturn]] void fail(const char* what) {
  std::puts(what);
  std::abort();
}

}  // namespace

void* operator new(std::size_t size) {
  void* const result = std::malloc(size == 0 ? 1 : size);
  if (result == nullptr) fail("operator new: out of memory");
  return result;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const result = aligned_alloc(static_cast<std::size_t>(alignment), size == 0 ? 1 : size);
  if (result == nullptr) fail("operator new: out of memory");
  return result;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size == 0 ? 1 : size); }
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* object) noexcept { std::free(object); }
void operator delete(void* object, std::size_t) noexcept { std::free(object); }
void operator delete(void* object, std::size_t, std::align_val_t) noexcept { std::free(object); }
void operator delete[](void* object) noexcept { std::free(object); }
void operator delete[](void* object, std::size_t) noexcept { std::free(object); }

// Programs are built without exceptions: what would throw ends them.
namespace std {
const nothrow_t nothrow;
void __throw_length_error(const char* what) { fail(what); }
void __throw_logic_error(const char* what) { fail(what); }
void __throw_invalid_argument(const char* what) { fail(what); }
void __throw_out_of_range(const char* what) { fail(what); }
void __throw_out_of_range_fmt(const char* what, ...) { fail(what); }
void __throw_bad_alloc() { fail("bad_alloc"); }
void __throw_bad_array_new_length() { fail("bad_array_new_length"); }
}  // namespace std

extern "C" {

[[noreturn]] void __cxa_pure_virtual() { fail("a pure virtual function was called"); }
// A variable in a function is constructed when it is first come by. There is one thread, and no need to wait for
// another.
int __cxa_guard_acquire(std::uint64_t* guard) { return *guard == 0 ? 1 : 0; }
void __cxa_guard_release(std::uint64_t* guard) { *guard = 1; }

int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }  // programs end by exit(), and nobody is left to look

}  // extern "C"
