package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// An allocatable component of an array of a derived type, gas(s)%c, is an array of its own for each element. The argument block has an array of their
// views if the array has few elements, by constant bounds.

// most views of such an array
const mostViews = 16

// family is a component as a whole; nil: it is another designator, or a refusal. which is the number of the view, from 0.
func (l *lowerer) family(sc *scope.Scope, e tree.Expression) (a *Argument, which *Expression) {
	parts, ok := partsOf(sc, e)
	if !ok || len(parts) != 2 || len(parts[0].subscripts) != 1 || parts[1].component == nil || l.scope != nil {
		return nil, nil
	}
	y := sc.Symbol(e)
	end := parts[1].component
	if y == nil || !end.Allocatable || len(end.Dims) == 0 || len(end.Dims) > 7 {
		return nil, nil
	}
	of := l.k.Find(y)
	t, known := typeOf(end.Type)
	if of == nil || !known || of.Rank != 1 || len(y.Dims) != 1 || of.Type.Base != scope.Derived || y.Optional || y.Pointer || y.Allocatable {
		return nil, nil
	}
	first, last, constant := constantBounds(y, 0)
	if !constant || last < first || last-first >= mostViews {
		return nil, nil
	}
	if _, rank := sc.TypeOf(parts[0].subscripts[0].Value); rank != 0 {
		return nil, nil
	}
	index := converted(l.expression(sc, parts[0].subscripts[0].Value), wide)
	if index == nil {
		return nil, nil
	}
	key := partKey{l.k.Find(y), "%" + end.Name}
	if a = l.parts[key]; a == nil {
		a = &Argument{Of: of, Part: key.text, Views: int(last - first + 1), Component: end, Type: t, Rank: len(end.Dims), Write: of.Write, Packed: true,
			Name: l.members.local(of.Spelt + "_" + end.Name)}
		l.parts[key] = a
		l.out.Arguments = append(l.out.Arguments, a)
	}
	if first != 0 {
		x := one(wide)
		x.Constant.Integer = first
		index = folded(Subtract, index, x)
	}
	return a, index
}

// isWideFamily reports whether a designator is such a component of an array that has too many elements, or a number of them that is not known.
func (l *lowerer) isWideFamily(sc *scope.Scope, e tree.Expression) bool {
	parts, ok := partsOf(sc, e)
	if !ok || len(parts) < 2 {
		return false
	}
	end, of := parts[len(parts)-1].component, parts[len(parts)-2].subscripts
	return end != nil && end.Allocatable && len(end.Dims) > 0 && len(of) > 0
}

// view is the argument that an array designator stands for, with the number of the view of a family; nil after a refusal or for another designator.
func (l *lowerer) view(sc *scope.Scope, base tree.Expression) (a *Argument, which *Expression) {
	at := base.Span().From
	var of *emit.Argument
	switch b := base.(type) {
	case *tree.Name:
		of = l.find(sc.Lookup(b.Name), at)
	case *tree.Component:
		if of = l.prefixes[b]; of == nil {
			return l.family(sc, b)
		}
	}
	if of == nil {
		return nil, nil
	}
	return l.argument(of, at), nil
}

// count is the number of the launch's arguments.
func (l *lowerer) argumentCount() (count int) {
	for _, a := range l.out.Arguments {
		count += max(a.Views, 1)
	}
	return count
}
