// Package fourier plans Fourier transforms: the passes for a length, and the tables of cosines and sines. Not here: the
// transforms (internal/kernels/fft), the memory of the tables (exec/algorithm). The caller is capi. Threads: any; no state.
package fourier

import (
	"math"
	"math/bits"
)

// A Plan says how lines of N numbers are transformed. The fields are those of struct portable__fft_plan.
type Plan struct {
	N    int64
	Real bool
	M    int64 // of the complex transform: N, or half of it
	// Padded is the length of Bluestein's method; 0: M is a product of the radices.
	Padded int64
	Kinds  [2]Numbers // of real32 and real64
}

// Numbers lays out the table of a kind of reals. Positions count numbers.
type Numbers struct {
	Count                  int64
	Length                 int64 // of the passes
	Radices                []int32
	Tables                 []int64 // a position for each pass; the first pass has none
	Turns, Chirp, Spectrum int64
}

// lanes of the vectors of real32 and real64: a line is cut into so many parts, which the last pass joins.
var lanes = [2]int64{8, 4}

// short: the numbers of a line that is worth cutting, that of internal/kernels/fft/fft.c.
const short = 64

// spare is what vectors may read behind the last number.
const spare = 16

// most is the largest N: its tables have fewer bytes than an int64 counts.
const most = 1 << 52

// Fits tests whether a length can be planned at all.
func Fits(n int64) bool { return n >= 1 && n <= most }

// New plans a length that fits.
func New(n int64, real bool) *Plan {
	p := &Plan{N: n, Real: real, M: n}
	if real && n%2 == 0 {
		p.M = n / 2
	}
	length := p.M
	if !smooth(length) {
		p.Padded = padded(2*p.M - 1)
		length = p.Padded
	}
	for kind := range p.Kinds {
		p.Kinds[kind] = p.layout(length, lanes[kind])
	}
	return p
}

func (p *Plan) layout(length, lanes int64) Numbers {
	t := Numbers{Length: length, Radices: radices(length, lanes)}
	product := int64(1)
	for i, r := range t.Radices {
		t.Tables = append(t.Tables, t.Count)
		if i > 0 {
			t.Count += 2 * (int64(r) - 1) * product
		}
		product *= int64(r)
	}
	t.Turns = t.Count
	if p.M < p.N {
		t.Count += 2 * (p.M + 1)
	}
	t.Chirp = t.Count
	if p.Padded > 0 {
		t.Count += 2 * p.M
	}
	t.Spectrum = t.Count
	if p.Padded > 0 {
		t.Count += 2 * p.Padded
	}
	t.Count += spare
	return t
}

// smooth tests for a product of 2, 3, 5 and 7.
func smooth(n int64) bool {
	for _, f := range []int64{2, 3, 5, 7} {
		for n%f == 0 {
			n /= f
		}
	}
	return n == 1
}

// padded is the least multiple of 32 of the form 2^a, 3*2^a, 5*2^a, 9*2^a or 15*2^a that is not below n.
func padded(n int64) int64 {
	least := int64(math.MaxInt64)
	for _, odd := range []int64{1, 3, 5, 9, 15} {
		of := max(32, int64(1)<<bits.Len64(uint64((n-1)/odd)))
		least = min(least, odd*of)
	}
	return least
}

// radices are the factors of n in the order of the passes. The last one is the number of lanes where n allows it and the line is not
// short.
func radices(n, lanes int64) (list []int32) {
	take := func(r int64) {
		list = append(list, int32(r))
		n /= r
	}
	var last int64
	if n%lanes == 0 && n >= short {
		last = lanes
		n /= lanes
	}
	twos := bits.TrailingZeros64(uint64(n))
	for ; twos > 4 || twos == 3; twos -= 3 {
		take(8)
	}
	for _, r := range []int64{7, 5, 3} {
		for n%r == 0 {
			take(r)
		}
	}
	for ; twos > 1; twos -= 2 {
		take(4)
	}
	if twos == 1 {
		take(2)
	}
	if last > 0 {
		list = append(list, int32(last))
	}
	return list
}
