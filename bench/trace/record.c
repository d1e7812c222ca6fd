/* record.c - writes the allocation trace of a Fortran program as CSV. Linked into it with
 * -Wl,--wrap=portable__fortran_allocate,--wrap=portable__fortran_deallocate, it is between
 * gator_mod and the library. A line is an operation: op (a: allocate, f: free), id (of the block,
 * from 1 on), bytes, label. BENCH_TRACE_FILE names the file; after BENCH_TRACE_OPS operations
 * (6000) the rest is left out. One thread only. Not in this file: the replay (replay.c). */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

portable_status __real_portable__fortran_allocate(int32_t version, int32_t rank, const int64_t *extents,
                                                  const int64_t *lower_bounds, int32_t index_bits, size_t element_bytes,
                                                  const char *label, size_t label_bytes, const void *previous,
                                                  void **ptr_out);
portable_status __real_portable__fortran_deallocate(void *ptr);
portable_status __wrap_portable__fortran_allocate(int32_t version, int32_t rank, const int64_t *extents,
                                                  const int64_t *lower_bounds, int32_t index_bits, size_t element_bytes,
                                                  const char *label, size_t label_bytes, const void *previous,
                                                  void **ptr_out);
portable_status __wrap_portable__fortran_deallocate(void *ptr);

enum { LIVE_MOST = 4096 };
static FILE *out;
static long left, next_id;
static struct { void *ptr; long id; } live[LIVE_MOST];

static int open_trace(void) {
  if (!out && left == 0) {
    const char *file = getenv("BENCH_TRACE_FILE"), *ops = getenv("BENCH_TRACE_OPS");
    left = ops ? atol(ops) : 6000;
    if (file && (out = fopen(file, "w"))) fputs("op,id,bytes,label\n", out);
  }
  return out && left > 0;
}

/* One operation less to write; the file is whole after the last. */
static void written(void) {
  if (--left > 0) return;
  fclose(out);
  out = NULL;
  left = -1;
}

portable_status __wrap_portable__fortran_allocate(int32_t version, int32_t rank, const int64_t *extents,
                                                  const int64_t *lower_bounds, int32_t index_bits, size_t element_bytes,
                                                  const char *label, size_t label_bytes, const void *previous,
                                                  void **ptr_out) {
  size_t bytes = 0;
  portable_status status = __real_portable__fortran_allocate(version, rank, extents, lower_bounds, index_bits,
                                                             element_bytes, label, label_bytes, previous, ptr_out);
  if (status != PORTABLE_OK || !open_trace()) return status;
  portable_array_bytes(rank, extents, lower_bounds, index_bits, element_bytes, &bytes);
  while (label_bytes > 0 && label[label_bytes - 1] == ' ') label_bytes--;
  for (int i = 0; i < LIVE_MOST; i++)
    if (!live[i].ptr) {
      live[i].ptr = *ptr_out;
      live[i].id = ++next_id;
      fprintf(out, "a,%ld,%zu,%.*s\n", next_id, bytes, (int)label_bytes, label);
      written();
      break;
    }
  return status;
}

portable_status __wrap_portable__fortran_deallocate(void *ptr) {
  for (int i = 0; i < LIVE_MOST && open_trace(); i++)
    if (ptr && live[i].ptr == ptr) {
      live[i].ptr = NULL;
      fprintf(out, "f,%ld,,\n", live[i].id);
      written();
      break;
    }
  return __real_portable__fortran_deallocate(ptr);
}
