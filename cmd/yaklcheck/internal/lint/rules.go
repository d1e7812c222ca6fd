package lint

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file writes the findings. shared.go decides on assignments.

type rules struct {
	p       *program
	o       Options
	threads *threads
	report  Report
	derived map[*procedure]map[string]bool
	told    map[telling]int // index of the finding
	liveout map[*scope.Symbol]bool
}

// telling identifies a finding: one in a procedure, with the lines where it occurs again.
type telling struct {
	rule Rule
	in   *procedure
	what *scope.Symbol
	name string
}

func newRules(p *program, o Options) *rules {
	return &rules{p: p, o: o, threads: reached(p), derived: map[*procedure]map[string]bool{}, told: map[telling]int{}, liveout: map[*scope.Symbol]bool{}}
}

func (r *rules) run() {
	for _, q := range r.threads.order {
		name := q.at.fullName()
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
	r.claims()
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
	for _, c := range calls(x) {
		if !c.sub || r.p.called(x.in, c.name) != "portable_liveout_get" && !(c.bound && c.name == "get") {
			continue
		}
		for _, a := range c.arguments {
			if v := r.p.variable(x.in, a.Value); v.symbol != nil {
				r.liveout[v.symbol] = true
			}
		}
	}
}

func (r *rules) dependent(q *procedure) map[string]bool {
	if d, known := r.derived[q]; known {
		return d
	}
	var inherited map[string]bool
	if host := r.p.of[unitOf(q.Parent)]; host != nil && r.threads.seen[host.Scope] {
		inherited = r.dependent(host)
	}
	d := r.p.derived(q, inherited)
	r.derived[q] = d
	return d
}

// fullName has the module or the host in front.
func (q *procedure) fullName() string {
	if host := unitOf(q.Parent); host != nil {
		return cmp.Or(host.Name, "the main program") + "::" + q.name
	}
	return q.name
}

func (r *rules) tell(q reach, f Finding, y *scope.Symbol) {
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
	f.Procedure, f.Kernel = q.at.fullName(), q.kernel.fullName()
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
	if s.recursive || s.ok || r.o.AllRecursive || s.Kind != scope.ProcedureScope {
		return
	}
	why := "is a kernel"
	if q.at != q.kernel {
		why = fmt.Sprintf("is called by the kernel '%s'", q.kernel.name)
	}
	f := Finding{Rule: NotRecursive, Where: r.p.place(s.where), Name: s.name,
		Text: fmt.Sprintf("'%s' %s, and is not RECURSIVE: several threads are in it at once, where -fcheck=all stops the second one", s.name, why)}
	if s.elemental { // recursive is allowed there since Fortran 2018 only
		f.Level = Hint
		f.Remedy = "compile with -frecursive, or write recursive in front of it, which Fortran 2018 allows for ELEMENTAL"
	}
	if f.Level != Hint || r.o.Hints {
		r.tell(q, f, nil)
	}
	list := slices.SortedFunc(slices.Values(s.Own()), func(a, b *scope.Symbol) int {
		return cmp.Or(cmp.Compare(a.Where.From.Line, b.Where.From.Line), cmp.Compare(a.Name, b.Name))
	})
	for _, y := range list {
		if y.Kind != scope.Variable || y.Dims == nil || y.Pointer || y.Saved || marked(y) || y.Dummy || y.Common != "" {
			continue
		}
		if bytes := bytes(y); bytes > 65536 {
			at := r.p.declared(y)
			r.tell(q, Finding{Rule: StaticArray, Where: at, Declared: at, Name: y.Name,
				Text: fmt.Sprintf("the array '%s' of '%s' has %d bytes: gfortran keeps it in static memory, one for all threads, because the "+
					"procedure is not RECURSIVE", y.Name, s.name, bytes)}, y)
		}
	}
}

// bytes is 0 if the extents are unknown or not constant.
func bytes(y *scope.Symbol) int64 {
	total := int64(max(1, y.Type.Kind))
	if y.Type.Base == scope.ComplexType {
		total *= 2
	}
	for _, d := range y.Dims {
		low, known := int64(1), true
		if d.Lower != nil {
			low, known = extent(y.Scope, d.Lower)
		}
		high, ok := extent(y.Scope, d.Upper)
		if !known || !ok || high < low || high-low > 1<<40 || total > math.MaxInt64/(1<<42) {
			return 0
		}
		total *= high - low + 1
	}
	return total
}

func extent(s *scope.Scope, e tree.Expression) (int64, bool) {
	if e == nil {
		return 0, false
	}
	v, ok := s.Constant(e)
	return v.Integer, ok && v.Type.Base == scope.Integer && v.Shape == nil && max(v.Integer, -v.Integer) <= 1<<40
}

func (r *rules) statement(q reach, x statement) {
	d := r.dependent(q.at)
	if x.guarded || r.p.oneOnly(x, d) {
		return
	}
	r.p.effects(x, func(e effect) { r.effect(q, x, e, d) })
	// Statements that threads must not execute.
	switch n := x.node.(type) {
	case *tree.Jump:
		if n.Kind == "stop" {
			r.tell(q, Finding{Rule: StopInKernel, Where: r.p.first(x), Name: "stop",
				Text: "STOP " + q.in() + " ends the program while other threads are at work"}, nil)
		}
	case *tree.Transfer:
		if !r.convertsText(x, n) {
			r.tell(q, Finding{Rule: InputOutput, Where: r.p.first(x), Name: n.Kind,
				Text: strings.ToUpper(n.Kind) + " " + q.in() + ": threads wait for each other, and lines come in any order"}, nil)
		}
	}
}

// convertsText reports whether a READ or WRITE has a text as its file, so that no other thread can meet it.
func (r *rules) convertsText(x statement, n *tree.Transfer) bool {
	return (n.Kind == "read" || n.Kind == "write") && len(n.Control) > 0 && r.p.isText(x.in, argument(n.Control, 0, "unit"))
}

// pointers finds loops over several POINTER arrays of other scopes, which gfortran does not vectorise.
func (r *rules) pointers(q reach) {
	names := map[*scope.Symbol]bool{}
	var first *statement
	for i, x := range q.at.statements {
		if !x.do || x.ok {
			continue
		}
		x.each(func(e tree.Expression) bool {
			_, n := byName(e)
			if n == nil {
				return true
			}
			y := r.p.meaning(x.in, n.Name).symbol
			if y == nil || !y.Pointer || !isArray(y) || y.Kind != scope.Variable || unitOf(y.Scope) == q.at.Scope {
				return true
			}
			names[y] = true
			if a, is := x.node.(*tree.Assignment); is && first == nil && root(a.Left) == n {
				first = &q.at.statements[i]
			}
			return true
		})
	}
	if first == nil || len(names) < 2 {
		return
	}
	var words, pairs []string
	for _, y := range slices.SortedFunc(maps.Keys(names), func(a, b *scope.Symbol) int { return cmp.Compare(a.Name, b.Name) }) {
		words, pairs = append(words, y.Name), append(pairs, y.Name+" => "+y.Name)
	}
	r.tell(q, Finding{Rule: PointerSpeed, Where: r.p.first(*first), Name: words[0],
		Text: fmt.Sprintf("the loop goes over the POINTER arrays %s: gfortran must assume that they overlap, and may not vectorise it",
			strings.Join(words, ", ")),
		Remedy: fmt.Sprintf("put the loops into associate (%s), with do concurrent innermost", strings.Join(pairs, ", "))}, nil)
}
