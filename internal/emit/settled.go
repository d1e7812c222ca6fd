package emit

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// Settled reports whether the mask of a DO CONCURRENT, and the bounds of several indices, which Fortran evaluates before all iterations, may be evaluated
// in each one: the body sets nothing that they name. Procedures in the body are pure, so that they set their arguments alone.
func Settled(p *scope.Program, d *tree.Do, sc *scope.Scope) bool {
	if inside := p.Inside(d); inside != nil {
		sc = inside
	}
	var parts []tree.Expression
	if d.Condition != nil {
		parts = append(parts, d.Condition)
	}
	for _, x := range d.Indices {
		if len(d.Indices) > 1 {
			parts = append(parts, x.First, x.Last, x.Step)
		}
	}
	if len(parts) == 0 {
		return true
	}
	set, aliased := map[string]bool{}, false
	note := func(e tree.Expression) {
		for {
			switch x := e.(type) {
			case *tree.Name:
				set[x.Name] = true
				aliased = aliased || hasAliases(sc.Lookup(x.Name))
			case *tree.Reference:
				e = x.Base
				continue
			case *tree.Component:
				if y := sc.Component(x); y == nil || y.Pointer {
					aliased = true
				}
				e = x.Base
				continue
			}
			return
		}
	}
	Statements(d.Body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Assignment:
			note(n.Left)
		case *tree.Do:
			set[n.Variable] = true
		case *tree.Call:
			for i := range n.Arguments {
				note(n.Arguments[i].Value)
			}
		}
	})
	good := true
	for _, e := range parts {
		if e == nil {
			continue
		}
		Inside(e, func(x tree.Expression) {
			switch x := x.(type) {
			case *tree.Name:
				if y := sc.Lookup(x.Name); set[x.Name] || y.Kind == scope.Alias || aliased && hasAliases(y) {
					good = false
				}
			case *tree.Component:
				if y := sc.Component(x); y == nil || aliased && y.Pointer {
					good = false
				}
			case *tree.Reference: // a function may read what the body sets
				if meaning, _ := sc.Meaning(x); meaning == scope.FunctionCall {
					good = false
				}
			}
		})
	}
	return good
}

// hasAliases reports whether a variable may have its elements under another name.
func hasAliases(y *scope.Symbol) bool {
	return y.Pointer || y.Target || y.Kind == scope.Alias || len(y.Shares) > 0
}

// maskSettled is Settled for a loop whose bounds are evaluated before it in any case.
func maskSettled(p *scope.Program, d *tree.Do, sc *scope.Scope) bool {
	return d.Condition == nil || Settled(p, d, sc)
}
