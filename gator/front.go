package gator

// The parts of a record that a front written in another language must know (record.go defines them); such a
// front compares them with its own when it is compiled.
const (
	FrontLive    = kindLive
	FrontParked  = kindParked
	FrontKinds   = kindMask
	FrontDepends = flagDepends
	FrontShift   = bytesShift
)

// Front is a cache of freed blocks between the users and an allocator. It parks live blocks and makes them live
// again without a call of the allocator. There are three. NoFront parks nothing. The magazines stand before a Pool.
// The third one stands before a Direct: it gives a block again, unchanged, to a request of the same bytes and label,
// so the register of the Direct stays true.
//
// The allocator calls the front with its own lock held; no method may call the allocator.
type Front interface {
	// Publish offers memory to the front: a slab whose blocks it may park, with the records of its granules of
	// 1<<shift bytes, which both sides change by compare-and-swap; or, with nil records, one live block.
	Publish(base uintptr, bytes uint64, shift uint, records []uint64)
	// Withdraw ends the offer. False: it was one block, which is parked now and stays parked.
	Withdraw(base uintptr, bytes uint64) (live bool)
	// Parked says whether a block that was published alone is parked.
	Parked(addr uintptr) bool
	// Stop returns when no thread is inside the front; until Start all operations come to the allocator.
	Stop()
	Start()
	// Drain hands over every parked block, and ends its offer if it was published alone. The front is stopped.
	Drain(take func(addr uintptr))
	// Full says that a block published alone was not parked for lack of capacity since the last Drain.
	Full() bool
	// Counts is what the front itself did since the program began: the change of the bytes and blocks in
	// use, and the numbers of allocations and frees that the allocator did not see.
	Counts() Counts
	// Most is the greatest Counts().Bytes since the last call of Most: the high water that a Direct does not
	// see. (A Pool counts granules; parked ones are among them.)
	Most() int64
}

// NoFront caches nothing. Other fronts embed it for the methods that they do not need.
type NoFront struct{}

var _ Front = NoFront{}

// Publish parks nothing.
func (NoFront) Publish(uintptr, uint64, uint, []uint64) {}

// Withdraw finds each block live.
func (NoFront) Withdraw(uintptr, uint64) (live bool) { return true }

// Parked is always false.
func (NoFront) Parked(uintptr) bool { return false }

// Stop stops nothing.
func (NoFront) Stop() {}

// Start starts nothing.
func (NoFront) Start() {}

// Drain has nothing to hand over.
func (NoFront) Drain(func(uintptr)) {}

// Full is always false.
func (NoFront) Full() bool { return false }

// Counts is zero.
func (NoFront) Counts() Counts { return Counts{} }

// Most is zero.
func (NoFront) Most() int64 { return 0 }

// Counts are running sums; bytes and blocks may be negative.
type Counts struct{ Bytes, Blocks, Allocations, Frees int64 }

func (c Counts) minus(o Counts) Counts {
	return Counts{c.Bytes - o.Bytes, c.Blocks - o.Blocks, c.Allocations - o.Allocations, c.Frees - o.Frees}
}

func (c Counts) plus(o Counts) Counts {
	return Counts{c.Bytes + o.Bytes, c.Blocks + o.Blocks, c.Allocations + o.Allocations, c.Frees + o.Frees}
}
