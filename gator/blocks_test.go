package gator

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// In this file: visiting blocks. No list of all of them may be made on Go's heap, which ends the program when it can not grow.

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
