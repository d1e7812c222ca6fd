package scope

import (
	"math"
	"math/big"

	"libportable/internal/fortran/rounded"
)

type compute = func(t Type, args []Value) (Value, bool)

// elementals are the functions that are computed; of each the result is exact, or rounded once.
var elementals map[string]compute

func init() {
	elementals = map[string]compute{
		"real": conversion, "dble": conversion, "float": conversion, "sngl": conversion, "dfloat": conversion, "int": conversion,
		"ifix": conversion, "idint": conversion, "logical": conversion, "cmplx": complexNumber, "dcmplx": complexNumber, "complex": complexNumber,
		"abs": absolute, "iabs": absolute, "dabs": absolute, "sign": signOf, "isign": signOf, "dsign": signOf,
		"max": extreme(1), "min": extreme(-1), "max0": extreme(1), "min0": extreme(-1), "amax1": extreme(1), "amin1": extreme(-1),
		"dmax1": extreme(1), "dmin1": extreme(-1),
		"mod": remainder(false), "modulo": remainder(true), "dmod": remainder(false), "amod": remainder(false), "dim": difference, "idim": difference, "ddim": difference,
		"floor": whole(math.Floor), "ceiling": whole(math.Ceil), "nint": whole(math.Round), "idnint": whole(math.Round),
		"aint": part(math.Trunc), "dint": part(math.Trunc), "anint": part(math.Round), "dnint": part(math.Round),
		"sqrt": root, "dsqrt": root, "aimag": imaginary, "dimag": imaginary, "conjg": conjugate, "dconjg": conjugate,
		"merge": merge, "dprod": doubleProduct, "exponent": exponentOf, "fraction": fractionOf,
	}
	for _, table := range []map[string]compute{bitElementals, textElementals, elementary()} {
		for name, f := range table {
			elementals[name] = f
		}
	}
}

func conversion(t Type, args []Value) (Value, bool) {
	v := args[0]
	if t.Base == Real && v.Type.Base == ComplexType {
		v.Type.Base = Real
	}
	return convert(v, t)
}

func complexNumber(t Type, args []Value) (Value, bool) {
	if args[0].Type.Base == ComplexType {
		return convert(args[0], t)
	}
	part := Type{Base: Real, Kind: t.Kind}
	re, ok := convert(args[0], part)
	im := Value{Type: part}
	if len(args) > 1 && ok {
		im, ok = convert(args[1], part)
	}
	return Value{Type: t, Real: re.Real, Imag: im.Real}, ok
}

func absolute(t Type, args []Value) (Value, bool) {
	x := args[0]
	switch x.Type.Base {
	case Integer:
		if x.Integer < 0 {
			x.Integer = -x.Integer
		}
		return x, x.Integer >= 0 && inRange(x.Integer, t.Kind)
	case Real:
		x.Real = math.Abs(x.Real)
		return x, true
	}
	return x, false
}

func signOf(t Type, args []Value) (Value, bool) {
	if len(args) != 2 || args[0].Type.Base != args[1].Type.Base {
		return Value{}, false
	}
	x, ok := absolute(t, args[:1])
	if !ok {
		return x, false
	}
	if x.Type.Base == Integer && args[1].Integer < 0 {
		x.Integer = -x.Integer
	}
	if x.Type.Base == Real {
		x.Real = math.Copysign(x.Real, args[1].Real)
	}
	return convert(x, t)
}

func extreme(sign int) compute {
	return func(t Type, args []Value) (Value, bool) {
		if t.Base != Integer && t.Base != Real {
			return Value{}, false
		}
		best, ok := convert(args[0], t)
		if !ok {
			return best, false
		}
		for _, v := range args[1:] {
			if v, ok = convert(v, t); !ok {
				return v, false
			}
			if t.Base == Integer && sign*compareNumbers(v.Integer, best.Integer) > 0 || t.Base == Real && sign*compareNumbers(v.Real, best.Real) > 0 {
				best = v
			}
		}
		return best, true
	}
}

func two(t Type, args []Value) (x, y Value, ok bool) {
	if len(args) != 2 {
		return x, y, false
	}
	x, ok = convert(args[0], t)
	y, fine := convert(args[1], t)
	return x, y, ok && fine
}

// remainder is MOD, or MODULO (floor).
func remainder(floor bool) compute {
	return func(t Type, args []Value) (Value, bool) {
		x, y, ok := two(t, args)
		v := Value{Type: t}
		switch {
		case !ok:
		case t.Base == Integer && y.Integer != 0:
			if y.Integer != -1 {
				v.Integer = x.Integer % y.Integer
			}
			if floor && v.Integer != 0 && (v.Integer < 0) != (y.Integer < 0) {
				v.Integer += y.Integer
			}
			return v, true
		case t.Base == Real && y.Real != 0:
			v.Real = math.Mod(x.Real, y.Real)
			if floor && v.Real == 0 {
				v.Real = math.Copysign(0, y.Real)
			} else if floor && (v.Real < 0) != (y.Real < 0) {
				v.Real, ok = round(v.Real+y.Real, t.Kind)
			}
			return v, ok && normal(v.Real, t.Kind)
		}
		return v, false
	}
}

func difference(t Type, args []Value) (Value, bool) {
	x, y, ok := two(t, args)
	if !ok {
		return x, false
	}
	v, ok := arithmetic("-", x, y)
	if ok && (v.Type.Base == Integer && v.Integer < 0 || v.Type.Base == Real && v.Real <= 0) {
		v = Value{Type: v.Type}
	}
	return v, ok && v.Type.Base != ComplexType
}

// whole rounds a real number to an integer.
func whole(f func(float64) float64) compute {
	return func(t Type, args []Value) (Value, bool) {
		if args[0].Type.Base != Real {
			return Value{}, false
		}
		v := args[0]
		v.Real = f(v.Real)
		return convert(v, t)
	}
}

func part(f func(float64) float64) compute {
	return func(t Type, args []Value) (Value, bool) {
		if args[0].Type.Base != Real {
			return Value{}, false
		}
		v := args[0]
		v.Real = f(v.Real)
		return convert(v, t)
	}
}

func root(t Type, args []Value) (Value, bool) {
	if t.Base != Real || args[0].Type.Base != Real {
		return Value{}, false
	}
	r, ok := sqrtOf(args[0].Real, t.Kind)
	return Value{Type: t, Real: r}, ok
}

func imaginary(t Type, args []Value) (Value, bool) {
	return Value{Type: t, Real: args[0].Imag}, args[0].Type.Base == ComplexType
}

func conjugate(t Type, args []Value) (Value, bool) {
	v := args[0]
	v.Imag = -v.Imag
	return v, v.Type.Base == ComplexType
}

func merge(t Type, args []Value) (Value, bool) {
	if len(args) != 3 || args[2].Type.Base != Logical {
		return Value{}, false
	}
	if args[2].Logical {
		return args[0], true
	}
	return args[1], true
}

func doubleProduct(t Type, args []Value) (Value, bool) {
	x, y, ok := two(t, args)
	if !ok {
		return x, false
	}
	return arithmetic("*", x, y)
}

func exponentOf(t Type, args []Value) (Value, bool) {
	if args[0].Type.Base != Real {
		return Value{}, false
	}
	_, n := math.Frexp(args[0].Real)
	return Value{Type: t, Integer: int64(n)}, true
}

func fractionOf(t Type, args []Value) (Value, bool) {
	x, _ := math.Frexp(args[0].Real)
	return Value{Type: t, Real: x}, args[0].Type.Base == Real
}

// elementary are the functions of package rounded.
func elementary() map[string]compute {
	one := func(f func(x *big.Float) *big.Float) compute {
		return func(t Type, args []Value) (Value, bool) {
			if t.Base != Real || args[0].Type.Base != Real || len(args) != 1 {
				return Value{}, false
			}
			return roundOnce(f(rounded.Number(args[0].Real)), t)
		}
	}
	return map[string]compute{
		"exp": one(rounded.Exp), "dexp": one(rounded.Exp), "log": one(rounded.Log), "dlog": one(rounded.Log), "alog": one(rounded.Log),
		"log10": one(rounded.Log10), "dlog10": one(rounded.Log10), "alog10": one(rounded.Log10),
		"sin": one(rounded.Sin), "dsin": one(rounded.Sin), "cos": one(rounded.Cos), "dcos": one(rounded.Cos), "tan": one(rounded.Tan), "dtan": one(rounded.Tan),
		"asin": one(rounded.Asin), "dasin": one(rounded.Asin), "acos": one(rounded.Acos), "dacos": one(rounded.Acos), "atan": arcTangent, "datan": arcTangent,
		"atan2": arcTangent, "datan2": arcTangent, "sinh": one(rounded.Sinh), "dsinh": one(rounded.Sinh), "cosh": one(rounded.Cosh), "dcosh": one(rounded.Cosh),
		"tanh": one(rounded.Tanh), "dtanh": one(rounded.Tanh), "hypot": hypotenuse,
	}
}

func roundOnce(x *big.Float, t Type) (Value, bool) {
	bits := map[int]uint{4: 24, 8: 53}[t.Kind]
	if bits == 0 || t.Base != Real {
		return Value{}, false
	}
	r, ok := rounded.Round(x, bits)
	return Value{Type: t, Real: r}, ok && normal(r, t.Kind)
}

func arcTangent(t Type, args []Value) (Value, bool) {
	if t.Base != Real || args[0].Type.Base != Real {
		return Value{}, false
	}
	if len(args) == 1 {
		if args[0].Real == 0 {
			return args[0], true
		}
		return roundOnce(rounded.Atan(rounded.Number(args[0].Real)), t)
	}
	y, x, ok := two(t, args)
	if !ok || y.Real == 0 {
		return Value{}, false
	}
	return roundOnce(rounded.Atan2(y.Real, x.Real), t)
}

func hypotenuse(t Type, args []Value) (Value, bool) {
	x, y, ok := two(t, args)
	if !ok || t.Base != Real {
		return Value{}, false
	}
	return roundOnce(rounded.Hypot(x.Real, y.Real), t)
}

// realPower is x**y of reals.
func realPower(x, y Value, t Type) (Value, bool) {
	x, ok := convert(x, t)
	y, fine := convert(y, t)
	if !ok || !fine || t.Base != Real || x.Real <= 0 {
		return Value{}, false
	}
	if whole := math.Trunc(y.Real); whole == y.Real && math.Abs(whole) <= 1024 {
		return power(x, Value{Type: Type{Base: Integer, Kind: 8}, Integer: int64(whole)}, t)
	}
	return roundOnce(rounded.Power(x.Real, y.Real), t)
}
