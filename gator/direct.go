package gator

import (
	"errors"
	"strings"

	"libportable/internal/backend"
)

// Direct hands out blocks that are each a piece of its source: GATOR_DISABLE=1 asks for it, and checks of memory
// put their guards behind it. It keeps a register (register.go), so that a wrong address is found here, as in a pool,
// and never passed on to the source.
type Direct struct {
	shared
	least uint64 // bytes of the smallest piece

	// The lock of shared guards these fields.
	blocks map[uintptr]piece // the register: live and waiting blocks, and those that the front has parked
	taken  uint64            // bytes of all blocks
}

var (
	_ Allocator = (*Direct)(nil)
	_ placing   = (*Direct)(nil)
)

// NewDirect makes one. It reads these fields of the configuration: Name, Source, Limit, Front, Tables and Knobs.
func NewDirect(c Config) (*Direct, error) {
	c, err := c.normal() // what a pool refuses is refused here too, so that switching the pool off hides no mistake
	if err != nil {
		return nil, err
	}
	d := &Direct{least: 1, blocks: map[uintptr]piece{}}
	if _, exactly := c.Source.(backend.Blocks); exactly {
		d.least = 0
	}
	d.shared = newShared(c, d)
	return d, nil
}

// Allocate gives a block; see Allocator.
func (d *Direct) Allocate(bytes uint64, label string) (uintptr, error) {
	return d.AllocateRoom(bytes, bytes, d.labels.ID(label))
}

// AllocateRoom gives a block of exactly `bytes`; room is for pools.
func (d *Direct) AllocateRoom(bytes, _ uint64, label uint32) (uintptr, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, d.closedError()
	}
	d.sweepLocked()
	d.noteLocked()
	text := d.labels.text(labelID(label))
	addr, err := d.takeLocked(bytes)
	if err != nil {
		before := d.taken
		defer d.quietLocked()()
		if d.taken < before {
			addr, err = d.takeLocked(bytes)
		}
		if err != nil {
			return 0, d.outOfMemoryLocked(bytes, text, err)
		}
	}
	d.blocks[addr] = piece{bytes: bytes, label: labelID(label)}
	d.taken += bytes
	d.allocatedLocked(bytes)
	d.raiseLocked()
	if strings.IndexByte(text, 0) < 0 { // C ends the label there
		d.front.Publish(addr, bytes, 0, nil)
	}
	return addr, nil
}

// takeLocked gets a piece, within the limit.
func (d *Direct) takeLocked(bytes uint64) (uintptr, error) {
	if bytes > maxBytes {
		return 0, errAbsurd
	}
	if l := d.config.Limit; l > 0 && (bytes > l || d.taken > l-bytes) {
		return 0, &limitError{d.config.Knobs.Limit}
	}
	bytes = max(bytes, d.least)
	if h, holds := d.config.Source.(backend.Holder); holds && d.sumLocked().Bytes+d.held.Bytes < int64(d.taken) {
		if addr, ok := h.ReserveHeld(bytes); ok {
			return addr, nil
		}
		d.quietLocked()() // what is parked comes before more memory
	}
	return d.config.Source.Reserve(bytes)
}

// Free takes a block back; see Allocator.
func (d *Direct) Free(addr uintptr) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return d.closedError()
	}
	b, err := d.liveLocked(addr)
	if err != nil {
		return err
	}
	if b.depends && d.wait.free(addr) {
		d.holdLocked(addr, b)
	} else if err := d.releaseLocked(addr, b); err != nil {
		return err
	}
	d.freedLocked(b.bytes)
	if d.front.Full() {
		d.quietLocked()()
	}
	return nil
}

// holdLocked keeps a freed block.
func (d *Direct) holdLocked(addr uintptr, b piece) {
	b.waiting = true
	d.blocks[addr] = b
	d.heldLocked(b.bytes)
}

func (d *Direct) releaseLocked(addr uintptr, b piece) error {
	err := d.config.Source.Release(addr, max(b.bytes, d.least))
	if err == nil {
		delete(d.blocks, addr)
		d.taken -= b.bytes
	}
	return err
}

// liveLocked gives the live block that starts there, which the front does not park any more.
func (d *Direct) liveLocked(addr uintptr) (piece, error) {
	d.sweepLocked()
	d.noteLocked()
	b, ok := d.blocks[addr]
	switch {
	case ok && b.waiting:
		return b, d.pointerError(addr, whyFreed)
	case ok && d.front.Withdraw(addr, b.bytes):
		return b, nil
	case ok:
		d.quietLocked()() // a second free: release the block first, as without a front
	}
	why := whyUnknown
	if at, in, found := d.enclosingLocked(addr); found {
		why = whyInside(uint64(addr-at), d.describe(at, in))
	}
	return b, d.pointerError(addr, why)
}

func (d *Direct) dependLocked(addr uintptr) error {
	b, err := d.liveLocked(addr)
	if err == nil {
		b.depends = true
		d.blocks[addr] = b
	}
	return err
}

func (d *Direct) usesLocked(addr uintptr) (start uintptr, ok bool) {
	b, ok := d.blocks[addr]
	if !ok {
		addr, b, ok = d.enclosingLocked(addr)
	}
	if !ok || b.waiting || !d.front.Withdraw(addr, b.bytes) {
		return 0, false
	}
	b.depends = true
	d.blocks[addr] = b
	return addr, true
}

func (d *Direct) completedLocked(addr uintptr) (bytes uint64, ok bool) {
	b := d.blocks[addr]
	return b.bytes, d.releaseLocked(addr, b) == nil
}

// parkedLocked releases a block. If the source refuses it, it waits for no event, and the next sweep tries again.
func (d *Direct) parkedLocked(addr uintptr) {
	b := d.blocks[addr]
	if d.releaseLocked(addr, b) != nil {
		d.holdLocked(addr, b)
		d.wait.again(addr)
	}
}

// noteLocked raises the high water by what the front alone has seen: before blocks become fewer or more.
func (d *Direct) noteLocked() {
	if d.front != (NoFront{}) {
		d.raiseLocked()
	}
}

func (d *Direct) raiseLocked() {
	d.high = max(d.high, uint64(d.counts.Bytes+d.held.Bytes+d.front.Most()-d.before.Bytes))
}

// trimLocked releases nothing. The parked blocks have left the front by now; Reserved never counted them.
func (d *Direct) trimLocked() (released uint64, err error) { return 0, nil }

func (d *Direct) withdrawLocked() {
	for addr, b := range d.blocks {
		d.front.Withdraw(addr, b.bytes)
	}
}

// closeLocked releases all blocks. A block that the source refuses does not change.
func (d *Direct) closeLocked() (err error) {
	for addr, b := range d.blocks {
		if e := d.releaseLocked(addr, b); e != nil {
			err = errors.Join(err, e)
		} else if b.waiting { // its events are done, but the source had refused it before
			d.unheldLocked(b.bytes)
		} else {
			d.freedLocked(b.bytes)
		}
	}
	return err
}
