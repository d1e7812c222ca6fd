package gator

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/fake"
	"libportable/internal/backend/paper"
)

// keeping is a front of a Direct as the one in C is: a freed block waits for a request of its bytes and label. What does not fit goes to the Direct.
type keeping struct {
	*Direct
	mu        sync.Mutex // guards the fields below
	stopped   bool
	full      bool
	room      int // blocks it keeps
	published map[uintptr]bool
	of        map[uintptr]Block // what it has given out, as it was asked for
	parked    []uintptr
	counts    Counts
	most      int64
	stops     int
	starts    int
	late      func() // what a user does while the Direct is about to stop this
}

func newKeeping(t *testing.T, c Config) *keeping {
	f := &keeping{room: 50, published: map[uintptr]bool{}, of: map[uintptr]Block{}, late: func() {}}
	f.counts = Counts{Bytes: -77, Blocks: -1, Allocations: 5, Frees: 6} // of another allocator, before
	c.Blocks = keepingFront{f}
	d, err := NewDirect(c)
	require.NoError(t, err)
	f.Direct = d
	return f
}

// The users' half.

func (f *keeping) Allocate(bytes uint64, label string) (uintptr, error) {
	f.mu.Lock()
	for i, addr := range f.parked {
		if b := f.of[addr]; b.Bytes == bytes && b.Label == label && !f.stopped {
			f.parked = append(f.parked[:i], f.parked[i+1:]...)
			f.counts = f.counts.plus(Counts{Bytes: int64(bytes), Blocks: 1, Allocations: 1})
			f.most = max(f.most, f.counts.Bytes)
			f.mu.Unlock()
			return addr, nil
		}
	}
	f.mu.Unlock()
	addr, err := f.Direct.Allocate(bytes, label)
	if err == nil {
		f.mu.Lock()
		f.of[addr] = Block{Addr: addr, Bytes: bytes, Label: label}
		f.mu.Unlock()
	}
	return addr, err
}

func (f *keeping) Free(addr uintptr) error {
	f.mu.Lock()
	if f.published[addr] && !f.stopped && !f.isParked(addr) {
		if f.full = len(f.parked) == f.room; !f.full {
			f.parked = append(f.parked, addr)
			f.counts = f.counts.minus(Counts{Bytes: int64(f.of[addr].Bytes), Blocks: 1, Frees: -1})
			f.mu.Unlock()
			return nil
		}
	}
	f.mu.Unlock()
	return f.Direct.Free(addr)
}

func (f *keeping) isParked(addr uintptr) bool {
	for _, a := range f.parked {
		if a == addr {
			return true
		}
	}
	return false
}

// keepingFront is the Direct's half.
type keepingFront struct{ f *keeping }

func (k keepingFront) under(do func()) {
	k.f.mu.Lock()
	defer k.f.mu.Unlock()
	do()
}

func (k keepingFront) Publish(addr uintptr) { k.under(func() { k.f.published[addr] = true }) }

func (k keepingFront) Withdraw(addr uintptr) (live bool) {
	k.under(func() {
		if live = !k.f.isParked(addr); live {
			delete(k.f.published, addr)
		}
	})
	return live
}

func (k keepingFront) Parked(addr uintptr) (is bool) {
	k.under(func() { is = k.f.isParked(addr) })
	return is
}

func (k keepingFront) Full() (is bool)    { k.under(func() { is = k.f.full }); return is }
func (k keepingFront) Stop()              { k.f.late(); k.under(func() { k.f.stopped = true; k.f.stops++ }) }
func (k keepingFront) Start()             { k.under(func() { k.f.stopped = false; k.f.starts++ }) }
func (k keepingFront) Counts() (c Counts) { k.under(func() { c = k.f.counts }); return c }

func (k keepingFront) Most() (most int64) {
	k.under(func() { most, k.f.most = k.f.most, k.f.counts.Bytes })
	return most
}

func (k keepingFront) Drain(take func(uintptr)) {
	var parked []uintptr
	k.under(func() {
		parked, k.f.parked, k.f.full = k.f.parked, nil, false
		for _, addr := range parked {
			delete(k.f.published, addr)
		}
	})
	for _, addr := range parked {
		take(addr)
	}
}

func TestDirectBehindAFrontIsAnAllocator(t *testing.T) {
	testAllocator(t, func(t *testing.T, c Config) Allocator {
		f := newKeeping(t, c)
		t.Cleanup(func() {
			require.Equal(t, f.stops, f.starts)
			require.False(t, f.stopped)
		})
		return f
	})
}

// TestDirectSeesThroughItsFront: each question about parked blocks has the answer that it would have without a front.
func TestDirectSeesThroughItsFront(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	f := newKeeping(t, Config{Source: source, Limit: 3000})
	fresh := func(label string) uintptr {
		addr, err := f.Allocate(1000, label)
		require.NoError(t, err)
		return addr
	}
	a := fresh("a")
	require.NoError(t, f.Free(a))
	require.Len(t, f.parked, 1)
	require.EqualValues(t, 1000, source.Used)
	require.Equal(t, a, fresh("a"), "the same bytes and label")
	b := fresh("b")
	require.NotEqual(t, a, b)
	require.NoError(t, f.Free(a))
	require.False(t, f.Starts(a))
	require.False(t, f.Uses(a+10, newFlag()))
	require.False(t, f.Uses(a, newFlag()))
	_, err := f.Find(a + 10)
	require.ErrorIs(t, err, ErrPointer)
	require.Len(t, f.parked, 1, "none of these needs it emptied")
	require.ErrorContains(t, f.Free(a+8), "not")
	require.ErrorContains(t, f.Depend(a, newFlag()), "freed already")
	require.Empty(t, f.parked, "who frees again is told as without")
	require.NoError(t, f.Check())

	require.NoError(t, f.Free(b))
	require.Len(t, f.parked, 1)
	released, err := f.Trim()
	require.NoError(t, err)
	require.Zero(t, released, "statistics have no byte of it")
	require.Empty(t, f.parked)
	b = fresh("b")
	require.NoError(t, f.Free(b))
	_, err = f.Allocate(2500, "needs the room of what is parked")
	require.NoError(t, err)
	require.Empty(t, f.parked)
	require.Equal(t, Stats{InUse: 2500, Blocks: 1, Occupied: 2500, Reserved: 2500, HighWater: 2500, Limit: 3000, Allocations: 5, Frees: 4}, f.Stats())

	c, err := f.Allocate(100, "c\x00d")
	require.NoError(t, err)
	require.NoError(t, f.Free(c))
	require.Empty(t, f.parked, "C would read another label")

	d, err := f.Allocate(200, "kept by an event")
	require.NoError(t, err)
	on := newFlag()
	require.True(t, f.Uses(d+100, on))
	require.NoError(t, f.Free(d))
	require.Empty(t, f.parked)
	require.EqualValues(t, 1, f.Stats().WaitBlocks)
	on.complete()
	require.NoError(t, f.Check())

	f.room = 3
	var list []uintptr
	for range 5 {
		addr, err := f.Allocate(10, "one of many")
		require.NoError(t, err)
		list = append(list, addr)
	}
	for _, addr := range list[:4] {
		require.NoError(t, f.Free(addr))
	}
	require.Empty(t, f.parked, "full, so it was emptied")
	require.NoError(t, f.Free(list[4]))
	require.Len(t, f.parked, 1)

	require.NoError(t, f.Close())
	require.Empty(t, f.parked)
	require.Empty(t, f.published)
	require.Empty(t, source.Given)
	require.Equal(t, f.stops, f.starts)
	before := f.Stats()
	f.counts = f.counts.plus(Counts{Allocations: 100}) // of the allocator that comes next
	require.Equal(t, before, f.Stats())
	require.ErrorIs(t, f.Free(a), ErrClosed)
}

// TestHighWaterIsOfLiveBlocks: also of those that only the front has seen live at once.
func TestHighWaterIsOfLiveBlocks(t *testing.T) {
	f := newKeeping(t, Config{Source: paper.New(paper.Upwards, 0)})
	use := func(labels ...string) {
		var live []uintptr
		for _, label := range labels {
			addr, err := f.Allocate(1000, label)
			require.NoError(t, err)
			live = append(live, addr)
		}
		for _, addr := range live {
			require.NoError(t, f.Free(addr))
		}
	}
	for _, label := range []string{"a", "b", "c", "d"} {
		use(label)
	}
	require.Len(t, f.parked, 4)
	use("a", "b", "c")
	require.Len(t, f.parked, 4)
	require.EqualValues(t, 3000, f.Stats().HighWater)
	use("a", "b")
	require.EqualValues(t, 3000, f.Stats().HighWater)
	require.NoError(t, f.Close())
	require.EqualValues(t, 3000, f.Stats().HighWater)
}

// TestHighWaterHasWhatComesOutLate: a block that is handed out by the front while the Direct, which has asked for the high water, stops it.
func TestHighWaterHasWhatComesOutLate(t *testing.T) {
	f := newKeeping(t, Config{Source: paper.New(paper.Upwards, 0)})
	a, err := f.Allocate(1000, "a")
	require.NoError(t, err)
	require.NoError(t, f.Free(a))
	_, err = f.Allocate(900, "b")
	require.NoError(t, err)
	f.late = func() {
		f.late = func() {}
		again, err := f.Allocate(1000, "a")
		require.NoError(t, err)
		require.Equal(t, a, again)
	}
	require.NoError(t, f.Check())
	st := f.Stats()
	require.EqualValues(t, 1900, st.InUse)
	require.EqualValues(t, 1900, st.HighWater)
}

// TestDirectDrainsIntoASourceThatRefuses: the block is freed all the same, and its memory held until the source takes it.
func TestDirectDrainsIntoASourceThatRefuses(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	f := newKeeping(t, Config{Source: source})
	a, err := f.Allocate(1000, "a")
	require.NoError(t, err)
	require.NoError(t, f.Free(a))
	source.FailRelease = true
	st := f.Stats()
	require.EqualValues(t, 1, st.WaitBlocks)
	require.EqualValues(t, 1, st.Frees)
	require.Zero(t, st.Blocks)
	require.NoError(t, f.Check())
	source.FailRelease = false
	require.Zero(t, f.Stats().WaitBlocks)
	require.Empty(t, source.Given)
	require.NoError(t, f.Close())
}

// TestDirectBehindAFrontWithThreads frees each other's blocks while others ask.
func TestDirectBehindAFrontWithThreads(t *testing.T) {
	source := fake.New(0)
	f := newKeeping(t, Config{Source: source})
	f.room = 20
	passed := make(chan uintptr, 64)
	var users, lookers sync.WaitGroup
	stop := make(chan struct{})
	for g := range uint64(4) {
		users.Go(func() {
			random := rand.New(rand.NewPCG(g, 5))
			for range 2000 {
				addr, err := f.Allocate(uint64(random.IntN(4)), labels[random.IntN(len(labels))])
				if err != nil {
					t.Error(err)
					return
				}
				passed <- addr
				if random.IntN(50) == 0 {
					f.Uses(addr, newDone())
				}
				if err := f.Free(<-passed); err != nil {
					t.Error(err)
				}
			}
		})
	}
	lookers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			f.Stats()
			blocksOf(f)
			if err := f.Check(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	users.Wait()
	close(stop)
	lookers.Wait()
	st := f.Stats()
	require.Zero(t, st.Blocks)
	require.EqualValues(t, 8000, st.Allocations)
	require.EqualValues(t, 8000, st.Frees)
	require.NoError(t, f.Close())
	require.Zero(t, source.Used())
}

func newDone() Event {
	done := newFlag()
	done.complete()
	return done
}

// held is a source in front of a pool, which holds memory.
type held struct{ *Pool }

func (h held) Reserve(bytes uint64) (uintptr, error)    { return h.Pool.Allocate(bytes, "") }
func (h held) ReserveHeld(bytes uint64) (uintptr, bool) { return h.Pool.AllocateHeld(bytes) }
func (h held) Release(addr uintptr, _ uint64) error     { return h.Pool.Free(addr) }

// TestParkedBlocksComeBeforeMoreMemory: a pool behind does not grow while the front keeps what it could give.
func TestParkedBlocksComeBeforeMoreMemory(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	pool, err := New(Config{Source: source, Initial: 8192, Grow: 8192})
	require.NoError(t, err)
	f := newKeeping(t, Config{Source: held{pool}})
	keep, err := f.Allocate(1000, "live")
	require.NoError(t, err)
	for bytes := uint64(2000); bytes < 6000; bytes += 100 {
		addr, err := f.Allocate(bytes, "each time more")
		require.NoError(t, err)
		require.NoError(t, f.Free(addr))
		require.NotEmpty(t, f.parked)
	}
	require.Len(t, source.Calls, 1, "one slab")
	addr, err := f.Allocate(8000, "needs another")
	require.NoError(t, err)
	require.Len(t, source.Calls, 2)
	require.NoError(t, f.Free(addr))
	require.NoError(t, f.Free(keep))
	require.NoError(t, f.Check())
	require.NoError(t, pool.Check())
	require.NoError(t, f.Close())
	require.NoError(t, pool.Close())
	_, ok := pool.AllocateHeld(1)
	require.False(t, ok, "closed")
}
