package gator

import (
	"errors"
	"fmt"
)

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

// PointerError says why an address can not be freed.
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
