package gator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

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
