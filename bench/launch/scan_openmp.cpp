// scan_openmp.cpp - scan.h by OpenMP: sums by the parallel mode of libstdc++, which has no copy_if;
// the others as plain loops: each thread counts in its part, and copies to the places after those
// of the threads before it.
#include "scan.h"

#include <omp.h>
#include <parallel/numeric>
#include <vector>

void engine_start() {}

void engine_touch(void *memory, std::int64_t bytes) {
  char *p = static_cast<char *>(memory);
#pragma omp parallel for
  for (std::int64_t i = 0; i < bytes; i++) p[i] = 0;
}

void engine_scan(const double *x, std::int64_t n, double *out) { __gnu_parallel::partial_sum(x, x + n, out); }
void engine_scan(const std::int32_t *x, std::int64_t n, std::int32_t *out) { __gnu_parallel::partial_sum(x, x + n, out); }

template <class T, class F> static std::int64_t filter(const std::int32_t *mask, std::int64_t n, T *out, const F &value) {
  std::vector<std::int64_t> before(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const std::size_t me = static_cast<std::size_t>(omp_get_thread_num()), many = static_cast<std::size_t>(omp_get_num_threads());
    const std::int64_t share = (n - 1) / static_cast<std::int64_t>(many) + 1, from = share * static_cast<std::int64_t>(me);
    const std::int64_t to = from + share < n ? from + share : n;
    std::int64_t count = 0;
    for (std::int64_t i = from; i < to; i++) count += mask[i] != 0;
    before[me + 1] = count;
#pragma omp barrier
#pragma omp single
    for (std::size_t k = 1; k <= many; k++) before[k] += before[k - 1];
    std::int64_t at = before[me];
    for (std::int64_t i = from; i < to; i++)
      if (mask[i]) out[at++] = value(i);
  }
  return before[static_cast<std::size_t>(omp_get_max_threads())];
}

std::int64_t engine_pack(const double *x, const std::int32_t *mask, std::int64_t n, double *out) {
  return filter(mask, n, out, [=](std::int64_t i) { return x[i]; });
}

std::int64_t engine_list(const std::int32_t *mask, std::int64_t n, std::int32_t *list) {
  return filter(mask, n, list, [](std::int64_t i) { return static_cast<std::int32_t>(i); });
}
