package gator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/paper"
)

// In this file: random operations on every allocator behind every front, compared with a ledger. The ledger is written from the contracts Allocator and
// Front alone: it does not know where a block goes (model_test.go does), but each answer must be the one without a front.

// ledger is what the users know.
type ledger struct {
	t       testing.TB
	tape    tape
	a       Allocator
	source  *paper.Source
	blocks  map[uintptr]*entry
	at      []uintptr // in the order of their first allocation, also of freed ones
	events  [4]*flag
	freed   uint64
	step    int
	allowed uint64 // allocations that succeeded
}

type entry struct {
	Block
	on []*flag
}

// sweep forgets the freed blocks whose events are done.
func (l *ledger) sweep() {
	for addr, e := range l.blocks {
		if e.Waiting && allDone(e.on) {
			delete(l.blocks, addr)
		}
	}
}

// pick gives an address that was a block's once, and the entry if it is live or waits.
func (l *ledger) pick() (uintptr, *entry) {
	l.sweep()
	if len(l.at) == 0 {
		return 64, nil
	}
	addr := l.at[l.tape.next()%uint64(len(l.at))]
	return addr, l.blocks[addr]
}

// same compares an error with the state of the block.
func (l *ledger) same(what string, err error, e *entry) (live bool) {
	switch {
	case e != nil && !e.Waiting:
		require.NoError(l.t, err, "step %d: %s", l.step, what)
		return true
	case e != nil:
		require.ErrorContains(l.t, err, "freed already", "step %d: %s", l.step, what)
	}
	require.ErrorIs(l.t, err, ErrPointer, "step %d: %s", l.step, what)
	return false
}

func (l *ledger) allocate() {
	n := l.tape.next()
	bytes, label := []uint64{0, 1, 63, 64, 900, 1000, 1024, 1025, 5000, 30_000}[n%10], labels[n/10%uint64(len(labels))]
	addr, err := l.a.Allocate(bytes, label)
	if err != nil {
		require.ErrorIs(l.t, err, ErrMemory, "step %d", l.step)
		return
	}
	l.sweep()
	for _, e := range l.blocks {
		if addr < e.Addr+uintptr(max(e.Bytes, 1)) && e.Addr < addr+uintptr(max(bytes, 1)) {
			l.t.Fatalf("step %d: %d bytes at %#x overlap %+v", l.step, bytes, addr, e.Block)
		}
	}
	l.blocks[addr] = &entry{Block: Block{addr, bytes, label, false}}
	l.allowed++
	if !slices.Contains(l.at, addr) {
		l.at = append(l.at, addr)
	}
}

func (l *ledger) free(addr uintptr, e *entry) {
	if l.same("free", l.a.Free(addr), e) {
		l.freed++
		e.Waiting = true
	}
}

func (l *ledger) operate(op uint64) {
	addr, e := l.pick()
	event := l.events[l.tape.next()%uint64(len(l.events))]
	inside := addr
	if e != nil && e.Bytes > 0 {
		inside += uintptr(l.tape.next()*7) % uintptr(e.Bytes)
	}
	switch {
	case op < 10:
		l.allocate()
	case op < 20:
		l.free(addr, e)
	case op < 22:
		if l.same("depend", l.a.Depend(addr, event), e) {
			e.on = append(e.on, event)
		}
	case op < 24 && e != nil:
		require.Equal(l.t, !e.Waiting, l.a.Uses(inside, event), "step %d: uses", l.step)
		if !e.Waiting {
			e.on = append(e.on, event)
		}
	case op == 24:
		l.events[0].complete()
		copy(l.events[:], l.events[1:])
		l.events[len(l.events)-1] = newFlag()
	case op == 25:
		_, err := l.a.Trim()
		require.NoError(l.t, err)
	case op == 26:
		l.source.RefuseNext = int(l.tape.next() % 5)
	case op == 27 && inside != addr:
		require.ErrorIs(l.t, l.a.Free(inside), ErrPointer, "step %d: inside", l.step)
	default:
		require.Equal(l.t, e != nil && !e.Waiting, l.a.Starts(addr), "step %d: starts", l.step)
		if b, err := l.a.Find(inside); e != nil {
			require.NoError(l.t, err)
			require.Equal(l.t, e.Block, b)
		}
	}
}

// compare is a full look, which also empties the front.
func (l *ledger) compare() {
	require.NoError(l.t, l.a.Check(), "step %d", l.step)
	l.sweep()
	want := Stats{Allocations: l.allowed, Frees: l.freed}
	listed := blocksOf(l.a)
	require.Len(l.t, listed, len(l.blocks), "step %d", l.step)
	for _, b := range listed {
		require.Equal(l.t, l.blocks[b.Addr].Block, b)
		if b.Waiting {
			want.Waiting, want.WaitBlocks = want.Waiting+b.Bytes, want.WaitBlocks+1
		} else {
			want.InUse, want.Blocks = want.InUse+b.Bytes, want.Blocks+1
		}
	}
	st := l.a.Stats()
	got := Stats{InUse: st.InUse, Blocks: st.Blocks, Waiting: st.Waiting, WaitBlocks: st.WaitBlocks, Allocations: st.Allocations, Frees: st.Frees}
	require.Equal(l.t, want, got, "step %d", l.step)
	require.GreaterOrEqual(l.t, st.HighWater, st.Occupied)
	require.GreaterOrEqual(l.t, st.Occupied, st.InUse+st.Waiting)
}

// play reads a tape, then frees everything: nothing may be left anywhere.
func play(t *testing.T, make func(*testing.T, Config) Allocator, data []byte) {
	l := &ledger{t: t, tape: data, source: paper.New(paper.Upwards, mib), blocks: map[uintptr]*entry{}}
	for i := range l.events {
		l.events[i] = newFlag()
	}
	l.a = make(t, Config{Source: l.source, Initial: 16 << 10, Grow: 16 << 10, Block: 64})
	for ; len(l.tape) > 0; l.step++ {
		op := l.tape.next()
		l.operate(op & 0x1f)
		if op&0xe0 == 0 { // not after every step: a look empties the front
			l.compare()
		}
	}
	for _, e := range l.events {
		e.complete()
	}
	l.compare()
	for addr, e := range l.blocks {
		l.free(addr, e)
	}
	l.compare()
	l.source.RefuseNext = 0
	require.NoError(t, l.a.Close())
	require.Empty(t, l.source.Given)
}

// TestFrontsAgainstALedger is the fuzz test on fixed seeds.
func TestFrontsAgainstALedger(t *testing.T) {
	for name, make := range allocators {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s,seed=%d", name, seed), func(t *testing.T) {
				play(t, make, randomTape(rand.New(rand.NewPCG(seed, 3)), 4000))
			})
		}
	}
}

func FuzzFronts(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 3))
	for n := range 6 {
		f.Add(randomTape(random, 200*(n+1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, make := range allocators {
			play(t, make, data[:min(len(data), 2000)])
		}
	})
}
