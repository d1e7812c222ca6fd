package device

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// part is one step of a designator: a component, or subscripts.
type part struct {
	name       string
	component  *scope.Symbol
	subscripts []tree.Argument
}

// partsOf are the steps of a designator behind its variable; ok false: it is another expression.
func partsOf(sc *scope.Scope, e tree.Expression) (list []part, ok bool) {
	for {
		switch x := e.(type) {
		case *tree.Name:
			slices.Reverse(list)
			return list, true
		case *tree.Component:
			list = append(list, part{name: x.Name, component: sc.Component(x)})
			e = x.Base
		case *tree.Reference:
			list = append(list, part{subscripts: x.Arguments})
			e = x.Base
		default:
			return nil, false
		}
	}
}

// clear reports whether no element of the designator `from` is one that an assignment to `to` has written in front of its own: they have no common
// element, or elements of the same numbers alone. Both begin with one variable.
func clear(sc *scope.Scope, to, from tree.Expression) bool {
	a, isA := partsOf(sc, to)
	b, isB := partsOf(sc, from)
	if !isA || !isB {
		return false
	}
	equal := true
	for i := range min(len(a), len(b)) {
		if a[i].name != b[i].name { // subscripts have no name
			return a[i].name != "" && b[i].name != "" && !pointsIn(a[i:]) && !pointsIn(b[i:])
		}
		if a[i].name != "" {
			continue
		}
		if len(a[i].subscripts) != len(b[i].subscripts) {
			return false
		}
		for d := range a[i].subscripts {
			x, y := a[i].subscripts[d].Value, b[i].subscripts[d].Value
			if disjoint(sc, x, y) && !pointsIn(a[:i]) {
				return true
			}
			_, isRange := x.(*tree.Range)
			_, alsoRange := y.(*tree.Range)
			switch {
			case isRange && alsoRange:
				equal = equal && sameDesignator(x, y)
			case isRange || alsoRange || !scalar(sc, x) || !scalar(sc, y):
				equal = false
			}
		}
	}
	return equal && len(a) == len(b) && !pointsIn(a)
}

// pointsIn reports whether a component is a pointer, or not known: two of them may have one target.
func pointsIn(list []part) bool {
	return slices.ContainsFunc(list, func(p part) bool { return p.name != "" && (p.component == nil || p.component.Pointer) })
}

func scalar(sc *scope.Scope, e tree.Expression) bool {
	_, rank := sc.TypeOf(e)
	return rank == 0
}

// disjoint reports whether two subscripts of one dimension never are the same: different constants, a constant outside of a range.
func disjoint(sc *scope.Scope, x, y tree.Expression) bool {
	lowX, highX := limits(sc, x)
	lowY, highY := limits(sc, y)
	return highX.below(lowY) || highY.below(lowX)
}

// limit is a constant, or an integer variable and a constant that is added.
type limit struct {
	variable *scope.Symbol
	constant int64
}

func (a *limit) below(b *limit) bool {
	return a != nil && b != nil && a.variable == b.variable && a.constant < b.constant
}

// limits are what a subscript is between, as far as it is known.
func limits(sc *scope.Scope, e tree.Expression) (low, high *limit) {
	r, ok := e.(*tree.Range)
	if !ok {
		return limitOf(sc, e), limitOf(sc, e)
	}
	if r.Stride != nil {
		if s := limitOf(sc, r.Stride); s == nil || s.variable != nil || s.constant < 1 {
			return nil, nil
		}
	}
	return limitOf(sc, r.Lower), limitOf(sc, r.Upper)
}

// limitOf is a bound; nil: it has another form.
func limitOf(sc *scope.Scope, e tree.Expression) *limit {
	if e == nil {
		return nil
	}
	if v, ok := sc.Constant(e); ok {
		if v.Type.Base != scope.Integer || v.Shape != nil {
			return nil
		}
		return &limit{constant: v.Integer}
	}
	switch e := e.(type) {
	case *tree.Parenthesis:
		return limitOf(sc, e.X)
	case *tree.Name:
		if y := sc.Lookup(e.Name); y.Kind == scope.Variable && y.Type.Base == scope.Integer && len(y.Dims) == 0 && !y.Volatile && !y.Pointer && !y.Target && len(y.Shares) == 0 {
			return &limit{variable: y}
		}
	case *tree.Binary:
		x, y := limitOf(sc, e.X), limitOf(sc, e.Y)
		switch {
		case x == nil || y == nil || sc.Operator(e.Operator, []tree.Expression{e.X, e.Y}) != nil:
		case e.Operator == "+" && y.variable == nil:
			return &limit{x.variable, x.constant + y.constant}
		case e.Operator == "+" && x.variable == nil:
			return &limit{y.variable, x.constant + y.constant}
		case e.Operator == "-" && y.variable == nil:
			return &limit{x.variable, x.constant - y.constant}
		}
	}
	return nil
}
