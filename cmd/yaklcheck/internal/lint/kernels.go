package lint

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file finds the procedures that run on several threads at once: kernels, and the procedures
// that they call.

// reach is a procedure that threads reach.
type reach struct {
	at     *procedure
	kernel *procedure // itself, or the kernel that calls it
}

type threads struct {
	p       *program
	order   []reach
	seen    map[*scope.Scope]bool
	unknown map[string]bool
}

// reached finds the kernels, then the procedures that they call.
func reached(p *program) *threads {
	r := &threads{p: p, seen: map[*scope.Scope]bool{}, unknown: map[string]bool{}}
	once := map[*procedure]bool{} // launched with one iteration
	for _, s := range p.procedures {
		for _, x := range s.statements {
			p.launches(x, func(kernel *procedure, bounds tree.Expression) {
				if kernel != nil && p.single(x, bounds) {
					once[kernel] = true
				} else if kernel != nil {
					r.add(kernel, kernel)
				}
			})
		}
	}
	for _, s := range p.procedures {
		if !once[s] && !inLibrary(s.Scope) && slices.ContainsFunc(s.Own(), p.isTile) {
			r.add(s, s)
		}
	}
	for i := 0; i < len(r.order); i++ {
		at := r.order[i]
		for _, x := range at.at.statements {
			for _, q := range p.callees(x, r.unknown) {
				r.add(q, at.kernel)
			}
		}
	}
	return r
}

func (r *threads) add(s, kernel *procedure) {
	if !r.seen[s.Scope] {
		r.seen[s.Scope] = true
		r.order = append(r.order, reach{s, kernel})
	}
}

// call is a call of a procedure with arguments, or an element of an array.
type call struct {
	name      string
	arguments []tree.Argument
	sub       bool // by CALL
	bound     bool // type-bound: the name behind the last %
}

// calls are the calls in a statement, nested ones included.
func calls(x statement) (out []call) {
	c, is := x.node.(*tree.Call)
	if !is {
		for _, e := range x.parts {
			out = append(out, functions(e)...)
		}
		return out
	}
	switch target := c.Procedure.(type) {
	case *tree.Name:
		out = append(out, call{name: target.Name, arguments: c.Arguments, sub: true})
	case *tree.Component:
		out = append(out, call{name: target.Name, arguments: c.Arguments, sub: true, bound: true})
		out = append(out, functions(target.Base)...)
	}
	for _, a := range c.Arguments {
		out = append(out, functions(a.Value)...)
	}
	return out
}

func functions(e tree.Expression) (out []call) {
	within(e, func(e tree.Expression) bool {
		if r, n := byName(e); n != nil {
			out = append(out, call{name: n.Name, arguments: r.Arguments})
		}
		return true
	})
	return out
}

// launches calls yield for each launch in a statement, with its kernel (nil: unknown) and its bounds.
func (p *program) launches(x statement, yield func(kernel *procedure, bounds tree.Expression)) {
	for _, c := range calls(x) {
		if !c.sub || c.bound {
			continue
		}
		l, is := launches[p.called(x.in, c.name)]
		if !is {
			continue
		}
		given := argument(c.arguments, l.place, l.word)
		if r, n := byName(given); n != nil && n.Name == "c_funloc" && len(r.Arguments) == 1 {
			given = r.Arguments[0].Value
		}
		var kernel *procedure
		if n, is := given.(*tree.Name); is {
			if m := p.meaning(x.in, n.Name); !m.generic && len(m.procedures) > 0 {
				kernel = p.of[m.procedures[0].Body]
			}
		}
		yield(kernel, argument(c.arguments, 1, "bounds"))
	}
}

// bounds are the arguments of a call of portable_bounds; nil: the expression is another one.
func (p *program) bounds(s *scope.Scope, e tree.Expression) []tree.Argument {
	if r, n := byName(e); n != nil && p.called(s, n.Name) == "portable_bounds" {
		return r.Arguments
	}
	return nil
}

// single reports whether the bounds are bounds(1), so that no two threads meet in the kernel.
func (p *program) single(x statement, bounds tree.Expression) bool {
	given := p.bounds(x.in, bounds)
	if len(given) != 1 {
		return false
	}
	n, is := given[0].Value.(*tree.Literal)
	return is && n.Text == "1"
}

// argument is the argument at that position, or with that keyword.
func argument(list []tree.Argument, place int, word string) tree.Expression {
	for i, a := range list {
		if a.Keyword == word || a.Keyword == "" && i == place {
			return a.Value
		}
	}
	return nil
}

// callees are the program's procedures that a statement names, also as arguments. Names of CALL that no file has go to
// unknown.
func (p *program) callees(x statement, unknown map[string]bool) (out []*procedure) {
	add := func(list ...*scope.Symbol) {
		for _, y := range list {
			if q := p.of[y.Body]; q != nil && q.Scope != unitOf(x.in) {
				out = append(out, q)
			}
		}
	}
	x.each(func(e tree.Expression) bool {
		switch e := e.(type) {
		case *tree.Name:
			add(p.meaning(x.in, e.Name).procedures...)
		case *tree.Component:
			if y := x.in.Component(e); y != nil && (y.Kind == scope.Procedure || y.Kind == scope.Generic) {
				add(append([]*scope.Symbol{y}, y.Specific...)...)
			}
		}
		return true
	})
	if c, is := x.node.(*tree.Call); is {
		if n, is := c.Procedure.(*tree.Name); is {
			m := p.meaning(x.in, n.Name)
			if m.procedures == nil && m.symbol == nil && m.library == "" && outputs[n.Name] == nil && libraryName(n.Name) == "" {
				unknown[n.Name] = true
			}
		}
	}
	return out
}
