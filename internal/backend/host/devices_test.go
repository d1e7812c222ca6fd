package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/backendtest"
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
