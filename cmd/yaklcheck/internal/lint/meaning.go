package lint

import (
	"cmp"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file finds the meaning of a name. Package scope knows it; here unknown modules and the library's names are weighed.

// meaning is the result of a lookup. Nothing is set if it is unknown.
type meaning struct {
	symbol     *scope.Symbol
	procedures []*scope.Symbol // the procedure, or the specific ones of a generic name
	generic    bool
	library    string // the name in portable_core_mod, as portable_parallel_for
	module     string // it comes from a module that no file has
}

// seen is a name in a scope.
type seen struct {
	in   *scope.Scope
	name string
}

func (p *program) meaning(s *scope.Scope, n string) meaning {
	m, known := p.meanings[seen{s, n}]
	if !known {
		m = p.search(s, n)
		p.meanings[seen{s, n}] = m
	}
	return m
}

func (p *program) search(s *scope.Scope, n string) meaning {
	y := s.Lookup(n)
	if inLibrary(y.Scope) && !inLibrary(s) && libraryName(y.Name) != "" { // the library's sources are among the files
		return meaning{library: libraryName(y.Name)}
	}
	switch y.Kind {
	case scope.Generic:
		return meaning{procedures: append([]*scope.Symbol{}, y.Specific...), generic: true}
	case scope.Procedure:
		if y.Body != nil {
			return meaning{procedures: []*scope.Symbol{y}}
		}
		if !y.Implicit {
			return meaning{symbol: y}
		}
	case scope.Constant, scope.Alias, scope.DerivedType:
		return meaning{symbol: y}
	case scope.Variable:
		if !y.Implicit || unitOf(y.Scope) != unitOf(s) {
			return meaning{symbol: y}
		}
	case scope.Missing:
		return p.missing(s, y, n)
	}
	return p.global(n)
}

// global is an external procedure.
func (p *program) global(n string) (m meaning) {
	if g := p.Global(n); g != nil && g.Kind == scope.Procedure && g.Body != nil {
		m.procedures = []*scope.Symbol{g}
	}
	return m
}

// missing is a name of a module that no file has. If that is not certain, a host may have the name.
func (p *program) missing(s *scope.Scope, y *scope.Symbol, n string) meaning {
	if slices.Contains(libraryModules, y.Module) {
		return meaning{library: cmp.Or(libraryName(y.Theirs), y.Theirs)}
	}
	if y.Theirs != "" {
		return meaning{module: y.Module}
	}
	module := y.Module
	for at := s.Parent; at != nil; at = at.Parent {
		switch z := at.Lookup(n); {
		case z.Kind == scope.Missing && z.Theirs != "":
			return p.missing(at, z, n)
		case z.Kind == scope.Missing:
			module = z.Module
		case !z.Implicit && z.Kind != scope.Unknown && z.Kind != scope.Intrinsic:
			return p.meaning(at, n)
		}
	}
	m := p.global(n)
	if m.procedures == nil && !implicit(s) {
		m.module = module
	}
	return m
}

// implicit reports whether names need no declaration.
func implicit(s *scope.Scope) bool {
	for at := s; at != nil; at = at.Parent {
		if at.Kind == scope.BlockScope || at.Unit == nil {
			continue
		}
		for _, d := range at.Unit.Declarations {
			if i, is := d.(*tree.Implicit); is && i.None {
				return false
			}
		}
	}
	return true
}

// inLibrary reports whether a scope is in a module of the library.
func inLibrary(s *scope.Scope) bool {
	for ; s != nil; s = s.Parent {
		if s.Kind == scope.ModuleScope && slices.Contains(libraryModules, s.Name) {
			return true
		}
	}
	return false
}

// unitOf is the procedure, program or module of a scope, or the scope itself.
func unitOf(s *scope.Scope) *scope.Scope {
	for s != nil && s.Parent != nil && (s.Kind == scope.BlockScope || s.Kind == scope.TypeScope) {
		s = s.Parent
	}
	return s
}

// root is the variable at the beginning of a designator; nil: it is another expression.
func root(e tree.Expression) *tree.Name {
	for {
		switch x := e.(type) {
		case *tree.Name:
			return x
		case *tree.Reference:
			e = x.Base
		case *tree.Component:
			e = x.Base
		default:
			return nil
		}
	}
}

// byName is a reference to a name: a call of a function, or an element of an array. Both are nil for other expressions.
func byName(e tree.Expression) (*tree.Reference, *tree.Name) {
	if r, is := e.(*tree.Reference); is {
		if n, is := r.Base.(*tree.Name); is {
			return r, n
		}
	}
	return nil, nil
}

// target is what a designator means.
type target struct {
	meaning
	name string            // of the variable
	path []tree.Expression // the designator, behind the selectors of ASSOCIATE that it goes through
}

// variable follows the names of ASSOCIATE to the variable. The symbol is nil if there is none, or if it is unknown.
func (p *program) variable(s *scope.Scope, e tree.Expression) (v target) {
	v.path = []tree.Expression{e}
	for range 100 {
		n := root(e)
		if n == nil {
			return v // an expression: nothing can assign it
		}
		v.name, v.meaning = n.Name, p.meaning(s, n.Name)
		y := v.symbol
		if y == nil || y.Alias == nil {
			return v
		}
		if root(y.Alias) == nil {
			return v
		}
		e = y.Alias
		v.path = append([]tree.Expression{e}, v.path...)
		if s = y.Scope.Parent; s == nil {
			break
		}
	}
	v.meaning = meaning{}
	return v
}

// whole reports whether the designator is a name alone.
func (v *target) whole() bool {
	return !slices.ContainsFunc(v.path, func(e tree.Expression) bool { _, is := e.(*tree.Name); return !is })
}

// subscripts are all expressions between parentheses of a designator.
func (v *target) subscripts() (out []tree.Expression) {
	for _, e := range v.path {
		within(e, func(e tree.Expression) bool {
			if x, is := e.(*tree.Reference); is {
				for _, a := range x.Arguments {
					if a.Value != nil {
						out = append(out, a.Value)
					}
				}
				out = append(out, (&target{path: []tree.Expression{x.Base}}).subscripts()...)
				return false
			}
			return true
		})
	}
	return out
}

// designator is the text of a designator without names of ASSOCIATE.
func (p *program) designator(v *target) (text string) {
	for i, e := range v.path {
		part := p.spelled(e)
		if i > 0 {
			part = part[min(len(part), len(p.spelled(root(e)))):]
		}
		text += part
	}
	return text
}
