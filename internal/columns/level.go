package columns

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// This file gives the columns' dimensions to dummies and locals of a procedure whose loops over levels have the clause: its callers pass arrays of all
// columns.

// wide is a variable that gets the columns' dimensions.
type wide struct {
	symbol *scope.Symbol
	where  []int // which of its dimensions are the columns', from 0
}

// levels takes the regions that are loops over levels, by their procedures.
func (p *Plan) levels() {
	var units []*tree.Unit
	for _, r := range p.regions {
		if r.level && !slices.Contains(units, r.unit) {
			units = append(units, r.unit)
		}
	}
	for _, u := range units {
		var own []*region
		for _, r := range p.regions {
			if r.unit == u {
				own = append(own, r)
			}
		}
		p.widen(u, own)
	}
}

// widen finds the variables of a procedure that get the columns' dimensions, and writes their declarations.
func (p *Plan) widen(u *tree.Unit, own []*region) {
	first := own[0]
	at := first.d.Line.Span.From
	before := len(p.Faults)
	for _, r := range own {
		same := slices.EqualFunc(r.d.Columns, first.d.Columns, func(a, b directive.Column) bool { return a.Name == b.Name && a.First == b.First && a.Last == b.Last })
		if _, loops := r.node.(*tree.Do); !same || loops && !r.level {
			p.fault(r.d.Line.Span.From, "write the same columns before the loops over levels of '"+u.Name+"'", "columns at %s are others", p.place(at))
		}
	}
	if u.Kind != tree.Subroutine || p.by[u] != nil || p.internal(u) {
		p.fault(at, "write columns before the call alone, or before the loops over levels alone",
			"'%s' has loops over levels with columns, and is no subroutine, or is called in columns of its callers too", u.Name)
		return
	}
	s := p.program.Of(u)
	for _, c := range first.d.Columns {
		for _, name := range c.Names {
			if y := s.Lookup(name); y.Kind == scope.Variable && !y.Dummy && y.Scope.Kind != scope.ModuleScope {
				p.fault(c.At, "use a dummy, a constant or a variable of a module", "the bound '%s' of columns is a local variable: dimensions cannot have it", name)
			}
		}
	}
	list := p.dummies(u, s, first)
	if len(p.Faults) > before {
		return
	}
	if len(list) == 0 { // the loops would treat one column again and again
		p.fault(at, "pass arrays of all columns, or write columns before the call", "no call in the files gives '%s' an array with the dimensions of columns", u.Name)
		return
	}
	if list = append(list, p.locals(u, s, own)...); len(p.Faults) > before {
		return
	}
	for _, w := range list {
		p.declareWide(u, first, w)
	}
	p.once(u, s, own)
	all := newText(p.program)
	all.unit(u)
	for _, x := range all.uses {
		k := slices.IndexFunc(list, func(w wide) bool { return w.symbol == x.symbol })
		if k < 0 || slices.ContainsFunc(own, func(r *region) bool { return r.holds(x.at.From) }) {
			continue
		}
		p.fault(x.at.From, "write the directive before the loop or the call that uses it", "'%s' has a value for each column, and is used outside of the loops with columns", x.symbol.Name)
	}
	for _, r := range own {
		r.wide = list
	}
}

// once refuses statements outside of the loops over levels that would have to run for each column: they run once for all.
func (p *Plan) once(u *tree.Unit, s *scope.Scope, own []*region) {
	rest := newText(p.program)
	var add func(s *scope.Scope, body []tree.Node)
	add = func(s *scope.Scope, body []tree.Node) {
		for _, n := range body {
			switch {
			case n == nil || slices.ContainsFunc(own, func(r *region) bool { return r.node == n }):
			case slices.ContainsFunc(own, func(r *region) bool {
				at := r.node.Info().Where.From
				return at.Offset > n.Info().Where.From.Offset && at.Offset < parts.Behind(n).Offset
			}):
				for _, b := range parts.Blocks(n) { // what a construct around a loop names decides for all columns
					add(s, b)
				}
			default:
				rest.statement(s, n)
			}
		}
	}
	add(s, u.Body)
	const remedy = "write the directive before the loop or the call that it belongs to, or move it to the caller"
	for y, at := range rest.writes {
		if y.Dummy || kept(y) != "" {
			p.fault(at, remedy, "'%s' is set outside of the loops with columns: that would run once, and not for each column", y.Name)
		}
	}
	for _, at := range rest.output {
		p.fault(at, remedy, "input and output stands outside of the loops with columns: it would run once, and not for each column")
	}
	for _, x := range rest.sites {
		if x.callee.Body == nil || x.callee.Body.Unit == nil || !slices.Contains(x.callee.Body.Unit.Prefix, "pure") && !slices.Contains(x.callee.Body.Unit.Prefix, "elemental") {
			p.fault(x.name.From, remedy, "'%s' is called outside of the loops with columns: it would run once, and not for each column", x.callee.Name)
		}
	}
}

// dummies are those that get arrays of all columns at the calls.
func (p *Plan) dummies(u *tree.Unit, s *scope.Scope, r *region) (list []wide) {
	known := map[*scope.Symbol]string{}
	at := map[*scope.Symbol]token.Pos{}
	columns := len(r.d.Columns)
	for _, f := range p.program.Files {
		all := newText(p.program)
		for _, x := range f.Units {
			all.unit(x)
		}
		for _, call := range all.sites {
			if call.callee.Body == nil || call.callee.Body.Unit != u {
				continue
			}
			if call.how != "" {
				p.fault(call.name.From, "call it by its name", "'%s' has loops over levels with columns, but it %s", u.Name, call.how)
				continue
			}
			for i := range call.args {
				d := dummyOf(call.callee, call.args, i)
				if d == nil || d.Kind != scope.Variable {
					continue
				}
				var where []int
				if _, rank := call.scope.TypeOf(call.args[i].Value); rank == len(d.Dims)+columns {
					if where = p.given(r, call, u, call.args[i].Value); where != nil {
						p.extents(call, d, call.args[i].Value, where)
					}
				}
				key := fmt.Sprint(where)
				if old, is := known[d]; is && old != key {
					p.fault(call.name.From, "pass the same at all calls", "'%s' of '%s' gets other dimensions here than at %s", d.Name, u.Name, p.place(at[d]))
					continue
				}
				known[d], at[d] = key, call.name.From
				if where != nil && !slices.ContainsFunc(list, func(w wide) bool { return w.symbol == d }) {
					list = append(list, wide{d, where})
				}
			}
		}
	}
	for _, w := range list {
		if d := w.symbol; d.Value || d.Pointer || d.Allocatable {
			p.fault(d.Where.From, "write it as a plain dummy", "the dummy '%s' has VALUE, POINTER or ALLOCATABLE, and cannot get the dimensions of columns", d.Name)
		}
	}
	return list
}

// given are the dimensions of an actual argument that are the columns'. Bounds that are dummies have the values that the call gives.
func (p *Plan) given(r *region, call site, u *tree.Unit, e tree.Expression) []int {
	y := call.scope.Symbol(e)
	if _, is := e.(*tree.Name); !is || y == nil || y.Kind != scope.Variable {
		p.fault(e.Span().From, "pass a whole array", "'%s' has the dimensions of columns, but is no whole array", parts.Show(e))
		return nil
	}
	there := *r
	d := *r.d
	d.Columns = slices.Clone(d.Columns)
	actual := func(text string) string {
		for i := range call.args {
			if x := dummyOf(call.callee, call.args, i); x != nil && x.Name == text && x.Scope == p.program.Of(u) {
				return parts.Show(call.args[i].Value)
			}
		}
		return text
	}
	for k := range d.Columns {
		c := &d.Columns[k]
		c.First, c.Last = actual(c.First), actual(c.Last)
		c.Names = slices.Clone(c.Names)
		for i, name := range c.Names {
			c.Names[i] = actual(name)
		}
	}
	there.d, there.scope = &d, call.scope
	where, why := p.dimensions(&there, y)
	if why != "" {
		p.fault(e.Span().From, "declare it with the bounds of columns", "which dimensions of '%s' are those of columns is not known: %s", parts.Show(e), why)
	}
	return where
}

// locals are those that a loop sets and that are named elsewhere too: their values live across the end of a loop.
func (p *Plan) locals(u *tree.Unit, s *scope.Scope, own []*region) (list []wide) {
	all := newText(p.program)
	all.unit(u)
	for _, y := range s.Own() {
		if y.Kind != scope.Variable || y.Dummy || y.Scope != s || y.Saved || y.Init != nil {
			continue
		}
		set, index, places := false, true, map[int]bool{}
		for k, r := range own {
			set = set || p.sets(r.text, y)
			if slices.ContainsFunc(r.text.uses, func(x use) bool { return x.symbol == y }) {
				places[k] = true
				index = index && isIndex(r.node, s, y)
			}
		}
		for _, x := range all.uses {
			if x.symbol == y && !slices.ContainsFunc(own, func(r *region) bool { return r.holds(x.at.From) }) {
				places[-1] = true
			}
		}
		if !set || index || len(places) < 2 || slices.ContainsFunc(own[0].d.Columns, func(c directive.Column) bool { return c.Name == y.Name }) {
			continue
		}
		if y.Pointer || y.Allocatable || y.Target || y.Common != "" || len(y.Shares) > 0 {
			p.fault(y.Where.From, "declare it with its bounds", "'%s' lives across the end of a loop with columns, but is ALLOCATABLE, a pointer, a target or in COMMON", y.Name)
			continue
		}
		for _, r := range own {
			if slices.Contains(r.d.Private, y.Name) {
				p.fault(r.d.Line.Span.From, "remove the clause", "private(%s) is written, but its value is used outside of the loop too", y.Name)
			}
		}
		var where []int
		for k := range own[0].d.Columns {
			where = append(where, k)
		}
		list = append(list, wide{y, where})
	}
	return list
}

// sets reports whether statements may set a variable, also by way of a dummy.
func (p *Plan) sets(t *text, y *scope.Symbol) bool {
	return t.writes[y].Known() || slices.ContainsFunc(t.passes, func(x pass) bool { return x.actual == y })
}

// isIndex reports whether a variable is nothing but the variable of loops in a statement: each loop sets it.
func isIndex(n tree.Node, s *scope.Scope, y *scope.Symbol) bool {
	is, assigned := false, false
	parts.Nodes([]tree.Node{n}, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Do:
			is = is || n.Kind == tree.Counted && s.Lookup(n.Variable) == y
		case *tree.Assignment:
			assigned = assigned || root(s, n.Left) == y
		}
	})
	return is && !assigned
}

// declareWide writes the declaration of a variable with the columns' dimensions.
func (p *Plan) declareWide(u *tree.Unit, r *region, w wide) {
	y, c := w.symbol, p.changesOf(u.File)
	text := c.File.Source.Text
	shown := func(at token.Span) string { return string(text[at.From.Offset:at.To.Offset]) }
	for _, d := range u.Declarations {
		v, is := d.(*tree.Variables)
		if !is {
			continue
		}
		for i := range v.Entities {
			e := &v.Entities[i]
			if e.Name != y.Name {
				continue
			}
			dims := e.Dimensions
			for k := range v.Attributes {
				if v.Attributes[k].Name == "dimension" && dims == nil {
					dims = v.Attributes[k].Dimensions
				}
			}
			if len(dims) != len(y.Dims) || e.NameAt.From.File != c.File.Source.Index || len(e.Codimensions) > 0 {
				break
			}
			if last := len(dims) + len(w.where) - 1; len(dims) > 0 && dims[len(dims)-1].Star && slices.Contains(w.where, last) {
				p.fault(y.Where.From, "declare it with its bounds", "'%s' has assumed size, and the dimensions of columns stand behind it", y.Name)
				return
			}
			assumed := slices.ContainsFunc(dims, func(d tree.Dimension) bool { return d.Colon })
			var list []string
			next := 0
			for k := range len(dims) + len(w.where) {
				if at := slices.Index(w.where, k); at >= 0 {
					column := r.d.Columns[at]
					switch {
					case assumed && column.First == "1":
						list = append(list, ":")
					case assumed:
						list = append(list, column.First+":")
					case column.First == "1":
						list = append(list, column.Last)
					default:
						list = append(list, column.First+":"+column.Last)
					}
					continue
				}
				list = append(list, shown(dims[next].Where))
				next++
			}
			from, to := e.NameAt.To.Offset, e.NameAt.To.Offset
			if e.Dimensions != nil {
				to = closing(text, from)
			}
			words := "(" + strings.Join(list, ", ") + ")"
			c.Edits = append(c.Edits, rewrite.Edit{From: from, To: to, Word: words})
			kind := "dummy"
			if !y.Dummy {
				kind = "local variable"
			}
			p.Notes = append(p.Notes, Note{At: y.Where.From, Of: r.node.Info().Where.From, Name: y.Name,
				Text: "the " + kind + " '" + y.Name + "' gets (" + indices(r) + "): " + declared(y) + " -> " + y.Name + words})
			return
		}
	}
	p.fault(y.Where.From, "declare it in one type declaration of '"+u.Name+"'", "'%s' gets the dimensions of columns, but is not declared in one type declaration", y.Name)
}

// closing is the offset behind the parenthesis that closes the first one from an offset on.
func closing(text []byte, from int32) int32 {
	depth := 0
	for i := from; int(i) < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return from
}

// widened writes the indices of the columns into a region.
func (p *Plan) widened(r *region, c *rewrite.Changes) {
	if len(r.wide) == 0 {
		return
	}
	put := func(at int32, word string) { c.Edits = append(c.Edits, rewrite.Edit{From: at, To: at, Word: word}) }
	find := func(s *scope.Scope, e tree.Expression) *wide {
		n, is := e.(*tree.Name)
		if !is {
			return nil
		}
		y := s.Lookup(n.Name)
		if k := slices.IndexFunc(r.wide, func(w wide) bool { return w.symbol == y }); k >= 0 {
			if n.Where.From.File != c.File.Source.Index || !strings.EqualFold(string(c.File.Source.Text[n.Where.From.Offset:n.Where.To.Offset]), n.Name) {
				p.fault(n.Where.From, "write it in the source itself", "a macro or an INCLUDE file makes '%s', which columns has to index", n.Name)
			}
			for _, c := range r.d.Columns {
				if s.Lookup(c.Name) != r.scope.Lookup(c.Name) {
					p.fault(n.Where.From, "use another name there", "'%s' is no index of columns here, where an implied loop or ASSOCIATE has the name", c.Name)
				}
			}
			return &r.wide[k]
		}
		return nil
	}
	var visit func(s *scope.Scope, e tree.Expression)
	visit = func(s *scope.Scope, e tree.Expression) {
		switch e := e.(type) {
		case nil:
			return
		case *tree.Name:
			if w := find(s, e); w != nil {
				put(e.Where.To.Offset, "("+strings.Join(p.subscripts(r, w), ", ")+")")
			}
			return
		case *tree.Reference:
			w := find(s, e.Base)
			p.inquires(r, s, e)
			if w == nil {
				if _, plain := e.Base.(*tree.Name); !plain {
					visit(s, e.Base)
				}
				if meaning, y := s.Meaning(e); meaning == scope.FunctionCall {
					p.associated(r, s, y, e.Arguments)
				}
				break
			}
			k, pending := 0, ""
			for at := range len(e.Arguments) + len(w.where) {
				if i := slices.Index(w.where, at); i >= 0 {
					pending += p.index(r, r.d.Columns[i].Name) + ", "
					continue
				}
				if pending != "" {
					put(e.Arguments[k].Value.Span().From.Offset, pending)
					pending = ""
				}
				k++
			}
			if pending != "" {
				put(e.Where.To.Offset-1, ", "+strings.TrimSuffix(pending, ", "))
			}
		case *tree.ImpliedDo:
			s = s.Loop(e)
		}
		if ref, is := e.(*tree.Reference); is {
			for i := range ref.Arguments {
				visit(s, ref.Arguments[i].Value)
			}
			return
		}
		for _, x := range parts.Direct(e) {
			visit(s, x)
		}
	}
	var walk func(s *scope.Scope, n tree.Node)
	walk = func(s *scope.Scope, n tree.Node) {
		if n == nil {
			return
		}
		inside := s
		if x := p.program.Inside(n); x != nil {
			inside = x
			p.renames(r, s, n)
			if _, is := n.(*tree.Associate); !is {
				p.fault(n.Info().Where.From, "move the loop into a procedure", "a loop over levels with columns has a construct with names of its own")
			}
		}
		if do, is := n.(*tree.Do); is && do.Kind == tree.Counted && slices.ContainsFunc(r.wide, func(w wide) bool { return w.symbol == s.Lookup(do.Variable) }) {
			p.fault(do.Where.From, "use another variable", "the variable '%s' of the loop lives across the end of a loop with columns", do.Variable)
		}
		if call, is := n.(*tree.Call); is {
			_, y := s.Meaning(&tree.Reference{Base: call.Procedure, Arguments: call.Arguments})
			p.associated(r, s, y, call.Arguments)
			for i := range call.Arguments {
				visit(s, call.Arguments[i].Value)
			}
			return
		}
		for _, e := range parts.Expressions(n) {
			visit(s, e)
		}
		for _, b := range parts.Blocks(n) {
			for _, x := range b {
				walk(inside, x)
			}
		}
	}
	walk(r.scope, r.node)
}

// subscripts are those of a whole array, or of a scalar.
func (p *Plan) subscripts(r *region, w *wide) (list []string) {
	for at := range len(w.symbol.Dims) + len(w.where) {
		if i := slices.Index(w.where, at); i >= 0 {
			list = append(list, p.index(r, r.d.Columns[i].Name))
		} else {
			list = append(list, ":")
		}
	}
	return list
}

// associated refuses an element that stands for an array: its neighbours are those of other columns.
func (p *Plan) associated(r *region, s *scope.Scope, y *scope.Symbol, args []tree.Argument) {
	if y == nil || y.Body == nil {
		return
	}
	for i := range args {
		a, is := args[i].Value.(*tree.Reference)
		if !is {
			continue
		}
		base := root(s, a)
		d := dummyOf(y, args, i)
		if meaning, _ := s.Meaning(a); meaning == scope.Element && d != nil && len(d.Dims) > 0 && slices.ContainsFunc(r.wide, func(w wide) bool { return w.symbol == base }) {
			p.fault(a.Where.From, "pass a section", "the element %s stands for an array, but its neighbours are those of other columns", parts.Show(a))
		}
	}
}
