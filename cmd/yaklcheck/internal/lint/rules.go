package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes the findings. shared.go decides on assignments.

type rules struct {
	p       *program
	o       Options
	threads *threads
	report  Report
	derived map[*scope]map[string]bool
	told    map[telling]int // index of the finding
	liveout map[*symbol]bool
}

// telling identifies a finding: one in a procedure, with the lines where it occurs again.
type telling struct {
	rule Rule
	in   *scope
	what *symbol
	name string
}

func newRules(p *program, o Options) *rules {
	return &rules{p: p, o: o, threads: reached(p), derived: map[*scope]map[string]bool{}, told: map[telling]int{}, liveout: map[*symbol]bool{}}
}

func (r *rules) run() {
	for _, q := range r.threads.order {
		name := procedureName(q.at)
		if q.at == q.kernel {
			r.report.Kernels = append(r.report.Kernels, name)
		} else {
			r.report.Called = append(r.report.Called, name)
		}
	}
	r.report.NotSeen = slices.Sorted(maps.Keys(r.threads.unknown))
	for _, s := range r.p.procedures {
		for _, x := range s.statements {
			r.liveOuts(x)
			if !x.ok {
				r.bounds(x)
			}
		}
	}
	for _, q := range r.threads.order {
		r.procedure(q)
		for _, x := range q.at.statements {
			if !x.ok {
				r.statement(q, x)
			}
		}
		if r.o.Hints {
			r.pointers(q)
		}
	}
}

// liveOuts: a pointer that live_out_get has set is the library's memory for one value.
func (r *rules) liveOuts(x statement) {
	for _, c := range calls(x.t) {
		if !c.sub || r.p.called(x.scope, c.name.word) != "portable_liveout_get" && !(c.bound && c.name.word == "get") {
			continue
		}
		for _, a := range c.args {
			if len(a) > 0 && a[0].kind == name {
				y, _, _ := r.p.variable(x.scope, a)
				r.liveout[y] = y != nil
			}
		}
	}
}

func (r *rules) dependent(s *scope) map[string]bool {
	if d, known := r.derived[s]; known {
		return d
	}
	var inherited map[string]bool
	if host := s.parent.procedure(); host != nil && host.kind == procedureScope && r.threads.has(host) {
		inherited = r.dependent(host)
	}
	d := r.p.derived(s, inherited)
	r.derived[s] = d
	return d
}

func procedureName(s *scope) string {
	if s.parent != nil && s.parent.procedure() != nil {
		return s.parent.procedure().name + "::" + s.name
	}
	return s.name
}

func (r *rules) tell(q reach, f Finding, y *symbol) {
	key := telling{f.Rule, q.at, y, f.Name}
	if i, known := r.told[key]; known {
		also := fmt.Sprintf("; also at line %d", f.Where.Line)
		old := &r.report.Findings[i]
		if old.Where.Line == f.Where.Line {
			return
		}
		if strings.Contains(old.Text, "; also at line ") {
			also = fmt.Sprintf(", %d", f.Where.Line)
		}
		if !strings.HasSuffix(old.Text, also) && strings.Count(old.Text, ", ") < 12 {
			old.Text += also
		}
		return
	}
	f.Procedure, f.Kernel = procedureName(q.at), procedureName(q.kernel)
	f.complete()
	r.told[key] = len(r.report.Findings)
	r.report.Findings = append(r.report.Findings, f)
}

// in names the procedure of a statement, and the kernel that calls it.
func (q reach) in() string {
	if q.at == q.kernel {
		return fmt.Sprintf("in the kernel '%s'", q.at.name)
	}
	return fmt.Sprintf("in '%s' (called by the kernel '%s')", q.at.name, q.kernel.name)
}

// procedure checks the procedure itself.
func (r *rules) procedure(q reach) {
	s := q.at
	if s.recursive || s.ok || r.o.AllRecursive || s.kind != procedureScope {
		return
	}
	why := "is a kernel"
	if q.at != q.kernel {
		why = fmt.Sprintf("is called by the kernel '%s'", q.kernel.name)
	}
	f := Finding{Rule: NotRecursive, Where: s.where, Name: s.name,
		Text: fmt.Sprintf("'%s' %s, and is not RECURSIVE: several threads are in it at once, where -fcheck=all stops the second one", s.name, why)}
	if s.elemental { // recursive is allowed there since Fortran 2018 only
		f.Level = Hint
		f.Remedy = "compile with -frecursive, or write recursive in front of it, which Fortran 2018 allows for ELEMENTAL"
	}
	if f.Level != Hint || r.o.Hints {
		r.tell(q, f, nil)
	}
	inOrder := func(a, b *symbol) int {
		return cmp.Or(cmp.Compare(a.where.Line, b.where.Line), cmp.Compare(a.name, b.name))
	}
	for _, y := range slices.SortedFunc(maps.Values(s.symbols), inOrder) {
		if !y.array || y.pointer || y.parameter || y.saved || y.ok || s.isArgument(y.name) || y.common != "" || !y.declared {
			continue
		}
		if bytes := r.p.bytes(s, y); bytes > 65536 {
			r.tell(q, Finding{Rule: StaticArray, Where: y.where, Declared: y.where, Name: y.name,
				Text: fmt.Sprintf("the array '%s' of '%s' has %d bytes: gfortran keeps it in static memory, one for all threads, because the "+
					"procedure is not RECURSIVE", y.name, s.name, bytes)}, y)
		}
	}
}

func (r *rules) statement(q reach, x statement) {
	d := r.dependent(q.at)
	if x.guarded || r.p.oneOnly(x, d) {
		return
	}
	r.p.effects(x, func(e effect) { r.effect(q, x, e, d) })
	r.doing(q, x, x.t)
}

// doing checks for statements that threads must not execute.
func (r *rules) doing(q reach, x statement, t []token) {
	switch w := at(t, 0).word; {
	case w == "if" && at(t, 1).is("("):
		if end := closing(t, 1); end+1 < len(t) {
			r.doing(q, x, t[end+1:])
		}
	case isAssignment(t):
	case w == "stop":
		r.tell(q, Finding{Rule: StopInKernel, Where: where(x), Name: "stop",
			Text: "STOP " + q.in() + " ends the program while other threads are at work"}, nil)
	case isIO(t) && !r.convertsText(x, t):
		r.tell(q, Finding{Rule: InputOutput, Where: where(x), Name: w,
			Text: strings.ToUpper(w) + " " + q.in() + ": threads wait for each other, and lines come in any order"}, nil)
	}
}

// convertsText reports whether a READ or WRITE has a text as its file, so that no other thread can meet it.
func (r *rules) convertsText(x statement, t []token) bool {
	control := list(inParentheses(t, 1))
	return (t[0].word == "read" || t[0].word == "write") && len(control) > 0 && r.p.isText(x.scope, control[0])
}

func where(x statement) Place { return Place{x.file, int(x.line())} }

// pointers finds loops over several POINTER arrays of other scopes, which gfortran does not vectorise.
func (r *rules) pointers(q reach) {
	names := map[*symbol]bool{}
	var first statement
	assigns := false
	for _, x := range q.at.statements {
		if !x.do || x.ok {
			continue
		}
		for i, w := range x.t {
			if w.kind != name || !at(x.t, i+1).is("(") || i > 0 && x.t[i-1].is("%") {
				continue
			}
			m := r.p.lookup(x.scope, w.word)
			if y := m.symbol; y != nil && y.pointer && y.array && y.alias == nil && y.scope.procedure() != q.at {
				names[y] = true
				if i == 0 && isAssignment(x.t) && !assigns {
					assigns, first = true, x
				}
			}
		}
	}
	if !assigns || len(names) < 2 {
		return
	}
	var words, pairs []string
	for _, y := range slices.SortedFunc(maps.Keys(names), func(a, b *symbol) int { return cmp.Compare(a.name, b.name) }) {
		words, pairs = append(words, y.name), append(pairs, y.name+" => "+y.name)
	}
	r.tell(q, Finding{Rule: PointerSpeed, Where: where(first), Name: words[0],
		Text: fmt.Sprintf("the loop goes over the POINTER arrays %s: gfortran must assume that they overlap, and may not vectorise it",
			strings.Join(words, ", ")),
		Remedy: fmt.Sprintf("put the loops into associate (%s), with do concurrent innermost", strings.Join(pairs, ", "))}, nil)
}
