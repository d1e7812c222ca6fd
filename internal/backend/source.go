package backend

import "errors"

// Alignment is the least alignment, in bytes, of every slab: one cache line, and the widest vector
// register in use.
const Alignment = 64

// ErrNoDevice says that this machine lacks the device.
var ErrNoDevice = errors.New("backend: no such device")

// ErrRefused says that a source has no memory of that size, or did not take a slab back. Sources wrap it with
// the reason.
// the reason.
var ErrRefused = errors.New("backend: the source refused the memory")

// ErrDevice says that the driver refused for a reason other than memory: the device is busy, forbidden or lost. A
// smaller request would be refused as well. Sources wrap it with the driver's reason and a remedy.
var ErrDevice = errors.New("backend: the device refused")

// Source reserves and releases slabs: large pieces of memory of one kind (host, pinned, device k).
//
// Before: bytes > 0 in both calls; Release gets exactly the pairs of Reserve, each once.
// After: the address is a multiple of Alignment. If its kind allows that, the source neither touches nor zeroes the
// memory; the user is the first to touch it.
// Ownership: the caller owns the slab from Reserve to Release. If Release is refused, the caller still owns it and may
// try again.
type Source interface {
	// Name is a short word for messages: "host", "fake", "cuda:0".
	Name() string
	Reserve(bytes uint64) (addr uintptr, err error)
	Release(addr uintptr, bytes uint64) error
}

// Blocks is a Source whose pieces are single blocks of a user: it gets the requested sizes, 0 too, and chooses the
// alignment.
type Blocks interface {
	Source
	OfBlocks()
}

// Holder is a Source that holds memory of its own. ReserveHeld is Reserve, but returns false if it would have to take
// more memory.
type Holder interface {
	Source
	ReserveHeld(bytes uint64) (addr uintptr, ok bool)
}

// Tables provides zeroed memory for bookkeeping, which is committed page by page as it is touched.
// It is not part of Source because a slab may be in memory that the host cannot read.
type Tables interface {
	// Take returns `words` zero words, or ErrRefused.
	Take(words int) ([]uint64, error)
	// Give takes back a whole slice of Take.
	Give(table []uint64)
}
