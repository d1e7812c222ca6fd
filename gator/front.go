package gator

// The parts of a record that a front written in another language must know (record.go says what they
// mean); such a front compares them with its own when it is compiled.
const (
	FrontLive    = kindLive
	FrontParked  = kindParked
	FrontKinds   = kindMask
	FrontDepends = flagDepends
	FrontShift   = bytesShift
)

// Front is a cache of freed blocks between the users and a pool, such as the per-thread magazines in C. It
// turns live blocks into parked ones and back by itself, and may be stopped.
//
// The pool calls it with its own lock held; no method may call the pool.
type Front interface {
	// Publish tells of a new slab whose blocks may be parked; Withdraw takes that back. records are the
	// slab's records, shared, in granules of 1<<shift bytes.
	Publish(base uintptr, bytes uint64, shift uint, records []uint64)
	Withdraw(base uintptr, bytes uint64)
	Parking
}

// Parking is what every cache of freed blocks does for the allocator behind it.
type Parking interface {
	// Stop returns when no thread is inside the front; until Start all operations come to the allocator.
	Stop()
	Start()
	// Drain hands over every parked block. The front is stopped.
	Drain(take func(addr uintptr))
	// Counts is what the front itself did since the program began: the change of the bytes and blocks in
	// use, and the numbers of allocations and frees that the allocator did not see.
	Counts() Counts
}

// Counts are running sums; bytes and blocks may be negative.
type Counts struct{ Bytes, Blocks, Allocations, Frees int64 }

func (c Counts) minus(o Counts) Counts {
	return Counts{c.Bytes - o.Bytes, c.Blocks - o.Blocks, c.Allocations - o.Allocations, c.Frees - o.Frees}
}

func (c Counts) plus(o Counts) Counts {
	return Counts{c.Bytes + o.Bytes, c.Blocks + o.Blocks, c.Allocations + o.Allocations, c.Frees + o.Frees}
}

// noFront stands where nothing caches.
type noFront struct{}

func (noFront) Publish(uintptr, uint64, uint, []uint64) {}
func (noFront) Withdraw(uintptr, uint64)                {}
func (noFront) Stop()                                   {}
func (noFront) Start()                                  {}
func (noFront) Drain(func(uintptr))                     {}
func (noFront) Counts() Counts                          { return Counts{} }

// BlockFront is a cache of freed blocks between the users and a Direct, which parks whole blocks and gives them, as they are, to a later request of the same
// bytes and label. So what the register says of a block stays true whoever has it.
//
// Direct calls it with its own lock held; no method may call Direct.
type BlockFront interface {
	Parking
	// Publish tells of a live block that may be parked once it is freed. Withdraw takes that back, and says whether the block is live: one that
	// is parked stays what it is. Parked says that alone.
	Publish(addr uintptr)
	Withdraw(addr uintptr) (live bool)
	Parked(addr uintptr) bool
	// Full says that a block was not parked for lack of room since the last Drain.
	Full() bool
	// Most is the greatest Counts().Bytes since it was asked last: the high water of what the Direct does not see.
	Most() int64
}

// noBlocks stands where nothing caches.
type noBlocks struct{ noFront }

func (noBlocks) Publish(uintptr)       {}
func (noBlocks) Withdraw(uintptr) bool { return true }
func (noBlocks) Parked(uintptr) bool   { return false }
func (noBlocks) Full() bool            { return false }
func (noBlocks) Most() int64           { return 0 }
