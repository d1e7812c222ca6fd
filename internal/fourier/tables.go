package fourier

import "math"

// This file fills tables. Main function: Plan.Fill. Go joins products with sums on some processors, but not a product that is converted: so tables have the
// same bits on all.

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
	rest := math.FMA(ratio, eighth, -angle) + float64(ratio*eighthRest) + float64(math.FMA(-ratio, float64(n), float64(a))/float64(n)*eighth)
	sine, cosine = sincos(angle)
	sine, cosine = sine+float64(rest*cosine), cosine-float64(rest*sine)
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

// Coefficients of the sine and the cosine (Cephes), and an eighth of a turn in three parts, as in package math.
var (
	sineOf   = [6]float64{1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6, -1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1}
	cosineOf = [6]float64{-1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7, 2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2}
	eighths  = [3]float64{7.85398125648498535156e-1, 3.77489470793079817668e-8, 2.69515142907905952645e-15}
)

// sincos is math.Sincos without joined products, for angles from 0 to an eighth of a turn.
func sincos(angle float64) (sine, cosine float64) {
	z, whole := angle, float64(angle*(4/math.Pi)) >= 1
	if whole { // from the next quarter of a turn
		for _, part := range eighths {
			z -= float64(2 * part)
		}
	}
	square := float64(z * z)
	sine, cosine = sineOf[0], cosineOf[0]
	for i := 1; i < len(sineOf); i++ {
		sine, cosine = float64(sine*square)+sineOf[i], float64(cosine*square)+cosineOf[i]
	}
	sine = z + float64(float64(z*square)*sine)
	cosine = 1 - float64(0.5*square) + float64(float64(square*square)*cosine)
	if whole {
		return cosine, -sine
	}
	return sine, cosine
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
