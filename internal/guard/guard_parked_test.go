//go:build portable_test_hooks

package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// parkable takes a block that may be parked.
func parkable(t *testing.T, g Guard, bytes uint64) uintptr {
	addr := take(t, g, bytes)
	require.Equal(t, withCanary, howGuarded(addr))
	publishParked(addr)
	return addr
}

// drained gives all that is parked back, and says how many those were.
func drained(t *testing.T, g Guard) int {
	all := drainParked(2)
	for _, addr := range all {
		require.NoError(t, g.Release(addr, 0))
		require.Zero(t, howGuarded(addr))
	}
	return len(all)
}

func TestParkedBlocksFitExactly(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Exact = false })
	mostParked() // forgets the high water of tests before
	before := parkedCounts()
	a, b := parkable(t, g, 1000), parkable(t, g, 1000)
	unpublished := take(t, g, 1000)
	require.False(t, park(unpublished, 0), "no call has said that it may be")
	require.False(t, park(a+8, 0), "no start")
	require.False(t, park(a, -1), "of a label that is not known")
	require.True(t, park(a, 0))
	require.True(t, isParked(a))
	require.Zero(t, howGuarded(a), "not a live block")
	at, _ := found(a)
	require.Zero(t, at)
	require.False(t, park(a, 0), "twice")
	require.False(t, withdrawParked(a))
	require.True(t, park(b, 0))
	require.Zero(t, unpark(999, 0))
	require.Zero(t, unpark(1000, 1))
	require.Equal(t, b, unpark(1000, 0), "the newest first")
	require.Equal(t, a, unpark(1000, 0))
	require.Zero(t, unpark(1000, 0))
	require.Equal(t, withCanary, howGuarded(a))
	require.True(t, park(a, 1))
	require.Equal(t, a, unpark(1000, 1), "the label is that of the last owner")
	require.True(t, withdrawParked(a))
	require.False(t, park(a, 1))

	stopParking(true)
	require.False(t, park(b, 0))
	stopParking(false)
	require.True(t, park(b, 0))
	stopParking(true)
	require.Zero(t, unpark(1000, 0))
	require.Equal(t, 1, drained(t, g))
	stopParking(false)
	after := parkedCounts()
	require.Equal(t, before[0], mostParked(), "when both had been handed out again")
	require.Equal(t, after[0], mostParked())
	require.Equal(t, [4]int64{before[0] - 1000, before[1] - 1, before[2] + 3, before[3] + 4}, after)
	none(t)
}

func TestCanariesOfParkedBlocks(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Exact = false })
	a := parkable(t, g, 1000)
	poke(a+1000, 1, 7)
	require.False(t, park(a, 0), "the free that tells is the pool's")
	none(t)
	require.NoError(t, g.Release(a, 1000))
	require.Equal(t, canaryGone, one(t).kind)

	a = parkable(t, g, 1000)
	require.True(t, park(a, 0))
	poke(a-1, 1, 7)
	require.Equal(t, a, unpark(1000, 0))
	v := one(t)
	require.Equal(t, canaryGone, v.kind)
	require.EqualValues(t, -1, v.distance)
	require.True(t, park(a, 0), "the canaries are new ones")
	poke(a+1003, 4, 7)
	sweep()
	require.EqualValues(t, 3, one(t).distance, "seen by a look at all")
	require.Equal(t, a, unpark(1000, 0))
	require.True(t, park(a, 0))
	poke(a+1000, 1, 7)
	require.Equal(t, 1, drained(t, g))
	require.EqualValues(t, 0, one(t).distance, "seen when it goes back to the pool")
}

func TestParkedBlocksAreFilledAgain(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Exact, o.Fill = false, true })
	a := parkable(t, g, 64)
	for i := uintptr(0); i < 64; i += 8 {
		poke(a+i, 8, 5)
	}
	count, _ := unwritten(a)
	require.Zero(t, count)
	require.True(t, park(a, 0))
	require.Equal(t, a, unpark(64, 0))
	count, _ = unwritten(a)
	require.EqualValues(t, 64, count)
	none(t)
}

func TestParkedBlocksAreBounded(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Exact = false })
	a := parkable(t, g, 257<<20)
	require.False(t, park(a, 0), "too large for all of it")
	require.False(t, parkedFull())
	a, b := parkable(t, g, 150<<20), parkable(t, g, 150<<20)
	require.True(t, park(a, 0))
	require.False(t, park(b, 0))
	require.True(t, parkedFull())
	require.Equal(t, 1, drained(t, g))
	require.False(t, parkedFull())
	require.True(t, park(b, 0))
	require.Equal(t, 1, drained(t, g))
	var many []uintptr
	for range 4100 {
		many = append(many, parkable(t, g, 0))
	}
	for i, addr := range many {
		require.Equal(t, i < 4096, park(addr, 0))
	}
	require.True(t, parkedFull())
	require.Equal(t, 4096, drained(t, g))
	none(t)
}
