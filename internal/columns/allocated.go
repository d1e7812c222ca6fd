package columns

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file finds the bounds that arrays get when they are allocated.

// allocated are the bounds of an allocatable array or a pointer in ALLOCATE, or in gator_allocate, if all of them have the same.
func (p *Plan) allocated(y *scope.Symbol) []bounds {
	if !y.Allocatable && !y.Pointer {
		return nil
	}
	found, key := []bounds(nil), ""
	note := func(text string, list []bounds) {
		if key != "" && key != text {
			text = unknownShape
		}
		key, found = text, list
	}
	for _, f := range p.program.Files {
		tree.Walk(f, func(n any) bool {
			u, is := n.(*tree.Unit)
			if !is || u.Interface {
				return true
			}
			if s := p.program.Of(u); s != nil {
				parts.Nodes(u.Body, func(n tree.Node) { shapes(s, y, n, note) })
			}
			return true
		})
	}
	if key == unknownShape || len(found) != len(y.Dims) || p.reshaped(y) {
		return nil
	}
	return found
}

// unknownShape stands for a statement that gives an array bounds that are not written in it.
const unknownShape = "?"

// shapes notes the bounds that a statement gives an array.
func shapes(s *scope.Scope, y *scope.Symbol, n tree.Node, note func(string, []bounds)) {
	switch n := n.(type) {
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
