package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/backendtest"
	"libportable/internal/team"
)

func TestSerial(t *testing.T) { backendtest.Device(t, Serial{}) }

func TestThreads(t *testing.T) {
	defer func() { require.NoError(t, team.Stop()) }()
	for _, workers := range []int{1, 2, 7} {
		require.NoError(t, team.Configure(team.Config{Workers: workers, CPUs: 64, Spin: 10 * time.Microsecond}))
		backendtest.Device(t, Threads{})
	}
}
