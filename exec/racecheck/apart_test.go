package racecheck

// These tests compare Apart with a search through all pairs of iterations.

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// cellsOf gives arrays the cells that a launch would give them.
func cellsOf(t testing.TB, arrays ...Array) []Array {
	r := New(newAddresses(), 1<<30)
	r.Begin("apart", 10)
	require.Empty(t, r.Cells(arrays))
	return arrays
}

func TestApart(t *testing.T) {
	const n = 100
	written, read := raceArray("a", 0x100000, true, 8, n, n), raceArray("u", 0x200000, false, 8, n, n)
	two := raceArray("a(:,:,2)", 0x100000, true, 8, n, n, 2)
	back := raceArray("back", 0x100000+(n-1)*8, true, 8, n)
	back.Strides[0], back.Low = -1, 1-n
	at := func(array int, writes bool, first int64, step ...int64) Reference {
		return Reference{array, writes, first, step}
	}
	for _, c := range []struct {
		name   string
		array  Array
		extent []int64
		list   []Reference
		want   bool
	}{
		{"update", written, []int64{n, n}, []Reference{at(0, true, 0, 1, n), at(0, false, 0, 1, n)}, true},
		{"neighbour", written, []int64{n, n - 1}, []Reference{at(0, true, 0, 1, n), at(0, false, n, 1, n)}, false},
		{"neighbour in one iteration", written, []int64{n, 1}, []Reference{at(0, true, 0, 1, n), at(0, false, n, 1, n)}, true},
		{"stencil", written, []int64{n - 2, n - 2}, []Reference{at(0, true, n+1, 1, n), at(1, false, n, 1, n), at(1, false, n+2, 1, n), at(1, false, 1, 1, n)}, true},
		{"transposed loops", written, []int64{n, n}, []Reference{at(0, true, 0, n, 1)}, true},
		{"one row for all", written, []int64{n, n}, []Reference{at(0, true, 0, 1, 0)}, false},
		{"one row is read", written, []int64{n, n - 1}, []Reference{at(0, true, n, 1, n), at(0, false, 0, 1, 0)}, true},
		{"one row is read and written", written, []int64{n, n}, []Reference{at(0, true, 0, 1, n), at(0, false, 0, 1, 0)}, false},
		{"one element is read", written, []int64{n - 1, n}, []Reference{at(0, true, 1, 1, n), at(0, false, 5*n, 0, 0)}, true},
		{"red and black", written, []int64{n / 2}, []Reference{at(0, true, 0, 2), at(0, false, 1, 2)}, true},
		{"every second, every fourth", written, []int64{n / 4}, []Reference{at(0, true, 0, 2), at(0, false, 1, 4)}, true},
		{"every third meets every second", written, []int64{n / 4}, []Reference{at(0, true, 0, 3), at(0, false, 1, 2)}, false},
		{"blocks of three", written, []int64{n}, []Reference{at(0, true, 0, 3), at(0, true, 1, 3), at(0, true, 2, 3)}, true},
		{"old and new", two, []int64{n - 1, n}, []Reference{at(0, true, 0, 1, n), at(0, false, n*n, 1, n), at(0, false, n*n+1, 1, n)}, true},
		{"backwards", back, []int64{n}, []Reference{at(0, true, 0, -1)}, true},
		{"forwards and backwards", written, []int64{n}, []Reference{at(0, true, 0, 1), at(0, false, n-1, -1)}, false},
		{"rows that overlap", written, []int64{n, 9}, []Reference{at(0, true, 0, 1, n-1)}, false},
		{"diagonals", written, []int64{9, 9}, []Reference{at(0, true, 0, 11, 10)}, true},
		{"diagonals that meet", written, []int64{11, 11}, []Reference{at(0, true, 0, 10, 9)}, false},
		{"outside", written, []int64{n + 1, n}, []Reference{at(0, true, 0, 1, n+1)}, false},
		{"begins outside", written, []int64{n}, []Reference{at(0, true, -1, 1)}, false},
		{"far away", written, []int64{2}, []Reference{at(0, true, math.MinInt64+1, math.MaxInt64)}, false},
		{"a long way", written, []int64{2, math.MaxInt64}, []Reference{at(0, true, 0, math.MinInt64, 2)}, false},
		{"told", written, []int64{n}, []Reference{at(0, true, 0, 1), at(2, false, 0, 1)}, false},
		{"apart from those", written, []int64{n}, []Reference{at(0, true, n, 1)}, true},
		{"no such array", written, []int64{n}, []Reference{at(3, false, 0, 1)}, false},
		{"only read", written, []int64{n}, []Reference{at(1, true, 0, 0)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			arrays := cellsOf(t, c.array, read, raceArray("part", 0x100000, false, 8, n))
			arrays[2].Told = c.name == "told" || c.name == "apart from those"
			require.Equal(t, c.want, Apart(arrays, c.list, c.extent))
		})
	}
}

// brute runs the iterations: two of them touch one element, and one writes it.
func brute(list []Reference, extent []int64) bool {
	type touch struct {
		first     int64
		many, put bool
	}
	touched := map[int64]*touch{}
	races := false
	for i := int64(0); i < extent[0]*extent[1]*extent[2]; i++ {
		for _, r := range list {
			e := r.First + i%extent[0]*r.Step[0] + i/extent[0]%extent[1]*r.Step[1] + i/extent[0]/extent[1]*r.Step[2]
			x := touched[e]
			if x == nil {
				x = &touch{first: i}
				touched[e] = x
			}
			x.many = x.many || x.first != i
			x.put = x.put || r.Writes
			races = races || x.many && x.put
		}
	}
	return races
}

// TestApartIsTrue compares with the iterations themselves. Where the references have the same steps, it must be exact.
func TestApartIsTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	proved, exact := 0, 0
	for range 5000 {
		extent := []int64{1 + random.Int64N(6), 1 + random.Int64N(5), 1 + random.Int64N(4)}
		step := func() []int64 {
			return []int64{random.Int64N(9) - 4, random.Int64N(25) - 12, random.Int64N(61) - 30}
		}
		common := step()
		list := make([]Reference, 1+random.IntN(3))
		same := true
		for i := range list {
			list[i] = Reference{0, random.IntN(2) == 0, random.Int64N(100) - 50, common}
			if random.IntN(3) == 0 {
				list[i].Step = step()
			}
			for d := range extent {
				same = same && (extent[d] == 1 || list[i].Step[d] == list[0].Step[d])
			}
		}
		a := raceArray("a", 0x100000, true, 8, 1000)
		for i := range list {
			list[i].First += 500
		}
		got, races := Apart(cellsOf(t, a), list, extent), brute(list, extent)
		require.False(t, got && races, "%v %v", extent, list)
		if same && !races {
			require.True(t, got, "%v %v", extent, list)
			exact++
		}
		if got {
			proved++
		}
	}
	require.Greater(t, proved, 300)
	require.Greater(t, exact, 100)
}
