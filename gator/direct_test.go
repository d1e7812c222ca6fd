package gator

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/fake"
	"libportable/internal/backend/paper"
)

// allocators lists each implementation of Allocator: Pool and Direct, alone and behind a front, and Sampled. A test of the contract runs for all.
var allocators = map[string]func(*testing.T, Config) Allocator{
	"pool": func(t *testing.T, c Config) Allocator {
		p, err := New(c)
		require.NoError(t, err)
		return p
	},
	"direct": func(t *testing.T, c Config) Allocator {
		d, err := NewDirect(c)
		require.NoError(t, err)
		return d
	},
	"pool behind a front":   func(t *testing.T, c Config) Allocator { return parkers["slabs"](t, c) },
	"direct behind a front": func(t *testing.T, c Config) Allocator { return parkers["blocks"](t, c) },
	"sampled": func(t *testing.T, c Config) Allocator {
		p, err := New(c)
		require.NoError(t, err)
		d, err := NewDirect(c)
		require.NoError(t, err)
		var requests atomic.Uint64
		return Sampled{p, d, func() bool { return requests.Add(1)%3 == 0 }, func(uintptr) bool { return false }}
	},
}

// Allocators is the list for suite_test.go, which is in another package.
var Allocators = allocators

// PastTheFront gives the Free that an allocator has behind its front.
func PastTheFront(a Allocator) func(addr uintptr) error {
	if f, ok := a.(*parking); ok {
		return f.fronted.Free
	}
	return a.Free
}

func TestAllocators(t *testing.T) {
	for name, make := range allocators {
		t.Run(name, func(t *testing.T) { testAllocator(t, make) })
	}
}

// testAllocator is the suite for everything that is an Allocator.
func testAllocator(t *testing.T, make func(*testing.T, Config) Allocator) {
	var source *fake.Source
	fresh := func(t *testing.T, c Config) Allocator {
		source = fake.New(8 * mib)
		c.Source, c.Initial, c.Name = source, 64<<10, "under test"
		return make(t, c)
	}
	t.Run("aligned, apart, counted", func(t *testing.T) {
		a := fresh(t, Config{Block: 64})
		require.Equal(t, "under test", a.Name())
		type place struct{ at, end uintptr }
		var places []place
		inUse := uint64(0)
		for _, bytes := range []uint64{0, 1, 63, 64, 65, 1000, 0, 70_000, mib} {
			at, err := a.Allocate(bytes, "label")
			require.NoError(t, err)
			require.NotZero(t, at, "0 bytes have an address too")
			require.Zero(t, at%backend.Alignment)
			end := at + uintptr(max(bytes, 1))
			for _, o := range places {
				require.False(t, at < o.end && o.at < end, "overlap")
			}
			places = append(places, place{at, end})
			inUse += bytes
			require.NoError(t, a.Check())
			st := a.Stats()
			require.EqualValues(t, len(places), st.Blocks)
			require.Equal(t, inUse, st.InUse)
			require.GreaterOrEqual(t, st.Occupied, inUse)
			require.GreaterOrEqual(t, st.Reserved, st.Occupied)
		}
		high := a.Stats().HighWater
		require.Equal(t, a.Stats().Occupied, high)
		require.Len(t, blocksOf(a), len(places))
		for _, o := range places {
			b, err := a.Find(o.end - 1)
			require.NoError(t, err)
			require.Equal(t, o.at, b.Addr)
			require.Equal(t, "label", b.Label)
			require.NoError(t, a.Free(o.at))
		}
		st := a.Stats()
		require.Zero(t, st.InUse+st.Blocks+st.Occupied)
		require.Equal(t, high, st.HighWater)
		require.EqualValues(t, len(places), st.Allocations)
		require.EqualValues(t, len(places), st.Frees)
		require.Empty(t, blocksOf(a))
		require.NoError(t, a.Close())
		require.Zero(t, source.Used())
	})
	t.Run("wrong addresses", func(t *testing.T) {
		a := fresh(t, Config{})
		at, err := a.Allocate(1000, "h")
		require.NoError(t, err)
		for _, wrong := range []uintptr{0, 64, at + 1, at + 64, at + 999, ^uintptr(0)} {
			require.ErrorIs(t, a.Free(wrong), ErrPointer)
			require.ErrorIs(t, a.Depend(wrong, newFlag()), ErrPointer)
		}
		for addr, want := range map[uintptr]bool{at: true, at + 1: false, at + 64: false, 0: false, 64: false} {
			require.Equal(t, want, a.Starts(addr))
		}
		require.ErrorContains(t, a.Free(at+64), `it is 64 bytes inside a block of 1000 bytes labelled "h"`)
		_, err = a.Find(64)
		require.ErrorIs(t, err, ErrPointer)
		require.NoError(t, a.Free(at))
		require.False(t, a.Starts(at))
		require.ErrorIs(t, a.Free(at), ErrPointer, "double")
		require.ErrorContains(t, a.Free(at), "freed already")
		_, err = a.Find(at)
		require.ErrorIs(t, err, ErrPointer)
		require.EqualValues(t, 1, a.Stats().Frees)
		require.NoError(t, a.Check())
	})
	t.Run("waiting", func(t *testing.T) {
		a := fresh(t, Config{})
		at, err := a.Allocate(1000, "h")
		require.NoError(t, err)
		first, second := newFlag(), newFlag()
		require.NoError(t, a.Depend(at, first))
		require.NoError(t, a.Depend(at, second))
		require.NoError(t, a.Free(at))
		st := a.Stats()
		require.EqualValues(t, 1000, st.Waiting)
		require.EqualValues(t, 1, st.WaitBlocks)
		require.Zero(t, st.InUse+st.Blocks)
		require.NotZero(t, st.Occupied)
		require.EqualValues(t, 1, st.Frees)
		require.Equal(t, []Block{{at, 1000, "h", true}}, blocksOf(a))
		b, err := a.Find(at + 10)
		require.NoError(t, err)
		require.True(t, b.Waiting)
		require.False(t, a.Starts(at), "it waits: it has no owner")
		require.ErrorContains(t, a.Free(at), "freed already")
		require.ErrorContains(t, a.Depend(at, first), "freed already")
		second.complete()
		require.EqualValues(t, 1, a.Stats().WaitBlocks)
		require.NoError(t, a.Check())
		first.complete()
		st = a.Stats()
		require.Zero(t, st.Waiting+st.WaitBlocks+st.Occupied)
		require.Empty(t, blocksOf(a))
		require.NoError(t, a.Check())
		at, err = a.Allocate(1000, "h")
		require.NoError(t, err)
		done := newFlag()
		done.complete()
		require.NoError(t, a.Depend(at, done))
		require.NoError(t, a.Free(at))
		require.Zero(t, a.Stats().WaitBlocks, "nothing to wait for")
	})
	t.Run("limit", func(t *testing.T) {
		a := fresh(t, Config{Limit: 100_000, Knobs: Knobs{Limit: "THE_KNOB"}})
		at, err := a.Allocate(60_000, "big")
		require.NoError(t, err)
		_, err = a.Allocate(60_000, "second")
		require.ErrorIs(t, err, ErrMemory)
		for _, fragment := range []string{"under test has no 60000 bytes", `"second"`, "THE_KNOB", "in use 60000 bytes in 1 block", "limit 100000 bytes", "big"} {
			require.ErrorContains(t, err, fragment)
		}
		_, err = a.Allocate(^uint64(0), "")
		require.ErrorIs(t, err, ErrMemory)
		require.EqualValues(t, 1, a.Stats().Allocations)
		require.NoError(t, a.Free(at))
		_, err = a.Allocate(60_000, "second")
		require.NoError(t, err)
		require.NoError(t, a.Check())
	})
	t.Run("refusing source", func(t *testing.T) {
		a := fresh(t, Config{})
		_, err := a.Allocate(100*mib, "too much")
		require.ErrorIs(t, err, ErrMemory)
		require.ErrorIs(t, err, backend.ErrRefused)
		require.ErrorContains(t, err, "ulimit")
		require.NoError(t, a.Check())
		_, err = a.Allocate(1000, "")
		require.NoError(t, err)
	})
	t.Run("absurd sizes", func(t *testing.T) {
		a := fresh(t, Config{})
		_, err := a.Allocate(1000, "")
		require.NoError(t, err)
		for _, bytes := range []uint64{^uint64(0), ^uint64(0) - 999, 1 << 63, 1 << 56} {
			require.NotPanics(t, func() { _, err = a.Allocate(bytes, "") }, "%#x", bytes)
			require.ErrorIs(t, err, ErrMemory)
		}
		require.NoError(t, a.Check())
	})
	t.Run("closed", func(t *testing.T) {
		a := fresh(t, Config{})
		at, err := a.Allocate(1000, "left behind")
		require.NoError(t, err)
		require.NoError(t, a.Close())
		require.Zero(t, source.Used(), "live blocks too are released")
		st := a.Stats()
		require.Zero(t, st.Occupied+st.Reserved+st.Slabs+st.Free+st.Waiting, "nothing is held any more")
		_, err = a.Allocate(1, "")
		require.ErrorIs(t, err, ErrClosed)
		require.ErrorIs(t, a.Free(at), ErrClosed)
		require.ErrorIs(t, a.Depend(at, newFlag()), ErrClosed)
		_, err = a.Find(at)
		require.ErrorIs(t, err, ErrClosed)
		require.ErrorIs(t, a.Check(), ErrClosed)
		require.NotPanics(t, func() { a.Stats(); blocksOf(a) })
		require.False(t, a.Starts(at))
		require.Empty(t, blocksOf(a))
		_, _ = a.Trim()
		require.NoError(t, a.Close(), "twice")
	})
	t.Run("trim is harmless", func(t *testing.T) {
		a := fresh(t, Config{})
		at, err := a.Allocate(500_000, "")
		require.NoError(t, err)
		_, err = a.Trim()
		require.NoError(t, err)
		require.NoError(t, a.Free(at))
		_, err = a.Trim()
		require.NoError(t, err)
		require.LessOrEqual(t, source.Used(), uint64(64<<10), "empty slabs were released")
		require.NoError(t, a.Check())
	})
}

func TestDirectIsExact(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	d, err := NewDirect(Config{Source: source, Initial: mib})
	require.NoError(t, err)
	require.Empty(t, source.Calls, "no slab")
	a, err := d.AllocateRoom(1000, 1024, d.Labels().ID("x"))
	require.NoError(t, err)
	_, err = d.Allocate(0, "")
	require.NoError(t, err)
	require.Equal(t, []uint64{1000, 1}, source.Asked(), "what was asked for, so that tools see the true size")
	require.Equal(t, Stats{InUse: 1000, Blocks: 2, Occupied: 1000, Reserved: 1000, HighWater: 1000, Allocations: 2}, d.Stats())
	require.NoError(t, d.Free(a))
	require.EqualValues(t, 1, source.Used, "each block goes back at once")
}

func TestDirectReachesItsLimit(t *testing.T) {
	d, err := NewDirect(Config{Source: paper.New(paper.Upwards, 0), Limit: 1000})
	require.NoError(t, err)
	a, err := d.Allocate(600, "")
	require.NoError(t, err)
	_, err = d.Allocate(400, "")
	require.NoError(t, err, "up to the last byte")
	_, err = d.Allocate(1, "")
	require.ErrorIs(t, err, ErrMemory)
	event := newFlag()
	require.NoError(t, d.Depend(a, event))
	require.NoError(t, d.Free(a))
	_, err = d.Allocate(1, "")
	require.ErrorIs(t, err, ErrMemory, "what waits is held")
	event.complete()
	_, err = d.Allocate(600, "")
	require.NoError(t, err)
	require.NoError(t, d.Check())
}

// TestDirectWithASourceThatRefuses: the block stays as it was, and can be freed later.
func TestDirectWithASourceThatRefuses(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	d, err := NewDirect(Config{Source: source})
	require.NoError(t, err)
	a, err := d.Allocate(1000, "")
	require.NoError(t, err)
	before := d.Stats()
	source.FailRelease = true
	require.ErrorIs(t, d.Free(a), backend.ErrRefused)
	require.Equal(t, before, d.Stats())
	require.NoError(t, d.Check())
	require.ErrorIs(t, d.Close(), backend.ErrRefused)
	source.FailRelease = false
	require.NoError(t, d.Close())
	require.Empty(t, source.Given)
}

// TestDirectSweepsIntoASourceThatRefuses: the same for a block that waited.
func TestDirectSweepsIntoASourceThatRefuses(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	d, err := NewDirect(Config{Source: source})
	require.NoError(t, err)
	a, err := d.Allocate(1000, "")
	require.NoError(t, err)
	event := newFlag()
	require.NoError(t, d.Depend(a, event))
	require.NoError(t, d.Free(a))
	source.FailRelease = true
	event.complete()
	require.NoError(t, d.Check(), "the block is neither lost nor counted wrongly")
	require.EqualValues(t, 1, d.Stats().WaitBlocks)
	source.FailRelease = false
	require.Zero(t, d.Stats().WaitBlocks, "the next call tries again")
	require.Empty(t, source.Given)
	require.NoError(t, d.Check())
}

// balkingSource refuses the next Release calls.
type balkingSource struct {
	*paper.Source
	balks int
}

func (s *balkingSource) Release(addr uintptr, bytes uint64) error {
	if s.balks > 0 {
		s.balks--
		return backend.ErrRefused
	}
	return s.Source.Release(addr, bytes)
}

// TestDirectClosesWhatWasRefused: refused by the sweep that Close begins with, and taken after that.
func TestDirectClosesWhatWasRefused(t *testing.T) {
	source := &balkingSource{paper.New(paper.Upwards, 0), 0}
	d, err := NewDirect(Config{Source: source})
	require.NoError(t, err)
	a, err := d.Allocate(1000, "")
	require.NoError(t, err)
	event := newFlag()
	require.NoError(t, d.Depend(a, event))
	require.NoError(t, d.Free(a))
	event.complete()
	source.balks = 1
	require.NoError(t, d.Close())
	require.Empty(t, source.Given)
	require.Equal(t, Stats{HighWater: 1000, Allocations: 1, Frees: 1}, d.Stats())
}

func TestFragmentation(t *testing.T) {
	for _, row := range []struct {
		free, largest uint64
		want          float64
	}{{0, 0, 0}, {100, 100, 0}, {100, 25, 0.75}} {
		require.InDelta(t, row.want, Stats{Free: row.free, LargestGap: row.largest}.Fragmentation(), 1e-12)
	}
}
