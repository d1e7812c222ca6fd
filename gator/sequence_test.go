package gator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// tape is bytes that are read as a configuration and then as operations, so that any bytes are a test.
type tape []byte

func (t *tape) next() uint64 {
	if len(*t) == 0 {
		return 0
	}
	b := (*t)[0]
	*t = (*t)[1:]
	return uint64(b)
}

// sequence drives a pool and the model with the same operations.
type sequence struct {
	t      testing.TB
	tape   tape
	source *paper.Source
	pool   *Pool
	model  *model
	seen   int // calls of the source that the model has answered for
	given  []uintptr
	events [6]*flag
	step   int
}

var labels = []string{"", "h", "flux", "a label that is long enough to be copied", "tmp"}

func newSequence(t testing.TB, data []byte) *sequence {
	q := &sequence{t: t, tape: data}
	block := []uint64{64, 128, 4096}[q.tape.next()%3]
	place := paper.Placement(q.tape.next() % uint64(paper.Placements))
	initial := (q.tape.next() + 1) * block
	grow := (q.tape.next() % 100) * block
	limit := (q.tape.next() % 128) * 8 * block
	odd := q.tape.next()
	if odd&1 != 0 && grow > 0 {
		initial, grow = initial+block/2, grow+block/4 // sizes that are no whole granules; the pool rounds them down
	}
	if odd&2 != 0 && grow > 0 {
		initial = 0
	}
	if limit > 0 {
		limit = max(limit+odd, initial)
	}
	// The source bounds what doubling makes: Check looks at every granule.
	q.source = paper.New(place, 6000*block)
	for i := range q.events {
		q.events[i] = newFlag()
	}
	var err error
	q.pool, err = New(Config{Source: q.source, Block: block, Initial: initial, Grow: grow, Limit: limit})
	require.NoError(t, err)
	initial, grow = initial-initial%block, grow-grow%block
	q.model = &model{block: block, grow: grow, limit: limit, next: initial, reserve: q.answer,
		stuck: func() bool { return q.source.FailRelease }}
	if initial > 0 {
		q.model.addSlab(q.source.Calls[0].Addr, initial, false)
		q.seen = 1
	}
	return q
}

// answer gives the model what the source gave the pool.
func (q *sequence) answer(bytes uint64) (uintptr, bool) {
	if q.seen == len(q.source.Calls) {
		q.fail("the model asks the source for %d bytes, the pool did not", bytes)
	}
	c := q.source.Calls[q.seen]
	q.seen++
	if c.Bytes != bytes {
		q.fail("the pool asked the source for %d bytes, the model for %d", c.Bytes, bytes)
	}
	return c.Addr, c.Refused
}

func (q *sequence) fail(format string, args ...any) {
	q.t.Helper()
	q.t.Fatalf("step %d: %s", q.step, fmt.Sprintf(format, args...))
}

func (q *sequence) run() {
	for q.step = 0; len(q.tape) > 0; q.step++ {
		op := q.tape.next()
		q.operate(op & 0x1f)
		if q.seen != len(q.source.Calls) {
			q.fail("the pool asked the source for %d bytes, the model did not", q.source.Calls[q.seen].Bytes)
		}
		// Not after every step: what only the next operation sweeps must be seen as well.
		if op&0x60 != 0 {
			q.compare()
		}
	}
	q.compare()
	q.finish()
}

func (q *sequence) operate(op uint64) {
	switch {
	case op < 12:
		q.allocate()
	case op < 20:
		if len(q.given) > 0 { // most are live; some were freed before: double frees
			i := q.tape.next() % uint64(len(q.given))
			addr := q.given[i]
			if op < 19 {
				q.given[i] = q.given[len(q.given)-1]
				q.given = q.given[:len(q.given)-1]
			}
			q.free(addr)
		}
	case op < 22:
		q.free(q.strange())
	case op < 25:
		addr, event := q.strange(), q.events[q.tape.next()%uint64(len(q.events))]
		if op < 24 && len(q.given) > 0 {
			addr = q.given[q.tape.next()%uint64(len(q.given))]
		}
		q.same("depend", q.pool.Depend(addr, event), q.model.depend(addr, event))
	case op < 27:
		i := q.tape.next() % uint64(len(q.events))
		q.events[i].complete()
		if op == 26 { // otherwise blocks meet an event that is done already
			q.events[i] = newFlag()
		}
	case op == 27:
		q.trim()
	case op == 28:
		q.source.RefuseNext = int(q.tape.next() % 5)
	case op == 29:
		q.source.FailRelease = q.tape.next()%2 == 0
	default:
		q.find(q.strange())
	}
}

// size leans towards what breaks allocators: nothing, whole granules and one off, regions, exact gaps, absurd.
func (q *sequence) size() uint64 {
	kind, n, block := q.tape.next()%10, q.tape.next(), q.model.block
	switch kind {
	case 0:
		return 0
	case 1:
		return n * block
	case 2:
		return n*block + 1
	case 3:
		return max(n*block, 1) - 1
	case 4:
		return region * block * (n%4 + 1)
	case 5:
		return q.model.stats().LargestGap + n%2
	case 6:
		return []uint64{1<<56 - 1, 1 << 56, ^uint64(0), 1 << 40, 1 << 38}[n%5]
	case 7:
		return n
	}
	return (n%8 + 1) * block
}

func (q *sequence) allocate() {
	bytes, label := q.size(), labels[q.tape.next()%uint64(len(labels))]
	got, err := q.pool.Allocate(bytes, label)
	want, wrong := q.model.allocate(bytes, label)
	switch {
	case wrong == nil && (err != nil || got != want):
		q.fail("allocate %d bytes: %#x and %v, the model has %#x", bytes, got, err, want)
	case wrong != nil:
		var memory *MemoryError
		require.ErrorAs(q.t, err, &memory, "step %d: allocate %d bytes", q.step, bytes)
		require.ErrorIs(q.t, err, wrong)
		require.Equal(q.t, q.model.stats(), memory.Stats, "step %d: the numbers of the error", q.step)
	default:
		q.given = append(q.given, got)
	}
}

func (q *sequence) free(addr uintptr) { q.same("free", q.pool.Free(addr), q.model.free(addr)) }

func (q *sequence) same(what string, err error, wrong string) {
	if wrong == "" {
		require.NoError(q.t, err, "step %d: %s", q.step, what)
		return
	}
	require.ErrorIs(q.t, err, ErrPointer, "step %d: %s", q.step, what)
	require.ErrorContains(q.t, err, wrong, "step %d: %s", q.step, what)
}

// strange is an address that is rarely the start of a live block: foreign, interior, in a gap, at an end.
func (q *sequence) strange() uintptr {
	kind, n := q.tape.next()%8, q.tape.next()
	if len(q.model.slabs) == 0 || kind == 0 {
		return uintptr(n)
	}
	s := q.model.slabs[n%uint64(len(q.model.slabs))]
	end := s.base + uintptr(s.bytes)
	switch kind {
	case 1:
		return end - uintptr(n%3)
	case 2:
		return end + uintptr(n)
	case 3:
		return s.base - uintptr(n)
	case 4, 5:
		return s.base + uintptr(n*q.model.block)
	}
	return s.base + uintptr(n*q.model.block*3) + uintptr(n)
}

func (q *sequence) trim() {
	released, err := q.pool.Trim()
	want, wrong := q.model.trim()
	require.Equal(q.t, want, released, "step %d: bytes trimmed", q.step)
	if wrong == nil {
		require.NoError(q.t, err)
	} else {
		require.ErrorIs(q.t, err, backend.ErrRefused)
	}
}

func (q *sequence) find(addr uintptr) {
	_, wrong := q.model.live(addr)
	require.Equal(q.t, wrong == "", q.pool.Starts(addr), "step %d: starts", q.step)
	got, err := q.pool.Find(addr)
	s, sp := q.model.at(addr)
	if s == nil || !sp.used {
		require.ErrorIs(q.t, err, ErrPointer, "step %d: find", q.step)
		return
	}
	require.NoError(q.t, err, "step %d: find", q.step)
	want := Block{s.base + uintptr(sp.at*q.model.block), sp.bytes, sp.label, sp.waiting}
	require.Equal(q.t, want, got, "step %d: find", q.step)
}

func (q *sequence) compare() {
	if err := q.pool.Check(); err != nil {
		q.fail("%v", err)
	}
	if got, want := q.pool.Stats(), q.model.stats(); got != want {
		q.fail("stats\n%+v, the model has\n%+v", got, want)
	}
	require.Equal(q.t, q.model.blocks(), blocksOf(q.pool), "step %d: blocks", q.step)
}

// finish completes all events and frees all blocks: then nothing may be left anywhere.
func (q *sequence) finish() {
	for _, b := range q.model.blocks() {
		if !b.Waiting {
			q.free(b.Addr)
		}
	}
	q.model.each(func(_ *modelSlab, sp span) {
		for _, e := range sp.on {
			e.complete()
		}
	})
	q.compare()
	st := q.pool.Stats()
	require.Zero(q.t, st.Occupied+st.Waiting+st.Blocks+st.WaitBlocks)
	require.Equal(q.t, st.Allocations, st.Frees)
	require.Empty(q.t, q.pool.wait.needs, "events of released blocks")
	require.Empty(q.t, q.pool.wait.under)
	q.source.FailRelease = false
	require.NoError(q.t, q.pool.Close())
	require.Empty(q.t, q.source.Given, "slabs that were not freed")
}

func FuzzPool(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 12 {
		f.Add(randomTape(random, 50*(n+1)))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) { newSequence(t, data[:min(len(data), 4000)]).run() })
}

func randomTape(random *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

// TestAgainstModel is the fuzz test on fixed seeds: every block size, every placement, with and without growth.
func TestAgainstModel(t *testing.T) {
	bytes := 6000
	if testing.Short() {
		bytes = 1000
	}
	for block := range byte(3) {
		for place := range byte(paper.Placements) {
			for grow := range byte(4) {
				t.Run(fmt.Sprintf("block=%d,place=%d,grow=%d", block, place, grow), func(t *testing.T) {
					random := rand.New(rand.NewPCG(uint64(block)<<8|uint64(place), uint64(grow)))
					data := randomTape(random, bytes)
					copy(data, []byte{block, place, data[2] % 80, grow * 9, data[4] * (grow % 2), data[5]})
					newSequence(t, data).run()
				})
			}
		}
	}
}

// TestLargeSlabAgainstModel has what the small slabs of the sequences lack: a tree of three levels, hundreds of
// regions, and gaps over many of them.
func TestLargeSlabAgainstModel(t *testing.T) {
	const units = 40_000
	p, base := granules(t, units)
	m := &model{block: 64, limit: 64 * units}
	m.addSlab(base, 64*units, false)
	random := rand.New(rand.NewPCG(3, 17))
	var live []uintptr
	steps := 4000
	if testing.Short() {
		steps = 1000
	}
	for step := range steps {
		if n := len(live); n > 0 && random.IntN(100) < 30+20*(step*4/steps%2) {
			i := random.IntN(n)
			require.NoError(t, p.Free(live[i]))
			require.Empty(t, m.free(live[i]))
			live[i], live = live[n-1], live[:n-1]
		} else {
			bytes := uint64(64 * (1 + random.IntN(8)))
			if random.IntN(20) == 0 {
				bytes *= 250
			}
			got, err := p.Allocate(bytes, "")
			want, wrong := m.allocate(bytes, "")
			if got != want || (err == nil) != (wrong == nil) {
				t.Fatalf("step %d: %#x and %v, the model has %#x", step, got, err, want)
			}
			if err == nil {
				live = append(live, got)
			}
		}
		if step%200 == 0 {
			require.NoError(t, p.Check())
			require.Equal(t, m.stats(), p.Stats())
		}
	}
	require.Equal(t, m.blocks(), blocksOf(p))
}
