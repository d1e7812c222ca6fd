package rounded

import (
	"math"
	"math/big"
)

const (
	working = 320 // bits of each step
	trusted = 200 // bits of a result that are right: errors of the steps stay far below
)

// Round rounds a result to 24 or 53 bits, unless it is so near to the middle of two numbers that its error decides. nil has no value.
func Round(x *big.Float, bits uint) (float64, bool) {
	if x == nil {
		return 0, false
	}
	if x.Sign() == 0 {
		return 0, true
	}
	// An exact result is no series: 1 = exp(0), 0.5 = 2**(-1). It is near to itself, not to a middle.
	err := new(big.Float).SetMantExp(big.NewFloat(1), x.MantExp(nil)-trusted)
	low, high := sub(x, err).SetPrec(bits), add(x, err).SetPrec(bits)
	if low.Cmp(high) != 0 {
		return 0, false
	}
	r, _ := low.Float64()
	return r, true
}

// Number is a number in working bits.
func Number(x float64) *big.Float { return new(big.Float).SetPrec(working).SetFloat64(x) }
func number(n int64) *big.Float   { return new(big.Float).SetPrec(working).SetInt64(n) }
func add(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(working).Add(x, y)
}
func sub(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(working).Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(working).Mul(x, y) }
func div(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(working).Quo(x, y) }
func rootOf(x *big.Float) *big.Float { return new(big.Float).SetPrec(working).Sqrt(x) }

// scaleBy is x * 2**n.
func scaleBy(x *big.Float, n int) *big.Float {
	return new(big.Float).SetPrec(working).SetMantExp(x, n)
}

// small reports whether a term no longer counts next to a sum.
func small(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-working
}

// arcTangentSeries is atan(x) of small x.
func arcTangentSeries(x *big.Float) *big.Float {
	square := mul(x, x)
	sum, power := Number(0), x
	for n := int64(1); ; n += 2 {
		term := div(power, number(n))
		if n%4 == 3 {
			term.Neg(term)
		}
		if small(term, sum) {
			return sum
		}
		sum = add(sum, term)
		power = mul(power, square)
	}
}

// pi by Machin's formula.
var pi = func() *big.Float {
	inverse := func(n int64) *big.Float { return arcTangentSeries(div(number(1), number(n))) }
	return scaleBy(sub(scaleBy(inverse(5), 2), inverse(239)), 2)
}()

// ln2 is 2 atanh(1/3).
var ln2 = func() *big.Float {
	sum, power, ninth := Number(0), div(number(1), number(3)), div(number(1), number(9))
	for n := int64(1); ; n += 2 {
		term := div(power, number(n))
		if small(term, sum) {
			return scaleBy(sum, 1)
		}
		sum = add(sum, term)
		power = mul(power, ninth)
	}
}()

// Exp is e**x; nil if it has no value here.
func Exp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return number(1)
	}
	if a, _ := x.Float64(); math.Abs(a) > 800 {
		return nil
	}
	quotient, _ := div(x, ln2).Float64()
	n := math.Round(quotient)
	r := scaleBy(sub(x, mul(ln2, Number(n))), -16)
	sum, term := number(1), number(1)
	for i := int64(1); !small(term, sum); i++ {
		term = div(mul(term, r), number(i))
		sum = add(sum, term)
	}
	for range 16 {
		sum = mul(sum, sum)
	}
	return scaleBy(sum, int(n))
}

// Log is the natural logarithm; nil if it has no value here.
func Log(x *big.Float) *big.Float {
	if x.Sign() <= 0 {
		return nil
	}
	if x.Cmp(number(1)) == 0 {
		return Number(0)
	}
	// log(m 2**n) with m near to one: 2 atanh((m-1)/(m+1)).
	m := new(big.Float).SetPrec(working)
	n := x.MantExp(m)
	if m.Cmp(Number(0.75)) < 0 {
		m, n = scaleBy(m, 1), n-1
	}
	z := div(sub(m, number(1)), add(m, number(1)))
	square := mul(z, z)
	sum, power := Number(0), z
	for i := int64(1); ; i += 2 {
		term := div(power, number(i))
		if small(term, sum) {
			break
		}
		sum = add(sum, term)
		power = mul(power, square)
	}
	sum = scaleBy(sum, 1)
	return add(sum, mul(ln2, number(int64(n))))
}

// Log10 is the logarithm to the base 10; nil if it has no value here.
func Log10(x *big.Float) *big.Float {
	if x.Sign() <= 0 {
		return nil
	}
	// A power of ten is exact.
	ten := number(1)
	for n := int64(0); n <= 22; n++ {
		if x.Cmp(ten) == 0 {
			return number(n)
		}
		ten = mul(ten, number(10))
	}
	return div(Log(x), Log(number(10)))
}

// reduce is x less the nearest multiple of pi/2, and the quarter that it is in.
func reduceAngle(x *big.Float) (*big.Float, int64, bool) {
	half := scaleBy(pi, -1)
	quotient, _ := div(x, half).Float64()
	if math.Abs(quotient) > 1<<30 {
		return nil, 0, false
	}
	n := int64(math.Round(quotient))
	return sub(x, mul(half, number(n))), n & 3, true
}

// sineSeries is sin(x), or cos(x), of small x.
func sineSeries(x *big.Float, cosine bool) *big.Float {
	square := mul(x, x)
	square.Neg(square)
	sum, term, n := Number(0), x, int64(1)
	if cosine {
		term, n = number(1), 0
	}
	for !small(term, sum) {
		sum = add(sum, term)
		term = div(mul(term, square), number((n+1)*(n+2)))
		n += 2
	}
	return sum
}

func sineOfQuarter(x *big.Float, shift int64) *big.Float {
	r, quarter, ok := reduceAngle(x)
	if !ok {
		return nil
	}
	quarter = (quarter + shift) & 3
	result := sineSeries(r, quarter%2 == 1)
	if quarter >= 2 {
		result.Neg(result)
	}
	return result
}

// Sin is the sine; nil if it has no value here.
func Sin(x *big.Float) *big.Float { return sineOfQuarter(x, 0) }

// Cos is the cosine; nil if it has no value here.
func Cos(x *big.Float) *big.Float { return sineOfQuarter(x, 1) }

// Tan is the tangent; nil if it has no value here.
func Tan(x *big.Float) *big.Float {
	s, c := Sin(x), Cos(x)
	if s == nil || c == nil || c.Sign() == 0 {
		return nil
	}
	return div(s, c)
}

// Atan is the arc tangent; nil if it has no value here.
func Atan(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		r := Atan(new(big.Float).Neg(x))
		return r.Neg(r)
	}
	if x.Cmp(number(1)) > 0 {
		return sub(scaleBy(pi, -1), Atan(div(number(1), x)))
	}
	// atan(x) = 2 atan(x / (1 + sqrt(1 + x**2))), four times: the series then needs few terms.
	for range 4 {
		x = div(x, add(number(1), rootOf(add(number(1), mul(x, x)))))
	}
	return scaleBy(arcTangentSeries(x), 4)
}

// Asin is the arc sine; nil if it has no value here.
func Asin(x *big.Float) *big.Float {
	rest := sub(number(1), mul(x, x))
	switch rest.Sign() {
	case -1:
		return nil
	case 0:
		half := scaleBy(pi, -1)
		if x.Sign() < 0 {
			half.Neg(half)
		}
		return half
	}
	return Atan(div(x, rootOf(rest)))
}

// Acos is the arc cosine; nil if it has no value here.
func Acos(x *big.Float) *big.Float {
	if x.Cmp(number(1)) == 0 {
		return Number(0)
	}
	a := Asin(x)
	if a == nil {
		return nil
	}
	return sub(scaleBy(pi, -1), a)
}

// Sinh is the hyperbolic sine; nil if it has no value here.
func Sinh(x *big.Float) *big.Float {
	// Near to zero the difference of the exponentials would lose its leading bits.
	if a, _ := x.Float64(); math.Abs(a) < 0x1p-8 {
		return nil
	}
	e := Exp(x)
	if e == nil {
		return nil
	}
	return scaleBy(sub(e, div(number(1), e)), -1)
}

// Cosh is the hyperbolic cosine; nil if it has no value here.
func Cosh(x *big.Float) *big.Float {
	e := Exp(x)
	if e == nil {
		return nil
	}
	return scaleBy(add(e, div(number(1), e)), -1)
}

// Tanh is the hyperbolic tangent; nil if it has no value here.
func Tanh(x *big.Float) *big.Float {
	s, c := Sinh(x), Cosh(x)
	if s == nil || c == nil {
		return nil
	}
	return div(s, c)
}

// Power is x**y of a positive x.
func Power(x, y float64) *big.Float {
	base := Log(Number(x))
	if base == nil {
		return nil
	}
	return Exp(mul(Number(y), base))
}

// Hypot is the root of the sum of the squares.
func Hypot(x, y float64) *big.Float {
	return rootOf(add(mul(Number(x), Number(x)), mul(Number(y), Number(y))))
}

// Atan2 is the angle of (x, y); nil if x is zero.
func Atan2(y, x float64) *big.Float {
	if x == 0 {
		return nil
	}
	angle := Atan(div(Number(y), Number(x)))
	switch {
	case x < 0 && y < 0:
		return sub(angle, pi)
	case x < 0:
		return add(angle, pi)
	}
	return angle
}
