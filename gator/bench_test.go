package gator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/paper"
)

// BenchmarkPair is one Free and one Allocate of mixed sizes among many live blocks.
func BenchmarkPair(b *testing.B) {
	for _, live := range []int{1, 100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("live=%d", live), func(b *testing.B) {
			p, err := New(Config{Source: paper.New(paper.Upwards, 0), Initial: 1 << 30})
			if err != nil {
				b.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 1))
			const mask = 1<<16 - 1
			sizes, order := make([]uint64, mask+1), make([]int, mask+1)
			for i := range sizes {
				sizes[i], order[i] = uint64(100+random.IntN(8000)), random.IntN(live)
			}
			blocks := make([]uintptr, live)
			for i := range blocks {
				if blocks[i], err = p.Allocate(sizes[i&mask], ""); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				k := order[i&mask]
				if err = p.Free(blocks[k]); err == nil {
					blocks[k], err = p.Allocate(sizes[(i*7)&mask], "")
				}
				if err != nil {
					b.Fatal(err)
				}
				i++
			}
			if err := p.Check(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestNoGoMemory: a hot call that allocates Go memory would start the garbage collector in the middle of a
// simulation's time step.
func TestNoGoMemory(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	require.NoError(t, err)
	keep, err := p.Allocate(5000, "kept")
	require.NoError(t, err)
	id := p.Labels().ID("flux")
	waits, err := p.Allocate(100, "")
	require.NoError(t, err)
	pending := newFlag()
	require.NoError(t, p.Depend(waits, pending))
	require.NoError(t, p.Free(waits)) // from here on every call asks an event
	free := func(addr uintptr, err error) {
		if err == nil {
			err = p.Free(addr)
		}
		if err != nil {
			panic(err)
		}
	}
	for name, call := range map[string]func(){
		"without a label":  func() { free(p.Allocate(1000, "")) },
		"with a label":     func() { free(p.Allocate(1000, "flux")) },
		"of no bytes":      func() { free(p.Allocate(0, "flux")) },
		"in a class":       func() { free(p.AllocateRoom(1000, 1024, id)) },
		"number of labels": func() { p.Labels().ID("flux") },
		"find":             func() { _, _ = p.Find(keep + 100) },
		"starts":           func() { _ = p.Starts(keep) },
	} {
		require.Zero(t, testing.AllocsPerRun(200, call), name)
	}
	require.NoError(t, p.Check())
	d, err := NewDirect(Config{Source: paper.New(paper.Upwards, 0)})
	require.NoError(t, err)
	keep, err = d.Allocate(5000, "kept")
	require.NoError(t, err)
	for name, call := range map[string]func(){
		"statistics": func() { d.Stats(); p.Stats() },
		"trim":       func() { _, _ = d.Trim() },
		"check":      func() { _ = d.Check() },
		"find":       func() { _, _ = d.Find(keep + 100) },
		"starts":     func() { _ = d.Starts(keep) },
	} {
		require.Zero(t, testing.AllocsPerRun(200, call), name)
	}
}
