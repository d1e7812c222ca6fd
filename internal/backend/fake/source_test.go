package fake

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/backendtest"
)

func TestConformance(t *testing.T) {
	var s *Source
	backendtest.Source(t, func() backend.Source { s = New(64 << 20); return s }, func(addr uintptr, bytes uint64) {
		b := s.Bytes(addr)
		b[0], b[bytes-1] = 1, 2
	})
}

func TestFailsOnOrder(t *testing.T) {
	s := New(100)
	s.FailCall(2)
	a, err := s.Reserve(60)
	require.NoError(t, err)
	_, err = s.Reserve(10)
	require.ErrorIs(t, err, backend.ErrRefused)
	_, err = s.Reserve(60)
	require.ErrorIs(t, err, backend.ErrRefused, "over the limit")
	require.EqualValues(t, 60, s.Used())
	s.FailRelease(true)
	require.Error(t, s.Release(a, 60))
	s.FailRelease(false)
	require.Error(t, s.Release(a, 61), "not what was given")
	require.NoError(t, s.Release(a, 60))
	require.Error(t, s.Release(a, 60), "twice")
	require.EqualValues(t, 0, s.Used())
	require.EqualValues(t, 60, s.Peak())
	require.Equal(t, 3, s.Calls())
}
