package host

import (
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Called are the procedures that launched nests call: in their files they must be RECURSIVE, for several threads run them at once.
func Called(nests []*nest.Nest) map[*tree.Unit]bool {
	m := map[*tree.Unit]bool{}
	for _, n := range nests {
		if n.Verdict != nest.Parallel || !onHost(n) {
			continue
		}
		for _, y := range n.Callees {
			if y.Body != nil && y.Body.Unit != nil && !y.OnlyInterface {
				m[y.Body.Unit] = true
			}
		}
	}
	return m
}

// recursive makes the procedures of the file that nests call RECURSIVE.
func (w *writer) recursive(nests []*nest.Nest) {
	called := Called(nests)
	for u := range w.o.Recursive {
		called[u] = true
	}
	var walk func(list []*tree.Unit)
	walk = func(list []*tree.Unit) {
		for _, u := range list {
			if called[u] {
				w.makeRecursive(&w.editor, u)
			}
			walk(u.Contains)
		}
	}
	walk(w.file.Units)
}

// makeRecursive puts RECURSIVE in front of a procedure. An elemental one has none: Fortran 2008 does not allow both.
func (w *writer) makeRecursive(e *editor, u *tree.Unit) {
	if u.HeadLine == nil || u.HeadLine.Nested || u.Kind != tree.Subroutine && u.Kind != tree.Function ||
		has(u.Prefix, "recursive") || has(u.Prefix, "non_recursive") || has(u.Prefix, "elemental") || has(u.Prefix, "module") {
		return
	}
	at := u.Head.From.Offset
	e.replace(at, at, "recursive ")
}
