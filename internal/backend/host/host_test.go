package host

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/backendtest"
)

// write touches the first and the last byte of mapped memory.
func write(addr uintptr, bytes uint64) {
	b := unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), bytes)
	b[0], b[bytes-1] = 1, 2
}

func TestSlabs(t *testing.T) {
	backendtest.Source(t, func() backend.Source { return Slabs{} }, write)
}

func TestHeap(t *testing.T) {
	backendtest.Source(t, func() backend.Source { return Heap{} }, write)
}

func TestSlabsAreAlignedForHugePages(t *testing.T) {
	for range 3 {
		addr, err := Slabs{}.Reserve(3 << 20)
		require.NoError(t, err)
		require.Zero(t, addr%SlabAlignment)
		defer func() { require.NoError(t, Slabs{}.Release(addr, 3<<20)) }()
	}
}

func TestTablesAreZero(t *testing.T) {
	table, err := Tables{}.Take(1000)
	require.NoError(t, err)
	for _, w := range table {
		require.Zero(t, w)
	}
	table[999] = 1
	Tables{}.Give(table)
	_, err = Tables{}.Take(1 << 58)
	require.ErrorIs(t, err, backend.ErrRefused)
}
