package host

import (
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// place is where the procedures of the nests of one outermost procedure stand: behind it in its module or submodule, or in a module of
// their own in front of it.
type place struct {
	top     *tree.Unit
	scope   *scope.Scope // of the module around; nil: a module of their own
	name    string       // of that module
	text    text
	names   []string // of the procedures
	visible []string // those that the user's procedure calls
}

func decimal(i int) string { return strconv.Itoa(i) }

// outermost is the procedure or program that a unit is or is in, below the module.
func outermost(u *tree.Unit) *tree.Unit {
	for u.Parent != nil && u.Parent.Kind != tree.Module && u.Parent.Kind != tree.Submodule {
		u = u.Parent
	}
	return u
}

// isWhole reports whether the statements around which the procedures are placed stand in this file.
func (w *writer) isWhole(top *tree.Unit) bool {
	own := func(l *source.Line) bool { return l != nil && l.Span.From.File == w.file.Source.Index }
	if !own(top.EndLine) || top.HeadLine != nil && !own(top.HeadLine) {
		return false
	}
	p := top.Parent
	return p == nil || own(p.EndLine) && p.ContainsAt.From.Known() && p.ContainsAt.From.File == w.file.Source.Index
}

// placeOf is the place for nests of a unit.
func (w *writer) placeOf(u *tree.Unit) *place {
	top := outermost(u)
	for _, p := range w.places {
		if p.top == top {
			return p
		}
	}
	p := &place{top: top, text: text{form: w.form}}
	if top.Parent != nil {
		p.scope = w.o.Program.Of(top.Parent)
	} else {
		name := top.Name
		if name == "" {
			name = "main"
		}
		p.name = w.fresh(name+"_pf", nil)
	}
	w.places = append(w.places, p)
	return p
}

// finish puts the procedures into the file.
func (p *place) finish(w *writer) {
	if p.scope != nil {
		w.after(p.top.EndLine.Span.To.Offset, p.text.pieces)
		if p.top.Parent.Kind == tree.Module {
			p.hide(w)
		}
		return
	}
	var module, use text
	module.form, use.form = w.form, w.form
	module.add(0, "module "+p.name)
	module.add(2, "implicit none")
	module.add(2, "private")
	module.add(2, "public :: "+join(p.visible))
	module.add(0, "contains")
	pieces := append(module.pieces, p.text.pieces...)
	var end text
	end.form = w.form
	end.add(0, "end module "+p.name)
	pieces = append(pieces, end.pieces...)
	use.add(2, "use "+p.name+", only: "+join(p.visible))
	if p.top.HeadLine == nil {
		at := w.firstOf(p.top)
		w.insert(at, append(pieces, use.pieces...))
		return
	}
	w.insert(p.top.HeadLine.Span.From.Offset, pieces)
	w.after(p.top.HeadLine.Span.To.Offset, use.pieces)
}

// hide makes the procedures PRIVATE in their module.
func (p *place) hide(w *writer) {
	var t text
	t.form = w.form
	t.add(2, "private :: "+join(p.names))
	w.insert(p.top.Parent.ContainsAt.From.Offset, t.pieces)
}

// firstOf is the place of the first statement of a main program without PROGRAM.
func (w *writer) firstOf(u *tree.Unit) int32 {
	at := u.EndLine.Span.From.Offset
	for _, d := range u.Declarations {
		at = min(at, d.Info().Line.Span.From.Offset)
	}
	for _, n := range u.Body {
		at = min(at, n.Info().Line.Span.From.Offset)
	}
	return at
}

func join(list []string) string { return strings.Join(list, ", ") }
