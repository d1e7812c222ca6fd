package doors

/*
#include <stdlib.h>
#include "../copy/copy.h"
#include "../base/processor.h"
*/
import "C"

import "unsafe"

// copyAxis is one axis of a copy: bytes from one index to the next on both sides.
type copyAxis struct{ extent, to, from int64 }

// box is a copy as C gets it; its addresses are of C's heap.
type box struct {
	to, from          unsafe.Pointer // elements whose indices are all 0
	bytes             int64
	conversion        int32
	axes              []copyAxis
	streams           int32 // -1: the planner decides
	single            bool
	units             int64 // filled by plan, as the rest
	length, depth     int64
	transposes, shift bool
	p                 *C.struct_portable__copy_plan
}

// plan makes b.p; drop frees it.
func (b *box) plan() {
	c := (*C.struct_portable__copy)(C.calloc(1, C.sizeof_struct_portable__copy))
	defer C.free(unsafe.Pointer(c))
	c.to, c.from = (*C.char)(b.to), (*C.char)(b.from)
	c.bytes, c.conversion, c.rank = C.int64_t(b.bytes), C.int32_t(b.conversion), C.int32_t(len(b.axes))
	for k, a := range b.axes {
		c.axis[k] = C.struct_portable__copy_axis{extent: C.int64_t(a.extent), to: C.int64_t(a.to), from: C.int64_t(a.from)}
	}
	single := C.int32_t(0)
	if b.single {
		single = 1
	}
	b.p = (*C.struct_portable__copy_plan)(C.calloc(1, C.sizeof_struct_portable__copy_plan))
	C.portable__copy_plan(c, C.int32_t(b.streams), single, b.p)
	b.units, b.length, b.depth = int64(b.p.units), int64(b.p.length), int64(b.p.depth)
	b.transposes, b.shift = b.p.transposes != 0, b.p.shift != 0
}

func (b *box) drop() { C.free(unsafe.Pointer(b.p)) }

func (b *box) copy(first, end int64) { C.portable__copy_units(b.p, C.int64_t(first), C.int64_t(end)) }

func (b *box) fits(first, end int64) bool {
	return C.portable__copy_fits(b.p, C.int64_t(first), C.int64_t(end)) != 0
}

func (b *box) equal(kind int32, first, end int64) bool {
	return C.portable__copy_equal(b.p, C.int32_t(kind), C.int64_t(first), C.int64_t(end)) != 0
}

func (b *box) checksum(first, end int64) uint64 {
	return uint64(C.portable__copy_checksum(b.p, C.int64_t(first), C.int64_t(end)))
}

// hideVectors has copies do without the longest vectors of the processor, or with them again.
func hideVectors(hide bool) {
	what := C.int(0)
	if hide {
		what = C.PORTABLE__AVX512
	}
	C.portable__processor_hide(what)
}
