package lint

import "slices"

// This file finds the procedures that run on several threads at once: kernels, and the procedures
// that they call.

// reach is a procedure that threads reach.
type reach struct {
	at     *scope
	kernel *scope // itself, or the kernel that calls it
}

type threads struct {
	p       *program
	order   []reach
	seen    map[*scope]int // index in order
	unknown map[string]bool
	once    map[*scope]bool
	many    map[*scope]bool
}

// reached finds the kernels, then the procedures that they call.
func reached(p *program) *threads {
	r := &threads{p: p, seen: map[*scope]int{}, unknown: map[string]bool{}, once: map[*scope]bool{}, many: map[*scope]bool{}}
	for _, s := range p.procedures {
		for _, x := range s.statements {
			p.launches(x, func(kernel *scope, bounds []token) {
				switch {
				case kernel == nil:
				case r.single(x, bounds):
					r.once[kernel] = true
				default:
					r.many[kernel] = true
					r.add(kernel, kernel)
				}
			})
		}
	}
	for _, s := range p.procedures {
		if r.once[s] && !r.many[s] { // all its launches have one iteration
			continue
		}
		if slices.ContainsFunc(s.args, func(a string) bool { return p.isTile(s, s.symbols[a]) }) {
			r.add(s, s)
		}
	}
	for i := 0; i < len(r.order); i++ {
		at := r.order[i]
		for _, x := range at.at.statements {
			for _, q := range p.callees(x, r.unknown) {
				r.add(q, at.kernel)
			}
		}
	}
	return r
}

func (r *threads) add(s, kernel *scope) {
	if _, known := r.seen[s]; known || s.body {
		return
	}
	r.seen[s] = len(r.order)
	r.order = append(r.order, reach{s, kernel})
}

func (r *threads) has(s *scope) bool { _, known := r.seen[s]; return known }

// call is a call of a procedure with arguments.
type call struct {
	name  token
	args  [][]token
	sub   bool // by CALL
	bound bool // type-bound: the name behind the last %
}

// calls are the calls in a statement, nested ones included.
func calls(t []token) (out []call) {
	for i := range t {
		if t[i].kind != name || i > 0 && (t[i-1].is("%") || t[i-1].isName("call")) {
			continue
		}
		switch {
		case t[i].word == "call" && at(t, i+1).kind == name && (i == 0 || t[i-1].is(")")):
			n := i + 1
			for at(t, n+1).is("%") || at(t, n+1).is("(") && at(t, closing(t, n+1)+1).is("%") {
				if at(t, n+1).is("(") {
					n = closing(t, n+1)
				}
				n += 2
			}
			if n < len(t) {
				out = append(out, call{t[n], list(inParentheses(t, n+1)), true, n > i+1})
			}
		case at(t, i+1).is("("):
			out = append(out, call{name: t[i], args: list(inParentheses(t, i+1))})
		}
	}
	return out
}

// launches calls yield for each launch in a statement, with its kernel (nil: unknown) and its bounds.
func (p *program) launches(x statement, yield func(kernel *scope, bounds []token)) {
	for _, c := range calls(x.t) {
		l, is := launches[p.called(x.scope, c.name.word)]
		if !is || !c.sub || c.bound {
			continue
		}
		arg := argument(c.args, l.place, l.word)
		if len(arg) > 3 && arg[0].isName("c_funloc") && arg[1].is("(") {
			arg = arg[2 : len(arg)-1]
		}
		var kernel *scope
		if len(arg) == 1 && arg[0].kind == name {
			kernel = p.lookup(x.scope, arg[0].word).procedure
		}
		yield(kernel, argument(c.args, 1, "bounds"))
	}
}

// single reports whether the bounds are bounds(1), so that no two threads meet in the kernel.
func (r *threads) single(x statement, bounds []token) bool {
	return len(bounds) == 4 && bounds[1].is("(") && bounds[2].is("1") && r.p.called(x.scope, bounds[0].word) == "portable_bounds"
}

// argument is the argument at that position, or with that keyword.
func argument(args [][]token, place int, word string) []token {
	for i, a := range args {
		if len(a) > 1 && a[0].kind == name && a[1].is("=") {
			if a[0].word == word {
				return a[2:]
			}
		} else if i == place {
			return a
		}
	}
	return nil
}

// callees are the program's procedures that a statement names, also as arguments. Names of CALL that no file has go to
// unknown.
func (p *program) callees(x statement, unknown map[string]bool) (out []*scope) {
	for i, w := range x.t {
		if w.kind != name || at(x.t, i+1).is("=") {
			continue
		}
		if i > 0 && x.t[i-1].is("%") {
			if q := p.binding(w.word); q != nil && (at(x.t, i+1).is("(") || x.t[0].isName("call")) {
				out = append(out, q)
			}
			continue
		}
		m := p.lookup(x.scope, w.word)
		if m.procedure != nil && m.procedure != x.scope.procedure() {
			out = append(out, m.procedure)
		}
		out = append(out, m.generic...)
		if i > 0 && x.t[i-1].isName("call") && m.procedure == nil && m.generic == nil && m.symbol == nil && m.library == "" &&
			outputs[w.word] == nil && !at(x.t, i+1).is("%") && libraryName(w.word) == "" {
			unknown[w.word] = true
		}
	}
	return out
}

// binding is the procedure of a type-bound name, if the files have only one of that name.
func (p *program) binding(n string) (found *scope) {
	for _, u := range p.units {
		target := u.bindings[n]
		if target == "" {
			continue
		}
		q := u.inside[target]
		if q == nil || found != nil && found != q {
			return nil
		}
		found = q
	}
	return found
}
