//go:build portable_test_hooks

package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSweepLooksAtTheBlockThatIsThereNow: between the copy of a record and the look, the place went to a larger block, whose last bytes lie where the
// canary of the earlier one was.
func TestSweepLooksAtTheBlockThatIsThereNow(t *testing.T) {
	const smaller, larger = 65400, 65500 // places of one size
	guarding(t, nil)
	first := takeSmall(smaller)
	require.NotZero(t, first)
	require.True(t, noteSmall(first))
	require.True(t, giveSmall(first))
	now := takeSmall(larger)
	for i := 0; now != first; i++ { // freed places wait behind others
		require.Less(t, i, 10000)
		require.True(t, giveSmall(now))
		now = takeSmall(larger)
		require.NotZero(t, now)
	}
	for i := uintptr(0); i < larger; i++ {
		poke(now+i, 1, 0x11)
	}
	checkNoted()
	require.Zero(t, violationCount())

	poke(now+larger, 1, 0x22)
	checkNoted()
	require.Equal(t, 1, violationCount())
	watchGuard()
	require.True(t, giveSmall(now))
	require.Zero(t, violationCount(), "it was reported")
}
