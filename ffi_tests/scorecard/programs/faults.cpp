// faults.cpp - faults from C++: one function each, chosen by the first argument.
// Not in this file: C (faults.c), Fortran (pool.f90, kernels.f90), what marks mean (../main.go).
#include <portable.hpp>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

using portable::c::Bounds;
using portable::memHost;
using portable::parallel_for;
using portable::styleC;
using Array1 = portable::Array<double, 1, memHost, styleC>;
using Array2 = portable::Array<double, 2, memHost, styleC>;

volatile double sink;

// fault cpp_data: the pointer to an array's data is followed beyond its end
void cpp_data() {
  Array1 a("a", 100);
  double *p = a.data();
  for (int i = 0; i <= 100; i++) p[i] = i; //~ out-of-bounds
}

// fault cpp_lambda: a lambda writes one element outside of the array
void cpp_lambda() {
  Array1 a("a", 1000);
  double *p = a.data();
  parallel_for("fill", Bounds<1>(1000), [=](int i) { p[i + 1] = i; }); //~ out-of-bounds
}

// fault cpp_index: an index of an array in a kernel
void cpp_index() {
  Array1 a("a", 1000);
  parallel_for("fill", Bounds<1>(1001), [=](int i) { a(i) = i; }); //~ out-of-bounds
}

// fault cpp_rows: the index behind the last row
void cpp_rows() {
  Array2 a("a", 10, 20);
  for (int i = 0; i <= 10; i++) a(i, 5) = i; //~ out-of-bounds
}

// fault cpp_dangling: a reference to an element outlives the array
void cpp_dangling() {
  double *p;
  {
    Array1 a("a", 100);
    a(7) = 1;
    p = &a(7);
  }
  sink = *p; //~ use-after-free
}

// fault cpp_deallocated: an array is deallocated while a kernel's pointer is kept
void cpp_deallocated() {
  Array1 a("a", 100);
  double *p = a.data();
  a.deallocate();
  parallel_for("fill", Bounds<1>(100), [=](int i) { p[i] = i; }); //~ use-after-free
}

// fault cpp_delete: delete of a block of the pool
void cpp_delete() {
  void *p = nullptr;
  if (portable_alloc(800, "a", &p) != 0) std::exit(3);
  delete[] static_cast<double *>(p); //~ intrinsic-free|crash
}

// fault cpp_new_array: an object of an array that is never deleted
void cpp_new_array() {
  auto *a = new Array1("held", 100); //~ leak
  (*a)(0) = 1;
}

struct vector_of_pool {
  double *p = nullptr;
  explicit vector_of_pool(std::size_t n) {
    void *q = nullptr;
    if (portable_alloc(n * sizeof(double), "vector", &q) != 0) std::exit(3);
    p = static_cast<double *>(q);
  }
  ~vector_of_pool() { portable_free(p); } //~ cpp_copied double-free
};

// fault cpp_copied: a class with an owning pointer is copied as it is
void cpp_copied() {
  vector_of_pool a(10);
  vector_of_pool b = a;
  b.p[0] = 1;
}

// fault cpp_begin: an iterator beyond the end
void cpp_begin() {
  Array1 a("a", 64);
  double sum = 0;
  for (double *p = a.data(); p <= a.data() + 64; p++) sum += *p; //~ out-of-bounds
  sink = sum;
}

// clean cpp_arrays: arrays, copies, views and kernels
void cpp_arrays() {
  Array1 a("a", 1000);
  Array2 b("b", 10, 20);
  Array1 also = a;
  parallel_for("fill", Bounds<1>(1000), [=](int i) { a(i) = i; });
  parallel_for("fill 2", Bounds<2>(10, 20), [=](int i, int j) { b(i, j) = i + j; });
  sink = also(999) + b(9, 19);
}

// clean cpp_vectors: arrays in containers of the standard library
void cpp_vectors() {
  std::vector<Array1> all;
  for (int i = 1; i < 20; i++) all.push_back(Array1("part", i));
  for (auto &a : all) a(0) = 1;
  all.erase(all.begin() + 3, all.begin() + 9);
}

// clean cpp_exceptions: an exception leaves a function that has arrays
void cpp_exceptions() {
  try {
    Array1 a("a", 100);
    a(0) = 1;
    throw 1;
  } catch (int) {
  }
}

} // namespace

#define CASES(X) \
  X(cpp_data) X(cpp_lambda) X(cpp_index) X(cpp_rows) X(cpp_dangling) X(cpp_deallocated) X(cpp_delete) \
  X(cpp_new_array) X(cpp_copied) X(cpp_begin) X(cpp_arrays) X(cpp_vectors) X(cpp_exceptions)

int main(int argc, char **argv) {
#define NAMED(name) {#name, name},
  static const struct {
    const char *name;
    void (*run)();
  } all[] = {CASES(NAMED)};
  if (portable_init(nullptr) != 0) return 3;
  for (const auto &one : all) {
    if (argc < 2 || std::strcmp(argv[1], one.name) != 0) continue;
    one.run();
    return portable_finalize() == 0 ? 0 : 5;
  }
  std::fprintf(stderr, "no such case\n");
  return 4;
}
