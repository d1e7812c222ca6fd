package gator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// In this file: tests of a front together with its allocator. The front is in parking_test.go; the suite for all allocators is in fronttest.

// fresh takes a block of 1000 bytes, dropped frees blocks.
func (f *parking) fresh(t *testing.T, label string) uintptr {
	addr, err := f.Allocate(1000, label)
	require.NoError(t, err)
	return addr
}

func (f *parking) dropped(t *testing.T, addrs ...uintptr) {
	for _, addr := range addrs {
		require.NoError(t, f.Free(addr))
	}
}

// TestFronts asks every question about parked blocks: the answers are those without a front, and the front runs again after each call.
func TestFronts(t *testing.T) {
	for name, behind := range parkers {
		t.Run(name, func(t *testing.T) {
			source := paper.New(paper.Upwards, 2*mib)
			f := behind(t, Config{Source: source, Initial: mib, Grow: mib})
			a := f.fresh(t, "a")
			f.dropped(t, a)
			require.Equal(t, []uintptr{a}, f.parked)
			require.Equal(t, a, f.fresh(t, "a"), "served by the front")
			b := f.fresh(t, "b")
			f.dropped(t, a)
			require.False(t, f.Starts(a))
			require.False(t, f.Uses(a, newFlag()))
			require.False(t, f.Uses(a+10, newFlag()))
			_, err := f.Find(a + 10)
			require.ErrorIs(t, err, ErrPointer)
			require.Len(t, f.parked, 1, "look-ups do not empty the front")
			require.ErrorIs(t, f.Free(a+8), ErrPointer)
			require.ErrorContains(t, f.Free(a), "freed already")
			require.ErrorContains(t, f.Depend(a, newFlag()), "freed already")
			st := f.Stats()
			require.Equal(t, []uint64{1000, 1, 3, 2}, []uint64{st.InUse, st.Blocks, st.Allocations, st.Frees})
			require.Empty(t, f.parked, "statistics do")
			require.Equal(t, []Block{{b, 1000, "b", false}}, blocksOf(f))
			event := newFlag()
			require.True(t, f.Uses(b+100, event))
			f.dropped(t, b)
			require.Empty(t, f.parked, "a block that depends on an event is not parked")
			require.EqualValues(t, 1, f.Stats().WaitBlocks)
			event.complete()
			f.dropped(t, f.fresh(t, "b"))
			require.Len(t, f.parked, 1, "the next block there depends on nothing")
			for _, c := range []struct {
				name string
				call func() error
				want error
			}{
				{"allocate", func() error { _, err := f.fronted.Allocate(1000, ""); return err }, nil},
				{"grow", func() error { _, err := f.Allocate(mib, "grow"); return err }, nil},
				{"out of memory", func() error { _, err := f.Allocate(mib, ""); return err }, ErrMemory},
				{"absurd", func() error { _, err := f.Allocate(^uint64(0), ""); return err }, ErrMemory},
				{"free nothing", func() error { return f.Free(0) }, ErrPointer},
				{"stats", func() error { f.Stats(); blocksOf(f); return nil }, nil},
				{"check", f.Check, nil},
				{"trim", func() error { _, err := f.Trim(); return err }, nil},
				{"park", func() error { f.dropped(t, f.fresh(t, "parked at the end")); return nil }, nil},
				{"close", f.Close, nil},
				{"stats after close", func() error { f.Stats(); blocksOf(f); return nil }, nil},
				{"check after close", f.Check, ErrClosed},
				{"allocate after close", func() error { _, err := f.Allocate(1, ""); return err }, ErrClosed},
			} {
				require.ErrorIs(t, c.call(), c.want, c.name)
				f.running(t)
			}
			require.Empty(t, f.parked)
			require.Empty(t, f.offers, "nothing may be parked any more")
			require.Empty(t, source.Given)
			before := f.Stats()
			require.Zero(t, before.InUse+before.Blocks+before.Waiting+before.WaitBlocks)
			require.Equal(t, before.Allocations, before.Frees)
			f.counts = f.counts.plus(Counts{Allocations: 100}) // of the allocator that comes next
			require.Equal(t, before, f.Stats())
		})
	}
}

// TestFrontIsDrainedBeforeMoreMemory asks for memory that only the parked blocks have.
func TestFrontIsDrainedBeforeMoreMemory(t *testing.T) {
	for name, behind := range parkers {
		source := paper.New(paper.Upwards, 64<<10)
		f := behind(t, Config{Source: source, Initial: 64 << 10})
		var blocks []uintptr
		for range 60 {
			blocks = append(blocks, f.fresh(t, ""))
		}
		f.dropped(t, blocks...)
		require.Len(t, f.parked, 60, name)
		_, err := f.Allocate(60_000, "")
		require.NoError(t, err, name)
		require.Empty(t, f.parked)
		require.NoError(t, f.Check())
		f.running(t)
	}
}

// Tests of a front of slabs alone.

func TestPublishAndWithdraw(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, f := parkingPool(t, Config{Source: source, Block: 4096, Initial: mib, Grow: 2 * mib})
	first := p.slabs[0]
	require.Equal(t, map[uintptr]offer{first.base: {mib, 12, first.records}}, f.offers)
	a, err := f.Allocate(2*mib, "")
	require.NoError(t, err)
	require.Len(t, f.offers, 2)
	f.dropped(t, a)
	source.FailRelease = true
	_, err = p.Trim()
	require.ErrorIs(t, err, backend.ErrRefused)
	require.Len(t, f.offers, 2, "a slab that stays is published again")
	source.FailRelease = false
	released, err := p.Trim()
	require.NoError(t, err)
	require.EqualValues(t, 2*mib, released, "a slab with parked blocks only is empty")
	require.Len(t, f.offers, 1)
	source.FailRelease = true
	require.ErrorIs(t, p.Close(), backend.ErrRefused)
	require.Empty(t, f.offers, "a closed pool has nothing that may be parked or served")
}

func TestReclaim(t *testing.T) {
	p, f := parkingPool(t, Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	f.dropped(t, f.fresh(t, "a"), f.fresh(t, "b"))
	p.Reclaim(func(take func(uintptr)) {
		require.False(t, p.mu.TryLock(), "no thread may look between the front's list and the gaps")
		f.Drain(take)
	})
	require.NoError(t, p.checkLocked(), "before anything else drains the front")
	require.Zero(t, p.Stats().Occupied)
	require.EqualValues(t, 2, p.Stats().Frees)
}

// Tests of a front of single blocks alone.

func TestBlocksAreParkedAsTheyAre(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	f := parkers["blocks"](t, Config{Source: source})
	a := f.fresh(t, "a")
	f.dropped(t, a)
	b := f.fresh(t, "b")
	require.NotEqual(t, a, b, "the register says another label")
	c, err := f.Allocate(100, "c\x00d")
	require.NoError(t, err)
	f.dropped(t, c)
	require.Equal(t, []uintptr{a}, f.parked, "C would read another label")
	released, err := f.Trim()
	require.NoError(t, err)
	require.Zero(t, released, "no statistics count it")
	require.Empty(t, f.parked)

	f.capacity = 1
	f.dropped(t, f.fresh(t, "c"), b)
	require.Empty(t, f.parked, "full, so it was emptied")
	a = f.fresh(t, "a")
	f.dropped(t, a)
	source.FailRelease = true
	st := f.Stats()
	require.EqualValues(t, []uint64{1, 0}, []uint64{st.WaitBlocks, st.Blocks}, "freed all the same, and held until the source takes it")
	require.Equal(t, st.Allocations, st.Frees)
	require.NoError(t, f.Check())
	source.FailRelease = false
	require.Zero(t, f.Stats().WaitBlocks)
	require.Empty(t, source.Given)
}

// TestHighWaterIsOfLiveBlocks also counts blocks that only the front has seen live at the same time, and one that it hands out while it is being stopped.
func TestHighWaterIsOfLiveBlocks(t *testing.T) {
	f := parkers["blocks"](t, Config{Source: paper.New(paper.Upwards, 0)})
	use := func(labels ...string) {
		var live []uintptr
		for _, label := range labels {
			live = append(live, f.fresh(t, label))
		}
		f.dropped(t, live...)
	}
	for _, label := range []string{"a", "b", "c", "d"} {
		use(label)
	}
	use("a", "b", "c")
	require.Len(t, f.parked, 4)
	require.EqualValues(t, 3000, f.Stats().HighWater)
	use("a", "b")
	require.EqualValues(t, 3000, f.Stats().HighWater)
	f.dropped(t, f.fresh(t, "late"))
	for _, label := range []string{"e", "f", "g"} {
		f.fresh(t, label)
	}
	f.late = func() {
		f.late = func() {}
		f.fresh(t, "late")
	}
	require.NoError(t, f.Check())
	require.EqualValues(t, 4000, f.Stats().HighWater)
	require.NoError(t, f.Close())
	require.EqualValues(t, 4000, f.Stats().HighWater)
}

// TestHighWaterHasWaitingBlocks adds them to the blocks that only the front saw live at that time.
func TestHighWaterHasWaitingBlocks(t *testing.T) {
	f := parkers["blocks"](t, Config{Source: paper.New(paper.Upwards, 0)})
	for _, label := range []string{"a", "b"} {
		f.dropped(t, f.fresh(t, label))
	}
	event, waits := newFlag(), f.fresh(t, "waits")
	require.NoError(t, f.Depend(waits, event))
	f.dropped(t, waits)
	f.dropped(t, f.fresh(t, "a"), f.fresh(t, "b"))
	event.complete()
	require.EqualValues(t, 3000, f.Stats().HighWater)
}

// held is a source in front of a pool, which holds memory.
type held struct{ *Pool }

func (h held) Reserve(bytes uint64) (uintptr, error)    { return h.Pool.Allocate(bytes, "") }
func (h held) ReserveHeld(bytes uint64) (uintptr, bool) { return h.Pool.AllocateHeld(bytes) }
func (h held) Release(addr uintptr, _ uint64) error     { return h.Pool.Free(addr) }

// TestParkedBlocksComeBeforeGrowth has a pool as its source, which does not grow while the front keeps enough blocks.
func TestParkedBlocksComeBeforeGrowth(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	pool, err := New(Config{Source: source, Initial: 8192, Grow: 8192})
	require.NoError(t, err)
	f := parkers["blocks"](t, Config{Source: held{pool}})
	f.fresh(t, "live")
	for bytes := uint64(2000); bytes < 6000; bytes += 100 {
		addr, err := f.Allocate(bytes, "each time more")
		require.NoError(t, err)
		f.dropped(t, addr)
		require.NotEmpty(t, f.parked)
	}
	require.Len(t, source.Calls, 1, "one slab")
	_, err = f.Allocate(8000, "needs another")
	require.NoError(t, err)
	require.Len(t, source.Calls, 2)
	require.NoError(t, f.Check())
	require.NoError(t, pool.Check())
	require.NoError(t, f.Close())
	require.NoError(t, pool.Close())
	_, ok := pool.AllocateHeld(1)
	require.False(t, ok, "closed")
}
