package fourier

// These tests check tables against numbers of 200 bits, and the lengths of passes.

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// series has the series of the cosine and of the sine, of 2 pi k/n.
func series(k, n int64) (cosine, sine *big.Float) {
	const precision = 200
	number := func() *big.Float { return new(big.Float).SetPrec(precision) }
	pi, _ := number().SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
	x := number().Quo(number().Mul(pi, number().SetInt64(2*k)), number().SetInt64(n))
	cosine, sine = number(), number()
	term := number().SetInt64(1)
	for i := int64(1); i < 100; i++ {
		sum := cosine
		if i%2 == 0 {
			sum = sine
		}
		if (i-1)/2%2 == 0 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Quo(term.Mul(term, x), number().SetInt64(i))
	}
	return cosine, sine
}

func TestTurn(t *testing.T) {
	near := func(want *big.Float, got float64) {
		exact, _ := want.Float64()
		require.InDelta(t, exact, got, 1.2e-16)
	}
	for _, n := range []int64{1, 2, 3, 4, 5, 7, 8, 12, 97, 100, 1024, 4095} {
		for k := int64(0); k <= n; k += 1 + n/60 {
			c, s := Turn(k, n)
			cosine, sine := series(k, n)
			near(cosine, c)
			near(sine, s)
		}
	}
	for quarter, want := range [][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}} {
		c, s := Turn(int64(quarter)*25, 100)
		require.Equal(t, want, [2]float64{c, s})
	}
	c, s := Turn(1<<40+1, 1<<41)
	require.InDelta(t, -1, c, 1e-15)
	require.InDelta(t, -2*math.Pi/(1<<41), s, 1e-27)
}

func TestRadices(t *testing.T) {
	for n := int64(1); n < 5000; n++ {
		for _, lanes := range lanes {
			if !smooth(n) {
				m := padded(2*n - 1)
				require.GreaterOrEqual(t, m, 2*n-1)
				require.True(t, smooth(m) && m%32 == 0)
				continue
			}
			product := int64(1)
			list := radices(n, lanes)
			for _, r := range list {
				require.Contains(t, []int32{2, 3, 4, 5, 7, 8}, r)
				product *= int64(r)
			}
			require.Equal(t, n, product)
			if n%lanes == 0 && n >= short {
				require.Equal(t, int32(lanes), list[len(list)-1])
			}
		}
	}
	require.Equal(t, []int32{8, 8, 4, 4}, radices(1024, 4))
	require.Empty(t, radices(1, 4))
	require.True(t, Fits(1) && !Fits(0) && !Fits(-3) && !Fits(math.MaxInt64))
}

// TestLayout: numbers are on the unit circle, each at the place of its part of the table, and 0 follows.
// Where Go joins no products, the sine and the cosine are those of package math.
func TestSincos(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("Go joins products with sums")
	}
	for k := range int64(100000) {
		angle := eighth * float64(k) / 99999
		sine, cosine := sincos(angle)
		wantSine, wantCosine := math.Sincos(angle)
		require.Equal(t, [2]float64{wantSine, wantCosine}, [2]float64{sine, cosine})
	}
}

// The tables of 1920 numbers have the bits that they have had since lines were cut into lanes, on each processor.
func TestBitsOfTables(t *testing.T) {
	sum := fnv.New64a()
	for _, n := range []int64{1920, 97} {
		p := New(n, true)
		table := make([]float64, p.Kinds[1].Count)
		Fill(p, 1, table)
		require.NoError(t, binary.Write(sum, binary.LittleEndian, table))
	}
	require.Equal(t, uint64(0x3a9c8e33abf0a3d0), sum.Sum64())
}

func TestLayout(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 11, 12, 22, 97, 120, 1024} {
		for _, real := range []bool{false, true} {
			p := New(n, real)
			for kind := range p.Kinds {
				layout := p.Kinds[kind]
				table := make([]float64, layout.Count)
				for i := range table {
					table[i] = math.NaN()
				}
				Fill(p, kind, table)
				units := func(at, count int64) {
					for i := at; i < at+count; i++ {
						require.InDelta(t, 1, math.Hypot(table[i], table[i+count]), 1e-15)
					}
				}
				product := int64(1)
				for i, r := range layout.Radices {
					if i > 0 {
						units(layout.Tables[i], product*int64(r-1))
					}
					product *= int64(r)
				}
				units(layout.Turns, (layout.Chirp-layout.Turns)/2)
				units(layout.Chirp, (layout.Spectrum-layout.Chirp)/2)
				for _, x := range table[layout.Count-spare:] {
					require.Zero(t, x)
				}
				require.False(t, math.IsNaN(table[layout.Spectrum]))
			}
		}
	}
}
