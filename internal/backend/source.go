package backend

import "errors"

// Alignment is the least alignment, in bytes, of every slab: one cache line, and the widest vector
// register in use.
const Alignment = 64

// ErrNoDevice says that the device asked for is not on this machine.
var ErrNoDevice = errors.New("backend: no such device")

// ErrRefused says that a source has no memory of the size asked for, or did not take a slab back. Sources wrap it with
// the reason.
var ErrRefused = errors.New("backend: the source refused the memory")

// ErrDevice says that the driver of a source's device refused for a reason that is not memory: the device is busy, forbidden or lost. Less memory would be
// refused as well. Sources wrap it with the driver's reason, and what to do.
var ErrDevice = errors.New("backend: the device refused")

// Source gives and takes back slabs: large pieces of memory of one kind (host, pinned, device k).
//
// Pre: bytes > 0 in both calls; Release gets exactly the pairs that Reserve gave, each once.
// Post: the address is a multiple of Alignment. The memory is neither touched nor zeroed by the source
// where its kind allows that; its user is the first to touch it.
// Ownership: the caller owns the slab from Reserve to Release. A refused Release leaves it with the
// caller, who may try again.
type Source interface {
	// Name is a short word for messages: "host", "fake", "cuda:0".
	Name() string
	Reserve(bytes uint64) (addr uintptr, err error)
	Release(addr uintptr, bytes uint64) error
}

// Blocks is a Source whose pieces are single blocks of a user's: it wants their sizes as they were asked for, 0 too, and aligns them as
// it likes.
type Blocks interface {
	Source
	OfBlocks()
}

// Holder is a Source that holds memory of its own, and can say that a request would make it take more: ReserveHeld gives what Reserve would, or
// false.
type Holder interface {
	Source
	ReserveHeld(bytes uint64) (addr uintptr, ok bool)
}

// Tables gives zeroed memory for bookkeeping, which is committed page by page as it is touched.
// It is apart from Source because a slab may lie where the host can not read.
type Tables interface {
	// Take gives `words` zero words, or ErrRefused.
	Take(words int) ([]uint64, error)
	// Give takes back a whole slice that Take gave.
	Give(table []uint64)
}
