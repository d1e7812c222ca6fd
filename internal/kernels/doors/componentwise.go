package doors

/*
#include <stdlib.h>
#include <string.h>
#include "../componentwise/componentwise.h"
#include "../base/overlap.h"
#include "../base/past.h"

static void set_fill(struct portable__componentwise *w, const void *value, size_t bytes) { memcpy(w + 1, value, bytes); }
*/
import "C"

import "unsafe"

// Small doors to C for the tests of this package, which cannot import C themselves.

// Operands of a component, as componentwise.h numbers them.
const (
	operandResult = iota
	operandA
	operandB
	operandMask
	operandCount
)

// componentAxis is one dimension of all operands as C gets it.
type componentAxis struct {
	extent int64
	step   [operandCount]int64
}

// component is an operation on arrays element by element.
type component struct {
	binary, unary, merge int32 // one of them is not 0, or it is a fill: an operation, or the bytes of an element
	kind                 int32
	axes                 []componentAxis
	at                   [operandCount]unsafe.Pointer // nil: no operand, or one value
	bytes                [operandCount]int64
	value                [operandCount]int64 // of those that are one value; of a fill the result's
}

// describe is the component on C's heap; nil: there is no such operation.
func (c component) describe() *C.struct_portable__componentwise {
	w := (*C.struct_portable__componentwise)(C.calloc(1, C.sizeof_struct_portable__componentwise+8))
	switch {
	case c.binary != 0:
		w.operation = C.portable__component_binary(C.int32_t(c.binary), C.int32_t(c.kind), C.int64_t(c.bytes[operandResult]))
	case c.unary != 0:
		w.operation = C.portable__component_unary(C.int32_t(c.unary), C.int32_t(c.kind))
	case c.merge != 0:
		w.operation = C.portable__component_merge(C.int32_t(c.merge))
	default:
		value := C.malloc(8)
		*(*int64)(value) = c.value[operandResult]
		C.set_fill(w, value, C.size_t(c.bytes[operandResult]))
		C.free(value)
	}
	w.axes, w.count = C.int32_t(len(c.axes)), 1
	for k, a := range c.axes {
		w.axis[k].extent = C.int64_t(a.extent)
		w.count *= C.int64_t(a.extent)
		for o, s := range a.step {
			w.axis[k].step[o] = C.int64_t(s)
		}
	}
	for o := range operandCount {
		w.at[o], w.bytes[o] = (*C.char)(c.at[o]), C.int64_t(c.bytes[o])
		w.value[o][0] = C.int64_t(c.value[o])
	}
	return w
}

// run does the parts that `parts`, which gets the number of elements, says.
func (c component) run(parts func(count int64) [][2]int64) (count int64, axes int32) {
	w := c.describe()
	defer C.free(unsafe.Pointer(w))
	C.portable__component_arrange(w)
	for _, p := range parts(int64(w.count)) {
		C.portable__component_range(w, C.int64_t(p[0]), C.int64_t(p[1]))
	}
	return int64(w.count), int32(w.axes)
}

// fault is the number of the first element that has no result, with the axes as they are; -1: there is none.
func (c component) fault(from, to int64) int64 {
	w := c.describe()
	defer C.free(unsafe.Pointer(w))
	return int64(C.portable__component_fault(w, C.int64_t(from), C.int64_t(to)))
}

// goPastCaches has results of so many bytes go past the caches, and gives the bytes from before.
func goPastCaches(from int64) int64 {
	before := int64(C.portable__past_from)
	C.portable__past_from = C.int64_t(from)
	return before
}

// lying is an array as its elements lie in one block of memory.
type lying struct {
	first, bytes     int64
	extents, strides []int64
}

func (l lying) c(block unsafe.Pointer) (*C.struct_portable__lying, func()) {
	x := (*C.struct_portable__lying)(C.calloc(1, C.sizeof_struct_portable__lying))
	for d := range l.extents {
		x.extents[d], x.strides[d] = C.int64_t(l.extents[d]), C.int64_t(l.strides[d])
	}
	x.at, x.bytes, x.rank = unsafe.Add(block, l.first), C.int64_t(l.bytes), C.int32_t(len(l.extents))
	return x, func() { C.free(unsafe.Pointer(x)) }
}

// fits is whether the bytes of the array are few enough to count with.
func fits(a lying) bool {
	x, free := a.c(nil)
	defer free()
	return C.portable__lying_fits(x) != 0
}

// overlap is 0 for apart, 1 for shared, 2 for too hard to tell.
func overlap(block unsafe.Pointer, a, b lying) int {
	x, freeX := a.c(block)
	defer freeX()
	y, freeY := b.c(block)
	defer freeY()
	return int(C.portable__overlap(x, y))
}

func overlapSelf(block unsafe.Pointer, a lying) int {
	x, free := a.c(block)
	defer free()
	return int(C.portable__overlap_self(x))
}
