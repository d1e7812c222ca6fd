// YAKL.h - for comparisons: names of YAKL version 1 that ../finite_volume.cpp uses, as plain loops
// over plain arrays of this thread. It is what a serial build without any library does, and nothing
// else of YAKL.
#ifndef PLAIN_YAKL_H
#define PLAIN_YAKL_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#define YAKL_LAMBDA [=]
#define YAKL_INLINE inline

namespace yakl {

constexpr int memDevice = 1, styleC = 1;
inline void init() {}
inline void finalize() {}

// A copy shares the elements; the program's end frees them.
template <class T, int rank, int mem, int style> class Array {
public:
  template <class... N> Array(const char *, N... n) : dimension{static_cast<std::size_t>(n)...} {
    data = static_cast<T *>(std::aligned_alloc(64, (size() * sizeof(T) + 63) / 64 * 64));
    std::fill(begin(), end(), T());
  }
  template <class... I> T &operator()(I... i) const {
    const std::size_t at[] = {static_cast<std::size_t>(i)...};
    std::size_t offset = at[0];
    for (int d = 1; d < rank; d++) offset = offset * dimension[d] + at[d];
    return data[offset];
  }
  std::size_t size() const {
    std::size_t n = 1;
    for (std::size_t d : dimension) n *= d;
    return n;
  }
  T *begin() const { return data; }
  T *end() const { return data + size(); }

private:
  T *data;
  std::size_t dimension[rank];
};

template <class T, int rank, unsigned d0, unsigned d1 = 1, unsigned d2 = 1> class SArray {
public:
  T &operator()(unsigned i) const { return data[i]; }
  T &operator()(unsigned i, unsigned j) const { return data[i * d1 + j]; }
  T &operator()(unsigned i, unsigned j, unsigned k) const { return data[(i * d1 + j) * d2 + k]; }

private:
  mutable T data[d0 * d1 * d2];
};

namespace c {

template <int rank> struct Bounds {
  int n[rank];
  template <class... N> Bounds(N... count) : n{count...} {}
};
template <class F> void parallel_for(const char *, Bounds<3> const &b, F const &f) {
  for (int k = 0; k < b.n[0]; k++)
    for (int j = 0; j < b.n[1]; j++)
      for (int i = 0; i < b.n[2]; i++) f(k, j, i);
}
template <class F> void parallel_for(const char *, Bounds<4> const &b, F const &f) {
  for (int l = 0; l < b.n[0]; l++)
    for (int k = 0; k < b.n[1]; k++)
      for (int j = 0; j < b.n[2]; j++)
        for (int i = 0; i < b.n[3]; i++) f(l, k, j, i);
}

} // namespace c
} // namespace yakl

#endif
