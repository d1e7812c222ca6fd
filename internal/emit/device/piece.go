package device

import (
	"slices"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// The host gets a variable of a derived type as a whole where its designators cannot have other names, for instance because one stands in a macro. The
// device gets its components all the same, each as an argument of its own.

// piece is a component of such a variable.
type piece struct {
	of   *emit.Argument // the variable
	text string         // as Fortran writes it: %a%b
	end  *scope.Symbol  // the component
}

// takePieces finds the components of an argument.
func (l *lowerer) takePieces(a *emit.Argument) {
	y := a.Symbol
	if len(a.Path) > 0 || a.Rank > 0 || a.Type.Base != scope.Derived || y.Kind != scope.Variable || y.Optional || y.Pointer || y.Allocatable {
		return
	}
	var list []*emit.Argument
	for _, u := range a.Uses {
		var chain []*tree.Component
		for e := u.Expression; e != nil; {
			switch x := e.(type) {
			case *tree.Component:
				chain = append(chain, x)
				e = x.Base
			case *tree.Reference:
				e = x.Base
			default:
				e = nil
			}
		}
		slices.Reverse(chain)
		var path []string
		text := ""
		for _, c := range chain {
			end := u.Scope.Component(c)
			if end == nil || end.Kind != scope.Variable {
				break
			}
			path, text = append(path, c.Name), text+"%"+c.Name
			if len(end.Dims) == 0 && end.Type.Base == scope.Derived && !end.Pointer && !end.Allocatable {
				continue
			}
			var found *emit.Argument
			for _, p := range list {
				if slices.Equal(p.Path, path) {
					found = p
				}
			}
			if found == nil {
				found = &emit.Argument{Symbol: y, Path: path, Object: c, Spelt: a.Spelt, Type: end.Type, Dims: end.Dims, Rank: len(end.Dims)}
				list = append(list, found)
				l.pieces[found] = piece{a, text, end}
			}
			found.Uses = append(found.Uses, u)
			found.Write = found.Write || u.Write || u.Actual
			l.prefixes[c] = found
			break
		}
	}
}
