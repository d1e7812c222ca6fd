package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// packed reports whether the declaration says that the elements of the first dimension lie side by side: arrays with bounds, ALLOCATABLE and CONTIGUOUS.
// The host's function that launches gets these arrays by such a declaration, too, and not by one that a section could stand for.
func packed(a *emit.Argument) bool {
	y := a.Symbol
	if len(a.Path) > 0 {
		c, ok := a.Object.(*tree.Component)
		if !ok || len(a.Uses) == 0 {
			return false
		}
		if y = a.Uses[0].Scope.Component(c); y == nil {
			return false
		}
	}
	if a.Rank == 0 || y.Kind == scope.Alias || len(y.Dims) != a.Rank || len(a.Dims) != a.Rank {
		return false
	}
	switch first := a.Dims[0]; {
	case first.Deferred:
		return y.Allocatable || y.Contiguous
	case first.Assumed:
		return y.Contiguous
	}
	return !y.Pointer
}

// AnyOrder reports whether the kernel is right for any order of the array's elements in memory: each use has all subscripts, or strides.
func (a *Argument) AnyOrder() bool {
	return a.Of != nil && a.Rank > 1 && a.Part == "" && a.Component == nil && a.Views == 0 && !a.Memory && !a.Sequence
}
