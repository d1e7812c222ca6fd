//go:build portable_test_hooks

package main

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
