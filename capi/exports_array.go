package capi

/*
#include "questions.h"
#include "../arrays/owner/array.h"
*/
import "C"

import (
	"unsafe"

	"libportable/arrays"
)

// The lists of C have as many entries as the rank, of which no more are read.

func indices(p C.portable__indices) *arrays.Indices { return (*arrays.Indices)(unsafe.Pointer(p)) }
func dims(p C.portable__dims) *[arrays.MaxRank]int32 {
	return (*[arrays.MaxRank]int32)(unsafe.Pointer(p))
}
func elements(p *C.int64_t) *arrays.Indices { return (*arrays.Indices)(unsafe.Pointer(p)) }

// shapeOf decodes a descriptor of a rank that C has checked, and refuses a damaged one: programs can write into descriptors.
func shapeOf(a C.portable__array_in, s *arrays.Shape) C.portable_status {
	s.Rank, s.Order = int(a.rank), arrays.Order(a.order)
	copy(s.Lower[:s.Rank], elements(&a.lower[0])[:])
	copy(s.Extent[:s.Rank], elements(&a.extent[0])[:])
	copy(s.Stride[:s.Rank], elements(&a.stride[0])[:])
	s.Fastest = *(*arrays.Dims)(unsafe.Pointer(&a.fastest[0]))
	return status(s.Sound())
}

func setShape(a *C.portable_array, s *arrays.Shape) {
	a.rank, a.order = C.int32_t(s.Rank), C.int32_t(s.Order)
	*elements(&a.lower[0]) = s.Lower
	*elements(&a.extent[0]) = s.Extent
	*elements(&a.stride[0]) = s.Stride
	*(*arrays.Dims)(unsafe.Pointer(&a.fastest[0])) = s.Fastest
}

// setView puts a view in the place of its array.
func setView(a *C.portable_array, s *arrays.Shape, origin int64, err error) C.portable_status {
	if err != nil {
		return status(err)
	}
	setShape(a, s)
	a.data = unsafe.Add(a.data, origin*int64(a.element_bytes))
	return C.PORTABLE_OK
}

//export portable__go_array_layout
func portable__go_array_layout(a *C.portable_array, rank C.int32_t, extents, strides, lower C.portable__indices, fastest C.portable__dims, rowBytes C.uint64_t, bytes *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	r := arrays.Request{Rank: int(rank), Order: arrays.Order(a.order), Fastest: dims(fastest), Extent: indices(extents),
		Lower: indices(lower), ElementBytes: uint64(a.element_bytes), RowBytes: uint64(rowBytes)}
	var s arrays.Shape
	var n uint64
	var err error
	if strides != nil {
		s, err = r.Wrap(indices(strides))
	} else {
		s, n, err = r.Layout()
	}
	*bytes = C.uint64_t(n)
	return setView(a, &s, 0, err)
}

//export portable__go_array_slice
func portable__go_array_slice(a *C.portable_array, ranges C.portable__ranges) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	view, origin, err := s.Slice((*[arrays.MaxRank]arrays.Range)(unsafe.Pointer(ranges)))
	return setView(a, &view, origin, err)
}

//export portable__go_array_subset
func portable__go_array_subset(a *C.portable_array, first, last C.int64_t) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	view, origin, err := s.SubsetSlowest(int64(first), int64(last))
	return setView(a, &view, origin, err)
}

//export portable__go_array_reshape
func portable__go_array_reshape(a *C.portable_array, rank C.int32_t, extents, lower C.portable__indices) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	view, err := s.Reshape(int(rank), indices(extents), indices(lower))
	return setView(a, &view, 0, err)
}

//export portable__go_array_permute
func portable__go_array_permute(a *C.portable_array, list C.portable__dims) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	view, err := s.Permute(dims(list))
	return setView(a, &view, 0, err)
}

//export portable__go_array_rebase
func portable__go_array_rebase(a *C.portable_array, lower C.portable__indices) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	view, err := s.Rebase(indices(lower))
	return setView(a, &view, 0, err)
}

//export portable__go_array_compact
func portable__go_array_compact(a *C.portable_array, bytes *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	view, n, err := s.Compact(uint64(a.element_bytes))
	*bytes = C.uint64_t(n)
	return setView(a, &view, 0, err)
}

// setPlan encodes a plan, whose axes are C's but for their type.
func setPlan(to *C.struct_portable__array_plan, p *arrays.Plan) {
	to.rank, to.elements = C.int32_t(p.Rank), C.int64_t(p.Elements)
	for k, a := range p.Axes[:p.Rank] {
		to.axis[k] = C.struct_portable__array_axis_pair{extent: C.int64_t(a.Extent), from: C.int64_t(a.From), to: C.int64_t(a.To)}
	}
}

//export portable__go_array_pair
func portable__go_array_pair(from, to C.portable__array_in, plan *C.struct_portable__array_plan) (st C.portable_status) {
	defer guard(&st)
	var f, t arrays.Shape
	if st = shapeOf(from, &f); st == C.PORTABLE_OK {
		st = shapeOf(to, &t)
	}
	if st != C.PORTABLE_OK {
		return st
	}
	p, err := arrays.Pair(&f, &t)
	if err != nil {
		return status(err)
	}
	setPlan(plan, &p)
	return C.PORTABLE_OK
}

//export portable__go_array_numbered
func portable__go_array_numbered(a C.portable__array_in, plan *C.struct_portable__array_plan) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	p := arrays.Numbered(&s)
	setPlan(plan, &p)
	return C.PORTABLE_OK
}

//export portable__go_array_same
func portable__go_array_same(a, b C.portable__array_in, plan *C.struct_portable__array_plan, same *C.int32_t) (st C.portable_status) {
	defer guard(&st)
	var x, y arrays.Shape
	if st = shapeOf(a, &x); st == C.PORTABLE_OK {
		st = shapeOf(b, &y)
	}
	if st != C.PORTABLE_OK || !arrays.SameShape(&x, &y) {
		return st
	}
	*same = 1
	p, err := arrays.Pair(&x, &y)
	setPlan(plan, &p)
	return status(err)
}

//export portable__go_array_locate
func portable__go_array_locate(a C.portable__array_in, rank C.int32_t, index C.portable__indices) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	_, err := s.Locate(int(rank), indices(index))
	return status(err)
}

//export portable__go_array_section
func portable__go_array_section(a C.portable__array_in, view *C.struct_portable__fortran_view, origin *C.int64_t) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	p, err := s.Section()
	if err != nil {
		return status(err)
	}
	*origin = C.int64_t(p.Origin)
	*elements(&view.big[0]), *elements(&view.first[0]), *elements(&view.last[0]), *elements(&view.step[0]) = p.Big, p.First, p.Last, p.Step
	return C.PORTABLE_OK
}
