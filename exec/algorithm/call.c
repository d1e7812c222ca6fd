/* call.c - refusals, axes, texts of indices and threads of calls on arrays. Go writes the texts
 * (exec/array_refusal.go). Threads: any. */
#include <inttypes.h>
#include <stdio.h>

#include "questions.h"
#include "../launch/launch.h"

portable_status portable__array_refused(const struct portable__array_call *c, portable_status otherwise) {
  static const char *const names[] = {"reduce_array", "scan", "pack", "unpack", "filter_indices", "sort", "sort", "sort", "binary", "unary", "merge",
                                      "fill", "parallel_filter", "random_fill", "solve_tridiagonal",
                                      "solve_pentadiagonal", "fft_forward", "fft_backward"};
  portable_status status;
  PORTABLE__EXPLAINED(&status, names[c->call], c->label, otherwise, portable__algorithm_go.array_refused((struct portable__array_call *)(uintptr_t)c));
  return status;
}

int portable__axes(int32_t rank, const int64_t *extents, int32_t order, struct portable__steps array, struct portable__steps other,
                   struct portable__array_axis *axis, int32_t *dims) {
  int empty = 0, overflow = 0;
  for (int32_t k = 0; k < rank; k++) {
    int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    int64_t n = extents[d];
    axis[k].extent = n;
    axis[k].step = array.strides ? array.strides[d] : array.bytes;
    axis[k].mask_step = other.strides ? other.strides[d] : other.bytes;
    if (dims) dims[k] = d;
    empty |= n == 0;
    overflow |= __builtin_mul_overflow(array.bytes, n, &array.bytes);
    overflow |= __builtin_mul_overflow(other.bytes, n, &other.bytes);
  }
  return !overflow || empty;
}

void portable__index_text(char text[PORTABLE__INDEX_TEXT], int32_t rank, const int64_t *extents, int32_t order, int64_t number, int32_t whole) {
  const int fortran = order == PORTABLE_ORDER_FORTRAN;
  int64_t index[PORTABLE_LOOP_RANK] = {0};
  size_t used = 0;
  for (int32_t k = 0; k < rank; k++) {
    const int32_t d = fortran ? k : rank - 1 - k;
    if (d == whole) continue;
    index[d] = number % extents[d];
    number /= extents[d];
  }
  text[0] = 0;
  for (int32_t d = 0; d < rank && used < PORTABLE__INDEX_TEXT; d++) {
    const char *const before = !fortran ? "[" : d ? "," : "(", *const after = !fortran ? "]" : d == rank - 1 ? ")" : "";
    if (d == whole)
      used += (size_t)snprintf(text + used, PORTABLE__INDEX_TEXT - used, "%s:%s", before, after);
    else
      used += (size_t)snprintf(text + used, PORTABLE__INDEX_TEXT - used, "%s%" PRId64 "%s", before, index[d] + fortran, after);
  }
}

int32_t portable__call_workers(const portable_launch_config *config) {
  int32_t device = config->device ? config->device : atomic_load_explicit(&portable__defaults.device, memory_order_relaxed);
  if (config->stream) device = portable_stream_device(config->stream); /* 0: there is no such stream */
  if (device < 1 || device > portable_device_count()) return 1; /* the launch refuses it */
  return portable__device_workers(device);
}
