package emit

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// settle decides which variables are locals of the kernel and which are arguments.
func (c *collector) settle() {
	n := c.k.Nest
	local := map[*scope.Symbol]bool{}
	for _, l := range n.Loops {
		if l.Variable != nil {
			local[l.Variable] = true
			c.local(l.Variable)
		}
	}
	for _, y := range n.Private {
		local[y] = true
	}
	for _, r := range n.Reductions {
		if r.Object == nil {
			local[r.Symbol] = true
		}
		for _, y := range r.Place {
			local[y] = true
		}
	}
	statuses := c.status(local)
	places := c.places()
	for _, b := range c.bases {
		switch {
		case local[b.symbol]:
			c.local(b.symbol)
		case c.k.IsLocal(b.symbol):
		case b.symbol.ThreadPrivate:
			c.refuse(b.uses[0].Expression.Span().From, "'"+b.name+"' is THREADPRIVATE", "copy it into a variable of the procedure before the loop")
		default:
			c.argument(b, places)
		}
	}
	c.associate()
	c.apart()
	c.k.Arguments = append(c.k.Arguments, statuses...)
}

// spot is the place of a designator in the sources.
type spot struct{ file, offset int32 }

// place is what the verdict says of a designator.
type place struct {
	argument int
	write    bool
}

// places finds the verdict's arguments by the places of their designators.
func (c *collector) places() map[spot][]place {
	m := map[spot][]place{}
	for i, a := range c.k.Nest.Arguments {
		for _, u := range a.Uses {
			if u.Expression == nil {
				continue
			}
			at := u.Expression.Span().From
			s := spot{at.File, at.Offset}
			m[s] = append(m[s], place{i, u.Access != nest.Read})
		}
	}
	return m
}

// argument makes the arguments of a variable: one for each component path if all its designators allow that, else one.
func (c *collector) argument(b *base, places map[spot][]place) {
	paths := c.paths(b)
	if len(paths) == 0 {
		paths = []*Argument{c.whole(b)}
	}
	for _, a := range paths {
		a.Actual = b.actual
		seen := map[int]bool{}
		known := false
		for _, u := range a.Uses {
			at := u.Expression.Span().From
			for _, p := range places[spot{at.File, at.Offset}] {
				known = true
				a.Write = a.Write || p.write
				if !seen[p.argument] {
					seen[p.argument] = true
					a.Number = append(a.Number, p.argument)
				}
			}
		}
		for i, of := range c.k.Nest.Arguments {
			if of.Symbol == b.symbol && len(of.Path) >= len(a.Path) && same(of.Path[:len(a.Path)], a.Path) {
				a.Write = a.Write || of.Access != nest.Read
				if !seen[i] {
					seen[i] = true
					a.Number = append(a.Number, i)
				}
				known = true
			}
		}
		for _, u := range a.Uses {
			a.Write = a.Write || u.Write && !known || u.Write && assigned(u)
		}
		c.k.Arguments = append(c.k.Arguments, a)
	}
}

// assigned reports whether the use is the left side of its statement.
func assigned(u Use) bool {
	s, ok := u.Statement.(*tree.Assignment)
	return ok && s.Left == u.Expression
}

func (c *collector) whole(b *base) *Argument {
	a := &Argument{Symbol: b.symbol, Spelt: b.name, Type: b.symbol.Type, Dims: b.symbol.Dims, Rank: len(b.symbol.Dims)}
	for _, u := range b.uses {
		u.Prefix = nil
		a.Uses = append(a.Uses, u.Use)
	}
	if b.symbol.Kind == scope.Alias {
		t, rank := b.uses[0].Scope.TypeOf(&tree.Name{Name: b.name})
		a.Type, a.Rank = t, rank
	}
	return a
}

// paths are the component paths of a derived-type variable that may become arguments of their own; none if it is needed as a whole.
func (c *collector) paths(b *base) []*Argument {
	y := b.symbol
	if len(y.Dims) > 0 || c.k.Called[y] || y.Type.Base != scope.Derived && y.Type.Base != scope.Class {
		return nil
	}
	var list []*Argument
	for _, u := range b.uses {
		depth := 0
		var end *scope.Symbol
		for i, s := range u.chain {
			comp, ok := s.node.(*tree.Component)
			if !ok {
				return nil
			}
			end = u.Scope.Component(comp)
			depth = i + 1
			if end == nil || end.Kind != scope.Variable {
				return nil
			}
			if len(end.Dims) > 0 || end.Type.Base != scope.Derived {
				break
			}
			if end.Pointer || end.Allocatable {
				return nil
			}
		}
		if depth == 0 || end.Type.Base == scope.Derived && !named(u.Scope, end) || end.Type.Base == scope.Class ||
			end.Type.Base == scope.Character || !c.replaceable(u.chain[depth-1].node) {
			return nil
		}
		path := make([]string, depth)
		for i := range path {
			path[i] = u.chain[i].name
		}
		u.Prefix = u.chain[depth-1].node
		var found *Argument
		for _, a := range list {
			if same(a.Path, path) {
				found = a
			}
		}
		if found == nil {
			found = &Argument{Symbol: y, Path: path, Object: u.Prefix, Spelt: b.name, Type: end.Type, Dims: end.Dims, Rank: len(end.Dims)}
			list = append(list, found)
		}
		found.Uses = append(found.Uses, u.Use)
	}
	return list
}

// named reports whether an array of a derived type can be declared by the name of its type.
func named(sc *scope.Scope, y *scope.Symbol) bool {
	if len(y.Dims) == 0 || y.Type.Def == nil {
		return false
	}
	t := sc.Lookup(y.Type.Def.Name)
	return t.Kind == scope.DerivedType && t.Def == y.Type.Def
}

// replaceable reports whether the bytes of a designator stand in this file, on one line and without a macro.
func (c *collector) replaceable(e tree.Expression) bool { return c.spelt(e, Spelling(e)) }

// spelt reports whether an expression stands in this file, on one line, as that text.
func (c *collector) spelt(e tree.Expression, want string) bool {
	s := e.Span()
	if s.From.File != c.k.Nest.File.Source.Index || s.From.Line != s.To.Line {
		return false
	}
	text := string(c.k.Nest.File.Source.Text[s.From.Offset:s.To.Offset])
	return strings.ToLower(strings.ReplaceAll(text, " ", "")) == want
}

func same(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// apart refuses two names of one memory in one kernel: compilers may assume of arguments that there are none.
func (c *collector) apart() {
	for i, a := range c.k.Arguments {
		for _, b := range c.k.Arguments[i+1:] {
			if !a.Write && !b.Write || !together(a.Symbol, b.Symbol) {
				continue
			}
			c.refuse(b.Uses[0].Expression.Span().From, "'"+a.Spelt+"' and '"+b.Spelt+"' are two names of the same memory",
				"use one of the two names in the loop")
		}
	}
}

// together reports whether two variables share memory by EQUIVALENCE or ASSOCIATE.
func together(a, b *scope.Symbol) bool {
	for _, y := range a.Shares {
		if y == b {
			return true
		}
	}
	return a != b && (under(a) == under(b))
}

// under is the variable that a name of ASSOCIATE stands for.
func under(y *scope.Symbol) *scope.Symbol {
	for y.Kind == scope.Alias && y.Alias != nil && y.Scope != nil && y.Scope.Parent != nil {
		of := y.Scope.Parent.Symbol(y.Alias)
		if of == nil || of == y {
			break
		}
		y = of
	}
	return y
}
