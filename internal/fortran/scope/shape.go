package scope

import (
	"strings"

	"libportable/internal/fortran/tree"
)

func lowerTrim(text string) string { return strings.ToLower(strings.TrimRight(text, " ")) }

// boundsOf are the lower bounds and extents of an expression, as far as they are constant.
func (s *Scope) boundsOf(e tree.Expression) (lower, shape []int64, ok bool) {
	if y := s.whole(e); y != nil {
		if len(y.Dims) == 0 {
			return nil, nil, false
		}
		if y.Kind == Constant && y.Dims[0].Star {
			v, ok := y.constant()
			if !ok {
				return nil, nil, false
			}
			for i := range y.Dims {
				n, known := y.lowerBound(i)
				lower, ok = append(lower, n), ok && known
			}
			return lower, v.Shape, ok && len(v.Shape) == len(lower)
		}
		for i := range y.Dims {
			from, to, ok := y.bounds(i)
			if !ok {
				return nil, nil, false
			}
			lower, shape = append(lower, from), append(shape, max(to-from+1, 0))
		}
		return lower, shape, true
	}
	if shape, ok = s.shapeOf(e); !ok || len(shape) == 0 {
		return nil, nil, false
	}
	for range shape {
		lower = append(lower, 1)
	}
	return lower, shape, true
}

// shapeOf is the shape of an expression, as far as it is constant; that of a scalar has no extents.
func (s *Scope) shapeOf(e tree.Expression) ([]int64, bool) {
	if e == nil {
		return nil, false
	}
	t := s.typeOf(e)
	switch {
	case t.rank == 0:
		return []int64{}, true
	case t.rank < 0 || s.Program.depth > deepest:
		return nil, false
	}
	s.Program.depth++
	defer func() { s.Program.depth-- }()
	if y := s.whole(e); y != nil {
		if _, shape, ok := s.boundsOf(e); ok {
			return shape, true
		}
		return nil, false
	}
	switch e := e.(type) {
	case *tree.Parenthesis:
		return s.shapeOf(e.X)
	case *tree.Unary:
		return s.shapeOf(e.X)
	case *tree.Binary:
		if s.typeOf(e.X).rank == t.rank {
			if shape, ok := s.shapeOf(e.X); ok {
				return shape, true
			}
		}
		if s.typeOf(e.Y).rank == t.rank {
			return s.shapeOf(e.Y)
		}
	case *tree.Constructor:
		return s.constructorShape(e)
	case *tree.Reference:
		return s.referenceShape(e, t)
	}
	return nil, false
}

func (s *Scope) constructorShape(e *tree.Constructor) ([]int64, bool) {
	if v, ok := s.Constant(e); ok {
		return v.Shape, true
	}
	n := int64(0)
	for _, item := range e.Items {
		if _, loop := item.(*tree.ImpliedDo); loop {
			return nil, false
		}
		shape, ok := s.shapeOf(item)
		if !ok {
			return nil, false
		}
		n += count(shape)
	}
	return []int64{n}, n <= mostElements
}

func (s *Scope) referenceShape(e *tree.Reference, t typed) ([]int64, bool) {
	meaning, y := s.Meaning(e)
	switch meaning {
	case Section:
		lower, shape, ok := s.boundsOf(e.Base)
		if !ok || len(shape) != len(e.Arguments) {
			lower, shape = make([]int64, len(e.Arguments)), nil
		}
		return s.sectionShape(e, lower, shape)
	case FunctionCall:
		if y.elemental() {
			return s.argumentShape(e.Arguments, t.rank)
		}
		if y.Body != nil {
			if result := y.Body.symbols[y.ResultName]; result != nil {
				return result.shape()
			}
		}
	case IntrinsicCall:
		in := intrinsicsByName[y.Name]
		if in != nil && in.rank == "e" {
			return s.argumentShape(e.Arguments, t.rank)
		}
		if v, ok := s.Constant(e); ok {
			return v.Shape, true
		}
		switch y.Name {
		case "shape", "lbound", "ubound":
			if c := s.newCall(y.Name, e.Arguments); s.typeOf(c.arg(0)).rank > 0 {
				return []int64{int64(s.typeOf(c.arg(0)).rank)}, true
			}
		}
	}
	return nil, false
}

// argumentShape is the shape of an elemental call: that of an array among the arguments.
func (s *Scope) argumentShape(arguments []tree.Argument, rank int) ([]int64, bool) {
	for i := range arguments {
		if arguments[i].Value != nil && s.typeOf(arguments[i].Value).rank == rank {
			if shape, ok := s.shapeOf(arguments[i].Value); ok {
				return shape, true
			}
		}
	}
	return nil, false
}

func (s *Scope) sectionShape(e *tree.Reference, lower, extents []int64) ([]int64, bool) {
	var shape []int64
	steps := mostSteps
	f := folder{s: s, steps: &steps}
	for i := range e.Arguments {
		r, isRange := e.Arguments[i].Value.(*tree.Range)
		if !isRange {
			if s.typeOf(e.Arguments[i].Value).rank == 0 {
				continue
			}
			n, ok := s.extent(e.Arguments[i].Value)
			if !ok {
				return nil, false
			}
			shape = append(shape, n)
			continue
		}
		first, last, step := lower[i], int64(0), int64(1)
		ok := true
		get := func(e tree.Expression, to *int64) {
			n, known := f.integer(e)
			ok = ok && known && n > -1<<40 && n < 1<<40
			*to = n
		}
		if r.Lower != nil {
			get(r.Lower, &first)
		} else {
			ok = ok && extents != nil
		}
		switch {
		case r.Upper != nil:
			get(r.Upper, &last)
		case extents != nil:
			last = lower[i] + extents[i] - 1
		default:
			ok = false
		}
		if r.Stride != nil {
			get(r.Stride, &step)
		}
		if !ok || step == 0 || step < 0 && (r.Lower == nil || r.Upper == nil) {
			return nil, false
		}
		shape = append(shape, max((last-first+step)/step, 0))
	}
	return shape, true
}

// withIndex is the scope of an implied DO: its variable is an entity of its own there.
func (s *Scope) withIndex(e *tree.ImpliedDo) *Scope {
	if inside := s.loops[e]; inside != nil {
		return inside
	}
	inside := &Scope{Kind: BlockScope, Parent: s, Program: s.Program, Unit: s.Unit, symbols: map[string]*Symbol{}}
	y := inside.own(e.Variable, e.VariableAt)
	switch {
	case e.VariableIsType != nil:
		y.Type = s.specType(e.VariableIsType, nil)
	default:
		if y.Type = s.Lookup(e.Variable).Type; y.Type.Base != Integer {
			y.Type = s.unit().implicitType(e.Variable)
		}
		if y.Type.Base != Integer {
			y.Type = Type{}
		}
	}
	y.state = done
	if s.loops == nil {
		s.loops = map[*tree.ImpliedDo]*Scope{}
	}
	s.loops[e] = inside
	return inside
}

// Loop is the scope of an implied DO in an expression of this scope.
func (s *Scope) Loop(e *tree.ImpliedDo) *Scope { return s.withIndex(e) }

// extent is the number of elements of a rank-1 expression, as far as it is constant.
func (s *Scope) extent(e tree.Expression) (int64, bool) {
	if shape, ok := s.shapeOf(e); ok && len(shape) == 1 {
		return shape[0], true
	}
	return 0, false
}
