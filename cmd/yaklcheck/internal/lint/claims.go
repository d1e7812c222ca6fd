package lint

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/directive"
)

// This file finds loops that a directive says to be independent, and that are not. Package nest decides: it refuses a loop
// with the clause independent only where it proves that iterations meet.

// claim rewrites a directive of a parallel loop as the claim that it makes. One that makes none is no directive any more.
func claim(l *source.Line) {
	d := directive.Parse(l)
	if d.Role != directive.Loop {
		return
	}
	// With columns the loops over columns are independent, which portablef proves with the text that it writes.
	if len(d.Directive.Columns) > 0 || slices.ContainsFunc(d.Problems, func(p directive.Problem) bool { return !p.Later }) || ordered(l.Tokens) {
		l.Sentinel = ""
		return
	}
	words := []token.Token{{Kind: token.Name, Text: "parallel"}, {Kind: token.Name, Text: "loop"}, {Kind: token.Name, Text: "independent"}}
	clause := func(name string, inside ...token.Token) {
		words = append(words, token.Token{Kind: token.Name, Text: name}, token.Token{Kind: token.Operator, Text: "("})
		words = append(append(words, inside...), token.Token{Kind: token.Operator, Text: ")"})
	}
	for _, name := range slices.Concat(d.Directive.Private, d.Directive.FirstPrivate, d.Directive.LastPrivate) {
		clause("private", token.Token{Kind: token.Name, Text: name})
	}
	for name, op := range d.Directive.Reductions {
		kind := token.Operator
		if op[0] >= 'a' {
			kind = token.Name
		}
		clause("reduction", token.Token{Kind: kind, Text: string(op)}, token.Token{Kind: token.Operator, Text: ":"}, token.Token{Kind: token.Name, Text: name})
	}
	for i := range words {
		words[i].Span = l.Span
	}
	l.Sentinel, l.Tokens = "acc", words
}

// ordered reports whether a directive gives its iterations an order, or makes variables private without naming them.
func ordered(words []token.Token) bool {
	for i, t := range words {
		if t.IsName("ordered") || t.IsName("default") && i+2 < len(words) && strings.HasSuffix(words[i+2].Text, "private") {
			return true
		}
	}
	return false
}

// claims reports the loops that contradict their claim.
func (r *rules) claims() {
	for _, n := range nest.Find(r.p.Program, nest.Options{}) {
		q := r.p.of[r.p.Of(n.Unit)]
		if q == nil || n.Directive == nil || r.p.branched(n.Outer) || n.Outer.Line.Marked {
			continue
		}
		inside := q.inside(n.Outer)
		for _, f := range n.Refusals {
			text, contradicts := strings.CutPrefix(f.Text, "independent is written, but ")
			if !contradicts && !slices.Contains([]nest.Rule{"carried-scalar", "recurrence", "same-element"}, f.Rule) || !runs(n.Outer, f.Loop) ||
				named(n.Directive, text) || !r.plain(f, inside) {
				continue
			}
			found := Finding{Rule: NotIndependent, Level: Error, Where: r.p.place(f.At), Declared: r.p.place(n.Directive.Line.Span.From),
				Name: f.Loop, Procedure: q.fullName(), Remedy: f.Remedy,
				Text: fmt.Sprintf("the iterations of the loop over '%s' are said to be independent, but %s", f.Loop, text)}
			if !slices.Contains(r.report.Findings, found) {
				r.report.Findings = append(r.report.Findings, found)
			}
		}
	}
}

// inside are the statements of a loop.
func (q *procedure) inside(do *tree.Do) (list []statement) {
	for _, x := range q.statements {
		if at := x.line.Span.From; at.File == do.Where.From.File && do.Where.From.Offset < at.Offset && at.Offset < do.End.Where.From.Offset {
			list = append(list, x)
		}
	}
	return list
}

// named reports whether a clause gives the variable that a refusal is about to each iteration, or reduces it.
func named(d *nest.Directive, text string) bool {
	_, name, _ := strings.Cut(text, "'")
	name, _, _ = strings.Cut(name, "'")
	_, reduced := d.Reductions[name]
	return reduced || slices.Contains(d.Private, name)
}

// plain reports whether a refusal is certain: its references are not in calls, which may do less than it seems, nor in critical
// regions; and elements that are the same for all iterations have no subscript that depends on the loop.
func (r *rules) plain(f nest.Refusal, inside []statement) bool {
	d := map[string]bool{f.Loop: true}
	for before := 0; len(d) > before && f.Rule == "same-element"; {
		before = len(d)
		for _, x := range inside {
			r.p.spread(x, d)
		}
	}
	return !slices.ContainsFunc(inside, func(x statement) bool {
		if !slices.ContainsFunc(append(f.Also, f.At), func(p token.Pos) bool {
			return p.File == x.line.Span.From.File && p.Offset >= x.line.Span.From.Offset && p.Offset < x.line.Span.To.Offset
		}) {
			return false
		}
		_, called := x.node.(*tree.Call)
		a, assigns := x.node.(*tree.Assignment)
		return called || x.guarded || x.ok || assigns && f.Rule == "same-element" && r.p.depends(x.in, d, (&target{path: []tree.Expression{a.Left}}).subscripts()...)
	})
}

// runs reports whether a loop has that variable.
func runs(do *tree.Do, name string) bool {
	return do.Variable == name || slices.ContainsFunc(do.Indices, func(i tree.Index) bool { return i.Name == name })
}

// branched reports whether the preprocessor chooses statements of a loop: then no one compiles what is read.
func (p *program) branched(do *tree.Do) bool {
	from := do.Where.From
	return slices.ContainsFunc(p.branches[from.File], func(line int32) bool { return from.Line < line && line < do.End.Where.From.Line })
}
