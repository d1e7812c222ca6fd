package doors

/*
#include <stdlib.h>
#include "../scan/scan.h"
#include "../scan/choose.h"

// Leaves scanned in any order, then stored in any order: what threads may do.
static void scan_apart(const struct portable__scan *s, const int64_t *order) {
  union portable__scan_value *total = calloc((size_t)(s->leaves * s->lines) + 1, sizeof *total);
  char *values = calloc((size_t)(s->leaves * s->lines) + 1, PORTABLE__SCAN_LEAF * sizeof *total);
  int64_t parts = s->leaves * s->lines;
  char room[PORTABLE__SCAN_LEAF * sizeof *total] __attribute__((aligned(64)));
  for (int64_t p = 0; p < parts; p++) {
    portable__scan_leaf(s, order[p] / s->leaves, order[p] % s->leaves, values + order[p] * PORTABLE__SCAN_LEAF * (int64_t)sizeof *total, &total[order[p]]);
    if (order[p] % 2) portable__scan_total(s, order[p] / s->leaves, order[p] % s->leaves, room, &total[order[p]]);
  }
  for (int64_t line = 0; line < s->lines && s->leaves; line++) {
    union portable__scan_value value;
    portable__scan_begin(s, &value);
    for (int64_t leaf = 0; leaf < s->leaves; leaf++) {
      union portable__scan_value before = value;
      portable__scan_next(s, &value, &total[line * s->leaves + leaf]);
      total[line * s->leaves + leaf] = before;
    }
  }
  for (int64_t p = parts - 1; p >= 0; p--)
    portable__scan_store(s, order[p] / s->leaves, order[p] % s->leaves, values + order[p] * PORTABLE__SCAN_LEAF * (int64_t)sizeof *total, &total[order[p]]);
  free(values);
  free(total);
}

// Leaf by leaf in one step.
static void scan_through(const struct portable__scan *s) {
  char values[PORTABLE__SCAN_LEAF * sizeof(union portable__scan_value)] __attribute__((aligned(64)));
  for (int64_t line = 0; line < s->lines; line++) {
    union portable__scan_value value;
    portable__scan_begin(s, &value);
    for (int64_t leaf = 0; leaf < s->leaves; leaf++) portable__scan_through(s, line, leaf, values, &value);
  }
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// scanned is a scan of lines: an operation and a kind by the numbers of portable_reduce.h. maskStep of an axis is the step of the result.
type scanned struct {
	op, kind  int32
	exclusive bool
	initial   unsafe.Pointer
	in, out   []axis
	data      unsafe.Pointer
	results   unsafe.Pointer
}

func fill(to *[C.PORTABLE_LOOP_RANK]C.struct_portable__array_axis, from []axis) C.int32_t {
	for k, a := range from {
		to[k] = C.struct_portable__array_axis{extent: C.int64_t(a.extent), step: C.int64_t(a.step), mask_step: C.int64_t(a.maskStep)}
	}
	return C.int32_t(len(from))
}

// run scans all lines: together, or leaf by leaf in an order given by `order`, which gets their number; nil: in their order, each in one step.
func (q scanned) run(together bool, order func(parts int64) []int64) bool {
	s := (*C.struct_portable__scan)(C.calloc(1, C.sizeof_struct_portable__scan))
	defer C.free(unsafe.Pointer(s))
	s.operation = C.portable__scan_operation(C.int32_t(q.op), C.int32_t(q.kind))
	if s.operation == nil {
		return false
	}
	s.data, s.results = (*C.char)(q.data), (*C.char)(q.results)
	if q.exclusive {
		s.exclusive = 1
	}
	if q.initial != nil {
		s.has_initial = 1
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&s.initial)), s.operation.element_bytes), unsafe.Slice((*byte)(q.initial), s.operation.element_bytes))
	}
	s.inner, s.outer, s.count = fill(&s.in, q.in), fill(&s.out, q.out), 1
	for _, a := range q.in {
		s.count *= C.int64_t(a.extent)
	}
	C.portable__scan_cut(s)
	if together {
		for first := C.int64_t(0); first < s.lines; first += C.PORTABLE__SCAN_LINES {
			C.portable__scan_lines(s, first, C.int32_t(min(s.lines-first, C.PORTABLE__SCAN_LINES)))
		}
		return true
	}
	if order == nil {
		C.scan_through(s)
		return true
	}
	numbers := append(order(int64(s.lines*s.leaves)), 0)
	C.scan_apart(s, (*C.int64_t)(unsafe.SliceData(numbers)))
	return true
}

// chooser is an array with a mask.
type chooser struct {
	data, mask unsafe.Pointer
	bytes      int64
	maskBytes  int32
	axes       []axis
	count      int64
}

func (q chooser) c() *C.struct_portable__chosen {
	c := (*C.struct_portable__chosen)(C.calloc(1, C.sizeof_struct_portable__chosen))
	c.data, c.mask, c.element_bytes, c.mask_bytes = (*C.char)(q.data), (*C.char)(q.mask), C.int64_t(q.bytes), C.int32_t(q.maskBytes)
	c.rank, c.count = fill(&c.axis, q.axes), C.int64_t(q.count)
	return c
}

// leaf gives the places of what is chosen in a leaf, packs it to `packed`, and lists it from first on.
func (q chooser) leaf(leaf int64, packed unsafe.Pointer, step int64, unpack bool, first int64, list unsafe.Pointer) []uint16 {
	c := q.c()
	defer C.free(unsafe.Pointer(c))
	places := make([]uint16, chooseLeaf)
	p := (*C.uint16_t)(unsafe.SliceData(places))
	n := C.portable__choose_leaf(c, C.int64_t(leaf), p)
	if count := C.portable__choose_count(c, C.int64_t(leaf)); count != n {
		panic(fmt.Sprintf("leaf %d has %d places, and a count of %d", leaf, n, count))
	}
	if unpack {
		C.portable__choose_unpack(c, C.int64_t(leaf), p, n, (*C.char)(packed), C.int64_t(step))
	} else {
		C.portable__choose_pack(c, C.int64_t(leaf), p, n, (*C.char)(packed), C.int64_t(step))
	}
	C.portable__choose_list(C.int64_t(first), 1, p, n, (*C.char)(list), 8, 8)
	return places[:n]
}

const chooseLeaf = C.PORTABLE__CHOOSE_LEAF
