/* run.h - a fixed run of operations on a pool while its source refuses, and the model of what must be live: after every
 * refusal the text says what was asked, what was found and what to do, nothing is changed, and the same operation
 * succeeds once the source gives again. Not in this file: the sources (sources.c, system.c). */
#ifndef RUN_H
#define RUN_H

#include "check.h"

enum { BLOCKS = 12, STRIDE = 4093 };

/* Facts of a source that a run needs. */
struct source_view {
  int (*refusals)(void);       /* so far */
  void (*heal)(void);          /* it gives again from now on */
  uint64_t (*bytes)(void);     /* held by the pool now; NULL: not known */
  uint64_t (*slabs)(void);     /* the same, slabs */
  const char *cause, *remedy;  /* what a text must hold when a slab was refused */
};

struct run {
  portable_pool pool; /* 0: the default pool, through portable_alloc and portable_free */
  const char *name;
  const struct source_view *source;
  int thorough; /* look at everything after each operation, which empties the magazines, or only after refusals */
  unsigned char *at[BLOCKS];
  size_t bytes[BLOCKS];
  uint64_t allocations, frees;
};

/* a: allocate, f: free, t: trim; sizes around a grow step of 1 MiB. */
struct op {
  char what;
  int block;
  size_t bytes;
};

static const struct op ops[] = {
  {'a', 0, 1000},    {'a', 1, 700000},  {'a', 2, 600000},  {'a', 3, 0},        {'f', 1, 0},       {'a', 4, 900000},
  {'a', 5, 3000000}, {'f', 2, 0},       {'t', 0, 0},       {'a', 6, 1000000},  {'a', 7, 40000},   {'f', 5, 0},
  {'t', 0, 0},       {'a', 8, 5000000}, {'f', 4, 0},       {'f', 6, 0},        {'a', 9, 1040000}, {'a', 10, 1040000},
  {'t', 0, 0},       {'f', 8, 0},       {'a', 11, 200},    {'f', 9, 0},        {'f', 10, 0},      {'t', 0, 0},
  {'a', 2, 2000000}, {'f', 0, 0},       {'f', 3, 0},       {'f', 7, 0},        {'f', 11, 0},      {'t', 0, 0},
  {'f', 2, 0},       {'t', 0, 0},
};

static inline portable_pool run_pool(const struct run *r) { return r->pool ? r->pool : check_default_pool(); }

static inline void run_fill(struct run *r, int b) {
  size_t i;
  for (i = 0; i < r->bytes[b]; i += STRIDE) r->at[b][i] = (unsigned char)(b * 37 + i / STRIDE);
  if (r->bytes[b] > 0) r->at[b][r->bytes[b] - 1] = (unsigned char)(b + 1);
}

/* Every block holds what was written into it. */
static inline void run_contents(const struct run *r) {
  size_t i;
  int b;
  for (b = 0; b < BLOCKS; b++) {
    if (!r->at[b] || r->bytes[b] == 0) continue;
    int same = r->at[b][r->bytes[b] - 1] == (unsigned char)(b + 1);
    for (i = 0; i + 1 < r->bytes[b]; i += STRIDE) same = same && r->at[b][i] == (unsigned char)(b * 37 + i / STRIDE);
    CHECK(same);
  }
}

/* The pool's numbers are the model's, its invariants hold, and its slabs are what the source has given. */
static inline void run_balance(const struct run *r) {
  uint64_t bytes = 0, blocks = 0;
  portable_stats s = check_stats(run_pool(r));
  int b;
  for (b = 0; b < BLOCKS; b++) {
    bytes += r->at[b] ? r->bytes[b] : 0;
    blocks += r->at[b] != NULL;
  }
  CHECK(s.in_use_bytes == bytes && s.in_use_blocks == blocks);
  CHECK(s.allocations == r->allocations && s.frees == r->frees);
  CHECK(s.free_bytes == s.reserved_bytes - s.occupied_bytes && s.largest_gap_bytes <= s.free_bytes);
  if (r->source->bytes) CHECK(s.reserved_bytes == r->source->bytes() && s.slabs == r->source->slabs());
  CHECK_STATUS(portable_pool_check(run_pool(r)), PORTABLE_OK);
}

static inline portable_status run_step(struct run *r, const struct op *o) {
  portable_status status;
  uint64_t released = 5;
  void *p = r;
  switch (o->what) {
  case 'a':
    status = r->pool ? portable_pool_alloc(r->pool, o->bytes, "wanted", &p) : portable_alloc(o->bytes, "wanted", &p);
    CHECK((status == PORTABLE_OK) == (p != NULL));
    if (status != PORTABLE_OK) return status;
    r->at[o->block] = (unsigned char *)p;
    r->bytes[o->block] = o->bytes;
    r->allocations++;
    run_fill(r, o->block);
    return status;
  case 'f':
    status = r->pool ? portable_pool_free(r->pool, r->at[o->block]) : portable_free(r->at[o->block]);
    if (status != PORTABLE_OK) return status;
    r->at[o->block] = NULL;
    r->frees++;
    return status;
  default:
    status = portable_pool_trim(run_pool(r), &released);
    CHECK(status == PORTABLE_OK || released == 0);
    return status;
  }
}

/* The text of a refused allocation or trim. */
static inline void run_text(const struct run *r, const struct op *o) {
  char part[128];
  uint64_t bytes = 0;
  int b, blocks = 0;
  CHECK_TEXT(r->name);
  CHECK_TEXT(r->source->cause);
  CHECK_TEXT(r->source->remedy);
  if (o->what != 'a') return;
  for (b = 0; b < BLOCKS; b++) {
    bytes += r->at[b] ? r->bytes[b] : 0;
    blocks += r->at[b] != NULL;
  }
  snprintf(part, sizeof part, "has no %zu bytes", o->bytes);
  CHECK_TEXT(part);
  CHECK_TEXT("labelled \"wanted\"");
  snprintf(part, sizeof part, "in use %llu bytes", (unsigned long long)bytes);
  CHECK_TEXT(part);
  snprintf(part, sizeof part, " in %d block%s, reserved ", blocks, blocks == 1 ? "" : "s");
  CHECK_TEXT(part);
  CHECK_TEXT("largest gap");
}

/* One run. Gives how many operations failed. */
static inline int run_all(struct run *r) {
  size_t i;
  int failures = 0;
  for (i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    int before = r->source->refusals();
    portable_status status = run_step(r, &ops[i]);
    run_contents(r);
    if (status != PORTABLE_OK) {
      failures++;
      CHECK(status == PORTABLE_ERR_NOMEM);
      CHECK(r->source->refusals() > before);
      run_text(r, &ops[i]);
      run_balance(r);
      r->source->heal();
      CHECK_STATUS(run_step(r, &ops[i]), PORTABLE_OK);
      run_contents(r);
    }
    if (r->thorough || status != PORTABLE_OK) run_balance(r);
  }
  run_balance(r);
  return failures;
}

#endif
