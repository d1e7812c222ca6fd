package exec

// These tests check the list of devices and the settings of launches.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/fake"
)

type named string

func (n named) Name() string        { return string(n) }
func (named) Workers() int          { return 1 }
func (named) Launch(w backend.Work) { w.Run(0, 0, w.Units) }

func TestDevices(t *testing.T) {
	var told []int
	d := NewDevices([]backend.Device{named("serial"), named("threads"), fake.Device{N: 2}}, 2, func(n int) { told = append(told, n) })
	require.Equal(t, 3, d.Count())
	require.Equal(t, 2, d.Default())
	n, err := d.Find(" Serial")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = d.Find("cuda")
	require.ErrorIs(t, err, ErrNoDevice)
	require.ErrorContains(t, err, `"cuda"; there are serial, threads, fake`)
	_, err = d.Find("OpenMP")
	require.ErrorContains(t, err, "links portable::openmp")
	device, err := d.Get(0)
	require.NoError(t, err)
	require.Equal(t, "threads", device.Name())
	require.NoError(t, d.SetDefault(3))
	device, err = d.Get(0)
	require.NoError(t, err)
	require.Equal(t, "fake", device.Name())
	for _, n := range []int{-1, 0, 4} {
		require.ErrorIs(t, d.SetDefault(n), ErrNoDevice)
	}
	_, err = d.Get(4)
	require.ErrorContains(t, err, "number 4; there are 3: serial, threads, fake")
	require.Equal(t, 3, d.Default())
	require.Equal(t, []int{2, 3}, told)

	// Later ones come behind; numbers and the default stay.
	d.Append([]backend.Device{named("cuda:0"), named("cuda:1")})
	require.Equal(t, []string{"serial", "threads", "fake", "cuda:0", "cuda:1"}, d.Names())
	n, err = d.Find("CUDA:1")
	require.NoError(t, err)
	require.Equal(t, 5, n)
	require.Equal(t, 3, d.Default())
	require.NoError(t, d.SetDefault(5))
}

func TestThreads(t *testing.T) {
	for _, c := range []struct {
		m    Machine
		want int
	}{
		{Machine{CPUs: 8}, 8},
		{Machine{CPUs: 0}, 1},
		{Machine{CPUs: 8, Quota: 3}, 3},
		{Machine{CPUs: 8, Quota: 2.5}, 3},
		{Machine{CPUs: 8, Quota: 0.5}, 1},
		{Machine{CPUs: 2, Quota: 16}, 2},
		{Machine{CPUs: 8, Ranks: 2}, 4},
		{Machine{CPUs: 8, Ranks: 3}, 2},
		{Machine{CPUs: 2, Ranks: 4}, 1},
	} {
		require.Equal(t, c.want, Threads(c.m), "%+v", c.m)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Schedule{"static": Static, " Dynamic ": Dynamic} {
		s, why := ParseSchedule(text)
		require.Empty(t, why)
		require.Equal(t, want, s)
	}
	_, why := ParseSchedule("guided")
	require.NotEmpty(t, why)
	for _, c := range []struct {
		text   string
		levels bool
		want   int
		why    string
	}{
		{"4", false, 4, ""}, {" 12 ", false, 12, ""}, {"4,2", true, 4, ""}, {"4,2", false, 0, "a whole number is wanted"},
		{"0", false, 0, "it is less than 1"}, {"-3", true, 0, "it is less than 1"}, {"4096", false, 0, "it is more than 4095"},
		{"", false, 0, "a whole number is wanted"}, {"two", true, 0, "a whole number is wanted"},
	} {
		n, why := ParseThreads(c.text, c.levels)
		require.Equal(t, c.want, n, c.text)
		require.Equal(t, c.why, why, c.text)
	}
}
