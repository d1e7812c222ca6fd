package data

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// This file takes ENTER DATA and EXIT DATA. Between them any statement of the program may run, so each procedure with launches, in it or in what it
// calls, gets its calls.

// point is one such directive.
type point struct {
	unit  *tree.Unit
	scope *scope.Scope
	line  *source.Line
	data  *directive.Data
}

// enter writes the calls of all points.
func (f *finder) enter() {
	main := f.hasMain()
	entered := false
	for _, p := range f.points {
		h := f.hooks(p.unit)
		var lines []string
		for _, x := range p.data.Items {
			t, ok := f.named(p.scope, x.Name)
			if !ok {
				continue
			}
			name, guards, last, known := h.designator(p.scope, t)
			if !known || last == nil || len(last.Dims) == 0 || last.AssumedRank || starred(last) || !copied(last) {
				continue
			}
			if p.data.Kind == "exit" {
				lines = append(lines, h.guarded(guards, "call @portable_data_exit("+f.arg(name, "'both'")+")")...)
				continue
			}
			if !main || !lasting(t.Root) {
				why := "it is not a variable of a module or of the main program, whose memory lasts"
				if !main {
					why = "the main program is in none of the files, so statements that use it may not be seen"
				}
				f.note(x.At, "'"+name+"' is copied at each launch in spite of 'enter data': "+why, "write '!$portable data' and '!$portable end data' around the loop over the steps")
				continue
			}
			lines = append(lines, h.guarded(guards, "call @portable_data_enter("+f.arg(name, "'both'")+")")...)
			entered = true
		}
		f.units[p.unit] = true
		f.call(p.unit, p.line.Span.From, false, lines)
		f.plan.Lines[p.unit.File] = append(f.plan.Lines[p.unit.File], p.line)
	}
	if !entered {
		return
	}
	f.plan.Regions++
	for _, file := range f.program.Files {
		if f.o.Converted == nil || f.o.Converted(file) {
			for _, u := range file.Units {
				f.launching(u)
			}
		}
	}
}

// launching gives a procedure with launches, in it or in what it calls, its calls, and those inside of it.
func (f *finder) launching(u *tree.Unit) {
	if u.Interface {
		return
	}
	if s := f.program.Of(u); s != nil && len(u.Body) > 0 && (f.units[u] || f.calls(f.seen.Statements(s, u.Body...))) {
		f.whole(u)
	}
	for _, inner := range u.Contains {
		f.launching(inner)
	}
}

// hasMain reports whether the main program is converted.
func (f *finder) hasMain() bool {
	for _, file := range f.program.Files {
		if f.o.Converted != nil && !f.o.Converted(file) {
			continue
		}
		for _, u := range file.Units {
			if u.Kind == tree.Program {
				return true
			}
		}
	}
	return false
}

// lasting reports whether a variable, or a structure with it, is there until the program ends.
func lasting(y *scope.Symbol) bool {
	if y.Saved || y.Common != "" {
		return true
	}
	return !y.Dummy && y.Scope != nil && (y.Scope.Kind == scope.ModuleScope || y.Scope.Kind == scope.ProgramScope)
}
