// Package fronttest is the suite that every allocator passes, with each front: the fronts of the tests of gator, and
// the fronts in C (capi). Tests only.
//
// Play compares random operations with a ledger, which is written from the contracts Allocator and Front alone. The
// ledger does not know where a block goes, but it knows each answer: a front changes none. Threads is in threads.go.
package fronttest

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/gator"
)

var labels = []string{"", "h", "flux", "a label that is long enough to be copied", "tmp"}

// Tape gives random bytes for Play.
func Tape(seed uint64, bytes int) []byte {
	random, tape := rand.New(rand.NewPCG(seed, 3)), make([]byte, bytes)
	for i := range tape {
		tape[i] = byte(random.Uint32())
	}
	return tape
}

// Play reads the tape as operations, then completes all events and frees all blocks. The allocator is new; no other thread uses it. refuse makes
// its source refuse the next calls; nil: the source never refuses.
func Play(t testing.TB, a gator.Allocator, refuse func(calls int), tape []byte) {
	if refuse == nil {
		refuse = func(int) {}
	}
	l := &ledger{t: t, tape: tape, a: a, refuse: refuse, blocks: map[uintptr]*entry{}}
	for i := range l.events {
		l.events[i] = &event{}
	}
	for ; len(l.tape) > 0; l.step++ {
		op := l.next()
		l.operate(op & 0x1f)
		if op&0xe0 == 0 { // not after every step: a look empties the front
			l.compare()
		}
	}
	for _, e := range l.events {
		e.done.Store(true)
	}
	l.compare()
	for addr, e := range l.blocks {
		l.free(addr, e)
	}
	l.compare()
}

// ledger is what the users of an allocator know about their blocks.
type ledger struct {
	t           testing.TB
	tape        []byte
	a           gator.Allocator
	refuse      func(calls int)
	blocks      map[uintptr]*entry
	at          []uintptr // in the order of their first allocation, also of freed ones
	events      [4]*event
	step        int
	allocations uint64
	frees       uint64
}

type entry struct {
	gator.Block
	on []*event
}

// event is completed by the test.
type event struct{ done atomic.Bool }

func (e *event) Done() bool { return e.done.Load() }
func (e *event) Wait()      {}

// next reads a byte of the tape, so that any bytes are a test.
func (l *ledger) next() uint64 {
	if len(l.tape) == 0 {
		return 0
	}
	b := l.tape[0]
	l.tape = l.tape[1:]
	return uint64(b)
}

// sweep forgets the freed blocks whose events are done.
func (l *ledger) sweep() {
	for addr, e := range l.blocks {
		if e.Waiting && !slices.ContainsFunc(e.on, func(on *event) bool { return !on.Done() }) {
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
	addr := l.at[l.next()%uint64(len(l.at))]
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
	require.ErrorIs(l.t, err, gator.ErrPointer, "step %d: %s", l.step, what)
	return false
}

func (l *ledger) allocate() {
	n := l.next()
	bytes, label := []uint64{0, 1, 63, 64, 900, 1000, 1024, 1025, 5000, 30_000}[n%10], labels[n/10%uint64(len(labels))]
	addr, err := l.a.Allocate(bytes, label)
	if err != nil {
		require.ErrorIs(l.t, err, gator.ErrMemory, "step %d", l.step)
		return
	}
	l.sweep()
	for _, e := range l.blocks {
		if addr < e.Addr+uintptr(max(e.Bytes, 1)) && e.Addr < addr+uintptr(max(bytes, 1)) {
			l.t.Fatalf("step %d: %d bytes at %#x overlap %+v", l.step, bytes, addr, e.Block)
		}
	}
	l.blocks[addr] = &entry{Block: gator.Block{Addr: addr, Bytes: bytes, Label: label}}
	l.allocations++
	if !slices.Contains(l.at, addr) {
		l.at = append(l.at, addr)
	}
}

func (l *ledger) free(addr uintptr, e *entry) {
	if l.same("free", l.a.Free(addr), e) {
		l.frees++
		e.Waiting = true
	}
}

func (l *ledger) operate(op uint64) {
	addr, e := l.pick()
	on := l.events[l.next()%uint64(len(l.events))]
	inside := addr
	if e != nil && e.Bytes > 0 {
		inside += uintptr(l.next()*7) % uintptr(e.Bytes)
	}
	switch {
	case op < 10:
		l.allocate()
	case op < 20:
		l.free(addr, e)
	case op < 22:
		if l.same("depend", l.a.Depend(addr, on), e) {
			e.on = append(e.on, on)
		}
	case op < 24 && e != nil:
		require.Equal(l.t, !e.Waiting, l.a.Uses(inside, on), "step %d: uses", l.step)
		if !e.Waiting {
			e.on = append(e.on, on)
		}
	case op == 24:
		l.events[0].done.Store(true)
		copy(l.events[:], l.events[1:])
		l.events[len(l.events)-1] = &event{}
	case op == 25:
		_, err := l.a.Trim()
		require.NoError(l.t, err)
	case op == 26:
		l.refuse(int(l.next() % 5))
	case op == 27 && inside != addr:
		require.ErrorIs(l.t, l.a.Free(inside), gator.ErrPointer, "step %d: inside", l.step)
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
	want := gator.Stats{Allocations: l.allocations, Frees: l.frees}
	var listed []gator.Block
	l.a.Each(func(b gator.Block) bool { listed = append(listed, b); return true })
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
	got := gator.Stats{InUse: st.InUse, Blocks: st.Blocks, Waiting: st.Waiting, WaitBlocks: st.WaitBlocks, Allocations: st.Allocations, Frees: st.Frees}
	require.Equal(l.t, want, got, "step %d", l.step)
	require.GreaterOrEqual(l.t, st.HighWater, st.Occupied)
	require.GreaterOrEqual(l.t, st.Occupied, st.InUse+st.Waiting)
}
