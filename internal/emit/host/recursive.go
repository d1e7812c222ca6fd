package host

import (
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Called are the procedures that launched nests call: in their files they must be RECURSIVE, for several threads run them at once.
// The interface of a separate module procedure is among them: both must say the same.
func Called(p *scope.Program, nests []*nest.Nest) map[*tree.Unit]bool {
	m := map[*tree.Unit]bool{}
	for _, n := range nests {
		if n.Verdict != nest.Parallel || !launched(n) {
			continue
		}
		for _, y := range n.Callees {
			if y.Body == nil || y.Body.Unit == nil || y.OnlyInterface {
				continue
			}
			m[y.Body.Unit] = true
			if header := Header(p, y.Body.Unit); header != nil {
				m[header] = true
			}
		}
	}
	return m
}

// Header is the interface body of a separate module procedure; nil: the procedure is none, or no file has it.
func Header(p *scope.Program, u *tree.Unit) *tree.Unit {
	if u.Interface || u.Kind != tree.ModuleProcedure && !has(u.Prefix, "module") {
		return nil
	}
	s := p.Of(u)
	if s == nil {
		return nil
	}
	for s = s.Parent; s != nil && s.Unit != nil; s = s.Parent {
		for _, d := range s.Unit.Declarations {
			block, ok := d.(*tree.Interface)
			if !ok {
				continue
			}
			for _, b := range block.Bodies {
				if b.Name == u.Name && has(b.Prefix, "module") {
					return b
				}
			}
		}
	}
	return nil
}

// recursive makes the procedures of the file that nests call RECURSIVE.
func (w *writer) recursive(nests []*nest.Nest) {
	called := Called(w.o.Program, nests)
	for u := range w.o.Recursive {
		called[u] = true
	}
	for u := range called {
		if u.File == w.file {
			w.makeRecursive(&w.editor, u)
		}
	}
}

// makeRecursive puts RECURSIVE in front of a procedure. An elemental one has none: Fortran 2008 does not allow both.
func (w *writer) makeRecursive(e *editor, u *tree.Unit) {
	if u.HeadLine == nil || u.HeadLine.Nested || u.Kind != tree.Subroutine && u.Kind != tree.Function ||
		has(u.Prefix, "recursive") || has(u.Prefix, "non_recursive") || has(u.Prefix, "elemental") {
		return
	}
	at := u.Head.From.Offset
	e.replace(at, at, "recursive ")
}

// usesFunctions lets a procedure use the functions of portable_math_mod that it needs.
func (w *writer) usesFunctions(e *editor, u *tree.Unit) {
	if len(w.math.Uses[u]) == 0 {
		return
	}
	var t text
	t.form = w.form
	indent := 2
	if u.HeadLine != nil {
		indent += int(u.Head.From.Offset - w.start(u.Head.From.Offset))
	}
	t.add(indent, "use "+libmath.Module+", only: "+join(w.math.Uses[u]))
	if u.HeadLine != nil {
		e.after(u.Head.To.Offset, t.pieces)
		return
	}
	first := u.EndAt.From.Offset // a program without a PROGRAM statement
	if len(u.Body) > 0 {
		first = min(first, u.Body[0].Info().Line.Span.From.Offset)
	}
	for _, d := range u.Declarations {
		first = min(first, d.Info().Where.From.Offset)
	}
	e.insert(first, t.pieces)
}

// powers writes x**y of reals as a function, in a range of the file.
func (w *writer) powers(e *editor, from, to int32) {
	for _, p := range w.math.Between(from, to) {
		x, y := p.X.Span(), p.Y.Span()
		sign := w.math.Signs[p]
		kind := w.math.Powers[p]
		before := func(i int) string {
			if kind[i] != "" {
				return "real("
			}
			return ""
		}
		after := func(i int) string {
			if kind[i] != "" {
				return ", " + kind[i] + ")"
			}
			return ""
		}
		e.replace(x.From.Offset, x.From.Offset, libmath.Power+"("+before(0))
		e.replace(sign.From.Offset, sign.To.Offset, after(0)+", "+before(1))
		defer e.replace(y.To.Offset, y.To.Offset, after(1)+")") // inner ones first
	}
}
