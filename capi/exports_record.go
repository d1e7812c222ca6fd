package capi

/*
#include "questions.h"
#include "../arrays/owner/records_of.h"
*/
import "C"

import (
	"unsafe"

	"libportable/arrays"
)

const noRecord = "none, or has no fields: portable_record_begin and portable_record_add describe it"

// noneOf says why there is no record; "": there is one.
func noneOf(record C.portable__record_in) string {
	if record == nil {
		return "NULL"
	}
	if uintptr(record.struct_size) != unsafe.Sizeof(*record) || record.fields < 0 || record.fields > arrays.MaxFields {
		return noRecord
	}
	return ""
}

// recordOf decodes a record with the names of its fields; nil, and why, for what is none.
func recordOf(record C.portable__record_in) (r *arrays.Record, none string) {
	if none = noneOf(record); none != "" {
		return nil, none
	}
	n := int(record.fields)
	r = &arrays.Record{Fields: make([]arrays.Field, n, arrays.MaxFields), Names: make([]string, n, arrays.MaxFields), Bytes: uint64(record.bytes), Fixed: record.fixed != 0}
	for k := range n {
		r.Fields[k], r.Names[k] = fieldOf(record, k), nameOf(&record.field[k])
	}
	return r, ""
}

func nameOf(f *C.portable_record_field) string {
	name := unsafe.Slice((*byte)(unsafe.Pointer(&f.name[0])), len(f.name))
	for n, c := range name {
		if c == 0 {
			return string(name[:n])
		}
	}
	return string(name)
}

func fieldOf(record C.portable__record_in, k int) arrays.Field {
	f := &record.field[k]
	return arrays.Field{Bytes: uint64(f.bytes), Offset: uint64(f.offset), Kind: int32(f.kind), Count: int32(f.count)}
}

//export portable__go_record_add
func portable__go_record_add(record *C.portable_record, name C.portable__text, kind C.int32_t, valueBytes C.uint64_t, count C.int32_t, offset C.int64_t) (st C.portable_status) {
	defer guard(&st)
	if record == nil {
		return status(arrays.Missing("record"))
	}
	r, _ := recordOf(record)
	if r == nil {
		return fail(C.PORTABLE_ERR_ARG, "record is no record: begin with portable_record_begin")
	}
	text := ""
	if name != nil {
		text = ended(name)
	}
	err := r.Sound()
	if err == nil {
		err = r.Add(text, int32(kind), uint64(valueBytes), int32(count), int64(offset))
	}
	if err != nil {
		return status(err)
	}
	k := len(r.Fields) - 1
	f := C.portable_record_field{kind: kind, count: count, bytes: C.uint64_t(r.Fields[k].Bytes), offset: C.uint64_t(r.Fields[k].Offset)}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&f.name[0])), arrays.MaxName), r.Names[k])
	record.field[k] = f
	record.fields, record.bytes = C.int32_t(k+1), C.uint64_t(r.Bytes)
	return C.PORTABLE_OK
}

//export portable__go_records_make
func portable__go_records_make(m *C.struct_portable__array_making, to *C.portable_records) (st C.portable_status) {
	defer guard(&st)
	kept := plans.Get().(*planning)
	defer plans.Put(kept)
	plan := &kept.records
	*plan = arrays.RecordsMaking{Making: makingOf(m), Layout: arrays.RecordLayout(m.layout), Width: int64(m.width)}
	if plan.NoneOf = noneOf(m.record); plan.NoneOf == "" {
		n := int(m.record.fields)
		for k := range n {
			kept.fields[k] = fieldOf(m.record, k)
		}
		kept.record = arrays.Record{Fields: kept.fields[:n], Bytes: uint64(m.record.bytes)}
		plan.Record = &kept.record
		if n == 0 {
			plan.Record, plan.NoneOf = nil, noRecord
		}
	}
	var p arrays.Placing
	var err error
	switch m.what {
	case C.PORTABLE__MAKE_CREATE:
		p, err = plan.Create(machine{})
	case C.PORTABLE__MAKE_WRAP:
		p, err = plan.Wrap()
	default:
		p, err = plan.Place()
	}
	if err != nil {
		return status(err)
	}
	m.bytes, m.pool = C.uint64_t(p.Bytes), C.portable_pool(plan.Pool)
	to.record, to.layout, to.space = *m.record, m.layout, C.int32_t(plan.Space)
	to.rank, to.order = C.int32_t(p.Rank), C.int32_t(p.Order)
	*elements(&to.lower[0]), *elements(&to.extent[0]), *elements(&to.stride[0]) = p.Lower, p.Extent, p.Stride
	*(*arrays.Dims)(unsafe.Pointer(&to.fastest[0])) = p.Fastest
	to.width, to.block_bytes, to.mask, to.shift = C.int64_t(p.Width), C.int64_t(p.Block), C.int64_t(p.Mask), C.int32_t(p.Shift)
	for k := range plan.Record.Fields {
		to.place[k] = C.portable_records_place{at: C.int64_t(p.Places[k].At), lane: C.int64_t(p.Places[k].Lane), component: C.int64_t(p.Places[k].Component)}
	}
	return C.PORTABLE_OK
}

// placingOf decodes records, whose rank C has checked.
func placingOf(from C.portable__records_in) (p arrays.Placing) {
	p = arrays.Placing{Width: int64(from.width), Block: int64(from.block_bytes), Mask: int64(from.mask), Shift: int(from.shift)}
	p.Rank, p.Order = int(from.rank), arrays.Order(from.order)
	copy(p.Lower[:p.Rank], elements(&from.lower[0])[:])
	copy(p.Extent[:p.Rank], elements(&from.extent[0])[:])
	copy(p.Stride[:p.Rank], elements(&from.stride[0])[:])
	p.Fastest = *(*arrays.Dims)(unsafe.Pointer(&from.fastest[0]))
	return p
}

//export portable__go_records_field
func portable__go_records_field(from C.portable__records_in, field, component, lanes C.int32_t, array *C.portable_array) (st C.portable_status) {
	defer guard(&st)
	p := placingOf(from)
	if err := p.Sound(); err != nil {
		return status(err)
	}
	layout := arrays.RecordLayout(from.layout)
	var f arrays.Field
	var place arrays.FieldPlace
	known := field >= 0 && field < from.record.fields && field < arrays.MaxFields
	if known {
		f = fieldOf(&from.record, int(field))
		place = arrays.FieldPlace{At: int64(from.place[field].at), Lane: int64(from.place[field].lane), Component: int64(from.place[field].component)}
	}
	if err := arrays.FieldAsked(f, int32(field), int32(from.record.fields), known, int32(component), lanes != 0, layout); err != nil {
		return status(err)
	}
	get := p.Field
	if lanes != 0 {
		get = p.Lanes
	}
	s, at, err := get(f, place, int32(component))
	if err != nil {
		return status(err)
	}
	setShape(array, &s)
	array.kind, array.element_bytes = C.int32_t(f.Kind), C.uint64_t(f.Bytes)
	array.data = unsafe.Add(from.data, at)
	return C.PORTABLE_OK
}

//export portable__go_records_alike
func portable__go_records_alike(from, to C.portable__records_in) (st C.portable_status) {
	defer guard(&st)
	a, _ := recordOf(&from.record)
	b, _ := recordOf(&to.record)
	if a == nil || b == nil {
		return fail(C.PORTABLE_ERR_ARG, "the record is damaged")
	}
	err := arrays.Alike(a, b)
	if err == nil {
		p, q := placingOf(from), placingOf(to)
		err = arrays.SameRecords(&p.Shape, &q.Shape)
	}
	return refusedFor(err)
}
