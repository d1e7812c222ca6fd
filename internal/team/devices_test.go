//go:build portable_test_hooks

package team_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/team"
)

// TestOwnDevices is about the list; what a device does with a launch, internal/backend/host tests.
func TestOwnDevices(t *testing.T) {
	t.Cleanup(team.DevicesNow())
	require.Empty(t, team.Owns())
	require.Equal(t, 1, team.AddSample("none", 0, 0))
	require.Equal(t, 1, team.AddSample("lazy", 3, 1))
	for _, taken := range []string{"none", "NONE", "threads", "serial"} {
		require.Equal(t, 0, team.AddSample(taken, 1, 0))
	}
	owns := team.Owns()
	require.Len(t, owns, 2)
	require.Equal(t, "none", owns[0].Name())
	require.Equal(t, 1, owns[0].Workers())
	require.Equal(t, 3, owns[1].Workers())
	var ran atomic.Int64
	owns[1].Run("lazy", 1000, 0, func(_ int, from, to int64) { ran.Add(to - from) })
	require.EqualValues(t, 667, ran.Load(), "two parts of three: 334 and 333")
	for i := range 14 {
		require.Equal(t, 1, team.AddSample(fmt.Sprint("more", i), 1, 0))
	}
	require.Equal(t, -1, team.AddSample("last", 1, 0))
}
