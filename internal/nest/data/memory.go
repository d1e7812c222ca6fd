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
		h.f.note(n.Info().Where.From, "this statement may free memory, and the tool does not see which arrays: here each open data region releases all its arrays, and it gets them again after the statement of the region that contains or calls this one",
			"free memory outside of the regions, or name the arrays in deallocate")
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
	w.again, w.renewed = nil, false
}

// allocates notes the arrays that statements allocate, or may have allocated again.
func (h *hooks) allocates(w *want, n tree.Node) {
	if h.f.within[n] == nil {
		return
	}
	w.renewed = w.renewed || w.leaveAll
	parts.Nodes([]tree.Node{n}, func(x tree.Node) {
		a, is := x.(*tree.Allocation)
		if !is || a.Kind != "allocate" {
			return
		}
		for _, e := range a.Objects {
			if r, is := e.(*tree.Reference); is {
				e = r.Base
			}
			w.again = append(w.again, parts.Show(e))
		}
	})
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
