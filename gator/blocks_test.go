package gator

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// In this file: finding and visiting blocks, and the errors of wrong addresses. No list of all blocks may be made on Go's heap, which ends the program
// when it cannot grow.

// blocksOf is the list of all blocks, for tests with few of them.
func blocksOf(a Allocator) (list []Block) {
	a.Each(func(b Block) bool {
		list = append(list, b)
		return true
	})
	return list
}

// TestEachEnds says that a visit can end the walk, in every kind of allocator.
func TestEachEnds(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0)})
	require.NoError(t, err)
	d, err := NewDirect(Config{Source: paper.New(paper.Upwards, 0)})
	require.NoError(t, err)
	for name, a := range map[string]Allocator{"pool": p, "direct": d} {
		for range 3 {
			_, err := a.Allocate(64, "b")
			require.NoError(t, err, name)
		}
		for want := 1; want <= 3; want++ {
			seen := 0
			a.Each(func(Block) bool { seen++; return seen < want })
			require.Equal(t, want, seen, name)
		}
		require.NoError(t, a.Close(), name)
	}
}

// noTables has no memory for tables.
type noTables struct{ goTables }

func (noTables) Take(int) ([]uint64, error) { return nil, backend.ErrRefused }

// TestDirectEachWithoutATable says that all blocks are visited where there is no memory to sort them.
func TestDirectEachWithoutATable(t *testing.T) {
	d, err := NewDirect(Config{Source: paper.New(paper.Upwards, 0), Tables: noTables{}})
	require.NoError(t, err)
	want := map[uintptr]bool{}
	for range 100 {
		at, err := d.Allocate(64, "b")
		require.NoError(t, err)
		want[at] = true
	}
	for _, b := range blocksOf(d) {
		require.True(t, want[b.Addr])
		delete(want, b.Addr)
	}
	require.Empty(t, want)
	require.NoError(t, d.Close())
}

// TestManyBlocksTakeNoGoMemory says that what lists, reports and checks a pool needs no memory for each block.
func TestManyBlocksTakeNoGoMemory(t *testing.T) {
	const blocks, most = 200000, 256 << 10
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Initial: blocks * 128, Block: 64, Limit: blocks * 128})
	require.NoError(t, err)
	id := p.Labels().ID("many")
	for range blocks {
		_, err := p.AllocateRoom(64, 64, id)
		require.NoError(t, err)
	}
	for what, call := range map[string]func(){
		"each":   func() { p.Each(func(Block) bool { return true }) },
		"labels": func() { require.Equal(t, []LabelUse{{"many", blocks * 64, blocks}}, ByLabel(p)) },
		"report": func() { require.Contains(t, Report(p), "200000 blocks") },
		"check":  func() { require.NoError(t, p.Check()) },
		"full": func() {
			_, err := p.Allocate(blocks*128, "none")
			require.ErrorIs(t, err, ErrMemory)
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(most), what)
	}
	require.NoError(t, p.Close())
}

func TestWrongAddresses(t *testing.T) {
	p, base := granules(t, 100)
	a, err := p.Allocate(1000, "h")
	require.NoError(t, err)
	b, err := p.Allocate(10, "")
	require.NoError(t, err)
	freed, err := p.Allocate(640, "gone")
	require.NoError(t, err)
	require.NoError(t, p.Free(freed))
	rows := []struct {
		name string
		addr uintptr
		why  string
	}{
		{"null", 0, "no slab of it holds this address"},
		{"foreign", 12345, "no slab of it holds this address"},
		{"one below", base - 1, "no slab of it holds this address"},
		{"one above", base + 6400, "no slab of it holds this address"},
		{"the last address", ^uintptr(0), "no slab of it holds this address"},
		{"one byte inside", a + 1, `it is 1 bytes inside a block of 1000 bytes labelled "h"; pass the address that the allocation gave`},
		{"a granule inside", a + 64, `it is 64 bytes inside a block of 1000 bytes labelled "h"`},
		{"the last byte", a + 999, `it is 999 bytes inside a block of 1000 bytes labelled "h"`},
		{"the waste behind it", a + 1023, `it is 1023 bytes inside a block of 1000 bytes labelled "h"`},
		{"inside a block without a label", b + 9, "it is 9 bytes inside a block of 10 bytes; pass"},
		{"double", freed, "the block that was here has been freed already"},
		{"inside a freed one", freed + 100, "freed already"},
		{"inside a large gap", base + 50*64, "freed already"},
		{"the last granule of a gap", base + 99*64, "freed already"},
	}
	before := p.Stats()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for what, err := range map[string]error{"free": p.Free(row.addr), "depend": p.Depend(row.addr, newFlag())} {
				var wrong *PointerError
				require.ErrorAs(t, err, &wrong, what)
				require.ErrorIs(t, err, ErrPointer, what)
				require.ErrorContains(t, err, row.why, what)
				require.Equal(t, row.addr, wrong.Addr)
				require.Equal(t, "pool", wrong.Pool)
			}
			require.Equal(t, before, p.Stats(), "nothing changed")
			require.NoError(t, p.Check())
			require.Empty(t, p.wait.needs)
		})
	}
	require.NoError(t, p.Free(a))
	require.NoError(t, p.Free(b))
	require.ErrorContains(t, p.Free(a), "freed already", "now inside one gap that begins elsewhere")
}

func TestFind(t *testing.T) {
	p, base := granules(t, 300)
	a, err := p.Allocate(200*64-10, "big")
	require.NoError(t, err)
	b, err := p.Allocate(0, "")
	require.NoError(t, err)
	for _, offset := range []uintptr{0, 1, 64, 65, 100 * 64, 200*64 - 1} {
		got, err := p.Find(base + offset)
		require.NoError(t, err)
		require.Equal(t, Block{a, 200*64 - 10, "big", false}, got)
	}
	got, err := p.Find(b)
	require.NoError(t, err)
	require.Equal(t, Block{b, 0, "", false}, got)
	for _, addr := range []uintptr{0, base - 1, b + 64, base + 299*64, base + 300*64} {
		_, err := p.Find(addr)
		require.ErrorIs(t, err, ErrPointer)
	}
}

// lostRace is an event whose question comes at the worst moment: a front changes the record between the
// pool's look at it and its swap.
type lostRace struct{ change func() }

func (e *lostRace) Done() bool { e.change(); return true }
func (e *lostRace) Wait()      {}

func TestTwoFreesRace(t *testing.T) {
	p, base := granules(t, 10)
	take(t, p, 1)
	records := p.slabs[0].records
	live := records.state(0)
	require.NoError(t, p.Depend(base, &lostRace{func() { records.setState(0, live.as(kindParked)) }}))
	before := p.Stats()
	err := p.Free(base)
	require.ErrorIs(t, err, ErrPointer, "the other one won")
	require.ErrorContains(t, err, "freed already")
	require.Equal(t, before, p.Stats(), "and it counts, not this one")
	records.setState(0, live)
	require.NoError(t, p.Check())
}
