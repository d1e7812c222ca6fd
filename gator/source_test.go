package gator

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"libportable/internal/backend"
)

// paper is a source of addresses with no memory behind them: the pool never touches what it hands out, so
// slabs of any size and at any place can be tried. It writes every call down.
type paper struct {
	mu sync.Mutex // guards the fields below
	// place says where the next slab goes. The pool takes slabs in the order of their making, wherever
	// they lie, and must not join gaps of two slabs that touch.
	place       placement
	low, high   uintptr
	room        uint64 // bytes that may be given at once; 0: any
	refuseNext  int    // so many calls of Reserve are refused
	failRelease bool
	used        uint64
	given       map[uintptr]uint64
	calls       []reserveCall
}

type placement int

const (
	upwards placement = iota
	downwards
	touching
	placements
)

type reserveCall struct {
	bytes   uint64
	addr    uintptr
	refused bool
}

func newPaper(place placement, room uint64) *paper {
	return &paper{place: place, room: room, low: 1 << 40, high: 1 << 40, given: map[uintptr]uint64{}}
}

func (s *paper) Name() string { return "paper" }

func (s *paper) Reserve(bytes uint64) (uintptr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuseNext > 0 || s.room > 0 && (bytes > s.room || s.used > s.room-bytes) {
		s.refuseNext = max(0, s.refuseNext-1)
		s.calls = append(s.calls, reserveCall{bytes: bytes, refused: true})
		return 0, fmt.Errorf("%w: paper: no %d bytes", backend.ErrRefused, bytes)
	}
	step := (uintptr(bytes) + backend.Alignment - 1) &^ (backend.Alignment - 1)
	apart := uintptr(backend.Alignment)
	if s.place == touching {
		apart = 0
	}
	var addr uintptr
	if s.place == downwards {
		s.low -= step + apart
		addr = s.low
	} else {
		addr = s.high
		s.high += step + apart
	}
	s.given[addr] = bytes
	s.used += bytes
	s.calls = append(s.calls, reserveCall{bytes: bytes, addr: addr})
	return addr, nil
}

func (s *paper) Release(addr uintptr, bytes uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failRelease {
		return fmt.Errorf("%w: paper: release was told to fail", backend.ErrRefused)
	}
	if given, ok := s.given[addr]; !ok || given != bytes {
		return fmt.Errorf("paper: %d bytes at %#x were not given", bytes, addr)
	}
	delete(s.given, addr)
	s.used -= bytes
	return nil
}

// asked is the sizes of all calls so far, refused ones included.
func (s *paper) asked() []uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizes := make([]uint64, 0, len(s.calls))
	for _, c := range s.calls {
		sizes = append(sizes, c.bytes)
	}
	return sizes
}

// tightTables refuses large tables and counts what is out.
type tightTables struct {
	words int // the largest table that it gives
	out   int // tables given and not taken back
	sizes []int
}

var errTables = errors.New("no memory for tables")

func (t *tightTables) Take(words int) ([]uint64, error) {
	t.sizes = append(t.sizes, words)
	if words > t.words {
		return nil, fmt.Errorf("%w: %w", backend.ErrRefused, errTables)
	}
	t.out++
	return make([]uint64, words), nil
}

func (t *tightTables) Give(table []uint64) {
	if !slices.Contains(t.sizes, len(table)) {
		panic("tightTables: a table that was not taken")
	}
	t.out--
}
