package gator

import (
	"fmt"
	"sync"
)

// In this file: what Pool and Direct have in common: lock, labels, waiting releases, the share of the front,
// statistics, listing, Check and Close. Not here: where a block goes and what its release does; each of the two
// has its own. Threads: every exported method takes the lock.

// shared is the common part of an allocator.
type shared struct {
	config Config // normal, never changed
	labels *Labels
	own    placing // the Pool or the Direct that this is a part of

	mu     sync.Mutex // guards the fields below, and all that own reaches
	closed bool
	front  Front
	wait   waiting
	counts Counts // of the calls that came here; the front's share is added when they are read
	before Counts // the front's share when this allocator was made
	held   Counts // bytes and blocks of waiting blocks
	high   uint64 // high water in bytes
}

// placing is the part that Pool and Direct each have of their own. Every call is made with the lock held.
type placing interface {
	// dependLocked makes the live block at addr one that the front must not park.
	dependLocked(addr uintptr) error
	// usesLocked does the same for the live block that holds addr, and gives its start.
	usesLocked(addr uintptr) (start uintptr, ok bool)
	// completedLocked gives up the memory of a waiting block whose events are done; false: the source refuses.
	completedLocked(addr uintptr) (bytes uint64, ok bool)
	// parkedLocked gives up the memory of a block that the front had parked.
	parkedLocked(addr uintptr)
	// noteLocked is called before blocks leave the front or stop waiting, for the high water.
	noteLocked()
	// findLocked gives the live or waiting block that holds addr, or says why there is none.
	findLocked(addr uintptr) (b Block, why string)
	startsLocked(addr uintptr) bool
	waitsLocked(addr uintptr) bool
	eachLocked(visit func(Block) bool)
	// sizesLocked gives the statistics that depend on the placement.
	sizesLocked() Stats
	// walkLocked checks the records and sums up the live and the waiting blocks.
	walkLocked() (live, held Counts, err error)
	trimLocked() (released uint64, err error)
	// withdrawLocked takes everything back from the front, which is stopped and empty.
	withdrawLocked()
	// closeLocked gives all memory back; it is called again for what the source refused.
	closeLocked() error
}

func newShared(c Config, own placing) shared {
	c.Front.Most() // forgets what the front did before
	return shared{config: c, labels: NewLabels(), own: own, front: c.Front, before: c.Front.Counts()}
}

// Name is the allocator's name in messages.
func (s *shared) Name() string { return s.config.Name }

// Labels is the table of labels, for a front that writes records.
func (s *shared) Labels() *Labels { return s.labels }

func (s *shared) closedError() error { return fmt.Errorf("%w: %s", ErrClosed, s.config.Name) }

func (s *shared) pointerError(addr uintptr, why string) error {
	return &PointerError{s.config.Name, addr, why}
}

// Depend delays a block's release; see Allocator.
func (s *shared) Depend(addr uintptr, on Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.closedError()
	}
	err := s.own.dependLocked(addr)
	if err == nil {
		s.wait.add(addr, on)
	}
	return err
}

// Uses is Depend for the block that holds an address; see Allocator.
func (s *shared) Uses(addr uintptr, on Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	start, ok := s.own.usesLocked(addr)
	if ok {
		s.wait.add(start, on)
	}
	return ok
}

// allocatedLocked and freedLocked count one block.
func (s *shared) allocatedLocked(bytes uint64) {
	s.counts.Bytes += int64(bytes)
	s.counts.Blocks++
	s.counts.Allocations++
}

func (s *shared) freedLocked(bytes uint64) {
	s.counts.Bytes -= int64(bytes)
	s.counts.Blocks--
	s.counts.Frees++
}

// heldLocked counts a block that begins to wait.
func (s *shared) heldLocked(bytes uint64) {
	s.held.Bytes += int64(bytes)
	s.held.Blocks++
}

// unheldLocked counts a block that does not wait any more.
func (s *shared) unheldLocked(bytes uint64) {
	s.held.Bytes -= int64(bytes)
	s.held.Blocks--
}

// sweepLocked releases the blocks whose events are done.
func (s *shared) sweepLocked() {
	if s.wait.count == 0 {
		return
	}
	s.own.noteLocked()
	s.wait.sweep(func(addr uintptr) bool {
		bytes, ok := s.own.completedLocked(addr)
		if ok {
			s.unheldLocked(bytes)
		}
		return ok
	})
}

// quietLocked stops the front and takes everything out of it, so that the records are complete. The function
// that it returns starts the front again. A closed allocator has no front: that may serve another one by now.
func (s *shared) quietLocked() (resume func()) {
	s.sweepLocked()
	if s.front == (NoFront{}) {
		return func() {}
	}
	s.front.Stop()
	s.drainLocked()
	return s.front.Start
}

// drainLocked takes everything out of the front, which is stopped.
func (s *shared) drainLocked() {
	s.own.noteLocked()
	s.front.Drain(s.own.parkedLocked)
}

// sumLocked is what was done here and by the front.
func (s *shared) sumLocked() Counts { return s.counts.plus(s.front.Counts().minus(s.before)) }

// Stats gives the numbers of this moment; see Allocator.
func (s *shared) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.quietLocked()()
	return s.statsLocked()
}

func (s *shared) statsLocked() Stats {
	sum, st := s.sumLocked(), s.own.sizesLocked()
	st.InUse, st.Blocks = uint64(sum.Bytes), uint64(sum.Blocks)
	st.Allocations, st.Frees = uint64(sum.Allocations), uint64(sum.Frees)
	st.Waiting, st.WaitBlocks = uint64(s.held.Bytes), uint64(s.held.Blocks)
	st.HighWater, st.Limit = s.high, s.config.Limit
	return st
}

// outOfMemoryLocked makes the error of a request; the front is stopped and empty.
func (s *shared) outOfMemoryLocked(bytes uint64, label string, cause error) error {
	return memoryError(s.config.Name, bytes, label, s.statsLocked(), s.own.eachLocked, cause)
}

// Each visits live and waiting blocks; see Allocator.
func (s *shared) Each(visit func(Block) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.quietLocked()()
	s.own.eachLocked(visit)
}

// Find gives the block that holds an address; see Allocator.
func (s *shared) Find(addr uintptr) (Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Block{}, s.closedError()
	}
	s.sweepLocked()
	b, why := s.own.findLocked(addr)
	if why != "" {
		return Block{}, s.pointerError(addr, why)
	}
	return b, nil
}

// Starts says whether addr starts a live block; see Allocator.
func (s *shared) Starts(addr uintptr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.own.startsLocked(addr)
}

// Trim gives empty memory back; see Allocator.
func (s *shared) Trim() (released uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, s.closedError()
	}
	defer s.quietLocked()()
	return s.own.trimLocked()
}

// Check walks every invariant; see Allocator.
func (s *shared) Check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.closedError()
	}
	defer s.quietLocked()()
	return s.checkLocked()
}

func (s *shared) checkLocked() error {
	live, held, err := s.own.walkLocked()
	if err != nil {
		return err
	}
	sum := s.sumLocked()
	switch {
	case sum.Bytes != live.Bytes || sum.Blocks != live.Blocks:
		return s.broken("%d bytes in %d blocks counted, %d in %d found", sum.Bytes, sum.Blocks, live.Bytes, live.Blocks)
	case sum.Allocations-sum.Frees != sum.Blocks:
		return s.broken("%d allocations less %d frees are not %d blocks", sum.Allocations, sum.Frees, sum.Blocks)
	case s.held != held || int64(s.wait.count) != held.Blocks:
		return s.broken("%d bytes in %d blocks wait, %d in %d found, %d listed", s.held.Bytes, s.held.Blocks, held.Bytes, held.Blocks, s.wait.count)
	case !s.wait.check(s.own.waitsLocked):
		return s.broken("a block that does not wait, or twice, is in the list of those that wait")
	}
	return nil
}

func (s *shared) broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrCorrupt, s.config.Name, fmt.Sprintf(format, args...))
}

// Settle waits for the events of a block; see Allocator.
func (s *shared) Settle(addr uintptr) { s.wait.settle(&s.mu, addr) }

// Await waits for all events; see Allocator.
func (s *shared) Await() {
	s.wait.await(&s.mu, s.sweepLocked)
	s.mu.Unlock()
}

// Pending says whether Await would have to wait; see Allocator.
func (s *shared) Pending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.wait.pending()) > 0
}

// Close gives everything back; see Allocator. A further Close tries again what the source refused.
func (s *shared) Close() error {
	s.wait.await(&s.mu, s.sweepLocked)
	defer s.mu.Unlock()
	if !s.closed {
		defer s.quietLocked()()
		s.own.withdrawLocked()
		s.counts, s.before = s.sumLocked(), Counts{}
		s.front, s.closed = NoFront{}, true
	}
	return s.own.closeLocked()
}
