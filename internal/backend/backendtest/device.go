package backendtest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
)

func never() bool { return false }

// Device tests the guarantees of every launch on every device.
func Device(t *testing.T, d backend.Device) {
	require.NotEmpty(t, d.Name())
	require.Positive(t, d.Workers())
	for _, units := range []int64{1, 2, 3, 100, 1000} {
		for _, grain := range []int64{0, 1, 7, 5000} {
			t.Run(fmt.Sprintf("%d units by %d", units, grain), func(t *testing.T) { everyUnitOnce(t, d, units, grain) })
		}
	}
	t.Run("from several threads", func(t *testing.T) {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 100 {
					everyUnitOnce(t, d, 50, 0)
				}
			})
		}
		group.Wait()
	})
	t.Run("inside a kernel", func(t *testing.T) {
		var inner atomic.Int64
		d.Launch(backend.Work{Label: "outer", Units: 8, Failed: never, Run: func(_ int, from, to int64) {
			for range to - from {
				d.Launch(backend.Work{Label: "inner", Units: 5, Failed: never, Run: func(_ int, from, to int64) { inner.Add(to - from) }})
			}
		}})
		require.EqualValues(t, 40, inner.Load())
	})
	t.Run("what is launched first is done first", func(t *testing.T) {
		values := make([]int, 300)
		for round := range 50 {
			d.Launch(backend.Work{Label: "order", Units: int64(len(values)), Failed: never, Run: func(_ int, from, to int64) {
				for i := from; i < to; i++ {
					require.Equal(t, round, values[i])
					values[i]++
				}
			}})
		}
	})
	t.Run("a failure leaves out what has not begun", func(t *testing.T) {
		var failed atomic.Bool
		var ran atomic.Int64
		d.Launch(backend.Work{Label: "fails", Units: 10000, Grain: 1, Failed: failed.Load, Run: func(int, int64, int64) {
			ran.Add(1)
			failed.Store(true)
		}})
		require.LessOrEqual(t, ran.Load(), int64(2*d.Workers()))
	})
}

// everyUnitOnce tests that each unit runs once, and that a worker with a valid number runs one call at a time.
func everyUnitOnce(t *testing.T, d backend.Device, units, grain int64) {
	times := make([]atomic.Int32, units)
	busy := make([]atomic.Int32, d.Workers())
	d.Launch(backend.Work{Label: "once", Units: units, Grain: grain, Failed: never, Run: func(worker int, from, to int64) {
		require.Equal(t, int32(1), busy[worker].Add(1))
		require.Less(t, from, to)
		for i := from; i < to; i++ {
			times[i].Add(1)
		}
		busy[worker].Add(-1)
	}})
	for i := range times {
		require.Equal(t, int32(1), times[i].Load(), "unit %d", i)
	}
}
