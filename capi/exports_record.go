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

// recordsOf decodes what C has checked: at most arrays.MaxFields fields.
func recordsOf(record C.portable__record_in, fields *[arrays.MaxFields]arrays.Field, layout C.int32_t, width C.int64_t) arrays.Records {
	n := int(record.fields)
	for k := range n {
		fields[k] = fieldOf(record, k)
	}
	return arrays.Records{Fields: fields[:n], Bytes: uint64(record.bytes), Layout: arrays.RecordLayout(layout), Width: int64(width)}
}

func fieldOf(record C.portable__record_in, k int) arrays.Field {
	f := &record.field[k]
	return arrays.Field{Bytes: uint64(f.bytes), Offset: uint64(f.offset), Count: int32(f.count)}
}

//export portable__go_records_layout
func portable__go_records_layout(to *C.portable_records, rank C.int32_t, extents, lower C.portable__indices, fastest C.portable__dims, width C.int64_t, bytes *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	var fields [arrays.MaxFields]arrays.Field
	rs := recordsOf(&to.record, &fields, to.layout, width)
	r := arrays.Request{Rank: int(rank), Order: arrays.Order(to.order), Fastest: dims(fastest), Extent: indices(extents), Lower: indices(lower)}
	p, err := rs.Place(&r)
	if err != nil {
		return status(err)
	}
	to.rank, to.order = C.int32_t(p.Rank), C.int32_t(p.Order)
	*elements(&to.lower[0]), *elements(&to.extent[0]), *elements(&to.stride[0]) = p.Lower, p.Extent, p.Stride
	*(*arrays.Dims)(unsafe.Pointer(&to.fastest[0])) = p.Fastest
	to.width, to.block_bytes, to.mask, to.shift = C.int64_t(p.Width), C.int64_t(p.Block), C.int64_t(p.Mask), C.int32_t(p.Shift)
	for k := range rs.Fields {
		to.place[k] = C.portable_records_place{at: C.int64_t(p.Places[k].At), lane: C.int64_t(p.Places[k].Lane), component: C.int64_t(p.Places[k].Component)}
	}
	*bytes = C.uint64_t(p.Bytes)
	return C.PORTABLE_OK
}

//export portable__go_records_field
func portable__go_records_field(from C.portable__records_in, field, component, lanes C.int32_t, array *C.portable_array) (st C.portable_status) {
	defer guard(&st)
	p := arrays.Placing{Width: int64(from.width), Block: int64(from.block_bytes), Mask: int64(from.mask), Shift: int(from.shift)}
	p.Rank, p.Order = int(from.rank), arrays.Order(from.order)
	copy(p.Lower[:p.Rank], elements(&from.lower[0])[:])
	copy(p.Extent[:p.Rank], elements(&from.extent[0])[:])
	copy(p.Stride[:p.Rank], elements(&from.stride[0])[:])
	p.Fastest = *(*arrays.Dims)(unsafe.Pointer(&from.fastest[0]))
	if st = status(p.Sound()); st != C.PORTABLE_OK {
		return st
	}
	place := arrays.FieldPlace{At: int64(from.place[field].at), Lane: int64(from.place[field].lane), Component: int64(from.place[field].component)}
	get := p.Field
	if lanes != 0 {
		get = p.Lanes
	}
	s, at, err := get(fieldOf(&from.record, int(field)), place, int32(component))
	if err != nil {
		return status(err)
	}
	setShape(array, &s)
	array.data = unsafe.Add(from.data, at)
	return C.PORTABLE_OK
}
