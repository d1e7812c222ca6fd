package scope

import "libportable/internal/fortran/tree"

// constructor is the value of [ITEMS].
func (f folder) constructor(e *tree.Constructor) (Value, bool) {
	var list []Value
	if !f.items(e.Items, &list) {
		return Value{}, false
	}
	t := f.s.typeOf(e).Type
	if t.Base == NoType || len(list) == 0 && e.Type == nil {
		return Value{}, false
	}
	if t.Base == Character {
		n, fixed := 0, false
		if e.Type != nil {
			n, fixed = f.s.constantLength(t)
		}
		for i := range list {
			if !fixed && i > 0 && len(list[i].Text) != n {
				return Value{}, false
			}
			if !fixed {
				n = len(list[i].Text)
			}
		}
		t.Len = length(n)
	}
	for i := range list {
		var ok bool
		if list[i], ok = f.s.convertTo(list[i], t); !ok {
			return Value{}, false
		}
	}
	return Value{Type: t, Shape: []int64{int64(len(list))}, List: list}, true
}

// items appends the elements that the items of a constructor stand for.
func (f folder) items(items []tree.Expression, list *[]Value) bool {
	for _, item := range items {
		if do, ok := item.(*tree.ImpliedDo); ok {
			if !f.loop(do, list) {
				return false
			}
			continue
		}
		v, ok := f.fold(item)
		if !ok {
			return false
		}
		if v.Shape == nil {
			*list = append(*list, v)
		} else {
			*list = append(*list, v.List...)
		}
		if len(*list) > mostElements {
			return false
		}
	}
	return true
}

func (f folder) loop(do *tree.ImpliedDo, list *[]Value) bool {
	first, ok := f.integer(do.First)
	last, fine := f.integer(do.Last)
	step, known := int64(1), true
	if do.Step != nil {
		step, known = f.integer(do.Step)
	}
	if !ok || !fine || !known || step == 0 || first < -1<<40 || first > 1<<40 || last < -1<<40 || last > 1<<40 || step > 1<<40 || step < -1<<40 {
		return false
	}
	inside := folder{s: f.s.withIndex(do), index: map[*Symbol]int64{}, steps: f.steps}
	for y, n := range f.index {
		inside.index[y] = n
	}
	y := inside.s.symbols[do.Variable]
	if y.Type.Base != Integer {
		return false
	}
	for i := first; step > 0 && i <= last || step < 0 && i >= last; i += step {
		inside.index[y] = i
		if *f.steps--; *f.steps < 0 || !inside.items(do.Items, list) {
			return false
		}
	}
	return true
}

func (f folder) integer(e tree.Expression) (int64, bool) {
	v, ok := f.fold(e)
	return v.Integer, ok && v.Type.Base == Integer && v.Shape == nil
}

// component is the value of a component of a constant.
func (f folder) component(e *tree.Component) (Value, bool) {
	base, ok := f.fold(e.Base)
	if t := f.s.typeOf(e.Base); e.Name == "kind" && t.Kind != 0 {
		return Value{Type: f.s.integer(), Integer: int64(t.Kind)}, t.Base != Derived && t.Base != Class
	} else if e.Name == "len" && t.Base == Character {
		n, ok := f.s.constantLength(t.Type)
		return Value{Type: f.s.integer(), Integer: int64(n)}, ok
	}
	if !ok {
		return Value{}, false
	}
	return elementwise1(base, func(v Value) (Value, bool) {
		switch {
		case v.Type.Base == ComplexType && e.Name == "re":
			return Value{Type: Type{Base: Real, Kind: v.Type.Kind}, Real: v.Real}, true
		case v.Type.Base == ComplexType && e.Name == "im":
			return Value{Type: Type{Base: Real, Kind: v.Type.Kind}, Real: v.Imag}, true
		case v.Type.Def != nil:
			for i, y := range v.Type.Def.all() {
				if y.Name == e.Name && i < len(v.Fields) {
					field := v.Fields[i]
					return field, field.Type.Base != NoType && (field.Shape == nil || base.Shape == nil)
				}
			}
		}
		return Value{}, false
	})
}

// all are the components of a type, those of its parents first.
func (def *TypeDef) all() []*Symbol {
	if def.Parent == nil {
		return def.Components
	}
	parents := def.Parent.all()
	return append(parents[:len(parents):len(parents)], def.Components...)
}

// reference is the value of an element, a section, a substring, a structure, or a call of an intrinsic.
func (f folder) reference(e *tree.Reference) (Value, bool) {
	meaning, y := f.s.Meaning(e)
	switch meaning {
	case Element, Section:
		base, ok := f.fold(e.Base)
		if !ok || base.Shape == nil {
			return Value{}, false
		}
		lower := make([]int64, len(base.Shape))
		for i := range lower {
			lower[i] = 1
			if _, whole := e.Base.(*tree.Constructor); !whole && y != nil && i < len(y.Dims) {
				if lower[i], ok = y.lowerBound(i); !ok {
					return Value{}, false
				}
			}
		}
		return f.section(base, lower, e.Arguments)
	case Substring:
		base, ok := f.fold(e.Base)
		if !ok || len(e.Arguments) != 1 {
			return Value{}, false
		}
		r, ok := e.Arguments[0].Value.(*tree.Range)
		if !ok {
			return Value{}, false
		}
		return elementwise1(base, func(v Value) (Value, bool) { return f.substring(v, r) })
	case Structure:
		return f.structure(y, e.Arguments)
	case IntrinsicCall:
		return f.intrinsic(e, y.Name)
	}
	return Value{}, false
}

func (f folder) substring(v Value, r *tree.Range) (Value, bool) {
	first, last := int64(1), int64(len(v.Text))
	ok, fine := true, true
	if r.Lower != nil {
		first, ok = f.integer(r.Lower)
	}
	if r.Upper != nil {
		last, fine = f.integer(r.Upper)
	}
	if !ok || !fine {
		return v, false
	}
	if last < first {
		first, last = 1, 0
	} else if first < 1 || last > int64(len(v.Text)) {
		return v, false
	}
	v.Text = v.Text[first-1 : last]
	v.Type.Len = length(len(v.Text))
	return v, true
}

// section picks the elements that subscripts name.
func (f folder) section(base Value, lower []int64, arguments []tree.Argument) (Value, bool) {
	if len(arguments) != len(base.Shape) {
		return Value{}, false
	}
	places := make([][]int64, len(arguments)) // from 0
	var shape []int64
	for i := range arguments {
		list, array, ok := f.subscript(arguments[i].Value, lower[i], base.Shape[i])
		if !ok {
			return Value{}, false
		}
		places[i] = list
		if array {
			shape = append(shape, int64(len(list)))
		}
	}
	n := int64(1)
	for _, list := range places {
		if n *= int64(len(list)); n > mostElements {
			return Value{}, false
		}
	}
	result := Value{Type: base.Type, Shape: shape, List: make([]Value, 0, n)}
	at := make([]int, len(places))
	for ; n > 0; n-- {
		place, stride := int64(0), int64(1)
		for i := range places {
			place += places[i][at[i]] * stride
			stride *= base.Shape[i]
		}
		result.List = append(result.List, base.List[place])
		for i := range at {
			if at[i]++; at[i] < len(places[i]) {
				break
			}
			at[i] = 0
		}
	}
	if shape == nil {
		return result.List[0], true
	}
	return result, true
}

// subscript is the list of places that one subscript names; array: it keeps the dimension.
func (f folder) subscript(e tree.Expression, lower, extent int64) (list []int64, array, ok bool) {
	add := func(n int64) bool {
		list = append(list, n-lower)
		return n-lower >= 0 && n-lower < extent && len(list) <= mostElements
	}
	r, isRange := e.(*tree.Range)
	if !isRange {
		v, ok := f.fold(e)
		if !ok || v.Type.Base != Integer {
			return nil, false, false
		}
		if v.Shape == nil {
			ok = add(v.Integer)
			return list, false, ok
		}
		for _, x := range v.List {
			if !add(x.Integer) {
				return nil, false, false
			}
		}
		return list, true, len(v.Shape) == 1
	}
	first, last, step := lower, lower+extent-1, int64(1)
	known := true
	for _, bound := range []struct {
		e  tree.Expression
		to *int64
	}{{r.Stride, &step}, {r.Lower, &first}, {r.Upper, &last}} {
		if bound.e != nil {
			n, ok := f.integer(bound.e)
			known = known && ok && n > -1<<40 && n < 1<<40
			*bound.to = n
		}
	}
	if !known || step == 0 {
		return nil, false, false
	}
	// The standard and compilers differ about bounds that are left out with a negative stride.
	if step < 0 && (r.Lower == nil || r.Upper == nil) {
		return nil, false, false
	}
	for i := first; step > 0 && i <= last || step < 0 && i >= last; i += step {
		if !add(i) {
			return nil, false, false
		}
	}
	return list, true, true
}

// structure is the value of a structure constructor.
func (f folder) structure(y *Symbol, arguments []tree.Argument) (Value, bool) {
	if y.Def == nil || y.Def.Missing != "" {
		return Value{}, false
	}
	components := y.Def.all()
	v := Value{Type: Type{Base: Derived, Def: y.Def}, Fields: make([]Value, len(components))}
	given := make([]bool, len(components))
	for i := range arguments {
		place := i
		if name := arguments[i].Keyword; name != "" {
			place = -1
			for j := range components {
				if components[j].Name == name {
					place = j
				}
			}
		}
		if place < 0 || place >= len(components) || given[place] {
			return Value{}, false
		}
		value, ok := f.fold(arguments[i].Value)
		if !ok {
			return Value{}, false
		}
		if v.Fields[place], ok = components[place].fill(value); !ok {
			return Value{}, false
		}
		given[place] = true
	}
	for i, y := range components {
		if given[i] {
			continue
		}
		if y.Init == nil {
			return Value{}, false
		}
		value, ok := y.Scope.Constant(y.Init)
		if !ok {
			return Value{}, false
		}
		if v.Fields[i], ok = y.fill(value); !ok {
			return Value{}, false
		}
	}
	return v, true
}

// fill gives a component a value: converted, and spread over its shape.
func (y *Symbol) fill(v Value) (Value, bool) {
	y.settle()
	if y.Pointer || y.Allocatable || y.Kind != Variable {
		return v, false
	}
	v, ok := y.Scope.convertTo(v, y.Type)
	if !ok || len(y.Dims) == 0 {
		return v, ok && v.Shape == nil
	}
	shape, ok := y.shape()
	if !ok {
		return v, false
	}
	if v.Shape == nil {
		return spread(v, shape)
	}
	return v, sameShape(v.Shape, shape)
}
