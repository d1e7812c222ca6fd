package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Vector is the operation of an actual argument that is an array of one dimension: operands are the number of elements, their stride in dimension Dim
// (0: in memory), and the subscripts of the first.
const Vector Operation = "vector"

// parameterArray makes the parameter for a dummy array of one dimension; nil after a refusal. The procedure sets its bounds at its beginning.
func (l *lowerer) parameterArray(y *scope.Symbol, z *scope.Symbol, t Type, written bool, at token.Pos) *Variable {
	if len(z.Dims) != 1 || z.Dims[0].Star || z.Dims[0].Deferred {
		l.refuse(at, "the argument '"+z.Name+"' of '"+y.Name+"' has no form for devices", "")
		return nil
	}
	return &Variable{Name: l.names.local(z.Name), Type: t, View: 1, Constant: !written}
}

// shape gives the dummy arrays of a procedure the bounds that it declares.
func (l *lowerer) shape(y *scope.Symbol) (list []Statement) {
	for _, d := range y.Dummies {
		z := y.Body.Lookup(d)
		v := l.variables[z]
		if v == nil || v.View == 0 {
			continue
		}
		s := &Shape{Variable: v, Lower: one(wide)}
		if e := z.Dims[0].Lower; e != nil {
			s.Lower = converted(l.expression(y.Body, e), wide)
		}
		if e := z.Dims[0].Upper; e != nil && !z.Dims[0].Assumed {
			s.Upper = converted(l.expression(y.Body, e), wide)
		}
		if s.Lower == nil {
			return nil
		}
		list = append(list, s)
	}
	return list
}

// vector is an actual argument for a dummy array of one dimension: an array, a section, or an element with those behind it; nil after a refusal.
func (l *lowerer) vector(sc *scope.Scope, p *Variable, z *scope.Symbol, e tree.Expression, of string) *Expression {
	at := e.Span().From
	no := func() *Expression {
		if len(l.reasons) == 0 {
			l.refuse(at, "the array argument '"+z.Name+"' of '"+of+"' has no form for devices", "give an array, or a section of one dimension, of the dummy's type")
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
	if bound == nil || !ok || have != p.Type || ranks > 1 || subscripts != nil && len(subscripts) != rank || subscripts == nil && rank != 1 {
		return no()
	}
	x := &Expression{Do: Vector, Type: p.Type}
	var y *scope.Symbol
	switch b := base.(type) {
	case *tree.Name:
		y = sc.Lookup(b.Name)
		if l.isPrivate(y) {
			x.Variable = l.variable(y, at)
		} else {
			x.Argument = l.argument(l.k.Find(y), at)
		}
	case *tree.Component:
		y = sc.Component(b)
		x.Argument = l.argument(l.prefixes[b], at)
	}
	if y == nil || x.Variable == nil && x.Argument == nil || x.Argument != nil && !x.Argument.Write && !p.Constant || x.Variable != nil && x.Variable.Constant && !p.Constant {
		return no()
	}
	var index []*Expression
	count, step := one(wide), one(wide)
	if ranks == 1 {
		for d, of := range l.dimensions(sc, e) {
			if of == nil {
				index = append(index, converted(l.expression(sc, subscripts[d].Value), wide))
				continue
			}
			x.Dim = d + 1
			index = append(index, of.lower)
			step = of.stride
			count = folded(Divide, folded(Add, folded(Subtract, of.upper, of.lower), of.stride), of.stride)
		}
		if x.Dim == 0 {
			return no()
		}
	} else { // an element: those behind it are its neighbours, or the next ones of a dummy array
		assumed := z.Dims[0].Assumed || z.Dims[0].Upper == nil
		neighbours := x.Variable != nil || !y.Pointer && (y.Allocatable || len(y.Dims) > 0 && !y.Dims[0].Assumed && !y.Dims[0].Deferred)
		if assumed || !neighbours || subscripts == nil {
			return no()
		}
		for _, s := range subscripts {
			index = append(index, converted(l.expression(sc, s.Value), wide))
		}
		if x.Variable != nil && x.Variable.View > 0 {
			x.Dim = 1
		}
	}
	for _, i := range index {
		if i == nil {
			return no()
		}
	}
	x.Operands = append([]*Expression{count, step}, index...)
	return x
}

// viewOf is the dummy array of the procedure that a name stands for; nil: there is none.
func (l *lowerer) viewOf(sc *scope.Scope, e tree.Expression) *Variable {
	name, ok := e.(*tree.Name)
	if !ok {
		return nil
	}
	if v := l.variables[sc.Lookup(name.Name)]; v != nil && v.View > 0 {
		return v
	}
	return nil
}
