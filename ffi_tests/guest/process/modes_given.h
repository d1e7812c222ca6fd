/* modes_given.h - objects and functions that the rows of modes.c give to the library. Not in this
 * file: the rows. */
#ifndef MODES_GIVEN_H
#define MODES_GIVEN_H

#include "guest.h"

static portable_pool pool;
static void *block, *own;
static portable_kernel object;
static portable_stream stream;
static portable_event event;
static uint64_t graph;
static portable_hook hook;

static void heard(const portable_hook_event *event, void *payload) {
  (void)event;
  (void)graph;
  (void)payload;
}
static portable_exact sum;
static portable_liveout liveout;
static portable_fft transform;

static int32_t visit(const portable_block *b, void *payload) {
  (void)b;
  (void)payload;
  return 0;
}

static int32_t see_fallback(const portable_fallback *f, void *payload) {
  (void)payload;
  return f->launches < 0;
}

static void *slab_alloc(size_t bytes, void *payload) {
  (void)payload;
  return malloc(bytes);
}

static void slab_free(void *slab, size_t bytes, void *payload) {
  (void)bytes;
  (void)payload;
  free(slab);
}

static portable_status nothing_for_a_device(void *native, void *payload) {
  (void)native;
  (void)payload;
  return PORTABLE_OK;
}
static portable_status no_leaves(void *native, struct portable_launch_space *space, uint32_t blocks, uint32_t threads, void *payload) {
  (void)native, (void)space, (void)blocks, (void)threads, (void)payload;
  return PORTABLE_OK;
}

static void kernel(const portable_tile *tile, void *args) {
  (void)args;
  if (tile->upper[0] == 999) portable_kernel_fail(tile, 1, NULL);
}

/* Exact values only: what it computes raises nothing itself. */
static void reduce(const portable_tile *tile, void *args, void *const *partial) {
  (void)args;
  *(double *)partial[0] = tile->lower[0] == 0;
}

static void fortran_reduce(const portable_tile *tile, double *r) { *r = tile->lower[0] == 0; }
static void fortran_combine(double *into, const double *from) { *into += *from; }

static void odd(const portable_tile *tile, void *args, unsigned char *chosen) {
  (void)args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) chosen[i - tile->lower[0]] = i % 2 == 1;
}

static void odd_logicals(const portable_tile *tile, int32_t *chosen) {
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) chosen[i - tile->lower[0]] = i % 2 == 1;
}

static const int32_t block_threads[] = {4};
static void block_kernel(const portable_thread_block *b, void *args) {
  (void)args;
  portable_block_wait(b, NULL, 0);
}
static void block_fortran(const portable_thread_block *b, void *args) {
  (void)args;
  portable__fortran_block_barrier(b);
  portable__fortran_block_barrier_line(b, 1);
}
static void team_kernel(const portable_team *team, void *args) {
  (void)args;
  memset(team->scratch, 1, team->scratch_bytes);
}

static void called(portable_status status, void *payload) {
  (void)status;
  (void)payload;
}

#endif
