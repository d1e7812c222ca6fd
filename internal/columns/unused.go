package columns

import (
	"slices"
	"strings"

	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file takes the declarations of private data out of copies: compilers warn of names that nothing uses.

// unused takes the names of private data out of USE and type declarations of a unit, and gives the lines that are left out. A list that does not
// stand on one line stays.
func (p *Plan) unused(x *procedure, u *tree.Unit, own *rewrite.Changes) map[int32]bool {
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
			if without(own, d, func(name string) bool {
				y := s.Lookup(name)
				return y.Scope == s && gone(name) && y.Kind == scope.Variable && declaredOnce(u, name)
			}) {
				dropped[line.Lines[0]] = true
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

// declaredOnce reports whether one declaration alone has a name: SAVE and DATA need the others.
func declaredOnce(u *tree.Unit, name string) bool {
	from, to := u.Head.From.Offset, u.EndLine.Span.From.Offset
	if u.ContainsLine != nil {
		to = u.ContainsLine.Span.From.Offset
	}
	for _, n := range u.Body {
		if n != nil {
			to = min(to, n.Info().Line.Span.From.Offset)
		}
	}
	count := 0
	for _, l := range u.File.Lines {
		if at := l.Span.From.Offset; !l.Nested && at >= from && at < to && slices.ContainsFunc(l.Tokens, func(t token.Token) bool { return t.IsName(name) }) {
			count++
		}
	}
	return count == 1
}

// without takes names out of a type declaration on one line; nothing may be left of it.
func without(c *rewrite.Changes, d *tree.Variables, gone func(string) bool) (nothing bool) {
	var kept []string
	text := c.File.Source.Text
	for i := range d.Entities {
		if e := &d.Entities[i]; !gone(e.Name) {
			kept = append(kept, string(text[e.Where.From.Offset:e.Where.To.Offset]))
		}
	}
	switch {
	case len(kept) == len(d.Entities) || slices.ContainsFunc(d.Entities, func(e tree.Entity) bool { return e.Data != nil }):
	case len(kept) == 0:
		return alone(c.File, d.Line)
	default:
		c.Instead(d.Entities[0].Where.From.Offset, d.Entities[len(d.Entities)-1].Where.To.Offset, strings.Join(kept, ", "))
	}
	return false
}

// unusedNames writes the list of USE ..., ONLY without private data.
func (p *Plan) unusedNames(d *tree.Use, gone func(string) bool, own *rewrite.Changes) {
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
	own.Instead(tokens[only+2].Span.From.Offset, tokens[len(tokens)-1].Span.To.Offset, strings.Join(kept, ", "))
}

// forget takes PRIVATE variables out of their modules that only procedures name which are left out.
func (p *Plan) forget(superfluous map[*procedure]bool) {
	gone, modules := map[*scope.Symbol]bool{}, map[*scope.Scope]bool{}
	for y := range p.private {
		if !hidden(y) || y.Allocatable || y.Scope.Unit == nil || !p.converted(y.Scope.Unit.File) {
			continue
		}
		count := 1 // its declaration
		add := func(t *text) {
			for _, u := range t.uses {
				if u.symbol == y {
					count++
				}
			}
		}
		for _, r := range p.regions {
			add(r.text)
		}
		for x := range superfluous {
			add(x.text)
		}
		if p.naming(y.Name, nil) == count {
			gone[y], modules[y.Scope] = true, true
		}
	}
	for s := range modules {
		c := p.changesOf(s.Unit.File)
		for _, d := range s.Unit.Declarations {
			v, is := d.(*tree.Variables)
			if is && !v.Line.Nested && v.Line.Lines[0] == v.Line.Lines[1] && without(c, v, func(name string) bool { return gone[s.Lookup(name)] }) {
				c.Dropped[v.Line.Lines[0]] = true
			}
		}
	}
}

// naming counts how often the files have a name, but in the first and the last statement of a unit.
func (p *Plan) naming(name string, u *tree.Unit) (count int) {
	for _, f := range p.program.Files {
		for _, l := range f.Lines {
			if u != nil && (l == u.HeadLine || l == u.EndLine) {
				continue
			}
			for _, t := range l.Tokens {
				if t.IsName(name) {
					count++
				}
			}
		}
	}
	return count
}

// superfluous are the procedures whose copies leave no caller: PRIVATE ones that regions and others of them call, and that nothing else names.
func (p *Plan) superfluous() map[*procedure]bool {
	list := map[*procedure]bool{}
	for _, x := range p.order {
		if len(x.needs) > 0 && hidden(x.symbol) && x.unit.Parent != nil && x.unit.Parent.Kind == tree.Module {
			list[x] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for x := range list {
			count := 0 // places that name it and have the copy's name now, or are left out
			add := func(t *text) {
				for _, s := range t.sites {
					if p.of(s.callee) == x && s.written == x.unit.Name {
						count++
					}
				}
			}
			for _, r := range p.regions {
				add(r.text)
			}
			for y := range list {
				add(y.text)
			}
			if p.naming(x.unit.Name, x.unit) != count {
				delete(list, x)
				changed = true
			}
		}
	}
	return list
}
