package host

import (
	"fmt"
	"os"
	"slices"
	"strings"
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

// Systems with aarch64 may have pages of 64 KiB: what is released is what was mapped, whole pages.
func TestPagesOf64KiB(t *testing.T) {
	defer func(was uint64) { page = was }(page)
	page = 64 << 10
	for _, bytes := range []uint64{1, 4096, 65536, 65537} {
		addr, err := Slabs{}.Reserve(bytes)
		require.NoError(t, err)
		require.Zero(t, addr%uintptr(page))
		end := addr + uintptr((bytes+page-1)/page*page)
		write(addr, uint64(end-addr))
		require.NotEmpty(t, flagsOf(t, end-4096))
		require.NoError(t, Slabs{}.Release(addr, bytes))
		text, err := os.ReadFile("/proc/self/maps")
		require.NoError(t, err)
		require.NotContains(t, string(text), fmt.Sprintf("-%x ", end), "the end of a slab of %d bytes is still mapped", bytes)
	}
}

// The kernel lists the flags of a mapping as one line of words; "hg" asks for huge pages.
func TestSlabsAskForHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has no huge pages to ask for")
	}
	for _, huge := range []bool{true, false} {
		addr, err := Slabs{Huge: huge}.Reserve(SlabAlignment)
		require.NoError(t, err)
		require.Equal(t, huge, slices.Contains(flagsOf(t, addr), "hg"))
		require.NoError(t, Slabs{Huge: huge}.Release(addr, SlabAlignment))
	}
}

// flagsOf reads the flags of the mapping that holds addr.
func flagsOf(t *testing.T, addr uintptr) []string {
	maps, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	inside := false
	for line := range strings.Lines(string(maps)) {
		var first, last uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &first, &last); n == 2 {
			inside = first <= addr && addr < last
		} else if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return strings.Fields(flags)
		}
	}
	t.Fatalf("no mapping holds %#x", addr)
	return nil
}
