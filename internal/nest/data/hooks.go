package data

import (
	"slices"
	"strconv"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// This file goes through the statements that may run while a region is open.

// hooks goes through one unit, or the statements of a region.
type hooks struct {
	f       *finder
	unit    *tree.Unit
	targets map[int32]bool // labels to which statements jump
	ends    map[int32]bool // labels at which loops end
	run     want           // what statements since runAt use: their calls stand in front of the first of them
	runAt   token.Pos
	at      token.Pos // of the statement
	pointed bool      // it assigns the result of a function to a pointer
}

// whole gives a procedure with launches its calls.
func (f *finder) whole(u *tree.Unit) {
	s := f.program.Of(u)
	if s == nil || f.done[u] {
		return
	}
	f.done[u] = true
	h := f.hooks(u)
	h.bounds(s)
	h.block(s, u.Body, u.Tail())
}

func (f *finder) hooks(u *tree.Unit) *hooks {
	h := &hooks{f: f, unit: u, targets: map[int32]bool{}, ends: map[int32]bool{}}
	for _, name := range []string{"lbound", "allocated", "associated", "present"} {
		if s := f.program.Of(u); s != nil {
			if y := s.Lookup(name); y.Kind != scope.Intrinsic && y.Kind != scope.Unknown {
				f.refuse(u.Head.From, "a data region is open in '"+u.Name+"', whose calls need the intrinsic function '"+name+"', and the name means something else there", "give it another name")
			}
		}
	}
	parts.Nodes(u.Body, func(n tree.Node) {
		for _, label := range targets(n) {
			h.targets[label] = true
		}
		if do, ok := n.(*tree.Do); ok && do.EndLabel != 0 {
			h.ends[do.EndLabel] = true
		}
	})
	return h
}

// bounds refuses bounds of local variables that read arrays: no statement stands in front of them.
func (h *hooks) bounds(s *scope.Scope) {
	for _, y := range s.Own() {
		if y.Kind != scope.Variable || y.Scope != s {
			continue
		}
		for _, d := range y.Dims {
			for _, e := range []tree.Expression{d.Lower, d.Upper} {
				var w want
				h.reads(&w, nil, s, e)
				if !w.empty() {
					h.f.refuse(y.Where.From, "the bounds of '"+y.Name+"' read arrays, or call what is not seen, while a data region is open", "allocate it in a statement")
				}
			}
		}
	}
}

// flush writes the calls of the statements that were collected.
func (h *hooks) flush() {
	if !h.run.empty() {
		h.f.call(h.unit, h.runAt, false, h.lines(&h.run, ""))
	}
	h.run = want{}
}

// collect adds what a statement uses to those in front of it.
func (h *hooks) collect(n tree.Node, w *want) {
	if w.empty() {
		return
	}
	if w.unseen != "" {
		h.f.refuse(w.at, "a data region is open, and '"+w.unseen+"' is called where nothing can stand in front of it and behind it; its source is not seen",
			"call it in a statement of its own")
		return
	}
	h.forgets(n, w)
	if h.run.empty() {
		h.runAt = front(n)
	}
	h.run.merge(w)
}

// front is the place in front of a statement, its label and the directives that belong to it.
func front(n tree.Node) token.Pos {
	at := n.Info().Where.From
	if l := n.Info().Line; l != nil && l.Label != 0 && l.Label == n.Info().Label && l.Span.From.File == at.File {
		at = l.Span.From
	}
	for i := len(n.Info().Before) - 1; i >= 0; i-- {
		l := n.Info().Before[i].Line
		if l.Nested || directive.Parse(l).Data != nil {
			break
		}
		at = l.Span.From
	}
	return at
}

func (h *hooks) block(s *scope.Scope, body []tree.Node, tail []*tree.Directive) {
	var open []token.Pos // regions of threads
	for _, n := range body {
		if n == nil {
			continue
		}
		for _, d := range n.Info().Before {
			if d.Line.Sentinel != "omp" || h.f.dropped[d.Line] {
				continue
			}
			switch directive.Parse(d.Line).Role {
			case directive.Begin:
				open = append(open, d.Line.Span.From)
			case directive.Close:
				open = open[:max(0, len(open)-1)]
			}
		}
		switch {
		case len(open) == 0:
			h.statement(s, n)
		case h.launches(s, n):
			h.f.refuse(open[0], "threads launch together while a data region is open", "convert the loop with '!$portable parallel', or let one thread launch")
		default: // the calls stand in front of the threads
			h.together(s, n)
		}
	}
	h.flush()
	h.updates(s, tail)
}

// launches reports whether a statement launches nests on devices, in it or in what it calls.
func (h *hooks) launches(s *scope.Scope, n tree.Node) bool {
	found := false
	parts.Nodes([]tree.Node{n}, func(x tree.Node) {
		if do, ok := x.(*tree.Do); ok && h.f.launch[do] != nil {
			found = true
		}
	})
	return found || h.f.calls(h.f.seen.Statements(s, n))
}

// foreign is a procedure whose file is not converted now, and which may have launches: its statements have no calls.
func (f *finder) foreign(e nest.Effects) string {
	for _, y := range e.Calls {
		if y.Body == nil || y.Body.Unit == nil || y.Body.Unit.File == nil || f.o.Converted == nil || f.o.Converted(y.Body.Unit.File) {
			continue
		}
		found := false
		parts.Nodes(y.Body.Unit.Body, func(n tree.Node) {
			_, is := n.(*tree.Do)
			found = found || is
		})
		if found {
			return y.Name
		}
	}
	return ""
}

// calls reports whether one of the calls launches.
func (f *finder) calls(e nest.Effects) bool {
	return slices.ContainsFunc(e.Calls, func(y *scope.Symbol) bool { return y.Body != nil && f.units[y.Body.Unit] })
}

func (h *hooks) statement(s *scope.Scope, n tree.Node) {
	h.updates(s, n.Info().Before)
	h.at = n.Info().Where.From
	target := n.Info().Label != 0 && h.targets[n.Info().Label]
	if target {
		h.flush()
	}
	before := len(h.f.plan.Calls[h.unit.File])
	inside := s
	if x := h.f.program.Inside(n); x != nil {
		inside = x
	}
	launches := h.launches(s, n)
	switch n := n.(type) {
	case *tree.Do:
		switch {
		case h.f.launch[n] != nil:
			h.nest(s, n, h.f.launch[n])
		case !launches:
			h.together(s, n)
		default:
			h.threads(n)
			var w want
			for _, e := range parts.Expressions(n) {
				h.reads(&w, nil, inside, e)
			}
			if n.Kind == tree.Counted {
				var own want
				h.touch(&own, s, nest.Touched{Root: s.Lookup(n.Variable), Written: true})
				if !own.empty() {
					h.f.refuse(n.Where.From, "'"+n.Variable+"' shares its memory with others while a data region is open, and launches in the loop may use them", "count with another variable")
				}
			}
			if n.Kind == tree.While && !w.empty() {
				h.f.refuse(n.Where.From, "the condition of DO WHILE uses arrays, or calls what is not seen, and launches in the loop may change them", "write DO, and in it IF (...) EXIT")
			}
			h.collect(n, &w)
			h.flush()
			h.block(inside, n.Body, n.End.Before)
		}
	case *tree.If:
		h.branches(s, n, launches)
	case *tree.Assignment, *tree.PointerAssignment, *tree.Call, *tree.Transfer, *tree.Allocation, *tree.Jump, *tree.Goto, *tree.Unread, *tree.Image:
		h.simple(s, n, "", n)
	default:
		if !launches {
			h.together(s, n)
			break
		}
		h.threads(n)
		switch n.(type) {
		case *tree.Where, *tree.Forall:
			h.f.refuse(n.Info().Where.From, "a data region is open, and WHERE or FORALL launches loops", "assign to a variable first")
			return
		}
		var w want
		for _, e := range parts.Expressions(n) {
			h.named(s, n, e)
			if _, is := n.(*tree.Associate); is && h.f.seen.Variable(s, e) {
				h.effects(&w, s, h.f.seen.Subscripts(s, e))
				continue
			}
			h.reads(&w, nil, s, e)
		}
		if _, is := n.(*tree.Block); is {
			h.bounds(inside)
		}
		h.collect(n, &w)
		h.flush()
		for k, b := range parts.Blocks(n) {
			in := inside
			if c, ok := n.(*tree.Select); ok && c.Kind != "case" {
				if x := h.f.program.Case(c, k); x != nil {
					in = x
				}
			}
			e, _ := parts.End(n)
			h.block(in, b, tailOf(n, k, len(parts.Blocks(n)), e))
		}
	}
	if target {
		wrote := len(h.f.plan.Calls[h.unit.File]) > before && h.f.plan.Calls[h.unit.File][before].At <= n.Info().Where.From.Offset
		if wrote || !h.run.empty() {
			h.f.refuse(n.Info().Where.From, "a statement with a label uses arrays while a data region is open: a jump to label "+strconv.Itoa(int(n.Info().Label))+" passes the call in front of it",
				"put the label at a CONTINUE in front of it")
		}
	}
}

// together adds all that a construct without launches uses.
func (h *hooks) together(s *scope.Scope, n tree.Node) {
	var w want
	h.all(&w, s, n)
	h.allocates(&w, n)
	points := h.points(&w, s, n)
	if w.unseen == "" && !w.leaves() && !w.renewed && len(w.again) == 0 {
		h.collect(n, &w)
		if points {
			h.flush()
		}
		return
	}
	if w.unseen != "" {
		h.unseen(&w)
	} else if label := n.Info().Label; jumps(n) || label != 0 && h.ends[label] {
		w.goes() // a call behind it may not be reached
	}
	h.flush()
	h.forgets(n, &w)
	h.f.call(h.unit, front(n), false, h.lines(&w, ""))
	if w.unseen != "" && jumps(n) {
		h.f.refuse(n.Info().Where.From, "a data region is open, and this construct calls '"+w.unseen+"', whose source is not seen, and may jump out of it", "call it outside of the construct")
	}
	h.f.call(h.unit, parts.Behind(n), true, h.behind(n, &w, &want{}))
}

// all adds what statements use, with those in them. It frees arrays if one of these does.
func (h *hooks) all(w *want, s *scope.Scope, n tree.Node) {
	e := h.f.seen.Statements(s, n)
	h.effects(w, s, e)
	if w.unseen != "" {
		w.at = n.Info().Where.From
	}
	parts.Nodes([]tree.Node{n}, func(x tree.Node) {
		t, ok := x.(*tree.Transfer)
		if !ok {
			return
		}
		for i := range t.Control {
			if !s.NamesGroup(&t.Control[i]) {
				continue
			}
			w.all = true
			if x == n {
				w.unseen, w.shared = "", false // the names of the group are what is not seen
			}
		}
	})
	x := &freed{}
	h.f.inBody(s, []tree.Node{n}, x)
	h.frees(w, s, x, e, n)
}

func jumps(n tree.Node) (is bool) {
	parts.Nodes([]tree.Node{n}, func(x tree.Node) {
		switch x := x.(type) {
		case *tree.Goto:
			is = true
		case *tree.Jump:
			is = is || x.Kind == "return" || (x.Kind == "exit" || x.Kind == "cycle") && x.Target != ""
		default:
			is = is || len(targets(x)) > 0
		}
	})
	return is
}

// branches goes through IF: each branch has its own calls, so that output now and then costs nothing at other times.
func (h *hooks) branches(s *scope.Scope, n *tree.If, launches bool) {
	var w want
	for _, b := range n.Branches {
		h.reads(&w, nil, s, b.Condition)
	}
	if !n.OneLine {
		h.collect(n, &w)
		h.flush()
		for k, b := range parts.Blocks(n) {
			h.block(s, b, tailOf(n, k, len(n.Branches)+1, n.End))
		}
		return
	}
	h.collect(n, &w)
	if len(n.Branches) == 0 || len(n.Branches[0].Body) == 0 {
		return
	}
	action := n.Branches[0].Body[0]
	e := h.f.seen.Expression(s, n.Branches[0].Condition)
	condition := ""
	if text := parts.Show(n.Branches[0].Condition); len(e.Calls) == 0 && !e.Unknown && again(text) {
		condition = text
	}
	h.simple(s, action, condition, n)
}

// threads refuses threads that launch together.
func (h *hooks) threads(n tree.Node) {
	for _, d := range n.Info().Before {
		if d.Line.Sentinel != "omp" || h.f.dropped[d.Line] {
			continue
		}
		switch directive.Parse(d.Line).Role {
		case directive.Loop, directive.Inner:
			h.f.refuse(d.Line.Span.From, "threads launch together while a data region is open", "convert the loop with '!$portable parallel', or let one thread launch")
		}
	}
}

// nest adds what the host reads for a launch: bounds, and what is set by the host alone.
func (h *hooks) nest(s *scope.Scope, do *tree.Do, n *nest.Nest) {
	var w want
	for _, l := range n.Loops {
		first, last, step := l.Do.First, l.Do.Last, l.Do.Step
		if l.Do.Kind == tree.Concurrent && l.Index < len(l.Do.Indices) {
			x := l.Do.Indices[l.Index]
			first, last, step = x.First, x.Last, x.Step
		}
		for _, e := range []tree.Expression{first, last, step} {
			h.reads(&w, nil, s, e)
		}
	}
	for _, a := range n.Arguments {
		if a.Object != nil {
			h.place(&w, s, h.f.seen.Subscripts(s, a.Object))
		}
	}
	set := func(e tree.Expression) { h.effects(&w, s, h.f.seen.Target(s, e)) }
	for _, x := range n.Sums {
		for _, u := range n.Arguments[x.Argument].Uses {
			set(u.Expression)
		}
	}
	for _, r := range n.Reductions {
		if r.Object != nil {
			set(r.Object)
		}
	}
	for _, y := range n.Last {
		h.touch(&w, s, nest.Touched{Root: y, Read: true, Written: true})
	}
	h.collect(do, &w)
	h.flush()
}

// updates adds the arrays of an UPDATE.
func (h *hooks) updates(s *scope.Scope, list []*tree.Directive) {
	for _, d := range list {
		p := directive.Parse(d.Line)
		if !h.f.accepted(d.Line, p.Data) || p.Data.Kind != "update" {
			continue
		}
		h.flush()
		var w want
		for _, x := range p.Data.Items {
			if t, ok := h.f.named(s, x.Name); ok {
				t.Written = x.Clause != "out"
				h.touch(&w, s, t)
			}
		}
		h.f.call(h.unit, d.Line.Span.From, false, h.lines(&w, ""))
		h.f.plan.Lines[h.unit.File] = append(h.f.plan.Lines[h.unit.File], d.Line)
	}
}
