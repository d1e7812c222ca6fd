// Package backendtest is the suite that every implementation of the backend contract passes. A
// backend's own test calls this suite and adds tests of its peculiarities. Tests only.
package backendtest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
)

// Source tests the source that make returns. write writes to a slab, if the host can.
func Source(t *testing.T, make func() backend.Source, write func(addr uintptr, bytes uint64)) {
	t.Run("aligned and apart", func(t *testing.T) {
		s := make()
		require.NotEmpty(t, s.Name())
		type slab struct {
			addr  uintptr
			bytes uint64
		}
		var slabs []slab
		for _, bytes := range []uint64{1, 63, 64, 4096, 1<<20 + 1, 5 << 20} {
			addr, err := s.Reserve(bytes)
			require.NoError(t, err)
			require.NotZero(t, addr)
			require.Zero(t, addr%backend.Alignment, "%d bytes at %#x", bytes, addr)
			for _, o := range slabs {
				require.True(t, addr+uintptr(bytes) <= o.addr || o.addr+uintptr(o.bytes) <= addr, "slabs overlap")
			}
			if write != nil {
				write(addr, bytes)
			}
			slabs = append(slabs, slab{addr, bytes})
		}
		for _, o := range slabs {
			require.NoError(t, s.Release(o.addr, o.bytes))
		}
	})
	t.Run("too large is refused, and the source goes on", func(t *testing.T) {
		s := make()
		_, err := s.Reserve(1 << 62)
		require.ErrorIs(t, err, backend.ErrRefused)
		_, err = s.Reserve(^uint64(0) - 10)
		require.ErrorIs(t, err, backend.ErrRefused)
		addr, err := s.Reserve(4096)
		require.NoError(t, err)
		require.NoError(t, s.Release(addr, 4096))
	})
	t.Run("from many goroutines", func(t *testing.T) {
		s := make()
		var group sync.WaitGroup
		failures := new(sync.Map)
		for g := range 4 {
			group.Go(func() {
				for i := range 50 {
					bytes := uint64(1000*(g+1) + i)
					addr, err := s.Reserve(bytes)
					if err == nil {
						err = s.Release(addr, bytes)
					}
					if err != nil {
						failures.Store(g, err)
					}
				}
			})
		}
		group.Wait()
		failures.Range(func(_, err any) bool { t.Error(err); return true })
	})
}
