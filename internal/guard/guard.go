// Package guard hands out blocks under guard: on pages of their own next to closed pages
// (guard_pages.c), or between canaries (guard_canary.c). Freed blocks wait (guard_parked.c) or stay
// closed. The fault handler (guard_fault.c) decodes the access (guard_decode.c) and reports it. Not
// here: the register and the text of findings (internal/memcheck), the choice of blocks
// (internal/instance). Callers are internal/instance, gator/front, internal/memcheck. In C because
// a signal handler reads its records. Threads: safe; one lock for lists and pages.
package guard

/*
#cgo nocallback portable__guard_is_picked
#cgo noescape portable__guard_give
#cgo nocallback portable__guard_give
#include "guard_room.h"

*/
import "C"

import (
	"libportable/internal/backend"
	_ "libportable/internal/edge" // C, called by C
	_ "libportable/internal/team" // C, called by C
)

// Side is where a block lies in its pages.
type Side int32

// The words of PORTABLE_MEMCHECK's guard=.
const (
	GuardEnd       Side = C.PORTABLE__GUARD_END
	GuardStart     Side = C.PORTABLE__GUARD_START
	GuardAlternate Side = C.PORTABLE__GUARD_ALTERNATE
	GuardBoth      Side = C.PORTABLE__GUARD_BOTH
)

// Guarding is what PORTABLE_MEMCHECK says; sizes in bytes. See portable__guard_options.
type Guarding struct {
	On         bool
	Exact      bool
	Guard      Side
	Precise    bool
	Fill       bool
	Stack, Max int
	Sample     uint64
	Picks      bool // one block of Sample is under guard, and the others have no check; else those have canaries
	Budget     uint64
	Quarantine uint64
}

// Set makes it count for the blocks that are taken from then on. No block is taken meanwhile.
func (g Guarding) Set() {
	C.portable__guard_options = C.struct_portable__guard_options{
		on: number(g.On), exact: number(g.Exact), guard: C.int32_t(g.Guard), precise: number(g.Precise), fill: number(g.Fill),
		stack: C.int32_t(g.Stack), max: C.int32_t(g.Max),
		picks: number(g.Picks), sample: C.uint64_t(g.Sample), budget: C.uint64_t(g.Budget), quarantine: C.uint64_t(g.Quarantine),
	}
}

// Picked says whether the calling thread's allocation is the one of so many that is to be under guard (portable__guard_pick). Only inside a call from C.
func Picked() bool { return C.portable__guard_is_picked() != 0 }

func number(yes bool) C.int32_t {
	if yes {
		return 1
	}
	return 0
}

// Guard hands out single blocks under guard: blocks with pages of their own where they are asked for and available, else blocks of
// Inner with canaries at both ends. It reports what it finds through portable__guard_report (guard.h).
//
// Other than a source of slabs it gives addresses that are aligned as the size is (PORTABLE_MEMCHECK precise=yes), and takes 0 bytes.
type Guard struct {
	Inner   backend.Source // a pool
	Pages   bool           // blocks with pages are wanted
	Huge    bool           // large ones ask the kernel for huge pages
	Foreign bool           // Inner's memory is the program's, and may be of a kind that the processor cannot access: such blocks have no canaries
}

var (
	_ backend.Blocks = Guard{}
	_ backend.Holder = Guard{}
)

// Name is Inner's.
func (g Guard) Name() string { return g.Inner.Name() }

// OfBlocks says that each piece is a block of the user's.
func (Guard) OfBlocks() {}

// Reserve gives a block.
func (g Guard) Reserve(bytes uint64) (uintptr, error) {
	if g.Pages {
		if addr := C.portable__guard_take(C.uint64_t(bytes), number(g.Huge)); addr != 0 {
			return uintptr(addr), nil
		}
	}
	room := roomOf(bytes)
	addr, err := g.Inner.Reserve(room)
	if err != nil {
		return 0, err
	}
	return g.within(addr, room, bytes), nil
}

// ReserveHeld gives a block with canaries of memory that Inner holds.
func (g Guard) ReserveHeld(bytes uint64) (uintptr, bool) {
	inner, holds := g.Inner.(backend.Holder)
	if !holds || g.Pages {
		return 0, false
	}
	room := roomOf(bytes)
	addr, ok := inner.ReserveHeld(room)
	if !ok {
		return 0, false
	}
	return g.within(addr, room, bytes), true
}

// roomOf is the block with its canaries.
func roomOf(bytes uint64) uint64 {
	const canaries = 2 * C.PORTABLE__CANARY_BYTES
	if bytes+canaries < bytes {
		return bytes // more than there is
	}
	return bytes + canaries
}

// within puts canaries around a block.
func (g Guard) within(addr uintptr, room, bytes uint64) uintptr {
	if start := C.portable__guard_canary(C.uintptr_t(addr), C.uint64_t(room), C.uint64_t(bytes), number(g.Foreign)); start != 0 {
		return uintptr(start)
	}
	return addr
}

// Release takes it back, or closes it and keeps it for a while.
func (g Guard) Release(addr uintptr, bytes uint64) error {
	var room C.uintptr_t
	switch C.portable__guard_give(C.uintptr_t(addr), &room) {
	case C.PORTABLE__GUARD_PAGES:
		return nil
	case C.PORTABLE__GUARD_CANARY:
		return g.Inner.Release(uintptr(room), bytes)
	}
	return g.Inner.Release(addr, bytes)
}

// GuardFreed says whether an address is in a block that was under guard and has been freed.
func GuardFreed(addr uintptr) bool {
	r := C.portable__guard_find(C.uintptr_t(addr))
	return r != nil && r.state == C.PORTABLE__GUARD_FREED
}
