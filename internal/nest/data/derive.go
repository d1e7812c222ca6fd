package data

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/parts"
)

// This file says which arrays a region keeps: those that its launches use, and that its own scope names.

// use is an array that launches use.
type use struct {
	root    *scope.Symbol
	path    string // %a%b
	written bool
	reads   bool      // the first launch reads it
	first   token.Pos // of that launch
	at      token.Pos // of a launch that writes it, else of the first that reads it
}

// unitArray are the arrays that the launches of a procedure use.
type unitArray struct {
	list []use
}

func (f *finder) of(u *tree.Unit) []use {
	have := f.uses[u]
	if have != nil {
		return have.list // nil while it calls itself
	}
	have = &unitArray{}
	f.uses[u] = have
	if s := f.program.Of(u); s != nil {
		var list []use
		f.used(&list, s, u.Body)
		have.list = list
	}
	return have.list
}

func add(list *[]use, x use) {
	for i := range *list {
		y := &(*list)[i]
		if y.root == x.root && y.path == x.path {
			if x.written && !y.written {
				y.written, y.at = true, x.at
			}
			return
		}
	}
	*list = append(*list, x)
}

// used adds the arrays of the launches in statements.
func (f *finder) used(list *[]use, s *scope.Scope, body []tree.Node) {
	for _, n := range body {
		if n == nil {
			continue
		}
		if do, ok := n.(*tree.Do); ok && f.launch[do] != nil {
			for _, a := range f.launch[do].Arguments {
				if len(a.Dims) == 0 || a.Strided || a.Object != nil && strings.Contains(parts.Show(a.Object), "(") {
					continue
				}
				path := ""
				if len(a.Path) > 0 {
					path = "%" + strings.Join(a.Path, "%")
				}
				add(list, use{a.Symbol, path, a.Access != nest.Read, a.Access != nest.Write, do.Where.From, do.Where.From})
			}
			continue
		}
		inside := s
		if x := f.program.Inside(n); x != nil {
			inside = x
		}
		for _, e := range parts.Expressions(n) {
			f.called(list, inside, e)
		}
		if c, ok := n.(*tree.Call); ok {
			_, y := s.Meaning(&tree.Reference{Base: c.Procedure, Arguments: c.Arguments})
			f.through(list, s, c.Procedure, y, c.Arguments)
		}
		for k, b := range parts.Blocks(n) {
			in := inside
			if c, ok := n.(*tree.Select); ok && c.Kind != "case" {
				if x := f.program.Case(c, k); x != nil {
					in = x
				}
			}
			f.used(list, in, b)
		}
	}
}

func (f *finder) called(list *[]use, s *scope.Scope, e tree.Expression) {
	parts.Every(e, func(x tree.Expression) {
		if r, ok := x.(*tree.Reference); ok {
			if meaning, y := s.Meaning(r); meaning == scope.FunctionCall {
				f.through(list, s, r.Base, y, r.Arguments)
			}
		}
	})
}

// through adds what the launches of a called procedure use, by the names of the caller.
func (f *finder) through(list *[]use, s *scope.Scope, procedure tree.Expression, y *scope.Symbol, args []tree.Argument) {
	if y == nil || y.Body == nil || y.OnlyInterface || y.Body.Unit == nil {
		return
	}
	dummies, actuals, ok := f.seen.Arguments(s, procedure, y, args)
	if !ok {
		return
	}
	for _, x := range f.of(y.Body.Unit) {
		if !x.root.Dummy || x.root.Scope != y.Body {
			add(list, x)
			continue
		}
		k := slices.Index(dummies, x.root)
		if k < 0 || k >= len(actuals) || actuals[k] == nil || !f.seen.Variable(s, actuals[k]) {
			continue
		}
		root, path, ok := whole(s, actuals[k], x.path != "")
		if !ok {
			f.note(actuals[k].Span().From, "'"+parts.Show(actuals[k])+x.path+"', which launches in a data region use, is a part of an array of structures: each launch copies it",
				"use a structure of arrays")
		} else {
			add(list, use{root, path + x.path, x.written, x.reads, x.first, x.at})
		}
	}
}

// whole is the array of which an actual argument is a part.
func whole(s *scope.Scope, e tree.Expression, structure bool) (root *scope.Symbol, path string, ok bool) {
	if r, is := e.(*tree.Reference); is && !structure {
		e = r.Base
	}
	text := parts.Show(e)
	if strings.ContainsAny(text, "([") {
		return nil, "", false
	}
	root = s.Symbol(e)
	if name, is := e.(*tree.Name); is { // of ASSOCIATE
		if y := s.Lookup(name.Name); y.Kind == scope.Alias && y.Alias != nil && y.Scope != nil && y.Scope.Parent != nil {
			return whole(y.Scope.Parent, y.Alias, structure)
		}
	}
	if root == nil || root.Kind != scope.Variable {
		return nil, "", false
	}
	if i := strings.IndexByte(text, '%'); i >= 0 {
		path = text[i:]
	}
	return root, path, true
}

// named is the variable that a directive names.
func (f *finder) named(s *scope.Scope, name string) (t nest.Touched, ok bool) {
	root, path, _ := strings.Cut(name, "%")
	if path != "" {
		path = "%" + path
	}
	y := s.Lookup(root)
	return nest.Touched{Root: y, Path: path, Read: true}, y != nil && y.Kind == scope.Variable
}

// region writes the calls of a region.
func (f *finder) region(r *region) {
	if !f.leaves(r) {
		return
	}
	h := f.hooks(r.unit)
	lines := []string{"call @portable_data_begin('" + r.label + "')"}
	var late []string // pointers, which may point to parts of the others
	for _, k := range f.keeps(r) {
		list := &lines
		if pointed(k.guards) {
			list = &late
		}
		*list = append(*list, h.adds(k, k.clause)...)
	}
	f.call(r.unit, r.begin.Span.From, false, append(lines, late...))
	if !f.done[r.unit] { // else its statements have their calls
		h.block(r.scope, r.body, r.tail)
	}
	f.call(r.unit, r.end.Span.From, false, []string{"call @portable_data_end('" + r.label + "')"})
	if r.begin.Sentinel != "portable" {
		f.plan.Lines[r.unit.File] = append(f.plan.Lines[r.unit.File], []*source.Line{r.begin, r.end}...)
	}
}

// kept is an array that a region keeps.
type kept struct {
	name, clause, shared string
	guards               []string
}

// adds are the calls that give an array to the innermost region.
func (h *hooks) adds(k kept, clause string) []string {
	return h.guarded(k.guards, "call @portable_data_add("+h.f.arg(k.name, "'both'")+", '"+clause+"', "+k.shared+")")
}

// keeps are the arrays of a region: those of its clauses first.
func (f *finder) keeps(r *region) []kept {
	if r.known {
		return r.kept
	}
	r.known = true
	var uses []use
	f.used(&uses, r.scope, r.body)
	h := f.hooks(r.unit)
	taken := map[string]bool{}
	keep := func(t nest.Touched, clause string, at token.Pos, asked bool) {
		name, guards, last, known := h.designator(r.scope, t)
		switch {
		case taken[name]:
			return
		case t.Root.Kind != scope.Variable || !known || last == nil || len(last.Dims) == 0 || last.AssumedRank || starred(last) || !copied(last):
			if asked {
				f.refuse(at, "'"+clause+"' names '"+name+"', which is no array of numbers or logicals with known bounds", "name arrays of integers, reals, logicals")
			} else if t.Root.Kind == scope.Variable && nest.Shared(t.Root) && last != nil && copied(last) {
				f.note(r.begin.Span.From, "'"+name+"', which launches in the data region use, has no name in it: each launch copies it", "let this procedure USE it")
			}
			return
		}
		taken[name] = true
		r.kept = append(r.kept, kept{name, clause, f.logical(nest.Shared(t.Root) || strings.Contains(t.Path, "%")), guards})
	}
	for _, x := range r.data.Items {
		t, ok := f.named(r.scope, x.Name)
		asked := r.begin.Sentinel == "portable"
		if !ok {
			if asked && x.Name != "" {
				f.refuse(x.At, "'"+x.Clause+"' names '"+x.Name+"', which is no variable here", "name an array")
			}
			continue
		}
		clause := x.Clause
		for _, u := range uses {
			if !f.seen.Same(u.root, t.Root) || u.path != t.Path {
				continue
			}
			unwanted := (clause == "out" || clause == "local") && u.reads
			switch {
			case !asked && unwanted:
				clause = "inout"
			case !asked:
			case clause == "in" && u.written:
				f.refuse(x.At, "in("+x.Name+") is written, but the loop at line "+line(u.at)+" changes '"+x.Name+"'", "write inout("+x.Name+"), or leave it out")
			case unwanted:
				f.refuse(x.At, clause+"("+x.Name+") is written, but the loop at line "+line(u.first)+" reads '"+x.Name+"' before any loop sets it", "write inout("+x.Name+"), or leave it out")
			}
		}
		keep(t, clause, x.At, asked)
	}
	for _, u := range uses {
		keep(nest.Touched{Root: u.root, Path: u.path, Read: true}, "", u.at, false)
	}
	if len(uses) == 0 {
		f.note(r.begin.Span.From, "no loop in the data region runs on a device: it does nothing", "remove it")
	}
	return r.kept
}
