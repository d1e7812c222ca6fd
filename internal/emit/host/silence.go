package host

import (
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// silence removes the directives of OpenMP and OpenACC from a converted loop.
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
		return role != directive.Passive && role != directive.Simd || isAtomic(l)
	}
	return false
}

func isAtomic(l *source.Line) bool {
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
