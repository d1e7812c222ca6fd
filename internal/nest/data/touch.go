package data

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// This file writes what a statement says before it uses arrays on the host.

// want is what a statement uses.
type want struct {
	items    map[string]*item
	order    []string
	all      bool     // any array
	shared   bool     // any array that procedures elsewhere may use by another name
	leaveAll bool     // the memory of any array may be freed
	later    bool     // arrays may be written until a later statement that waits
	again    []string // arrays that may have other memory behind it
	renewed  bool     // any array may
	unseen   string
	foreign  bool      // it is seen, but its file is not converted with this one
	inner    bool      // it is seen, but not all that it calls
	chosen   bool      // it is chosen at run time
	at       token.Pos // of what is not seen
}

type item struct {
	guards  []string
	scalar  bool
	pointer bool // found by a pointer
	write   bool
	leaves  bool // its memory may be freed
	stays   bool // and is there behind the statement if it is where it was
}

func (w *want) empty() bool {
	return len(w.order) == 0 && !w.all && !w.shared && !w.leaveAll && w.unseen == ""
}

// merge adds what another statement uses.
func (w *want) merge(v *want) {
	for _, name := range v.order {
		x := v.items[name]
		w.add(name, *x)
	}
	w.all, w.shared, w.leaveAll = w.all || v.all, w.shared || v.shared, w.leaveAll || v.leaveAll
	w.later = w.later || v.later
}

func (w *want) add(name string, x item) {
	if w.items == nil {
		w.items = map[string]*item{}
	}
	have := w.items[name]
	if have == nil {
		w.items[name] = &x
		w.order = append(w.order, name)
		return
	}
	have.write, have.leaves, have.stays = have.write || x.write, have.leaves || x.leaves, have.stays || x.stays
}

// effects adds what statements use.
func (h *hooks) effects(w *want, s *scope.Scope, e nest.Effects) {
	for _, d := range e.Data {
		h.touch(w, s, d)
	}
	if name := h.f.foreign(e); name != "" && w.unseen == "" {
		w.unseen, w.foreign = name, true
	}
	w.shared = w.shared || slices.ContainsFunc(e.Calls, givesPointer)
	if e.Unknown || !e.All {
		w.shared, w.unseen, w.foreign = true, "a procedure", false
	}
}

// touch adds a variable that is used.
func (h *hooks) touch(w *want, s *scope.Scope, d nest.Touched) {
	y := d.Root
	if y.Kind == scope.Constant || y.Kind == scope.Procedure {
		return
	}
	if y.Kind != scope.Variable { // a name that no file declares: it may be a pointer to an array
		w.all = w.all || y.Kind == scope.Missing || y.Kind == scope.Alias
		return
	}
	name, guards, last, known := h.designator(s, d)
	switch {
	case last == nil || last.Type.Base == scope.Derived || last.Type.Base == scope.Class || last.Type.Base == scope.NoType:
		if last == nil || !plain(last, 0) {
			w.all = true
		}
		return
	case last.AssumedRank:
		w.all = true
		return
	case len(last.Dims) == 0 && !last.Pointer && len(y.Shares) == 0 && !h.f.overlaid(y):
		return // a scalar
	case !copied(last):
		w.all = w.all || last.Pointer || len(y.Shares) > 0 || y.Common != ""
		return
	case y.Scope != nil && y.Scope.Kind == scope.BlockScope && !known && !last.Pointer:
		return // of a BLOCK inside of the statement
	case !known && !last.Pointer && !last.Target && nest.Shared(y):
		w.shared = true
		return
	case !known || starred(last):
		w.all = true
		return
	}
	w.add(name, item{guards: guards, scalar: len(last.Dims) == 0, pointer: pointed(guards), write: d.Written})
}

// designator is the text of a datum in a scope, with the conditions under which it exists. known: it has one. last is its last component.
func (h *hooks) designator(s *scope.Scope, d nest.Touched) (name string, guards []string, last *scope.Symbol, known bool) {
	y := d.Root
	known = h.f.visible(s, y)
	name, last = y.Name, y
	if y.Dummy && y.Optional {
		guards = append(guards, "present("+name+")")
	}
	step := func() {
		switch {
		case last.Pointer:
			guards = append(guards, "associated("+name+")")
		case last.Allocatable:
			guards = append(guards, "allocated("+name+")")
		}
	}
	step()
	for _, part := range strings.Split(d.Path, "%")[1:] {
		if len(last.Dims) > 0 || last.AssumedRank || last.Coarray {
			known = false // elements of an array of structures
		}
		next := component(last, part)
		if next == nil {
			return name, nil, nil, false
		}
		name, last = name+"%"+part, next
		step()
	}
	return name, guards, last, known && !last.Coarray
}

func component(y *scope.Symbol, name string) *scope.Symbol {
	for def := y.Type.Def; def != nil; def = def.Parent {
		for _, c := range def.Components {
			if c.Name == name {
				return c
			}
		}
	}
	return nil
}

// plain reports whether a structure has no array, and no pointer, in it.
func plain(y *scope.Symbol, depth int) bool {
	def := y.Type.Def
	if len(y.Dims) > 0 || y.Pointer || y.Allocatable || y.Type.Base != scope.Derived || def == nil || def.Missing != "" || depth > 20 {
		return false
	}
	for ; def != nil; def = def.Parent {
		for _, c := range def.Components {
			if len(c.Dims) > 0 || c.Pointer || c.Allocatable || (c.Type.Base == scope.Derived || c.Type.Base == scope.Class || c.Type.Base == scope.NoType) && !plain(c, depth+1) {
				return false
			}
		}
	}
	return true
}

// visible reports whether a scope has the variable by its own name.
func (f *finder) visible(s *scope.Scope, y *scope.Symbol) bool {
	z := s.Lookup(y.Name)
	return z == y || z.Kind == scope.Variable && y.Common != "" && f.seen.Same(z, y)
}

// copied reports whether launches copy arrays of that type.
func copied(y *scope.Symbol) bool {
	switch y.Type.Base {
	case scope.Integer, scope.Logical:
		return y.Type.Kind <= 8 && len(y.Dims) <= 7
	case scope.Real, scope.ComplexType:
		return (y.Type.Kind == 4 || y.Type.Kind == 8) && len(y.Dims) <= 7
	}
	return false
}

// starred reports whether an array is of assumed size.
func starred(y *scope.Symbol) bool {
	if n := len(y.Dims); n > 0 {
		d := y.Dims[n-1]
		return d.Upper == nil && !d.Deferred && !d.Assumed
	}
	return false
}

// overlaid reports whether a variable is in a COMMON block that two procedures declare differently.
func (f *finder) overlaid(y *scope.Symbol) bool {
	if y.Common == "" {
		return false
	}
	if f.overlay == nil {
		f.overlay = map[string]bool{}
		first := map[string][]*scope.Symbol{}
		var look func(u *tree.Unit)
		look = func(u *tree.Unit) {
			if s := f.program.Of(u); s != nil {
				own := map[string][]*scope.Symbol{}
				for _, y := range s.Own() {
					if y.Common != "" && y.Scope == s {
						own[y.Common] = append(own[y.Common], y)
					}
				}
				for block, list := range own {
					have := first[block]
					if have == nil {
						first[block] = list
						continue
					}
					if len(have) != len(list) || !f.seen.Same(have[0], list[0]) {
						f.overlay[block] = true
					}
				}
			}
			for _, inner := range u.Contains {
				look(inner)
			}
		}
		for _, file := range f.program.Files {
			for _, u := range file.Units {
				look(u)
			}
		}
	}
	return f.overlay[y.Common]
}

// lines are the calls in front of a statement, under a condition of the program, if any.
func (h *hooks) lines(w *want, condition string) (list []string) {
	if w.empty() {
		return nil
	}
	for _, name := range w.order {
		x := w.items[name]
		call := "@portable_data_host"
		switch {
		case x.leaves:
			if w.unseen != "" {
				list = append(list, h.guarded(x.guards, "call @portable_data_expose("+h.argument(name, x)+")")...)
			}
			call = "@portable_data_leave"
		case w.all || w.leaveAll:
			continue
		case x.write && (w.unseen != "" || w.later):
			call = "@portable_data_expose"
		}
		list = append(list, h.guarded(x.guards, "call "+call+"("+h.argument(name, x)+")")...)
	}
	switch {
	case w.leaveAll:
		list = append(list, "call @portable_data_leave()")
	case w.all && (w.unseen != "" || w.later):
		list = append(list, "call @portable_data_expose()")
	case w.all:
		list = append(list, "call @portable_data_host("+h.f.logical(false)+")")
	case w.shared:
		list = append(list, "call @portable_data_host("+h.f.logical(true)+")")
	}
	if w.unseen != "" {
		list = append(list, "call @portable_data_pause()")
	}
	return h.open(condition, list)
}

// open puts lines under the condition that a region is open.
func (h *hooks) open(condition string, list []string) []string {
	if len(list) == 0 {
		return nil
	}
	out := []string{"if (@portable_data_open()) then"}
	if condition != "" {
		out = append(out, "  if ("+condition+") then")
	}
	for _, l := range list {
		if condition != "" {
			l = "  " + l
		}
		out = append(out, "  "+l)
	}
	if condition != "" {
		out = append(out, "  end if")
	}
	return append(out, "end if")
}

// behind are the calls behind a statement. An array of the region in whose text it stands is given to it again, because it may have other memory.
func (h *hooks) behind(n tree.Node, w, after *want) (list []string) {
	again := w.again
	for _, name := range w.order {
		if x := w.items[name]; x.stays {
			list = append(list, h.guarded(x.guards, "call @portable_data_stay("+h.argument(name, x)+")")...)
			again = append(again, name)
		}
	}
	if r := h.f.within[n]; r != nil && (w.renewed || len(again) > 0) {
		for _, k := range h.f.keeps(r) {
			if w.renewed && !pointed(k.guards) || slices.Contains(again, k.name) {
				list = append(list, h.adds(k, "")...)
			}
		}
	}
	if w.unseen != "" {
		list = append(list, "call @portable_data_resume()")
	}
	list = h.open("", list)
	return append(list, h.lines(after, "")...)
}

func (h *hooks) guarded(guards []string, call string) []string {
	if len(guards) == 0 {
		return []string{call}
	}
	if len(guards) == 1 {
		return []string{"if (" + guards[0] + ") " + call}
	}
	var list []string
	indent := ""
	for _, g := range guards {
		list = append(list, indent+"if ("+g+") then")
		indent += "  "
	}
	list = append(list, indent+call)
	for range guards {
		indent = indent[2:]
		list = append(list, indent+"end if")
	}
	return list
}

func (h *hooks) argument(name string, x *item) string {
	access := "'read'"
	if x.write {
		access = "'both'"
	}
	if x.scalar {
		one := "[1]"
		if !h.f.o.Small {
			one = "[1_4]"
		}
		return "@portable_arg(" + name + ", " + one + ", access=" + access + ")"
	}
	return h.f.arg(name, access)
}

// logical is a constant of the library's kind.
func (f *finder) logical(value bool) string {
	text := ".false."
	if value {
		text = ".true."
	}
	if !f.o.Small {
		text += "_4"
	}
	return text
}

// arg is portable_arg of an array. Its name in reports is the last 32 characters.
func (f *finder) arg(name, access string) string {
	bounds := "lbound(" + name + ")"
	if !f.o.Small {
		bounds = "lbound(" + name + ", kind=4)"
	}
	return "@portable_arg(" + name + ", " + bounds + ", " + access + ", name='" + name[max(0, len(name)-32):] + "')"
}
