package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// copies refuses array assignments for which the compiler copies the whole array into a temporary, and back: what other threads have written into it
// meanwhile is lost. flang 16 does so if the right side has another part of the array that it assigns. Arrays that each iteration owns are no matter.
func (n *one) copies() {
	if !n.w.o.WholeCopies {
		return
	}
	var mask []tree.Expression
	var look func(body []tree.Node)
	look = func(body []tree.Node) {
		for _, s := range body {
			switch s := s.(type) {
			case *tree.Assignment:
				n.copied(s, mask)
			case *tree.Where:
				outer := mask
				for _, b := range s.Branches {
					mask = append(mask[:len(mask):len(mask)], b.Condition)
				}
				emit.Blocks(s, func(inner []tree.Node, _ int) { look(inner) })
				mask = outer
			default:
				emit.Blocks(s, func(inner []tree.Node, _ int) { look(inner) })
			}
		}
	}
	look(n.k.Body)
}

// copied refuses an assignment whose array the right side, or a mask around it, has in another form.
func (n *one) copied(s *tree.Assignment, masks []tree.Expression) {
	sc := n.scope
	if inside := n.w.o.Program.Inside(s); inside != nil {
		sc = inside
	}
	if _, rank := sc.TypeOf(s.Left); rank == 0 {
		return
	}
	y := rootOf(sc, s.Left)
	shared := false
	for _, a := range n.k.Arguments {
		shared = shared || a.Symbol == y
	}
	if y == nil || !shared {
		return
	}
	for _, e := range append([]tree.Expression{s.Right}, masks...) {
		if otherPart(sc, e, y, s.Left) {
			n.refuse(s.Where.From, "flang 16 copies the whole array '"+y.Name+"' for this assignment, which would undo what other threads write",
				"assign element by element in a loop")
			return
		}
	}
}

// otherPart reports whether an expression has a part of the variable that is not the same one.
func otherPart(sc *scope.Scope, e tree.Expression, y *scope.Symbol, same tree.Expression) bool {
	if e == nil {
		return false
	}
	if rootOf(sc, e) == y {
		return !strings.EqualFold(speller{}.text(e), speller{}.text(same))
	}
	found := false
	emit.Parts(e, func(x tree.Expression) { found = found || otherPart(sc, x, y, same) })
	return found
}

// rootOf is the variable that a designator begins with; nil if the expression is none.
func rootOf(sc *scope.Scope, e tree.Expression) *scope.Symbol {
	switch e := e.(type) {
	case *tree.Name:
		return sc.Lookup(e.Name)
	case *tree.Reference:
		return rootOf(sc, e.Base)
	case *tree.Component:
		return rootOf(sc, e.Base)
	}
	return nil
}
