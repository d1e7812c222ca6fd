package nest

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
)

// level is a block on the way from a procedure's body to a loop.
type level struct {
	block     []tree.Node
	at        int       // index of the statement that leads to the loop
	construct tree.Node // that has the block; nil of the body
	scope     *scope.Scope
}

// context is the place of a loop.
type context struct {
	unit   *tree.Unit
	levels []level
}

func (c *context) scope() *scope.Scope { return c.levels[len(c.levels)-1].scope }

// path are the constructs around, outermost first.
func (c *context) path() (list []tree.Node) {
	for _, l := range c.levels {
		if l.construct != nil {
			list = append(list, l.construct)
		}
	}
	return list
}

// inside is the context of statement at of a block of construct n.
func (c *context) inside(n tree.Node, s *scope.Scope, block []tree.Node, at int) *context {
	levels := append(c.levels[:len(c.levels):len(c.levels)], level{block, at, n, s})
	return &context{c.unit, levels}
}

// to is the context of another statement of the innermost block.
func (c *context) to(at int) *context {
	levels := append([]level(nil), c.levels...)
	levels[len(levels)-1].at = at
	return &context{c.unit, levels}
}

// candidate is a loop that is analysed: may its iterations run in parallel?
type candidate struct {
	f        *finder
	cx       *context
	do       *tree.Do
	index    int // of DO CONCURRENT
	scope    *scope.Scope
	w        *walker
	end      *state
	asked    *Directive
	variable *scope.Symbol
	own      []*scope.Symbol // private to each iteration of a loop around, of which this one is all: nothing reads them behind this loop

	refusals   []Refusal
	private    []*scope.Symbol
	last       []*scope.Symbol
	unsure     []unsure // last values that need the loops inside
	reductions []Reduction
	sums       []sum
	kept       []Refusal // why arrays of dummies and modules would not be private, but for the values of the last iteration
	proofs     []Proof
	asserted   bool
	tooMany    bool
	foreignMay bool // a called procedure uses memory by its own name that a pointer may mean
	pointing   []pointer
	hard       int     // pairs that needed proofs
	cover      []datum // arrays with conflicts
	covered    *walker // an iteration with the elements of these arrays that it sets; nil: not walked yet
	coveredEnd *state
	mentioned  *mentioned
}

// unsure is a scalar that is used behind the loop and is not set in each iteration, unless empty loops inside are the only reason.
type unsure struct {
	symbol  *scope.Symbol
	refusal Refusal
	last    Reduction // with an operator, if the last iteration that sets it can tell
}

// sum is a sum into an array.
type sum struct {
	root       *scope.Symbol
	operator   Operator
	statements []tree.Node
}

// analyse decides about one loop.
func (f *finder) analyse(cx *context, do *tree.Do, index int, asked *Directive, own ...*scope.Symbol) *candidate {
	c := &candidate{f: f, cx: cx, do: do, index: index, scope: cx.scope(), asked: asked, own: own}
	if s := f.program.Inside(do); s != nil && do.Kind == tree.Concurrent {
		c.scope = s
	}
	if do.Kind == tree.Concurrent {
		c.variable = c.scope.Lookup(do.Indices[index].Name)
	} else {
		c.variable = c.scope.Lookup(do.Variable)
	}
	if c.variable.Kind != scope.Variable || c.variable.Type.Base != scope.Integer || c.variable.Pointer {
		c.refuse(Refusal{Rule: "not-converted", At: do.Where.From, Text: "the loop variable '" + c.variable.Name + "' is no integer variable", Remedy: "use an integer"})
		return c
	}
	if f.effects.budget.over() {
		c.refuse(Refusal{Rule: "not-read", At: do.Where.From, Text: tooLarge, Remedy: "split the loop"})
		return c
	}
	c.w, c.end = c.walk(nil)
	c.refusals = append(c.refusals, c.w.refusals...)
	c.scalars()
	c.arrays()
	return c
}

func (c *candidate) refuse(r Refusal) {
	r.Loop = c.variable.Name
	if len(c.refusals) < mostRefusals {
		c.refusals = append(c.refusals, r)
	}
}

// independent reports whether the user says that iterations do not depend on each other.
func (c *candidate) independent() bool {
	return c.do.Kind == tree.Concurrent || c.asked != nil && c.asked.Independent
}

// ownWord reports whether independent is said of this loop itself, and not of one around it.
func (c *candidate) ownWord() bool {
	if c.do.Kind == tree.Concurrent {
		return true
	}
	if c.asked == nil || c.asked.Line == nil {
		return false
	}
	return !slices.ContainsFunc(c.cx.path(), func(n tree.Node) bool {
		d, is := n.(*tree.Do)
		return is && d.Where.From.Offset >= c.asked.Line.Span.From.Offset
	})
}

// walk goes through one iteration. covering are arrays of which the elements that are set are followed.
func (c *candidate) walk(covering map[datum]bool) (*walker, *state) {
	f := c.f
	changing := f.effects.inside(c.scope, c.do.Body)
	w := newWalker(f.program, f.effects, c.cx.scope(), changing)
	w.file = c.do.Where.From.File
	w.covering = covering
	w.strict, w.follow, w.trusting = true, true, c.independent()
	w.frame.labels = labelsOf(c.do.Body, c.do.End)
	w.frame.back, w.frame.open = backOf(c.do.Body, w.frame.labels), map[int32]int{}
	w.around(c.cx)
	w.silent++
	var value affine.Form
	var facts []affine.Form
	enter := func(y *scope.Symbol, first, last affine.Form, step affine.Form, is bool) {
		v := affine.Atom(0)
		if _, constant := step.Constant(); step.Known() && !constant && !step.IsProduct() && !w.table.Varies(step) { // a sum is as good as a name
			a, _ := w.table.Fixed("step " + step.Key())
			step = affine.Of(a)
		}
		value, facts, v = w.index(y.Name, first, last, step)
		if is {
			w.loop = v
		}
		step.Has(func(a affine.Atom) bool { // a loop that runs has no step 0
			if step.IsProduct() {
				w.table.NeverZero(a)
			}
			return false
		})
		d := datum{root: f.effects.canonical(y)}
		w.st.env[d] = value
		w.st.set[d] = true
		w.assume(facts...)
	}
	w.keepBounds(c.scope, c.do)
	if c.do.Kind == tree.Concurrent {
		w.scope = c.scope
		for i := range c.do.Indices {
			x := &c.do.Indices[i]
			enter(c.scope.Lookup(x.Name), w.expr(x.First), w.expr(x.Last), w.step(x.Step), i == c.index)
		}
		w.silent--
		if c.do.Condition != nil {
			yes, _ := w.condition(c.do.Condition)
			w.assume(yes...)
		}
	} else {
		enter(c.variable, w.expr(c.do.First), w.expr(c.do.Last), w.step(c.do.Step), true)
		w.silent--
	}
	for d := range w.st.env { // values in bounds are those before the loop
		if changing.written(d) && !w.st.set[d] {
			delete(w.st.env, d)
		}
	}
	end := w.body(c.do, &loopFrame{name: c.do.Name, isLoop: true, analysed: true})
	return w, end
}

// keepBounds gives the variables in a loop's bounds their values before the loop, which are the same in all iterations, also if the loop
// sets them.
func (w *walker) keepBounds(s *scope.Scope, do *tree.Do) {
	used := newEffects()
	for _, e := range []tree.Expression{do.First, do.Last, do.Step} {
		w.effects.reads(s, e, used)
	}
	for d := range used.reads {
		if isInteger(d.root) && d.path == "" && w.changing.written(d) {
			a, _ := w.table.Fixed("before the loop " + w.key(d))
			w.st.env[d] = affine.Of(a)
		}
	}
}

// around adds facts of loops and conditions around the analysed loop, as far as their variables keep their values.
func (w *walker) around(cx *context) {
	w.silent++
	now := w.scope
	for i, l := range cx.levels {
		if l.construct == nil || i == 0 {
			continue
		}
		w.scope = cx.levels[i-1].scope
		body := w.effects.inside(l.scope, l.block)
		still := func(list ...tree.Expression) bool {
			used := newEffects()
			for _, e := range list {
				w.effects.reads(w.scope, e, used)
			}
			for d := range used.reads {
				if body.written(d) || w.changing.written(d) {
					return false
				}
			}
			return !used.unknown && len(used.calls) == 0
		}
		switch n := l.construct.(type) {
		case *tree.Do:
			if n.Kind != tree.Counted || n.Step != nil && !still(n.Step) || !still(n.First, n.Last) {
				break
			}
			y := w.scope.Lookup(n.Variable)
			d := datum{root: w.effects.canonical(y)}
			if body.written(d) || w.changing.written(d) || !isInteger(y) {
				break
			}
			first, last, by := w.expr(n.First), w.expr(n.Last), w.step(n.Step)
			v := w.valueOf(ref{steps: []step{{symbol: d.root}}, node: &tree.Name{At: tree.At{Where: n.VariableAt}, Name: n.Variable}})
			if s, ok := by.Constant(); ok && s > 0 {
				w.assume(v.Minus(first), last.Minus(v))
			} else if ok && s < 0 {
				w.assume(first.Minus(v), v.Minus(last))
			}
		case *tree.If:
			for k := range n.Branches {
				if !still(n.Branches[k].Condition) {
					break
				}
				yes, no := w.condition(n.Branches[k].Condition)
				if sameBlock(n.Branches[k].Body, l.block) {
					w.assume(yes...)
					break
				}
				w.assume(no...)
			}
		}
	}
	w.scope = now
	w.silent--
}

func sameBlock(a, b []tree.Node) bool { return len(a) > 0 && len(b) > 0 && a[0] == b[0] }

// placeLine names the line of a place for a text.
func (c *candidate) placeLine(p place) string {
	if p.call.Known() {
		return c.w.line(p.at) + " (called at " + c.w.line(p.call) + ")"
	}
	return c.w.line(p.at)
}

// point is where a message about a place points: into the nest.
func (p place) point() token.Pos {
	if p.call.Known() {
		return p.call
	}
	return p.at
}
