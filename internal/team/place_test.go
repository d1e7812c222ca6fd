//go:build portable_test_hooks

package team_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/team"
)

// TestKeepOff: a thread is off one processor at a time, never off its last one, and has all back at the end.
func TestKeepOff(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	count, first, second := team.Processors()
	require.False(t, team.LetGo())
	if count < 2 {
		require.Equal(t, -1, team.KeepOff(first), "it is the last one")
		return
	}
	for _, cpu := range []int{first, second, second} {
		require.Equal(t, cpu, team.KeepOff(cpu))
		now, _, _ := team.Processors()
		require.Equal(t, count-1, now)
		require.False(t, team.Allowed(cpu))
	}
	require.Equal(t, second, team.KeepOff(-1), "an unknown processor changes nothing")
	require.True(t, team.LetGo())
	require.False(t, team.LetGo())
	now, _, _ := team.Processors()
	require.Equal(t, count, now)
}

// TestWorkersKeepTheirProcessors: kernels run with all processors of the process, also after launches that have
// kept a sleeping worker off one.
func TestWorkersKeepTheirProcessors(t *testing.T) {
	count, _, _ := team.Processors()
	held, err := team.Hold()
	require.NoError(t, err)
	require.Equal(t, count, held.CPUs())
	held.Release()
	configure(t, team.Config{Workers: 2, CPUs: count, Spin: 10 * time.Microsecond})
	for range 100 {
		time.Sleep(time.Millisecond)
		team.Run("guided", 2, 2, 0, func(_ int, _, _ int64) {
			now, _, _ := team.Processors()
			require.Equal(t, count, now)
			for end := time.Now().Add(250 * time.Microsecond); time.Now().Before(end); {
			}
		})
	}
}
