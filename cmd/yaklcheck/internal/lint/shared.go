package lint

import (
	"fmt"
	"slices"
)

// This file finds assignments of several threads to one variable.

// owner is the owner of a variable that a statement assigns.
type owner int

const (
	itsOwn owner = iota // of the call, or unknown
	ofAll
	savedHere
)

func (r *rules) owner(q reach, y *symbol) owner {
	s := y.scope.procedure()
	switch {
	case s == nil || y.private || y.parameter || y.external || y.alias != nil:
		return itsOwn
	case y.common != "":
		if b := s.symbols[y.common]; b != nil && b.private {
			return itsOwn
		}
		return ofAll
	case s.kind != procedureScope:
		return ofAll
	case s.isArgument(y.name) && r.threads.has(s):
		return itsOwn
	case r.threads.has(s):
		if (y.saved || s.saveAll) && y.name != s.result {
			return savedHere
		}
		return itsOwn
	}
	return ofAll
}

// effect reports a variable that is shared, unless threads assign different elements of it.
func (r *rules) effect(q reach, x statement, e effect, d map[string]bool) {
	y, full, m := r.p.variable(x.scope, e.t)
	whose := ofAll
	switch {
	case y != nil && (y.ok || r.liveout[y]):
		return
	case y != nil:
		if whose = r.owner(q, y); whose == itsOwn {
			return
		}
	case m.module == "":
		return
	}
	if r.p.depends(x.scope, subscripts(full), d) || r.p.depends(y.scopeOr(x.scope), subscripts(full), d) {
		r.scattered(q, x, e, y, full)
		return
	}
	if e.array && !r.alike(x, e, d) {
		return
	}
	f := Finding{Where: Place{x.file, int(e.t[0].line)}, Name: full[0].word}
	if y != nil {
		f.Declared = y.where
	}
	r.describe(&f, q, x, e, y, whose, full, m)
	r.tell(q, f, y)
}

func (y *symbol) scopeOr(s *scope) *scope {
	if y == nil {
		return s
	}
	return y.scope
}

// alike reports whether all threads pass the same arguments, so that the procedure cannot tell their parts of an array
// apart.
func (r *rules) alike(x statement, e effect, d map[string]bool) bool {
	return !slices.ContainsFunc(e.others, func(a []token) bool { return r.p.depends(x.scope, a, d) })
}

// subscripts is all text between parentheses of a designator.
func subscripts(t []token) (out []token) {
	for i := 0; i < len(t); i++ {
		if t[i].is("(") {
			end := closing(t, i)
			out = append(append(out, token{sign, ",", t[i].line}), t[i+1:min(end, len(t))]...)
			i = end
		}
	}
	return out
}

func (r *rules) describe(f *Finding, q reach, x statement, e effect, y *symbol, whose owner, full []token, m meaning) {
	array := y != nil && y.array || y == nil && len(full) > 1
	part := "'" + spelled(full) + "'"
	if full[0].word != e.t[0].word {
		part += " (as '" + e.t[0].word + "')"
	}
	what := howText[e.how]
	if e.how == passed {
		what = "given to '" + e.to + "', which assigns it,"
	}
	f.Text = fmt.Sprintf("%s is %s %s, but %s", part, what, q.in(), declaredWhere(y, whose, m))
	switch op := reduction(x, e, full[0].word); {
	case whose == savedHere:
		f.Rule = SavedLocal
		if y.array {
			f.Remedy = "leave SAVE out, or give each thread a part of its own"
		}
	case e.how == pointed || e.how == allocatedHere:
		f.Rule = SharedPointer
	case op != "":
		f.Rule = SharedSum
		f.Remedy = fmt.Sprintf("make the loop a parallel_reduce with op='%s'; for few updates, %s", op, atomics[op])
	case array:
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

func declaredWhere(y *symbol, whose owner, m meaning) string {
	if y == nil {
		return fmt.Sprintf("it comes from the module '%s', which is not among these files: all threads share it", m.module)
	}
	s := y.scope.procedure()
	if y.common != "" {
		return fmt.Sprintf("it is in COMMON %s: all threads share it", y.common)
	}
	if whose == savedHere {
		return "it is SAVE, by that word, a value in its declaration or DATA: all threads share it"
	}
	if s.name == "the main program" {
		return "it is declared in the main program: all threads share it"
	}
	kinds := map[scopeKind]string{moduleScope: "module", programScope: "program", procedureScope: "procedure"}
	return fmt.Sprintf("it is declared in the %s '%s': all threads share it", kinds[s.kind], s.name)
}

func spelled(t []token) (out string) {
	for _, w := range t {
		if w.kind == text {
			out += "'" + w.word + "'"
		} else {
			out += w.word
		}
	}
	return out
}

var isLess = map[string]bool{"<": true, ".lt.": true, "<=": true, ".le.": true, ">": false, ".gt.": false, ">=": false, ".ge.": false}

// reduction is the operation of s = s + ..., s = min(s, ...), if (x < s) s = x and their kin; "": it is no reduction.
func reduction(x statement, e effect, n string) string {
	if e.how != assigned || len(e.rhs) == 0 {
		return ""
	}
	for _, fn := range []string{"min", "max"} {
		if e.rhs[0].isName(fn) || e.rhs[0].isName("a"+fn+"1") || e.rhs[0].isName("d"+fn+"1") {
			for _, a := range list(inParentheses(e.rhs, 1)) {
				if len(a) == 1 && a[0].isName(n) || spelled(a) == spelled(e.t) {
					return fn
				}
			}
		}
	}
	ops := map[string]string{"+": "sum", "-": "sum", "*": "product", ".or.": "any", ".and.": "all"}
	size := len(e.t)
	if len(e.rhs) > size && spelled(e.rhs[:size]) == spelled(e.t) && e.rhs[size].kind == sign {
		return ops[e.rhs[size].word]
	}
	if last := len(e.rhs) - size; last > 1 && spelled(e.rhs[last:]) == spelled(e.t) && e.rhs[last-1].kind == sign && e.rhs[last-1].word != "-" {
		return ops[e.rhs[last-1].word]
	}
	for _, g := range x.guards { // if (x < s) s = x
		for i, w := range g {
			less, is := isLess[w.word]
			if !is || w.kind != sign {
				continue
			}
			left, right := spelled(g[:i]), spelled(g[i+1:])
			if right == spelled(e.t) && left == spelled(e.rhs) || left == spelled(e.t) && right == spelled(e.rhs) {
				if less == (right == spelled(e.t)) {
					return "min"
				}
				return "max"
			}
		}
	}
	return ""
}

// scattered reports a sum into an element that data choose: two threads may choose the same one.
func (r *rules) scattered(q reach, x statement, e effect, y *symbol, full []token) {
	op := reduction(x, e, full[0].word)
	if !r.o.Hints || op == "" || y == nil || y.alias != nil {
		return
	}
	loops := map[string]bool{}
	for _, a := range q.at.args {
		loops[a] = true
	}
	for _, s := range q.at.statements {
		r.p.parts(s, s.t, func(e effect) {
			if e.how == loopVariable {
				loops[e.t[0].word] = true
			}
		})
	}
	d := r.dependent(q.at)
	for _, part := range list(subscripts(full)) {
		plain, index := true, false
		for i, w := range part {
			if w.kind != name || at(part, i-1).is("%") {
				continue
			}
			if y, _, _ := r.p.variable(x.scope, part[i:i+1]); y != nil && len(y.dims) > 0 && y.scope.kind == blockScope {
				index = true // of DO CONCURRENT or FORALL
				continue
			}
			index = index || loops[w.word]
			plain = plain && (loops[w.word] || !d[w.word]) && !(at(part, i+1).is("(") && !loops[w.word])
		}
		if plain && index {
			return
		}
	}
	r.tell(q, Finding{Rule: ScatteredSum, Where: where(x), Declared: y.where, Name: y.name,
		Text:   fmt.Sprintf("'%s' is updated %s, and which element that is depends on data: two threads may update the same one", spelled(full), q.in()),
		Remedy: fmt.Sprintf("if indices can be equal: %s; if not, say so with ! yaklcheck: ok", atomics[op])}, y)
}
