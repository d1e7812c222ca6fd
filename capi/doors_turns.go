//go:build portable_test_hooks

package capi

/*
#include <stdlib.h>
#include "../internal/edge/base.h"
#include "../exec/algorithm/turns.h"

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
*/
import "C"

import "unsafe"

// turns is a door to turns.h for its test: parts whose totals are added up.
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
