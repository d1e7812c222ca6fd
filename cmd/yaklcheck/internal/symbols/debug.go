package symbols

import (
	"cmp"
	"debug/dwarf"
	"iter"
	"slices"
	"sort"
)

// This file finds the unit of an address, and its frames. lines.go has the lines of a unit,
// procedures.go its procedures.

// Debug is the debugging information of one file.
type Debug struct {
	data  *dwarf.Data
	units []*unit // by offset
	spans spans[*unit]
	split bool // -gsplit-dwarf: the file has a skeleton only
}

// unit is the result of one compilation.
type unit struct {
	of       *Debug
	entry    *dwarf.Entry
	language int64

	linesRead bool
	files     []string
	sequences []sequence // by address

	walked   bool
	entities map[dwarf.Offset]entity
	spans    spans[*procedure] // inner ones come after outer ones
	main     string            // name of the main program, if this unit has it
}

// span is a range of addresses and what lies there.
type span[T any] struct {
	low, high uint64
	of        T
}

// spans are ranges by address. They may overlap.
type spans[T any] []span[T]

func (s spans[T]) sort() {
	slices.SortStableFunc(s, func(a, b span[T]) int { return cmp.Compare(a.low, b.low) })
}

// at yields what holds an address, the last range first. It examines the last `most` ranges that begin before the address.
func (s spans[T]) at(address uint64, most int) iter.Seq[T] {
	return func(yield func(T) bool) {
		end := sort.Search(len(s), func(i int) bool { return s[i].low > address })
		for _, r := range slices.Backward(s[max(end-most, 0):end]) {
			if address < r.high && !yield(r.of) {
				return
			}
		}
	}
}

// nearby is the number of units to examine: units of one program may interleave by section, but hardly overlap.
const nearby = 8

// Numbers of DWARF that package dwarf does not name.
const (
	attrDwoName     = dwarf.Attr(0x76)
	attrGNUDwoName  = dwarf.Attr(0x2130)
	attrMIPSLinkage = dwarf.Attr(0x2007) // before DWARF 4
	callingProgram  = 2
)

// Text is an attribute that is a text, or "".
func Text(e *dwarf.Entry, a dwarf.Attr) string { s, _ := e.Val(a).(string); return s }

// Integer is an attribute that is a number, or 0.
func Integer(e *dwarf.Entry, a dwarf.Attr) int64 { n, _ := e.Val(a).(int64); return n }

func newDebug(data *dwarf.Data) (*Debug, error) {
	d := &Debug{data: data}
	r := data.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			break
		}
		r.SkipChildren()
		if e.Tag != dwarf.TagCompileUnit && e.Tag != dwarf.TagSkeletonUnit {
			continue
		}
		u := &unit{of: d, entry: e, language: Integer(e, dwarf.AttrLanguage)}
		d.units = append(d.units, u)
		if e.Val(attrDwoName) != nil || e.Val(attrGNUDwoName) != nil {
			d.split = true
		}
		ranges, err := data.Ranges(e)
		if err != nil || len(ranges) == 0 {
			ranges = u.lineRanges()
		}
		for _, s := range ranges {
			if real(s) {
				d.spans = append(d.spans, span[*unit]{s[0], s[1], u})
			}
		}
	}
	d.spans.sort()
	return d, nil
}

// real reports whether a range has code: the linker puts what it drops at 0 or 1.
func real(r [2]uint64) bool { return r[0] > 1 && r[0] < r[1] }

// frames returns the procedures at an address, the innermost first; none if the address has no debug information.
func (d *Debug) frames(at uint64) []Frame {
	for u := range d.spans.at(at, nearby) {
		if frames := u.frames(at); len(frames) > 0 {
			return frames
		}
	}
	return nil
}

func (u *unit) frames(at uint64) []Frame {
	here, hasLine := u.line(at)
	path := u.path(at)
	if len(path) == 0 {
		if !hasLine {
			return nil
		}
		return []Frame{{File: here.file, Line: here.line, Column: here.column}}
	}
	frames := make([]Frame, len(path))
	for i, p := range path { // the outermost first
		f := &frames[len(path)-1-i]
		f.Procedure, f.Scope = u.name(p.entry)
		f.Inlined = i > 0
		f.first = u.first(f.Procedure)
		f.File, f.Line, f.Column = here.file, here.line, here.column
		if i+1 < len(path) {
			inner := path[i+1]
			f.File, f.Line, f.Column = u.file(inner.callFile), inner.callLine, inner.callColumn
		}
		if p.ranges != nil {
			f.Offset = at - p.ranges[0][0]
		}
	}
	return frames
}

// first reports whether a name is that of the main program: Fortran's, or else C's main.
func (u *unit) first(name string) bool {
	return name != "" && name == u.main || name == "main" && !fortran(u.language)
}

// unitOf is the unit of an entry.
func (d *Debug) unitOf(offset dwarf.Offset) *unit {
	i := sort.Search(len(d.units), func(i int) bool { return d.units[i].entry.Offset > offset })
	if i == 0 {
		return nil
	}
	return d.units[i-1]
}
