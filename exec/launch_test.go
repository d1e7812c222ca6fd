package exec

// These tests check refusals of launches, kernels and divisions, and the order of their checks.

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func space(upper ...int64) *Bounds {
	b := &Bounds{StructSize: BoundsBytes, Rank: int32(len(upper))}
	for d, u := range upper {
		b.Upper[d], b.Stride[d] = u, 1
	}
	return b
}

// The first check that fails gives the text.
func TestLaunchRefusals(t *testing.T) {
	l := Launch{Call: "parallel_for", Label: "a\nb", Devices: 2, Default: 1, Names: []string{"serial", "threads"}}
	check := func(status Status, text string) {
		t.Helper()
		r, _ := l.Refuse()
		require.Equal(t, Refusal{status, "parallel_for 'a\\nb': " + text}, r)
	}
	check(BadArgument, "bounds is NULL")
	l.Bounds, l.Missing = &Bounds{}, "the kernel"
	check(BadArgument, "the kernel is NULL")
	l.Missing, l.Config = "", &LaunchConfig{StructSize: 1000}
	check(BadArgument, "config.struct_size is 1000; begin with PORTABLE_LAUNCH_CONFIG_INIT")
	l.Config = &LaunchConfig{StructSize: ConfigBytes, Cut: -1, Reserved: 5, Schedule: 9, Stream: 0x5, Device: 1}
	check(BadArgument, "these bounds were not made by portable_bounds_make")
	l.IntegerBytes = 4
	check(BadArgument, "these bounds are invalid; bounds(lower, upper, stride) takes arrays of one length, 1 to 8")
	l.Bounds = space(math.MaxInt64, math.MaxInt64)
	l.Bounds.Stride[1] = 0
	check(BadArgument, "the stride of dimension 2 is 0; it is 1 or more (bounds 0:9223372036854775807, 0:9223372036854775807:0)")
	l.Bounds.Stride[1] = 2
	check(Overflow, "there are more iterations than a 64-bit integer counts (bounds 0:9223372036854775807, 0:9223372036854775807:2)")
	l.Bounds.Lower[1], l.Bounds.Upper[0] = math.MaxInt64, math.MaxInt64-1
	check(BadArgument, "a stride is not 1 (bounds 0:9223372036854775806, 9223372036854775807:9223372036854775807:2); "+
		"when the kernel's loops heed the tile's stride, say so with strided")
	l.Config.Strided = 1
	r, ofBounds := l.Refuse()
	require.Equal(t, Overflow, r.Status)
	require.Contains(t, r.Text, "the bounds of dimension 1 do not fit a default integer")
	require.True(t, ofBounds)
	l.Wide, l.Config.Tile[1] = true, -3
	check(BadArgument, "the tile has -3 iterations in dimension 2; it has 1 or more, or 0 for as many as there are")
	l.Config.Tile[1] = 0
	check(BadArgument, "the cut has -1 iterations; it has 1 or more, or 0 for tiles that begin anywhere")
	l.Config.Cut = 0
	check(BadArgument, "config.reserved is 5; it is 0 in this version: begin with PORTABLE_LAUNCH_CONFIG_INIT")
	l.Config.Reserved = 0
	check(BadArgument, "there is no schedule 9; there are 0 (the default), 1 (static) and 2 (dynamic)")
	l.Config.Schedule = Dynamic
	check(BadHandle, "0x5 is not a stream, or the stream was destroyed")
	l.StreamDevice = 2
	check(BadArgument, "the stream is one of device 2 (threads), the launch names device 1; name one of them")
	l.Config.Device, l.StreamDevice = 0, 3
	check(NoDevice, "there is no device 3; there are 2")
	l.Config.Stream = 0
	r, ofBounds = l.Refuse()
	require.Zero(t, r)
	require.False(t, ofBounds)
}

func TestOuterRefusals(t *testing.T) {
	l := Launch{Call: "parallel_outer", Label: "columns", Missing: "args", Config: &LaunchConfig{StructSize: 3}}
	require.Equal(t, Refusal{BadArgument, "parallel_outer 'columns': args is NULL"}, l.RefuseOuter(0))
	l.Missing = ""
	require.Contains(t, l.RefuseOuter(ScratchMost+1).Text, "67108865 bytes of scratch are asked for each outer iteration")
	require.Contains(t, l.RefuseOuter(ScratchMost).Text, "config.struct_size is 3")
	l.Config = nil
	require.Zero(t, l.RefuseOuter(ScratchMost))
}

// listed gives arguments the names a, b and c.
func listed(list []Argument) Arguments {
	return Arguments{Count: uint64(len(list)),
		At:   func(i uint64) Argument { return list[i] },
		Name: func(i uint64) string { return "abc"[i : i+1] },
	}
}

func TestKernelRefusals(t *testing.T) {
	good := Argument{ArgumentPointer, 1, 8, 8}
	for _, c := range []struct {
		arguments []Argument
		text      string
	}{
		{[]Argument{good, {9, 0, 0, 4}}, "argument 2 ('b') has the kind 9; there are 0 to 7"},
		{[]Argument{{-1, 0, 0, 4}}, "argument 1 ('a') has the kind -1"},
		{[]Argument{{0, 0, 0, 0}}, "has 0 bytes"},
		{[]Argument{{1, 0, 0, 8}}, "has 8 bytes; its kind has 4"},
		{[]Argument{{ArgumentArray, 1, 0, 41}}, "has 41 bytes; a view of rank r"},
		{[]Argument{{1, 0, 13, 4}}, "ends behind the block of 16 bytes"},
		{[]Argument{{1, 0, math.MaxUint64, 4}}, "ends behind the block"},
		{[]Argument{{ArgumentPointer, 0, 0, 8}}, "has the access 0"},
		{[]Argument{{1, 1, 0, 4}}, "has the access 1"},
		{[]Argument{good, {1, 0, 12, 4}}, "arguments 1 and 2 overlap"},
	} {
		r := MakeKernel("k", "", 16, listed(c.arguments), 10, func() bool { t.Fatal("made"); return true })
		require.Equal(t, BadArgument, r.Status)
		require.Contains(t, r.Text, "portable_kernel_create of 'k': ")
		require.Contains(t, r.Text, c.text)
	}
	require.Zero(t, MakeKernel("k", "", 16, listed([]Argument{good, {ArgumentLiveout, 0, 0, 8}}), 10, func() bool { return true }))
	require.Equal(t, NoMemory, MakeKernel("k", "", 0, Arguments{}, 10, func() bool { return false }).Status)
	require.Equal(t, Refusal{BadArgument, "portable_kernel_create of 'k': kernel_out is NULL"}, MakeKernel("k", "kernel_out", 0, Arguments{}, 10, nil))
	wild := Arguments{Count: math.MaxUint64, At: func(i uint64) Argument { return Argument{ArgumentPointer, 1, 8 * i, 8} },
		Name: func(uint64) string { return "" }}
	require.Contains(t, MakeKernel("k", "", 16, wild, 10, nil).Text, "argument 3 ends behind the block", "a wrong count is not copied")
	require.Contains(t, NoHost("k", 2).Text, "portable_launch_reduce of 'k': the kernel has no implementation of reductions for the host")
}
