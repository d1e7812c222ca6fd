package columns

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// write makes the changes of all files.
func (p *Plan) write() {
	superfluous := p.superfluous()
	p.forget(superfluous)
	for _, x := range p.order {
		if len(x.needs) > 0 && p.copyable(x) {
			p.copy(x, superfluous[x])
		}
	}
	for _, r := range p.regions {
		p.region(r)
	}
	p.notes()
}

// copyable tests that a copy of a procedure can stand behind it.
func (p *Plan) copyable(x *procedure) bool {
	u := x.unit
	refuse := func(text, remedy string) bool {
		y := x.needs[0]
		p.fault(u.Head.From, remedy, "'%s' needs an argument for '%s', of which each column gets its own, but %s", u.Name, y.Name, text)
		return false
	}
	has := func(word string) bool { return slices.Contains(u.Prefix, word) }
	switch {
	case !p.converted(u.File):
		return refuse("its file is not converted", "convert its file too")
	case u.HeadLine == nil || u.EndLine == nil || u.HeadLine.Nested || u.EndLine.Nested || u.HeadLine.If:
		return refuse("it stands in an INCLUDE file or under conditional compilation", "write it in the source itself")
	case u.Kind == tree.ModuleProcedure || has("module") || u.Parent != nil && u.Parent.Kind == tree.Submodule:
		return refuse("it is a procedure of a submodule", "write it in a module, or pass '"+x.needs[0].Name+"' as an argument")
	case slices.ContainsFunc(p.regions, func(r *region) bool { return r.unit == u || inside(r.unit, u) }):
		at := u.Head.From
		for _, r := range p.regions {
			if r.unit == u || inside(r.unit, u) {
				at = r.d.Line.Span.From
			}
		}
		p.fault(at, "remove one of both", "columns stands in '%s', which runs in columns of its callers and uses '%s', of which each column gets its own", u.Name, x.needs[0].Name)
		return false
	case has("elemental"):
		return refuse("it is ELEMENTAL", "write it without ELEMENTAL, or pass the value as an argument")
	case u.Bind != nil:
		return refuse("it has BIND", "remove BIND, or pass '"+x.needs[0].Name+"' as an argument")
	case !alone(u.File, u.HeadLine) || !alone(u.File, u.EndLine):
		return refuse("its first or its last line holds another statement", "give it lines of its own")
	case slices.ContainsFunc(u.Declarations, func(d tree.Declaration) bool { g, is := d.(*tree.Ignored); return is && g.Kind == "entry" }):
		return refuse("it has an ENTRY", "write a procedure of its own")
	case slices.Contains(u.Dummies, "*"):
		return refuse("it has an alternate return", "return a number instead")
	}
	return true
}

// changesOf are the changes of a file.
func (p *Plan) changesOf(f *tree.File) *rewrite.Changes {
	c := p.files[f]
	if c == nil {
		c = rewrite.Of(f)
		p.files[f] = c
	}
	return c
}

// Text is the rewritten text of a file, with the places of its parts; nil: the file stays as it is.
func (p *Plan) Text(f *tree.File) (text []byte, parts []source.Part) {
	c := p.files[f]
	if c == nil || len(p.Faults) > 0 {
		return nil, nil
	}
	return c.Text()
}

// inside reports whether a unit stands in another one.
func inside(u, outer *tree.Unit) bool {
	for u = u.Parent; u != nil; u = u.Parent {
		if u == outer {
			return true
		}
	}
	return false
}

// copy puts a copy of a procedure behind it, with the private data as arguments; or in its place.
func (p *Plan) copy(x *procedure, instead bool) {
	u, c := x.unit, p.changesOf(x.unit.File)
	own := rewrite.Of(c.File)
	at := u.Head.From
	word := func(span token.Span, text string) {
		own.Edits = append(own.Edits, rewrite.Edit{From: span.From.Offset, To: span.To.Offset, Word: text})
	}
	word(u.NameAt, x.name)
	var names []string
	for _, y := range x.needs {
		names = append(names, p.private[y].name)
	}
	p.header(x, own, names)
	if t := u.EndLine.Tokens; len(t) > 1 && t[len(t)-1].IsName(u.Name) && t[len(t)-1].Span.From.Offset >= u.EndAt.From.Offset {
		word(t[len(t)-1].Span, x.name)
	}
	p.words(x.text, own)
	dropped := p.unused(x, u, own)
	s := p.program.Of(u)
	uses, types := p.visible(x.text, s, own, 4, at)
	first, last := u.HeadLine.Lines[0], u.EndLine.Lines[1]
	declared := c.LineOf(firstStatement(u))
	indent := int(at.Column) + 1
	inserted := map[int32][]rewrite.Line{}
	inserted[u.HeadLine.Lines[1]+1] = uses
	changed := p.writtenIn(textsOf(p.closure(x)))
	for _, y := range x.needs {
		named := slices.ContainsFunc(x.text.uses, func(u use) bool { return u.symbol == y })
		if y.Allocatable && named && localName(y, s) == "" { // its bounds are those of the module's array
			p.fault(u.Head.From, "write USE "+y.Scope.Unit.Name+" in '"+u.Name+"', without another name for '"+y.Name+"'", "'%s' has the allocatable '%s', of which each column gets its own, by another name or by a USE in a procedure inside", u.Name, y.Name)
		}
		inserted[declared] = append(inserted[declared], own.Generated(indent, p.declaration(y, s, true, changed[y].Known()), at)...)
	}
	inserted[declared] = append(inserted[declared], types...)
	own.Sort()
	list := own.Generated(indent-2, "! "+u.Name+" for one of several columns", at)
	if c.File.Source.Fixed {
		list = []rewrite.Line{{Text: "! " + u.Name + " for one of several columns\n", At: at}}
	}
	for n := first; n <= last; n++ {
		c.Dropped[n] = c.Dropped[n] || instead
		list = append(list, inserted[n]...)
		if !dropped[n] {
			list = append(list, own.Edited(n, own.Edits)...)
		}
	}
	c.After[last] = append(c.After[last], list...)
	if m := u.Parent; m != nil && m.Kind == tree.Module && m.ContainsLine != nil {
		n := m.ContainsLine.Lines[0]
		c.Before[n] = append(c.Before[n], c.Generated(int(m.Head.From.Column)+1, "public :: "+x.name, m.ContainsLine.Span.From)...)
	}
}

// header gives the first statement of a copy its further arguments.
func (p *Plan) header(x *procedure, own *rewrite.Changes, names []string) {
	u := x.unit
	result := ""
	if u.Kind == tree.Function && !slices.ContainsFunc(u.HeadLine.Tokens, func(t token.Token) bool { return t.IsName("result") && t.Span.From.Offset > u.NameAt.To.Offset }) {
		result = " result(" + u.Name + ")"
	}
	extra := strings.Join(names, ", ")
	depth, empty := 0, true
	for _, t := range u.HeadLine.Tokens {
		if t.Span.From.Offset < u.NameAt.To.Offset {
			continue
		}
		switch {
		case t.Is("("):
			depth++
			continue
		case t.Is(")"):
			if depth--; depth == 0 {
				if !empty {
					extra = ", " + extra
				}
				own.Edits = append(own.Edits, rewrite.Edit{From: t.Span.From.Offset, To: t.Span.To.Offset, Word: extra + ")" + result})
				return
			}
		}
		empty = false
	}
	at := u.NameAt.To.Offset
	own.Edits = append(own.Edits, rewrite.Edit{From: at, To: at, Word: "(" + extra + ")" + result})
}

// firstStatement is the offset of the first statement behind USE, IMPORT and IMPLICIT.
func firstStatement(u *tree.Unit) int32 {
	at := u.EndLine.Span.From.Offset
	for _, d := range u.Declarations {
		switch d := d.(type) {
		case *tree.Use, *tree.Implicit, *tree.Import:
			continue
		default:
			at = min(at, d.Info().Line.Span.From.Offset)
		}
	}
	for _, n := range u.Body {
		if n != nil {
			at = min(at, n.Info().Line.Span.From.Offset)
			for _, b := range n.Info().Before {
				at = min(at, b.Line.Span.From.Offset)
			}
		}
	}
	if u.ContainsLine != nil {
		at = min(at, u.ContainsLine.Span.From.Offset)
	}
	return at
}

// words replaces the names of private data and of copied procedures in a text, and gives the calls their further arguments.
func (p *Plan) words(t *text, own *rewrite.Changes) {
	index, source := own.File.Source.Index, own.File.Source.Text
	done := map[int32]bool{}
	put := func(from, to token.Pos, old, word string) {
		if from.File != index || old != "" && !strings.EqualFold(string(source[from.Offset:to.Offset]), old) {
			p.fault(from, "write it in the source itself", "a macro or an INCLUDE file makes '%s', which columns has to replace", old)
			return
		}
		if key := to.Offset; !done[key] {
			done[key] = true
			own.Edits = append(own.Edits, rewrite.Edit{From: from.Offset, To: to.Offset, Word: word})
		}
	}
	for _, u := range t.uses {
		if v := p.private[u.symbol]; v != nil {
			put(u.at.From, u.at.To, string(source[u.at.From.Offset:max(u.at.From.Offset, u.at.To.Offset)]), v.name)
		}
	}
	for _, s := range t.sites {
		x := p.of(s.callee)
		if x == nil || len(x.needs) == 0 {
			continue
		}
		if s.how != "" {
			p.fault(s.name.From, "call it by its name", "'%s' uses '%s', of which each column gets its own, but it %s", x.unit.Name, x.needs[0].Name, s.how)
			continue
		}
		put(s.name.From, s.name.To, s.written, x.name)
		var list []string
		for _, y := range x.needs {
			name := p.private[y].name
			if x.unit.Parent != nil { // an external procedure has no interface
				name = name + "=" + name
			}
			list = append(list, name)
		}
		extra := strings.Join(list, ", ")
		end := s.end
		if end.Offset == s.name.To.Offset { // CALL without arguments
			last := len(own.Edits) - 1
			own.Edits[last].Word += "(" + extra + ")"
			continue
		}
		closing := end
		closing.Offset--
		if len(s.args) > 0 {
			extra = ", " + extra
		}
		put(closing, end, ")", extra+")")
	}
}

// visible are the USE statements and types by which a text sees the copies that it calls.
func (p *Plan) visible(t *text, s *scope.Scope, c *rewrite.Changes, indent int, at token.Pos) (uses, types []rewrite.Line) {
	known := map[*procedure]bool{}
	for _, site := range t.sites {
		x := p.of(site.callee)
		if x == nil || len(x.needs) == 0 || known[x] {
			continue
		}
		known[x] = true
		switch m := x.unit.Parent; {
		case m == nil && x.unit.Kind == tree.Function:
			if d := x.symbol.Body.Lookup(x.symbol.ResultName); d != nil && len(d.Dims) == 0 && d.Type.Text() != "" {
				types = append(types, c.Generated(indent, d.Type.Text()+", external :: "+x.name, at)...)
			} else {
				p.fault(x.unit.Head.From, "write it in a module", "the external function '%s' uses '%s', of which each column gets its own", x.unit.Name, x.needs[0].Name)
			}
		case m != nil && m.Kind == tree.Module && !encloses(p.program.Of(m), s):
			uses = append(uses, c.Generated(indent, "use "+m.Name+", only: "+x.name, at)...)
		}
	}
	return uses, types
}

// declaration declares private data: as a dummy of a copy, or as a local variable in front of the loops.
func (p *Plan) declaration(y *scope.Symbol, s *scope.Scope, dummy, changed bool) string {
	v := p.private[y]
	var dims []string
	for k, d := range y.Dims {
		switch {
		case d.Upper != nil:
			lower := int64(1)
			if d.Lower != nil {
				lower, _ = value(y.Scope, d.Lower)
			}
			upper, _ := value(y.Scope, d.Upper)
			if lower == 1 {
				dims = append(dims, fmt.Sprint(upper))
			} else {
				dims = append(dims, fmt.Sprintf("%d:%d", lower, upper))
			}
		case !dummy:
			dims = append(dims, fmt.Sprintf("lbound(%s, %d):ubound(%s, %d)", p.outer(y, s), k+1, p.outer(y, s), k+1))
		default:
			lower := ""
			if name := localName(y, s); name != "" {
				lower = fmt.Sprintf("lbound(%s, %d)", name, k+1)
			}
			dims = append(dims, lower+":")
		}
	}
	text := y.Type.Text()
	if dummy && !changed {
		text += ", intent(in)" // it may be the variable of a loop, or the procedure is PURE
	} else if dummy {
		text += ", intent(inout)"
	}
	text += " :: " + v.name
	if len(dims) > 0 {
		text += "(" + strings.Join(dims, ", ") + ")"
	}
	return text
}

// localName is the name by which a scope knows a variable of a module; "": it does not.
func localName(y *scope.Symbol, s *scope.Scope) string {
	if s.Lookup(y.Name) == y {
		return y.Name
	}
	return ""
}

// outer is the name of the shared array in front of the loops.
func (p *Plan) outer(y *scope.Symbol, s *scope.Scope) string {
	if encloses(y.Scope, s) && s.Lookup(y.Name) == y {
		return y.Name
	}
	return p.private[y].name + "_all"
}

// region writes the loops around a marked call, and the private data around the loops.
func (p *Plan) region(r *region) {
	c := p.changesOf(r.file)
	info := r.node.Info()
	at := info.Where.From
	first, last := info.Line.Lines[0], info.Line.Lines[1]
	if do, is := r.node.(*tree.Do); is {
		last = do.End.Line.Lines[1]
	}
	for n := r.d.Line.Lines[0]; n <= r.d.Line.Lines[1]; n++ {
		c.Dropped[n] = true
	}
	indent := int(at.Column) - 1
	needs := p.needed(r.text)
	names := map[string]string{}
	var head, tail []rewrite.Line
	add := func(indent int, text string) { head = append(head, c.Generated(indent, text, at)...) }
	inner := indent
	uses, types := p.visible(r.text, r.scope, c, indent+2, at)
	if len(needs) > 0 {
		inner += 2
		p.uses(r.unit, c, uses)
		add(indent, "block")
		for _, y := range needs {
			if len(y.Dims) > 0 && y.Dims[0].Upper == nil && p.outer(y, r.scope) != y.Name {
				add(inner, "use "+y.Scope.Unit.Name+", only: "+p.outer(y, r.scope)+" => "+y.Name)
			}
		}
		for _, y := range needs {
			add(inner, p.declaration(y, r.scope, false, true))
		}
		head = append(head, types...)
	}
	for _, name := range r.d.Private {
		if v := p.private[r.scope.Lookup(name)]; v != nil {
			names[name] = v.name
		}
	}
	directiveAt := r.d.Line.Span.From
	text := "!$portable " + directive.Without(r.d.Line, "columns", names)
	if c.File.Source.Fixed {
		inner = 0
	}
	head = append(head, c.Narrow(strings.Repeat(" ", inner)+text, directiveAt, 0)...)
	p.widened(r, c)
	if r.call != nil || r.level {
		for k := len(r.d.Columns) - 1; k >= 0; k-- {
			x := r.d.Columns[k]
			add(inner, "do "+p.index(r, x.Name)+" = "+x.First+", "+x.Last)
			tail = append(tail, c.Generated(inner, "end do", at)...)
		}
		for a, words := range r.indices {
			to := a.Value.Span().To.Offset
			list := make([]string, len(words))
			for k, word := range words {
				list[k] = p.index(r, word)
			}
			c.Edits = append(c.Edits, rewrite.Edit{From: to, To: to, Word: "(" + strings.Join(list, ", ") + ")"})
		}
	}
	p.words(r.text, c)
	if len(needs) > 0 {
		tail = append(tail, c.Generated(indent, "end block", at)...)
	}
	c.Before[first] = append(c.Before[first], head...)
	c.After[last] = append(c.After[last], tail...)
}

// uses puts USE statements behind the first statement of a unit, each once: kernels are outlined with those of the unit.
func (p *Plan) uses(u *tree.Unit, c *rewrite.Changes, list []rewrite.Line) {
	into, n := c.After, int32(0)
	if u.HeadLine != nil {
		n = u.HeadLine.Lines[1]
	} else { // a main program without PROGRAM
		into, n = c.Before, u.EndLine.Lines[0]
		for _, d := range u.Declarations {
			n = min(n, d.Info().Line.Lines[0])
		}
		for _, x := range u.Body {
			n = min(n, x.Info().Line.Lines[0])
		}
	}
	for _, l := range list {
		if !slices.ContainsFunc(into[n], func(x rewrite.Line) bool { return x.Text == l.Text }) {
			into[n] = append(into[n], l)
		}
	}
}

// index is the name of an index in the loops: one of a module that the physics names is private too.
func (p *Plan) index(r *region, name string) string {
	if name == ":" {
		return name
	}
	if v := p.private[r.scope.Lookup(name)]; v != nil {
		return v.name
	}
	return name
}

// Places are the statements behind the directives.
func (p *Plan) Places() (list []token.Pos) {
	for _, r := range p.regions {
		list = append(list, r.node.Info().Where.From)
	}
	return list
}

// Copied reports whether a procedure is a copy that the plan has made.
func (p *Plan) Copied(name string) bool { return p.copies[name] }

// Own reports whether a variable of the text that the plan has made is one of which each column has its own: scratch, or a local variable of loops over
// levels without the dimensions of columns.
func (p *Plan) Own(y *scope.Symbol) bool {
	if p.Names[y.Name] != "" && !p.copies[y.Name] {
		return true
	}
	if y.Scope == nil || y.Scope.Unit == nil || y.Dummy || kept(y) != "" {
		return false
	}
	return slices.ContainsFunc(p.regions, func(r *region) bool {
		wide := slices.ContainsFunc(r.wide, func(w wide) bool { return w.symbol.Name == y.Name })
		return r.level && !wide && r.unit.Name == y.Scope.Unit.Name && r.unit.File.Source.Name == y.Scope.Unit.File.Source.Name
	})
}

// Empty reports whether no file has the clause.
func (p *Plan) Empty() bool { return len(p.regions) == 0 && len(p.Faults) == 0 }

// holds reports whether a place is in the region.
func (r *region) holds(at token.Pos) bool {
	info := r.node.Info()
	end := info.Where.To
	if do, is := r.node.(*tree.Do); is {
		end = do.End.Where.To
	}
	return at.File == info.Where.From.File && at.Offset >= info.Where.From.Offset && at.Offset <= end.Offset
}
