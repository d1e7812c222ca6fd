// new.cpp - operator new and delete in all their forms, in a program that has nothing of the library but the link to portable::allocate.
// Built with a shared and a static libstdc++, with operators of its own (OWN_NEW), and with the allocator of allocator.cpp.
// Not in this file: faults (../scorecard/programs/served.cpp).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {
template <class T> T *hidden(T *p) { // the compiler must not leave new and delete out
  T *volatile place = p;
  return place;
}

int failed;
void check(bool is, const char *text) {
  if (is) return;
  std::fprintf(stderr, "FAILED: %s\n", text);
  failed = 1;
}

bool handled;
void handle() {
  handled = true;
  std::set_new_handler(nullptr);
}
} // namespace

#ifdef OWN_NEW
// Their result is no start of a block of malloc's.
static long count;
[[gnu::noinline]] void *operator new(std::size_t bytes) {
  ++count;
  char *p = bytes < PTRDIFF_MAX ? static_cast<char *>(std::malloc(bytes + 16)) : nullptr;
  if (!p) throw std::bad_alloc();
  return p + 16;
}
[[gnu::noinline]] void operator delete(void *p) noexcept {
  if (p) std::free(static_cast<char *>(p) - 16);
}
[[gnu::noinline]] void operator delete(void *p, std::size_t) noexcept { operator delete(p); }
#endif

int main() {
  for (std::size_t n = 1; n < 300000; n *= 3) {
    std::vector<double> v(n, 1.0);
    v.push_back(2.0);
    check(v[n - 1] == 1.0 && v[n] == 2.0, "the elements of a vector");
    char *a = hidden(new char[n]), *b = hidden(new (std::nothrow) char[n]), *c = hidden(new (std::nothrow) char);
    a[n - 1] = b[n - 1] = *c = 'x';
    delete[] a;
    delete[] b;
    delete c;
  }
  std::unique_ptr<std::string> text(new std::string(1000, 'x'));
  check(text->size() == 1000, "the length of a text");
  delete hidden(new int(7));
  volatile std::size_t too_many = static_cast<std::size_t>(-1) / 2 - 64;
  bool thrown = false;
#ifndef OWN_NEW
  std::set_new_handler(handle);
#endif
  try {
    hidden(new char[too_many]);
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  check(thrown, "too many bytes throw std::bad_alloc");
#ifdef OWN_NEW
  (void)handle;
  check(count > 30 && !handled, "the program's own operator new is called");
#else
  check(handled, "the handler of operator new is called");
#endif
  return failed;
}
