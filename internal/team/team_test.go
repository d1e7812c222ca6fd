package team_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/team"
)

// set changes the team.
func set(t *testing.T, c team.Config) {
	held, err := team.Hold()
	require.NoError(t, err)
	defer held.Release()
	require.NoError(t, held.Configure(c))
}

func stop(t *testing.T) {
	held, err := team.Hold()
	require.NoError(t, err)
	defer held.Release()
	held.Stop()
}

// configure sets the team for a test and takes it back.
func configure(t *testing.T, c team.Config) {
	set(t, c)
	t.Cleanup(func() { stop(t) })
}

// runs runs once and gives how often each unit was run, and by how many workers.
func runs(t *testing.T, units int64, workers int, grain int64) {
	times := make([]atomic.Int32, units)
	var busy [team.MaxWorkers]atomic.Int32
	team.Run("runs", units, workers, grain, func(worker int, from, to int64) {
		require.Equal(t, int32(1), busy[worker].Add(1), "worker %d is in two places", worker)
		for i := from; i < to; i++ {
			times[i].Add(1)
		}
		busy[worker].Add(-1)
	})
	for i := range times {
		require.Equal(t, int32(1), times[i].Load(), "unit %d of %d, %d workers, grain %d", i, units, workers, grain)
	}
}

func TestEachUnitRunsOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 4, 9, 30} {
		for _, spin := range []time.Duration{0, 30 * time.Microsecond} {
			t.Run(fmt.Sprint(workers, spin), func(t *testing.T) {
				configure(t, team.Config{Workers: workers, CPUs: 64, Spin: spin})
				for _, units := range []int64{0, 1, 2, 7, 64, 1000} {
					for _, grain := range []int64{0, 1, 3, 5000} {
						for range 20 {
							runs(t, units, workers, grain)
						}
					}
				}
			})
		}
	}
}

// TestManyLaunches looks for a hand-over that is missed: with pauses around the time that workers look for
// work, so that they are now asleep, now awake, now between.
func TestManyLaunches(t *testing.T) {
	configure(t, team.Config{Workers: 3, CPUs: 64, Spin: 20 * time.Microsecond})
	var sum atomic.Int64
	const launches = 20000
	for i := range launches {
		team.Run("many", 3, 3, 0, func(worker int, from, to int64) { sum.Add(to - from) })
		if i%64 == 0 {
			time.Sleep(time.Duration(i%7) * 10 * time.Microsecond)
		}
	}
	require.EqualValues(t, 3*launches, sum.Load())
}

// TestTwoLaunchersAndResize launches from several threads while another one changes the team.
func TestTwoLaunchersAndResize(t *testing.T) {
	configure(t, team.Config{Workers: 2, CPUs: 64, Spin: 5 * time.Microsecond})
	var group sync.WaitGroup
	stop := make(chan struct{})
	group.Go(func() {
		for n := 1; ; n = n%5 + 1 {
			select {
			case <-stop:
				return
			default:
				set(t, team.Config{Workers: n, CPUs: 64, Spin: 5 * time.Microsecond, AtOnce: n%2 == 0})
			}
		}
	})
	var launchers sync.WaitGroup
	for range 3 {
		launchers.Go(func() {
			for range 2000 {
				var sum atomic.Int64
				team.Run("two", 100, 4, 0, func(worker int, from, to int64) { sum.Add(to - from) })
				require.EqualValues(t, 100, sum.Load())
			}
		})
	}
	launchers.Wait()
	close(stop)
	group.Wait()
}

func TestLaunchInsideKernelIsInline(t *testing.T) {
	configure(t, team.Config{Workers: 2, CPUs: 64, Spin: 5 * time.Microsecond})
	var inner atomic.Int64
	team.Run("outer", 2, 2, 0, func(worker int, from, to int64) {
		team.Run("inner", 10, 2, 0, func(innerWorker int, from, to int64) {
			require.Zero(t, innerWorker)
			inner.Add(to - from)
		})
		_, err := team.Hold()
		require.ErrorIs(t, err, team.ErrInKernel)
	})
	require.EqualValues(t, 20, inner.Load())
}

func TestStopAndGoOn(t *testing.T) {
	configure(t, team.Config{Workers: 4, CPUs: 64, Stack: 1 << 20})
	for range 50 {
		runs(t, 10, 4, 0)
		stop(t)
	}
	require.Equal(t, 4, team.Workers())
}

// TestIdleTeamSleeps: workers that have nothing to do go to sleep, and stay there.
func TestIdleTeamSleeps(t *testing.T) {
	configure(t, team.Config{Workers: 2, CPUs: 64, Spin: 10 * time.Microsecond})
	runs(t, 2, 2, 0)
	require.Eventually(t, func() bool {
		before := team.Count()
		time.Sleep(20 * time.Millisecond)
		return before == team.Count() && before.Sleeps > 0
	},
		5*time.Second, time.Millisecond)
}

// TestOthersSleepOn: a launch wakes those that take part in it, and no other.
func TestOthersSleepOn(t *testing.T) {
	for _, workers := range []int{6, 40} {
		configure(t, team.Config{Workers: workers, CPUs: 1}) // no thread looks for work
		runs(t, int64(workers), workers, 0)
		asleep := func() bool {
			before := team.Count()
			time.Sleep(10 * time.Millisecond)
			return before == team.Count()
		}
		require.Eventually(t, asleep, 5*time.Second, time.Millisecond)
		before := team.Count()
		for range 200 {
			runs(t, 2, 2, 0)
		}
		require.LessOrEqual(t, team.Count().Sleeps-before.Sleeps, uint64(201), "of %d workers one takes part", workers)
		for range 50 {
			runs(t, int64(workers), workers, 0)
		}
	}
}

// TestSmallerThanWanted: where no thread is available, the team is as large as it is, and does not try again each time.
func TestSmallerThanWanted(t *testing.T) {
	held, err := team.Hold()
	require.NoError(t, err)
	err = held.Configure(team.Config{Workers: 3, CPUs: 64, Stack: 1 << 60, AtOnce: true})
	held.Release()
	require.ErrorIs(t, err, team.ErrShort)
	require.Equal(t, 1, team.Workers())
	runs(t, 10, 3, 0)
	set(t, team.Config{Workers: 3, CPUs: 64, Stack: 1 << 20, AtOnce: true})
	require.Equal(t, 3, team.Workers())
	runs(t, 10, 3, 0)
	stop(t)
}

// TestHeldTeam: who launches while the team is held does not wait.
func TestHeldTeam(t *testing.T) {
	configure(t, team.Config{Workers: 2, CPUs: 64})
	held, err := team.Hold()
	require.NoError(t, err)
	before := team.Count()
	runs(t, 10, 2, 0)
	require.Equal(t, before.Launches, team.Count().Launches)
	held.Release()
	runs(t, 10, 2, 0)
	require.Equal(t, before.Launches+1, team.Count().Launches)
}
