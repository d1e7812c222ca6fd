package columns

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// procedure is one that regions call, directly and through others. Internal procedures of one belong to its text.
type procedure struct {
	symbol *scope.Symbol
	unit   *tree.Unit
	text   *text
	needs  []*scope.Symbol // private data that it, or what it calls, names
	name   string          // of its copy
}

// follow goes through the calls of all regions.
func (p *Plan) follow() {
	for _, r := range p.regions {
		var open []*procedure
		reach := func(t *text) {
			for _, s := range t.sites {
				if x := p.reach(s.callee); x != nil && !slices.Contains(r.reached, x) {
					r.reached = append(r.reached, x)
					open = append(open, x)
				}
			}
		}
		for reach(r.text); len(open) > 0; {
			x := open[0]
			open = open[1:]
			reach(x.text)
		}
	}
	inner := func(x *procedure) bool { return p.internal(x.unit) }
	p.order = slices.DeleteFunc(p.order, inner)
	for _, r := range p.regions {
		r.reached = slices.DeleteFunc(r.reached, inner)
	}
	for u := range p.by {
		if p.internal(u) {
			delete(p.by, u)
		}
	}
}

// internal reports whether a unit stands in a procedure that is followed.
func (p *Plan) internal(u *tree.Unit) bool {
	for up := u.Parent; up != nil; up = up.Parent {
		if p.by[up] != nil {
			return true
		}
	}
	return false
}

// of is the procedure of a symbol that is followed; nil: it is not, or it is internal to one that is.
func (p *Plan) of(y *scope.Symbol) *procedure {
	if y == nil || y.Kind != scope.Procedure || y.Body == nil || y.OnlyInterface || y.Body.Unit == nil {
		return nil
	}
	return p.by[y.Body.Unit]
}

// reach is the procedure of a symbol, which is followed from now on; nil: no file has it, or it is internal to one that is followed.
func (p *Plan) reach(y *scope.Symbol) *procedure {
	if y == nil || y.Kind != scope.Procedure || y.Body == nil || y.OnlyInterface || y.Body.Unit == nil {
		return nil
	}
	u := y.Body.Unit
	if p.internal(u) {
		return nil
	}
	if x := p.by[u]; x != nil {
		return x
	}
	x := &procedure{symbol: y, unit: u, text: newText(p.program)}
	p.by[u] = x
	p.order = append(p.order, x)
	x.text.unit(u)
	return x
}

// texts are those of all procedures that regions reach, and of the regions.
func (p *Plan) texts() (list []*text) {
	for _, r := range p.regions {
		list = append(list, r.text)
	}
	for _, x := range p.order {
		list = append(list, x.text)
	}
	return list
}

// closure is a procedure with those that it calls, directly and through others.
func (p *Plan) closure(x *procedure) []*procedure {
	list := []*procedure{x}
	for i := 0; i < len(list); i++ {
		for _, s := range list[i].text.sites {
			if y := p.of(s.callee); y != nil && !slices.Contains(list, y) {
				list = append(list, y)
			}
		}
	}
	return list
}

func textsOf(list []*procedure) (texts []*text) {
	for _, x := range list {
		texts = append(texts, x.text)
	}
	return texts
}

// writtenIn are the variables that texts set, also by way of dummies.
func (p *Plan) writtenIn(texts []*text) map[*scope.Symbol]token.Pos {
	all := map[*scope.Symbol]token.Pos{}
	for _, t := range texts {
		for y, at := range t.writes {
			if old := all[y]; !old.Known() || before(at, old) {
				all[y] = at
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, t := range texts {
			for _, x := range t.passes {
				if all[x.dummy].Known() && !all[x.actual].Known() {
					all[x.actual] = x.at
					changed = true
				}
			}
		}
	}
	return all
}

func before(a, b token.Pos) bool {
	return a.File < b.File || a.File == b.File && a.Offset < b.Offset
}

// byColumn are the variables whose value, or of arrays whose subscripts, depend on the index of a column.
func (p *Plan) byColumn() (arrays map[*scope.Symbol]bool) {
	depends, arrays := map[*scope.Symbol]bool{}, map[*scope.Symbol]bool{}
	for _, r := range p.regions {
		for _, c := range r.d.Columns {
			depends[r.scope.Lookup(c.Name)] = true
		}
	}
	texts := p.texts()
	for changed := true; changed; {
		changed = false
		for _, t := range texts {
			for _, f := range t.flows {
				into := depends
				if f.subscript {
					into = arrays
				} else if f.to == nil || f.to.Type.Base != scope.Integer || len(f.to.Dims) > 0 {
					continue
				}
				if !into[f.to] && slices.ContainsFunc(f.from, func(y *scope.Symbol) bool { return depends[y] }) {
					into[f.to], changed = true, true
				}
			}
		}
	}
	return arrays
}

// outside is what stands in no region and in no procedure that regions reach.
func (p *Plan) outside() *text {
	all := newText(p.program)
	for _, f := range p.program.Files {
		for _, u := range f.Units {
			p.remaining(u, all)
		}
	}
	in := func(at token.Pos) bool {
		return slices.ContainsFunc(p.regions, func(r *region) bool { return r.holds(at) })
	}
	all.uses = slices.DeleteFunc(all.uses, func(u use) bool { return in(u.at.From) })
	all.sites = slices.DeleteFunc(all.sites, func(s site) bool { return in(s.name.From) })
	return all
}

// remaining adds a unit, but no procedure in it that regions reach.
func (p *Plan) remaining(u *tree.Unit, all *text) {
	s := p.program.Of(u)
	if s == nil || u.Interface || p.by[u] != nil {
		return
	}
	for _, d := range u.Declarations {
		all.declaration(s, d)
		if list, is := d.(*tree.Namelist); is { // a READ of the list sets them
			for _, names := range list.Groups {
				for _, name := range names {
					if y := s.Lookup(name); y.Kind == scope.Variable {
						all.uses = append(all.uses, use{symbol: y, at: d.Info().Where})
					}
				}
			}
		}
	}
	all.block(s, u.Body)
	for _, inner := range u.Contains {
		p.remaining(inner, all)
	}
}
