package scope

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
)

func unary(operator string, x Value) (Value, bool) {
	switch operator {
	case "+":
		return x, numeric(x.Type.Base)
	case "-":
		switch x.Type.Base {
		case Integer:
			x.Integer = -x.Integer
			return x, inRange(x.Integer, x.Type.Kind) && x.Integer != math.MinInt64
		case Real, ComplexType:
			x.Real, x.Imag = -x.Real, -x.Imag
			if x.Type.Base == Real {
				x.Imag = 0
			}
			return x, true
		}
	case ".not.":
		x.Logical = !x.Logical
		return x, x.Type.Base == Logical
	}
	return x, false
}

// binary computes an intrinsic operation on scalars.
func (s *Scope) binary(operator string, x, y Value) (Value, bool) {
	t, ok := s.intrinsicBinary(operator, typed{Type: x.Type}, typed{Type: y.Type})
	if !ok || x.Type.Base == BOZ || y.Type.Base == BOZ {
		return Value{}, false
	}
	switch operator {
	case "**":
		return power(x, y, t.Type)
	case "+", "-", "*", "/":
		if x, ok = convert(x, t.Type); !ok {
			return x, false
		}
		if y, ok = convert(y, t.Type); !ok {
			return y, false
		}
		return arithmetic(operator, x, y)
	case "//":
		v := Value{Type: t.Type, Text: x.Text + y.Text}
		v.Type.Len = length(len(v.Text))
		return v, len(v.Text) <= mostElements
	case ".and.", ".or.", ".eqv.", ".neqv.", ".xor.":
		v := Value{Type: t.Type}
		switch operator {
		case ".and.":
			v.Logical = x.Logical && y.Logical
		case ".or.":
			v.Logical = x.Logical || y.Logical
		case ".eqv.":
			v.Logical = x.Logical == y.Logical
		default:
			v.Logical = x.Logical != y.Logical
		}
		return v, true
	}
	return compare(operator, x, y, t.Type)
}

func compare(operator string, x, y Value, t Type) (Value, bool) {
	var order int
	if x.Type.Base == Character {
		n := max(len(x.Text), len(y.Text))
		order = strings.Compare(resize(x, n).Text, resize(y, n).Text)
	} else {
		common := promote(x.Type, y.Type)
		var ok, fine bool
		x, ok = convert(x, common)
		y, fine = convert(y, common)
		if !ok || !fine {
			return x, false
		}
		switch {
		case common.Base == Integer:
			order = compareNumbers(x.Integer, y.Integer)
		case common.Base == Real:
			order = compareNumbers(x.Real, y.Real)
		case x.Real != y.Real || x.Imag != y.Imag:
			order = 1
		}
		if common.Base == ComplexType && operator != "==" && operator != "/=" {
			return x, false
		}
	}
	v := Value{Type: t}
	switch operator {
	case "==":
		v.Logical = order == 0
	case "/=":
		v.Logical = order != 0
	case "<":
		v.Logical = order < 0
	case "<=":
		v.Logical = order <= 0
	case ">":
		v.Logical = order > 0
	case ">=":
		v.Logical = order >= 0
	}
	return v, true
}

func compareNumbers[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// arithmetic computes with two operands of one type.
func arithmetic(operator string, x, y Value) (Value, bool) {
	switch x.Type.Base {
	case Integer:
		n, ok := integers(operator, x.Integer, y.Integer)
		return Value{Type: x.Type, Integer: n}, ok && inRange(n, x.Type.Kind)
	case Real:
		if x.Type.Kind != 4 && x.Type.Kind != 8 {
			return x, false
		}
		r, ok := reals(operator, x.Real, y.Real)
		if !ok {
			return x, false
		}
		rounded, ok := round(r, x.Type.Kind)
		// A result that becomes zero is an underflow.
		if rounded == 0 && (operator == "*" || operator == "/") && x.Real != 0 && y.Real != 0 {
			return x, false
		}
		return Value{Type: x.Type, Real: rounded}, ok
	case ComplexType:
		return complexes(operator, x, y)
	}
	return x, false
}

// integers computes an integer operation; an overflow, as gfortran reports it, has no value.
func integers(operator string, x, y int64) (int64, bool) {
	switch operator {
	case "+":
		n := x + y
		return n, (n > x) == (y > 0)
	case "-":
		n := x - y
		return n, (n < x) == (y > 0)
	case "*":
		return multiply(x, y)
	case "/":
		if y == 0 || x == math.MinInt64 && y == -1 {
			return 0, false
		}
		return x / y, true
	}
	return 0, false
}

func multiply(x, y int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	negative := (x < 0) != (y < 0)
	switch {
	case high != 0 || low > 1<<63 || low == 1<<63 && !negative:
		return 0, false
	case negative:
		return -int64(low), true
	}
	return int64(low), true
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func reals(operator string, x, y float64) (float64, bool) {
	switch operator {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "/":
		return x / y, y != 0
	}
	return 0, false
}

// complexes computes each part exactly and rounds it once.
func complexes(operator string, x, y Value) (Value, bool) {
	a, b, c, d := exact(x.Real), exact(x.Imag), exact(y.Real), exact(y.Imag)
	product := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
	var re, im *big.Rat
	switch operator {
	case "+":
		re, im = a.Add(a, c), b.Add(b, d)
	case "-":
		re, im = a.Sub(a, c), b.Sub(b, d)
	case "*":
		re = new(big.Rat).Sub(product(a, c), product(b, d))
		im = new(big.Rat).Add(product(a, d), product(b, c))
	case "/":
		square := new(big.Rat).Add(product(c, c), product(d, d))
		if square.Sign() == 0 {
			return x, false
		}
		re = new(big.Rat).Add(product(a, c), product(b, d))
		im = new(big.Rat).Sub(product(b, c), product(a, d))
		re.Quo(re, square)
		im.Quo(im, square)
	default:
		return x, false
	}
	v := Value{Type: x.Type}
	var ok, fine bool
	v.Real, ok = rational(re, x.Type.Kind)
	v.Imag, fine = rational(im, x.Type.Kind)
	// The sign of a zero is not followed through exact arithmetic.
	return v, ok && fine && v.Real != 0 && v.Imag != 0 || ok && fine && !negativeZero(x, y)
}

func negativeZero(values ...Value) bool {
	for _, v := range values {
		if v.Real == 0 && math.Signbit(v.Real) || v.Imag == 0 && math.Signbit(v.Imag) {
			return true
		}
	}
	return false
}

func exact(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	if r == nil {
		return new(big.Rat)
	}
	return r
}

// power computes x**y. An integer exponent is not converted.
func power(x, y Value, t Type) (Value, bool) {
	v := Value{Type: t}
	if y.Type.Base == Integer {
		n := y.Integer
		switch x.Type.Base {
		case Integer:
			var ok bool
			v.Integer, ok = integerPower(x.Integer, n)
			return v, ok && inRange(v.Integer, t.Kind)
		case Real:
			if n < -4096 || n > 4096 || x.Real == 0 && n <= 0 {
				return v, false
			}
			r := ratPower(exact(x.Real), n)
			var ok bool
			v.Real, ok = rational(r, t.Kind)
			return v, ok && (x.Real != 0 || !math.Signbit(x.Real))
		}
		return v, false
	}
	return realPower(x, y, t)
}

func integerPower(x, n int64) (int64, bool) {
	switch {
	case n < 0 && x == 0:
		return 0, false
	case x == 1:
		return 1, true
	case x == -1:
		return 1 - 2*(n&1), true
	case n < 0:
		return 0, true
	}
	result := int64(1)
	for ; n > 0; n-- {
		var ok bool
		if x == 0 {
			return 0, true
		}
		if result, ok = multiply(result, x); !ok {
			return 0, false
		}
	}
	return result, true
}

func ratPower(x *big.Rat, n int64) *big.Rat {
	if n < 0 {
		x, n = new(big.Rat).Inv(x), -n
	}
	e := big.NewInt(n)
	num := new(big.Int).Exp(x.Num(), e, nil)
	den := new(big.Int).Exp(x.Denom(), e, nil)
	return new(big.Rat).SetFrac(num, den)
}
