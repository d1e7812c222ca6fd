package columns

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// Plan is what the clauses of a program ask for.
type Plan struct {
	Faults []Fault
	Notes  []Note
	// Names are the names of arguments that stand for data of modules, with the user's names.
	Names map[string]string
	// Shared are the data that stay one for all columns, with the reason.
	Shared map[string]string

	program   *scope.Program
	converted func(*tree.File) bool
	regions   []*region
	by        map[*tree.Unit]*procedure
	order     []*procedure
	private   map[*scope.Symbol]*scratch
	used      map[string]bool // names of all files
	all       *text           // of all files; nil: not made yet
	files     map[*tree.File]*rewrite.Changes
	copies    map[string]bool
}

// Fault is a clause that cannot be taken.
type Fault struct {
	At           token.Pos
	Text, Remedy string
}

// Note is a dimension that is inserted.
type Note struct {
	At   token.Pos // of the declaration, or of the argument
	Of   token.Pos // of the statement behind the directive
	Name string
	Text string
}

// region is a call or the loops behind a directive with columns.
type region struct {
	file    *tree.File
	unit    *tree.Unit
	scope   *scope.Scope
	d       *directive.Directive
	node    tree.Node
	call    *tree.Call
	text    *text
	level   bool                        // a loop over levels, or a call, in a procedure whose callers pass all columns
	wide    []wide                      // variables with a value for each column
	indices map[*tree.Argument][]string // what stands behind an actual argument
	reached []*procedure
}

// Find makes the plan of a program. converted reports whether a file is converted. A program without the clause has an empty plan.
func Find(p *scope.Program, converted func(*tree.File) bool) *Plan {
	plan := &Plan{program: p, converted: converted, Names: map[string]string{}, Shared: map[string]string{}, by: map[*tree.Unit]*procedure{},
		private: map[*scope.Symbol]*scratch{}, used: map[string]bool{}, files: map[*tree.File]*rewrite.Changes{}, copies: map[string]bool{}}
	for _, f := range p.Files {
		plan.file(f)
	}
	if len(plan.regions) == 0 {
		return plan
	}
	for _, f := range p.Files {
		for _, l := range f.Lines {
			for _, t := range l.Tokens {
				if t.Kind == token.Name {
					plan.used[t.Text] = true
				}
			}
		}
	}
	plan.follow()
	plan.levels()
	plan.choose()
	plan.between()
	plan.write()
	return plan
}

func (p *Plan) fault(at token.Pos, remedy, format string, values ...any) {
	f := Fault{At: at, Text: fmt.Sprintf(format, values...), Remedy: remedy}
	in := slices.IndexFunc(p.program.Files, func(x *tree.File) bool { return x.Source.Index == at.File })
	if len(p.regions) > 0 && (in < 0 || !p.converted(p.program.Files[in])) { // messages are about files that are converted
		f.At = p.regions[0].d.Line.Span.From
		if in >= 0 {
			f.Text += " (" + p.place(at) + ")"
		}
	}
	if !slices.Contains(p.Faults, f) {
		p.Faults = append(p.Faults, f)
	}
}

// file finds the regions of a file. A directive that stands before no statement of its kind is a fault.
func (p *Plan) file(f *tree.File) {
	open := map[*source.Line]directive.Parsed{}
	for _, l := range f.Lines {
		if l.Kind == source.Directive && l.Sentinel == "portable" {
			if d := directive.Parse(l); d.Role == directive.Loop && len(d.Directive.Columns) > 0 {
				open[l] = d
			}
		}
	}
	if len(open) == 0 {
		return
	}
	for _, u := range f.Units {
		p.unit(f, u, open)
	}
	for _, l := range f.Lines {
		if _, is := open[l]; is {
			p.fault(l.Span.From, "write it in the line before the call, or before the loops over the columns", "columns is written, but no CALL and no counted DO follows the directive")
		}
	}
}

func (p *Plan) unit(f *tree.File, u *tree.Unit, open map[*source.Line]directive.Parsed) {
	if s := p.program.Of(u); s != nil && !u.Interface {
		p.block(f, u, s, u.Body, open)
	}
	for _, inner := range u.Contains {
		p.unit(f, inner, open)
	}
}

func (p *Plan) block(f *tree.File, u *tree.Unit, s *scope.Scope, body []tree.Node, open map[*source.Line]directive.Parsed) {
	for _, n := range body {
		if n == nil {
			continue
		}
		for _, b := range n.Info().Before {
			d, is := open[b.Line]
			call, isCall := n.(*tree.Call)
			do, isDo := n.(*tree.Do)
			if !is || !isCall && (!isDo || do.Kind != tree.Counted) {
				continue
			}
			delete(open, b.Line)
			for _, x := range d.Problems {
				if isCall { // package nest reports those of loops
					p.fault(x.At, x.Remedy, "%s", x.Text)
				}
			}
			r := &region{file: f, unit: u, scope: s, d: d.Directive, node: n, call: call, text: newText(p.program), indices: map[*tree.Argument][]string{}}
			if len(d.Problems) == 0 && p.fits(r) {
				r.text.statement(s, n)
				for _, c := range d.Directive.Columns {
					if y := s.Lookup(c.Name); isCall || r.level {
						if at := r.text.writes[y]; at.Known() && r.level {
							p.fault(at, "use another variable there", "the index '%s' of columns is set in the loop over levels", c.Name)
						}
						r.text.note(y, n.Info().Where.From)
						r.text.indices = append(r.text.indices, y)
					}
				}
				p.regions = append(p.regions, r)
			}
		}
		inside := s
		if x := p.program.Inside(n); x != nil {
			inside = x
		}
		for k, b := range parts.Blocks(n) {
			own := inside
			if sel, is := n.(*tree.Select); is && sel.Kind != "case" {
				if x := p.program.Case(sel, k); x != nil {
					own = x
				}
			}
			p.block(f, u, own, b, open)
		}
	}
}

// fits tests what stands behind the directive.
func (p *Plan) fits(r *region) bool {
	at := r.d.Line.Span.From
	before := len(p.Faults)
	line := r.node.Info().Line
	if !p.converted(r.file) {
		return false // another run converts the file
	}
	if r.d.Line.Nested || line.Nested || r.d.Line.If || line.If {
		p.fault(at, "write it in the source itself", "columns stands in an INCLUDE file, or in a line of conditional compilation")
		return false
	}
	for _, c := range r.d.Columns {
		y := r.scope.Lookup(c.Name)
		if y.Kind != scope.Variable || y.Type.Base != scope.Integer || len(y.Dims) > 0 || y.Pointer {
			p.fault(c.At, "declare it: integer :: "+c.Name, "the index '%s' of columns is no integer variable", c.Name)
		}
	}
	for _, c := range r.d.Columns {
		for _, other := range r.d.Columns {
			if slices.Contains(c.Names, other.Name) {
				p.fault(c.At, "write the loops by hand", "the bounds of '%s' mention '%s', and columns has the same bounds for all", c.Name, other.Name)
			}
		}
	}
	if r.call != nil {
		if r.call.Label != 0 || !alone(r.file, line) {
			p.fault(at, "give the call a line of its own, without a label", "the call behind columns has a label, or shares its line with another statement")
		}
		if len(p.Faults) == before {
			p.actuals(r)
		}
		return len(p.Faults) == before
	}
	p.loops(r)
	return len(p.Faults) == before
}

// alone reports whether no other statement stands on the lines of one.
func alone(f *tree.File, line *source.Line) bool {
	return !slices.ContainsFunc(f.Lines, func(l *source.Line) bool {
		return l != line && !l.Nested && l.Span.From.File == line.Span.From.File && l.Lines[0] <= line.Lines[1] && l.Lines[1] >= line.Lines[0]
	})
}

// loops compares the loops behind a directive with the indices of columns.
func (p *Plan) loops(r *region) {
	at := r.d.Line.Span.From
	left := slices.Clone(r.d.Columns)
	do := r.node.(*tree.Do)
	for {
		k := slices.IndexFunc(left, func(c directive.Column) bool { return c.Name == do.Variable })
		if k < 0 && len(left) == len(r.d.Columns) {
			r.level = true
			break
		}
		if k < 0 {
			var names []string
			for _, c := range left {
				names = append(names, c.Name)
			}
			p.fault(at, "write the directive before the call of the physics, or before the loops over its columns",
				"columns is written before the loop '%s', which is no loop over columns (%s)", do.Variable, strings.Join(names, ", "))
			return
		}
		c := left[k]
		if first, last := parts.Show(do.First), parts.Show(do.Last); first != c.First || last != c.Last || do.Step != nil && parts.Show(do.Step) != "1" {
			p.fault(at, "write the same bounds", "columns(%s=%s:%s) is written, but the loop at line %d runs from %s to %s", c.Name, c.First, c.Last, do.Where.From.Line, first, last)
			return
		}
		left = slices.Delete(left, k, k+1)
		if len(left) == 0 {
			break
		}
		inner := (*tree.Do)(nil)
		for _, n := range do.Body {
			if x, is := n.(*tree.Do); is && x.Kind == tree.Counted && inner == nil {
				inner = x
			} else if n != nil {
				inner = nil
				break
			}
		}
		if inner == nil {
			p.fault(at, "nest the loops perfectly, or leave the index out", "columns names '%s', but no loop over it is all of the loop '%s'", left[0].Name, do.Variable)
			return
		}
		do = inner
	}
	end := r.node.(*tree.Do).End.Line
	if line := r.node.Info().Line; r.node.Info().Label != 0 || end == nil || end.Nested || !alone(r.file, line) || !alone(r.file, end) {
		p.fault(at, "give the first and the last line of the loops no label and no other statement", "the loops behind columns have a label, or share a line with another statement")
	}
}
