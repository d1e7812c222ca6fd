package libmath

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file refuses functions and powers in declarations. A constant needs the compiler's function, and bounds are not rewritten.

// declared refuses names that declarations need at compile time, or have declared to be the compiler's.
func (f *finder) declared(u *tree.Unit, names map[string]bool) {
	f.needed(u, names)
	for _, d := range u.Declarations {
		tree.Walk(d, func(x any) bool {
			switch x := x.(type) {
			case *tree.DerivedType, *tree.Interface, *tree.StatementFunction:
				return false
			case *tree.Entity:
				if names[x.Name] {
					f.refuse(x.Where, strings.ToUpper(x.Name)+" is declared here, and a function of "+Module+" below", "remove the declaration")
				}
			}
			return true
		})
	}
}

// needed refuses names that declarations of a procedure, or of those inside, need at compile time.
func (f *finder) needed(u *tree.Unit, names map[string]bool) {
	for _, d := range u.Declarations {
		f.constants(d, names)
	}
	for _, n := range u.Body {
		tree.Walk(n, func(x any) bool {
			if block, ok := x.(*tree.Block); ok {
				for _, d := range block.Declarations {
					f.constants(d, names)
				}
			}
			return true
		})
	}
	for _, inner := range u.Contains {
		f.needed(inner, f.seen(inner, names))
	}
}

// seen are the names that mean the same in a procedure inside: it may have a variable of that name.
func (f *finder) seen(inner *tree.Unit, names map[string]bool) map[string]bool {
	sc, same := f.program.Of(inner), map[string]bool{}
	for name := range names {
		if sc != nil && sc.Lookup(name).Kind == scope.Intrinsic {
			same[name] = true
		}
	}
	return same
}

// constants refuses functions of the module in a declaration.
func (f *finder) constants(d tree.Declaration, names map[string]bool) {
	tree.Walk(d, func(x any) bool {
		switch x := x.(type) {
		case *tree.DerivedType, *tree.Interface, *tree.StatementFunction:
			return false
		case *tree.Reference:
			if name, ok := x.Base.(*tree.Name); ok && names[name.Name] {
				f.refuse(x.Where, strings.ToUpper(name.Name)+" is part of a declaration here, and a function of "+Module+" below", "compute the constant in a module of its own")
			}
		}
		return true
	})
}

// bounds refuses functions and powers of variables in a declaration: the bounds of an automatic array.
func (f *finder) bounds(sc *scope.Scope, d tree.Declaration) {
	tree.Walk(d, func(x any) bool {
		text := ""
		switch x := x.(type) {
		case *tree.DerivedType, *tree.Interface:
			return false
		case *tree.Reference:
			if name, ok := x.Base.(*tree.Name); ok && (functions[name.Name] != "" || others[name.Name]) {
				if meaning, _ := sc.Meaning(x); meaning == scope.IntrinsicCall {
					text = strings.ToUpper(name.Name)
				}
			}
		case *tree.Binary:
			if t, _ := sc.TypeOf(x.Y); x.Operator == "**" && t.Base == scope.Real {
				text = "a power of reals"
			}
		}
		if e, ok := x.(tree.Expression); ok && text != "" && variable(sc, e) {
			f.refuse(e.Span(), text+" is part of a declaration here, which stays the compiler's", "compute the value in a statement, and allocate the array there")
			return false
		}
		return true
	})
}

// variable reports whether an expression has a variable.
func variable(sc *scope.Scope, e tree.Expression) (found bool) {
	tree.Walk(e, func(x any) bool {
		if name, ok := x.(*tree.Name); ok {
			if y := sc.Lookup(name.Name); y != nil && y.Kind == scope.Variable {
				found = true
			}
		}
		return !found
	})
	return found
}
