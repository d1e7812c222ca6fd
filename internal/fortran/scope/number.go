package scope

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// inRange reports whether an integer fits its kind.
func inRange(n int64, kind int) bool {
	switch kind {
	case 1:
		return n == int64(int8(n))
	case 2:
		return n == int64(int16(n))
	case 4:
		return n == int64(int32(n))
	}
	return kind == 8
}

func integerLiteral(v Value, text string) (Value, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	v.Integer = n
	return v, err == nil && n >= 0 && inRange(n, v.Type.Kind)
}

// realLiteral is the number nearest to a decimal one. It rounds once: 0.1 of kind 4 is the float32 next to one tenth.
func realLiteral(text string, kind int) (float64, bool) {
	if text == "" || text[0] != '.' && (text[0] < '0' || text[0] > '9') || strings.ContainsAny(text, "xp_") {
		return 0, false
	}
	bits := 8 * kind
	if kind != 4 && kind != 8 {
		return 0, false
	}
	text = strings.NewReplacer("d", "e", "D", "e", "q", "e").Replace(text)
	x, err := strconv.ParseFloat(text, bits)
	if err != nil {
		return 0, false
	}
	if x == 0 && strings.ContainsAny(strings.SplitN(text, "e", 2)[0], "123456789") {
		return 0, false
	}
	return x, normal(x, kind)
}

// normal reports whether a result is a value as gfortran has it: finite, and not so small that it is rounded twice.
func normal(x float64, kind int) bool {
	switch a := math.Abs(x); {
	case a == 0:
		return true
	case kind == 4:
		return a >= 0x1p-126 && a <= math.MaxFloat32
	case kind == 8:
		return a >= 0x1p-1022 && a <= math.MaxFloat64
	}
	return false
}

// round gives a real the precision of a kind. It is exact in one step for sums, products, quotients and roots of float32
// values that were computed in float64.
func round(x float64, kind int) (float64, bool) {
	if kind == 4 {
		x = float64(float32(x))
	}
	return x, normal(x, kind)
}

// rational rounds an exact number once.
func rational(r *big.Rat, kind int) (float64, bool) {
	var x float64
	switch kind {
	case 4:
		y, _ := r.Float32()
		x = float64(y)
	case 8:
		x, _ = r.Float64()
	default:
		return 0, false
	}
	if x == 0 && r.Sign() != 0 {
		return 0, false
	}
	return x, normal(x, kind)
}

// convert converts a scalar number or logical; text keeps its length.
func convert(v Value, t Type) (Value, bool) {
	from := v.Type
	if from.Base == t.Base && from.Kind == t.Kind {
		if t.Base != Character {
			v.Type = t
		}
		return v, t.Kind != 0 || t.Base == Derived
	}
	result := Value{Type: t}
	ok := false
	switch {
	case t.Base == Integer && from.Base == Integer:
		result.Integer, ok = v.Integer, inRange(v.Integer, t.Kind)
	case t.Base == Integer && (from.Base == Real || from.Base == ComplexType):
		x := math.Trunc(v.Real)
		if x >= -0x1p63 && x < 0x1p63 {
			result.Integer = int64(x)
			ok = inRange(result.Integer, t.Kind)
		}
	case (t.Base == Real || t.Base == ComplexType) && from.Base == Integer:
		switch t.Kind {
		case 4:
			result.Real, ok = float64(float32(v.Integer)), true
		case 8:
			result.Real, ok = float64(v.Integer), true
		}
	case (t.Base == Real || t.Base == ComplexType) && (from.Base == Real || from.Base == ComplexType):
		result.Real, ok = round(v.Real, t.Kind)
		if t.Base == ComplexType && ok {
			result.Imag, ok = round(v.Imag, t.Kind)
		}
	case t.Base == Logical && from.Base == Logical:
		result.Logical, ok = v.Logical, t.Kind != 0
	case t.Base == Integer && from.Base == BOZ:
		result.Integer, ok = bozInteger(v.Text, t.Kind)
	}
	return result, ok
}

// bozInteger are the bits of a BOZ constant as an integer.
func bozInteger(text string, kind int) (int64, bool) {
	base := map[byte]int{'b': 2, 'o': 8, 'z': 16, 'x': 16}
	if len(text) < 3 {
		return 0, false
	}
	digits := strings.Trim(text[1:], `'"`)
	radix := base[text[0]]
	if radix == 0 {
		radix, digits = base[text[len(text)-1]], strings.Trim(text[:len(text)-1], `'"`)
	}
	if radix == 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, radix, 64)
	if err != nil {
		return 0, false
	}
	switch kind {
	case 1:
		return int64(int8(n)), n <= math.MaxUint8
	case 2:
		return int64(int16(n)), n <= math.MaxUint16
	case 4:
		return int64(int32(n)), n <= math.MaxUint32
	}
	return int64(n), kind == 8
}

// convertTo converts a value, also an array, as an assignment does; text gets the length of the type.
func (s *Scope) convertTo(v Value, t Type) (Value, bool) {
	if t.Base == Character {
		if v.Type.Base != Character {
			return v, false
		}
		n, fixed := s.constantLength(t)
		if !fixed {
			return v, true
		}
		return elementwise1(v, func(v Value) (Value, bool) { return resize(v, n), true })
	}
	if t.Base == Derived {
		return v, v.Type.Def == t.Def
	}
	return elementwise1(v, func(v Value) (Value, bool) { return convert(v, t) })
}

// resize cuts a text or fills it with blanks.
func resize(v Value, n int) Value {
	if n > mostElements {
		n = mostElements
	}
	if len(v.Text) > n {
		v.Text = v.Text[:n]
	} else {
		v.Text += strings.Repeat(" ", n-len(v.Text))
	}
	v.Type.Len = length(n)
	return v
}

// Convert converts a scalar number or logical value as an assignment does; false if it does not fit.
func Convert(v Value, t Type) (Value, bool) { return convert(v, t) }
