package capi

/*
#include "questions.h"
#include "../arrays/owner/array.h"
#include "../exec/device/devices.h"
#include "../internal/observe/watch.h"
#include "../internal/team/devices.h"

#define PORTABLE__FIRST_DEVICE PORTABLE_SPACE_DEVICE(0)
*/
import "C"

import (
	"sync"
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

//export portable__go_missing
func portable__go_missing(argument C.portable__text) (st C.portable_status) {
	defer guard(&st)
	return status(arrays.Missing(ended(argument)))
}

//export portable__go_unfit
func portable__go_unfit(why C.int32_t, number C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	return status(arrays.Unfit(int32(why), uint64(number)))
}

//export portable__go_array_refused
func portable__go_array_refused(r *C.struct_portable__array_refusal) (st C.portable_status) {
	defer guard(&st)
	d := arrays.Descriptor{Records: r.records != 0, None: r.none != 0, Size: uint32(r.size), Most: uint32(r.most), Rank: int32(r.rank), Owner: arrays.Owner(r.owner)}
	err := d.Live()
	if err == nil && r.far != 0 {
		device := ""
		if r.device != nil {
			device = ended(r.device)
		}
		err = arrays.NotReached(int32(r.space), device)
	}
	return refusedFor(err)
}

//export portable__go_array_far
func portable__go_array_far(space, asked C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return status(arrays.NotReachedBy(int32(space), int32(asked)))
}

//export portable__go_array_copy_refused
func portable__go_array_copy_refused(from, to C.portable__array_in) (st C.portable_status) {
	defer guard(&st)
	err := arrays.Copied(int32(from.kind), int32(to.kind), uint64(from.element_bytes), uint64(to.element_bytes))
	if err == nil {
		err = arrays.ErrShared // the other reason for which C asks
	}
	return refusedFor(err)
}

//export portable__go_array_pointer
func portable__go_array_pointer(kind, rank, pointerKind, pointerRank C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return status(arrays.Pointed(int32(kind), int32(rank), int32(pointerKind), int32(pointerRank)))
}

//export portable__go_view
func portable__go_view(none, rank C.int32_t, bytes C.uint64_t, of, order C.int32_t, extents C.portable__indices) (st C.portable_status) {
	defer guard(&st)
	v := arrays.View{None: none != 0, Rank: int32(rank), Bytes: uint64(bytes), Head: C.PORTABLE__VIEW_HEAD, Each: C.PORTABLE__VIEW_EACH,
		Of: int32(of), Array: of >= 0, Order: arrays.Order(order), Extent: indices(extents)}
	return status(v.Refusal())
}

// partly copies a structure of a program's, whose struct_size may be smaller, but not larger than ours; else only struct_size.
func partly(to, from unsafe.Pointer, most uintptr) {
	size := uintptr(*(*uint32)(from))
	if size < 4 || size > most {
		*(*uint32)(to) = uint32(size)
		return
	}
	copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(from), size))
}

func configOf(given *C.portable_array_config) arrays.Config {
	var c C.portable_array_config
	most := unsafe.Sizeof(c)
	c.struct_size = C.uint32_t(most)
	if given != nil {
		partly(unsafe.Pointer(&c), unsafe.Pointer(given), most)
	}
	return arrays.Config{Size: uint32(c.struct_size), Most: uint32(most), Order: arrays.Order(c.order), Fastest: dims(c.fastest), Lower: indices(c.lower),
		Space: int32(c.space), Zero: c.zero != 0, End: c.end != nil, RowBytes: uint64(c.row_bytes), Pool: uint64(c.pool)}
}

// plans keeps what calls that make something are planned in: it would be new memory in each of them.
var plans = sync.Pool{New: func() any { return new(planning) }}

type planning struct {
	array   arrays.Making
	records arrays.RecordsMaking
	record  arrays.Record
	fields  [arrays.MaxFields]arrays.Field
	twin    arrays.TwinMaking
	wrapped arrays.Shape
	fastest [arrays.MaxRank]int32
	sides   arrays.Sides
}

func makingOf(m *C.struct_portable__array_making) arrays.Making {
	return arrays.Making{Config: configOf(m.given), Label: ended(m.label), Kind: int32(m.kind), Bytes: uint64(m.element_bytes), Rank: int(m.rank),
		Extent: indices(m.extents), Strides: indices(m.strides), NoData: m.data == nil}
}

// machine answers plans.
type machine struct{}

func (machine) Pool(space int32) (uint64, error) {
	n, err := lib.SpacePool(int(space))
	if err == nil && space >= C.PORTABLE__FIRST_DEVICE {
		C.portable__crash_handlers() // an access on the host is reported by name
	}
	return n, err
}

func (machine) Copied(space int32) bool { return C.portable__array_copied(C.int32_t(space)) != 0 }

func (machine) DeviceSpace(device int32) int32 {
	return int32(C.portable__device_room(C.portable_device(device)))
}

func (machine) Rule(label string, device int32, rank int) (r arrays.Rule) {
	if layouts.Len() == 0 {
		return r
	}
	p := arrays.Place{Label: label, OfCPU: device != arrays.Far, Rank: rank}
	if device == 0 {
		device = int32(C.portable_default_device())
	}
	switch {
	case device == arrays.OnHost:
		p.Device = "host"
	case device > 0:
		if name := C.portable_device_name(C.portable_device(device)); name != nil {
			p.Device = C.GoString(name)
		}
		p.OfCPU = device <= C.PORTABLE__THREADS || C.portable__device_is_own(C.int32_t(device)) != 0
	}
	if !p.OfCPU {
		rulesOfDevices.Store(true)
	}
	if r = layouts.Find(&p); r.Ordered || r.RowBytes > 0 {
		laidOut(label)
	}
	return r
}

func laidOut(label string) {
	text := append([]byte(label), 0)
	C.portable__tuning_laid_out((*C.char)(unsafe.Pointer(&text[0])))
}

//export portable__go_array_make
func portable__go_array_make(m *C.struct_portable__array_making, a *C.portable_array) (st C.portable_status) {
	defer guard(&st)
	p := plans.Get().(*planning)
	defer plans.Put(p)
	plan := &p.array
	*plan = makingOf(m)
	var s arrays.Shape
	var bytes uint64
	var err error
	if m.what == C.PORTABLE__MAKE_WRAP {
		s, err = plan.Wrap()
	} else {
		s, bytes, err = plan.Create(machine{})
	}
	return made(m, a, plan, &s, bytes, err)
}

// made tells C what is planned.
func made(m *C.struct_portable__array_making, a *C.portable_array, plan *arrays.Making, s *arrays.Shape, bytes uint64, err error) C.portable_status {
	if err != nil {
		return status(err)
	}
	m.bytes, m.pool = C.uint64_t(bytes), C.portable_pool(plan.Pool)
	a.element_bytes, a.space = C.uint64_t(plan.Bytes), C.int32_t(plan.Space)
	setShape(a, s)
	return C.PORTABLE_OK
}

//export portable__go_array_slice
func portable__go_array_slice(a *C.portable_array, ranges C.portable__ranges) (st C.portable_status) {
	defer guard(&st)
	var s arrays.Shape
	if st = shapeOf(a, &s); st != C.PORTABLE_OK {
		return st
	}
	if ranges == nil && s.Rank > 0 {
		return status(arrays.Missing("ranges"))
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
	if extents == nil && rank > 0 {
		return status(arrays.Missing("extents"))
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
	if index == nil && rank > 0 {
		return status(arrays.Missing("index"))
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

//export portable__go_twin_make
func portable__go_twin_make(m *C.struct_portable__twin_making, host, device *C.portable_array) (st C.portable_status) {
	defer guard(&st)
	var c C.portable_twin_config
	most := unsafe.Sizeof(c)
	c.struct_size = C.uint32_t(most)
	if m.given != nil {
		partly(unsafe.Pointer(&c), unsafe.Pointer(m.given), most)
	}
	p := plans.Get().(*planning)
	defer plans.Put(p)
	plan, s, fastest := &p.twin, &p.wrapped, &p.fastest
	*plan = arrays.TwinMaking{Size: uint32(c.struct_size), Most: uint32(most), Of: int32(c.of), Separate: c.separate != 0 || m.separate != 0, Wraps: m.wrapped != nil}
	m.side[0].given, m.side[1].given = c.host, c.device
	if plan.Wraps {
		if st = shapeOf(m.wrapped, s); st != C.PORTABLE_OK {
			return st
		}
		m.side[0].given = nil
		m.side[0].data, m.side[0].rank, m.side[0].element_bytes = m.wrapped.data, m.wrapped.rank, m.wrapped.element_bytes
	} else if c.device == nil {
		m.side[1].given = c.host
	}
	plan.Side[arrays.Host], plan.Side[arrays.Device] = makingOf(&m.side[0]), arrays.Making{Config: configOf(m.side[1].given)}
	if h := &plan.Side[arrays.Host]; plan.Wraps {
		for k, d := range s.Fastest[:s.Rank] {
			fastest[k] = int32(d)
		}
		h.Space, h.Order, h.Fastest, h.Lower, h.Extent, h.Strides = int32(m.wrapped.space), s.Order, fastest, &s.Lower, &s.Extent, &s.Stride
		if s.Rank >= 2 {
			h.Order = arrays.Permuted
		}
		if c.device == nil {
			d := &plan.Side[arrays.Device]
			d.Order, d.Fastest = h.Order, fastest
		}
	}
	sides := &p.sides
	if err := plan.Plan(machine{}, sides); err != nil {
		return status(err)
	}
	made(&m.side[0], host, &plan.Side[arrays.Host], &sides.Shape[arrays.Host], sides.Bytes[arrays.Host], nil)
	made(&m.side[1], device, &plan.Side[arrays.Device], &sides.Shape[arrays.Device], sides.Bytes[arrays.Device], nil)
	m.one_memory = oneIf(sides.OneMemory)
	return C.PORTABLE_OK
}

//export portable__go_twin_refused
func portable__go_twin_refused(r *C.struct_portable__twin_refusal) (st C.portable_status) {
	defer guard(&st)
	m := arrays.Marks{Label: ended(r.label), Check: r.checks != 0}
	for k := range m.Sides {
		s := &r.sides[k]
		m.Sides[k] = arrays.Side{Newer: s.newer != 0, Arriving: s.arriving != 0, Since: ended(s.since), Unmarked: ended(s.unmarked)}
	}
	call := ended(r.function)
	switch r.access {
	case C.PORTABLE__UNTOLD:
		return status(m.Untold(call, int32(r.side)))
	case 0:
		return status(m.Conflict(call))
	}
	return status(m.Take(call, int32(r.side), int32(r.access)))
}
