package nest

import (
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// mostLoops is the rank of a launch.
const mostLoops = 8

// worthwhile is the number of iterations that an inner loop needs to be a launch of its own, if its number is known.
const worthwhile = 32

// try makes the nests of a loop: one if it is proved, else those of the proved loops inside, else a refused one. It is empty if the loop
// is no nest.
func (f *finder) try(cx *context, do *tree.Do, asked *Directive) []*Nest {
	chain := f.chain(cx, do, asked)
	first := chain[0]
	proved := len(first.refusals) == 0
	if proved && len(first.sums) == 0 {
		return f.withInside(chain[len(chain)-1], asked, f.built(cx, do, asked, chain))
	}
	inner := f.within(cx, do, asked)
	usable := func(n *Nest) bool { return n.Verdict == Parallel && !n.own && (!proved || len(n.Sums) == 0) }
	if proved && !slices.ContainsFunc(inner, usable) {
		return f.withInside(chain[len(chain)-1], asked, f.built(cx, do, asked, chain))
	}
	converted := slices.ContainsFunc(inner, func(n *Nest) bool { return usable(n) || n.own && asked == nil })
	if !proved && !converted && asked == nil && !first.writes() && (len(inner) > 0 || !first.works()) {
		return inner // the loop is only around nests, or is none
	}
	var kept []*Nest
	for _, n := range inner {
		if usable(n) {
			n.Outer, n.Around = do, append([]*tree.Do{do}, n.Around...)
			n.Directive = asked
			why := first.refusals
			if proved {
				why = []Refusal{{Rule: "same-element", At: do.Where.From, Loop: first.variable.Name, Text: "loop " + first.variable.Name + " would need atomic sums; the loops inside need none"}}
			}
			n.Refusals = append(slices.Clone(why), n.Refusals...)
			if asked != nil && asked.Label != "" {
				n.Label = asked.Label
			}
		}
		kept = append(kept, n)
	}
	if converted && !f.contradicted(first) {
		return kept
	}
	n := f.newNest(cx, do, asked)
	n.Refusals = ordered(first.refusals)
	type key struct {
		rule Rule
		at   token.Pos
		text string
	}
	known := map[key]bool{} // loops inside that were proved have the reasons of this one
	for _, r := range n.Refusals {
		known[key{r.Rule, r.At, r.Text}] = true
	}
	nests := []*Nest{n}
	for _, i := range inner {
		if i.own {
			nests = append(nests, i)
			continue
		}
		for _, r := range i.Refusals {
			if k := (key{r.Rule, r.At, r.Text}); !known[k] && len(n.Refusals) < mostRefusals {
				known[k] = true
				n.Refusals = append(n.Refusals, r)
			}
		}
	}
	n.Proofs = first.proofs
	return nests
}

// contradicted reports whether the user wrote something that is not true: then loops inside are no answer.
func (f *finder) contradicted(c *candidate) bool {
	return slices.ContainsFunc(c.refusals, func(r Refusal) bool { return r.Rule == "directive" })
}

// ordered puts the most helpful refusal first.
func ordered(list []Refusal) []Refusal {
	rank := func(r Refusal) int {
		for i, rules := range [][]Rule{{"directive"}, {"not-read"}, {"leaves-loop", "jump", "effect", "not-converted", "call-effect", "not-seen"},
			{"recurrence", "carried-scalar"}, {"same-element", "whole-array", "private-array", "index-array", "strides", "unknown-distance"},
			{"conditional-scalar", "last-value"}} {
			if slices.Contains(rules, r.Rule) {
				return i
			}
		}
		return 9
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Refusal) int {
		if d := rank(a) - rank(b); d != 0 || rank(a) != 2 {
			return d
		}
		return comparePlaces(a.At, b.At)
	})
	return list
}

// chain analyses a loop, and, if it is proved, the perfectly nested loops below it as long as they are proved too.
func (f *finder) chain(cx *context, do *tree.Do, asked *Directive) []*candidate {
	first := f.analyse(cx, do, 0, asked)
	chain := []*candidate{first}
	if do.Kind == tree.Concurrent {
		for i := 1; i < len(do.Indices); i++ {
			c := f.analyse(cx, do, i, asked)
			first.refusals = append(first.refusals, c.refusals...)
			chain = append(chain, c)
		}
		first.settle(nil)
		first.check()
		return chain
	}
	at, loop := cx, do
	for len(first.refusals) == 0 && len(chain) < mostLoops && (asked == nil || asked.Collapse == 0 || len(chain) < asked.Collapse) {
		below, k := onlyLoop(loop)
		if below == nil || !f.rectangular(chain, below, at) || f.staysSerial(below) || f.ownLevel(below, asked) != nil {
			break
		}
		at = at.inside(loop, at.scope(), loop.Body, k)
		c := f.analyse(at, below, 0, asked, first.alone()...)
		if !provedToo(first, c) {
			break
		}
		chain = append(chain, c)
		loop = below
	}
	first.settle(chain[len(chain)-1])
	if asked != nil && asked.Kind == "portable" && asked.Collapse > len(chain) && len(first.refusals) == 0 {
		first.refuse(Refusal{Rule: "directive", At: asked.Line.Span.From, Also: []token.Pos{do.Where.From}, Text: "collapse(" + strconv.Itoa(asked.Collapse) + ") is written, but only " + strconv.Itoa(len(chain)) + " loops are perfectly nested and proved", Remedy: "write collapse(" + strconv.Itoa(len(chain)) + ")"})
	}
	first.check()
	return chain
}

// alone are the private variables of a loop that have no last value.
func (c *candidate) alone() (list []*scope.Symbol) {
	for _, y := range c.private {
		if !slices.Contains(c.last, y) {
			list = append(list, y)
		}
	}
	return list
}

// onlyLoop is the loop that is all of a loop's body.
func onlyLoop(do *tree.Do) (below *tree.Do, at int) {
	for i, n := range do.Body {
		switch n := n.(type) {
		case *tree.Do:
			if below != nil || n.Kind != tree.Counted || n.Label != 0 {
				return nil, 0
			}
			below, at = n, i
		case *tree.Passive:
		case *tree.Jump:
			if n.Kind != "continue" {
				return nil, 0
			}
		default:
			return nil, 0
		}
	}
	return below, at
}

// rectangular reports whether the bounds of a loop are the same in all iterations of the loops around.
func (f *finder) rectangular(chain []*candidate, below *tree.Do, cx *context) bool {
	used := newEffects()
	ok := true
	for _, e := range []tree.Expression{below.First, below.Last, below.Step} {
		f.effects.reads(cx.scope(), e, used)
		parts.Every(e, func(x tree.Expression) {
			if r, is := x.(*tree.Reference); is {
				if m, _ := cx.scope().Meaning(r); m == scope.FunctionCall || m == scope.StatementCall || m == scope.NotKnown {
					ok = false
				}
			}
		})

	}
	if used.unknown || len(used.calls) > 0 {
		return false
	}
	for d := range used.reads {
		if chain[0].w.changing.written(d) {
			return false
		}
		for _, c := range chain {
			if c.variable == d.root {
				return false
			}
		}
	}
	return ok
}

// staysSerial reports whether the user wants a loop serial.
func (f *finder) staysSerial(do *tree.Do) bool {
	for _, d := range do.Before {
		if p := directive.Parse(d.Line); p.Role == directive.Sequence || p.Role == directive.Off {
			return true
		}
	}
	return false
}

// keepsFromDevices reports whether a directive in front of a loop may keep it on the host.
func (f *finder) keepsFromDevices(do *tree.Do) bool {
	for _, line := range do.Before {
		p := directive.Parse(line.Line)
		if !f.accepted(&p) {
			continue
		}
		d := p.Directive
		if len(d.Self)+len(d.If) > 0 || slices.ContainsFunc(d.SerialOn, directive.OnDevice) || len(d.On) > 0 && !slices.ContainsFunc(d.On, directive.OnDevice) {
			return true
		}
	}
	return false
}

// leading is the directive in front of a loop that shares it between threads.
func (f *finder) leading(do *tree.Do) *directive.Parsed {
	for _, d := range do.Before {
		if p := directive.Parse(d.Line); p.Role == directive.Inner {
			return &p
		}
	}
	return nil
}

// provedToo reports whether a loop inside is proved, without more than the outer loop has.
func provedToo(first, c *candidate) bool {
	if len(c.refusals) > 0 {
		return false
	}
	has := func(list []*scope.Symbol, y *scope.Symbol) bool { return slices.Contains(list, y) }
	for _, u := range c.unsure {
		if !has(first.private, u.symbol) && !slices.ContainsFunc(first.unsure, func(v unsure) bool { return v.symbol == u.symbol }) {
			return false
		}
	}
	for _, r := range c.reductions {
		if !slices.ContainsFunc(first.reductions, func(q Reduction) bool {
			return q.Symbol == r.Symbol && q.Operator == r.Operator && parts.Show(q.Object) == parts.Show(r.Object)
		}) {
			return false
		}
	}
	for _, s := range c.sums {
		if !slices.ContainsFunc(first.sums, func(q sum) bool { return q.root == s.root }) {
			return false
		}
	}
	for _, y := range c.private {
		if (len(y.Dims) > 0 || y.Type.Base == scope.Derived) && !has(first.private, y) {
			return false
		}
	}
	return true
}

// within makes the nests of the loops in a loop's body.
func (f *finder) within(cx *context, do *tree.Do, asked *Directive) (list []*Nest) {
	var inside *Directive
	if asked != nil {
		d := *asked
		d.Collapse, d.Label = 0, ""
		inside = &d
	}
	return f.withinBlock(f.inLoop(cx, do), inside)
}

func (f *finder) withinBlock(cx *context, asked *Directive) (list []*Nest) {
	f.loopsIn(cx, func(here *context, do *tree.Do) {
		if f.staysSerial(do) || f.shared(do, f.leading(do)) != nil || f.looksInside && f.keepsFromDevices(do) {
			return
		}
		if own := f.own(do, asked); own != nil {
			list = append(list, f.ownNests(here, do, own)...)
			return
		}
		for _, x := range f.try(here, do, asked) {
			if x.own {
				list = append(list, x)
				continue
			}
			x.Directive = nil
			if x.Verdict == Parallel && tiny(x) {
				continue
			}
			list = append(list, x)
		}
	})
	return list
}

// loopsIn visits the counted loops of the innermost block of a context and of the blocks in it, but not those inside of loops.
func (f *finder) loopsIn(cx *context, visit func(*context, *tree.Do)) {
	for i, n := range cx.levels[len(cx.levels)-1].block {
		if n == nil {
			continue
		}
		here := cx.to(i)
		if do, ok := n.(*tree.Do); ok && do.Kind == tree.Counted {
			visit(here, do)
			continue
		}
		for k, b := range parts.Blocks(n) {
			s := here.scope()
			if x := f.program.Inside(n); x != nil {
				s = x
			}
			if sel, ok := n.(*tree.Select); ok && sel.Kind != "case" {
				if x := f.program.Case(sel, k); x != nil {
					s = x
				}
			}
			f.loopsIn(here.inside(n, s, b, 0), visit)
		}
	}
}

// withInside adds the nests of the loops in the body of the last loop of a nest that has no version for devices, if one is asked for. A directive at the
// nest says that it is the kernel: then it is.
func (f *finder) withInside(last *candidate, asked *Directive, nests []*Nest) []*Nest {
	if len(nests) == 1 && nests[0].Verdict == Parallel {
		if marked := f.marked(last, nests[0]); len(marked) > 0 {
			return append(nests, marked...)
		}
	}
	if f.options.Devices == nil || f.looksInside || asked != nil || last.do.Kind != tree.Counted {
		return nests
	}
	f.looksInside = true
	for _, n := range nests {
		if n.Verdict != Parallel || f.options.Devices(n) {
			continue
		}
		for _, x := range f.within(last.cx, last.do, nil) {
			if x.Verdict == Parallel && len(x.Around) == 0 && f.options.Devices(x) {
				n.Inside = append(n.Inside, x)
			}
		}
	}
	f.looksInside = false
	return nests
}

// tiny reports whether a nest has a known small number of iterations.
func tiny(n *Nest) bool {
	total := int64(1)
	for _, l := range n.Loops {
		var v [3]int64
		v[2] = 1
		for i, e := range []tree.Expression{l.Do.First, l.Do.Last, l.Do.Step} {
			if e == nil {
				continue
			}
			x, ok := n.Scope.Constant(e)
			if !ok || x.Type.Base != scope.Integer {
				return false
			}
			v[i] = x.Integer
		}
		if v[2] == 0 || v[1]-v[0] > 1<<20 {
			return false
		}
		total *= max((v[1]-v[0]+v[2])/v[2], 0)
		if total > worthwhile {
			return false
		}
	}
	return total < worthwhile
}

// writes reports whether a loop sets elements that depend on its index, or sums, or sets scalars that are used behind it.
func (c *candidate) writes() bool {
	if c.w == nil {
		return true
	}
	for _, a := range c.w.accesses {
		if !a.write || c.declaredInside(a.ref.steps[0].symbol) {
			continue
		}
		for _, s := range a.ref.subs() {
			if !s.lo.Known() || s.lo.Has(c.w.isLoop) || s.hi.Has(c.w.isLoop) || s.index != nil {
				return true
			}
		}
	}
	return len(c.reductions) > 0
}

// works reports whether a loop sets anything but the variables of loops, or has statements that are not understood.
func (c *candidate) works() bool {
	if slices.ContainsFunc(c.refusals, func(r Refusal) bool {
		return r.Rule == "not-read" || r.Rule == "not-seen" || r.Rule == "call-effect" || r.Rule == "leaves-loop" || r.Rule == "jump"
	}) {
		return true
	}
	indices := map[*scope.Symbol]bool{}
	parts.Nodes(c.do.Body, func(n tree.Node) {
		if d, ok := n.(*tree.Do); ok && d.Kind == tree.Counted {
			indices[c.scope.Lookup(d.Variable)] = true
		}
	})

	for d := range c.w.sets {
		if !indices[d.root] && !c.declaredInside(d.root) {
			return true
		}
	}
	return slices.ContainsFunc(c.w.accesses, func(a access) bool { return a.write && !c.declaredInside(a.ref.steps[0].symbol) })
}

// built is the nest of a proved chain of loops; none if it sets nothing that is used.
func (f *finder) built(cx *context, do *tree.Do, asked *Directive, chain []*candidate) []*Nest {
	first, last := chain[0], chain[len(chain)-1]
	writes := len(first.reductions) > 0
	for _, a := range first.w.accesses {
		writes = writes || a.write && !first.declaredInside(a.ref.steps[0].symbol) && !slices.Contains(first.private, a.ref.steps[0].symbol)
	}
	if !writes && asked == nil {
		return nil
	}
	n := f.newNest(cx, do, asked)
	n.Verdict = Parallel
	var variables []*scope.Symbol
	for _, c := range chain {
		n.Asserted = n.Asserted || c.asserted || do.Kind == tree.Concurrent
		n.Loops = append(n.Loops, Loop{Do: c.do, Variable: c.variable, Index: c.index})
		n.Proofs = append(n.Proofs, c.proofs...)
		variables = append(variables, c.variable)
	}
	n.Asserted = n.Asserted || asked != nil && asked.Independent
	if do.Kind != tree.Concurrent {
		live := f.liveAfter(cx, do, variables, nil)
		for i := range n.Loops {
			_, n.Loops[i].UsedAfter = live[n.Loops[i].Variable]
		}
	}
	other := func(list []*scope.Symbol) (out []*scope.Symbol) {
		for _, y := range list {
			if !slices.Contains(variables, y) && !slices.Contains(out, y) {
				out = append(out, y)
			}
		}
		slices.SortFunc(out, func(a, b *scope.Symbol) int { return strings.Compare(a.Name, b.Name) })
		return out
	}
	n.Private, n.Last = other(first.private), other(first.last)
	n.Reductions = first.reductions
	n.Calls = last.w.calls
	for _, y := range last.w.callees {
		if !slices.Contains(n.Callees, y) {
			n.Callees = append(n.Callees, y)
		}
	}
	last.arguments(n)
	if wrong := f.inside(cx, do, asked); n.Verdict == Parallel && len(wrong) > 0 {
		n.Verdict, n.Refusals = Refused, wrong
	}
	if n.Verdict == Refused {
		n.Loops, n.Private, n.Last, n.Reductions = nil, nil, nil, nil
		return []*Nest{n}
	}
	for _, s := range first.sums {
		for i := range n.Arguments {
			if n.Arguments[i].Symbol == s.root {
				n.Sums = append(n.Sums, ArraySum{Argument: i, Operator: s.operator, Statements: s.statements})
			}
		}
	}
	return []*Nest{n}
}
