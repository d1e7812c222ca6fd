//go:build portable_test_hooks

package capi

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/fake"
	"libportable/internal/instance"
)

// The exports are called here as C calls them; cgo's own names stand for C's types, because tests cannot
// import C.

func TestHotPathsAllocateNothing(t *testing.T) {
	require.NoError(t, lib.Init(instance.Request{FastPath: -1}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	label := []byte("a label")
	var out _Ctype_uintptr_t
	pair := func() {
		if portable__go_alloc(1000, 1000, textOf(label), _Ctype_size_t(len(label)), &out) != 0 || portable__go_free(out) != 0 {
			t.Error("allocate or free failed")
		}
	}
	pair() // keeps the label
	require.Zero(t, testing.AllocsPerRun(1000, pair))
}

func TestErrorsHaveCodes(t *testing.T) {
	var out _Ctype_uintptr_t
	require.EqualValues(t, -4, portable__go_alloc(1, 1, nil, 0, &out), "not running")
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	require.EqualValues(t, -5, portable__go_free(1<<20))
	require.EqualValues(t, -2, portable__go_alloc(1<<60, 1<<60, nil, 0, &out))
	require.Zero(t, out)
	require.EqualValues(t, -3, portable__go_pool_check(12345))
}

// A stream serves devices of Go's too: its thread goes into Go for each launch.
func TestStreamsOfOtherDevices(t *testing.T) {
	require.NoError(t, lib.AddDevice(fake.Device{N: 3}))
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	devices, err := lib.Devices()
	require.NoError(t, err)
	require.GreaterOrEqual(t, devices.Count(), 3)
	for device := 1; device <= devices.Count(); device++ {
		require.EqualValues(t, 50*1000, inStream(device, 50, 1000), device)
	}
	require.EqualValues(t, -1, inStream(99, 1, 1))
	require.Contains(t, lastError(), "number 99; there are ")
}

// An array that a kernel object declares costs a launch into a stream no memory, once the stream has used it.
func TestUsesAllocateNothing(t *testing.T) {
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	var addr _Ctype_uintptr_t
	require.Zero(t, portable__go_alloc(1000, 1000, nil, 0, &addr))
	var stream, done, number uint64
	count := (*_Ctype_uint64_t)(unsafe.Pointer(&done))
	use := func() {
		number++
		portable__go_depend(unsafe.Pointer(&stream), count, 0, _Ctype_uint64_t(number), &addr, 1)
	}
	use()
	require.Zero(t, testing.AllocsPerRun(1000, use))
	outside := _Ctype_uintptr_t(1 << 20)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		portable__go_depend(unsafe.Pointer(&stream), count, 0, 1, &outside, 1)
	}), "an array that is no pool's")
	waiting := func() uint64 {
		d, err := lib.Default()
		require.NoError(t, err)
		return d.Stats().WaitBlocks
	}
	require.Zero(t, portable__go_free(addr))
	done = number - 1
	require.EqualValues(t, 1, waiting())
	done = number
	require.Zero(t, waiting())
}

func TestGuardMakesAStatusOfAPanic(t *testing.T) {
	t.Cleanup(unbreak)
	st := func() (st _Ctype_portable_status) {
		defer guard(&st)
		panic("on purpose")
	}()
	require.EqualValues(t, -12, st)
	require.True(t, strings.Contains(lastError(), "on purpose"))
	require.True(t, strings.Contains(lastError(), "please report"))
	require.EqualValues(t, -12, crossIn(), "after a fault everything is refused")
}

// Two readers of one variable, because C needs it before Go runs: they must agree on every text.
func TestAllocateFromIsReadAlikeInCAndGo(t *testing.T) {
	for _, text := range []string{
		"65536", "64KB", "64 kb", "64k", "64KiB", " 0.5MB ", "1.5g", "4GB", "2T", "100000b", "4096", "4095", "1", "0", "0.0",
		"5.", ".5m", ".", "", "KB", "-17", "+17", "4GX", "4GBGB", "1e5", "1.2.3", "0x10000", "6 4k", "64kb extra", "\t64KB\n",
		"99999999999999999999", "70000000000000000", "65536TB", "1.0000001GB", "64ki", "64bb", "64 k b", "64iB", "64KBi", "100000B",
	} {
		env := instance.Environment{Lookup: func(string) (string, bool) { return text, true }}
		want := instance.AllocateFrom(env)
		if text == "" {
			continue // C does not ask for an empty value either
		}
		require.Equal(t, want, serveParse(text), "%q", text)
	}
}
