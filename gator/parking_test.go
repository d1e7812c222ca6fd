package gator

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// In this file: a front in Go for the tests of this package. Not here: the tests (front_test.go, suite_test.go).

// parking does what the fronts in C do, without their speed. Before a Pool it parks by swapping the state in a record, and serves any request of the
// class; before a Direct it keeps whole blocks. It has both sides: Front for the allocator, Allocator for the users.
type parking struct {
	fronted

	mu       sync.Mutex // guards the fields below
	stopped  bool
	offers   map[uintptr]offer
	given    map[uintptr]Block // each block of the allocator, as it was asked for
	parked   []uintptr
	capacity int // blocks
	full     bool
	counts   Counts
	most     int64
	stops    int
	starts   int
	late     func() // what a user does just before the front stops
}

// fronted is an allocator that can stand behind a front.
type fronted interface {
	Allocator
	AllocateRoom(bytes, room uint64, label uint32) (uintptr, error)
	Labels() *Labels
}

// offer is memory that may be parked: a slab, or one block where there are no records.
type offer struct {
	bytes   uint64
	shift   uint
	records records
}

var _ Front = (*parking)(nil)

// newParking makes a front that has served another allocator before.
func newParking() *parking {
	return &parking{capacity: 60, offers: map[uintptr]offer{}, given: map[uintptr]Block{}, late: func() {},
		counts: Counts{Bytes: -77, Blocks: -1, Allocations: 5, Frees: 6}}
}

// The allocator's side.

func (f *parking) locked(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

func (f *parking) Publish(base uintptr, bytes uint64, shift uint, words []uint64) {
	f.locked(func() {
		if _, twice := f.offers[base]; twice && words != nil {
			panic("parking: published twice")
		}
		f.offers[base] = offer{bytes, shift, words}
	})
}

func (f *parking) Withdraw(base uintptr, bytes uint64) (live bool) {
	f.locked(func() {
		if o, offered := f.offers[base]; offered && o.bytes != bytes {
			panic("parking: withdrawn with other bytes")
		}
		if live = !slices.Contains(f.parked, base); live {
			delete(f.offers, base)
		}
	})
	return live
}

func (f *parking) Parked(addr uintptr) (is bool) {
	f.locked(func() { is = slices.Contains(f.parked, addr) })
	return is
}

func (f *parking) Stop()              { f.late(); f.locked(func() { f.stopped = true; f.stops++ }) }
func (f *parking) Start()             { f.locked(func() { f.stopped = false; f.starts++ }) }
func (f *parking) Full() (is bool)    { f.locked(func() { is = f.full }); return is }
func (f *parking) Counts() (c Counts) { f.locked(func() { c = f.counts }); return c }

func (f *parking) Most() (most int64) {
	f.locked(func() { most, f.most = f.most, f.counts.Bytes })
	return most
}

func (f *parking) Drain(take func(uintptr)) {
	var all []uintptr
	f.locked(func() {
		all, f.parked, f.full = f.parked, nil, false
		for _, addr := range all {
			if f.offers[addr].records == nil {
				delete(f.offers, addr)
			}
		}
	})
	for _, addr := range all {
		take(addr)
	}
}

// The users' side.

// record finds the record of the block that starts at addr in a slab.
func (f *parking) record(addr uintptr) (r records, u uint32, ok bool) {
	for base, o := range f.offers {
		if offset := addr - base; offset < uintptr(o.bytes) && o.records != nil {
			return o.records, uint32(offset >> o.shift), offset&(1<<o.shift-1) == 0
		}
	}
	return nil, 0, false
}

// park swaps the state of a live block.
func (f *parking) park(addr uintptr) (bytes uint64, ok bool) {
	if r, u, ok := f.record(addr); ok {
		st := r.state(u)
		return st.bytes(), st.kind() == kindLive && st&flagDepends == 0 && r.swap(u, st, st.as(kindParked))
	}
	if o, offered := f.offers[addr]; !offered || o.records != nil || slices.Contains(f.parked, addr) {
		return 0, false
	}
	f.full = len(f.parked) == f.capacity
	return f.given[addr].Bytes, !f.full
}

// serve says whether a parked block fits a request, and makes it live.
func (f *parking) serve(addr uintptr, want Block, class uint64) bool {
	r, u, slab := f.record(addr)
	if !slab {
		return f.given[addr] == want
	}
	units := r.length(u)
	if uint64(units)*f.fronted.(*Pool).config.Block != class {
		return false
	}
	r.setSpan(u, units, labelID(f.Labels().ID(want.Label)))
	r.setState(u, liveState(want.Bytes))
	return true
}

func (f *parking) Free(addr uintptr) (err error) {
	ok := false
	f.locked(func() {
		if f.stopped {
			return
		}
		var bytes uint64
		if bytes, ok = f.park(addr); !ok {
			return
		}
		f.parked = append(f.parked, addr)
		f.counts = f.counts.minus(Counts{Bytes: int64(bytes), Blocks: 1, Frees: -1})
	})
	if !ok {
		err = f.fronted.Free(addr)
	}
	return err
}

func (f *parking) Allocate(bytes uint64, label string) (addr uintptr, err error) {
	id, class := f.Labels().ID(label), (bytes+1023)&^1023
	f.locked(func() {
		for i, at := range f.parked {
			if !f.stopped && f.serve(at, Block{at, bytes, label, false}, class) {
				addr, f.parked = at, slices.Delete(f.parked, i, i+1)
				f.counts = f.counts.plus(Counts{Bytes: int64(bytes), Blocks: 1, Allocations: 1})
				f.most = max(f.most, f.counts.Bytes)
				return
			}
		}
	})
	if addr == 0 {
		if addr, err = f.AllocateRoom(bytes, class, id); err == nil {
			f.locked(func() { f.given[addr] = Block{addr, bytes, label, false} })
		}
	}
	return addr, err
}

// parkers make the two kinds of fronts that park, each with its allocator.
var parkers = map[string]func(*testing.T, Config) *parking{
	"slabs": func(t *testing.T, c Config) *parking {
		f := newParking()
		c.Front = f
		p, err := New(c)
		require.NoError(t, err)
		f.fronted = p
		return f
	},
	"blocks": func(t *testing.T, c Config) *parking {
		f := newParking()
		c.Front = f
		d, err := NewDirect(c)
		require.NoError(t, err)
		f.fronted = d
		return f
	},
}

func parkingPool(t *testing.T, c Config) (*Pool, *parking) {
	f := parkers["slabs"](t, c)
	return f.fronted.(*Pool), f
}

// running says that every Stop had its Start.
func (f *parking) running(t *testing.T) {
	t.Helper()
	require.False(t, f.stopped)
	require.Equal(t, f.stops, f.starts)
}
