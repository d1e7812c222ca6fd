package gator

// Block is what is known of one block.
type Block struct {
	Addr    uintptr
	Bytes   uint64 // as asked for
	Label   string
	Waiting bool // freed, but kept until its events are done
}

// Allocator is the face of everything that hands out labelled blocks: Pool, and Direct, which has no
// slabs.
type Allocator interface {
	// Name is for messages.
	Name() string
	// Allocate gives the address of `bytes` bytes, a multiple of 64; 0 bytes have an address too.
	// The label is copied. Errors: ErrMemory, ErrClosed.
	Allocate(bytes uint64, label string) (uintptr, error)
	// Free takes a block back, or keeps it until the events that it depends on are done.
	// Errors: ErrPointer, ErrClosed.
	Free(addr uintptr) error
	// Depend delays the release of a live block until `on` is done. A block may depend on any number of
	// events. Errors: ErrPointer, ErrClosed.
	Depend(addr uintptr, on Event) error
	// Uses is Depend for the live block that holds addr, anywhere inside it. It says whether there is one.
	Uses(addr uintptr, on Event) bool
	// Each visits live and waiting blocks, slab by slab in order of address, until visit says false. It keeps no list: a program may
	// have more blocks than Go has memory for. visit runs under the allocator's lock and must not call the allocator.
	Each(visit func(Block) bool)
	// Find gives the block that holds addr, anywhere inside it. Errors: ErrPointer, ErrClosed.
	Find(addr uintptr) (Block, error)
	// Starts says whether addr is the first byte of a live block.
	Starts(addr uintptr) bool
	Stats() Stats
	// Trim gives empty grown slabs back and says how many bytes that was.
	Trim() (uint64, error)
	// Check walks every invariant. Errors: ErrCorrupt.
	Check() error
	// Settle waits for the events that a live block depends on, without a lock.
	Settle(addr uintptr)
	// Await waits for all events that blocks depend on, without a lock.
	Await()
	// Pending says whether Await would have to wait.
	Pending() bool
	// Close does too, and gives everything back, live blocks included.
	Close() error
}

// Stats are the numbers of one allocator at one moment; sizes in bytes.
type Stats struct {
	Slabs       uint64
	InUse       uint64 // asked for by live blocks
	Blocks      uint64 // live blocks
	Occupied    uint64 // granules of live and waiting blocks
	HighWater   uint64 // largest Occupied ever, with what a front kept parked at that time
	Reserved    uint64 // all slabs
	Limit       uint64 // 0: none
	Free        uint64 // granules in gaps
	LargestGap  uint64
	Waiting     uint64 // asked for by waiting blocks
	WaitBlocks  uint64
	Allocations uint64
	Frees       uint64
}

// Fragmentation is the part of the free memory that the largest gap does not cover: 0 when all free
// memory is one gap, or none is free.
func (s Stats) Fragmentation() float64 {
	if s.Free == 0 {
		return 0
	}
	return 1 - float64(s.LargestGap)/float64(s.Free)
}
