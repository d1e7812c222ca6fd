package capi

// This file has the fronts of the default pool: magazines, addresses, parked. They tell gator.Pool
// about blocks that C keeps (gator/front, internal/guard).

/*
// These functions keep no argument and call nothing, so their buffers stay on the stack. Else each spill and each
// count would leave garbage, which a runtime that collects late keeps for long.
#cgo noescape portable__front_drain
#cgo nocallback portable__front_drain
#cgo noescape portable__front_spill
#cgo nocallback portable__front_spill
#cgo noescape portable__front_counts
#cgo nocallback portable__front_counts
#cgo noescape portable__guard_park_drain
#cgo nocallback portable__guard_park_drain
#cgo noescape portable__guard_park_counts
#cgo nocallback portable__guard_park_counts
#include "../gator/front/front.h"
#include "../internal/guard/guard.h"
#include "../internal/observe/tools.h"
*/
import "C"

import (
	"unsafe"

	"libportable/gator"
	"libportable/internal/backend"
)

// A difference between records.h, base.h and the pool is an index out of range, at compile time.
var (
	_ = [1]int{}[C.PORTABLE__KIND_LIVE-gator.FrontLive]
	_ = [1]int{}[C.PORTABLE__KIND_PARKED-gator.FrontParked]
	_ = [1]int{}[C.PORTABLE__KIND_MASK-gator.FrontKinds]
	_ = [1]int{}[C.PORTABLE__FLAG_DEPENDS-gator.FrontDepends]
	_ = [1]int{}[C.PORTABLE__BYTES_SHIFT-gator.FrontShift]
	_ = [1]int{}[C.sizeof_struct_portable__record-16]
	_ = [1]int{}[C.PORTABLE__LABEL_MAX-gator.MaxLabel]
)

// batch is the number of addresses that C gives at a time.
const batch = 512

// hand gives a batch to the allocator behind.
func hand(addrs []C.uintptr_t, take func(addr uintptr)) {
	for _, a := range addrs {
		take(uintptr(a))
	}
}

// counts are the counters of C, in its order.
func counts(c [4]C.int64_t) gator.Counts {
	return gator.Counts{Bytes: int64(c[0]), Blocks: int64(c[1]), Allocations: int64(c[2]), Frees: int64(c[3])}
}

// addresses is the front without fast path: C knows the addresses of the pool, for portable::allocate, and parks
// nothing.
type addresses struct{ gator.NoFront }

var _ gator.Front = addresses{}

func (addresses) Publish(base uintptr, bytes uint64, shift uint, records []uint64) {
	publish(base, bytes, shift, records, 0)
}

// publish gives the records to C: they are mapped memory of internal/backend/host, and the pool withdraws the slab before it frees
// them. A slab without a place in the map is served by Go: slower, not wrong.
func publish(base uintptr, bytes uint64, shift uint, records []uint64, fast C.int32_t) {
	C.portable__slab_publish(C.uintptr_t(base), C.uint64_t(bytes), C.uint32_t(shift), unsafe.Pointer(unsafe.SliceData(records)), fast)
}

func (addresses) Withdraw(base uintptr, bytes uint64) bool {
	C.portable__slab_withdraw(C.uintptr_t(base), C.uint64_t(bytes))
	return true
}

// magazines are the per-thread magazines of gator/front/magazine.c.
type magazines struct{ addresses }

var _ gator.Front = magazines{}

func (magazines) Publish(base uintptr, bytes uint64, shift uint, records []uint64) {
	publish(base, bytes, shift, records, 1)
}

func (magazines) Stop() { C.portable__front_stop() }

func (magazines) Start() { C.portable__front_start() }

func (magazines) Drain(take func(addr uintptr)) {
	var addrs [batch]C.uintptr_t
	for {
		n := C.portable__front_drain(&addrs[0], batch)
		if n == 0 {
			return
		}
		hand(addrs[:n], take)
	}
}

func (magazines) Counts() gator.Counts {
	var c [4]C.int64_t
	C.portable__front_counts(&c[0])
	return counts(c)
}

// spill takes blocks from the calling thread's magazines, or from the shelf.
func spill(shelf, class C.int32_t, take func(addr uintptr)) {
	var addrs [batch]C.uintptr_t
	for n := C.size_t(batch); n == batch; {
		n = C.portable__front_spill(shelf, class, &addrs[0], batch)
		hand(addrs[:n], take)
	}
}

// parked is the front for blocks with canaries that C keeps (internal/guard/guard_parked.c).
type parked struct{}

var _ gator.Front = parked{}

func (parked) Publish(addr uintptr, _ uint64, _ uint, _ []uint64) {
	C.portable__guard_publish(C.uintptr_t(addr))
}

func (parked) Withdraw(addr uintptr, _ uint64) bool {
	return C.portable__guard_withdraw(C.uintptr_t(addr)) != 0
}

func (parked) Parked(addr uintptr) bool { return C.portable__guard_is_parked(C.uintptr_t(addr)) != 0 }
func (parked) Full() bool               { return C.portable__guard_park_full() != 0 }
func (parked) Most() int64              { return int64(C.portable__guard_park_most()) }
func (parked) Stop()                    { C.portable__guard_park_stop(1) }
func (parked) Start()                   { C.portable__guard_park_stop(0) }

func (parked) Drain(take func(addr uintptr)) {
	var addrs [batch]C.uintptr_t
	for {
		n := C.portable__guard_park_drain(&addrs[0], batch)
		if n == 0 {
			return
		}
		hand(addrs[:n], take)
	}
}

func (parked) Counts() gator.Counts {
	var c [4]C.int64_t
	C.portable__guard_park_counts(&c[0])
	return counts(c)
}

// ---- pools under valgrind and AddressSanitizer (internal/observe/tools.c) ----

// watching: a tool observes the memory of the program.
var watching = C.portable__tool_look() != 0

// fastPath is the front of the default pool. Under a tool it parks nothing, so that the tool sees every block.
func fastPath() gator.Front {
	if watching {
		return addresses{}
	}
	return magazines{}
}

// watch reports the slabs of a source to the tool.
func watch(s backend.Source) backend.Source {
	if watching {
		return watched{s}
	}
	return s
}

type watched struct{ backend.Source }

func (w watched) Reserve(bytes uint64) (uintptr, error) {
	addr, err := w.Source.Reserve(bytes)
	if err == nil {
		C.portable__tool_slab(C.uintptr_t(addr), C.uint64_t(bytes))
	}
	return addr, err
}

// Release keeps the memory if the tool must not see its address twice.
func (w watched) Release(addr uintptr, bytes uint64) error {
	if C.portable__tool_slab_ends(C.uintptr_t(addr), C.uint64_t(bytes)) == 0 {
		return nil
	}
	return w.Source.Release(addr, bytes)
}
