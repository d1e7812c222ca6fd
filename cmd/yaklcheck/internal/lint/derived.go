package lint

import (
	"maps"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file finds the names of a procedure that depend on its arguments, so that threads have
// different values in them. A dummy depends, and so does a variable that is assigned from such
// names, or that a called procedure may change.

// derived are the names of a procedure that depend; those of the procedure around it come first.
func (p *program) derived(q *procedure, inherited map[string]bool) map[string]bool {
	d := map[string]bool{}
	maps.Copy(d, inherited)
	for _, y := range q.Own() {
		delete(d, y.Name)
	}
	for _, y := range q.Own() {
		if y.Dummy {
			d[y.Name] = true
		}
	}
	for changed := true; changed; {
		before := len(d)
		for _, x := range q.statements {
			p.spread(x, d)
		}
		changed = len(d) > before
	}
	return d
}

// spread adds the names that one statement makes dependent.
func (p *program) spread(x statement, d map[string]bool) {
	for at := x.in; at != nil && at.Kind == scope.BlockScope; at = at.Parent {
		for _, y := range at.Own() {
			if y.Alias != nil && p.depends(at, d, y.Alias) {
				d[y.Name] = true
			}
		}
		for _, i := range indices(at) {
			if p.depends(at, d, i.First, i.Last, i.Step) {
				d[i.Name] = true
			}
		}
	}
	p.parts(x, func(e effect) {
		v := target{path: []tree.Expression{e.at}}
		if e.how != assigned && e.how != loopVariable || p.depends(x.in, d, e.from...) || e.how == assigned && p.depends(x.in, d, v.subscripts()...) ||
			e.how == assigned && e.from == nil {
			d[root(e.at).Name] = true
		}
	})
	for _, c := range calls(x) {
		if !c.sub {
			continue
		}
		for _, a := range c.arguments {
			if n := root(a.Value); n != nil {
				if v := p.variable(x.in, a.Value); v.symbol == nil && v.module != "" || v.symbol != nil && isShared(v.symbol) {
					continue // a call does not give each thread a copy of a shared variable
				}
				d[n.Name] = true
			}
		}
	}
}

// indices are those of DO CONCURRENT and FORALL whose scope it is.
func indices(s *scope.Scope) []tree.Index {
	switch n := s.Construct.(type) {
	case *tree.Do:
		return n.Indices
	case *tree.Forall:
		return n.Indices
	}
	return nil
}

func isShared(y *scope.Symbol) bool {
	s := unitOf(y.Scope)
	return s != nil && s.Kind != scope.ProcedureScope && s.Kind != scope.InterfaceScope
}

// depends reports whether one of the expressions may differ between threads.
func (p *program) depends(s *scope.Scope, d map[string]bool, list ...tree.Expression) (found bool) {
	for _, e := range list {
		if e == nil {
			continue
		}
		within(e, func(e tree.Expression) bool {
			switch e := e.(type) {
			case *tree.Name:
				found = found || d[e.Name]
			case *tree.ImpliedDo:
				found = found || d[e.Variable]
			case *tree.Reference:
				if n, is := e.Base.(*tree.Name); is && !found && s.Lookup(n.Name).Kind != scope.Intrinsic {
					v := p.variable(s, n)
					found = v.symbol == nil && v.module == "" // a function may return anything
				}
			}
			return !found
		})
	}
	return found
}

// oneOnly reports whether the conditions around a statement leave one iteration: an index or a component of the tile
// equals something.
func (p *program) oneOnly(x statement, d map[string]bool) bool {
	return slices.ContainsFunc(x.guards, func(g tree.Expression) bool {
		return slices.ContainsFunc(conjuncts(g), func(e tree.Expression) bool {
			b, is := e.(*tree.Binary)
			return is && b.Operator == "==" && (isIndex(b.X, d) && !p.depends(x.in, d, b.Y) || isIndex(b.Y, d) && !p.depends(x.in, d, b.X))
		})
	})
}

// conjuncts are the conditions that must all hold; none if the expression has other operators.
func conjuncts(e tree.Expression) []tree.Expression {
	switch e := e.(type) {
	case *tree.Binary:
		switch e.Operator {
		case ".and.":
			x, y := conjuncts(e.X), conjuncts(e.Y)
			if x == nil || y == nil {
				return nil
			}
			return append(x, y...)
		case ".or.", ".eqv.", ".neqv.":
			return nil
		}
	case *tree.Unary:
		if e.Operator == ".not." {
			return nil
		}
	}
	return []tree.Expression{e}
}

func isIndex(e tree.Expression, d map[string]bool) bool {
	n := root(e)
	if n == nil || !d[n.Name] {
		return false
	}
	for {
		switch x := e.(type) {
		case *tree.Name, *tree.Component:
			return true
		case *tree.Reference:
			if _, is := x.Base.(*tree.Name); is {
				return false
			}
			e = x.Base
		}
	}
}
