// Package paper is a source of addresses without memory. A pool never touches its slabs, so slabs
// of any size and at any address can be tried: by tests of pools, and by yaklcheck advise, which
// replays a run on pools of other settings. Memory that can be written is in internal/backend/fake.
// Threads: safe, but for fields that the caller sets.
package paper

import (
	"fmt"
	"sync"

	"libportable/internal/backend"
)

// Source hands out addresses and records every call. Set its fields only while no other goroutine uses it.
type Source struct {
	mu sync.Mutex // guards the fields below
	// Place is where the next slab goes. A pool takes slabs in the order of their making, at any address, and must not
	// join gaps of two slabs that touch.
	Place       Placement
	low, high   uintptr
	Capacity    uint64 // bytes that may be out at once; 0: any
	RefuseNext  int    // so many calls of Reserve are refused
	FailRelease bool
	Used        uint64             // bytes that are out
	Given       map[uintptr]uint64 // the slabs that are out, and their bytes
	Calls       []Call
}

var _ backend.Source = (*Source)(nil)

// Placement is where one slab goes in relation to the slabs before it.
type Placement int

// Placements.
const (
	Upwards Placement = iota
	Downwards
	Touching // upwards, without a gap
	Placements
)

// Call is one call of Reserve.
type Call struct {
	Bytes   uint64
	Addr    uintptr
	Refused bool
}

// New makes a source that has at most capacity bytes out at once; 0: any number.
func New(place Placement, capacity uint64) *Source {
	return &Source{Place: place, Capacity: capacity, low: 1 << 40, high: 1 << 40, Given: map[uintptr]uint64{}}
}

// Name is "paper".
func (s *Source) Name() string { return "paper" }

// Reserve hands out the addresses of one slab.
func (s *Source) Reserve(bytes uint64) (uintptr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.RefuseNext > 0 || s.Capacity > 0 && (bytes > s.Capacity || s.Used > s.Capacity-bytes) {
		s.RefuseNext = max(0, s.RefuseNext-1)
		s.Calls = append(s.Calls, Call{Bytes: bytes, Refused: true})
		return 0, fmt.Errorf("%w: paper: no %d bytes", backend.ErrRefused, bytes)
	}
	step := (uintptr(bytes) + backend.Alignment - 1) &^ (backend.Alignment - 1)
	apart := uintptr(backend.Alignment)
	if s.Place == Touching {
		apart = 0
	}
	var addr uintptr
	if s.Place == Downwards {
		s.low -= step + apart
		addr = s.low
	} else {
		addr = s.high
		s.high += step + apart
	}
	s.Given[addr] = bytes
	s.Used += bytes
	s.Calls = append(s.Calls, Call{Bytes: bytes, Addr: addr})
	return addr, nil
}

// Release takes a slab back and refuses one that it did not give.
func (s *Source) Release(addr uintptr, bytes uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.FailRelease {
		return fmt.Errorf("%w: paper: release must fail", backend.ErrRefused)
	}
	if given, ok := s.Given[addr]; !ok || given != bytes {
		return fmt.Errorf("paper: %d bytes at %#x were not given", bytes, addr)
	}
	delete(s.Given, addr)
	s.Used -= bytes
	return nil
}

// Asked is the sizes of all calls so far, refused ones included.
func (s *Source) Asked() []uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizes := make([]uint64, 0, len(s.Calls))
	for _, c := range s.Calls {
		sizes = append(sizes, c.Bytes)
	}
	return sizes
}
