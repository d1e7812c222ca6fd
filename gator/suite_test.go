package gator_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/gator"
	"libportable/gator/fronttest"
	"libportable/internal/backend/fake"
	"libportable/internal/backend/paper"
)

// In this file: the suite of fronttest for each allocator of this package, alone and behind the fronts of parking_test.go.

func play(t *testing.T, make func(*testing.T, gator.Config) gator.Allocator, tape []byte) {
	source := paper.New(paper.Upwards, 1<<20)
	a := make(t, gator.Config{Source: source, Initial: 16 << 10, Grow: 16 << 10, Block: 64})
	fronttest.Play(t, a, func(calls int) { source.RefuseNext = calls }, tape)
	require.NoError(t, a.Close())
	require.Empty(t, source.Given)
}

func TestFrontsAgainstALedger(t *testing.T) {
	for name, make := range gator.Allocators {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s,seed=%d", name, seed), func(t *testing.T) { play(t, make, fronttest.Tape(seed, 4000)) })
		}
	}
}

func FuzzFronts(f *testing.F) {
	names := slices.Sorted(maps.Keys(gator.Allocators))
	for n := range names {
		f.Add(uint8(n), fronttest.Tape(uint64(n), 300))
	}
	f.Fuzz(func(t *testing.T, which uint8, tape []byte) {
		play(t, gator.Allocators[names[int(which)%len(names)]], tape[:min(len(tape), 1000)])
	})
}

func TestThreadsThroughFronts(t *testing.T) {
	for name, make := range gator.Allocators {
		t.Run(name, func(t *testing.T) {
			source := fake.New(0)
			a := make(t, gator.Config{Source: source, Initial: 256 << 10})
			fronttest.Threads(t, a, gator.PastTheFront(a))
			require.NoError(t, a.Close())
			require.Zero(t, source.Used())
		})
	}
}
