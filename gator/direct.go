package gator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"libportable/internal/backend"
)

// Direct hands out blocks that are each a piece of its source: what GATOR_DISABLE=1 asks for. It keeps a
// register, so that a wrong address is found here as it is in a pool, and never passed on to the source.
type Direct struct {
	config Config
	labels *Labels
	least  uint64 // bytes of a piece

	mu     sync.Mutex // guards the fields below
	closed bool
	front  BlockFront
	blocks map[uintptr]piece // live and waiting blocks, and those that the front has parked
	wait   waiting
	counts Counts // what came here; the front's share is added on reading
	before Counts // the front's share when this was made
	held   Counts
	taken  uint64 // bytes of all blocks
	high   uint64
}

type piece struct {
	bytes   uint64
	label   labelID
	waiting bool
	depends bool
}

var _ Allocator = (*Direct)(nil)

// NewDirect makes one. Of the configuration it reads Name, Source, Limit, Blocks and Knobs.
func NewDirect(c Config) (*Direct, error) {
	c, err := c.normal() // what a pool refuses is refused here too, so that switching the pool off hides no mistake
	if err != nil {
		return nil, err
	}
	c.Initial, c.Front = 0, noFront{}
	least := uint64(1)
	if _, exactly := c.Source.(backend.Blocks); exactly {
		least = 0
	}
	c.Blocks.Most()
	return &Direct{config: c, labels: NewLabels(), least: least, blocks: map[uintptr]piece{}, front: c.Blocks, before: c.Blocks.Counts()}, nil
}

// Name is the allocator's name in messages.
func (d *Direct) Name() string { return d.config.Name }

// Labels is the table of labels.
func (d *Direct) Labels() *Labels { return d.labels }

// Allocate gives a block; see Allocator.
func (d *Direct) Allocate(bytes uint64, label string) (uintptr, error) {
	return d.AllocateRoom(bytes, bytes, d.labels.ID(label))
}

// AllocateRoom gives a block of exactly `bytes`; room is for pools.
func (d *Direct) AllocateRoom(bytes, _ uint64, label uint32) (uintptr, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, fmt.Errorf("%w: %s", ErrClosed, d.config.Name)
	}
	d.sweepLocked()
	text := d.labels.text(labelID(label))
	addr, err := d.takeLocked(bytes)
	if err != nil {
		before := d.taken
		defer d.quietLocked()()
		if d.taken < before {
			addr, err = d.takeLocked(bytes)
		}
		if err != nil {
			return 0, memoryError(d.config.Name, bytes, text, d.statsLocked(), d.eachLocked, err)
		}
	}
	d.blocks[addr] = piece{bytes: bytes, label: labelID(label)}
	d.taken += bytes
	d.counts.Bytes += int64(bytes)
	d.counts.Blocks++
	d.counts.Allocations++
	d.noteLocked()
	if strings.IndexByte(text, 0) < 0 { // C ends the label there
		d.front.Publish(addr)
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
	b, err := d.liveLocked(addr)
	if err != nil {
		return err
	}
	waits := b.depends && d.wait.free(addr)
	if !waits {
		if err := d.releaseLocked(addr, b); err != nil {
			return err
		}
	} else {
		b.waiting = true
		d.blocks[addr] = b
		d.held.Bytes += int64(b.bytes)
		d.held.Blocks++
	}
	d.counts.Bytes -= int64(b.bytes)
	d.counts.Blocks--
	d.counts.Frees++
	if d.front.Full() {
		d.quietLocked()()
	}
	return nil
}

// Depend delays a block's release; see Allocator.
func (d *Direct) Depend(addr uintptr, on Event) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, err := d.liveLocked(addr)
	if err != nil {
		return err
	}
	b.depends = true
	d.blocks[addr] = b
	d.wait.add(addr, on)
	return nil
}

// Uses is Depend for the block that holds an address; see Allocator.
func (d *Direct) Uses(addr uintptr, on Event) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok := d.blocks[addr]
	if !ok {
		addr, b, ok = d.enclosingLocked(addr)
	}
	if d.closed || !ok || b.waiting || !d.front.Withdraw(addr) {
		return false
	}
	b.depends = true
	d.blocks[addr] = b
	d.wait.add(addr, on)
	return true
}

// liveLocked gives the live block that starts there, which is not going to be parked any more.
func (d *Direct) liveLocked(addr uintptr) (piece, error) {
	if d.closed {
		return piece{}, fmt.Errorf("%w: %s", ErrClosed, d.config.Name)
	}
	d.sweepLocked()
	b, ok := d.blocks[addr]
	switch {
	case ok && b.waiting:
		return b, &PointerError{d.config.Name, addr, whyFreed}
	case ok && d.front.Withdraw(addr):
		return b, nil
	case ok:
		d.quietLocked()() // who frees it again reads of a block that is gone
	}
	why := whyUnknown
	if at, in, found := d.enclosingLocked(addr); found {
		why = whyInside(uint64(addr-at), d.describe(at, in))
	}
	return b, &PointerError{d.config.Name, addr, why}
}

// enclosingLocked looks at every block: for messages and look-ups only.
func (d *Direct) enclosingLocked(addr uintptr) (uintptr, piece, bool) {
	for at, b := range d.blocks {
		if addr-at < uintptr(max(b.bytes, 1)) {
			return at, b, b.waiting || !d.front.Parked(at)
		}
	}
	return 0, piece{}, false
}

func (d *Direct) releaseLocked(addr uintptr, b piece) error {
	err := d.config.Source.Release(addr, max(b.bytes, d.least))
	if err == nil {
		delete(d.blocks, addr)
		d.taken -= b.bytes
	}
	return err
}

// quietLocked stops the front and releases everything that it has parked, so that the register says all there is to say; the function it gives lets the
// front go on.
func (d *Direct) quietLocked() (resume func()) {
	if d.front == (noBlocks{}) {
		return func() {}
	}
	d.front.Stop()
	d.noteLocked() // what came out of the front since it was asked is live
	d.front.Drain(func(addr uintptr) {
		b := d.blocks[addr]
		if d.releaseLocked(addr, b) != nil {
			b.waiting = true
			d.blocks[addr] = b
			d.held.Bytes += int64(b.bytes)
			d.held.Blocks++
			d.wait.again(addr)
		}
	})
	return d.front.Start
}

// noteLocked takes the high water since it was called last; before blocks become fewer, and after there are more.
func (d *Direct) noteLocked() {
	d.high = max(d.high, uint64(d.counts.Bytes+d.held.Bytes+d.front.Most()-d.before.Bytes))
}

func (d *Direct) sweepLocked() {
	if d.front != (noBlocks{}) {
		d.noteLocked()
	}
	d.wait.sweep(func(addr uintptr) bool {
		b := d.blocks[addr]
		if d.releaseLocked(addr, b) != nil {
			return false
		}
		d.held.Bytes -= int64(b.bytes)
		d.held.Blocks--
		return true
	})
}

// Find gives the block that holds an address; see Allocator.
func (d *Direct) Find(addr uintptr) (Block, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return Block{}, fmt.Errorf("%w: %s", ErrClosed, d.config.Name)
	}
	d.sweepLocked()
	if at, b, ok := d.enclosingLocked(addr); ok {
		return d.describe(at, b), nil
	}
	return Block{}, &PointerError{d.config.Name, addr, whyUnknown}
}

// Starts says whether addr starts a live block; see Allocator.
func (d *Direct) Starts(addr uintptr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok := d.blocks[addr]
	return ok && !b.waiting && !d.front.Parked(addr)
}

func (d *Direct) describe(addr uintptr, b piece) Block {
	return Block{addr, b.bytes, d.labels.text(b.label), b.waiting}
}

// Each visits live and waiting blocks in order of address; see Allocator.
func (d *Direct) Each(visit func(Block) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sweepLocked()
	defer d.quietLocked()()
	d.eachLocked(visit)
}

// eachLocked sorts the addresses in a table, which is mapped memory. If there is none, the order is that of the register.
func (d *Direct) eachLocked(visit func(Block) bool) {
	table, err := d.config.Tables.Take(max(len(d.blocks), 1))
	if err != nil {
		for addr, b := range d.blocks {
			if !visit(d.describe(addr, b)) {
				return
			}
		}
		return
	}
	defer d.config.Tables.Give(table)
	addrs := table[:0]
	for addr := range d.blocks {
		addrs = append(addrs, uint64(addr))
	}
	slices.Sort(addrs)
	for _, addr := range addrs {
		if !visit(d.describe(uintptr(addr), d.blocks[uintptr(addr)])) {
			return
		}
	}
}

// Stats gives the numbers of this moment; what a pool has and this has not is 0.
func (d *Direct) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sweepLocked()
	defer d.quietLocked()()
	return d.statsLocked()
}

// sumLocked is what was done here and by the front.
func (d *Direct) sumLocked() Counts { return d.counts.plus(d.front.Counts().minus(d.before)) }

func (d *Direct) statsLocked() Stats {
	sum := d.sumLocked()
	return Stats{
		InUse:       uint64(sum.Bytes),
		Blocks:      uint64(sum.Blocks),
		Occupied:    d.taken,
		Reserved:    d.taken,
		HighWater:   d.high,
		Limit:       d.config.Limit,
		Waiting:     uint64(d.held.Bytes),
		WaitBlocks:  uint64(d.held.Blocks),
		Allocations: uint64(sum.Allocations),
		Frees:       uint64(sum.Frees),
	}
}

// Trim gives back what the front has parked, which nobody counts as reserved, so that nothing is released of that; there is nothing else.
func (d *Direct) Trim() (uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.quietLocked()()
	return 0, nil
}

// Check compares the register with the counters.
func (d *Direct) Check() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return fmt.Errorf("%w: %s", ErrClosed, d.config.Name)
	}
	d.sweepLocked()
	defer d.quietLocked()()
	sum := d.sumLocked()
	var live, held Counts
	for _, b := range d.blocks {
		of := &live
		if b.waiting {
			of = &held
		}
		of.Bytes += int64(b.bytes)
		of.Blocks++
	}
	broken := func(what string) error {
		return fmt.Errorf("%w: %s: %s: %+v live and %+v waiting counted, %+v and %+v found", ErrCorrupt, d.config.Name, what, sum, d.held, live, held)
	}
	switch {
	case live.Bytes != sum.Bytes || live.Blocks != sum.Blocks || held != d.held || uint64(live.Bytes+held.Bytes) != d.taken:
		return broken("sums")
	case sum.Allocations-sum.Frees != sum.Blocks:
		return broken("allocations less frees")
	case d.high < d.taken:
		return broken("high water")
	case int64(d.wait.count) != held.Blocks || !d.wait.check(func(addr uintptr) bool { return d.blocks[addr].waiting }):
		return broken("the list of what waits")
	}
	return nil
}

// Settle waits for the events of a block; see Allocator.
func (d *Direct) Settle(addr uintptr) { d.wait.settle(&d.mu, addr) }

// Await waits for all events; see Allocator.
func (d *Direct) Await() {
	d.wait.await(&d.mu, d.sweepLocked)
	d.mu.Unlock()
}

// Pending says whether there are such; see Allocator.
func (d *Direct) Pending() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.wait.pending()) > 0
}

// Close gives everything back; see Allocator.
func (d *Direct) Close() (err error) {
	d.wait.await(&d.mu, d.sweepLocked)
	defer d.mu.Unlock()
	if !d.closed {
		defer d.quietLocked()()
		d.counts, d.before = d.sumLocked(), Counts{}
		for addr := range d.blocks {
			d.front.Withdraw(addr)
		}
		d.front, d.closed = noBlocks{}, true
	}
	for addr, b := range d.blocks {
		if e := d.releaseLocked(addr, b); e != nil {
			err = errors.Join(err, e)
			continue
		}
		if b.waiting { // its events are done, but the source had refused it
			d.held.Bytes -= int64(b.bytes)
			d.held.Blocks--
			continue
		}
		d.counts.Bytes -= int64(b.bytes)
		d.counts.Blocks--
		d.counts.Frees++
	}
	return err
}
