package doors

/*
#include <stdlib.h>
#include "../reduction/array.h"

static int64_t units(struct portable__array_reduction *r) {
  portable__array_cut(r);
  return r->units;
}
*/
import "C"

import "unsafe"

// Small doors to C for the tests of this package, which cannot import C themselves.

// axis is one dimension of an array as C gets it.
type axis struct{ extent, step, maskStep int64 }

// line is a reduction of one line: an operation and a kind by the numbers of portable_reduce_array.h.
type line struct {
	op, kind int32
	wide     bool
	axes     []axis
	data     unsafe.Pointer
	mask     unsafe.Pointer
	maskSize int32
}

// reduce runs the units of the line in the order given by `order`, which gets their number, into result.
func (l line) reduce(order func(units int64) []int64, result unsafe.Pointer) bool {
	wide := C.int32_t(0)
	if l.wide {
		wide = 1
	}
	// On C's heap, because it points to memory that is not Go's to know of.
	r := (*C.struct_portable__array_reduction)(C.calloc(1, C.sizeof_struct_portable__array_reduction))
	defer C.free(unsafe.Pointer(r))
	r.operation = C.portable__array_operation(C.int32_t(l.op), C.int32_t(l.kind), wide)
	if r.operation == nil {
		return false
	}
	r.op = C.int32_t(l.op)
	r.data, r.mask, r.mask_bytes = (*C.char)(l.data), (*C.char)(l.mask), C.int32_t(l.maskSize)
	r.results = (*C.char)(result)
	r.inner, r.count = C.int32_t(len(l.axes)), 1
	for k, a := range l.axes {
		r.in[k] = C.struct_portable__array_axis{extent: C.int64_t(a.extent), step: C.int64_t(a.step), mask_step: C.int64_t(a.maskStep)}
		r.count *= C.int64_t(a.extent)
	}
	units := int64(C.units(r))
	if r.leaves > 1 {
		r.partials = (*C.struct_portable__array_partial)(C.calloc(C.size_t(r.leaves), C.sizeof_struct_portable__array_partial))
		defer C.free(unsafe.Pointer(r.partials))
	}
	for _, u := range order(units) {
		C.portable__array_units(r, C.int64_t(u), C.int64_t(u+1))
	}
	C.portable__array_end(r)
	return true
}

// room is memory of C's heap, which C may keep the address of.
func room(bytes int) unsafe.Pointer { return C.calloc(1, C.size_t(bytes)) }

func giveBack(p unsafe.Pointer) { C.free(p) }
