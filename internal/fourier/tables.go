package fourier

import "math"

// This file fills tables. Main function: Plan.Fill.

// Half of a quarter turn in two parts, the second one is what the first one lacks.
const (
	eighth     = math.Pi / 4
	eighthRest = 3.061616997868383e-17
)

// Turn is the cosine and the sine of 2 pi k/n, for k from 0 to n; n is at most 2^60. The angle is reduced to an eighth of a turn in integers, so
// both are right to a unit of the last place, and those of multiples of a quarter turn are exact.
func Turn(k, n int64) (cosine, sine float64) {
	var minusSine, minusCosine, exchange bool
	a := 8 * k // the angle is a/n eighths
	if a > 4*n {
		a, minusSine = 8*n-a, true
	}
	if a > 2*n {
		a, minusCosine = 4*n-a, true
	}
	if a > n {
		a, exchange = 2*n-a, true
	}
	ratio := float64(a) / float64(n)
	angle := ratio * eighth
	rest := math.FMA(ratio, eighth, -angle) + ratio*eighthRest + math.FMA(-ratio, float64(n), float64(a))/float64(n)*eighth
	sine, cosine = math.Sincos(angle)
	sine, cosine = sine+rest*cosine, cosine-rest*sine
	if exchange {
		sine, cosine = cosine, sine
	}
	if minusCosine {
		cosine = -cosine
	}
	if minusSine {
		sine = -sine
	}
	return cosine, sine
}

// Fill writes the table of a kind. For padded lines it writes the conjugate chirp over the padded length, divided by that length, in the place of
// the spectrum: its transform is the spectrum.
func Fill[T float32 | float64](p *Plan, kind int, table []T) {
	t := &p.Kinds[kind]
	clear(table)
	put := func(at, apart, k, of int64) {
		c, s := Turn(k, of)
		table[at], table[at+apart] = T(c), T(-s)
	}
	product := int64(1)
	for i, r := range t.Radices {
		r := int64(r)
		for l := int64(1); l < r && i > 0; l++ {
			for k := range product {
				put(t.Tables[i]+(l-1)*product+k, (r-1)*product, k*l, product*r)
			}
		}
		product *= r
	}
	if p.M < p.N {
		for k := range p.M + 1 {
			put(t.Turns+k, p.M+1, k, p.N)
		}
	}
	if p.Padded == 0 {
		return
	}
	square, scale := int64(0), 1/float64(p.Padded) // square: k*k modulo 2 M
	for k := range p.M {
		put(t.Chirp+k, p.M, square, 2*p.M)
		c, s := Turn(square, 2*p.M)
		for _, at := range [...]int64{k, (p.Padded - k) % p.Padded} {
			table[t.Spectrum+at], table[t.Spectrum+p.Padded+at] = T(c*scale), T(s*scale)
		}
		square = (square + 2*k + 1) % (2 * p.M)
	}
}
