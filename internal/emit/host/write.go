package host

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// writer makes one file.
type writer struct {
	editor
	o       *Options
	file    *tree.File
	used    map[string]bool // names that the file mentions, and those of procedures that were made
	user    map[string]bool // names that the file mentions
	others  map[string]bool // names of generated code: the file has them for something else
	places  []*place
	inside  map[*nest.Nest]bool // nests that run on devices alone, because the nest around has no version for them
	reasons []emit.Reason
	offsets []int32                 // of the lines
	math    *libmath.Plan           // Options.Math, or an empty one
	regions map[*tree.Unit][]string // names of data regions that a procedure uses
}

// Write gives the text of a file in which the parallel ones of its nests are launches. Nests of other files are left out.
// The error is *Refused if a nest cannot be written: then no text is made.
func Write(file *tree.File, nests []*nest.Nest, o Options) ([]byte, error) {
	w := newWriter(file, &o)
	w.reasons = append(w.reasons, w.math.Reasons...)
	w.powers(&w.editor, 0, int32(len(w.source)))
	w.recursive(nests)
	for u := range w.math.Uses {
		w.usesFunctions(&w.editor, u)
	}
	w.dataCalls()
	var removed []*nest.Region
	for _, n := range ordered(file, nests) {
		k, reasons := emit.New(o.Program, n)
		if len(reasons) == 0 && !n.OnHost() && (o.Device == nil || len(o.Device.Refuses(k)) > 0) {
			continue // the plain loop is all that is left
		}
		if len(reasons) == 0 {
			reasons = w.nest(k).reasons
		}
		w.reasons = append(w.reasons, reasons...)
		if n.Region != nil && !slices.Contains(removed, n.Region) {
			removed = append(removed, n.Region)
			for _, l := range n.Region.Lines {
				w.blank(&w.editor, l)
			}
		}
	}
	w.dataUses()
	if len(w.reasons) > 0 {
		return nil, &Refused{w.reasons}
	}
	for _, p := range w.places {
		p.finish(w)
	}
	if !o.Preprocessed {
		w.unprocessed()
	}
	pieces := append(w.prologue(), w.apply(0, int32(len(w.source)), 1)...)
	return render(pieces, &o, o.name(file)), nil
}

// Check gives the reasons why a nest cannot be written; none if it can.
func Check(n *nest.Nest, o Options) []emit.Reason {
	k, reasons := emit.New(o.Program, n)
	if len(reasons) > 0 {
		return reasons
	}
	return newWriter(n.File, &o).nest(k).reasons
}

func newWriter(file *tree.File, o *Options) *writer {
	w := &writer{o: o, file: file, used: map[string]bool{}, user: map[string]bool{}, others: map[string]bool{}, inside: map[*nest.Nest]bool{}}
	w.source = file.Source.Text
	w.form = form{fixed: file.Source.Fixed, width: o.width(file.Source.Fixed)}
	if len(file.Source.Parts) > 0 {
		w.form.moved = file.Source
	}
	w.offsets = []int32{0, 0}
	for i, b := range w.source {
		if b == '\n' {
			w.offsets = append(w.offsets, int32(i)+1)
		}
	}
	if w.math = o.Math; w.math == nil {
		w.math = &libmath.Plan{}
	}
	for _, l := range file.Lines {
		for _, t := range l.Tokens {
			if t.Kind == token.Name {
				w.used[t.Text], w.user[t.Text] = true, true
			}
		}
	}
	return w
}

// ordered are the nests of the file that become launches, in the order in which they end.
func ordered(file *tree.File, nests []*nest.Nest) []*nest.Nest {
	var list []*nest.Nest
	for _, n := range nests {
		if n.File == file && n.Verdict == nest.Parallel && launched(n) {
			list = append(list, n)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { // what ends two loops ends the one inside first
		a, b := list[i].Loops[0].Do, list[j].Loops[0].Do
		if x, y := a.End.Where.To.Offset, b.End.Where.To.Offset; x != y {
			return x < y
		}
		return a.Where.From.Offset > b.Where.From.Offset
	})
	return list
}

// launched reports whether the directive leaves the nest to any device.
func launched(n *nest.Nest) bool { return n.OnHost() || n.OnDevices() }

// options of the compiler as the scopes know them.
func (w *writer) kinds() scope.Options { return w.o.Program.Options }

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

// hasRegions reports whether the program has data regions on devices: launches and the loops in their place respect them.
func (o *Options) hasRegions() bool { return o.Data != nil && o.Data.Regions > 0 }

// dataCalls writes what data regions say between the statements of the file.
func (w *writer) dataCalls() {
	if !w.o.hasRegions() {
		return
	}
	for _, l := range w.o.Data.Lines[w.file] {
		w.blank(&w.editor, l)
	}
	for _, c := range w.o.Data.Calls[w.file] {
		t := text{form: w.form}
		start := c.At
		for start > 0 && w.source[start-1] != '\n' {
			start--
		}
		indent := len(w.source[start:c.At]) - len(bytes.TrimLeft(w.source[start:c.At], " "))
		for _, l := range c.Lines {
			inner := strings.TrimLeft(l, " ")
			t.add(indent+len(l)-len(inner), w.dataNames(c.Unit, inner))
		}
		if c.After {
			w.after(c.At, t.pieces)
		} else {
			w.lead(c.At, t.pieces)
		}
	}
}

var dataName = regexp.MustCompile(`@\w+`)

// dataNames writes the names behind @, which give way to those of the user's file, and notes that the procedure uses them.
func (w *writer) dataNames(u *tree.Unit, line string) string {
	top := outermost(u)
	if !w.isWhole(top) {
		w.reasons = append(w.reasons, emit.Reason{Rule: emit.NotConverted, At: top.Head.From, Text: "the program unit begins or ends outside of this file", Remedy: "put the whole unit into one file, and end it with END"})
	}
	return dataName.ReplaceAllStringFunc(line, func(name string) string {
		name = name[1:]
		made, use := name, name
		for i := 2; w.user[made]; i++ {
			made = name + "_" + decimal(i)
			use = made + " => " + name
		}
		if w.regions == nil {
			w.regions = map[*tree.Unit][]string{}
		}
		if !slices.Contains(w.regions[top], use) {
			w.regions[top] = append(w.regions[top], use)
		}
		return made
	})
}

// dataUses lets procedures use the names of data regions.
func (w *writer) dataUses() {
	for top, list := range w.regions {
		var t text
		t.form = w.form
		t.add(2, "use portable_list_mod, only: "+join(list))
		if top.HeadLine == nil {
			w.lead(w.firstOf(top), t.pieces)
			continue
		}
		w.after(top.HeadLine.Span.To.Offset, t.pieces)
	}
}
