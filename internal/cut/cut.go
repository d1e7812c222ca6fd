// Package cut writes a refused loop as the loops into which package nest can cut it.
//
// In this package: which lines belong to which statement, and the text of the parts. It proves nothing: package nest has found the parts and their order,
// and reads the new text again. Not in this package: which cuts are worth their loops, files on disk.
// Invariant: a loop of which two statements share a line stays as it is.
// Threads: one goroutine.
package cut

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// Part is a loop of a cut.
type Part struct {
	At       token.Pos // of its DO in the new text: that of the whole loop for the first one, else that of its first statement
	Parallel bool
}

// lines are numbers of lines of a file's text, from 1, the last one included.
type lines struct{ from, to int32 }

// loop is a loop with the lines of its statements.
type loop struct {
	n          *nest.Nest
	c          *rewrite.Changes
	asked      *source.Line // its directive; or nil
	statements []lines
	whole      lines
	bounds     string         // behind the name of the variable: "= 1, n"
	extents    [][2]string    // the least and the greatest value of the variable, if the loop runs; two if the sign of the step is not known
	least      int            // iterations
	names      []string       // of the arrays for n.Wide
	edits      []rewrite.Edit // which put elements of these in place of the scalars
}

// mostWide is the memory in bytes that the arrays of a cut may take: with more the whole loop runs.
const mostWide = 256 << 20

// Write adds the parts of a nest to the changes of its file. false: the nest has none, or two statements share a line; nothing is changed then.
// With scalars that become arrays, a loop of fewer than least iterations runs as a whole.
func Write(c *rewrite.Changes, n *nest.Nest, least int) (list []Part, ok bool) {
	l := loop{n: n, c: c, least: least}
	if len(n.Cut) == 0 || !l.directives() || !l.header() || !l.body() || !l.apart() || !l.widen() {
		return nil, false
	}
	do := n.Outer
	indent := int(do.Where.From.Column) - 1
	var text []rewrite.Line
	add := func(words string, at token.Pos) { text = append(text, c.Generated(indent, words, at)...) }
	for _, words := range l.before() {
		add(words, do.Where.From)
	}
	if len(n.Wide) > 0 {
		text = append(text, l.copied(do.Line.Lines[0], do.End.Line.Lines[1], nil)...)
		add("else", do.Where.From)
	}
	for k, p := range n.Cut {
		at := do.Where.From
		if k > 0 || len(n.Wide) > 0 {
			at = do.Body[p.Statements[0]].Info().Where.From
		}
		list = append(list, Part{at, p.Parallel})
		text = append(text, c.Comment(indent, fmt.Sprintf("part %d of %d of the loop at line %d", k+1, len(n.Cut), do.Where.From.Line), at)...)
		if p.Parallel && l.asked != nil {
			text = append(text, l.directive(at, slices.ContainsFunc(list[:k], func(p Part) bool { return p.Parallel }))...)
		}
		add("do "+do.Variable+" "+l.bounds, at)
		for _, s := range p.Statements {
			first := do.Line.Lines[1] + 1
			if s > 0 {
				first = l.statements[s-1].to + 1 // the comments in front of it
			}
			text = append(text, l.copied(first, l.statements[s].to, l.edits)...)
		}
		if k+1 == len(n.Cut) {
			text = append(text, l.copied(l.statements[len(l.statements)-1].to+1, do.End.Line.Lines[0]-1, nil)...)
		}
		add("end do", do.End.Where.From)
	}
	if len(n.Wide) > 0 {
		add("end if", do.End.Where.From)
		add("end block", do.End.Where.From)
	}
	for k := l.whole.from; k <= l.whole.to; k++ {
		c.Dropped[k] = true
	}
	if l.asked != nil {
		for k := l.asked.Lines[0]; k <= l.asked.Lines[1]; k++ {
			c.Dropped[k] = true
		}
	}
	c.After[l.whole.to] = append(c.After[l.whole.to], text...)
	return list, true
}

// widen finds the places of the scalars that become arrays, and names for the arrays.
func (l *loop) widen() bool {
	do, file := l.n.Outer, l.n.File
	used := map[string]bool{}
	if len(l.n.Wide) > 0 {
		for _, x := range file.Lines {
			for _, t := range x.Tokens {
				used[strings.ToLower(t.Text)] = true
			}
		}
	}
	name := func(base string) string {
		for used[base] {
			base += "_"
		}
		used[base] = true
		return base
	}
	l.names = nil
	ok := true
	for _, y := range l.n.Wide {
		array := name(y.Name + "_of_" + do.Variable)
		l.names = append(l.names, array)
		for _, s := range do.Body {
			tree.Walk(s, func(n any) bool {
				if x, is := n.(*tree.Name); is && x.Name == y.Name {
					from, to := x.Where.From, x.Where.To
					ok = ok && from.File == file.Source.Index && from.Offset < to.Offset && strings.EqualFold(string(file.Source.Text[from.Offset:to.Offset]), y.Name)
					l.edits = append(l.edits, rewrite.Edit{From: from.Offset, To: to.Offset, Word: array + "(" + do.Variable + ")"})
				}
				return true
			})
		}
	}
	l.names = append(l.names, name("cut_refused"))
	for _, e := range l.edits { // in fixed form, text behind column 72 is a comment
		line := l.c.Edited(l.c.LineOf(e.From), nil)[0].Text
		ok = ok && (!file.Source.Fixed || len(strings.TrimRight(rewrite.Columns(line), " \r\n")) <= 72)
	}
	slices.SortFunc(l.edits, func(a, b rewrite.Edit) int { return int(a.From - b.From) })
	return ok && !slices.ContainsFunc(l.names, func(name string) bool { return len(name) > 63 })
}

// before are the statements in front of the parts, if scalars become arrays: the arrays, and the test whether the whole loop runs,
// because it is short or the arrays would take too much memory.
func (l *loop) before() (list []string) {
	if len(l.n.Wide) == 0 {
		return nil
	}
	list = append(list, "block")
	bytes := int64(0)
	refused := l.names[len(l.n.Wide)]
	for k, y := range l.n.Wide {
		list = append(list, y.Type.Text()+", allocatable :: "+l.names[k]+"(:)")
		bytes += int64(y.Type.Kind)
		if y.Type.Base == scope.ComplexType {
			bytes += int64(y.Type.Kind)
		}
	}
	list = append(list, "integer :: "+refused, refused+" = 1")
	least := l.least - 2
	if len(l.extents) > 1 {
		least = max(least, 0) // one of the two is allocated at most
	}
	for _, extent := range l.extents {
		span := "0_8 + (" + extent[1] + ") - (" + extent[0] + ")" // without INT, which may be a name of the user's
		limits := fmt.Sprintf("%s < %d_8", span, mostWide/bytes)
		if least > -1 {
			limits = fmt.Sprintf("%s > %d_8 .and. %s", span, least, limits)
		}
		var arrays []string
		for _, name := range l.names[:len(l.n.Wide)] {
			arrays = append(arrays, name+"("+extent[0]+":"+extent[1]+")")
		}
		list = append(list, "if ("+limits+") allocate ("+strings.Join(arrays, ", ")+", stat="+refused+")")
	}
	return append(list, "if ("+refused+" /= 0) then")
}

func (l *loop) copied(from, to int32, edits []rewrite.Edit) (list []rewrite.Line) {
	for k := from; k <= to; k++ {
		list = append(list, l.c.Edited(k, edits)...)
	}
	return list
}

// directives reports whether each part can have the directives of the loop: no clause may mean the whole loop.
func (l *loop) directives() bool {
	if d := l.n.Directive; d != nil && d.Kind != "portable" {
		return false
	}
	for _, b := range l.n.Outer.Before {
		switch p := directive.Parse(b.Line); p.Role {
		case directive.Loop:
			d := p.Directive
			if l.asked != nil || d.Kind != "portable" || len(p.Problems) > 0 || b.Line.Nested || b.Line.If || d.Independent || d.Async != "" || d.Collapse > 0 ||
				len(d.Private)+len(d.Reductions)+len(d.Columns) > 0 || strings.ContainsAny(d.Label, `'"`) {
				return false
			}
			l.asked = b.Line
		case directive.Off, directive.On:
		case directive.Passive:
			if b.Line.Sentinel != "portable" {
				return false
			}
		default:
			return false
		}
	}
	return (l.n.Directive != nil) == (l.asked != nil)
}

// directive is the directive of a part. Behind the first parallel one, the label has the line of the part, too.
func (l *loop) directive(at token.Pos, again bool) (list []rewrite.Line) {
	var edits []rewrite.Edit
	if label := l.n.Directive.Label; again && label != "" {
		t := l.asked.Tokens
		k := slices.IndexFunc(t, func(t token.Token) bool { return t.IsName("label") })
		edits = []rewrite.Edit{{From: t[k+2].Span.From.Offset, To: t[k+2].Span.To.Offset, Word: fmt.Sprintf("'%s:%d'", label, at.Line)}}
	}
	for k := l.asked.Lines[0]; k <= l.asked.Lines[1]; k++ {
		list = append(list, l.c.Edited(k, edits)...)
	}
	return list
}

// header reads the bounds of the loop, as they are written.
func (l *loop) header() bool {
	do, line := l.n.Outer, l.n.Outer.Line
	if line == nil || do.Kind != tree.Counted || do.Label != 0 || !line.Alone || line.Nested || line.Lines[0] != line.Lines[1] || do.End.Line == nil || !do.End.Line.Alone {
		return false
	}
	last := do.Last
	if do.Step != nil {
		last = do.Step
	}
	from, to := do.First.Span().From.Offset, last.Span().To.Offset
	if from < line.Span.From.Offset || to > line.Span.To.Offset || from >= to {
		return false
	}
	text := func(e tree.Expression) string {
		at := e.Span()
		return string(l.n.File.Source.Text[at.From.Offset:at.To.Offset])
	}
	l.extents = [][2]string{{text(do.First), text(do.Last)}}
	if do.Step != nil {
		step, known := l.n.Scope.Constant(do.Step)
		if known && step.Integer < 0 || !known {
			l.extents = append(l.extents, [2]string{text(do.Last), text(do.First)})
		}
		if known && step.Integer < 0 {
			l.extents = l.extents[1:]
		}
	}
	l.bounds = "= " + string(l.n.File.Source.Text[from:to])
	return true
}

// body finds the lines of the statements. The CONTINUE that ends a loop with a label is none of them.
func (l *loop) body() bool {
	do := l.n.Outer
	l.whole = lines{do.Line.Lines[0], do.End.Line.Lines[1]}
	before := do.Line.Lines[1]
	for k, s := range do.Body {
		h := s.Info()
		if h.Line == nil {
			return false
		}
		if j, is := s.(*tree.Jump); is && j.Kind == "continue" && h.Line == do.End.Line {
			return do.EndLabel != 0 && k == len(do.Body)-1
		}
		x := lines{h.Line.Lines[0], h.Line.Lines[1]}
		if e, has := parts.End(s); has {
			if e.Line == nil {
				return false
			}
			x.to = e.Line.Lines[1]
		}
		if x.from <= before || x.to >= do.End.Line.Lines[0] || h.Label != 0 {
			return false
		}
		l.statements = append(l.statements, x)
		before = x.to
	}
	return do.EndLabel == 0 && do.End.Label == 0
}

// apart reports whether each line of the loop is a part of one statement, a comment or empty: a line of the preprocessor, of INCLUDE, of a directive
// and of conditional compilation means more than its statement.
func (l *loop) apart() bool {
	do := l.n.Outer
	known := map[int32]bool{}
	for _, x := range l.n.File.Lines {
		if x.Nested || x.Lines[1] < l.whole.from || x.Lines[0] > l.whole.to {
			continue
		}
		inside := slices.ContainsFunc(l.statements, func(s lines) bool { return s.from <= x.Lines[0] && x.Lines[1] <= s.to })
		if x.Kind != source.Statement || x.If || !inside && x != do.Line && x != do.End.Line {
			return false
		}
		for k := x.Lines[0]; k <= x.Lines[1]; k++ {
			known[k] = true
		}
	}
	for k := l.whole.from; k <= l.whole.to; k++ {
		if !known[k] && !l.c.IsComment(k) {
			return false
		}
	}
	return true
}

// Words tells what is done to a loop.
func Words(n *nest.Nest) string {
	text := "loop " + n.Outer.Variable + " is cut into parts: " + strings.Join(n.Parts, "; ")
	var names []string
	for _, y := range n.Wide {
		names = append(names, y.Name)
	}
	if len(names) > 0 {
		text += "; with elements of '" + strings.Join(names, "', '") + "' for all iterations"
	}
	return text
}
