package gator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/fake"
	"libportable/internal/backend/paper"
)

// permutations of 0..n-1.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{{}}
	}
	for _, p := range permutations(n - 1) {
		for at := range n {
			with := append([]int{}, p[:at]...)
			all = append(all, append(append(with, n-1), p[at:]...))
		}
	}
	return all
}

// TestTwoStreams is the case that YAKL v1 loses: a block that depends on two streams is never released
// there before the end of the program, since only the first of its events is asked.
func TestTwoStreams(t *testing.T) {
	for _, first := range []int{0, 1} {
		p, base := granules(t, 10)
		events := []*flag{newFlag(), newFlag()}
		require.EqualValues(t, 0, take(t, p, 10))
		for _, e := range events {
			require.NoError(t, p.Depend(base, e))
		}
		drop(t, p, 0)
		events[first].complete()
		_, err := p.Allocate(640, "")
		require.ErrorIs(t, err, ErrMemory, "one of two events is not enough")
		require.EqualValues(t, 1, p.Stats().WaitBlocks)
		events[1-first].complete()
		again, err := p.Allocate(640, "")
		require.NoError(t, err, "released by the next operation, not at the end")
		require.Equal(t, base, again)
		require.NoError(t, p.Check())
	}
}

// TestThreeArraysOnOneEvent is the other one: of three blocks that wait for one event, YAKL v1 forgets one.
func TestThreeArraysOnOneEvent(t *testing.T) {
	p, base := granules(t, 30)
	event := newFlag()
	for i := range uintptr(3) {
		take(t, p, 10)
		require.NoError(t, p.Depend(base+640*i, event))
	}
	for i := range uint64(3) {
		drop(t, p, 10*i)
	}
	require.EqualValues(t, 3, p.Stats().WaitBlocks)
	event.complete()
	require.Equal(t, Stats{Slabs: 1, HighWater: 1920, Reserved: 1920, Limit: 1920, Free: 1920, LargestGap: 1920,
		Allocations: 3, Frees: 3}, p.Stats())
	require.EqualValues(t, 0, take(t, p, 30))
	require.Empty(t, p.wait.needs)
	require.Empty(t, p.wait.under)
}

// TestOrdersOfEvents completes up to four events in every order, each before or after the free.
func TestOrdersOfEvents(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for _, order := range permutations(n) {
			for before := 0; before <= n; before++ {
				p, base := granules(t, 4)
				take(t, p, 4)
				events := make([]*flag, n)
				for i := range events {
					events[i] = newFlag()
					require.NoError(t, p.Depend(base, events[i]))
				}
				for _, i := range order[:before] {
					events[i].complete()
				}
				drop(t, p, 0)
				for k := before; k < n; k++ {
					require.EqualValues(t, 1, p.Stats().WaitBlocks, "order %v, %d done", order, k)
					events[order[k]].complete()
				}
				require.Zero(t, p.Stats().WaitBlocks, "order %v, %d before the free", order, before)
				require.EqualValues(t, 0, take(t, p, 4))
				require.Empty(t, p.wait.needs)
			}
		}
	}
}

func TestOneEventTwice(t *testing.T) {
	p, base := granules(t, 4)
	take(t, p, 4)
	event := newFlag()
	for range 3 {
		require.NoError(t, p.Depend(base, event))
	}
	drop(t, p, 0)
	require.EqualValues(t, 1, p.Stats().WaitBlocks)
	event.complete()
	require.EqualValues(t, 0, take(t, p, 4))
	drop(t, p, 0)
	require.Zero(t, p.Stats().Occupied, "the next block at this address depends on nothing")
}

// TestManyBlocksOverManyEvents: block i waits for every event but one; all are released by the last that is
// theirs, wherever they stand in the list.
func TestManyBlocksOverManyEvents(t *testing.T) {
	const blocks, n = 60, 5
	for _, order := range permutations(n) {
		p, base := granules(t, blocks)
		var events [n]*flag
		for i := range events {
			events[i] = newFlag()
		}
		for b := range uint64(blocks) {
			take(t, p, 1)
			for e := range events {
				if e != int(b)%n {
					require.NoError(t, p.Depend(base+uintptr(64*b), events[(e+int(b))%n]))
				}
			}
		}
		for b := range uint64(blocks) {
			require.NoError(t, p.Free(base+uintptr(64*b)))
		}
		done := map[*flag]bool{}
		for _, k := range order {
			events[k].complete()
			done[events[k]] = true
			want := uint64(0)
			for b := range blocks {
				for e := range events {
					if e != b%n && !done[events[(e+b)%n]] {
						want++
						break
					}
				}
			}
			require.Equal(t, want, p.Stats().WaitBlocks)
			require.NoError(t, p.Check())
		}
		require.Zero(t, p.Stats().Occupied)
	}
}

func TestWaitingBlocksAreSeen(t *testing.T) {
	p, base := granules(t, 10)
	a, err := p.Allocate(100, "flux")
	require.NoError(t, err)
	event := newFlag()
	require.NoError(t, p.Depend(a, event))
	require.NoError(t, p.Free(a))
	require.Equal(t, Stats{Slabs: 1, Occupied: 128, HighWater: 128, Reserved: 640, Limit: 640, Free: 512, LargestGap: 512,
		Waiting: 100, WaitBlocks: 1, Allocations: 1, Frees: 1}, p.Stats())
	want := Block{a, 100, "flux", true}
	require.Equal(t, []Block{want}, blocksOf(p))
	for _, inside := range []uintptr{0, 1, 127} {
		got, err := p.Find(base + inside)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for name, err := range map[string]error{"free": p.Free(a), "free inside": p.Free(a + 64), "depend": p.Depend(a, event)} {
		require.ErrorIs(t, err, ErrPointer, name)
		require.ErrorContains(t, err, "freed already", name)
	}
	require.EqualValues(t, 1, p.Stats().Frees)
	event.complete()
	_, err = p.Find(base)
	require.ErrorIs(t, err, ErrPointer)
	require.Empty(t, blocksOf(p))
}

// slowEvent is done when a thread has waited for it: Close must call Wait, and without the lock.
type slowEvent struct {
	*flag
	inWait func()
}

func (s *slowEvent) Wait() { s.inWait(); s.complete() }

func TestCloseWaits(t *testing.T) {
	for name, make := range allocators {
		t.Run(name, func(t *testing.T) {
			source := paper.New(paper.Upwards, 0)
			a := make(t, Config{Source: source, Initial: mib})
			waited := 0
			for range 3 {
				block, err := a.Allocate(1000, "")
				require.NoError(t, err)
				for range 2 {
					event := &slowEvent{newFlag(), func() {
						waited++
						require.NotZero(t, source.Used, "nothing is freed before the last event")
						a.Stats() // an event may need the pool to get on
					}}
					require.NoError(t, a.Depend(block, event))
				}
				require.NoError(t, a.Free(block))
			}
			require.NoError(t, a.Close())
			require.Equal(t, 6, waited)
			require.Zero(t, source.Used)
		})
	}
}

// TestNeverEarly holds blocks under random events and looks at every new block: it may not lie on one that
// is live or waits for an event that is not done.
func TestNeverEarly(t *testing.T) {
	type held struct {
		addr, end uintptr
		on        []*flag
	}
	for name, make := range allocators {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s,seed=%d", name, seed), func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 5))
				a := make(t, Config{Source: paper.New(paper.Upwards, 2*mib), Initial: 64 << 10, Block: 64})
				var live, gone []held
				var events [8]*flag
				for i := range events {
					events[i] = newFlag()
				}
				for range 3000 {
					switch op := random.IntN(10); {
					case op < 5:
						bytes := uint64(random.IntN(5000))
						addr, err := a.Allocate(bytes, "")
						if err != nil {
							require.ErrorIs(t, err, ErrMemory)
							break
						}
						end := addr + uintptr(max(bytes, 1))
						for _, o := range append(slices.Clone(live), gone...) {
							if addr < o.end && o.addr < end {
								t.Fatalf("%d bytes at %#x overlap a live or waiting block at %#x", bytes, addr, o.addr)
							}
						}
						live = append(live, held{addr, end, nil})
					case op < 9 && len(live) > 0:
						i := random.IntN(len(live))
						o := live[i]
						for range random.IntN(5) {
							e := events[random.IntN(len(events))]
							require.NoError(t, a.Depend(o.addr, e))
							o.on = append(o.on, e)
						}
						require.NoError(t, a.Free(o.addr))
						live[i] = live[len(live)-1]
						live, gone = live[:len(live)-1], append(gone, o)
					default:
						i := random.IntN(len(events))
						events[i].complete()
						events[i] = newFlag()
					}
					gone = slices.DeleteFunc(gone, func(o held) bool { return allDone(o.on) })
					if got := a.Stats().WaitBlocks; got != uint64(len(gone)) {
						t.Fatalf("%d blocks wait, not %d: one is lost or early", got, len(gone))
					}
				}
				require.NoError(t, a.Check())
				for _, e := range events {
					e.complete()
				}
				require.Zero(t, a.Stats().WaitBlocks)
				require.NoError(t, a.Close())
			})
		}
	}
}

// askedEvent counts how often it is asked.
type askedEvent struct{ asked int }

func (e *askedEvent) Done() bool { e.asked++; return false }
func (e *askedEvent) Wait()      {}

func TestAnEventIsAskedOnceASweep(t *testing.T) {
	p, base := granules(t, 100)
	event := &askedEvent{}
	for i := range uint64(100) {
		take(t, p, 1)
		require.NoError(t, p.Depend(base+uintptr(64*i), event))
		drop(t, p, i)
	}
	event.asked = 0
	_, _ = p.Find(base)
	require.Equal(t, 1, event.asked, "however many blocks stand under it")
}

// stream is a stream as the pool sees one: what was put in, and how much of it is done.
type stream struct{ queued, done int }

// launch is one of the things in it.
type launch struct {
	*stream
	number int
}

func (l *launch) Done() bool { return l.done >= l.number }
func (l *launch) Wait()      { l.done = max(l.done, l.number) }
func (l *launch) Absorb(later Event) bool {
	o, ok := later.(*launch)
	if ok = ok && o.stream == l.stream; ok {
		l.number = max(l.number, o.number)
	}
	return ok
}

// tail is all that is in it when the block is freed.
type tail struct {
	*stream
	number int
}

func (t *tail) Fix() {
	if t.number < 0 {
		t.number = t.queued
	}
}
func (t *tail) Done() bool {
	return t.number < 0 && t.done == t.queued || t.number >= 0 && t.done >= t.number
}
func (t *tail) Wait() { t.done = t.queued }

// TestUseAgainAndAgain: an array that a stream uses in every step depends on one event, the last one.
func TestUseAgainAndAgain(t *testing.T) {
	p, base := granules(t, 8)
	take(t, p, 8)
	a, b := &stream{}, &stream{}
	for n := 1; n <= 1000; n++ {
		require.True(t, p.Uses(base+65, &launch{a, n}), "anywhere in the block")
		require.True(t, p.Uses(base, &launch{b, n}))
		require.LessOrEqual(t, len(p.wait.needs[base]), 2)
	}
	require.False(t, p.Uses(base+8*64, &launch{a, 1}), "behind it")
	drop(t, p, 0)
	require.False(t, p.Uses(base, &launch{a, 1}), "it was freed")
	require.False(t, p.Uses(base+65, &launch{a, 1}))
	a.done, b.done = 1000, 999
	require.EqualValues(t, 1, p.Stats().WaitBlocks)
	b.done = 1000
	require.Zero(t, p.Stats().WaitBlocks)
	require.EqualValues(t, 0, take(t, p, 8))
	drop(t, p, 0)
	// Other blocks in the same place.
	require.EqualValues(t, 0, take(t, p, 1))
	require.EqualValues(t, 1, take(t, p, 7))
	for at := range uintptr(8) {
		require.True(t, p.Uses(base+64*at+1, &launch{b, 1001}))
	}
	require.Len(t, p.wait.needs, 2)
	require.Len(t, p.wait.needs[base+64], 1)
	b.done = 1001
	drop(t, p, 1)
	// The next use forgets events that are done.
	for range 100 {
		c := &stream{queued: 1, done: 1}
		require.True(t, p.Uses(base, &launch{c, 1}))
		require.Len(t, p.wait.needs[base], 1)
	}
}

// TestOpenEvents: what the stream gets between the call and the free counts, what it gets afterwards does not.
func TestOpenEvents(t *testing.T) {
	p, base := granules(t, 4)
	take(t, p, 4)
	s, other := &stream{}, &stream{}
	require.NoError(t, p.Depend(base, &tail{s, -1}))
	require.NoError(t, p.Depend(base, &launch{other, 0}), "an open event that would be done now is not forgotten")
	s.queued = 5
	drop(t, p, 0)
	s.queued, s.done = 9, 4
	require.EqualValues(t, 1, p.Stats().WaitBlocks)
	s.done = 5
	require.Zero(t, p.Stats().WaitBlocks)
	take(t, p, 4)
	require.NoError(t, p.Depend(base, &tail{s, -1}))
	s.done = 0
	p.Settle(base)
	require.Equal(t, 9, s.done, "as if it were freed now")
	s.done = 0
	require.NoError(t, p.Close(), "it waits for the events of live blocks too")
	require.Equal(t, 9, s.done)
}

// TestDirectUses is the same without slabs.
func TestDirectUses(t *testing.T) {
	d, err := NewDirect(Config{Source: fake.New(1 << 20)})
	require.NoError(t, err)
	addr, err := d.Allocate(1000, "")
	require.NoError(t, err)
	s := &stream{}
	require.True(t, d.Uses(addr+999, &launch{s, 1}))
	require.True(t, d.Uses(addr, &launch{s, 2}))
	require.False(t, d.Uses(addr+1000, &launch{s, 2}))
	require.NoError(t, d.Free(addr))
	require.False(t, d.Uses(addr, &launch{s, 2}))
	s.done = 1
	require.EqualValues(t, 1, d.Stats().WaitBlocks)
	require.True(t, d.Pending())
	s.done = 2
	require.Zero(t, d.Stats().WaitBlocks)
	require.False(t, d.Pending())
	d.Await()
	require.NoError(t, d.Close())
}

// deviceWork is a number in a device's stream, which gets on when it is waited for.
type deviceWork struct {
	done   *uint64
	number uint64
	sure   bool
	waits  *[]uint64
}

func (d *deviceWork) Done() bool           { return *d.done >= d.number }
func (d *deviceWork) Sure() (uint64, bool) { return d.number, d.sure }
func (d *deviceWork) Wait() {
	*d.waits = append(*d.waits, d.number)
	*d.done = max(*d.done, d.number)
}

// TestWaitBeforeGrowth: blocks that a device is about to free are waited for, the earliest first and no more of them than are
// needed, before the pool grows; those that need a call are not.
func TestWaitBeforeGrowth(t *testing.T) {
	var done uint64
	var waits []uint64
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Block: 64, Initial: 64 * 30, Grow: 64 * 30})
	require.NoError(t, err)
	var blocks []uintptr
	for i := range uint64(3) {
		b, err := p.Allocate(640, "")
		require.NoError(t, err)
		require.NoError(t, p.Depend(b, &deviceWork{&done, 3 - i, true, &waits}))
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		require.NoError(t, p.Free(b))
	}
	again, err := p.Allocate(640, "")
	require.NoError(t, err)
	require.Equal(t, blocks[2], again)
	require.Equal(t, []uint64{1}, waits)
	require.Len(t, p.slabs, 1)
	again, err = p.Allocate(1280, "")
	require.NoError(t, err)
	require.Equal(t, blocks[0], again)
	require.Equal(t, []uint64{1, 2, 3}, waits, "the last free block was taken")
	require.Len(t, p.slabs, 1)
	require.NoError(t, p.Depend(again, &deviceWork{&done, 9, false, &waits}))
	require.NoError(t, p.Free(again))
	_, err = p.Allocate(640, "")
	require.NoError(t, err)
	require.Len(t, waits, 3, "the thread that must act may wait for this pool")
	require.Len(t, p.slabs, 2)
	require.NoError(t, p.Check())
}
