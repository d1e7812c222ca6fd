// A user's first program in C++: one array from the pool. In this file: nothing that a user would not write.
#include <cstdio>
#include <portable.h>

int main() {
  void *p = nullptr;
  if (portable_init(nullptr) != 0 || portable_alloc(100 * sizeof(double), "h", &p) != 0) {
    std::fprintf(stderr, "%s\n", portable_last_error());
    return 1;
  }
  double *h = static_cast<double *>(p);
  h[99] = 99;
  if (h[99] != 99.0 || portable_free(p) != 0 || portable_finalize() != 0) return 1;
  std::printf("program works\n");
  return 0;
}
