// allocator.cpp - an allocator as others write them: a shared library whose delete frees memory without a call of free.
// It ends the program at an address that it has not handed out. Not in this file: the program that links it (new.cpp).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" void *__libc_malloc(std::size_t bytes);
extern "C" void __libc_free(void *ptr);

namespace {
constexpr std::uint64_t mine = 0x1234567812345678u;

struct Head {
  std::uint64_t bytes, mark;
};

void *take(std::size_t bytes) {
  Head *head = bytes < PTRDIFF_MAX ? static_cast<Head *>(__libc_malloc(bytes + sizeof(Head))) : nullptr;
  if (!head) return nullptr;
  *head = Head{bytes, mine};
  return head + 1;
}

void give(void *p) {
  if (!p) return;
  Head *head = static_cast<Head *>(p) - 1;
  if (head->mark != mine) std::abort();
  __libc_free(head);
}

void *take_or_throw(std::size_t bytes) {
  for (void *p;;) {
    if ((p = take(bytes))) return p;
    if (!std::get_new_handler()) throw std::bad_alloc();
    std::get_new_handler()();
  }
}
} // namespace

void *operator new(std::size_t bytes) { return take_or_throw(bytes); }
void *operator new[](std::size_t bytes) { return take_or_throw(bytes); }
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept { return take(bytes); }
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept { return take(bytes); }
void operator delete(void *p) noexcept { give(p); }
void operator delete[](void *p) noexcept { give(p); }
void operator delete(void *p, std::size_t) noexcept { give(p); }
void operator delete[](void *p, std::size_t) noexcept { give(p); }
