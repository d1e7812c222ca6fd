package data

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file says which statements give pointers other targets: calls in front of them know the old targets alone. Not in this file: memory that is freed.

// points reports whether a statement, or what it calls, may give a pointer another target. If it uses pointers too, it may use all that
// these can reach.
func (h *hooks) points(w *want, s *scope.Scope, n tree.Node) (is bool) {
	e := h.f.seen.Statements(s, n)
	is = pointing(n) || slices.ContainsFunc(e.Calls, func(y *scope.Symbol) bool { return y.Body != nil && y.Body.Unit != nil && h.f.pointsIn(y.Body.Unit) })
	if is && slices.ContainsFunc(w.order, func(name string) bool { return w.items[name].pointer }) {
		w.shared = true
	}
	return is
}

// named refuses a name for what a pointer points to, if the pointer gets another target while the name is in use: calls know arrays by their pointers.
func (h *hooks) named(s *scope.Scope, n tree.Node, selector tree.Expression) {
	switch n := n.(type) {
	case *tree.Associate:
	case *tree.Select:
		if n.Kind == "case" {
			return
		}
	default:
		return
	}
	if !h.f.seen.Variable(s, selector) {
		return
	}
	var w want
	if !h.points(&w, s, n) {
		return
	}
	for _, d := range h.f.seen.Target(s, selector).Data {
		if _, guards, _, _ := h.designator(s, d); d.Written && pointed(guards) {
			h.f.refuse(n.Info().Where.From, "a data region is open, and the construct has a name for '"+parts.Show(selector)+"', found by a pointer, and gives pointers other targets",
				"give pointers their targets outside of the construct")
		}
	}
}

// pointing reports whether statements have an assignment of pointers in them.
func pointing(body ...tree.Node) (is bool) {
	parts.Nodes(body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.PointerAssignment:
			is = true
		case *tree.Call:
			name, ok := n.Procedure.(*tree.Name)
			is = is || ok && name.Name == "c_f_pointer"
		}
	})
	return is
}

// pointsIn reports whether a procedure gives pointers other targets.
func (f *finder) pointsIn(u *tree.Unit) bool {
	is, known := f.pointed[u]
	if !known {
		is = pointing(u.Body...)
		f.pointed[u] = is
	}
	return is
}

// pointed reports whether a variable with these guards is found by a pointer.
func pointed(guards []string) bool {
	return slices.ContainsFunc(guards, func(g string) bool { return strings.HasPrefix(g, "associated(") })
}

// givesPointer reports whether the result of a function is a pointer: a statement with a call may use all that pointers can reach.
func givesPointer(y *scope.Symbol) bool {
	return y.Body != nil && slices.ContainsFunc(y.Body.Own(), func(z *scope.Symbol) bool { return z.Result && z.Pointer })
}
