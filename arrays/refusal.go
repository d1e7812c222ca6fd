package arrays

// This file writes the refusals of calls that use arrays. C (owner/array.c) tests with one
// predicate and asks here only after a failure.

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
)

// Kinds of failure of handles and owners, for errors.Is.
var (
	ErrHandle = errors.New("the owner was released")
	ErrState  = errors.New("the memory or the marks do not allow it")
)

// Missing refuses a call that was given NULL for an argument.
func Missing(argument string) error { return wrong("%s is NULL", argument) }

// Unfit refuses a handle or an argument by its number in questions.h.
func Unfit(why int32, number uint64) error {
	switch why {
	case 0:
		return &fault{ErrHandle, "0x" + strconv.FormatUint(number, 16) + " is a stale handle: the last holder has released this array already"}
	case 1:
		return &fault{ErrState, "the memory was released by portable_array_deallocate already; a holder that is left releases"}
	case 2:
		return wrong("array_out is the array itself")
	case 3:
		return &fault{ErrHandle, "0x" + strconv.FormatUint(number, 16) + " is not a twin, or the twin was released by all"}
	case 4:
		return wrong("the array is a side of a twin already, or a part of one")
	case 5:
		return wrong("state_out has another struct_size than portable_twin_state")
	}
	return wrong("a record of %d bytes; it has at most %d", number, math.MaxInt32)
}

// StructSize checks struct_size of a structure that the program fills in; init is the macro that initialises it.
func StructSize(what string, size, most uint32, init string) error {
	if size < 4 || size > most {
		return wrong("%s.struct_size is %d; begin with %s", what, size, init)
	}
	return nil
}

// Owner is the state of an owner that C found; the numbers are those of owner/array.h.
type Owner int32

// The states. Memory without owner is Held, too.
const (
	Held        Owner = iota
	Released          // by the last holder
	Deallocated       // by a holder, while others were left
	Stopped           // with an earlier run of the library
)

// Descriptor is the array argument of a call.
type Descriptor struct {
	Records    bool // not an array, but records
	None       bool // NULL
	Size, Most uint32
	Rank       int32
	Owner      Owner
}

// Live refuses an array that cannot be used; nil: allowed.
func (d *Descriptor) Live() error {
	switch {
	case d.Records && d.None:
		return Missing("records")
	case d.Records && d.Size == 0:
		return wrong("these are no records: they were never made, or were released")
	case d.Records && d.Size != d.Most:
		return wrong("this is no portable_records: its struct_size is %d, not %d", d.Size, d.Most)
	case d.None:
		return wrong("the array is NULL")
	case d.Size == 0:
		return wrong("this is no array: it was never made, or was released; portable_array_create makes one")
	case d.Size != d.Most || d.Rank < 0 || d.Rank > MaxRank:
		return wrong("this is no portable_array: its struct_size is %d, not %d, or its rank is none; descriptors are made by the functions of portable_array.h",
			d.Size, d.Most)
	}
	switch d.Owner {
	case Released:
		return &fault{ErrHandle, "the last holder has released this array; who keeps a copy of a descriptor retains it"}
	case Deallocated:
		return &fault{ErrState, "the memory of this array was released by portable_array_deallocate, while this holder still had it"}
	case Stopped:
		return &fault{ErrState, "the library was stopped since this array was made, and its memory was released"}
	}
	return nil
}

// firstDevice is the space of the first device; the lower ones are of the host.
const firstDevice = 3

// NotReached refuses memory that the code of a call does not reach: a launch on the device of that name, or ("") the host.
func NotReached(space int32, device string) error {
	if device != "" {
		return wrong("the array is in memory of the device 'emulated', which the device '%s' does not reach; launch it on 'emulated'", device)
	}
	return wrong("the array is in memory of device %d, which the host does not reach; make a host copy where the device is, and use that", space-firstDevice)
}

// NotReachedBy refuses the address of an array for a kernel of a device.
func NotReachedBy(space, asked int32) error {
	where := "the host"
	if space >= firstDevice {
		where = "another device"
	}
	return wrong("the array is in memory of %s, and is asked for by a kernel of device %d; make a device copy", where, asked-firstDevice)
}

// real32 and real64 convert to one another.
const (
	real32 = 5
	real64 = 6
)

// ErrShared refuses a copy between arrays that share memory but not the same elements.
var ErrShared = wrong("the two share memory, but an element of the one lies on another element of the other; copy through a third array")

// Copied refuses a copy between kinds; nil: allowed.
func Copied(from, to int32, fromBytes, toBytes uint64) error {
	if from == to && fromBytes == toBytes || from == real32 && to == real64 || from == real64 && to == real32 {
		return nil
	}
	return wrong("the elements are of the kind %s (%d bytes) and %s (%d bytes); both have the same, or one real32 and the other real64",
		KindName(from), fromBytes, KindName(to), toBytes)
}

// Pointed refuses a Fortran pointer of another kind or rank than its array.
func Pointed(kind, rank, pointerKind, pointerRank int32) error {
	remedy := ""
	if pointerRank == 0 && rank > 0 { // gfortran 12
		remedy = "; a pointer that is a component of a structure needs '=> null()' in its declaration, else it has no rank before it points to something"
	}
	return wrong("the array has elements of the kind %s and rank %d, the pointer %s and rank %d%s", KindName(kind), rank, KindName(pointerKind), pointerRank, remedy)
}

// LoopRank is the largest rank of a view for kernels.
const LoopRank = 8

// View is an array for the argument block of a kernel; see portable_device_view.h.
type View struct {
	None       bool // view_out is NULL
	Rank       int32
	Bytes      uint64 // of view_out
	Head, Each uint64 // bytes of a view of rank 0, and of a dimension
	Of         int32  // rank of the array
	Array      bool   // of an array; else of memory:
	Order      Order
	Extent     *Indices
}

// Refusal refuses the view; nil: allowed.
func (v *View) Refusal() error {
	switch {
	case v.None:
		return Missing("view_out")
	case v.Rank < 0 || v.Rank > LoopRank:
		return wrong("a view has 0 to %d dimensions, not %d", LoopRank, v.Rank)
	case v.Bytes != v.Head+uint64(v.Rank)*v.Each && v.Bytes != v.Head+LoopRank*v.Each:
		return wrong("a view of rank %d has %d bytes (portable_view_%d), not %d", v.Rank, v.Head+uint64(v.Rank)*v.Each, v.Rank, v.Bytes)
	case v.Array && v.Rank != v.Of:
		return wrong("the array has rank %d, and a view of rank %d is asked for", v.Of, v.Rank)
	case v.Array:
		return nil
	case v.Order != C && v.Order != Fortran:
		return wrong("the order is %d; there are PORTABLE_ORDER_C and PORTABLE_ORDER_FORTRAN", v.Order)
	case v.Rank > 0 && v.Extent == nil:
		return Missing("extents")
	}
	count := uint64(1)
	for k := range v.Rank {
		d := k
		if v.Order == C {
			d = v.Rank - 1 - k
		}
		n := v.Extent[d]
		if n < 0 {
			return wrong("the extent of dimension %d is %d; it is 0 or more", d+1, n)
		}
		over, product := bits.Mul64(count, uint64(max(n, 1)))
		if over > 0 || int64(product) < 0 {
			return overflow("there are more elements than a 64-bit integer counts")
		}
		count = product
	}
	return nil
}
