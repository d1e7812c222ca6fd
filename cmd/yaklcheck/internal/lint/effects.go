package lint

import "slices"

// This file finds the variables that a statement assigns.

type how int

const (
	assigned how = iota
	loopVariable
	readInto
	passed
	allocatedHere
	pointed
)

var howText = map[how]string{assigned: "assigned", loopVariable: "a DO variable", readInto: "read into", allocatedHere: "allocated or freed",
	pointed: "made to point elsewhere"}

type effect struct {
	t      []token // the variable, with its subscripts
	how    how
	to     string    // of passed: the procedure
	array  bool      // of passed: the dummy is an array
	others [][]token // of passed: all arguments
	rhs    []token   // of assigned: the value; of a loop: its bounds
}

// effects calls yield for each variable that a statement assigns.
func (p *program) effects(x statement, yield func(effect)) {
	p.parts(x, x.t, yield)
	for _, c := range calls(x.t) {
		if !c.bound {
			p.arguments(x.scope, c, yield)
		}
	}
}

func (p *program) parts(x statement, t []token, yield func(effect)) {
	if n := designator(t); n > 0 && (at(t, n).is("=") || at(t, n).is("=>")) {
		e := effect{t: t[:n], how: assigned, rhs: t[n+1:]}
		if at(t, n).is("=>") {
			e.how = pointed
		}
		if p.called(x.scope, t[0].word) == "" || p.lookup(x.scope, t[0].word).symbol != nil {
			yield(e)
		}
		return
	}
	switch w, second := at(t, 0).word, at(t, 1); {
	case (w == "if" || w == "where" || w == "forall") && second.is("("):
		if end := closing(t, 1); end+1 < len(t) {
			p.parts(x, t[end+1:], yield)
		}
	case w == "do":
		i := 1
		for at(t, i).kind == number || at(t, i).is(",") {
			i++
		}
		if at(t, i).kind == name && at(t, i+1).is("=") {
			yield(effect{t: t[i : i+1], how: loopVariable, rhs: t[i+2:]})
		}
	case w == "allocate" || w == "deallocate" || w == "nullify":
		kind := allocatedHere
		if w == "nullify" {
			kind = pointed
		}
		for _, a := range list(inParentheses(t, 1)) {
			switch key, value := keyword(a); {
			case key == "stat" || key == "errmsg":
				each(value, assigned, yield)
			case key == "" && w == "allocate":
				each(withoutShape(a), kind, yield)
			case key == "":
				each(a, kind, yield)
			}
		}
	case isIO(t):
		p.transfer(x, t, yield)
	}
}

// withoutShape removes the extents from an allocated variable.
func withoutShape(a []token) []token {
	for i, w := range a {
		if w.is("(") && closing(a, i) == len(a)-1 {
			return a[:i]
		}
	}
	return a
}

func each(t []token, how how, yield func(effect)) {
	if isVariable(t) {
		yield(effect{t: t, how: how})
	}
}

// transfer reads input and output: items that are read, variables of implied loops, and specifiers that return a value.
func (p *program) transfer(x statement, t []token, yield func(effect)) {
	w := t[0].word
	items := t[1:]
	if at(t, 1).is("(") {
		end := closing(t, 1)
		for i, a := range list(inParentheses(t, 1)) {
			switch key, value := keyword(a); {
			case key == "" && i == 0 && w == "write" && p.isText(x.scope, a),
				key == "iostat" || key == "iomsg" || key == "size" || key == "newunit" || key == "id" && w != "wait",
				w == "inquire" && key != "" && key != "unit" && key != "file":
				each(value, assigned, yield)
			}
		}
		items = t[min(end+1, len(t)):]
	} else if i := find(items, ","); i >= 0 {
		items = items[i+1:]
	} else {
		items = nil
	}
	if w == "read" || w == "write" || w == "print" {
		p.items(items, w == "read", yield, 0)
	}
}

func (p *program) items(t []token, read bool, yield func(effect), depth int) {
	for _, a := range list(t) {
		switch {
		case at(a, 0).is("(") && closing(a, 0) == len(a)-1 && depth < 50:
			parts := list(a[1 : len(a)-1])
			for i, part := range parts {
				if find(part, "=") == 1 && part[0].kind == name {
					yield(effect{t: part[:1], how: loopVariable, rhs: slices.Concat(part[2:], slices.Concat(parts[i+1:]...))})
					for _, item := range parts[:i] {
						p.items(item, read, yield, depth+1)
					}
					break
				}
			}
		case read:
			each(a, readInto, yield)
		}
	}
}

// isText reports whether a unit is a character variable.
func (p *program) isText(s *scope, a []token) bool {
	if key, value := keyword(a); key == "unit" {
		a = value
	}
	if len(a) == 0 || a[0].kind != name {
		return false
	}
	y, _, _ := p.variable(s, a[:1])
	return y != nil && (y.character || len(a) > 1 && find(a, "%") > 0)
}

// arguments are the arguments that a call assigns.
func (p *program) arguments(s *scope, c call, yield func(effect)) {
	if n := p.called(s, c.name.word); n != "" {
		for i, a := range c.args {
			if isVariable(a) && slices.ContainsFunc(outputs[n], func(place int) bool { return place == i || place < 0 }) {
				yield(effect{t: a, how: passed, to: c.name.word, others: c.args})
			}
		}
		return
	}
	m := p.lookup(s, c.name.word)
	candidates := m.generic
	if m.procedure != nil {
		candidates = append([]*scope{m.procedure}, candidates...)
	}
	for i, a := range c.args {
		word, a := keyword(a)
		if !isVariable(a) || len(candidates) == 0 {
			continue
		}
		all, array := true, false // of a generic name: all specific procedures that may be meant agree
		for _, q := range candidates {
			d := word
			if d == "" && i < len(q.args) {
				d = q.args[i]
			}
			if len(candidates) > 1 && (d == "" || !q.isArgument(d)) {
				continue
			}
			all = all && q.isArgument(d) && p.assigns(q, d)
			array = array || q.symbols[d] != nil && q.symbols[d].array && !q.elemental
		}
		if all {
			yield(effect{t: a, how: passed, to: c.name.word, array: array, others: c.args})
		}
	}
}

// assigns reports whether a procedure assigns its dummy: by its INTENT, else by its statements.
func (p *program) assigns(q *scope, dummy string) bool {
	y := q.symbols[dummy]
	if y == nil || y.value || y.intent == "in" || y.external {
		return false
	}
	if y.intent != "" {
		return true
	}
	key := question{q, dummy}
	if answer, known := p.asked[key]; known {
		return answer // false while the answer is being computed, for procedures that call each other
	}
	p.asked[key] = false
	found := false
	for _, x := range q.statements {
		p.effects(x, func(e effect) {
			if !found && e.t[0].word == dummy || !found && x.scope.kind == blockScope {
				v, _, _ := p.variable(x.scope, e.t)
				found = v == y
			}
		})
	}
	p.asked[key] = found
	return found
}

type question struct {
	procedure *scope
	dummy     string
}
