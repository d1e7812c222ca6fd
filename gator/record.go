package gator

import "sync/atomic"

// A record is two words for each granule of a slab, apart from the slab itself, which may lie where the
// host cannot read. C sees the same words (gator/front/records.h, which is compared when capi is compiled).
//
//	word 0, the state:  bits 0-2 the kind, bit 3 "depends", bits 8-63 the bytes asked for
//	word 1, the span:   bits 0-31 length in granules, bits 32-63 the label
//
// Only the first granule of a block or gap has a record that is not zero, and the last one of a gap,
// which says where the gap begins, so that a freed block finds the gap on its left in one step.
//
// Changes without the pool's lock, by compare-and-swap: live to parked and back, by a front; live to
// none of these by the thread that frees. The span of a block is written before its state says live. All other
// changes are made under the lock to records without an owner; see storeNobody.
const (
	kindNone   = 0 // inside a block or gap
	kindGap    = 1 // first granule of a gap
	kindGapEnd = 2 // last granule of a gap of two or more
	kindLive   = 3 // a block of a user
	kindParked = 4 // a block that a front keeps
	kindWait   = 5 // a block whose release waits for events
	kindMask   = 7

	// flagDepends marks a live block with dependencies: a front must leave its release to the pool.
	flagDepends = 8

	bytesShift = 8
)

type state uint64

func liveState(bytes uint64) state { return state(bytes<<bytesShift | kindLive) }

func (s state) kind() uint64      { return uint64(s) & kindMask }
func (s state) bytes() uint64     { return uint64(s) >> bytesShift }
func (s state) isBlock() bool     { return s.kind() >= kindLive }
func (s state) as(k uint64) state { return s&^(kindMask|flagDepends) | state(k) }

// records is the table of one slab: two words a granule.
type records []uint64

func (r records) state(u uint32) state { return state(atomic.LoadUint64(&r[2*uint64(u)])) }

func (r records) setState(u uint32, s state) { atomic.StoreUint64(&r[2*uint64(u)], uint64(s)) }

// swap changes a state that others may change at the same time.
func (r records) swap(u uint32, from, to state) bool {
	return atomic.CompareAndSwapUint64(&r[2*uint64(u)], uint64(from), uint64(to))
}

func (r records) span(u uint32) (length uint32, label labelID) {
	w := atomic.LoadUint64(&r[2*uint64(u)+1])
	return uint32(w), labelID(w >> 32)
}

func (r records) length(u uint32) uint32 { n, _ := r.span(u); return n }

// setSpan is for a block without owner.
func (r records) setSpan(u, length uint32, label labelID) {
	r[2*uint64(u)+1] = uint64(length) | uint64(label)<<32
}

// setGap writes the two ends of a gap.
func (r records) setGap(u, length uint32) {
	r.put(u, kindGap, length)
	if length > 1 {
		r.put(u+length-1, kindGapEnd, length)
	}
}

// clear wipes the record of what is neither block nor gap any more.
func (r records) clear(u uint32) { r.put(u, kindNone, 0) }

// put writes the record of a block without owner.
func (r records) put(u uint32, kind state, length uint32) {
	two := r[2*uint64(u) : 2*uint64(u)+2]
	storeNobody(&two[0], uint64(kind))
	two[1] = uint64(length)
}
