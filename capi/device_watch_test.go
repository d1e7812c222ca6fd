//go:build portable_test_hooks

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/fake"
	"libportable/internal/instance"
)

// own is a device of somebody else's.
type own struct{ fake.Device }

func (own) Name() string { return "own" }

func TestWatchersSeeDevicesOfGo(t *testing.T) {
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
