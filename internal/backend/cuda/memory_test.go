package cuda

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/backendtest"
)

// testedLibrary names a driver's library, for example a simulated one, for the suite of memory sources.
const testedLibrary = "PORTABLE_TEST_CUDA_LIBRARY"

// Without a device each space returns that error, and the table of slabs is empty.
func TestNoMemory(t *testing.T) {
	if Count() > 0 {
		t.Skip("there is a device")
	}
	for _, space := range []int{SpacePinned, SpaceManaged, SpaceDevice} {
		m := Memory{0, space}
		_, err := m.Reserve(1 << 20)
		require.ErrorIs(t, err, backend.ErrNoDevice, m.Name())
		require.ErrorIs(t, m.Release(1<<20, 1<<20), backend.ErrNoDevice)
		_, _, err = m.Info()
		require.ErrorIs(t, err, backend.ErrNoDevice)
	}
	require.Zero(t, SpaceOf(1<<20))
}

func TestMemory(t *testing.T) {
	library := os.Getenv(testedLibrary)
	if library == "" || !Built {
		t.Skip("set " + testedLibrary + ", and build with the tag cuda")
	}
	t.Setenv("PORTABLE_CUDA_LIBRARY", library)
	n, err := Open(Cuda)
	require.NoError(t, err)
	require.NotZero(t, n)
	defer Release()
	for _, space := range []int{SpacePinned, SpaceManaged, SpaceDevice} {
		m := Memory{0, space}
		t.Run(m.Name(), func(t *testing.T) {
			backendtest.Source(t, func() backend.Source { return m }, nil)
			addr, err := m.Reserve(5 << 20)
			require.NoError(t, err)
			require.Zero(t, addr%slabAlignment)
			require.Equal(t, space, SpaceOf(addr))
			require.Equal(t, space, SpaceOf(addr+5<<20-1))
			require.Zero(t, SpaceOf(addr+5<<20))
			require.NoError(t, m.Release(addr, 5<<20))
			require.Zero(t, SpaceOf(addr))
			require.ErrorIs(t, m.Release(addr, 5<<20), backend.ErrRefused)
		})
	}
}
