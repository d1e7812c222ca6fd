package host

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file writes one more body for arrays whose elements may be apart: with the declaration t(k,i,j) of t(i,j,k), for arrays in that order of elements.
// A compiler knows then that the elements of the innermost loop are neighbours. Not in this file: the bodies for contiguous and for any arrays.

// turn is the order that an array may have in the memory of the host.
type turn struct {
	order []int  // dimensions from 0 on, the fastest first
	name  string // of the pointer in the argument block
}

// planTurned decides which arrays have another declaration in a body of their own: those that may be apart, whose innermost loop runs over another
// dimension than the first, and whose subscripts can be put into another order.
func (n *one) planTurned() {
	if !n.anyLoose() || len(n.k.Internal) > 0 || len(n.sums) > 0 || n.mask() != "" {
		return
	}
	inner := n.innermost()
	turned := map[*arg]*turn{}
	for _, a := range n.args {
		if !a.loose() || a.Rank < 2 {
			continue
		}
		if a.optional() != "" || a.Actual || !a.comparable() || a.Type.Base != scope.Real && a.Type.Base != scope.Integer {
			return
		}
		votes := make([]int, a.Rank)
		for _, u := range a.Uses {
			r := n.plainElement(a, u)
			if r == nil {
				return
			}
			for d := range r.Arguments {
				if inner[u.Statement] != "" && hasName(r.Arguments[d].Value, inner[u.Statement]) {
					votes[d]++
				}
			}
		}
		fastest := slices.Index(votes, slices.Max(votes))
		if fastest == 0 {
			continue
		}
		t := &turn{order: []int{fastest}, name: n.dummy(a.name + "_turned")}
		for d := range a.Rank {
			if d != fastest {
				t.order = append(t.order, d)
			}
		}
		turned[a] = t
	}
	if len(turned) > 0 {
		n.turned = turned
	}
}

// innermost are the variables of the innermost loops around the statements of the body.
func (n *one) innermost() map[tree.Node]string {
	m := map[tree.Node]string{}
	var look func(body []tree.Node, variable string)
	look = func(body []tree.Node, variable string) {
		for _, s := range body {
			m[s] = variable
			inside := variable
			if d, ok := s.(*tree.Do); ok {
				if inside = ""; d.Kind == tree.Counted {
					inside = d.Variable
				}
			}
			emit.Blocks(s, func(inner []tree.Node, _ int) { look(inner, inside) })
		}
	}
	look(n.k.Body, n.loops[len(n.loops)-1].variable)
	return m
}

// plainElement is a use of an array that is an element with subscripts of names and numbers, as the file has it; else nil.
func (n *one) plainElement(a *arg, u emit.Use) *tree.Reference {
	r, ok := u.Expression.(*tree.Reference)
	if !ok || len(r.Arguments) != a.Rank || u.Actual {
		return nil
	}
	if m, _ := u.Scope.Meaning(r); m != scope.Element {
		return nil
	}
	for i := range r.Arguments {
		e := r.Arguments[i].Value
		text, known := n.w.bytes(e.Span())
		if !known || squeezed(text) != squeezed(speller{}.text(e)) {
			return nil
		}
		plain := true
		emit.Inside(e, func(x tree.Expression) {
			switch x.(type) {
			case *tree.Name, *tree.Literal, *tree.Unary, *tree.Binary, *tree.Parenthesis:
			default:
				plain = false
			}
		})
		if _, rank := u.Scope.TypeOf(e); !plain || rank != 0 {
			return nil
		}
	}
	return r
}

func hasName(e tree.Expression, variable string) (found bool) {
	emit.Inside(e, func(x tree.Expression) {
		y, ok := x.(*tree.Name)
		found = found || ok && y.Name == variable
	})
	return found
}

// isTurned is the order of an array in the body that is being written; nil: the user's.
func (n *one) isTurned(a *arg) *turn {
	if !n.turning {
		return nil
	}
	return n.turned[a]
}

// inOrder declares a turned array in its body.
func (a *arg) inOrder(t *turn) string {
	box := strings.Split(a.box(), ", ")
	list := make([]string, a.Rank)
	for k, d := range t.order {
		list[k] = box[d]
	}
	return a.typ + a.intent() + " :: " + a.name + "(" + join(list) + ")"
}

// turnSubscripts puts the subscripts of the turned arrays into their order.
func (n *one) turnSubscripts(e *editor) {
	for _, a := range n.args {
		t := n.isTurned(a)
		if t == nil {
			continue
		}
		for _, u := range a.Uses {
			r := n.plainElement(a, u)
			list := make([]string, a.Rank)
			for k, d := range t.order {
				list[k] = n.w.words(r.Arguments[d].Value)
			}
			e.replace(r.Arguments[0].Value.Span().From.Offset, r.Arguments[a.Rank-1].Value.Span().To.Offset, join(list))
		}
	}
}

// askOrders asks once for all tiles whether the arrays are in the orders of that body, and points to them by its declaration.
func (n *one) askOrders() {
	if n.turned == nil {
		return
	}
	t := &n.place.text
	t.add(4, "@portable_turned = .not. @portable_contiguous")
	for _, a := range n.args {
		if !a.loose() {
			continue
		}
		array := "@portable_b%" + a.name
		turn := n.turned[a]
		if turn == nil {
			t.add(4, "if (@portable_turned) @portable_turned = associated("+array+")")
			t.add(4, "if (@portable_turned) @portable_turned = is_contiguous("+array+")")
			continue
		}
		var order []string
		for _, d := range turn.order {
			order = append(order, decimal(d+1)+"_@c_int64_t")
		}
		t.add(4, "if (@portable_turned) @portable_turned = @portable_in_order(@portable_arg("+array+", 'read'), ["+join(order)+"])")
	}
	t.add(4, "if (@portable_turned) then")
	for _, a := range n.args {
		turn := n.turned[a]
		if turn == nil {
			continue
		}
		array := "@portable_b%" + a.name
		var first, extents []string
		for d := range a.Rank {
			first = append(first, "lbound("+array+", "+decimal(d+1)+")")
		}
		for _, d := range turn.order {
			extents = append(extents, "size("+array+", "+decimal(d+1)+", @c_int64_t)")
		}
		t.add(6, "call @c_f_pointer(@c_loc("+array+"("+join(first)+")), @portable_b%"+turn.name+", ["+join(extents)+"])")
	}
	t.add(4, "end if")
}

// writeTurned writes the body and its tile.
func (n *one) writeTurned() {
	if n.turned == nil {
		return
	}
	n.turning = true
	n.tile(n.name+"_turned_tile", n.name+"_turned", false)
	n.body(n.name+"_turned", false, nil)
	n.turning = false
}
