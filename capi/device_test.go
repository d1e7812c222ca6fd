//go:build portable_test_hooks

package capi

// These tests check reductions and observers on devices in Go.

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/fake"
	"libportable/internal/instance"
)

// A device that runs leaves in an order that is new each time, on several threads, gives the bits of the serial one.
func TestReductionsDoNotDependOnTheDevice(t *testing.T) {
	require.NoError(t, lib.AddDevice(fake.Device{N: 3}))
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	for _, n := range []int64{1, 16, 100, 5000, 100000} {
		wanted, st := inverses(n, instance.Serial)
		require.Zero(t, st)
		exact := new(big.Rat)
		if n <= 5000 {
			for i := int64(1); i <= n; i++ {
				exact.Add(exact, new(big.Rat).SetFloat64(1/float64(i)))
			}
			value, _ := exact.Float64()
			require.Equal(t, value, wanted[1])
		}
		for range 5 {
			for _, device := range []int{instance.Threads, instance.Threads + 1} {
				found, st := inverses(n, device)
				require.Zero(t, st)
				require.Equal(t, wanted, found, "device %d", device)
			}
		}
	}
}

// own is a device that the program adds.
type own struct{ fake.Device }

func (own) Name() string { return "own" }

func TestObserversSeeDevicesOfGo(t *testing.T) {
	require.NoError(t, lib.AddDevice(own{fake.Device{N: 3}}))
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	devices, err := lib.Devices()
	require.NoError(t, err)
	number, err := devices.Find("own")
	require.NoError(t, err)
	for _, device := range []int{instance.Serial, instance.Threads, number} {
		heard, st := watchedLaunch(100, device)
		require.Zero(t, st, lastError())
		require.Equal(t, [6]int64{1, 1, 100, int64(device), 0, 100}, heard)
		heard, st = watchedLaunch(13, device)
		require.EqualValues(t, -13, st, "a kernel that fails")
		require.Equal(t, [5]int64{1, 1, 13, int64(device), -13}, [5]int64(heard[:5]))
	}
}
