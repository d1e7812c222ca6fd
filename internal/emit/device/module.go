package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
)

// A called procedure names variables that it has not as arguments: those of modules are arguments of the kernel, those of the procedure that contains
// it are parameters by reference behind its own.

// find is the argument of a variable from outside; nil: it is another symbol, or a refusal.
func (l *lowerer) find(y *scope.Symbol, at token.Pos) *emit.Argument {
	if a := l.k.Find(y); a != nil {
		return a
	}
	if a := l.modules[y]; a != nil {
		return a
	}
	if y.Kind != scope.Variable || y.Scope == nil || y.Scope.Kind != scope.ModuleScope || y.Common != "" || l.k.IsLocal(y) {
		return nil
	}
	a, why, remedy := l.k.ModuleVariable(y)
	if a == nil {
		l.refuse(at, why, remedy)
		return nil
	}
	l.modules[y] = a
	return a
}

// isHosts reports whether a variable belongs to a called procedure that contains the one that is lowered.
func (l *lowerer) isHosts(y *scope.Symbol) bool {
	if y.Kind != scope.Variable || l.scope == nil || y.Scope == l.scope {
		return false
	}
	for p := l.outer; p != nil && p.scope != nil; p = p.outer {
		if p.scope == y.Scope {
			return p.variables[y] != nil || !y.Saved && y.Init == nil && y.Common == "" && len(y.Shares) == 0
		}
	}
	return false
}

// captured is the parameter for such a variable; nil after a refusal.
func (l *lowerer) captured(y *scope.Symbol, at token.Pos) *Variable {
	inner := l.procedure
	l.procedure = *inner.outer
	of := l.variable(y, at)
	*inner.outer = l.procedure
	l.procedure = inner
	if of == nil {
		return nil
	}
	v := &Variable{Name: l.names.local(y.Name), Type: of.Type, Lower: of.Lower, Upper: of.Upper, View: of.View, Constant: of.Constant, Reference: of.View == 0}
	l.variables[y] = v
	l.captures = append(l.captures, capture{y, v})
	return v
}

// capture is a variable of the containing procedure, and the parameter that it is.
type capture struct {
	symbol   *scope.Symbol
	variable *Variable
}

// assignedByName are the names of a procedure's variables that it, or a procedure in it, may set.
func (l *lowerer) assignedByName(y *scope.Symbol) map[string]bool {
	set := assignedIn(y.Body.Unit.Body)
	for _, u := range y.Body.Unit.Contains {
		sc := l.k.Program.Of(u)
		for name := range assignedIn(u.Body) {
			if z := y.Body.Lookup(name); sc != nil && sc.Lookup(name) == z && z.Kind == scope.Variable {
				set[name] = true
			}
		}
	}
	return set
}
