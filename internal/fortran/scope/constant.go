package scope

import (
	"strings"

	"libportable/internal/fortran/tree"
)

// folded is the answer of Constant.
type folded struct {
	Value
	ok    bool
	state state
}

// folder computes one constant. Indices of implied DO loops have a value for one pass.
type folder struct {
	s     *Scope
	index map[*Symbol]int64
	steps *int // that are left: a nest of implied DO loops may be endless
}

// mostElements is the number of elements of an array that is computed, mostSteps that of nodes for one question.
const (
	mostElements = 1 << 13
	mostSteps    = 1 << 17
)

// Constant is the value of a constant expression as gfortran computes it; false if it is not constant, has an overflow, or
// has a kind that is not computed (10, 16).
func (s *Scope) Constant(e tree.Expression) (Value, bool) {
	if e == nil || !s.Program.linked {
		return Value{}, false
	}
	f := s.folded[e]
	if f == nil {
		if s.folded == nil {
			s.folded = map[tree.Expression]*folded{}
		}
		f = &folded{}
		s.folded[e] = f
	}
	if f.state == fresh {
		f.state = busy
		steps := mostSteps
		f.Value, f.ok = folder{s: s, steps: &steps}.node(e)
		f.state = done
	}
	return f.Value, f.ok && f.state == done
}

// fold is the value of a part: remembered, unless an implied DO makes it change.
func (f folder) fold(e tree.Expression) (Value, bool) {
	if len(f.index) == 0 {
		return f.s.Constant(e)
	}
	if e == nil {
		return Value{}, false
	}
	return f.node(e)
}

func (f folder) node(e tree.Expression) (v Value, ok bool) {
	p := f.s.Program
	*f.steps--
	if p.depth > deepest || *f.steps < 0 {
		return Value{}, false
	}
	p.depth++
	defer func() { p.depth-- }()
	switch e := e.(type) {
	case *tree.Literal:
		return f.s.literal(e)
	case *tree.Name:
		y := f.s.Lookup(e.Name)
		if n, looping := f.index[y]; looping {
			return Value{Type: y.Type, Integer: n}, true
		}
		return y.constant()
	case *tree.Parenthesis:
		return f.fold(e.X)
	case *tree.Unary:
		if x, ok := f.fold(e.X); ok {
			return elementwise1(x, func(x Value) (Value, bool) { return unary(e.Operator, x) })
		}
	case *tree.Binary:
		x, ok := f.fold(e.X)
		if !ok {
			return x, false
		}
		y, ok := f.fold(e.Y)
		if !ok {
			return y, false
		}
		return elementwise2(x, y, func(x, y Value) (Value, bool) { return f.s.binary(e.Operator, x, y) })
	case *tree.Complex:
		return f.complex(e)
	case *tree.Constructor:
		return f.constructor(e)
	case *tree.Component:
		return f.component(e)
	case *tree.Reference:
		return f.reference(e)
	}
	return Value{}, false
}

// constant is the value of a named constant.
func (y *Symbol) constant() (Value, bool) {
	if y.Kind != Constant {
		return Value{}, false
	}
	if y.value == nil {
		y.value = &folded{}
	}
	if y.value.state == fresh {
		y.value.state = busy
		y.value.Value, y.value.ok = y.initial()
		y.value.state = done
	}
	return y.value.Value, y.value.ok && y.value.state == done
}

// initial is the value of a constant, converted to its type and spread to its shape.
func (y *Symbol) initial() (Value, bool) {
	y.settle()
	if y.Init == nil || y.Scope == nil {
		return Value{}, false
	}
	at := y.scopeOfBounds()
	v, ok := at.Constant(y.Init)
	if !ok {
		return v, false
	}
	if v, ok = at.convertTo(v, y.Type); !ok {
		return v, false
	}
	if len(y.Dims) == 0 {
		return v, v.Shape == nil
	}
	shape, ok := y.shape()
	if !ok {
		// Implied shape: the bounds come from the value.
		return v, v.Shape != nil && len(v.Shape) == len(y.Dims) && y.Dims[0].Star
	}
	if v.Shape == nil {
		return spread(v, shape)
	}
	if !sameShape(v.Shape, shape) {
		return v, false
	}
	return v, true
}

// shape is the declared shape, if it is constant.
func (y *Symbol) shape() ([]int64, bool) {
	shape := make([]int64, 0, len(y.Dims))
	for i := range y.Dims {
		lower, upper, ok := y.bounds(i)
		if !ok {
			return nil, false
		}
		shape = append(shape, max(upper-lower+1, 0))
	}
	return shape, true
}

// bounds are the declared bounds of a dimension, if they are constant.
func (y *Symbol) bounds(i int) (lower, upper int64, ok bool) {
	if i < 0 || i >= len(y.Dims) {
		return 0, 0, false
	}
	d := y.Dims[i]
	if lower, ok = y.lowerBound(i); !ok || d.Upper == nil {
		return 0, 0, false
	}
	v, ok := y.scopeOfBounds().Constant(d.Upper)
	if !ok || v.Type.Base != Integer || v.Shape != nil || v.Integer > 1<<40 || lower < -1<<40 {
		return 0, 0, false
	}
	return lower, v.Integer, true
}

func (y *Symbol) lowerBound(i int) (int64, bool) {
	d := y.Dims[i]
	if d.Lower == nil {
		return 1, !d.Deferred
	}
	v, ok := y.scopeOfBounds().Constant(d.Lower)
	return v.Integer, ok && v.Type.Base == Integer && v.Shape == nil
}

func sameShape(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func count(shape []int64) int64 {
	n := int64(1)
	for _, extent := range shape {
		if extent > mostElements {
			extent = mostElements + 1
		}
		if n *= extent; n > mostElements {
			return mostElements + 1
		}
	}
	return n
}

// spread makes an array of one value.
func spread(v Value, shape []int64) (Value, bool) {
	n := count(shape)
	if n > mostElements || v.Shape != nil {
		return Value{}, false
	}
	array := Value{Type: v.Type, Shape: shape, List: make([]Value, n)}
	for i := range array.List {
		array.List[i] = v
	}
	return array, true
}

func elementwise1(x Value, f func(Value) (Value, bool)) (Value, bool) {
	if x.Shape == nil {
		return f(x)
	}
	array := Value{Type: x.Type, Shape: x.Shape, List: make([]Value, len(x.List))}
	for i := range x.List {
		v, ok := f(x.List[i])
		if !ok {
			return Value{}, false
		}
		array.List[i], array.Type = v, v.Type
	}
	if len(x.List) == 0 {
		// The type of an empty result is that of the operation on any element.
		v, ok := f(Value{Type: x.Type})
		if !ok {
			return Value{}, false
		}
		array.Type = v.Type
	}
	return array, true
}

func elementwise2(x, y Value, f func(x, y Value) (Value, bool)) (Value, bool) {
	switch {
	case x.Shape == nil && y.Shape == nil:
		return f(x, y)
	case x.Shape == nil:
		return elementwise1(y, func(y Value) (Value, bool) { return f(x, y) })
	case y.Shape == nil:
		return elementwise1(x, func(x Value) (Value, bool) { return f(x, y) })
	case !sameShape(x.Shape, y.Shape):
		return Value{}, false
	}
	i := -1
	return elementwise1(x, func(x Value) (Value, bool) {
		if i++; i < len(y.List) {
			return f(x, y.List[i])
		}
		return f(x, Value{Type: y.Type})
	})
}

// literal is the value of a literal.
func (s *Scope) literal(e *tree.Literal) (Value, bool) {
	v := Value{Type: s.typeOfLiteral(e).Type}
	ok := false
	switch v.Type.Base {
	case Integer:
		v, ok = integerLiteral(v, e.Text)
	case Real:
		v.Real, ok = realLiteral(e.Text, v.Type.Kind)
	case Logical:
		v.Logical, ok = strings.HasPrefix(e.Text, ".t"), v.Type.Kind != 0
	case Character:
		v.Text, ok = e.Text, v.Type.Kind == 1
	case BOZ:
		v.Text, ok = e.Text, true
	}
	return v, ok
}

func (f folder) complex(e *tree.Complex) (Value, bool) {
	re, ok := f.fold(e.Re)
	if !ok {
		return re, false
	}
	im, ok := f.fold(e.Im)
	if !ok || re.Shape != nil || im.Shape != nil {
		return im, false
	}
	t := f.s.complexOf(re.Type, im.Type)
	part := Type{Base: Real, Kind: t.Kind}
	re, ok = convert(re, part)
	im, fine := convert(im, part)
	return Value{Type: t, Real: re.Real, Imag: im.Real}, ok && fine
}
