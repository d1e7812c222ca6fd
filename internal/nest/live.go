package nest

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// liveAfter finds which variables may be read behind a loop before they are set again, with the place; an unknown place means behind
// the procedure. It goes through the statements that follow, and through loops around once more.
func (f *finder) liveAfter(cx *context, do *tree.Do, scalars, arrays []*scope.Symbol) map[*scope.Symbol]token.Pos {
	live := map[*scope.Symbol]token.Pos{}
	unit := f.program.Of(cx.unit)
	ask := newEffects()
	ask.more = f.effects.whole(unit)
	cover := map[datum]bool{}
	var open, globals []*scope.Symbol
	for _, y := range slices.Concat(scalars, arrays) {
		if f.onlyInside(cx, do, y) {
			continue
		}
		open = append(open, y)
		ask.writes[datum{root: y}] = token.Pos{}
		if global(y) {
			globals = append(globals, y)
		}
		if len(y.Dims) > 0 {
			cover[datum{root: y}] = true
		}
	}
	f.cut = false
	if len(open) == 0 {
		return live
	}
	w := newWalker(f.program, f.effects, cx.scope(), ask)
	w.file = do.Where.From.File
	w.covering, w.behind = cover, globals
	w.frame.labels = f.effects.labels(cx.unit)
	frames := make([]*loopFrame, len(cx.levels))
	for i, l := range cx.levels {
		if l.construct != nil {
			_, isLoop := l.construct.(*tree.Do)
			frames[i] = &loopFrame{name: l.construct.Info().Name, isLoop: isLoop}
		}
	}
	if len(arrays) == 0 {
		w.ahead = &ahead{f: f, unit: unit, open: open, frames: frames, exact: mostExact}
	}
	found := func(list []*scope.Symbol) {
		for d, places := range w.exposed {
			if !slices.Contains(list, d.root) {
				continue
			}
			at := places[0].at
			if other := live[d.root]; other.Known() { // of another component; they come in any order
				if at = earlier(at, other); !at.Known() {
					at = other
				}
			}
			live[d.root] = at
		}
		for _, a := range w.accesses {
			y := a.ref.steps[0].symbol
			if !a.write && !a.covered && slices.Contains(arrays, y) && slices.Contains(list, y) {
				if _, known := live[y]; !known {
					live[y] = a.where.at
				}
			}
		}
	}
	for i := len(cx.levels) - 1; i >= 0 && !w.lost; i-- {
		l := cx.levels[i]
		w.scope, w.frame.loops = l.scope, nil
		if i > 0 {
			w.frame.loops = slices.Clone(frames[1 : i+1])
		}
		if w.ahead != nil {
			w.ahead.depth = len(w.frame.loops)
		}
		w.block(l.block[l.at+1:])
		if l.construct == nil || len(arrays) == 0 && w.settled(open, frames) {
			break
		}
		if e, ok := parts.End(l.construct); ok {
			w.arrive(e.Label)
		}
		if _, ok := l.construct.(*tree.Block); ok { // its variables end with it
			own := func(y *scope.Symbol) bool { return y.Scope == l.scope && !y.Saved }
			found(slices.DeleteFunc(slices.Clone(open), func(y *scope.Symbol) bool { return !own(y) }))
			open = slices.DeleteFunc(open, own)
			if w.ahead != nil {
				w.ahead.open = open
			}
			if len(open) == 0 {
				return live
			}
		}
		if loop, ok := l.construct.(*tree.Do); ok {
			w.st = w.merged(w.st, frames[i].cycle)
			changes := w.changes(loop.Body)
			if loop.Kind == tree.Counted {
				changes = append(changes, datum{root: f.effects.canonical(w.scopeAround(cx, i).Lookup(loop.Variable))})
			}
			w.havoc(w.st, changes)
			after := w.copied(w.st)
			if loop.Kind == tree.While {
				w.expr(loop.Condition)
			}
			w.block(loop.Body)
			w.st = after
			if w.ahead != nil { // what the next iterations set, there may be none
				w.ahead.done = false
			}
		}
		w.st = w.merged(w.st, frames[i].leave)
	}
	found(open)
	f.cut = w.cut
	final := w.merged(w.st, w.frame.returns)
	for _, y := range open {
		if _, known := live[y]; known {
			continue
		}
		if w.lost || f.visibleOutside(unit, y) && !final.dead && !final.isSet(datum{root: y}) {
			live[y] = token.Pos{}
		}
	}
	return live
}

// ahead lets a walk behind a loop pass by statements that do not matter to its scalars.
type ahead struct {
	f      *finder
	unit   *scope.Scope
	open   []*scope.Symbol
	frames []*loopFrame
	exact  int // statements that are walked with all that is known; then loops are walked once for all questions
	count  int
	depth  int  // of the constructs around the block that is walked
	done   bool // nothing that follows matters
}

// mostExact is for the statements of a procedure: a walk behind each of n loops through the others would need n*n steps.
const mostExact = 1000

// passage is what a loop does to a scalar.
type passage struct {
	exposed bool // an iteration reads it before it sets it
	at      token.Pos
	sets    bool // each iteration sets it
}

type passageKey struct {
	do *tree.Do
	y  *scope.Symbol
}

// passes reports whether n need not be walked, and does to the state what n does.
func (a *ahead) passes(w *walker, n tree.Node) bool {
	if a.done {
		return true
	}
	if a.count++; len(w.frame.loops) == a.depth && w.under == 0 && (len(a.open) < 8 || a.count%64 == 0) { // not on one way of several
		a.done = w.settled(a.open, a.frames)
	}
	do, isLoop := n.(*tree.Do)
	_, isIf := n.(*tree.If)
	if a.done || !isLoop && !isIf || len(w.frame.pending) > 0 || w.st.dead || w.effects.jumps(n) {
		a.exact--
		return a.done
	}
	e := w.effects.alone(w.scope, n)
	var touched []*scope.Symbol
	for _, y := range a.open {
		if d := (datum{root: y}); e.touches(y) && len(w.exposedOf[y]) == 0 && !w.st.isSet(d) {
			touched = append(touched, y)
		}
	}
	w.spend(int64(5*len(a.open) + 5*len(e.writes)))
	if a.exact--; len(touched) > 0 && (a.exact > 0 || !isLoop) {
		return false
	}
	runs := false
	var last datum
	value := affine.Unknown
	if isLoop && do.Kind == tree.Counted {
		silent := w.silent
		w.silent = 1 // its bounds count below
		first, end, step := w.expr(do.First), w.expr(do.Last), w.step(do.Step)
		w.silent = silent
		runs = w.runs(first, end, step)
		n, _ := step.Constant()
		value, last = w.final(first, end, n, runs), datum{root: w.effects.canonical(w.scope.Lookup(do.Variable))}
	}
	for _, y := range touched {
		d := datum{root: y}
		if p := a.passage(w, do, y); p.exposed {
			if len(w.exposedOf[y]) == 0 {
				w.exposedOf[y] = []datum{d}
			}
			w.exposed[d] = append(w.exposed[d], place{at: p.at})
		} else if p.sets && runs {
			w.st.set[d] = true
		}
	}
	w.havoc(w.st, w.changed(e))
	if last.root != nil {
		if isInteger(last.root) {
			w.st.env[last] = value
		}
		w.st.set[last] = true
	}
	return true
}

// passage walks one iteration of a loop, about which nothing is known, for one scalar.
func (a *ahead) passage(from *walker, do *tree.Do, y *scope.Symbol) passage {
	key := passageKey{do, y}
	if p, known := a.f.passages[key]; known {
		return p
	}
	ask := newEffects()
	ask.more = a.f.effects.whole(a.unit)
	d := datum{root: y}
	ask.writes[d] = token.Pos{}
	w := newWalker(a.f.program, a.f.effects, from.scope, ask)
	w.file, w.frame.labels, w.behind = from.file, from.frame.labels, from.behind
	w.expr(do.Condition)
	if do.Kind == tree.Counted {
		first, last, step := w.expr(do.First), w.expr(do.Last), w.step(do.Step)
		value, facts, _ := w.index(do.Variable, first, last, step)
		i := datum{root: a.f.effects.canonical(from.scope.Lookup(do.Variable))}
		w.st.env[i] = value
		w.st.set[i] = true
		w.assume(facts...)
	} else if x := a.f.program.Inside(do); x != nil {
		w.scope = x
		w.indices(do.Indices)
	}
	end := w.body(do, &loopFrame{name: do.Name, isLoop: true})
	p := passage{sets: !end.dead && end.isSet(d), exposed: w.lost}
	for _, e := range w.exposedOf[y] {
		p.exposed, p.at = true, w.exposed[e][0].at
	}
	a.f.passages[key] = p
	return p
}

// scopeAround is the scope around the construct of a level.
func (w *walker) scopeAround(cx *context, i int) *scope.Scope {
	if i > 0 {
		return cx.levels[i-1].scope
	}
	return cx.levels[0].scope
}

// settled reports whether each variable is read or set on the way so far, and no other way is open.
func (w *walker) settled(open []*scope.Symbol, frames []*loopFrame) bool {
	if len(w.frame.pending) > 0 || w.frame.returns != nil {
		return false
	}
	for _, f := range frames {
		if f != nil && (f.cycle != nil || f.leave != nil) {
			return false
		}
	}
	for _, y := range open {
		if _, is := w.exposed[datum{root: y}]; !is && !w.st.dead && !w.st.isSet(datum{root: y}) {
			return false
		}
	}
	return true
}

// visibleOutside reports whether the value of y can be used when the procedure has ended.
func (f *finder) visibleOutside(unit *scope.Scope, y *scope.Symbol) bool {
	if y.Scope == nil || procedure(y.Scope) != unit {
		return true // of a module or a host
	}
	if unit.Kind == scope.ProgramScope {
		return false
	}
	return y.Dummy && !y.Value || y.Result || static(y) || y.Target || y.Pointer
}

// onlyInside reports whether a local variable is named nowhere but in the loop.
func (f *finder) onlyInside(cx *context, do *tree.Do, y *scope.Symbol) bool {
	unit := f.program.Of(cx.unit)
	if y.Scope == nil || procedure(y.Scope) != unit || unit.Kind != scope.ProgramScope && f.visibleOutside(unit, y) {
		return false
	}
	from, to := do.Where.From, parts.Behind(do)
	for _, at := range f.placesOf(cx.unit, y.Name) {
		if at.File != from.File || at.Offset < from.Offset || at.Offset >= to.Offset {
			return false
		}
	}
	return true
}

// placesOf are the places in the statements of a unit, and of procedures in it, that have a name.
func (f *finder) placesOf(u *tree.Unit, name string) []token.Pos {
	if f.names[u] == nil {
		all := map[string][]token.Pos{}
		add := func(name string, at token.Pos) { all[name] = append(all[name], at) }
		declared := func(d tree.Declaration) { // bounds and lengths are evaluated when the procedure or BLOCK begins
			line := d.Info().Line
			if line == nil {
				return
			}
			for _, t := range line.Tokens {
				if t.Kind == token.Name {
					add(t.Text, t.Span.From)
				}
			}
		}
		var unit func(u *tree.Unit)
		unit = func(u *tree.Unit) {
			parts.Nodes(f.effects.body(u), func(n tree.Node) {
				for _, e := range parts.Expressions(n) {
					parts.Every(e, func(x tree.Expression) {
						switch x := x.(type) {
						case *tree.Name:
							add(x.Name, x.Where.From)
						case *tree.ImpliedDo:
							add(x.Variable, x.VariableAt.From)
						}
					})

				}
				switch n := n.(type) {
				case *tree.Do:
					add(n.Variable, n.VariableAt.From)
				case *tree.Labels:
					add(n.Variable, n.Where.From)
				case *tree.Passive:
					for _, t := range n.Text {
						add(t.Text, t.Span.From)
					}
				case *tree.Block:
					for _, d := range n.Declarations {
						declared(d)
					}
				case *tree.Unread:
					for _, t := range n.Text {
						add(t.Text, t.Span.From)
					}
				}
			})

			for _, d := range u.Declarations {
				if s, ok := d.(*tree.StatementFunction); ok {
					parts.Every(s.Assignment.Right, func(x tree.Expression) {
						if n, ok := x.(*tree.Name); ok {
							add(n.Name, n.Where.From)
						}
					})

				}
				if g, ok := d.(*tree.Namelist); ok {
					for _, list := range g.Groups {
						for _, name := range list {
							add(name, g.Where.From)
						}
					}
				}
			}
			for _, inner := range u.Contains {
				for _, d := range inner.Declarations {
					declared(d)
				}
				unit(inner)
			}
		}
		unit(u)
		f.names[u] = all
	}
	return f.names[u][name]
}
