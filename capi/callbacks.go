package capi

// This file makes a source of slabs from two functions of the user (portable_slab_alloc,
// portable_slab_free). Lock: callbacks.mu.

/*
#include "../internal/edge/base.h"
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"libportable/internal/backend"
)

// callbacks is a source that calls two functions of the user.
type callbacks struct {
	name    string
	alloc   C.portable_slab_alloc
	free    C.portable_slab_free
	payload unsafe.Pointer // of the user; never read

	mu    sync.Mutex // guards the fields below
	pad   uint64     // additional bytes, after the function gave unaligned memory
	given map[uintptr]piece
}

// piece is the memory that the function gave for an aligned address.
type piece struct {
	slab  unsafe.Pointer
	bytes uint64
}

var _ backend.Source = (*callbacks)(nil)

func (c *callbacks) Name() string { return c.name }

// Reserve asks for exactly the bytes, and for more after the function gave unaligned memory.
func (c *callbacks) Reserve(bytes uint64) (uintptr, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		room := bytes + c.pad
		var slab unsafe.Pointer
		if room >= bytes {
			slab = C.portable__call_slab_alloc(c.alloc, C.size_t(room), c.payload)
		}
		if slab == nil {
			return 0, fmt.Errorf("%w: the alloc function of %s has no %d bytes", backend.ErrRefused, c.name, room)
		}
		if err := c.overlap(uintptr(slab), room); err != nil {
			return 0, err
		}
		addr := (uintptr(slab) + backend.Alignment - 1) &^ (backend.Alignment - 1)
		if addr == uintptr(slab) || c.pad > 0 {
			c.given[addr] = piece{slab, room}
			return addr, nil
		}
		C.portable__call_slab_free(c.free, slab, C.size_t(room), c.payload)
		c.pad = backend.Alignment
	}
}

// overlap refuses a slab that shares memory with another one: two blocks in one place would be found much later, by
// wrong results. It is not released, because the function would take memory that the other slab still needs.
func (c *callbacks) overlap(slab uintptr, bytes uint64) error {
	for _, p := range c.given {
		if first := uintptr(p.slab); slab < first+uintptr(p.bytes) && first < slab+uintptr(bytes) {
			return fmt.Errorf("the alloc function of %s gave %d bytes at %#x, which overlap the slab of %d bytes that it gave at %#x; give each piece of memory once",
				c.name, bytes, slab, p.bytes, first)
		}
	}
	return nil
}

func (c *callbacks) Release(addr uintptr, _ uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.given[addr]
	delete(c.given, addr)
	C.portable__call_slab_free(c.free, p.slab, C.size_t(p.bytes), c.payload)
	return nil
}
