// Package fake is a source for tests: memory of the Go heap that counts, limits and fails on order,
// and that the race detector observes. Programs never use it. Threads: safe.
package fake

import (
	"fmt"
	"sync"
	"unsafe"

	"libportable/internal/backend"
)

// Source counts what it reserves, and refuses on order.
type Source struct {
	mu    sync.Mutex // guards the fields below
	limit uint64
	used  uint64
	peak  uint64
	calls int
	fail  map[int]bool // numbers of the calls, from 1, that are refused
	stuck bool         // Release is refused
	slabs map[uintptr]slab
}

// maxSlab is more than any test needs, and less than the size at which Go panics.
const maxSlab = 1 << 40

type slab struct {
	memory []byte // keeps the slab alive
	bytes  uint64
}

var _ backend.Source = (*Source)(nil)

// New returns a source of at most limit bytes at once; 0 is no limit.
func New(limit uint64) *Source {
	return &Source{limit: limit, fail: map[int]bool{}, slabs: map[uintptr]slab{}}
}

// FailCall makes Reserve call number n, counted from 1 over the life of the source, fail.
func (s *Source) FailCall(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail[n] = true
}

// FailRelease makes every Release fail while on is true.
func (s *Source) FailRelease(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stuck = on
}

// Name is "fake".
func (s *Source) Name() string { return "fake" }

// Reserve allocates Go memory.
func (s *Source) Reserve(bytes uint64) (uintptr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.fail[s.calls] {
		return 0, fmt.Errorf("%w: fake: call %d fails on order", backend.ErrRefused, s.calls)
	}
	if bytes > maxSlab || s.limit > 0 && (bytes > s.limit || s.used > s.limit-bytes) {
		return 0, fmt.Errorf("%w: fake: %d bytes in use, limit %d", backend.ErrRefused, s.used, s.limit)
	}
	memory := make([]byte, bytes+backend.Alignment)
	start := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	addr := (start + backend.Alignment - 1) &^ (backend.Alignment - 1)
	s.slabs[addr] = slab{memory, bytes}
	s.used += bytes
	s.peak = max(s.peak, s.used)
	return addr, nil
}

// Release takes a slab back, and refuses one that it did not reserve.
func (s *Source) Release(addr uintptr, bytes uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stuck {
		return fmt.Errorf("%w: fake: release fails on order", backend.ErrRefused)
	}
	given, ok := s.slabs[addr]
	if !ok || given.bytes != bytes {
		return fmt.Errorf("fake: release of %d bytes at %#x, which were not given", bytes, addr)
	}
	delete(s.slabs, addr)
	s.used -= bytes
	return nil
}

// Used is the number of bytes reserved now, Peak the most ever, Calls the number of Reserve calls.
func (s *Source) Used() uint64 { s.mu.Lock(); defer s.mu.Unlock(); return s.used }

// Peak is the largest number of bytes reserved at once.
func (s *Source) Peak() uint64 { s.mu.Lock(); defer s.mu.Unlock(); return s.peak }

// Calls is the number of Reserve calls so far.
func (s *Source) Calls() int { s.mu.Lock(); defer s.mu.Unlock(); return s.calls }

// Bytes returns the memory of a slab, for tests that write into it.
func (s *Source) Bytes(addr uintptr) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	given := s.slabs[addr]
	skip := addr - uintptr(unsafe.Pointer(unsafe.SliceData(given.memory)))
	return given.memory[skip:][:given.bytes]
}
