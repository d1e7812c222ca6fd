package host

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/scope"
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
	regions map[*tree.Unit][]string // names of the library that a procedure uses
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
			w.fenceOnly(n)
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
	w.source, w.text = file.Source.Statements(), file.Source.Text
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

// fenceOnly waits for the stream of a nest that is never launched, as a launch of it would.
func (w *writer) fenceOnly(n *nest.Nest) {
	if n.Directive == nil || n.Directive.Async == "" {
		return
	}
	t := text{form: w.form}
	t.add(4, w.dataNames(n.Unit, "if (.not. @portable_in_kernel()) call @portable_stream_fence(int("+n.Directive.Async+", 8))"))
	w.insert(n.Directive.Line.Span.From.Offset, t.pieces)
}

// dataUses lets procedures use these names.
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
