package gator

import (
	"errors"
	"fmt"
	"math/bits"

	"libportable/internal/backend"
)

// Sizes in bytes. DefaultBlock is YAKL v1's granule: two cache lines, what adjacent-line prefetchers move.
const (
	DefaultInitial = 64 << 20
	DefaultBlock   = 128
	MinBlock       = backend.Alignment
	MaxBlock       = 1 << 30
)

// maxBytes is the largest request that a record can note.
const maxBytes = 1<<56 - 1

// Config says how a pool is made. The zero value of each field but Source means its default.
type Config struct {
	Name    string         // for messages; "pool"
	Source  backend.Source // where slabs come from
	Tables  backend.Tables // bookkeeping memory; the Go heap
	Initial uint64         // bytes of the first slab, made at once, in whole granules; 0: none before the first request
	Grow    uint64         // bytes of each further slab, in whole granules; 0: the size of the first, then twice as much each time
	Block   uint64         // granule in bytes, a power of two; DefaultBlock
	Limit   uint64         // bytes of all slabs together; 0: none
	Front   Front          // what caches freed blocks in front of the allocator; NoFront
	Knobs   Knobs          // what messages tell the user to turn
}

// Knobs names the settings of a pool as its user knows them.
type Knobs struct {
	Limit string // "PORTABLE_LIMIT_MB"
	Block string // "GATOR_BLOCK_BYTES"
}

// normal fills in defaults and refuses what cannot work.
func (c Config) normal() (Config, error) {
	if c.Name == "" {
		c.Name = "pool"
	}
	if c.Source == nil {
		return c, fmt.Errorf("%w: pool %q has no source of memory", ErrArgument, c.Name)
	}
	if c.Block == 0 {
		c.Block = DefaultBlock
	}
	if c.Block < MinBlock || c.Block > MaxBlock || bits.OnesCount64(c.Block) != 1 {
		return c, fmt.Errorf("%w: a block size of %d bytes; it is a power of two from %d to %d",
			ErrArgument, c.Block, uint64(MinBlock), uint64(MaxBlock))
	}
	if c.Knobs.Limit == "" {
		c.Knobs.Limit = "limit_bytes"
	}
	if c.Knobs.Block == "" {
		c.Knobs.Block = "block_bytes"
	}
	if c.Limit > 0 && c.Block > c.Limit {
		return c, fmt.Errorf("%w: the granule (%d bytes, %s) is larger than the limit (%d bytes, %s), so no block could ever be had; lower the one or raise the other",
			ErrArgument, c.Block, c.Knobs.Block, c.Limit, c.Knobs.Limit)
	}
	if c.Limit > 0 && c.Initial > c.Limit {
		return c, fmt.Errorf("%w: the first slab (%d bytes) is larger than the limit (%d bytes)", ErrArgument, c.Initial, c.Limit)
	}
	c.Initial, c.Grow = c.granules(c.Initial), c.granules(c.Grow)
	if c.Tables == nil {
		c.Tables = goTables{}
	}
	if c.Front == nil {
		c.Front = NoFront{}
	}
	return c, nil
}

// granules makes a size one of whole granules, so that the numbers of a pool add up: rounded down, but at least
// one. 0 stays, because it means something else.
func (c Config) granules(bytes uint64) uint64 {
	if bytes == 0 {
		return 0
	}
	return max(bytes&^(c.Block-1), c.Block)
}

// The kinds of failure. Every error of this package wraps one of them, or what its source says when it does
// not take memory back.
var (
	ErrArgument = errors.New("gator: bad argument")
	ErrMemory   = errors.New("gator: out of memory")
	ErrPointer  = errors.New("gator: not a live block")
	ErrCorrupt  = errors.New("gator: broken invariant")
	ErrClosed   = errors.New("gator: the pool is closed")
)

// errAbsurd is the cause when a size can only be a mistake.
var errAbsurd = errors.New("no machine has so much memory; look at how the size was computed")

// PointerError says why an address cannot be freed.
type PointerError struct {
	Pool string
	Addr uintptr
	Why  string // what was found there, and what to do
}

func (e *PointerError) Error() string {
	return fmt.Sprintf("gator: %#x is not a live block of %s: %s", e.Addr, e.Pool, e.Why)
}

// IsFreed says whether an error is that of an address in a slab, but in no live block.
func IsFreed(err error) bool {
	var e *PointerError
	return errors.As(err, &e) && e.Why == whyFreed
}

// Unwrap makes it an ErrPointer.
func (e *PointerError) Unwrap() error { return ErrPointer }

const (
	whyForeign = "no slab of it holds this address; free memory with the library that gave it"
	whyUnknown = "it was freed already, or another library gave it" // where no records of freed blocks are kept
	whyFreed   = "the block that was here has been freed already; look for a second deallocate, or a pointer kept across one"
)

func whyInside(offset uint64, b Block) string {
	return fmt.Sprintf("it is %d bytes inside a block of %d bytes%s; pass the address that the allocation gave",
		offset, b.Bytes, labelled(b.Label))
}

func labelled(label string) string {
	if label == "" {
		return ""
	}
	return fmt.Sprintf(" labelled %q", label)
}
