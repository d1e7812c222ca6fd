package capi

// This file has the exports of halos: they decode C's arguments for internal/halo, and write its plans into memory of C.

/*
#include "questions.h"
#include "../exec/halo/questions.h"
*/
import "C"

import (
	"slices"
	"sync"
	"unsafe"

	"libportable/internal/halo"
)

func chars(c []C.char) string {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&c[0])), len(c))
	if n := slices.Index(bytes, 0); n >= 0 {
		bytes = bytes[:n]
	}
	return string(bytes)
}

func haloFault(call, label string, f halo.Fault) C.portable_status {
	if f == "" {
		return C.PORTABLE_OK
	}
	return fail(C.PORTABLE_ERR_ARG, call+" '"+label+"': "+string(f))
}

// numbers is a list of C; nil: NULL.
func numbers[T, From any](at *From, n int) []T {
	if at == nil {
		return nil
	}
	return slices.Clone(unsafe.Slice((*T)(unsafe.Pointer(at)), n))
}

// specs are the halos that exist, by the numbers that C keeps. A map takes less room in the archive than runtime/cgo's handles.
var specs = struct {
	sync.Mutex
	last uint64
	of   map[uint64]*halo.Spec
}{of: map[uint64]*halo.Spec{}}

func specOf(number C.uint64_t) *halo.Spec {
	specs.Lock()
	defer specs.Unlock()
	return specs.of[uint64(number)]
}

// keep gives the halo a spec that fits.
func keep(h *C.struct_portable__halo, call string, s *halo.Spec) C.portable_status {
	if st := haloFault(call, s.Label, s.Check()); st != C.PORTABLE_OK {
		return st
	}
	register(h, s)
	return C.PORTABLE_OK
}

func register(h *C.struct_portable__halo, s *halo.Spec) {
	specs.Lock()
	defer specs.Unlock()
	specs.last++
	specs.of[specs.last] = s
	h.spec = C.uint64_t(specs.last)
}

func specFor(h *C.struct_portable__halo) *halo.Spec {
	return &halo.Spec{Label: chars(h.label[:]), Rank: int(h.messenger.rank), Ranks: int(h.messenger.ranks)}
}

//export portable__go_halo_box
func portable__go_halo_box(h *C.struct_portable__halo, options C.portable__halo_box_in, signature *C.int64_t) (st C.portable_status) {
	defer guard(&st)
	const call = "portable_halo_box"
	s := specFor(h)
	o, size := read[C.portable_halo_box_options](unsafe.Pointer(options))
	rank := int(o.rank)
	switch {
	case options == nil:
		return haloFault(call, s.Label, "options is NULL")
	case size.Wrong():
		return haloFault(call, s.Label, "options.struct_size is wrong; begin with PORTABLE_HALO_BOX_OPTIONS_INIT")
	case rank < 1 || rank > C.PORTABLE__HALO_RANK:
		return haloFault(call, s.Label, "rank is not 1 to 3: these are the dimensions that ranks share; or, in Fortran and C++, a list has another length than global")
	case o.global == nil:
		return haloFault(call, s.Label, "global is NULL; it has the cells of all ranks")
	}
	b := &halo.Box{Global: numbers[int64](o.global, rank), Width: numbers[int64](o.width, rank), Periodic: make([]bool, rank), Faces: o.faces != 0}
	if b.Width == nil {
		b.Width = slices.Repeat([]int64{1}, rank)
	}
	for d, p := range numbers[int32](o.periodic, rank) {
		b.Periodic[d] = p != 0
	}
	for _, n := range numbers[int32](o.grid, rank) {
		b.Grid = append(b.Grid, int64(n))
	}
	if b.Grid == nil {
		b.Grid = slices.Repeat([]int64{1}, rank)
		b.Grid[rank-1] = int64(s.Ranks)
	}
	s.Box = b
	if st = keep(h, call, s); st != C.PORTABLE_OK {
		return st
	}
	first, count := b.Own(s.Rank)
	h.rank = o.rank
	for d := range rank {
		h.own[0][d], h.own[1][d] = C.int64_t(first[d]), C.int64_t(first[d]+count[d]-1)
	}
	*signature = C.int64_t(s.Signature())
	return st
}

//export portable__go_halo_lists
func portable__go_halo_lists(h *C.struct_portable__halo, options C.portable__halo_lists_in, balance *C.int64_t) (st C.portable_status) {
	defer guard(&st)
	const call = "portable_halo_lists"
	s := specFor(h)
	o, size := read[C.portable_halo_lists_options](unsafe.Pointer(options))
	n := int(o.neighbours)
	switch {
	case size.Wrong():
		return haloFault(call, s.Label, "options is NULL, or its struct_size is wrong; begin with PORTABLE_HALO_LISTS_OPTIONS_INIT")
	case n < 0:
		return haloFault(call, s.Label, "neighbours is below 0")
	case n > 0 && (o.neighbour == nil || o.send_row == nil || o.recv_row == nil):
		return haloFault(call, s.Label, "neighbour, send_row or recv_row is NULL, or in Fortran its length does not fit neighbour or its list of cells")
	case o.base != 0 && o.base != 1:
		return haloFault(call, s.Label, "base is not 0 or 1: it is what rows and cells are counted from")
	}
	l := &halo.Lists{SendRow: []int64{0}, RecvRow: []int64{0}, Base: int64(o.base)}
	for _, r := range numbers[int32](o.neighbour, n) {
		l.Neighbours = append(l.Neighbours, int(r))
	}
	for _, list := range []struct {
		name       string
		row, index *C.int64_t
		rows, to   *[]int64
	}{{"send", o.send_row, o.send_index, &l.SendRow, &l.Send}, {"recv", o.recv_row, o.recv_index, &l.RecvRow, &l.Recv}} {
		if n > 0 {
			*list.rows = numbers[int64](list.row, n+1)
		}
		for i := range *list.rows {
			(*list.rows)[i] -= l.Base * oneOf(n > 0)
		}
		if st = haloFault(call, s.Label, halo.CheckRows(list.name+"_row", *list.rows)); st != C.PORTABLE_OK {
			return st
		}
		cells := int((*list.rows)[len(*list.rows)-1])
		if cells > 0 && list.index == nil {
			return haloFault(call, s.Label, halo.Fault(list.name+"_index is NULL"))
		}
		*list.to = numbers[int64](list.index, cells)
		for i := range *list.to {
			(*list.to)[i] -= l.Base
		}
	}
	s.Lists = l
	if st = keep(h, call, s); st == C.PORTABLE_OK {
		*balance = C.int64_t(s.Balance())
	}
	return st
}

// haloWord is what texts call a halo or a migration.
func haloWord(h *C.struct_portable__halo) string {
	if h.particles != nil {
		return "portable_particles_migrate"
	}
	return "halo"
}

// specNow is the spec of a halo, or of a migration, which has none outside of its calls.
func specNow(h *C.struct_portable__halo) *halo.Spec {
	p := h.particles
	if p == nil {
		return specOf(h.spec)
	}
	s := specFor(h)
	s.Particles = &halo.Particles{Count: int64(p.count), Order: unsafe.Slice((*int64)(unsafe.Pointer(p.order)), int(p.count)),
		First: unsafe.Slice((*int64)(unsafe.Pointer(p.first)), s.Ranks+1), Received: unsafe.Slice((*int64)(unsafe.Pointer(p.received)), s.Ranks)}
	return s
}

//export portable__go_particle
func portable__go_particle(h *C.struct_portable__halo, p C.portable__particles_in) (st C.portable_status) {
	defer guard(&st)
	s := specNow(h)
	return haloFault(haloWord(h), s.Label, s.Wrong(int64(p.wrong), int(p.wrong_owner)))
}

func oneOf(yes bool) int64 { return int64(oneIf(yes)) }

//export portable__go_halo_balances
func portable__go_halo_balances(spec C.uint64_t, values *C.int64_t) {
	s := specOf(spec)
	copy(unsafe.Slice((*int64)(unsafe.Pointer(values)), s.Ranks), s.Balances())
}

//export portable__go_halo_unbalanced
func portable__go_halo_unbalanced(h *C.struct_portable__halo, sender C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return haloFault("portable_halo_lists", chars(h.label[:]), halo.Unbalanced(int(sender)))
}

//export portable__go_halo_end
func portable__go_halo_end(spec C.uint64_t) {
	specs.Lock()
	defer specs.Unlock()
	delete(specs.of, uint64(spec))
}

// ---- fields ----

// fieldsOf decodes the fields of a list.
func fieldsOf(f C.portable__fields_in) (list []halo.Field) {
	for i := range unsafe.Slice(f.list, f.count) {
		list = append(list, fieldFor(&unsafe.Slice(f.list, f.count)[i]))
	}
	return list
}

func fieldFor(x *C.struct_portable__field) halo.Field {
	a := &x.array
	f := halo.Field{Name: chars(x.name[:]), Kind: int(a.kind), Bytes: int(a.element_bytes), At: address(unsafe.Pointer(a.data))}
	for d := range int(a.rank) {
		f.Dimensions = append(f.Dimensions, halo.Dimension{Extent: int64(a.extent[d]), Step: int64(a.stride[d]) * int64(a.element_bytes)})
		f.Order = append(f.Order, int(a.fastest[d]))
	}
	for _, d := range x.dims[:x.dims_count] {
		f.Shared = append(f.Shared, int(d))
	}
	return f
}

//export portable__go_fields_add_refused
func portable__go_fields_add_refused(f C.portable__fields_in, name C.portable__text, a C.portable__halo_array_in, count C.int32_t, dims C.portable__halo_dims_in) (st C.portable_status) {
	defer guard(&st)
	const call = "portable_fields_add"
	if name == nil || *name == 0 {
		return haloFault(call, chars(f.label[:]), "the field has no name; a name is for messages")
	}
	n := ended(name)
	refused := func(why halo.Fault) C.portable_status { return haloFault(call, n, why) }
	for i := range unsafe.Slice(f.list, f.count) {
		if chars(unsafe.Slice(f.list, f.count)[i].name[:]) == n {
			return refused("the list has a field of this name already; give each field its own")
		}
	}
	if len(n) >= C.PORTABLE_ARRAY_LABEL {
		return refused("the name has 64 bytes or more; give a shorter one")
	}
	if a == nil || uintptr(a.struct_size) != unsafe.Sizeof(*a) {
		return refused("there is no array: the descriptor is NULL, or describes none")
	}
	given := numbers[int32](dims, int(count)*int(oneIf(count > 0 && count <= C.PORTABLE__HALO_RANK)))
	switch {
	case a.rank < 1 || a.rank > C.PORTABLE__HALO_AXES:
		return refused("the rank of a field is 1 to 7")
	case count < 0 || count > C.PORTABLE__HALO_RANK || count > a.rank:
		return refused("the number of dims is 0 to 3, and not above the rank")
	case count > 0 && dims == nil:
		return refused("dims is NULL")
	case C.portable_array_is_allocated((*C.portable_array)(a)) == 0:
		return fail(C.PORTABLE_ERR_STATE, call+" '"+n+"': the array has no memory")
	}
	for i, d := range given {
		if d < 0 || d >= int32(a.rank) || slices.Index(given, d) != i {
			return refused("dims names a dimension that the array does not have, or one twice")
		}
	}
	return st
}

//export portable__go_halo_added
func portable__go_halo_added(h *C.struct_portable__halo, f C.portable__fields_in) (st C.portable_status) {
	defer guard(&st)
	return haloFault("portable_halo_add", chars(h.label[:]), halo.Added(fieldsOf(f)))
}

//export portable__go_halo_differ
func portable__go_halo_differ(h *C.struct_portable__halo, f C.portable__fields_in, number C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return haloFault(haloWord(h), chars(h.label[:]), halo.Differ(specNow(h), fieldsOf(f), int(number)))
}

//export portable__go_halo_split
func portable__go_halo_split(h *C.struct_portable__halo, order C.int32_t, lower C.portable__halo_lower_in, inner, rim *C.portable_bounds, count *C.int32_t) (st C.portable_status) {
	defer guard(&st)
	const call = "portable_halo_split"
	s := specOf(h.spec)
	switch {
	case s.Box == nil:
		return haloFault(call, s.Label, "a halo of lists has no block of cells")
	case inner == nil || rim == nil || count == nil:
		return haloFault(call, s.Label, "inner_out, rim_out or count_out is NULL")
	case order != C.PORTABLE_ORDER_C && order != C.PORTABLE_ORDER_FORTRAN:
		return haloFault(call, s.Label, "order is not PORTABLE_ORDER_C or PORTABLE_ORDER_FORTRAN")
	}
	from := numbers[int64](lower, len(s.Box.Global))
	if from == nil {
		from = slices.Repeat([]int64{int64(order)}, len(s.Box.Global))
	}
	bounds := func(p halo.Part) (b C.portable_bounds) {
		b.struct_size, b.rank, b.order = C.uint32_t(unsafe.Sizeof(b)), C.int32_t(len(from)), order
		for d := range from {
			b.lower[d], b.upper[d], b.stride[d] = C.int64_t(from[d]+p.First[d]), C.int64_t(from[d]+p.Last[d]), 1
		}
		return b
	}
	in, others := s.Box.Split(s.Rank)
	*inner, *count = bounds(in), C.int32_t(len(others))
	for i, p := range others {
		unsafe.Slice(rim, 2*C.PORTABLE__HALO_RANK)[i] = bounds(p)
	}
	return st
}

// ---- plans ----

//export portable__go_halo_plan
func portable__go_halo_plan(h *C.struct_portable__halo, f C.portable__fields_in, out **C.struct_portable__halo_plan) (st C.portable_status) {
	defer guard(&st)
	s, fields := specNow(h), fieldsOf(f)
	p, why := halo.New(s, fields)
	if why != "" {
		return haloFault(haloWord(h), s.Label, why)
	}
	if *out = writePlan(p, fields); *out == nil {
		return fail(C.PORTABLE_ERR_NOMEM, haloWord(h)+" '"+s.Label+"': no memory for the plan of the exchange")
	}
	return st
}

// writePlan writes a plan into one piece of memory of C, its tables behind it. nil: no memory.
func writePlan(p *halo.Plan, fields []halo.Field) *C.struct_portable__halo_plan {
	var bytes uintptr // of the tables
	type lists struct {
		at *int64
		n  int
	}
	written := map[lists]*C.int64_t{} // fields share their lists of cells
	all := [...][]halo.Rows{C.PORTABLE__HALO_OWN: p.Own, C.PORTABLE__HALO_GHOST: p.Ghost, C.PORTABLE__HALO_ADDED: p.Added}
	for _, list := range all {
		bytes += uintptr(len(list)) * unsafe.Sizeof(C.struct_portable__halo_rows{})
		for i := range list {
			l := lists{unsafe.SliceData(list[i].Index), len(list[i].Index)}
			if _, is := written[l]; !is {
				written[l] = nil
				bytes += uintptr(l.n) * 8
			}
		}
	}
	bytes += uintptr(len(p.Messages))*unsafe.Sizeof(C.struct_portable__halo_message{}) + uintptr(p.Groups+1+len(fields))*8
	to := C.portable__halo_make(C.uint64_t(unsafe.Sizeof(C.struct_portable__halo_plan{}) + bytes))
	if to == nil {
		return nil
	}
	at := unsafe.Sizeof(*to)
	take := func(n uintptr) unsafe.Pointer {
		p := unsafe.Add(unsafe.Pointer(to), at)
		at += n
		return p
	}
	write := func(list *C.struct_portable__halo_list, from []halo.Rows) {
		list.rows = (*C.struct_portable__halo_rows)(take(uintptr(len(from)) * unsafe.Sizeof(C.struct_portable__halo_rows{})))
		list.count = C.int32_t(len(from))
		for i := range from {
			r, x := &unsafe.Slice(list.rows, len(from))[i], &from[i]
			*(*uintptr)(unsafe.Pointer(&r.at)) = x.At
			if x.Index != nil {
				l := lists{unsafe.SliceData(x.Index), len(x.Index)}
				if written[l] == nil {
					written[l] = (*C.int64_t)(take(uintptr(l.n) * 8))
					copy(unsafe.Slice((*int64)(unsafe.Pointer(written[l])), l.n), x.Index)
				}
				r.index, r.indices, r.index_step = written[l], C.int64_t(l.n), C.int64_t(x.IndexStep)
			}
			r.offset, r.first, r.first_element, r.count = C.int64_t(x.Offset), list.all, list.elements, C.int64_t(x.Count())
			r.axes, r.bytes, r.kind, r.group = C.int32_t(len(x.Axes)), C.int32_t(x.Bytes), C.int32_t(fields[x.Field].Kind), C.int32_t(x.Group)
			for k, a := range x.Axes {
				r.extent[k], r.step[k] = C.int64_t(a.Extent), C.int64_t(a.Step)
			}
			list.all += r.count
			list.elements += r.count * r.extent[0]
			list.bytes += r.count * r.extent[0] * C.int64_t(x.Bytes)
		}
	}
	for i, list := range all {
		write(&to.list[i], list)
	}
	to.messages, to.messages_count = (*C.struct_portable__halo_message)(take(uintptr(len(p.Messages))*unsafe.Sizeof(C.struct_portable__halo_message{}))), C.int32_t(len(p.Messages))
	for i, m := range p.Messages {
		unsafe.Slice(to.messages, len(p.Messages))[i] = C.struct_portable__halo_message{rank: C.int32_t(m.Peer), own_at: C.int64_t(m.OwnAt), own_bytes: C.int64_t(m.OwnBytes), ghost_at: C.int64_t(m.GhostAt), ghost_bytes: C.int64_t(m.GhostBytes)}
	}
	to.group_first, to.groups = (*C.int64_t)(take(uintptr(p.Groups+1)*8)), C.int32_t(p.Groups)
	first := unsafe.Slice(to.group_first, p.Groups+1)
	for i := range p.Own {
		first[p.Own[i].Group+1] += C.int64_t(p.Own[i].Count())
	}
	for g := range p.Groups {
		first[g+1] += first[g]
	}
	to.signatures, to.fields = (*C.int64_t)(take(uintptr(len(fields))*8)), C.int32_t(len(fields))
	copy(unsafe.Slice((*int64)(unsafe.Pointer(to.signatures)), len(fields)), p.Signatures)
	to.signature, to.bytes, to.size = C.int64_t(p.Signature), C.int64_t(p.Bytes), C.int64_t(at)
	to.own_bytes = C.int64_t(p.OwnBytes)
	return to
}

// ---- blocks and files ----

//export portable__go_halo_blocks
func portable__go_halo_blocks(h *C.struct_portable__halo, f C.portable__fields_in, call C.portable__text, out **C.struct_portable__halo_plan, to *C.portable__block) (st C.portable_status) {
	defer guard(&st)
	s, fields := specOf(h.spec), fieldsOf(f)
	p, blocks, why := halo.Blocks(s, fields)
	if why != "" {
		return haloFault(ended(call), s.Label, why)
	}
	if *out = writePlan(p, fields); *out == nil {
		return fail(C.PORTABLE_ERR_NOMEM, ended(call)+": no memory for the plan of the blocks")
	}
	for i, b := range blocks {
		x := &unsafe.Slice(to, len(blocks))[i]
		*x = C.portable__block{name: unsafe.Slice(f.list, f.count)[i].name, kind: C.int32_t(fields[i].Kind), rank: C.int32_t(len(b.Global)), signature: C.int64_t(b.Signature),
			element_bytes: C.int64_t(fields[i].Bytes), elements: 1, fortran: C.int32_t(oneIf(unsafe.Slice(f.list, f.count)[i].array.order != C.PORTABLE_ORDER_C))}
		for k := range min(len(b.Kind), len(x.kind_name)-1) {
			x.kind_name[k] = C.char(b.Kind[k])
		}
		for d := range b.Global {
			x.global[d], x.first[d], x.count[d], x.shared[d] = C.int64_t(b.Global[d]), C.int64_t(b.First[d]), C.int64_t(b.Count[d]), C.int32_t(b.Shared[d])
			x.elements *= x.count[d]
		}
	}
	return st
}

//export portable__go_halo_file
func portable__go_halo_file(call, file C.portable__text, action C.int32_t, bytes C.int64_t, stamp *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	name := ended(file)
	seen, why, disk := halo.OnFile(name, halo.Action(action), int64(bytes))
	if stamp != nil {
		*stamp = C.uint64_t(seen)
	}
	if disk {
		return fail(C.PORTABLE_ERR_DEVICE, ended(call)+" '"+name+"': "+string(why))
	}
	return haloFault(ended(call), name, why)
}
