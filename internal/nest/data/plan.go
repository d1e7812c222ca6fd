package data

import (
	"cmp"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// Call is lines that a generated file has in front of a place, or behind it. Names behind @ are those of portable_list_mod.
type Call struct {
	Unit  *tree.Unit
	At    int32
	After bool
	Lines []string
}

// Plan is what the regions of a program need.
type Plan struct {
	Refusals []nest.Refusal
	Warnings []nest.Refusal // calls that are not seen
	Notes    []nest.Refusal // arrays that are copied at each launch
	Calls    map[*tree.File][]Call
	Lines    map[*tree.File][]*source.Line // directives of OpenACC and OpenMP that the generated file loses
	Regions  int
}

// Options of a run.
type Options struct {
	Accept map[string]bool // omp, acc: their data directives count
	Small  bool            // integers of the default kind are those of the library
	// Device reports whether a parallel nest runs on devices, and which nests inside do in its place.
	Device func(*nest.Nest) (device bool, inside []*nest.Nest)
	// Converted reports whether the file is written.
	Converted func(*tree.File) bool
}

// finder makes a plan.
type finder struct {
	program    *scope.Program
	seen       *nest.Seen
	o          Options
	plan       *Plan
	launch     map[*tree.Do]*nest.Nest   // nests that are launched on devices, by their first loop
	units      map[*tree.Unit]bool       // with launches of their own
	done       map[*tree.Unit]bool       // units whose statements have their calls
	regions    map[*source.Line]*region  // by the line of the directive that begins it
	within     map[tree.Node]*region     // the innermost region in whose text a statement stands
	touched    map[touchKey]bool         // notes that were made
	uses       map[*tree.Unit]*unitArray // see derive.go
	files      map[int32]*tree.File
	overlay    map[string]bool // COMMON blocks that two procedures declare differently
	fresh      map[*tree.Unit]*freed
	freshOrder []*tree.Unit        // of fresh, in the order in which they were begun
	asked      map[*tree.Unit]bool // of those that are being made: another one has asked for it
	pointed    map[*tree.Unit]bool
	points     []*point
	dropped    map[*source.Line]bool // directives of converted loops, and of regions of threads around them
}

type touchKey struct {
	at   token.Pos
	text string
}

// Find makes the plan for the regions of all files, whose nests were found.
func Find(p *scope.Program, nests []*nest.Nest, o Options) *Plan {
	f := &finder{program: p, o: o, plan: &Plan{Calls: map[*tree.File][]Call{}, Lines: map[*tree.File][]*source.Line{}}, launch: map[*tree.Do]*nest.Nest{},
		units: map[*tree.Unit]bool{}, done: map[*tree.Unit]bool{}, regions: map[*source.Line]*region{}, touched: map[touchKey]bool{},
		uses: map[*tree.Unit]*unitArray{}, files: map[int32]*tree.File{}, fresh: map[*tree.Unit]*freed{}, asked: map[*tree.Unit]bool{}, pointed: map[*tree.Unit]bool{}, dropped: map[*source.Line]bool{}}
	var list []*region
	for _, file := range p.Files {
		if file.Source != nil {
			f.files[file.Source.Index] = file
		}
		if o.Converted == nil || o.Converted(file) {
			for _, u := range file.Units {
				list = append(list, f.unit(u)...)
			}
		}
	}
	if len(list)+len(f.points) == 0 || o.Device == nil {
		return f.plan
	}
	f.seen = nest.NewSeen(p)
	for _, n := range nests {
		if n.Verdict != nest.Parallel || len(n.Loops) == 0 {
			continue
		}
		if n.Region != nil {
			for _, l := range n.Region.Lines {
				f.dropped[l] = true
			}
		}
		if n.Directive != nil {
			f.dropped[n.Directive.Line] = true
		}
		device, inside := o.Device(n)
		if device {
			inside = append(inside, n)
		}
		for _, x := range inside {
			f.launch[x.Loops[0].Do] = x
			f.units[n.Unit] = true
		}
	}
	f.plan.Regions = len(list)
	f.within = map[tree.Node]*region{}
	slices.SortStableFunc(list, func(a, b *region) int { // outer ones first
		return cmp.Or(cmp.Compare(a.begin.Span.From.File, b.begin.Span.From.File), cmp.Compare(a.begin.Span.From.Offset, b.begin.Span.From.Offset))
	})
	for _, r := range list {
		parts.Nodes(r.body, func(n tree.Node) { f.within[n] = r })
	}
	f.enter()
	for _, r := range list {
		f.region(r)
	}
	for file, calls := range f.plan.Calls {
		slices.SortStableFunc(calls, func(a, b Call) int { return cmp.Compare(a.At, b.At) })
		f.plan.Calls[file] = calls
	}
	return f.plan
}

func (f *finder) refuse(at token.Pos, text, remedy string) {
	if key := (touchKey{at, text}); !f.touched[key] {
		f.touched[key] = true
		f.plan.Refusals = append(f.plan.Refusals, nest.Refusal{Rule: "directive", At: at, Text: text, Remedy: remedy})
	}
}

func (f *finder) warn(at token.Pos, text, remedy string) {
	if key := (touchKey{at, text}); !f.touched[key] {
		f.touched[key] = true
		f.plan.Warnings = append(f.plan.Warnings, nest.Refusal{Rule: "directive", At: at, Text: text, Remedy: remedy})
	}
}

func (f *finder) note(at token.Pos, text, remedy string) {
	if key := (touchKey{at, text}); !f.touched[key] {
		f.touched[key] = true
		f.plan.Notes = append(f.plan.Notes, nest.Refusal{Rule: "directive", At: at, Text: text, Remedy: remedy})
	}
}

// accepted reports whether a directive of data counts.
func (f *finder) accepted(l *source.Line, d *directive.Data) bool {
	return d != nil && (l.Sentinel == "portable" || f.o.Accept[l.Sentinel])
}

// call adds lines at a place of a unit.
func (f *finder) call(u *tree.Unit, at token.Pos, after bool, lines []string) {
	if len(lines) == 0 {
		return
	}
	if u.File == nil || u.File.Source == nil || at.File != u.File.Source.Index {
		f.refuse(at, "this statement stands in an INCLUDE file: a data region needs a call in front of it", "move it into the source file")
		return
	}
	for _, c := range f.plan.Calls[u.File] { // a procedure with a region may run in another one
		if c.At == at.Offset && c.After == after && slices.Equal(c.Lines, lines) {
			return
		}
	}
	f.plan.Calls[u.File] = append(f.plan.Calls[u.File], Call{u, at.Offset, after, lines})
}
