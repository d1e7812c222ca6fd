package columns

import (
	"maps"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file compares the levels of arguments with those of dummies that get the columns' dimensions. A dummy with explicit shape lays its elements out by
// its own bounds: all of them but the last must be those of the argument.

// extents refuses an argument whose levels are not as many as those of the dummy.
func (p *Plan) extents(call site, d *scope.Symbol, e tree.Expression, where []int) {
	all := p.shape(call.scope.Symbol(e))
	next := 0
	for k, b := range all {
		if slices.Contains(where, k) || next >= len(d.Dims) {
			continue
		}
		own := d.Dims[next]
		next++
		if k == len(all)-1 || own.Upper == nil || own.Star || p.sameExtent(call, d, own, b) {
			continue
		}
		p.fault(e.Span().From, "declare the dummy with (:), or give the argument the same bounds",
			"'%s' has the shape (%s), but the dummy '%s' is declared %s: with the columns behind its levels both must have the same levels", parts.Show(e), showBounds(all), d.Name, declared(d))
		return
	}
}

// sameExtent reports whether a dimension of a dummy is as long as one of an argument.
func (p *Plan) sameExtent(call site, d *scope.Symbol, own scope.Dimension, b bounds) bool {
	given := func(y *scope.Symbol) tree.Expression { // what the call gives for a dummy
		for i := range call.args {
			if x := dummyOf(call.callee, call.args, i); x != nil && x == y {
				return call.args[i].Value
			}
		}
		return nil
	}
	left, right := sum{terms: map[*scope.Symbol]int64{}}, sum{terms: map[*scope.Symbol]int64{}}
	none := func(*scope.Symbol) tree.Expression { return nil }
	inner := func(e tree.Expression, sign int64) { left.add(d.Scope, e, sign, given, call.scope) }
	outer := func(e tree.Expression, sign int64) { right.add(b.scope, e, sign, none, nil) }
	inner(own.Upper, 1)
	outer(b.upper, 1)
	if own.Lower != nil {
		inner(own.Lower, -1)
	} else {
		left.number--
	}
	if b.lower != nil {
		outer(b.lower, -1)
	} else {
		right.number--
	}
	zero := func(_ *scope.Symbol, n int64) bool { return n == 0 }
	maps.DeleteFunc(left.terms, zero)
	maps.DeleteFunc(right.terms, zero)
	return !left.unknown && !right.unknown && left.number == right.number && maps.Equal(left.terms, right.terms)
}

// sum is a number and multiples of variables.
type sum struct {
	number  int64
	terms   map[*scope.Symbol]int64
	unknown bool
}

// add adds a multiple of an expression. given are the values of dummies, in the scope there.
func (x *sum) add(s *scope.Scope, e tree.Expression, by int64, given func(*scope.Symbol) tree.Expression, there *scope.Scope) {
	if n, ok := value(s, e); ok {
		x.number += by * n
		return
	}
	switch e := e.(type) {
	case *tree.Parenthesis:
		x.add(s, e.X, by, given, there)
		return
	case *tree.Name:
		y := s.Lookup(e.Name)
		if v := given(y); v != nil {
			x.add(there, v, by, func(*scope.Symbol) tree.Expression { return nil }, nil)
			return
		}
		if y.Kind == scope.Variable && y.Type.Base == scope.Integer && len(y.Dims) == 0 {
			x.terms[y] += by
			return
		}
	case *tree.Binary:
		switch e.Operator {
		case "+", "-":
			x.add(s, e.X, by, given, there)
			if e.Operator == "-" {
				by = -by
			}
			x.add(s, e.Y, by, given, there)
			return
		case "*":
			if n, ok := value(s, e.X); ok {
				x.add(s, e.Y, by*n, given, there)
				return
			}
			if n, ok := value(s, e.Y); ok {
				x.add(s, e.X, by*n, given, there)
				return
			}
		}
	}
	x.unknown = true
}

// inquires refuses LBOUND and UBOUND of a variable that gets the columns' dimensions: the section that stands for it begins at 1.
func (p *Plan) inquires(r *region, s *scope.Scope, e *tree.Reference) {
	if meaning, y := s.Meaning(e); meaning == scope.IntrinsicCall && y != nil && (y.Name == "lbound" || y.Name == "ubound") {
		for i := range e.Arguments {
			p.lowered(r, s, e.Arguments[i].Value)
		}
	}
}

// renames refuses ASSOCIATE of the same.
func (p *Plan) renames(r *region, s *scope.Scope, n tree.Node) {
	if a, is := n.(*tree.Associate); is {
		for i := range a.Names {
			p.lowered(r, s, a.Names[i].Selector)
		}
	}
}

func (p *Plan) lowered(r *region, s *scope.Scope, e tree.Expression) {
	n, is := e.(*tree.Name)
	if !is {
		return
	}
	y := s.Lookup(n.Name)
	wide := slices.ContainsFunc(r.wide, func(w wide) bool { return w.symbol == y })
	if wide && slices.ContainsFunc(y.Dims, func(d scope.Dimension) bool { return d.Lower != nil && parts.Show(d.Lower) != "1" }) {
		p.fault(n.Where.From, "write the bounds as they are declared, and the array by its own name",
			"'%s' has a lower bound that is not 1, which one column of it, '%s', does not keep here", y.Name, y.Name+"("+indices(r)+", ...)")
	}
}
