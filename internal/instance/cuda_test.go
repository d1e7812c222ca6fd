package instance

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
)

func TestAsksForCuda(t *testing.T) {
	for name, want := range map[string]bool{
		"cuda": true, " CUDA ": true, "auto": true, "Auto": true, "cuda:0": true, "cuda:17": true, "Cuda:2": true,
		"hip": true, "HIP:1": true, "hip:": false, "hip1": false, "hips": false,
		"": false, "threads": false, "cud": false, "cudas": false, "cuda:": false, "cuda:x": false, "cuda0": false, "automatic": false,
	} {
		require.Equal(t, want, asksForCuda(name) != nil, "%q", name)
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		devices, local int
		name, want     string
	}{
		{0, NoRank, "auto", "threads"}, {0, 3, "cuda", "cuda"}, {0, NoRank, "cuda:0", "cuda:0"}, {0, NoRank, "serial", "serial"},
		{1, NoRank, "auto", "cuda:0"}, {1, 5, "cuda", "cuda:0"}, {4, NoRank, " Cuda", "cuda:0"}, {4, 0, "cuda", "cuda:0"},
		{4, 3, "cuda", "cuda:3"}, {4, 6, "AUTO", "cuda:2"}, {4, 6, "cuda:1", "cuda:1"},
	} {
		in := New(variables(nil), Fronts{}, func(string) {})
		if c.local != NoRank {
			require.NoError(t, in.SetRank(Rank{World: 9, Local: c.local}))
		}
		for i := range c.devices {
			in.cudas = append(in.cudas, fmt.Sprintf("cuda:%d", i))
		}
		require.Equal(t, c.want, in.resolve(c.name), "%+v", c)
	}
}

// With devices of two drivers each word asks for its own; "auto" prefers NVIDIA's.
func TestResolveOfTwoDrivers(t *testing.T) {
	for _, c := range []struct {
		devices    []string
		local      int
		name, want string
	}{
		{[]string{"hip:0", "hip:1", "cuda:0"}, NoRank, "hip", "hip:0"}, {[]string{"hip:0", "hip:1", "cuda:0"}, 3, "HIP", "hip:1"},
		{[]string{"hip:0", "hip:1", "cuda:0"}, 3, "cuda", "cuda:0"}, {[]string{"hip:0", "cuda:0"}, 0, "auto", "cuda:0"},
		{[]string{"hip:0"}, 0, "auto", "hip:0"}, {[]string{"hip:0"}, 0, "cuda", "cuda"}, {[]string{"cuda:0"}, 0, "hip:0", "hip:0"},
	} {
		in := New(variables(nil), Fronts{}, func(string) {})
		if c.local != NoRank {
			require.NoError(t, in.SetRank(Rank{World: 9, Local: c.local}))
		}
		in.cudas = c.devices
		require.Equal(t, c.want, in.resolve(c.name), "%+v", c)
		require.Equal(t, 0, in.indexOfCuda(c.devices[0]))
		require.Equal(t, -1, in.indexOfCuda("threads"))
	}
}

// If the environment asks for a device that does not exist, one line says why, and launches run on threads.
func TestChoose(t *testing.T) {
	in := New(variables(nil), Fronts{}, func(string) {})
	in.cudaWhy = fmt.Errorf("%w: the reason", backend.ErrNoDevice)
	l := Launching{Device: "cuda"}
	require.Equal(t, []string{"before", "PORTABLE_DEVICE=cuda: there is no such device: the reason; there are serial, threads; using threads"},
		in.chooseLocked(&l, []string{"before"}))
	require.Equal(t, "threads", l.Device)
	l.Device = "auto"
	require.Empty(t, in.chooseLocked(&l, nil))
	require.Equal(t, "threads", l.Device)
	in.cudas, in.cudaWhy = []string{"cuda:0", "cuda:1"}, nil
	l.Device = "Cuda:1"
	require.Empty(t, in.chooseLocked(&l, nil))
	require.Equal(t, "cuda:1", l.Device)
	l.Device = "cuda:2"
	require.Equal(t, []string{"PORTABLE_DEVICE=cuda:2: there is no such device; there are serial, threads, cuda:0, cuda:1; using threads"},
		in.chooseLocked(&l, nil))
}
