package gator

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

const mib = 1 << 20

func TestGrowthSizes(t *testing.T) {
	rows := []struct {
		name     string
		config   Config
		requests []uint64
		asked    []uint64 // what the source is asked for
	}{
		{"doubling", Config{Initial: mib}, []uint64{mib, mib, 2 * mib, 4 * mib, 8 * mib}, []uint64{mib, mib, 2 * mib, 4 * mib, 8 * mib}},
		{"doubling for small blocks", Config{Initial: 128}, []uint64{1, 1, 1, 1, 1, 1, 1, 1}, []uint64{128, 128, 256, 512}},
		{"no first slab", Config{}, []uint64{1}, []uint64{DefaultInitial}},
		{"no first slab, then doubling", Config{}, []uint64{DefaultInitial, 1}, []uint64{DefaultInitial, 2 * DefaultInitial}},
		{"fixed", Config{Initial: mib, Grow: 256 << 10}, []uint64{mib, 1, 256 << 10, 256 << 10}, []uint64{mib, 256 << 10, 256 << 10, 256 << 10}},
		{"no first slab, fixed", Config{Grow: mib}, []uint64{1, mib}, []uint64{mib, mib}},
		{"a slab of its own", Config{Initial: mib, Grow: mib}, []uint64{5*mib + 1, mib}, []uint64{mib, 5*mib + 128}},
		{"an odd slab does not count for doubling", Config{Initial: mib}, []uint64{mib, 100 * mib, 1, mib}, []uint64{mib, 100 * mib, mib, 2 * mib}},
		{"grow size that is no multiple", Config{Initial: mib, Grow: mib + 5}, []uint64{mib, mib, mib}, []uint64{mib, mib, mib}},
		{"first size that is no multiple, doubling", Config{Initial: 1000}, []uint64{896, 896, 896}, []uint64{896, 896, 1792}},
		{"first size below one granule", Config{Initial: 1}, []uint64{128, 1}, []uint64{128, 128}},
		{"grow size below one granule", Config{Initial: mib, Grow: 1}, []uint64{mib, 1, 1}, []uint64{mib, 128, 128}},
		{"a granule above the default", Config{Block: 128 * mib}, []uint64{1, 1, 1}, []uint64{128 * mib, 256 * mib}},
		{"the limit leaves less", Config{Initial: mib, Limit: 2*mib + 512}, []uint64{mib, mib, 512}, []uint64{mib, mib, 512}},
		{"the limit shrinks a slab", Config{Initial: mib, Grow: 4 * mib, Limit: 3 * mib}, []uint64{mib, 1, 1}, []uint64{mib, 2 * mib}},
		{"a limit that is no multiple", Config{Limit: 1000}, []uint64{896}, []uint64{896}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			source := paper.New(paper.Upwards, 0)
			row.config.Source = source
			p, err := New(row.config)
			require.NoError(t, err)
			for _, bytes := range row.requests {
				_, err := p.Allocate(bytes, "")
				require.NoError(t, err)
				require.NoError(t, p.Check())
			}
			require.Equal(t, row.asked, source.Asked())
			require.NoError(t, p.Close())
			require.Empty(t, source.Given)
		})
	}
}

func TestSourceRefusesGrowth(t *testing.T) {
	rows := []struct {
		name   string
		room   uint64 // of the source
		bytes  uint64
		asked  []uint64
		stands bool
	}{
		{"halves", mib + 300<<10, 1000, []uint64{8 * mib, 4 * mib, 2 * mib, mib, 512 << 10, 256 << 10}, true},
		{"the request's own size last", mib + 3*mib, 3 * mib, []uint64{8 * mib, 4 * mib, 3 * mib}, true},
		{"not even that", mib + 3*mib - 1, 3 * mib, []uint64{8 * mib, 4 * mib, 3 * mib}, false},
		{"larger than the grow size: once", 2 * mib, 9 * mib, []uint64{9 * mib}, false},
		{"down to one granule", mib, 0, []uint64{8 * mib, 4 * mib, 2 * mib, mib, 512 << 10, 256 << 10, 128 << 10, 64 << 10,
			32 << 10, 16 << 10, 8192, 4096, 2048, 1024, 512, 256, 128}, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			source := paper.New(paper.Upwards, row.room)
			p, err := New(Config{Source: source, Initial: mib, Grow: 8 * mib})
			require.NoError(t, err)
			first, err := p.Allocate(mib, "first")
			require.NoError(t, err)
			before := p.Stats()
			_, err = p.Allocate(row.bytes, "more")
			require.Equal(t, row.asked, source.Asked()[1:])
			if row.stands {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, ErrMemory)
				require.ErrorIs(t, err, backend.ErrRefused, "the cause shows through")
				require.Equal(t, before, p.Stats(), "a failure leaves nothing behind")
			}
			require.NoError(t, p.Check())
			require.NoError(t, p.Free(first))
			again, err := p.Allocate(mib, "first")
			require.NoError(t, err, "the program can go on")
			require.Equal(t, first, again)
		})
	}
}

// oddSource fails with an error of its own making.
type oddSource struct {
	*paper.Source
	fail error
}

func (s *oddSource) Reserve(bytes uint64) (uintptr, error) {
	if s.fail != nil {
		return 0, s.fail
	}
	return s.Source.Reserve(bytes)
}

func TestSourceFailsOtherwise(t *testing.T) {
	lost := errors.New("the device fell off the bus")
	source := &oddSource{Source: paper.New(paper.Upwards, 0)}
	p, err := New(Config{Source: source, Initial: mib})
	require.NoError(t, err)
	source.fail = lost
	_, err = p.Allocate(2*mib, "")
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorIs(t, err, lost)
	require.NoError(t, p.Check())
	_, err = New(Config{Source: source, Initial: mib, Name: "managed"})
	require.ErrorIs(t, err, lost)
	require.ErrorContains(t, err, "managed")
	source.fail = fmt.Errorf("%w: busy", backend.ErrDevice)
	_, err = p.Allocate(2*mib, "h")
	require.ErrorIs(t, err, backend.ErrDevice)
	require.NotErrorIs(t, err, ErrMemory, "less memory would be refused as well")
	require.NoError(t, p.Check())
}

func TestOutOfMemoryText(t *testing.T) {
	p, err := New(Config{Name: "host pool", Source: paper.New(paper.Upwards, 0), Initial: 64 << 10, Limit: 64 << 10,
		Knobs: Knobs{Limit: "PORTABLE_LIMIT_MB"}})
	require.NoError(t, err)
	allocate := func(bytes uint64, label string) uintptr {
		addr, err := p.Allocate(bytes, label)
		require.NoError(t, err)
		return addr
	}
	allocate(10_000, "h")
	waits := allocate(3_000, "flux")
	for i := range 5 {
		allocate(100*uint64(i+1), []string{"", "b", "c", "d", "e"}[i])
	}
	allocate(20_000, "h")
	event := newFlag()
	require.NoError(t, p.Depend(waits, event))
	require.NoError(t, p.Free(waits))
	_, err = p.Allocate(50_000, "new array")
	require.ErrorIs(t, err, ErrMemory)
	st := p.Stats()
	require.EqualValues(t, 31_500, st.InUse)
	text := err.Error()
	for _, fragment := range []string{
		"out of memory: host pool has no 50000 bytes labelled \"new array\"", "raise PORTABLE_LIMIT_MB",
		"in use 31500 bytes in 7 blocks", "reserved 65536 bytes", "limit 65536 bytes",
		"free 30464 bytes, largest gap 30464 bytes", "waiting for streams 3000 bytes", "biggest labels:",
		"30000 bytes in 2 blocks", "500 bytes in 1 block", "flux",
	} {
		require.Contains(t, text, fragment)
	}
	require.NotContains(t, text, "ulimit", "the knob is the limit, not the machine")
	require.NotContains(t, text, "(no label)", "only the biggest labels")
	require.NotContains(t, text, "    b  ")
	event.complete()
	allocate(3_000, "flux")
	require.NoError(t, p.Check())
}

func TestOutOfMemoryTextOfTheSource(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, mib), Initial: mib})
	require.NoError(t, err)
	_, err = p.Allocate(3*mib, "")
	require.ErrorContains(t, err, "pool has no 3145728 bytes (3.0 MiB): ")
	require.ErrorContains(t, err, "limit none")
	require.ErrorContains(t, err, "ulimit -v")
	_, err = p.Allocate(1, "")
	require.NoError(t, err)
	_, err = p.Allocate(3*mib, "")
	require.ErrorContains(t, err, "(no label)")
}

func TestAbsurdSizes(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, err := New(Config{Source: source, Initial: mib})
	require.NoError(t, err)
	for _, bytes := range []uint64{1 << 56, 1<<56 + 1, 1 << 63, ^uint64(0) - 127, ^uint64(0)} {
		_, err := p.Allocate(bytes, "n*m*8")
		require.ErrorIs(t, err, ErrMemory)
		require.ErrorContains(t, err, "look at how the size was computed")
		require.ErrorContains(t, err, "n*m*8")
	}
	require.Len(t, source.Calls, 1, "the source is not asked")
	_, err = p.Allocate(1<<56-1, "")
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "block_bytes", "too many granules: the knob is their size")
	require.EqualValues(t, mib, source.Used, "the slab went back")
	require.NoError(t, p.Check())
}

// TestHugeRoom: a front may ask for more room than can be; the block must have its own bytes all the same.
func TestHugeRoom(t *testing.T) {
	for _, room := range []uint64{0, 1 << 40, 1 << 60, ^uint64(0) - 63, ^uint64(0)} {
		p, err := New(Config{Source: paper.New(paper.Upwards, mib), Initial: mib})
		require.NoError(t, err)
		a, err := p.AllocateRoom(1000, room, 0)
		require.NoError(t, err)
		require.NoError(t, p.Check(), "room %#x", room)
		b, err := p.Allocate(1, "")
		require.NoError(t, err)
		require.GreaterOrEqual(t, uint64(b-a), uint64(1000), "room %#x", room)
	}
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
			p, err := New(c)
			require.NoError(t, err)
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

func TestTablesAreRefused(t *testing.T) {
	tables, source := &tightTables{words: 5000}, paper.New(paper.Upwards, 0)
	p, err := New(Config{Source: source, Tables: tables, Block: 64, Initial: 64 * 2048, Grow: 64 * 8192})
	require.NoError(t, err)
	_, err = p.Allocate(64*2048, "")
	require.NoError(t, err)
	_, err = p.Allocate(1, "")
	require.NoError(t, err, "a smaller slab needs smaller tables")
	require.EqualValues(t, 64*(2048+2048), p.Stats().Reserved)
	_, err = p.Allocate(64*4096, "")
	require.ErrorIs(t, err, errTables)
	require.EqualValues(t, 64*(2048+2048), source.Used, "slabs without tables went back")
	require.NoError(t, p.Check())
	require.NoError(t, p.Close())
	require.Zero(t, tables.out, "tables that were not freed")
	require.Zero(t, source.Used)
	_, err = New(Config{Source: source, Tables: tables, Initial: mib})
	require.ErrorIs(t, err, ErrMemory)
	require.Zero(t, source.Used)
	require.Zero(t, tables.out)
	tables.words = 2 // the records of one granule fit, its index does not
	_, err = New(Config{Source: source, Tables: tables, Block: 64, Initial: 64})
	require.ErrorIs(t, err, errTables)
	require.Zero(t, source.Used)
	require.Zero(t, tables.out)
}

// TestMoreGranulesThanASlabHas: growth that has doubled past 2^32 granules (512 GiB of 128 bytes) must take a
// smaller slab and not fail, as for any slab that is not available.
func TestMoreGranulesThanASlabHas(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Tables: &tightTables{words: 1 << 12}, Block: 64, Grow: 64 << 32})
	require.NoError(t, err)
	_, err = p.Allocate(1, "")
	require.NoError(t, err)
}

func TestTrim(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, err := New(Config{Source: source, Initial: mib, Grow: mib})
	require.NoError(t, err)
	var blocks []uintptr
	for range 4 {
		a, err := p.Allocate(mib, "")
		require.NoError(t, err)
		blocks = append(blocks, a)
	}
	trim := func(want uint64) {
		got, err := p.Trim()
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, p.Check())
	}
	trim(0)
	event := newFlag()
	require.NoError(t, p.Depend(blocks[2], event))
	for _, i := range []int{0, 1, 2} {
		require.NoError(t, p.Free(blocks[i]))
	}
	trim(mib) // the first slab stays, in the third a block waits, the fourth is in use
	require.EqualValues(t, 3, p.Stats().Slabs)
	event.complete()
	trim(mib)
	require.NoError(t, p.Free(blocks[3]))
	source.FailRelease = true
	before := p.Stats()
	released, err := p.Trim()
	require.ErrorIs(t, err, backend.ErrRefused)
	require.Zero(t, released)
	require.Equal(t, before, p.Stats(), "the slab stays and is used on")
	a, err := p.Allocate(mib, "")
	require.NoError(t, err)
	b, err := p.Allocate(mib, "")
	require.NoError(t, err)
	require.Equal(t, blocks[0], a)
	require.Equal(t, blocks[3], b)
	require.NoError(t, p.Free(b))
	source.FailRelease = false
	trim(mib)
	require.EqualValues(t, mib, source.Used, "the first slab is kept for ever")
	require.ErrorContains(t, p.Free(b), "no slab of it holds this address")
	c, err := p.Allocate(mib, "")
	require.NoError(t, err, "and the pool grows again")
	require.NoError(t, p.Free(c))
	require.NoError(t, p.Close())
	require.Empty(t, source.Given)
}

func TestCloseWithASourceThatRefuses(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, err := New(Config{Source: source, Initial: mib})
	require.NoError(t, err)
	source.FailRelease = true
	require.ErrorIs(t, p.Close(), backend.ErrRefused)
	source.FailRelease = false
	require.NoError(t, p.Close(), "try again: the contract says that a refused slab is still the caller's")
	require.Empty(t, source.Given)
}

func TestConfig(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	for name, c := range map[string]Config{
		"no source":                 {},
		"block too small":           {Source: source, Block: 32},
		"block is no power of two":  {Source: source, Block: 192},
		"block too large":           {Source: source, Block: 2 * MaxBlock},
		"first slab over the limit": {Source: source, Initial: 2 * mib, Limit: mib},
		"a little over the limit":   {Source: source, Initial: mib + 1, Limit: mib},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(c)
			require.ErrorIs(t, err, ErrArgument)
			_, err = NewDirect(Config{Source: c.Source, Block: c.Block})
			if c.Initial == 0 {
				require.ErrorIs(t, err, ErrArgument)
			}
		})
	}
	_, err := New(Config{Source: source, Block: 4096, Limit: 4095, Knobs: Knobs{Limit: "PORTABLE_LIMIT_MB"}})
	require.ErrorIs(t, err, ErrArgument)
	require.ErrorContains(t, err, "the granule (4096 bytes, block_bytes) is larger than the limit (4095 bytes, PORTABLE_LIMIT_MB)")
	_, err = NewDirect(Config{Source: source, Block: 4096, Limit: 4095})
	require.ErrorIs(t, err, ErrArgument, "switching the pool off hides no mistake")
	require.Empty(t, source.Calls)
	p, err := New(Config{Source: source})
	require.NoError(t, err)
	require.Equal(t, "pool", p.Name())
	require.Empty(t, source.Calls, "no slab before the first request")
	require.Equal(t, Stats{}, p.Stats())
	require.Zero(t, p.Stats().Fragmentation())
	require.Empty(t, blocksOf(p))
	require.NoError(t, p.Check())
	require.NoError(t, p.Close())
}

func TestMemoryErrorWithoutACause(t *testing.T) {
	err := &MemoryError{Pool: "p", Bytes: 1}
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "out of memory: p has no 1 bytes\n")
}

// TestGrowAndTrimInTurn: a program that trims after each burst must not reserve twice as much each time.
func TestGrowAndTrimInTurn(t *testing.T) {
	source := paper.New(paper.Upwards, 0)
	p, err := New(Config{Source: source, Initial: mib})
	require.NoError(t, err)
	for range 50 {
		a, err := p.Allocate(mib, "")
		require.NoError(t, err)
		b, err := p.Allocate(1, "")
		require.NoError(t, err)
		require.EqualValues(t, 2*mib, p.Stats().Reserved)
		require.NoError(t, p.Free(a))
		require.NoError(t, p.Free(b))
		_, err = p.Trim()
		require.NoError(t, err)
	}
}
