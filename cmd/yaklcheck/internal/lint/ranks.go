package lint

import (
	"fmt"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file compares the dimensions of a launch's bounds with those that its kernel reads.
// bounds(nx, ny) is one dimension from nx to ny: a kernel of two loops does nothing there. A kernel
// of one loop leaves most of two dimensions out. Code that is not plain in the source is left out.

// uses are the dimensions that a kernel reads of its tile or team.
type uses struct {
	highest int
	where   int    // the line of that dimension
	name    string // as in the source: t%upper(2)
	partly  bool   // others may be read: t%lower as a whole, t%lower(d), t as an argument
}

var tileFields = map[string]bool{"lower": true, "upper": true, "stride": true, "lower64": true, "upper64": true, "stride64": true, "outer": true, "outer64": true}

// bounds compares the launches in a statement with their kernels.
func (r *rules) bounds(x statement) {
	r.p.launches(x, func(kernel *procedure, given tree.Expression) {
		rank, pair := r.p.boundsRank(x.in, given)
		if kernel == nil || rank == 0 {
			return
		}
		u, known := r.p.usesOf(kernel)
		if !known || u.highest == 0 || u.highest == rank || u.highest < rank && u.partly {
			return
		}
		f := r.mismatch(x, kernel, given, rank, pair, u)
		f.Procedure, f.Kernel = r.p.of[unitOf(x.in)].fullName(), kernel.fullName()
		f.complete()
		r.report.Findings = append(r.report.Findings, f) // each launch has bounds of its own
	})
}

func (r *rules) mismatch(x statement, kernel *procedure, given tree.Expression, rank int, pair []tree.Argument, u uses) Finding {
	f := Finding{Rule: BoundsRank, Where: r.p.first(x), Name: kernel.name, Declared: r.p.place(kernel.where)}
	dimensions := "dimensions"
	if rank == 1 {
		dimensions = "dimension"
	}
	reads := fmt.Sprintf("%s (line %d), which no tile of theirs has: its loop over it does nothing", u.name, u.where)
	if u.highest < rank {
		reads = fmt.Sprintf("its tile up to %s (line %d) only: the others are left out", u.name, u.where)
	}
	f.Text = fmt.Sprintf("the bounds %s have %d %s, and the kernel '%s' reads %s", r.p.written(given), rank, dimensions, kernel.name, reads)
	if pair != nil && u.highest == 2 {
		f.Remedy = fmt.Sprintf("two scalars are the first and the last index of one dimension; for two write bounds([1, 1], [%s, %s])",
			r.p.written(pair[0].Value), r.p.written(pair[1].Value))
	}
	return f
}

// boundsRank is the rank of a call of portable_bounds, or 0 if the source does not say it, and its two arguments if
// both are scalars.
func (p *program) boundsRank(s *scope.Scope, e tree.Expression) (rank int, pair []tree.Argument) {
	given := p.bounds(s, e)
	if len(given) == 0 || slices.ContainsFunc(given, func(a tree.Argument) bool { return a.Value == nil || a.Keyword != "" }) {
		return 0, nil
	}
	if c, is := given[0].Value.(*tree.Constructor); is {
		if slices.ContainsFunc(c.Items, func(e tree.Expression) bool { return !p.isScalar(s, e) }) {
			return 0, nil
		}
		return len(c.Items), nil
	}
	if slices.ContainsFunc(given, func(a tree.Argument) bool { return !p.isScalar(s, a.Value) }) {
		return 0, nil
	}
	if len(given) == 2 {
		pair = given
	}
	return 1, pair
}

// isScalar reports whether an expression is an integer scalar.
func (p *program) isScalar(s *scope.Scope, e tree.Expression) bool {
	t, rank := s.TypeOf(e)
	return t.Base == scope.Integer && rank == 0
}

// usesOf reads a kernel's statements; false: it has no tile, or asks the tile for its rank.
func (p *program) usesOf(kernel *procedure) (u uses, known bool) {
	i := slices.IndexFunc(kernel.Own(), p.isTile)
	if i < 0 {
		return u, false
	}
	tile := kernel.Own()[i].Name
	isTile := func(e tree.Expression) bool {
		n, is := e.(*tree.Name)
		return is && n.Name == tile
	}
	known = true
	visit := func(e tree.Expression) bool {
		switch e := e.(type) {
		case *tree.Name:
			u.partly = u.partly || isTile(e)
		case *tree.Component:
			if isTile(e.Base) {
				known = known && e.Name != "rank"
				u.partly = u.partly || tileFields[e.Name]
				return false
			}
		case *tree.Reference:
			c, is := e.Base.(*tree.Component)
			if !is || !isTile(c.Base) || !tileFields[c.Name] || len(e.Arguments) != 1 {
				return true
			}
			if _, is := e.Arguments[0].Value.(*tree.Literal); !is {
				return true
			}
			if d, ok := extent(kernel.Scope, e.Arguments[0].Value); ok && int(d) > u.highest {
				u.highest, u.where, u.name = int(d), int(c.Where.From.Line), fmt.Sprintf("%s%%%s(%d)", tile, c.Name, d)
			}
			return false
		}
		return true
	}
	for _, x := range kernel.statements {
		x.each(visit)
	}
	for _, inner := range kernel.Unit.Contains { // procedures inside the kernel see its tile
		if q := p.of[p.Of(inner)]; !slices.Contains(inner.Dummies, tile) {
			for _, x := range q.statements {
				x.each(func(e tree.Expression) bool {
					u.partly = u.partly || isTile(e)
					return true
				})
			}
		}
	}
	return u, known
}
