//go:build portable_test_hooks

package host

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/backendtest"
	"libportable/internal/team"
)

func TestSerial(t *testing.T) { backendtest.Device(t, Serial{}) }

func TestThreads(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		team, err := HoldTeam()
		require.NoError(t, err)
		require.NoError(t, team.Set(workers, 64, 10*time.Microsecond, 1<<20, workers == 7))
		team.Release()
		require.Equal(t, workers, Threads{}.Workers())
		backendtest.Device(t, Threads{})
	}
	team, err := HoldTeam()
	require.NoError(t, err)
	team.Stop()
	team.Release()
	require.Equal(t, 1, Threads{}.Workers())
}

func TestOwn(t *testing.T) {
	t.Cleanup(team.DevicesNow())
	require.Empty(t, Owns())
	for i, workers := range []int{1, 2, 7} {
		require.Equal(t, 1, team.AddSample(fmt.Sprint("sample", workers), workers, 0))
		d := Owns()[i]
		require.Equal(t, workers, d.Workers())
		backendtest.Device(t, d)
	}
}
