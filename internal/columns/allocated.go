package columns

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file finds the bounds that arrays get when they are allocated.

// allocated are the bounds of an allocatable array or a pointer in ALLOCATE, or in gator_allocate, if all of them have the same. An assignment to the
// whole array gives it the shape of the right side: the arrays there must have these bounds too.
func (p *Plan) allocated(y *scope.Symbol) []bounds {
	if !y.Allocatable && !y.Pointer {
		return nil
	}
	found, key := []bounds(nil), ""
	note := func(text string, list []bounds) {
		if key != "" && (key != text || text != unknownShape && !sameNames(found, list)) {
			text = unknownShape
		}
		key, found = text, list
	}
	all := []*scope.Symbol{y}
	also := func(z *scope.Symbol) {
		if !slices.Contains(all, z) {
			all = append(all, z)
		}
	}
	for i := 0; i < len(all); i++ {
		p.bodies(func(s *scope.Scope, n tree.Node) { shapes(s, all[i], n, note, also) })
		if p.reshaped(all[i]) {
			return nil
		}
	}
	if key == unknownShape || len(found) != len(y.Dims) {
		return nil
	}
	return found
}

// bodies goes through the statements of all files.
func (p *Plan) bodies(visit func(*scope.Scope, tree.Node)) {
	for _, f := range p.program.Files {
		tree.Walk(f, func(n any) bool {
			u, is := n.(*tree.Unit)
			if !is || u.Interface {
				return true
			}
			if s := p.program.Of(u); s != nil {
				parts.Nodes(u.Body, func(n tree.Node) { visit(s, n) })
			}
			return true
		})
	}
}

// unknownShape stands for a statement that gives an array bounds that are not written in it.
const unknownShape = "?"

// shapes notes the bounds that a statement gives an array, and the arrays whose bounds it gives it.
func shapes(s *scope.Scope, y *scope.Symbol, n tree.Node, note func(string, []bounds), also func(*scope.Symbol)) {
	switch n := n.(type) {
	case *tree.Assignment:
		if _, element := n.Left.(*tree.Reference); element || !y.Allocatable || last(s, n.Left) != y || !ranked(s, n.Right) {
			return
		}
		z := like(s, n.Right, len(y.Dims))
		switch {
		case z == nil:
			note(unknownShape, nil)
		case z.Allocatable || z.Pointer:
			also(z)
		case slices.ContainsFunc(z.Dims, func(d scope.Dimension) bool { return d.Upper == nil || d.Star }):
			note(unknownShape, nil)
		default:
			var list []bounds
			for _, d := range z.Dims {
				list = append(list, bounds{d.Lower, d.Upper, z.Scope})
			}
			note(showBounds(list), list)
		}
	case *tree.PointerAssignment:
		if r, is := n.Right.(*tree.Reference); last(s, n.Left) == y && !(is && parts.Show(r) == "null()") {
			note(unknownShape, nil)
		}
	case *tree.Allocation:
		if n.Kind != "allocate" {
			return
		}
		for _, e := range n.Objects {
			r, is := e.(*tree.Reference)
			switch {
			case !is && last(s, e) == y: // by SOURCE or MOLD
				note(unknownShape, nil)
			case is && last(s, r.Base) == y:
				var list []bounds
				for i := range r.Arguments {
					b := bounds{nil, r.Arguments[i].Value, s}
					if g, is := r.Arguments[i].Value.(*tree.Range); is {
						b.lower, b.upper = g.Lower, g.Upper
					}
					list = append(list, b)
				}
				note(showBounds(list), list)
			}
		}
	case *tree.Call:
		name, is := n.Procedure.(*tree.Name)
		if is && (name.Name == "move_alloc" || name.Name == "c_f_pointer") {
			for i := range n.Arguments {
				a := &n.Arguments[i]
				if (i == 1 && a.Keyword == "" || a.Keyword == "to" || a.Keyword == "fptr") && last(s, a.Value) == y {
					note(unknownShape, nil)
				}
			}
			return
		}
		if !is || name.Name != "gator_allocate" || len(n.Arguments) < 2 || n.Arguments[0].Keyword != "" || last(s, n.Arguments[0].Value) != y {
			return
		}
		items, is := n.Arguments[1].Value.(*tree.Constructor)
		lower := slices.ContainsFunc(n.Arguments[2:], func(a tree.Argument) bool { return a.Keyword == "" || strings.HasPrefix(a.Keyword, "lbounds") })
		if !is || lower || n.Arguments[1].Keyword != "" && n.Arguments[1].Keyword != "dims" {
			note(unknownShape, nil)
			return
		}
		var list []bounds
		for _, e := range items.Items {
			list = append(list, bounds{nil, e, s})
		}
		note(showBounds(list), list)
	}
}

// like is a whole array in an expression of operators that has its shape; nil: there is none.
func like(s *scope.Scope, e tree.Expression, rank int) *scope.Symbol {
	switch e := e.(type) {
	case *tree.Name, *tree.Component:
		if _, own := s.TypeOf(e); own == rank {
			if y := last(s, e); y != nil && y.Kind == scope.Variable && len(y.Dims) == rank {
				return y
			}
		}
	case *tree.Parenthesis:
		return like(s, e.X, rank)
	case *tree.Unary:
		if _, defined := s.Operation(e.Operator, []tree.Expression{e.X}); !defined {
			return like(s, e.X, rank)
		}
	case *tree.Binary:
		if _, defined := s.Operation(e.Operator, []tree.Expression{e.X, e.Y}); defined {
			return nil
		}
		if y := like(s, e.X, rank); y != nil {
			return y
		}
		return like(s, e.Y, rank)
	}
	return nil
}

// sameNames reports whether the names in two shapes mean the same.
func sameNames(a, b []bounds) bool {
	names := func(list []bounds) (all []*scope.Symbol) {
		for _, b := range list {
			for _, e := range []tree.Expression{b.lower, b.upper} {
				if e != nil {
					parts.Every(e, func(x tree.Expression) {
						if n, is := x.(*tree.Name); is {
							all = append(all, b.scope.Lookup(n.Name))
						}
					})
				}
			}
		}
		return all
	}
	return slices.Equal(names(a), names(b))
}

// reshaped reports whether a procedure gets the array as an allocatable or a pointer: it may give it other bounds.
func (p *Plan) reshaped(y *scope.Symbol) bool {
	if p.all == nil {
		p.all = newText(p.program)
		for _, f := range p.program.Files {
			for _, u := range f.Units {
				p.all.unit(u)
			}
		}
	}
	return slices.ContainsFunc(p.all.passes, func(x pass) bool {
		of := ""
		if x.dummy.Scope != nil && x.dummy.Scope.Unit != nil {
			of = x.dummy.Scope.Unit.Name
		}
		return x.actual == y && (x.dummy.Allocatable || x.dummy.Pointer) && !strings.HasPrefix(of, "gator_")
	})
}

// showBounds writes a shape.
func showBounds(list []bounds) string {
	var text []string
	for _, b := range list {
		low := ""
		if b.lower != nil {
			low = parts.Show(b.lower) + ":"
		}
		text = append(text, low+parts.Show(b.upper))
	}
	return strings.Join(text, ", ")
}
