package cuda

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
)

// On a machine without a driver, which the variable simulates, no device is found, the reason is printed, and nothing
// ends the program.
func TestNoDriver(t *testing.T) {
	require.NoError(t, os.Setenv("PORTABLE_CUDA_LIBRARY", "/nowhere/libcuda.so.1"))
	require.Zero(t, Count())
	for range 2 {
		n, err := Open(Cuda)
		require.Zero(t, n)
		require.ErrorIs(t, err, backend.ErrNoDevice)
		if Built {
			require.ErrorContains(t, err, "/nowhere/libcuda.so.1: cannot open shared object file")
		} else {
			require.ErrorContains(t, err, "built without CUDA")
		}
	}
	require.NoError(t, os.Setenv("PORTABLE_HIP_LIBRARY", "/nowhere/libamdhip64.so"))
	_, err := Open(Hip)
	require.ErrorIs(t, err, backend.ErrNoDevice)
	if Built {
		require.ErrorContains(t, err, "/nowhere/libamdhip64.so: cannot open shared object file")
	}
	Number(3)
	Release()
	require.Equal(t, "cuda:1", Name(1))
}

// The list of functions is sorted. A function that sources call by a short name is in it under the driver's name.
func TestFunctions(t *testing.T) {
	text, err := os.ReadFile("include/cuda_functions.inc")
	require.NoError(t, err)
	known, last := map[string]bool{}, ""
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, "X(")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, ",")
		require.Less(t, last, name)
		known[name], last = true, name
	}
	text, err = os.ReadFile("include/cuda_names.h")
	require.NoError(t, err)
	mapped := 0
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "#define" && strings.HasPrefix(words[1], "cu") {
			require.True(t, known[words[2]], "%s stands for %s, which is not in the list", words[1], words[2])
			require.False(t, known[words[1]], "%s is in the list, but sources that say so mean %s", words[1], words[2])
			mapped++
		}
	}
	require.NotZero(t, mapped)
}
