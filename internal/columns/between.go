package columns

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// This file refuses loops over levels of one procedure that give one another a value which is not one for each column: of all columns, the last one's
// would be read. Not in this file: variables with the columns' dimensions (level.go), private scratch (choose.go).

// between looks at the procedures whose loops over levels have the clause.
func (p *Plan) between() {
	if len(p.Faults) > 0 {
		return // which variables have the columns' dimensions may not be known
	}
	columns := p.byColumn()
	var done []*tree.Unit
	for _, r := range p.regions {
		if !r.level || slices.Contains(done, r.unit) {
			continue
		}
		done = append(done, r.unit)
		var own []*region
		for _, x := range p.regions {
			if x.unit == r.unit {
				own = append(own, x)
			}
		}
		p.betweenOf(r.unit, own, columns)
	}
}

func (p *Plan) betweenOf(u *tree.Unit, own []*region, columns map[*scope.Symbol]bool) {
	s := p.program.Of(u)
	all := newText(p.program)
	all.unit(u)
	var rest []use // outside of the loops with columns
	for _, x := range all.uses {
		if !slices.ContainsFunc(own, func(r *region) bool { return r.holds(x.at.From) }) && !looped(u, s, x) {
			rest = append(rest, x)
		}
	}
	told := map[token.Pos]bool{}
	const remedy = "set it in this loop before it is read, or use a local variable, or an argument with the dimensions of columns"
	for _, r := range own {
		written := p.writtenIn(append([]*text{r.text}, textsOf(r.reached)...))
		list := slices.SortedFunc(maps.Keys(written), func(a, b *scope.Symbol) int {
			return cmp.Or(cmp.Compare(written[a].File, written[b].File), cmp.Compare(written[a].Offset, written[b].Offset), strings.Compare(a.Name, b.Name))
		})
		for _, y := range list {
			here := y.Scope == s || kept(y) != "" || y.Common != ""
			wide := slices.ContainsFunc(r.wide, func(w wide) bool { return w.symbol == y })
			column := slices.ContainsFunc(r.d.Columns, func(c directive.Column) bool { return r.scope.Lookup(c.Name) == y })
			if !here || wide || column || columns[y] || p.private[y] != nil {
				continue
			}
			others := slices.Clone(rest)
			for _, x := range own {
				if x == r || isIndex(x.node, s, y) {
					continue
				}
				for _, t := range append([]*text{x.text}, textsOf(x.reached)...) {
					others = append(others, t.uses...)
				}
			}
			for _, x := range others {
				if x.symbol == y && !x.set && !told[x.at.From] {
					told[x.at.From] = true
					p.fault(x.at.From, remedy, "'%s' is read here, and set in another loop with columns (%s): its value would be the last column's", y.Name, p.place(written[y]))
					break
				}
			}
		}
	}
}

// looped reports whether a use stands in the body of a loop outside of the columns whose variable it is.
func looped(u *tree.Unit, s *scope.Scope, x use) (is bool) {
	parts.Nodes(u.Body, func(n tree.Node) {
		if do, ok := n.(*tree.Do); ok && do.Kind == tree.Counted && s.Lookup(do.Variable) == x.symbol {
			at := x.at.From
			is = is || at.File == do.Where.From.File && at.Offset > do.Where.To.Offset && at.Offset < parts.Behind(do).Offset
		}
	})
	return is
}
