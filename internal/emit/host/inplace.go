package host

import (
	"slices"
	"sort"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// inPlace puts the call of the launch in front of the user's loop, which stays for the case that it must not be launched.
func (n *one) inPlace(actual []string) {
	w := n.w
	do := n.k.Loops[0].Do
	var head, tail text
	head.form, tail.form = w.form, w.form
	at := do.Line.Span.From
	if do.Label != 0 {
		label := decimal(int(do.Label))
		head.pieces = append(head.pieces, piece{text: label + strings.Repeat(" ", max(1, 6-len(label))) + "continue\n"})
		w.replace(at.Offset, at.Offset+int32(len(label)), strings.Repeat(" ", len(label)))
	}
	indent := n.indent(do)
	head.add(indent, "if (.not. "+n.name+"("+join(actual)+")) then")
	if w.o.hasRegions() && n.device != nil {
		head.add(indent+2, w.dataNames(n.n.Unit, "if (@portable_data_open()) call @portable_data_host("+n.no()+")"))
	}
	w.insert(at.Offset, head.pieces)
	loops := []*tree.Do{do}
	if d := n.n.Directive; d != nil && d.Line != nil && (d.Kind == "omp" || d.Kind == "acc") {
		w.blank(&w.editor, d.Line)
		w.closing(n.n.Outer.End.Line, d.Kind)
		loops = append(loops, n.n.Around...) // those that stay serial have no directives any more
	}
	for _, do := range loops {
		for _, b := range do.Before { // a directive of a loop must not stand in front of the IF, nor its END behind; those of regions stay
			if b.Line.Sentinel == "omp" || b.Line.Sentinel == "acc" {
				switch directive.Parse(b.Line).Role {
				case directive.Loop, directive.Inner, directive.Sequence, directive.Simd:
					w.blank(&w.editor, b.Line)
				}
				w.closing(do.End.Line, b.Line.Sentinel)
			}
		}
	}
	directives(do.Body, do.End, func(d *tree.Directive) {
		if w.isLoud(d.Line) && !isAtomicOfOpenMP(d.Line) { // threads of a region around the nest may run it together
			w.blank(&w.editor, d.Line)
		}
	})
	if n.sharedEnd(&tail, indent) {
		return
	}
	tail.add(indent, "end if")
	w.after(do.End.Where.To.Offset, tail.pieces)
}

func (n *one) indent(do *tree.Do) int {
	from := n.w.start(do.Line.Span.From.Offset)
	return max(0, int(do.Line.Span.From.Offset-from))
}

// closing removes the END directive behind a loop; between them may be those of its other directives.
func (w *writer) closing(end *source.Line, kind string) {
	lines := w.file.Lines
	for _, next := range lines[slices.Index(lines, end)+1:] {
		if next.Kind != source.Directive || !directive.Parse(next).EndsLoop {
			return
		}
		if next.Sentinel == kind {
			w.blank(&w.editor, next)
		}
	}
}

// sharedEnd ends the loop of a nest that shares its last statement with a loop around it; false: it does not.
func (n *one) sharedEnd(tail *text, indent int) bool {
	first := n.k.Loops[0].Do
	if first.EndLabel == 0 {
		return false
	}
	shared := false
	for _, p := range n.n.Path {
		if d, ok := p.(*tree.Do); ok && d.EndLabel == first.EndLabel && d.End.Where == first.End.Where {
			shared = true
		}
	}
	if !shared {
		return false
	}
	if n.k.Jumps[first.EndLabel] {
		n.refuse(first.Where.From, "the label "+decimal(int(first.EndLabel))+" ends this loop and one around it, and a GOTO names it", "give each loop an END DO of its own")
		return true
	}
	count := 0
	emit.Statements([]tree.Node{first}, func(s tree.Node) {
		d, ok := s.(*tree.Do)
		if !ok || d.EndLabel != first.EndLabel || d.End.Where != first.End.Where {
			return
		}
		count++
		for _, t := range d.Line.Tokens {
			if t.Text == decimal(int(first.EndLabel)) && t.Span.From.Offset > d.Line.Span.From.Offset {
				n.w.replace(t.Span.From.Offset, t.Span.To.Offset, strings.Repeat(" ", len(t.Text)))
				break
			}
		}
	})
	for range count {
		tail.add(indent, "end do")
	}
	tail.add(indent, "end if")
	last := terminal(first)
	if j, ok := last.(*tree.Jump); ok && j.Kind == "continue" {
		n.w.insert(last.Info().Line.Span.From.Offset, tail.pieces)
		return true
	}
	label := decimal(int(first.EndLabel))
	from := last.Info().Line.Span.From.Offset
	n.w.replace(from, from+int32(len(label)), strings.Repeat(" ", len(label)))
	tail.pieces[len(tail.pieces)-1].text += label + strings.Repeat(" ", max(1, 6-len(label))) + "continue\n"
	n.w.after(last.Info().Where.To.Offset, tail.pieces)
	return true
}

// terminal is the statement that ends a labelled loop.
func terminal(do *tree.Do) tree.Node {
	last := do.Body[len(do.Body)-1]
	if inner, ok := last.(*tree.Do); ok && inner.End.Where == do.End.Where {
		return terminal(inner)
	}
	return last
}

func blocksOf(n tree.Node) (list [][]tree.Node) {
	emit.Blocks(n, func(body []tree.Node, _ int) { list = append(list, body) })
	return list
}

func sorted[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

func sortedNodes[V any](m map[tree.Node]V) []tree.Node {
	list := make([]tree.Node, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Info().Where.From.Offset < list[j].Info().Where.From.Offset })
	return list
}

// silence removes the directives of OpenMP and OpenACC from the statements of a kernel.
func (w *writer) silence(e *editor, body []tree.Node, end tree.End) {
	directives(body, end, func(d *tree.Directive) {
		if w.isLoud(d.Line) {
			w.blank(e, d.Line)
		}
	})
}

// directives calls f for the directives in the statements of a loop and in front of its end.
func directives(body []tree.Node, end tree.End, f func(*tree.Directive)) {
	visit := func(list []*tree.Directive) {
		for _, d := range list {
			f(d)
		}
	}
	var walk func(body []tree.Node)
	walk = func(body []tree.Node) {
		for _, n := range body {
			visit(n.Info().Before)
			switch n := n.(type) {
			case *tree.If:
				for _, b := range n.Branches {
					visit(b.Before)
				}
				visit(n.ElseDirs)
				visit(n.End.Before)
			case *tree.Do:
				visit(n.End.Before)
			case *tree.Select:
				for _, c := range n.Cases {
					visit(c.Before)
				}
				visit(n.End.Before)
			case *tree.Associate:
				visit(n.End.Before)
			case *tree.Block:
				visit(n.End.Before)
			}
			for _, inner := range blocksOf(n) {
				walk(inner)
			}
		}
	}
	walk(body)
	visit(end.Before)
}

// isLoud reports whether a directive would start threads, or belongs to one that does.
func (w *writer) isLoud(l *source.Line) bool {
	switch l.Sentinel {
	case "acc":
		return true
	case "omp":
		role := directive.Parse(l).Role
		return role != directive.Passive && role != directive.Simd || isAtomicOfOpenMP(l)
	}
	return false
}

func isAtomicOfOpenMP(l *source.Line) bool {
	if l.Sentinel != "omp" {
		return false
	}
	for _, t := range l.Tokens {
		if t.IsName("atomic") || t.IsName("critical") {
			return true
		}
	}
	return false
}

// blank empties the lines of a directive.
func (w *writer) blank(e *editor, l *source.Line) {
	if l.Nested || int(l.Lines[1]) >= len(w.offsets) {
		return
	}
	from := w.offsets[l.Lines[0]]
	last := w.offsets[l.Lines[1]]
	end := last
	for int(end) < len(w.source) && w.source[end] != '\n' {
		end++
	}
	e.replace(from, end, strings.Repeat("\n", int(l.Lines[1]-l.Lines[0])))
}
