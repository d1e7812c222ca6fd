package gator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/paper"
)

// granules makes a pool of 64-byte granules in one slab at a known place and without growth.
func granules(t *testing.T, units uint64) (*Pool, uintptr) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Block: 64, Initial: 64 * units, Limit: 64 * units})
	require.NoError(t, err)
	return p, p.slabs[0].base
}

// take allocates whole granules and gives the number of the first.
func take(t *testing.T, p *Pool, units uint64) uint64 {
	addr, err := p.Allocate(64*units, "")
	require.NoError(t, err)
	require.NoError(t, p.Check())
	return uint64(addr-p.slabs[0].base) / 64
}

func drop(t *testing.T, p *Pool, unit uint64) {
	require.NoError(t, p.Free(p.slabs[0].base+uintptr(64*unit)))
	require.NoError(t, p.Check())
}

// gaps lists the gaps of the first slab: first granule, length.
func gaps(p *Pool) (list [][2]uint32) {
	p.slabs[0].walk(func(u, length uint32, st state, _ labelID) bool {
		if st.kind() == kindGap {
			list = append(list, [2]uint32{u, length})
		}
		return true
	})
	return list
}

func TestFirstFitPlacement(t *testing.T) {
	p, _ := granules(t, 100)
	require.EqualValues(t, 0, take(t, p, 10))
	require.EqualValues(t, 10, take(t, p, 5))
	require.EqualValues(t, 15, take(t, p, 20))
	require.EqualValues(t, 35, take(t, p, 1))
	drop(t, p, 0)
	drop(t, p, 15)
	require.Equal(t, [][2]uint32{{0, 10}, {15, 20}, {36, 64}}, gaps(p))
	require.EqualValues(t, 0, take(t, p, 3), "the lowest gap that is large enough, not the best fit")
	require.EqualValues(t, 15, take(t, p, 8), "the gap of 7 is too small")
	require.EqualValues(t, 3, take(t, p, 7), "exactly fits")
	require.EqualValues(t, 36, take(t, p, 13), "the gap of 12 is too small")
	require.EqualValues(t, 23, take(t, p, 12))
	require.EqualValues(t, 49, take(t, p, 51), "to the last granule")
	require.Empty(t, gaps(p))
	_, err := p.Allocate(0, "")
	require.ErrorIs(t, err, ErrMemory, "0 bytes have an address, and no address is left")
}

func TestSizesAreRoundedUpToGranules(t *testing.T) {
	for _, row := range []struct{ bytes, units uint64 }{{0, 1}, {1, 1}, {63, 1}, {64, 1}, {65, 2}, {128, 2}, {129, 3}} {
		p, _ := granules(t, 10)
		a, err := p.Allocate(row.bytes, "")
		require.NoError(t, err)
		require.Zero(t, a%64)
		require.Equal(t, Stats{Slabs: 1, InUse: row.bytes, Blocks: 1, Occupied: 64 * row.units, HighWater: 64 * row.units,
			Reserved: 640, Limit: 640, Free: 640 - 64*row.units, LargestGap: 640 - 64*row.units, Allocations: 1}, p.Stats())
		require.EqualValues(t, row.units, take(t, p, 1))
	}
}

// TestCoalescing frees three neighbours in every order, between two blocks and at both ends of the slab, and
// where the borders of regions fall between and into them.
func TestCoalescing(t *testing.T) {
	orders := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	shapes := [][5]uint64{ // before, three neighbours, after
		{4, 1, 1, 1, 4}, {4, 5, 6, 7, 4}, {0, 5, 6, 7, 0}, {0, 1, 1, 1, 4}, {4, 1, 1, 1, 0},
		{0, region, region, region, 0}, {region - 1, 1, 1, 1, 5}, {region - 2, 1, 1, 1, 5}, {region - 3, 2, 2, 2, 5},
		{region, region - 1, 2, region - 1, 1}, {1, 3 * region, 1, 3 * region, 1}, {region / 2, region, 2 * region, 5, 0},
		{1, region - 1, 17 * region, 1, 1}, {0, 1, fan*region + 1, 3, region},
	}
	for _, shape := range shapes {
		for _, order := range orders {
			units := shape[0] + shape[1] + shape[2] + shape[3] + shape[4]
			p, _ := granules(t, units)
			var at [5]uint64
			for i, n := range shape {
				if n > 0 {
					at[i] = take(t, p, n)
				}
			}
			require.Empty(t, gaps(p))
			for _, i := range order {
				drop(t, p, at[i+1])
			}
			whole := uint32(shape[1] + shape[2] + shape[3])
			require.Equal(t, [][2]uint32{{uint32(shape[0]), whole}}, gaps(p), "shape %v, order %v", shape, order)
			require.Equal(t, shape[0], take(t, p, uint64(whole)))
		}
	}
}

// TestRegionBorders finds first fits where the lowest region with a gap start has only smaller gaps, and where
// gaps begin in one region and end in another.
func TestRegionBorders(t *testing.T) {
	p, _ := granules(t, 5*region)
	for range 5 * region {
		take(t, p, 1)
	}
	for u := uint64(0); u < region; u += 2 {
		drop(t, p, u) // region 0 has many gaps of 1
	}
	drop(t, p, 2*region-1)
	drop(t, p, 2*region)
	drop(t, p, 2*region+1) // a gap of 3 that starts on the last granule of region 1
	for u := uint64(4*region - 2); u < 5*region; u++ {
		drop(t, p, u) // a gap over the end of region 3 and all of region 4
	}
	require.EqualValues(t, 2*region-1, take(t, p, 2))
	require.EqualValues(t, 4*region-2, take(t, p, 2), "one granule is left at the start of region 2")
	require.EqualValues(t, 4*region, take(t, p, region))
	require.EqualValues(t, 0, take(t, p, 1))
	for u := uint64(2); u < region; u += 2 {
		require.EqualValues(t, u, take(t, p, 1))
	}
	require.EqualValues(t, 2*region+1, take(t, p, 1))
	require.Empty(t, gaps(p))
}

// TestSlabsAreNotJoined: the ends of two slabs may touch, and belong to two releases all the same.
func TestSlabsAreNotJoined(t *testing.T) {
	source := paper.New(paper.Touching, 0)
	p, err := New(Config{Source: source, Block: 64, Initial: 640, Grow: 640})
	require.NoError(t, err)
	a, err := p.Allocate(640, "")
	require.NoError(t, err)
	b, err := p.Allocate(640, "")
	require.NoError(t, err)
	require.Equal(t, a+640, b, "the test needs slabs that touch")
	require.NoError(t, p.Free(a))
	require.NoError(t, p.Free(b))
	require.EqualValues(t, 640, p.Stats().LargestGap)
	c, err := p.Allocate(641, "")
	require.NoError(t, err)
	require.Equal(t, b+640, c, "in a third slab")
	require.NoError(t, p.Check())
}

// TestSlabsInOrderOfAge: placement follows age, look-ups follow the address.
func TestSlabsInOrderOfAge(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Downwards, 0), Block: 64, Initial: 640, Grow: 640})
	require.NoError(t, err)
	var blocks []uintptr
	for range 30 {
		a, err := p.Allocate(64, "")
		require.NoError(t, err)
		blocks = append(blocks, a)
	}
	require.Greater(t, blocks[0], blocks[10], "the second slab lies below the first")
	for _, i := range []int{25, 15, 5} {
		require.NoError(t, p.Free(blocks[i]))
	}
	for _, i := range []int{5, 15, 25} {
		a, err := p.Allocate(1, "")
		require.NoError(t, err)
		require.Equal(t, blocks[i], a)
	}
	require.NoError(t, p.Check())
}

// TestEndsThatAreNoGranules: the source is asked for whole granules, in users' pools as in the default one.
func TestEndsThatAreNoGranules(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Block: 4096, Initial: 3*4096 + 100, Limit: 4 * 4096})
	require.NoError(t, err)
	st := p.Stats()
	require.EqualValues(t, 3*4096, st.Free)
	require.EqualValues(t, 3*4096, st.Reserved)
	require.ErrorContains(t, p.Free(p.slabs[0].base+3*4096+50), "no slab of it holds this address")
	require.NoError(t, p.Check())
}

// TestFirstSlabBelowOneGranule: a size that some user will pass; an answer of either kind is right, a panic
// is not.
func TestFirstSlabBelowOneGranule(t *testing.T) {
	require.NotPanics(t, func() {
		p, err := New(Config{Source: paper.New(paper.Upwards, 0), Block: 4096, Initial: 100})
		if err != nil {
			require.ErrorIs(t, err, ErrArgument)
			return
		}
		_, err = p.Allocate(1, "")
		require.NoError(t, err)
		require.NoError(t, p.Check())
	})
}

func TestMaximaAgainstPlainRow(t *testing.T) {
	for _, n := range []int{1, 2, fan - 1, fan, fan + 1, fan*fan - 1, fan * fan, fan*fan + 1, 5000} {
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(n), 3))
			memory := make([]uint32, maximaSize(n))
			m, row := newMaxima(n, memory), make([]uint32, n)
			for range 3000 {
				i, value := random.IntN(n), uint32(random.IntN(40))
				if random.IntN(3) == 0 {
					value = 0 // so that the largest goes away, and with it the maxima above
				}
				m.set(uint32(i), value)
				row[i] = value
				require.Equal(t, value, m.at(uint32(i)))
				require.Equal(t, slices.Max(row), m.top())
				need := uint32(random.IntN(42) + 1)
				at, ok := m.first(need)
				want := slices.IndexFunc(row, func(v uint32) bool { return v >= need })
				require.Equal(t, want >= 0, ok)
				if ok {
					require.EqualValues(t, want, at, "first of at least %d", need)
				}
			}
		})
	}
}

// TestMaximaFillsItsMemory holds maximaSize to what newMaxima takes: one number less and a slab's tree runs
// into its neighbour.
func TestMaximaFillsItsMemory(t *testing.T) {
	for n := 1; n < 10_000; n += 1 + n/7 {
		total := 0
		for _, level := range newMaxima(n, make([]uint32, maximaSize(n))).levels {
			require.Zero(t, len(level)%fan)
			require.Equal(t, len(level), cap(level), "a level may not grow into the next")
			total += len(level)
		}
		require.Equal(t, maximaSize(n), total)
	}
}

func TestMaximaOfLargestValue(t *testing.T) {
	m := newMaxima(300, make([]uint32, maximaSize(300)))
	m.set(299, maxUnits)
	at, ok := m.first(maxUnits)
	require.True(t, ok)
	require.EqualValues(t, 299, at)
	_, ok = m.first(maxUnits + 1)
	require.False(t, ok)
}
