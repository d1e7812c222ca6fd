//go:build portable_test_hooks

package capi

/*
#include <stdlib.h>
#include "../internal/edge/base.h"
#include "../exec/algorithm/call.h"
#include "../exec/algorithm/reduce.h"
#include "../exec/algorithm/turns.h"
#include "../internal/kernels/componentwise/componentwise.h"
#include "../internal/kernels/fft/fft.h"
#include "../internal/kernels/random/random.h"
#include "../internal/kernels/solve/solve.h"
#include "../internal/kernels/reduction/array.h"
#include "../internal/kernels/scan/choose.h"
#include "../internal/kernels/scan/scan.h"

static void add_totals(void *into, const void *total, void *context) {
  (void)context;
  *(int64_t *)into += *(const int64_t *)total;
}

static struct portable__turns *turns_new(int64_t count, int64_t running) {
  struct portable__turns *t = aligned_alloc(64, sizeof *t);
  if (t && portable__turns_begin(t, count, add_totals, NULL, &running) != PORTABLE_OK) abort();
  return t;
}

static void turns_free(struct portable__turns *t) {
  portable__turns_end(t);
  free(t);
}
// ---- calls on arrays, made of bytes: most arguments are good, some are odd ----

struct call_case {
  struct portable__array_call call;
  struct portable__reduction_call reduction;
  portable_reduction results[4];
  union {
    uint32_t struct_size;
    portable_array_options array;
    portable_scan_options scan;
    portable_filter_options filter;
    portable_sort_options sort;
    portable_componentwise_options component;
    portable_random_options random;
    portable_solve_options solve;
    portable_fft_options fft;
  } options;
  portable_launch_config launch;
  portable_bounds bounds;
  int64_t extents[8], strides[6][8];
  int64_t count;
  const unsigned char *at, *end;
};

static unsigned next(struct call_case *d) { return d->at < d->end ? *d->at++ : 1; }

#define LIST(...) (const int64_t[]){__VA_ARGS__}, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
static int64_t pick(struct call_case *d, const int64_t *good, int goods, const int64_t *odd, int odds) {
  const unsigned b = next(d);
  return b % 32 == 0 ? odd[next(d) % (unsigned)odds] : good[b % (unsigned)goods];
}

static int64_t below(struct call_case *d, int64_t from, int64_t to, const int64_t *odd, int odds) {
  const unsigned b = next(d);
  return b % 32 == 0 ? odd[next(d) % (unsigned)odds] : from + b % (to - from + 1);
}

// Addresses are never read. Operands are apart, or overlap.
static void *operand(struct call_case *d, int number) {
  const unsigned b = next(d);
  return b % 32 == 0 ? NULL : (void *)(uintptr_t)(0x100000 + (b % 4 == 1 ? 0 : number * 0x10000) + (b % 8 == 5 ? next(d) : 0));
}

static const int64_t *strides(struct call_case *d, int number) {
  if (next(d) % 2) return NULL;
  for (int k = 0; k < 8; k++)
    d->strides[number][k] = pick(d, LIST(8, 40, 200, 16, 80, 4, 20, 100, 1, -8, -40, 0, 24), LIST(INT64_MIN, INT64_MAX, INT64_C(1) << 61, INT64_C(1) << 59));
  return d->strides[number];
}

static int32_t flags(struct call_case *d, int most) { return (int32_t)below(d, 0, most, LIST(most + 1, 64, INT32_MIN)); }

static void make_call(struct call_case *d, int32_t which, const unsigned char *bytes, size_t count) {
  static const int ops[] = {9, 4, 1, 1, 1, 1, 1, 1, 18, 21, 1, 1, 1, 1, 1, 1, 2, 2};
  memset(d, 0, sizeof *d);
  d->at = bytes, d->end = bytes + count;
  struct portable__array_call *c = &d->call;
  c->call = which;
  c->label = "x";
  c->op = (int32_t)below(d, 1, ops[which], LIST(0, -1, 10, 19, 22, INT32_MAX));
  c->kind = (int32_t)(next(d) % 4 ? below(d, 3, 6, LIST(0, 13, -1)) : below(d, 1, 12, LIST(0, 13, 14, 99)));
  c->mask_kind = (int32_t)below(d, 9, 12, LIST(0, 3, 8, 13));
  c->index_kind = (int32_t)below(d, 3, 4, LIST(0, 2, 5, -1));
  c->rank = (int32_t)below(d, 1, 3, LIST(0, 9, -1, 8));
  for (int k = 0; k < 8; k++) d->extents[k] = pick(d, LIST(1, 2, 3, 4, 5, 0, 5), LIST(-1, INT64_MAX, INT64_C(1) << 33, INT64_C(1) << 60, INT64_MIN));
  c->extents = next(d) % 64 ? d->extents : NULL;
  c->result = operand(d, 0);
  c->a = operand(d, 1);
  c->b = operand(d, 2);
  c->mask = operand(d, 3);
  c->count_out = next(d) % 32 ? &d->count : NULL;
  c->element_bytes = pick(d, LIST(1, 2, 4, 8, 16, 24), LIST(0, -1, INT64_C(1) << 31, INT64_MAX, INT64_C(1) << 62));
  c->count = pick(d, LIST(0, 1, 2, 3, 5, 8, 40), LIST(-1, INT64_MAX, INT64_C(1) << 33, INT64_C(1) << 61));
  c->lower = pick(d, LIST(0, 1, -7), LIST(INT32_MAX - 2, INT64_MAX, INT64_MIN, INT64_MAX - 3, INT64_C(-1) << 32));
  const portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  d->launch = launch;
  d->launch.struct_size = (uint32_t)pick(d, LIST(sizeof launch, 4, 16), LIST(0, 3, sizeof launch + 1, 4000));
  const portable_launch_config *l = next(d) % 2 ? &d->launch : NULL;
  const int32_t order = (int32_t)below(d, 0, 1, LIST(2, -1)), dim = (int32_t)below(d, 0, c->rank > 0 && c->rank < 9 ? c->rank : 1, LIST(-1, 4, 9));
  size_t size = 0;
  if (which == PORTABLE__REDUCE_ARRAY) {
    const portable_array_options o = {sizeof o, (uint32_t)flags(d, 3), order, dim, strides(d, 1), next(d) % 4 ? NULL : c->mask, strides(d, 3), c->mask_kind, next(d) % 32 == 7, l};
    d->options.array = o, size = sizeof o;
  } else if (which == PORTABLE__SCAN) {
    const portable_scan_options o = {sizeof o, (uint32_t)flags(d, 1), order, dim, strides(d, 1), strides(d, 0), NULL, l};
    d->options.scan = o, size = sizeof o;
  } else if (which <= PORTABLE__CALL_INDICES) {
    const portable_filter_options o = {sizeof o, order, strides(d, 1), strides(d, 3), next(d) % 2 ? 0 : d->strides[1][0], next(d) % 4 ? NULL : d, 0, l};
    d->options.filter = o, size = sizeof o;
    if (which == PORTABLE__CALL_INDICES) c->element_bytes = 1;
  } else if (which <= PORTABLE__SORT_INDEX) {
    const int64_t step = pick(d, LIST(0, 8, 16, -8, 40), LIST(1, -1, INT64_MIN, INT64_MAX));
    const portable_sort_options o = {sizeof o, (uint32_t)flags(d, 1), step, pick(d, LIST(0, 0, 24, -24), LIST(1, 3, INT64_MIN, INT64_MAX)), l};
    d->options.sort = o, size = sizeof o;
    if (which == PORTABLE__SORT) c->element_bytes = 0;
    if (which == PORTABLE__SORT_INDEX) c->element_bytes = portable__index_bytes(c->index_kind);
  } else if (which < PORTABLE__PARALLEL_FILTER) {
    const int32_t kind = (int32_t)(next(d) % 2 ? 0 : below(d, 9, 12, LIST(3, -1, 13)));
    const portable_componentwise_options o = {sizeof o, (uint32_t)(next(d) % 2 ? 0 : flags(d, 7)), order, kind, strides(d, 1), strides(d, 2), strides(d, 3), strides(d, 0), l};
    d->options.component = o, size = sizeof o;
  } else if (which == PORTABLE__RANDOM_FILL) {
    const portable_random_options o = {sizeof o, order, (int32_t)below(d, 0, 1, LIST(2, -1)), 0, c->lower, strides(d, 0), l};
    d->options.random = o, size = sizeof o;
    if (next(d) % 2) c->kind = 5 + (int32_t)next(d) % 2;
  } else if (which == PORTABLE__SOLVE_THREE || which == PORTABLE__SOLVE_FIVE) {
    for (int k = 0; k < 5; k++) c->bands[k] = operand(d, k + 1);
    const portable_solve_options o = {sizeof o, (uint32_t)flags(d, 3), order, dim, strides(d, 1), strides(d, 2), strides(d, 3), strides(d, 4), strides(d, 5),
                                      strides(d, 0), l};
    d->options.solve = o, size = sizeof o;
    if (next(d) % 2) c->kind = 5 + (int32_t)next(d) % 2;
  } else if (which >= PORTABLE__FFT_FORWARD) { // often the plan fits, and both sides are one memory
    const portable_fft_options o = {sizeof o, next(d) % 32 == 0, order, next(d) % 32 == 7, strides(d, 1), strides(d, 0), pick(d, LIST(0, 0, 4, 8, 16, 1000), LIST(-8, 1, INT64_MIN, INT64_MAX)), l};
    d->options.fft = o, size = sizeof o;
    if (next(d) % 2) c->kind = 5 + (int32_t)next(d) % 2;
    if (next(d) % 4 == 0) c->result = c->a;
    if (next(d) % 4 == 0) memcpy(d->strides[0], d->strides[1], sizeof d->strides[0]);
    c->op = c->op == PORTABLE_FFT_R2C;
    c->lower = 1 + next(d) % 3;
    if (next(d) % 4 == 0) d->strides[0][c->lower - 1] = 2 * (d->strides[1][c->lower - 1] & INT64_C(0xffff));
    c->count = next(d) % 32 ? d->extents[c->lower - 1] : 6;
  } else {
    d->bounds = portable_bounds_2(pick(d, LIST(5, 9), LIST(INT64_MAX, INT64_MIN)), 3);
    d->bounds.rank = (int32_t)below(d, 1, 1, LIST(0, 2, 3));
    d->bounds.lower[0] = pick(d, LIST(0, 3), LIST(INT64_MIN, INT64_MAX));
    d->bounds.struct_size = (uint32_t)pick(d, LIST(sizeof d->bounds), LIST(0, 8));
    c->a = next(d) % 32 ? &d->bounds : NULL;
  }
  if (!size || next(d) % 3 == 0) return;
  c->options = &d->options;
  d->options.struct_size = (uint32_t)pick(d, LIST(size, size, size, size - 8, 16, 4), LIST(0, 3, size + 1, 1000));
}

static portable_status verdict(struct call_case *d) {
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  int32_t dims[PORTABLE_LOOP_RANK];
  struct portable__array_reduction reduction;
  struct portable__scan scan;
  struct portable__chosen chosen;
  struct portable__componentwise work;
  struct portable__random_fill fill;
  struct portable__solve solve;
  struct portable__fft fft;
  portable_array_options array = PORTABLE_ARRAY_OPTIONS_INIT;
  portable_scan_options scanned = PORTABLE_SCAN_OPTIONS_INIT;
  portable_filter_options filter = PORTABLE_FILTER_OPTIONS_INIT;
  portable_sort_options sort = PORTABLE_SORT_OPTIONS_INIT;
  portable_componentwise_options component = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  portable_random_options random = PORTABLE_RANDOM_OPTIONS_INIT;
  portable_solve_options solved = PORTABLE_SOLVE_OPTIONS_INIT;
  portable_fft_options transformed = PORTABLE_FFT_OPTIONS_INIT;
  const int32_t which = d->call.call;
  memset(&work, 0, sizeof work);
  memset(&solve, 0, sizeof solve);
  memset(&fft, 0, sizeof fft);
  return which == PORTABLE__REDUCE_ARRAY       ? portable__reduce_array_verdict(&d->call, &array, &reduction, axis, dims)
         : which == PORTABLE__SCAN             ? portable__scan_verdict(&d->call, &scanned, &scan, axis, dims)
         : which <= PORTABLE__CALL_INDICES     ? portable__filter_verdict(&d->call, &filter, &chosen)
         : which <= PORTABLE__SORT_INDEX       ? portable__sort_verdict(&d->call, &sort)
         : which < PORTABLE__PARALLEL_FILTER   ? portable__component_verdict(&d->call, &component, &work)
         : which == PORTABLE__RANDOM_FILL      ? portable__random_verdict(&d->call, &random, &fill)
         : which >= PORTABLE__FFT_FORWARD      ? portable__fft_verdict(&d->call, &transformed, &fft)
         : which >= PORTABLE__SOLVE_THREE      ? portable__solve_verdict(&d->call, &solved, &solve)
                                               : portable__parallel_filter_verdict(&d->call);
}

static void make_reduction(struct call_case *d, const unsigned char *bytes, size_t count) {
  memset(d, 0, sizeof *d);
  d->at = bytes, d->end = bytes + count;
  d->reduction = (struct portable__reduction_call){"x", next(d) % 64 ? d->results : NULL, (size_t)below(d, 1, 3, LIST(0, 65, -1)), next(d) % 2, next(d) % 64 != 0};
  for (int i = 0; i < 4; i++) {
    portable_reduction r = PORTABLE_REDUCTION((int32_t)below(d, 1, 10, LIST(0, 11, -1)), (int32_t)below(d, 1, 13, LIST(0, 14, -1)), next(d) % 16 ? d : NULL);
    if (next(d) % 64 == 0) r.struct_size = next(d);
    if (r.operation == PORTABLE_REDUCE_USER && next(d) % 16) r.kind = 0, r.combine = add_totals, r.bytes = 8;
    if (next(d) % 8 == 0) r.bytes = (size_t)pick(d, LIST(1, 65536), LIST(0, 65537, -1));
    if (next(d) % 8 == 0) r.flags = (uint32_t)flags(d, 7);
    if (next(d) % 16 == 0) r.liveout = 77, r.to = next(d) % 4 ? NULL : r.to;
    d->results[i] = r;
  }
}

static portable_status reduction_verdict(struct call_case *d) {
  struct portable__reduction r;
  memset(&r, 0, sizeof r);
  return portable__reduction_verdict(&d->reduction, &r);
}
*/
import "C"

import (
	"unsafe"

	"libportable/exec"
)

// turns is a test hook into turns.h: parts with totals.
type turns struct{ c *C.struct_portable__turns }

func newTurns(count, running int64) turns {
	return turns{C.turns_new(C.int64_t(count), C.int64_t(running))}
}

func (t turns) free() { C.turns_free(t.c) }

func (t turns) claim() int64 { return int64(C.portable__turn_claim(t.c)) }

func (t turns) take(part, total int64, wait bool) (before int64, mine bool) {
	w := C.int(0)
	if wait {
		w = 1
	}
	mine = C.portable__turn_take(t.c, C.int64_t(part), unsafe.Pointer(&total), w, unsafe.Pointer(&before)) != 0
	return before, mine
}

func (t turns) left(from *int64) (part, before int64) {
	part = int64(C.portable__turn_left(t.c, (*C.int64_t)(unsafe.Pointer(from)), unsafe.Pointer(&before)))
	return part, before
}

// callCase is a call on arrays in C's memory.
type callCase struct{ c *C.struct_call_case }

const arrayCalls = C.PORTABLE__FFT_BACKWARD + 1

func newCallCase() callCase {
	return callCase{(*C.struct_call_case)(C.calloc(1, C.sizeof_struct_call_case))}
}

func (d callCase) free() { C.free(unsafe.Pointer(d.c)) }

// verdicts gives the status that C and Go have for the call of that number, or for a reduction of a launch, made of bytes.
func (d callCase) verdicts(call int, bytes []byte) (c, goes int, text string) {
	at := (*C.uchar)(unsafe.Pointer(unsafe.SliceData(bytes)))
	var fault exec.Status
	if call == arrayCalls {
		C.make_reduction(d.c, at, C.size_t(len(bytes)))
		fault, text = reductionCall(&d.c.reduction).Refuse()
		return int(C.reduction_verdict(d.c)), int(fault), text
	}
	C.make_call(d.c, C.int32_t(call), at, C.size_t(len(bytes)))
	fault, text = arrayCall(&d.c.call).Refuse()
	return int(C.verdict(d.c)), int(fault), text
}
