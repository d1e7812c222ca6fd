package lint

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file finds assignments of several threads to one variable.

// owner is the owner of a variable that a statement assigns.
type owner int

const (
	itsOwn owner = iota // of the call, or unknown
	ofAll
	savedHere
)

func (r *rules) owner(y *scope.Symbol) owner {
	s := unitOf(y.Scope)
	switch {
	case s == nil || s.Name == "" && s.Kind != scope.ProgramScope || y.ThreadPrivate || y.Kind != scope.Variable:
		return itsOwn
	case y.Common != "" || s.Kind != scope.ProcedureScope:
		return ofAll
	case y.Dummy && r.threads.seen[s]:
		return itsOwn
	case r.threads.seen[s]:
		if y.Saved && !y.Result {
			return savedHere
		}
		return itsOwn
	}
	return ofAll
}

// marked reports whether the escape comment is at a declaration of the symbol.
func marked(y *scope.Symbol) bool {
	return slices.ContainsFunc(y.Decls, func(d tree.Declaration) bool {
		_, is := d.(*tree.Variables)
		return is && d.Info().Line.Marked
	})
}

// effect reports a variable that is shared, unless threads assign different elements of it.
func (r *rules) effect(q reach, x statement, e effect, d map[string]bool) {
	v := r.p.variable(x.in, e.at)
	y, whose := v.symbol, ofAll
	in := x.in
	switch {
	case y != nil && (marked(y) || r.liveout[y]):
		return
	case y != nil:
		if whose = r.owner(y); whose == itsOwn {
			return
		}
		in = y.Scope
	case v.module == "":
		return
	}
	subscripts := v.subscripts()
	if r.p.depends(x.in, d, subscripts...) || r.p.depends(in, d, subscripts...) {
		r.scattered(q, x, e, v)
		return
	}
	if e.array && r.p.depends(x.in, d, e.others...) {
		return // the procedure can tell the threads' parts of the array apart
	}
	f := Finding{Where: r.p.place(e.at.Span().From), Name: v.name}
	if y != nil {
		f.Declared = r.p.declared(y)
	}
	r.describe(&f, q, x, e, v, whose)
	r.tell(q, f, y)
}

func (r *rules) describe(f *Finding, q reach, x statement, e effect, v target, whose owner) {
	y, alias := v.symbol, root(e.at).Name
	part := "'" + r.p.designator(&v) + "'"
	if v.name != alias {
		part += " (as '" + alias + "')"
	}
	what := howText[e.how]
	if e.how == passed {
		what = "given to '" + e.to + "', which assigns it,"
	}
	f.Text = fmt.Sprintf("%s is %s %s, but %s", part, what, q.in(), declaredWhere(v, whose))
	switch op := r.p.reduction(x, e, v.name); {
	case whose == savedHere:
		f.Rule = SavedLocal
		if isArray(y) {
			f.Remedy = "leave SAVE out, or give each thread a part of its own"
		}
	case e.how == pointed || e.how == allocatedHere:
		f.Rule = SharedPointer
	case op != "":
		f.Rule = SharedSum
		f.Remedy = fmt.Sprintf("make the loop a parallel_reduce with op='%s'; for few updates, %s", op, atomics[op])
	case y != nil && isArray(y) || y == nil && !v.whole():
		f.Rule = SharedArray
	default:
		f.Rule = SharedScalar
		f.Remedy = "declare it in " + place(q)
	}
}

var atomics = map[string]string{"sum": "add_atomically", "min": "min_atomically", "max": "max_atomically", "product": "OpenMP's atomic",
	"any": "OpenMP's atomic", "all": "OpenMP's atomic"}

func place(q reach) string {
	if q.at == q.kernel {
		return "the kernel"
	}
	return "'" + q.at.name + "', or hand it over as an argument"
}

func declaredWhere(v target, whose owner) string {
	if v.symbol == nil {
		return fmt.Sprintf("it comes from the module '%s', which is not among these files: all threads share it", v.module)
	}
	s := unitOf(v.symbol.Scope)
	switch {
	case v.symbol.Common != "":
		return fmt.Sprintf("it is in COMMON %s: all threads share it", v.symbol.Common)
	case whose == savedHere:
		return "it is SAVE, by that word, a value in its declaration or DATA: all threads share it"
	case s.Kind == scope.ProgramScope && s.Name == "":
		return "it is declared in the main program: all threads share it"
	}
	kinds := map[scope.Kind]string{scope.ModuleScope: "module", scope.ProgramScope: "program", scope.ProcedureScope: "procedure"}
	return fmt.Sprintf("it is declared in the %s '%s': all threads share it", kinds[s.Kind], s.Name)
}

var operations = map[string]string{"+": "sum", "-": "sum", "*": "product", ".or.": "any", ".and.": "all"}

// reduction is the operation of s = s + ..., s = min(s, ...), if (x < s) s = x and their kin; "": it is no reduction.
func (p *program) reduction(x statement, e effect, n string) string {
	if e.how != assigned || len(e.from) == 0 {
		return ""
	}
	is := func(other tree.Expression) bool { return p.spelled(other) == p.spelled(e.at) }
	value := e.from[0]
	if r, call := value.(*tree.Reference); call {
		fn := strings.TrimSuffix(strings.TrimLeft(p.spelled(r.Base), "ad"), "1")
		for _, a := range r.Arguments {
			if (fn == "min" || fn == "max") && a.Value != nil && (is(a.Value) || p.spelled(a.Value) == n) {
				return fn
			}
		}
	}
	for _, last := range []bool{false, true} { // the first operand, or the last one
		at, op := value, ""
		for b, binary := at.(*tree.Binary); binary; b, binary = at.(*tree.Binary) {
			if at, op = b.X, b.Operator; last {
				at = b.Y
			}
		}
		if op != "" && (!last || op != "-") && is(at) {
			return operations[op]
		}
	}
	for _, g := range x.guards { // if (x < s) s = x
		b, binary := g.(*tree.Binary)
		if !binary || !strings.Contains("<=>=", b.Operator) {
			continue
		}
		less := b.Operator[0] == '<'
		switch text := p.spelled(value); {
		case is(b.Y) && p.spelled(b.X) == text && less, is(b.X) && p.spelled(b.Y) == text && !less:
			return "min"
		case is(b.Y) && p.spelled(b.X) == text, is(b.X) && p.spelled(b.Y) == text:
			return "max"
		}
	}
	return ""
}

// scattered reports a sum into an element that data choose: two threads may choose the same one.
func (r *rules) scattered(q reach, x statement, e effect, v target) {
	y, op := v.symbol, r.p.reduction(x, e, v.name)
	if !r.o.Hints || op == "" || y == nil || y.Kind == scope.Alias {
		return
	}
	loops := map[string]bool{}
	for _, y := range q.at.Own() {
		if y.Dummy {
			loops[y.Name] = true
		}
	}
	for _, s := range q.at.statements {
		r.p.parts(s, func(e effect) {
			if e.how == loopVariable {
				loops[root(e.at).Name] = true
			}
		})
	}
	d := r.dependent(q.at)
	for _, part := range v.subscripts() {
		if r.chosenByLoops(x.in, part, loops, d) {
			return
		}
	}
	r.tell(q, Finding{Rule: ScatteredSum, Where: r.p.first(x), Declared: r.p.declared(y), Name: y.Name,
		Text:   fmt.Sprintf("'%s' is updated %s, and which element that is depends on data: two threads may update the same one", r.p.designator(&v), q.in()),
		Remedy: fmt.Sprintf("if indices can be equal: %s; if not, say so with ! yaklcheck: ok", atomics[op])}, y)
}

// chosenByLoops reports whether a subscript has an index of a loop and nothing that differs between threads otherwise.
func (r *rules) chosenByLoops(s *scope.Scope, e tree.Expression, loops, d map[string]bool) bool {
	plain, index := true, false
	within(e, func(e tree.Expression) bool {
		switch e := e.(type) {
		case *tree.Reference:
			if n, is := e.Base.(*tree.Name); is && !loops[n.Name] {
				plain = false
			}
		case *tree.Name:
			if y := r.p.variable(s, e).symbol; y != nil && slices.ContainsFunc(indices(y.Scope), func(i tree.Index) bool { return i.Name == y.Name }) {
				index = true
				return true
			}
			index = index || loops[e.Name]
			plain = plain && (loops[e.Name] || !d[e.Name])
		}
		return true
	})
	return plain && index
}
