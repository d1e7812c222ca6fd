package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	r.p.launches(x, func(kernel *scope, given []token) {
		rank, pair := r.p.boundsRank(x.scope, given)
		if kernel == nil || rank == 0 {
			return
		}
		u, known := r.p.usesOf(kernel)
		if !known || u.highest == 0 || u.highest == rank || u.highest < rank && u.partly {
			return
		}
		f := mismatch(x, kernel, given, rank, pair, u)
		f.Procedure, f.Kernel = procedureName(x.scope.procedure()), procedureName(kernel)
		f.complete()
		r.report.Findings = append(r.report.Findings, f) // each launch has bounds of its own
	})
}

func mismatch(x statement, kernel *scope, given []token, rank int, pair [][]token, u uses) Finding {
	f := Finding{Rule: BoundsRank, Where: where(x), Name: kernel.name, Declared: kernel.where}
	dimensions := "dimensions"
	if rank == 1 {
		dimensions = "dimension"
	}
	reads := fmt.Sprintf("%s (line %d), which no tile of theirs has: its loop over it does nothing", u.name, u.where)
	if u.highest < rank {
		reads = fmt.Sprintf("its tile up to %s (line %d) only: the others are left out", u.name, u.where)
	}
	f.Text = fmt.Sprintf("the bounds %s have %d %s, and the kernel '%s' reads %s", written(given), rank, dimensions, kernel.name, reads)
	if pair != nil && u.highest == 2 {
		f.Remedy = fmt.Sprintf("two scalars are the first and the last index of one dimension; for two write bounds([1, 1], [%s, %s])", written(pair[0]), written(pair[1]))
	}
	return f
}

// boundsRank is the rank of a call of portable_bounds, or 0 if the source does not say it, and its two arguments if
// both are scalars.
func (p *program) boundsRank(s *scope, t []token) (rank int, pair [][]token) {
	if len(t) < 4 || t[0].kind != name || !t[1].is("(") || closing(t, 1) != len(t)-1 || p.called(s, t[0].word) != "portable_bounds" {
		return 0, nil
	}
	args := list(inParentheses(t, 1))
	if n := p.elements(s, args[0]); n > 0 {
		return n, nil
	}
	if !p.areScalars(s, args) {
		return 0, nil
	}
	if len(args) == 2 {
		pair = args
	}
	return 1, pair
}

// elements counts the elements of an array constructor of scalars; 0: unknown.
func (p *program) elements(s *scope, t []token) int {
	switch end := len(t) - 1; {
	case end > 1 && t[0].is("[") && closing(t, 0) == end:
		t = t[1:end]
	case end > 3 && t[0].is("(") && t[1].is("/") && t[end-1].is("/") && closing(t, 0) == end:
		t = t[2 : end-1]
	default:
		return 0
	}
	if items := list(t); p.areScalars(s, items) {
		return len(items)
	}
	return 0
}

func (p *program) areScalars(s *scope, parts [][]token) bool {
	return !slices.ContainsFunc(parts, func(a []token) bool { return !p.isScalar(s, a) })
}

// isScalar reports whether an expression has numbers, scalars, and functions of them with a scalar value only.
func (p *program) isScalar(s *scope, t []token) bool {
	for i := 0; i < len(t); i++ {
		if t[i].is("[") || t[i].is(":") || t[i].is("=") || t[i].is("::") || t[i].is("%") || t[i].kind == text {
			return false
		}
		if t[i].kind != name {
			continue
		}
		m := p.lookup(s, t[i].word)
		called := at(t, i+1).is("(")
		switch {
		case m.symbol != nil && m.symbol.array && called: // an element, where the indices are scalars
			if !p.isScalar(s, inParentheses(t, i+1)) {
				return false
			}
			i = closing(t, i+1)
		case m.symbol != nil && m.symbol.declared && !m.symbol.array && m.symbol.alias == nil && !m.symbol.derived && !called:
		case called && m.procedure == nil && m.generic == nil && p.isScalarFunction(s, t[i].word, list(inParentheses(t, i+1))):
			i = closing(t, i+1)
		default:
			return false
		}
	}
	return len(t) > 0
}

func (p *program) isScalarFunction(s *scope, f string, args [][]token) bool {
	switch f {
	case "size", "lbound", "ubound":
		return len(args) == 2 || len(args) == 1 && f == "size"
	case "int", "max", "min", "mod", "abs", "nint":
		return len(args) > 0 && p.areScalars(s, args)
	}
	return false
}

// usesOf reads a kernel's statements; false: it has no tile, or asks the tile for its rank.
func (p *program) usesOf(kernel *scope) (u uses, known bool) {
	tile := ""
	for _, a := range kernel.args {
		if p.isTile(kernel, kernel.symbols[a]) {
			tile = a
		}
	}
	if tile == "" {
		return u, false
	}
	for _, in := range kernel.inside { // procedures inside the kernel see its tile
		u.partly = u.partly || in.referenced[tile] && !slices.Contains(in.args, tile)
	}
	for _, x := range kernel.statements {
		for i, w := range x.t {
			if y := p.lookup(x.scope, w.word).symbol; w.kind == name && y != nil && len(y.alias) > 0 && y.alias[0].isName(tile) {
				u.partly = true // associate (k => t)
			}
			if !w.isName(tile) || i > 0 && x.t[i-1].is("%") {
				continue
			}
			field := at(x.t, i+2).word
			switch index := inParentheses(x.t, i+3); {
			case !at(x.t, i+1).is("%"):
				u.partly = true
			case field == "rank":
				return u, false
			case !tileFields[field]:
			case len(index) != 1 || index[0].kind != number:
				u.partly = true
			default:
				if d, err := strconv.Atoi(strings.SplitN(index[0].word, "_", 2)[0]); err == nil && d > u.highest {
					u.highest, u.where, u.name = d, int(w.line), fmt.Sprintf("%s%%%s(%d)", tile, field, d)
				}
			}
		}
	}
	return u, true
}

// written is the source text of tokens.
func written(t []token) (s string) {
	for i, w := range t {
		if i > 0 && (t[i-1].is(",") || w.is("+") || w.is("-") || t[i-1].is("+") || t[i-1].is("-")) {
			s += " "
		}
		s += w.word
	}
	return s
}
