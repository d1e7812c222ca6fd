package doors

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// model is a sum of the same values with math/big: in units of 2^-1074, which every finite double is a multiple of.
type model struct {
	units            big.Int
	nan, plus, minus int
	value, shift     big.Int
}

func (m *model) add(x float64) {
	switch {
	case math.IsNaN(x):
		m.nan++
	case math.IsInf(x, 1):
		m.plus++
	case math.IsInf(x, -1):
		m.minus++
	default:
		r := new(big.Float).SetFloat64(x)
		r.SetMantExp(r, 1074).Int(&m.value)
		m.units.Add(&m.units, &m.value)
	}
}

// ratio is the sum as a fraction; rounding a fraction to the nearest number is math/big's, subnormal numbers included.
func (m *model) ratio() *big.Rat {
	return new(big.Rat).SetFrac(&m.units, m.shift.Lsh(big.NewInt(1), 1074))
}

func (m *model) special() (float64, bool) {
	switch {
	case m.nan > 0 || m.plus > 0 && m.minus > 0:
		return math.NaN(), true
	case m.plus > 0:
		return math.Inf(1), true
	case m.minus > 0:
		return math.Inf(-1), true
	}
	return 0, false
}

func requireSame(t *testing.T, want, found float64, what string) {
	t.Helper()
	if math.IsNaN(want) {
		require.True(t, math.IsNaN(found), what)
		return
	}
	require.Equal(t, math.Float64bits(want), math.Float64bits(found), "%s: %g wanted, %g found", what, want, found)
}

func (m *model) check(t *testing.T, e *exact, what string) {
	t.Helper()
	want, special := m.special()
	want32 := float32(want)
	if !special {
		want, _ = m.ratio().Float64()
		want32, _ = m.ratio().Float32()
		if m.units.Sign() == 0 {
			want, want32 = 0, 0 // never -0
		}
	}
	requireSame(t, want, e.value(), what)
	requireSame(t, float64(want32), float64(e.value32()), what+", real32")
}

// sums adds the values in several ways; all must give the same words.
func sums(t *testing.T, values []float64) {
	t.Helper()
	var m model
	var single, array, merged exact
	for _, x := range values {
		m.add(x)
		single.add(x)
	}
	array.addArray(values)
	for n, from := 1, 0; from < len(values); n, from = n*3%1000+1, from+n {
		var part exact
		part.addArray(values[from:min(from+n, len(values))])
		if n%2 == 0 {
			part.normalise()
		}
		merged.merge(&part)
	}
	m.check(t, &single, "one by one")
	m.check(t, &array, "as an array")
	m.check(t, &merged, "in parts")
	// As MPI does it: words added without a look.
	var ranks exact
	words := single.words()
	more := merged.words()
	for i := range words {
		words[i] += more[i]
	}
	ranks.setWords(words)
	for _, x := range values {
		m.add(x)
	}
	m.check(t, &ranks, "by words")
	for _, e := range []*exact{&single, &array, &merged} {
		e.normalise()
	}
	require.Equal(t, single.words(), array.words())
	require.Equal(t, single.words(), merged.words())
}

func TestExactSmall(t *testing.T) {
	huge, tiny, inf := math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1)
	least := math.Ldexp(1, -1022)
	for _, values := range [][]float64{
		{}, {0}, {math.Copysign(0, -1)}, {1}, {-1}, {1, -1}, {0.1, 0.2, 0.3}, {1e16, 1, -1e16}, {huge, huge, -huge},
		{huge, huge}, {-huge, -huge}, {huge, math.Ldexp(1, 969)}, {huge, math.Ldexp(1, 970)}, {huge, math.Ldexp(1, 970), -tiny},
		{tiny}, {-tiny}, {tiny, tiny}, {least, -tiny}, {least, tiny}, {huge, tiny, -huge}, {1, tiny}, {1, math.Ldexp(1, -53)},
		{1, math.Ldexp(1, -53), tiny}, {1 + math.Ldexp(1, -52), math.Ldexp(1, -53)}, {1, -math.Ldexp(1, -54)}, {1, -math.Ldexp(1, -54), -tiny},
		{inf}, {-inf}, {inf, -inf}, {inf, inf}, {math.NaN()}, {1, math.NaN(), inf}, {1, inf},
		{math.MaxFloat32, math.MaxFloat32}, {math.MaxFloat32, math.Ldexp(1, 103)}, {math.MaxFloat32, math.Ldexp(1, 102)},
		{math.Ldexp(1, -149)}, {math.Ldexp(1, -150)}, {math.Ldexp(1, -150), tiny}, {math.Ldexp(3, -150)}, {math.Ldexp(1, -126), -math.Ldexp(1, -150)},
		{1, math.Ldexp(1, -24), math.Ldexp(1, -60)}, // a rounding to double first would be a tie to even
	} {
		sums(t, values)
	}
}

// TestExactMany has as many values as there are between carries, several times over, all of one sign at one place.
func TestExactMany(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1.0 / 3, -1e-310} {
		values := make([]float64, 20000)
		for i := range values {
			values[i] = x
		}
		sums(t, values)
	}
}

// spread are random values with exponents over `width` binary orders around `centre`.
func spread(r *rand.Rand, n, centre, width int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Ldexp(2*r.Float64()-1, centre+r.IntN(width+1)-width/2)
	}
	return values
}

func TestExactRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, 15, 16, 17, 100, 511, 512, 513, 1500, 5000} {
		for _, width := range []int{0, 10, 30, 40, 60, 100, 130, 300, 2000} {
			for _, centre := range []int{0, -400, 400, -1020, -715, 976, 1000} {
				if centre+width/2 > 1023 {
					continue
				}
				values := spread(r, n, centre, width)
				sums(t, values)
				// The rest when nearly all was taken away again.
				for i := range values[:n/2] {
					values[n-1-i] = -values[i]
				}
				sums(t, values)
			}
		}
	}
	// A value that does not fit the others' block, at each place of it.
	for i := range 40 {
		for _, odd := range []float64{1e-300, math.NaN(), math.Inf(-1), 1e300, math.SmallestNonzeroFloat64} {
			values := spread(r, 40, 0, 3)
			values[i] = odd
			sums(t, values)
		}
	}
}

// TestExactHalves has blocks whose values lie at the border of what a level rounds: halves of its unit.
func TestExactHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		values := make([]float64, 512)
		for i := range values {
			values[i] = math.Ldexp(1, -r.IntN(100))
			if r.IntN(2) == 0 {
				values[i] = -values[i]
			}
		}
		sums(t, values)
	}
}

func TestExact32(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 16, 600, 3000} {
		for _, width := range []int{1, 40, 270} {
			values := make([]float32, n)
			var m model
			for i, x := range spread(r, n, -10, width) {
				values[i] = float32(x)
				m.add(float64(values[i]))
			}
			var e exact
			e.addArray32(values)
			m.check(t, &e, "real32")
		}
	}
	var e exact
	e.addArray32([]float32{float32(math.NaN()), 1})
	require.True(t, math.IsNaN(e.value()))
}

// Any bits are values; the first byte says whether they are spread or alike.
func FuzzExact(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte("\x01a sum of two sums is the sum of their words, whatever there is in them"))
	f.Add(make([]byte, 8*600))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		like := data[0]
		var values []float64
		for data = data[1:]; len(data) >= 8; data = data[8:] {
			bits := binary.LittleEndian.Uint64(data)
			if like&1 == 1 { // exponents within 2^like of one another
				bits = bits&^(0x7ff<<52) | (uint64(1000)+(bits>>52&0x7ff)%uint64(like))<<52
			}
			values = append(values, math.Float64frombits(bits))
		}
		for len(values) > 0 && len(values) < 100 && like&2 == 2 {
			values = append(values, values...)
		}
		sums(t, values)
	})
}
