// scan_main.cpp - times running sums, packing and lists of indices. usage: bench_scans_ENGINE
// ENGINE scans [N]: with N the sizes are divided by it. Not in this file: the engines
// (scan_portable.cpp, scan_openmp.cpp, scan_tbb.cpp).
#include "scan.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int rounds = 12;

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Memory that only the engine's threads have touched.
template <class T> static T *room(std::int64_t n) {
  void *p = std::aligned_alloc(4096, (static_cast<std::size_t>(n) * sizeof(T) + 4095) / 4096 * 4096);
  if (!p) std::exit(1);
  engine_touch(p, n * static_cast<std::int64_t>(sizeof(T)));
  return static_cast<T *>(p);
}

static void must(bool right, const char *what) {
  if (right) return;
  std::fprintf(stderr, "%s: wrong result\n", what);
  std::exit(1);
}

// The best of some rounds, each of `calls` calls.
template <class F> static void measure(const char *what, const char *size, int calls, const F &f) {
  double best = 0;
  f();
  for (int round = 0; round < rounds; round++) {
    const double t = now();
    for (int i = 0; i < calls; i++) f();
    const double took = (now() - t) / calls;
    if (round == 0 || took < best) best = took;
  }
  std::printf("%s of %s elements\t%.6g\tns\n", what, size, best * 1e9);
}

static void all(std::int64_t n, const char *size, int calls) {
  double *x = room<double>(n), *y = room<double>(n);
  std::int32_t *k = room<std::int32_t>(n), *s = room<std::int32_t>(n), *list = room<std::int32_t>(n);
  std::int64_t chosen = 0, runs = 0;
  unsigned state = 1;
  for (std::int64_t i = 0; i < n; i++) {
    x[i] = static_cast<double>(i % 1000) * 0.25; // sums without rounding
    state = state * 1664525u + 1013904223u;
    k[i] = state >> 24 < 77;
    chosen += k[i];
  }
  measure("prefix sum, real64,", size, calls, [=] { engine_scan(x, n, y); });
  double sum = 0;
  for (std::int64_t i = 0; i < n; i++) sum += x[i];
  must(y[n - 1] == sum, "prefix sum");
  measure("prefix sum, int32,", size, calls, [=] { engine_scan(k, n, s); });
  must(s[n - 1] == chosen, "prefix sum of int32");
  std::int64_t got = 0, *at = &got;
  measure("pack, 30 % by chance,", size, calls, [=] { *at = engine_pack(x, k, n, y); });
  must(got == chosen, "pack");
  measure("list of indices, 30 % by chance,", size, calls, [=] { *at = engine_list(k, n, list); });
  must(got == chosen && k[list[chosen - 1]] == 1, "list");
  for (std::int64_t i = 0; i < n; i++) runs += k[i] = i % 1000 < 300;
  measure("list of indices, 30 % in runs,", size, calls, [=] { *at = engine_list(k, n, list); });
  must(got == runs, "list");
#ifdef SCAN_PLAIN // the loops on one thread
  measure("prefix sum, real64, plain loop,", size, calls, [=] {
    double total = 0;
    for (std::int64_t i = 0; i < n; i++) y[i] = total += x[i];
    __asm__ volatile("" : : "r"(y) : "memory");
  });
  measure("list of indices, 30 % in runs, plain loop,", size, calls, [=] {
    std::int64_t m = 0;
    for (std::int64_t i = 0; i < n; i++)
      if (k[i]) list[m++] = static_cast<std::int32_t>(i);
    *at = m;
  });
#endif
  std::free(x);
  std::free(y);
  std::free(k);
  std::free(s);
  std::free(list);
}

int main(int argc, char **argv) {
  if (argc < 3 || std::strcmp(argv[2], "scans") != 0) {
    std::fprintf(stderr, "usage: %s ENGINE scans [N]\n", argv[0]);
    return 2;
  }
  const long part = argc > 3 ? std::strtol(argv[3], nullptr, 10) : 1;
  if (part > 1) rounds = 1; // to see that it works
  engine_start();
  all(40000, "40 000", part > 1 ? 1 : 20);
  all((1 << 24) / (part < 1 ? 1 : part), "16.8 M", 1);
}
