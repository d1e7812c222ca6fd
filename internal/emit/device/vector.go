package device

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Vector is the operation of an actual argument that is an array: operands are the number of elements and their stride for each of Dims (0: in memory),
// then the subscripts of the first. Fewer Dims than the dummy has: its elements follow each other, and the procedure sets its extents and strides.
const Vector Operation = "vector"

// parameterArray makes the parameter for a dummy array; nil after a refusal. The procedure sets its bounds at its beginning.
func (l *lowerer) parameterArray(y *scope.Symbol, z *scope.Symbol, t Type, written bool, at token.Pos) *Variable {
	assumed := isAssumed(z)
	for _, d := range z.Dims {
		if d.Deferred || isAssumedIn(d) != assumed || len(z.Dims) > 7 {
			l.refuse(at, "the argument '"+z.Name+"' of '"+y.Name+"' has no form for devices", "give numbers, logicals, and arrays of these, without OPTIONAL, POINTER and ALLOCATABLE")
			return nil
		}
	}
	return &Variable{Name: l.names.local(z.Name), Type: t, View: len(z.Dims), Constant: !written}
}

// isAssumed reports whether a dummy array has the extents of the actual argument.
func isAssumed(z *scope.Symbol) bool { return len(z.Dims) > 0 && isAssumedIn(z.Dims[0]) }

func isAssumedIn(d scope.Dimension) bool { return d.Assumed || d.Upper == nil && !d.Star }

// shape gives the dummy arrays of a procedure the bounds that it declares.
func (l *lowerer) shape(y *scope.Symbol) (list []Statement) {
	later := map[string]bool{} // arrays whose extents are not set yet
	for _, d := range y.Dummies {
		z := y.Body.Lookup(d)
		later[d] = len(z.Dims) > 0 && !isAssumed(z)
	}
	for _, d := range y.Dummies {
		z := y.Body.Lookup(d)
		v := l.variables[z]
		if v == nil || v.View == 0 {
			continue
		}
		for i := range z.Dims {
			s := &Shape{Variable: v, Dim: i + 1, Lower: one(wide)}
			for _, of := range []struct {
				e  tree.Expression
				to **Expression
			}{{z.Dims[i].Lower, &s.Lower}, {z.Dims[i].Upper, &s.Upper}} {
				if of.e == nil || of.to == &s.Upper && isAssumed(z) {
					continue
				}
				if namesIn(of.e, later) {
					l.refuse(of.e.Span().From, "a bound of the argument '"+d+"' of '"+y.Name+"' asks about an array behind it", "put that array in front of it")
					return nil
				}
				if *of.to = converted(l.expression(y.Body, of.e), wide); *of.to == nil {
					return nil
				}
			}
			if z.Dims[i].Star { // a legal program has the elements that it names
				s.Upper = one(wide)
				s.Upper.Constant.Integer = 1 << 40
				s.Upper = folded(Add, s.Lower, s.Upper)
			}
			list = append(list, s)
		}
		later[d] = false
	}
	return list
}

// namesIn reports whether an expression has one of the names.
func namesIn(e tree.Expression, set map[string]bool) (found bool) {
	emit.Inside(e, func(x tree.Expression) {
		if name, ok := x.(*tree.Name); ok {
			found = found || set[name.Name]
		}
	})
	return found
}

// vector is an actual argument for a dummy array: an array, a section, or an element with those behind it; nil after a refusal.
func (l *lowerer) vector(sc *scope.Scope, p *Variable, z *scope.Symbol, e tree.Expression, of string) *Expression {
	at := e.Span().From
	no := func() *Expression {
		if len(l.reasons) == 0 {
			l.refuse(at, "the array argument '"+z.Name+"' of '"+of+"' has no form for devices", "give an array, or a section, of the dummy's type")
		}
		return nil
	}
	base, subscripts := e, []tree.Argument(nil)
	if r, ok := e.(*tree.Reference); ok {
		base, subscripts = r.Base, r.Arguments
	}
	bound, rank := l.boundsOf(sc, base)
	t, ranks := sc.TypeOf(e)
	have, ok := typeOf(t)
	if bound == nil || !ok || have != p.Type || subscripts != nil && len(subscripts) != rank || subscripts == nil && ranks != rank {
		return no()
	}
	x := &Expression{Do: Vector, Type: p.Type}
	var y *scope.Symbol
	switch b := base.(type) {
	case *tree.Name:
		y = sc.Lookup(b.Name)
		if l.isPrivate(y) || l.constants(y) {
			x.Variable = l.variable(y, at)
		} else {
			of := l.find(y, at)
			if of == nil {
				return no()
			}
			x.Argument = l.argument(of, at)
		}
	case *tree.Component:
		y = sc.Component(b)
		x.Argument, x.Which = l.view(sc, b)
	}
	if y == nil || x.Variable == nil && x.Argument == nil || x.Argument != nil && !x.Argument.Write && !p.Constant || x.Variable != nil && x.Variable.Constant && !p.Constant {
		return no()
	}
	ranges := make([]*dimension, rank)
	if ranks > 0 {
		if ranges = l.dimensions(sc, e); ranges == nil {
			return no()
		}
		for _, of := range ranges {
			if of != nil && of.index != nil {
				return no()
			}
		}
	}
	var index []*Expression
	for d, of := range ranges {
		first := (*Expression)(nil)
		if of != nil {
			first = of.lower
		} else if subscripts != nil {
			first = converted(l.expression(sc, subscripts[d].Value), wide)
		}
		if first == nil {
			return no()
		}
		index = append(index, first)
	}
	switch {
	case ranks == 1 && p.View == 1 || ranks == p.View && isAssumed(z) || ranks == 1 && !isAssumed(z):
		for d, of := range ranges {
			if of != nil {
				x.Dims = append(x.Dims, d+1)
				x.Operands = append(x.Operands, folded(Divide, folded(Add, folded(Subtract, of.upper, of.lower), of.stride), of.stride), of.stride)
			}
		}
		if len(x.Dims) != ranks {
			return no()
		}
	case isAssumed(z):
		return no()
	case !inSequence(x, y, rank) || ranks > 0 && !leading(subscripts):
		l.refuse(at, "the array argument '"+z.Name+"' of '"+of+"' would be a copy, because its elements may have gaps",
			"declare the dummy array with ("+strings.TrimSuffix(strings.Repeat(":, ", p.View), ", ")+"), or give a whole array that has its own bounds")
		return nil
	default: // the elements follow each other, in memory or in those of a dummy array
		x.Dims = []int{0}
		if x.Argument != nil {
			x.Argument.Sequence = true
		}
		if x.Variable != nil && x.Variable.View > 0 {
			x.Dims[0] = 1
		}
		x.Operands = []*Expression{one(wide), one(wide)}
	}
	x.Operands = append(x.Operands, index...)
	return x
}

// inSequence reports whether the elements of the array of an actual argument have no gaps, or gaps of one size.
func inSequence(x *Expression, y *scope.Symbol, rank int) bool {
	explicit := len(y.Dims) > 0 && !y.Dims[0].Assumed && !y.Dims[0].Deferred && !y.Pointer
	switch {
	case x.Variable != nil && x.Variable.View > 0:
		return rank == 1 || !isAssumed(y) && y.Kind != scope.Alias
	case x.Variable != nil:
		return true
	}
	return explicit || y.Contiguous || y.Allocatable
}

// leading reports whether the ranges of a section are whole dimensions, and behind them one without a stride: its elements follow each other.
func leading(subscripts []tree.Argument) bool {
	last := len(subscripts)
	for last > 0 {
		if _, ok := subscripts[last-1].Value.(*tree.Range); ok {
			break
		}
		last--
	}
	for i := range last {
		r, ok := subscripts[i].Value.(*tree.Range)
		if !ok || r.Stride != nil || i < last-1 && (r.Lower != nil || r.Upper != nil) {
			return false
		}
	}
	return true
}

// viewOf is the dummy array of the procedure that a name stands for; nil: there is none.
func (l *lowerer) viewOf(sc *scope.Scope, e tree.Expression) *Variable {
	name, ok := e.(*tree.Name)
	if !ok {
		return nil
	}
	y := sc.Lookup(name.Name)
	if l.isHosts(y) && len(y.Dims) > 0 {
		l.variable(y, name.Where.From)
	}
	if v := l.variables[y]; v != nil && v.View > 0 {
		return v
	}
	return nil
}
