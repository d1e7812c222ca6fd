package host

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// changes reports whether a variable may change between the beginning of the user's procedure and the nest.
func (n *one) changes(y *scope.Symbol) bool {
	if y.Dummy && y.Intent == "in" {
		return false
	}
	if y.Scope == nil || y.Scope.Kind == scope.ModuleScope || y.Common != "" || len(y.Shares) > 0 || y.Pointer || y.Target || y.Kind != scope.Variable {
		return true
	}
	if n.changed == nil {
		n.changed = map[*scope.Symbol]bool{}
		n.changesOf(n.place.top)
	}
	return n.changed[y]
}

func (n *one) changesOf(u *tree.Unit) {
	n.changesIn(n.w.o.Program.Of(u), u.Body)
	for _, inner := range u.Contains {
		n.changesOf(inner)
	}
}

func (n *one) changesIn(sc *scope.Scope, body []tree.Node) {
	mark := func(sc *scope.Scope, e tree.Expression) {
		if y := sc.Symbol(e); y != nil {
			n.changed[y] = true
		}
	}
	for _, s := range body {
		at := sc
		if inside := n.w.o.Program.Inside(s); inside != nil {
			at = inside
		}
		switch s := s.(type) {
		case *tree.Assignment:
			mark(at, s.Left)
		case *tree.PointerAssignment:
			mark(at, s.Left)
		case *tree.Do:
			if s.Variable != "" {
				n.changed[at.Lookup(s.Variable)] = true
			}
		case *tree.Labels:
			n.changed[at.Lookup(s.Variable)] = true
		case *tree.Associate:
			for _, a := range s.Names {
				mark(sc, a.Selector)
			}
		case *tree.Call, *tree.Transfer, *tree.Allocation:
			emit.Own(s, func(e tree.Expression) { mark(at, e) })
		}
		emit.Own(s, func(e tree.Expression) {
			emit.Inside(e, func(x tree.Expression) {
				r, ok := x.(*tree.Reference)
				if !ok {
					return
				}
				if m, _ := at.Meaning(r); m == scope.FunctionCall || m == scope.NotKnown {
					for _, a := range r.Arguments {
						mark(at, a.Value)
					}
				}
			})
		})
		emit.Blocks(s, func(inner []tree.Node, number int) {
			block := at
			if c, ok := s.(*tree.Select); ok {
				if one := n.w.o.Program.Case(c, number); one != nil {
					block = one
				}
			}
			n.changesIn(block, inner)
		})
	}
}
