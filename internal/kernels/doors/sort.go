package doors

/*
#include <stdlib.h>
#include "../sort/sort.h"

// Everything that sorts do, but for ranges that are cut again. units gets the numbers of a step's units in the order in which they run.
static int32_t run_sort(struct portable__sort *s, int32_t kind, int32_t descending, int32_t form, int64_t *units) {
  int32_t bytes = portable__sort_element_bytes(form);
  portable__sort_order(s, kind, descending, form);
  s->b = calloc((size_t)s->count + 4, (size_t)bytes);
  s->a = s->direct ? (void *)s->keys : calloc((size_t)s->count + 4, (size_t)bytes);
  s->counts = calloc((size_t)s->chunks << PORTABLE__SORT_DIGIT, sizeof *s->counts);
  s->edges = calloc((1 << PORTABLE__SORT_DIGIT) + 1, sizeof *s->edges);
  s->first = s->from = 0;
  s->length = s->count;
  s->big = s->count;
  uint64_t differ = UINT64_MAX >> (form == PORTABLE__SORT_KEY4 || form == PORTABLE__SORT_PAIR4 ? 32 : 0);
  for (int again = 0; again < 2 && differ; again++) {
    portable__sort_digit(s, differ, s->length);
    atomic_store(&s->differ, 0);
    for (int64_t i = 0; i < s->chunks; i++) portable__sort_count(s, units[i], units[i] + 1);
    differ = atomic_load(&s->differ);
  }
  if (differ) {
    portable__sort_edges(s);
    for (int64_t i = 0; i < s->chunks; i++) portable__sort_scatter(s, units[i], units[i] + 1);
    for (int64_t d = (INT64_C(1) << s->width) - 1; d >= 0; d--) portable__sort_buckets(s, d, d + 1);
  } else {
    portable__sort_all(s, 0, 1);
  }
  int32_t width = s->width;
  if (!s->direct) free(s->a);
  free(s->b);
  free(s->counts);
  free(s->edges);
  return width;
}

static int32_t ordered(struct portable__sort *s, int32_t kind, int32_t descending, int64_t *units) {
  portable__sort_order(s, kind, descending, portable__sort_key_bytes(kind) == 8 ? PORTABLE__SORT_KEY8 : PORTABLE__SORT_KEY4);
  atomic_store(&s->disorder, 0);
  for (int64_t i = 0; i < s->chunks; i++) portable__sort_check(s, units[i], units[i] + 1);
  return !atomic_load(&s->disorder);
}
*/
import "C"

import "unsafe"

// Small doors to C for the tests of sorts.

const (
	sortKey4  = C.PORTABLE__SORT_KEY4
	sortKey8  = C.PORTABLE__SORT_KEY8
	sortPair4 = C.PORTABLE__SORT_PAIR4
	sortPair8 = C.PORTABLE__SORT_PAIR8
)

// sorting is a sort of keys of a kind, in C's memory: in place, or to indices.
type sorting struct {
	kind, keyBytes int
	descending     bool
	keys, indices  unsafe.Pointer
	step           int
	count, chunks  int
	around         bool
}

func (s sorting) inC(units []int64) (*C.struct_portable__sort, C.int32_t, *C.int64_t) {
	c := (*C.struct_portable__sort)(C.calloc(1, C.sizeof_struct_portable__sort))
	c.keys, c.key_step, c.count, c.chunks = (*C.char)(s.keys), C.int64_t(s.step), C.int64_t(s.count), C.int32_t(s.chunks)
	if s.around {
		c.around = 1
	}
	descending := C.int32_t(0)
	if s.descending {
		descending = 1
	}
	return c, descending, (*C.int64_t)(unsafe.SliceData(units))
}

// run sorts as elements of the form, its steps' units in that order.
func (s sorting) run(form int, units []int64) {
	c, descending, first := s.inC(units)
	defer C.free(unsafe.Pointer(c))
	if s.indices != nil {
		c.rest, c.values, c.value_step, c.value_bytes = C.PORTABLE__SORT_PLACE, (*C.char)(s.indices), 8, 8
	} else if s.step == s.keyBytes && (form == sortKey4 && s.keyBytes == 4 || form == sortKey8 && s.keyBytes == 8) {
		c.direct = 1
	}
	C.run_sort(c, C.int32_t(s.kind), descending, C.int32_t(form), first)
}

// ordered says whether the keys are found to be in order.
func (s sorting) ordered(units []int64) bool {
	c, descending, first := s.inC(units)
	defer C.free(unsafe.Pointer(c))
	return C.ordered(c, C.int32_t(s.kind), descending, first) == 1
}
