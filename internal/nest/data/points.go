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
