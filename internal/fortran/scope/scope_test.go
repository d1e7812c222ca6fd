package scope

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// program reads texts as files of free form.
func program(t *testing.T, o Options, texts ...string) *Program {
	set := source.NewSet(func(name string) ([]byte, error) { return nil, fmt.Errorf("no file %s", name) })
	var files []*tree.File
	for i, text := range texts {
		contents := source.Read(set, fmt.Sprintf("f%d.f90", i), []byte(text), source.Options{})
		parsed := parse.File(contents)
		require.Empty(t, parsed.Problems)
		files = append(files, parsed)
	}
	return Build(files, o)
}

// last is the scope of the innermost unit at the end of the last file.
func (p *Program) last() *Scope {
	file := p.Files[len(p.Files)-1]
	u := file.Units[len(file.Units)-1]
	for len(u.Contains) > 0 {
		u = u.Contains[len(u.Contains)-1]
	}
	return p.Of(u)
}

// right is the right side of the last assignment of a scope, with the innermost scope around it.
func (s *Scope) right() (at *Scope, left, right tree.Expression) {
	s.statements(func(inside *Scope, n tree.Node) {
		if a, ok := n.(*tree.Assignment); ok {
			at, left, right = inside, a.Left, a.Right
		}
	})
	return at, left, right
}

// statements calls f for all statements of a unit, in their order, with the innermost scopes around them.
func (s *Scope) statements(f func(at *Scope, n tree.Node)) {
	var visit func(at *Scope) func(n any) bool
	visit = func(at *Scope) func(n any) bool {
		return func(n any) bool {
			switch n := n.(type) {
			case tree.Expression, tree.Declaration:
				return false
			case tree.Node:
				f(at, n)
				inside := s.Program.Inside(n)
				sel, isSelect := n.(*tree.Select)
				if inside == nil && !isSelect {
					return true
				}
				if isSelect {
					for i := range sel.Cases {
						inside := at
						if own := s.Program.Case(sel, i); own != nil {
							inside = own
						}
						for _, below := range sel.Cases[i].Body {
							tree.Walk(below, visit(inside))
						}
					}
					return false
				}
				tree.Walk(n, func(below any) bool {
					if below == any(n) {
						return true
					}
					return visit(inside)(below)
				})
				return false
			}
			return true
		}
	}
	for _, n := range s.Unit.Body {
		tree.Walk(n, visit(s))
	}
}

// text writes a type as gfortran's dump does, with the rank behind it.
func text(t Type, rank int) string {
	name := map[Base]string{NoType: "?", Integer: "i", Real: "r", ComplexType: "c", Logical: "l", Character: "s", Derived: "t", Class: "k", BOZ: "b"}[t.Base]
	if t.Def != nil {
		name += ":" + t.Def.Name
	} else if t.Base != NoType && t.Base != BOZ {
		name += fmt.Sprint(t.Kind)
	}
	if rank != 0 {
		name += fmt.Sprint("/", rank)
	}
	return name
}

// write shows a value.
func (v Value) write() string {
	if v.Shape != nil {
		var list []string
		for _, x := range v.List {
			list = append(list, x.write())
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	switch v.Type.Base {
	case Integer:
		return fmt.Sprint(v.Integer)
	case Real:
		return fmt.Sprint(v.Real)
	case ComplexType:
		return fmt.Sprint("(", v.Real, ",", v.Imag, ")")
	case Logical:
		return fmt.Sprint(v.Logical)
	case Character:
		return fmt.Sprintf("%q", v.Text)
	}
	var list []string
	for _, x := range v.Fields {
		list = append(list, x.write())
	}
	return "{" + strings.Join(list, ",") + "}"
}
