//go:build portable_test_hooks

package team

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// indices lists the indices of a space or a box, each as text.
func indices(lower, upper, stride []int64) (all []string) {
	all = []string{""}
	for d := range lower {
		var longer []string
		for _, head := range all {
			for i := lower[d]; i <= upper[d]; i += stride[d] {
				longer = append(longer, fmt.Sprintf("%s %d", head, i))
			}
		}
		all = longer
	}
	return all
}

// place is how many iterations come before the one with that index.
func place(s space, index []int64) (n int64) {
	for k := range index {
		d := k
		if s.fortran {
			d = len(index) - 1 - k
		}
		n = n*((s.upper[d]-s.lower[d])/s.stride[d]+1) + (index[d]-s.lower[d])/s.stride[d]
	}
	return n
}

// checkCut compares the boxes of a cut with the plain list of all indices.
func checkCut(t *testing.T, s space, tile []int64, workers int, leaf int64) {
	t.Helper()
	parts, why := cut(s, tile, workers, leaf)
	require.Zero(t, why)
	seen := map[string]int{}
	var fewest, most, next int64 = math.MaxInt64, 0, 0
	for _, part := range parts {
		var n int64
		for _, b := range part {
			one := int64(1)
			for d := range b.lower {
				require.LessOrEqual(t, b.lower[d], b.upper[d])
				require.Zero(t, (b.upper[d]-b.lower[d])%s.stride[d], "upper is an index of the space")
				long := (b.upper[d]-b.lower[d])/s.stride[d] + 1
				if len(tile) > 0 && tile[d] > 0 {
					require.LessOrEqual(t, long, tile[d], "no box is longer than the tile")
				}
				one *= long
			}
			if leaf < 0 {
				require.LessOrEqual(t, one, -leaf)
			}
			if leaf > 0 {
				require.LessOrEqual(t, one, 2*leaf+16)
				require.Equal(t, next, place(s, b.lower), "leaves are in the order of the space")
				next += one
				require.Equal(t, next-1, place(s, b.upper), "and without gaps")
			}
			n += one
			for _, i := range indices(b.lower, b.upper, s.stride) {
				seen[i]++
			}
		}
		fewest, most = min(fewest, n), max(most, n)
	}
	wanted := indices(s.lower, s.upper, s.stride)
	require.Len(t, seen, len(wanted))
	for _, i := range wanted {
		require.Equal(t, 1, seen[i], "index%s", i)
	}
	if len(tile) == 0 && leaf == 0 {
		require.LessOrEqual(t, most-fewest, max(1, int64(len(wanted))/64), "shares differ too much")
		for _, part := range parts {
			require.LessOrEqual(t, len(part), 2*len(s.lower)+1, "a share comes in few boxes")
		}
	}
}

// spaces are of many shapes.
var spaces = []space{
	{lower: []int64{0}, upper: []int64{0}, stride: []int64{1}},
	{lower: []int64{1}, upper: []int64{100}, stride: []int64{1}},
	{lower: []int64{-7}, upper: []int64{5000}, stride: []int64{3}},
	{lower: []int64{1, 1}, upper: []int64{10, 7}, stride: []int64{1, 1}},
	{lower: []int64{0, -3}, upper: []int64{99, 40}, stride: []int64{2, 7}},
	{lower: []int64{0, 0}, upper: []int64{1, 999}, stride: []int64{1, 1}},
	{lower: []int64{0, 0}, upper: []int64{999, 1}, stride: []int64{1, 1}},
	{lower: []int64{1, 2, 3}, upper: []int64{20, 12, 9}, stride: []int64{1, 2, 1}},
	{lower: []int64{0, 0, 0, 0, 0, 0, 0, 0}, upper: []int64{1, 2, 1, 2, 1, 2, 1, 2}, stride: []int64{1, 1, 1, 1, 1, 1, 1, 1}},
	{lower: []int64{0, 0, 0}, upper: []int64{24, 18, 4}, stride: []int64{1, 1, 1}},
	{lower: []int64{math.MaxInt64 - 2000}, upper: []int64{math.MaxInt64 - 1}, stride: []int64{1}},
	{lower: []int64{math.MinInt64}, upper: []int64{math.MinInt64 + 777}, stride: []int64{7}},
}

func TestCutCoversEachIndexOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one thread")
	}
	for n, s := range spaces {
		for _, s.fortran = range []bool{false, true} {
			t.Run(fmt.Sprint(n, s.fortran), func(t *testing.T) {
				for _, workers := range []int{1, 2, 3, 8, 61} {
					checkCut(t, s, nil, workers, 0)
					for _, size := range []int64{1, 2, 5, 1000} {
						tile := make([]int64, len(s.lower))
						for d := range tile {
							tile[d] = size + int64(d)
						}
						checkCut(t, s, tile, workers, 0)
						tile[0] = 0 // as long as it is
						checkCut(t, s, tile, workers, 0)
					}
					for _, leaf := range []int64{1, 10, 40, 100000, -1, -10, -100000} {
						checkCut(t, s, nil, workers, leaf)
					}
				}
			})
		}
	}
}

// TestCutAtGrains: along the fastest dimension parts begin at whole grains only, whatever else is wanted; all indices are there once.
func TestCutAtGrains(t *testing.T) {
	cuts := 0
	for n, s := range spaces {
		for _, s.fortran = range []bool{false, true} {
			t.Run(fmt.Sprint(n, s.fortran), func(t *testing.T) {
				fastest := len(s.lower) - 1
				if s.fortran {
					fastest = 0
				}
				wanted := len(indices(s.lower, s.upper, s.stride))
				tile := make([]int64, len(s.lower))
				for _, s.grain = range []int64{1, 3, 16, 10000} {
					for _, workers := range []int{1, 3, 61} {
						for _, size := range []int64{0, 1, 20, 37, 1000, -1, -10, -100000} {
							leaf := int64(0)
							for d := range tile {
								tile[d] = max(size, 0)
							}
							if size < 0 {
								leaf = size
							}
							for _, leaf := range []int64{leaf, -leaf} {
								parts, why := cut(s, tile, workers, leaf)
								require.Zero(t, why)
								seen := 0
								for _, part := range parts {
									for _, b := range part {
										from := (b.lower[fastest] - s.lower[fastest]) / s.stride[fastest]
										require.Zero(t, from%s.grain, "tile %d, leaf %d, grain %d", size, leaf, s.grain)
										if from > 0 && s.grain == 16 {
											cuts++
										}
										inside := 1
										for d := range b.lower {
											inside *= int((b.upper[d]-b.lower[d])/s.stride[d]) + 1
										}
										seen += inside
									}
								}
								require.Equal(t, wanted, seen)
							}
						}
					}
				}
			})
		}
	}
	require.Greater(t, cuts, 1000, "rows are cut")
}

// TestGrainsKeepTiles: a grain of 16 leaves what has that size already, the leaves of reductions above all; a user's tile stays the most.
func TestGrainsKeepTiles(t *testing.T) {
	s := space{fortran: true, lower: []int64{1, 1}, upper: []int64{1000, 3}, stride: []int64{1, 1}}
	g := s
	g.grain = 16
	for _, leaf := range []int64{16, 100, 999} {
		without, _ := cut(s, nil, 2, leaf)
		with, _ := cut(g, nil, 2, leaf)
		require.Equal(t, without, with)
	}
	parts, _ := cut(g, []int64{100, 1}, 1, 0)
	require.Equal(t, box{lower: []int64{97, 1}, upper: []int64{192, 1}}, parts[0][1])
	parts, _ = cut(g, []int64{7, 1}, 1, 0)
	require.Equal(t, box{lower: []int64{17, 1}, upper: []int64{32, 1}}, parts[0][1])
}

func TestCutOfNothing(t *testing.T) {
	for _, s := range []space{
		{lower: []int64{1}, upper: []int64{0}, stride: []int64{1}},
		{lower: []int64{1, 5}, upper: []int64{10, 4}, stride: []int64{1, 1}},
		{lower: []int64{math.MinInt64, 5}, upper: []int64{math.MaxInt64, 4}, stride: []int64{1, 1}},
		{lower: []int64{math.MaxInt64}, upper: []int64{math.MinInt64}, stride: []int64{1}},
	} {
		parts, why := cut(s, nil, 2, 0)
		require.Zero(t, why)
		require.Empty(t, parts[0])
		require.Empty(t, parts[1])
	}
}

func TestCutRefuses(t *testing.T) {
	const big = math.MaxInt64
	for _, row := range []struct {
		why int
		s   space
	}{
		{2, space{lower: []int64{1}, upper: []int64{10}, stride: []int64{0}}},
		{2, space{lower: []int64{1, 1}, upper: []int64{10, 10}, stride: []int64{1, -1}}},
		{3, space{lower: []int64{math.MinInt64}, upper: []int64{big}, stride: []int64{1}}},
		{3, space{lower: []int64{0}, upper: []int64{big}, stride: []int64{1}}},
		{3, space{lower: []int64{1, 1}, upper: []int64{1 << 32, 1 << 31}, stride: []int64{1, 1}}},
		{1, space{}},
	} {
		_, why := cut(row.s, nil, 2, 0)
		require.Equal(t, row.why, why)
	}
	// Just what fits.
	s := space{lower: []int64{1}, upper: []int64{big}, stride: []int64{1}}
	parts, why := cut(s, nil, 2, 0)
	require.Zero(t, why)
	require.Equal(t, int64(1), parts[0][0].lower[0])
	require.EqualValues(t, big, parts[1][len(parts[1])-1].upper[0])
}

// TestRowsStayWhole: where there are rows enough, a vector loop sees all of each.
func TestRowsStayWhole(t *testing.T) {
	parts, _ := cut(space{fortran: true, lower: []int64{1, 1}, upper: []int64{100, 1024}, stride: []int64{1, 1}}, nil, 4, 0)
	for w, part := range parts {
		require.Equal(t, []box{{lower: []int64{1, int64(w)*256 + 1}, upper: []int64{100, int64(w+1) * 256}}}, part)
	}
}

// TestFastestDimensionFollowsOrder: in C order the last index is kept whole, in Fortran order the first.
func TestFastestDimensionFollowsOrder(t *testing.T) {
	s := space{lower: []int64{0, 0}, upper: []int64{2047, 99}, stride: []int64{1, 1}}
	parts, _ := cut(s, nil, 2, 0)
	require.Equal(t, []box{{lower: []int64{0, 0}, upper: []int64{1023, 99}}}, parts[0])
	s.fortran = true // the first is fastest: 100 rows, which are split
	parts, _ = cut(s, nil, 2, 0)
	require.Equal(t, int64(49), parts[0][len(parts[0])-1].upper[1])
}

// TestShadowStacks: a thread with a shadow stack does not switch stacks; the text says how to start the program.
func TestShadowStacks(t *testing.T) {
	why, here := SwitchRefused(0x7fff0000)
	require.Contains(t, why, "shadow stacks of the processor are on")
	off := map[string]string{"amd64": "x86_shstk=off", "arm64": "aarch64_gcs=0"}[runtime.GOARCH]
	require.Contains(t, why, "GLIBC_TUNABLES=glibc.cpu."+off)
	why, _ = SwitchRefused(0)
	require.Empty(t, why)
	require.Empty(t, here, "the machine of this test has shadow stacks, which are switched nowhere")
}
