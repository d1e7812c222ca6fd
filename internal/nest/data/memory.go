package data

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file says which statements may free memory that regions have.

// forgets tells that a statement may free any array, so that a region keeps none behind it.
func (h *hooks) forgets(n tree.Node, w *want) {
	if w.leaveAll {
		h.f.note(n.Info().Where.From, "memory may be freed here, and it is not known which: data regions that are open keep no array behind this statement, and launches copy all",
			"free memory outside of the regions, or by the names of its arrays")
	}
}

// frees reports whether a procedure may free memory that is not its own.
func (f *finder) frees(u *tree.Unit) bool {
	if is, known := f.fresh[u]; known {
		return is
	}
	is := false
	s := f.program.Of(u)
	h := &hooks{f: f, unit: u}
	parts.Nodes(u.Body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Allocation:
			is = is || n.Kind == "deallocate" && slices.ContainsFunc(n.Objects, func(e tree.Expression) bool { return !ownArray(s, e) })
		case *tree.Call:
			name, ok := n.Procedure.(*tree.Name)
			is = is || ok && name.Name == "move_alloc"
		case *tree.Assignment:
			is = is || s != nil && h.reallocates(s, n) && !ownArray(s, n.Left)
		}
	})
	if s != nil {
		for _, y := range s.Own() {
			is = is || y.Dummy && y.Intent == "out" && (y.Allocatable || y.Type.Base == scope.Derived && !plain(y, 0))
		}
	}
	f.fresh[u] = is
	return is
}

// ownArray reports whether an expression names an allocatable array of the procedure itself, which no region of a caller has.
func ownArray(s *scope.Scope, e tree.Expression) bool {
	n, is := e.(*tree.Name)
	if !is || s == nil {
		return false
	}
	y := s.Lookup(n.Name)
	return y.Kind == scope.Variable && y.Scope == s && s.Kind == scope.ProcedureScope && y.Allocatable && copied(y) && !y.Dummy && !y.Pointer && !y.Saved && y.Common == ""
}

// reallocates reports whether an assignment may allocate the memory of its left side again.
func (h *hooks) reallocates(s *scope.Scope, n *tree.Assignment) bool {
	switch n.Left.(type) {
	case *tree.Name, *tree.Component:
	default:
		return false
	}
	y := s.Symbol(n.Left)
	if c, ok := n.Left.(*tree.Component); ok {
		y = s.Component(c)
	}
	if y == nil || y.Type.Base == scope.Derived && !plain(y, 0) || y.Type.Base == scope.Class {
		return true
	}
	_, rank := s.TypeOf(n.Right)
	return y.Allocatable && len(y.Dims) > 0 && rank != 0
}
