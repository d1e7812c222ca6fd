//go:build portable_test_hooks

package capi

// These tests run the suite of fronts (gator/fronttest) on the fronts in C.

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/gator"
	"libportable/gator/fronttest"
	"libportable/internal/instance"
)

// In this file: the suite of all allocators for the fronts in C, each before the default pool.

// frontsOfC are the fronts, each with the variables that choose it.
var frontsOfC = map[string]struct {
	front gator.Front
	env   map[string]string
	parks bool
}{
	"magazines": {magazines{}, nil, true},
	"addresses": {addresses{}, map[string]string{"PORTABLE_FASTPATH": "0"}, false},
	"blocks":    {parked{}, map[string]string{"PORTABLE_CHECK": "memory", "PORTABLE_MEMCHECK": "mode=fast"}, true},
}

// throughFrontOfC runs a test on a default pool of its own. served says how many allocations the front has served.
func throughFrontOfC(t *testing.T, name string, test func(a gator.Allocator, behind *instance.Default)) (served int64) {
	f := frontsOfC[name]
	t.Setenv("PORTABLE_TRACE", t.TempDir()+"/findings,check") // the ledger frees twice, and inside of blocks
	for variable, value := range f.env {
		t.Setenv(variable, value)
	}
	require.NoError(t, lib.Init(instance.Request{Initial: 2 << 20, Grow: 2 << 20}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	d, err := lib.Default()
	require.NoError(t, err)
	before := f.front.Counts().Allocations
	test(throughFront{d}, d)
	return f.front.Counts().Allocations - before
}

func TestFrontsOfCAgainstALedger(t *testing.T) {
	for name, f := range frontsOfC {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s seed %d", name, seed), func(t *testing.T) {
				served := throughFrontOfC(t, name, func(a gator.Allocator, _ *instance.Default) { fronttest.Play(t, a, nil, fronttest.Tape(seed, 4000)) })
				require.Equal(t, f.parks, served > 0, "the front has served %d allocations", served)
			})
		}
	}
}

func TestThreadsThroughFrontsOfC(t *testing.T) {
	for name := range frontsOfC {
		t.Run(name, func(t *testing.T) {
			throughFrontOfC(t, name, func(a gator.Allocator, behind *instance.Default) { fronttest.Threads(t, a, behind.Free) })
		})
	}
}

func FuzzFrontsOfC(f *testing.F) {
	names := slices.Sorted(maps.Keys(frontsOfC))
	for n := range names {
		f.Add(uint8(n), fronttest.Tape(uint64(n), 300))
	}
	f.Fuzz(func(t *testing.T, which uint8, tape []byte) {
		throughFrontOfC(t, names[int(which)%len(names)], func(a gator.Allocator, _ *instance.Default) {
			fronttest.Play(t, a, nil, tape[:min(len(tape), 1000)])
		})
	})
}
