package emit

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// shared are variables of modules and COMMON blocks that the called procedures name themselves. A kernel must not get them as
// arguments while one of the two writes them: compilers may assume that an argument changes only by its own name.
type shared struct {
	variables map[*scope.Symbol]bool
	written   map[*scope.Symbol]bool // of variables: perhaps
	blocks    map[string]bool        // of COMMON
}

func (c *collector) shared() shared {
	s := shared{map[*scope.Symbol]bool{}, map[*scope.Symbol]bool{}, map[string]bool{}}
	for _, y := range c.k.Nest.Callees {
		if y.Body == nil || y.OnlyInterface || y.Body.Unit == nil || c.inside[y.Body.Unit] {
			continue
		}
		c.sharedOf(&s, y.Body, y.Body.Unit.Body)
	}
	return s
}

func (c *collector) sharedOf(s *shared, sc *scope.Scope, body []tree.Node) {
	for _, n := range body {
		at := sc
		if inside := c.k.Program.Inside(n); inside != nil {
			at = inside
		}
		s.writes(at, n)
		Own(n, func(e tree.Expression) {
			Inside(e, func(x tree.Expression) {
				if r, ok := x.(*tree.Reference); ok {
					if meaning, y := at.Meaning(r); meaning == scope.FunctionCall {
						s.given(at, y, r.Arguments)
					}
				}
				name, ok := x.(*tree.Name)
				if !ok {
					return
				}
				y := at.Lookup(name.Name)
				switch {
				case y.Kind != scope.Variable:
				case y.Common != "":
					s.blocks[y.Common] = true
				case y.Scope != nil && y.Scope.Kind == scope.ModuleScope:
					s.variables[y] = true
				}
			})
		})
		Blocks(n, func(inner []tree.Node, number int) {
			block := at
			if sel, ok := n.(*tree.Select); ok {
				if one := c.k.Program.Case(sel, number); one != nil {
					block = one
				}
			}
			c.sharedOf(s, block, inner)
		})
	}
}

// writes notes the variables that a statement may set.
func (s *shared) writes(sc *scope.Scope, n tree.Node) {
	switch n := n.(type) {
	case *tree.Assignment:
		s.set(sc, n.Left)
	case *tree.PointerAssignment:
		s.set(sc, n.Left)
	case *tree.Do:
		if n.Variable != "" {
			s.written[sc.Lookup(n.Variable)] = true
		}
	case *tree.Associate:
		for _, a := range n.Names {
			s.set(sc, a.Selector)
		}
	case *tree.Call:
		var y *scope.Symbol
		if name, ok := n.Procedure.(*tree.Name); ok {
			if y = sc.Lookup(name.Name); y.Kind == scope.Generic {
				y = sc.Specific(y, n.Arguments)
			}
		}
		s.given(sc, y, n.Arguments)
	}
}

// given notes the actual arguments that a procedure may set.
func (s *shared) given(sc *scope.Scope, y *scope.Symbol, list []tree.Argument) {
	for i := range list {
		if !onlyRead(y, list, i) {
			s.set(sc, list[i].Value)
		}
	}
}

func (s *shared) set(sc *scope.Scope, e tree.Expression) {
	if e == nil || !isDesignator(sc, e) {
		return
	}
	if y := sc.Symbol(e); y != nil {
		s.written[under(y)] = true
	}
}

// associate leaves variables that called procedures name out of the arguments: the body uses them by their own name.
func (c *collector) associate() {
	if len(c.k.Nest.Callees) == 0 {
		return
	}
	s := c.shared()
	c.k.written = s.written
	var kept []*Argument
	writes := map[*scope.Symbol]bool{}
	for _, a := range c.k.Arguments {
		writes[a.Symbol] = writes[a.Symbol] || a.Write
	}
	for _, a := range c.k.Arguments {
		y := a.Symbol
		switch {
		case y.Common != "" && s.blocks[y.Common] && writes[y]:
			c.refuse(a.Uses[0].Expression.Span().From, "a procedure that the loop calls uses the COMMON block "+y.Common+" of '"+a.Spelt+"' too",
				"give the procedure '"+a.Spelt+"' as an argument")
		case s.variables[y]:
			c.k.written[y] = c.k.written[y] || a.Write
			c.k.Names[a.Spelt] = y
			c.k.Direct = append(c.k.Direct, y)
			continue
		}
		kept = append(kept, a)
	}
	c.k.Arguments = kept
}
