package columns

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// scratch is a variable of a module, or one with SAVE, of which each column has its own.
type scratch struct {
	symbol *scope.Symbol
	name   string // in copies and regions
	asked  bool   // by private(...)
}

// choose finds the data that each column has for itself.
func (p *Plan) choose() {
	written := p.writtenIn(p.texts())
	var list []*scope.Symbol
	for y := range written {
		if kept(y) != "" {
			list = append(list, y)
		}
	}
	asked := map[*scope.Symbol]token.Pos{}
	for _, r := range p.regions {
		for _, name := range r.d.Private {
			if y := r.scope.Lookup(name); kept(y) != "" {
				asked[y] = r.d.Line.Span.From
			}
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, func(a, b *scope.Symbol) int {
		if before(a.Where.From, b.Where.From) {
			return -1
		}
		return 1
	})
	columns, outside := p.byColumn(), p.outside()
	for _, y := range list {
		at, is := asked[y]
		why := p.stays(y, columns, outside, is)
		if why == "" {
			p.private[y] = &scratch{symbol: y, name: p.fresh(y.Name + "_col"), asked: is}
			p.Names[p.private[y].name] = y.Name
			continue
		}
		if is {
			p.fault(at, "remove the clause, or pass it as an argument", "private(%s) is written, but '%s' %s", y.Name, y.Name, why)
		}
		p.Shared[y.Name] = "columns keeps '" + y.Name + "' one variable of all columns, because it " + why
	}
	p.need()
	p.calledOutside(outside)
	for _, r := range p.regions { // a copy serves all regions
		own := p.writtenIn(append([]*text{r.text}, textsOf(r.reached)...))
		for _, y := range p.needed(r.text) {
			if !own[y].Known() {
				p.fault(r.node.Info().Where.From, "set it in these columns too, or pass it as an argument with the dimensions of columns",
					"the %s '%s' is read in these columns, but set in others alone (%s): each column has its own", kept(y), y.Name, p.place(written[y]))
			}
			if at, is := asked[y]; is && p.private[y].asked && !slices.ContainsFunc(r.d.Private, func(name string) bool { return r.scope.Lookup(name) == y }) {
				p.fault(r.d.Line.Span.From, "write it at both", "private(%s) is written at %s, and not here, where the columns use '%s' too", y.Name, p.place(at), y.Name)
			}
		}
	}
}

// kept says what keeps the value of a variable from one call to the next; "": nothing, or it is no variable.
func kept(y *scope.Symbol) string {
	switch {
	case y == nil || y.Kind != scope.Variable || y.Dummy || y.Scope == nil:
		return ""
	case y.Scope.Kind == scope.ModuleScope:
		return "module variable"
	case y.Scope.Kind == scope.ProcedureScope && (y.Saved || y.Init != nil):
		return "variable with SAVE"
	}
	return ""
}

// stays says why a variable stays one of all columns; "": each column may have its own.
func (p *Plan) stays(y *scope.Symbol, columns map[*scope.Symbol]bool, outside *text, asked bool) string {
	switch {
	case y.Pointer || y.Target:
		return "is a pointer or a target"
	case y.Common != "" || len(y.Shares) > 0:
		return "is in COMMON or EQUIVALENCE"
	case y.ThreadPrivate || y.Volatile || y.Coarray || y.Protected:
		return "is THREADPRIVATE, VOLATILE, PROTECTED or a coarray"
	}
	if byData(y) {
		return "has a value by DATA"
	}
	switch y.Type.Base {
	case scope.Integer, scope.Real, scope.ComplexType, scope.Logical:
	default:
		return "has no numeric or logical type"
	}
	if y.Type.Kind == 0 {
		return "has a kind that is not known"
	}
	allocated := false
	for _, d := range y.Dims {
		if d.Upper != nil {
			if _, ok := value(y.Scope, d.Upper); !ok {
				return "has bounds that are not known"
			}
			continue
		}
		allocated = true
	}
	if y.Allocatable && (len(y.Dims) == 0 || y.Scope.Kind != scope.ModuleScope || hidden(y) && !p.within(y)) {
		return "is allocatable, and not visible where the columns begin"
	}
	if allocated && !y.Allocatable {
		return "has bounds that are not known"
	}
	var inside []use
	for _, t := range p.texts() {
		for _, u := range t.uses {
			if u.symbol == y {
				inside = append(inside, u)
			}
		}
	}
	for _, u := range inside {
		if u.memory {
			return "is allocated, or asked for its memory, at " + p.place(u.at.From)
		}
		if u.shape {
			return "may get other bounds at " + p.place(u.at.From) + ", which an assignment to " + y.Name + colons(len(y.Dims)) + " and dummies without ALLOCATABLE do not give it"
		}
	}
	if asked {
		return ""
	}
	for _, u := range outside.uses {
		if u.symbol == y && !u.memory {
			return "is used outside of the columns at " + p.place(u.at.From)
		}
	}
	if columns[y] {
		return "has an element for each column"
	}
	if !slices.ContainsFunc(inside, func(u use) bool { return !u.set }) {
		return "is a result: the physics sets it and never reads it"
	}
	return ""
}

// colons are the subscripts of all elements.
func colons(rank int) string {
	return "(" + strings.TrimSuffix(strings.Repeat(":, ", rank), ", ") + ")"
}

// byData reports whether a DATA statement gives a variable a value.
func byData(y *scope.Symbol) (is bool) {
	if y.Scope.Unit == nil {
		return false
	}
	for _, d := range y.Scope.Unit.Declarations {
		data, ok := d.(*tree.Data)
		if !ok {
			continue
		}
		for _, set := range data.Sets {
			for _, e := range set.Objects {
				parts.Every(e, func(x tree.Expression) {
					n, name := x.(*tree.Name)
					is = is || name && y.Scope.Lookup(n.Name) == y
				})
			}
		}
	}
	return is
}

// within reports whether all regions that need y stand in its module.
func (p *Plan) within(y *scope.Symbol) bool {
	for _, r := range p.regions {
		if !encloses(y.Scope, r.scope) {
			return false
		}
	}
	return true
}

// hidden reports whether a name of a module is PRIVATE.
func hidden(y *scope.Symbol) bool {
	return y.Scope != nil && y.Scope.Kind == scope.ModuleScope && y.Scope.Exported(y.Name) != y
}

// encloses reports whether s is in outer.
func encloses(outer, s *scope.Scope) bool {
	for ; s != nil; s = s.Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// need finds for each procedure the private data that it and its callees name.
func (p *Plan) need() {
	for changed := true; changed; {
		changed = false
		for _, x := range p.order {
			for _, y := range p.needed(x.text) {
				if !slices.Contains(x.needs, y) {
					x.needs, changed = append(x.needs, y), true
				}
			}
		}
	}
	for _, x := range p.order {
		slices.SortFunc(x.needs, func(a, b *scope.Symbol) int { return strings.Compare(p.private[a].name, p.private[b].name) })
		if len(x.needs) > 0 {
			x.name = p.fresh(x.unit.Name + "_col")
			p.Names[x.name] = x.unit.Name
			p.copies[x.name] = true
		}
	}
}

// needed are the private data that a text and the procedures that it calls name.
func (p *Plan) needed(t *text) (list []*scope.Symbol) {
	add := func(y *scope.Symbol) {
		if !slices.Contains(list, y) {
			list = append(list, y)
		}
	}
	for _, u := range t.uses {
		if p.private[u.symbol] != nil {
			add(u.symbol)
		}
	}
	for _, y := range t.indices {
		if p.private[y] != nil {
			add(y)
		}
	}
	for _, s := range t.sites {
		if x := p.of(s.callee); x != nil {
			for _, y := range x.needs {
				add(y)
			}
		}
	}
	slices.SortFunc(list, func(a, b *scope.Symbol) int { return strings.Compare(p.private[a].name, p.private[b].name) })
	return list
}

// calledOutside refuses private data of procedures that are called outside of the regions too: there they may read what a column has left.
func (p *Plan) calledOutside(outside *text) {
	for _, s := range outside.sites {
		x := p.of(s.callee)
		if x == nil {
			continue
		}
		for _, y := range x.needs {
			if v := p.private[y]; !v.asked {
				p.fault(s.name.From, "call it by columns there too, or "+p.instead(y),
					"'%s' uses the %s '%s', of which each column gets its own, and is called outside of the columns too", x.unit.Name, kept(y), y.Name)
			}
		}
	}
}

// instead is how a user says that no column reads what others, or calls elsewhere, leave in y.
func (p *Plan) instead(y *scope.Symbol) string {
	if hidden(y) {
		return "pass '" + y.Name + "' as an argument"
	}
	text := "write private(" + y.Name + ") if it sets '" + y.Name + "' before it reads it"
	for _, r := range p.regions {
		if slices.Contains(p.needed(r.text), y) && r.scope.Lookup(y.Name) != y {
			where := ""
			if y.Scope.Unit != nil && y.Scope.Kind == scope.ModuleScope {
				where = ", with a USE of '" + y.Name + "' from " + y.Scope.Unit.Name + " where the directive stands"
			}
			if where == "" {
				return "pass '" + y.Name + "' as an argument"
			}
			return text + where
		}
	}
	return text
}

// fresh is a name that no file has.
func (p *Plan) fresh(name string) string {
	const most = 60
	name = name[:min(len(name), most)]
	own := name
	for i := 2; p.used[own]; i++ {
		own = name + strconv.Itoa(i)
	}
	p.used[own] = true
	return own
}

// place is a place with its file, for texts.
func (p *Plan) place(at token.Pos) string {
	for _, f := range p.program.Files {
		if f.Source != nil && f.Source.Index == at.File {
			return fmt.Sprintf("%s:%d", filepath.Base(f.Source.Name), at.Line)
		}
	}
	return fmt.Sprintf("line %d", at.Line)
}
