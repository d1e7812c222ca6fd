package scope

import (
	"math"

	"libportable/internal/fortran/tree"
)

// intrinsic is the value of a call of an intrinsic function: of an inquiry, of an elemental one on constants, of a reduction.
func (f folder) intrinsic(e *tree.Reference, name string) (Value, bool) {
	c := f.s.newCall(name, e.Arguments)
	if c == nil {
		return Value{}, false
	}
	t := f.s.typeOf(e)
	if v, ok := f.inquiry(c, t.Type); ok {
		return v, true
	}
	if compute := elementals[name]; compute != nil {
		return f.elemental(c, t.Type, compute)
	}
	if compute := transformations[name]; compute != nil {
		return compute(f, c, t.Type)
	}
	return Value{}, false
}

// elemental applies a function to the arguments, element by element. KIND is not among them.
func (f folder) elemental(c *call, t Type, compute func(t Type, args []Value) (Value, bool)) (Value, bool) {
	in := intrinsicsByName[c.name]
	var list []tree.Expression
	for _, dummy := range in.dummies {
		if e := c.args[dummy]; dummy != "kind" && e != nil {
			list = append(list, e)
		}
	}
	list = append(list, c.list[min(len(c.list), len(in.dummies)):]...)
	values := make([]Value, len(list))
	var shape []int64
	for i, e := range list {
		v, ok := f.fold(e)
		if !ok || shape != nil && v.Shape != nil && !sameShape(shape, v.Shape) {
			return Value{}, false
		}
		if v.Shape != nil {
			shape = v.Shape
		}
		values[i] = v
	}
	if len(values) == 0 {
		return Value{}, false
	}
	if shape == nil {
		return compute(t, values)
	}
	n := count(shape)
	if n > mostElements {
		return Value{}, false
	}
	result := Value{Type: t, Shape: shape, List: make([]Value, n)}
	for i := range result.List {
		args := make([]Value, len(values))
		for j, v := range values {
			if args[j] = v; v.Shape != nil {
				args[j] = v.List[i]
			}
		}
		var ok bool
		if result.List[i], ok = compute(t, args); !ok {
			return Value{}, false
		}
	}
	return result, true
}

// inquiry answers questions about types and bounds: the argument need not be constant.
func (f folder) inquiry(c *call, t Type) (Value, bool) {
	number := func(n int64) (Value, bool) { return Value{Type: t, Integer: n}, t.Kind != 0 && inRange(n, t.Kind) }
	x := f.s.typeOf(c.arg(0))
	kind := x.Kind
	switch c.name {
	case "kind":
		return Value{Type: t, Integer: int64(kind)}, kind != 0
	case "rank":
		return Value{Type: t, Integer: int64(x.rank)}, x.rank >= 0
	case "selected_int_kind":
		return f.selectedInteger(c, t)
	case "selected_real_kind", "ieee_selected_real_kind":
		return f.selectedReal(c, t)
	case "selected_char_kind":
		return f.selectedCharacter(c, t)
	case "len":
		if x.Base == Character {
			if n, ok := f.s.constantLength(x.Type); ok {
				return number(int64(n))
			}
		}
	case "size", "shape", "lbound", "ubound":
		return f.bounds(c, t)
	case "storage_size", "c_sizeof", "sizeof":
		bytes := int64(kind)
		if x.Base == ComplexType {
			bytes *= 2
		}
		if bytes == 0 || x.Base == Character || x.Base == Derived || x.Base == Class || x.rank != 0 {
			return Value{}, false
		}
		if c.name == "storage_size" {
			bytes *= 8
		}
		return number(bytes)
	}
	if kind == 0 || x.Base != Integer && x.Base != Real && x.Base != ComplexType {
		return Value{}, false
	}
	facts, known := model(x.Type)
	if !known {
		return Value{}, false
	}
	switch c.name {
	case "bit_size":
		if x.Base == Integer {
			return number(int64(8 * kind))
		}
	case "digits":
		return number(facts.digits)
	case "precision":
		return number(facts.precision)
	case "range":
		return number(facts.decimals)
	case "radix":
		return number(2)
	case "maxexponent":
		return number(facts.maxExponent)
	case "minexponent":
		return number(facts.minExponent)
	case "huge":
		if x.Base == Integer {
			if kind > 8 {
				return Value{}, false
			}
			return Value{Type: x.Type, Integer: math.MaxInt64 >> (64 - 8*kind)}, true
		}
		return Value{Type: x.Type, Real: map[int]float64{4: math.MaxFloat32, 8: math.MaxFloat64}[kind]}, kind <= 8 && x.Base == Real
	case "tiny":
		return Value{Type: x.Type, Real: map[int]float64{4: 0x1p-126, 8: 0x1p-1022}[kind]}, kind <= 8 && x.Base == Real
	case "epsilon":
		return Value{Type: x.Type, Real: map[int]float64{4: 0x1p-23, 8: 0x1p-52}[kind]}, kind <= 8 && x.Base == Real
	}
	return Value{}, false
}

// facts are the numbers of the model of a kind.
type facts struct{ digits, precision, decimals, minExponent, maxExponent int64 }

func model(t Type) (facts, bool) {
	table := map[int]facts{
		4: {24, 6, 37, -125, 128}, 8: {53, 15, 307, -1021, 1024}, 10: {64, 18, 4931, -16381, 16384}, 16: {113, 33, 4931, -16381, 16384},
	}
	if t.Base == Integer {
		table = map[int]facts{1: {7, 0, 2, 0, 0}, 2: {15, 0, 4, 0, 0}, 4: {31, 0, 9, 0, 0}, 8: {63, 0, 18, 0, 0}, 16: {127, 0, 38, 0, 0}}
	}
	m, ok := table[t.Kind]
	return m, ok
}

func (f folder) selectedInteger(c *call, t Type) (Value, bool) {
	r, ok := f.integer(c.arg(0))
	if !ok {
		return Value{}, false
	}
	for _, kind := range []int{1, 2, 4, 8, 16} {
		if m, _ := model(Type{Base: Integer, Kind: kind}); m.decimals >= r {
			return Value{Type: t, Integer: int64(kind)}, true
		}
	}
	return Value{Type: t, Integer: -1}, true
}

func (f folder) selectedReal(c *call, t Type) (Value, bool) {
	want := [3]int64{0, 0, 2}
	for i, name := range []string{"p", "r", "radix"} {
		if e := c.args[name]; e != nil {
			var ok bool
			if want[i], ok = f.integer(e); !ok {
				return Value{}, false
			}
		}
	}
	if want[2] != 2 {
		return Value{Type: t, Integer: -5}, true
	}
	precision, decimals := false, false
	for _, kind := range []int{4, 8, 10, 16} {
		m, _ := model(Type{Base: Real, Kind: kind})
		precision = precision || m.precision >= want[0]
		decimals = decimals || m.decimals >= want[1]
		if m.precision >= want[0] && m.decimals >= want[1] {
			return Value{Type: t, Integer: int64(kind)}, true
		}
	}
	switch {
	case !precision && !decimals:
		return Value{Type: t, Integer: -3}, true
	case !precision:
		return Value{Type: t, Integer: -1}, true
	}
	return Value{Type: t, Integer: -2}, true
}

func (f folder) selectedCharacter(c *call, t Type) (Value, bool) {
	v, ok := f.fold(c.arg(0))
	if !ok || v.Type.Base != Character {
		return Value{}, false
	}
	kinds := map[string]int64{"ascii": 1, "default": 1, "iso_10646": 4}
	kind, known := kinds[lowerTrim(v.Text)]
	if !known {
		kind = -1
	}
	return Value{Type: t, Integer: kind}, true
}

// bounds answers SIZE, SHAPE, LBOUND and UBOUND of arrays with constant bounds.
func (f folder) bounds(c *call, t Type) (Value, bool) {
	e := c.arg(0)
	lower, shape, ok := f.s.boundsOf(e)
	if !ok {
		return Value{}, false
	}
	values := make([]int64, len(shape))
	for i := range shape {
		switch c.name {
		case "lbound":
			if values[i] = lower[i]; shape[i] == 0 {
				values[i] = 1
			}
		case "ubound":
			if values[i] = lower[i] + shape[i] - 1; shape[i] == 0 {
				values[i] = 0
			}
		default:
			values[i] = shape[i]
		}
	}
	if dim := c.args["dim"]; dim != nil {
		n, ok := f.integer(dim)
		if !ok || n < 1 || n > int64(len(values)) {
			return Value{}, false
		}
		return Value{Type: t, Integer: values[n-1]}, inRange(values[n-1], t.Kind)
	}
	if c.name == "size" {
		n := int64(1)
		for _, extent := range shape {
			var ok bool
			if n, ok = multiply(n, extent); !ok {
				return Value{}, false
			}
		}
		return Value{Type: t, Integer: n}, inRange(n, t.Kind)
	}
	result := Value{Type: t, Shape: []int64{int64(len(values))}}
	for _, n := range values {
		if !inRange(n, t.Kind) {
			return Value{}, false
		}
		result.List = append(result.List, Value{Type: t, Integer: n})
	}
	return result, len(values) > 0
}

// sqrtOf is the root, rounded once.
func sqrtOf(x float64, kind int) (float64, bool) {
	if x < 0 || kind != 4 && kind != 8 {
		return 0, false
	}
	if kind == 4 {
		return round(math.Sqrt(x), 4)
	}
	return math.Sqrt(x), true
}
