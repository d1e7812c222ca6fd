package nest

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file holds what the specification part of a procedure or BLOCK does when it begins and ends: bounds and lengths are evaluated,
// variables of types with FINAL procedures are finalised.

// specification adds what the bounds and lengths of a scope's variables read.
func (m *summaries) specification(s *scope.Scope, f *effects) {
	for _, y := range s.Own() {
		if y.Kind != scope.Variable {
			continue
		}
		for _, d := range y.Dims {
			m.reads(s, d.Lower, f)
			m.reads(s, d.Upper, f)
		}
		m.reads(s, y.Type.Len, f)
	}
}

// specification evaluates bounds and lengths, and refuses variables that are finalised.
func (w *walker) specification(s *scope.Scope) {
	for _, y := range s.Own() {
		if y.Kind != scope.Variable {
			continue
		}
		if !y.Dummy {
			w.extents(y) // what they read
			w.expr(y.Type.Len)
		}
		if (!y.Dummy || y.Intent == "out") && !y.Pointer && !static(y) {
			w.finalised(y.Type, w.frame.last, y.Name)
		}
	}
}

// finalised refuses work on a type whose FINAL procedure would be called.
func (w *walker) finalised(t scope.Type, at token.Pos, name string) {
	if t.Base == scope.Derived && final(t.Def, 0) {
		w.refuse("not-converted", at, "'"+name+"' has a FINAL procedure, which would be called in the loop", "use a type without FINAL procedures")
	}
}

// final reports whether a type, or a component of it, has a FINAL procedure.
func final(def *scope.TypeDef, depth int) bool {
	if def == nil || depth > deepestType {
		return false
	}
	if def.Decl != nil {
		for i := range def.Decl.Bindings {
			if def.Decl.Bindings[i].Kind == "final" {
				return true
			}
		}
	}
	for _, y := range def.Components {
		if !y.Pointer && y.Type.Base == scope.Derived && final(y.Type.Def, depth+1) {
			return true
		}
	}
	return final(def.Parent, depth+1)
}

// resets reports whether a call changes what is given to a dummy before any statement: INTENT(OUT) with initial values or allocatable parts.
func resets(d *scope.Symbol) bool {
	return d.Intent == "out" && (d.Allocatable || d.Type.Base == scope.Derived && (allocatable(d.Type.Def, 0) || initial(d.Type.Def, 0)))
}

// initial reports whether a type has components with initial values.
func initial(def *scope.TypeDef, depth int) bool {
	if def == nil || depth > deepestType {
		return false
	}
	for _, y := range def.Components {
		if y.Init != nil || !y.Pointer && y.Type.Base == scope.Derived && initial(y.Type.Def, depth+1) {
			return true
		}
	}
	return initial(def.Parent, depth+1)
}

// hasEntry reports whether a procedure has ENTRY statements.
func hasEntry(s *scope.Scope) bool {
	return s.Unit != nil && slices.ContainsFunc(s.Unit.Declarations, func(d tree.Declaration) bool {
		g, is := d.(*tree.Ignored)
		return is && g.Kind == "entry"
	})
}
