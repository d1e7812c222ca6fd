package columns

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file takes the declarations of private data out of copies: compilers warn of names that nothing uses.

// unused takes the names of private data out of USE and type declarations of a unit, and gives the lines that are left out. A list that does not
// stand on one line stays.
func (p *Plan) unused(x *procedure, u *tree.Unit, own *changes) map[int32]bool {
	dropped := map[int32]bool{}
	s := p.program.Of(u)
	if s == nil {
		return dropped
	}
	gone := func(name string) bool {
		y := s.Lookup(name)
		return slices.Contains(x.needs, y) && !y.Allocatable // the bounds of an allocatable are asked for
	}
	for _, d := range u.Declarations {
		line := d.Info().Line
		if line == nil || line.Nested || line.Lines[0] != line.Lines[1] {
			continue
		}
		switch d := d.(type) {
		case *tree.Use:
			p.unusedNames(d, gone, own)
		case *tree.Variables:
			var kept []string
			text := own.file.Source.Text
			for i := range d.Entities {
				e := &d.Entities[i]
				if y := s.Lookup(e.Name); y.Scope == s && gone(e.Name) && y.Kind == scope.Variable {
					continue
				}
				kept = append(kept, string(text[e.Where.From.Offset:e.Where.To.Offset]))
			}
			switch {
			case len(kept) == len(d.Entities) || slices.ContainsFunc(d.Entities, func(e tree.Entity) bool { return e.Data != nil }):
			case len(kept) == 0 && line.Alone:
				dropped[line.Lines[0]] = true
			case len(kept) > 0:
				own.instead(d.Entities[0].Where.From.Offset, d.Entities[len(d.Entities)-1].Where.To.Offset, strings.Join(kept, ", "))
			}
		}
	}
	for _, inner := range u.Contains {
		for n := range p.unused(x, inner, own) {
			dropped[n] = true
		}
	}
	return dropped
}

// unusedNames writes the list of USE ..., ONLY without private data.
func (p *Plan) unusedNames(d *tree.Use, gone func(string) bool, own *changes) {
	if !d.Only || !slices.ContainsFunc(d.Renames, func(r tree.Rename) bool { return gone(r.Local) }) {
		return
	}
	tokens := d.Info().Line.Tokens
	only := slices.IndexFunc(tokens, func(t token.Token) bool { return t.IsName("only") })
	if only < 0 || only+2 >= len(tokens) {
		return
	}
	var kept []string
	for _, r := range d.Renames {
		switch {
		case gone(r.Local):
		case r.Local == r.Name:
			kept = append(kept, r.Name)
		default:
			kept = append(kept, r.Local+" => "+r.Name)
		}
	}
	own.instead(tokens[only+2].Span.From.Offset, tokens[len(tokens)-1].Span.To.Offset, strings.Join(kept, ", "))
}

// instead replaces a part of a line that no other edit changes.
func (c *changes) instead(from, to int32, words string) {
	if !slices.ContainsFunc(c.edits, func(e edit) bool { return e.from < to && e.to > from }) {
		c.edits = append(c.edits, edit{from, to, words})
	}
}
