package gator

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// parking is a front as the magazines in C are one, without their speed: it parks freed blocks by swapping
// the state in their record, and serves them again. Its lock is the stop: who holds it, is inside.
type parking struct {
	mu     sync.Mutex // guards the fields below; held from Stop to Start
	slabs  map[uintptr]publishedSlab
	parked []uintptr
	counts Counts
	stops  int
	starts int
	drains int
	pool   *Pool
}

type publishedSlab struct {
	bytes   uint64
	shift   uint
	records records
}

func newParking() *parking { return &parking{slabs: map[uintptr]publishedSlab{}} }

// parkingPool makes a pool behind a front of its own.
func parkingPool(t *testing.T, c Config) (*Pool, *parking) {
	front := newParking()
	c.Front = front
	p, err := New(c)
	require.NoError(t, err)
	front.pool = p
	return p, front
}

// The pool's half.

func (f *parking) Publish(base uintptr, bytes uint64, shift uint, words []uint64) {
	if _, twice := f.slabs[base]; twice {
		panic("parking: published twice")
	}
	f.slabs[base] = publishedSlab{bytes, shift, words}
}

func (f *parking) Withdraw(base uintptr, bytes uint64) {
	if f.slabs[base].bytes != bytes {
		panic("parking: withdrawn but never published")
	}
	delete(f.slabs, base)
}

func (f *parking) Stop()  { f.mu.Lock(); f.stops++ }
func (f *parking) Start() { f.starts++; f.mu.Unlock() }

func (f *parking) Drain(take func(uintptr)) {
	f.drains++
	for _, addr := range f.parked {
		take(addr)
	}
	f.parked = nil
}

// Counts is called with the front stopped, but for New.
func (f *parking) Counts() Counts { return f.counts }

// The users' half.

// record finds the record of a block's first granule.
func (f *parking) record(addr uintptr) (records, uint32, bool) {
	for base, s := range f.slabs {
		if addr-base < uintptr(s.bytes) {
			return s.records, uint32((addr - base) >> s.shift), true
		}
	}
	return nil, 0, false
}

// free parks a block; what it may not park goes to the pool.
func (f *parking) free(addr uintptr) error {
	f.mu.Lock()
	if r, u, ok := f.record(addr); ok {
		st := r.state(u)
		if st.kind() == kindLive && st&flagDepends == 0 && r.swap(u, st, st.as(kindParked)) {
			f.parked = append(f.parked, addr)
			f.counts.Bytes -= int64(st.bytes())
			f.counts.Blocks--
			f.counts.Frees++
			f.mu.Unlock()
			return nil
		}
	}
	f.mu.Unlock()
	return f.pool.Free(addr)
}

// allocate serves a parked block of exactly the class, or asks the pool for one.
func (f *parking) allocate(bytes uint64, label string) (uintptr, error) {
	id := f.pool.Labels().ID(label)
	class := (bytes + 1023) &^ 1023
	f.mu.Lock()
	for i, addr := range f.parked {
		r, u, _ := f.record(addr)
		if units := r.length(u); uint64(units)*f.pool.config.Block != class {
			continue
		} else {
			r.setSpan(u, units, labelID(id))
			r.setState(u, liveState(bytes))
		}
		f.parked = append(f.parked[:i], f.parked[i+1:]...)
		f.counts.Bytes += int64(bytes)
		f.counts.Blocks++
		f.counts.Allocations++
		f.mu.Unlock()
		return addr, nil
	}
	f.mu.Unlock()
	return f.pool.AllocateRoom(bytes, class, id)
}

// running says that every Stop had its Start.
func (f *parking) running(t *testing.T) {
	t.Helper()
	require.True(t, f.mu.TryLock(), "the front is still stopped")
	require.Equal(t, f.stops, f.starts)
	f.mu.Unlock()
}

func TestFrontIsSeenThrough(t *testing.T) {
	p, front := parkingPool(t, Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	a, err := front.allocate(1000, "h")
	require.NoError(t, err)
	b, err := front.allocate(1000, "b")
	require.NoError(t, err)
	require.NoError(t, front.free(a))
	require.Len(t, front.parked, 1)
	again, err := front.allocate(900, "flux")
	require.NoError(t, err)
	require.Equal(t, a, again, "served by the front")
	require.EqualValues(t, Counts{Bytes: -100, Frees: 1, Allocations: 1}, front.counts)
	require.NoError(t, front.free(b))
	require.ErrorContains(t, p.Free(b), "freed already", "a parked block is nobody's")
	require.ErrorContains(t, p.Depend(b, newFlag()), "freed already")
	_, err = p.Find(b)
	require.ErrorIs(t, err, ErrPointer)
	require.Len(t, front.parked, 1, "look-ups do not empty the front")
	require.Equal(t, Stats{Slabs: 1, InUse: 900, Blocks: 1, Occupied: 1024, HighWater: 2048, Reserved: mib, Free: mib - 1024,
		LargestGap: mib - 1024, Allocations: 3, Frees: 2}, p.Stats())
	require.Empty(t, front.parked, "statistics do")
	require.Equal(t, []Block{{a, 900, "flux", false}}, blocksOf(p))
	require.NoError(t, p.Check())
	require.NoError(t, front.free(a))
	require.NoError(t, p.Check())
	require.Zero(t, p.Stats().Occupied)
	front.running(t)
}

func TestFrontIsDrainedBeforeGrowth(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, front := parkingPool(t, Config{Source: source, Initial: 64 << 10})
	var blocks []uintptr
	for range 64 {
		a, err := front.allocate(1000, "")
		require.NoError(t, err)
		blocks = append(blocks, a)
	}
	for _, a := range blocks {
		require.NoError(t, front.free(a))
	}
	require.Len(t, front.parked, 64)
	_, err := p.Allocate(64<<10, "")
	require.NoError(t, err)
	require.Len(t, source.Calls, 1, "what was parked is enough")
	require.Equal(t, 1, front.drains)
	require.NoError(t, p.Check())
	front.running(t)
}

// TestEveryCallStartsTheFrontAgain: also those that fail.
func TestEveryCallStartsTheFrontAgain(t *testing.T) {
	source := paper.New(paper.Upwards, 2*mib)
	p, front := parkingPool(t, Config{Source: source, Initial: mib, Grow: mib})
	calls := []struct {
		name string
		call func() error
		want error
	}{
		{"allocate", func() error { _, err := p.Allocate(1000, ""); return err }, nil},
		{"grow", func() error { _, err := p.Allocate(mib, "grow"); return err }, nil},
		{"out of memory", func() error { _, err := p.Allocate(mib, ""); return err }, ErrMemory},
		{"absurd", func() error { _, err := p.Allocate(^uint64(0), ""); return err }, ErrMemory},
		{"free nothing", func() error { return p.Free(0) }, ErrPointer},
		{"stats", func() error { p.Stats(); blocksOf(p); return nil }, nil},
		{"check", p.Check, nil},
		{"trim", func() error { _, err := p.Trim(); return err }, nil},
		{"close", p.Close, nil},
		{"stats after close", func() error { p.Stats(); blocksOf(p); return nil }, nil},
		{"check after close", p.Check, ErrClosed},
		{"allocate after close", func() error { _, err := p.Allocate(1, ""); return err }, ErrClosed},
	}
	for _, c := range calls {
		err := c.call()
		require.ErrorIs(t, err, c.want, c.name)
		front.running(t)
	}
	require.Zero(t, len(front.slabs), "all slabs are withdrawn")
}

func TestPublishAndWithdraw(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, front := parkingPool(t, Config{Source: source, Block: 4096, Initial: mib, Grow: 2 * mib})
	require.Len(t, front.slabs, 1)
	first := p.slabs[0]
	require.Equal(t, publishedSlab{mib, 12, first.records}, front.slabs[first.base])
	a, err := front.allocate(2*mib, "")
	require.NoError(t, err)
	require.Len(t, front.slabs, 2)
	require.NoError(t, front.free(a))
	source.FailRelease = true
	_, err = p.Trim()
	require.ErrorIs(t, err, backend.ErrRefused)
	require.Len(t, front.slabs, 2, "a slab that stays is published again")
	source.FailRelease = false
	released, err := p.Trim()
	require.NoError(t, err)
	require.EqualValues(t, 2*mib, released, "a slab with parked blocks only is empty")
	require.Len(t, front.slabs, 1)
	require.NoError(t, p.Close())
	require.Zero(t, len(front.slabs))
}

func TestClosedSlabsAreNotPublished(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, front := parkingPool(t, Config{Source: source, Initial: mib})
	source.FailRelease = true
	require.ErrorIs(t, p.Close(), backend.ErrRefused)
	require.Zero(t, len(front.slabs), "a closed pool has nothing that may be parked or served")
}

func TestDependingBlocksAreNotParked(t *testing.T) {
	p, front := parkingPool(t, Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	a, err := front.allocate(1000, "h")
	require.NoError(t, err)
	event := newFlag()
	require.NoError(t, p.Depend(a, event))
	require.NoError(t, front.free(a))
	require.Empty(t, front.parked)
	require.EqualValues(t, 1, p.Stats().WaitBlocks)
	b, err := front.allocate(1000, "h")
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	event.complete()
	b, err = front.allocate(1000, "h")
	require.NoError(t, err)
	require.Equal(t, a, b)
	require.NoError(t, front.free(b), "its new life depends on nothing")
	require.Len(t, front.parked, 1)
	require.NoError(t, p.Check())
}

func TestReclaim(t *testing.T) {
	p, front := parkingPool(t, Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	for range 3 {
		_, err := front.allocate(1000, "")
		require.NoError(t, err)
	}
	for _, b := range blocksOf(p) {
		require.NoError(t, front.free(b.Addr))
	}
	p.Reclaim(func(take func(uintptr)) {
		require.False(t, p.mu.TryLock(), "nobody may look between the front's list and the gaps")
		front.Drain(take)
	})
	require.NoError(t, p.checkLocked(), "before anything else drains the front")
	require.Zero(t, p.Stats().Occupied)
	require.EqualValues(t, 3, p.Stats().Frees)
}

// TestHistoryOfAFront: what a front did for a pool that is gone does not count for the next.
func TestHistoryOfAFront(t *testing.T) {
	front := newParking()
	front.counts = Counts{Bytes: -500, Blocks: -3, Allocations: 7, Frees: 10}
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Front: front})
	require.NoError(t, err)
	require.Equal(t, Stats{}, p.Stats())
	require.NoError(t, p.Check())
}

func TestRoomFallsBackToTheExactSize(t *testing.T) {
	for _, where := range []string{"limit", "source", "new slab"} {
		t.Run(where, func(t *testing.T) {
			c := Config{Initial: 1024, Block: 64, Grow: 64}
			source := paper.New(paper.Upwards, 0)
			first := uint64(1000)
			switch where {
			case "limit":
				c.Limit = 1024
			case "source":
				source.Capacity = 1024
			case "new slab":
				c.Limit, first = 2048, 1024 // 1024 are left, for bytes but not for room
				source.Place = paper.Downwards
			}
			c.Source = source
			p, _ := parkingPool(t, c)
			if where == "new slab" {
				_, err := p.Allocate(first, "")
				require.NoError(t, err)
			}
			a, err := p.AllocateRoom(1000, 1088, 0)
			require.NoError(t, err)
			b, err := p.Find(a)
			require.NoError(t, err)
			require.EqualValues(t, 1000, b.Bytes)
			require.NoError(t, p.Check())
			before := p.Stats()
			_, err = p.AllocateRoom(1000, 1088, 0)
			var memory *MemoryError
			require.ErrorAs(t, err, &memory)
			require.EqualValues(t, 1000, memory.Bytes, "what was asked for, not the class")
			require.Equal(t, before, p.Stats())
			require.NoError(t, p.Free(a))
			require.NoError(t, p.Check())
		})
	}
}

func TestRoomIsOccupied(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Block: 64, Initial: mib})
	require.NoError(t, err)
	_, err = p.AllocateRoom(100, 1024, 0)
	require.NoError(t, err)
	_, err = p.AllocateRoom(100, 10, 0)
	require.NoError(t, err, "room below bytes means bytes")
	st := p.Stats()
	require.EqualValues(t, 200, st.InUse)
	require.EqualValues(t, 1024+128, st.Occupied)
	require.NoError(t, p.Check())
}

// TestThreadsThroughAFront: several goroutines through the front, others at the pool's own doors.
func TestThreadsThroughAFront(t *testing.T) {
	p, front := parkingPool(t, Config{Source: paper.New(paper.Upwards, 0), Initial: 256 << 10})
	var group sync.WaitGroup
	failures := make(chan error, 100)
	const workers, rounds = 4, 3000
	for g := range uint64(workers) {
		group.Go(func() {
			random := rand.New(rand.NewPCG(g, 9))
			var mine []uintptr
			for i := range rounds {
				a, err := front.allocate(uint64(random.IntN(8000)), labels[random.IntN(len(labels))])
				if err == nil {
					mine = append(mine, a)
				}
				if n := len(mine); n > 0 && (n > 20 || random.IntN(2) == 0) {
					k := random.IntN(n)
					if random.IntN(10) == 0 {
						event := newFlag()
						if e := p.Depend(mine[k], event); e != nil {
							err = e
						}
						defer event.complete()
					}
					if e := front.free(mine[k]); e != nil {
						err = e
					}
					mine[k], mine = mine[n-1], mine[:n-1]
				}
				if i%500 == 0 {
					if e := p.Check(); e != nil {
						err = e
					}
				}
				if err != nil {
					failures <- fmt.Errorf("worker %d, round %d: %w", g, i, err)
					return
				}
			}
			for _, a := range mine {
				if err := front.free(a); err != nil {
					failures <- err
				}
			}
		})
	}
	group.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	require.NoError(t, p.Check())
	st := p.Stats()
	require.Zero(t, st.InUse+st.Blocks+st.Occupied+st.WaitBlocks)
	require.EqualValues(t, workers*rounds, st.Allocations)
	require.EqualValues(t, workers*rounds, st.Frees)
	front.running(t)
}
