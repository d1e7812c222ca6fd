package data

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file says which statements may free memory that regions have.

// forgets tells that a statement may free any array, so that a region keeps none behind it.
func (h *hooks) forgets(n tree.Node, w *want) {
	if w.leaveAll {
		h.f.note(n.Info().Where.From, "memory may be freed here, and it is not known which: data regions that are open keep no array behind this statement, and launches copy all",
			"free memory outside of the regions, or by the names of its arrays")
	}
}

// leaves reports whether the memory of an array may be freed that has a name.
func (w *want) leaves() bool {
	return slices.ContainsFunc(w.order, func(name string) bool { return w.items[name].leaves })
}

// goes says that arrays which leave their regions do not come back behind the statement.
func (w *want) goes() {
	for _, x := range w.items {
		x.stays = false
	}
}

// reallocates reports whether an assignment may allocate the memory of its left side again.
func reallocates(s *scope.Scope, n *tree.Assignment) bool {
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
