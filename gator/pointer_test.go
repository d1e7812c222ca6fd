package gator

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
